//! The binary `melmastoon`: command line, configuration, wiring, the embedded PostgreSQL and the demo hotel.

#![warn(clippy::print_stdout, reason = "`say!` does not panic where nobody listens")]

pub mod app;
pub mod archiving;
pub mod commands;
pub mod config;
pub mod contexts;
pub mod demo;
mod failure;
mod instance;
mod masking;
mod months;
mod progress;
pub mod saying;
pub mod web;

pub use failure::Failure;

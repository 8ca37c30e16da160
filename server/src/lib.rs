//! The binary `melmastoon`: command line, configuration, wiring, the embedded PostgreSQL and the demo hotel.

pub mod app;
pub mod archiving;
pub mod commands;
pub mod config;
pub mod contexts;
pub mod demo;
mod failure;
mod instance;
mod months;
mod progress;
pub mod web;

pub use failure::Failure;

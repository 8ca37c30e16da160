//! One file a command.

#[cfg(feature = "archive")]
pub mod archive;
pub mod backup;
pub mod bus;
pub mod config;
pub mod contracts;
pub mod demo;
pub mod dlq;
pub mod doctor;
pub mod export;
pub mod import;
pub mod import_bookings;
pub mod migrate;
pub mod person;
pub mod plan;
pub mod republish;
mod restored_copy;
pub mod run;
pub mod tick;
pub mod token;
pub mod up;
pub mod webhooks;

//! One file a command.

#[cfg(feature = "archive")]
pub mod archive;
pub mod backup;
pub mod config;
pub mod contracts;
pub mod demo;
pub mod dlq;
pub mod doctor;
pub mod import;
pub mod import_bookings;
pub mod migrate;
pub mod plan;
pub mod run;
pub mod tick;
pub mod token;
pub mod up;

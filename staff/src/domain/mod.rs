//! The rules, pure: what people, shifts and punches may become.

pub mod certification;
pub mod gap;
pub mod handoff;
pub mod leave;
pub mod pattern;
pub mod person;
pub mod pin;
pub mod planning;
pub mod position;
pub mod punch;
pub mod settings;
pub mod shift;
pub mod stay;
pub mod suggestion;
pub mod swap_request;
pub mod window;
pub mod words;

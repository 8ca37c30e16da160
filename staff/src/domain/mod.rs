//! The rules, pure: what people, shifts and punches may become.

pub mod gap;
pub mod person;
pub mod pin;
pub mod planning;
pub mod position;
pub mod punch;
pub mod settings;
pub mod shift;
pub mod window;
pub mod words;

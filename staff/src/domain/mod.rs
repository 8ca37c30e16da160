//! The rules, pure: what a person, a position and the settings may become.

pub mod person;
pub mod position;
pub mod settings;
pub mod words;

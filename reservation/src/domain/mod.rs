//! What is true in a hotel that sells nights. Nothing here knows of tables, wires or time that passes by itself.

pub mod money;
pub mod policy;
pub mod rooms;
pub mod settings;
pub mod stay;

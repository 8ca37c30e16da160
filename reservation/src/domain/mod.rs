//! What is true in a hotel that sells nights. Nothing here knows of tables, wires or time that passes by itself.

pub mod advance;
pub mod alerts;
pub mod blocks;
pub mod closing;
pub mod decisions;
pub mod digits;
pub mod erasure;
pub mod facts;
pub mod money;
pub mod overstay;
pub mod placing;
pub mod policy;
pub mod quote;
pub mod reservation;
mod reservation_events;
pub mod rooms;
pub mod settings;
pub mod stay;

//! What housekeeping knows and decides: pure, without I/O, time or chance of its own.

pub mod checklist;
pub mod inspection;
pub mod room;
pub mod settings;
pub mod suggestion;
pub mod task;

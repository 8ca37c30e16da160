//! What housekeeping knows and decides: pure, without I/O, time or chance of its own.

pub mod block;
pub mod checklist;
pub mod discrepancy;
pub mod eta;
pub mod inspection;
pub mod maintenance;
pub mod room;
pub mod settings;
pub mod suggestion;
pub mod task;

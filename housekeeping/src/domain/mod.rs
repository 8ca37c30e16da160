//! What housekeeping knows and decides: pure, without I/O, time or chance of its own.

pub mod block;
pub mod checklist;
pub mod discrepancy;
pub mod eta;
pub mod inspection;
pub mod job;
pub mod linen;
pub mod lost_item;
pub mod maintenance;
pub mod photo;
pub mod room;
pub mod settings;
pub mod staffing;
pub mod suggestion;
pub mod task;
mod task_people;
pub mod task_state;
mod task_troubles;

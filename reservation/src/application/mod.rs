//! The stories of reservation, told in terms of rooms, nights, guests and money.

pub mod rooms;
pub mod settings;
pub mod ticks;
pub mod views;

//! The stories of reservation, told in terms of rooms, nights, guests and money.

pub mod alarms;
pub mod alerts;
pub mod alerts_over;
pub mod arriving;
pub mod blocks;
pub mod booking;
pub mod closing;
mod floor;
pub mod freed;
pub mod guests;
pub mod lookout;
pub mod modifying;
pub mod out_of_order;
mod overbooked;
pub mod overriding;
pub mod overstays;
pub mod personal;
pub mod rooms;
pub mod sagas;
pub mod settings;
pub mod stays;
pub mod ticks;
pub mod views;
pub mod wishing;

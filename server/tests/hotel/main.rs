//! The whole application in one process, on a real PostgreSQL, told as stories of a hotel.
//!
//! One binary for all of it: linking is what costs time here.

mod listener;
mod test_hotel;

mod bad_events;
mod bad_requests;
mod data_model;
mod dead_letters;
mod departures;
mod golden;
mod idempotency;
mod isolation;
mod layers;
mod live_board;
mod relay;
mod shifts;
mod statements;
mod tokens;
mod turnover;
mod worker;

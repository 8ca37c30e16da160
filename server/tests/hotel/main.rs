//! The whole application in one process, on a real PostgreSQL, told as stories of a hotel.
//!
//! One binary for all of it: linking is what costs time here.

mod test_hotel;

mod bad_events;
mod bad_requests;
mod data_model;
mod departures;
mod golden;
mod idempotency;
mod isolation;
mod layers;
mod shifts;
mod statements;
mod tokens;
mod turnover;

//! The whole application in one process, on a real PostgreSQL, told as stories of a hotel.
//!
//! One binary for all of it: linking is what costs time here.

mod test_hotel;

mod data_model;
mod departures;
mod isolation;
mod shifts;
mod statements;
mod turnover;

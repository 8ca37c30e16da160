//! The whole application in one process, on a real PostgreSQL, told as stories of a hotel.
//!
//! One binary for all of it: linking is what costs time here.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect ends right there")]

// `crate::test_hotel`: the hotel that all tests share.
extern crate test_hotel;

mod listener;
mod live_stream;
mod test_issuer;

mod a_new_context;
mod a_real_month;
mod bad_events;
mod bad_requests;
mod blocks;
mod checklists;
mod cloud_events;
mod data_model;
mod days;
mod dead_letters;
mod departures;
mod discrepancies;
mod edge;
mod estimates;
mod expected_guests;
mod explained;
mod golden;
mod idempotency;
mod importing;
mod invariants;
mod isolation;
mod issuer;
mod issuer_keys;
mod layers;
mod linen;
mod live_board;
mod live_touches;
mod lost_and_found;
mod maintenance;
mod migrations;
mod moves;
mod nats;
mod nats_faults;
mod openapi;
mod page_bytes;
mod reading;
mod relay;
mod reservation_holds;
mod reservation_house;
mod reservation_isolation;
mod reservation_sagas;
mod reservation_stays;
mod room_history;
mod routing;
mod routing_decisions;
mod routing_elsewhere;
mod several_listeners;
mod shifts;
mod staff_clock;
mod staff_people;
mod staff_problems;
mod staff_roster;
mod staff_shifts;
mod statements;
mod stats;
mod stock_nonsense;
mod subscriptions;
mod ticks;
mod timers;
mod tokens;
mod troubles;
mod turnover;
mod undone;
mod upkeep;
mod webhooks;
mod worker;

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
mod archive;
mod archive_terms;
mod bad_events;
mod bad_requests;
mod blocks;
mod board_cache;
mod board_cache_faults;
mod board_snapshot;
mod checklists;
mod cloud_events;
mod data_model;
mod data_model_facts;
mod days;
mod dead_letters;
mod departures;
mod diagrams;
mod discrepancies;
mod duplicates;
mod edge;
mod ends;
mod estimates;
mod expected_guests;
mod explained;
mod exporting;
mod golden;
mod guests_and_rooms;
mod idempotency;
mod importing;
mod importing_bookings;
mod indexes;
mod interface;
mod interface_lists;
mod invariants;
mod isolation;
mod isolation_routes;
mod issuer;
mod issuer_keys;
mod layers;
mod linen;
mod live_board;
mod live_tokens;
mod live_touches;
mod lived_in;
mod loose_punches;
mod lost_and_found;
mod maintenance;
mod measured;
mod migrations;
mod moves;
mod nats;
mod nats_faults;
mod nats_keys;
mod openapi;
mod page_bytes;
mod personal_data;
#[cfg(feature = "pubsub")]
#[path = "../process/proxy.rs"]
mod proxy;
#[cfg(feature = "pubsub")]
mod pubsub;
#[cfg(feature = "pubsub")]
mod pubsub_faults;
#[cfg(feature = "pubsub")]
mod pubsub_push;
mod pushes;
mod reading;
mod relay;
mod replanning;
mod replaying;
mod reservation_desk;
mod reservation_holds;
mod reservation_house;
mod reservation_isolation;
mod reservation_modifications;
mod reservation_nonsense;
mod reservation_overrides;
mod reservation_problems;
mod reservation_refusals;
mod reservation_sagas;
mod reservation_stays;
mod reservation_timers;
mod reservation_told;
mod reservation_waiting;
mod reservation_walk_rules;
mod reservation_walks;
mod room_history;
mod rooms_nonsense;
mod routing;
mod routing_decisions;
mod routing_elsewhere;
mod settings_heard;
mod several_listeners;
mod shifts;
mod staff_at_once;
mod staff_certifications;
mod staff_clock;
mod staff_handoffs;
mod staff_kept_rosters;
mod staff_leave;
mod staff_logins;
mod staff_nonsense;
mod staff_patterns;
mod staff_people;
mod staff_personal;
mod staff_pins;
mod staff_problems;
mod staff_roster;
mod staff_shifts;
mod staff_suggestions;
mod staff_swaps;
mod staff_terminals;
mod staff_time;
mod staff_timers;
mod staff_to_housekeeping;
mod statements;
mod stats;
mod stock_nonsense;
mod subscriptions;
mod ticks;
mod timers;
mod tokens;
mod troubles;
mod turnover;
mod two_people;
mod undone;
mod upkeep;
mod web_advice;
mod web_needs;
mod web_pages;
mod web_session;
mod web_words;
mod webhooks;
mod worker;

//! Reservation: rooms and prices, quotes, holds, bookings, stays, and the money that belongs to them.
//!
//! `domain` decides, `application` tells the stories, `infrastructure` keeps, `presentation` translates. The server gets all of it
//! as one value: [`context`].

pub mod application;
pub mod domain;
pub mod infrastructure;
pub mod presentation;

mod error;

use std::sync::Arc;
use std::time::Duration;

pub use error::ReservationError;
use futures_util::FutureExt;
pub use infrastructure::{MIGRATIONS, SCHEMA};
use platform::ticks::Tick;
use platform::{AtWork, Context, Setting};
use presentation::{FrontOffice, events, http};

const MAINTENANCE: &str = "reservation.maintenance";
const HOLD_EXPIRY: &str = "reservation.hold-expiry";
const NO_SHOW: &str = "reservation.no-show";
const ALERTS: &str = "reservation.alerts";
const OVERSTAY: &str = "reservation.overstay";

/// Everything that reservation is.
pub fn context() -> Context {
    Context {
        name: "reservation",
        schema: &SCHEMA,
        migrations: MIGRATIONS,
        statements: infrastructure::statements(),
        ticks: &[MAINTENANCE, HOLD_EXPIRY, NO_SHOW, OVERSTAY, ALERTS],
        prepare: |_, _| async { Ok(None) }.boxed(),
        begin: Arc::new(begin),
    }
}

fn begin(setting: &Setting) -> AtWork {
    let office = FrontOffice { db: setting.db.clone(), archive: setting.archive.clone() };
    AtWork {
        subscription: events::subscription(),
        served: http::routes(office, setting.gate.clone()),
        ticks: vec![
            Tick::new(MAINTENANCE, Duration::from_hours(1), application::ticks::keep_up),
            // Within a second of their time, in every process: replicas pass by what another is at.
            Tick::everywhere(HOLD_EXPIRY, Duration::from_millis(250), application::ticks::expire_holds),
            Tick::everywhere(NO_SHOW, Duration::from_millis(500), application::ticks::call_no_shows),
            Tick::everywhere(OVERSTAY, Duration::from_millis(500), application::ticks::notice_overstays),
            Tick::everywhere(ALERTS, Duration::from_secs(1), application::alerts_over::resolve_what_is_over),
        ],
    }
}

//! Staff: people and what they are employed as, their shifts, and the clock they punch.
//!
//! `domain` decides, `application` tells the stories, `infrastructure` keeps, `presentation` translates. The server gets all of it
//! as one value: [`context`].

#![expect(
    clippy::option_option,
    reason = "in a change, null takes away what is there and a missing field leaves it alone"
)]

pub mod application;
pub mod domain;
pub mod infrastructure;
pub mod presentation;

mod error;

use std::sync::Arc;
use std::time::Duration;

use application::calendar;
pub use error::StaffError;
use futures_util::FutureExt;
pub use infrastructure::{MIGRATIONS, SCHEMA};
use platform::ticks::Tick;
use platform::{AtWork, Context, Setting};
use presentation::{Staff, events, http};

const RETENTION: &str = "staff.retention";
const CERT_EXPIRY_SCAN: &str = "staff.cert-expiry-scan";
const GENERATE_SHIFTS: &str = "staff.generate-shifts";

/// Everything that staff is.
pub fn context() -> Context {
    Context {
        name: "staff",
        schema: &SCHEMA,
        migrations: MIGRATIONS,
        statements: infrastructure::statements(),
        ticks: &[RETENTION, CERT_EXPIRY_SCAN, GENERATE_SHIFTS],
        prepare: |_, _| async { Ok(None) }.boxed(),
        begin: Arc::new(begin),
    }
}

fn begin(setting: &Setting) -> AtWork {
    let state = Staff { db: setting.db.clone() };
    AtWork {
        subscription: events::subscription(),
        served: http::routes(state, setting.gate.clone()),
        ticks: vec![
            Tick::new(RETENTION, Duration::from_hours(1), application::ticks::keep_short),
            Tick::new(CERT_EXPIRY_SCAN, Duration::from_mins(15), calendar::expire_certificates),
            Tick::new(GENERATE_SHIFTS, Duration::from_hours(1), calendar::make_shifts),
        ],
    }
}

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

use application::{calendar, timers};
pub use error::StaffError;
use futures_util::FutureExt;
use infrastructure::rosters::Rosters;
pub use infrastructure::{MIGRATIONS, SCHEMA};
use platform::ticks::Tick;
use platform::{AtWork, Context, Setting};
use presentation::{Staff, events, http};

const AUTO_CLOSE: &str = "staff.auto-close-shifts";
const CERT_EXPIRY_SCAN: &str = "staff.cert-expiry-scan";
const EMPLOYMENT_END: &str = "staff.employment-end";
const GENERATE_SHIFTS: &str = "staff.generate-shifts";
const RETENTION: &str = "staff.staff-retention";

/// Everything that staff is.
pub fn context() -> Context {
    Context {
        name: "staff",
        schema: &SCHEMA,
        migrations: MIGRATIONS,
        statements: infrastructure::statements(),
        ticks: &[AUTO_CLOSE, CERT_EXPIRY_SCAN, EMPLOYMENT_END, GENERATE_SHIFTS, RETENTION],
        prepare: |_, _| async { Ok(None) }.boxed(),
        begin: Arc::new(begin),
    }
}

fn begin(setting: &Setting) -> AtWork {
    let desk = application::pin::PinDesk::new(setting.db.clone(), &setting.gate);
    let archive = setting.archive.clone();
    let state = Staff { db: setting.db.clone(), desk, rosters: Rosters::default(), archive };
    AtWork {
        subscription: events::subscription(),
        served: http::routes(state, setting.gate.clone()),
        ticks: vec![
            Tick::new(AUTO_CLOSE, Duration::from_mins(1), timers::auto_close_shifts),
            Tick::new(CERT_EXPIRY_SCAN, Duration::from_mins(15), calendar::expire_certificates),
            Tick::new(EMPLOYMENT_END, Duration::from_hours(1), timers::end_employments),
            Tick::new(GENERATE_SHIFTS, Duration::from_hours(1), calendar::make_shifts),
            Tick::new(RETENTION, Duration::from_hours(1), timers::keep_short),
        ],
    }
}

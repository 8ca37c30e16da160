//! Housekeeping: tasks, rooms, checklists, inspections, and the board that shows them.
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

use application::profiles::Profiles;
use application::routing_port::RoutingPort;
use application::timers;
pub use error::HousekeepingError;
use futures_util::FutureExt;
pub use infrastructure::{MIGRATIONS, SCHEMA};
use platform::ticks::Tick;
use platform::{AtWork, Context, Setting};
use presentation::{Housekeeping, events, http};

const MAINTENANCE: &str = "housekeeping.maintenance";
const STAFFING_GAP: &str = "housekeeping.staffing_gap";
const ESCALATION: &str = "housekeeping.escalation";
const LOST_FOUND_RETENTION: &str = "housekeeping.lost_found_retention";
const MID_STAY: &str = "housekeeping.mid_stay";

/// Everything that housekeeping is, with whoever plans for it.
pub fn context(routing: Arc<dyn RoutingPort>) -> Context {
    Context {
        name: "housekeeping",
        schema: &SCHEMA,
        migrations: MIGRATIONS,
        statements: infrastructure::statements(),
        ticks: &[MAINTENANCE, STAFFING_GAP, ESCALATION, LOST_FOUND_RETENTION, MID_STAY],
        prepare: |owner, clock| async move { infrastructure::maintenance::prepare(owner, clock.now()).await }.boxed(),
        begin: Arc::new(move |setting| begin(setting, Arc::clone(&routing))),
    }
}

fn begin(setting: &Setting, routing: Arc<dyn RoutingPort>) -> AtWork {
    let profiles = Arc::new(Profiles::new(setting.db.clock()));
    let state = Housekeeping {
        db: setting.db.clone(),
        profiles: Arc::clone(&profiles),
        routing,
        feed: setting.feed.clone(),
        tail: setting.tail.clone(),
        closing: setting.closing.clone(),
    };
    let staying = Arc::clone(&profiles);
    AtWork {
        subscription: events::subscription(profiles),
        served: http::routes(state, setting.gate.clone()),
        ticks: ticks(staying),
    }
}

/// What happens by itself, and how often.
fn ticks(profiles: Arc<Profiles>) -> Vec<Tick> {
    let clean = move |db| timers::clean_for_guests_who_stay(db, Arc::clone(&profiles));
    let unclaimed = timers::dispose_of_unclaimed_things;
    vec![
        Tick::new(MAINTENANCE, Duration::from_hours(1), application::ticks::keep_up),
        Tick::new(STAFFING_GAP, Duration::from_mins(1), timers::look_for_staffing_gaps),
        Tick::new(ESCALATION, Duration::from_secs(30), timers::escalate_neglected_work),
        Tick::new(LOST_FOUND_RETENTION, Duration::from_mins(15), unclaimed),
        Tick::new(MID_STAY, Duration::from_hours(1), clean),
    ]
}

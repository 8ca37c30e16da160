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
use application::{replanning, timers};
pub use error::HousekeepingError;
use futures_util::FutureExt;
use infrastructure::shared_boards::SharedBoards;
pub use infrastructure::{MIGRATIONS, SCHEMA};
use platform::ticks::Tick;
use platform::{AtWork, Context, Setting};
use presentation::{Housekeeping, events, http};

const MAINTENANCE: &str = "housekeeping.maintenance";
const STAFFING_GAP: &str = "housekeeping.staffing_gap";
const ESCALATION: &str = "housekeeping.escalation";
const ARRIVALS_NEAR: &str = "housekeeping.arrivals_near";
const LOST_FOUND_RETENTION: &str = "housekeeping.lost_found_retention";
const MID_STAY: &str = "housekeeping.mid_stay";
const BOARDS: &str = "housekeeping.boards";
const BLOCKS_OVER: &str = "housekeeping.blocks_over";
const REPLANNING: &str = "housekeeping.replanning";

/// Everything that housekeeping is, with whoever plans for it.
pub fn context(routing: Arc<dyn RoutingPort>) -> Context {
    Context {
        name: "housekeeping",
        schema: &SCHEMA,
        migrations: MIGRATIONS,
        statements: infrastructure::statements(),
        ticks: &[
            MAINTENANCE,
            STAFFING_GAP,
            ESCALATION,
            ARRIVALS_NEAR,
            LOST_FOUND_RETENTION,
            MID_STAY,
            REPLANNING,
            BLOCKS_OVER,
            BOARDS,
        ],
        prepare: |owner, clock| async move { infrastructure::maintenance::prepare(owner, clock.now()).await }.boxed(),
        begin: Arc::new(move |setting| begin(setting, Arc::clone(&routing))),
    }
}

fn begin(setting: &Setting, routing: Arc<dyn RoutingPort>) -> AtWork {
    let profiles = Arc::new(Profiles::new(setting.db.clock()));
    // Without a runtime nothing is served, and nothing needs to be heard.
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        runtime.spawn(Profiles::listen(Arc::downgrade(&profiles), setting.db.clone()));
    }
    let state = Housekeeping {
        db: setting.db.clone(),
        profiles: Arc::clone(&profiles),
        routing: Arc::clone(&routing),
        feed: setting.feed.clone(),
        tail: setting.tail.clone(),
        boards: SharedBoards::new(setting.cache.clone()),
        gate: setting.gate.clone(),
        closing: setting.closing.clone(),
    };
    let staying = Arc::clone(&profiles);
    AtWork {
        subscription: events::subscription(profiles),
        served: http::routes(state, setting.gate.clone()),
        ticks: ticks(staying, routing),
    }
}

/// What happens by itself, and how often.
fn ticks(profiles: Arc<Profiles>, routing: Arc<dyn RoutingPort>) -> Vec<Tick> {
    let staying = Arc::clone(&profiles);
    let clean = move |db| timers::clean_for_guests_who_stay(db, Arc::clone(&staying));
    let nearer = Arc::clone(&profiles);
    let press = move |db| timers::press_with_the_hours(db, Arc::clone(&nearer));
    let plan = move |db| replanning::plan_again(db, Arc::clone(&profiles), Arc::clone(&routing));
    let unclaimed = timers::dispose_of_unclaimed_things;
    vec![
        Tick::new(MAINTENANCE, Duration::from_hours(1), application::ticks::keep_up),
        Tick::new(STAFFING_GAP, Duration::from_mins(1), timers::look_for_staffing_gaps),
        Tick::new(ESCALATION, Duration::from_secs(30), timers::escalate_neglected_work),
        Tick::new(ARRIVALS_NEAR, Duration::from_mins(5), press),
        Tick::new(LOST_FOUND_RETENTION, Duration::from_mins(15), unclaimed),
        Tick::new(MID_STAY, Duration::from_hours(1), clean),
        Tick::new(REPLANNING, Duration::from_secs(15), plan),
        Tick::new(BLOCKS_OVER, Duration::from_secs(30), application::blocks::begin_and_lift),
        Tick::new(BOARDS, Duration::from_mins(1), application::snapshots::refresh),
    ]
}

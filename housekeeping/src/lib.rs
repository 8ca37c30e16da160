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

use application::opening::Profiles;
use application::routing_port::RoutingPort;
pub use error::HousekeepingError;
use futures_util::FutureExt;
pub use infrastructure::{MIGRATIONS, SCHEMA};
use platform::ticks::Tick;
use platform::{AtWork, Context, Setting};
use presentation::{Housekeeping, events, http};

const MAINTENANCE: &str = "housekeeping.maintenance";

/// Everything that housekeeping is, with whoever plans for it.
pub fn context(routing: Arc<dyn RoutingPort>) -> Context {
    Context {
        name: "housekeeping",
        schema: &SCHEMA,
        migrations: MIGRATIONS,
        statements: infrastructure::statements(),
        ticks: &[MAINTENANCE],
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
    AtWork {
        subscription: events::subscription(profiles),
        served: http::routes(state, setting.gate.clone()),
        ticks: vec![Tick::new(MAINTENANCE, Duration::from_hours(1), application::ticks::keep_up)],
    }
}

//! The contexts of this release. Nothing else in the server knows one from another.

use std::sync::Arc;

use housekeeping::application::routing_port::RoutingPort;
use housekeeping::infrastructure::planning::BuiltInPlanner;
use platform::database::Migrations;
use platform::http::Voided;
use platform::retention::ArchivedTable;
use platform::{Context, Db};

use crate::Failure;

/// Their names, as `--contexts` takes them.
pub const NAMES: [&str; 3] = ["housekeeping", "staff", "reservation"];

/// All of them, with whoever plans.
pub fn all(routing: Arc<dyn RoutingPort>) -> Vec<Context> {
    vec![housekeeping::context(routing), staff::context(), reservation::context()]
}

/// All of them as they are on paper: enough for migrations, statements and checks.
pub fn at_rest() -> Vec<Context> {
    all(Arc::new(BuiltInPlanner::default()))
}

/// Whoever knows which tokens for a PIN are void, in processes of every context.
pub fn voided(db: &Db) -> Arc<dyn Voided> {
    Arc::new(staff::infrastructure::tokens::TokenGenerations::new(db.clone()))
}

/// Those that are named, where there are such.
pub fn chosen(names: &[String]) -> Result<Vec<String>, Failure> {
    match names.iter().find(|name| !NAMES.contains(&name.as_str())) {
        Some(unknown) => Err(Failure::Usage(format!("--contexts: {unknown} is not one of {}", NAMES.join(", ")))),
        None => Ok(names.to_vec()),
    }
}

/// Everything a database of ours is made by: the bus first, then each context.
pub fn migrations() -> Vec<Migrations> {
    let contexts = at_rest();
    std::iter::once(platform::bus::MIGRATIONS).chain(contexts.iter().map(|context| context.migrations)).collect()
}

/// The bus's own: what has been in its log long enough goes.
pub const LOG_RETENTION: &str = "bus.retention";

/// The archive's: months whose time is over leave the database.
pub const ARCHIVE: &str = "bus.archive";

/// Everything that leaves the database for the archive.
pub fn archived() -> Vec<ArchivedTable> {
    [
        housekeeping::infrastructure::maintenance::ARCHIVED,
        staff::infrastructure::maintenance::ARCHIVED,
        reservation::infrastructure::maintenance::ARCHIVED,
        &[platform::retention::ARCHIVED_EVENTS],
    ]
    .concat()
}

/// Everything that happens by itself with time, by name.
pub fn ticks() -> Vec<&'static str> {
    let contexts = at_rest();
    [LOG_RETENTION, ARCHIVE]
        .into_iter()
        .chain(contexts.iter().flat_map(|context| context.ticks.iter().copied()))
        .collect()
}

/// The schemas they make.
pub fn schemas() -> Vec<&'static str> {
    migrations().iter().map(|migrations| migrations.schema).collect()
}

//! What a bounded context hands to the server: everything it is, in one value.
//!
//! The server lists its contexts and knows no more of them. A context at rest is enough to migrate a database, to look it over
//! and to prepare its statements; set to work it has a subscription, routes and ticks.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::sync::watch;

use crate::bus::{Feed, Subscription, Tail};
use crate::database::{Migrations, Schema, Sql};
use crate::http::{Gate, Served};
use crate::personal::ArchiveDoor;
use crate::ticks::{Deed, Tick};
use crate::{Clock, Db, SharedCache};

/// Prepares a context's tables as their owner, at this moment.
pub type Prepare = fn(&tokio_postgres::Client, Clock) -> BoxFuture<'_, Deed>;

/// A bounded context.
#[derive(Clone)]
pub struct Context {
    /// `housekeeping`: the word in `--contexts`, in its routes and in its subjects.
    pub name: &'static str,
    pub schema: &'static Schema,
    pub migrations: Migrations,
    /// Every statement it sends, for the test that prepares them.
    pub statements: Vec<&'static Sql>,
    /// The names of its ticks, known before it works: `housekeeping.maintenance`.
    pub ticks: &'static [&'static str],
    /// What a database needs besides migrations, as its owner, at every start: the months ahead of a partitioned table.
    /// Says what was done.
    pub prepare: Prepare,
    /// Sets it to work.
    pub begin: Arc<dyn Fn(&Setting) -> AtWork + Send + Sync>,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Context").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a context finds around it.
#[derive(Clone, Debug)]
pub struct Setting {
    pub db: Db,
    pub gate: Gate,
    pub feed: Feed,
    /// What live boards listen to.
    pub tail: Tail,
    /// What all processes remember for each other; `None`: each asks the database.
    pub cache: Option<SharedCache>,
    /// For those who ask what is kept of them.
    pub archive: ArchiveDoor,
    /// Turns true when the process drains: what is open ends, and comes back to another one.
    pub closing: watch::Receiver<bool>,
}

/// A context at work.
#[derive(Debug)]
pub struct AtWork {
    pub subscription: Subscription,
    pub served: Served,
    pub ticks: Vec<Tick>,
}

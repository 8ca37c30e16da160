//! The edges of housekeeping: HTTP and events in, problems out. They only translate.

pub mod events;
pub mod http;
pub mod problems;

use std::sync::Arc;

use platform::Db;
use platform::bus::{Feed, Tail};
use platform::http::Gate;
use tokio::sync::watch;

use crate::application::profiles::Profiles;
use crate::application::routing_port::RoutingPort;
use crate::infrastructure::shared_boards::SharedBoards;

/// What the edges work with.
#[derive(Clone, Debug)]
pub struct Housekeeping {
    pub db: Db,
    pub profiles: Arc<Profiles>,
    /// Whoever plans.
    pub routing: Arc<dyn RoutingPort>,
    pub feed: Feed,
    /// What live boards listen to.
    pub tail: Tail,
    /// Boards as other processes have read them.
    pub boards: SharedBoards,
    /// Knows which tokens were made void before their time.
    pub gate: Gate,
    /// Turns true when the process drains: live boards end, and come back to another one.
    pub closing: watch::Receiver<bool>,
}

//! HTTP as every context speaks it: routes that carry their roles, commands that carry their key, errors for people.

mod command;
mod compatibility;
mod describe;
mod edge;
mod extract;
mod gate;
mod limiter;
mod listen;
mod observe;
mod open;
mod openapi;
mod own_pages;
mod problem;
mod push;
mod query;
mod reply;
mod routes;
mod service_routes;
mod unreadable;

pub use command::{Command, IfMatch, NoBody, Outcome, read_json};
pub use compatibility::breaks;
pub use describe::{About, Describe, Described, Operation, about};
pub use edge::{Edge, around};
pub use extract::{Id, OneProperty, PropertyScope, TwoIds, Who};
pub use gate::{Gate, GateKeeper, Voided};
pub use limiter::{Limiter, Peer, Strangers, USUAL_RATE};
pub use listen::{ConnectionLimits, listen};
pub use observe::RequestInfo;
pub use open::Open;
pub use openapi::document as openapi_document;
pub use own_pages::{LONGEST_COOKIE, OwnPages, Place, PublicUrl, cross_origin, insecure_origin};
pub use problem::{Problem, ProblemKind};
pub use push::{PushGate, push_routes};
pub use query::{Filling, NoSince, PAGE_BYTES, Page, Paging, Query, Since, WholeList, Words, within_bytes};
pub use reply::{Answer, Changed, Created, Done, EventStream, Reply, Tagged, Versioned};
pub use routes::{RouteSpec, Routes, Served};
pub use service_routes::{Pinged, Readiness, event_routes, monitor_routes, service_routes};

/// A short fingerprint of some bytes: 32 hex digits of their SHA-256.
pub fn fingerprint(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
    digest.as_ref().iter().take(16).fold(String::with_capacity(32), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A number for PostgreSQL's advisory locks from several words.
pub(crate) fn lock_number(words: &[&str]) -> i64 {
    let mut context = ring::digest::Context::new(&ring::digest::SHA256);
    for word in words {
        context.update(&(word.len() as u64).to_be_bytes());
        context.update(word.as_bytes());
    }
    let digest = context.finish();
    let mut first = [0_u8; 8];
    first.copy_from_slice(&digest.as_ref()[..8]);
    i64::from_be_bytes(first)
}

/// See [`crate::begin_counting`].
pub(crate) fn begin_counting() {
    edge::panics().increment(0);
    problem::refused_by_the_database().increment(0);
    metrics::counter!("melmastoon_strangers_refused_total").increment(0);
    metrics::counter!("melmastoon_pins_refused_total").increment(0);
}

//! Counters are there from the beginning. One that appears with its first event hides that event from `increase()`, and so from whoever is to be
//! woken by it: a counter that an alarm goes by is begun here, and a test looks.

use crate::bus::{self, Subscription};
use crate::database::Schema;
use crate::{http, retention, ticks, webhooks};

/// Every counter that an alarm goes by, at nought, for what this process knows.
pub fn begin_counting(subscriptions: &[Subscription], schemas: &[&'static Schema], names_of_ticks: &[&'static str]) {
    bus::begin_counting(subscriptions, schemas);
    http::begin_counting();
    for schema in schemas {
        retention::lost_letters(schema.name).increment(0);
    }
    ticks::begin_counting(names_of_ticks);
    webhooks::paused_endpoints().increment(0);
    retention::lost_webhooks().increment(0);
}

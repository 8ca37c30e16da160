//! The bus's own tables.

use crate::database::{Migration, Migrations};

/// Applied before any context's.
pub const MIGRATIONS: Migrations = Migrations {
    schema: "bus",
    files: &[
        Migration { version: 1, name: "bus", sql: include_str!("../../migrations/V001__bus.sql") },
        Migration { version: 2, name: "subscriptions", sql: include_str!("../../migrations/V002__subscriptions.sql") },
    ],
};

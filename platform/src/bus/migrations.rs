//! The bus's own tables.

use crate::database::{Migration, Migrations};

/// Applied before any context's.
pub const MIGRATIONS: Migrations = Migrations {
    schema: "bus",
    files: &[
        Migration::new(1, "bus", include_str!("../../migrations/V001__bus.sql")),
        Migration::new(2, "subscriptions", include_str!("../../migrations/V002__subscriptions.sql")),
        Migration::new(3, "ticks", include_str!("../../migrations/V003__ticks.sql")),
        Migration::new(10, "delivery", include_str!("../../migrations/V010__delivery.sql")),
        Migration::new(11, "webhooks", include_str!("../../migrations/V011__webhooks.sql")),
        Migration::new(20, "archive", include_str!("../../migrations/V020__archive.sql")),
        Migration::new(90, "terms", include_str!("../../migrations/V090__terms.sql")),
        Migration::new(100, "webhooks_in_turn", include_str!("../../migrations/V100__webhooks_in_turn.sql")),
        Migration::new(121, "secrets_in_use", include_str!("../../migrations/V121__secrets_in_use.sql")),
        Migration::new(122, "older_webhook_keys", include_str!("../../migrations/V122__older_webhook_keys.sql")),
        Migration::new(130, "logged_ahead", include_str!("../../migrations/V130__logged_ahead.sql")),
        Migration::new(131, "broker_stores", include_str!("../../migrations/V131__broker_stores.sql")),
        Migration::new(140, "leaving_slowly", include_str!("../../migrations/V140__leaving_slowly.sql")),
        Migration::new(170, "lighter_deliveries", include_str!("../../migrations/V170__lighter_deliveries.sql")),
    ],
};

//! Webhooks: integrators who cannot poll the feed are told, signed, in order for each key, until they have heard.
//!
//! An endpoint belongs to a tenant. What is published for that tenant is written down for the endpoint (`webhook_deliveries`, which is
//! also the delivery log), and called out oldest first for each ordering key. Signatures are those of Standard Webhooks.

mod caller;
mod dispatch;
mod http;
mod sign;
mod store;
mod target;

pub use caller::WebhookOptions;
pub use dispatch::Webhooks;
pub(crate) use dispatch::paused_endpoints;
pub use http::webhook_routes;
pub use sign::{new_key, signature};
pub use store::{Again, Delivery, WebhookEndpoint, replay_by_operator, resume_by_operator};
pub use target::{Forbidden, is_public};

/// The statements with what they take and give, for the test that compares.
pub fn declared_statements() -> &'static [&'static crate::Sql] {
    store::ALL
}

/// The dispatcher's own statements by name, for the test that prepares them.
pub fn statements() -> Vec<(&'static str, String)> {
    [
        ("webhooks/plan", include_str!("sql/plan.sql")),
        ("webhooks/claim", include_str!("sql/claim.sql")),
        ("webhooks/told", include_str!("sql/told.sql")),
        ("webhooks/failed", include_str!("sql/failed.sql")),
    ]
    .map(|(name, text)| (name, text.to_owned()))
    .to_vec()
}

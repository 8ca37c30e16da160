//! The one way to do tenancy, transactions, outbox, inbox, bus, idempotency, problems, auth and ticks.
//!
//! A context brings its aggregates and stories; everything that every context must do alike is here, and is
//! arranged so that it cannot be done by half: an aggregate is changed through [`UnitOfWork::save`] and through
//! nothing else, and that call owes the outbox and audit rows with the row itself.

pub mod auth;
pub mod bounded_context;
pub mod bus;
pub mod cache;
pub mod clock;
pub mod context;
mod counting;
pub mod database;
pub mod decided;
pub mod each_tenant;
pub mod http;
pub mod ids;
mod masking;
pub mod outbound;
pub mod parts;
pub mod personal;
pub mod refusal;
pub mod retention;
pub mod shared_cache;
pub mod telemetry;
pub mod ticks;
pub mod webhooks;

pub use bounded_context::{AtWork, Context, Setting};
pub use cache::Cache;
pub use clock::{Clock, Skew};
pub use context::RequestContext;
pub use counting::begin_counting;
pub use database::{Db, Fault, Sql, UnitOfWork};
pub use decided::Decided;
pub use ids::Ids;
pub use masking::without_secrets;
pub use refusal::{ContextError, Refusal};
pub use shared_cache::SharedCache;

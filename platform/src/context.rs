//! On whose behalf something happens: explicit in every signature, never in a thread-local.

use contracts::actor::Actor;
use contracts::ids::TenantId;

/// Who asks, for which hotel company, and because of what. Every edge builds one; every unit of work carries one.
#[derive(Clone, Debug)]
pub struct RequestContext {
    pub tenant: TenantId,
    pub actor: Actor,
    /// The request or the event chain that this belongs to; copied into every event that follows.
    pub correlation_id: String,
    /// The event that caused this, where one did.
    pub causation_id: Option<String>,
    pub traceparent: String,
    /// The language the caller asked for (`Accept-Language`), kept as a hint on what is created.
    pub locale: Option<String>,
}

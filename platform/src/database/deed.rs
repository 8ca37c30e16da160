//! Something that was done and changed no aggregate: it stands in the audit, and nobody is told.

use contracts::actor::Actor;
use contracts::ids::TenantId;
use serde::Serialize;
use serde_json::Value;

use super::{Fault, Schema};
use crate::{Db, RequestContext};

/// Who did it and when the audit adds by itself.
#[derive(Clone, Debug)]
pub struct Deed {
    /// `internal.person.exported`: under this name it is found.
    pub name: &'static str,
    /// What it was done to: `guest`, `webhook_endpoint`.
    pub kind: &'static str,
    pub id: String,
    pub detail: Value,
}

impl Deed {
    pub fn new(name: &'static str, kind: &'static str, id: impl Into<String>, detail: &impl Serialize) -> Self {
        Self { name, kind, id: id.into(), detail: serde_json::to_value(detail).unwrap_or_default() }
    }
}

impl Db {
    /// Writes deeds down that belong to no unit of work: what was read, what an operator did. Err: they are not in the audit.
    pub async fn keep_on_record(
        &self,
        schema: &'static Schema,
        tenant: &TenantId,
        actor: Actor,
        deeds: Vec<Deed>,
    ) -> Result<(), Fault> {
        let context = RequestContext {
            tenant: tenant.clone(),
            actor,
            correlation_id: format!("req_{}", self.ids().ulid(self.clock().now())),
            causation_id: None,
            traceparent: crate::telemetry::new_traceparent(self.ids()),
            locale: None,
        };
        let mut uow = self.begin(schema, context).await?;
        for deed in deeds {
            uow.keep_on_record(deed);
        }
        uow.commit().await
    }
}

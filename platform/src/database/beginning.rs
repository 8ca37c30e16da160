//! How a transaction begins: BEGIN, the tenant, and the claim that says whether the work is to be done at all.

use contracts::ids::TenantId;
use contracts::time::Timestamp;
use deadpool_postgres::Object;
use futures_util::future::join;
use serde::{Deserialize, Serialize};
use tokio_postgres::types::ToSql;

use super::unit_of_work::Param;
use super::{Fault, Interruption, Schema};

/// An idempotency key as the caller gave it.
#[derive(Clone, Debug)]
pub struct Claim {
    pub route: String,
    pub key: String,
    pub request_hash: String,
    /// The same as an earlier release counted it, where that differs.
    pub earlier_hash: Option<String>,
}

/// The answer to a request, as it is kept for its replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredResponse {
    pub status: u16,
    /// The body to the byte.
    pub body: String,
    pub content_type: String,
    pub location: Option<String>,
    pub etag: Option<String>,
}

/// What must be true for the work to begin at all.
#[derive(Debug)]
pub(super) enum Condition {
    Free,
    Inbox { topic: String, message_id: String },
    Key(Claim),
}

/// The messages that open a transaction, prepared before any is sent.
pub(super) struct Beginning {
    begin: String,
    entry: Option<(tokio_postgres::Statement, Vec<Param>)>,
    /// The request that the key, if there is one, must have been used for: as it is counted now, or was earlier.
    request_hash: Option<(String, Option<String>)>,
}

impl Beginning {
    pub(super) async fn of(
        connection: &Object,
        schema: &'static Schema,
        tenant: &TenantId,
        entry: &Condition,
        now: Timestamp,
    ) -> Result<Self, Fault> {
        // A tenant id has no quote in it: its type sees to that.
        // SET LOCAL rather than set_config: it is not planned, and the message carries its own text every time.
        let begin = format!("BEGIN; SET LOCAL app.tenant_id = '{tenant}'");
        let tenant = tenant.as_str().to_owned();
        let (text, params, request_hash): (&str, Vec<Param>, _) = match entry {
            Condition::Free => return Ok(Self { begin, entry: None, request_hash: None }),
            Condition::Inbox { topic, message_id } => (
                &schema.enter_inbox,
                vec![Box::new(topic.clone()), Box::new(message_id.clone()), Box::new(tenant), Box::new(now.jiff())],
                None,
            ),
            Condition::Key(claim) => {
                let lock = crate::http::lock_number(&[&tenant, &claim.route, &claim.key]);
                let oldest = now.plus_seconds(-24 * 60 * 60);
                (
                    &schema.claim_key,
                    vec![
                        Box::new(tenant),
                        Box::new(claim.route.clone()),
                        Box::new(claim.key.clone()),
                        Box::new(oldest.jiff()),
                        Box::new(lock),
                    ],
                    Some((claim.request_hash.clone(), claim.earlier_hash.clone())),
                )
            }
        };
        let statement = connection.prepare_cached(text).await.map_err(|error| Fault::from_postgres("entry", &error))?;
        Ok(Self { begin, entry: Some((statement, params)), request_hash })
    }

    pub(super) async fn send(&self, connection: &Object) -> Result<Option<Interruption>, Fault> {
        let fault = |error: tokio_postgres::Error| Fault::from_postgres("begin", &error);
        let entry = async {
            match &self.entry {
                Some((statement, params)) => {
                    let params: Vec<_> = params.iter().map(|param| &**param as &(dyn ToSql + Sync)).collect();
                    connection.query_opt(statement, &params).await.map(Some)
                }
                None => Ok(None),
            }
        };
        let (began, entered) = join(connection.batch_execute(&self.begin), entry).await;
        began.map_err(fault)?;
        let Some(row) = entered.map_err(fault)? else { return Ok(None) };
        let Some((request_hash, earlier_hash)) = &self.request_hash else {
            return Ok(row.is_none().then_some(Interruption::AlreadyProcessed));
        };
        let Some(row) = row else { return Ok(None) };
        if let Some(earlier) = row.get::<_, Option<String>>("request_hash") {
            if earlier != *request_hash && Some(&earlier) != earlier_hash.as_ref() {
                return Ok(Some(Interruption::KeyReused));
            }
            let kept: String = row.get("response");
            return serde_json::from_str(&kept)
                .map(|reply| Some(Interruption::Replay(reply)))
                .map_err(|error| Fault::Unexpected { place: "claim_key".to_owned(), detail: error.to_string() });
        }
        Ok((!row.get::<_, bool>("mine")).then_some(Interruption::InFlight))
    }
}

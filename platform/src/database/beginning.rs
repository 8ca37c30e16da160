//! How a transaction begins: BEGIN, the tenant, and the claim that says whether the work is to be done at all.

use std::borrow::Cow;

use contracts::ids::TenantId;
use contracts::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::line::{Batch, Line, LineError};
use super::unit_of_work::Param;
use super::{Fault, Interruption, Row, Schema};

/// An idempotency key as the caller gave it.
#[derive(Clone, Debug)]
pub struct Claim {
    pub route: String,
    pub key: String,
    pub request_hash: String,
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

/// The statements that open a transaction.
pub(super) struct Beginning {
    tenant: String,
    entry: Option<(Cow<'static, str>, Vec<Param>)>,
    /// The request that the key, if there is one, must have been used for.
    request_hash: Option<String>,
    durable: bool,
    longest_wait: Option<String>,
}

impl Beginning {
    pub(super) fn of(
        schema: &'static Schema,
        tenant: &TenantId,
        entry: &Condition,
        (now, durable, longest_wait): (Timestamp, bool, Option<u32>),
    ) -> Self {
        // A tenant id has no quote in it: its type sees to that.
        // SET LOCAL rather than set_config: it is not planned, and the message carries its own text every time.
        let set = format!("SET LOCAL app.tenant_id = '{tenant}'");
        let tenant = tenant.as_str().to_owned();
        let longest_wait = longest_wait.map(|millis| format!("SET LOCAL lock_timeout = {millis}"));
        let (text, params, request_hash): (&'static str, Vec<Param>, _) = match entry {
            Condition::Free => return Self { tenant: set, entry: None, request_hash: None, durable, longest_wait },
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
                    Some(claim.request_hash.clone()),
                )
            }
        };
        Self { tenant: set, entry: Some((Cow::Borrowed(text), params)), request_hash, durable, longest_wait }
    }

    /// What the line must know before it can be sent.
    pub(super) fn text(&self) -> Option<&Cow<'static, str>> {
        self.entry.as_ref().map(|(text, _)| text)
    }

    /// Puts it at the head of a batch.
    pub(super) fn lead(&self, line: &Line, batch: &mut Batch) -> Result<(), LineError> {
        batch.say("BEGIN")?;
        batch.say(&self.tenant)?;
        if let Some((text, params)) = &self.entry {
            line.ask_into(batch, text, params.iter().map(|param| &**param as _))?;
        }
        if let Some(longest_wait) = &self.longest_wait {
            batch.say(longest_wait)?;
        }
        if self.durable { Ok(()) } else { batch.say("SET LOCAL synchronous_commit = off") }
    }

    /// Whether the work is to be done at all, by the answers to what was put at the head.
    pub(super) fn judge(&self, answers: &[Vec<Row>]) -> Result<Option<Interruption>, Fault> {
        if self.entry.is_none() {
            return Ok(None);
        }
        let row = answers.get(2).and_then(|rows| rows.first());
        let Some(request_hash) = &self.request_hash else {
            return Ok(row.is_none().then_some(Interruption::AlreadyProcessed));
        };
        let Some(row) = row else { return Ok(None) };
        if let Some(earlier) = row.get::<_, Option<String>>("request_hash") {
            if earlier != *request_hash {
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

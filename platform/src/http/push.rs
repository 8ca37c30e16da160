//! The push endpoint: wrapped Pub/Sub messages and structured `CloudEvents`, verified, applied once, acknowledged after commit.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use contracts::ids::TenantId;
use contracts::subject::Subject;
use futures_util::future::join_all;
use serde::Deserialize;

use super::Problem;
use super::gate::bearer;
use crate::auth::{Broker, Role, TokenError, Verifier};
use crate::bus::{Handled, Inbound, Subscription, receive};
use crate::{Clock, Db};

/// An event of 256 KiB in base64 with its wrapping.
const BODY_LIMIT: usize = 512 * 1024;
const EVENT_LIMIT: usize = contracts::MAX_EVENT_BYTES;

/// Who may push, and through which subscriptions of the broker.
#[derive(Clone, Debug)]
pub struct PushGate {
    sender: Sender,
    /// None named: any will do.
    subscriptions: Arc<[String]>,
}

#[derive(Clone, Debug)]
enum Sender {
    /// A locally minted token with the role `service`, for its own tenant only.
    Local(Arc<Verifier>),
    /// The broker's own identity, which speaks for all tenants.
    Oidc(Arc<Broker>),
}

impl PushGate {
    pub fn local(verifier: Arc<Verifier>) -> Self {
        Self { sender: Sender::Local(verifier), subscriptions: Arc::default() }
    }

    pub fn oidc(broker: Broker) -> Self {
        Self { sender: Sender::Oidc(Arc::new(broker)), subscriptions: Arc::default() }
    }

    /// Only what comes through one of these; with an empty list, whatever comes.
    #[must_use]
    pub fn through(self, subscriptions: Vec<String>) -> Self {
        Self { subscriptions: subscriptions.into(), ..self }
    }

    /// For whom the sender may speak: one tenant, or (`None`) all of them.
    async fn admit(&self, token: &str, clock: &Clock) -> Result<Option<TenantId>, Problem> {
        match &self.sender {
            Sender::Local(verifier) => {
                let caller = verifier.caller(token, clock.now()).await?;
                if !caller.roles.has(Role::Service) {
                    return Err(Problem::forbidden("pushing events needs the role service"));
                }
                Ok(Some(caller.tenant.clone()))
            }
            Sender::Oidc(broker) => {
                broker.admit(token, clock.now()).await?;
                Ok(None)
            }
        }
    }

    /// Refuses what came through a subscription that is not on the list; a `CloudEvent` names none.
    fn expects(&self, is_cloud_event: bool, body: &[u8]) -> Result<(), Problem> {
        #[derive(Deserialize)]
        struct Through {
            subscription: Option<String>,
        }

        if self.subscriptions.is_empty() {
            return Ok(());
        }
        let through = if is_cloud_event {
            None
        } else {
            let read: Result<Through, _> = serde_json::from_slice(body);
            read.map_err(|error| Problem::malformed(format!("not a wrapped message: {error}")))?.subscription
        };
        match through {
            Some(name) if self.subscriptions.contains(&name) => Ok(()),
            _ => Err(Problem::forbidden("the message came through no subscription that may push here")),
        }
    }
}

/// How often a broker tells that it has tried, this time included.
const ATTEMPT: &str = "googclient_deliveryattempt";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wrapped {
    message: Message,
    /// Pub/Sub counts where a subscription has a dead-letter policy.
    delivery_attempt: Option<i32>,
}

#[derive(Deserialize)]
struct Message {
    data: String,
    #[serde(default)]
    attributes: serde_json::Value,
}

#[derive(Clone)]
struct PushState {
    db: Db,
    gate: PushGate,
    subscriptions: Arc<[Subscription]>,
}

/// `POST /internal/events/{subject}`
pub fn push_routes(db: Db, gate: PushGate, subscriptions: Vec<Subscription>) -> Router {
    Router::new()
        .route("/internal/events/{subject}", post(push))
        .layer(DefaultBodyLimit::disable())
        .with_state(PushState { db, gate, subscriptions: subscriptions.into() })
}

async fn push(State(state): State<PushState>, Path(path): Path<String>, request: Request) -> Response {
    match accept(&state, &path, request).await {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(problem) => problem.into_response(),
    }
}

fn content_type(request: &Request) -> Option<&str> {
    request.headers().get(header::CONTENT_TYPE)?.to_str().ok()
}

/// A count as brokers write it: a number, or a number's text.
fn count_in(value: &serde_json::Value) -> Option<i32> {
    match value {
        serde_json::Value::String(text) => text.parse().ok(),
        other => other.as_i64().and_then(|count| i32::try_from(count).ok()),
    }
}

/// The event inside a wrapped message, and how often it was tried.
fn unwrap(body: &[u8]) -> Result<(Vec<u8>, Option<i32>), Problem> {
    let Wrapped { message, delivery_attempt } = serde_json::from_slice(body)
        .map_err(|error| Problem::malformed(format!("not a wrapped message with message.data: {error}")))?;
    let event = BASE64.decode(message.data.as_bytes()).map_err(|_| Problem::malformed("message.data is not base64"))?;
    Ok((event, delivery_attempt.or_else(|| count_in(&message.attributes[ATTEMPT]))))
}

/// How often a structured `CloudEvents` event was tried: an attribute of the event, or of the message it came in.
fn attempt_of_cloud_event(event: &[u8], header: Option<i32>) -> Option<i32> {
    #[derive(Deserialize)]
    struct Counted {
        #[serde(rename = "googclient_deliveryattempt", default)]
        attempt: serde_json::Value,
    }
    header.or_else(|| count_in(&serde_json::from_slice::<Counted>(event).ok()?.attempt))
}

/// Everybody who listens to the subject. A version that nobody listens to is still filed, once, by the first who listens to
/// the subject's other versions.
fn listeners<'a>(subscriptions: &'a [Subscription], subject: &Subject) -> Vec<&'a Subscription> {
    let all: Vec<_> = subscriptions.iter().filter(|one| one.subjects.contains(&subject.as_str())).collect();
    if !all.is_empty() {
        return all;
    }
    let same = |known: &&str| Subject::parse(known).is_ok_and(|it| it.without_version() == subject.without_version());
    subscriptions.iter().find(|one| one.subjects.iter().any(same)).into_iter().collect()
}

async fn accept(state: &PushState, path: &str, request: Request) -> Result<(), Problem> {
    let is_cloud_event = content_type(&request).is_some_and(|kind| kind.starts_with("application/cloudevents+json"));
    let header = request.headers().get(ATTEMPT).and_then(|count| count.to_str().ok()?.parse().ok());
    let token = bearer(&request).ok_or(TokenError::Missing)?.to_owned();
    let sender = state.gate.admit(&token, state.db.clock()).await?;
    let unknown = |detail: String| Problem::not_found(format!("no subject of ours: {detail}"));
    let subject = Subject::from_push_path(path).map_err(|error| unknown(error.to_string()))?;
    let bytes = super::command::whole_body(request.into_body(), BODY_LIMIT).await?;
    state.gate.expects(is_cloud_event, &bytes)?;
    let (event, attempt) =
        if is_cloud_event { (bytes.to_vec(), attempt_of_cloud_event(&bytes, header)) } else { unwrap(&bytes)? };
    if event.len() > EVENT_LIMIT {
        return Err(Problem::too_large(EVENT_LIMIT));
    }
    let text = std::str::from_utf8(&event).map_err(|_| Problem::malformed("message.data is not UTF-8"))?;
    if super::command::has_nul(&event) {
        return Err(Problem::malformed("message.data has a NUL character in it"));
    }
    // What is not even JSON, or nested beyond reason, has no identity to file it under: the sender keeps it.
    serde_json::from_str::<serde::de::IgnoredAny>(text)
        .map_err(|error| Problem::malformed(format!("message.data is not JSON: {error}")))?;
    let listening = listeners(&state.subscriptions, &subject);
    if listening.is_empty() {
        return Err(unknown(format!("nobody here listens to {}", subject.as_str())));
    }
    let attempt = attempt.unwrap_or(1);
    let received = listening.into_iter().map(|subscription| {
        let last_attempt = attempt >= subscription.backoff.attempts;
        let message =
            Inbound { bytes: &event, subject: subject.as_str(), sender: sender.as_ref(), attempt, last_attempt };
        receive(&state.db, subscription, message)
    });
    // Each has a transaction of its own: one that fails for now has the whole message sent again, and the inboxes of the
    // others know it then.
    for outcome in join_all(received).await {
        match outcome? {
            Handled::NotTheirs => return Err(Problem::forbidden("the token's tenant is not the event's")),
            Handled::Applied | Handled::AlreadyProcessed | Handled::Buried => {}
        }
    }
    Ok(())
}

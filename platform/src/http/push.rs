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

#[derive(Deserialize)]
struct Wrapped {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    data: String,
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

/// The event inside a wrapped message.
fn unwrap(body: &[u8]) -> Result<Vec<u8>, Problem> {
    let wrapped: Wrapped = serde_json::from_slice(body)
        .map_err(|error| Problem::malformed(format!("not a wrapped message with message.data: {error}")))?;
    BASE64.decode(wrapped.message.data.as_bytes()).map_err(|_| Problem::malformed("message.data is not base64"))
}

async fn accept(state: &PushState, path: &str, request: Request) -> Result<(), Problem> {
    let is_cloud_event = content_type(&request).is_some_and(|kind| kind.starts_with("application/cloudevents+json"));
    let token = bearer(&request).ok_or(TokenError::Missing)?.to_owned();
    let sender = state.gate.admit(&token, state.db.clock()).await?;
    let unknown = |detail: String| Problem::not_found(format!("no subject of ours: {detail}"));
    let subject = Subject::from_push_path(path).map_err(|error| unknown(error.to_string()))?;
    let bytes =
        axum::body::to_bytes(request.into_body(), BODY_LIMIT).await.map_err(|_| Problem::too_large(BODY_LIMIT))?;
    state.gate.expects(is_cloud_event, &bytes)?;
    let event = if is_cloud_event { bytes.to_vec() } else { unwrap(&bytes)? };
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
    let wanted = subject.as_str();
    // A version that nobody listens to is still filed, by whoever listens to the subject's other versions.
    let listening = state.subscriptions.iter().find(|one| one.subjects.contains(&wanted)).or_else(|| {
        state.subscriptions.iter().find(|one| {
            one.subjects.iter().any(|known| {
                Subject::parse(known).is_ok_and(|known| known.without_version() == subject.without_version())
            })
        })
    });
    let subscription = listening.ok_or_else(|| unknown(format!("nobody here listens to {wanted}")))?;
    let message = Inbound { bytes: &event, subject: wanted, sender: sender.as_ref(), attempt: 1, last_attempt: false };
    match receive(&state.db, subscription, message).await? {
        Handled::NotTheirs => Err(Problem::forbidden("the token's tenant is not the event's")),
        Handled::Applied | Handled::AlreadyProcessed | Handled::Buried => Ok(()),
    }
}

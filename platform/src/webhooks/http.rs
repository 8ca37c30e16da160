//! Webhooks over REST: endpoints, their keys, their delivery log, and telling again.

use axum::Json;
use axum::extract::State;
use contracts::ids::{EventId, WebhookId};
use contracts::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::caller::WebhookOptions;
use super::sign::new_key;
use super::store::{self, Delivery, DeliveryState, Keys, WebhookEndpoint, WebhookState};
use super::target;
use crate::auth::Role::{self, Admin};
use crate::database::{Deed, Schema};
use crate::http::{
    Answer, Changed, Command, Created, Done, Gate, Id, IfMatch, NoBody, NoSince, Page, Paging, Problem, ProblemKind,
    Query, Routes, Served, Since, Tagged, Who, WholeList, about,
};
use crate::{ContextError, Db, Refusal, UnitOfWork, params};

const ADMINS: &[Role] = &[Admin];
/// A tenant has so many endpoints at most.
const MOST: usize = 50;
/// For so long the keys before the present one sign as well.
const OLD_KEY_SECONDS: i64 = 24 * 60 * 60;

const TOO_MANY_ENDPOINTS: ProblemKind = ProblemKind::new(409, "TOO_MANY_ENDPOINTS", "Enough endpoints");
const ADDRESS_FORBIDDEN: ProblemKind = ProblemKind::new(422, "ADDRESS_FORBIDDEN", "This address is not called");

/// Why webhooks say no.
#[derive(Debug, thiserror::Error)]
enum WebhookError {
    #[error(transparent)]
    General(Refusal),
    #[error("a tenant has {MOST} endpoints at most")]
    TooMany,
    #[error("url: {0}")]
    Forbidden(target::Forbidden),
}
crate::general_refusals!(WebhookError);

impl ContextError for WebhookError {
    const CONTEXT: &'static str = "EVENTS";

    fn into_general(self) -> Result<Refusal, Self> {
        match self {
            Self::General(refusal) => Ok(refusal),
            own => Err(own),
        }
    }

    fn own_problem(&self) -> Problem {
        let problem = |kind: ProblemKind| kind.problem(Self::CONTEXT, self.to_string());
        match self {
            Self::General(_) => Problem::internal(),
            Self::TooMany => problem(TOO_MANY_ENDPOINTS),
            Self::Forbidden(_) => problem(ADDRESS_FORBIDDEN).with("field", "url"),
        }
    }
}

#[derive(Clone)]
struct Desk {
    db: Db,
    /// Whose table of idempotency keys is used: any context's will do.
    schema: &'static Schema,
    private_allowed: bool,
}

/// `/events/v1/webhooks`
pub fn webhook_routes(gate: Gate, db: Db, schema: &'static Schema, options: &WebhookOptions) -> Served {
    let desk = Desk { db, schema, private_allowed: options.private_allowed };
    Routes::new("events", "/events/v1", gate)
        .get("/webhooks", ADMINS, list, "Where integrators are told of events")
        .post(
            "/webhooks",
            ADMINS,
            add,
            about("Tell an integrator; the answer has the secret that signs", &[TOO_MANY_ENDPOINTS, ADDRESS_FORBIDDEN]),
        )
        .get("/webhooks/{id}", ADMINS, show, "An endpoint")
        .patch(
            "/webhooks/{id}",
            ADMINS,
            change,
            about("Change an endpoint, pause it, or let it go on", &[ADDRESS_FORBIDDEN]),
        )
        .delete("/webhooks/{id}", ADMINS, remove, about("Tell it no more, and forget what was told", &[]))
        .post(
            "/webhooks/{id}/rotate-key",
            ADMINS,
            rotate,
            about("A new secret; the old one signs as well for a day", &[]),
        )
        .get("/webhooks/{id}/deliveries", ADMINS, deliveries, "What was told, newest first")
        .post("/webhooks/{id}/replay", ADMINS, replay, about("Tell again: one event, or all since a moment", &[]))
        .finish(desk)
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AddEndpoint {
    /// Where to call: `https://…`, on the internet.
    #[schemars(length(min = 1, max = 2000))]
    url: String,
    /// Only these; none: every subject.
    #[serde(default)]
    #[schemars(length(max = 100))]
    subjects: Vec<String>,
    #[schemars(length(max = 200))]
    description: Option<String>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ChangeEndpoint {
    #[schemars(length(min = 1, max = 2000))]
    url: Option<String>,
    #[schemars(length(max = 100))]
    subjects: Option<Vec<String>>,
    #[schemars(length(max = 200))]
    description: Option<String>,
    state: Option<WebhookState>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Replay {
    /// One event.
    event_id: Option<EventId>,
    /// Everything that was published since, up to 10,000 events.
    since: Option<Timestamp>,
}

/// What is going to be told again.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "WebhookReplay")]
struct Replayed {
    count: i64,
}

#[derive(Deserialize, JsonSchema)]
struct DeliveryQuery {
    state: Option<DeliveryState>,
}

fn checked_url(desk: &Desk, url: &str) -> Result<(), WebhookError> {
    if url.len() > 2_000 {
        return Err(Refusal::invalid("url", "at most 2000 characters").into());
    }
    target::read(url, desk.private_allowed).map(drop).map_err(WebhookError::Forbidden)
}

fn checked_subjects(mut subjects: Vec<String>) -> Result<Vec<String>, Refusal> {
    if subjects.len() > 100 {
        return Err(Refusal::invalid("subjects", "at most 100"));
    }
    if let Some(unknown) = subjects.iter().find(|subject| contracts::catalogue::find(subject).is_none()) {
        let shown: String = unknown.chars().take(80).collect();
        return Err(Refusal::invalid("subjects", format!("`{shown}` is no subject of the catalogue")));
    }
    subjects.sort();
    subjects.dedup();
    Ok(subjects)
}

fn checked_description(text: Option<String>) -> Result<Option<String>, Refusal> {
    match text {
        Some(text) if text.chars().count() > 200 => Err(Refusal::invalid("description", "at most 200 characters")),
        other => Ok(other),
    }
}

async fn find(uow: &mut UnitOfWork, id: &WebhookId) -> Result<WebhookEndpoint, WebhookError> {
    let row = uow.read_one(&store::FIND, &[id]).await?.ok_or(Refusal::NotFound("endpoint"))?;
    Ok(WebhookEndpoint::of(&row)?)
}

async fn lock(uow: &mut UnitOfWork, id: &WebhookId) -> Result<WebhookEndpoint, WebhookError> {
    let row = uow.read_one(&store::LOCK, &[id]).await?.ok_or(Refusal::NotFound("endpoint"))?;
    Ok(WebhookEndpoint::of(&row)?)
}

async fn list(
    State(desk): State<Desk>,
    Who(caller): Who,
    WholeList(paging): WholeList,
    since: Since,
) -> Result<Json<Page<WebhookEndpoint>>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let rows = uow.read(&store::LIST, &[]).await?;
        rows.iter().map(|row| Ok(WebhookEndpoint::of(row)?)).collect::<Result<Vec<_>, WebhookError>>()
    };
    let mut found = desk.db.read(desk.schema, &caller.tenant, look).await?;
    found.retain(|endpoint| since.keeps(endpoint.updated_at));
    Ok(Json(Page::of(found, &paging, |endpoint| endpoint.id.to_string())?))
}

async fn show(
    State(desk): State<Desk>,
    Who(caller): Who,
    Id(id): Id<WebhookId>,
) -> Result<Tagged<WebhookEndpoint>, Problem> {
    let endpoint = desk.db.read(desk.schema, &caller.tenant, async |uow| find(uow, &id).await).await?;
    let version = endpoint.version;
    Ok(Tagged::new(&endpoint, version))
}

async fn add(State(desk): State<Desk>, command: Command<AddEndpoint>) -> Answer<Created<WebhookEndpoint>> {
    let story = async |uow: &mut UnitOfWork| {
        let AddEndpoint { url, subjects, description } = command.body.clone();
        checked_url(&desk, &url)?;
        let (subjects, description) = (checked_subjects(subjects)?, checked_description(description)?);
        if uow.read(&store::LIST, &[]).await?.len() >= MOST {
            return Err(WebhookError::TooMany);
        }
        let (id, key, now) = (uow.next_id::<WebhookId>(), new_key(desk.db.ids()), uow.now());
        let endpoint = WebhookEndpoint {
            id: id.clone(),
            url,
            description,
            subjects,
            state: WebhookState::Active,
            paused_because: None,
            failing_since: None,
            version: 1,
            created_at: now,
            updated_at: now,
            secret: Some(key.clone()),
            keys: Keys { now: key, before: None, before_until: None, older: Vec::new() },
        };
        let WebhookEndpoint { url, description, subjects, keys, .. } = endpoint.clone();
        uow.keep_on_record(deed(
            "internal.webhook.added",
            &id,
            &serde_json::json!({ "url": url, "subjects": subjects }),
        ));
        uow.project(&store::ADD, params![id.clone(), url, description, subjects, keys.now, now]);
        Ok(Created::new(&endpoint, 1, format!("/events/v1/webhooks/{id}")))
    };
    command.run(&desk.db, desk.schema, story).await
}

/// Where a tenant's data flows out, who opened and turned the tap is in the audit. Never with a key.
fn deed(name: &'static str, id: &WebhookId, detail: &serde_json::Value) -> Deed {
    Deed::new(name, "webhook_endpoint", id.as_str(), detail)
}

/// Writes it as it is now, one version further.
fn save(uow: &mut UnitOfWork, endpoint: &mut WebhookEndpoint) {
    endpoint.version += 1;
    endpoint.updated_at = uow.now();
    let now = uow.now();
    let WebhookEndpoint { id, url, description, subjects, state, paused_because, failing_since, keys, .. } =
        endpoint.clone();
    let Keys { now: key, before, before_until, older } = keys;
    uow.project(
        &store::CHANGE,
        params![
            id,
            url,
            description,
            subjects,
            state,
            paused_because,
            key,
            before,
            before_until,
            older,
            now,
            failing_since
        ],
    );
}

async fn change(
    State(desk): State<Desk>,
    Id(id): Id<WebhookId>,
    command: Command<ChangeEndpoint>,
) -> Answer<Changed<WebhookEndpoint>> {
    let story = async |uow: &mut UnitOfWork| {
        let mut endpoint = lock(uow, &id).await?;
        IfMatch::check(command.if_match.as_ref(), endpoint.version)?;
        let body = command.body.clone();
        // What waits is told now, with all its attempts: to a receiver that is back, or because what failed was another address.
        let mut goes_on = body.state == Some(WebhookState::Active);
        if let Some(url) = body.url {
            checked_url(&desk, &url)?;
            if url != endpoint.url {
                endpoint.failing_since = None;
                goes_on = true;
                // Why we paused it was the former address. Who paused it by hand lets it go on by hand.
                if endpoint.paused_because.take().is_some() {
                    endpoint.state = WebhookState::Active;
                }
            }
            endpoint.url = url;
        }
        if let Some(subjects) = body.subjects {
            endpoint.subjects = checked_subjects(subjects)?;
        }
        if body.description.is_some() {
            endpoint.description = checked_description(body.description)?;
        }
        if let Some(state) = body.state {
            if state == WebhookState::Active && endpoint.state == WebhookState::Paused {
                endpoint.failing_since = None;
            }
            endpoint.state = state;
            endpoint.paused_because = None;
        }
        if goes_on {
            uow.project(&store::RESUME, params![id.clone(), uow.now()]);
        }
        let WebhookEndpoint { url, subjects, state, .. } = &endpoint;
        let detail = serde_json::json!({ "url": url, "subjects": subjects, "state": state });
        uow.keep_on_record(deed("internal.webhook.changed", &id, &detail));
        save(uow, &mut endpoint);
        let version = endpoint.version;
        Ok::<_, WebhookError>(Changed::new(&endpoint, version))
    };
    command.run(&desk.db, desk.schema, story).await
}

async fn remove(State(desk): State<Desk>, Id(id): Id<WebhookId>, command: Command<NoBody>) -> Answer<Done> {
    let story = async |uow: &mut UnitOfWork| {
        let endpoint = lock(uow, &id).await?;
        IfMatch::check(command.if_match.as_ref(), endpoint.version)?;
        uow.keep_on_record(deed("internal.webhook.removed", &id, &serde_json::json!({ "url": endpoint.url })));
        uow.project(&store::REMOVE, params![id.clone()]);
        Ok::<_, WebhookError>(Done::new())
    };
    command.run(&desk.db, desk.schema, story).await
}

async fn rotate(
    State(desk): State<Desk>,
    Id(id): Id<WebhookId>,
    command: Command<NoBody>,
) -> Answer<Changed<WebhookEndpoint>> {
    let story = async |uow: &mut UnitOfWork| {
        let mut endpoint = lock(uow, &id).await?;
        IfMatch::check(command.if_match.as_ref(), endpoint.version)?;
        let key = new_key(desk.db.ids());
        endpoint.keys.change(key.clone(), uow.now(), uow.now().plus_seconds(OLD_KEY_SECONDS));
        endpoint.secret = Some(key);
        uow.keep_on_record(deed("internal.webhook.key_changed", &id, &serde_json::json!({})));
        save(uow, &mut endpoint);
        let version = endpoint.version;
        Ok::<_, WebhookError>(Changed::new(&endpoint, version))
    };
    command.run(&desk.db, desk.schema, story).await
}

async fn deliveries(
    State(desk): State<Desk>,
    Who(caller): Who,
    Id(id): Id<WebhookId>,
    Query(query): Query<DeliveryQuery>,
    paging: Paging,
    _: NoSince,
) -> Result<Json<Page<Delivery>>, Problem> {
    let before = match &paging.after {
        None => i64::MAX,
        Some(text) => text.parse().map_err(|_| Problem::invalid("cursor", "`nextCursor` of the page before"))?,
    };
    let state = query.state.map(|state| state.as_str().to_owned());
    let look = async |uow: &mut UnitOfWork| {
        find(uow, &id).await?;
        let rows = uow.read(&store::DELIVERIES, &[&id, &before, &state, &paging.rows()]).await?;
        rows.iter().map(|row| Ok(Delivery::of(row)?)).collect::<Result<Vec<_>, WebhookError>>()
    };
    let items = desk.db.read(desk.schema, &caller.tenant, look).await?;
    Ok(Json(Page::cut(items, paging.limit, |last| last.offset.to_string())))
}

async fn replay(
    State(desk): State<Desk>,
    Id(id): Id<WebhookId>,
    command: Command<Replay>,
) -> Answer<Changed<Replayed>> {
    let story = async |uow: &mut UnitOfWork| {
        let Replay { event_id, since } = command.body.clone();
        if event_id.is_some() == since.is_some() {
            return Err(WebhookError::from(Refusal::invalid("eventId", "this or `since` is needed, and not both")));
        }
        lock(uow, &id).await?;
        let event = event_id.map(|id| id.as_str().to_owned());
        let row = uow.read_one(&store::TO_REPLAY, &[&id, &event, &since]).await?;
        let count: i64 = row.map_or(0, |row| row.get("count"));
        if count == 0 && event.is_some() {
            return Err(Refusal::NotFound("event").into());
        }
        let detail = serde_json::json!({ "eventId": event, "since": since, "count": count });
        uow.keep_on_record(deed("internal.webhook.replayed", &id, &detail));
        uow.project(&store::REPLAY, params![id.clone(), event, since, uow.now()]);
        Ok(Changed::unversioned(&Replayed { count }))
    };
    command.run(&desk.db, desk.schema, story).await
}

//! `TestHotel`: a hotel of its own for every test.
//!
//! The tests of all contexts use it. Everything goes
//! through the real doors: REST and push through the router, events through relay and worker. The clock stands still until
//! a test moves it, ids come from a seed, and the database is dropped with the hotel.

#![expect(
    clippy::unwrap_used,
    clippy::return_self_not_must_use,
    reason = "for tests: what they do not expect ends them right there, and what they word they use"
)]

mod answer;
mod board;
mod document;
mod front_office;
mod happenings;
mod names;
mod nats;
mod own_server;
mod people;
mod pins;
mod planning;
mod pubsub;
mod redis;
mod rooms;
mod staff;
mod stock;
mod work;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use contracts::ids::{PrefixedId, PropertyId, RoomId, TenantId};
use contracts::time::Timestamp;
use embedded::Login;
use embedded::testing::TestDatabase;
use platform::auth::{Secrets, SigningKey, Verifier};
use platform::bus::{Backoff, TailOptions};
use platform::database::{DbRole, OWNER_ROLE, connect, migrate};
use platform::http::{Peer, PushGate};
use platform::{Clock, Ids};
use serde_json::Value;
use server::app::{App, Parts};
use tokio_postgres::Client;
use tower::ServiceExt;

pub use answer::Answer;
pub use board::BoardView;
pub use happenings::Happening;
pub use nats::NatsServer;
pub use pins::Known;
pub use pubsub::PubSubEmulator;
pub use redis::RedisServer;
pub use work::whole_report;

/// Connections of a process for those who ask.
pub const CONNECTIONS: usize = 8;

/// A Wednesday morning in Kabul.
pub const MORNING: &str = "2026-04-22T06:30:00Z";
/// How often a delivery is tried, and the pauses in between, by the hotel's own clock.
pub const BACKOFF: Backoff = Backoff { attempts: 4, first: Duration::from_secs(10), longest: Duration::from_mins(10) };

/// A rate limit that no test meets by accident.
const UNHURRIED: u32 = 1_000_000;

/// A hotel for one test: the whole application on a database of its own, with a clock that a test moves.
#[derive(Debug)]
pub struct TestHotel {
    pub app: App,
    pub clock: Clock,
    pub ids: Ids,
    pub key: SigningKey,
    pub tenant: TenantId,
    pub property: PropertyId,
    /// The superuser: looks behind the scenes and sets them, where no door leads.
    pub behind: Client,
    seen: AtomicI64,
    /// The first success of each route, where a test wants them.
    examples: Mutex<Option<BTreeMap<String, Value>>>,
    // Last, so that it is dropped when nobody uses it any more.
    pub database: TestDatabase,
}

/// A room and the number on its door.
#[derive(Clone, Debug)]
pub struct Door {
    pub id: RoomId,
    pub number: String,
}

/// A request as a test words it.
#[derive(Clone, Debug)]
pub struct Ask {
    pub method: Method,
    pub path: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
    /// The address it comes from; within the process there is none.
    pub from: Option<IpAddr>,
}

impl Ask {
    pub fn new(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), headers: Vec::new(), body: Vec::new(), from: None }
    }

    pub fn post(path: impl Into<String>) -> Self {
        Self::new(Method::POST, path)
    }

    pub fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path)
    }

    pub fn by(self, token: &str) -> Self {
        self.header("authorization", format!("Bearer {token}"))
    }

    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub fn from(mut self, address: &str) -> Self {
        self.from = Some(address.parse().expect("an address"));
        self
    }

    pub fn key(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    pub fn json(self, body: &Value) -> Self {
        self.bytes(body.to_string())
    }

    /// A body of some kind.
    pub fn body(mut self, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.header("content-type", kind)
    }

    /// A body that says it is JSON, whatever it is.
    pub fn bytes(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.header("content-type", "application/json")
    }
}

/// Everything a database of ours has before the first guest.
pub async fn prepare(login: Login) -> Result<(), embedded::testing::PrepareError> {
    let client = connect(&login.config()).await?;
    migrate(&client, &server::contexts::migrations()).await?;
    client.batch_execute(&format!("SET ROLE {OWNER_ROLE}")).await?;
    for context in server::contexts::at_rest() {
        (context.prepare)(&client, Clock::manual(morning())).await?;
    }
    Ok(())
}

/// Changes with every migration, so that a template is never older than the code.
pub fn template_key() -> String {
    let contexts = server::contexts::migrations();
    let files = contexts.iter().flat_map(|context| context.files.iter().map(|file| file.text(context.schema)));
    files.chain([MORNING.to_owned()]).collect()
}

pub fn morning() -> Timestamp {
    Timestamp::parse(MORNING).expect("a constant")
}

pub async fn new_database() -> TestDatabase {
    embedded::testing::database(&template_key(), prepare).await.expect("a database for the test")
}

impl TestHotel {
    pub async fn open() -> Self {
        Self::with_seed(48).await
    }

    /// Another seed, other ids.
    pub async fn with_seed(seed: u64) -> Self {
        let database = new_database().await;
        let (clock, ids) = (Clock::manual(morning()), Ids::seeded(seed));
        let key = SigningKey::fresh().expect("a signing key");
        let app = App::build(parts(&database, &clock, &ids, &key)).expect("the application");
        app.register().await.expect("the subscriptions");
        let behind = connect(&database.superuser().config()).await.expect("the superuser's connection");
        let (tenant, property) = (ids.next(morning()), ids.next(morning()));
        Self {
            app,
            clock,
            ids,
            key,
            tenant,
            property,
            behind,
            seen: AtomicI64::new(0),
            examples: Mutex::new(None),
            database,
        }
    }

    /// A second process on the same database: same key, same clock, memory of its own.
    pub fn second_process(&self) -> App {
        self.process(|_| {})
    }

    /// A process that is configured differently.
    pub fn process(&self, configure: impl FnOnce(&mut Parts)) -> App {
        let mut parts = parts(&self.database, &self.clock, &self.ids, &self.key);
        configure(&mut parts);
        App::build(parts).expect("the application")
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub fn next<I: PrefixedId>(&self) -> I {
        self.ids.next(self.now())
    }

    /// A room that is there already, in some status; nothing was published about it.
    pub async fn room(&self, number: &str, status: &str) -> Door {
        let id: RoomId = self.next();
        // Nobody hears of it: a board that was composed before would not know.
        self.behind.batch_execute("DELETE FROM housekeeping.board_snapshot_mat").await.expect("no board");
        let sql = "WITH door AS (
                     INSERT INTO housekeeping.rooms (tenant_id, property_id, room_id, number, floor, section, room_type)
                     VALUES ($1, $2, $3, $4, 1, 'east', 'double'))
                   INSERT INTO housekeeping.room_status (tenant_id, property_id, room_id, status, last_flipped_at, last_flipped_by, last_cause)
                   VALUES ($1, $2, $3, $5, $6, '{\"type\":\"system\",\"id\":\"sys_test\"}', 'manual_override')";
        let (tenant, property) = (self.tenant.as_str(), self.property.as_str());
        self.behind
            .execute(sql, &[&tenant, &property, &id.as_str(), &number, &status, &self.now().jiff()])
            .await
            .expect("a room");
        Door { id, number: number.to_owned() }
    }

    /// A door that nobody has heard of.
    pub fn unknown_door(&self, number: &str) -> Door {
        Door { id: self.next(), number: number.to_owned() }
    }

    pub async fn ready_room(&self, number: &str) -> Door {
        self.room(number, "ready").await
    }

    pub async fn ask(&self, ask: Ask) -> Answer {
        let (method, path, body) = (ask.method.clone(), ask.path.clone(), ask.body.clone());
        let answer = ask_router(&self.app, ask).await;
        if let Some(examples) = self.examples.lock().unwrap().as_mut()
            && (200..300).contains(&answer.status)
            && let Some(template) = document::template_of(&self.app, &method, &path)
        {
            let request: Value = serde_json::from_slice(&body).unwrap_or_default();
            let mut shown = answer.body.clone();
            if let Some(token) = shown.get_mut("token") {
                // Signed by a key that this hotel alone has.
                *token = Value::from("eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl");
            }
            let example = serde_json::json!({ "request": request, "status": answer.status, "answer": shown });
            examples.entry(format!("{method} {template}")).or_insert(example);
        }
        answer
    }

    /// From here on the first success of each route is kept.
    pub fn keep_examples(&self) {
        *self.examples.lock().unwrap() = Some(BTreeMap::new());
    }

    pub fn examples(&self) -> BTreeMap<String, Value> {
        self.examples.lock().unwrap().clone().unwrap_or_default()
    }

    pub async fn get(&self, token: &str, path: &str) -> Answer {
        self.ask(Ask::get(path).by(token)).await
    }

    pub async fn post(&self, token: &str, path: &str, body: Value) -> Answer {
        self.ask(Ask::post(path).by(token).json(&body)).await
    }

    pub async fn patch(&self, token: &str, path: &str, body: Value) -> Answer {
        self.ask(Ask::new(Method::PATCH, path).by(token).json(&body)).await
    }

    pub async fn put(&self, token: &str, path: &str, body: Value) -> Answer {
        self.ask(Ask::new(Method::PUT, path).by(token).json(&body)).await
    }

    /// A command on a task: `hotel.command(&supervisor, &task, "cancel", json!({…}))`.
    pub async fn command(&self, token: &str, task: &str, verb: &str, body: Value) -> Answer {
        self.post(token, &format!("/housekeeping/v1/tasks/{task}/{verb}"), body).await
    }

    /// Through the push endpoint, as a broker would; acknowledged.
    pub async fn deliver(&self, happening: &Happening) {
        let answer = self.push(happening).await;
        assert_eq!(answer.status, 204, "{} was not acknowledged: {}", happening.subject, answer.text);
    }

    /// Through the push endpoint, whatever comes of it.
    pub async fn push(&self, happening: &Happening) -> Answer {
        self.push_bytes(&happening.subject, happening.envelope.to_string().as_bytes()).await
    }

    pub async fn push_bytes(&self, subject: &str, event: &[u8]) -> Answer {
        self.ask(self.wrapped(subject, event)).await
    }

    pub fn wrapped(&self, subject: &str, event: &[u8]) -> Ask {
        let body =
            serde_json::json!({ "message": { "data": BASE64.encode(event), "messageId": "1" }, "subscription": "s" });
        Ask::post(format!("/internal/events/{subject}")).by(&self.service()).json(&body)
    }

    /// Relay and worker, until there is nothing left to do now.
    pub async fn drain(&self) {
        for _ in 0..100 {
            let published = self.app.relay.drain().await.expect("the relay");
            let handled = self.app.worker.drain().await.expect("the worker");
            if published + handled == 0 {
                return;
            }
        }
        panic!("there is always something left to publish or to handle");
    }

    /// The subjects published since this was last asked, in their order.
    pub async fn published(&self) -> Vec<String> {
        self.news().await.iter().map(|envelope| text(&envelope["subject"])).collect()
    }

    /// The envelopes published since this was last asked, in their order.
    pub async fn news(&self) -> Vec<Value> {
        self.drain().await;
        let page = self.feed(self.seen.load(Ordering::SeqCst)).await;
        self.seen.store(page["nextAfter"].as_i64().expect("an offset"), Ordering::SeqCst);
        page["items"].as_array().expect("items").iter().map(|item| item["envelope"].clone()).collect()
    }

    pub async fn feed(&self, after: i64) -> Value {
        let path = format!("/events/v1/feed?after={after}&limit=1000");
        let answer = self.get(&self.service(), &path).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.body
    }

    pub async fn board(&self) -> BoardView {
        let path = format!("/housekeeping/v1/board?propertyId={}", self.property);
        let answer = self.get(&self.supervisor(), &path).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        BoardView(answer.body)
    }

    /// All tasks of a room, oldest first.
    pub async fn tasks(&self, door: &Door) -> Vec<Value> {
        self.tasks_that_are(door, "").await
    }

    pub async fn open_tasks(&self, door: &Door) -> Vec<Value> {
        self.tasks_that_are(door, "&status=pending,assigned,in_progress,paused").await
    }

    async fn tasks_that_are(&self, door: &Door, filter: &str) -> Vec<Value> {
        let path = format!("/housekeeping/v1/tasks?roomId={}{filter}", door.id);
        let answer = self.get(&self.supervisor(), &path).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.body["items"].as_array().expect("items").clone()
    }

    /// The one open task of a room.
    pub async fn open_task(&self, door: &Door) -> String {
        let open = self.open_tasks(door).await;
        assert_eq!(open.len(), 1, "one open task in room {}: {open:?}", door.number);
        text(&open[0]["id"])
    }

    pub async fn task(&self, id: &str) -> Value {
        let answer = self.get(&self.supervisor(), &format!("/housekeeping/v1/tasks/{id}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.body
    }

    /// The steps of a room, oldest first: from, to, cause.
    pub async fn steps(&self, door: &Door) -> Vec<(String, String, String)> {
        let path = format!("/housekeeping/v1/rooms/{}/history?limit=1000", door.id);
        let answer = self.get(&self.supervisor(), &path).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let items = answer.body["items"].as_array().expect("items");
        let step = |item: &Value| (text(&item["previousStatus"]), text(&item["status"]), text(&item["cause"]));
        items.iter().rev().map(step).collect()
    }

    /// Open dead letters: event id and code.
    pub async fn dead_letters(&self) -> Vec<(Option<String>, String)> {
        let sql = "SELECT event_id, code FROM housekeeping.dead_letters WHERE state = 'open' ORDER BY failed_at, id";
        let rows = self.behind.query(sql, &[]).await.expect("dead letters");
        rows.iter().map(|row| (row.get(0), row.get(1))).collect()
    }

    /// How many rows a query counts, behind the scenes.
    pub async fn count(&self, from: &str) -> i64 {
        self.behind.query_one(&format!("SELECT count(*) FROM {from}"), &[]).await.expect("a count").get(0)
    }

    /// One more connection behind the scenes.
    pub async fn database_connection(&self) -> Client {
        connect(&self.database.superuser().config()).await.expect("the superuser's connection")
    }

    /// As the application, for one tenant or for none.
    pub async fn as_application(&self, tenant: Option<&TenantId>) -> Client {
        let client = self.app.db.connect_as(DbRole::App).await.expect("the application's role");
        if let Some(tenant) = tenant {
            client.batch_execute(&format!("SET app.tenant_id = '{tenant}'")).await.expect("the tenant");
        }
        client
    }
}

fn parts(database: &TestDatabase, clock: &Clock, ids: &Ids, key: &SigningKey) -> Parts {
    let verifier = Arc::new(Verifier::embedded(key));
    Parts {
        database: database.login().config().into(),
        connections: CONNECTIONS,
        rate_limit: UNHURRIED,
        edge: platform::http::Edge::default(),
        push: PushGate::local(Arc::clone(&verifier)),
        verifier,
        // The same in every process of the hotel, as where the files are shared.
        secrets: Secrets::of(key.clone(), [48; 32]),
        contexts: server::contexts::at_rest(),
        served: None,
        clock: clock.clone(),
        ids: ids.clone(),
        backoff: Some(BACKOFF),
        dies_at: None,
        live: TailOptions::default(),
        archive: None,
        web: server::web::WebParts::default(),
        broker: None,
        webhooks: platform::webhooks::WebhookOptions::default(),
        cache: None,
    }
}

pub async fn ask_router(app: &App, ask: Ask) -> Answer {
    let (method, path) = (ask.method.clone(), ask.path.clone());
    let mut request = Request::builder().method(ask.method).uri(&ask.path);
    for (name, value) in &ask.headers {
        request = request.header(*name, value);
    }
    if !ask.body.is_empty() {
        request = request.header(header::CONTENT_LENGTH, ask.body.len());
    }
    if let Some(address) = ask.from {
        request = request.extension(Peer(address));
    }
    let request = request.body(Body::from(ask.body)).expect("a request");
    let response = app.router.clone().oneshot(request).await.expect("the router never fails");
    let answer = Answer::read(response).await;
    document::fits(app, &method, &path, &answer);
    answer
}

/// The text of a JSON string.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

//! `TestHotel`: a hotel of its own for every test.
//!
//! It lives with the server's tests because only the server knows how the parts are wired together. Everything goes
//! through the real doors: REST and push through the router, events through relay and worker. The clock stands still until
//! a test moves it, ids come from a seed, and the database is dropped with the hotel.

mod answer;
mod board;
mod document;
mod happenings;
mod people;
mod stock;
mod work;

use std::collections::BTreeMap;
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
use platform::auth::{SigningKey, Verifier};
use platform::bus::Backoff;
use platform::database::{DbRole, OWNER_ROLE, connect, migrate};
use platform::http::PushGate;
use platform::{Clock, Ids};
use serde_json::Value;
use server::app::{App, Parts};
use tokio_postgres::Client;
use tower::ServiceExt;

pub(crate) use answer::Answer;
pub(crate) use board::BoardView;
pub(crate) use happenings::Happening;
pub(crate) use work::whole_report;

/// A Wednesday morning in Kabul.
pub(crate) const MORNING: &str = "2026-04-22T06:30:00Z";
/// How often a delivery is tried, and the pauses in between, by the hotel's own clock.
pub(crate) const BACKOFF: Backoff =
    Backoff { attempts: 4, first: Duration::from_secs(10), longest: Duration::from_mins(10) };

/// A rate limit that no test meets by accident.
const UNHURRIED: u32 = 1_000_000;

/// See the module.
pub(crate) struct TestHotel {
    pub(crate) app: App,
    pub(crate) clock: Clock,
    pub(crate) ids: Ids,
    pub(crate) key: SigningKey,
    pub(crate) tenant: TenantId,
    pub(crate) property: PropertyId,
    /// The superuser: looks behind the scenes and sets them, where no door leads.
    pub(crate) behind: Client,
    seen: AtomicI64,
    /// The first success of each route, where a test wants them.
    examples: Mutex<Option<BTreeMap<String, Value>>>,
    // Last, so that it is dropped when nobody uses it any more.
    pub(crate) database: TestDatabase,
}

/// A room and the number on its door.
#[derive(Clone, Debug)]
pub(crate) struct Door {
    pub(crate) id: RoomId,
    pub(crate) number: String,
}

/// A request as a test words it.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Ask {
    pub(crate) fn new(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), headers: Vec::new(), body: Vec::new() }
    }

    pub(crate) fn post(path: impl Into<String>) -> Self {
        Self::new(Method::POST, path)
    }

    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path)
    }

    pub(crate) fn by(self, token: &str) -> Self {
        self.header("authorization", format!("Bearer {token}"))
    }

    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn key(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.bytes(body.to_string())
    }

    /// A body that says it is JSON, whatever it is.
    pub(crate) fn bytes(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.header("content-type", "application/json")
    }
}

/// Everything a database of ours has before the first guest.
pub(crate) async fn prepare(login: Login) -> Result<(), embedded::testing::PrepareError> {
    let client = connect(&login.config()).await?;
    migrate(&client, &server::contexts::migrations()).await?;
    client.batch_execute(&format!("SET ROLE {OWNER_ROLE}")).await?;
    for context in server::contexts::at_rest() {
        (context.prepare)(&client, Clock::manual(morning())).await?;
    }
    Ok(())
}

/// Changes with every migration, so that a template is never older than the code.
pub(crate) fn template_key() -> String {
    let contexts = server::contexts::migrations();
    let files = contexts.iter().flat_map(|context| context.files.iter().map(|file| file.text(context.schema)));
    files.chain([MORNING.to_owned()]).collect()
}

pub(crate) fn morning() -> Timestamp {
    Timestamp::parse(MORNING).expect("a constant")
}

pub(crate) async fn new_database() -> TestDatabase {
    embedded::testing::database(&template_key(), prepare).await.expect("a database for the test")
}

impl TestHotel {
    pub(crate) async fn open() -> Self {
        let database = new_database().await;
        let (clock, ids) = (Clock::manual(morning()), Ids::seeded(48));
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
    pub(crate) fn second_process(&self) -> App {
        self.process(|_| {})
    }

    /// A process that is configured differently.
    pub(crate) fn process(&self, configure: impl FnOnce(&mut Parts)) -> App {
        let mut parts = parts(&self.database, &self.clock, &self.ids, &self.key);
        configure(&mut parts);
        App::build(parts).expect("the application")
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn next<I: PrefixedId>(&self) -> I {
        self.ids.next(self.now())
    }

    /// A room that is there already, in some status; nothing was published about it.
    pub(crate) async fn room(&self, number: &str, status: &str) -> Door {
        let id: RoomId = self.next();
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

    pub(crate) async fn ready_room(&self, number: &str) -> Door {
        self.room(number, "ready").await
    }

    pub(crate) async fn ask(&self, ask: Ask) -> Answer {
        let (method, path, body) = (ask.method.clone(), ask.path.clone(), ask.body.clone());
        let answer = ask_router(&self.app, ask).await;
        if let Some(examples) = self.examples.lock().unwrap().as_mut()
            && (200..300).contains(&answer.status)
            && let Some(template) = document::template_of(&self.app, &method, &path)
        {
            let request: Value = serde_json::from_slice(&body).unwrap_or_default();
            let example = serde_json::json!({ "request": request, "status": answer.status, "answer": answer.body });
            examples.entry(format!("{method} {template}")).or_insert(example);
        }
        answer
    }

    /// From here on the first success of each route is kept.
    pub(crate) fn keep_examples(&self) {
        *self.examples.lock().unwrap() = Some(BTreeMap::new());
    }

    pub(crate) fn examples(&self) -> BTreeMap<String, Value> {
        self.examples.lock().unwrap().clone().unwrap_or_default()
    }

    pub(crate) async fn get(&self, token: &str, path: &str) -> Answer {
        self.ask(Ask::get(path).by(token)).await
    }

    pub(crate) async fn post(&self, token: &str, path: &str, body: Value) -> Answer {
        self.ask(Ask::post(path).by(token).json(&body)).await
    }

    pub(crate) async fn patch(&self, token: &str, path: &str, body: Value) -> Answer {
        self.ask(Ask::new(Method::PATCH, path).by(token).json(&body)).await
    }

    pub(crate) async fn put(&self, token: &str, path: &str, body: Value) -> Answer {
        self.ask(Ask::new(Method::PUT, path).by(token).json(&body)).await
    }

    /// A command on a task: `hotel.command(&supervisor, &task, "cancel", json!({…}))`.
    pub(crate) async fn command(&self, token: &str, task: &str, verb: &str, body: Value) -> Answer {
        self.post(token, &format!("/housekeeping/v1/tasks/{task}/{verb}"), body).await
    }

    /// Through the push endpoint, as a broker would; acknowledged.
    pub(crate) async fn deliver(&self, happening: &Happening) {
        let answer = self.push(happening).await;
        assert_eq!(answer.status, 204, "{} was not acknowledged: {}", happening.subject, answer.text);
    }

    /// Through the push endpoint, whatever comes of it.
    pub(crate) async fn push(&self, happening: &Happening) -> Answer {
        self.push_bytes(&happening.subject, happening.envelope.to_string().as_bytes()).await
    }

    pub(crate) async fn push_bytes(&self, subject: &str, event: &[u8]) -> Answer {
        self.ask(self.wrapped(subject, event)).await
    }

    pub(crate) fn wrapped(&self, subject: &str, event: &[u8]) -> Ask {
        let body =
            serde_json::json!({ "message": { "data": BASE64.encode(event), "messageId": "1" }, "subscription": "s" });
        Ask::post(format!("/internal/events/{subject}")).by(&self.service()).json(&body)
    }

    /// Relay and worker, until there is nothing left to do now.
    pub(crate) async fn drain(&self) {
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
    pub(crate) async fn published(&self) -> Vec<String> {
        self.news().await.iter().map(|envelope| text(&envelope["subject"])).collect()
    }

    /// The envelopes published since this was last asked, in their order.
    pub(crate) async fn news(&self) -> Vec<Value> {
        self.drain().await;
        let page = self.feed(self.seen.load(Ordering::SeqCst)).await;
        self.seen.store(page["nextAfter"].as_i64().expect("an offset"), Ordering::SeqCst);
        page["items"].as_array().expect("items").iter().map(|item| item["envelope"].clone()).collect()
    }

    pub(crate) async fn feed(&self, after: i64) -> Value {
        let path = format!("/events/v1/feed?after={after}&limit=1000");
        let answer = self.get(&self.service(), &path).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.body
    }

    pub(crate) async fn board(&self) -> BoardView {
        let path = format!("/housekeeping/v1/board?propertyId={}", self.property);
        let answer = self.get(&self.supervisor(), &path).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        BoardView(answer.body)
    }

    /// All tasks of a room, oldest first.
    pub(crate) async fn tasks(&self, door: &Door) -> Vec<Value> {
        self.tasks_that_are(door, "").await
    }

    pub(crate) async fn open_tasks(&self, door: &Door) -> Vec<Value> {
        self.tasks_that_are(door, "&status=pending,assigned,in_progress,paused").await
    }

    async fn tasks_that_are(&self, door: &Door, filter: &str) -> Vec<Value> {
        let path = format!("/housekeeping/v1/tasks?roomId={}{filter}", door.id);
        let answer = self.get(&self.supervisor(), &path).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.body["items"].as_array().expect("items").clone()
    }

    /// The one open task of a room.
    pub(crate) async fn open_task(&self, door: &Door) -> String {
        let open = self.open_tasks(door).await;
        assert_eq!(open.len(), 1, "one open task in room {}: {open:?}", door.number);
        text(&open[0]["id"])
    }

    pub(crate) async fn task(&self, id: &str) -> Value {
        let answer = self.get(&self.supervisor(), &format!("/housekeeping/v1/tasks/{id}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.body
    }

    /// The steps of a room, oldest first: from, to, cause.
    pub(crate) async fn steps(&self, door: &Door) -> Vec<(String, String, String)> {
        let path = format!("/housekeeping/v1/rooms/{}/history?limit=1000", door.id);
        let answer = self.get(&self.supervisor(), &path).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let items = answer.body["items"].as_array().expect("items");
        let step = |item: &Value| (text(&item["previousStatus"]), text(&item["status"]), text(&item["cause"]));
        items.iter().rev().map(step).collect()
    }

    /// Open dead letters: event id and code.
    pub(crate) async fn dead_letters(&self) -> Vec<(Option<String>, String)> {
        let sql = "SELECT event_id, code FROM housekeeping.dead_letters WHERE state = 'open' ORDER BY failed_at, id";
        let rows = self.behind.query(sql, &[]).await.expect("dead letters");
        rows.iter().map(|row| (row.get(0), row.get(1))).collect()
    }

    /// How many rows a query counts, behind the scenes.
    pub(crate) async fn count(&self, from: &str) -> i64 {
        self.behind.query_one(&format!("SELECT count(*) FROM {from}"), &[]).await.expect("a count").get(0)
    }

    /// One more connection behind the scenes.
    pub(crate) async fn database_connection(&self) -> Client {
        connect(&self.database.superuser().config()).await.expect("the superuser's connection")
    }

    /// As the application, for one tenant or for none.
    pub(crate) async fn as_application(&self, tenant: Option<&TenantId>) -> Client {
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
        connections: 8,
        rate_limit: UNHURRIED,
        edge: platform::http::Edge::default(),
        push: PushGate::local(Arc::clone(&verifier)),
        verifier,
        contexts: server::contexts::at_rest(),
        clock: clock.clone(),
        ids: ids.clone(),
        backoff: Some(BACKOFF),
        dies_at: None,
    }
}

pub(crate) async fn ask_router(app: &App, ask: Ask) -> Answer {
    let (method, path) = (ask.method.clone(), ask.path.clone());
    let mut request = Request::builder().method(ask.method).uri(&ask.path);
    for (name, value) in &ask.headers {
        request = request.header(*name, value);
    }
    if !ask.body.is_empty() {
        request = request.header(header::CONTENT_LENGTH, ask.body.len());
    }
    let request = request.body(Body::from(ask.body)).expect("a request");
    let response = app.router.clone().oneshot(request).await.expect("the router never fails");
    let answer = Answer::read(response).await;
    document::fits(app, &method, &path, &answer);
    answer
}

/// The text of a JSON string.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

//! A listener on the embedded bus that fails on demand, and events put straight into the outbox.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use contracts::ids::{EventId, TenantId};
use contracts::{Envelope, Form};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use housekeeping::SCHEMA;
use platform::bus::{Handler, NotApplied, Relay, Subscription, Worker, register};
use platform::database::Schema;
use platform::{Fault, Sql, UnitOfWork};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Notify;
use tokio_postgres::Client;

use crate::test_hotel::{BACKOFF, TestHotel};

pub(crate) const SUBJECT: &str = "melmastoon.housekeeping.task.created.v1";

/// Any read opens the transaction, and with it the inbox.
static LOOK: Sql = Sql { name: "look", text: "SELECT $1::TEXT", params: &[], columns: &[] };

static OVERFLOW: Sql =
    Sql { name: "overflow", text: "SELECT 2147483647 + length($1::TEXT)", params: &[], columns: &[] };

/// What the events of these tests say.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) key: String,
    pub(crate) n: i32,
}

/// Hears, and writes down what it heard.
#[derive(Default)]
pub(crate) struct Ear {
    heard: Mutex<Vec<Said>>,
    replays: Mutex<usize>,
    /// What is going to happen to an event, and how often still.
    trouble: Mutex<HashMap<i32, (Trouble, usize)>>,
    /// Opened for those that wait.
    door: Notify,
}

/// What a handler may run into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    Fails,
    NeverTakes,
    /// The database is away for a moment.
    IsAway,
    Panics,
    /// Stands there until the door is opened.
    Waits,
    /// Asks the database for a number that does not fit.
    Overflows,
}

impl Ear {
    pub(crate) fn heard(&self) -> Vec<Said> {
        self.heard.lock().unwrap().clone()
    }

    pub(crate) fn numbers(&self) -> Vec<i32> {
        self.heard().iter().map(|said| said.n).collect()
    }

    pub(crate) fn replays(&self) -> usize {
        *self.replays.lock().unwrap()
    }

    pub(crate) fn will_fail(&self, n: i32, times: usize) {
        self.will_have(n, Trouble::Fails, times);
    }

    pub(crate) fn will_never_take(&self, n: i32) {
        self.will_have(n, Trouble::NeverTakes, usize::MAX);
    }

    pub(crate) fn will_have(&self, n: i32, trouble: Trouble, times: usize) {
        self.trouble.lock().unwrap().insert(n, (trouble, times));
    }

    /// Whether the trouble with an event is still to come.
    pub(crate) fn is_in_trouble(&self, n: i32) -> bool {
        self.trouble.lock().unwrap().get(&n).is_some_and(|(_, left)| *left > 0)
    }

    pub(crate) fn is_healed(&self) {
        self.trouble.lock().unwrap().clear();
    }

    /// Those that wait go on.
    pub(crate) fn open_the_door(&self) {
        self.door.notify_one();
    }

    fn trouble_with(&self, n: i32) -> Option<Trouble> {
        let mut all = self.trouble.lock().unwrap();
        let (trouble, left) = all.get_mut(&n).filter(|(_, left)| *left > 0)?;
        *left -= 1;
        Some(*trouble)
    }

    async fn listen(&self, uow: &mut UnitOfWork, event: &Envelope) -> Result<(), NotApplied> {
        uow.read(&LOOK, &[]).await?;
        let said: Said = serde_json::from_str(event.payload.get()).unwrap();
        match self.trouble_with(said.n) {
            None => {}
            Some(Trouble::Fails) => return Err(NotApplied::Later("not today".to_owned())),
            Some(Trouble::NeverTakes) => {
                let detail = "never".to_owned();
                return Err(NotApplied::Never { code: "NEVER".to_owned(), detail, pointer: None });
            }
            Some(Trouble::IsAway) => return Err(NotApplied::Fault(Fault::Unavailable("away".to_owned()))),
            Some(Trouble::Panics) => panic!("a bug in a story"),
            Some(Trouble::Waits) => self.door.notified().await,
            Some(Trouble::Overflows) => drop(uow.read(&OVERFLOW, &[]).await?),
        }
        *self.replays.lock().unwrap() += usize::from(event.metadata.from_dlq_replay == Some(true));
        self.heard.lock().unwrap().push(said);
        Ok(())
    }
}

struct Listening(Arc<Ear>);

/// Another context, in the same database.
pub(crate) static ELSEWHERE: LazyLock<Schema> = LazyLock::new(|| Schema::new("elsewhere", Form::Staff));

/// The tables that every context has alike, for the other one.
pub(crate) async fn open_elsewhere(behind: &Client) {
    let table = |table: &str| {
        format!(
            "CREATE TABLE elsewhere.{table} (LIKE housekeeping.{table} INCLUDING ALL);
             ALTER TABLE elsewhere.{table} ENABLE ROW LEVEL SECURITY; ALTER TABLE elsewhere.{table} FORCE ROW LEVEL SECURITY;
             CREATE POLICY isolation ON elsewhere.{table} TO melmastoon_app
               USING (tenant_id = bus.current_tenant_id()) WITH CHECK (tenant_id = bus.current_tenant_id());
             GRANT SELECT, INSERT, UPDATE ON elsewhere.{table} TO melmastoon_app;"
        )
    };
    let tables: String =
        ["outbox", "inbox", "idempotency_keys", "audit_events", "dead_letters"].into_iter().map(table).collect();
    let sql = format!(
        "BEGIN; CREATE SCHEMA elsewhere AUTHORIZATION melmastoon_owner; SET LOCAL ROLE melmastoon_owner;
         GRANT USAGE ON SCHEMA elsewhere TO melmastoon_app, melmastoon_relay, melmastoon_operator; {tables}
         CREATE POLICY relay ON elsewhere.outbox TO melmastoon_relay USING (true) WITH CHECK (true);
         GRANT SELECT, UPDATE ON elsewhere.outbox TO melmastoon_relay;
         SELECT bus.keep_for_a_time('elsewhere', 30); COMMIT"
    );
    behind.batch_execute(&sql).await.unwrap();
}

/// Somebody who listens.
pub(crate) fn listening(
    name: &'static str,
    schema: &'static Schema,
    subjects: &[&'static str],
    ear: &Arc<Ear>,
) -> Subscription {
    let handler = Arc::new(Listening(Arc::clone(ear)));
    Subscription { name, schema, subjects: subjects.to_vec(), handler, noted: &[], backoff: BACKOFF }
}

impl Handler for Listening {
    fn handle<'a>(&'a self, uow: &'a mut UnitOfWork, event: &'a Envelope) -> BoxFuture<'a, Result<(), NotApplied>> {
        self.0.listen(uow, event).boxed()
    }
}

/// A hotel with somebody who listens.
pub(crate) struct Bus {
    pub(crate) hotel: TestHotel,
    pub(crate) ear: Arc<Ear>,
    pub(crate) subscription: Subscription,
    pub(crate) relay: Relay,
    pub(crate) worker: Worker,
}

impl Bus {
    pub(crate) async fn open() -> Self {
        let hotel = TestHotel::open().await;
        let ear = Arc::new(Ear::default());
        let subscription = listening("listener", &SCHEMA, &[SUBJECT], &ear);
        register(&hotel.app.db, std::slice::from_ref(&subscription)).await.unwrap();
        let relay = Relay::new(hotel.app.db.clone(), vec![&SCHEMA]);
        let worker = Worker::new(hotel.app.db.clone(), vec![subscription.clone()], relay.published());
        Self { hotel, ear, subscription, relay, worker }
    }

    pub(crate) fn another_relay(&self) -> Relay {
        Relay::new(self.hotel.app.db.clone(), vec![&SCHEMA])
    }

    pub(crate) fn another_worker(&self) -> Worker {
        Worker::new(self.hotel.app.db.clone(), vec![self.subscription.clone()], self.relay.published())
    }

    /// An event in the outbox, committed.
    pub(crate) async fn say(&self, key: &str, n: i32) {
        self.say_by(&self.hotel.behind, key, n).await;
    }

    /// An event in the outbox, in whatever transaction this connection is in.
    pub(crate) async fn say_by(&self, client: &Client, key: &str, n: i32) {
        self.say_in(client, "housekeeping", SUBJECT, key, n).await;
    }

    /// An event in some context's outbox.
    pub(crate) async fn say_in(&self, client: &Client, schema: &str, subject: &str, key: &str, n: i32) {
        self.say_of(client, &self.hotel.tenant, schema, subject, key, n).await;
    }

    /// The same of any hotel.
    pub(crate) async fn say_of(
        &self,
        client: &Client,
        tenant: &TenantId,
        schema: &str,
        subject: &str,
        key: &str,
        n: i32,
    ) {
        let (id, hotel): (EventId, _) = (self.hotel.next(), &self.hotel);
        let meta = json!({
            "id": id, "subject": subject, "tenantId": tenant, "occurredAt": hotel.now(), "producer": "test",
        });
        let sql = format!(
            "INSERT INTO {schema}.outbox (event_id, tenant_id, subject, payload, envelope_meta, created_at, ordering_key)
             VALUES ($1, $2, $3, $4, $5, $6, $7)"
        );
        let payload = json!({ "key": key, "n": n });
        let key = format!("{tenant}:{key}");
        client
            .execute(&sql, &[&id.as_str(), &tenant.as_str(), &subject, &payload, &meta, &hotel.now().jiff(), &key])
            .await
            .unwrap();
    }

    pub(crate) async fn publish(&self) -> u64 {
        self.relay.drain().await.unwrap()
    }

    pub(crate) async fn hear(&self) -> u64 {
        self.worker.drain().await.unwrap()
    }

    /// The numbers in the feed after an offset, and the next offset.
    pub(crate) async fn feed(&self, after: i64, limit: usize) -> (Vec<i64>, i64) {
        let path = format!("/events/v1/feed?after={after}&limit={limit}");
        let page = self.hotel.get(&self.hotel.service(), &path).await.done();
        let items = page["items"].as_array().unwrap();
        let numbers = items.iter().map(|item| item["envelope"]["payload"]["n"].as_i64().unwrap()).collect();
        (numbers, page["nextAfter"].as_i64().unwrap())
    }
}

//! A listener on the embedded bus that fails on demand, and events put straight into the outbox.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use contracts::Envelope;
use contracts::ids::EventId;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use housekeeping::SCHEMA;
use platform::bus::{Handler, Refusal, Relay, Subscription, Worker};
use platform::{Sql, UnitOfWork};
use serde::Deserialize;
use serde_json::json;
use tokio_postgres::Client;

use crate::test_hotel::{BACKOFF, TestHotel};

pub(crate) const SUBJECT: &str = "melmastoon.housekeeping.task.created.v1";

/// Any read opens the transaction, and with it the inbox.
static LOOK: Sql = Sql { name: "look", text: "SELECT $1::TEXT", params: &[], columns: &[] };

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
    /// How often each event is still going to fail, or `None` for something that can never succeed.
    failing: Mutex<HashMap<i32, Option<usize>>>,
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
        self.failing.lock().unwrap().insert(n, Some(times));
    }

    pub(crate) fn will_never_take(&self, n: i32) {
        self.failing.lock().unwrap().insert(n, None);
    }

    pub(crate) fn is_healed(&self) {
        self.failing.lock().unwrap().clear();
    }

    async fn listen(&self, uow: &mut UnitOfWork, event: &Envelope) -> Result<(), Refusal> {
        uow.read(&LOOK, &[]).await?;
        let said: Said = serde_json::from_str(event.payload.get()).unwrap();
        match self.failing.lock().unwrap().get_mut(&said.n) {
            Some(Some(0)) | None => {}
            Some(Some(left)) => {
                *left -= 1;
                return Err(Refusal::Later("not today".to_owned()));
            }
            Some(None) => {
                let detail = "never".to_owned();
                return Err(Refusal::Never { code: "NEVER".to_owned(), detail, pointer: None });
            }
        }
        *self.replays.lock().unwrap() += usize::from(event.metadata.from_dlq_replay == Some(true));
        self.heard.lock().unwrap().push(said);
        Ok(())
    }
}

struct Listening(Arc<Ear>);

impl Handler for Listening {
    fn handle<'a>(&'a self, uow: &'a mut UnitOfWork, event: &'a Envelope) -> BoxFuture<'a, Result<(), Refusal>> {
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
        let subscription = Subscription {
            name: "listener",
            schema: &SCHEMA,
            subjects: vec![SUBJECT],
            handler: Arc::new(Listening(Arc::clone(&ear))),
        };
        let relay = Relay::new(hotel.app.db.clone(), vec![&SCHEMA], std::slice::from_ref(&subscription));
        let worker = Worker::new(hotel.app.db.clone(), vec![subscription.clone()], relay.published(), BACKOFF);
        Self { hotel, ear, subscription, relay, worker }
    }

    pub(crate) fn another_relay(&self) -> Relay {
        Relay::new(self.hotel.app.db.clone(), vec![&SCHEMA], std::slice::from_ref(&self.subscription))
    }

    pub(crate) fn another_worker(&self) -> Worker {
        Worker::new(self.hotel.app.db.clone(), vec![self.subscription.clone()], self.relay.published(), BACKOFF)
    }

    /// An event in the outbox, committed.
    pub(crate) async fn say(&self, key: &str, n: i32) {
        self.say_by(&self.hotel.behind, key, n).await;
    }

    /// An event in the outbox, in whatever transaction this connection is in.
    pub(crate) async fn say_by(&self, client: &Client, key: &str, n: i32) {
        let (id, hotel): (EventId, _) = (self.hotel.next(), &self.hotel);
        let meta = json!({
            "id": id, "subject": SUBJECT, "tenantId": hotel.tenant, "occurredAt": hotel.now(), "producer": "test",
        });
        let sql = "INSERT INTO housekeeping.outbox (event_id, tenant_id, subject, payload, envelope_meta, created_at, ordering_key)
                   VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let payload = json!({ "key": key, "n": n });
        let key = format!("{}:{key}", hotel.tenant);
        client
            .execute(sql, &[&id.as_str(), &hotel.tenant.as_str(), &SUBJECT, &payload, &meta, &hotel.now().jiff(), &key])
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

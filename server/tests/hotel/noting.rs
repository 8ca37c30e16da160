//! What a context only notes down is committed several at a time: each event once all the same, and nobody's trouble is another's.

use std::sync::{Arc, Mutex};

use contracts::Envelope;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use housekeeping::SCHEMA;
use platform::bus::{Handler, NotApplied, Subscription, Worker};
use platform::{Sql, UnitOfWork, params};
use serde_json::Value;

use crate::listener::{Bus, SUBJECT};

/// The key's last number, and how often it was noted.
static NOTE: Sql = Sql {
    name: "note",
    text: "INSERT INTO public.notes AS n (tenant_id, key, n, times) VALUES ($1, $2, $3, 1)
           ON CONFLICT (tenant_id, key) DO UPDATE SET n = excluded.n, times = n.times + 1",
    params: &[],
    columns: &[],
};
static LOOK: Sql = Sql { name: "look", text: "SELECT $1::TEXT", params: &[], columns: &[] };

/// Notes down what it hears, except for what it is told otherwise of.
#[derive(Default)]
struct Scribe {
    reads: Vec<i64>,
    refuses: Vec<i64>,
    panics_once: Mutex<Vec<i64>>,
}

impl Scribe {
    async fn note(&self, uow: &mut UnitOfWork, event: &Envelope) -> Result<(), NotApplied> {
        let said: Value = serde_json::from_str(event.payload.get()).unwrap();
        let n = said["n"].as_i64().unwrap();
        if self.refuses.contains(&n) {
            return Err(NotApplied::never("NEVER", "never"));
        }
        let panics = {
            let mut left = self.panics_once.lock().unwrap();
            left.iter().position(|one| *one == n).map(|at| left.remove(at)).is_some()
        };
        assert!(!panics, "a bug in a story");
        if self.reads.contains(&n) {
            uow.read(&LOOK, &[]).await?;
        }
        uow.project(&NOTE, params![said["key"].as_str().unwrap().to_owned(), n]);
        Ok(())
    }
}

struct Noting(Arc<Scribe>);

impl Handler for Noting {
    fn handle<'a>(&'a self, uow: &'a mut UnitOfWork, event: &'a Envelope) -> BoxFuture<'a, Result<(), NotApplied>> {
        self.0.note(uow, event).boxed()
    }
}

/// Twelve keys have said something, and somebody notes it down.
async fn open(scribe: Scribe) -> (Bus, Worker) {
    let bus = Bus::open().await;
    let table = "CREATE TABLE public.notes (tenant_id TEXT, key TEXT, n BIGINT CHECK (n < 1000), times INT, PRIMARY KEY (tenant_id, key));
                 GRANT USAGE ON SCHEMA public TO melmastoon_app; GRANT SELECT, INSERT, UPDATE ON public.notes TO melmastoon_app";
    bus.hotel.behind.batch_execute(table).await.unwrap();
    let subscription =
        Subscription { noted: &[SUBJECT], handler: Arc::new(Noting(Arc::new(scribe))), ..bus.subscription.clone() };
    let worker = Worker::new(bus.hotel.app.db.clone(), vec![subscription], bus.relay.published());
    for n in 1..=12 {
        bus.say(&format!("key{n:02}"), n).await;
    }
    bus.publish().await;
    (bus, worker)
}

impl Bus {
    /// Key, last number and how often, in the order of the keys.
    async fn notes(&self) -> Vec<(i64, i32)> {
        let rows = self.hotel.behind.query("SELECT n, times FROM public.notes ORDER BY key", &[]).await.unwrap();
        rows.iter().map(|row| (row.get(0), row.get(1))).collect()
    }

    /// How many transactions have entered the inbox.
    async fn transactions(&self) -> i64 {
        let sql = format!("SELECT count(DISTINCT xmin::TEXT) FROM {}.inbox WHERE topic = '{SUBJECT}'", SCHEMA.name);
        self.hotel.behind.query_one(&sql, &[]).await.unwrap().get(0)
    }
}

fn once(numbers: impl IntoIterator<Item = i64>) -> Vec<(i64, i32)> {
    numbers.into_iter().map(|n| (n, 1)).collect()
}

#[tokio::test]
async fn what_is_only_noted_down_is_one_transaction_and_each_event_is_noted_once() {
    let (bus, worker) = open(Scribe::default()).await;
    assert_eq!(worker.drain().await.unwrap(), 12);
    assert_eq!(bus.notes().await, once(1..=12));
    assert_eq!((bus.transactions().await, bus.hotel.count("housekeeping.inbox").await), (1, 12));
    // A worker died after its commit: everything is handed out again.
    let again = "INSERT INTO bus.deliveries (subscription, log_offset, tenant_id, ordering_key, next_attempt_at)
                 SELECT 'listener', log_offset, tenant_id, ordering_key, published_at FROM bus.event_log";
    bus.hotel.behind.execute(again, &[]).await.unwrap();
    bus.say("key13", 13).await;
    bus.publish().await;
    assert_eq!(worker.drain().await.unwrap(), 13);
    assert_eq!(bus.notes().await, once(1..=13), "the new one is among those that were known");
    assert_eq!(bus.hotel.count("bus.deliveries").await, 0);
}

#[tokio::test]
async fn a_story_that_reads_or_panics_or_refuses_goes_alone_and_keeps_nobody_from_being_noted() {
    let scribe = Scribe { reads: vec![2, 3], refuses: vec![5], panics_once: Mutex::new(vec![7]) };
    let (bus, worker) = open(scribe).await;
    assert_eq!(worker.drain().await.unwrap(), 12);
    assert_eq!(bus.notes().await, once((1..=12).filter(|n| *n != 5)));
    assert_eq!(bus.hotel.dead_letters().await[0].1, "MELMASTOON.LISTENER.NEVER");
    // Eight together; two that read and one that panicked by themselves.
    assert_eq!(bus.transactions().await, 4);
}

#[tokio::test]
async fn where_one_cannot_be_stored_the_others_are_noted_one_by_one() {
    let (bus, worker) = open(Scribe::default()).await;
    bus.say("key13", 1_000).await;
    bus.publish().await;
    assert_eq!(worker.drain().await.unwrap(), 13);
    assert_eq!(bus.notes().await, once(1..=12));
    assert_eq!(bus.hotel.dead_letters().await[0].1, "MELMASTOON.LISTENER.EVENT_UNSTORABLE");
    assert_eq!(bus.transactions().await, 12);
}

#[tokio::test]
async fn events_of_one_key_are_noted_in_their_order() {
    let (bus, worker) = open(Scribe::default()).await;
    for n in 21..=40 {
        bus.say("key01", n).await;
    }
    bus.publish().await;
    let other = worker.on(bus.hotel.app.db.clone());
    let (first, second) = futures_util::future::join(worker.drain(), other.drain()).await;
    assert_eq!(first.unwrap() + second.unwrap(), 32);
    assert_eq!(bus.notes().await[0], (40, 21));
    assert_eq!(
        bus.hotel.dead_letters().await.len() + usize::try_from(bus.hotel.count("bus.deliveries").await).unwrap(),
        0
    );
}

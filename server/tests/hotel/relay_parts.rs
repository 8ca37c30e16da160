//! A flood goes to a broker in parts, each given while the one before is written down and the next is read: in order and nothing lost, whatever
//! happens between two of them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use platform::Fault;
use platform::bus::{Broker, BrokerError, Outgoing, Store, set_aside};
use tokio_postgres::Client;

use crate::listener::{Bus, SUBJECT};

/// What happens at the n-th part that a broker is given, before it answers.
type Script = dyn Fn(usize, &[Outgoing]) -> BoxFuture<'static, Result<(), BrokerError>> + Send + Sync;

/// A broker that does what is written.
struct Scripted {
    script: Box<Script>,
    given: AtomicUsize,
    taken: Mutex<Vec<Outgoing>>,
}

impl Scripted {
    fn new(
        script: impl Fn(usize, &[Outgoing]) -> BoxFuture<'static, Result<(), BrokerError>> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self { script: Box::new(script), given: AtomicUsize::new(0), taken: Mutex::default() })
    }

    fn numbers(&self) -> Vec<i64> {
        self.taken.lock().unwrap().iter().map(number_of).collect()
    }

    fn parts(&self) -> usize {
        self.given.load(Ordering::SeqCst)
    }
}

impl Broker for Scripted {
    fn publish<'a>(&'a self, batch: &'a [Outgoing]) -> BoxFuture<'a, Result<(), BrokerError>> {
        async move {
            let answer = (self.script)(self.given.fetch_add(1, Ordering::SeqCst), batch).await;
            let safe = match &answer {
                Ok(()) => batch.len(),
                Err(BrokerError::Refused { event_id, .. }) => {
                    batch.iter().position(|event| event.event_id == *event_id).unwrap()
                }
                Err(BrokerError::Away(_)) => 0,
            };
            self.taken.lock().unwrap().extend_from_slice(&batch[..safe]);
            answer
        }
        .boxed()
    }
}

fn number_of(event: &Outgoing) -> i64 {
    let envelope: serde_json::Value = serde_json::from_str(&event.envelope).unwrap();
    envelope["payload"]["n"].as_i64().unwrap()
}

/// Events with these numbers, of seven keys unless one is named, in whatever transaction the connection is in.
fn flood(bus: &Bus, from: i64, to: i64, key: Option<&str>) -> String {
    let tenant = bus.hotel.tenant.as_str();
    let key = key.map_or_else(|| "n % 7".to_owned(), |key| format!("'{key}'"));
    format!(
        "INSERT INTO housekeeping.outbox (event_id, tenant_id, subject, payload, envelope_meta, ordering_key)
         SELECT 'evt_' || n, '{tenant}', '{SUBJECT}', jsonb_build_object('n', n),
                jsonb_build_object('id', 'evt_' || n, 'tenantId', '{tenant}'), '{tenant}:' || {key}
         FROM generate_series({from}, {to}) n ORDER BY n;"
    )
}

async fn logged(client: &Client) -> Vec<i64> {
    let sql = "SELECT (envelope -> 'payload' ->> 'n')::BIGINT FROM bus.event_log ORDER BY log_offset";
    client.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect()
}

async fn waiting(bus: &Bus) -> i64 {
    bus.hotel.count("housekeeping.outbox WHERE published_at IS NULL").await
}

#[tokio::test]
async fn a_flood_goes_out_whole_and_in_order() {
    let bus = Bus::open().await;
    bus.hotel.behind.batch_execute(&flood(&bus, 1, 6_100, None)).await.unwrap();
    let broker = Scripted::new(|_, _| ready(Ok(())).boxed());
    let relay = bus.another_relay().through(broker.clone());
    assert_eq!(relay.drain().await.unwrap(), 6_100);
    let all: Vec<i64> = (1..=6_100).collect();
    assert_eq!(broker.numbers(), all);
    assert_eq!(logged(&bus.hotel.behind).await, all);
    assert_eq!(waiting(&bus).await, 0);
    assert!(broker.parts() >= 12, "in parts: {}", broker.parts());
    assert!(broker.taken.lock().unwrap().iter().all(|event| event.listeners == ["listener"]));
}

#[tokio::test]
async fn what_commits_late_goes_before_what_its_key_says_afterwards() {
    let bus = Bus::open().await;
    bus.hotel.behind.batch_execute(&flood(&bus, 1, 99, None)).await.unwrap();
    let slow = Arc::new(bus.hotel.database_connection().await);
    slow.batch_execute(&format!("BEGIN; {}", flood(&bus, 100, 100, Some("late")))).await.unwrap();
    bus.hotel.behind.batch_execute(&flood(&bus, 101, 1_200, None)).await.unwrap();
    let commit = format!("COMMIT; {}", flood(&bus, 1_201, 1_201, Some("late")));
    let script = {
        let slow = Arc::clone(&slow);
        move |part: usize, _: &[Outgoing]| {
            let (slow, commit) = (Arc::clone(&slow), commit.clone());
            // While the first part is with the broker, and the second is read or has been.
            async move {
                if part == 0 {
                    slow.batch_execute(&commit).await.unwrap();
                }
                Ok(())
            }
            .boxed()
        }
    };
    let broker = Scripted::new(script);
    assert_eq!(bus.another_relay().through(broker.clone()).drain().await.unwrap(), 1_201);
    let numbers = broker.numbers();
    let at = |n: i64| numbers.iter().position(|number| *number == n).unwrap();
    assert!(at(100) < at(1_201), "{} and {}", at(100), at(1_201));
    assert!(at(100) > at(500), "it was late");
    assert_eq!(logged(&bus.hotel.behind).await, numbers, "the log has them in the order in which they went");
}

#[tokio::test]
async fn what_is_refused_in_the_middle_is_logged_in_its_place_and_holds_up_nobody() {
    let bus = Bus::open().await;
    bus.hotel.behind.batch_execute(&flood(&bus, 1, 2_300, None)).await.unwrap();
    let broker = Scripted::new(|_, events| {
        let bad = events.iter().find(|event| ["evt_700", "evt_701", "evt_2300"].contains(&event.event_id.as_str()));
        let answer = bad.map_or(Ok(()), |bad| {
            Err(BrokerError::Refused { event_id: bad.event_id.clone(), reason: "too much".to_owned() })
        });
        ready(answer).boxed()
    });
    let relay = bus.another_relay().through(broker.clone());
    assert_eq!(relay.drain().await.unwrap(), 2_297);
    let refused = [700, 701, 2_300];
    assert_eq!(broker.numbers(), (1..=2_300).filter(|n| !refused.contains(n)).collect::<Vec<i64>>());
    assert_eq!(logged(&bus.hotel.behind).await, (1..=2_300).collect::<Vec<i64>>());
    assert_eq!(waiting(&bus).await, 3);
    assert_eq!(set_aside(&bus.hotel.app.db).await.unwrap().len(), 3);
    assert_eq!(relay.drain().await.unwrap(), 0);
}

#[tokio::test]
async fn a_broker_that_goes_away_between_two_parts_gets_the_rest_later() {
    let bus = Bus::open().await;
    bus.hotel.behind.batch_execute(&flood(&bus, 1, 2_300, None)).await.unwrap();
    let broker = Scripted::new(|part, _| {
        ready(if part == 2 { Err(BrokerError::Away("gone".to_owned())) } else { Ok(()) }).boxed()
    });
    let relay = bus.another_relay().through(broker.clone());
    assert!(matches!(relay.drain().await, Err(Fault::Elsewhere { .. })));
    assert_eq!(waiting(&bus).await, 1_300, "what it took is done");
    assert_eq!(bus.hotel.count("housekeeping.outbox WHERE last_error LIKE '%gone%'").await, 500);
    let in_the_log = logged(&bus.hotel.behind).await;
    assert_eq!(in_the_log, (1..=i64::try_from(in_the_log.len()).unwrap()).collect::<Vec<i64>>());
    assert!(in_the_log.len() >= 2_000, "and the log goes on");
    assert_eq!(relay.drain().await.unwrap(), 1_300);
    let all: Vec<i64> = (1..=2_300).collect();
    assert_eq!(broker.numbers(), all);
    assert_eq!(logged(&bus.hotel.behind).await, all);
    assert_eq!(bus.hotel.count("bus.logged_ahead").await, 0);
}

/// A broker with another connection from its second part on.
struct ComesBack {
    broker: Arc<Scripted>,
    looks: AtomicUsize,
}

impl Broker for ComesBack {
    fn publish<'a>(&'a self, batch: &'a [Outgoing]) -> BoxFuture<'a, Result<(), BrokerError>> {
        if self.broker.parts() == 2 {
            assert_eq!(self.looks.load(Ordering::SeqCst), 2, "it got more before anybody looked at it");
        }
        self.broker.publish(batch)
    }

    fn encounter(&self) -> u64 {
        u64::from(self.broker.parts() >= 2)
    }

    fn stores(&self) -> BoxFuture<'_, Result<Vec<Store>, BrokerError>> {
        self.looks.fetch_add(1, Ordering::SeqCst);
        ready(Ok(Vec::new())).boxed()
    }
}

#[tokio::test]
async fn a_broker_that_comes_back_between_two_parts_is_looked_at_before_it_gets_more() {
    let bus = Bus::open().await;
    bus.hotel.behind.batch_execute(&flood(&bus, 1, 1_700, None)).await.unwrap();
    let broker = Scripted::new(|_, _| ready(Ok(())).boxed());
    let comes_back = Arc::new(ComesBack { broker: Arc::clone(&broker), looks: AtomicUsize::new(0) });
    let relay = bus.another_relay().through(comes_back.clone());
    assert_eq!(relay.drain().await.unwrap(), 1_700);
    assert_eq!(comes_back.looks.load(Ordering::SeqCst), 2);
    assert_eq!(broker.numbers(), (1..=1_700).collect::<Vec<i64>>());
    assert_eq!(logged(&bus.hotel.behind).await, broker.numbers());
    assert_eq!(waiting(&bus).await, 0);
}

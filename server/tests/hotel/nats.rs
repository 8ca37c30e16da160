//! Through a real NATS server: in order for each key, each event once, and nobody's trouble is another's.

use std::sync::Arc;
use std::time::Duration;

use contracts::external::HousekeepingRoutingV1;
use contracts::payload::Payload;
use futures_util::StreamExt;
use platform::bus::{
    Again, Backoff, Broker, Nats, NatsOptions, Relay, Subscription, register, republish, retry_set_aside, set_aside,
};
use serde_json::json;
use test_hotel::NatsServer;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::listener::{Bus, Ear, SUBJECT, listening};

pub(crate) const SOON: Duration = Duration::from_secs(30);
/// Like SUBJECT, and nothing that the listener listens to.
const OTHER: &str = "melmastoon.housekeeping.task.started.v1";

/// A hotel whose events go through NATS, with somebody who listens.
pub(crate) struct Through {
    pub(crate) bus: Bus,
    pub(crate) server: NatsServer,
    pub(crate) nats: Arc<Nats>,
    pub(crate) relay: Relay,
}

/// A worker that can be stopped, or cut off in the middle.
pub(crate) struct AtWork {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl AtWork {
    pub(crate) fn begin(broker: Arc<dyn Broker>, db: platform::Db, subscriptions: Vec<Subscription>) -> Self {
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(async move { broker.deliver(&db, &subscriptions, stopped).await });
        Self { stop, task }
    }

    pub(crate) async fn stops(self) {
        let _ = self.stop.send(true);
        tokio::time::timeout(SOON, self.task).await.unwrap().unwrap();
    }

    pub(crate) fn cut_off(self) {
        self.task.abort();
    }
}

impl Through {
    pub(crate) async fn open() -> Option<Self> {
        Self::open_with("").await
    }

    pub(crate) async fn open_with(lines: &str) -> Option<Self> {
        let server = NatsServer::start_with(lines)?;
        let bus = Bus::open().await;
        let nats = Arc::new(connected(&server).await);
        nats.apply(std::slice::from_ref(&bus.subscription)).await.unwrap();
        let relay = bus.another_relay().through(nats.clone());
        Some(Self { bus, server, nats, relay })
    }

    pub(crate) fn work(&self) -> AtWork {
        self.work_for(self.bus.subscription.clone())
    }

    pub(crate) fn work_for(&self, subscription: Subscription) -> AtWork {
        AtWork::begin(self.nats.clone(), self.bus.hotel.app.db.clone(), vec![subscription])
    }

    /// Publishes until everything is out.
    pub(crate) async fn publish(&self) -> u64 {
        until("everything is published", async || self.relay.drain().await.is_ok()).await;
        let taken = "housekeeping.outbox WHERE published_at IS NOT NULL";
        u64::try_from(self.bus.hotel.count(taken).await).unwrap()
    }

    pub(crate) async fn heard(&self, count: usize) {
        until("everything is heard", async || self.bus.ear.numbers().len() >= count).await;
    }
}

pub(crate) async fn connected(server: &NatsServer) -> Nats {
    let ack_wait = Some(Duration::from_secs(1));
    Nats::connect(&NatsOptions { servers: server.url(), ack_wait, ..NatsOptions::default() }).await.unwrap()
}

/// Looks until it is so.
pub(crate) async fn until(what: &str, is_so: impl AsyncFn() -> bool) {
    let looking = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    assert!(tokio::time::timeout(SOON, looking).await.is_ok(), "waited in vain: {what}");
}

/// Each key's numbers in their order, and none twice.
pub(crate) fn assert_in_order(ear: &Ear, count: usize) {
    let heard = ear.heard();
    assert_eq!(heard.len(), count, "each once");
    let mut keys: Vec<_> = heard.iter().map(|said| said.key.clone()).collect();
    keys.sort();
    keys.dedup();
    for key in keys {
        let numbers: Vec<_> = heard.iter().filter(|said| said.key == key).map(|said| said.n).collect();
        assert!(numbers.is_sorted_by(|before, after| before < after), "{key}: {numbers:?}");
    }
}

#[tokio::test]
async fn events_of_one_key_are_heard_in_their_order_and_once_by_two_workers() {
    let Some(hotel) = Through::open().await else { return };
    for n in 1..=200 {
        hotel.bus.say(&format!("key{}", n % 20), n).await;
    }
    assert_eq!(hotel.publish().await, 200);
    let (one, other) = (hotel.work(), hotel.work());
    hotel.heard(200).await;
    assert_in_order(&hotel.bus.ear, 200);
    assert_eq!(hotel.bus.hotel.count("bus.deliveries").await, 0);

    // Once more on purpose: told from a repetition, sent, and dropped by the inbox.
    let again = Again { since: hotel.bus.hotel.now().plus_seconds(-60), subject: None, tenant: None };
    let broker: &dyn Broker = hotel.nats.as_ref();
    assert_eq!(republish(&hotel.bus.hotel.app.db, Some(broker), &again, |_, _| {}).await.unwrap(), 200);
    let only = std::slice::from_ref(&hotel.bus.subscription);
    until("the repetitions are settled", async || {
        hotel.nats.lag(only).await.unwrap().iter().all(|lag| lag.waiting + lag.at_work == 0)
    })
    .await;
    assert_in_order(&hotel.bus.ear, 200);
    one.stops().await;
    other.stops().await;
}

#[tokio::test]
async fn the_embedded_bus_delivers_again_what_is_asked_for_and_the_inbox_drops_it() {
    let bus = Bus::open().await;
    for n in 1..=30 {
        bus.say("a", n).await;
    }
    bus.publish().await;
    bus.hear().await;
    let tenant = Some(bus.hotel.tenant.as_str().to_owned());
    let again = Again { since: bus.hotel.now().plus_seconds(-60), subject: Some(SUBJECT.to_owned()), tenant };
    let mut told = Vec::new();
    let count = republish(&bus.hotel.app.db, None, &again, |count, mill| told.push((count, mill))).await.unwrap();
    assert_eq!((count, told), (30, vec![(30, 1_000)]));
    assert_eq!(bus.hear().await, 30, "delivered again");
    assert_in_order(&bus.ear, 30);
    let nobody = Again { tenant: Some("tnt_NOBODY".to_owned()), ..again };
    assert_eq!(republish(&bus.hotel.app.db, None, &nobody, |_, _| {}).await.unwrap(), 0);
}

#[tokio::test]
async fn what_can_never_be_applied_is_in_both_dead_letters_with_its_reason_and_the_key_goes_on() {
    let Some(hotel) = Through::open().await else { return };
    hotel.bus.ear.will_never_take(1);
    for n in 1..=3 {
        hotel.bus.say("a", n).await;
    }
    hotel.publish().await;
    let work = hotel.work();
    hotel.heard(2).await;
    assert_eq!(hotel.bus.ear.numbers(), [2, 3]);
    let sql = "SELECT code, error FROM housekeeping.dead_letters";
    let letter = hotel.bus.hotel.behind.query_one(sql, &[]).await.unwrap();
    assert_eq!((letter.get(0), letter.get(1)), ("MELMASTOON.LISTENER.NEVER", "never"));

    let client = async_nats::connect(hotel.server.url()).await.unwrap();
    let stream = async_nats::jetstream::new(client).get_stream("MELMASTOON_DEAD_LETTERS").await.unwrap();
    let copy = stream.get_raw_message(1).await.unwrap();
    assert_eq!(copy.subject.as_str(), "dead_letters.melmastoon.dlq.housekeeping");
    let header = |name: &str| copy.headers.get(name).map(|value| value.as_str().to_owned());
    assert_eq!(header("Melmastoon-Reason").as_deref(), Some("never"));
    assert_eq!(header("Melmastoon-Code").as_deref(), Some("MELMASTOON.LISTENER.NEVER"));
    work.stops().await;
}

#[tokio::test]
async fn a_failure_is_tried_as_often_as_the_catalogue_says_and_holds_up_its_own_partition_alone() {
    let Some(hotel) = Through::open().await else { return };
    let pause = Duration::from_millis(50);
    let backoff = Backoff { attempts: 3, first: pause, longest: pause };
    hotel.bus.ear.will_fail(1, 2);
    hotel.bus.ear.will_fail(2, usize::MAX);
    hotel.bus.say("a", 1).await;
    hotel.bus.say("b", 2).await;
    hotel.bus.say("b", 3).await;
    hotel.bus.say("a", 4).await;
    hotel.publish().await;
    let work = hotel.work_for(Subscription { backoff, ..hotel.bus.subscription.clone() });
    hotel.heard(3).await;
    assert_in_order(&hotel.bus.ear, 3);
    let sql = "SELECT code, attempts FROM housekeeping.dead_letters";
    until("the third attempt was the last", async || !hotel.bus.hotel.behind.query(sql, &[]).await.unwrap().is_empty())
        .await;
    let letter = hotel.bus.hotel.behind.query_one(sql, &[]).await.unwrap();
    assert_eq!((letter.get(0), letter.get(1)), ("MELMASTOON.LISTENER.EVENT_ATTEMPTS_EXHAUSTED", 3));
    work.stops().await;
}

#[tokio::test]
async fn an_event_that_the_broker_refuses_is_set_aside_with_its_reason_and_holds_up_nobody() {
    let Some(hotel) = Through::open_with("max_payload: 4096").await else { return };
    hotel.bus.say("a", 1).await;
    let large = format!("{}{}", "a".repeat(8_000), "b");
    hotel.bus.say(&large, 2).await;
    hotel.bus.say("a", 3).await;
    assert_eq!(hotel.publish().await, 2);
    let work = hotel.work();
    hotel.heard(2).await;
    assert_eq!(hotel.bus.ear.numbers(), [1, 3]);
    let lying = set_aside(&hotel.bus.hotel.app.db).await.unwrap();
    assert_eq!(lying.len(), 1);
    assert!(lying[0].reason.contains("payload"), "{lying:?}");
    assert_eq!(hotel.bus.hotel.count("housekeeping.outbox WHERE published_at IS NULL").await, 1, "nothing is lost");
    assert_eq!(hotel.bus.hotel.count("bus.event_log").await, 3, "feed and boards have it, in its place");
    let sql = "SELECT (envelope->'payload'->>'n')::INT FROM bus.event_log ORDER BY log_offset";
    let logged: Vec<i32> = hotel.bus.hotel.behind.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect();
    assert_eq!(logged, [1, 2, 3]);

    // A bus that takes it publishes it after all.
    assert_eq!(hotel.bus.publish().await, 1);
    assert_eq!((hotel.bus.hotel.count("bus.event_log").await, hotel.bus.hotel.count("bus.logged_ahead").await), (3, 0));
    assert_eq!(hotel.bus.hear().await, 1, "and delivers it");
    assert!(set_aside(&hotel.bus.hotel.app.db).await.unwrap().is_empty());
    work.stops().await;
}

#[tokio::test]
async fn what_a_broker_refused_is_given_to_it_again_once_somebody_says_so() {
    let Some(mut hotel) = Through::open_with("max_payload: 4096").await else { return };
    let large = "a".repeat(8_000);
    hotel.bus.say(&large, 1).await;
    hotel.bus.say(&large, 2).await;
    assert_eq!(hotel.publish().await, 0);
    // Somebody raises the limit: nothing is tried by itself.
    hotel.server.kill();
    hotel.server.configure("max_payload: 1048576");
    hotel.server.start_again();
    until("the broker is back", async || hotel.nats.answers()).await;
    assert_eq!(hotel.publish().await, 0);
    let db = &hotel.bus.hotel.app.db;
    let lying = set_aside(db).await.unwrap();
    assert_eq!(lying.len(), 2);
    assert_eq!(retry_set_aside(db, Some("evt_NOBODYS")).await.unwrap(), 0);
    assert_eq!(retry_set_aside(db, Some(&lying[1].event_id)).await.unwrap(), 1);
    assert_eq!(hotel.publish().await, 1);
    assert_eq!(retry_set_aside(db, None).await.unwrap(), 1);
    assert_eq!(hotel.publish().await, 2);
    assert!(set_aside(db).await.unwrap().is_empty());
    let work = hotel.work();
    hotel.heard(2).await;
    work.stops().await;
}

#[tokio::test]
async fn a_message_as_large_as_the_broker_takes_ends_in_the_dead_letters_and_its_lane_goes_on() {
    let limit = 300_000;
    let Some(hotel) = Through::open_with(&format!("max_payload: {limit}")).await else { return };
    let jetstream = async_nats::jetstream::new(async_nats::connect(hotel.server.url()).await.unwrap());
    // Two of them into one lane, and one behind them that can be heard: the copy of a dead letter has headers besides.
    let key = format!("{}:a", hotel.bus.hotel.tenant);
    hotel.bus.say("a", 1).await;
    hotel.publish().await;
    let stream = jetstream.get_stream("MELMASTOON_HOUSEKEEPING").await.unwrap();
    let address = stream.get_raw_message(1).await.unwrap().subject;
    for _ in 0..2 {
        let sent = jetstream.publish(address.clone(), "x".repeat(limit).into()).await.unwrap();
        sent.await.unwrap();
    }
    hotel.bus.say("a", 2).await;
    hotel.publish().await;
    let work = hotel.work();
    hotel.heard(2).await;
    assert_eq!(hotel.bus.ear.numbers(), [1, 2], "{key}");
    assert_eq!(hotel.bus.hotel.count("housekeeping.dead_letters").await, 2, "each is filed once");
    let copies = jetstream.get_stream("MELMASTOON_DEAD_LETTERS").await.unwrap();
    assert_eq!(copies.cached_info().state.messages, 2, "and neither is taken for a repetition of the other");
    let copy = copies.get_raw_message(1).await.unwrap();
    assert_eq!(copy.payload.len(), 0);
    let header = copy.headers.get("Melmastoon-Payload-Left-Out").map(|value| value.as_str().to_owned());
    assert_eq!(header, Some(limit.to_string()));
    work.stops().await;
}

#[tokio::test]
async fn two_messages_that_cannot_be_read_are_two_letters_at_the_broker_too() {
    let Some(hotel) = Through::open().await else { return };
    let jetstream = async_nats::jetstream::new(async_nats::connect(hotel.server.url()).await.unwrap());
    for (lane, rubbish) in ["the guest has left", "the guest has left again"].into_iter().enumerate() {
        let address = format!("events.housekeeping.{lane}.{SUBJECT}");
        jetstream.publish(address, rubbish.into()).await.unwrap().await.unwrap();
    }
    let work = hotel.work();
    until("both are filed", async || hotel.bus.hotel.count("housekeeping.dead_letters").await == 2).await;
    let mut copies = jetstream.get_stream("MELMASTOON_DEAD_LETTERS").await.unwrap();
    let mut count = 0;
    let deadline = tokio::time::Instant::now() + SOON;
    while count < 2 && tokio::time::Instant::now() < deadline {
        count = copies.info().await.unwrap().state.messages;
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(count, 2);
    work.stops().await;
}

#[tokio::test]
async fn a_worker_of_an_older_release_leaves_to_the_newer_what_that_one_alone_listens_to() {
    let Some(hotel) = Through::open().await else { return };
    let bus = &hotel.bus;
    let newer = listening("listener", bus.subscription.schema, &[SUBJECT, OTHER], &bus.ear);
    register(&bus.hotel.app.db, std::slice::from_ref(&newer)).await.unwrap();
    let older = hotel.work();
    bus.say_in(&bus.hotel.behind, "housekeeping", OTHER, "a", 1).await;
    bus.say("b", 2).await;
    hotel.publish().await;
    hotel.heard(1).await;
    assert_eq!(bus.ear.numbers(), [2]);
    older.stops().await;
    assert_eq!(bus.hotel.count("housekeeping.dead_letters").await, 0);
    let work = hotel.work_for(newer);
    hotel.heard(2).await;
    assert_eq!(bus.ear.numbers(), [2, 1]);
    work.stops().await;
}

#[tokio::test]
async fn what_stands_at_the_server_is_made_once_and_drift_is_found_and_mended() {
    let Some(hotel) = Through::open().await else { return };
    let only = std::slice::from_ref(&hotel.bus.subscription);
    assert_eq!(hotel.nats.apply(only).await.unwrap(), Vec::<String>::new());
    assert_eq!(hotel.nats.drift(only).await.unwrap(), Vec::<String>::new());

    let jetstream = async_nats::jetstream::new(async_nats::connect(hotel.server.url()).await.unwrap());
    let stream = jetstream.get_stream("MELMASTOON_HOUSEKEEPING").await.unwrap();
    stream.delete_consumer("listener_3").await.unwrap();
    let mut config = stream.cached_info().config.clone();
    config.max_age = Duration::from_hours(1);
    jetstream.update_stream(&config).await.unwrap();
    let drift = hotel.nats.drift(only).await.unwrap();
    assert_eq!(drift.len(), 2, "{drift:?}");
    assert!(drift[0].contains("kept for 3600s instead of 604800s"), "{drift:?}");
    assert!(drift[1].contains("MELMASTOON_HOUSEKEEPING/listener_3: missing"), "{drift:?}");
    let remarks = hotel.nats.remarks(only).await.unwrap();
    assert_eq!(remarks, ["consumer MELMASTOON_HOUSEKEEPING/listener_3: missing: `melmastoon bus apply` makes it"]);
    assert_eq!(hotel.nats.lag(only).await.unwrap().len(), 1, "the others' numbers are told all the same");
    assert_eq!(hotel.nats.apply(only).await.unwrap().len(), 2);
    assert_eq!(hotel.nats.drift(only).await.unwrap(), Vec::<String>::new());
    let consumers: Vec<_> = stream.consumer_names().collect().await;
    assert_eq!(consumers.len(), 16);
}

#[tokio::test]
async fn a_server_that_encrypts_and_asks_for_a_password_is_reached_by_who_has_both() {
    let tls = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/process/tls");
    let lines = format!(
        "tls {{ cert_file: \"{0}/server.crt\", key_file: \"{0}/server.key\" }}
         authorization {{ user: hotel, password: chinar }}",
        tls.display()
    );
    let Some(server) = NatsServer::start_with(&lines) else { return };
    let to = |user: &str, root: Option<&str>| NatsOptions {
        servers: format!("tls://{user}@localhost:{}", server.port()),
        root_certificates: root.map(|name| tls.join(name)),
        ..NatsOptions::default()
    };
    let nats = Nats::connect(&to("hotel:chinar", Some("root.crt"))).await.unwrap();
    until("it is reached", async || nats.answers()).await;
    assert!(!nats.apply(&[]).await.unwrap().is_empty());
    for wrong in [to("hotel:chinar", Some("other.crt")), to("hotel:guess", Some("root.crt"))] {
        let nats = Nats::connect(&wrong).await.unwrap();
        assert!(nats.publish(&[event(1)]).await.is_err(), "{wrong:?}");
        assert!(!nats.answers());
    }
}

fn event(n: i32) -> platform::bus::Outgoing {
    platform::bus::Outgoing {
        event_id: format!("evt_{n}"),
        subject: SUBJECT.to_owned(),
        ordering_key: "tnt_A:a".to_owned(),
        listeners: Vec::new(),
        again: None,
        envelope: "{}".to_owned(),
    }
}

#[tokio::test]
async fn a_hotel_opens_without_its_broker_and_says_that_it_is_away() {
    let nats = Nats::connect(&NatsOptions { servers: "nats://127.0.0.1:1".to_owned(), ..NatsOptions::default() })
        .await
        .unwrap();
    assert!(!nats.answers());
    assert!(matches!(nats.publish(&[event(1)]).await, Err(platform::bus::BrokerError::Away(_))));
}

#[tokio::test]
async fn what_a_stranger_publishes_under_the_short_name_of_a_context_is_heard_under_its_long_one() {
    let Some(hotel) = Through::open().await else { return };
    let listener =
        listening("listener", hotel.bus.subscription.schema, &[HousekeepingRoutingV1::SUBJECT], &hotel.bus.ear);
    let work = hotel.work_for(listener);
    let jetstream = async_nats::jetstream::new(async_nats::connect(hotel.server.url()).await.unwrap());
    let short = HousekeepingRoutingV1::SUBJECT.replace("melmastoon.ai_orchestrator.", "melmastoon.ai.");
    assert_ne!(short, HousekeepingRoutingV1::SUBJECT);
    for (n, subject) in [(1, short.as_str()), (2, HousekeepingRoutingV1::SUBJECT)] {
        let event = hotel.bus.hotel.happening("nothing.yet.told.v1", &json!({ "key": "a", "n": n }));
        let event = event.with("/subject", json!(subject));
        let sent = jetstream.publish(format!("events.others.3.{subject}"), event.envelope.to_string().into()).await;
        sent.unwrap().await.unwrap();
    }
    hotel.heard(2).await;
    assert_eq!(hotel.bus.ear.numbers(), [1, 2]);
    work.stops().await;
}

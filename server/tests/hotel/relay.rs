//! What is committed is published: once, in order, whoever else is at it and whatever breaks.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join};
use housekeeping::SCHEMA;
use platform::Fault;
use platform::bus::{Broker, BrokerError, Outgoing, Relay};
use tokio::sync::watch;

use crate::listener::{Bus, ELSEWHERE, SUBJECT, open_elsewhere};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mood {
    Takes,
    Refuses,
    /// Takes the batch, and the answer is lost on the way.
    Mumbles,
}

/// A broker whose mood a test sets.
struct MoodyBroker {
    mood: Mutex<Mood>,
    taken: Mutex<Vec<Outgoing>>,
}

impl MoodyBroker {
    fn new(mood: Mood) -> Arc<Self> {
        Arc::new(Self { mood: Mutex::new(mood), taken: Mutex::default() })
    }

    fn becomes(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    fn taken(&self) -> Vec<Outgoing> {
        self.taken.lock().unwrap().clone()
    }
}

impl Broker for MoodyBroker {
    fn publish<'a>(&'a self, batch: &'a [Outgoing]) -> BoxFuture<'a, Result<(), BrokerError>> {
        let mood = *self.mood.lock().unwrap();
        if mood != Mood::Refuses {
            self.taken.lock().unwrap().extend_from_slice(batch);
        }
        let answer = if mood == Mood::Takes { Ok(()) } else { Err(BrokerError::Away("away".to_owned())) };
        async move { answer }.boxed()
    }
}

#[tokio::test]
async fn two_relays_at_once_publish_each_event_once_and_in_order() {
    let bus = Bus::open().await;
    let many = "INSERT INTO housekeeping.outbox (event_id, tenant_id, subject, payload, envelope_meta, ordering_key)
                SELECT 'evt_' || n, $1::TEXT, 'melmastoon.housekeeping.task.created.v1', jsonb_build_object('key', n % 7, 'n', n),
                       jsonb_build_object('id', 'evt_' || n, 'tenantId', $1), $1 || ':' || n % 7
                FROM generate_series(1, 2500) n ORDER BY n";
    bus.hotel.behind.execute(many, &[&bus.hotel.tenant.as_str()]).await.unwrap();
    let other = bus.another_relay();
    let (mut published, mut rounds) = (0, 0);
    while published < 2_500 {
        let (first, second) = join(bus.relay.drain(), other.drain()).await;
        published += first.unwrap() + second.unwrap();
        rounds += 1;
        assert!(rounds < 50, "{published} were published");
    }
    assert_eq!(published, 2_500);
    let log = bus.hotel.behind.query("SELECT event_id FROM bus.event_log ORDER BY log_offset", &[]).await.unwrap();
    let logged: Vec<String> = log.iter().map(|row| row.get(0)).collect();
    let expected: Vec<String> = (1..=2_500).map(|n| format!("evt_{n}")).collect();
    assert_eq!(logged, expected);
    assert_eq!(bus.hotel.count("housekeeping.outbox WHERE published_at IS NULL").await, 0);
    assert_eq!(bus.publish().await, 0);
}

#[tokio::test]
async fn a_relay_waits_while_another_one_holds_the_lock() {
    let bus = Bus::open().await;
    bus.say("a", 1).await;
    let mut other = bus.hotel.database_connection().await;
    let held = other.transaction().await.unwrap();
    held.execute("SELECT pg_advisory_xact_lock(7310579002)", &[]).await.unwrap();
    assert_eq!(bus.publish().await, 0);
    assert_eq!(bus.feed(0, 50).await.0, Vec::<i64>::new());
    held.rollback().await.unwrap();
    assert_eq!(bus.publish().await, 1);
}

#[tokio::test]
async fn an_event_that_commits_late_is_published_late_and_never_skipped() {
    let bus = Bus::open().await;
    let mut slow = bus.hotel.database_connection().await;
    slow.batch_execute("BEGIN").await.unwrap();
    bus.say_by(&slow, "a", 1).await; // the lower id, not committed yet
    bus.say("b", 2).await;
    bus.publish().await;
    let (first, after) = bus.feed(0, 50).await;
    assert_eq!(first, [2]);

    slow.batch_execute("COMMIT").await.unwrap();
    bus.publish().await;
    let (second, end) = bus.feed(after, 50).await;
    assert_eq!(second, [1], "a reader who has gone on still gets it");
    assert_eq!(bus.feed(end, 50).await.0, Vec::<i64>::new());
    drop(slow.transaction().await);
}

#[tokio::test]
async fn the_feed_never_skips_or_repeats_while_events_come_in() {
    let bus = Bus::open().await;
    let (mut seen, mut after) = (Vec::new(), 0);
    for n in 1..=30 {
        bus.say(if n % 2 == 0 { "a" } else { "b" }, n).await;
        if n % 3 == 0 {
            bus.publish().await;
        }
        let (numbers, next) = bus.feed(after, 2).await;
        seen.extend(numbers);
        after = next;
    }
    loop {
        let (numbers, next) = bus.feed(after, 4).await;
        if numbers.is_empty() {
            break;
        }
        seen.extend(numbers);
        after = next;
    }
    assert_eq!(seen, (1..=30).collect::<Vec<i64>>());
}

#[tokio::test]
async fn the_feed_is_narrowed_by_subject() {
    let bus = Bus::open().await;
    let room = bus.hotel.ready_room("101").await;
    bus.hotel.deliver(&bus.hotel.checked_out(&room)).await;
    bus.publish().await;
    let subjects = async |wanted: &str| {
        let page = bus.hotel.get(&bus.hotel.service(), &format!("/events/v1/feed?subjects={wanted}")).await.done();
        page["items"].as_array().unwrap().len()
    };
    assert_eq!(subjects("melmastoon.housekeeping.task.created.v1").await, 1);
    assert_eq!(
        subjects("melmastoon.housekeeping.task.created.v1,melmastoon.housekeeping.room.status_changed.v1").await,
        2
    );
    assert_eq!(subjects("melmastoon.housekeeping.task.started.v1").await, 0);
    for pattern in
        ["melmastoon.housekeeping.task.*", "melmastoon.%3E", "*", "melmastoon.housekeeping.task.created.v1;x"]
    {
        let asked = format!("/events/v1/feed?subjects={pattern}");
        let answer = bus.hotel.get(&bus.hotel.service(), &asked).await;
        answer.refused(400, "MELMASTOON.EVENTS.INVALID_VALUE").naming("subjects");
    }
}

#[tokio::test]
async fn a_broker_that_is_away_loses_nothing_and_holds_nobody_up() {
    let bus = Bus::open().await;
    let broker = MoodyBroker::new(Mood::Refuses);
    let relay = bus.another_relay().through(broker.clone());
    for n in 1..=5 {
        bus.say("a", n).await;
        assert!(matches!(relay.drain().await, Err(Fault::Elsewhere { .. })));
    }
    assert_eq!(bus.hotel.count("housekeeping.outbox WHERE published_at IS NULL").await, 5);
    assert_eq!(bus.hotel.count("bus.event_log").await, 5, "feed, live boards and webhooks need no broker");
    let room = bus.hotel.ready_room("101").await;
    bus.hotel.deliver(&bus.hotel.checked_out(&room)).await;
    assert_eq!(bus.hotel.board().await.room("101").status, "dirty", "REST and push go on");

    broker.becomes(Mood::Takes);
    assert_eq!(relay.drain().await.unwrap(), 7);
    assert_eq!(relay.drain().await.unwrap(), 0);
    let numbers: Vec<_> = broker.taken().iter().filter(|one| one.ordering_key.ends_with(":a")).map(number_of).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    assert_eq!(broker.taken().len(), 7);
    assert_eq!(bus.hotel.count("bus.deliveries").await, 0, "the broker's consumers take the worker's place");
    assert_eq!(bus.hotel.count("bus.event_log").await, 7, "the feed is served all the same");
    assert_eq!(bus.hotel.count("bus.logged_ahead").await, 0);
}

fn number_of(event: &Outgoing) -> i64 {
    let envelope: serde_json::Value = serde_json::from_str(&event.envelope).unwrap();
    envelope["payload"]["n"].as_i64().unwrap()
}

#[tokio::test]
async fn a_lost_answer_of_the_broker_publishes_again_under_the_same_event_ids() {
    let bus = Bus::open().await;
    let broker = MoodyBroker::new(Mood::Mumbles);
    let relay = bus.another_relay().through(broker.clone());
    bus.say("a", 1).await;
    bus.say("a", 2).await;
    assert!(relay.drain().await.is_err());
    broker.becomes(Mood::Takes);
    assert_eq!(relay.drain().await.unwrap(), 2);
    let ids: Vec<_> = broker.taken().iter().map(|one| one.event_id.clone()).collect();
    assert_eq!(ids[..2], ids[2..], "consumers drop what they have seen");
    assert_eq!(bus.hotel.count("bus.event_log").await, 2);
}

#[tokio::test]
async fn relay_and_worker_are_woken_by_a_commit_and_need_not_look_by_themselves() {
    let bus = Bus::open().await;
    let (stop, stopped) = watch::channel(false);
    let never = Duration::from_hours(1);
    let story = async {
        let mut news = bus.relay.news();
        let room = bus.hotel.ready_room("101").await;
        let departure = bus.hotel.checked_out(&room);
        bus.hotel.deliver(&departure).await;
        let told = tokio::time::timeout(Duration::from_secs(20), news.changed()).await;
        told.expect("nobody was woken").unwrap();
        assert_eq!(bus.hotel.count("bus.event_log").await, 2);
        stop.send(true).unwrap();
    };
    join(bus.relay.run(stopped, never), story).await;
}

#[tokio::test]
async fn what_is_committed_while_stopping_still_goes_out() {
    let bus = Bus::open().await;
    let (stop, stopped) = watch::channel(false);
    bus.say("a", 1).await;
    stop.send(true).unwrap();
    bus.relay.run(stopped, Duration::from_hours(1)).await;
    assert_eq!(bus.hotel.count("bus.event_log").await, 1);
}

/// A relay of two contexts' outboxes, the one elsewhere first.
async fn relay_of_two(bus: &Bus) -> Relay {
    open_elsewhere(&bus.hotel.behind).await;
    Relay::new(bus.hotel.app.db.clone(), vec![&ELSEWHERE, &SCHEMA])
}

#[tokio::test]
async fn an_outbox_that_cannot_be_published_holds_up_no_other() {
    let bus = Bus::open().await;
    let relay = relay_of_two(&bus).await;
    bus.say_in(&bus.hotel.behind, "elsewhere", SUBJECT, "a", 1).await;
    // Poisoned: no relay can mark what it has published there.
    let poison = "ALTER TABLE elsewhere.outbox ADD CONSTRAINT poison CHECK (published_at IS NULL)";
    bus.hotel.behind.batch_execute(poison).await.unwrap();
    bus.say("b", 2).await;
    assert!(relay.drain().await.is_err(), "it is told");
    assert_eq!(bus.feed(0, 50).await.0, [2], "and the other is published");

    // By itself as well: while the one is poisoned the other's news go out as they come.
    let (stop, stopped) = watch::channel(false);
    let story = async {
        let mut news = relay.news();
        for n in 3..=5 {
            bus.say("b", n).await;
            bus.hotel.app.db.committed().notify_one();
            let told = tokio::time::timeout(Duration::from_secs(20), news.changed()).await;
            told.expect("the other outbox is held up").unwrap();
        }
        let heal = "ALTER TABLE elsewhere.outbox DROP CONSTRAINT poison";
        bus.hotel.behind.batch_execute(heal).await.unwrap();
        let told = tokio::time::timeout(Duration::from_secs(20), news.changed()).await;
        told.expect("nobody looks at it any more").unwrap();
        stop.send(true).unwrap();
    };
    join(relay.run(stopped, Duration::from_millis(50)), story).await;
    assert_eq!(bus.feed(0, 50).await.0, [2, 3, 4, 5, 1], "and what was held up goes out once it can");
}

#[tokio::test]
async fn an_outbox_that_is_locked_holds_up_the_others_for_a_moment_only() {
    let bus = Bus::open().await;
    let relay = relay_of_two(&bus).await;
    let mut other = bus.hotel.database_connection().await;
    let migration = other.transaction().await.unwrap();
    migration.batch_execute("LOCK TABLE elsewhere.outbox IN ACCESS EXCLUSIVE MODE").await.unwrap();
    bus.say("b", 1).await;
    assert!(matches!(relay.drain().await, Err(Fault::Exhausted)));
    assert_eq!(bus.feed(0, 50).await.0, [1]);
    migration.rollback().await.unwrap();
}

#[tokio::test]
async fn a_flood_in_one_outbox_delays_the_others_by_a_batch_at_most() {
    let bus = Bus::open().await;
    let relay = relay_of_two(&bus).await;
    let flood = "INSERT INTO elsewhere.outbox (event_id, tenant_id, subject, payload, envelope_meta, ordering_key)
                 SELECT 'evt_' || n, $1::TEXT, 'melmastoon.housekeeping.task.created.v1', jsonb_build_object('n', n),
                        jsonb_build_object('id', 'evt_' || n), $1 || ':' || n % 7
                 FROM generate_series(1, 2500) n ORDER BY n";
    bus.hotel.behind.execute(flood, &[&bus.hotel.tenant.as_str()]).await.unwrap();
    bus.say("b", 7).await;
    assert_eq!(relay.drain().await.unwrap(), 2_501);
    let before = "SELECT count(*) FROM bus.event_log WHERE log_offset <
                  (SELECT log_offset FROM bus.event_log WHERE ordering_key LIKE '%:b')";
    let ahead: i64 = bus.hotel.behind.query_one(before, &[]).await.unwrap().get(0);
    assert_eq!(ahead, 1_000);
}

#[tokio::test]
async fn what_is_a_contexts_own_business_reaches_no_broker_and_no_subscription() {
    let bus = Bus::open().await;
    let broker = MoodyBroker::new(Mood::Takes);
    let relay = bus.another_relay().through(broker.clone());
    bus.say_in(&bus.hotel.behind, "housekeeping", "internal.housekeeping.board", "a", 1).await;
    bus.say("a", 2).await;
    relay.drain().await.unwrap();
    assert_eq!(broker.taken().iter().map(number_of).collect::<Vec<_>>(), [2]);
    assert_eq!(bus.hotel.count("housekeeping.outbox WHERE published_at IS NULL").await, 0);
}

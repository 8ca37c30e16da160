//! Through Google's emulator while connections break and workers die: nothing is lost, nothing has its effect twice.

use std::sync::Arc;
use std::time::Duration;

use platform::Fault;
use platform::bus::{Broker, BrokerError, Relay};

use crate::listener::{SUBJECT, Trouble};
use crate::nats::{AtWork, assert_in_order, until};
use crate::proxy::{Mood, Proxy};
use crate::pubsub::{Through, connected, event};

/// Relay and worker behind a proxy that can be told to misbehave.
struct Behind {
    hotel: Through,
    proxy: Proxy,
    relay: Relay,
    bus: Arc<dyn Broker>,
}

impl Behind {
    async fn open() -> Option<Self> {
        let hotel = Through::open().await?;
        let proxy = Proxy::before(hotel.emulator.port());
        let bus: Arc<dyn Broker> = Arc::new(connected(&format!("127.0.0.1:{}", proxy.port()), &hotel.project).await);
        let relay = hotel.bus.another_relay().through(Arc::clone(&bus));
        Some(Self { hotel, proxy, relay, bus })
    }

    fn work(&self) -> AtWork {
        let subscription = self.hotel.bus.subscription.clone();
        AtWork::begin(Arc::clone(&self.bus), self.hotel.bus.hotel.app.db.clone(), vec![subscription])
    }

    async fn say(&self, numbers: std::ops::RangeInclusive<i32>) {
        for n in numbers {
            self.hotel.bus.say(&format!("key{}", n % 7), n).await;
        }
    }

    async fn publish(&self) {
        until("everything is published", async || self.relay.drain().await.is_ok()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_break_are_made_again_and_nothing_is_lost_or_out_of_order() {
    let Some(behind) = Behind::open().await else { return };
    let work = behind.work();
    behind.say(1..=20).await;
    behind.publish().await;
    behind.hotel.heard(20).await;
    behind.proxy.cuts();
    behind.say(21..=40).await;
    behind.publish().await;
    until("the worker is there again", async || behind.bus.answers()).await;
    behind.hotel.forgets_streams_without_a_connection().await;
    // What was handed to a connection that broke comes again when Google has waited for its answer, ten seconds at the least.
    behind.hotel.heard(40).await;
    assert_in_order(&behind.hotel.bus.ear, 40);
    work.stops().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_leads_nowhere_is_noticed_replaced_and_rest_goes_on_meanwhile() {
    let Some(behind) = Behind::open().await else { return };
    let work = behind.work();
    behind.say(1..=20).await;
    behind.publish().await;
    behind.hotel.heard(20).await;
    until("it is reached", async || behind.bus.answers()).await;

    // Half-open: nobody is told that nobody is there any more.
    behind.proxy.becomes(Mood::HoldsStill);
    behind.say(21..=40).await;
    assert!(matches!(behind.relay.drain().await, Err(Fault::Elsewhere { .. })), "it is told");
    assert!(!behind.bus.answers());
    let room = behind.hotel.bus.hotel.ready_room("101").await;
    behind.hotel.bus.hotel.deliver(&behind.hotel.bus.hotel.checked_out(&room)).await;
    assert_eq!(behind.hotel.bus.hotel.board().await.room("101").status, "dirty", "REST and push go on");

    behind.proxy.becomes(Mood::Passes);
    behind.publish().await;
    until("it is reached again", async || behind.bus.answers()).await;
    behind.hotel.heard(40).await;
    let told = behind.hotel.bus.ear.heard();
    assert_eq!(told.iter().filter(|said| said.key.starts_with("key")).count(), 40);
    assert_in_order(&behind.hotel.bus.ear, told.len());
    work.stops().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_are_lost_lead_to_repetitions_that_nobody_hears() {
    let Some(behind) = Behind::open().await else { return };
    behind.say(1..=10).await;
    behind.proxy.becomes(Mood::SwallowsAnswers);
    assert!(matches!(behind.relay.drain().await, Err(Fault::Elsewhere { .. })));
    behind.proxy.becomes(Mood::Passes);
    behind.proxy.cuts();
    behind.say(11..=20).await;
    behind.publish().await;
    let work = behind.work();
    behind.hotel.heard(20).await;
    assert_in_order(&behind.hotel.bus.ear, 20);
    work.stops().await;
}

/// A process that is killed: its runtime is gone, with everything that would have said farewell.
#[test]
fn a_worker_that_dies_before_its_answer_leaves_the_event_to_another_in_its_order() {
    let outside = tokio::runtime::Runtime::new().unwrap();
    let dying = tokio::runtime::Runtime::new().unwrap();
    let Some(hotel) = outside.block_on(Through::open()) else { return };
    outside.block_on(async {
        hotel.bus.ear.will_have(1, Trouble::Waits, 1);
        for n in 1..=3 {
            hotel.bus.say("a", n).await;
        }
        hotel.publish().await;
    });
    let (host, project) = (hotel.emulator.host().to_owned(), hotel.project.clone());
    let (db, subscription) = (hotel.bus.hotel.second_process().db.clone(), hotel.bus.subscription.clone());
    dying.spawn(async move {
        let bus = connected(&host, &project).await;
        let (_never, stop) = tokio::sync::watch::channel(false);
        bus.deliver(&db, &[subscription], stop).await;
    });
    outside.block_on(until("the first is at it", async || !hotel.bus.ear.is_in_trouble(1)));
    dying.shutdown_background();
    outside.block_on(async {
        let second = hotel.work();
        hotel.heard(3).await;
        assert_eq!(hotel.bus.ear.numbers(), [1, 2, 3]);
        second.stops().await;
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_stops_hands_back_what_it_has_not_settled_and_another_takes_it_in_its_order() {
    let Some(hotel) = Through::open().await else { return };
    hotel.bus.ear.will_fail(1, 1);
    for n in 1..=3 {
        hotel.bus.say("a", n).await;
    }
    hotel.publish().await;
    // It waits ten seconds before it tries again, with the message in its hands.
    let first = hotel.work();
    until("the first has tried", async || !hotel.bus.ear.is_in_trouble(1)).await;
    first.stops().await;
    let second = hotel.work();
    hotel.heard(3).await;
    assert_eq!(hotel.bus.ear.numbers(), [1, 2, 3]);
    second.stops().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_story_that_is_slower_than_google_waits_is_not_run_twice() {
    let Some(hotel) = Through::open().await else { return };
    hotel.bus.ear.will_have(1, Trouble::Waits, 1);
    hotel.bus.say("a", 1).await;
    hotel.bus.say("a", 2).await;
    hotel.publish().await;
    let (one, other) = (hotel.work(), hotel.work());
    until("somebody is at it", async || !hotel.bus.ear.is_in_trouble(1)).await;
    // Longer than Google waits for an answer, which is ten seconds at the least: a sign of life keeps the message where it is.
    tokio::time::sleep(Duration::from_secs(13)).await;
    assert_eq!(hotel.bus.ear.numbers(), Vec::<i32>::new(), "the other one has not been given it");
    hotel.bus.ear.open_the_door();
    hotel.heard(2).await;
    assert_eq!(hotel.bus.ear.numbers(), [1, 2]);
    one.stops().await;
    other.stops().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_away_counts_as_no_attempt() {
    let Some(hotel) = Through::open().await else { return };
    hotel.bus.ear.will_have(1, Trouble::IsAway, 6);
    hotel.bus.say("a", 1).await;
    hotel.publish().await;
    let work = hotel.work();
    hotel.heard(1).await;
    assert_eq!(hotel.bus.hotel.count("housekeeping.dead_letters").await, 0);
    work.stops().await;
}

/// As two relays would, the second of which knows nothing of the first.
#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_is_published_again_by_another_relay_is_heard_once_and_in_order() {
    let Some(hotel) = Through::open().await else { return };
    for n in 1..=120 {
        hotel.bus.say(&format!("key{}", n % 11), n).await;
    }
    hotel.publish().await;
    let forget = "UPDATE housekeeping.outbox SET published_at = NULL WHERE (payload->>'n')::INT > 40";
    hotel.bus.hotel.behind.batch_execute(forget).await.unwrap();
    for n in 121..=160 {
        hotel.bus.say(&format!("key{}", n % 11), n).await;
    }
    let other = Arc::new(connected(hotel.emulator.host(), &hotel.project).await);
    let relay: Relay = hotel.bus.another_relay().through(other);
    until("the other relay has published", async || relay.drain().await.is_ok()).await;
    let work = hotel.work();
    hotel.heard(160).await;
    assert_in_order(&hotel.bus.ear, 160);
    work.stops().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_failed_goes_on_when_the_broker_is_back() {
    let Some(behind) = Behind::open().await else { return };
    behind.proxy.becomes(Mood::HoldsStill);
    let failed = behind.bus.publish(&[event(1, SUBJECT, "tnt_A:a"), event(2, SUBJECT, "tnt_A:a")]).await;
    assert!(matches!(failed, Err(BrokerError::Away(_))), "{failed:?}");
    behind.proxy.becomes(Mood::Passes);
    let batch = [event(1, SUBJECT, "tnt_A:a"), event(2, SUBJECT, "tnt_A:a"), event(3, SUBJECT, "tnt_A:a")];
    until("the same key is published", async || behind.bus.publish(&batch).await.is_ok()).await;
    let mut ids = behind.hotel.published(3).await;
    ids.dedup();
    // What was on its way when nobody answered may have come as well: in front, and known to every inbox.
    assert_eq!(ids[ids.len() - 3..], ["evt_1", "evt_2", "evt_3"], "{ids:?}");
}

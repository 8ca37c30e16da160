//! Through a real NATS server that is killed, and workers that are: nothing is lost, nothing has its effect twice.

use std::time::Duration;

use platform::Fault;
use platform::bus::{Broker, Relay};

use crate::listener::Trouble;
use crate::nats::{Through, assert_in_order, connected, until};

#[tokio::test]
async fn a_broker_that_is_killed_and_started_again_loses_nothing_and_rest_goes_on_meanwhile() {
    let Some(mut hotel) = Through::open().await else { return };
    let work = hotel.work();
    for n in 1..=50 {
        hotel.bus.say(&format!("key{}", n % 7), n).await;
    }
    hotel.publish().await;
    hotel.heard(50).await;

    hotel.server.kill();
    for n in 51..=100 {
        hotel.bus.say(&format!("key{}", n % 7), n).await;
    }
    assert!(matches!(hotel.relay.drain().await, Err(Fault::Unavailable(_))), "it is told");
    assert!(!hotel.nats.answers());
    let room = hotel.bus.hotel.ready_room("101").await;
    hotel.bus.hotel.deliver(&hotel.bus.hotel.checked_out(&room)).await;
    assert_eq!(hotel.bus.hotel.board().await.room("101").status, "dirty", "REST and push go on");

    hotel.server.start_again();
    hotel.publish().await;
    hotel.heard(100).await;
    let told = hotel.bus.ear.heard();
    assert_eq!(told.iter().filter(|said| said.key.starts_with("key")).count(), 100);
    assert_in_order(&hotel.bus.ear, told.len());
    work.stops().await;
}

#[tokio::test]
async fn a_worker_that_dies_before_its_answer_leaves_the_event_to_another_in_its_order() {
    let Some(hotel) = Through::open().await else { return };
    hotel.bus.ear.will_have(1, Trouble::Waits, 1);
    for n in 1..=3 {
        hotel.bus.say("a", n).await;
    }
    hotel.publish().await;
    let first = hotel.work();
    until("the first is at it", async || !hotel.bus.ear.is_in_trouble(1)).await;
    first.cut_off();
    let second = hotel.work();
    hotel.heard(3).await;
    assert_eq!(hotel.bus.ear.numbers(), [1, 2, 3]);
    second.stops().await;
}

#[tokio::test]
async fn a_story_that_is_slower_than_the_server_waits_is_not_run_twice() {
    let Some(hotel) = Through::open().await else { return };
    hotel.bus.ear.will_have(1, Trouble::Waits, 1);
    hotel.bus.say("a", 1).await;
    hotel.bus.say("a", 2).await;
    hotel.publish().await;
    let (one, other) = (hotel.work(), hotel.work());
    until("somebody is at it", async || !hotel.bus.ear.is_in_trouble(1)).await;
    // Longer than the server waits for an answer: a sign of life keeps the message with whoever has it.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(hotel.bus.ear.numbers(), Vec::<i32>::new(), "the other one has not been given it");
    hotel.bus.ear.open_the_door();
    hotel.heard(2).await;
    assert_eq!(hotel.bus.ear.numbers(), [1, 2]);
    one.stops().await;
    other.stops().await;
}

#[tokio::test]
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

/// The answer of the broker is lost after it took the batch, so the relay publishes everything again: by two connections, as two
/// relays would, the second of which knows nothing of the first.
#[tokio::test]
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
    let other = std::sync::Arc::new(connected(&hotel.server).await);
    let relay: Relay = hotel.bus.another_relay().through(other);
    until("the other relay has published", async || relay.drain().await.is_ok()).await;
    let work = hotel.work();
    hotel.heard(160).await;
    assert_in_order(&hotel.bus.ear, 160);
    work.stops().await;
}

//! Through a real NATS server that is killed, and workers that are: nothing is lost, nothing has its effect twice.

use std::time::Duration;

use platform::Fault;
use platform::bus::{Broker, Nats, NatsOptions, Relay};

use crate::listener::Trouble;
use crate::live_stream::Live;
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
    assert!(matches!(hotel.relay.drain().await, Err(Fault::Elsewhere { .. })), "it is told");
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

#[tokio::test]
async fn a_live_board_goes_on_while_the_broker_is_away_and_the_broker_hears_it_later() {
    let Some(mut hotel) = Through::open().await else { return };
    let room = hotel.bus.hotel.ready_room("101").await;
    hotel.publish().await;
    let mut live = Live::open(&hotel.bus.hotel, None).await;
    assert_eq!(live.next().await.unwrap().event, "board");
    hotel.server.kill();
    until("it is noticed", async || !hotel.nats.answers()).await;
    hotel.bus.hotel.deliver(&hotel.bus.hotel.checked_out(&room)).await;
    assert!(matches!(hotel.relay.drain().await, Err(Fault::Elsewhere { .. })));
    let seen = loop {
        let message = live.next().await.unwrap();
        if !message.is_touch() {
            break message;
        }
    };
    assert_eq!(seen.event, "change");
    let waiting = hotel.bus.hotel.count("housekeeping.outbox WHERE published_at IS NULL").await;
    assert!(waiting > 0, "the broker has still to take them");
    let logged = hotel.bus.hotel.count("bus.event_log").await;

    hotel.server.start_again();
    hotel.publish().await;
    assert_eq!(hotel.bus.hotel.count("housekeeping.outbox WHERE published_at IS NULL").await, 0);
    assert_eq!(hotel.bus.hotel.count("bus.event_log").await, logged, "each is in the log once");
    assert_eq!(hotel.bus.hotel.count("bus.logged_ahead").await, 0);
}

#[tokio::test]
async fn a_broker_that_comes_back_empty_is_set_up_anew_and_what_it_had_lost_is_heard_in_its_order() {
    let Some(mut hotel) = Through::open().await else { return };
    let say = async |from: i32, to: i32| {
        for n in from..=to {
            hotel.bus.say(&format!("key{}", n % 3), n).await;
        }
    };
    say(1, 20).await;
    hotel.publish().await;
    let work = hotel.work();
    hotel.heard(20).await;
    work.stops().await;
    // At the broker, and nobody has heard it yet.
    say(21, 30).await;
    hotel.publish().await;
    hotel.server.kill();
    say(31, 40).await;
    hotel.server.start_empty();
    hotel.publish().await;
    let work = hotel.work();
    hotel.heard(40).await;
    assert_in_order(&hotel.bus.ear, 40);

    // The same under a worker that is listening.
    hotel.server.kill();
    hotel.server.start_empty();
    hotel.bus.say("key1", 41).await;
    hotel.publish().await;
    hotel.heard(41).await;
    assert_in_order(&hotel.bus.ear, 41);
    let only = std::slice::from_ref(&hotel.bus.subscription);
    assert_eq!(hotel.nats.drift(only).await.unwrap(), Vec::<String>::new());
    work.stops().await;
}

#[tokio::test]
async fn a_worker_whose_consumers_were_removed_makes_them_anew_and_goes_on() {
    let Some(hotel) = Through::open().await else { return };
    let work = hotel.work();
    hotel.bus.say("a", 1).await;
    hotel.publish().await;
    hotel.heard(1).await;
    let client = async_nats::connect(hotel.server.url()).await.unwrap();
    let stream = async_nats::jetstream::new(client).get_stream("MELMASTOON_HOUSEKEEPING").await.unwrap();
    for partition in 0..platform::bus::NATS_PARTITIONS {
        stream.delete_consumer(&format!("listener_{partition}")).await.unwrap();
    }
    hotel.bus.say("a", 2).await;
    hotel.publish().await;
    hotel.heard(2).await;
    assert_in_order(&hotel.bus.ear, 2);
    work.stops().await;
}

#[tokio::test]
async fn who_is_not_let_in_by_the_broker_hears_why_and_a_token_in_the_address_lets_in() {
    let Some(server) = test_hotel::NatsServer::start_with("authorization { token: chinar }") else { return };
    let connect = async |account: &str| {
        let servers = server.url().replace("nats://", &format!("nats://{account}"));
        Nats::connect(&NatsOptions { servers, ..NatsOptions::default() }).await.unwrap()
    };
    let stranger = connect("").await;
    until("it is said", async || {
        stranger.drift(&[]).await.is_err_and(|error| error.to_string().contains("authorization violation"))
    })
    .await;
    let guest = connect("chinar@").await;
    until("it is let in", async || guest.answers()).await;
    assert!(!guest.apply(&[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_stream_of_dead_letters_that_was_removed_is_made_anew_and_holds_up_no_lane() {
    let Some(hotel) = Through::open().await else { return };
    let jetstream = async_nats::jetstream::new(async_nats::connect(hotel.server.url()).await.unwrap());
    hotel.bus.ear.will_never_take(1);
    let work = hotel.work();
    hotel.bus.say("a", 0).await;
    hotel.publish().await;
    hotel.heard(1).await;
    jetstream.delete_stream("MELMASTOON_DEAD_LETTERS").await.unwrap();
    hotel.bus.say("a", 1).await;
    hotel.bus.say("a", 2).await;
    hotel.publish().await;
    hotel.heard(2).await;
    assert_eq!(hotel.bus.ear.numbers(), [0, 2]);
    let copies = jetstream.get_stream("MELMASTOON_DEAD_LETTERS").await.unwrap();
    assert_eq!(copies.cached_info().state.messages, 1, "the copy is there as well");
    work.stops().await;
}

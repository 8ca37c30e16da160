//! What comes again and is dropped is counted, whichever way it came.

use platform::bus::{Again, Broker, republish};

use crate::listener::Bus;
use crate::nats::{Through, until};
use crate::test_hotel::TestHotel;

/// Events that a subscription had already when they came.
fn absorbed(hotel: &TestHotel, subscription: &str) -> Option<u64> {
    let series = format!("melmastoon_events_duplicate_total{{subscription=\"{subscription}\"}} ");
    let metrics = hotel.app.metrics.render();
    metrics.lines().find_map(|line| line.strip_prefix(series.as_str())).map(|count| count.parse().unwrap())
}

fn everything(hotel: &TestHotel) -> Again {
    Again { since: hotel.now().plus_seconds(-60), subject: None, tenant: None }
}

#[tokio::test]
async fn a_push_that_is_repeated_is_counted_for_who_had_it() {
    let hotel = TestHotel::open().await;
    for subscription in &hotel.app.subscriptions {
        assert_eq!(absorbed(&hotel, subscription.name), Some(0), "there from the beginning");
    }
    let room = hotel.ready_room("101").await;
    let departure = hotel.checked_out(&room);
    hotel.deliver(&departure).await;
    assert_eq!(absorbed(&hotel, "housekeeping"), Some(0));
    for _ in 0..3 {
        hotel.deliver(&departure).await;
    }
    assert_eq!(absorbed(&hotel, "housekeeping"), Some(3));
}

#[tokio::test]
async fn what_the_embedded_bus_delivers_again_is_counted() {
    let bus = Bus::open().await;
    for n in 1..=5 {
        bus.say("a", n).await;
    }
    bus.publish().await;
    bus.hear().await;
    assert_eq!(absorbed(&bus.hotel, "listener"), None);
    republish(&bus.hotel.app.db, None, &everything(&bus.hotel), |_, _| {}).await.unwrap();
    bus.hear().await;
    assert_eq!(absorbed(&bus.hotel, "listener"), Some(5));
    assert_eq!(bus.ear.numbers(), [1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn what_nats_delivers_again_is_counted() {
    let Some(hotel) = Through::open().await else { return };
    for n in 1..=5 {
        hotel.bus.say("a", n).await;
    }
    hotel.publish().await;
    let work = hotel.work();
    hotel.heard(5).await;
    let broker: &dyn Broker = hotel.nats.as_ref();
    republish(&hotel.bus.hotel.app.db, Some(broker), &everything(&hotel.bus.hotel), |_, _| {}).await.unwrap();
    until("all came again", async || absorbed(&hotel.bus.hotel, "listener") == Some(5)).await;
    assert_eq!(hotel.bus.ear.numbers(), [1, 2, 3, 4, 5]);
    work.stops().await;
}

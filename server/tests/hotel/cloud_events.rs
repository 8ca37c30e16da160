//! The same events in the standard's own form: taken at the push endpoint, given by the feed on request.

use contracts::{Envelope, cloudevents};
use serde_json::Value;

use crate::test_hotel::{Ask, Happening, TestHotel};

fn as_cloud_event(happening: &Happening) -> Value {
    let envelope = Envelope::read(happening.envelope.to_string().as_bytes()).unwrap();
    cloudevents::to_value(&envelope)
}

fn push(hotel: &TestHotel, happening: &Happening, event: &Value) -> Ask {
    Ask::post(format!("/internal/events/{}", happening.subject))
        .by(&hotel.service())
        .header("content-type", cloudevents::MEDIA_TYPE)
        .bytes(event.to_string())
}

#[tokio::test]
async fn a_departure_told_as_a_cloud_event_is_the_same_departure() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let departure = hotel.checked_out(&room);

    let answer = hotel.ask(push(&hotel, &departure, &as_cloud_event(&departure))).await;
    assert_eq!(answer.status, 204, "{}", answer.text);
    hotel.deliver(&departure).await;

    assert_eq!(hotel.open_tasks(&room).await.len(), 1, "told twice, in two forms, it is one departure");
}

#[tokio::test]
async fn a_cloud_event_that_can_never_be_applied_is_filed_under_its_id() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let departure = hotel.checked_out(&room);
    let mut event = as_cloud_event(&departure);
    event["data"]["rooms"] = Value::from(7);

    let answer = hotel.ask(push(&hotel, &departure, &event)).await;
    assert_eq!(answer.status, 204, "{}", answer.text);

    let filed =
        hotel.behind.query_one("SELECT event_id, code, pointer FROM housekeeping.dead_letters", &[]).await.unwrap();
    assert_eq!(filed.get::<_, String>("event_id"), departure.id());
    assert_eq!(filed.get::<_, String>("code"), "MELMASTOON.HOUSEKEEPING.EVENT_SCHEMA_MISMATCH");
    assert!(hotel.open_tasks(&room).await.is_empty());
}

#[tokio::test]
async fn the_feed_gives_cloud_events_to_those_who_ask_for_them() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    hotel.drain().await;

    let plain = hotel.feed(0).await;
    let ask =
        Ask::get("/events/v1/feed?after=0&limit=1000").by(&hotel.service()).header("accept", cloudevents::MEDIA_TYPE);
    let answer = hotel.ask(ask).await;

    let items = answer.body["items"].as_array().unwrap();
    assert!(!items.is_empty());
    for (item, same) in items.iter().zip(plain["items"].as_array().unwrap()) {
        let (event, envelope) = (&item["envelope"], &same["envelope"]);
        assert_eq!(event["specversion"], "1.0");
        assert_eq!((&event["id"], &event["type"]), (&envelope["id"], &envelope["subject"]));
        assert_eq!((&event["tenantid"], &event["data"]), (&envelope["tenantId"], &envelope["payload"]));
    }
}

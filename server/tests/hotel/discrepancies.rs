//! What is seen in a room, what the desk has on record, and what it was.

use contracts::ids::ReservationId;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::test_hotel::{TestHotel, text};

#[tokio::test]
async fn what_agrees_with_the_record_is_no_discrepancy() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let seen = hotel.observe(&room, "vacant").await.done();
    assert_eq!(seen, json!({ "roomId": room.id, "observed": "vacant", "recorded": "vacant" }));
    assert!(hotel.alerts().await.is_empty());
}

#[tokio::test]
async fn a_discrepancy_is_one_of_a_room_is_on_the_board_and_the_desk_says_what_it_was() {
    let hotel = TestHotel::open().await;
    let (room, stay): (_, ReservationId) = (hotel.ready_room("101").await, hotel.next());
    hotel.deliver(&hotel.checked_in(&stay, &[&room])).await;
    let answers = join_all((0..5).map(|_| hotel.observe(&room, "vacant"))).await;
    let ids: Vec<String> = answers.into_iter().map(|answer| text(&answer.done()["discrepancy"]["id"])).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "at most one open a room: {ids:?}");
    assert_eq!(hotel.alerts().await, ["occupancy_discrepancy"]);
    let path = format!("/housekeeping/v1/discrepancies?propertyId={}&open=true", hotel.property);
    let listed = hotel.get(&hotel.front_desk(), &path).await.done();
    assert_eq!((&listed["items"][0]["id"], &listed["items"][0]["recorded"]), (&json!(ids[0]), &json!("occupied")));

    let resolve = format!("/housekeeping/v1/discrepancies/{}/resolve", ids[0]);
    let body = json!({ "resolution": "left_without_checkout", "note": "key on the bed" });
    let desk = hotel.front_desk();
    let tries = join_all((0..3).map(|_| hotel.post(&desk, &resolve, body.clone()))).await;
    let (won, lost): (Vec<_>, Vec<_>) = tries.into_iter().partition(|answer| answer.status == 200);
    assert_eq!((won.len(), lost.len()), (1, 2));
    for answer in lost {
        answer.refused(409, "MELMASTOON.HOUSEKEEPING.DISCREPANCY_RESOLVED").naming("left_without_checkout");
    }
    let done = won.into_iter().next().unwrap().done();
    assert_eq!((&done["resolution"], &done["resolvedBy"]["id"]), (&json!("left_without_checkout"), &json!("stf_DESK")));
    assert!(hotel.alerts().await.is_empty());
    assert_eq!(hotel.get(&hotel.front_desk(), &path).await.done()["items"], json!([]));
    let again = hotel.observe(&room, "vacant").await.done();
    assert_ne!(again["discrepancy"]["id"], json!(ids[0]), "it is seen again, and asked again");
}

#[tokio::test]
async fn an_observation_or_a_resolution_that_makes_no_sense_is_refused() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let id = text(&hotel.observe(&room, "occupied").await.done()["discrepancy"]["id"]);
    let (invalid, malformed) = ("MELMASTOON.HOUSEKEEPING.INVALID_VALUE", "MELMASTOON.PLATFORM.MALFORMED_REQUEST");
    let occupancy = format!("/housekeeping/v1/rooms/{}/occupancy", room.id);
    let resolve = format!("/housekeeping/v1/discrepancies/{id}/resolve");
    let nonsense: Vec<(&str, Value, &str, &str)> = vec![
        (&occupancy, json!({}), invalid, "observed"),
        (&occupancy, json!({ "observed": "busy" }), invalid, "observed"),
        (&occupancy, json!({ "observed": true }), invalid, "observed"),
        (&occupancy, json!({ "observed": "vacant", "note": "x".repeat(2_001) }), invalid, "note"),
        (&occupancy, json!("vacant"), malformed, "object"),
        (&resolve, json!({}), invalid, "resolution"),
        (&resolve, json!({ "resolution": "magic" }), invalid, "resolution"),
        (&resolve, json!({ "resolution": ["other"] }), invalid, "resolution"),
        (&resolve, json!({ "resolution": "other", "note": 1 }), invalid, "note"),
        (&resolve, json!({ "resolution": "other", "note": "x".repeat(2_001) }), invalid, "note"),
    ];
    for (path, body, code, names) in nonsense {
        let answer = hotel.post(&hotel.supervisor(), path, body.clone()).await;
        assert_eq!(answer.status, 400, "{path} {body}: {}", answer.text);
        answer.refused(400, code).naming(names);
    }
    let queries =
        ["", "?propertyId=chinar", &format!("?propertyId={}&open=perhaps", hotel.property)].map(str::to_owned);
    for query in queries {
        let answer = hotel.get(&hotel.front_desk(), &format!("/housekeeping/v1/discrepancies{query}")).await;
        answer.refused(400, invalid);
    }
}

#[tokio::test]
async fn what_is_seen_anew_takes_the_place_of_a_difference_that_is_no_more() {
    let hotel = TestHotel::open().await;
    let (room, stay): (_, ReservationId) = (hotel.ready_room("101").await, hotel.next());
    let seen = hotel.observe(&room, "occupied").await.done();
    let first = text(&seen["discrepancy"]["id"]);
    hotel.clock.advance_seconds(1);
    // The guest is checked in: seen and recorded agree, and nobody has to answer any more.
    hotel.deliver(&hotel.checked_in(&stay, &[&room])).await;
    let agreed = hotel.observe(&room, "occupied").await.done();
    assert_eq!(agreed, json!({ "roomId": room.id, "observed": "occupied", "recorded": "occupied" }));
    assert!(hotel.alerts().await.is_empty());
    // The opposite difference is another one, which is over with the departure, and a third takes its place.
    hotel.clock.advance_seconds(1);
    let second = text(&hotel.observe(&room, "vacant").await.done()["discrepancy"]["id"]);
    hotel.deliver(&hotel.checked_out_of(&stay, &[&room])).await;
    hotel.clock.advance_seconds(1);
    let seen = hotel.observe(&room, "occupied").await.done();
    let third = text(&seen["discrepancy"]["id"]);
    assert_eq!((&seen["observed"], &seen["discrepancy"]["recorded"]), (&json!("occupied"), &json!("vacant")));
    assert_eq!(hotel.observe(&room, "occupied").await.done()["discrepancy"]["id"], json!(third), "once is enough");
    assert_eq!(hotel.alerts().await, ["occupancy_discrepancy"]);
    let path = format!("/housekeeping/v1/discrepancies?propertyId={}", hotel.property);
    let listed = hotel.get(&hotel.front_desk(), &path).await.done();
    let items = listed["items"].as_array().unwrap();
    let ids: Vec<_> = items.iter().map(|item| text(&item["id"])).collect();
    assert_eq!(ids, [third, second, first], "newest first");
    for over in &items[1..] {
        assert_eq!((&over["resolution"], &over["resolvedBy"]["type"]), (&json!("other"), &json!("system")), "{over}");
    }
    assert_eq!(items[1]["resolutionNote"], "what is seen and what is on record agree");
}

#[tokio::test]
async fn a_difference_is_over_when_the_record_becomes_what_was_seen() {
    let hotel = TestHotel::open().await;
    let (room, stay): (_, ReservationId) = (hotel.ready_room("101").await, hotel.next());
    hotel.observe(&room, "occupied").await.done();
    assert_eq!(hotel.alerts().await, ["occupancy_discrepancy"]);
    hotel.deliver(&hotel.checked_in(&stay, &[&room])).await;
    assert!(hotel.alerts().await.is_empty(), "they are on record now");
    hotel.observe(&room, "vacant").await.done();
    assert_eq!(hotel.alerts().await, ["occupancy_discrepancy"]);
    // Somebody else is in the room as well: it is occupied for all that.
    let other: ReservationId = hotel.next();
    hotel.deliver(&hotel.checked_in(&other, &[&room])).await;
    hotel.deliver(&hotel.checked_out_of(&other, &[&room])).await;
    assert_eq!(hotel.alerts().await, ["occupancy_discrepancy"]);
    hotel.deliver(&hotel.checked_out_of(&stay, &[&room])).await;
    assert!(hotel.alerts().await.is_empty(), "and gone");
    let path = format!("/housekeeping/v1/discrepancies?propertyId={}&open=false", hotel.property);
    assert_eq!(hotel.get(&hotel.front_desk(), &path).await.done()["items"].as_array().unwrap().len(), 2);
}

//! What ends by itself: blocks whose time is over, and what was kept long enough.

use housekeeping::application::ticks;
use serde_json::json;

use crate::test_hotel::{TestHotel, text};

const DAY: i64 = 24 * 60 * 60;

#[tokio::test]
async fn a_block_is_lifted_when_its_time_is_over_and_the_room_must_be_cleaned() {
    let hotel = TestHotel::open().await;
    let (room, other) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    let until = hotel.now().plus_seconds(3_600);
    hotel.block(&room, json!({ "reason": "oos", "blockedUntil": until })).await.done();
    hotel.block(&room, json!({ "reason": "cleaning" })).await.done();
    hotel.block(&other, json!({ "reason": "oos", "blockedUntil": until })).await.done();
    hotel.block(&other, json!({ "reason": "maintenance", "blockedUntil": until.plus_seconds(3_600) })).await.done();
    hotel.clock.advance_seconds(3_599);
    assert_eq!(hotel.tick("blocks_over").await, None, "a second too early");
    hotel.clock.advance_seconds(1);
    assert_eq!(hotel.tick("blocks_over").await.as_deref(), Some("2 blocks begun or lifted"));
    assert_eq!(hotel.tick("blocks_over").await, None);
    let board = hotel.board().await;
    assert_eq!((board.room("101").status.as_str(), board.room("102").status.as_str()), ("dirty", "out_of_order"));
    let left: Vec<_> = hotel.blocks(&room).await.iter().map(|block| text(&block["reason"])).collect();
    assert_eq!(left, ["cleaning"], "what has no end stays");
    let (_, _, cause) = hotel.steps(&room).await.pop().unwrap();
    assert_eq!(cause, "room_unblocked");
    hotel.clock.advance_seconds(3_600);
    assert_eq!(hotel.tick("blocks_over").await.as_deref(), Some("1 blocks begun or lifted"));
    assert_eq!(hotel.board().await.room("102").status, "dirty");
    let by = "housekeeping.audit_events WHERE subject = 'housekeeping.room_block.cleared' AND actor->>'id' = 'sys_block_over'";
    assert_eq!(hotel.count(by).await, 3, "who lifted it is kept");
}

#[tokio::test]
async fn of_a_timer_and_a_supervisor_who_lift_one_block_at_once_one_does() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    for _ in 0..5 {
        let until = hotel.now().plus_seconds(60);
        let block = hotel.block(&room, json!({ "reason": "oos", "blockedUntil": until })).await.done();
        hotel.clock.advance_seconds(60);
        let id = text(&block["id"]);
        let (lifted, by_hand) = futures_util::future::join(hotel.tick("blocks_over"), hotel.unblock(&room, &id)).await;
        let by_timer = lifted.is_some();
        assert_eq!(by_hand.status == 204, !by_timer, "{lifted:?} {}", by_hand.text);
    }
    let cleared = "housekeeping.audit_events WHERE subject = 'housekeeping.room_block.cleared'";
    assert_eq!(hotel.count(cleared).await, 5, "once each");
    crate::invariants::the_audit_chain_of_every_room_is_continuous(&hotel, 5).await;
}

#[tokio::test]
async fn who_claimed_a_found_thing_is_forgotten_a_year_after_it_was_given_back_and_not_before() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let (hat, ring, watch, key) = (
        hotel.found(&room, "a hat").await,
        hotel.found(&room, "a ring").await,
        hotel.found(&room, "a watch").await,
        hotel.found(&room, "a key").await,
    );
    hotel.lost_item(&hat, "dispose", json!({ "method": "donated" })).await.done();
    for item in [&ring, &watch] {
        hotel.lost_item(item, "match", json!({ "claimantName": "Laila" })).await.done();
    }
    hotel.lost_item(&ring, "return", json!({})).await.done();
    let claimants = async || {
        let sql = "SELECT claimant_name FROM housekeeping.lost_and_found WHERE claimant_name IS NOT NULL ORDER BY description";
        hotel.behind.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect::<Vec<String>>()
    };
    hotel.clock.advance_seconds(373 * DAY);
    ticks::keep_up(hotel.app.db.clone()).await.unwrap();
    assert_eq!(claimants().await, ["Laila", "Laila"], "30 April: the month is not over");
    hotel.clock.advance_seconds(DAY);
    ticks::keep_up(hotel.app.db.clone()).await.unwrap();
    assert_eq!(claimants().await, ["", "Laila"], "the ring was given back; who waits for the watch is known");
    for item in [&hat, &ring, &watch, &key] {
        let shown = hotel.get(&hotel.front_desk(), &format!("/housekeeping/v1/lost-and-found/{item}")).await;
        assert_eq!(shown.status, 200, "without an archive the record itself stays: {}", shown.text);
    }
}

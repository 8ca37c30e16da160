//! Who comes to work in one context can be given work in the other, a moment later: by the bus, and by nothing else.

use serde_json::json;

use crate::test_hotel::{TestHotel, text};

#[tokio::test]
async fn who_clocks_in_over_rest_can_be_given_a_room_a_moment_later_and_who_goes_cannot() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let shift = hotel.shift("10:30", "18:00").await;
    hotel.place(&shift, &gulalai).await.done();
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    let task = hotel.open_task(&room).await;
    let give = async || hotel.command(&hotel.supervisor(), &task, "assign", json!({ "staffId": gulalai })).await;
    hotel.drain().await;
    give().await.refused(409, "MELMASTOON.HOUSEKEEPING.STAFF_NOT_ON_SHIFT");
    hotel.punch_clock(&gulalai, "in").await.done();
    hotel.drain().await;
    give().await.done();
    let board = hotel.board().await.0;
    assert_eq!(board["staff"][0]["staffId"], json!(gulalai));
    hotel.clock.advance_seconds(120);
    hotel.punch_clock(&gulalai, "out").await.done();
    hotel.drain().await;
    assert_eq!(hotel.board().await.0["staff"], json!([]));
}

#[tokio::test]
async fn whoever_takes_a_shift_by_a_swap_or_from_a_pattern_is_the_one_housekeeping_sees() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    let mut body = hotel.pattern("11:30", "18:00").await;
    body["primaryHeadcount"] = json!(1);
    body["assignees"] = json!([{ "staffId": gulalai, "role": "primary" }]);
    hotel.add_pattern(body).await;
    let made = hotel.generate("2026-04-22", "2026-04-22").await.done();
    let today = hotel.shift_now(&text(&made["created"][0])).await;
    let other = hotel.shift_on("2026-04-25", "06:00", "14:00").await;
    let theirs = hotel.place(&other, &nasrin).await.done();
    let swap = json!({ "leftAssignmentId": today["assignments"][0]["assignmentId"], "rightAssignmentId": theirs["assignmentId"] });
    hotel.post(&hotel.supervisor(), "/staff/v1/shifts/swap", swap).await.done();
    hotel.punch_clock(&nasrin, "in").await.done();
    hotel.drain().await;
    let staff = hotel.board().await.0["staff"].clone();
    assert_eq!((staff.as_array().unwrap().len(), &staff[0]["staffId"]), (1, &json!(nasrin)));
}

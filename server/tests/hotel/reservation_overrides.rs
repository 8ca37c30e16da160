//! A person says where a reservation stands: what the desk takes back, what a manager does, and who comes back while there are rooms.

use serde_json::{Value, json};

use crate::reservation_modifications::{by_manager, modifications, paid_stay, told};
use crate::test_hotel::TestHotel;

const DAY: i64 = 24 * 3_600;
const ILLEGAL: &str = "MELMASTOON.RESERVATION.ILLEGAL_TRANSITION";

fn put(status: &str) -> Value {
    json!({ "type": "manual_state_override", "status": status, "reason": "the wrong button" })
}

#[tokio::test]
async fn the_desk_takes_back_a_step_and_a_manager_a_check_in_or_a_check_out_of_the_same_day() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = paid_stay(&hotel, &double, "2026-04-22", "2026-04-26", "400000000").await;
    hotel.stay(&stay, "check-in/start", json!({})).await.done();
    assert_eq!(hotel.stay(&stay, "modifications", put("confirmed")).await.done()["status"], "confirmed");
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    hotel.stay(&stay, "modifications", put("confirmed")).await.refused(403, "MELMASTOON.RESERVATION.NOT_ALLOWED");
    let back = by_manager(&hotel, &stay, put("confirmed")).await.done();
    assert_eq!((&back["status"], back.get("checkedInAt")), (&json!("confirmed"), None));
    assert_eq!(hotel.count("reservation.room_allocations WHERE occupied").await, 0);
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    hotel.clock.advance_seconds(DAY);
    by_manager(&hotel, &stay, put("confirmed")).await.refused(409, ILLEGAL);
    hotel.stay(&stay, "check-out/start", json!({})).await.done();
    assert_eq!(hotel.stay(&stay, "modifications", put("checked_in")).await.done()["status"], "checked_in");
    let left = hotel.stay(&stay, "check-out/complete", json!({})).await.done();
    assert_eq!(
        (&left["payment"]["refundRequestedMicro"], &left["totals"]["grandTotalMicro"]),
        (&json!("200000000"), &json!("100000000"))
    );
    assert_eq!(hotel.available(&double, "2026-04-23", "2026-04-26").await, [1, 1, 1]);
    let again = by_manager(&hotel, &stay, put("checked_in")).await.done();
    assert_eq!((&again["status"], &again["totals"]["grandTotalMicro"]), (&json!("checked_in"), &json!("400000000")));
    assert_eq!(again["balanceMicro"], "200000000", "what was asked back stays asked back");
    assert_eq!(hotel.available(&double, "2026-04-22", "2026-04-26").await, [0, 0, 0, 0]);
    assert_eq!(hotel.count("reservation.room_allocations WHERE occupied AND released_at IS NULL").await, 1);
    hotel
        .post(
            &hotel.manager(),
            &modifications(&stay).replace("modifications", "check-out/complete"),
            json!({ "allowUnsettled": true }),
        )
        .await
        .done();
    let mut walk_in = hotel.booking(&double, "2026-04-23", "2026-04-24");
    walk_in["payment"] = json!({ "method": "cash_on_arrival" });
    hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", walk_in).await.done();
    by_manager(&hotel, &stay, put("checked_in")).await.refused(409, "MELMASTOON.RESERVATION.ROOM_OCCUPIED");
    hotel.clock.advance_seconds(DAY);
    by_manager(&hotel, &stay, put("checked_in")).await.refused(409, ILLEGAL);
    let overrides = told(&hotel.news().await, "modified");
    let first = &overrides[0];
    assert_eq!(
        (&first["type"], &first["before"]["status"], &first["after"]["status"]),
        (&json!("manual_state_override"), &json!("check_in_started"), &json!("confirmed"))
    );
    assert_eq!(first["before"]["rooms"][0]["itemId"], stay["items"][0]["itemId"]);
    assert_eq!(first["after"]["reason"], "the wrong button");
    hotel.stay(&stay, "modifications", put("held")).await.refused(409, ILLEGAL);
    let unknown = json!({ "type": "manual_state_override", "status": "asleep", "reason": "x" });
    assert_eq!(hotel.stay(&stay, "modifications", unknown).await.status, 400);
}

#[tokio::test]
async fn who_was_cancelled_never_came_or_did_not_pay_comes_back_while_there_are_rooms() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    // Cancelled too late, which cost a night; the rest was asked back.
    let stay = paid_stay(&hotel, &double, "2026-04-22", "2026-04-26", "400000000").await;
    hotel.stay(&stay, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "no" })).await.done();
    hotel.stay(&stay, "modifications", put("confirmed")).await.refused(403, "MELMASTOON.RESERVATION.NOT_ALLOWED");
    let taken = hotel.book(hotel.booking(&double, "2026-04-24", "2026-04-25")).await.done();
    by_manager(&hotel, &stay, put("confirmed")).await.refused(409, "MELMASTOON.RESERVATION.NO_AVAILABILITY");
    hotel.clock.advance_seconds(600);
    hotel.run_tick("reservation.hold-expiry").await;
    let back = by_manager(&hotel, &stay, put("confirmed")).await.done();
    assert_eq!(
        (&back["status"], &back["items"][0]["status"], back.get("cancellation")),
        (&json!("confirmed"), &json!("active"), None)
    );
    assert_eq!(back["balanceMicro"], "300000000", "no penalty is owed; what was asked back is");
    assert_eq!(hotel.available(&double, "2026-04-22", "2026-04-26").await, [0, 0, 0, 0]);
    by_manager(&hotel, &taken, put("confirmed")).await.refused(409, "MELMASTOON.RESERVATION.NO_AVAILABILITY");
    // Never came: twelve hours after check-in time. Comes back by hand, with the grace anew.
    hotel.clock.advance_seconds(15 * 3_600);
    hotel.run_tick("reservation.no-show").await;
    assert_eq!(hotel.reservation(&stay).await["status"], "no_show");
    let back = by_manager(&hotel, &stay, put("confirmed")).await.done();
    assert_eq!(back["status"], "confirmed");
    hotel.clock.advance_seconds(12 * 3_600 - 1);
    hotel.run_tick("reservation.no-show").await;
    assert_eq!(hotel.reservation(&stay).await["status"], "confirmed");
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    // The other did not pay: in cash, then, on another day.
    let unpaid = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-02")).await.done();
    hotel.clock.advance_seconds(600);
    hotel.run_tick("reservation.hold-expiry").await;
    let back = by_manager(&hotel, &unpaid, put("confirmed")).await.done();
    assert_eq!(
        (&back["payment"]["status"], &back["payment"]["method"]),
        (&json!("pending_cash"), &json!("cash_on_arrival"))
    );
    hotel.clock.advance_seconds(12 * DAY);
    by_manager(&hotel, &taken, put("confirmed")).await.refused(409, "MELMASTOON.RESERVATION.STAY_OVER");
}

#[tokio::test]
async fn who_was_to_leave_early_and_stays_has_all_nights_again_and_pays_for_them() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = paid_stay(&hotel, &double, "2026-04-22", "2026-04-26", "400000000").await;
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    hotel.clock.advance_seconds(DAY);
    // Twice: what was given back the first time is there to be given back again.
    for _ in 0..2 {
        let leaving = hotel.stay(&stay, "early-checkout", json!({})).await.done();
        assert_eq!(
            (&leaving["totals"]["grandTotalMicro"], &leaving["balanceMicro"]),
            (&json!("100000000"), &json!("-200000000")),
            "one night slept in, one kept"
        );
        let stays = hotel.stay(&stay, "modifications", put("checked_in")).await.done();
        assert_eq!(
            (&stays["totals"]["grandTotalMicro"], &stays["balanceMicro"]),
            (&json!("400000000"), &json!("0")),
            "no penalty is owed"
        );
    }
    hotel.clock.advance_seconds(3 * DAY);
    let left = hotel.stay(&stay, "check-out/complete", json!({})).await.done();
    assert_eq!((&left["status"], &left["balanceMicro"]), (&json!("checked_out"), &json!("0")));
    let news = hotel.news().await;
    assert_eq!(told(&news, "checked_out")[0]["earlyCheckout"], false);
}

#[tokio::test]
async fn who_was_brought_back_keeps_the_grace_whatever_else_is_changed() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = paid_stay(&hotel, &double, "2026-04-22", "2026-04-26", "400000000").await;
    // Twelve hours after check-in time.
    hotel.clock.advance_seconds(15 * 3_600);
    hotel.run_tick("reservation.no-show").await;
    assert_eq!(hotel.reservation(&stay).await["status"], "no_show");
    by_manager(&hotel, &stay, put("confirmed")).await.done();
    let longer = json!({ "type": "date_change", "stayWindow": { "start": "2026-04-22", "end": "2026-04-27" } });
    hotel.stay(&stay, "modifications", longer).await.done();
    hotel.clock.advance_seconds(12 * 3_600 - 1);
    hotel.run_tick("reservation.no-show").await;
    assert_eq!(hotel.reservation(&stay).await["status"], "confirmed");
    hotel.clock.advance_seconds(1);
    hotel.run_tick("reservation.no-show").await;
    assert_eq!(hotel.reservation(&stay).await["status"], "no_show", "and no longer than that");
}

#[tokio::test]
async fn who_stayed_too_long_and_has_not_left_after_all_has_the_room_tonight_as_before() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    hotel.clock.advance_seconds(DAY + 4 * 3_600);
    hotel.run_tick("reservation.overstay").await;
    assert_eq!(hotel.available(&double, "2026-04-23", "2026-04-25").await, [0, 1]);
    let path = modifications(&stay).replace("modifications", "check-out/complete");
    let leave = async || hotel.post(&hotel.manager(), &path, json!({ "allowUnsettled": true })).await.done();
    leave().await;
    assert_eq!(hotel.available(&double, "2026-04-23", "2026-04-25").await, [1, 1]);
    by_manager(&hotel, &stay, put("checked_in")).await.done();
    assert_eq!(hotel.available(&double, "2026-04-23", "2026-04-25").await, [0, 1], "nobody is sold their bed");
    // Where somebody was told the room since, both have it and somebody has to look.
    leave().await;
    let mut next = hotel.booking(&double, "2026-04-23", "2026-04-24");
    next["items"][0]["roomId"] = json!(doors[0].id);
    hotel.confirmed_stay(next).await;
    hotel.news().await;
    by_manager(&hotel, &stay, put("checked_in")).await.done();
    let raised = told(&hotel.news().await, "alert.raised");
    assert_eq!((raised.len(), &raised[0]["kind"]), (1, &json!("overstay_conflict")));
}

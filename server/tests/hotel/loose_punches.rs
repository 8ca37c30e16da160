//! Punches that name no shift: whichever shift's time it is, whenever that is told.

use contracts::ids::{ShiftId, StaffId};
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::shifts::orders;
use crate::test_hotel::{Happening, TestHotel};

/// The shifts that somebody is on, as the board shows it.
async fn shifts_of(hotel: &TestHotel, staff: &StaffId) -> Vec<Value> {
    let board = hotel.board().await;
    let people = board.0["staff"].as_array().unwrap();
    people.iter().filter(|one| one["staffId"] == staff.as_str()).map(|one| one["shiftId"].clone()).collect()
}

#[tokio::test]
async fn a_punch_without_a_shift_puts_a_person_to_work_in_any_order() {
    let hotel = TestHotel::open().await;
    for order in orders(3) {
        let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
        let told: [Happening; 3] =
            [hotel.shift_scheduled(&shift), hotel.shift_assigned(&shift, &staff), hotel.clocked_in(None, &staff)];
        for at in &order {
            hotel.deliver(&told[*at]).await;
            hotel.deliver(&told[*at]).await;
        }
        assert_eq!(shifts_of(&hotel, &staff).await, [json!(shift)], "{order:?}");
    }
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn coming_and_going_without_a_shift_are_told_in_any_order_before_or_after_the_shift_is() {
    let hotel = TestHotel::open().await;
    for order in orders(4) {
        let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
        let mut told =
            vec![hotel.shift_scheduled(&shift), hotel.shift_assigned(&shift, &staff), hotel.clocked_in(None, &staff)];
        hotel.clock.advance_seconds(60);
        told.push(hotel.clocked_out(None, &staff));
        for at in &order {
            hotel.deliver(&told[*at]).await;
        }
        assert!(shifts_of(&hotel, &staff).await.is_empty(), "{order:?}: they have left");
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.clocked_in(None, &staff)).await;
        assert_eq!(shifts_of(&hotel, &staff).await, [json!(shift)], "{order:?}: they are back");
    }
}

#[tokio::test]
async fn a_punch_holds_for_the_window_that_contains_it_and_for_no_other_whenever_that_is_told() {
    let hotel = TestHotel::open().await;
    let staff: StaffId = hotel.next();
    let hours = |hours: i64| hotel.now().plus_seconds(hours * 3_600);
    // Yesterday's is over, this evening's has not begun: nobody works now.
    hotel.deliver(&hotel.clocked_in(None, &staff)).await;
    for starts in [hours(-9), hours(2), hours(24)] {
        let shift: ShiftId = hotel.next();
        hotel.deliver(&hotel.shift_scheduled_at(&shift, starts)).await;
        hotel.deliver(&hotel.shift_assigned(&shift, &staff)).await;
        assert!(shifts_of(&hotel, &staff).await.is_empty(), "from {starts}");
    }
    // The window is told last, and holds the punch: half an hour before it begins.
    let now: ShiftId = hotel.next();
    hotel.deliver(&hotel.shift_assigned(&now, &staff)).await;
    hotel.deliver(&hotel.shift_scheduled_at(&now, hotel.now().plus_seconds(1_800))).await;
    assert_eq!(shifts_of(&hotel, &staff).await, [json!(now)]);
    // It is moved to tomorrow: then nobody came to it.
    hotel.deliver(&hotel.shift_scheduled_at(&now, hours(24))).await;
    assert!(shifts_of(&hotel, &staff).await.is_empty());
}

#[tokio::test]
async fn a_break_without_a_shift_is_of_the_shift_that_goes_on() {
    let hotel = TestHotel::open().await;
    let staff: StaffId = hotel.next();
    let (today, tomorrow): (ShiftId, ShiftId) = (hotel.next(), hotel.next());
    let rest = hotel.rested("break_started", None, &staff);
    hotel.deliver(&rest).await;
    for (shift, starts) in [(&today, hotel.now()), (&tomorrow, hotel.now().plus_seconds(24 * 3_600))] {
        hotel.deliver(&hotel.shift_scheduled_at(shift, starts)).await;
        hotel.deliver(&hotel.shift_assigned(shift, &staff)).await;
        hotel.deliver(&hotel.clocked_in(Some(shift), &staff)).await;
    }
    let board = hotel.board().await;
    let resting = |shift: &ShiftId| {
        let people = board.0["staff"].as_array().unwrap();
        people.iter().find(|one| one["shiftId"] == shift.as_str()).expect("on shift")["onBreak"] == true
    };
    assert!(resting(&today) && !resting(&tomorrow), "{}", board.0["staff"]);
}

#[tokio::test]
async fn told_at_the_same_moment_neither_misses_the_other() {
    let hotel = TestHotel::open().await;
    for _ in 0..10 {
        let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
        let told =
            [hotel.shift_scheduled(&shift), hotel.shift_assigned(&shift, &staff), hotel.clocked_in(None, &staff)];
        join_all(told.iter().map(|happening| hotel.deliver(happening))).await;
        assert_eq!(shifts_of(&hotel, &staff).await, [json!(shift)]);
    }
}

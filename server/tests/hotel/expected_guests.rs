//! Who is expected makes a room pressing; who stays may ask for a clean; who cancels needs neither.

use contracts::housekeeping::TaskKind;
use contracts::ids::ReservationId;
use futures_util::future::join_all;
use serde_json::json;

use crate::test_hotel::{Door, TestHotel, text};

async fn priority(hotel: &TestHotel, door: &Door) -> String {
    let open = hotel.open_tasks(door).await;
    assert_eq!(open.len(), 1, "{open:?}");
    text(&open[0]["priority"])
}

#[tokio::test]
async fn a_turnover_is_urgent_when_the_next_guest_stands_at_the_desk_whatever_is_told_first() {
    for desk_first in [true, false] {
        let hotel = TestHotel::open().await;
        let room = hotel.ready_room("101").await;
        let (departure, desk) = (hotel.checked_out(&room), hotel.check_in_started(&hotel.next(), &[&room]));
        for event in if desk_first { [&desk, &departure, &desk] } else { [&departure, &desk, &desk] } {
            hotel.deliver(event).await;
        }
        assert_eq!(priority(&hotel, &room).await, "urgent", "desk first: {desk_first}");
    }
}

#[tokio::test]
async fn a_turnover_is_as_pressing_as_the_day_of_the_next_guest() {
    // Wednesday the 22nd, eleven in the morning in Kabul; guests may come at two.
    let days = [("2026-04-22", "high"), ("2026-04-23", "normal"), ("2026-04-24", "low")];
    for (day, expected) in days {
        let hotel = TestHotel::open().await;
        let (known, unknown) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
        let next: ReservationId = hotel.next();
        hotel.deliver(&hotel.confirmed(&next, day)).await;
        hotel.deliver(&hotel.room_changed(&next, None, &known)).await;
        hotel.deliver(&hotel.checked_out(&known)).await;
        hotel.deliver(&hotel.checked_out(&unknown)).await;
        assert_eq!(priority(&hotel, &known).await, expected, "{day}");
        assert_eq!(priority(&hotel, &unknown).await, "normal", "nobody knows");
    }
}

#[tokio::test]
async fn an_hour_before_guests_may_come_their_room_is_urgent() {
    let hotel = TestHotel::open().await;
    let (room, next): (_, ReservationId) = (hotel.ready_room("101").await, hotel.next());
    hotel.deliver(&hotel.confirmed(&next, "2026-04-22")).await;
    hotel.deliver(&hotel.room_changed(&next, None, &room)).await;
    hotel.clock.advance_seconds(3_600);
    hotel.deliver(&hotel.checked_out(&room)).await;
    assert_eq!(priority(&hotel, &room).await, "urgent");
}

#[tokio::test]
async fn a_guest_who_comes_sooner_raises_open_work_and_what_was_said_last_counts() {
    let hotel = TestHotel::open().await;
    let (room, next): (_, ReservationId) = (hotel.ready_room("101").await, hotel.next());
    let confirmed = hotel.confirmed(&next, "2026-05-20");
    hotel.clock.advance_seconds(60);
    let sooner = hotel.dates_changed(&next, "2026-04-22");
    hotel.deliver(&hotel.room_changed(&next, None, &room)).await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    assert_eq!(priority(&hotel, &room).await, "normal", "nothing is known of when");
    hotel.deliver(&sooner).await;
    assert_eq!(priority(&hotel, &room).await, "high");
    hotel.deliver(&confirmed).await;
    let board = hotel.board().await;
    assert_eq!(board.0["rooms"][0]["nextArrivalAt"], "2026-04-22T09:30:00.000Z", "an older word does not count");
    let history = hotel.open_task(&room).await;
    let history = hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/tasks/{history}/history")).await.done();
    assert_eq!(history["items"][1]["payload"]["reason"], "arrival_changed");
}

#[tokio::test]
async fn who_will_not_come_is_not_expected_whatever_is_told_first() {
    for end_first in [true, false] {
        for end in [TestHotel::no_show as fn(&TestHotel, &ReservationId) -> _, |hotel, stay| hotel.cancelled(stay, &[])]
        {
            let hotel = TestHotel::open().await;
            let (room, next): (_, ReservationId) = (hotel.ready_room("101").await, hotel.next());
            let desk = hotel.check_in_started(&next, &[&room]);
            hotel.clock.advance_seconds(60);
            let end = end(&hotel, &next);
            for event in if end_first { [&end, &desk] } else { [&desk, &end] } {
                hotel.deliver(event).await;
            }
            hotel.deliver(&hotel.checked_out(&room)).await;
            assert_eq!(priority(&hotel, &room).await, "normal", "{} first: {end_first}", end.subject);
            assert!(hotel.board().await.0["rooms"][0].get("nextArrivalAt").is_none());
        }
    }
}

#[tokio::test]
async fn a_guest_who_stays_asks_for_a_clean_and_gets_one() {
    let hotel = TestHotel::open().await;
    let (room, stay): (_, ReservationId) = (hotel.ready_room("101").await, hotel.next());
    hotel.deliver(&hotel.checked_in(&stay, &[&room])).await;
    let asked = hotel.clean_requested(&stay);
    let copies = join_all((0..4).map(|_| hotel.push(&asked))).await;
    assert!(copies.iter().all(|answer| answer.status == 204), "{copies:?}");
    hotel.deliver(&hotel.clean_wished(&stay)).await;
    hotel.deliver(&hotel.clean_requested(&stay)).await;
    let open = hotel.open_tasks(&room).await;
    assert_eq!(open.len(), 1, "one open clean a room and reservation");
    assert_eq!((&open[0]["kind"], &open[0]["reservationId"]), (&json!("mid_stay_clean"), &json!(stay)));
    assert_eq!(hotel.board().await.room("101").status, "ready", "the room is as it was until somebody begins");
    let other = hotel.clean_requested(&stay).with("/payload/requestedMods", json!(["late_checkout"]));
    hotel.deliver(&other).await;
    assert_eq!(hotel.tasks(&room).await.len(), 1);
}

#[tokio::test]
async fn a_wish_that_overtakes_the_arrival_is_kept_and_one_from_before_it_or_after_the_stay_is_not_a_clean() {
    let hotel = TestHotel::open().await;
    let (a, b, c) = (hotel.ready_room("101").await, hotel.ready_room("102").await, hotel.ready_room("103").await);
    let (early, before, gone): (ReservationId, ReservationId, ReservationId) =
        (hotel.next(), hotel.next(), hotel.next());
    hotel.deliver(&hotel.clean_requested(&before)).await;
    hotel.clock.advance_seconds(60);
    let arrival = hotel.checked_in(&early, &[&a]);
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.clean_wished(&early)).await;
    hotel.deliver(&arrival).await;
    assert_eq!(hotel.open_tasks(&a).await.len(), 1, "asked for during the stay");
    hotel.deliver(&hotel.checked_in(&before, &[&b])).await;
    assert!(hotel.tasks(&b).await.is_empty(), "the room was just made ready for them");
    hotel.deliver(&hotel.checked_out_of(&gone, &[&c])).await;
    hotel.deliver(&hotel.clean_requested(&gone)).await;
    assert_eq!(hotel.tasks(&c).await.len(), 1, "the turnover");
}

#[tokio::test]
async fn a_cancelled_booking_takes_its_waiting_work_along_and_a_part_of_it_only_its_own() {
    let hotel = TestHotel::open().await;
    let (a, b) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    let (stay, gulalai): (ReservationId, _) = (hotel.next(), hotel.person_on_shift().await);
    hotel.deliver(&hotel.checked_in(&stay, &[&a, &b])).await;
    hotel.deliver(&hotel.clean_requested(&stay)).await;
    let strangers = hotel.task_for(&a, TaskKind::DeepClean).await;
    let part = hotel.cancelled(&stay, &["itm_101"]);
    hotel.deliver(&part).await;
    hotel.deliver(&part).await;
    let left = hotel.open_tasks(&a).await;
    assert_eq!(left.len(), 1, "what is nobody's booking stays");
    assert_eq!(text(&left[0]["id"]), strangers);
    let other = hotel.open_task(&b).await;
    hotel.assign(&other, &gulalai).await;
    hotel.deliver(&hotel.cancelled(&stay, &[])).await;
    assert_eq!(hotel.task(&other).await["status"], "cancelled");
}

#[tokio::test]
async fn changed_settings_of_a_tenant_are_read_anew_at_once() {
    let hotel = TestHotel::open().await;
    let (one, two) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "locale": "de-CH" })).await.done();
    hotel.deliver(&hotel.checked_out(&one)).await;
    // Behind the back of this process, as another one would.
    let sql = "UPDATE housekeeping.tenant_settings SET settings = settings || '{\"locale\":\"fr-CH\"}'";
    hotel.behind.execute(sql, &[]).await.unwrap();
    hotel.deliver(&hotel.settings_changed()).await;
    hotel.deliver(&hotel.checked_out(&two)).await;
    assert_eq!(hotel.open_tasks(&one).await[0]["localeHint"], "de-CH");
    assert_eq!(hotel.open_tasks(&two).await[0]["localeHint"], "fr-CH");
}

#[tokio::test]
async fn a_whole_booking_is_off_also_where_its_items_are_named() {
    for desk_late in [true, false] {
        let hotel = TestHotel::open().await;
        let (a, b) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
        let stay: ReservationId = hotel.next();
        let desk = hotel.check_in_started(&stay, &[&a, &b]);
        let body = json!({ "propertyId": hotel.property, "roomId": a.id, "kind": "deep_clean", "reservationId": stay });
        let by_hand = text(&hotel.post(&hotel.supervisor(), "/housekeeping/v1/tasks", body).await.done()["id"]);
        hotel.clock.advance_seconds(60);
        let off = hotel.cancelled(&stay, &["itm_101", "itm_102"]);
        for event in if desk_late { [&off, &desk] } else { [&desk, &off] } {
            hotel.deliver(event).await;
        }
        assert_eq!(hotel.task(&by_hand).await["status"], "cancelled", "it names no item, desk late: {desk_late}");
        let board = hotel.board().await.0;
        for room in board["rooms"].as_array().unwrap() {
            assert!(room.get("nextArrivalAt").is_none(), "desk late: {desk_late}: {room}");
        }
        hotel.deliver(&hotel.checked_out(&b)).await;
        assert_eq!(priority(&hotel, &b).await, "normal", "desk late: {desk_late}");
    }
}

#[tokio::test]
async fn of_a_booking_that_is_off_in_part_the_rest_is_expected_whatever_is_told_first() {
    for desk_late in [true, false] {
        let hotel = TestHotel::open().await;
        let (a, b, c) = (hotel.ready_room("101").await, hotel.ready_room("102").await, hotel.ready_room("103").await);
        let stay: ReservationId = hotel.next();
        hotel.deliver(&hotel.confirmed(&stay, "2026-04-22")).await;
        let desk = hotel.check_in_started(&stay, &[&a, &b]);
        hotel.clock.advance_seconds(60);
        let part = hotel.cancelled(&stay, &["itm_101"]);
        for event in if desk_late { [&part, &desk] } else { [&desk, &part] } {
            hotel.deliver(event).await;
        }
        let expected = async |number: &str| {
            let board = hotel.board().await.0;
            let rooms = board["rooms"].as_array().unwrap();
            rooms.iter().find(|room| room["number"] == number).unwrap().get("nextArrivalAt").is_some()
        };
        assert!(!expected("101").await, "desk late: {desk_late}");
        assert!(expected("102").await, "desk late: {desk_late}");
        // Whatever happens to the booking afterwards shows that it goes on.
        hotel.clock.advance_seconds(60);
        let moved = hotel.room_changed(&stay, Some(&b), &c);
        hotel
            .deliver(
                &moved.with("/payload/before/itemId", json!("itm_102")).with("/payload/after/itemId", json!("itm_102")),
            )
            .await;
        assert!(expected("103").await && !expected("102").await, "desk late: {desk_late}");
    }
}

/// Through the reservation context itself: what it tells is what housekeeping hears.
#[tokio::test]
async fn a_booking_that_the_desk_cancels_is_no_longer_expected() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let mut booking = hotel.booking(&double, "2026-04-22", "2026-04-24");
    booking["items"] = json!([booking["items"][0], booking["items"][0]]);
    let stay = hotel.confirmed_stay(booking).await;
    hotel.stay(&stay, "check-in/start", json!({})).await.done();
    hotel.drain().await;
    let arriving = async || hotel.count("housekeeping.arrivals WHERE over_at IS NULL").await;
    assert_eq!(arriving().await, 2, "both rooms are meant for them");
    let body = json!({ "propertyId": hotel.property, "roomId": doors[0].id, "kind": "deep_clean",
                       "reservationId": stay["reservationId"] });
    let by_hand = text(&hotel.post(&hotel.supervisor(), "/housekeeping/v1/tasks", body).await.done()["id"]);
    hotel.stay(&stay, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "no flight" })).await.done();
    hotel.drain().await;
    assert_eq!(arriving().await, 0);
    assert_eq!(hotel.task(&by_hand).await["status"], "cancelled");
    let over = "housekeeping.expected_stays WHERE over_at IS NOT NULL";
    assert_eq!(hotel.count(over).await, 1, "a message that comes late finds them gone");
}

#[tokio::test]
async fn a_cancellation_from_before_the_guest_came_that_is_told_late_calls_nothing_off() {
    let hotel = TestHotel::open().await;
    let (room, stay): (_, ReservationId) = (hotel.ready_room("101").await, hotel.next());
    let off = [hotel.cancelled(&stay, &[]), hotel.cancelled(&stay, &["itm_101"])];
    hotel.clock.advance_seconds(600);
    hotel.deliver(&hotel.checked_in(&stay, &[&room])).await;
    hotel.deliver(&hotel.clean_requested(&stay)).await;
    hotel.deliver(&off[0]).await;
    assert_eq!(hotel.open_tasks(&room).await.len(), 1, "they are here");
    hotel.clock.advance_seconds(600);
    hotel.deliver(&hotel.checked_out_of(&stay, &[&room])).await;
    hotel.deliver(&off[1]).await;
    // Even a cancellation from after it leaves the dirty room its turnover.
    hotel.clock.advance_seconds(600);
    hotel.deliver(&hotel.cancelled(&stay, &[])).await;
    let open = hotel.open_tasks(&room).await;
    assert_eq!((open.len(), &open[0]["kind"]), (1, &json!("turnover")));
}

#[tokio::test]
async fn a_room_appears_with_the_first_word_of_it_whoever_says_it() {
    let hotel = TestHotel::open().await;
    let (desk, moved, found) = (hotel.unknown_door("901"), hotel.unknown_door("902"), hotel.unknown_door("903"));
    hotel.deliver(&hotel.check_in_started(&hotel.next(), &[&desk])).await;
    hotel.deliver(&hotel.room_changed(&hotel.next(), None, &moved)).await;
    let watch = json!({ "propertyId": hotel.property, "roomId": found.id, "description": "a watch" });
    hotel.post(&hotel.housekeeper(&hotel.next()), "/housekeeping/v1/lost-and-found", watch).await.done();
    for door in [&desk, &moved, &found] {
        hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/rooms/{}", door.id)).await.done();
        assert_eq!(hotel.board().await.room(door.id.as_str()).status, "clean", "{}", door.number);
    }
}

#[tokio::test]
async fn a_room_presses_more_with_the_hours_unless_somebody_has_said_otherwise_since() {
    let hotel = TestHotel::open().await;
    let (room, other) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    for door in [&room, &other] {
        let next: ReservationId = hotel.next();
        hotel.deliver(&hotel.confirmed(&next, "2026-04-23")).await;
        hotel.deliver(&hotel.room_changed(&next, None, door)).await;
        hotel.deliver(&hotel.checked_out(door)).await;
    }
    assert_eq!(priority(&hotel, &room).await, "normal", "tomorrow");
    assert_eq!(hotel.tick("arrivals_near").await, None);
    // Eight in the morning of the next day; guests may come at two.
    hotel.clock.advance_seconds(21 * 3_600);
    let path = format!("/housekeeping/v1/tasks/{}/priority", hotel.open_task(&other).await);
    hotel.patch(&hotel.supervisor(), &path, json!({ "priority": "low" })).await.done();
    assert_eq!(hotel.tick("arrivals_near").await.as_deref(), Some("1 rooms press more"));
    assert_eq!((priority(&hotel, &room).await, priority(&hotel, &other).await), ("high".to_owned(), "low".to_owned()));
    assert_eq!(hotel.tick("arrivals_near").await, None, "once");
    hotel.clock.advance_seconds(4 * 3_600);
    assert_eq!(hotel.tick("arrivals_near").await.as_deref(), Some("2 rooms press more"));
    assert_eq!(
        (priority(&hotel, &room).await, priority(&hotel, &other).await),
        ("urgent".to_owned(), "urgent".to_owned())
    );
}

#[tokio::test]
async fn the_next_guest_does_not_hurry_what_is_planned_for_after_they_have_come() {
    let hotel = TestHotel::open().await;
    let (room, tried) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    let later = hotel.now().plus_seconds(5 * 24 * 3_600);
    let deep = json!({ "propertyId": hotel.property, "roomId": room.id, "kind": "deep_clean", "priority": "low",
                       "scheduledFor": later });
    hotel.post(&hotel.supervisor(), "/housekeeping/v1/tasks", deep).await.done();
    // What was tried in vain is to be done, whenever it is tried again.
    hotel.deliver(&hotel.checked_out(&tried)).await;
    let gulalai = hotel.person_on_shift().await;
    let task = hotel.open_task(&tried).await;
    hotel.assign(&task, &gulalai).await;
    let shut = json!({ "reason": "do_not_disturb" });
    hotel.command(&hotel.housekeeper(&gulalai), &task, "attempt", shut).await.done();

    hotel.deliver(&hotel.check_in_started(&hotel.next(), &[&room, &tried])).await;
    assert_eq!(priority(&hotel, &room).await, "low");
    assert_eq!(priority(&hotel, &tried).await, "urgent");
    hotel.clock.advance_seconds(300);
    assert_eq!(hotel.tick("arrivals_near").await, None);
    assert_eq!(priority(&hotel, &room).await, "low");
    // Whoever comes after it finds it done.
    let next: ReservationId = hotel.next();
    hotel.deliver(&hotel.confirmed(&next, "2026-04-27")).await;
    hotel.deliver(&hotel.room_changed(&next, None, &room)).await;
    hotel.clock.advance_seconds(5 * 24 * 3_600);
    hotel.tick("arrivals_near").await;
    assert_eq!(priority(&hotel, &room).await, "high");
}

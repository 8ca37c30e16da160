//! Who is on shift, whatever the order in which it is told.

use std::pin::pin;

use contracts::ids::{ShiftId, StaffId};
use futures_util::future::{Either, select};
use serde_json::json;

use crate::test_hotel::{Happening, TestHotel};

/// Every order of so many.
pub(crate) fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let shorter = orders(count - 1);
    let inserted = |order: &Vec<usize>| {
        (0..count).map(|at| [&order[..at], &[count - 1], &order[at..]].concat()).collect::<Vec<_>>()
    };
    shorter.iter().flat_map(inserted).collect()
}

#[tokio::test]
async fn schedule_assignment_and_clock_put_a_person_on_shift_in_any_order() {
    let hotel = TestHotel::open().await;
    for order in orders(3) {
        let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
        let told: [Happening; 3] = [
            hotel.shift_scheduled(&shift),
            hotel.shift_assigned(&shift, &staff),
            hotel.clocked_in(Some(&shift), &staff),
        ];
        for at in &order {
            hotel.deliver(&told[*at]).await;
        }
        let board = hotel.board().await;
        let person = board.0["staff"].as_array().unwrap().iter().find(|one| one["staffId"] == staff.as_str()).cloned();
        let person = person.unwrap_or_else(|| panic!("{order:?}: not on shift"));
        assert_eq!((&person["shiftId"], &person["capacityMinutes"]), (&json!(shift), &json!(480)), "{order:?}");
    }
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn somebody_assigned_who_has_not_come_is_not_on_shift() {
    let hotel = TestHotel::open().await;
    let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.shift_scheduled(&shift)).await;
    hotel.deliver(&hotel.shift_assigned(&shift, &staff)).await;
    assert!(hotel.board().await.people().is_empty());
}

#[tokio::test]
async fn a_shift_that_starts_names_somebody_who_is_there() {
    let hotel = TestHotel::open().await;
    let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.shift_started(&shift, &staff)).await;
    assert_eq!(hotel.board().await.people(), [staff.as_str()]);
}

#[tokio::test]
async fn a_punch_without_a_shift_counts_for_the_shift_the_person_is_assigned_to() {
    let hotel = TestHotel::open().await;
    let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.shift_assigned(&shift, &staff)).await;
    hotel.deliver(&hotel.clocked_in(None, &staff)).await;
    assert_eq!(hotel.board().await.people(), [staff.as_str()]);
}

#[tokio::test]
async fn people_leave_by_the_clock_by_the_roster_or_with_the_shift() {
    let hotel = TestHotel::open().await;
    let leave: [fn(&TestHotel, &ShiftId, &StaffId) -> Happening; 3] = [
        |hotel, shift, staff| hotel.clocked_out(Some(shift), staff),
        |hotel, shift, staff| hotel.shift_unassigned(shift, staff),
        |hotel, shift, staff| hotel.shift_ended(shift, staff),
    ];
    for leaves in leave {
        let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
        hotel.deliver(&hotel.shift_scheduled(&shift)).await;
        hotel.deliver(&hotel.shift_assigned(&shift, &staff)).await;
        hotel.deliver(&hotel.clocked_in(Some(&shift), &staff)).await;
        assert_eq!(hotel.board().await.people(), [staff.as_str()]);
        let goodbye = leaves(&hotel, &shift, &staff);
        hotel.deliver(&goodbye).await;
        assert!(hotel.board().await.people().is_empty(), "after {}", goodbye.subject);
    }
}

/// Each kind of event travels on its own: the goodbye may overtake everything else.
#[tokio::test]
async fn whoever_has_left_is_not_on_shift_whatever_the_order_in_which_it_is_told() {
    let hotel = TestHotel::open().await;
    let goodbyes: [fn(&TestHotel, &ShiftId, &StaffId) -> Happening; 3] = [
        |hotel, shift, staff| hotel.clocked_out(Some(shift), staff),
        |hotel, shift, staff| hotel.shift_unassigned(shift, staff),
        |hotel, shift, staff| hotel.shift_ended(shift, staff),
    ];
    for goodbye in goodbyes {
        for order in orders(4) {
            let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
            let mut told = vec![
                hotel.shift_scheduled(&shift),
                hotel.shift_assigned(&shift, &staff),
                hotel.clocked_in(Some(&shift), &staff),
            ];
            hotel.clock.advance_seconds(60);
            told.push(goodbye(&hotel, &shift, &staff));
            for at in &order {
                hotel.deliver(&told[*at]).await;
            }
            let subjects: Vec<_> = order.iter().map(|at| told[*at].subject.as_str()).collect();
            assert!(hotel.board().await.people().is_empty(), "{subjects:?}");
        }
    }
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn somebody_who_comes_back_after_a_break_is_on_shift_again() {
    let hotel = TestHotel::open().await;
    let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.clocked_in(Some(&shift), &staff)).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.clocked_out(Some(&shift), &staff)).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.clocked_in(Some(&shift), &staff)).await;
    assert_eq!(hotel.board().await.people(), [staff.as_str()]);
}

#[tokio::test]
async fn somebody_who_is_assigned_anew_is_on_shift_again_and_the_old_goodbye_does_not_count() {
    let hotel = TestHotel::open().await;
    let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.shift_assigned(&shift, &staff)).await;
    hotel.deliver(&hotel.clocked_in(Some(&shift), &staff)).await;
    let goodbye = hotel.shift_unassigned(&shift, &staff);
    hotel.deliver(&goodbye).await;
    let anew = hotel.shift_assigned(&shift, &staff).with("/payload/assignmentId", json!("sha_ANEW"));
    hotel.deliver(&anew).await;
    assert_eq!(hotel.board().await.people(), [staff.as_str()]);
    hotel.deliver(&hotel.shift_unassigned(&shift, &staff)).await;
    assert_eq!(hotel.board().await.people(), [staff.as_str()], "that was the old assignment");
}

#[tokio::test]
async fn an_assignment_that_comes_after_the_end_of_its_shift_brings_nobody_back() {
    let hotel = TestHotel::open().await;
    let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.shift_scheduled(&shift)).await;
    hotel.deliver(&hotel.shift_ended(&shift, &staff)).await;
    hotel.deliver(&hotel.shift_assigned(&shift, &staff)).await;
    hotel.deliver(&hotel.clocked_in(Some(&shift), &staff)).await;
    assert!(hotel.board().await.people().is_empty());
}

#[tokio::test]
async fn what_somebody_speaks_is_known_whether_told_before_or_after_the_shift() {
    let hotel = TestHotel::open().await;
    let (early, late): (StaffId, StaffId) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.staff_created(&early)).await;
    for staff in [&early, &late] {
        let shift: ShiftId = hotel.next();
        hotel.deliver(&hotel.shift_assigned(&shift, staff)).await;
        hotel.deliver(&hotel.clocked_in(Some(&shift), staff)).await;
    }
    hotel.deliver(&hotel.staff_created(&late)).await;
    let board = hotel.board().await;
    let people = board.0["staff"].as_array().unwrap();
    assert_eq!(people.len(), 2);
    assert!(people.iter().all(|person| person["languages"] == json!(["ps-AF"])), "{people:?}");
}

#[tokio::test]
async fn a_punch_without_a_shift_counts_for_the_shift_whose_time_it_is_and_not_for_tomorrows() {
    let hotel = TestHotel::open().await;
    let staff: StaffId = hotel.next();
    let (today, evening, tomorrow): (ShiftId, ShiftId, ShiftId) = (hotel.next(), hotel.next(), hotel.next());
    let hours = |hours: i64| hotel.now().plus_seconds(hours * 3_600);
    for (shift, starts) in [(&today, hours(-1)), (&evening, hours(7)), (&tomorrow, hours(23))] {
        hotel.deliver(&hotel.shift_scheduled_at(shift, starts)).await;
        hotel.deliver(&hotel.shift_assigned(shift, &staff)).await;
    }
    let on = async || {
        let board = hotel.board().await;
        let people = board.0["staff"].as_array().unwrap();
        people.iter().map(|person| person["shiftId"].clone()).collect::<Vec<_>>()
    };
    hotel.deliver(&hotel.clocked_in(None, &staff)).await;
    assert_eq!(on().await, [json!(today)]);
    hotel.clock.advance_seconds(4 * 3_600);
    hotel.deliver(&hotel.clocked_out(None, &staff)).await;
    assert!(on().await.is_empty());
    hotel.clock.advance_seconds(3 * 3_600 - 600);
    hotel.deliver(&hotel.clocked_in(None, &staff)).await;
    assert_eq!(on().await, [json!(evening)], "ten minutes before it begins");
    hotel.clock.advance_seconds(9 * 3_600);
    hotel.deliver(&hotel.clocked_out(None, &staff)).await;
    assert!(on().await.is_empty(), "after overtime");
    hotel.clock.advance_seconds(2 * 3_600);
    hotel.deliver(&hotel.clocked_in(None, &staff)).await;
    assert!(on().await.is_empty(), "nobody works at that hour");
}

#[tokio::test]
async fn people_who_swap_are_on_each_others_shift() {
    let hotel = TestHotel::open().await;
    let (left, right): (ShiftId, ShiftId) = (hotel.next(), hotel.next());
    let (gulalai, nasrin): (StaffId, StaffId) = (hotel.next(), hotel.next());
    for (shift, staff) in [(&left, &gulalai), (&right, &nasrin)] {
        hotel.deliver(&hotel.shift_scheduled(shift)).await;
        hotel.deliver(&hotel.shift_assigned(shift, staff)).await;
    }
    let swap = hotel.shift_swapped((&left, &gulalai), (&right, &nasrin));
    hotel.deliver(&swap).await;
    hotel.deliver(&swap).await;
    hotel.deliver(&hotel.clocked_in(Some(&right), &gulalai)).await;
    hotel.deliver(&hotel.clocked_in(Some(&left), &nasrin)).await;
    // A punch on the shift that was swapped away brings nobody back to it.
    hotel.deliver(&hotel.clocked_in(Some(&left), &gulalai)).await;
    let board = hotel.board().await;
    let people = board.0["staff"].as_array().unwrap();
    let shift_of = |staff: &StaffId| -> Vec<_> {
        people.iter().filter(|one| one["staffId"] == staff.as_str()).map(|one| one["shiftId"].clone()).collect()
    };
    assert_eq!((shift_of(&gulalai), shift_of(&nasrin)), (vec![json!(right)], vec![json!(left)]));
}

#[tokio::test]
async fn a_swap_of_shifts_never_heard_of_is_tried_again() {
    let hotel = TestHotel::open().await;
    let (left, right): (ShiftId, ShiftId) = (hotel.next(), hotel.next());
    let (gulalai, nasrin): (StaffId, StaffId) = (hotel.next(), hotel.next());
    let swap = hotel.shift_swapped((&left, &gulalai), (&right, &nasrin));
    assert!(hotel.push(&swap).await.status >= 500, "not now: deliver it again");
    hotel.deliver(&hotel.shift_scheduled(&left)).await;
    hotel.deliver(&swap).await;
    hotel.deliver(&hotel.clocked_in(Some(&left), &nasrin)).await;
    assert_eq!(hotel.board().await.people(), [nasrin.as_str()]);
}

#[tokio::test]
async fn nobody_is_on_a_shift_that_is_off_whatever_is_told_first() {
    for off_first in [true, false] {
        let hotel = TestHotel::open().await;
        let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
        let (off, assigned) = (hotel.shift_cancelled(&shift), hotel.shift_assigned(&shift, &staff));
        for event in if off_first { [&off, &assigned] } else { [&assigned, &off] } {
            hotel.deliver(event).await;
        }
        hotel.deliver(&hotel.clocked_in(Some(&shift), &staff)).await;
        assert!(hotel.board().await.people().is_empty(), "off first: {off_first}");
    }
}

#[tokio::test]
async fn somebody_who_rests_is_on_shift_and_shown_as_resting_in_any_order() {
    for order in orders(3) {
        let hotel = TestHotel::open().await;
        let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
        let came = hotel.clocked_in(Some(&shift), &staff);
        hotel.clock.advance_seconds(60);
        let rests = hotel.rested("break_started", Some(&shift), &staff);
        let assigned = hotel.shift_assigned(&shift, &staff);
        let told = [came, rests, assigned];
        for at in &order {
            hotel.deliver(&told[*at]).await;
        }
        let resting = async || hotel.board().await.0["staff"][0]["onBreak"].clone();
        assert_eq!(resting().await, json!(true), "{order:?}");
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.rested("break_ended", None, &staff)).await;
        assert_eq!(resting().await, json!(false), "{order:?}");
        hotel.deliver(&told[1]).await;
        assert_eq!(resting().await, json!(false), "an old break does not begin again");
    }
}

#[tokio::test]
async fn a_shift_that_was_moved_stays_where_it_was_moved_to_whatever_is_told_last() {
    for order in orders(3) {
        let hotel = TestHotel::open().await;
        let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
        let role = |told: Happening| told.adding("/payload", "positionRole", json!("supervisor"));
        let later = |hours: i64| hotel.now().plus_seconds(hours * 3_600);
        let told = [
            role(hotel.shift_scheduled(&shift)),
            hotel.shift_scheduled_at(&shift, later(-2)).with("/payload/version", json!(2)),
            hotel.shift_scheduled_at(&shift, later(-1)).with("/payload/version", json!(4)),
        ];
        hotel.deliver(&hotel.clocked_in(Some(&shift), &staff)).await;
        for at in &order {
            hotel.deliver(&told[*at]).await;
        }
        let person = hotel.board().await.0["staff"][0].clone();
        assert_eq!(person["shiftStartsAt"], json!(later(-1)), "{order:?}");
        assert_eq!(person["shiftEndsAt"], json!(later(7)), "{order:?}");
        assert_eq!(person["job"], "overseeing", "told when the shift was new, {order:?}");
        let latecomer: StaffId = hotel.next();
        hotel.deliver(&hotel.clocked_in(Some(&shift), &latecomer)).await;
        let board = hotel.board().await.0;
        let people = board["staff"].as_array().unwrap();
        assert!(people.iter().all(|one| one["shiftStartsAt"] == json!(later(-1))), "{order:?}: {people:?}");
    }
}

#[tokio::test]
async fn what_somebody_speaks_and_knows_is_what_was_said_last_of_each() {
    for order in orders(3) {
        let hotel = TestHotel::open().await;
        let staff: StaffId = hotel.next();
        let shift: ShiftId = hotel.next();
        let update = |version: u64, field: &str, words: serde_json::Value| {
            let payload = json!({
                "staffId": staff, "tenantId": hotel.tenant, "changedFields": [field], field: words, "version": version,
                "updatedAt": hotel.now(),
            });
            hotel.happening("staff.updated.v1", &payload)
        };
        let told = [
            update(2, "skills", json!(["deep_clean"])),
            update(3, "languages", json!(["fa-AF"])),
            update(4, "skills", json!(["inspection"])),
        ];
        hotel.deliver(&hotel.clocked_in(Some(&shift), &staff)).await;
        for at in &order {
            hotel.deliver(&told[*at]).await;
        }
        hotel.deliver(&hotel.staff_created(&staff)).await;
        let sql = "SELECT languages, skills FROM housekeeping.staff_shift_assignments";
        let row = hotel.behind.query_one(sql, &[]).await.unwrap();
        let (languages, skills): (Vec<String>, Vec<String>) = (row.get(0), row.get(1));
        assert_eq!((languages.join(" "), skills.join(" ")), ("fa-AF".to_owned(), "inspection".to_owned()), "{order:?}");
    }
}

#[tokio::test]
async fn the_end_of_a_shift_waits_its_turn_like_whatever_else_is_told_of_people() {
    let hotel = TestHotel::open().await;
    let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
    let turn = format!("SELECT pg_advisory_lock(hashtextextended('housekeeping presence of {}', 0))", hotel.tenant);
    hotel.behind.batch_execute(&turn).await.unwrap();
    let ended = hotel.shift_ended(&shift, &staff);
    let waits = async {
        let looks = hotel.database_connection().await;
        let asks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        while looks.query_one(asks, &[]).await.unwrap().get::<_, i64>(0) == 0 {
            tokio::task::yield_now().await;
        }
    };
    match select(pin!(hotel.push(&ended)), pin!(waits)).await {
        Either::Left((answer, _)) => panic!("it did not wait: {}", answer.status),
        Either::Right(((), push)) => {
            hotel.behind.batch_execute("SELECT pg_advisory_unlock_all()").await.unwrap();
            assert_eq!(push.await.status, 204);
        }
    }
}

#[tokio::test]
async fn people_who_swap_between_two_houses_are_each_in_the_house_of_their_shift() {
    let hotel = TestHotel::open().await;
    let annex: contracts::ids::PropertyId = hotel.next();
    let (left, right): (ShiftId, ShiftId) = (hotel.next(), hotel.next());
    let (gulalai, nasrin): (StaffId, StaffId) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.shift_scheduled(&left)).await;
    hotel.deliver(&hotel.shift_scheduled(&right).with("/payload/propertyId", json!(annex))).await;
    hotel.deliver(&hotel.shift_swapped((&left, &gulalai), (&right, &nasrin))).await;
    let there = |happening: Happening| happening.with("/payload/propertyId", json!(annex));
    hotel.deliver(&there(hotel.clocked_in(Some(&right), &gulalai))).await;
    hotel.deliver(&hotel.clocked_in(Some(&left), &nasrin)).await;
    assert_eq!(hotel.board().await.people(), [nasrin.as_str()]);
    let path = format!("/housekeeping/v1/board?propertyId={annex}");
    let board = hotel.get(&hotel.supervisor(), &path).await.done();
    assert_eq!(board["staff"][0]["staffId"], json!(gulalai), "{}", board["staff"]);
    // Where one of the two is not known yet, its people learn the house with the schedule.
    let (left, right): (ShiftId, ShiftId) = (hotel.next(), hotel.next());
    let (zarmina, laila): (StaffId, StaffId) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.shift_scheduled(&left)).await;
    hotel.deliver(&hotel.shift_swapped((&left, &zarmina), (&right, &laila))).await;
    hotel.deliver(&there(hotel.shift_scheduled(&right))).await;
    hotel.deliver(&there(hotel.clocked_in(Some(&right), &zarmina))).await;
    let board = hotel.get(&hotel.supervisor(), &path).await.done();
    assert_eq!(board["staff"].as_array().unwrap().len(), 2, "{}", board["staff"]);
}

#[tokio::test]
async fn rest_is_no_time_for_work_however_it_is_punched_and_in_whichever_order() {
    for named in [true, false] {
        let hotel = TestHotel::open().await;
        // Somebody for each order: all of them rest at the same times.
        let mut people: Vec<(ShiftId, StaffId, Vec<Happening>)> = Vec::new();
        for _ in orders(4) {
            let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
            hotel.deliver(&hotel.shift_scheduled(&shift)).await;
            hotel.deliver(&hotel.shift_assigned(&shift, &staff)).await;
            hotel.deliver(&hotel.clocked_in(Some(&shift), &staff)).await;
            people.push((shift, staff, Vec::new()));
        }
        for (verb, minutes) in [("break_started", 10), ("break_ended", 30), ("break_started", 60), ("break_ended", 15)]
        {
            hotel.clock.advance_seconds(minutes * 60);
            for (shift, staff, told) in &mut people {
                told.push(hotel.rested(verb, named.then_some(&*shift), staff));
            }
        }
        for (order, (_, staff, told)) in orders(4).into_iter().zip(&people) {
            for at in &order {
                hotel.deliver(&told[*at]).await;
                hotel.deliver(&told[*at]).await;
            }
            let board = hotel.board().await.0;
            let all = board["staff"].as_array().unwrap();
            let person = all.iter().find(|one| one["staffId"] == staff.as_str()).unwrap();
            assert_eq!(person["capacityMinutes"], 480 - 45, "{order:?}, named: {named}");
            assert_eq!(person["onBreak"], false, "{order:?}, named: {named}");
        }
    }
}

/// On a shift, off it, and on it again under another assignment: heard in any order, the last one counts.
#[tokio::test]
async fn who_is_put_on_a_shift_again_is_on_it_and_who_is_taken_off_again_is_not_in_any_order() {
    let hotel = TestHotel::open().await;
    for stays in [true, false] {
        for order in orders(if stays { 3 } else { 4 }) {
            for clock_at in [0, order.len()] {
                let (shift, staff): (ShiftId, StaffId) = (hotel.next(), hotel.next());
                let anew = |told: Happening| {
                    told.with("/payload/assignmentId", json!(format!("sha_ANEW{}", &staff.as_str()[4..])))
                };
                let mut told = vec![hotel.shift_assigned(&shift, &staff)];
                hotel.clock.advance_seconds(60);
                told.push(hotel.shift_unassigned(&shift, &staff));
                hotel.clock.advance_seconds(60);
                told.push(anew(hotel.shift_assigned(&shift, &staff)));
                hotel.clock.advance_seconds(60);
                told.push(anew(hotel.shift_unassigned(&shift, &staff)));
                let comes = hotel.clocked_in(Some(&shift), &staff);
                let mut heard: Vec<&Happening> = order.iter().map(|at| &told[*at]).collect();
                heard.insert(clock_at, &comes);
                for one in heard {
                    hotel.deliver(one).await;
                }
                let is_on = hotel.board().await.people().contains(&staff.as_str().to_owned());
                assert_eq!(is_on, stays, "{order:?}, the clock {clock_at}");
                if stays {
                    hotel.deliver(&told[3]).await;
                    let people = hotel.board().await.people();
                    assert!(!people.contains(&staff.as_str().to_owned()), "{order:?}, the clock {clock_at}: taken off");
                }
            }
        }
    }
    assert!(hotel.dead_letters().await.is_empty());
}

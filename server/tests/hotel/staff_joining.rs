//! Whoever is there before their shift is belongs to it from then on, however it comes to them.

use contracts::ids::SuggestionId;
use serde_json::json;

use crate::test_hotel::{TestHotel, text};

#[tokio::test]
async fn whoever_is_there_when_their_shift_is_moved_to_them_belongs_to_it_and_begins_it() {
    let hotel = TestHotel::open().await;
    let (gulalai, shift) = (hotel.employ("Gulalai").await, hotel.shift("13:00", "19:00").await);
    hotel.place(&shift, &gulalai).await.done();
    let came = hotel.punch_clock(&gulalai, "in").await.done();
    assert_eq!(came["needsReview"], json!(["unscheduled"]), "two hours are too early");
    hotel.told_by_staff().await;
    let moved = json!({ "localWindow": { "date": "2026-04-22", "startLocal": "11:30", "endLocal": "19:00" } });
    let path = format!("/staff/v1/shifts/{shift}");
    assert_eq!(hotel.patch(&hotel.supervisor(), &path, moved).await.done()["status"], "started");
    let now = hotel.shift_now(&shift).await;
    assert_eq!((&now["status"], &now["primaryClockedInCount"]), (&json!("started"), &json!(1)), "{now}");
    assert_eq!(hotel.subjects_told_by_staff().await, ["shift.scheduled", "clock.in", "shift.started"]);
    let noted = hotel.patch(&hotel.supervisor(), &path, json!({ "note": "the east wing" })).await.done();
    assert_eq!(noted["status"], "started");
    assert_eq!(hotel.subjects_told_by_staff().await, ["shift.scheduled"], "once");
}

#[tokio::test]
async fn whoever_is_there_when_a_pattern_makes_their_shift_belongs_to_the_nearest_of_those_that_it_makes() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    for (person, windows) in
        [(&gulalai, vec![("07:00", "15:00")]), (&nasrin, vec![("03:00", "11:15"), ("11:15", "19:00")])]
    {
        for (start, end) in windows {
            let mut body = hotel.pattern(start, end).await;
            body["assignees"] = json!([{ "staffId": person, "role": "primary" }]);
            hotel.add_pattern(body).await;
        }
        hotel.punch_clock(person, "in").await.done();
    }
    hotel.told_by_staff().await;
    let made = hotel.generate("2026-04-22", "2026-04-23").await.done();
    assert_eq!(made["created"].as_array().unwrap().len(), 6);
    let told = hotel.subjects_told_by_staff().await;
    assert_eq!(told[12..], ["clock.in", "shift.started", "clock.in", "shift.started"], "{told:?}");
    let mut begun = Vec::new();
    for shift in made["created"].as_array().unwrap() {
        let now = hotel.shift_now(&text(shift)).await;
        if now["status"] == "started" {
            begun.push((text(&now["localWindow"]["date"]), text(&now["localWindow"]["startLocal"])));
            assert_eq!(now["primaryClockedInCount"], 1, "{now}");
        }
    }
    begun.sort();
    assert_eq!(
        begun,
        [("2026-04-22", "07:00"), ("2026-04-22", "11:15")].map(|(day, at)| (day.to_owned(), at.to_owned()))
    );
    assert_eq!(hotel.count("staff.clock_entries WHERE needs_review <> '{}'").await, 0);
}

#[tokio::test]
async fn an_in_that_is_put_right_to_a_time_of_the_persons_shift_belongs_to_it() {
    let hotel = TestHotel::open().await;
    let (gulalai, shift) = (hotel.employ("Gulalai").await, hotel.shift("13:00", "19:00").await);
    hotel.place(&shift, &gulalai).await.done();
    let entry = text(&hotel.punch_clock(&gulalai, "in").await.done()["clockEntryId"]);
    hotel.clock.advance_seconds(70 * 60);
    hotel.punch_clock(&gulalai, "break_started").await.done();
    hotel.told_by_staff().await;
    let right = json!({ "clockEntryId": entry, "at": "2026-04-22T07:35:00Z", "reason": "a clock that was slow" });
    let now = hotel.post(&hotel.supervisor(), "/staff/v1/clock/override", right).await.done();
    assert_eq!((&now["shiftId"], &now["matchedScheduledShift"]), (&json!(shift), &json!(true)), "{now}");
    assert_eq!(hotel.subjects_told_by_staff().await, ["clock.in", "shift.started", "clock.break_started"]);
    let now = hotel.shift_now(&shift).await;
    assert_eq!((&now["status"], &now["firstClockInAt"]), (&json!("started"), &json!("2026-04-22T07:35:00.000Z")));
    assert_eq!(now["primaryClockedInCount"], 1);
}

#[tokio::test]
async fn the_answer_to_a_shift_that_is_moved_counts_whoever_is_there() {
    let hotel = TestHotel::open().await;
    let mut plan = hotel.plan("13:00", "19:00").await;
    plan["primaryHeadcount"] = json!(2);
    let shift = text(&hotel.post(&hotel.supervisor(), "/staff/v1/shifts", plan).await.done()["shiftId"]);
    for name in ["Gulalai", "Nasrin"] {
        let person = hotel.employ(name).await;
        hotel.place(&shift, &person).await.done();
        hotel.punch_clock(&person, "in").await.done();
    }
    hotel.clock.advance_seconds(5 * 60);
    let moved = json!({ "localWindow": { "date": "2026-04-22", "startLocal": "11:30", "endLocal": "19:00" } });
    let answer = hotel.patch(&hotel.supervisor(), &format!("/staff/v1/shifts/{shift}"), moved).await.done();
    assert_eq!((&answer["primaryClockedInCount"], &answer["totalActualMinutes"]), (&json!(2), &json!(10)), "{answer}");
    assert_eq!(answer, hotel.shift_now(&shift).await, "what is answered is what is seen afterwards");
}

#[tokio::test]
async fn whoever_is_there_when_two_shifts_are_proposed_for_them_belongs_to_the_nearer_one() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    let (early, late) = (hotel.shift("03:00", "11:15").await, hotel.shift("11:15", "19:00").await);
    hotel.punch_clock(&gulalai, "in").await.done();
    let id: SuggestionId = hotel.next();
    hotel.deliver(&hotel.proposal(&id, &[(&early, &gulalai), (&late, &gulalai), (&late, &nasrin)])).await;
    hotel.told_by_staff().await;
    let path = format!("/staff/v1/shift-suggestions/{id}/approve");
    let done = hotel.post(&hotel.supervisor(), &path, json!({})).await.done();
    assert_eq!(done["rows"][2]["because"], "HEADCOUNT_FULL", "{done}");
    let told = hotel.subjects_told_by_staff().await;
    assert_eq!(told, ["shift.assigned", "shift.assigned", "clock.in", "shift.started"]);
    let (early, late) = (hotel.shift_now(&early).await, hotel.shift_now(&late).await);
    assert_eq!((&early["status"], &early["primaryClockedInCount"]), (&json!("scheduled"), &json!(0)), "{early}");
    assert_eq!((&late["status"], &late["primaryClockedInCount"]), (&json!("started"), &json!(1)), "{late}");
}

#[tokio::test]
async fn whoever_is_there_by_what_fitted_nowhere_at_first_belongs_to_the_shift_that_is_moved_to_them() {
    let hotel = TestHotel::open().await;
    let (gulalai, first) = (hotel.employ("Gulalai").await, hotel.shift("07:00", "11:30").await);
    hotel.place(&first, &gulalai).await.done();
    hotel.punch_clock(&gulalai, "in").await.done();
    // Another device sends that they came again, and nobody saw them go between.
    hotel.clock.advance_seconds(60 * 60);
    let again = json!({ "deviceId": "dev_PHONE", "sentAt": hotel.now(), "punches": [
        { "clientPunchId": "1", "kind": "in", "at": hotel.now().plus_seconds(-600) },
    ] });
    let sent = hotel.post(&hotel.own(&gulalai), "/staff/v1/clock/offline-replay", again).await.done();
    assert_eq!(sent["results"][0]["needsReview"], json!(["unscheduled", "orphan"]), "{sent}");
    // The clock is stopped at the end of the first shift, and they are there since the second time.
    hotel.clock.advance_seconds(2 * 60 * 60);
    let tick = hotel.app.ticker.find("staff.auto-close-shifts").unwrap();
    hotel.app.ticker.run_now(tick).await.unwrap();
    let second = hotel.shift("16:00", "22:00").await;
    hotel.place(&second, &gulalai).await.done();
    hotel.told_by_staff().await;
    let moved = json!({ "localWindow": { "date": "2026-04-22", "startLocal": "12:00", "endLocal": "20:00" } });
    let answer = hotel.patch(&hotel.supervisor(), &format!("/staff/v1/shifts/{second}"), moved).await.done();
    assert_eq!((&answer["status"], &answer["primaryClockedInCount"]), (&json!("started"), &json!(1)), "{answer}");
    assert_eq!(hotel.subjects_told_by_staff().await, ["shift.scheduled", "clock.in", "shift.started"]);
    assert_eq!(answer, hotel.shift_now(&second).await);
    let open = hotel.get(&hotel.own(&gulalai), "/staff/v1/clock/entries?needsReview=true").await.done();
    let asked: Vec<_> = open["items"].as_array().unwrap().iter().map(|one| one["needsReview"].clone()).collect();
    assert_eq!(asked, [json!(["missed_out"])], "{open}");
}

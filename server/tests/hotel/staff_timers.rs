//! What happens by itself with time in staff: clocks that were forgotten, shifts that are over, gaps, last days, old records.

use contracts::ids::{PropertyId, SuggestionId, TenantId};
use futures_util::future::join;
use platform::ticks::Ran;
use serde_json::{Value, json};
use server::app::App;
use staff::infrastructure::due::{Due, tenants};

use crate::test_hotel::{TestHotel, text};

const DAY: i64 = 24 * 60 * 60;

async fn run(app: &App, name: &str) -> Ran {
    let tick = app.ticker.find(&format!("staff.{name}")).unwrap_or_else(|| panic!("no tick {name}"));
    app.ticker.run_now(tick).await.unwrap()
}

async fn tick(hotel: &TestHotel, name: &str) -> Option<String> {
    match run(&hotel.app, name).await {
        Ran::Done(said) => said,
        other => panic!("{name}: {other:?}"),
    }
}

/// Somebody on a shift from 07:00 to 15:00, which is 10:30 in UTC; it is 06:30.
async fn on_shift(hotel: &TestHotel) -> (String, String) {
    let (gulalai, shift) = (hotel.employ("Gulalai").await, hotel.shift("07:00", "15:00").await);
    hotel.place(&shift, &gulalai).await.done();
    (gulalai, shift)
}

fn subjects(told: &[(String, Value)]) -> Vec<&str> {
    told.iter().map(|(subject, _)| subject.as_str()).collect()
}

#[tokio::test]
async fn whoever_begins_a_break_after_the_shift_and_forgets_to_go_is_clocked_out_behind_it() {
    let hotel = TestHotel::open().await;
    let (gulalai, shift) = on_shift(&hotel).await;
    hotel.punch_clock(&gulalai, "in").await.done();
    hotel.clock.advance_seconds(4 * 3_600 + 60);
    hotel.punch_clock(&gulalai, "break_started").await.done();
    hotel.clock.advance_seconds(2 * 3_600);
    tick(&hotel, "auto-close-shifts").await;
    assert_eq!(hotel.shift_now(&shift).await["status"], "ended");
    let entries = hotel.get(&hotel.own(&gulalai), "/staff/v1/clock/entries").await.done();
    let items = entries["items"].as_array().unwrap();
    let mut kinds: Vec<_> = items.iter().map(|one| text(&one["kind"])).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["break_ended", "break_started", "in", "out"]);
    assert!(!entries.to_string().contains("orphan"), "{entries}");
    let on_now = format!("/staff/v1/on-now?propertyId={}", hotel.property);
    assert_eq!(hotel.get(&hotel.manager(), &on_now).await.done()["items"], json!([]));
}

#[tokio::test]
async fn whoever_forgets_to_go_is_clocked_out_at_the_end_of_the_shift_once_its_grace_is_over() {
    let hotel = TestHotel::open().await;
    let (gulalai, shift) = on_shift(&hotel).await;
    hotel.punch_clock(&gulalai, "in").await.done();
    hotel.clock.advance_seconds(3_600);
    hotel.punch_clock(&gulalai, "break_started").await.done();
    hotel.told_by_staff().await;
    hotel.clock.advance_seconds(5 * 3_600 - 1);
    tick(&hotel, "auto-close-shifts").await;
    let told = hotel.told_by_staff().await;
    assert!(!subjects(&told).contains(&"clock.out"), "grace is not over: {told:?}");
    hotel.clock.advance_seconds(1);
    let other = hotel.second_process();
    let (one, two) = join(run(&hotel.app, "auto-close-shifts"), run(&other, "auto-close-shifts")).await;
    assert!([one, two].iter().any(|ran| matches!(ran, Ran::Done(_))));
    let told = hotel.told_by_staff().await;
    assert_eq!(subjects(&told), ["clock.break_ended", "clock.out", "shift.ended"], "{told:?}");
    let (out, ended) = (&told[1].1, &told[2].1);
    assert_eq!((&out["source"], &out["occurredAtUtc"]), (&json!("auto_close"), &json!("2026-04-22T10:30:00.000Z")));
    assert_eq!(ended["endedReason"], "auto_close_grace_exceeded");
    assert_eq!((&ended["endedAt"], &ended["totalActualMinutes"]), (&json!(hotel.now()), &json!(240)));
    let path = "/staff/v1/clock/entries?needsReview=true";
    let entries = hotel.get(&hotel.own(&gulalai), path).await.done();
    assert_eq!(entries["items"][0]["needsReview"], json!(["missed_out"]));
    assert_eq!(tick(&hotel, "auto-close-shifts").await, None, "twice is once");
    assert_eq!(hotel.shift_now(&shift).await["status"], "ended");
    let news = hotel.feed(0).await.to_string();
    assert!(news.contains("system_auto"));
}

#[tokio::test]
async fn a_shift_that_nobody_came_to_ends_and_one_that_all_left_early_ends_when_they_left() {
    let hotel = TestHotel::open().await;
    let (gulalai, left) = on_shift(&hotel).await;
    let nobody = hotel.shift("07:00", "15:00").await;
    hotel.punch_clock(&gulalai, "in").await.done();
    hotel.clock.advance_seconds(3_600);
    hotel.punch_clock(&gulalai, "out").await.done();
    let went = hotel.now();
    assert_eq!(hotel.shift_now(&left).await["status"], "started", "it may have been lunch");
    hotel.clock.advance_seconds(3 * 3_600);
    tick(&hotel, "auto-close-shifts").await;
    let now = hotel.shift_now(&left).await;
    assert_eq!((&now["status"], &now["endedAt"]), (&json!("ended"), &json!(went)), "{now}");
    assert_eq!(now["endedReason"], "all_primary_clocked_out");
    assert_eq!(hotel.shift_now(&nobody).await["status"], "scheduled");
    hotel.clock.advance_seconds(10 * DAY);
    tick(&hotel, "auto-close-shifts").await;
    let now = hotel.shift_now(&nobody).await;
    assert_eq!((&now["status"], &now["endedReason"]), (&json!("ended"), &json!("auto_close_grace_exceeded")));
}

#[tokio::test]
async fn whoever_forgets_to_go_without_a_shift_is_believed_a_standard_day() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.employ("Zarmina").await;
    hotel.punch_clock(&zarmina, "in").await.done();
    let came = hotel.now();
    hotel.clock.advance_seconds(960 * 60 - 1);
    assert_eq!(tick(&hotel, "auto-close-shifts").await, None);
    hotel.clock.advance_seconds(1);
    tick(&hotel, "auto-close-shifts").await;
    let told = hotel.told_by_staff().await;
    let out = told.iter().find(|(subject, _)| subject == "clock.out").expect("clocked out");
    assert_eq!(out.1["occurredAtUtc"], json!(came.plus_seconds(480 * 60)));
    assert_eq!(tick(&hotel, "auto-close-shifts").await, None);
}

#[tokio::test]
async fn a_gap_is_told_once_and_again_when_it_gets_worse_or_after_a_while() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    // 11:15 in Kabul is 06:45.
    let mut plan = hotel.plan("11:15", "19:15").await;
    (plan["primaryHeadcount"], plan["standbyHeadcount"]) = (json!(2), json!(1));
    let shift = text(&hotel.post(&hotel.supervisor(), "/staff/v1/shifts", plan).await.done()["shiftId"]);
    hotel.place(&shift, &gulalai).await.done();
    hotel.told_by_staff().await;
    let gaps = async || {
        tick(&hotel, "auto-close-shifts").await;
        let told = hotel.told_by_staff().await;
        let gaps = told.into_iter().filter(|(subject, _)| subject == "shift.staffing_gap_detected");
        gaps.map(|(_, payload)| payload).collect::<Vec<_>>()
    };
    hotel.clock.advance_seconds(299);
    assert!(gaps().await.is_empty(), "more than ten minutes are left");
    hotel.clock.advance_seconds(1);
    let told = gaps().await;
    assert_eq!(told.len(), 1);
    let expected = json!({ "windowStartsInSeconds": 600, "headcountRequired": 2, "headcountClockedIn": 0,
        "headcountStandbyAvailable": 0, "suggestion": "call_relief" });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&told[0][name], value, "{name}");
    }
    assert!(gaps().await.is_empty(), "once is enough");
    let standby = json!({ "staffId": nasrin, "role": "standby" });
    hotel.post(&hotel.supervisor(), &format!("/staff/v1/shifts/{shift}/assignments"), standby).await.done();
    let path = format!("/staff/v1/staff/{gulalai}");
    hotel.patch(&hotel.manager(), &path, json!({ "employmentStatus": "suspended" })).await.done();
    let told = gaps().await;
    assert_eq!(told.len(), 1, "whoever was sent home cannot come: it got worse");
    assert_eq!((&told[0]["headcountStandbyAvailable"], &told[0]["suggestion"]), (&json!(1), &json!("promote_standby")));
    hotel.clock.advance_seconds(899);
    assert!(gaps().await.is_empty());
    hotel.clock.advance_seconds(1);
    assert_eq!(gaps().await.len(), 1, "after a quarter of an hour");
    hotel.clock.advance_seconds(26_700);
    assert!(gaps().await.is_empty(), "half an hour before the end nobody is called");
}

#[tokio::test]
async fn whose_last_day_is_over_is_gone_with_all_that_follows() {
    let hotel = TestHotel::open().await;
    let (gulalai, shift) = (hotel.employ("Gulalai").await, hotel.shift("16:00", "20:00").await);
    hotel.place(&shift, &gulalai).await.done();
    hotel.punch_clock(&gulalai, "in").await.done();
    let path = format!("/staff/v1/staff/{gulalai}");
    hotel.patch(&hotel.manager(), &path, json!({ "employmentEndsAt": "2026-04-22" })).await.done();
    hotel.told_by_staff().await;
    hotel.clock.advance_seconds(12 * 3_600);
    assert_eq!(tick(&hotel, "employment-end").await, None, "the last day is a day");
    hotel.clock.advance_seconds(3_600);
    assert_eq!(tick(&hotel, "employment-end").await.as_deref(), Some("1 employments ended"));
    let told = hotel.told_by_staff().await;
    assert_eq!(subjects(&told), ["clock.out", "shift.cancelled", "terminated"]);
    assert_eq!((&told[2].1["effectiveAt"], &told[0].1["source"]), (&json!("2026-04-22"), &json!("auto_close")));
    assert_eq!(told[2].1["cascadeSummary"]["openClockClosed"], true);
    assert_eq!(told[1].1["reason"], "staff_terminated");
    assert_eq!(tick(&hotel, "employment-end").await, None);
}

#[tokio::test]
async fn whose_last_day_ends_in_a_night_is_gone_when_the_night_is_over() {
    let hotel = TestHotel::open().await;
    let (gulalai, shift) = (hotel.employ("Gulalai").await, hotel.shift("22:00", "06:00").await);
    hotel.place(&shift, &gulalai).await.done();
    let path = format!("/staff/v1/staff/{gulalai}");
    hotel.patch(&hotel.manager(), &path, json!({ "employmentEndsAt": "2026-04-22" })).await.done();
    hotel.clock.advance_seconds(11 * 3_600);
    hotel.punch_clock(&gulalai, "in").await.done();
    hotel.told_by_staff().await;
    hotel.clock.advance_seconds(3 * 3_600);
    assert_eq!(tick(&hotel, "employment-end").await, None, "at work at one in the morning");
    assert!(hotel.told_by_staff().await.is_empty());
    hotel.clock.advance_seconds(5 * 3_600);
    assert_eq!(hotel.punch_clock(&gulalai, "out").await.status, 201);
    assert_eq!(hotel.subjects_told_by_staff().await, ["clock.out", "shift.ended"]);
    assert_eq!(tick(&hotel, "employment-end").await.as_deref(), Some("1 employments ended"));
    let told = hotel.told_by_staff().await;
    assert_eq!((subjects(&told), &told[0].1["effectiveAt"]), (vec!["terminated"], &json!("2026-04-22")));
}

#[tokio::test]
async fn punches_go_when_they_have_been_kept_long_enough() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    hotel.punch_clock(&gulalai, "in").await.done();
    hotel.clock.advance_seconds(600);
    let entry = text(&hotel.punch_clock(&gulalai, "out").await.done()["clockEntryId"]);
    let correct = json!({ "clockEntryId": entry, "at": hotel.now().plus_seconds(-60), "reason": "late" });
    hotel.post(&hotel.supervisor(), "/staff/v1/clock/override", correct).await.done();
    hotel.put(&hotel.manager(), "/staff/v1/settings", json!({ "timeRecordsKeptDays": 365 })).await.done();
    hotel.clock.advance_seconds(364 * DAY);
    tick(&hotel, "staff-retention").await;
    assert_eq!(hotel.count("staff.clock_entries").await, 2);
    hotel.clock.advance_seconds(2 * DAY);
    tick(&hotel, "staff-retention").await;
    assert_eq!(hotel.count("staff.clock_entries").await + hotel.count("staff.clock_entry_revisions").await, 0);
}

#[tokio::test]
async fn a_house_keeps_its_punches_as_long_as_it_says_and_the_others_as_long_as_the_tenant_says() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let annex: PropertyId = hotel.next();
    let both = json!({ "propertyAccess": [hotel.property, annex] });
    hotel.patch(&hotel.manager(), &format!("/staff/v1/staff/{gulalai}"), both).await.done();
    for house in [&hotel.property, &annex] {
        for kind in ["in", "out"] {
            let body = json!({ "kind": kind, "propertyId": house });
            hotel.post(&hotel.own(&gulalai), "/staff/v1/clock/punches", body).await.done();
            hotel.clock.advance_seconds(600);
        }
    }
    let kept = async || {
        let rows = "SELECT property_id, count(*) FROM staff.clock_entries GROUP BY 1";
        let rows = hotel.behind.query(rows, &[]).await.unwrap();
        let count = |house: &PropertyId| {
            rows.iter().find(|row| row.get::<_, &str>(0) == house.as_str()).map_or(0, |row| row.get::<_, i64>(1))
        };
        (count(&hotel.property), count(&annex))
    };
    let of_annex = format!("/staff/v1/settings?propertyId={annex}");
    hotel.put(&hotel.manager(), "/staff/v1/settings", json!({ "timeRecordsKeptDays": 100 })).await.done();
    hotel.put(&hotel.manager(), &of_annex, json!({ "timeRecordsKeptDays": 50 })).await.done();
    hotel.clock.advance_seconds(51 * DAY);
    tick(&hotel, "staff-retention").await;
    assert_eq!(kept().await, (2, 0), "the annex keeps them for fewer days");
    hotel.put(&hotel.manager(), &of_annex, json!({ "timeRecordsKeptDays": 400 })).await.done();
    let body = json!({ "kind": "in", "propertyId": annex });
    hotel.post(&hotel.own(&gulalai), "/staff/v1/clock/punches", body).await.done();
    hotel.clock.advance_seconds(101 * DAY);
    tick(&hotel, "staff-retention").await;
    assert_eq!(kept().await, (0, 1), "and then for more");
}

#[tokio::test]
async fn a_closed_house_calls_off_what_is_planned_and_takes_no_more() {
    let hotel = TestHotel::open().await;
    let supervisor = hotel.supervisor();
    let running = hotel.shift("07:00", "15:00").await;
    for day in 1..=103 {
        for start in ["06:00", "14:00"] {
            let mut plan = hotel.plan(start, "23:00").await;
            let date = hotel.now().plus_seconds(day * DAY).to_string()[..10].to_owned();
            plan["localWindow"]["date"] = json!(date);
            hotel.post(&supervisor, "/staff/v1/shifts", plan).await.done();
        }
    }
    let closed = json!({ "tenantId": hotel.tenant, "propertyId": hotel.property, "deactivatedAt": hotel.now() });
    let closed = hotel.happening("property.deactivated.v1", &closed);
    for _ in 0..2 {
        hotel.deliver(&closed).await;
    }
    let off = "staff.shifts WHERE status = 'cancelled' AND cancel_reason = 'property_deactivated'";
    assert_eq!(hotel.count(off).await, 200);
    tick(&hotel, "auto-close-shifts").await;
    assert_eq!(hotel.count(off).await, 206);
    assert_eq!(hotel.shift_now(&running).await["status"], "scheduled", "it had begun before");
    let plan = hotel.plan("16:00", "20:00").await;
    hotel.post(&supervisor, "/staff/v1/shifts", plan).await.refused(409, "MELMASTOON.STAFF.PROPERTY_INACTIVE");
}

#[tokio::test]
async fn a_closed_house_makes_no_shifts_of_patterns_and_waits_for_no_proposal() {
    let hotel = TestHotel::open().await;
    let (gulalai, supervisor) = (hotel.employ("Gulalai").await, hotel.supervisor());
    let mut body = hotel.pattern("06:00", "14:00").await;
    body["assignees"] = json!([{ "staffId": gulalai, "role": "primary" }]);
    let pattern = hotel.add_pattern(body).await;
    let made = hotel.generate("2026-04-23", "2026-04-24").await.done()["created"].clone();
    let (before, after): (SuggestionId, SuggestionId) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.proposal(&before, &[(&text(&made[0]), &gulalai)])).await;
    let closed = json!({ "tenantId": hotel.tenant, "propertyId": hotel.property, "deactivatedAt": hotel.now() });
    let closed = hotel.happening("property.deactivated.v1", &closed);
    for _ in 0..2 {
        hotel.deliver(&closed).await;
    }
    hotel.clock.advance_seconds(1);
    hotel.deliver(&hotel.proposal(&after, &[(&text(&made[1]), &gulalai)])).await;
    for shift in made.as_array().unwrap() {
        assert_eq!(hotel.shift_now(&text(shift)).await["status"], "cancelled");
    }
    for suggestion in [&before, &after] {
        let path = format!("/staff/v1/shift-suggestions/{suggestion}");
        assert_eq!(hotel.get(&supervisor, &path).await.done()["status"], "expired");
    }
    let path = format!("/staff/v1/shift-patterns?propertyId={}", hotel.property);
    let patterns = hotel.get(&supervisor, &path).await.done();
    let shown = &patterns["items"][0];
    assert_eq!((&shown["patternId"], &shown["active"], &shown["version"]), (&json!(pattern), &json!(false), &json!(2)));
    hotel.generate("2026-04-25", "2026-04-26").await.refused(409, "MELMASTOON.STAFF.PROPERTY_INACTIVE");
    // Whoever puts it back into use finds that the house is still closed, and the timer has nothing to complain of.
    let again =
        hotel.patch(&supervisor, &format!("/staff/v1/shift-patterns/{pattern}"), json!({ "active": true })).await;
    again.refused(409, "MELMASTOON.STAFF.PROPERTY_INACTIVE");
    hotel.generate("2026-04-25", "2026-04-26").await.refused(409, "MELMASTOON.STAFF.PROPERTY_INACTIVE");
    assert_eq!(tick(&hotel, "generate-shifts").await, None);
    assert_eq!(hotel.count("staff.shifts").await, 2);
}

#[tokio::test]
async fn whoever_is_on_leave_is_missing_on_a_shift_that_began_without_them_and_does_not_stand_by() {
    let hotel = TestHotel::open().await;
    let [gulalai, nasrin, zarmina] =
        [hotel.employ("Gulalai").await, hotel.employ("Nasrin").await, hotel.employ("Zarmina").await];
    // 11:15 in Kabul is 06:45; it is 06:30.
    let mut plan = hotel.plan("11:15", "19:15").await;
    (plan["primaryHeadcount"], plan["standbyHeadcount"]) = (json!(2), json!(1));
    let shift = text(&hotel.post(&hotel.supervisor(), "/staff/v1/shifts", plan).await.done()["shiftId"]);
    for (person, role) in [(&gulalai, "primary"), (&nasrin, "primary"), (&zarmina, "standby")] {
        let path = format!("/staff/v1/shifts/{shift}/assignments");
        hotel.post(&hotel.supervisor(), &path, json!({ "staffId": person, "role": role })).await.done();
    }
    hotel.punch_clock(&gulalai, "in").await.done();
    let gaps = async || {
        hotel.told_by_staff().await;
        tick(&hotel, "auto-close-shifts").await;
        let told = hotel.told_by_staff().await;
        let gaps = told.into_iter().filter(|(subject, _)| subject == "shift.staffing_gap_detected");
        gaps.map(|(_, gap)| (gap["headcountStandbyAvailable"].clone(), text(&gap["suggestion"]))).collect::<Vec<_>>()
    };
    hotel.clock.advance_seconds(300);
    assert!(gaps().await.is_empty(), "everybody has a place");
    hotel.leave(&nasrin, "2026-04-22", "2026-04-22").await;
    assert_eq!(hotel.shift_now(&shift).await["missingPrimary"], 0, "it has begun: leave takes no place from it");
    assert_eq!(gaps().await, [(json!(1), "promote_standby".to_owned())]);
    hotel.leave(&zarmina, "2026-04-22", "2026-04-22").await;
    hotel.clock.advance_seconds(900);
    assert_eq!(gaps().await, [(json!(0), "call_relief".to_owned())]);
}

#[tokio::test]
async fn a_timer_asks_once_and_works_for_those_alone_who_have_something_due() {
    let hotel = TestHotel::open().await;
    on_shift(&hotel).await;
    let found = tenants(&hotel.app.db, Due::TimeToWatch).await.unwrap();
    assert_eq!(found, [hotel.tenant.clone()] as [TenantId; 1]);
    let old = Due::OldTimeRecords { usual_days: 1_095 };
    for due in [Due::ClosedHouses, Due::EndedEmployments, old, Due::CertificatesRunOut, Due::Patterns] {
        assert!(tenants(&hotel.app.db, due).await.unwrap().is_empty());
    }
}

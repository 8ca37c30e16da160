//! Patterns make shifts: one for a day, ever, with whoever can take a place.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::test_hotel::{TestHotel, text};

#[tokio::test]
async fn a_pattern_makes_one_shift_for_a_day_even_if_it_was_called_off_or_moved() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let mut body = hotel.pattern("06:00", "14:00").await;
    body["daysOfWeek"] = json!(["wed", "thu"]);
    body["assignees"] = json!([{ "staffId": gulalai, "role": "primary" }]);
    let pattern = hotel.add_pattern(body).await;
    hotel.told_by_staff().await;
    let made = hotel.generate("2026-04-22", "2026-04-30").await.done();
    let created = made["created"].as_array().unwrap().clone();
    assert_eq!((created.len(), &made["existing"], &made["skipped"]), (4, &json!(0), &json!([])));
    let told = hotel.told_by_staff().await;
    let subjects: Vec<_> = told.iter().map(|(subject, _)| subject.as_str()).collect();
    assert_eq!(subjects, ["shift.scheduled", "shift.assigned"].repeat(4));
    assert_eq!((&told[0].1["patternId"], &told[1].1["source"]), (&json!(pattern), &json!("pattern")));
    let shift = hotel.shift_now(&text(&created[0])).await;
    assert_eq!((&shift["patternId"], &shift["version"]), (&json!(pattern), &json!(2)));
    assert_eq!(
        shift["localWindow"],
        json!({ "date": "2026-04-22", "startLocal": "06:00", "endLocal": "14:00", "tz": "Asia/Kabul" })
    );
    let path = |at: usize| format!("/staff/v1/shifts/{}", text(&created[at]));
    hotel.post(&hotel.supervisor(), &format!("{}/cancel", path(1)), json!({})).await.done();
    let moved = json!({ "localWindow": { "date": "2026-04-27", "startLocal": "06:00", "endLocal": "14:00" } });
    hotel.patch(&hotel.supervisor(), &path(2), moved).await.done();
    let again = hotel.generate("2026-04-22", "2026-04-30").await.done();
    assert_eq!((&again["created"], &again["existing"]), (&json!([]), &json!(4)));
}

#[tokio::test]
async fn assignees_who_cannot_are_left_out_and_it_is_said_why() {
    let hotel = TestHotel::open().await;
    let (away, busy, gone, free) = (
        hotel.employ("Away").await,
        hotel.employ("Busy").await,
        hotel.employ("Gone").await,
        hotel.employ("Free").await,
    );
    hotel.leave(&away, "2026-04-25", "2026-04-25").await;
    let other = hotel.shift_on("2026-04-25", "13:00", "20:00").await;
    hotel.place(&other, &busy).await.done();
    let last = json!({ "employmentEndsAt": "2026-04-24" });
    hotel.patch(&hotel.manager(), &format!("/staff/v1/staff/{gone}"), last).await.done();
    let mut body = hotel.pattern("06:00", "14:00").await;
    body["primaryHeadcount"] = json!(4);
    let primary = |staff: &str| json!({ "staffId": staff, "role": "primary" });
    body["assignees"] = json!([primary(&away), primary(&busy), primary(&gone), primary(&free)]);
    let pattern = hotel.add_pattern(body).await;
    // A second pattern at the same time: nobody is in two places, not even by one request.
    let mut twin = hotel.pattern("08:00", "16:00").await;
    twin["assignees"] = json!([primary(&free)]);
    let twin = hotel.add_pattern(twin).await;
    let made = hotel.generate("2026-04-25", "2026-04-25").await.done();
    let skipped = |pattern: &str, staff: &str, code: &str| json!({ "patternId": pattern, "date": "2026-04-25", "code": code, "staffId": staff });
    let mut found = made["skipped"].as_array().unwrap().clone();
    found.sort_by_key(|one| text(&one["staffId"]));
    let mut wanted = vec![
        skipped(&pattern, &away, "STAFF_ON_LEAVE"),
        skipped(&pattern, &busy, "ASSIGNMENT_OVERLAP"),
        skipped(&pattern, &gone, "STAFF_NOT_ACTIVE"),
        skipped(&twin, &free, "ASSIGNMENT_OVERLAP"),
    ];
    wanted.sort_by_key(|one| text(&one["staffId"]));
    assert_eq!(found, wanted);
    assert_eq!(made["created"].as_array().unwrap().len(), 2, "the shifts are there, with a hole");
}

#[tokio::test]
async fn where_the_clock_leaps_a_window_within_the_leap_is_skipped() {
    let hotel = TestHotel::open().await;
    hotel.put(&hotel.manager(), "/staff/v1/settings", json!({ "timezone": "Europe/Berlin" })).await.done();
    let mut night = hotel.pattern("02:00", "03:00").await;
    night["name"] = json!("Leap");
    let leap = hotel.add_pattern(night).await;
    hotel.add_pattern(hotel.pattern("22:00", "06:00").await).await;
    let made = hotel.generate("2027-03-27", "2027-03-28").await.done();
    assert_eq!(made["skipped"], json!([{ "patternId": leap, "date": "2027-03-28", "code": "WINDOW_EMPTY" }]));
    let path = format!("/staff/v1/shifts?propertyId={}&from=2027-03-27&to=2027-03-28", hotel.property);
    let shifts = hotel.get(&hotel.supervisor(), &path).await.done();
    let hours = |shift: &Value| {
        let at = |edge: &str| contracts::time::Timestamp::parse(shift["windowUtc"][edge].as_str().unwrap()).unwrap();
        at("endUtc").minutes_since(at("startUtc")) / 60
    };
    let nights: Vec<_> = shifts["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["localWindow"]["startLocal"] == "22:00")
        .map(hours)
        .collect();
    assert_eq!(nights, [7, 8], "the night of the leap has seven hours");
}

#[tokio::test]
async fn a_pattern_that_cannot_be_is_refused_by_the_field() {
    let hotel = TestHotel::open().await;
    let path = "/staff/v1/shift-patterns";
    let cycle = json!({ "lengthDays": 4, "onDays": [1, 5], "anchorDate": "2026-04-22" });
    let day = json!({ "staffId": "stf_NOBODY", "role": "primary" });
    for (field, value, code) in [
        ("endLocal", json!("06:10"), "INVALID_VALUE"),
        ("daysOfWeek", json!([]), "INVALID_VALUE"),
        ("daysOfWeek", json!(null), "INVALID_VALUE"),
        ("validTo", json!("2026-03-01"), "INVALID_VALUE"),
        ("primaryHeadcount", json!(0), "INVALID_VALUE"),
        ("standbyHeadcount", json!(-1), "INVALID_VALUE"),
        ("breakMinutes", json!(2_000), "INVALID_VALUE"),
        ("name", json!(""), "INVALID_VALUE"),
        ("assignees", json!([day, day, day]), "INVALID_VALUE"),
        ("assignees", json!([day]), "REFERENCE_UNKNOWN"),
        ("positionId", json!("pos_NONE"), "REFERENCE_UNKNOWN"),
    ] {
        let mut body = hotel.pattern("06:00", "14:00").await;
        body[field] = value;
        let status = if code == "INVALID_VALUE" { 400 } else { 422 };
        hotel
            .post(&hotel.supervisor(), path, body)
            .await
            .refused(status, &format!("MELMASTOON.STAFF.{code}"))
            .naming(field);
    }
    let mut both = hotel.pattern("06:00", "14:00").await;
    both["cycle"] = cycle.clone();
    hotel.post(&hotel.supervisor(), path, both.clone()).await.refused(400, "MELMASTOON.STAFF.INVALID_VALUE");
    both["daysOfWeek"] = json!(null);
    hotel.post(&hotel.supervisor(), path, both).await.refused(400, "MELMASTOON.STAFF.INVALID_VALUE").naming("cycle");
    for (from, to) in [("2026-04-22", "2026-06-23"), ("2026-04-22", "2026-04-21")] {
        hotel.generate(from, to).await.refused(400, "MELMASTOON.STAFF.INVALID_VALUE").naming("to");
    }
    let body =
        json!({ "propertyId": hotel.property, "from": "2026-04-22", "to": "2026-04-22", "patternIds": ["shp_NONE"] });
    let refused = hotel.post(&hotel.supervisor(), "/staff/v1/shifts/generate", body).await;
    refused.refused(422, "MELMASTOON.STAFF.REFERENCE_UNKNOWN").naming("patternIds");
    let pattern = hotel.pattern("06:00", "14:00").await;
    let pattern = text(&hotel.post(&hotel.supervisor(), path, pattern).await.done()["patternId"]);
    let out_of_use = format!("{path}/{pattern}");
    hotel.patch(&hotel.supervisor(), &out_of_use, json!({ "active": false })).await.done();
    let body = json!({
        "propertyId": hotel.property, "from": "2026-04-22", "to": "2026-04-22", "patternIds": [pattern, "shp_NONE"],
    });
    let refused = hotel.post(&hotel.supervisor(), "/staff/v1/shifts/generate", body).await;
    refused.refused(422, "MELMASTOON.STAFF.REFERENCE_UNKNOWN").naming("patternIds");
    assert_eq!(hotel.count("staff.shifts").await, 0);
}

#[tokio::test]
async fn the_days_ahead_are_made_by_themselves_each_once() {
    let hotel = TestHotel::open().await;
    hotel.put(&hotel.manager(), "/staff/v1/settings", json!({ "generateHorizonDays": 3 })).await.done();
    let pattern = hotel.add_pattern(hotel.pattern("06:00", "14:00").await).await;
    let tick = hotel.app.ticker.find("staff.generate-shifts").unwrap().clone();
    for _ in 0..2 {
        hotel.app.ticker.run_now(&tick).await.unwrap();
        assert_eq!(hotel.count("staff.shifts").await, 4, "today and three days ahead");
    }
    hotel.clock.advance_seconds(24 * 60 * 60);
    hotel.app.ticker.run_now(&tick).await.unwrap();
    assert_eq!(hotel.count("staff.shifts").await, 5);
    let path = format!("/staff/v1/shift-patterns/{pattern}");
    hotel.patch(&hotel.supervisor(), &path, json!({ "active": false })).await.done();
    hotel.clock.advance_seconds(24 * 60 * 60);
    hotel.app.ticker.run_now(&tick).await.unwrap();
    assert_eq!(hotel.count("staff.shifts").await, 5, "out of use");
    assert_eq!(hotel.generate("2026-04-24", "2026-05-24").await.done()["created"], json!([]));
}

/// Days of the week, days of a cycle, and two stretches of days.
type Plan = (Vec<&'static str>, Option<(i32, Vec<i32>)>, (i64, i64), (i64, i64));

/// A pattern and two stretches of days, at random.
fn plans() -> impl Strategy<Value = Plan> {
    let days = prop::sample::subsequence(vec!["mon", "tue", "wed", "thu", "fri", "sat", "sun"], 1..=7);
    let cycle = (1..9_i32).prop_flat_map(|length| (Just(length), prop::collection::vec(1..=length, 1..4)));
    let stretch = || (-20..40_i64, 0..30_i64);
    (days, prop::option::of(cycle), stretch(), stretch())
}

#[tokio::test]
async fn generating_twice_or_overlapping_or_at_once_is_generating_once() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let mut runner = TestRunner::deterministic();
    for round in 0..8 {
        let (days, cycle, first, second) = plans().new_tree(&mut runner).unwrap().current();
        let mut body = hotel.pattern("06:00", "14:00").await;
        body["name"] = json!(format!("Round {round}"));
        body["validFrom"] = json!("2026-04-10");
        body["assignees"] = json!([{ "staffId": gulalai, "role": "primary" }]);
        match cycle {
            Some((length, on)) => {
                body["daysOfWeek"] = json!(null);
                body["cycle"] = json!({ "lengthDays": length, "onDays": on, "anchorDate": "2026-04-22" });
            }
            None => body["daysOfWeek"] = json!(days),
        }
        let pattern = hotel.add_pattern(body).await;
        let date = |days: i64| {
            let base = jiff::civil::date(2026, 4, 22);
            base.checked_add(jiff::Span::new().days(days)).unwrap().to_string()
        };
        let make = async |(from, length): (i64, i64)| {
            let body = json!({
                "propertyId": hotel.property, "from": date(from), "to": date(from + length), "patternIds": [pattern],
            });
            hotel.post(&hotel.supervisor(), "/staff/v1/shifts/generate", body).await.done()
        };
        let both = futures_util::future::join_all([make(first), make(second), make(first)]).await;
        let told: usize = both.iter().map(|one| one["created"].as_array().unwrap().len()).sum();
        let kept = hotel.count(&format!("staff.shifts WHERE pattern_id = '{pattern}'")).await;
        assert_eq!(usize::try_from(kept).unwrap(), told, "round {round}: {first:?} {second:?}");
        for again in [first, second] {
            assert_eq!(make(again).await["created"], json!([]), "round {round}");
        }
    }
    let twice = "(SELECT pattern_id, pattern_date FROM staff.shifts GROUP BY 1, 2 HAVING count(*) > 1) AS t";
    assert_eq!(hotel.count(twice).await, 0);
}

#[tokio::test]
async fn a_closed_house_takes_no_patterns_and_brings_none_back() {
    let hotel = TestHotel::open().await;
    let supervisor = hotel.supervisor();
    let pattern = hotel.add_pattern(hotel.pattern("06:00", "14:00").await).await;
    let closed = json!({ "tenantId": hotel.tenant, "propertyId": hotel.property, "deactivatedAt": hotel.now() });
    hotel.deliver(&hotel.happening("property.deactivated.v1", &closed)).await;
    let inactive = "MELMASTOON.STAFF.PROPERTY_INACTIVE";
    let body = hotel.pattern("14:00", "22:00").await;
    hotel.post(&supervisor, "/staff/v1/shift-patterns", body).await.refused(409, inactive);
    let path = format!("/staff/v1/shift-patterns/{pattern}");
    hotel.patch(&supervisor, &path, json!({ "active": true })).await.refused(409, inactive);
    let named = hotel.patch(&supervisor, &path, json!({ "name": "The old early shift" })).await.done();
    assert_eq!((&named["active"], &named["name"]), (&json!(false), &json!("The old early shift")));
}

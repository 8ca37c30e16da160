//! Who works when, who is there now, and what it adds up to.

use platform::auth::Role;
use serde_json::json;

use crate::test_hotel::{TestHotel, text};

#[tokio::test]
async fn the_roster_shows_what_is_missing_and_what_speaks_against_it() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let (early, late) = (hotel.shift("12:00", "16:00").await, hotel.shift("18:00", "22:00").await);
    let off = hotel.shift("08:00", "09:00").await;
    for shift in [&early, &late] {
        hotel.place(shift, &gulalai).await.done();
    }
    let mut night = hotel.plan("22:00", "06:00").await;
    night["localWindow"]["date"] = json!("2026-04-24");
    night["primaryHeadcount"] = json!(3);
    hotel.post(&hotel.supervisor(), "/staff/v1/shifts", night).await.done();
    hotel.post(&hotel.supervisor(), &format!("/staff/v1/shifts/{off}/cancel"), json!({})).await.done();
    let path = format!("/staff/v1/roster?propertyId={}", hotel.property);
    let roster = hotel.get(&hotel.own(&gulalai), &path).await.done();
    let dates: Vec<_> = roster["days"].as_array().unwrap().iter().map(|day| text(&day["date"])).collect();
    assert_eq!((dates.len(), dates[0].as_str(), dates[6].as_str()), (7, "2026-04-22", "2026-04-28"));
    let shifts = roster["days"][0]["shifts"].as_array().unwrap();
    let today: Vec<_> = shifts.iter().map(|one| text(&one["shiftId"])).collect();
    assert_eq!(today, [early, late], "in their order, without the one that is off");
    assert_eq!(roster["days"][2]["shifts"][0]["missingPrimary"], 3);
    let person = &roster["people"][0];
    assert_eq!((&person["staffId"], &person["scheduledMinutes"]), (&json!(gulalai), &json!(480)));
    assert_eq!(person["warnings"][0]["code"], "REST_SHORT");
}

#[tokio::test]
async fn who_is_there_now_is_seen_with_their_shift_and_how_late_they_came() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    let shift = hotel.shift("10:30", "18:00").await;
    hotel.place(&shift, &gulalai).await.done();
    let path = format!("/staff/v1/on-now?propertyId={}", hotel.property);
    let now = async || hotel.get(&hotel.supervisor(), &path).await.done()["items"].as_array().unwrap().clone();
    assert!(now().await.is_empty());
    hotel.punch_clock(&gulalai, "in").await.done();
    hotel.clock.advance_seconds(120);
    hotel.punch_clock(&nasrin, "in").await.done();
    hotel.punch_clock(&gulalai, "break_started").await.done();
    let there = now().await;
    assert_eq!((&there[0]["staffId"], &there[0]["lateMinutes"]), (&json!(gulalai), &json!(30)));
    assert_eq!(there[0]["onBreak"], true);
    assert_eq!((&there[1]["shiftId"], &there[1]["givenName"]), (&json!(null), &json!("Nasrin")));
    hotel.clock.advance_seconds(60);
    hotel.punch_clock(&gulalai, "out").await.done();
    assert_eq!(now().await.len(), 1);
    let days = "/staff/v1/me/shifts?from=2026-04-22&to=2026-04-22";
    assert_eq!(hotel.get(&hotel.own(&gulalai), days).await.done()["items"][0]["shiftId"], json!(shift));
    assert_eq!(hotel.get(&hotel.own(&nasrin), days).await.done()["items"], json!([]));
    let year = |to: &str| format!("/staff/v1/me/shifts?from=2026-01-01&to={to}");
    hotel.get(&hotel.own(&gulalai), &year("2027-01-01")).await.done();
    let longer = hotel.get(&hotel.own(&gulalai), &year("2027-01-02")).await;
    longer.refused(400, "MELMASTOON.STAFF.INVALID_VALUE").naming("to");
}

#[tokio::test]
async fn the_rows_of_a_timesheet_are_the_totals_of_the_shift_and_only_exports_round() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("=Gulalai").await;
    let shift = hotel.shift("11:00", "15:00").await;
    hotel.place(&shift, &gulalai).await.done();
    hotel.put(&hotel.manager(), "/staff/v1/settings", json!({ "roundMinutes": 15 })).await.done();
    for (kind, minutes) in [("in", 100), ("break_started", 20), ("break_ended", 112), ("out", 0)] {
        hotel.punch_clock(&gulalai, kind).await.done();
        hotel.clock.advance_seconds(minutes * 60);
    }
    let days = "from=2026-04-22&to=2026-04-22";
    let own = hotel.get(&hotel.own(&gulalai), &format!("/staff/v1/me/timesheet?{days}")).await.done();
    let row = &own["items"][0];
    assert_eq!((&row["actualMinutes"], &row["breakMinutes"]), (&json!(232), &json!(20)));
    assert_eq!((&row["workedMinutes"], &row["roundedMinutes"]), (&json!(212), &json!(210)));
    assert_eq!(row["in"], "2026-04-22T11:00:00+04:30");
    assert_eq!(hotel.shift_now(&shift).await["totalActualMinutes"], 232);
    let export = format!("/staff/v1/timesheets/export?propertyId={}&{days}", hotel.property);
    let file = hotel.get(&hotel.manager(), &export).await;
    assert!(file.header("content-type").unwrap().starts_with("text/csv"));
    let lines: Vec<_> = file.text.split("\r\n").collect();
    assert!(lines[0].starts_with("staffCode,familyName,givenName,"), "{lines:?}");
    assert!(lines[1].starts_with("S-0001,Wardak,'=Gulalai,"), "no formula for the spreadsheet: {lines:?}");
    let others = format!("{export}&staffId={gulalai}");
    hotel.get(&hotel.token(Role::Supervisor, None), &others).await.refused(403, "MELMASTOON.STAFF.NOT_STAFF");
    let long = "/staff/v1/me/timesheet?from=2026-01-01&to=2026-04-22";
    hotel.get(&hotel.own(&gulalai), long).await.refused(400, "MELMASTOON.STAFF.INVALID_VALUE");
    let seen = format!("/staff/v1/timesheets?staffId={gulalai}&{days}");
    assert_eq!(hotel.get(&hotel.supervisor(), &seen).await.done()["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn who_is_away_is_seen_to_be_in_a_week_without_shifts_too() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let path = format!("/staff/v1/roster?propertyId={}&from=2026-06-06", hotel.property);
    let people = async || hotel.get(&hotel.own(&gulalai), &path).await.done()["people"].as_array().unwrap().clone();
    assert!(people().await.is_empty());
    let leave = hotel.leave(&gulalai, "2026-06-12", "2026-06-14").await;
    let there = people().await;
    assert_eq!(there[0]["leave"][0]["leaveRequestId"], json!(leave), "{there:?}");
    hotel.post(&hotel.supervisor(), &format!("/staff/v1/leave/{leave}/cancel"), json!({})).await.done();
    assert!(people().await.is_empty(), "and what was kept of it holds no longer");
}

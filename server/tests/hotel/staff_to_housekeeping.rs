//! Who comes to work in one context can be given work in the other, a moment later: by the bus, and by nothing else.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::routing::turnovers;
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

/// Whom a plan of now would give something to.
async fn planned_for(hotel: &TestHotel) -> BTreeSet<String> {
    let plan = hotel.suggest().await.done();
    let rows = plan["rows"].as_array().expect("rows").iter();
    rows.filter(|row| row["outcome"] == "proposed").map(|row| text(&row["staffId"])).collect()
}

async fn job_of(hotel: &TestHotel, staff: &str) -> Value {
    let board = hotel.board().await.0;
    let found = board["staff"].as_array().expect("staff").iter().find(|one| one["staffId"] == staff).cloned();
    found.unwrap_or_else(|| panic!("{staff} is not at work: {board}"))["job"].clone()
}

#[tokio::test]
async fn a_plan_gives_rooms_to_those_who_clean_and_to_the_supervisor_where_nobody_does() {
    let hotel = TestHotel::open().await;
    let work = turnovers(&hotel, &["101", "102"]).await;
    let clerk = hotel.at_work_as("FRONT_DESK", "Farid").await;
    assert_eq!((planned_for(&hotel).await, job_of(&hotel, &clerk).await), (BTreeSet::new(), json!("other")));
    let supervisor = hotel.at_work_as("SUPERVISOR", "Karima").await;
    assert_eq!(job_of(&hotel, &supervisor).await, json!("overseeing"));
    assert_eq!(planned_for(&hotel).await, BTreeSet::from([supervisor]));
    let gulalai = hotel.at_work_as("HOUSEKEEPER", "Gulalai").await;
    assert_eq!(job_of(&hotel, &gulalai).await, json!("cleaning"));
    assert_eq!(planned_for(&hotel).await, BTreeSet::from([gulalai]));
    let given = hotel.command(&hotel.supervisor(), &work[0].1, "assign", json!({ "staffId": clerk })).await.done();
    assert_eq!(given["assigneeStaffId"], json!(clerk), "by hand, whoever is in the house");
    let body = json!({ "propertyId": hotel.property, "taskId": work[1].1, "staffId": clerk });
    let weighed = hotel.post(&hotel.supervisor(), "/housekeeping/v1/routing/what-if", body).await.done();
    assert_eq!(weighed["obstacle"], "not_planned", "{weighed}");
    let plan = hotel.suggest().await.done();
    let rows = plan["rows"].as_array().expect("rows");
    assert!(rows.iter().all(|row| row["taskId"] == json!(work[1].1)), "what was given by hand stays: {plan}");
}

#[tokio::test]
async fn the_night_clerk_does_not_keep_the_first_housekeeper_from_the_morning_s_plan() {
    let hotel = TestHotel::open().await;
    turnovers(&hotel, &["101"]).await;
    hotel.at_work_as("FRONT_DESK", "Farid").await;
    assert_eq!(hotel.tick("replanning").await, None, "nobody is there to give anything to");
    hotel.at_work_as("HOUSEKEEPER", "Gulalai").await;
    assert_eq!(hotel.tick("replanning").await.as_deref(), Some("1 houses planned again"));
}

#[tokio::test]
async fn a_shift_that_is_moved_keeps_what_its_people_do() {
    let hotel = TestHotel::open().await;
    let clerk = hotel.employ("Farid").await;
    let mut plan = hotel.plan("10:30", "18:00").await;
    plan["positionId"] = json!(hotel.position("FRONT_DESK").await);
    let shift = hotel.post(&hotel.supervisor(), "/staff/v1/shifts", plan).await.done();
    let path = format!("/staff/v1/shifts/{}", text(&shift["shiftId"]));
    hotel.patch(&hotel.supervisor(), &path, json!({ "primaryHeadcount": 2 })).await.done();
    hotel.place(&text(&shift["shiftId"]), &clerk).await.done();
    hotel.punch_clock(&clerk, "in").await.done();
    hotel.drain().await;
    assert_eq!(job_of(&hotel, &clerk).await, json!("other"));
}

//! A shift ends, a task fails: open work is planned again by itself, and somebody decides on it as on any plan.

use contracts::ids::{ShiftId, StaffId};
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::routing::{ASSIGNED, row_of, turnovers};
use crate::test_hotel::{TestHotel, text};

async fn plan_again(hotel: &TestHotel) -> Option<String> {
    hotel.tick("replanning").await
}

/// Somebody at work, and the shift they are on.
async fn at_work(hotel: &TestHotel) -> (StaffId, ShiftId) {
    let (staff, shift): (StaffId, ShiftId) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.shift_scheduled(&shift)).await;
    hotel.deliver(&hotel.shift_assigned(&shift, &staff)).await;
    hotel.deliver(&hotel.clocked_in(Some(&shift), &staff)).await;
    (staff, shift)
}

async fn waiting(hotel: &TestHotel) -> Vec<Value> {
    let path = format!("/housekeeping/v1/routing/suggestions?propertyId={}&status=pending", hotel.property);
    hotel.get(&hotel.supervisor(), &path).await.done()["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn what_somebody_leaves_behind_is_suggested_for_somebody_else_and_given_to_nobody_before_a_person_agrees() {
    let hotel = TestHotel::open().await;
    let ((leaving, shift), (staying, _)) = (at_work(&hotel).await, at_work(&hotel).await);
    let work = turnovers(&hotel, &["101"]).await;
    hotel.assign(&work[0].1, &leaving).await;
    assert_eq!(plan_again(&hotel).await, None, "nothing has happened");
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.shift_ended(&shift, &leaving)).await;
    hotel.published().await;
    assert_eq!(plan_again(&hotel).await.as_deref(), Some("1 houses planned again"));
    let plans = waiting(&hotel).await;
    assert_eq!(plans.len(), 1);
    let row = row_of(&plans[0], &work[0].1);
    assert_eq!((text(&row["staffId"]), text(&row["previousStaffId"])), (staying.to_string(), leaving.to_string()));
    assert_eq!(hotel.task(&work[0].1).await["assigneeStaffId"], json!(leaving), "nobody has agreed yet");
    assert!(hotel.published().await.is_empty(), "a plan is nobody's news");
    assert_eq!(hotel.board().await.0["suggestion"]["suggestionId"], plans[0]["id"]);
    hotel.decide(&plans[0], "approve", json!({})).await.done();
    assert_eq!(hotel.task(&work[0].1).await["assigneeStaffId"], json!(staying));
    assert_eq!(plan_again(&hotel).await, None, "once is enough");
}

#[tokio::test]
async fn a_task_that_failed_is_planned_again_for_whoever_is_there() {
    let hotel = TestHotel::open().await;
    let (gulalai, _) = at_work(&hotel).await;
    let work = turnovers(&hotel, &["101"]).await;
    hotel.begin(&work[0].1, &gulalai).await;
    let answer = hotel.command(&hotel.housekeeper(&gulalai), &work[0].1, "fail", json!({ "reason": "other" })).await;
    answer.done();
    assert_eq!(plan_again(&hotel).await.as_deref(), Some("1 houses planned again"));
    let again = hotel.open_task(&work[0].0).await;
    assert_eq!(row_of(&waiting(&hotel).await[0], &again)["outcome"], "proposed");
    assert_eq!(hotel.task(&again).await["status"], "pending");
}

#[tokio::test]
async fn however_often_and_in_whatever_order_it_is_told_one_plan_comes_of_it() {
    let hotel = TestHotel::open().await;
    let (leaving, shift): (StaffId, ShiftId) = (hotel.next(), hotel.next());
    // The end overtakes everything: the person was never known to be there.
    let told = [
        hotel.shift_scheduled(&shift),
        hotel.shift_assigned(&shift, &leaving),
        hotel.clocked_in(Some(&shift), &leaving),
    ];
    hotel.clock.advance_seconds(60);
    let over = hotel.shift_ended(&shift, &leaving);
    for happening in [&over, &over, &hotel.shift_ended(&shift, &leaving), &told[2], &told[1], &told[0], &over] {
        hotel.deliver(happening).await;
    }
    let work = turnovers(&hotel, &["101", "102"]).await;
    assert_eq!(plan_again(&hotel).await, None, "nobody is there who could be given anything");
    let (staying, _) = at_work(&hotel).await;
    let runs = join_all([plan_again(&hotel), plan_again(&hotel)]).await;
    assert_eq!(runs.iter().filter(|said| said.is_some()).count(), 1, "{runs:?}");
    assert_eq!(plan_again(&hotel).await, None);
    let plans = waiting(&hotel).await;
    assert_eq!(plans.len(), 1, "as soon as somebody came");
    for (_, task) in &work {
        assert_eq!(row_of(&plans[0], task)["staffId"], json!(staying));
    }
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn the_hotels_own_gate_holds_for_these_plans_too() {
    for (gate, plans, assigned) in [("manual_only", 0, false), ("auto_apply", 0, true)] {
        let hotel = TestHotel::open().await;
        hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "routingGate": gate })).await.done();
        let ((leaving, shift), _) = (at_work(&hotel).await, at_work(&hotel).await);
        let work = turnovers(&hotel, &["101"]).await;
        hotel.clock.advance_seconds(60);
        hotel.deliver(&hotel.shift_ended(&shift, &leaving)).await;
        hotel.published().await;
        plan_again(&hotel).await;
        assert_eq!(waiting(&hotel).await.len(), plans, "{gate}");
        assert_eq!(hotel.task(&work[0].1).await["status"] == "assigned", assigned, "{gate}");
        assert_eq!(hotel.published().await.contains(&ASSIGNED.to_owned()), assigned, "{gate}");
        assert_eq!(plan_again(&hotel).await, None, "{gate}: it was asked for once");
    }
}

#[tokio::test]
async fn a_plan_that_would_change_nothing_leaves_the_one_that_waits() {
    let hotel = TestHotel::open().await;
    let ((leaving, shift), (staying, _)) = (at_work(&hotel).await, at_work(&hotel).await);
    let work = turnovers(&hotel, &["101"]).await;
    hotel.assign(&work[0].1, &staying).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.shift_ended(&shift, &leaving)).await;
    assert_eq!(plan_again(&hotel).await, None);
    assert!(waiting(&hotel).await.is_empty());
    assert_eq!(hotel.count("housekeeping.planning_requests WHERE planned < asked").await, 0, "it was looked at");
}

#[tokio::test]
async fn what_the_evening_left_open_is_planned_when_the_first_person_comes_and_once() {
    let hotel = TestHotel::open().await;
    // Nobody was there, nothing ended: guests left in the evening.
    let work = turnovers(&hotel, &["101", "102"]).await;
    assert_eq!(plan_again(&hotel).await, None, "nobody is there who could be given anything");
    let (first, shift): (StaffId, ShiftId) = (hotel.next(), hotel.next());
    let came = [hotel.clocked_in(Some(&shift), &first), hotel.shift_started(&shift, &first)];
    hotel.deliver(&hotel.shift_scheduled(&shift)).await;
    hotel.deliver(&hotel.shift_assigned(&shift, &first)).await;
    assert_eq!(plan_again(&hotel).await, None, "they have not come yet");
    hotel.deliver(&came[0]).await;
    assert_eq!(plan_again(&hotel).await.as_deref(), Some("1 houses planned again"));
    let plans = waiting(&hotel).await;
    assert_eq!(plans.len(), 1);
    for (_, task) in &work {
        assert_eq!(row_of(&plans[0], task)["staffId"], json!(first));
        assert_eq!(hotel.task(task).await["status"], "pending", "nobody has agreed yet");
    }
    // The same coming told once more by the shift, and again by the clock.
    for told in &came {
        hotel.deliver(told).await;
        assert_eq!(plan_again(&hotel).await, None, "told again, it is the same coming");
    }
    // Not for every person: who comes to others asks for nothing.
    at_work(&hotel).await;
    assert_eq!(plan_again(&hotel).await, None);
    assert_eq!(waiting(&hotel).await, plans);
}

#[tokio::test]
async fn somebody_whose_punch_names_no_shift_is_the_first_person_too_and_one_who_finds_nothing_to_do_is_not() {
    let hotel = TestHotel::open().await;
    let (first, shift): (StaffId, ShiftId) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.shift_scheduled(&shift)).await;
    hotel.deliver(&hotel.shift_assigned(&shift, &first)).await;
    hotel.deliver(&hotel.clocked_in(None, &first)).await;
    assert_eq!(hotel.count("housekeeping.planning_requests").await, 0, "there is nothing to do");
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.clocked_out(None, &first)).await;
    turnovers(&hotel, &["101"]).await;
    hotel.clock.advance_seconds(60);
    hotel.deliver(&hotel.clocked_in(None, &first)).await;
    assert_eq!(plan_again(&hotel).await.as_deref(), Some("1 houses planned again"));
}

#[tokio::test]
async fn the_gate_holds_for_the_plan_of_the_morning() {
    for (gate, assigned) in [("manual_only", false), ("auto_apply", true)] {
        let hotel = TestHotel::open().await;
        hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "routingGate": gate })).await.done();
        let work = turnovers(&hotel, &["101"]).await;
        at_work(&hotel).await;
        plan_again(&hotel).await;
        assert!(waiting(&hotel).await.is_empty(), "{gate}");
        assert_eq!(hotel.task(&work[0].1).await["status"] == "assigned", assigned, "{gate}");
    }
}

//! Two people who want to change places ask each other, and then whoever leads them; the rules of an assignment hold for both.

use serde_json::{Value, json};

use crate::test_hotel::{Answer, TestHotel, text};

/// Two people, each with a place on a shift of the same day.
struct Two {
    hotel: TestHotel,
    asker: String,
    other: String,
    early: String,
    late: String,
    places: (Value, Value),
}

impl Two {
    async fn on(day: &str) -> Self {
        let hotel = TestHotel::open().await;
        let (asker, other) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
        let (early, late) = (hotel.shift_on(day, "06:00", "14:00").await, hotel.shift_on(day, "14:00", "22:00").await);
        let own = hotel.place(&early, &asker).await.done()["assignmentId"].clone();
        let wanted = hotel.place(&late, &other).await.done()["assignmentId"].clone();
        Self { hotel, asker, other, early, late, places: (own, wanted) }
    }

    async fn propose(&self, by: &str) -> Answer {
        let body = json!({ "leftAssignmentId": self.places.0, "rightAssignmentId": self.places.1, "note": "exam" });
        self.hotel.post(by, "/staff/v1/shifts/swap-requests", body).await
    }

    async fn answer(&self, by: &str, request: &str, verb: &str) -> Answer {
        self.hotel.post(by, &format!("/staff/v1/shifts/swap-requests/{request}/{verb}"), json!({})).await
    }

    async fn status(&self, request: &str) -> String {
        let path = format!("/staff/v1/shifts/swap-requests/{request}");
        text(&self.hotel.get(&self.hotel.supervisor(), &path).await.done()["status"])
    }
}

#[tokio::test]
async fn a_wish_is_accepted_by_the_other_and_approved_by_whoever_leads_and_then_they_have_changed_places() {
    let two = Two::on("2026-04-25").await;
    let hotel = &two.hotel;
    let (asker, other, leads) = (hotel.own(&two.asker), hotel.own(&two.other), hotel.supervisor());
    let wish = two.propose(&asker).await.done();
    assert_eq!((&wish["status"], &wish["left"]["staffId"]), (&json!("proposed"), &json!(two.asker)));
    let id = text(&wish["swapRequestId"]);
    two.answer(&asker, &id, "accept").await.refused(403, "MELMASTOON.STAFF.NOT_SELF");
    two.answer(&other, &id, "withdraw").await.refused(403, "MELMASTOON.STAFF.NOT_SELF");
    two.answer(&other, &id, "approve").await.refused(403, "MELMASTOON.PLATFORM.FORBIDDEN");
    two.answer(&leads, &id, "approve").await.refused(409, "MELMASTOON.STAFF.SWAP_ILLEGAL_TRANSITION");
    assert_eq!(two.answer(&other, &id, "accept").await.done()["status"], "accepted");
    two.answer(&other, &id, "accept").await.refused(409, "MELMASTOON.STAFF.SWAP_ILLEGAL_TRANSITION");
    hotel.told_by_staff().await;
    let done = two.answer(&leads, &id, "approve").await.done();
    assert_eq!((&done["status"], &done["warnings"]), (&json!("approved"), &json!([])));
    let told = hotel.told_by_staff().await;
    assert_eq!((told.len(), told[0].0.as_str()), (1, "shift.swapped"));
    let held = hotel.shift_now(&two.early).await;
    assert_eq!(held["assignments"][0]["staffId"], json!(two.other));
    for verb in ["approve", "decline"] {
        two.answer(&leads, &id, verb).await.refused(409, "MELMASTOON.STAFF.SWAP_ILLEGAL_TRANSITION");
    }
    assert_eq!(two.status(&id).await, "approved", "what was approved stays so, though both old places are gone");
    let list = hotel.get(&other, "/staff/v1/shifts/swap-requests").await.done();
    assert_eq!(list["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_wish_is_ones_own_about_two_places_that_stand_and_is_over_when_one_of_them_is_gone() {
    let two = Two::on("2026-04-25").await;
    let hotel = &two.hotel;
    let third = hotel.employ("Parwin").await;
    two.propose(&hotel.own(&two.other)).await.refused(403, "MELMASTOON.STAFF.NOT_SELF");
    two.propose(&hotel.own(&third)).await.refused(403, "MELMASTOON.STAFF.NOT_SELF");
    let unknown = json!({ "leftAssignmentId": two.places.0, "rightAssignmentId": "sha_NONE" });
    let path = "/staff/v1/shifts/swap-requests";
    hotel
        .post(&hotel.own(&two.asker), path, unknown)
        .await
        .refused(422, "MELMASTOON.STAFF.REFERENCE_UNKNOWN")
        .naming("rightAssignmentId");
    let same = json!({ "leftAssignmentId": two.places.0, "rightAssignmentId": two.places.0 });
    hotel.post(&hotel.own(&two.asker), path, same).await.refused(409, "MELMASTOON.STAFF.SWAP_IMPOSSIBLE");
    let (first, second) =
        (two.propose(&hotel.own(&two.asker)).await.done(), two.propose(&hotel.supervisor()).await.done());
    let (first, second) = (text(&first["swapRequestId"]), text(&second["swapRequestId"]));
    hotel.get(&hotel.own(&third), &format!("{path}/{first}")).await.refused(404, "MELMASTOON.STAFF.NOT_FOUND");
    assert_eq!(two.answer(&hotel.own(&two.other), &first, "decline").await.done()["status"], "declined");
    two.answer(&hotel.own(&two.other), &second, "accept").await.done();
    hotel.post(&hotel.supervisor(), &format!("/staff/v1/shifts/{}/cancel", two.late), json!({})).await.done();
    assert_eq!(two.status(&second).await, "expired");
    let late = two.answer(&hotel.supervisor(), &second, "approve").await;
    late.refused(409, "MELMASTOON.STAFF.SWAP_ILLEGAL_TRANSITION");
    assert_eq!(late.body["currentStatus"], "expired");
}

#[tokio::test]
async fn the_rules_of_an_assignment_hold_for_both_who_change_places() {
    let two = Two::on("2026-04-25").await;
    let hotel = &two.hotel;
    let swap = async || {
        let body = json!({ "leftAssignmentId": two.places.0, "rightAssignmentId": two.places.1 });
        hotel.post(&hotel.supervisor(), "/staff/v1/shifts/swap", body).await
    };
    // What is only asked for is warned of.
    let pending = hotel.ask_for_leave(&two.asker, "2026-04-25", "2026-04-25").await.done();
    let warned = swap().await.done();
    let codes: Vec<_> = warned["warnings"].as_array().unwrap().iter().map(|one| text(&one["code"])).collect();
    assert_eq!(codes, ["LEAVE_PENDING"]);
    hotel
        .post(
            &hotel.own(&two.asker),
            &format!("/staff/v1/leave/{}/cancel", text(&pending["leaveRequestId"])),
            json!({}),
        )
        .await
        .done();
    // Now the asker has the late shift. Somebody who is elsewhere at that time cannot take it.
    let (third, elsewhere) = (hotel.employ("Parwin").await, hotel.shift_on("2026-04-25", "20:00", "23:00").await);
    let far = hotel.shift_on("2026-04-28", "06:00", "14:00").await;
    hotel.place(&elsewhere, &third).await.done();
    let far_place = hotel.place(&far, &third).await.done();
    let late = hotel.shift_now(&two.late).await["assignments"][0]["assignmentId"].clone();
    let body = json!({ "leftAssignmentId": late, "rightAssignmentId": far_place["assignmentId"] });
    let refused = hotel.post(&hotel.supervisor(), "/staff/v1/shifts/swap", body.clone()).await;
    refused.refused(409, "MELMASTOON.STAFF.ASSIGNMENT_OVERLAP");
    assert_eq!(refused.body["conflictingShiftId"], json!(elsewhere));
    // Nor can somebody who is on leave on the day of the other's shift.
    hotel.leave(&two.asker, "2026-04-28", "2026-04-28").await;
    hotel.post(&hotel.supervisor(), &format!("/staff/v1/shifts/{elsewhere}/cancel"), json!({})).await.done();
    hotel
        .post(&hotel.supervisor(), "/staff/v1/shifts/swap", body.clone())
        .await
        .refused(409, "MELMASTOON.STAFF.STAFF_ON_LEAVE");
    // Nor without the papers, where the position insists.
    let position = format!("/staff/v1/positions/{}", hotel.position("HOUSEKEEPER").await);
    let papers = json!({ "requiredCertifications": ["first_aid"], "certificationsEnforced": true });
    hotel.patch(&hotel.manager(), &position, papers).await.done();
    let places = (hotel.shift_now(&two.early).await, hotel.shift_now(&two.late).await);
    let body = json!({
        "leftAssignmentId": places.0["assignments"][0]["assignmentId"], "rightAssignmentId": places.1["assignments"][0]["assignmentId"],
    });
    hotel
        .post(&hotel.supervisor(), "/staff/v1/shifts/swap", body)
        .await
        .refused(409, "MELMASTOON.STAFF.CERTIFICATION_MISSING");
}

#[tokio::test]
async fn a_window_is_moved_only_to_where_everybody_on_it_can_be() {
    let two = Two::on("2026-04-25").await;
    let hotel = &two.hotel;
    hotel.leave(&two.asker, "2026-04-27", "2026-04-27").await;
    let other = hotel.shift_on("2026-04-26", "10:00", "12:00").await;
    hotel.place(&other, &two.asker).await.done();
    let moved = async |date: &str, start: &str, end: &str| {
        let body = json!({ "localWindow": { "date": date, "startLocal": start, "endLocal": end } });
        hotel.patch(&hotel.supervisor(), &format!("/staff/v1/shifts/{}", two.early), body).await
    };
    let refused = moved("2026-04-26", "06:00", "11:00").await;
    refused.refused(409, "MELMASTOON.STAFF.ASSIGNMENT_OVERLAP");
    assert_eq!(refused.body["conflictingShiftId"], json!(other));
    moved("2026-04-27", "06:00", "11:00").await.refused(409, "MELMASTOON.STAFF.STAFF_ON_LEAVE");
    moved("2026-04-26", "06:00", "10:00").await.done();
    hotel
        .place(&hotel.shift_on("2026-04-26", "07:00", "08:00").await, &two.asker)
        .await
        .refused(409, "MELMASTOON.STAFF.ASSIGNMENT_OVERLAP");
}

#[tokio::test]
async fn of_those_who_stand_by_the_first_who_can_is_called() {
    let hotel = TestHotel::open().await;
    let (away, there, waiting) =
        (hotel.employ("Away").await, hotel.employ("There").await, hotel.employ("Waiting").await);
    let mut plan = hotel.plan("11:30", "16:00").await;
    plan["standbyHeadcount"] = json!(3);
    plan["primaryHeadcount"] = json!(2);
    let shift = text(&hotel.post(&hotel.supervisor(), "/staff/v1/shifts", plan).await.done()["shiftId"]);
    for staff in [&away, &waiting, &there] {
        let body = json!({ "staffId": staff, "role": "standby" });
        hotel.post(&hotel.supervisor(), &format!("/staff/v1/shifts/{shift}/assignments"), body).await.done();
        hotel.clock.advance_seconds(1);
    }
    hotel
        .patch(&hotel.manager(), &format!("/staff/v1/staff/{away}"), json!({ "employmentStatus": "suspended" }))
        .await
        .done();
    hotel.punch_clock(&there, "in").await.done();
    hotel.told_by_staff().await;
    let promote = async |body: Value| {
        hotel.post(&hotel.supervisor(), &format!("/staff/v1/shifts/{shift}/promote-standby"), body).await
    };
    assert_eq!(promote(json!({})).await.done()["staffId"], json!(there), "one who is there comes first");
    assert_eq!(hotel.subjects_told_by_staff().await, ["shift.assigned", "shift.started"]);
    assert_eq!(promote(json!({})).await.done()["staffId"], json!(waiting), "and then the first who can");
    promote(json!({})).await.refused(409, "MELMASTOON.STAFF.HEADCOUNT_FULL");
    promote(json!({ "force": true })).await.refused(409, "MELMASTOON.STAFF.STAFF_NOT_ACTIVE");
}

#[tokio::test]
async fn whoever_stands_by_after_a_swap_and_is_called_has_a_place_from_no_swap() {
    let two = Two::on("2026-04-25").await;
    let (hotel, third) = (&two.hotel, two.hotel.employ("Parwin").await);
    let path = format!("/staff/v1/shifts/{}", two.early);
    let body = json!({ "staffId": third, "role": "standby", "force": true });
    let stands_by = hotel.post(&hotel.supervisor(), &format!("{path}/assignments"), body).await.done();
    let swap = json!({ "leftAssignmentId": stands_by["assignmentId"], "rightAssignmentId": two.places.1 });
    let swapped = hotel.post(&hotel.supervisor(), "/staff/v1/shifts/swap", swap).await.done();
    assert_eq!(swapped["left"]["swappedFromAssignmentId"], two.places.1);
    hotel.told_by_staff().await;
    let called = hotel.post(&hotel.supervisor(), &format!("{path}/promote-standby"), json!({ "force": true })).await;
    let called = called.done();
    assert_eq!((&called["staffId"], &called["source"]), (&json!(two.other), &json!("standby_promotion")));
    assert_eq!(called["swappedFromAssignmentId"], Value::Null);
    let told = hotel.told_by_staff().await;
    assert_eq!((told[0].0.as_str(), &told[0].1["swappedFromAssignmentId"]), ("shift.assigned", &Value::Null));
}

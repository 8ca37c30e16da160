//! Leave is asked for, papers are shown, notes are left, patterns make shifts, people want to change places, a program proposes.

use contracts::ids::SuggestionId;
use serde_json::json;

use crate::test_hotel::{TestHotel, text};

pub(super) async fn tell(hotel: &TestHotel) {
    absence(hotel).await;
    papers_and_notes(hotel).await;
    patterns(hotel).await;
    wishes(hotel).await;
    proposals(hotel).await;
}

async fn absence(hotel: &TestHotel) {
    let shaima = hotel.employ("Shaima").await;
    let asked = hotel.ask_for_leave(&shaima, "2026-05-03", "2026-05-05").await.done();
    let path = format!("/staff/v1/leave/{}", text(&asked["leaveRequestId"]));
    hotel.get(&hotel.own(&shaima), &path).await.done();
    hotel
        .get(&hotel.supervisor(), &format!("/staff/v1/leave?propertyId={}&status=requested", hotel.property))
        .await
        .done();
    hotel.decide_leave(&text(&asked["leaveRequestId"]), "approve").await.done();
    hotel.post(&hotel.own(&shaima), &format!("{path}/cancel"), json!({})).await.done();
}

async fn papers_and_notes(hotel: &TestHotel) {
    let wais = hotel.employ("Wais").await;
    let paper = hotel.certify(&wais, "food_handling", Some("2026-05-20")).await;
    hotel.get(&hotel.own(&wais), "/staff/v1/certifications?expiringBefore=2026-06-01").await.done();
    let path = format!("/staff/v1/certifications/{}/revoke", text(&paper["certificationId"]));
    hotel.post(&hotel.manager(), &path, json!({})).await.done();
    let body = json!({ "propertyId": hotel.property, "body": "304: the air conditioning is noisy, maintenance knows" });
    let note = hotel.post(&hotel.own(&wais), "/staff/v1/handoff-notes", body).await.done();
    let path = format!("/staff/v1/handoff-notes/{}", text(&note["handoffNoteId"]));
    hotel.get(&hotel.own(&wais), &format!("/staff/v1/handoff-notes?propertyId={}", hotel.property)).await.done();
    hotel.get(&hotel.own(&wais), &path).await.done();
    hotel.post(&hotel.own(&wais), &format!("{path}/acknowledge"), json!({})).await.done();
}

async fn patterns(hotel: &TestHotel) {
    let parwin = hotel.employ("Parwin").await;
    let mut body = hotel.pattern("06:00", "14:00").await;
    body["assignees"] = json!([{ "staffId": parwin, "role": "primary" }]);
    let pattern = hotel.post(&hotel.supervisor(), "/staff/v1/shift-patterns", body).await.done();
    hotel.get(&hotel.supervisor(), &format!("/staff/v1/shift-patterns?propertyId={}", hotel.property)).await.done();
    hotel.generate("2026-05-10", "2026-05-11").await.done();
    let path = format!("/staff/v1/shift-patterns/{}", text(&pattern["patternId"]));
    hotel.get(&hotel.supervisor(), &path).await.done();
    hotel.patch(&hotel.supervisor(), &path, json!({ "active": false })).await.done();
}

async fn wishes(hotel: &TestHotel) {
    let (farid, mariam) = (hotel.employ("Farid").await, hotel.employ("Mariam").await);
    let requests = "/staff/v1/shifts/swap-requests";
    let mut asked = Vec::new();
    for day in ["2026-05-01", "2026-05-02", "2026-05-03"] {
        let (early, late) = (hotel.shift_on(day, "06:00", "14:00").await, hotel.shift_on(day, "14:00", "22:00").await);
        let own = hotel.place(&early, &farid).await.done();
        let other = hotel.place(&late, &mariam).await.done();
        let body = json!({ "leftAssignmentId": own["assignmentId"], "rightAssignmentId": other["assignmentId"] });
        asked.push(text(&hotel.post(&hotel.own(&farid), requests, body).await.done()["swapRequestId"]));
    }
    hotel.get(&hotel.own(&mariam), requests).await.done();
    hotel.get(&hotel.own(&mariam), &format!("{requests}/{}", asked[0])).await.done();
    let answer = async |who: &str, which: usize, verb: &str| {
        hotel.post(who, &format!("{requests}/{}/{verb}", asked[which]), json!({})).await.done();
    };
    answer(&hotel.own(&mariam), 0, "accept").await;
    answer(&hotel.supervisor(), 0, "approve").await;
    answer(&hotel.own(&mariam), 1, "decline").await;
    answer(&hotel.own(&farid), 2, "withdraw").await;
}

async fn proposals(hotel: &TestHotel) {
    let (spogmai, shift) = (hotel.employ("Spogmai").await, hotel.shift_on("2026-05-20", "06:00", "14:00").await);
    for verb in ["reject", "approve"] {
        let id: SuggestionId = hotel.next();
        hotel.deliver(&hotel.proposal(&id, &[(&shift, &spogmai)])).await;
        let path = format!("/staff/v1/shift-suggestions/{id}");
        hotel.get(&hotel.supervisor(), &path).await.done();
        let rows = json!({ "rows": [{ "shiftId": shift, "staffId": spogmai }] });
        hotel.post(&hotel.supervisor(), &format!("{path}/{verb}"), rows).await.done();
    }
    hotel.get(&hotel.supervisor(), &format!("/staff/v1/shift-suggestions?propertyId={}", hotel.property)).await.done();
}

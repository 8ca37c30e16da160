//! A program proposes who should be on which shift; nothing of it happens until somebody who leads agrees.

use contracts::ids::SuggestionId;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, TestHotel, text};

async fn shown(hotel: &TestHotel, id: &SuggestionId) -> Value {
    hotel.get(&hotel.supervisor(), &format!("/staff/v1/shift-suggestions/{id}")).await.done()
}

#[tokio::test]
async fn what_is_proposed_waits_for_a_person_and_is_told_with_its_model_once_it_is_approved() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    let mut plan = hotel.plan("16:00", "22:00").await;
    plan["standbyHeadcount"] = json!(1);
    let shift = text(&hotel.post(&hotel.supervisor(), "/staff/v1/shifts", plan).await.done()["shiftId"]);
    let overlapping = hotel.shift("18:00", "23:00").await;
    let id: SuggestionId = hotel.next();
    let rows = [
        (&*shift, &*gulalai),
        (&shift, &nasrin),
        (&overlapping, &gulalai),
        ("shf_NONE", &gulalai),
        (&shift, "stf_NOBODY"),
        (&shift, &gulalai),
    ];
    hotel.news().await;
    let told = hotel.proposal(&id, &rows);
    for _ in 0..2 {
        hotel.deliver(&told).await;
    }
    let waiting = shown(&hotel, &id).await;
    assert_eq!(
        (&waiting["status"], waiting["rows"].as_array().unwrap().len()),
        (&json!("pending"), 3),
        "unknown rows are dropped"
    );
    assert!(hotel.news().await.is_empty(), "nothing happens by itself");
    let path = format!("/staff/v1/shift-suggestions/{id}/approve");
    let machine = Ask::post(&path).by(&hotel.service()).key("one").json(&json!({}));
    hotel.ask(machine).await.refused(403, "MELMASTOON.PLATFORM.FORBIDDEN");
    let done = hotel.post(&hotel.supervisor(), &path, json!({})).await.done();
    assert_eq!(done["status"], "partly_approved");
    let outcome = |at: usize| (text(&done["rows"][at]["outcome"]), done["rows"][at].clone());
    assert_eq!((outcome(0).0.as_str(), &outcome(0).1["role"]), ("applied", &json!("primary")));
    assert_eq!((outcome(1).0.as_str(), &outcome(1).1["role"]), ("applied", &json!("standby")), "else they stand by");
    assert_eq!((outcome(2).0.as_str(), &outcome(2).1["because"]), ("skipped", &json!("ASSIGNMENT_OVERLAP")));
    let news = hotel.news().await;
    assert_eq!(news.len(), 2);
    for envelope in &news {
        assert_eq!(envelope["payload"]["source"], "ai_suggestion");
        let provenance = json!({ "source": "cloud", "model": "roster-3", "promptHash": "abc" });
        assert_eq!(envelope["metadata"]["aiProvenance"], provenance);
    }
    hotel.post(&hotel.supervisor(), &path, json!({})).await.refused(409, "MELMASTOON.STAFF.SUGGESTION_DECIDED");
}

#[tokio::test]
async fn rows_are_decided_one_by_one_each_once() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    let (one, two) = (hotel.shift("16:00", "18:00").await, hotel.shift("18:00", "20:00").await);
    let id: SuggestionId = hotel.next();
    hotel.deliver(&hotel.proposal(&id, &[(&one, &gulalai), (&two, &nasrin)])).await;
    let decide = async |verb: &str, rows: Value| {
        hotel
            .post(&hotel.supervisor(), &format!("/staff/v1/shift-suggestions/{id}/{verb}"), json!({ "rows": rows }))
            .await
    };
    let row = |shift: &str, staff: &str| json!({ "shiftId": shift, "staffId": staff });
    decide("approve", json!([row(&one, &nasrin)])).await.refused(422, "MELMASTOON.STAFF.SUGGESTION_ROW_UNKNOWN");
    decide("approve", json!([])).await.refused(400, "MELMASTOON.STAFF.INVALID_VALUE").naming("rows");
    assert_eq!(decide("reject", json!([row(&one, &gulalai)])).await.done()["status"], "pending");
    decide("approve", json!([row(&one, &gulalai)])).await.refused(409, "MELMASTOON.STAFF.SUGGESTION_ROW_DECIDED");
    assert_eq!(hotel.shift_now(&one).await["missingPrimary"], 1);
    assert_eq!(decide("approve", json!([row(&two, &nasrin)])).await.done()["status"], "partly_approved");
    assert_eq!(hotel.shift_now(&two).await["missingPrimary"], 0);
}

#[tokio::test]
async fn a_newer_one_takes_the_place_of_those_that_wait_in_whatever_order_they_come() {
    let hotel = TestHotel::open().await;
    let (gulalai, shift) = (hotel.employ("Gulalai").await, hotel.shift("16:00", "18:00").await);
    let (first, second, third): (SuggestionId, SuggestionId, SuggestionId) = (hotel.next(), hotel.next(), hotel.next());
    let rows = [(&*shift, &*gulalai)];
    let early = hotel.proposal(&first, &rows);
    hotel.clock.advance_seconds(60);
    let between = hotel.proposal(&second, &rows);
    hotel.clock.advance_seconds(60);
    hotel.deliver(&early).await;
    hotel.deliver(&hotel.proposal(&third, &rows)).await;
    hotel.deliver(&between).await;
    let mut statuses = Vec::new();
    for id in [&first, &second, &third] {
        statuses.push(text(&shown(&hotel, id).await["status"]));
    }
    assert_eq!(statuses, ["superseded", "superseded", "pending"]);
    let path = format!("/staff/v1/shift-suggestions/{first}/approve");
    let refused = hotel.post(&hotel.supervisor(), &path, json!({})).await;
    refused.refused(409, "MELMASTOON.STAFF.SUGGESTION_DECIDED");
    let list = format!("/staff/v1/shift-suggestions?propertyId={}&status=pending", hotel.property);
    assert_eq!(hotel.get(&hotel.supervisor(), &list).await.done()["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn one_that_cannot_be_done_any_more_is_expired_and_one_that_proposes_nothing_is_done() {
    let hotel = TestHotel::open().await;
    let (gulalai, shift) = (hotel.employ("Gulalai").await, hotel.shift("16:00", "18:00").await);
    let (late, empty): (SuggestionId, SuggestionId) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.proposal(&late, &[(&shift, &gulalai)])).await;
    hotel.post(&hotel.supervisor(), &format!("/staff/v1/shifts/{shift}/cancel"), json!({})).await.done();
    let path = format!("/staff/v1/shift-suggestions/{late}/approve");
    let done = hotel.post(&hotel.supervisor(), &path, json!({})).await.done();
    assert_eq!((&done["status"], &done["rows"][0]["because"]), (&json!("expired"), &json!("SHIFT_ILLEGAL_TRANSITION")));
    hotel.deliver(&hotel.proposal(&empty, &[])).await;
    assert_eq!(shown(&hotel, &empty).await["status"], "nothing_to_do");
    let without = hotel.proposal(&hotel.next(), &[]).without("/payload", "suggestionId");
    hotel.deliver(&without).await;
    assert_eq!(hotel.count("staff.dead_letters WHERE state = 'open'").await, 1);
}

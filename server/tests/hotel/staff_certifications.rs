//! Papers hold from a day to a day, newer ones take the place of older ones, and positions ask for them.

use axum::http::Method;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, TestHotel, text};

fn codes(answer: &Value) -> Vec<String> {
    answer["warnings"].as_array().unwrap().iter().map(|one| text(&one["code"])).collect()
}

async fn ask_for_papers(hotel: &TestHotel, enforced: bool) {
    let path = format!("/staff/v1/positions/{}", hotel.position("HOUSEKEEPER").await);
    let body = json!({ "requiredCertifications": ["food_handling"], "certificationsEnforced": enforced });
    hotel.patch(&hotel.manager(), &path, body).await.done();
}

#[tokio::test]
async fn a_position_that_insists_on_a_paper_refuses_who_has_none_and_force_lets_them_work() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    ask_for_papers(&hotel, false).await;
    let soon = hotel.shift_on("2026-04-25", "08:00", "16:00").await;
    assert_eq!(codes(&hotel.place(&soon, &gulalai).await.done()), ["CERTIFICATION_MISSING"]);
    ask_for_papers(&hotel, true).await;
    let day = hotel.shift_on("2026-04-30", "08:00", "16:00").await;
    let refused = hotel.place(&day, &gulalai).await;
    refused.refused(409, "MELMASTOON.STAFF.CERTIFICATION_MISSING");
    assert_eq!(refused.body["missing"], "food_handling");
    hotel.certify(&nasrin, "food_handling", Some("2026-04-30")).await;
    hotel.place(&day, &nasrin).await.refused(409, "MELMASTOON.STAFF.CERTIFICATION_MISSING");
    hotel.certify(&gulalai, "food_handling", Some("2026-05-01")).await;
    assert_eq!(codes(&hotel.place(&day, &gulalai).await.done()), Vec::<String>::new());
    hotel.place(&day, &nasrin).await.refused(409, "MELMASTOON.STAFF.HEADCOUNT_FULL");
    let path = format!("/staff/v1/shifts/{day}/assignments");
    let forced = hotel.post(&hotel.supervisor(), &path, json!({ "staffId": nasrin, "force": true })).await.done();
    assert_eq!(codes(&forced), ["CERTIFICATION_MISSING"]);
    let roster = format!("/staff/v1/roster?propertyId={}&from=2026-04-30", hotel.property);
    let roster = hotel.get(&hotel.supervisor(), &roster).await.done();
    let of =
        |staff: &str| roster["people"].as_array().unwrap().iter().find(|one| one["staffId"] == staff).cloned().unwrap();
    assert_eq!((codes(&of(&nasrin)), codes(&of(&gulalai))), (vec!["CERTIFICATION_MISSING".to_owned()], vec![]));
}

#[tokio::test]
async fn a_newer_paper_takes_the_place_of_an_older_one_and_nothing_else_is_told() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    hotel.told_by_staff().await;
    let first = hotel.certify(&gulalai, "first_aid", Some("2026-06-01")).await;
    let path = format!("/staff/v1/staff/{gulalai}/certifications");
    let newer = json!({ "type": "first_aid", "issuedAt": "2026-04-20", "expiresAt": "2027-04-20" });
    let second = hotel.post(&hotel.manager(), &path, newer).await.done();
    let older = json!({ "type": "first_aid", "issuedAt": "2024-04-20", "expiresAt": "2025-04-20" });
    let late = hotel.post(&hotel.manager(), &path, older).await.done();
    assert_eq!((&second["status"], &late["status"]), (&json!("valid"), &json!("superseded")));
    assert_eq!(hotel.subjects_told_by_staff().await, ["certification.added"; 3]);
    let list = format!("/staff/v1/certifications?staffId={gulalai}");
    let all = hotel.get(&hotel.own(&gulalai), &list).await.done();
    let status = |id: &Value| {
        let found = all["items"].as_array().unwrap().iter().find(|one| one["certificationId"] == *id).cloned();
        text(&found.unwrap()["status"])
    };
    assert_eq!(
        (status(&first["certificationId"]), status(&second["certificationId"])),
        ("superseded".to_owned(), "valid".to_owned())
    );
    let revoke = async |id: &Value| {
        let path = format!("/staff/v1/certifications/{}/revoke", text(id));
        hotel.post(&hotel.manager(), &path, json!({})).await
    };
    revoke(&first["certificationId"]).await.refused(409, "MELMASTOON.STAFF.CERTIFICATION_ILLEGAL_TRANSITION");
    assert_eq!(revoke(&second["certificationId"]).await.done()["status"], "revoked");
    revoke(&second["certificationId"]).await.refused(409, "MELMASTOON.STAFF.CERTIFICATION_ILLEGAL_TRANSITION");
    assert!(hotel.told_by_staff().await.is_empty());
    for (body, field) in [
        (json!({ "type": "First Aid", "issuedAt": "2026-04-20" }), "type"),
        (json!({ "type": "first_aid", "issuedAt": "2026-04-20", "expiresAt": "2026-04-20" }), "expiresAt"),
        (json!({ "type": "first_aid", "issuedAt": "2026-04-20", "number": "x".repeat(101) }), "number"),
    ] {
        hotel.post(&hotel.manager(), &path, body).await.refused(400, "MELMASTOON.STAFF.INVALID_VALUE").naming(field);
    }
}

#[tokio::test]
async fn the_number_of_a_paper_is_for_its_holder_and_those_who_lead_and_never_told() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    hotel.certify(&gulalai, "first_aid", Some("2026-05-10")).await;
    let list = format!("/staff/v1/certifications?staffId={gulalai}&expiringBefore=2026-05-11");
    for token in [hotel.own(&gulalai), hotel.supervisor()] {
        assert_eq!(hotel.get(&token, &list).await.done()["items"][0]["number"], "AF-77");
    }
    let earlier = list.replace("05-11", "05-10");
    assert_eq!(hotel.get(&hotel.supervisor(), &earlier).await.done()["items"], json!([]));
    hotel.get(&hotel.own(&nasrin), &list).await.refused(403, "MELMASTOON.STAFF.NOT_SELF");
    let feed = hotel.feed(0).await;
    assert!(!feed.to_string().contains("AF-77"));
}

#[tokio::test]
async fn papers_run_out_at_midnight_of_the_tenants_own_day_once() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let paper = hotel.certify(&gulalai, "food_handling", Some("2026-04-23")).await;
    hotel.told_by_staff().await;
    let tick = hotel.app.ticker.find("staff.cert-expiry-scan").unwrap().clone();
    let scan = async || hotel.app.ticker.run_now(&tick).await.unwrap();
    scan().await;
    assert!(hotel.told_by_staff().await.is_empty(), "it is 11:00 on the 22nd in Kabul");
    // 00:00 in Kabul is 19:30 UTC; the morning is 06:30 UTC.
    hotel.clock.advance_seconds(13 * 60 * 60 - 60);
    scan().await;
    assert!(hotel.told_by_staff().await.is_empty(), "a minute to midnight");
    hotel.clock.advance_seconds(60);
    scan().await;
    scan().await;
    let told = hotel.told_by_staff().await;
    assert_eq!((told.len(), told[0].0.as_str()), (1, "certification.expired"), "{told:?}");
    assert_eq!(
        (&told[0].1["expiredAt"], &told[0].1["certificationId"]),
        (&json!("2026-04-23"), &paper["certificationId"])
    );
    let list = format!("/staff/v1/certifications?staffId={gulalai}");
    assert_eq!(hotel.get(&hotel.supervisor(), &list).await.done()["items"][0]["status"], "expired");
    let other = hotel.certify(&gulalai, "food_handling", None).await;
    assert_eq!(other["status"], "valid");
    let ask = Ask::new(Method::POST, format!("/staff/v1/certifications/{}/revoke", text(&other["certificationId"])));
    hotel.ask(ask.by(&hotel.supervisor()).json(&json!({}))).await.refused(403, "MELMASTOON.PLATFORM.FORBIDDEN");
}

#[tokio::test]
async fn a_paper_that_is_renewed_ahead_holds_until_the_new_one_begins_and_its_end_is_not_told() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    ask_for_papers(&hotel, true).await;
    let old = hotel.certify(&gulalai, "food_handling", Some("2026-06-01")).await;
    let path = format!("/staff/v1/staff/{gulalai}/certifications");
    let add = async |issued: &str, expires: &str| {
        let body = json!({ "type": "food_handling", "issuedAt": issued, "expiresAt": expires });
        hotel.post(&hotel.manager(), &path, body).await.done()
    };
    let renewed = add("2026-06-01", "2027-06-01").await;
    for day in ["2026-05-15", "2026-05-31", "2026-06-01"] {
        let shift = hotel.shift_on(day, "08:00", "16:00").await;
        assert_eq!(codes(&hotel.place(&shift, &gulalai).await.done()), Vec::<String>::new(), "{day}");
    }
    let status = async |id: &Value| {
        let list = format!("/staff/v1/certifications?staffId={gulalai}");
        let all = hotel.get(&hotel.own(&gulalai), &list).await.done();
        let found = all["items"].as_array().unwrap().iter().find(|one| one["certificationId"] == *id).cloned();
        text(&found.unwrap()["status"])
    };
    assert_eq!(status(&old["certificationId"]).await, "valid");
    let ending = "/staff/v1/certifications?expiringBefore=2026-07-01";
    let ending = hotel.get(&hotel.supervisor(), ending).await.done();
    assert_eq!(ending["items"], json!([]), "nobody need see to it");
    // One of today takes the place of what is in force, and leaves what begins later.
    let today = add("2026-04-22", "2026-06-01").await;
    assert_eq!(status(&old["certificationId"]).await, "superseded");
    assert_eq!(
        (status(&today["certificationId"]).await, status(&renewed["certificationId"]).await),
        ("valid".to_owned(), "valid".to_owned())
    );
    hotel.told_by_staff().await;
    let tick = hotel.app.ticker.find("staff.cert-expiry-scan").unwrap().clone();
    let scan = async || hotel.app.ticker.run_now(&tick).await.unwrap();
    // The first of June in Kabul.
    hotel.clock.advance_seconds(40 * 24 * 60 * 60);
    scan().await;
    scan().await;
    assert!(hotel.told_by_staff().await.is_empty(), "the new one has begun");
    assert_eq!(
        (status(&today["certificationId"]).await, status(&renewed["certificationId"]).await),
        ("superseded".to_owned(), "valid".to_owned())
    );
    hotel.clock.advance_seconds(365 * 24 * 60 * 60);
    scan().await;
    let told = hotel.told_by_staff().await;
    assert_eq!((told.len(), &told[0].1["certificationId"]), (1, &renewed["certificationId"]), "{told:?}");
}

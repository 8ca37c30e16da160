//! People are employed, change, leave and come back; what is personal is seen by those it is meant for.

use axum::http::Method;
use platform::auth::Role;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, TestHotel, text};

async fn whole_person(hotel: &TestHotel) -> Value {
    let mut body = hotel.application_of("Gulalai").await;
    body["email"] = json!("gulalai@example.com");
    body["phoneE164"] = json!("+93700123456");
    body["emergencyContact"] = json!({ "name": "Zarghuna", "phoneE164": "+93700654321", "relation": "sister" });
    body["staffCode"] = json!("kbl-hk-014");
    hotel.post(&hotel.manager(), "/staff/v1/staff", body).await.done()
}

#[tokio::test]
async fn somebody_new_is_told_of_without_their_contacts() {
    let hotel = TestHotel::open().await;
    let person = whole_person(&hotel).await;
    assert_eq!((&person["staffCode"], &person["employmentStatus"]), (&json!("KBL-HK-014"), &json!("pending_invite")));
    assert_eq!(person["propertyAccess"], json!([hotel.property]));
    let news = hotel.news().await;
    let [told] = &news[..] else { panic!("one event: {news:?}") };
    assert_eq!(told["eventType"], "melmastoon.staff.created.v1");
    assert_eq!(told["producedBy"], "staff-service");
    assert!(text(&told["payload"]["homePropertyId"]).starts_with("ppt_"), "{told}");
    assert_eq!((&told["payload"]["hasEmail"], &told["payload"]["version"]), (&json!(true), &json!(1)));
    for secret in ["example.com", "+937", "Zarghuna"] {
        assert!(!told.to_string().contains(secret), "{secret}: {told}");
    }
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn what_is_personal_is_shown_by_role() {
    let hotel = TestHotel::open().await;
    let person = whole_person(&hotel).await;
    let id = text(&person["staffId"]);
    let path = format!("/staff/v1/staff/{id}");
    let seen = async |token: &str| {
        let shown = hotel.get(token, &path).await.done();
        ["email", "emergencyContact", "phoneE164"].map(|field| !shown[field].is_null())
    };
    for role in Role::ALL {
        let expected = match role {
            Role::PropertyManager | Role::Admin => [true, true, true],
            Role::Supervisor => [false, false, true],
            _ => [false, false, false],
        };
        assert_eq!(seen(&hotel.token(role, None)).await, expected, "{}", role.as_str());
        let all = hotel.get(&hotel.token(role, None), "/staff/v1/staff?q=gulalai").await.done();
        assert_eq!(all["items"][0]["email"].is_null(), !expected[0], "{}", role.as_str());
    }
    assert_eq!(seen(&hotel.own(&id)).await, [true, true, true], "one's own");
}

#[tokio::test]
async fn a_code_and_a_login_belong_to_one_person_for_ever() {
    let hotel = TestHotel::open().await;
    whole_person(&hotel).await;
    let mut other = hotel.application_of("Nasrin").await;
    other["staffCode"] = json!("KBL-hk-014");
    let manager = hotel.manager();
    hotel.post(&manager, "/staff/v1/staff", other.clone()).await.refused(409, "MELMASTOON.STAFF.STAFF_CODE_TAKEN");
    other["staffCode"] = Value::Null;
    other["userId"] = json!("usr_NASRIN");
    let nasrin = hotel.post(&manager, "/staff/v1/staff", other.clone()).await.done();
    assert_eq!(nasrin["staffCode"], "S-0001");
    hotel.post(&manager, "/staff/v1/staff", other).await.refused(409, "MELMASTOON.STAFF.USER_ALREADY_LINKED");
    let third = hotel.employ("Laila").await;
    assert_eq!(hotel.get(&manager, &format!("/staff/v1/staff/{third}")).await.done()["staffCode"], "S-0002");
}

#[tokio::test]
async fn people_change_their_own_contacts_and_managers_the_rest() {
    let hotel = TestHotel::open().await;
    let id = hotel.employ("Gulalai").await;
    hotel.told_by_staff().await;
    let path = format!("/staff/v1/staff/{id}");
    let own = hotel.own(&id);
    let contacts = json!({ "email": "g@example.com", "languages": ["ps-AF", "fa-AF"] });
    assert_eq!(hotel.patch(&own, &path, contacts).await.done()["hasEmail"], true);
    let told = hotel.told_by_staff().await;
    assert_eq!(told[0].0, "updated");
    assert_eq!(told[0].1["changedFields"], json!(["email", "hasEmail", "languages"]));
    assert_eq!(told[0].1["languages"], json!(["ps-AF", "fa-AF"]));
    assert!(!told[0].1.to_string().contains("example.com"), "{told:?}");
    hotel.patch(&own, &path, json!({ "skills": ["deep_clean"] })).await.refused(403, "MELMASTOON.STAFF.NOT_SELF");
    let stranger = hotel.own("stf_SOMEBODY");
    hotel.patch(&stranger, &path, json!({ "email": null })).await.refused(403, "MELMASTOON.STAFF.NOT_SELF");
    let stale = Ask::new(Method::PATCH, &path).by(&hotel.manager()).header("if-match", "\"1\"");
    hotel.ask(stale.json(&json!({ "skills": [] }))).await.refused(412, "MELMASTOON.STAFF.STALE_VERSION");
    let same = hotel.patch(&hotel.manager(), &path, json!({ "givenName": "Gulalai" })).await.done();
    assert_eq!(same["version"], 2, "nothing was different, so nothing changed");
    hotel
        .patch(&hotel.manager(), &path, json!({ "phoneE164": "0700" }))
        .await
        .refused(400, "MELMASTOON.STAFF.INVALID_VALUE");
    assert!(hotel.subjects_told_by_staff().await.is_empty());
}

#[tokio::test]
async fn somebody_suspended_comes_back_and_somebody_gone_is_taken_back_only_by_its_own_route() {
    let hotel = TestHotel::open().await;
    let (id, manager) = (hotel.employ("Gulalai").await, hotel.manager());
    hotel.told_by_staff().await;
    let path = format!("/staff/v1/staff/{id}");
    let status = |word: &str| json!({ "employmentStatus": word });
    hotel.patch(&manager, &path, status("suspended")).await.done();
    hotel
        .patch(&manager, &path, status("pending_invite"))
        .await
        .refused(409, "MELMASTOON.STAFF.STAFF_ILLEGAL_TRANSITION");
    hotel.patch(&manager, &path, status("active")).await.done();
    let gone = json!({ "reason": "voluntary_resignation", "note": "moves to Herat" });
    let gone = hotel.post(&manager, &format!("{path}/terminate"), gone).await.done();
    assert_eq!(
        (&gone["employmentStatus"], &gone["termination"]["effectiveAt"]),
        (&json!("terminated"), &json!("2026-04-22"))
    );
    assert_eq!(gone["cascadeSummary"]["iamSessionRevocationRequested"], false);
    hotel
        .post(&manager, &format!("{path}/terminate"), json!({ "reason": "again" }))
        .await
        .refused(409, "MELMASTOON.STAFF.STAFF_ILLEGAL_TRANSITION");
    hotel
        .patch(&manager, &path, json!({ "givenName": "G" }))
        .await
        .refused(409, "MELMASTOON.STAFF.STAFF_ILLEGAL_TRANSITION");
    let back = hotel.post(&manager, &format!("{path}/reactivate"), json!({})).await.done();
    assert_eq!(back["employmentStatus"], "pending_invite", "there is no login");
    hotel
        .post(&manager, &format!("{path}/reactivate"), json!({}))
        .await
        .refused(409, "MELMASTOON.STAFF.STAFF_ILLEGAL_TRANSITION");
    let told = hotel.told_by_staff().await;
    let subjects: Vec<_> = told.iter().map(|(subject, _)| subject.as_str()).collect();
    assert_eq!(subjects, ["updated", "updated", "terminated", "reactivated"]);
    assert_eq!((&told[2].1["previousStatus"], &told[2].1["version"]), (&json!("active"), &json!(4)));
    assert!(!told[2].1.to_string().contains("Herat"));
}

#[tokio::test]
async fn another_job_brings_its_department_and_one_that_is_not_there_is_named() {
    let hotel = TestHotel::open().await;
    let (id, manager) = (hotel.employ("Gulalai").await, hotel.manager());
    let (old, new) = (hotel.position("HOUSEKEEPER").await, hotel.position("FRONT_DESK").await);
    hotel.told_by_staff().await;
    let path = format!("/staff/v1/staff/{id}/position");
    hotel
        .post(&manager, &path, json!({ "positionId": "pos_NONE" }))
        .await
        .refused(422, "MELMASTOON.STAFF.REFERENCE_UNKNOWN")
        .naming("positionId");
    hotel.post(&manager, &path, json!({ "positionId": new, "effectiveAt": "2026-05-01" })).await.done();
    let told = hotel.told_by_staff().await;
    assert_eq!(told[0].0, "position_changed");
    assert_eq!((&told[0].1["previousPositionId"], &told[0].1["effectiveAt"]), (&json!(old), &json!("2026-05-01")));
    assert!(told[0].1["departmentId"].is_string());
}

#[tokio::test]
async fn whoever_registers_is_linked_and_seen_and_whoever_loses_the_membership_is_gone() {
    let hotel = TestHotel::open().await;
    let id = hotel.employ("Gulalai").await;
    let registered = json!({ "tenantId": hotel.tenant, "userId": "usr_GULALAI", "staffId": id });
    let registered = hotel.happening("iam.user.registered.v1", &registered);
    for _ in 0..2 {
        hotel.deliver(&registered).await;
    }
    let path = format!("/staff/v1/staff/{id}");
    let person = hotel.get(&hotel.manager(), &path).await.done();
    assert_eq!(
        (&person["employmentStatus"], &person["userId"], &person["version"]),
        (&json!("active"), &json!("usr_GULALAI"), &json!(2))
    );
    let removed = json!({ "tenantId": hotel.tenant, "userId": "usr_GULALAI" });
    hotel.deliver(&hotel.happening("tenant.membership.removed.v1", &removed)).await;
    let told = hotel.told_by_staff().await;
    let subjects: Vec<_> = told.iter().map(|(subject, _)| subject.as_str()).collect();
    assert_eq!(subjects, ["created", "updated", "terminated"]);
    assert_eq!((&told[2].1["reason"], &told[2].1["userId"]), (&json!("membership_removed"), &json!("usr_GULALAI")));
    let unknown = json!({ "tenantId": hotel.tenant, "userId": "usr_X", "staffId": "stf_NOBODY" });
    hotel.deliver(&hotel.happening("iam.user.registered.v1", &unknown)).await;
    assert_eq!(hotel.count("staff.dead_letters WHERE state = 'open'").await, 1);
}

#[tokio::test]
async fn a_house_differs_from_the_hotel_only_in_what_it_names() {
    let hotel = TestHotel::open().await;
    let (manager, house) = (hotel.manager(), format!("/staff/v1/settings?propertyId={}", hotel.property));
    hotel.put(&manager, "/staff/v1/settings", json!({ "minRestMinutes": 600, "timezone": "Asia/Dubai" })).await.done();
    hotel.put(&manager, &house, json!({ "minRestMinutes": 480 })).await.done();
    hotel.put(&manager, &house, json!({ "lockedThrough": "2026-03-31" })).await.done();
    let here = hotel.get(&manager, &house).await.done();
    assert_eq!(
        (&here["minRestMinutes"], &here["timezone"], &here["lockedThrough"]),
        (&json!(480), &json!("Asia/Dubai"), &json!("2026-03-31"))
    );
    let all = hotel.get(&manager, "/staff/v1/settings").await.done();
    assert_eq!((&all["minRestMinutes"], &all["lockedThrough"]), (&json!(600), &Value::Null));
    hotel
        .put(&manager, &house, json!({ "pinMinLength": 3 }))
        .await
        .refused(400, "MELMASTOON.STAFF.INVALID_VALUE")
        .naming("pinMinLength");
    let elsewhere = hotel.token_for_property(Role::PropertyManager, &hotel.next());
    hotel.get(&elsewhere, &house).await.refused(403, "MELMASTOON.STAFF.PROPERTY_FORBIDDEN");
}

#[tokio::test]
async fn twenty_people_employed_at_once_get_twenty_codes() {
    let hotel = TestHotel::open().await;
    let (body, manager) = (hotel.application_of("Gulalai").await, hotel.manager());
    let asks = (0..20).map(|_| hotel.post(&manager, "/staff/v1/staff", body.clone()));
    let answers = futures_util::future::join_all(asks).await;
    let mut codes: Vec<_> = answers.into_iter().map(|answer| text(&answer.done()["staffCode"])).collect();
    codes.sort();
    codes.dedup();
    assert_eq!(codes.len(), 20, "{codes:?}");
}

#[tokio::test]
async fn a_code_is_nobody_elses_after_it_was_changed_and_after_whoever_had_it_is_erased() {
    let hotel = TestHotel::open().await;
    let with_code = async |code: Option<&str>| {
        let mut body = hotel.application_of("Gulalai").await;
        body["staffCode"] = json!(code);
        hotel.post(&hotel.manager(), "/staff/v1/staff", body).await
    };
    let gone = with_code(Some("TER-1")).await.done();
    let made = with_code(None).await.done();
    assert_eq!(made["staffCode"], "S-0001");
    for person in [&gone, &made] {
        let path = format!("/staff/v1/staff/{}", text(&person["staffId"]));
        hotel.post(&hotel.manager(), &format!("{path}/terminate"), json!({ "reason": "gone" })).await.done();
        let admin = hotel.token(Role::Admin, None);
        assert_eq!(hotel.post(&admin, &format!("{path}/erase"), json!({})).await.status, 204);
    }
    with_code(Some("ter-1")).await.refused(409, "MELMASTOON.STAFF.STAFF_CODE_TAKEN");
    assert_eq!(with_code(None).await.done()["staffCode"], "S-0002", "a number is given once");
    assert_eq!(hotel.count("staff.codes_given WHERE staff_id IS NOT NULL").await, 1, "nothing says whose they were");
    // A code that was changed is still the person's own, who may take it again.
    let moved = text(&with_code(Some("OLD-1")).await.done()["staffId"]);
    let path = format!("/staff/v1/staff/{moved}");
    hotel.patch(&hotel.manager(), &path, json!({ "staffCode": "NEW-1" })).await.done();
    with_code(Some("OLD-1")).await.refused(409, "MELMASTOON.STAFF.STAFF_CODE_TAKEN");
    hotel.patch(&hotel.manager(), &path, json!({ "staffCode": "old-1" })).await.done();
    // Numbers that somebody thought of are passed over, and however big they are, numbering goes on.
    with_code(Some("S-0003")).await.done();
    with_code(Some("S-999999999")).await.done();
    with_code(Some("S-1000000000")).await.done();
    for next in ["S-0004", "S-0005"] {
        assert_eq!(with_code(None).await.done()["staffCode"], next);
    }
}

#[tokio::test]
async fn a_position_that_is_out_of_use_is_given_to_nobody_and_nothing_new() {
    let hotel = TestHotel::open().await;
    let (manager, housekeeper) = (hotel.manager(), hotel.position("HOUSEKEEPER").await);
    let gulalai = hotel.employ("Gulalai").await;
    let plan = hotel.plan("07:00", "15:00").await;
    let body = hotel.application_of("Nasrin").await;
    let out_of_use = json!({ "active": false });
    hotel.patch(&manager, &format!("/staff/v1/positions/{housekeeper}"), out_of_use).await.done();
    let pattern = json!({
        "propertyId": hotel.property, "positionId": housekeeper, "name": "early", "startLocal": "07:00",
        "endLocal": "15:00", "daysOfWeek": ["mon"], "validFrom": "2026-04-22", "primaryHeadcount": 1,
        "standbyHeadcount": 0,
    });
    for (path, body) in [("staff", body), ("shifts", plan), ("shift-patterns", pattern)] {
        let answer = hotel.post(&manager, &format!("/staff/v1/{path}"), body).await;
        answer.refused(400, "MELMASTOON.STAFF.INVALID_VALUE").naming("positionId");
    }
    let path = format!("/staff/v1/staff/{gulalai}");
    hotel.patch(&manager, &path, json!({ "languages": ["fa-AF"] })).await.done();
}

#[tokio::test]
async fn a_position_that_every_tenant_has_keeps_the_code_that_logins_find_it_by() {
    let hotel = TestHotel::open().await;
    let housekeeper = format!("/staff/v1/positions/{}", hotel.position("HOUSEKEEPER").await);
    for code in [json!(null), json!("CLEANER")] {
        let answer = hotel.patch(&hotel.manager(), &housekeeper, json!({ "code": code })).await;
        answer.refused(400, "MELMASTOON.STAFF.INVALID_VALUE").naming("code");
    }
    let same = json!({ "code": "HOUSEKEEPER", "name": "Room attendant" });
    assert_eq!(hotel.patch(&hotel.manager(), &housekeeper, same).await.done()["name"], "Room attendant");
    let departments = hotel.get(&hotel.manager(), "/staff/v1/departments").await.done();
    let own = json!({ "name": "Porter", "code": "PORTER", "departmentId": departments["items"][0]["departmentId"] });
    let own = text(&hotel.post(&hotel.manager(), "/staff/v1/positions", own).await.done()["positionId"]);
    let path = format!("/staff/v1/positions/{own}");
    hotel.patch(&hotel.manager(), &path, json!({ "code": null })).await.done();
}

//! People are employed, change jobs and leave; shifts are planned and filled; the clock is punched.

use axum::http::Method;
use serde_json::json;

use crate::test_hotel::{Ask, TestHotel, text};

pub(super) async fn tell(hotel: &TestHotel) {
    people(hotel).await;
    shifts(hotel).await;
    time(hotel).await;
}

async fn shifts(hotel: &TestHotel) {
    let supervisor = hotel.supervisor();
    let (laila, nasrin, bilal) =
        (hotel.employ("Laila").await, hotel.employ("Nasrin").await, hotel.employ("Bilal").await);
    let mut plan = hotel.plan("16:00", "20:00").await;
    plan["standbyHeadcount"] = json!(1);
    let early = text(&hotel.post(&supervisor, "/staff/v1/shifts", plan).await.done()["shiftId"]);
    let late = hotel.shift("20:00", "23:00").await;
    let place = |shift: &str| format!("/staff/v1/shifts/{shift}/assignments");
    let hers = hotel.post(&supervisor, &place(&early), json!({ "staffId": laila })).await.done();
    let other = hotel.post(&supervisor, &place(&late), json!({ "staffId": nasrin })).await.done();
    let swap = json!({ "leftAssignmentId": hers["assignmentId"], "rightAssignmentId": other["assignmentId"] });
    let swapped = hotel.post(&supervisor, "/staff/v1/shifts/swap", swap).await.done();
    hotel.post(&supervisor, &place(&early), json!({ "staffId": bilal, "role": "standby" })).await.done();
    let gone = format!("{}/{}", place(&early), text(&swapped["left"]["assignmentId"]));
    hotel.ask(Ask::new(Method::DELETE, gone).by(&supervisor)).await.done();
    hotel.post(&supervisor, &format!("/staff/v1/shifts/{early}/promote-standby"), json!({})).await.done();
    hotel
        .get(&supervisor, &format!("/staff/v1/shifts?propertyId={}&from=2026-04-22&to=2026-04-22", hotel.property))
        .await
        .done();
    hotel.get(&supervisor, &format!("/staff/v1/shifts/{early}")).await.done();
    hotel.patch(&supervisor, &format!("/staff/v1/shifts/{early}"), json!({ "note": "two buses arrive" })).await.done();
    hotel.post(&supervisor, &format!("/staff/v1/shifts/{late}/cancel"), json!({ "note": "no guests" })).await.done();
}

async fn time(hotel: &TestHotel) {
    let (supervisor, zarmina) = (hotel.supervisor(), hotel.employ("Zarmina").await);
    let came = hotel.punch_clock(&zarmina, "in").await.done();
    hotel.get(&hotel.own(&zarmina), "/staff/v1/clock/entries?from=2026-04-22").await.done();
    let review = format!("/staff/v1/clock/entries/{}/review", text(&came["clockEntryId"]));
    hotel.post(&supervisor, &review, json!({ "note": "came to help" })).await.done();
    hotel.clock.advance_seconds(300);
    let out = json!({ "staffId": zarmina, "kind": "out", "at": hotel.now(), "reason": "forgot to punch" });
    hotel.post(&supervisor, "/staff/v1/clock/override", out).await.done();
    let later = json!({
        "deviceId": "dev_01KPSY36J085MVSP242K03MADZ", "sentAt": hotel.now(),
        "punches": [
            { "clientPunchId": "17", "kind": "in", "at": "2026-04-21T03:00:00Z" },
            { "clientPunchId": "18", "kind": "out", "at": "2026-04-21T10:00:00Z" },
        ],
    });
    let own = hotel.own(&zarmina);
    hotel.post(&own, "/staff/v1/clock/offline-replay", later).await.done();
    hotel.punch_clock(&zarmina, "in").await.done();
    let days = "from=2026-04-20&to=2026-04-22";
    for path in
        ["roster?from=2026-04-22", "on-now?", &format!("timesheets?{days}"), &format!("timesheets/export?{days}")]
    {
        let answer = hotel.get(&hotel.manager(), &format!("/staff/v1/{path}&propertyId={}", hotel.property)).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
    for path in ["me", &format!("me/shifts?{days}"), &format!("me/timesheet?{days}")] {
        hotel.get(&own, &format!("/staff/v1/{path}")).await.done();
    }
}

async fn people(hotel: &TestHotel) {
    let (manager, house) = (hotel.manager(), hotel.property.clone());
    hotel.get(&manager, "/staff/v1/departments").await.done();
    let kitchen =
        hotel.post(&manager, "/staff/v1/departments", json!({ "name": "Kitchen", "code": "KITCHEN" })).await.done();
    let path = format!("/staff/v1/departments/{}", text(&kitchen["departmentId"]));
    hotel.get(&manager, &path).await.done();
    hotel.patch(&manager, &path, json!({ "name": "Kitchen and bakery" })).await.done();
    let cook = json!({
        "name": "Cook", "departmentId": kitchen["departmentId"], "code": "COOK", "requiredCertifications": ["food_handling"],
    });
    let cook = hotel.post(&manager, "/staff/v1/positions", cook).await.done();
    let path = format!("/staff/v1/positions/{}", text(&cook["positionId"]));
    hotel.get(&manager, &path).await.done();
    hotel.patch(&manager, &path, json!({ "certificationsEnforced": true })).await.done();
    let mut body = hotel.application_of("Bilal").await;
    body["familyName"] = json!("Khan");
    body["email"] = json!("bilal@example.com");
    let bilal = hotel.post(&manager, "/staff/v1/staff", body).await.done();
    let path = format!("/staff/v1/staff/{}", text(&bilal["staffId"]));
    hotel.get(&manager, "/staff/v1/staff?status=pending_invite,active&q=khan").await.done();
    hotel.get(&manager, &path).await.done();
    hotel.patch(&manager, &path, json!({ "skills": ["deep_clean"], "phoneE164": "+93700123456" })).await.done();
    hotel.post(&manager, &format!("{path}/position"), json!({ "positionId": cook["positionId"] })).await.done();
    hotel.post(&manager, &format!("{path}/terminate"), json!({ "reason": "voluntary_resignation" })).await.done();
    hotel.post(&manager, &format!("{path}/reactivate"), json!({ "effectiveAt": "2026-05-01" })).await.done();
    hotel.get(&manager, &format!("/staff/v1/settings?propertyId={house}")).await.done();
    hotel
        .put(&manager, &format!("/staff/v1/settings?propertyId={house}"), json!({ "minRestMinutes": 600 }))
        .await
        .done();
}

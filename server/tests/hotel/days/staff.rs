//! People are employed, change jobs and leave; the house says how it works.

use serde_json::json;

use crate::test_hotel::{TestHotel, text};

pub(super) async fn tell(hotel: &TestHotel) {
    people(hotel).await;
}

async fn people(hotel: &TestHotel) {
    let (manager, house) = (hotel.manager(), hotel.property.clone());
    hotel.get(&manager, "/staff/v1/departments").await.done();
    let kitchen =
        hotel.post(&manager, "/staff/v1/departments", json!({ "name": "Kitchen", "code": "KITCHEN" })).await.done();
    let path = format!("/staff/v1/departments/{}", text(&kitchen["departmentId"]));
    hotel.patch(&manager, &path, json!({ "name": "Kitchen and bakery" })).await.done();
    let cook = json!({
        "name": "Cook", "departmentId": kitchen["departmentId"], "code": "COOK", "requiredCertifications": ["food_handling"],
    });
    let cook = hotel.post(&manager, "/staff/v1/positions", cook).await.done();
    let path = format!("/staff/v1/positions/{}", text(&cook["positionId"]));
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

//! An integrator is told of what happens, and is told again.

use serde_json::json;

use crate::test_hotel::{Ask, TestHotel, text};

pub(super) async fn tell(hotel: &TestHotel) {
    let admin = hotel.token(platform::auth::Role::Admin, None);
    let body = json!({
        "url": "https://integrator.example/hooks/hotel", "description": "the channel manager",
        "subjects": ["melmastoon.housekeeping.room.status_changed.v1"],
    });
    let made = hotel.post(&admin, "/events/v1/webhooks", body).await.done();
    let path = format!("/events/v1/webhooks/{}", text(&made["id"]));
    hotel.get(&admin, "/events/v1/webhooks").await.done();
    hotel.get(&admin, &path).await.done();
    let change = json!({ "state": "paused" });
    hotel.ask(Ask::new(axum::http::Method::PATCH, &path).by(&admin).json(&change)).await.done();
    hotel.post(&admin, &format!("{path}/rotate-key"), json!({})).await.done();
    // Offsets depend on how often the relay looked: the example has none.
    hotel.get(&admin, &format!("{path}/deliveries?limit=1")).await.done();
    hotel.post(&admin, &format!("{path}/replay"), json!({ "since": "2027-01-01T00:00:00Z" })).await.done();
    hotel.ask(Ask::new(axum::http::Method::DELETE, &path).by(&admin)).await.done();
}

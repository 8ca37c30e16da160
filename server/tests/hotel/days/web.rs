//! What the pages ask besides: a photo, the day's curve.

use axum::http::Method;

use crate::test_hotel::{Ask, TestHotel};

pub(super) async fn tell(hotel: &TestHotel) {
    let (supervisor, desk, property) = (hotel.supervisor(), hotel.front_desk(), hotel.property.clone());
    hotel.get(&supervisor, &format!("/housekeeping/v1/stats/readiness?propertyId={property}")).await.done();
    let photo = [0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46];
    let path = format!("/housekeeping/v1/media?propertyId={property}");
    let kept = hotel.ask(Ask::new(Method::POST, path).by(&desk).body("image/jpeg", photo)).await;
    hotel.get(&supervisor, kept.header("location").unwrap()).await.done();
}

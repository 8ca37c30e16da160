//! A guest asks what is kept, and to be forgotten; a member of the staff asks housekeeping the same.

use serde_json::json;

use crate::test_hotel::{TestHotel, text};

pub(super) async fn tell(hotel: &TestHotel) {
    let (double, _) = hotel.sold_rooms(1).await;
    let mut wish = hotel.booking(&double, "2026-06-01", "2026-06-03");
    wish["primaryGuest"] = json!({ "name": "Homira Rahimi", "email": "homira@example.com" });
    let stay = hotel.confirmed_stay(wish).await;
    hotel.stay(&stay, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "another time" })).await.done();
    let guest = format!("/reservation/v1/guests/{}", text(&stay["primaryGuest"]["guestId"]));
    hotel.get(&hotel.manager(), &format!("{guest}/export")).await.done();
    let booked = text(&stay["reservationId"]);
    hotel.get(&hotel.manager(), &format!("/housekeeping/v1/personal-data?reservationId={booked}")).await.done();
    let clerk = hotel.employ("Homa").await;
    hotel.get(&hotel.manager(), &format!("/reservation/v1/personal-data?staffId={clerk}")).await.done();
    hotel.post(&hotel.manager(), &format!("{guest}/erase"), json!({})).await.done();
    hotel.drain().await;
}

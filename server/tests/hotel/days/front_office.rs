//! Bookings change, wishes are noted, a room is closed and opened, a guest is forgotten, the day is closed.

use axum::http::Method;
use serde_json::json;

use crate::test_hotel::{Ask, TestHotel, text};

pub(super) async fn tell(hotel: &TestHotel) {
    let (desk, property) = (hotel.desk(), hotel.property.clone());
    let (double, doors) = hotel.sold_rooms(2).await;
    let today = "2026-04-25";
    let mut promised = hotel.booking(&double, "2026-05-01", "2026-05-03");
    promised["items"][0]["roomId"] = json!(doors[0].id);
    let stay = hotel.confirmed_stay(promised).await;
    let dates = json!({ "type": "date_change", "stayWindow": { "start": "2026-05-01", "end": "2026-05-04" } });
    hotel.stay(&stay, "modifications", dates).await.done();
    let wish = json!({ "tags": ["cot"], "freeText": "a cot by the window, please", "source": "guest" });
    hotel.stay(&stay, "special-requests", wish).await.done();
    hotel.stay(&stay, "modification-requests", json!({ "requestedMods": ["mid_stay_clean"] })).await.done();
    let other = {
        let mut body = hotel.booking(&double, "2026-05-01", "2026-05-03");
        body["items"][0]["roomId"] = json!(doors[1].id);
        hotel.confirmed_stay(body).await
    };
    let timeline = format!("/reservation/v1/timeline?propertyId={property}&from=2026-05-01&to=2026-05-08");
    hotel.get(&desk, &timeline).await.done();
    let blocks = format!("/reservation/v1/rooms/{}/blocks", doors[1].id);
    let water = json!({ "from": "2026-04-30T05:00:00Z", "until": "2026-05-02T05:00:00Z", "reason": "water" });
    let closed = hotel.post(&desk, &blocks, water).await.done();
    let alerts = hotel.get(&desk, &format!("/reservation/v1/alerts?propertyId={property}&status=open")).await.done();
    let alert = text(&alerts["items"][0]["alertId"]);
    let resolve = format!("/reservation/v1/alerts/{alert}/resolve");
    hotel.post(&desk, &resolve, json!({ "note": "another house takes them" })).await.done();
    let block = format!("{blocks}/{}", text(&closed["blockId"]));
    hotel.get(&desk, &block).await.done();
    assert_eq!(hotel.ask(Ask::new(Method::DELETE, block).by(&desk)).await.status, 204);
    let guest = format!("/reservation/v1/guests/{}", text(&other["primaryGuest"]["guestId"]));
    hotel.get(&desk, &guest).await.done();
    assert_eq!(hotel.ask(Ask::new(Method::DELETE, guest).by(&hotel.manager())).await.status, 204);
    hotel.get(&desk, &format!("/reservation/v1/day-close?propertyId={property}&date={today}")).await.done();
    let day = json!({ "propertyId": property, "date": "2026-04-22" });
    hotel.post(&desk, "/reservation/v1/day-close", day).await.done();
    hotel.drain().await;
}

//! Rooms are described and priced, guests ask, book, come, pay and leave; one changes her mind, one never comes.

use contracts::ids::RoomTypeId;
use serde_json::json;

use crate::test_hotel::{TestHotel, text};

pub(super) async fn tell(hotel: &TestHotel) {
    let desk = hotel.desk();
    let property = hotel.property.clone();
    let (double, _) = hotel.sold_rooms(5).await;
    house(hotel, &double).await;
    let wish = hotel.booking(&double, "2026-04-22", "2026-04-24");
    let quote = hotel.post(&desk, "/reservation/v1/quotes", wish.clone()).await.done();
    hotel.get(&desk, &format!("/reservation/v1/quotes/{}", text(&quote["quoteId"]))).await.done();
    let held = hotel
        .book(json!({ "quoteId": quote["quoteId"], "primaryGuest": { "name": "Zarmina Noori" }, "expectedArrivalAt": "2026-04-22T10:30:00Z" }))
        .await
        .done();
    let path = format!("/reservation/v1/reservations/{}", text(&held["reservationId"]));
    hotel.put(&desk, &format!("{path}/payment-intent"), json!({ "paymentIntentId": "pyi_1" })).await.done();
    hotel.stay(&held, "confirm", json!({ "payment": { "method": "cash_on_arrival" } })).await.done();
    hotel.get(&desk, &format!("{path}/cancellation-preview")).await.done();
    hotel.get(&desk, &format!("/reservation/v1/arrivals?propertyId={property}")).await.done();
    hotel.stay(&held, "check-in/start", json!({})).await.done();
    hotel.stay(&held, "check-in/complete", json!({})).await.done();
    hotel.get(&desk, &format!("/reservation/v1/in-house?propertyId={property}")).await.done();
    hotel.get(&desk, &format!("/reservation/v1/departures?propertyId={property}&date=2026-04-24")).await.done();
    let cash = json!({ "method": "cash_on_arrival", "amountMicro": "200000000", "currency": "AFN" });
    hotel.stay(&held, "payments", cash).await.done();
    hotel.get(&desk, &format!("{path}/folio")).await.done();
    let early = hotel.confirmed_stay(wish.clone()).await;
    hotel.stay(&early, "check-in/complete", json!({})).await.done();
    hotel.stay(&early, "early-checkout", json!({ "reason": "a call from home" })).await.done();
    hotel.clock.advance_seconds(2 * 24 * 3_600);
    let desk = hotel.desk();
    hotel.stay(&held, "check-out/start", json!({})).await.done();
    hotel.stay(&held, "check-out/complete", json!({})).await.done();
    hotel.get(&desk, &path).await.done();
    hotel.get(&desk, &format!("{path}/history")).await.done();
    hotel.get(&desk, "/reservation/v1/reservations?contact=zarmina@example.com&limit=2").await.done();
    let later = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-03")).await;
    hotel
        .stay(&later, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "the road is closed" }))
        .await
        .done();
    let never = hotel.confirmed_stay(hotel.booking(&double, "2026-04-24", "2026-04-25")).await;
    let mut walk_in = hotel.booking(&double, "2026-04-24", "2026-04-25");
    walk_in["payment"] = json!({ "method": "cash_on_arrival", "amountMicro": "100000000" });
    hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", walk_in).await.done();
    hotel.clock.advance_seconds(6 * 3_600);
    hotel.stay(&never, "no-show", json!({})).await.done();
    hotel.get(&hotel.manager(), &format!("/reservation/v1/rooms?propertyId={property}")).await.done();
    hotel.drain().await;
}

async fn house(hotel: &TestHotel, double: &RoomTypeId) {
    let (manager, property) = (hotel.manager(), hotel.property.clone());
    hotel.get(&manager, &format!("/reservation/v1/room-types?propertyId={property}")).await.done();
    let rates = json!({ "from": "2026-07-01", "to": "2026-08-01", "rateMicro": "150000000" });
    hotel.put(&manager, &format!("/reservation/v1/room-types/{double}/rates"), rates).await.done();
    let limits = json!({ "from": "2026-07-01", "to": "2026-08-01", "overbooking": 1 });
    hotel.put(&manager, &format!("/reservation/v1/room-types/{double}/sell-limits"), limits).await.done();
    let path = format!("/reservation/v1/settings?propertyId={property}");
    hotel.get(&manager, &path).await.done();
    hotel.put(&manager, &path, json!({ "holdTtlSeconds": 900 })).await.done();
    hotel.get(&manager, "/reservation/v1/cancellation-policies").await.done();
    let policy = json!({
        "version": "2", "name": "strict", "tiers": [{ "hoursBefore": 72, "penaltyPpm": 0 }, { "hoursBefore": 0, "penaltyPpm": 1_000_000 }],
        "noShow": { "penaltyPpm": 1_000_000 }, "earlyCheckout": { "penaltyNights": 1 }, "overstay": { "penaltyPpm": 1_000_000 },
    });
    hotel.post(&manager, "/reservation/v1/cancellation-policies", policy).await.done();
    let path = format!("/reservation/v1/availability?propertyId={property}&from=2026-07-01&to=2026-07-04");
    hotel.get(&manager, &path).await.done();
}

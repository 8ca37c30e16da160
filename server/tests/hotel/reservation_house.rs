//! Rooms, prices, settings and cancellation policies of the reservation context.

use contracts::ids::{RoomId, RoomTypeId};
use serde_json::json;

use crate::test_hotel::TestHotel;

#[tokio::test]
async fn the_first_room_of_a_type_makes_it_and_a_room_without_a_type_is_not_sold() {
    let hotel = TestHotel::open().await;
    let (room, other, double): (RoomId, RoomId, RoomTypeId) = (hotel.next(), hotel.next(), hotel.next());
    let told = |room: &RoomId, of: Option<&RoomTypeId>| {
        let mut payload =
            json!({ "tenantId": hotel.tenant, "propertyId": hotel.property, "roomId": room, "number": "7" });
        if let Some(of) = of {
            payload["roomTypeId"] = json!(of);
        }
        hotel.happening("property.room.created.v1", &payload)
    };
    hotel.deliver(&told(&room, Some(&double))).await;
    hotel.deliver(&told(&room, Some(&double))).await;
    hotel.deliver(&told(&other, None)).await;
    let path = format!("/reservation/v1/room-types?propertyId={}", hotel.property);
    let types = hotel.get(&hotel.desk(), &path).await.done();
    assert_eq!(types["items"].as_array().unwrap().len(), 1);
    assert_eq!(types["items"][0]["maxOccupancy"], 2);
    assert_eq!(hotel.available(&double, "2026-05-01", "2026-05-03").await, [1, 1]);
    hotel
        .book(hotel.booking(&double, "2026-05-01", "2026-05-02"))
        .await
        .refused(422, "MELMASTOON.RESERVATION.RATE_MISSING");
    let payload = json!({ "tenantId": hotel.tenant, "propertyId": hotel.property, "roomId": room });
    hotel.deliver(&hotel.happening("property.room.archived.v1", &payload)).await;
    assert_eq!(hotel.available(&double, "2026-05-01", "2026-05-03").await, [0, 0]);
}

#[tokio::test]
async fn a_house_does_differently_only_what_it_says_and_the_later_word_counts() {
    let hotel = TestHotel::open().await;
    let manager = hotel.manager();
    let house = format!("/reservation/v1/settings?propertyId={}", hotel.property);
    hotel.put(&manager, "/reservation/v1/settings", json!({ "holdTtlSeconds": 300, "taxPpm": 50_000 })).await.done();
    let seen = hotel.put(&manager, &house, json!({ "holdTtlSeconds": 900 })).await.done();
    assert_eq!((&seen["holdTtlSeconds"], &seen["taxPpm"]), (&json!(900), &json!(50_000)));
    let told = |ttl: i64| {
        let payload = json!({ "tenantId": hotel.tenant, "changedKeys": ["taxPpm"], "settings": { "taxPpm": ttl, "unknown": true } });
        hotel.happening("tenant.settings.changed.v1", &payload)
    };
    let late = told(70_000);
    hotel.clock.advance_seconds(60);
    hotel.deliver(&told(60_000)).await;
    hotel.deliver(&late).await;
    assert_eq!(hotel.get(&manager, &house).await.done()["taxPpm"], 60_000);
    hotel.deliver(&told(-1)).await;
    let buried = hotel.count("reservation.dead_letters WHERE state = 'open'").await;
    assert_eq!(buried, 1, "a value that cannot be is filed, and nothing of it is applied");
    for (body, field) in [
        (json!({ "holdTtlSeconds": 60 }), "holdTtlSeconds"),
        (json!({ "timezone": "Mars/Base" }), "timezone"),
        (json!({ "nonsense": 1 }), "nonsense"),
        (json!({ "checkInTime": 14 }), "checkInTime"),
    ] {
        hotel.put(&manager, &house, body).await.refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE").naming(field);
    }
    let unknown = json!({ "cancellationPolicyVersion": 9 });
    hotel.put(&manager, &house, unknown).await.refused(422, "MELMASTOON.RESERVATION.POLICY_UNKNOWN");
}

#[tokio::test]
async fn a_version_of_a_cancellation_policy_never_changes() {
    let hotel = TestHotel::open().await;
    let (manager, path) = (hotel.manager(), "/reservation/v1/cancellation-policies");
    let policy = json!({
        "version": "2", "name": "strict", "tiers": [{ "hoursBefore": 0, "penaltyPpm": 1_000_000 }],
        "noShow": { "penaltyPpm": 1_000_000 }, "earlyCheckout": { "penaltyNights": 1 }, "overstay": { "penaltyPpm": 1_000_000 },
    });
    hotel.post(&manager, path, policy.clone()).await.done();
    hotel.post(&manager, path, policy.clone()).await.refused(409, "MELMASTOON.RESERVATION.POLICY_MADE");
    let mut usual = policy;
    usual["version"] = json!("1");
    hotel.post(&manager, path, usual.clone()).await.refused(409, "MELMASTOON.RESERVATION.POLICY_MADE");
    usual["version"] = json!("3");
    usual["tiers"] = json!([{ "hoursBefore": 24, "penaltyNights": 1 }]);
    hotel.post(&manager, path, usual).await.refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE").naming("tiers");
}

#[tokio::test]
async fn what_the_tenant_says_has_to_go_with_what_each_house_says() {
    let hotel = TestHotel::open().await;
    let manager = hotel.manager();
    let house = format!("/reservation/v1/settings?propertyId={}", hotel.property);
    hotel.put(&manager, &house, json!({ "checkOutTime": "06:00" })).await.done();
    // By itself it would do: check-out is at noon elsewhere.
    let later = json!({ "dayRollTime": "07:00" });
    let refused = hotel.put(&manager, "/reservation/v1/settings", later.clone()).await;
    refused.refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE").naming("dayRollTime");
    assert!(refused.detail().contains(hotel.property.as_str()), "{}", refused.text);
    let payload = json!({ "tenantId": hotel.tenant, "settings": later });
    hotel.deliver(&hotel.happening("tenant.settings.changed.v1", &payload)).await;
    assert_eq!(hotel.count("reservation.dead_letters WHERE state = 'open'").await, 1);
    assert_eq!(hotel.get(&manager, &house).await.done()["dayRollTime"], "05:00");
    hotel.put(&manager, &house, json!({ "checkOutTime": "10:00" })).await.done();
    hotel.put(&manager, "/reservation/v1/settings", json!({ "dayRollTime": "07:00" })).await.done();
    assert_eq!(hotel.get(&manager, &house).await.done()["dayRollTime"], "07:00");
}

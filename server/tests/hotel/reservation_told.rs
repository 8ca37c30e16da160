//! What others tell of houses, rooms and money, and what becomes of those who have them.

use contracts::ids::PropertyId;
use serde_json::{Value, json};

use crate::test_hotel::{TestHotel, text};

async fn told(hotel: &TestHotel, subject: &str) -> Vec<Value> {
    let subject = format!("melmastoon.reservation.{subject}.v1");
    let news = hotel.news().await.into_iter().filter(|one| one["eventType"] == json!(subject));
    news.map(|one| one["payload"].clone()).collect()
}

async fn break_room(hotel: &TestHotel, room: &Value) {
    let payload = json!({
        "tenantId": hotel.tenant, "propertyId": hotel.property, "roomId": room, "from": "2026-04-22T06:00:00Z",
        "until": "2026-06-01T06:00:00Z",
    });
    hotel.deliver(&hotel.happening("property.room.taken_out_of_order.v1", &payload)).await;
}

async fn external(hotel: &TestHotel) {
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "inventoryMode": "external" })).await.done();
}

#[tokio::test]
async fn an_event_says_where_its_data_lies_how_long_it_is_kept_and_who_made_it() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "region": "gcp-asia-south1" })).await.done();
    hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-03")).await.done();
    let news = hotel.news().await;
    let held = news.iter().find(|one| one["eventType"] == "melmastoon.reservation.held.v1").unwrap();
    assert_eq!(held["metadata"]["dataResidency"], "gcp-asia-south1");
    assert_eq!(held["metadata"]["retentionClass"], "regulated");
    assert_eq!(held["producedBy"], json!({ "service": "reservation-service" }));
    let order = text(&held["metadata"]["orderingKey"]);
    assert_eq!(order, format!("{}:{}", hotel.tenant, text(&held["payload"]["reservationId"])));
}

#[tokio::test]
async fn a_closed_house_takes_no_bookings_and_somebody_is_told() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let before = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-03")).await;
    let payload = json!({ "tenantId": hotel.tenant, "propertyId": hotel.property });
    hotel.deliver(&hotel.happening("property.deactivated.v1", &payload)).await;
    hotel.deliver(&hotel.happening("property.deactivated.v1", &payload)).await;
    let wish = hotel.booking(&double, "2026-06-01", "2026-06-03");
    hotel.book(wish.clone()).await.refused(409, "MELMASTOON.RESERVATION.PROPERTY_CLOSED");
    let quote = hotel.post(&hotel.desk(), "/reservation/v1/quotes", wish).await;
    quote.refused(409, "MELMASTOON.RESERVATION.PROPERTY_CLOSED");
    assert_eq!(told(&hotel, "alert.raised").await.len(), 1);
    let words = json!({ "reasonCode": "staff_cancelled", "reason": "the house is closed", "items": null });
    hotel.stay(&before, "cancel", words).await.done();
    let other: PropertyId = hotel.next();
    assert_ne!(other, hotel.property);
}

#[tokio::test]
async fn whoever_was_told_a_room_that_breaks_is_told_another_one() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let mut wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    wish["items"][0]["roomId"] = json!(doors[0].id);
    let promised = hotel.confirmed_stay(wish).await;
    break_room(&hotel, &json!(doors[0].id)).await;
    let moved = hotel.reservation(&promised).await;
    assert_eq!((&moved["items"][0]["roomId"], &moved["items"][0]["roomPinned"]), (&json!(doors[1].id), &json!(true)));
    let changes = told(&hotel, "modified").await;
    assert_eq!(changes.len(), 1);
    let item = &promised["items"][0]["itemId"];
    assert_eq!(changes[0]["type"], "room_change");
    assert_eq!(changes[0]["before"], json!({ "itemId": item, "roomId": doors[0].id }));
    assert_eq!(changes[0]["after"], json!({ "itemId": item, "roomId": doors[1].id }));
    assert_eq!(changes[0]["actor"], json!({ "type": "system", "id": "sys_reservation" }));
    // The other one breaks too: there is no room left for them.
    break_room(&hotel, &json!(doors[1].id)).await;
    let homeless = hotel.reservation(&promised).await;
    assert!(homeless["items"][0].get("roomId").is_none(), "{homeless}");
    let news = hotel.news().await;
    let after = news.iter().find(|one| one["eventType"] == "melmastoon.reservation.modified.v1").unwrap();
    assert_eq!(after["payload"]["after"], json!({ "itemId": item }));
    let alert = news.iter().find(|one| one["eventType"] == "melmastoon.reservation.alert.raised.v1").unwrap();
    assert_eq!(
        (&alert["payload"]["kind"], &alert["payload"]["roomId"]),
        (&json!("room_out_of_order"), &json!(doors[1].id))
    );
    // The first is in order again: whoever waits gets a room with the next chance.
    let back = json!({
        "tenantId": hotel.tenant, "propertyId": hotel.property, "roomId": doors[0].id, "previousStatus": "out_of_order",
        "status": "dirty", "cause": "room_unblocked", "flippedAt": hotel.now(), "actor": { "type": "system", "id": "sys_hk" },
    });
    hotel.deliver(&hotel.happening("housekeeping.room.status_changed.v1", &back)).await;
    let placed = hotel.reservation(&promised).await;
    assert_eq!(placed["items"][0]["roomId"], json!(doors[0].id), "{placed}");
}

#[tokio::test]
async fn whoever_is_in_a_room_that_breaks_stays_and_the_desk_is_told_where_else_there_is_room() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let mut wish = hotel.booking(&double, "2026-04-22", "2026-04-25");
    wish["items"][0]["roomId"] = json!(doors[0].id);
    let there = hotel.confirmed_stay(wish).await;
    hotel.stay(&there, "check-in/complete", json!({})).await.done();
    hotel.news().await;
    break_room(&hotel, &json!(doors[0].id)).await;
    assert_eq!(hotel.reservation(&there).await["items"][0]["roomId"], json!(doors[0].id));
    let alerts = told(&hotel, "alert.raised").await;
    assert_eq!((&alerts[0]["kind"], &alerts[0]["suggestedRoomId"]), (&json!("room_out_of_order"), &json!(doors[1].id)));
}

#[tokio::test]
async fn where_another_service_keeps_the_count_a_booking_waits_for_its_rooms_and_gets_them_at_the_desk() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    external(&hotel).await;
    let availability =
        format!("/reservation/v1/availability?propertyId={}&from=2026-05-01&to=2026-05-03", hotel.property);
    hotel.get(&hotel.desk(), &availability).await.refused(409, "MELMASTOON.RESERVATION.EXTERNAL_INVENTORY");
    // No count is checked: the other service says no by itself.
    let one = hotel.book(hotel.booking(&double, "2026-04-22", "2026-04-24")).await.done();
    let two = hotel.book(hotel.booking(&double, "2026-04-22", "2026-04-24")).await.done();
    assert_eq!((&one["pendingSagaStep"], &one["inventoryAllocationIds"]), (&json!("await_allocation"), &json!([])));
    let cash = json!({ "payment": { "method": "cash_on_arrival" } });
    hotel.stay(&one, "confirm", cash).await.refused(409, "MELMASTOON.RESERVATION.ALLOCATION_PENDING");
    // The money comes first, and waits for the rooms.
    let paid = hotel.captured(&one, "pyi_1", "200000000");
    hotel.deliver(&paid).await;
    assert_eq!(hotel.reservation(&one).await["status"], "held");
    let yes = json!({ "allocationIds": ["alc_ELSEWHERE"] });
    hotel.deliver(&hotel.told("inventory.allocation.committed.v1", &one, &yes)).await;
    let confirmed = hotel.reservation(&one).await;
    assert_eq!(
        (&confirmed["status"], &confirmed["inventoryAllocationIds"]),
        (&json!("confirmed"), &json!(["alc_ELSEWHERE"]))
    );
    hotel.deliver(&hotel.told("inventory.allocation.committed.v1", &one, &yes)).await;
    assert_eq!(hotel.reservation(&one).await["inventoryAllocationIds"], json!(["alc_ELSEWHERE"]), "told twice, once");
    let news = told(&hotel, "confirmed").await;
    assert_eq!(news[0]["causationEventId"], paid.id(), "the event that brought the money");
    hotel.deliver(&hotel.told("inventory.allocation.failed.v1", &two, &json!({}))).await;
    assert_eq!(hotel.reservation(&two).await["cancellation"]["reasonCode"], "inventory_failed");
    let there = hotel.stay(&one, "check-in/complete", json!({})).await.done();
    assert_eq!((&there["status"], &there["items"][0]["roomId"]), (&json!("checked_in"), &json!(doors[0].id)));
    assert_eq!(hotel.count("reservation.room_allocations WHERE occupied").await, 1);
}

#[tokio::test]
async fn rooms_that_are_set_aside_when_it_is_over_are_given_back() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    external(&hotel).await;
    let (expired, cancelled) = (
        hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-02")).await.done(),
        hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-02")).await.done(),
    );
    let words = json!({ "reasonCode": "guest_cancelled", "reason": "ill" });
    hotel.stay(&cancelled, "cancel", words).await.done();
    hotel.clock.advance_seconds(600);
    hotel.run_tick("reservation.hold-expiry").await;
    hotel.news().await;
    let late = json!({ "allocationIds": ["alc_LATE"] });
    for reservation in [&expired, &cancelled] {
        let event = hotel.told("inventory.allocation.committed.v1", reservation, &late);
        hotel.deliver(&event).await;
        hotel.deliver(&event).await;
    }
    let news = hotel.news().await;
    let of = |subject: &str| -> Vec<Value> {
        let subject = format!("melmastoon.reservation.{subject}.v1");
        news.iter().filter(|one| one["eventType"] == json!(subject)).map(|one| one["payload"].clone()).collect()
    };
    assert_eq!((of("hold_expired").len(), of("cancelled").len()), (1, 1), "once each");
    assert_eq!(of("hold_expired")[0]["inventoryAllocationIds"], json!(["alc_LATE"]));
    assert_eq!(of("cancelled")[0]["inventoryAllocationIds"], json!(["alc_LATE"]));
    assert_eq!(of("cancelled")[0]["reasonCode"], "guest_cancelled");
    assert_eq!(hotel.reservation(&expired).await["status"], "expired");
}

#[tokio::test]
async fn money_that_cannot_be_counted_and_rooms_that_are_taken_back_are_alerts() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-03")).await;
    let strange = hotel.captured(&stay, "pyi_1", "1000000").with("/payload/currency", json!("USD"));
    hotel.deliver(&strange).await;
    assert_eq!(hotel.reservation(&stay).await["payment"]["capturedMicro"], "0");
    hotel.deliver(&hotel.told("inventory.allocation.failed.v1", &stay, &json!({}))).await;
    assert_eq!(hotel.reservation(&stay).await["status"], "confirmed");
    let kinds: Vec<Value> = told(&hotel, "alert.raised").await.iter().map(|one| one["kind"].clone()).collect();
    assert_eq!(kinds, [json!("payment_mismatch"), json!("allocation_failed")]);
}

#[tokio::test]
async fn a_key_that_cannot_be_made_is_the_desks_to_make_until_there_is_one() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    hotel.stay(&stay, "check-in/start", json!({})).await.done();
    let room = json!({ "roomId": doors[0].id });
    hotel.deliver(&hotel.told("lock_integration.key_credential.failed.v1", &stay, &room)).await;
    let waiting = hotel.reservation(&stay).await;
    assert_eq!((&waiting["status"], &waiting["requiresManualKey"]), (&json!("check_in_started"), &json!(true)));
    assert_eq!(told(&hotel, "alert.raised").await[0]["kind"], "key_failed");
    let key = json!({ "keyCredentialId": "key_1", "roomId": doors[0].id });
    hotel.deliver(&hotel.told("lock_integration.key_credential.issued.v1", &stay, &key)).await;
    let there = hotel.reservation(&stay).await;
    assert_eq!((&there["status"], &there["requiresManualKey"]), (&json!("checked_in"), &json!(false)));
}

#[tokio::test]
async fn a_policy_that_nobody_knows_leaves_the_last_one_in_force_and_is_an_alert() {
    let hotel = TestHotel::open().await;
    hotel.sold_rooms(1).await;
    let payload = json!({ "tenantId": hotel.tenant, "settings": { "cancellationPolicyVersion": 7, "taxPpm": 10_000 } });
    hotel.deliver(&hotel.happening("tenant.settings.changed.v1", &payload)).await;
    let now = hotel.get(&hotel.manager(), "/reservation/v1/settings").await.done();
    assert_eq!((&now["cancellationPolicyVersion"], &now["taxPpm"]), (&json!("1"), &json!(10_000)));
    assert_eq!(told(&hotel, "alert.raised").await[0]["kind"], "policy_unknown");
}

#[tokio::test]
async fn where_another_service_keeps_the_count_who_stands_at_the_desk_gets_a_room_at_once() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    external(&hotel).await;
    let mut walk_in = hotel.booking(&double, "2026-04-22", "2026-04-23");
    walk_in["payment"] = json!({ "method": "cash_on_arrival" });
    let there = hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", walk_in.clone()).await.done();
    assert_eq!((&there["status"], &there["items"][0]["roomId"]), (&json!("checked_in"), &json!(doors[0].id)));
    let full = hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", walk_in).await;
    full.refused(409, "MELMASTOON.RESERVATION.NO_AVAILABILITY");
}

#[tokio::test]
async fn an_alert_and_that_a_guest_is_forgotten_say_where_the_data_lies() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-03")).await;
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "region": "gcp-asia-south1" })).await.done();
    hotel.news().await;
    let strange = hotel.captured(&stay, "pyi_1", "1000000").with("/payload/currency", json!("USD"));
    hotel.deliver(&strange).await;
    let rules = json!({ "tenantId": hotel.tenant, "settings": { "cancellationPolicyVersion": 7 } });
    hotel.deliver(&hotel.happening("tenant.settings.changed.v1", &rules)).await;
    let closed = json!({ "tenantId": hotel.tenant, "propertyId": hotel.property });
    hotel.deliver(&hotel.happening("property.deactivated.v1", &closed)).await;
    hotel.stay(&stay, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "ill" })).await.done();
    let forget = format!("/reservation/v1/guests/{}/erase", text(&stay["primaryGuest"]["guestId"]));
    hotel.post(&hotel.manager(), &forget, json!({})).await.done();
    let news = hotel.news().await;
    let mut told: Vec<String> = Vec::new();
    for one in news.iter().filter(|one| one["producedBy"]["service"] == "reservation-service") {
        let kind = one["payload"].get("kind").map(text).unwrap_or_default();
        told.push(format!("{} {kind}", text(&one["eventType"]).replace("melmastoon.reservation.", "")));
        assert_eq!(one["metadata"]["dataResidency"], "gcp-asia-south1", "{one}");
    }
    for expected in ["payment_mismatch", "policy_unknown", "property_closed", "guest.erased.v1"] {
        assert!(told.iter().any(|one| one.contains(expected)), "{expected}: {told:?}");
    }
}

//! A reservation changes: every type of change, in the states that allow it, with what others are told and the money that follows.

use contracts::ids::RoomTypeId;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, TestHotel, text};

const DAY: i64 = 24 * 3_600;
const ILLEGAL: &str = "MELMASTOON.RESERVATION.ILLEGAL_TRANSITION";

pub(crate) fn modifications(stay: &Value) -> String {
    format!("/reservation/v1/reservations/{}/modifications", text(&stay["reservationId"]))
}

pub(crate) async fn by_manager(hotel: &TestHotel, stay: &Value, body: Value) -> crate::test_hotel::Answer {
    hotel.post(&hotel.manager(), &modifications(stay), body).await
}

/// The payloads of one subject, oldest first.
pub(crate) fn told(news: &[Value], verb: &str) -> Vec<Value> {
    let subject = format!("melmastoon.reservation.{verb}.v1");
    news.iter().filter(|one| one["eventType"] == subject).map(|one| one["payload"].clone()).collect()
}

/// Paid by card, all of it.
pub(crate) async fn paid_stay(hotel: &TestHotel, of: &RoomTypeId, start: &str, end: &str, amount: &str) -> Value {
    let held = hotel.book(hotel.booking(of, start, end)).await.done();
    hotel.deliver(&hotel.captured(&held, "pyi_1", amount)).await;
    hotel.reservation(&held).await
}

fn window(start: &str, end: &str) -> Value {
    json!({ "type": "date_change", "stayWindow": { "start": start, "end": end } })
}

#[tokio::test]
async fn other_days_keep_the_price_of_nights_that_stay_and_ask_for_the_rest_or_give_it_back() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let stay = paid_stay(&hotel, &double, "2026-05-01", "2026-05-03", "200000000").await;
    let dearer = json!({ "from": "2026-05-01", "to": "2026-06-01", "rateMicro": "150000000" });
    hotel.put(&hotel.manager(), &format!("/reservation/v1/room-types/{double}/rates"), dearer).await.done();
    let longer = hotel.stay(&stay, "modifications", window("2026-05-01", "2026-05-04")).await.done();
    assert_eq!(longer["totals"]["grandTotalMicro"], "350000000", "two nights as agreed, one as it costs today");
    assert_eq!((&longer["stayWindow"]["nights"], &longer["balanceMicro"]), (&json!(3), &json!("150000000")));
    assert_eq!(longer["version"], 4, "modified and dates_changed");
    let shorter = hotel.stay(&stay, "modifications", window("2026-05-02", "2026-05-03")).await.done();
    assert_eq!(shorter["totals"]["grandTotalMicro"], "100000000");
    assert_eq!(
        (&shorter["balanceMicro"], &shorter["payment"]["refundRequestedMicro"]),
        (&json!("0"), &json!("100000000"))
    );
    assert_eq!(hotel.available(&double, "2026-05-01", "2026-05-04").await, [2, 1, 2], "the other nights are free");
    let news = hotel.news().await;
    let (modified, dates) = (told(&news, "modified"), told(&news, "dates_changed"));
    assert_eq!(modified[0]["type"], "date_change");
    assert_eq!(modified[0]["before"]["stayWindow"]["end"], "2026-05-03");
    assert_eq!(modified[0]["after"]["stayWindow"]["end"], "2026-05-04");
    assert_eq!(modified[0]["priceDeltaMicro"], "150000000");
    assert_eq!(modified[0]["refundOrChargeRequest"], json!({ "amountMicro": "150000000", "direction": "charge" }));
    assert!(modified[0].get("policyAppliedRef").is_none(), "nothing was dropped");
    assert_eq!(modified[0]["propertyId"], json!(hotel.property.as_str().replace("prp_", "ppt_")));
    assert_eq!(dates[0]["modificationId"], modified[0]["modificationId"]);
    assert_eq!((&modified[0]["aggregateVersion"], &dates[0]["aggregateVersion"]), (&json!(3), &json!(4)));
    assert_eq!(dates[1]["before"], json!({ "start": "2026-05-01", "end": "2026-05-04", "nights": 3 }));
    assert_eq!(modified[1]["policyAppliedRef"], "flexible-24h@1");
    assert_eq!(modified[1]["policyApplied"]["penaltyMicro"], "0");
    let refund = json!({ "paymentIntentId": "pyi_1", "amountMicro": "100000000", "direction": "refund" });
    assert_eq!(modified[1]["refundOrChargeRequest"], refund);
    assert_eq!(shorter["lastModificationId"], modified[1]["modificationId"]);
}

#[tokio::test]
async fn nights_that_are_dropped_too_late_cost_what_the_policy_keeps() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = paid_stay(&hotel, &double, "2026-04-22", "2026-04-26", "400000000").await;
    let shorter = hotel.stay(&stay, "modifications", window("2026-04-22", "2026-04-24")).await.done();
    assert_eq!(
        shorter["payment"]["refundRequestedMicro"], "100000000",
        "two nights dropped, one of them kept by the house"
    );
    let folio = format!("/reservation/v1/reservations/{}/folio", text(&stay["reservationId"]));
    let folio = hotel.get(&hotel.desk(), &folio).await.done();
    assert!(
        folio["lines"]
            .as_array()
            .unwrap()
            .iter()
            .any(|line| line["kind"] == "penalty" && line["amountMicro"] == "100000000")
    );
    assert_eq!((&folio["balanceMicro"], &folio["settled"]), (&json!("0"), &json!(true)));
}

#[tokio::test]
async fn who_has_come_changes_the_end_alone_and_a_full_house_refuses() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    let next = hotel.confirmed_stay(hotel.booking(&double, "2026-04-25", "2026-04-26")).await;
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    let invalid = "MELMASTOON.RESERVATION.STAY_INVALID";
    for (start, end) in [
        ("2026-04-23", "2026-04-24"),
        ("2026-04-22", "2026-04-22"),
        ("2026-04-22", "2026-04-24"),
        ("2026-04-24", "2026-04-22"),
    ] {
        hotel.stay(&stay, "modifications", window(start, end)).await.refused(422, invalid);
    }
    hotel.stay(&stay, "modifications", window("2026-04-22", "2026-04-25")).await.done();
    let full = hotel.stay(&stay, "modifications", window("2026-04-22", "2026-04-26")).await;
    full.refused(409, "MELMASTOON.RESERVATION.NO_AVAILABILITY");
    assert_eq!(full.body["nights"], json!(["2026-04-25"]));
    for (start, end) in [("2026-04-20", "2026-04-26"), ("2029-04-25", "2029-04-26"), ("2026-04-20", "2026-04-21")] {
        hotel.stay(&next, "modifications", window(start, end)).await.refused(422, invalid);
    }
    assert_eq!(hotel.available(&double, "2026-04-22", "2026-04-27").await, [0, 0, 0, 0, 1]);
}

#[tokio::test]
async fn a_room_that_was_promised_is_kept_when_the_days_change_or_it_is_refused() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let promised = |start: &str, end: &str| {
        let mut body = hotel.booking(&double, start, end);
        body["items"][0]["roomId"] = json!(doors[0].id);
        body
    };
    let stay = hotel.confirmed_stay(promised("2026-05-01", "2026-05-03")).await;
    let other = hotel.confirmed_stay(hotel.booking(&double, "2026-05-03", "2026-05-05")).await;
    assert_eq!(other["items"][0]["roomId"], json!(doors[0].id));
    let longer = hotel.stay(&stay, "modifications", window("2026-05-01", "2026-05-04")).await.done();
    assert_eq!(longer["items"][0]["roomId"], json!(doors[0].id));
    assert_eq!(
        hotel.reservation(&other).await["items"][0]["roomId"],
        json!(doors[1].id),
        "who was told nothing moves aside"
    );
    hotel.confirmed_stay(promised("2026-05-06", "2026-05-08")).await;
    let refused = hotel.stay(&stay, "modifications", window("2026-05-01", "2026-05-07")).await;
    refused.refused(409, "MELMASTOON.RESERVATION.ROOM_UNAVAILABLE");
}

#[tokio::test]
async fn a_guest_gets_another_room_and_the_nights_slept_in_stay_with_the_old_one() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(3).await;
    let (suite, suites) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-26")).await;
    let item = text(&stay["items"][0]["itemId"]);
    let change = |room: Option<&str>| {
        let mut body = json!({ "type": "room_change", "itemId": item });
        if let Some(room) = room {
            body["roomId"] = json!(room);
        }
        body
    };
    // Told for the first time: the room it had is nobody's business.
    let pinned = hotel.stay(&stay, "modifications", change(Some(doors[1].id.as_str()))).await.done();
    assert_eq!((&pinned["items"][0]["roomId"], &pinned["items"][0]["roomPinned"]), (&json!(doors[1].id), &json!(true)));
    hotel
        .stay(&stay, "modifications", change(Some(doors[1].id.as_str())))
        .await
        .refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE");
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    hotel.clock.advance_seconds(DAY);
    let upgraded = hotel.stay(&stay, "modifications", change(Some(suites[0].id.as_str()))).await.done();
    assert_eq!(upgraded["totals"]["grandTotalMicro"], "400000000", "an upgrade costs nothing");
    assert_eq!(
        (&upgraded["items"][0]["roomId"], &upgraded["items"][0]["roomTypeId"]),
        (&json!(suites[0].id), &json!(double))
    );
    assert_eq!(hotel.available(&double, "2026-04-23", "2026-04-26").await, [3, 3, 3]);
    assert_eq!(hotel.available(&suite, "2026-04-22", "2026-04-26").await, [1, 0, 0, 0]);
    assert_eq!(hotel.count("reservation.room_allocations WHERE occupied AND released_at IS NULL").await, 1);
    let best = hotel.stay(&stay, "modifications", change(None)).await.done();
    assert_ne!(best["items"][0]["roomId"], json!(suites[0].id), "another one");
    let unknown = "MELMASTOON.RESERVATION.ROOM_UNKNOWN";
    hotel.stay(&stay, "modifications", change(Some("rom_NOBODYS"))).await.refused(422, unknown);
    let nobody = json!({ "type": "room_change", "itemId": "nobody" });
    hotel.stay(&stay, "modifications", nobody).await.refused(422, "MELMASTOON.RESERVATION.ITEM_UNKNOWN");
    let mut walk_in = hotel.booking(&double, "2026-04-23", "2026-04-24");
    walk_in["items"][0]["roomId"] = json!(doors[2].id);
    walk_in["payment"] = json!({ "method": "cash_on_arrival" });
    hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", walk_in).await.done();
    hotel
        .stay(&stay, "modifications", change(Some(doors[2].id.as_str())))
        .await
        .refused(409, "MELMASTOON.RESERVATION.ROOM_OCCUPIED");
    let modified = told(&hotel.news().await, "modified");
    assert_eq!(modified[0]["before"], json!({ "itemId": item }));
    assert_eq!(modified[0]["after"], json!({ "itemId": item, "roomId": doors[1].id }));
    assert_eq!(modified[1]["before"], json!({ "itemId": item, "roomId": doors[1].id }));
    assert_eq!(modified[1]["after"], json!({ "itemId": item, "roomId": suites[0].id }));
    hotel.clock.advance_seconds(3 * DAY);
    let cash = json!({ "method": "cash_on_arrival", "amountMicro": "400000000", "currency": "AFN" });
    hotel.stay(&stay, "payments", cash).await.done();
    hotel.stay(&stay, "check-out/complete", json!({})).await.done();
    assert_eq!(hotel.count("reservation.room_allocations WHERE occupied AND reservation_id = (SELECT id FROM reservation.reservations ORDER BY id LIMIT 1)").await, 0);
}

#[tokio::test]
async fn one_room_more_and_one_room_less() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let stay = paid_stay(&hotel, &double, "2026-05-01", "2026-05-03", "200000000").await;
    let one_more = json!({ "type": "room_added", "item": { "roomTypeId": double, "occupants": { "adults": 1 } } });
    let two = hotel.stay(&stay, "modifications", one_more.clone()).await.done();
    assert_eq!((two["items"].as_array().unwrap().len(), &two["balanceMicro"]), (2, &json!("200000000")));
    hotel.stay(&stay, "modifications", one_more).await.refused(409, "MELMASTOON.RESERVATION.NO_AVAILABILITY");
    let crowd = json!({ "type": "room_added", "item": { "roomTypeId": double, "occupants": { "adults": 3 } } });
    hotel.stay(&stay, "modifications", crowd).await.refused(422, "MELMASTOON.RESERVATION.OCCUPANCY_EXCEEDED");
    let item = two["items"][1]["itemId"].clone();
    let one_less = json!({ "type": "room_removed", "itemId": item });
    let one = hotel.stay(&stay, "modifications", one_less.clone()).await.done();
    assert_eq!(
        (&one["items"][1]["status"], &one["balanceMicro"], &one["status"]),
        (&json!("cancelled"), &json!("0"), &json!("confirmed"))
    );
    assert_eq!(hotel.available(&double, "2026-05-01", "2026-05-03").await, [1, 1]);
    hotel.stay(&stay, "modifications", one_less).await.refused(422, "MELMASTOON.RESERVATION.ITEM_UNKNOWN");
    let last = json!({ "type": "room_removed", "itemId": two["items"][0]["itemId"] });
    hotel
        .stay(&stay, "modifications", last)
        .await
        .refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE")
        .naming("itemId");
    let news = hotel.news().await;
    let modified = told(&news, "modified");
    assert_eq!((&modified[0]["type"], &modified[0]["before"]), (&json!("room_added"), &json!({})));
    let shown = json!({
        "itemId": item, "roomTypeId": double, "occupants": { "adults": 1, "children": 0, "infants": 0 },
        "nightlyRateMicro": "100000000", "currency": "AFN",
    });
    assert_eq!(modified[0]["after"], shown);
    assert_eq!(modified[0]["refundOrChargeRequest"]["direction"], "charge");
    assert_eq!(
        (&modified[1]["type"], &modified[1]["before"], &modified[1]["after"]),
        (&json!("room_removed"), &shown, &json!({}))
    );
    assert_eq!(modified[1]["priceDeltaMicro"], "-200000000");
    assert_eq!(told(&news, "cancelled")[0]["itemsCancelled"], json!([item]));
}

#[tokio::test]
async fn a_room_that_is_added_in_the_middle_of_a_stay_costs_the_nights_that_are_left() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-26")).await;
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    hotel.clock.advance_seconds(2 * DAY);
    let one_more = json!({ "type": "room_added", "item": { "roomTypeId": double, "occupants": { "adults": 1 } } });
    let two = hotel.stay(&stay, "modifications", one_more).await.done();
    assert_eq!(
        (&two["totals"]["grandTotalMicro"], &two["items"][1]["roomPinned"]),
        (&json!("600000000"), &json!(true))
    );
    assert_eq!(hotel.count("reservation.room_allocations WHERE occupied").await, 2);
    let removed = json!({ "type": "room_removed", "itemId": two["items"][1]["itemId"] });
    hotel.stay(&stay, "modifications", removed).await.refused(409, ILLEGAL);
    let shorter = hotel.stay(&stay, "modifications", window("2026-04-22", "2026-04-25")).await.done();
    assert_eq!(shorter["totals"]["grandTotalMicro"], "400000000", "three nights of one room, one of the other");
    assert_eq!(shorter["balanceMicro"], "600000000", "and what leaving early costs");
}

#[tokio::test]
async fn guests_are_counted_anew_and_prices_are_a_managers() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = paid_stay(&hotel, &double, "2026-05-01", "2026-05-03", "200000000").await;
    let item = stay["items"][0]["itemId"].clone();
    let guests = |adults: u32, children: u32| json!({ "type": "guest_count_change", "itemId": item, "occupants": { "adults": adults, "children": children, "infants": 1 } });
    let one = hotel.stay(&stay, "modifications", guests(1, 0)).await.done();
    assert_eq!(one["items"][0]["occupants"], json!({ "adults": 1, "children": 0, "infants": 1 }));
    hotel.stay(&stay, "modifications", guests(2, 1)).await.refused(422, "MELMASTOON.RESERVATION.OCCUPANCY_EXCEEDED");
    hotel
        .stay(&stay, "modifications", guests(0, 1))
        .await
        .refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE")
        .naming("occupants");
    let cheaper = json!({ "type": "rate_change", "itemId": item, "nightlyRateMicro": "80000000" });
    hotel.stay(&stay, "modifications", cheaper.clone()).await.refused(403, "MELMASTOON.RESERVATION.NOT_ALLOWED");
    let given = by_manager(&hotel, &stay, cheaper).await.done();
    assert_eq!(
        (&given["totals"]["grandTotalMicro"], &given["payment"]["refundRequestedMicro"]),
        (&json!("160000000"), &json!("40000000"))
    );
    let below = json!({ "type": "rate_change", "itemId": item, "nightlyRateMicro": "-1" });
    by_manager(&hotel, &stay, below)
        .await
        .refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE")
        .naming("nightlyRateMicro");
    let news = hotel.news().await;
    let modified = told(&news, "modified");
    assert_eq!(modified[0]["before"]["occupants"]["adults"], 2);
    assert_eq!(modified[1]["before"]["nightlyRateMicro"], "100000000");
    assert_eq!(modified[1]["after"]["nightlyRateMicro"], "80000000");
    assert_eq!(modified[1]["priceDeltaMicro"], "-40000000");
}

#[tokio::test]
async fn a_change_of_the_guest_is_told_without_what_it_is() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let held = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-03")).await.done();
    let profile = json!({
        "type": "guest_profile_update", "expectedArrivalAt": "2026-05-01T15:30:00Z",
        "primaryGuest": { "name": "Palwasha Ahmadi", "email": "palwasha@example.org", "locale": "fa-AF" },
    });
    let seen = hotel.stay(&held, "modifications", profile).await.done();
    assert_eq!(
        (&seen["primaryGuest"]["name"], &seen["primaryGuest"]["phone"]),
        (&json!("Palwasha Ahmadi"), &json!("+93 700 123 456"))
    );
    assert_eq!(seen["primaryGuest"]["guestId"], held["primaryGuest"]["guestId"]);
    assert_eq!(hotel.reservation(&held).await["primaryGuest"]["email"], "palwasha@example.org");
    let nothing = json!({ "type": "guest_profile_update", "primaryGuest": {} });
    hotel
        .stay(&held, "modifications", nothing)
        .await
        .refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE")
        .naming("primaryGuest");
    let news = hotel.news().await;
    let modified = told(&news, "modified");
    assert_eq!(modified[0]["after"]["fields"], json!(["name", "email", "locale", "expectedArrivalAt"]));
    assert_ne!(modified[0]["before"]["contactHash"]["email"], modified[0]["after"]["contactHash"]["email"]);
    assert_eq!(modified[0]["before"]["contactHash"]["phone"], modified[0]["after"]["contactHash"]["phone"]);
    let all = serde_json::to_string(&news).unwrap();
    for secret in ["Palwasha", "palwasha", "example.org", "Zarmina"] {
        assert!(!all.contains(secret), "{secret}");
    }
    let found = hotel.get(&hotel.desk(), "/reservation/v1/reservations?contact=PALWASHA@example.org").await.done();
    assert_eq!(found["items"].as_array().unwrap().len(), 1);
    let another =
        json!({ "type": "guest_profile_update", "primaryGuest": { "guestId": "gst_ANOTHER", "name": "Malalai" } });
    hotel.stay(&held, "modifications", another).await.done();
    let found = hotel.get(&hotel.desk(), "/reservation/v1/reservations?guestId=gst_ANOTHER").await.done();
    assert_eq!(found["items"][0]["primaryGuest"]["name"], "Malalai");
}

#[tokio::test]
async fn a_hold_takes_the_guest_and_the_door_alone_and_the_end_takes_nothing() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let mut wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    wish["externalReference"] = json!("OTA-1");
    wish["partnerId"] = json!("booking");
    let held = hotel.book(wish.clone()).await.done();
    let item = held["items"][0]["itemId"].clone();
    let only_later = [
        window("2026-05-01", "2026-05-04"),
        json!({ "type": "room_change", "itemId": item }),
        json!({ "type": "room_added", "item": { "roomTypeId": double, "occupants": { "adults": 1 } } }),
        json!({ "type": "room_removed", "itemId": item }),
        json!({ "type": "guest_count_change", "itemId": item, "occupants": { "adults": 1 } }),
        json!({ "type": "rate_change", "itemId": item, "nightlyRateMicro": "1" }),
    ];
    for body in &only_later {
        let refused = by_manager(&hotel, &held, body.clone()).await;
        assert_eq!(refused.refused(409, ILLEGAL).body["currentStatus"], "held", "{body}");
    }
    let door = json!({ "type": "channel_attribution_corrected", "channel": "ota", "partnerId": "expedia" });
    hotel.stay(&held, "modifications", door.clone()).await.refused(403, "MELMASTOON.RESERVATION.NOT_ALLOWED");
    let corrected = by_manager(&hotel, &held, door.clone()).await.done();
    assert_eq!((&corrected["channel"], &corrected["partnerId"]), (&json!("ota"), &json!("expedia")));
    let modified = told(&hotel.news().await, "modified");
    assert_eq!(modified[0]["before"], json!({ "channel": "phone_by_staff", "partnerId": "booking" }));
    assert_eq!(modified[0]["after"], json!({ "channel": "ota", "partnerId": "expedia" }));
    let second = hotel.book(wish).await.done();
    let taken = by_manager(&hotel, &second, door).await;
    assert_eq!(
        taken.refused(409, "MELMASTOON.RESERVATION.DUPLICATE_REFERENCE").body["reservationId"],
        held["reservationId"]
    );
    let unknown = json!({ "type": "channel_attribution_corrected", "channel": "pigeon" });
    by_manager(&hotel, &held, unknown).await.refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE").naming("channel");
    hotel.stay(&held, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "no" })).await.done();
    for body in &only_later {
        by_manager(&hotel, &held, body.clone()).await.refused(409, ILLEGAL);
    }
    let wish = json!({ "tags": ["quiet_room"], "source": "guest" });
    hotel.stay(&held, "special-requests", wish).await.refused(409, ILLEGAL);
    hotel.stay(&held, "modification-requests", json!({ "requestedMods": ["late"] })).await.refused(409, ILLEGAL);
}

#[tokio::test]
async fn a_wish_is_told_without_numbers_and_kept_as_typed() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    let typed = "a cot, please call ۰۷۰۰ ۱۲۳ ۴۵۶ or zar@example.com";
    let wish = json!({ "tags": ["cot"], "freeText": typed, "source": "guest" });
    let seen = hotel.stay(&stay, "special-requests", wish).await;
    assert_eq!(seen.status, 201);
    assert_eq!(seen.done()["specialRequests"][0]["freeText"], typed);
    hotel.stay(&stay, "modification-requests", json!({ "requestedMods": ["mid_stay_clean"] })).await.done();
    for (bad, field) in [
        (json!({ "tags": [], "source": "guest" }), "tags"),
        (json!({ "tags": ["a b"], "source": "guest" }), "tags"),
        (json!({ "tags": ["cot"], "source": "oracle" }), "source"),
        (json!({ "tags": ["cot"], "source": "ai_parser" }), "aiProvenance"),
        (json!({ "tags": ["cot"], "source": "guest", "freeText": "x".repeat(2_001) }), "freeText"),
    ] {
        hotel
            .stay(&stay, "special-requests", bad)
            .await
            .refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE")
            .naming(field);
    }
    hotel
        .stay(&stay, "modification-requests", json!({ "requestedMods": [] }))
        .await
        .refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE");
    let news = hotel.news().await;
    let added = &told(&news, "special_request.added")[0];
    assert_eq!(
        (&added["freeText"], &added["locale"]),
        (&json!("a cot, please call [removed] or [removed]"), &json!("ps-AF"))
    );
    assert_eq!(told(&news, "modification.requested")[0]["requestedMods"], json!(["mid_stay_clean"]));
    let arrivals = format!("/reservation/v1/arrivals?propertyId={}", hotel.property);
    assert_eq!(hotel.get(&hotel.desk(), &arrivals).await.done()["items"][0]["specialRequests"][0]["freeText"], typed);
    let supervisor = hotel.get(&hotel.supervisor(), &arrivals).await.done();
    assert_eq!(supervisor["items"][0]["specialRequests"][0]["tags"], json!(["cot"]));
    assert!(supervisor["items"][0]["specialRequests"][0].get("freeText").is_none());
}

#[tokio::test]
async fn the_chart_shows_every_room_and_is_not_sent_twice() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let limits = json!({ "from": "2026-04-22", "to": "2026-05-22", "overbooking": 1 });
    hotel.put(&hotel.manager(), &format!("/reservation/v1/room-types/{double}/sell-limits"), limits).await.done();
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-25")).await;
    hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-25")).await;
    hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-25")).await;
    let gone = hotel.book(hotel.booking(&double, "2026-04-26", "2026-04-27")).await.done();
    hotel.stay(&gone, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "no" })).await.done();
    let path = format!("/reservation/v1/timeline?propertyId={}&from=2026-04-20&to=2026-05-20", hotel.property);
    let answer = hotel.get(&hotel.desk(), &path).await;
    let etag = answer.header("etag").unwrap().to_owned();
    let chart = answer.done();
    let numbers: Vec<&Value> = chart["rooms"].as_array().unwrap().iter().map(|room| &room["number"]).collect();
    assert_eq!(numbers, [&json!("101"), &json!("102")]);
    let spans = chart["rooms"][0]["spans"].as_array().unwrap();
    assert_eq!(spans.len(), 1, "who cancelled has nothing");
    assert_eq!(
        (&spans[0]["kind"], &spans[0]["start"], &spans[0]["end"]),
        (&json!("stay"), &json!("2026-04-22"), &json!("2026-04-25"))
    );
    assert_eq!(
        (&spans[0]["guestName"], &spans[0]["pinned"], &spans[0]["status"]),
        (&json!("Zarmina Noori"), &json!(false), &json!("confirmed"))
    );
    assert_eq!((chart["unplaced"].as_array().unwrap().len(), &chart["unplaced"][0]["roomTypeId"]), (1, &json!(double)));
    let again = hotel.ask(Ask::get(&path).by(&hotel.desk()).header("if-none-match", etag.clone())).await;
    assert_eq!((again.status, again.text.as_str(), again.header("etag")), (304, "", Some(etag.as_str())));
    let lists =
        hotel.ask(Ask::get(&path).by(&hotel.desk()).header("if-none-match", format!("\"other\", W/{etag}"))).await;
    assert_eq!(lists.status, 304);
    let item = stay["items"][0]["itemId"].clone();
    hotel
        .stay(&stay, "modifications", json!({ "type": "room_change", "itemId": item, "roomId": doors[0].id }))
        .await
        .done();
    let fresh = hotel.ask(Ask::get(&path).by(&hotel.desk()).header("if-none-match", etag)).await;
    assert_eq!(fresh.status, 200);
    for (from, to) in [("2026-04-20", "2026-06-22"), ("2026-04-20", "2026-04-20"), ("2026-04-20", "1026-04-20")] {
        let path = format!("/reservation/v1/timeline?propertyId={}&from={from}&to={to}", hotel.property);
        hotel.get(&hotel.desk(), &path).await.refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE").naming("to");
    }
}

#[tokio::test]
async fn new_nights_and_rooms_are_told_in_the_bookings_currency_whatever_the_house_counts_in_since() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(4).await;
    let afghani = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-04")).await;
    let mut wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    wish["currency"] = json!("USD");
    wish["fxSnapshot"] =
        json!({ "base": "USD", "quote": "AFN", "rate": 50, "source": "bank", "capturedAt": "2026-04-22T06:00:00Z" });
    let dollars = hotel.confirmed_stay(wish).await;
    assert_eq!(dollars["totals"]["grandTotalMicro"], "4000000");
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "currency": "USD" })).await.done();
    let missing = "MELMASTOON.RESERVATION.FX_RATE_MISSING";
    hotel.stay(&afghani, "modifications", window("2026-05-01", "2026-05-05")).await.refused(422, missing);
    let mut room = json!({ "type": "room_added", "item": { "roomTypeId": double, "occupants": { "adults": 1 } } });
    hotel.stay(&afghani, "modifications", room.clone()).await.refused(422, missing);
    room["item"]["nightlyRateMicro"] = json!("90000000");
    let more = hotel.stay(&afghani, "modifications", room).await.done();
    assert_eq!(more["totals"]["grandTotalMicro"], "570000000", "a price that was agreed needs no exchange");
    let shorter = hotel.stay(&afghani, "modifications", window("2026-05-01", "2026-05-03")).await.done();
    assert_eq!(shorter["totals"]["grandTotalMicro"], "380000000", "nights that are kept keep their price");
    // A hundred is a hundred dollars by now.
    let longer = hotel.stay(&dollars, "modifications", window("2026-05-01", "2026-05-04")).await.done();
    assert_eq!(longer["totals"]["grandTotalMicro"], "104000000");
}

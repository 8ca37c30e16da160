//! Whoever was sold a room that was not there gets one as soon as there is one, and what somebody had to look at is over by itself when
//! its reason is gone.

use axum::http::Method;
use contracts::ids::{RoomId, RoomTypeId};
use serde_json::{Value, json};

use crate::test_hotel::{Ask, Door, TestHotel, text};

/// A type with so many rooms, of which as many more may be sold in May.
async fn oversold(hotel: &TestHotel, rooms: usize) -> (RoomTypeId, Vec<Door>) {
    let (double, doors) = hotel.sold_rooms(rooms).await;
    let limits = json!({ "from": "2026-05-01", "to": "2026-05-10", "overbooking": 2 });
    hotel.put(&hotel.manager(), &format!("/reservation/v1/room-types/{double}/sell-limits"), limits).await.done();
    (double, doors)
}

async fn open_alerts(hotel: &TestHotel) -> Vec<String> {
    let path = format!("/reservation/v1/alerts?propertyId={}&status=open", hotel.property);
    let open = hotel.get(&hotel.desk(), &path).await.done();
    let mut kinds: Vec<String> = open["items"].as_array().unwrap().iter().map(|one| text(&one["kind"])).collect();
    kinds.sort();
    kinds
}

async fn look_at_alerts(hotel: &TestHotel) {
    hotel.run_tick("reservation.alerts").await;
}

async fn room_of(hotel: &TestHotel, stay: &Value) -> Option<String> {
    hotel.reservation(stay).await["items"][0].get("roomId").map(text)
}

#[tokio::test]
async fn an_alert_about_a_booking_without_room_is_over_when_there_is_one() {
    let hotel = TestHotel::open().await;
    let (double, doors) = oversold(&hotel, 1).await;
    let wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    let first = hotel.confirmed_stay(wish.clone()).await;
    let beyond = hotel.confirmed_stay(wish).await;
    look_at_alerts(&hotel).await;
    assert_eq!(open_alerts(&hotel).await, ["overbooked"], "there is still no room");
    let cancel = json!({ "reasonCode": "guest_cancelled", "reason": "ill" });
    hotel.stay(&first, "cancel", cancel.clone()).await.done();
    assert_eq!(room_of(&hotel, &beyond).await, Some(doors[0].id.to_string()));
    look_at_alerts(&hotel).await;
    assert_eq!(open_alerts(&hotel).await, Vec::<String>::new());
    let path = format!("/reservation/v1/alerts?propertyId={}&status=resolved", hotel.property);
    let resolved = hotel.get(&hotel.desk(), &path).await.done();
    assert_eq!(resolved["items"][0]["resolvedBy"], json!({ "type": "system", "id": "sys_reservation" }), "{resolved}");
    assert!(!text(&resolved["items"][0]["note"]).is_empty());
    let resolve = format!("/reservation/v1/alerts/{}/resolve", text(&resolved["items"][0]["alertId"]));
    hotel.post(&hotel.desk(), &resolve, json!({})).await.refused(409, "MELMASTOON.RESERVATION.ALERT_RESOLVED");
    assert_eq!(hotel.count("reservation.audit_events WHERE aggregate_kind = 'alert'").await, 2, "raised and resolved");
}

#[tokio::test]
async fn what_is_about_a_booking_that_is_over_is_over_and_what_is_about_money_is_not() {
    let hotel = TestHotel::open().await;
    let (double, _) = oversold(&hotel, 1).await;
    let wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    hotel.confirmed_stay(wish.clone()).await;
    let beyond = hotel.confirmed_stay(wish).await;
    let foreign = json!({ "paymentIntentId": "pi_1", "amountMicro": "1000000", "currency": "EUR", "method": "card" });
    hotel.deliver(&hotel.told("payment.transaction.captured.v1", &beyond, &foreign)).await;
    let failed = json!({ "reason": "sold elsewhere" });
    hotel.deliver(&hotel.told("inventory.allocation.failed.v1", &beyond, &failed)).await;
    look_at_alerts(&hotel).await;
    assert_eq!(open_alerts(&hotel).await, ["allocation_failed", "overbooked", "payment_mismatch"]);
    hotel.stay(&beyond, "cancel", json!({ "reasonCode": "overbooked", "reason": "ours" })).await.done();
    look_at_alerts(&hotel).await;
    assert_eq!(open_alerts(&hotel).await, ["payment_mismatch"], "the money is still there to be looked at");
}

#[tokio::test]
async fn whoever_lost_a_room_or_is_in_a_broken_one_is_looked_after_until_that_is_mended() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let supervisor = hotel.supervisor();
    let close = async || {
        let path = format!("/reservation/v1/rooms/{}/blocks", doors[0].id);
        text(&hotel.post(&supervisor, &path, json!({ "reason": "water" })).await.done()["blockId"])
    };
    let reopen = async |block: &str| {
        let path = format!("/reservation/v1/rooms/{}/blocks/{block}", doors[0].id);
        assert_eq!(hotel.ask(Ask::new(Method::DELETE, path).by(&supervisor)).await.status, 204);
    };
    let to_come = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-25")).await;
    let block = close().await;
    look_at_alerts(&hotel).await;
    assert_eq!(
        (open_alerts(&hotel).await, room_of(&hotel, &to_come).await),
        (vec!["room_out_of_order".to_owned()], None)
    );
    reopen(&block).await;
    look_at_alerts(&hotel).await;
    assert_eq!((open_alerts(&hotel).await, room_of(&hotel, &to_come).await.is_some()), (vec![], true));
    hotel.stay(&to_come, "check-in/complete", json!({})).await.done();
    let block = close().await;
    look_at_alerts(&hotel).await;
    assert_eq!(open_alerts(&hotel).await, ["room_out_of_order"], "they are in it");
    reopen(&block).await;
    look_at_alerts(&hotel).await;
    assert_eq!(open_alerts(&hotel).await, Vec::<String>::new(), "the room is in order");
}

#[tokio::test]
async fn a_key_that_came_after_all_and_rules_that_are_known_again_are_nobodys_to_look_at() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    hotel.stay(&stay, "check-in/start", json!({})).await.done();
    let room = json!({ "roomId": doors[0].id });
    hotel.deliver(&hotel.told("lock_integration.key_credential.failed.v1", &stay, &room)).await;
    let rules = |version: u32| {
        let payload = json!({ "tenantId": hotel.tenant, "settings": { "cancellationPolicyVersion": version } });
        hotel.happening("tenant.settings.changed.v1", &payload)
    };
    hotel.deliver(&rules(7)).await;
    hotel.clock.advance_seconds(1);
    look_at_alerts(&hotel).await;
    assert_eq!(open_alerts(&hotel).await, ["key_failed", "policy_unknown"]);
    let key = json!({ "keyCredentialId": "key_1", "roomId": doors[0].id });
    hotel.deliver(&hotel.told("lock_integration.key_credential.issued.v1", &stay, &key)).await;
    hotel.deliver(&rules(1)).await;
    look_at_alerts(&hotel).await;
    assert_eq!(open_alerts(&hotel).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_room_that_is_added_brought_back_or_given_the_type_seats_whoever_waits_at_once() {
    let hotel = TestHotel::open().await;
    let (double, doors) = oversold(&hotel, 1).await;
    let wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    hotel.confirmed_stay(wish.clone()).await;
    let put = async |room: &RoomId, body: Value| {
        let path = format!("/reservation/v1/rooms/{room}");
        hotel.put(&hotel.manager(), &path, body).await.done();
    };
    // Added at the desk.
    let second = hotel.confirmed_stay(wish.clone()).await;
    assert_eq!(room_of(&hotel, &second).await, None);
    let new = hotel.sold_room(&double, "201").await;
    assert_eq!(room_of(&hotel, &second).await, Some(new.id.to_string()));
    assert_eq!(hotel.reservation(&second).await["version"], second["version"], "silently");
    // Told by the property service.
    let third = hotel.confirmed_stay(wish.clone()).await;
    assert_eq!(room_of(&hotel, &third).await, None);
    let told: RoomId = hotel.next();
    let payload = json!({
        "roomId": told, "tenantId": hotel.tenant, "propertyId": hotel.property, "roomTypeId": double, "number": "202",
    });
    hotel.deliver(&hotel.happening("property.room.created.v1", &payload)).await;
    assert_eq!(room_of(&hotel, &third).await, Some(told.to_string()));
    // Of no type so far, and broken until the second: it is of no use for these nights.
    let spare: RoomId = hotel.next();
    put(&spare, json!({ "propertyId": hotel.property, "number": "203" })).await;
    let path = format!("/reservation/v1/rooms/{spare}/blocks");
    let broken = json!({ "from": "2026-05-01T06:00:00Z", "until": "2026-05-02T04:00:00Z", "reason": "paint" });
    hotel.post(&hotel.supervisor(), &path, broken).await.done();
    let fourth = hotel.confirmed_stay(wish.clone()).await;
    put(&spare, json!({ "propertyId": hotel.property, "roomTypeId": double })).await;
    assert_eq!(room_of(&hotel, &fourth).await, None, "it is closed on the first night");
    // Off the list, and on it again.
    put(&doors[0].id, json!({ "propertyId": hotel.property, "archived": true })).await;
    let roomless = "reservation.room_allocations WHERE room_id IS NULL AND released_at IS NULL";
    assert_eq!(hotel.count(roomless).await, 2, "whoever had it lost it");
    put(&doors[0].id, json!({ "propertyId": hotel.property, "archived": false })).await;
    assert_eq!(hotel.count(roomless).await, 1, "one of the two has it");
    look_at_alerts(&hotel).await;
    assert_eq!(open_alerts(&hotel).await.len(), 1);
}

#[tokio::test]
async fn a_quote_looks_at_the_nights_that_are_asked_for_and_not_at_all_there_are() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    // Somebody far away, whose row cannot be read at all: whoever looks at it fails.
    let far = format!(
        "INSERT INTO reservation.room_allocations (tenant_id, id, property_id, reservation_id, item_id, room_type_id, room_id, room_no, nights)
         SELECT '{}', 'alc_FAR', '{}', 'rsv_FAR', 'FAR', '{double}', id, room_no, '[2027-06-01,2029-06-01)'
         FROM reservation.rooms WHERE id = '{}'",
        hotel.tenant, hotel.property, doors[0].id
    );
    hotel.behind.batch_execute(&far).await.unwrap();
    let ask = json!({
        "propertyId": hotel.property, "stayWindow": { "start": "2026-05-01", "end": "2026-05-03" },
        "items": [{ "roomTypeId": double, "occupants": { "adults": 2 } }, { "roomTypeId": double, "occupants": { "adults": 1 } }],
    });
    let quote = hotel.post(&hotel.desk(), "/reservation/v1/quotes", ask).await.done();
    assert_eq!(quote["status"], "open", "{quote}");
}

#[tokio::test]
async fn a_quote_and_a_booking_agree_where_others_have_to_move_aside() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    // Two who follow each other lie in different rooms, because somebody who is gone by now was between them.
    let lie = async |start: &str, end: &str| hotel.confirmed_stay(hotel.booking(&double, start, end)).await;
    let first = lie("2026-05-01", "2026-05-03").await;
    let between = lie("2026-05-03", "2026-05-04").await;
    let second = lie("2026-05-03", "2026-05-05").await;
    hotel.stay(&between, "cancel", json!({ "reasonCode": "guest_cancelled", "reason": "ill" })).await.done();
    assert_ne!(room_of(&hotel, &first).await, room_of(&hotel, &second).await);
    let ask = json!({
        "propertyId": hotel.property, "stayWindow": { "start": "2026-05-01", "end": "2026-05-05" },
        "items": [{ "roomTypeId": double, "occupants": { "adults": 2 } }],
    });
    let quote = hotel.post(&hotel.desk(), "/reservation/v1/quotes", ask).await.done();
    assert_eq!(quote["status"], "open", "{quote}");
    let held = json!({ "quoteId": quote["quoteId"], "primaryGuest": { "name": "Zarmina Noori" } });
    let booked = hotel.book(held).await.done();
    assert!(booked["items"][0].get("roomId").is_some(), "{booked}");
}

/// Waits until so many sessions wait for a lock.
pub(crate) async fn waiting_for_locks(hotel: &TestHotel, count: i64) {
    let asks = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    loop {
        let waiting: i64 = hotel.behind.query_one(asks, &[]).await.unwrap().get(0);
        if waiting == count {
            return;
        }
        assert!(std::time::Instant::now() < deadline, "{waiting} wait, not {count}");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn two_who_take_rooms_off_the_list_and_exchange_their_types_do_not_wait_for_each_other() {
    let hotel = TestHotel::open().await;
    let (single, singles) = hotel.sold_rooms(1).await;
    let (suite, suites) = hotel.sold_rooms(1).await;
    assert!(single < suite, "ids are by time");
    let put = async |room: &RoomId, of: &RoomTypeId| {
        let path = format!("/reservation/v1/rooms/{room}");
        let body = json!({ "propertyId": hotel.property, "archived": true, "roomTypeId": of });
        hotel.put(&hotel.manager(), &path, body).await
    };
    // Somebody holds the suite for a moment: whoever changes it has its types by then and waits.
    let held = hotel.database_connection().await;
    held.batch_execute("BEGIN").await.unwrap();
    held.batch_execute(&format!("SELECT FROM reservation.rooms WHERE id = '{}' FOR UPDATE", suites[0].id))
        .await
        .unwrap();
    let first = put(&suites[0].id, &single);
    let second = async {
        waiting_for_locks(&hotel, 1).await;
        put(&singles[0].id, &suite).await
    };
    let release = async {
        waiting_for_locks(&hotel, 2).await;
        held.batch_execute("COMMIT").await.unwrap();
    };
    let (first, second, ()) = tokio::join!(first, second, release);
    assert_eq!(
        (first.done()["roomTypeId"].clone(), second.done()["roomTypeId"].clone()),
        (json!(single), json!(suite))
    );
    let fallen = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
    let fallen: i64 = hotel.behind.query_one(fallen, &[]).await.unwrap().get(0);
    assert_eq!(fallen, 0);
}

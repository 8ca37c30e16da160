//! Guests at the desk: which room they get, who is told when it is another one, who may let them in.

use serde_json::{Value, json};

use crate::test_hotel::{Answer, Ask, Door, TestHotel, text};

const ILLEGAL: &str = "MELMASTOON.RESERVATION.ILLEGAL_TRANSITION";
const DAY: i64 = 24 * 3_600;

fn told_of(news: &[Value], stay: &Value) -> Vec<(String, Value)> {
    let own = news.iter().filter(|one| one["payload"]["reservationId"] == stay["reservationId"]);
    let verb = |one: &Value| text(&one["eventType"]).replace("melmastoon.reservation.", "").replace(".v1", "");
    own.map(|one| (verb(one), one["payload"].clone())).collect()
}

fn verbs(told: &[(String, Value)]) -> Vec<&str> {
    told.iter().map(|(verb, _)| verb.as_str()).collect()
}

fn named(stay: &Value, rooms: &[(usize, &Door)]) -> Value {
    let one = |(at, door): &(usize, &Door)| json!({ "itemId": stay["items"][*at]["itemId"], "roomId": door.id });
    json!({ "assignedRooms": rooms.iter().map(one).collect::<Vec<_>>() })
}

async fn by_service(hotel: &TestHotel, stay: &Value, step: &str, body: Value) -> Answer {
    let path = format!("/reservation/v1/reservations/{}/{step}", text(&stay["reservationId"]));
    let key: contracts::ids::EventId = hotel.next();
    hotel.ask(Ask::post(path).by(&hotel.service()).key(key.as_str()).json(&body)).await
}

async fn is(hotel: &TestHotel, door: &Door, status: &str) {
    let payload = json!({
        "tenantId": hotel.tenant, "propertyId": hotel.property, "roomId": door.id, "previousStatus": "clean", "status": status,
        "cause": "manual_override", "flippedAt": hotel.now(), "actor": { "type": "system", "id": "sys_hk" },
    });
    hotel.deliver(&hotel.happening("housekeeping.room.status_changed.v1", &payload)).await;
}

async fn sell_limit(hotel: &TestHotel, of: &contracts::ids::RoomTypeId, overbooking: i32) {
    let limits = json!({ "from": "2026-04-20", "to": "2026-06-01", "overbooking": overbooking });
    hotel.put(&hotel.manager(), &format!("/reservation/v1/room-types/{of}/sell-limits"), limits).await.done();
}

#[tokio::test]
async fn who_was_told_a_room_and_gets_another_at_check_in_is_told_so_first() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let mut wish = hotel.booking(&double, "2026-04-22", "2026-04-24");
    wish["items"][0]["roomId"] = json!(doors[0].id);
    let promised = hotel.confirmed_stay(wish).await;
    let started = hotel.stay(&promised, "check-in/start", named(&promised, &[(0, &doors[1])])).await.done();
    assert_eq!(started["items"][0]["roomId"], json!(doors[1].id));
    let told = told_of(&hotel.news().await, &promised);
    assert_eq!(verbs(&told), ["held", "confirmed", "modified", "check_in_started"]);
    assert_eq!((&told[2].1["type"], &told[2].1["before"]["roomId"]), (&json!("room_change"), &json!(doors[0].id)));
    assert_eq!(told[2].1["after"]["roomId"], json!(doors[1].id));
    assert_eq!(told[3].1["assignedRooms"][0]["roomId"], json!(doors[1].id));
    let done = hotel.stay(&promised, "check-in/complete", named(&promised, &[(0, &doors[0])])).await.done();
    assert_eq!((&done["status"], &done["items"][0]["roomId"]), (&json!("checked_in"), &json!(doors[0].id)));
    let told = told_of(&hotel.news().await, &promised);
    assert_eq!(verbs(&told), ["modified", "checked_in"]);
    assert_eq!(told[0].1["before"]["roomId"], json!(doors[1].id));
    assert_eq!(hotel.reservation(&promised).await["items"][0]["roomId"], json!(doors[0].id));
}

#[tokio::test]
async fn two_rooms_that_were_told_are_exchanged_at_check_in_and_both_are_told() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let mut wish = hotel.booking(&double, "2026-04-22", "2026-04-24");
    let mut second = wish["items"][0].clone();
    wish["items"][0]["roomId"] = json!(doors[0].id);
    second["roomId"] = json!(doors[1].id);
    wish["items"].as_array_mut().unwrap().push(second);
    let both = hotel.confirmed_stay(wish).await;
    let swapped = named(&both, &[(0, &doors[1]), (1, &doors[0])]);
    let done = hotel.stay(&both, "check-in/complete", swapped).await.done();
    assert_eq!((&done["items"][0]["roomId"], &done["items"][1]["roomId"]), (&json!(doors[1].id), &json!(doors[0].id)));
    let told = told_of(&hotel.news().await, &both);
    assert_eq!(verbs(&told), ["held", "confirmed", "modified", "modified", "check_in_started", "checked_in"]);
    let twice = json!({ "assignedRooms": [
        { "itemId": both["items"][0]["itemId"], "roomId": doors[0].id }, { "itemId": both["items"][0]["itemId"], "roomId": doors[1].id },
    ] });
    let other = hotel.confirmed_stay(hotel.booking(&double, "2026-04-25", "2026-04-26")).await;
    hotel.clock.advance_seconds(3 * DAY);
    let mut twice = twice;
    for at in 0..2 {
        twice["assignedRooms"][at]["itemId"] = other["items"][0]["itemId"].clone();
    }
    let refused = hotel.stay(&other, "check-in/start", twice).await;
    refused.refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE").naming("assignedRooms");
}

#[tokio::test]
async fn the_answer_to_an_arrival_says_that_the_room_is_told() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    assert_eq!(stay["items"][0]["roomPinned"], false);
    let started = hotel.stay(&stay, "check-in/start", json!({})).await.done();
    assert_eq!(started["items"][0]["roomPinned"], true);
    let mut body = hotel.booking(&double, "2026-04-22", "2026-04-23");
    body["payment"] = json!({ "method": "cash_on_arrival" });
    let here = hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", body).await.done();
    assert_eq!(here["items"][0]["roomPinned"], true);
}

#[tokio::test]
async fn a_room_that_is_kept_from_sale_is_there_for_who_is_sold() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(3).await;
    sell_limit(&hotel, &double, -1).await;
    let one = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    let two = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    let none = hotel.book(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    none.refused(409, "MELMASTOON.RESERVATION.NO_AVAILABILITY");
    hotel.stay(&one, "check-in/complete", json!({})).await.done();
    let room = text(&hotel.reservation(&one).await["items"][0]["roomId"]);
    let block = json!({ "reason": "water" });
    hotel.post(&hotel.desk(), &format!("/reservation/v1/rooms/{room}/blocks"), block).await.done();
    let alerts = format!("/reservation/v1/alerts?propertyId={}&status=open", hotel.property);
    let suggested = hotel.get(&hotel.desk(), &alerts).await.done()["items"][0]["suggestedRoomId"].clone();
    let item = one["items"][0]["itemId"].clone();
    let change = json!({ "type": "room_change", "itemId": item, "roomId": suggested });
    let moved = hotel.stay(&one, "modifications", change).await.done();
    assert_eq!(moved["items"][0]["roomId"], suggested);
    // Nothing more is sold at all; who was sold before still gets any room that is free.
    sell_limit(&hotel, &double, -3).await;
    let taken = [suggested, json!(room)];
    let own = hotel.reservation(&two).await["items"][0]["roomId"].clone();
    let back = json!({ "type": "date_change", "stayWindow": { "start": "2026-04-22", "end": "2026-04-23" } });
    hotel.stay(&two, "modifications", back).await.done();
    let more = json!({ "type": "date_change", "stayWindow": { "start": "2026-04-22", "end": "2026-04-24" } });
    hotel.stay(&two, "modifications", more).await.refused(409, "MELMASTOON.RESERVATION.NO_AVAILABILITY");
    let free = doors.iter().find(|door| !taken.contains(&json!(door.id))).unwrap();
    assert_eq!(own, json!(free.id), "of three one is broken and one is taken");
    let named_room = json!({ "type": "room_change", "itemId": two["items"][0]["itemId"], "roomId": own });
    hotel.stay(&two, "modifications", named_room).await.done();
    hotel.stay(&two, "check-in/start", json!({})).await.done();
}

#[tokio::test]
async fn what_housekeeping_tells_of_a_room_before_anybody_has_described_it_is_kept() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(0).await;
    let door = Door { id: hotel.next(), number: "301".to_owned() };
    is(&hotel, &door, "dirty").await;
    let body = json!({ "propertyId": hotel.property, "roomTypeId": double, "number": "301" });
    let described = hotel.put(&hotel.manager(), &format!("/reservation/v1/rooms/{}", door.id), body).await;
    assert_eq!((described.status, &described.done()["housekeepingStatus"]), (201, &json!("dirty")));
    let path = format!("/reservation/v1/rooms?propertyId={}", hotel.property);
    assert_eq!(hotel.get(&hotel.desk(), &path).await.done()["items"][0]["housekeepingStatus"], "dirty");
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    let warned = hotel.stay(&stay, "check-in/start", json!({})).await.done();
    assert_eq!(warned["warnings"], json!(["room_not_ready"]));
}

#[tokio::test]
async fn a_service_lets_nobody_in_whose_arrival_was_not_begun_nor_a_guest_alone_without_a_key() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let held = hotel.book(hotel.booking(&double, "2026-04-22", "2026-04-24")).await.done();
    hotel.deliver(&hotel.captured(&held, "pyi_1", "200000000")).await;
    let alone = json!({ "onBehalfOf": { "type": "guest_self_service", "id": held["primaryGuest"]["guestId"] } });
    for body in [json!({}), alone.clone()] {
        let refused = by_service(&hotel, &held, "check-in/complete", body).await;
        assert_eq!(refused.refused(409, ILLEGAL).body["currentStatus"], "confirmed");
    }
    by_service(&hotel, &held, "check-in/start", alone.clone()).await.done();
    let room = json!({ "roomId": doors[0].id });
    hotel.deliver(&hotel.told("lock_integration.key_credential.failed.v1", &held, &room)).await;
    let refused = by_service(&hotel, &held, "check-in/complete", alone.clone()).await;
    assert_eq!(refused.refused(409, ILLEGAL).body["currentStatus"], "check_in_started");
    let other = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    by_service(&hotel, &other, "check-in/start", json!({})).await.done();
    by_service(&hotel, &other, "check-in/complete", json!({})).await.done();
    // Where the key comes after all the guest is in, and where it does not a person helps.
    let key = json!({ "keyCredentialId": "key_1" });
    hotel.deliver(&hotel.told("lock_integration.key_credential.issued.v1", &held, &key)).await;
    assert_eq!(hotel.reservation(&held).await["status"], "checked_in");
}

#[tokio::test]
async fn a_person_lets_in_whom_no_key_could_be_made_for() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let held = hotel.book(hotel.booking(&double, "2026-04-22", "2026-04-24")).await.done();
    hotel.deliver(&hotel.captured(&held, "pyi_1", "200000000")).await;
    let alone = json!({ "onBehalfOf": { "type": "guest_self_service", "id": held["primaryGuest"]["guestId"] } });
    by_service(&hotel, &held, "check-in/start", alone).await.done();
    let room = json!({ "roomId": doors[0].id });
    hotel.deliver(&hotel.told("lock_integration.key_credential.failed.v1", &held, &room)).await;
    let here = hotel.stay(&held, "check-in/complete", json!({})).await.done();
    assert_eq!((&here["status"], &here["requiresManualKey"]), (&json!("checked_in"), &json!(true)));
}

#[tokio::test]
async fn a_walk_in_gets_a_room_that_is_ready_or_somebody_has_to_insist() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    is(&hotel, &doors[0], "dirty").await;
    is(&hotel, &doors[1], "ready").await;
    let mut body = hotel.booking(&double, "2026-04-22", "2026-04-23");
    body["payment"] = json!({ "method": "cash_on_arrival" });
    let walk_in = async |body: Value| hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", body).await;
    let first = walk_in(body.clone()).await.done();
    assert_eq!((&first["items"][0]["roomId"], &first["warnings"]), (&json!(doors[1].id), &json!([])));
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "roomReadiness": "require" })).await.done();
    walk_in(body.clone()).await.refused(409, "MELMASTOON.RESERVATION.ROOM_NOT_READY");
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "roomReadiness": "warn" })).await.done();
    let mut other = body.clone();
    other["items"][0]["roomId"] = json!(doors[0].id);
    let warned = walk_in(other).await.done();
    assert_eq!(warned["warnings"], json!(["room_not_ready"]));
    hotel.clock.advance_seconds(DAY);
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "roomReadiness": "require" })).await.done();
    hotel.sold_room(&double, "9").await;
    let third = hotel.sold_room(&double, "10").await;
    is(&hotel, &third, "dirty").await;
    body["stayWindow"] = json!({ "start": "2026-04-23", "end": "2026-04-24" });
    body["items"][0]["roomId"] = json!(third.id);
    body["force"] = json!(true);
    let insisted = walk_in(body).await.done();
    assert_eq!((&insisted["status"], &insisted["items"][0]["roomId"]), (&json!("checked_in"), &json!(third.id)));
}

#[tokio::test]
async fn who_was_told_no_room_gets_another_where_somebody_is_still_in_it() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let mut wish = hotel.booking(&double, "2026-04-22", "2026-04-23");
    wish["items"][0]["roomId"] = json!(doors[0].id);
    let staying = hotel.confirmed_stay(wish).await;
    hotel.stay(&staying, "check-in/complete", json!({})).await.done();
    let next = hotel.confirmed_stay(hotel.booking(&double, "2026-04-23", "2026-04-24")).await;
    assert_eq!(next["items"][0]["roomId"], json!(doors[0].id), "the fewest idle nights");
    hotel.clock.advance_seconds(DAY);
    let here = hotel.stay(&next, "check-in/complete", json!({})).await.done();
    assert_eq!((&here["status"], &here["items"][0]["roomId"]), (&json!("checked_in"), &json!(doors[1].id)));
    let told = told_of(&hotel.news().await, &next);
    assert_eq!(verbs(&told), ["held", "confirmed", "check_in_started", "checked_in"], "nobody had been told");
    // Where there is no other, it says so.
    let last = hotel.confirmed_stay(hotel.booking(&double, "2026-04-23", "2026-04-24")).await;
    let refused = hotel.stay(&last, "check-in/complete", json!({})).await;
    refused.refused(409, "MELMASTOON.RESERVATION.ROOM_OCCUPIED");
}

#[tokio::test]
async fn a_walk_in_pays_as_any_booking_does_and_nothing_that_was_said_is_lost() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(3).await;
    let walk_in = async |payment: Value| {
        let mut body = hotel.booking(&double, "2026-04-22", "2026-04-23");
        body["payment"] = payment;
        hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", body).await.done()
    };
    let captured =
        walk_in(json!({ "method": "card", "capturedMicro": "100000000", "paymentIntentIds": ["pyi_W"] })).await;
    let payment = &captured["payment"];
    assert_eq!((&payment["method"], &payment["capturedMicro"]), (&json!("card"), &json!("100000000")));
    assert_eq!((&payment["paymentIntentIds"], &captured["balanceMicro"]), (&json!(["pyi_W"]), &json!("0")));
    assert_eq!(hotel.reservation(&captured).await["payment"], *payment);
    let at_desk = walk_in(json!({ "method": "card", "amountMicro": "100000000" })).await;
    assert_eq!((&at_desk["payment"]["cashMicro"], &at_desk["balanceMicro"]), (&json!("100000000"), &json!("0")));
    let told = told_of(&hotel.news().await, &at_desk);
    assert_eq!((told[1].0.as_str(), &told[1].1["payment"]["method"]), ("confirmed", &json!("card")));
}

#[tokio::test]
async fn a_deposit_is_paid_in_cash_and_is_not_forgotten_when_the_hold_ends() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "depositPpm": 500_000 })).await.done();
    let held = hotel.book(hotel.booking(&double, "2026-04-22", "2026-04-24")).await.done();
    let in_cash = json!({ "payment": { "method": "cash_on_arrival" } });
    let refused = hotel.stay(&held, "confirm", in_cash.clone()).await;
    refused.refused(409, "MELMASTOON.RESERVATION.DEPOSIT_REQUIRED");
    let pay = json!({ "method": "cash_on_arrival", "amountMicro": "100000000", "currency": "AFN" });
    hotel.stay(&held, "payments", pay.clone()).await.done();
    let confirmed = hotel.stay(&held, "confirm", in_cash).await.done();
    assert_eq!((&confirmed["status"], &confirmed["balanceMicro"]), (&json!("confirmed"), &json!("100000000")));
    assert_eq!(confirmed["payment"]["method"], "cash_on_arrival");
    let gone = hotel.book(hotel.booking(&double, "2026-04-22", "2026-04-24")).await.done();
    hotel.stay(&gone, "payments", pay).await.done();
    hotel.clock.advance_seconds(601);
    hotel.run_tick("reservation.hold-expiry").await;
    let gone = hotel.reservation(&gone).await;
    assert_eq!((&gone["status"], &gone["balanceMicro"]), (&json!("cancelled"), &json!("-100000000")));
    let alerts = format!("/reservation/v1/alerts?propertyId={}&status=open", hotel.property);
    let open = hotel.get(&hotel.desk(), &alerts).await.done();
    assert_eq!(
        (&open["items"][0]["kind"], &open["items"][0]["reservationId"]),
        (&json!("payment_mismatch"), &gone["reservationId"])
    );
}

#[tokio::test]
async fn who_gives_up_the_room_that_has_no_key_is_in_the_house_with_the_keys_of_the_others() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(3).await;
    let mut two = hotel.booking(&double, "2026-04-22", "2026-04-24");
    two["items"] = json!([two["items"][0], two["items"][0]]);
    for step in ["cancel", "modifications"] {
        let stay = hotel.confirmed_stay(two.clone()).await;
        let started = hotel.stay(&stay, "check-in/start", json!({})).await.done();
        let key = json!({ "keyCredentialId": format!("key_{step}"), "roomId": started["items"][0]["roomId"] });
        hotel.deliver(&hotel.told("lock_integration.key_credential.issued.v1", &stay, &key)).await;
        assert_eq!(hotel.reservation(&stay).await["status"], "check_in_started");
        hotel.news().await;
        let item = &started["items"][1]["itemId"];
        let body = match step {
            "cancel" => json!({ "reasonCode": "guest_cancelled", "reason": "one less", "items": [item] }),
            _ => json!({ "type": "room_removed", "itemId": item }),
        };
        let here = hotel.stay(&stay, step, body).await.done();
        assert_eq!((&here["status"], &here["requiresManualKey"]), (&json!("checked_in"), &json!(false)));
        let verbs: Vec<_> = told_of(&hotel.news().await, &stay).into_iter().map(|(verb, _)| verb).collect();
        assert_eq!(verbs, ["cancelled", "modified", "checked_in"]);
        let occupied = format!(
            "reservation.room_allocations WHERE occupied AND reservation_id = '{}'",
            stay["reservationId"].as_str().unwrap()
        );
        assert_eq!(hotel.count(&occupied).await, 1);
        hotel.stay(&stay, "check-out/complete", json!({})).await.refused(409, "MELMASTOON.RESERVATION.FOLIO_UNSETTLED");
    }
}

#[tokio::test]
async fn a_key_that_named_no_room_opens_the_room_it_was_made_for_and_not_the_next_one() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    hotel.stay(&stay, "check-in/start", json!({})).await.done();
    let key = json!({ "keyCredentialId": "key_1" });
    hotel.deliver(&hotel.told("lock_integration.key_credential.issued.v1", &stay, &key)).await;
    let there = hotel.reservation(&stay).await;
    assert_eq!((&there["status"], &there["requiresManualKey"]), (&json!("checked_in"), &json!(false)));
    let other = doors.iter().find(|door| json!(door.id) != there["items"][0]["roomId"]).unwrap();
    let change = json!({ "type": "room_change", "itemId": stay["items"][0]["itemId"], "roomId": other.id });
    let moved = hotel.stay(&stay, "modifications", change).await.done();
    assert_eq!((&moved["requiresManualKey"], &moved["keyCredentialIds"]), (&json!(true), &json!(["key_1"])));
    let key = json!({ "keyCredentialId": "key_2" });
    hotel.deliver(&hotel.told("lock_integration.key_credential.issued.v1", &stay, &key)).await;
    assert_eq!(hotel.reservation(&stay).await["requiresManualKey"], false);
}

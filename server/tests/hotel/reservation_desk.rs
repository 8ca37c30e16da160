//! The desk's day: rooms that are closed, guests who are forgotten, lists for the printer, money at the desk, the end of the day.

use contracts::ids::RoomTypeId;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, TestHotel, text};

const DAY: i64 = 24 * 3_600;
const INVALID: &str = "MELMASTOON.RESERVATION.INVALID_VALUE";

async fn delete(hotel: &TestHotel, token: &str, path: &str) -> crate::test_hotel::Answer {
    hotel.ask(Ask::new(axum::http::Method::DELETE, path).by(token)).await
}

fn verbs(news: &[Value]) -> Vec<String> {
    let short = |one: &Value| text(&one["eventType"]).replace("melmastoon.reservation.", "").replace(".v1", "");
    news.iter().map(short).collect()
}

#[tokio::test]
async fn a_room_that_is_closed_moves_who_can_be_moved_and_alerts_about_who_cannot() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let path = |room: usize| format!("/reservation/v1/rooms/{}/blocks", doors[room].id);
    let promised = |room: usize, start: &str, end: &str| {
        let mut body = hotel.booking(&double, start, end);
        body["items"][0]["roomId"] = json!(doors[room].id);
        body
    };
    let silent = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-03")).await;
    assert_eq!(silent["items"][0]["roomId"], json!(doors[0].id));
    let told = hotel.confirmed_stay(promised(0, "2026-05-10", "2026-05-12")).await;
    let lost = hotel.confirmed_stay(promised(0, "2026-05-20", "2026-05-22")).await;
    hotel.confirmed_stay(promised(1, "2026-05-20", "2026-05-22")).await;
    hotel.drain().await;
    let supervisor = hotel.supervisor();
    let body = json!({ "from": "2026-04-30T05:00:00Z", "until": "2026-06-01T05:00:00Z", "reason": "water" });
    let closed = hotel.post(&supervisor, &path(0), body).await;
    assert_eq!(closed.status, 201, "{}", closed.text);
    let location = closed.header("location").unwrap().to_owned();
    let closed = closed.done();
    assert_eq!(closed["moved"].as_array().unwrap().len(), 3, "{closed}");
    assert_eq!(closed["alerts"].as_array().unwrap().len(), 1);
    assert!(location.ends_with(closed["blockId"].as_str().unwrap()));
    let silent = hotel.reservation(&silent).await;
    assert_eq!(
        (&silent["items"][0]["roomId"], &silent["version"]),
        (&json!(doors[1].id), &json!(2)),
        "nobody was told"
    );
    let told = hotel.reservation(&told).await;
    assert_eq!(
        (&told["items"][0]["roomId"], &told["items"][0]["roomPinned"], &told["version"]),
        (&json!(doors[1].id), &json!(true), &json!(3))
    );
    let lost = hotel.reservation(&lost).await;
    assert_eq!((lost["items"][0].get("roomId"), &lost["version"]), (None, &json!(3)));
    assert_eq!(hotel.available(&double, "2026-05-30", "2026-06-02").await, [1, 1, 2]);
    let news = hotel.news().await;
    let of_lost: Vec<&Value> =
        news.iter().filter(|one| one["payload"]["reservationId"] == lost["reservationId"]).collect();
    let change = of_lost.iter().find(|one| one["eventType"] == "melmastoon.reservation.modified.v1").unwrap();
    assert_eq!(change["payload"]["before"]["roomId"], json!(doors[0].id));
    assert!(change["payload"]["after"].get("roomId").is_none(), "{change}");
    assert_eq!(change["payload"]["actor"]["id"], "sys_reservation");
    assert!(verbs(&news).contains(&"alert.raised".to_owned()));
    let alerts = format!("/reservation/v1/alerts?propertyId={}&status=open", hotel.property);
    let open = hotel.get(&supervisor, &alerts).await.done();
    assert_eq!(
        (&open["items"][0]["kind"], &open["items"][0]["reservationId"]),
        (&json!("room_out_of_order"), &lost["reservationId"])
    );
    let alert = text(&open["items"][0]["alertId"]);
    let resolve = format!("/reservation/v1/alerts/{alert}/resolve");
    let seen = hotel.post(&supervisor, &resolve, json!({ "note": "moved to our other house" })).await.done();
    assert_eq!((&seen["status"], &seen["note"]), (&json!("resolved"), &json!("moved to our other house")));
    hotel.post(&supervisor, &resolve, json!({})).await.refused(409, "MELMASTOON.RESERVATION.ALERT_RESOLVED");
    assert_eq!(hotel.get(&supervisor, &alerts).await.done()["items"], json!([]));
    delete(&hotel, &supervisor, &location.replace(doors[0].id.as_str(), doors[1].id.as_str()))
        .await
        .refused(404, "MELMASTOON.RESERVATION.NOT_FOUND");
    assert_eq!(delete(&hotel, &supervisor, &location).await.status, 204);
    delete(&hotel, &supervisor, &location).await.refused(404, "MELMASTOON.RESERVATION.NOT_FOUND");
    assert_eq!(hotel.reservation(&lost).await["items"][0]["roomId"], json!(doors[0].id), "who waits has it first");
    assert_eq!(hotel.count("reservation.audit_events WHERE aggregate_kind = 'room_block'").await, 2);
}

#[tokio::test]
async fn a_booking_that_stands_without_a_room_is_somebodys_to_look_after() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let limits = json!({ "from": "2026-05-01", "to": "2026-05-04", "overbooking": 2 });
    hotel.put(&hotel.manager(), &format!("/reservation/v1/room-types/{double}/sell-limits"), limits).await.done();
    let wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    let first = hotel.confirmed_stay(wish.clone()).await;
    let beyond = hotel.book(wish.clone()).await.done();
    assert_eq!((&first["items"][0]["roomId"], beyond["items"][0].get("roomId")), (&json!(doors[0].id), None));
    let path = format!("/reservation/v1/alerts?propertyId={}&status=open", hotel.property);
    let open = async || hotel.get(&hotel.desk(), &path).await.done()["items"].as_array().unwrap().clone();
    assert_eq!(open().await, Vec::<Value>::new(), "a hold may still go by itself");
    hotel.news().await;
    hotel.stay(&beyond, "confirm", json!({ "payment": { "method": "cash_on_arrival" } })).await.done();
    let alerts = open().await;
    assert_eq!((alerts.len(), &alerts[0]["kind"]), (1, &json!("overbooked")));
    assert_eq!((&alerts[0]["reservationId"], alerts[0].get("roomId")), (&beyond["reservationId"], None));
    assert_eq!(verbs(&hotel.news().await), ["confirmed", "alert.raised"]);
    // Seen to once, what does not make it worse raises nothing; what does, does.
    let resolve = format!("/reservation/v1/alerts/{}/resolve", text(&alerts[0]["alertId"]));
    hotel.post(&hotel.desk(), &resolve, json!({ "note": "the house next door takes them" })).await.done();
    let later = json!({ "type": "date_change", "stayWindow": { "start": "2026-05-01", "end": "2026-05-04" } });
    hotel.stay(&beyond, "modifications", later).await.done();
    assert_eq!(open().await, Vec::<Value>::new());
    let item = json!({ "roomTypeId": double, "occupants": { "adults": 1 } });
    let more = json!({ "type": "room_added", "item": item });
    let worse = hotel.stay(&first, "modifications", more).await.done();
    assert!(worse["items"][1].get("roomId").is_none(), "{worse}");
    let alerts = open().await;
    assert_eq!((alerts.len(), &alerts[0]["reservationId"]), (1, &first["reservationId"]));
    // Nobody is told of rooms that another service counts.
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "inventoryMode": "external" })).await.done();
    let elsewhere = hotel.book(wish).await.done();
    let ids = json!({ "allocationIds": ["alc_ELSEWHERE"] });
    hotel.deliver(&hotel.told("inventory.allocation.committed.v1", &elsewhere, &ids)).await;
    hotel.stay(&elsewhere, "confirm", json!({ "payment": { "method": "cash_on_arrival" } })).await.done();
    assert_eq!(open().await.len(), 1);
}

#[tokio::test]
async fn nobody_is_left_in_a_room_that_a_manager_takes_off_the_list() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let mut wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    wish["items"][0]["roomId"] = json!(doors[0].id);
    let promised = hotel.confirmed_stay(wish).await;
    let gone = json!({ "propertyId": hotel.property, "archived": true });
    let take_off = async |room: usize| {
        let path = format!("/reservation/v1/rooms/{}", doors[room].id);
        hotel.put(&hotel.manager(), &path, gone.clone()).await.done()
    };
    assert_eq!(take_off(0).await["archived"], true);
    let moved = hotel.reservation(&promised).await;
    assert_eq!((&moved["items"][0]["roomId"], &moved["version"]), (&json!(doors[1].id), &json!(3)), "{moved}");
    take_off(0).await;
    assert_eq!(hotel.reservation(&promised).await["version"], 3, "once is enough");
    take_off(1).await;
    let homeless = hotel.reservation(&promised).await;
    assert!(homeless["items"][0].get("roomId").is_none(), "{homeless}");
    let path = format!("/reservation/v1/alerts?propertyId={}&status=open", hotel.property);
    let open = hotel.get(&hotel.desk(), &path).await.done();
    assert_eq!((&open["items"][0]["kind"], &open["items"][1]), (&json!("room_out_of_order"), &Value::Null), "{open}");
}

#[tokio::test]
async fn a_room_is_not_closed_for_no_night_nor_without_a_reason_nor_elsewhere() {
    let hotel = TestHotel::open().await;
    let (_, doors) = hotel.sold_rooms(1).await;
    let path = format!("/reservation/v1/rooms/{}/blocks", doors[0].id);
    let cases = [
        (json!({ "reason": " " }), "reason"),
        (json!({ "reason": "x".repeat(501) }), "reason"),
        (json!({ "reason": "x", "from": "2026-05-02T05:00:00Z", "until": "2026-05-01T05:00:00Z" }), "until"),
        (json!({ "reason": "x", "from": "2026-05-01T05:00:00Z", "until": "2026-05-01T06:00:00Z" }), "until"),
    ];
    for (body, field) in cases {
        hotel.post(&hotel.desk(), &path, body).await.refused(400, INVALID).naming(field);
    }
    for body in [json!({}), json!({ "reason": 7 }), json!({ "reason": "x", "from": "yesterday" })] {
        let answer = hotel.post(&hotel.desk(), &path, body).await;
        assert_eq!(answer.status, 400, "{}", answer.text);
    }
    let nobodys = path.replace(doors[0].id.as_str(), "rom_NOBODYS");
    hotel
        .post(&hotel.desk(), &nobodys, json!({ "reason": "x" }))
        .await
        .refused(404, "MELMASTOON.RESERVATION.NOT_FOUND");
    // After check-in time the night of the last day is lost, too.
    let (double, doors) = hotel.sold_rooms(1).await;
    let path = format!("/reservation/v1/rooms/{}/blocks", doors[0].id);
    hotel
        .post(
            &hotel.desk(),
            &path,
            json!({ "reason": "x", "from": "2026-05-01T05:00:00Z", "until": "2026-05-01T12:00:00Z" }),
        )
        .await
        .done();
    assert_eq!(hotel.available(&double, "2026-05-01", "2026-05-03").await, [0, 1]);
}

#[tokio::test]
async fn a_guest_who_asks_is_forgotten_and_known_again_by_the_hash_alone() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-03")).await;
    let path = format!("/reservation/v1/guests/{}", text(&stay["primaryGuest"]["guestId"]));
    let known = hotel.get(&hotel.desk(), &path).await.done();
    assert_eq!(
        (&known["name"], &known["email"], &known["locale"]),
        (&json!("Zarmina Noori"), &json!("Zarmina@Example.com "), &json!("ps-AF"))
    );
    delete(&hotel, &hotel.desk(), &path).await.refused(403, "MELMASTOON.PLATFORM.FORBIDDEN");
    assert_eq!(delete(&hotel, &hotel.manager(), &path).await.status, 204);
    assert_eq!(delete(&hotel, &hotel.manager(), &path).await.status, 204, "once more changes nothing");
    let forgotten = hotel.get(&hotel.desk(), &path).await.done();
    assert!(forgotten.get("name").is_none() && forgotten.get("email").is_none() && forgotten.get("phone").is_none());
    assert!(forgotten["erasedAt"].is_string());
    let shown = hotel.reservation(&stay).await;
    assert_eq!(shown["primaryGuest"].get("name"), None);
    let found = hotel.get(&hotel.desk(), "/reservation/v1/reservations?contact=%2B93700123456").await.done();
    assert_eq!(found["items"].as_array().unwrap().len(), 1, "the hashes stay");
    let left = hotel.count("reservation.guests WHERE name IS NOT NULL OR email IS NOT NULL OR phone IS NOT NULL").await;
    assert_eq!(left, 0);
    assert_eq!(
        hotel.count("reservation.audit_events WHERE subject = 'melmastoon.reservation.guest.erased.v1'").await,
        1
    );
    hotel
        .get(&hotel.desk(), "/reservation/v1/guests/gst_NOBODY")
        .await
        .refused(404, "MELMASTOON.RESERVATION.NOT_FOUND");
}

#[tokio::test]
async fn the_figures_of_a_closed_day_stand() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(4).await;
    let first = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    hotel.stay(&first, "check-in/complete", json!({})).await.done();
    let mut two = hotel.booking(&double, "2026-04-22", "2026-04-25");
    let item = two["items"][0].clone();
    two["items"].as_array_mut().unwrap().push(item);
    let second = hotel.confirmed_stay(two).await;
    hotel.stay(&second, "check-in/complete", json!({})).await.done();
    let never = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    let path = |day: &str| format!("/reservation/v1/day-close?propertyId={}&date={day}", hotel.property);
    let close = |day: &str| json!({ "propertyId": hotel.property, "date": day });
    let live = hotel.get(&hotel.desk(), &path("2026-04-22")).await.done();
    assert_eq!((&live["arrivals"], &live["roomNights"], live.get("closedAt")), (&json!(2), &json!(3), None));
    hotel
        .post(&hotel.desk(), "/reservation/v1/day-close", close("2026-04-23"))
        .await
        .refused(409, "MELMASTOON.RESERVATION.TOO_EARLY");
    // Half an hour before the day rolls: whoever has not come by now has not come.
    hotel.clock.advance_seconds(17 * 3_600 + 1_800);
    let closed = hotel.post(&hotel.desk(), "/reservation/v1/day-close", close("2026-04-22")).await;
    assert_eq!(closed.status, 201, "{}", closed.text);
    let closed = closed.done();
    let expected = json!({
        "arrivals": 2, "departures": 0, "inHouse": 2, "noShows": 1, "overstays": 0, "roomNights": 3, "occupancyPpm": 750_000,
        "roomRevenueMicro": "300000000", "currency": "AFN",
    });
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(closed[field], *value, "{field}: {closed}");
    }
    assert_eq!(hotel.reservation(&never).await["status"], "no_show", "what is due is done first");
    hotel
        .post(&hotel.desk(), "/reservation/v1/day-close", close("2026-04-22"))
        .await
        .refused(409, "MELMASTOON.RESERVATION.DAY_CLOSED");
    hotel.clock.advance_seconds(6 * 3_600);
    let cash = json!({ "method": "cash_on_arrival", "amountMicro": "100000000", "currency": "AFN" });
    hotel.stay(&first, "payments", cash).await.done();
    hotel.stay(&first, "check-out/complete", json!({})).await.done();
    let frozen = hotel.get(&hotel.desk(), &path("2026-04-22")).await.done();
    assert_eq!((&frozen["roomNights"], &frozen["closedAt"]), (&json!(3), &closed["closedAt"]));
    let next = hotel.get(&hotel.desk(), &path("2026-04-23")).await.done();
    assert_eq!((&next["departures"], &next["inHouse"], &next["roomNights"]), (&json!(1), &json!(1), &json!(2)));
    let elsewhere = json!({ "propertyId": "prp_ELSEWHERE", "date": "nonsense" });
    assert_eq!(hotel.post(&hotel.desk(), "/reservation/v1/day-close", elsewhere).await.status, 400);
}

#[tokio::test]
async fn the_desks_lists_are_tables_for_the_printer_in_which_nothing_is_a_formula() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let mut body = hotel.booking(&double, "2026-04-22", "2026-04-24");
    body["primaryGuest"]["name"] = json!("=HYPERLINK(\"http://evil\"), Zar");
    let stay = hotel.confirmed_stay(body).await;
    let table = async |path: &str, token: &str| {
        let path = format!("/reservation/v1/{path}?propertyId={}", hotel.property);
        let answer = hotel.ask(Ask::get(path).by(token).header("accept", "text/csv")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert!(answer.header("content-type").unwrap().starts_with("text/csv"));
        answer.text
    };
    let seen = table("arrivals", &hotel.desk()).await;
    assert!(seen.contains("\"'=HYPERLINK(\"\"http://evil\"\"), Zar\",'+93 700 123 456,200000000,AFN"), "{seen}");
    assert_eq!(seen.lines().count(), 2);
    let hidden = table("arrivals", &hotel.supervisor()).await;
    for secret in ["HYPERLINK", "+93", "200000000", "guest", "balance"] {
        assert!(!hidden.contains(secret), "{hidden}");
    }
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    assert!(table("in-house", &hotel.desk()).await.contains("checked_in"));
    hotel.clock.advance_seconds(2 * DAY);
    assert!(table("departures", &hotel.desk()).await.contains("101"));
    let json = hotel.get(&hotel.desk(), &format!("/reservation/v1/departures?propertyId={}", hotel.property)).await;
    assert!(json.header("content-type").unwrap().starts_with("application/json"));
}

#[tokio::test]
async fn what_was_captured_elsewhere_is_believed_until_the_payment_service_tells() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(5).await;
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "depositPpm": 500_000 })).await.done();
    let held = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-03")).await.done();
    let card = |captured: &str| json!({ "payment": { "method": "card", "paymentIntentIds": ["pyi_9"], "capturedMicro": captured } });
    let little = hotel.stay(&held, "confirm", card("99000000")).await;
    assert_eq!(little.refused(409, "MELMASTOON.RESERVATION.DEPOSIT_REQUIRED").body["requiredMicro"], "100000000");
    let paid = hotel.stay(&held, "confirm", card("150000000")).await.done();
    assert_eq!(
        (&paid["payment"]["status"], &paid["payment"]["capturedMicro"], &paid["balanceMicro"]),
        (&json!("captured"), &json!("150000000"), &json!("50000000"))
    );
    assert_eq!(paid["payment"]["paymentIntentIds"], json!(["pyi_9"]));
    hotel.deliver(&hotel.captured(&held, "pyi_9", "150000000")).await;
    assert_eq!(hotel.reservation(&held).await["payment"]["capturedMicro"], "150000000", "told, not paid twice");
    hotel.stay(&held, "confirm", card("150000000")).await.refused(409, "MELMASTOON.RESERVATION.ILLEGAL_TRANSITION");
    let other = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-03")).await.done();
    let nobodys = json!({ "payment": { "method": "card", "capturedMicro": "200000000" } });
    hotel.stay(&other, "confirm", nobodys).await.refused(400, INVALID).naming("paymentIntentIds");
    let cash = json!({ "payment": { "method": "cash_on_arrival" } });
    hotel.stay(&other, "confirm", cash).await.refused(409, "MELMASTOON.RESERVATION.DEPOSIT_REQUIRED");
    let waived = json!({ "payment": { "method": "cash_on_arrival", "depositWaived": true } });
    hotel.stay(&other, "confirm", waived.clone()).await.refused(403, "MELMASTOON.RESERVATION.NOT_ALLOWED");
    let path = format!("/reservation/v1/reservations/{}/confirm", text(&other["reservationId"]));
    assert_eq!(hotel.post(&hotel.manager(), &path, waived).await.done()["payment"]["status"], "pending_cash");
    for bad in [
        json!({ "payment": { "method": "shells" } }),
        json!({ "payment": { "method": "card", "paymentIntentIds": [""], "capturedMicro": "1" } }),
        json!({ "payment": { "method": "card", "capturedMicro": "-1" } }),
    ] {
        hotel.stay(&other, "confirm", bad).await.refused(400, INVALID);
    }
}

#[tokio::test]
async fn no_more_is_paid_back_at_the_desk_than_was_paid_there() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-03")).await;
    let pay = |amount: &str, currency: &str| json!({ "method": "cash_on_arrival", "amountMicro": amount, "currency": currency });
    hotel.stay(&stay, "payments", pay("-1", "AFN")).await.refused(400, INVALID).naming("amountMicro");
    hotel.stay(&stay, "payments", pay("0", "AFN")).await.refused(400, INVALID).naming("amountMicro");
    hotel.stay(&stay, "payments", pay("5", "USD")).await.refused(422, "MELMASTOON.RESERVATION.CURRENCY_MISMATCH");
    hotel.stay(&stay, "payments", pay("250000000", "AFN")).await.done();
    let back = hotel.stay(&stay, "payments", pay("-50000000", "AFN")).await.done();
    assert_eq!((&back["balanceMicro"], &back["payment"]["cashMicro"]), (&json!("0"), &json!("200000000")));
    let told = hotel.news().await;
    let last = &told.last().unwrap()["payload"];
    assert_eq!(
        (&last["type"], &last["before"], &last["after"]),
        (&json!("rate_change"), &json!({ "balanceMicro": "-50000000" }), &json!({ "balanceMicro": "0" }))
    );
    let folio = hotel
        .get(&hotel.desk(), &format!("/reservation/v1/reservations/{}/folio", text(&stay["reservationId"])))
        .await
        .done();
    let sum: i64 =
        folio["lines"].as_array().unwrap().iter().map(|line| text(&line["amountMicro"]).parse::<i64>().unwrap()).sum();
    assert_eq!((sum, &folio["settled"]), (0, &json!(true)));
    assert!(folio["lines"].as_array().unwrap().iter().all(|line| line["at"].is_string()));
    let huge = pay("999999999999999999999999999999999999", "AFN");
    hotel.stay(&stay, "payments", huge).await.refused(400, INVALID);
}

async fn found(hotel: &TestHotel, query: &str) -> Vec<String> {
    let answer = hotel.get(&hotel.desk(), &format!("/reservation/v1/reservations?{query}")).await.done();
    answer["items"].as_array().unwrap().iter().map(|one| text(&one["reservationCode"])).collect()
}

#[tokio::test]
async fn a_reservation_is_found_by_everything_that_people_know_of_it() {
    let hotel = TestHotel::open().await;
    let (double, doors): (RoomTypeId, _) = hotel.sold_rooms(3).await;
    let mut wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    wish["groupCode"] = json!("WEDDING");
    wish["channel"] = json!("ota");
    wish["partnerId"] = json!("booking");
    wish["externalReference"] = json!("B-1");
    wish["items"][0]["roomId"] = json!(doors[2].id);
    let one = hotel.confirmed_stay(wish).await;
    let mut other = hotel.booking(&double, "2026-05-05", "2026-05-08");
    other["items"][0]["roomId"] = json!(doors[0].id);
    other["primaryGuest"] = json!({ "name": "Ajmal", "phone": "0093-799-000-111" });
    hotel.clock.advance_seconds(60);
    let later = hotel.now().to_string();
    let two = hotel.book(other).await.done();
    let (one_code, two_code) = (text(&one["reservationCode"]), text(&two["reservationCode"]));
    let only_one = vec![one_code.clone()];
    for query in [
        format!("code={}", one_code.to_lowercase()),
        format!("guestId={}", text(&one["primaryGuest"]["guestId"])),
        "contact=zarmina@example.com".to_owned(),
        "contact=%2B93%20700%20123%20456".to_owned(),
        format!("roomId={}", doors[2].id),
        "groupCode=WEDDING".to_owned(),
        "channel=ota".to_owned(),
        "externalReference=B-1".to_owned(),
        "status=confirmed,checked_in".to_owned(),
        "arrivalFrom=2026-05-01&arrivalTo=2026-05-02".to_owned(),
        "departureFrom=2026-05-03&departureTo=2026-05-04".to_owned(),
        "overlapsFrom=2026-05-02&overlapsTo=2026-05-05".to_owned(),
    ] {
        assert_eq!(found(&hotel, &query).await, only_one, "{query}");
    }
    assert_eq!(found(&hotel, &format!("updatedSince={later}")).await, std::slice::from_ref(&two_code));
    assert_eq!(found(&hotel, "contact=0093799000111").await, std::slice::from_ref(&two_code));
    assert_eq!(
        found(&hotel, "overlapsFrom=2026-05-03&overlapsTo=2026-05-05").await,
        Vec::<String>::new(),
        "nights, not days"
    );
    assert_eq!(found(&hotel, "contact=nobody@example.com").await, Vec::<String>::new());
    let first = hotel.get(&hotel.desk(), "/reservation/v1/reservations?limit=1").await.done();
    assert_eq!(first["items"][0]["reservationCode"], json!(one_code));
    assert_eq!(found(&hotel, &format!("limit=1&cursor={}", text(&first["nextCursor"]))).await, [two_code]);
    for bad in ["status=asleep", "arrivalFrom=tomorrow", "updatedSince=never", "limit=many", "guestId=%00", "roomId=!"]
    {
        let answer = hotel.get(&hotel.desk(), &format!("/reservation/v1/reservations?{bad}")).await;
        assert_eq!(answer.status, 400, "{bad}: {}", answer.text);
    }
}

#[tokio::test]
async fn who_is_in_the_house_on_a_day_is_who_has_its_night_and_today_also_who_should_have_left() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let (short, long) = (
        hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-23")).await,
        hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-25")).await,
    );
    for stay in [&short, &long] {
        hotel.stay(stay, "check-in/complete", json!({})).await.done();
    }
    let there = async |day: &str| {
        let path = format!("/reservation/v1/in-house?propertyId={}{day}", hotel.property);
        let list = hotel.get(&hotel.desk(), &path).await.done();
        list["items"].as_array().unwrap().iter().map(|one| text(&one["reservationId"])).collect::<Vec<_>>()
    };
    let (both, one) =
        (vec![text(&short["reservationId"]), text(&long["reservationId"])], vec![text(&long["reservationId"])]);
    assert_eq!(there("").await, both);
    assert_eq!(there("&date=2026-04-22").await, both);
    assert_eq!(there("&date=2026-04-23").await, one, "the other leaves in the morning");
    assert_eq!(there("&date=2026-04-25").await, Vec::<String>::new());
    assert_eq!(there("&date=2026-04-21").await, Vec::<String>::new());
    hotel.clock.advance_seconds(DAY);
    assert_eq!(there("").await, both, "who should have left is still here");
    assert_eq!(there("&date=2026-04-24").await, one);
}

#[tokio::test]
async fn a_guest_is_found_by_a_number_in_any_script_and_never_by_none() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(3).await;
    let with_phone = async |phone: &str| {
        let mut wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
        wish["primaryGuest"] = json!({ "name": "Zarmina", "phone": phone });
        text(&hotel.book(wish).await.done()["reservationId"])
    };
    let persian = with_phone("۰۷۰۰ ۱۲۳ ۴۵۶").await;
    with_phone("none").await;
    with_phone("ask at the desk").await;
    let found = async |contact: &str| {
        let path = format!("/reservation/v1/reservations?propertyId={}&contact={contact}", hotel.property);
        let list = hotel.get(&hotel.desk(), &path).await.done();
        list["items"].as_array().unwrap().iter().map(|one| text(&one["reservationId"])).collect::<Vec<_>>()
    };
    assert_eq!(found("0700123456").await, [persian]);
    assert_eq!(found("none").await, Vec::<String>::new());
    assert_eq!(hotel.count("reservation.guests WHERE phone_hash IS NOT NULL").await, 1);
}

//! No room twice: holds, their end, and many who want the last one.

use contracts::ids::RoomTypeId;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, TestHotel, text};

const FULL: &str = "MELMASTOON.RESERVATION.NO_AVAILABILITY";

/// Bodies of many who come at once, and what became of them: how many have it, how many were told that it is gone.
async fn all_at_once(hotel: &TestHotel, bodies: Vec<Value>) -> (usize, usize) {
    let desk = hotel.desk();
    let asks =
        bodies.into_iter().map(|body| hotel.ask(Ask::post("/reservation/v1/reservations").by(&desk).json(&body)));
    let answers = join_all(asks).await;
    let got = answers.iter().filter(|answer| answer.status == 201).count();
    for refused in answers.iter().filter(|answer| answer.status != 201) {
        refused.refused(409, FULL);
    }
    (got, answers.len() - got)
}

async fn nights_given_twice(hotel: &TestHotel) -> i64 {
    hotel
        .count(
            "reservation.room_allocations a JOIN reservation.room_allocations b
             ON a.room_no = b.room_no AND a.id < b.id AND a.nights && b.nights
             WHERE a.released_at IS NULL AND b.released_at IS NULL",
        )
        .await
}

#[tokio::test]
async fn of_sixty_four_who_want_the_last_room_one_gets_it_and_nobody_an_error() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let bodies = vec![hotel.booking(&double, "2026-05-01", "2026-05-03"); 64];
    assert_eq!(all_at_once(&hotel, bodies).await, (1, 63));
    assert_eq!(nights_given_twice(&hotel).await, 0);
    assert_eq!(hotel.count("pg_stat_database WHERE datname = current_database() AND deadlocks > 0").await, 0);
    assert_eq!(hotel.available(&double, "2026-05-01", "2026-05-04").await, [0, 0, 1]);
}

#[tokio::test]
async fn bookings_of_two_types_in_opposite_order_do_not_wait_for_each_other() {
    let hotel = TestHotel::open().await;
    let ((one, _), (other, _)) = (hotel.sold_rooms(3).await, hotel.sold_rooms(3).await);
    let both = |first: &RoomTypeId, second: &RoomTypeId| {
        let mut body = hotel.booking(first, "2026-05-01", "2026-05-03");
        let second = hotel.booking(second, "2026-05-01", "2026-05-03")["items"][0].clone();
        body["items"].as_array_mut().unwrap().push(second);
        body
    };
    let bodies = (0..16).map(|at| if at % 2 == 0 { both(&one, &other) } else { both(&other, &one) }).collect();
    assert_eq!(all_at_once(&hotel, bodies).await, (3, 13), "all of a wish, or none");
    assert_eq!(nights_given_twice(&hotel).await, 0);
    assert_eq!(hotel.count("pg_stat_database WHERE datname = current_database() AND deadlocks > 0").await, 0);
}

#[tokio::test]
async fn the_database_refuses_a_room_that_is_given_twice_whatever_the_code_does() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-03")).await.done();
    let twice = "INSERT INTO reservation.room_allocations
                   (tenant_id, id, property_id, reservation_id, item_id, room_type_id, room_id, room_no, nights)
                 SELECT tenant_id, 'alc_2', property_id, 'rsv_2', 'item', room_type_id, room_id, room_no, daterange('2026-05-02', '2026-05-09')
                 FROM reservation.room_allocations";
    let refused = hotel.behind.execute(twice, &[]).await.unwrap_err();
    assert_eq!(refused.code().map(|code| code.code().to_owned()), Some("23P01".to_owned()));
    let extensions = hotel.count("pg_extension WHERE extname = 'btree_gist'").await;
    assert_eq!(extensions, 0, "and needs no extension for it");
}

#[tokio::test]
async fn rooms_that_nobody_was_told_move_aside_for_a_stay_that_fits_by_the_count() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    // The first week in one room, the second week in the other: by the count there is a place for both weeks.
    let mut first = hotel.booking(&double, "2026-05-01", "2026-05-08");
    first["items"][0]["roomId"] = json!(doors[0].id);
    hotel.book(first).await.done();
    let second = hotel.book(hotel.booking(&double, "2026-05-08", "2026-05-15")).await.done();
    assert_eq!(second["items"][0]["roomId"], json!(doors[0].id), "the room that leaves no idle night");
    let behind =
        "UPDATE reservation.room_allocations a SET room_id = r.id, room_no = r.room_no FROM reservation.rooms r
                  WHERE r.number = '102' AND NOT a.pinned";
    hotel.behind.execute(behind, &[]).await.unwrap();
    let both = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-15")).await.done();
    assert_eq!(both["items"][0]["roomId"], json!(doors[1].id));
    assert_eq!(
        hotel.reservation(&second).await["items"][0]["roomId"],
        json!(doors[0].id),
        "it moved, and nobody was told"
    );
    assert_eq!(hotel.reservation(&second).await["version"], 1);
    assert_eq!(nights_given_twice(&hotel).await, 0);
    hotel.book(hotel.booking(&double, "2026-05-03", "2026-05-04")).await.refused(409, FULL);
}

#[tokio::test]
async fn a_hold_ends_when_its_time_is_over_and_its_room_is_sold_again() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let held = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-02")).await.done();
    assert_eq!((&held["status"], &held["pendingSagaStep"]), (&json!("held"), &json!("await_payment")));
    hotel.clock.advance_seconds(599);
    hotel.run_tick("reservation.hold-expiry").await;
    assert_eq!(hotel.reservation(&held).await["status"], "held");
    hotel.clock.advance_seconds(1);
    hotel.run_tick("reservation.hold-expiry").await;
    hotel.run_tick("reservation.hold-expiry").await;
    let expired = hotel.reservation(&held).await;
    assert_eq!((&expired["status"], &expired["version"]), (&json!("expired"), &json!(2)));
    assert_eq!(hotel.count("reservation.timers").await, 0);
    hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-02")).await.done();
    let told = hotel.news().await;
    let subjects: Vec<String> = told.iter().map(|one| text(&one["eventType"])).collect();
    let held = "melmastoon.reservation.held.v1";
    assert_eq!(subjects, [held, "melmastoon.reservation.hold_expired.v1", held]);
    let text = serde_json::to_string(&told).unwrap().to_lowercase();
    for secret in ["zarmina", "example.com", "700123456", "700 123"] {
        assert!(!text.contains(secret), "{secret} is nobody's business: {text}");
    }
    assert!(text.contains(r#""producedby":{"service":"#), "{text}");
}

#[tokio::test]
async fn a_quote_serves_one_reservation_at_its_own_price_and_only_for_a_while() {
    let hotel = TestHotel::open().await;
    let (desk, manager) = (hotel.desk(), hotel.manager());
    let (double, _) = hotel.sold_rooms(2).await;
    let wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    let quote = hotel.post(&desk, "/reservation/v1/quotes", wish.clone()).await.done();
    assert_eq!(quote["totals"]["grandTotalMicro"], "200000000");
    let news = hotel.news().await;
    let told = news.iter().find(|one| one["eventType"] == "melmastoon.reservation.quote.created.v1").unwrap();
    let nights = &told["payload"]["items"][0]["nightlyRatesMicro"];
    assert_eq!(*nights, json!(["100000000", "100000000"]), "whoever keeps prices knows each night's");
    let dearer = json!({ "from": "2026-05-01", "to": "2026-05-03", "rateMicro": "900000000" });
    hotel.put(&manager, &format!("/reservation/v1/room-types/{double}/rates"), dearer).await.done();
    let body = json!({ "quoteId": quote["quoteId"], "primaryGuest": { "name": "Zarmina" } });
    let held = hotel.book(body.clone()).await.done();
    assert_eq!(held["totals"]["grandTotalMicro"], "200000000", "what was promised");
    hotel.book(body).await.refused(409, "MELMASTOON.RESERVATION.QUOTE_USED");
    let second = hotel.post(&desk, "/reservation/v1/quotes", wish.clone()).await.done();
    hotel.clock.advance_seconds(900);
    let late = json!({ "quoteId": second["quoteId"], "primaryGuest": { "name": "Zarmina" } });
    hotel.book(late).await.refused(409, "MELMASTOON.RESERVATION.QUOTE_EXPIRED");
    hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-03")).await.done();
    let none = hotel.post(&desk, "/reservation/v1/quotes", wish).await.done();
    assert_eq!(none["status"], "unavailable");
}

#[tokio::test]
async fn what_cannot_be_booked_is_refused_with_its_reason() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let with = |pointer: &str, value: Value| {
        let mut body = hotel.booking(&double, "2026-05-01", "2026-05-03");
        *body.pointer_mut(pointer).unwrap() = value;
        body
    };
    let cases = [
        (with("/stayWindow", json!({ "start": "2026-04-20", "end": "2026-04-25" })), 422, "STAY_INVALID"),
        (with("/stayWindow", json!({ "start": "2026-05-03", "end": "2026-05-03" })), 422, "STAY_INVALID"),
        (with("/stayWindow", json!({ "start": "2029-05-01", "end": "2029-05-03" })), 422, "STAY_INVALID"),
        (with("/stayWindow", json!({ "start": "2026-05-01", "end": "2026-05-03", "nights": 3 })), 400, "INVALID_VALUE"),
        (with("/items/0/roomTypeId", json!("rmt_OTHER")), 422, "ROOM_TYPE_UNKNOWN"),
        (with("/items/0/occupants", json!({ "adults": 2, "children": 1 })), 422, "OCCUPANCY_EXCEEDED"),
        (with("/items", json!([])), 400, "INVALID_VALUE"),
        (with("/primaryGuest", json!({ "email": "a@b.example" })), 400, "INVALID_VALUE"),
    ];
    for (body, status, code) in cases {
        hotel.book(body).await.refused(status, &format!("MELMASTOON.RESERVATION.{code}"));
    }
    let mut dollars = hotel.booking(&double, "2026-05-01", "2026-05-03");
    dollars["currency"] = json!("USD");
    hotel.book(dollars.clone()).await.refused(422, "MELMASTOON.RESERVATION.FX_RATE_MISSING");
    dollars["fxSnapshot"] =
        json!({ "base": "USD", "quote": "AFN", "rate": 70.5, "source": "bank", "capturedAt": "2026-04-22T06:00:00Z" });
    let held = hotel.book(dollars).await.done();
    assert_eq!(held["totals"]["grandTotalMicro"], "2840000", "100 AFN are 1.42 USD a night");
    assert_eq!(held["totals"]["inTenantCurrencyMicro"], "200220000");
    let mut twice = hotel.booking(&double, "2026-06-01", "2026-06-03");
    twice["externalReference"] = json!("OTA-1");
    twice["partnerId"] = json!("booking");
    let first = hotel.book(twice.clone()).await.done();
    let refused = hotel.book(twice).await;
    refused.refused(409, "MELMASTOON.RESERVATION.DUPLICATE_REFERENCE");
    assert_eq!(refused.body["reservationId"], first["reservationId"]);
}

#[tokio::test]
async fn a_walk_in_takes_the_price_that_was_given_as_any_booking_does() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let ask = json!({
        "propertyId": hotel.property, "stayWindow": { "start": "2026-04-22", "end": "2026-04-23" },
        "items": [{ "roomTypeId": double, "occupants": { "adults": 1 } }],
    });
    let quote = hotel.post(&hotel.desk(), "/reservation/v1/quotes", ask).await.done();
    let dearer = json!({ "propertyId": hotel.property, "baseRateMicro": "900000000" });
    hotel.put(&hotel.manager(), &format!("/reservation/v1/room-types/{double}"), dearer).await.done();
    let come = json!({
        "quoteId": quote["quoteId"], "primaryGuest": { "name": "Zarmina Noori" }, "payment": { "method": "cash_on_arrival" },
    });
    let there = hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", come.clone()).await.done();
    assert_eq!((&there["status"], &there["channel"]), (&json!("checked_in"), &json!("walk_in")));
    assert_eq!(there["totals"]["grandTotalMicro"], json!("100000000"), "as it was given");
    hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", come).await.refused(409, "MELMASTOON.RESERVATION.QUOTE_USED");
}

#[tokio::test]
async fn what_a_quote_says_is_what_it_costs_with_its_tax_and_in_its_currency() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(3).await;
    let (desk, manager) = (hotel.desk(), hotel.manager());
    let settings = format!("/reservation/v1/settings?propertyId={}", hotel.property);
    let wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    let quotes = "/reservation/v1/quotes";
    let (first, second, third) = (
        hotel.post(&desk, quotes, wish.clone()).await.done(),
        hotel.post(&desk, quotes, hotel.booking(&double, "2026-04-22", "2026-04-23")).await.done(),
        hotel.post(&desk, quotes, wish).await.done(),
    );
    hotel.put(&manager, &settings, json!({ "taxPpm": 100_000 })).await.done();
    let body = |quote: &Value| json!({ "quoteId": quote["quoteId"], "primaryGuest": { "name": "Zarmina" } });
    let held = hotel.book(body(&first)).await.done();
    assert_eq!(held["totals"], first["totals"], "and not the tax of today besides");
    let mut walk_in = body(&second);
    walk_in["payment"] = json!({ "method": "cash_on_arrival" });
    let here = hotel.post(&desk, "/reservation/v1/walk-ins", walk_in).await.done();
    assert_eq!(here["totals"], second["totals"]);
    hotel.put(&manager, &settings, json!({ "currency": "USD" })).await.done();
    hotel.book(body(&third)).await.refused(422, "MELMASTOON.RESERVATION.FX_RATE_MISSING");
}

#[tokio::test]
async fn a_booking_is_kept_as_it_is_without_what_is_not_there() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let held = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-03")).await;
    let empty = "reservation.reservations, jsonb_each(body) AS one WHERE one.value = 'null'";
    assert_eq!(hotel.count(empty).await, 0, "nothing that is not there");
    let squeezed = "reservation.reservations WHERE pg_column_compression(body) IS NOT NULL";
    assert_eq!(hotel.count(squeezed).await, 0, "compressing it takes longer than writing it");
    assert_eq!(
        hotel.count("reservation.outbox WHERE envelope_meta ? 'payload'").await,
        0,
        "it has a column of its own"
    );
    assert_eq!(hotel.count("reservation.timers").await, 1, "the one that is due from now on");
    assert_eq!(hotel.reservation(&held).await["items"], held["items"], "and is read as it was");
}

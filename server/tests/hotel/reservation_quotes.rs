//! What is said beside a quote: the same as the quote, or it is refused by its name.

use contracts::ids::{PropertyId, RoomTypeId};
use serde_json::{Value, json};

use crate::test_hotel::{TestHotel, text};

const QUOTES: &str = "/reservation/v1/quotes";
const INVALID: &str = "MELMASTOON.RESERVATION.INVALID_VALUE";

async fn quoted(hotel: &TestHotel, of: &RoomTypeId, start: &str, end: &str) -> Value {
    hotel.post(&hotel.desk(), QUOTES, hotel.booking(of, start, end)).await.done()
}

fn beside(quote: &Value, field: &str, value: Value) -> Value {
    let mut body = json!({ "quoteId": quote["quoteId"], "primaryGuest": { "name": "Zarmina Noori" } });
    body[field] = value;
    body
}

#[tokio::test]
async fn another_house_other_nights_or_other_rooms_than_the_quotes_are_refused_and_the_quote_is_not_spent() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let (single, _) = hotel.sold_rooms(1).await;
    let quote = quoted(&hotel, &double, "2026-05-01", "2026-05-03").await;
    let elsewhere: PropertyId = hotel.next();
    let wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    let mut more = wish["items"].clone();
    more.as_array_mut().unwrap().push(wish["items"][0].clone());
    let changed = |pointer: &str, value: Value| {
        let mut items = wish["items"].clone();
        *items.pointer_mut(pointer).unwrap() = value;
        items
    };
    let other = [
        ("propertyId", json!(elsewhere)),
        ("stayWindow", json!({ "start": "2026-05-01", "end": "2026-05-04" })),
        ("items", changed("/0/roomTypeId", json!(single))),
        ("items", changed("/0/occupants", json!({ "adults": 1 }))),
        ("items", more),
    ];
    for (field, value) in other {
        let refused = hotel.book(beside(&quote, field, value.clone())).await;
        refused.refused(400, INVALID).naming(field);
        let mut come = beside(&quote, field, value);
        come["payment"] = json!({ "method": "cash_on_arrival" });
        hotel.post(&hotel.desk(), "/reservation/v1/walk-ins", come).await.refused(400, INVALID).naming(field);
    }
    let dollars = hotel.book(beside(&quote, "currency", json!("USD"))).await;
    dollars.refused(422, "MELMASTOON.RESERVATION.CURRENCY_MISMATCH");
    let path = format!("{QUOTES}/{}", text(&quote["quoteId"]));
    assert_eq!(hotel.get(&hotel.desk(), &path).await.done()["status"], "open");
    // The same in other words is the same: the event's way to write the house, and the price as it was given.
    let mut same = wish.clone();
    same["quoteId"] = quote["quoteId"].clone();
    same["propertyId"] = json!(hotel.property.as_str().replace("prp_", "ppt_"));
    same["items"][0]["nightlyRateMicro"] = json!("100000000");
    hotel.book(same).await.done();
}

#[tokio::test]
async fn a_room_that_is_named_beside_a_quote_is_the_room() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(3).await;
    let quote = quoted(&hotel, &double, "2026-05-01", "2026-05-03").await;
    let mut items = hotel.booking(&double, "2026-05-01", "2026-05-03")["items"].clone();
    items[0]["roomId"] = json!(doors[2].id);
    let held = hotel.book(beside(&quote, "items", items)).await.done();
    let room = &held["items"][0];
    assert_eq!((&room["roomId"], &room["roomPinned"]), (&json!(doors[2].id), &json!(true)));
}

#[tokio::test]
async fn a_house_that_counts_in_another_currency_by_now_takes_the_rate_of_exchange_beside_the_quote() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let quote = quoted(&hotel, &double, "2026-05-01", "2026-05-03").await;
    let settings = format!("/reservation/v1/settings?propertyId={}", hotel.property);
    hotel.put(&hotel.manager(), &settings, json!({ "currency": "USD" })).await.done();
    let rate =
        json!({ "base": "USD", "quote": "AFN", "rate": 70.5, "source": "bank", "capturedAt": "2026-04-22T06:00:00Z" });
    let held = hotel.book(beside(&quote, "fxSnapshot", rate)).await.done();
    assert_eq!((&held["totals"]["grandTotalMicro"], &held["totals"]["currency"]), (&json!("200000000"), &json!("AFN")));
    assert_eq!(held["totals"]["inTenantCurrencyMicro"], "2840000");
}

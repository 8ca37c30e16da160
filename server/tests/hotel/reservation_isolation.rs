//! No tenant and no property learns of another's stays, whatever route of the desk is asked.

use axum::http::Method;
use contracts::ids::{PropertyId, RoomId, RoomTypeId, TenantId};
use platform::auth::Role;
use platform::http::RouteSpec;
use serde_json::{Value, json};

use crate::test_hotel::{Answer, Ask, TestHotel, text};

/// What the first tenant has: somebody who has booked, a quote, rooms.
struct Booked {
    stay: String,
    quote: String,
    kind: String,
    room: String,
    guest: String,
    block: String,
    alert: String,
}

async fn booked(hotel: &TestHotel) -> Booked {
    let (kind, doors) = hotel.sold_rooms(2).await;
    let mut wish = hotel.booking(&kind, "2026-04-22", "2026-04-25");
    wish["items"][0]["roomId"] = json!(doors[1].id);
    let other = hotel.confirmed_stay(wish.clone()).await;
    wish["items"][0]["roomId"] = json!(doors[0].id);
    let stay = hotel.confirmed_stay(wish).await;
    // A room with a guest in it is closed: somebody has to look at that.
    hotel.stay(&other, "check-in/complete", json!({})).await.done();
    let blocks = format!("/reservation/v1/rooms/{}/blocks", doors[1].id);
    let closed = hotel.post(&hotel.desk(), &blocks, json!({ "reason": "water" })).await.done();
    let offer = json!({
        "propertyId": hotel.property, "stayWindow": { "start": "2026-05-01", "end": "2026-05-03" },
        "items": [{ "roomTypeId": kind, "occupants": { "adults": 1 } }],
    });
    let quote = hotel.post(&hotel.desk(), "/reservation/v1/quotes", offer).await.done();
    hotel.drain().await;
    Booked {
        stay: text(&stay["reservationId"]),
        quote: text(&quote["quoteId"]),
        kind: kind.to_string(),
        room: doors[1].id.to_string(),
        guest: text(&stay["primaryGuest"]["guestId"]),
        block: text(&closed["blockId"]),
        alert: text(&closed["alerts"][0]),
    }
}

/// Everything of a tenant in this context, to the letter.
async fn everything(hotel: &TestHotel) -> Vec<(String, String)> {
    let sql = "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname = 'reservation' AND c.relkind = 'r'
                 AND c.relname NOT IN ('schema_history', 'idempotency_keys') ORDER BY 1";
    let mut found = Vec::new();
    for row in hotel.behind.query(sql, &[]).await.unwrap() {
        let table: String = row.get(0);
        let all = format!(
            "SELECT coalesce(string_agg(t::TEXT, E'\\n' ORDER BY t::TEXT), '') FROM reservation.{table} t WHERE tenant_id = '{}'",
            hotel.tenant
        );
        found.push((table, hotel.behind.query_one(&all, &[]).await.unwrap().get(0)));
    }
    found
}

async fn asked(hotel: &TestHotel, route: &RouteSpec, token: &str, booked: &Booked) -> Answer {
    let id = if route.path.contains("/quotes/") { &booked.quote } else { &booked.stay };
    let path = route.path.replace("{id}", id).replace("{roomTypeId}", &booked.kind).replace("{roomId}", &booked.room);
    let path = path
        .replace("{alertId}", &booked.alert)
        .replace("{guestId}", &booked.guest)
        .replace("{blockId}", &booked.block);
    assert!(!path.contains('{'), "{path}: say what to put in its place");
    if route.method == Method::GET {
        let query = format!("?propertyId={}&date=2026-04-22&from=2026-04-22&to=2026-04-25", hotel.property);
        return hotel.ask(Ask::get(format!("{path}{query}")).by(token)).await;
    }
    // A body that is right in itself: the route's own example, about the first tenant's house.
    let operation = &hotel.app.openapi["paths"][&route.path][route.method.as_str().to_lowercase()];
    let mut body = operation["requestBody"]["content"]["application/json"]["example"].clone();
    if body.get("propertyId").is_some() {
        body["propertyId"] = json!(hotel.property);
    }
    let ask = Ask::new(route.method.clone(), path)
        .by(token)
        .key(&format!("{} {}", route.method, route.path).replace(' ', "-"));
    hotel.ask(if body.is_null() { ask.json(&Value::Object(serde_json::Map::new())) } else { ask.json(&body) }).await
}

fn tells_nothing(route: &RouteSpec, answer: &Answer, booked: &Booked) {
    assert!(answer.status < 500, "{} {}: {}", route.method, route.path, answer.text);
    if answer.status < 400 {
        for secret in [&booked.stay, &booked.quote, "Zarmina"] {
            assert!(!answer.text.contains(secret), "{} {} tells {secret}: {}", route.method, route.path, answer.text);
        }
    }
}

#[tokio::test]
async fn on_every_route_of_the_desk_another_tenants_stays_are_not_there_and_stay_as_they_are() {
    let hotel = TestHotel::open().await;
    let booked = booked(&hotel).await;
    let before = everything(&hotel).await;
    let other: TenantId = hotel.next();
    for route in hotel.app.routes.iter().filter(|route| route.context == "reservation") {
        let answer = asked(&hotel, route, &hotel.token_of_tenant(route.roles[0], &other), &booked).await;
        tells_nothing(route, &answer, &booked);
        // Rooms and types come into being by being named; everything else is not there.
        if ["{id}", "{alertId}", "{guestId}", "{blockId}"].iter().any(|name| route.path.contains(name)) {
            assert_eq!(answer.status, 404, "{} {}: {}", route.method, route.path, answer.text);
        }
    }
    hotel.drain().await;
    assert_eq!(everything(&hotel).await, before);
}

#[tokio::test]
async fn on_every_route_of_the_desk_a_token_for_another_property_finds_and_changes_nothing() {
    let hotel = TestHotel::open().await;
    let booked = booked(&hotel).await;
    let before = everything(&hotel).await;
    let elsewhere: PropertyId = hotel.next();
    // How the tenant sells is the tenant's: which policies there are.
    let tenants = ["/reservation/v1/cancellation-policies", "/reservation/v1/settings"];
    for route in hotel.app.routes.iter().filter(|route| route.context == "reservation") {
        if tenants.contains(&route.path.as_str()) {
            continue;
        }
        let answer = asked(&hotel, route, &hotel.token_for_property(route.roles[0], &elsewhere), &booked).await;
        tells_nothing(route, &answer, &booked);
        assert!(answer.status >= 400, "{} {}: {} {}", route.method, route.path, answer.status, answer.text);
    }
    hotel.drain().await;
    assert_eq!(everything(&hotel).await, before);
}

#[tokio::test]
async fn a_guest_whom_only_another_house_knows_is_not_learned_of_nor_changed_by_naming_them() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let known = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-03")).await;
    let guest = &known["primaryGuest"]["guestId"];
    let (house, kind): (PropertyId, RoomTypeId) = (hotel.next(), hotel.next());
    let body = json!({ "propertyId": house, "name": "Suite", "baseRateMicro": "100000000" });
    hotel.put(&hotel.manager(), &format!("/reservation/v1/room-types/{kind}"), body).await.done();
    for number in ["1", "2"] {
        let body = json!({ "propertyId": house, "roomTypeId": kind, "number": number });
        let path = format!("/reservation/v1/rooms/{}", hotel.next::<RoomId>());
        hotel.put(&hotel.manager(), &path, body).await.done();
    }
    let desk = hotel.token_for_property(Role::FrontDesk, &house);
    let mut wish = hotel.booking(&kind, "2026-04-22", "2026-04-23");
    wish["propertyId"] = json!(house);
    let own = hotel.post(&desk, "/reservation/v1/reservations", wish.clone()).await.done();
    hotel.drain().await;
    let before = everything(&hotel).await;
    wish["payment"] = json!({ "method": "cash_on_arrival" });
    let not_found = "MELMASTOON.RESERVATION.NOT_FOUND";
    for said in [json!({ "guestId": guest }), json!({ "guestId": guest, "name": "Somebody Else" })] {
        wish["primaryGuest"] = said.clone();
        for path in ["/reservation/v1/reservations", "/reservation/v1/walk-ins"] {
            hotel.post(&desk, path, wish.clone()).await.refused(404, not_found);
        }
        let change = json!({ "type": "guest_profile_update", "primaryGuest": said });
        let path = format!("/reservation/v1/reservations/{}/modifications", text(&own["reservationId"]));
        hotel.post(&desk, &path, change).await.refused(404, not_found);
    }
    hotel.drain().await;
    assert_eq!(everything(&hotel).await, before);
    // Whoever speaks for both houses may name them, and from then on both know the guest.
    wish["primaryGuest"] = json!({ "guestId": guest });
    wish["stayWindow"] = json!({ "start": "2026-06-01", "end": "2026-06-02" });
    let booked = hotel.book(wish).await.done();
    assert_eq!(booked["primaryGuest"]["name"], "Zarmina Noori");
    let path = format!("/reservation/v1/guests/{}", text(guest));
    hotel.get(&desk, &path).await.done();
}

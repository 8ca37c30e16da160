//! Every refusal of reservation has a test that produces it: those that no other story meets are here, and a count of all of them.

use contracts::ids::PropertyId;
use platform::auth::Role;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, Door, TestHotel, text};

fn path_of(stay: &Value, step: &str) -> String {
    format!("/reservation/v1/reservations/{}/{step}", text(&stay["reservationId"]))
}

async fn flip(hotel: &TestHotel, door: &Door, status: &str) {
    let payload = json!({
        "tenantId": hotel.tenant, "propertyId": hotel.property, "roomId": door.id, "status": status, "previousStatus": "clean",
        "flippedAt": hotel.now(), "cause": "manual_override", "actor": { "type": "staff", "id": "stf_1" },
    });
    hotel.deliver(&hotel.happening("housekeeping.room.status_changed.v1", &payload)).await;
}

#[tokio::test]
async fn whoever_decided_on_an_older_version_is_told() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-03")).await;
    let change =
        json!({ "type": "guest_count_change", "itemId": stay["items"][0]["itemId"], "occupants": { "adults": 1 } });
    let ask = |version: &str| {
        Ask::post(path_of(&stay, "modifications"))
            .by(&hotel.desk())
            .header("if-match", version.to_owned())
            .json(&change)
    };
    hotel.ask(ask("\"1\"")).await.refused(412, "MELMASTOON.RESERVATION.STALE_VERSION");
    let done = hotel.ask(ask("\"2\"")).await;
    assert_eq!((done.status, done.header("etag")), (200, Some("\"3\"")));
    hotel.ask(ask("\"2\"")).await.refused(412, "MELMASTOON.RESERVATION.STALE_VERSION");
}

#[tokio::test]
async fn a_token_for_another_house_is_told_so_where_the_house_is_named() {
    let hotel = TestHotel::open().await;
    let elsewhere: PropertyId = hotel.next();
    let token = hotel.token_for_property(Role::FrontDesk, &elsewhere);
    let forbidden = "MELMASTOON.RESERVATION.PROPERTY_FORBIDDEN";
    for path in ["timeline", "arrivals", "alerts", "day-close", "availability"] {
        let path = format!(
            "/reservation/v1/{path}?propertyId={}&from=2026-05-01&to=2026-05-02&date=2026-05-01",
            hotel.property
        );
        hotel.get(&token, &path).await.refused(403, forbidden);
    }
    let day = json!({ "propertyId": hotel.property, "date": "2026-04-22" });
    hotel.post(&token, "/reservation/v1/day-close", day).await.refused(403, forbidden);
}

#[tokio::test]
async fn a_room_that_is_not_ready_is_given_only_by_somebody_who_insists_and_never_by_a_kiosk() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let settings = format!("/reservation/v1/settings?propertyId={}", hotel.property);
    hotel.put(&hotel.manager(), &settings, json!({ "roomReadiness": "require" })).await.done();
    flip(&hotel, &doors[0], "dirty").await;
    let held = hotel.book(hotel.booking(&double, "2026-04-22", "2026-04-24")).await.done();
    hotel.stay(&held, "confirm", json!({ "payment": { "method": "cash_on_arrival" } })).await.done();
    let refused = "MELMASTOON.RESERVATION.ROOM_NOT_READY";
    hotel.stay(&held, "check-in/complete", json!({})).await.refused(409, refused);
    let kiosk =
        json!({ "onBehalfOf": { "type": "guest_self_service", "id": held["primaryGuest"]["guestId"] }, "force": true });
    let ask = |key: &str| Ask::post(path_of(&held, "check-in/start")).by(&hotel.service()).key(key).json(&kiosk);
    hotel.ask(ask("1")).await.refused(409, "MELMASTOON.RESERVATION.PAYMENT_DUE");
    hotel.deliver(&hotel.captured(&held, "pyi_1", "200000000")).await;
    hotel.ask(ask("2")).await.refused(409, refused);
    let there = hotel.stay(&held, "check-in/complete", json!({ "force": true })).await.done();
    assert_eq!(there["status"], "checked_in");
}

#[tokio::test]
async fn a_price_for_rooms_that_were_not_there_buys_nothing_and_nobody_leaves_early_on_the_last_day() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    let none = hotel
        .post(&hotel.desk(), "/reservation/v1/quotes", hotel.booking(&double, "2026-04-22", "2026-04-23"))
        .await
        .done();
    let body = json!({ "quoteId": none["quoteId"], "primaryGuest": { "name": "Zarmina" } });
    hotel.book(body).await.refused(409, "MELMASTOON.RESERVATION.QUOTE_UNAVAILABLE");
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    hotel.clock.advance_seconds(24 * 3_600);
    hotel.stay(&stay, "early-checkout", json!({})).await.refused(409, "MELMASTOON.RESERVATION.NOT_EARLY");
}

#[test]
fn every_code_of_the_catalogue_is_produced_by_a_story() {
    let folder = format!("{}/tests", env!("CARGO_MANIFEST_DIR"));
    let catalogue = std::fs::read_to_string(format!("{folder}/golden/problems_reservation.txt")).unwrap();
    let mut stories = String::new();
    for file in std::fs::read_dir(format!("{folder}/hotel")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name == "personal_data.rs" || name.starts_with("reservation_") && name != "reservation_problems.rs" {
            stories.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
    for line in catalogue.lines().filter(|line| !line.starts_with('#')) {
        let code = line.split([' ', ':']).nth(1).unwrap().rsplit('.').next().unwrap().to_owned();
        assert!(stories.contains(&code), "no story ends in {code}");
    }
}

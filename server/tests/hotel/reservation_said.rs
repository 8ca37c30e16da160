//! What others say, and what the house itself says: settings, ways to pay, rates, whom a service acts for, when somebody is late.

use serde_json::{Value, json};

use crate::test_hotel::{Ask, TestHotel, text};

const SETTINGS: &str = "/reservation/v1/settings";
const DAY: i64 = 24 * 3_600;

fn said(hotel: &TestHotel, settings: &Value) -> crate::test_hotel::Happening {
    hotel.happening("tenant.settings.changed.v1", &json!({ "tenantId": hotel.tenant, "settings": settings }))
}

async fn payload_of(hotel: &TestHotel, verb: &str) -> Value {
    let subject = format!("melmastoon.reservation.{verb}.v1");
    let news = hotel.news().await;
    news.iter().find(|one| one["eventType"] == subject.as_str()).unwrap()["payload"].clone()
}

#[tokio::test]
async fn what_is_no_version_of_a_policy_is_filed_and_nothing_else_of_it_is_applied() {
    let hotel = TestHotel::open().await;
    hotel.sold_rooms(1).await;
    for (filed, wrong) in [json!({ "a": 1 }), json!(true), json!(1.5), json!("x".repeat(21))].iter().enumerate() {
        hotel.deliver(&said(&hotel, &json!({ "cancellationPolicyVersion": wrong, "noShowGraceHours": 5 }))).await;
        let letters = hotel.count("reservation.dead_letters").await;
        assert_eq!(letters, i64::try_from(filed).unwrap() + 1, "{wrong}");
    }
    let in_force = hotel.get(&hotel.manager(), SETTINGS).await.done();
    assert_eq!(in_force["noShowGraceHours"], 12);
    assert_eq!(hotel.count("reservation.alerts").await, 0);
}

#[tokio::test]
async fn what_a_person_sets_holds_also_where_anothers_clock_was_ahead() {
    let hotel = TestHotel::open().await;
    let said_in = |seconds: i64, value: u32| {
        let at = json!(hotel.now().plus_seconds(seconds));
        said(&hotel, &json!({ "quoteTtlSeconds": value })).with("/occurredAt", at)
    };
    hotel.deliver(&said_in(200, 500)).await;
    assert_eq!(hotel.get(&hotel.manager(), SETTINGS).await.done()["quoteTtlSeconds"], 500);
    let put = hotel.put(&hotel.manager(), SETTINGS, json!({ "quoteTtlSeconds": 700 })).await.done();
    assert_eq!(put["quoteTtlSeconds"], 700);
    hotel.deliver(&said_in(100, 600)).await;
    let in_force = hotel.get(&hotel.manager(), SETTINGS).await.done();
    assert_eq!(in_force["quoteTtlSeconds"], 700, "what is older says nothing");
}

#[tokio::test]
async fn a_way_to_pay_that_nobody_knows_is_told_as_one_that_was_not_said() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let held = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-02")).await.done();
    hotel.deliver(&hotel.captured(&held, "pyi_1", "100000000").with("/payload/method", json!("bitcoin"))).await;
    assert_eq!(payload_of(&hotel, "confirmed").await["payment"]["method"], "card");
    assert_eq!(hotel.reservation(&held).await["payment"]["method"], "card");
}

#[tokio::test]
async fn what_another_inventory_set_aside_is_read_by_either_name() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    hotel.put(&hotel.manager(), SETTINGS, json!({ "inventoryMode": "external" })).await.done();
    let held = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-02")).await.done();
    let ids = json!({ "inventoryAllocationIds": ["alc_ELSEWHERE"] });
    hotel.deliver(&hotel.told("inventory.allocation.committed.v1", &held, &ids)).await;
    assert_eq!(hotel.reservation(&held).await["inventoryAllocationIds"], json!(["alc_ELSEWHERE"]));
}

#[tokio::test]
async fn who_has_not_left_by_check_out_time_is_late_on_the_day_itself() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    let path = format!("/reservation/v1/departures?propertyId={}", hotel.property);
    let late = async || hotel.get(&hotel.desk(), &path).await.done()["items"][0]["overdue"].clone();
    // By the clock of the test it is 11:00; check-out is at 12:00.
    hotel.clock.advance_seconds(DAY);
    assert_eq!(late().await, false);
    hotel.clock.advance_seconds(3_601);
    assert_eq!(late().await, true);
}

#[tokio::test]
async fn a_service_acts_for_guests_at_every_step_and_nobody_else_does() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let mut wish = hotel.booking(&double, "2026-04-22", "2026-04-24");
    let alone = json!({ "type": "guest_self_service", "id": "gst_01KPSY36J044V8XH9C22TJ6SW8" });
    wish["onBehalfOf"] = alone.clone();
    let by_service = async |path: String, key: &str, body: &Value| {
        hotel.ask(Ask::post(path).by(&hotel.service()).key(key).json(body)).await
    };
    let held = by_service("/reservation/v1/reservations".to_owned(), "1", &wish).await.done();
    assert_eq!(payload_of(&hotel, "held").await["createdBy"], json!({ "type": "guest", "id": alone["id"] }));
    let confirm = json!({ "payment": { "method": "cash_on_arrival" }, "onBehalfOf": alone });
    let forbidden = "MELMASTOON.RESERVATION.NOT_ALLOWED";
    hotel.stay(&held, "confirm", confirm.clone()).await.refused(403, forbidden);
    let path = |step: &str| format!("/reservation/v1/reservations/{}/{step}", text(&held["reservationId"]));
    by_service(path("confirm"), "2", &confirm).await.done();
    hotel.stay(&held, "check-in/complete", json!({})).await.done();
    let leaves = json!({ "onBehalfOf": alone });
    hotel.stay(&held, "check-out/start", leaves.clone()).await.refused(403, forbidden);
    by_service(path("check-out/start"), "3", &leaves).await.done();
    assert_eq!(payload_of(&hotel, "checkout_started").await["actor"]["type"], "guest_self_service");
}

#[tokio::test]
async fn the_bill_that_another_service_closed_is_known_by_its_name_afterwards() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-23")).await;
    hotel.stay(&stay, "check-in/complete", json!({})).await.done();
    hotel.clock.advance_seconds(DAY);
    let folio = json!({ "folioId": "fol_THEIRS", "finalBalanceMicro": "0", "currency": "AFN", "settled": true });
    let left = hotel.stay(&stay, "check-out/complete", json!({ "folio": folio })).await.done();
    assert_eq!(left["folioId"], "fol_THEIRS");
}

#[tokio::test]
async fn a_rate_of_exchange_that_is_none_is_named() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    for rate in [json!(0), json!(-1)] {
        let mut wish = hotel.booking(&double, "2026-05-01", "2026-05-02");
        wish["currency"] = json!("USD");
        wish["fxSnapshot"] =
            json!({ "base": "USD", "quote": "AFN", "rate": rate, "source": "bank", "capturedAt": hotel.now() });
        let refused = hotel.book(wish).await;
        refused.refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE").naming("fxSnapshot.rate");
    }
}

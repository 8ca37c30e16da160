//! Whatever nonsense the routes of reservation are asked, they say no politely, and nothing is half done.

use axum::http::Method;
use platform::http::RouteSpec;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, TestHotel, text};

/// Bodies that are no command of anybody.
fn nonsense() -> Vec<Vec<u8>> {
    vec![
        b"".to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        b"\"text\"".to_vec(),
        b"{".to_vec(),
        b"{\"propertyId\":1,\"stayWindow\":\"always\",\"items\":{},\"type\":7,\"reason\":[],\"payment\":0}".to_vec(),
        b"{\"reason\":\"\\u0000\",\"name\":\"\\u0000\"}".to_vec(),
        b"\xff\xfe".to_vec(),
        format!("{}1{}", "[".repeat(500), "]".repeat(500)).into_bytes(),
        format!("{{\"reason\":\"{}\"}}", "x".repeat(300_000)).into_bytes(),
    ]
}

fn path_of(route: &RouteSpec, id: &str) -> String {
    let mut path = route.path.clone();
    while let (Some(from), Some(to)) = (path.find('{'), path.find('}')) {
        path.replace_range(from..=to, id);
    }
    path
}

#[tokio::test]
async fn ten_kinds_of_nonsense_on_every_route_change_nothing_and_break_nothing() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    hotel.drain().await;
    let before = hotel.count("reservation.audit_events").await;
    let id = text(&stay["reservationId"]);
    let empty_will_do = ["check-in", "check-out/start", "check-out/complete", "no-show", "early-checkout", "resolve"];
    for route in hotel.app.routes.iter().filter(|route| route.context == "reservation") {
        let token = hotel.token(route.roles[0], None);
        if route.method == Method::GET {
            for query in [
                "?propertyId=%00",
                "?propertyId=x&date=x&from=x&to=x",
                "?limit=-1&from=9999-12-31&to=0001-01-01",
                "?cursor=%FF",
            ] {
                let answer = hotel.ask(Ask::get(format!("{}{query}", path_of(route, &id))).by(&token)).await;
                assert!(
                    (400..500).contains(&answer.status) || answer.status == 200,
                    "{} {query}: {} {}",
                    route.path,
                    answer.status,
                    answer.text
                );
            }
            continue;
        }
        for (at, body) in nonsense().into_iter().enumerate() {
            // No body is an empty one, which is all that some of them take.
            if at == 0
                && (empty_will_do.iter().any(|one| route.path.contains(one))
                    || route.method == Method::DELETE
                    || route.path.ends_with("/settings"))
            {
                continue;
            }
            let looked_at = !route.path.contains("check-out/start") && route.method != Method::DELETE;
            if !looked_at {
                continue;
            }
            let key = format!("{at}-{}-{}", route.method, route.path.replace('/', "-"));
            let ask = Ask::new(route.method.clone(), path_of(route, &id)).by(&token).key(&key).bytes(body);
            let answer = hotel.ask(ask).await;
            let harmless = at == 5 || at == 6 || at == 9;
            assert!(
                (400..500).contains(&answer.status)
                    || harmless && answer.status < 300 && route.path.ends_with("/settings"),
                "{} {} with {at}: {} {}",
                route.method,
                route.path,
                answer.status,
                answer.text
            );
        }
        for id in ["x", "rsv_", "rsv_%00", "rsv_'%3B--", "%F0%9F%98%80", &"a".repeat(5_000)] {
            if route.path.contains('{')
                && route.path != "/reservation/v1/room-types/{roomTypeId}"
                && route.path != "/reservation/v1/rooms/{roomId}"
            {
                let ask = Ask::new(route.method.clone(), path_of(route, id))
                    .by(&token)
                    .key(&format!("p{}", id.len()))
                    .json(&json!({}));
                let answer = hotel.ask(ask).await;
                assert!(
                    (400..500).contains(&answer.status),
                    "{} {} with {id}: {}",
                    route.method,
                    route.path,
                    answer.text
                );
            }
        }
    }
    hotel.drain().await;
    assert_eq!(hotel.count("reservation.audit_events").await, before, "nothing was changed");
    assert_eq!(hotel.reservation(&stay).await["version"], stay["version"]);
}

#[tokio::test]
async fn absurd_dates_amounts_and_occupancies_are_refused_with_their_field() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let with = |pointer: &str, value: Value| {
        let mut body = hotel.booking(&double, "2026-05-01", "2026-05-03");
        let (parent, field) = pointer.rsplit_once('/').unwrap();
        body.pointer_mut(parent).unwrap()[field] = value;
        body
    };
    let codes = [
        (400, "INVALID_VALUE"),
        (400, "MALFORMED"),
        (422, "STAY_INVALID"),
        (422, "OCCUPANCY_EXCEEDED"),
        (422, "ROOM_UNKNOWN"),
        (422, "FX_RATE_MISSING"),
    ];
    let many: Vec<Value> = (0..51).map(|_| json!({ "roomTypeId": double, "occupants": { "adults": 1 } })).collect();
    for body in [
        // A hundred thousand nights.
        with("/stayWindow/end", json!("2300-02-13")),
        with("/stayWindow/end", json!("9999-12-31")),
        with("/stayWindow/start", json!("-9999-01-01")),
        with("/stayWindow/start", json!("2026-02-30")),
        with("/stayWindow/nights", json!(-1)),
        with("/stayWindow/nights", json!(4_294_967_295_u32)),
        with("/items/0/occupants", json!({ "adults": 0 })),
        with("/items/0/occupants", json!({ "adults": -1 })),
        with("/items/0/occupants", json!({ "adults": 4_294_967_295_u32, "children": 4_294_967_295_u32 })),
        with("/items/0/occupants", json!({ "adults": 101 })),
        with("/items/0/nightlyRateMicro", json!("-1")),
        with("/items/0/nightlyRateMicro", json!("1e9")),
        with("/items/0/nightlyRateMicro", json!("999999999999999999999999999999999999999999")),
        with("/items/0/roomId", json!("rom_NOBODYS")),
        with("/items", json!(many)),
        with("/holdTtlSeconds", json!(119)),
        with("/holdTtlSeconds", json!(1_801)),
        with("/currency", json!("afghani")),
        with("/primaryGuest/name", json!("x".repeat(201))),
        with("/externalReference", json!(" ")),
    ] {
        let answer = hotel.book(body.clone()).await;
        let known = codes.iter().any(|(status, name)| answer.status == *status && answer.code().ends_with(name));
        assert!(known, "{body}: {} {}", answer.status, answer.text);
        assert!(!answer.detail().is_empty());
    }
    let dear = with("/items/0/nightlyRateMicro", json!("900000000000000000000000"));
    hotel.book(dear).await.refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE");
    let rates = format!("/reservation/v1/room-types/{double}/rates");
    let nights = json!({ "from": "2026-01-01", "to": "2300-01-01", "rateMicro": "1" });
    hotel.put(&hotel.manager(), &rates, nights).await.refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE").naming("to");
    let path = format!("/reservation/v1/availability?propertyId={}&from=2026-01-01&to=2300-01-01", hotel.property);
    hotel.get(&hotel.desk(), &path).await.refused(400, "MELMASTOON.RESERVATION.INVALID_VALUE").naming("to");
    assert_eq!(hotel.count("reservation.reservations").await, 0);
}

#[tokio::test]
async fn a_payment_that_is_told_three_times_late_or_for_somebody_else_counts_once_or_goes_back_or_is_filed() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let held = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-03")).await.done();
    let paid = |transaction: &str| {
        let more = json!({ "paymentIntentId": "pyi_1", "transactionId": transaction, "amountMicro": "200000000", "currency": "AFN", "method": "card" });
        hotel.told("payment.transaction.captured.v1", &held, &more)
    };
    for _ in 0..3 {
        // Another event each time, about the same transaction.
        hotel.deliver(&paid("trx_1")).await;
    }
    let seen = hotel.reservation(&held).await;
    assert_eq!(
        (&seen["status"], &seen["payment"]["capturedMicro"], &seen["balanceMicro"]),
        (&json!("confirmed"), &json!("200000000"), &json!("0"))
    );
    let late = hotel.book(hotel.booking(&double, "2026-05-01", "2026-05-03")).await.done();
    hotel.clock.advance_seconds(600);
    hotel.run_tick("reservation.hold-expiry").await;
    for _ in 0..3 {
        let more = json!({ "paymentIntentId": "pyi_2", "transactionId": "trx_2", "amountMicro": "200000000", "currency": "AFN" });
        hotel.deliver(&hotel.told("payment.transaction.captured.v1", &late, &more)).await;
    }
    let over = hotel.reservation(&late).await;
    assert_eq!(
        (&over["status"], &over["payment"]["refundRequestedMicro"], &over["balanceMicro"]),
        (&json!("cancelled"), &json!("200000000"), &json!("0"))
    );
    let nobody = json!({ "reservationId": "rsv_01KPSY36J085MVSP242K03MADZ" });
    let more = json!({ "paymentIntentId": "pyi_3", "amountMicro": "1", "currency": "AFN" });
    hotel.deliver(&hotel.told("payment.transaction.captured.v1", &nobody, &more)).await;
    assert_eq!(hotel.count("reservation.dead_letters WHERE state = 'open'").await, 1);
    let refunds: Vec<Value> =
        hotel.news().await.into_iter().filter(|one| one["payload"].get("paymentRefundsRequested").is_some()).collect();
    assert_eq!(refunds.len(), 1, "asked back once");
}

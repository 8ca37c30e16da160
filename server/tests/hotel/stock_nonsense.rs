//! Nonsense for linen, lost and found, checklists and figures: a 4xx that names the field, and nothing half done.

use axum::http::Method;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, TestHotel};

pub(crate) const INVALID: &str = "MELMASTOON.HOUSEKEEPING.INVALID_VALUE";
pub(crate) const MALFORMED: &str = "MELMASTOON.PLATFORM.MALFORMED_REQUEST";
pub(crate) const OUT_OF_BOUNDS: &str = "MELMASTOON.HOUSEKEEPING.INVALID_VALUE";

pub(crate) async fn refuse(hotel: &TestHotel, path: &str, cases: Vec<(Value, &str, &str)>) {
    // A supervisor who is a manager and at the desk as well: what is refused here is what was asked, not who asks.
    let mut claims = hotel.claims(platform::auth::Role::Supervisor, None);
    claims.roles = ["supervisor", "property_manager", "front_desk"].map(str::to_owned).to_vec();
    let token = hotel.key.mint(&claims);
    let audited = hotel.count("housekeeping.audit_events").await;
    for (body, code, names) in cases {
        let answer = hotel.ask(Ask::post(path).by(&token).bytes(body.to_string())).await;
        assert_eq!(answer.status, 400, "{path} {body}: {}", answer.text);
        answer.refused(400, code).naming(names);
    }
    let raw: [(&[u8], &str); 6] = [
        (b"{", MALFORMED),
        (b"[]", MALFORMED),
        (b"\xff\xfe", MALFORMED),
        (b"7", MALFORMED),
        (b"{\"note\":\"a\\u0000b\"}", MALFORMED),
        (b"", INVALID),
    ];
    for (body, code) in raw {
        let answer = hotel.ask(Ask::post(path).by(&token).bytes(body.to_vec())).await;
        answer.refused(400, code);
    }
    let plain = Ask::post(path).by(&token).header("content-type", "text/plain");
    let answer = hotel.ask(Ask { body: b"{}".to_vec(), ..plain }).await;
    answer.refused(415, "MELMASTOON.PLATFORM.UNSUPPORTED_MEDIA_TYPE");
    let large = json!({ "note": "x".repeat(300_000) });
    hotel.ask(Ask::post(path).by(&token).json(&large)).await.refused(413, "MELMASTOON.PLATFORM.BODY_TOO_LARGE");
    assert_eq!(hotel.count("housekeeping.audit_events").await, audited, "{path}: nothing happened");
}

/// A body with one field changed; `null` where it is to be missing.
fn with(whole: &Value, field: &str, value: Value) -> Value {
    let mut body = whole.clone();
    if value.is_null() {
        body.as_object_mut().unwrap().remove(field);
    } else {
        body[field] = value;
    }
    body
}

#[tokio::test]
async fn nonsense_about_linen_is_refused() {
    let hotel = TestHotel::open().await;
    let whole = json!({ "propertyId": hotel.property, "line": "towels", "onHand": 5, "lowWatermark": 1 });
    let cases = vec![
        (with(&whole, "propertyId", Value::Null), INVALID, "propertyId"),
        (with(&whole, "propertyId", json!("Chinar")), INVALID, "propertyId"),
        (with(&whole, "line", json!("")), OUT_OF_BOUNDS, "line"),
        (with(&whole, "line", json!(" \t ")), OUT_OF_BOUNDS, "line"),
        (with(&whole, "line", json!("x".repeat(101))), OUT_OF_BOUNDS, "line"),
        (with(&whole, "line", json!(7)), INVALID, "line"),
        (with(&whole, "onHand", Value::Null), INVALID, "onHand"),
        (with(&whole, "onHand", json!(-1)), OUT_OF_BOUNDS, "onHand"),
        (with(&whole, "onHand", json!(2_000_000_000)), OUT_OF_BOUNDS, "onHand"),
        (with(&whole, "onHand", json!(1e30)), INVALID, "onHand"),
        (with(&whole, "onHand", json!(1.5)), INVALID, "onHand"),
        (with(&whole, "lowWatermark", json!(-5)), OUT_OF_BOUNDS, "lowWatermark"),
        (with(&whole, "lowWatermark", json!("few")), INVALID, "lowWatermark"),
    ];
    refuse(&hotel, "/housekeeping/v1/linen", cases).await;
    let line = hotel.linen("sheets", 5, 0).await;
    for verb in ["issue", "return", "adjust"] {
        let mut cases = vec![
            (json!({}), INVALID, "count"),
            (json!({ "count": 0 }), OUT_OF_BOUNDS, "count"),
            (json!({ "count": 2_000_000_000 }), OUT_OF_BOUNDS, "count"),
            (json!({ "count": 99_999_999_999_999_i64 }), INVALID, "count"),
            (json!({ "count": -99_999_999_999_999_i64 }), INVALID, "count"),
            (json!({ "count": "three" }), INVALID, "count"),
            (json!({ "count": 1.5 }), INVALID, "count"),
            (json!({ "count": null }), INVALID, "count"),
            (json!({ "count": 1, "taskId": "mine" }), INVALID, "taskId"),
            (json!({ "count": 1, "note": "x".repeat(2_001) }), OUT_OF_BOUNDS, "note"),
            (json!({ "count": 1, "note": ["a"] }), INVALID, "note"),
        ];
        if verb != "adjust" {
            cases.push((json!({ "count": -1 }), OUT_OF_BOUNDS, "count"));
        }
        refuse(&hotel, &format!("/housekeeping/v1/linen/{line}/{verb}"), cases).await;
    }
    for (mark, code) in [
        (json!(-1), OUT_OF_BOUNDS),
        (json!(100_001), OUT_OF_BOUNDS),
        (json!(1.5), INVALID),
        (json!(99_999_999_999_i64), INVALID),
        (json!("few"), INVALID),
        (json!([3]), INVALID),
        (json!(true), INVALID),
        (Value::Null, INVALID),
    ] {
        let (path, body) = (format!("/housekeeping/v1/linen/{line}"), json!({ "lowWatermark": mark }));
        let answer = hotel.patch(&hotel.supervisor(), &path, body).await;
        answer.refused(if code == INVALID { 400 } else { 422 }, code).naming("lowWatermark");
    }
    let path = format!("/housekeeping/v1/linen/{line}/movements?cursor=later");
    hotel.get(&hotel.supervisor(), &path).await.refused(400, INVALID).naming("cursor");
    assert_eq!(hotel.on_hand(&line).await, 5);
    for (path, field) in
        [("linen", "propertyId"), ("linen?propertyId=x", "propertyId"), ("lost-and-found?status=gone", "status")]
    {
        hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/{path}")).await.refused(400, INVALID).naming(field);
    }
    for id in ["bananas", "%00", "lin_%FF"] {
        let answer = hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/linen/{id}")).await;
        answer.refused(404, "MELMASTOON.PLATFORM.NOT_FOUND");
    }
    let wrong = Ask::new(Method::DELETE, format!("/housekeeping/v1/linen/{line}")).by(&hotel.supervisor());
    hotel.ask(wrong).await.refused(405, "MELMASTOON.PLATFORM.METHOD_NOT_ALLOWED");
}

#[tokio::test]
async fn nonsense_about_found_things_is_refused() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let whole = json!({ "propertyId": hotel.property, "roomId": room.id, "description": "a watch" });
    let cases = vec![
        (with(&whole, "propertyId", Value::Null), INVALID, "propertyId"),
        (with(&whole, "roomId", json!("101")), INVALID, "roomId"),
        (with(&whole, "roomId", json!({ "number": 101 })), INVALID, "roomId"),
        (with(&whole, "description", Value::Null), INVALID, "description"),
        (with(&whole, "description", json!("  \n")), OUT_OF_BOUNDS, "description"),
        (with(&whole, "description", json!("x".repeat(2_001))), OUT_OF_BOUNDS, "description"),
        (with(&whole, "description", json!("a\0b")), MALFORMED, "NUL"),
        (with(&whole, "photoMediaIds", json!("med_1")), INVALID, "photoMediaIds"),
        (with(&whole, "photoMediaIds", json!([""])), OUT_OF_BOUNDS, "photoMediaIds"),
        (with(&whole, "photoMediaIds", json!(vec!["med_1"; 21])), OUT_OF_BOUNDS, "photoMediaIds"),
        (with(&whole, "storageLocation", json!("x".repeat(201))), OUT_OF_BOUNDS, "storageLocation"),
        (with(&whole, "reservationId", json!("mine")), INVALID, "reservationId"),
    ];
    refuse(&hotel, "/housekeeping/v1/lost-and-found", cases).await;
    let watch = hotel.found(&room, "a watch").await;
    let cases = vec![
        (json!({}), INVALID, "claimantName"),
        (json!({ "claimantName": "" }), OUT_OF_BOUNDS, "claimantName"),
        (json!({ "claimantName": "x".repeat(201) }), OUT_OF_BOUNDS, "claimantName"),
        (json!({ "claimantName": 7 }), INVALID, "claimantName"),
        (json!({ "claimantName": ["A"] }), INVALID, "claimantName"),
        (json!({ "claimantName": null }), INVALID, "claimantName"),
        (json!({ "claimantName": "a\0b" }), MALFORMED, "NUL"),
        (json!({ "claimantName": "A", "claimantPhone": "1".repeat(51) }), OUT_OF_BOUNDS, "claimantPhone"),
        (json!({ "claimantName": "A", "claimantPhone": " " }), OUT_OF_BOUNDS, "claimantPhone"),
        (json!({ "claimantName": "A", "claimantPhone": 7 }), INVALID, "claimantPhone"),
    ];
    refuse(&hotel, &format!("/housekeeping/v1/lost-and-found/{watch}/match"), cases).await;
    let cases = vec![
        (json!({}), INVALID, "method"),
        (json!({ "method": "burnt" }), INVALID, "method"),
        (json!({ "method": 1 }), INVALID, "method"),
        (json!({ "method": null }), INVALID, "method"),
        (json!({ "method": "donated", "note": 5 }), INVALID, "note"),
        (json!({ "method": "donated", "note": "x".repeat(2_001) }), OUT_OF_BOUNDS, "note"),
    ];
    refuse(&hotel, &format!("/housekeeping/v1/lost-and-found/{watch}/dispose"), cases).await;
    let shown = hotel.get(&hotel.front_desk(), &format!("/housekeeping/v1/lost-and-found/{watch}")).await.done();
    assert_eq!((&shown["status"], &shown["version"]), (&json!("recorded"), &json!(1)));
}

#[tokio::test]
async fn nonsense_about_checklists_is_refused() {
    let hotel = TestHotel::open().await;
    let item = json!({ "key": "bed", "labelI18n": { "en": "Make the bed" }, "required": true });
    let list = |items: Value| json!({ "kind": "turnover", "items": items });
    let many: Vec<Value> = (0..201).map(|n| with(&item, "key", json!(format!("k{n}")))).collect();
    let cases = vec![
        (json!({}), INVALID, "kind"),
        (json!({ "kind": "polish", "items": [item] }), INVALID, "kind"),
        (json!({ "kind": "turnover" }), INVALID, "items"),
        (list(json!([])), OUT_OF_BOUNDS, "items"),
        (list(json!({})), INVALID, "items"),
        (list(json!(many)), OUT_OF_BOUNDS, "items"),
        (list(json!([item, item])), OUT_OF_BOUNDS, "bed is there twice"),
        (list(json!([with(&item, "key", json!(""))])), OUT_OF_BOUNDS, "item 0"),
        (list(json!([with(&item, "key", json!("x".repeat(101)))])), OUT_OF_BOUNDS, "key"),
        (list(json!([with(&item, "labelI18n", json!({}))])), OUT_OF_BOUNDS, "labelI18n"),
        (list(json!([with(&item, "labelI18n", json!({ "en": " " }))])), OUT_OF_BOUNDS, "labelI18n"),
        (list(json!([with(&item, "labelI18n", json!({ "not a language": "x" }))])), OUT_OF_BOUNDS, "labelI18n"),
        (list(json!([with(&item, "labelI18n", json!({ "en": "x".repeat(501) }))])), OUT_OF_BOUNDS, "labelI18n"),
        (list(json!([with(&item, "required", json!("yes"))])), INVALID, "required"),
        (list(json!([with(&item, "photo", json!(1))])), INVALID, "photo"),
        (list(json!(["bed"])), INVALID, "items"),
    ];
    refuse(&hotel, "/housekeeping/v1/checklists", cases).await;
    for id in ["bananas", "%00"] {
        let answer = hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/checklists/{id}")).await;
        answer.refused(404, "MELMASTOON.PLATFORM.NOT_FOUND");
    }
}

//! Terminals that everybody uses: whoever shows code and PIN punches there, now or when there is a connection again.

use contracts::ids::{PropertyId, StaffId};
use platform::auth::{Claims, Role};
use serde_json::{Value, json};

use crate::test_hotel::{Answer, Ask, TestHotel, text};

const PUNCHES: &str = "/staff/v1/clock/punches";
const REPLAY: &str = "/staff/v1/clock/offline-replay";
const REFUSED: &str = "MELMASTOON.STAFF.PIN_REFUSED";

async fn at_terminal(hotel: &TestHotel, path: &str, body: Value) -> Answer {
    let key = format!("terminal-{}", hotel.ids.hex::<8>());
    hotel.ask(Ask::post(path).by(&hotel.service()).key(&key).json(&body)).await
}

fn shown(code: &str, pin: &str, kind: &str) -> Value {
    json!({ "kind": kind, "staffCode": code, "pin": pin })
}

#[tokio::test]
async fn whoever_shows_code_and_pin_at_a_terminal_punches_the_clock() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.with_pin("Zarmina", "748291").await;
    let shift = hotel.shift("07:00", "15:00").await;
    hotel.place(&shift, &zarmina.staff).await.done();
    hotel.told_by_staff().await;
    let came = at_terminal(&hotel, PUNCHES, shown(&zarmina.code, "748291", "in")).await;
    assert_eq!(came.status, 201, "{}", came.text);
    assert_eq!((&came.body["staffId"], &came.body["shiftId"]), (&json!(zarmina.staff), &json!(shift)));
    assert_eq!(came.body["source"], "electron_pin");
    assert_eq!(hotel.subjects_told_by_staff().await, ["updated", "clock.in", "shift.started"]);
    for body in [json!({ "kind": "out" }), json!({ "kind": "out", "staffCode": zarmina.code })] {
        at_terminal(&hotel, PUNCHES, body).await.refused(400, "MELMASTOON.STAFF.INVALID_VALUE").naming("staffCode");
    }
    let own = hotel.own(&zarmina.staff);
    let answer = hotel.post(&own, PUNCHES, shown(&zarmina.code, "748291", "out")).await;
    answer.refused(400, "MELMASTOON.STAFF.INVALID_VALUE");
    for _ in 0..5 {
        at_terminal(&hotel, PUNCHES, shown(&zarmina.code, "748290", "out")).await.refused(401, REFUSED);
    }
    let locked = at_terminal(&hotel, PUNCHES, shown(&zarmina.code, "748291", "out")).await;
    locked.refused(429, "MELMASTOON.STAFF.PIN_LOCKED");
    hotel.sign_in(&zarmina.code, "748291").await.done();
    assert_eq!(hotel.count("staff.clock_entries").await, 1);
}

#[tokio::test]
async fn a_terminal_of_one_house_takes_no_punches_for_another() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.with_pin("Zarmina", "748291").await;
    let elsewhere: PropertyId = hotel.next();
    let claims = hotel.claims(Role::Service, None);
    let token = hotel.key.mint(&Claims { properties: vec![elsewhere.to_string()], ..claims });
    for house in [json!(null), json!(hotel.property), json!(elsewhere)] {
        let mut body = shown(&zarmina.code, "748291", "in");
        body["propertyId"] = house;
        let answer = hotel.ask(Ask::post(PUNCHES).by(&token).key(&hotel.ids.hex::<8>()).json(&body)).await;
        assert!(matches!(answer.status, 403 | 409), "{}", answer.text);
        body["clientPunchId"] = json!("1");
        body["at"] = json!(hotel.now().plus_seconds(-600));
        let later = json!({ "deviceId": "dev_T", "sentAt": hotel.now(), "punches": [body] });
        let answer = hotel.ask(Ask::post(REPLAY).by(&token).key(&hotel.ids.hex::<8>()).json(&later)).await.done();
        assert_eq!(answer["results"][0]["outcome"], "refused", "{answer}");
    }
    assert_eq!(hotel.count("staff.clock_entries").await, 0);
    hotel.punch_clock(&zarmina.staff, "in").await.done();
    hotel.clock.advance_seconds(3_600);
    let mut body = shown(&zarmina.code, "748291", "out");
    (body["clientPunchId"], body["at"]) = (json!("2"), json!(hotel.now().plus_seconds(-600)));
    let later = json!({ "deviceId": "dev_T", "sentAt": hotel.now(), "punches": [body] });
    let claims = hotel.claims(Role::Service, None);
    let token = hotel.key.mint(&Claims { properties: vec![elsewhere.to_string()], ..claims });
    let answer = hotel.ask(Ask::post(REPLAY).by(&token).key(&hotel.ids.hex::<8>()).json(&later)).await.done();
    assert_eq!(answer["results"][0]["code"], "MELMASTOON.STAFF.PROPERTY_FORBIDDEN", "who came at home goes at home");
    let claims = hotel.claims(Role::Staff, StaffId::parse(&zarmina.staff).ok().as_ref());
    let own = Claims { properties: vec![elsewhere.to_string()], ..claims };
    let later = json!({ "deviceId": "dev_Z", "sentAt": hotel.now(), "punches": [
        { "clientPunchId": "1", "kind": "out", "at": hotel.now().plus_seconds(-600) },
        { "clientPunchId": "2", "kind": "in", "at": hotel.now().plus_seconds(-300) },
    ] });
    let ask = Ask::post(REPLAY).by(&hotel.key.mint(&own)).key(&hotel.ids.hex::<8>());
    let answer = hotel.ask(ask.json(&later)).await.done();
    assert_eq!(answer["results"][0]["outcome"], "recorded", "whoever came may go: {answer}");
    assert_eq!(answer["results"][1]["code"], "MELMASTOON.STAFF.PROPERTY_FORBIDDEN", "{answer}");
}

#[tokio::test]
async fn a_terminal_sends_later_what_several_people_punched_and_says_so_in_every_event() {
    let hotel = TestHotel::open().await;
    let (zarmina, laila) = (hotel.with_pin("Zarmina", "748291").await, hotel.with_pin("Laila", "192837").await);
    hotel.news().await;
    let one = |number: &str, code: &str, pin: &str, kind: &str, at: &str| json!({ "clientPunchId": number, "staffCode": code, "pin": pin, "kind": kind, "at": at });
    let sent = json!({ "deviceId": "dev_T", "sentAt": hotel.now(), "punches": [
        one("4", &laila.code, "192837", "out", "2026-04-22T05:00:00Z"),
        one("1", &zarmina.code, "748291", "in", "2026-04-22T03:00:00Z"),
        one("3", &laila.code, "192837", "in", "2026-04-22T03:10:00Z"),
        one("2", &zarmina.code, "111111", "out", "2026-04-22T04:00:00Z"),
    ] });
    let path = "/staff/v1/clock/offline-replay";
    let answer = at_terminal(&hotel, path, sent.clone()).await.done();
    let outcome = |answer: &Value, at: usize| text(&answer["results"][at]["outcome"]);
    let outcomes: Vec<_> = (0..4).map(|at| outcome(&answer, at)).collect();
    assert_eq!(outcomes, ["recorded", "recorded", "recorded", "refused"], "{answer}");
    assert_eq!(answer["results"][3]["code"], REFUSED);
    let again = at_terminal(&hotel, path, sent).await.done();
    assert_eq!((0..3).map(|at| outcome(&again, at)).collect::<Vec<_>>(), ["duplicate"; 3]);
    assert_eq!(again["results"][0]["clockEntryId"], answer["results"][0]["clockEntryId"]);
    let news = hotel.news().await;
    let punched = news.iter().filter(|event| text(&event["eventType"]).contains(".clock.")).collect::<Vec<_>>();
    assert_eq!(punched.len(), 3);
    for event in &punched {
        assert_eq!(event["metadata"]["fromOfflineReplay"], true, "{event}");
        assert_eq!(event["payload"]["fromOfflineReplay"], true);
    }
    for event in &news {
        assert_eq!(event["producedBy"], "staff-service", "{event}");
        let wanted = contracts::catalogue::find(&text(&event["eventType"])).unwrap().retention.class.to_string();
        assert_eq!(event["metadata"]["retentionClass"], wanted.as_str());
        assert!(event["metadata"]["orderingKey"].is_string());
    }
    hotel.clock.advance_seconds(600);
    hotel.punch_clock(&zarmina.staff, "out").await.done();
    let live = hotel.news().await;
    assert!(live.iter().all(|event| event["metadata"].get("fromOfflineReplay").is_none()), "{live:?}");
}

#[tokio::test]
async fn a_right_pin_is_no_wrong_one_whatever_becomes_of_the_punch() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.with_pin("Zarmina", "748291").await;
    for _ in 0..7 {
        let out = at_terminal(&hotel, PUNCHES, shown(&zarmina.code, "748291", "out")).await;
        out.refused(409, "MELMASTOON.STAFF.CLOCK_SEQUENCE");
    }
    for _ in 0..7 {
        let ask = Ask::post(PUNCHES).by(&hotel.service()).key("once");
        let came = hotel.ask(ask.json(&shown(&zarmina.code, "748291", "in"))).await;
        assert_eq!(came.status, 201, "{}", came.text);
    }
    assert_eq!(hotel.count("staff.pin_attempts WHERE failures > 0").await, 0);
    assert_eq!(hotel.count("staff.pin_sources").await, 1, "the terminal is known");
}

#[tokio::test]
async fn a_number_that_two_people_share_in_one_replay_refuses_one_of_them_and_nobody_else() {
    let hotel = TestHotel::open().await;
    let (zarmina, laila) = (hotel.with_pin("Zarmina", "748291").await, hotel.with_pin("Laila", "192837").await);
    let nasrin = hotel.with_pin("Nasrin", "564738").await;
    let one = |number: &str, code: &str, pin: &str| json!({ "clientPunchId": number, "staffCode": code, "pin": pin, "kind": "in", "at": "2026-04-22T02:00:00Z" });
    let sent = json!({ "deviceId": "dev_T", "sentAt": hotel.now(), "punches": [
        one("1", &zarmina.code, "748291"),
        one("1", &laila.code, "192837"),
        one("2", &nasrin.code, "564738"),
    ] });
    let path = "/staff/v1/clock/offline-replay";
    for taken in ["recorded", "duplicate"] {
        let answer = at_terminal(&hotel, path, sent.clone()).await.done();
        let mut outcomes: Vec<_> = (0..3).map(|at| text(&answer["results"][at]["outcome"])).collect();
        assert_eq!(outcomes.pop().as_deref(), Some(taken), "{answer}");
        outcomes.sort();
        assert_eq!(outcomes, [taken, "refused"], "{answer}");
        let reused = |one: &&Value| one["code"] == "MELMASTOON.STAFF.CLIENT_PUNCH_ID_REUSED";
        assert_eq!(answer["results"].as_array().unwrap().iter().filter(reused).count(), 1);
    }
}

#[tokio::test]
async fn a_code_that_was_mistyped_keeps_nobody_elses_punches_back() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.with_pin("Zarmina", "748291").await;
    let one = |number: &str, code: &str, kind: &str, at: &str| json!({ "clientPunchId": number, "staffCode": code, "pin": "748291", "kind": kind, "at": at });
    let sent = json!({ "deviceId": "dev_T", "sentAt": hotel.now(), "punches": [
        one("1", "7", "in", "2026-04-22T02:00:00Z"),
        one("2", &zarmina.code, "in", "2026-04-22T03:00:00Z"),
        one("3", &format!("{} ", zarmina.code), "out", "2026-04-22T04:00:00Z"),
    ] });
    let answer = at_terminal(&hotel, REPLAY, sent).await.done();
    let outcomes: Vec<_> = (0..3).map(|at| text(&answer["results"][at]["outcome"])).collect();
    assert_eq!(outcomes, ["refused", "recorded", "refused"], "{answer}");
    for at in [0, 2] {
        assert_eq!(answer["results"][at]["code"], "MELMASTOON.STAFF.INVALID_VALUE", "{answer}");
    }
    let live = at_terminal(&hotel, PUNCHES, shown("7", "748291", "in")).await;
    live.refused(400, "MELMASTOON.STAFF.INVALID_VALUE").naming("staffCode");
    let without = json!({ "deviceId": "dev_T", "sentAt": hotel.now(), "punches": [
        { "clientPunchId": "4", "staffCode": zarmina.code, "kind": "out", "at": "2026-04-22T04:00:00Z" },
    ] });
    at_terminal(&hotel, REPLAY, without).await.refused(400, "MELMASTOON.STAFF.INVALID_VALUE").naming("staffCode");
}

#[tokio::test]
async fn of_two_who_send_one_number_of_a_device_at_the_same_moment_one_is_told_that_it_is_anothers() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    // Both have looked whether the number is known before either can write.
    let held = hotel.database_connection().await;
    held.batch_execute("BEGIN; LOCK TABLE staff.clock_entries IN EXCLUSIVE MODE").await.unwrap();
    let live = json!({ "kind": "in", "deviceId": "dev_1", "clientPunchId": "n-1" });
    let kept = json!({
        "deviceId": "dev_1", "sentAt": hotel.now(),
        "punches": [{ "clientPunchId": "n-1", "kind": "in", "at": hotel.now().plus_seconds(-600) }],
    });
    let (first, second) = (hotel.own(&gulalai), hotel.own(&nasrin));
    let release = async {
        crate::reservation_waiting::waiting_for_locks(&hotel, 2).await;
        held.batch_execute("COMMIT").await.unwrap();
    };
    let (one, other, ()) =
        tokio::join!(hotel.post(&first, PUNCHES, live.clone()), hotel.post(&second, PUNCHES, live), release);
    let (taken, refused) = if one.status == 201 { (one, other) } else { (other, one) };
    assert_eq!(taken.status, 201, "{}", taken.text);
    refused.refused(422, "MELMASTOON.STAFF.CLIENT_PUNCH_ID_REUSED");
    let third = hotel.employ("Palwasha").await;
    let answer = hotel.post(&hotel.own(&third), "/staff/v1/clock/offline-replay", kept).await.done();
    assert_eq!(answer["results"][0]["code"], "MELMASTOON.STAFF.CLIENT_PUNCH_ID_REUSED");
    assert_eq!(hotel.count("staff.clock_entries").await, 1);
}

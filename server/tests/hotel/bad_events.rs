//! Whatever is pushed: applied, filed in the dead letters with its reason, or refused. Never lost, never half done.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use contracts::ids::{StaffId, TenantId};
use platform::auth::Role;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, Door, Happening, TestHotel};

const CHECKED_OUT: &str = "melmastoon.reservation.checked_out.v1";
const MALFORMED: &str = "MELMASTOON.PLATFORM.MALFORMED_REQUEST";

async fn hotel_and_room() -> (TestHotel, Door) {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    (hotel, room)
}

async fn nothing_happened(hotel: &TestHotel, room: &Door, what: &str) {
    assert!(hotel.tasks(room).await.is_empty(), "{what} opened a task");
    assert_eq!(hotel.board().await.room("101").status, "ready", "{what} changed the room");
    assert_eq!(hotel.count("housekeeping.outbox").await, 0, "{what} was announced");
    assert_eq!(hotel.count("housekeeping.inbox").await, 0, "{what} counts as handled");
}

#[tokio::test]
async fn what_can_be_read_but_never_applied_is_acknowledged_and_filed_under_its_event_id() {
    let (hotel, room) = hotel_and_room().await;
    let departure = || hotel.checked_out(&room);
    let other: TenantId = hotel.next();
    let v9 = Happening { subject: "melmastoon.reservation.checked_out.v9".to_owned(), ..departure() };
    let cases: Vec<(&str, Happening)> = vec![
        ("EVENT_TENANT_MISMATCH", departure().with("/payload/tenantId", json!(other))),
        ("EVENT_SCHEMA_MISMATCH", departure().without("/payload", "tenantId")),
        ("EVENT_UNREADABLE", departure().without("", "payload")),
        ("EVENT_UNREADABLE", departure().with("/payload", json!(null))),
        ("EVENT_UNREADABLE", departure().with("/payload", json!([1, 2]))),
        ("EVENT_UNREADABLE", departure().with("/payload", json!("text"))),
        ("EVENT_VERSION_UNKNOWN", v9.with("/subject", json!("melmastoon.reservation.checked_out.v9"))),
        ("SUBJECT_MISMATCH", departure().with("/subject", json!("melmastoon.reservation.checked_in.v1"))),
        ("EVENT_UNREADABLE", departure().with("/subject", json!("checked out"))),
        ("EVENT_SCHEMA_MISMATCH", departure().with("/payload", json!({}))),
        ("EVENT_SCHEMA_MISMATCH", departure().with("/payload/rooms", json!("all"))),
        ("EVENT_SCHEMA_MISMATCH", departure().with("/payload/rooms/0/roomId", json!(101))),
        ("EVENT_SCHEMA_MISMATCH", departure().with("/payload/rooms/0/roomId", json!("room 101; --"))),
        (
            "EVENT_SCHEMA_MISMATCH",
            departure().with("/payload/rooms/0/roomId", json!("rom_".to_owned() + &"x".repeat(65))),
        ),
        ("EVENT_SCHEMA_MISMATCH", departure().with("/payload/checkedOutAt", json!("this morning"))),
        ("EVENT_SCHEMA_MISMATCH", departure().with("/payload/checkedOutAt", json!(1_776_839_400))),
        ("EVENT_SCHEMA_MISMATCH", departure().with("/payload/earlyCheckout", json!("no"))),
        ("EVENT_UNREADABLE", departure().with("/occurredAt", json!("2026-02-30T00:00:00Z"))),
        ("EVENT_UNREADABLE", departure().with("/tenantId", json!("the hotel"))),
        ("EVENT_UNREADABLE", departure().adding("", "metadata", json!(7))),
    ];
    for (code, event) in cases {
        hotel.deliver(&event).await;
        let letters = hotel.dead_letters().await;
        let last = letters.last().unwrap_or_else(|| panic!("{code}: nothing was filed"));
        assert_eq!(last, &(Some(event.id()), format!("MELMASTOON.HOUSEKEEPING.{code}")), "{}", event.envelope);
        nothing_happened(&hotel, &room, &event.envelope.to_string()).await;
        hotel.clock.advance_seconds(1);
    }
}

#[tokio::test]
async fn a_shift_of_eight_thousand_years_is_filed_and_not_sent_again_for_ever() {
    let hotel = TestHotel::open().await;
    let (shift, staff) = (hotel.next(), StaffId::parse("stf_PARWIN").unwrap());
    let forever = json!({ "startUtc": "1999-01-01T00:00:00Z", "endUtc": "9999-01-01T00:00:00Z" });
    hotel.deliver(&hotel.shift_scheduled(&shift).with("/payload/windowUtc", forever)).await;
    let assigned = hotel.shift_assigned(&shift, &staff);
    hotel.deliver(&assigned).await;
    let filed = (Some(assigned.id()), "MELMASTOON.HOUSEKEEPING.EVENT_UNSTORABLE".to_owned());
    assert_eq!(hotel.dead_letters().await, [filed]);
}

#[tokio::test]
async fn a_dead_letter_says_where_the_fault_is() {
    let (hotel, room) = hotel_and_room().await;
    let event = hotel.checked_out(&room).with("/payload/rooms/0/roomId", json!(101));
    hotel.deliver(&event).await;
    hotel.deliver(&event).await;
    let sql = "SELECT pointer, error, attempts, message, tenant_id, subject FROM housekeeping.dead_letters";
    let rows = hotel.behind.query(sql, &[]).await.unwrap();
    assert_eq!(rows.len(), 1, "the same one again is counted, not kept twice");
    let row = &rows[0];
    assert_eq!(row.get::<_, Option<&str>>("pointer"), Some("/rooms/0/roomId"));
    assert!(row.get::<_, &str>("error").contains("101"), "{}", row.get::<_, &str>("error"));
    assert_eq!(row.get::<_, i32>("attempts"), 2);
    assert_eq!(row.get::<_, &str>("tenant_id"), hotel.tenant.as_str());
    assert_eq!(row.get::<_, &str>("subject"), CHECKED_OUT);
    let kept: Value = serde_json::from_str(row.get("message")).unwrap();
    assert_eq!(kept, event.envelope, "the message is kept whole");
}

#[tokio::test]
async fn what_cannot_be_read_at_all_is_refused_or_filed() {
    let (hotel, room) = hotel_and_room().await;
    let departure = hotel.checked_out(&room).envelope.to_string();
    let nested =
        |depth: usize| departure.replace("\"sys_test\"", &format!("{}1{}", "[".repeat(depth), "]".repeat(depth)));
    let events: Vec<(&str, Vec<u8>)> = vec![
        ("not UTF-8", vec![0xff, 0xfe, 0x00]),
        ("a raw NUL", departure.replace("test", "te\0st").into_bytes()),
        ("an escaped NUL", departure.replace("sys_test", "sys\\u0000test").into_bytes()),
        ("not JSON", b"the guest has left".to_vec()),
        ("half of it", departure.as_bytes()[..departure.len() / 2].to_vec()),
        ("nothing", Vec::new()),
        ("a list", b"[1,2,3]".to_vec()),
        ("a number", b"42".to_vec()),
        ("nested a hundred deep", nested(100).into_bytes()),
        ("nested a hundred thousand deep", nested(80_000).into_bytes()),
        ("no envelope", b"{}".to_vec()),
        ("an id that is none", departure.replace("\"id\":\"evt_", "\"id\":\"?").into_bytes()),
        (
            "twice the same key",
            departure.replace("\"producer\":\"test\"", "\"producer\":\"a\",\"producer\":\"b\"").into_bytes(),
        ),
    ];
    for (what, event) in events {
        // The same event id again is counted on its letter.
        let filed = async || hotel.count("housekeeping.dead_letters, generate_series(1, attempts)").await;
        let before = filed().await;
        let answer = hotel.push_bytes(CHECKED_OUT, &event).await;
        match answer.status {
            204 => assert_eq!(filed().await, before + 1, "{what} is neither applied nor filed"),
            400 => drop(answer.refused(400, MALFORMED)),
            other => panic!("{what}: {other} {}", answer.text),
        }
        nothing_happened(&hotel, &room, what).await;
    }
    let mut large = hotel.checked_out(&room);
    large.envelope["padding"] = json!("x".repeat(256 * 1024));
    hotel.push(&large).await.refused(413, "MELMASTOON.PLATFORM.BODY_TOO_LARGE");
    let mut larger = hotel.checked_out(&room);
    larger.envelope["padding"] = json!("x".repeat(1024 * 1024));
    hotel.push(&larger).await.refused(413, "MELMASTOON.PLATFORM.BODY_TOO_LARGE");
    nothing_happened(&hotel, &room, "a large one").await;
}

#[tokio::test]
async fn a_wrapping_that_is_none_is_refused() {
    let (hotel, room) = hotel_and_room().await;
    let path = format!("/internal/events/{CHECKED_OUT}");
    let bodies = [
        "{".to_owned(),
        "{}".to_owned(),
        "[]".to_owned(),
        json!({ "message": {} }).to_string(),
        json!({ "message": { "data": 7 } }).to_string(),
        json!({ "message": { "data": "not base64!" } }).to_string(),
        json!({ "message": { "data": BASE64.encode("{}") + "=" } }).to_string(),
        hotel.checked_out(&room).envelope.to_string(),
    ];
    for body in bodies {
        hotel.ask(Ask::post(&path).by(&hotel.service()).bytes(body)).await.refused(400, MALFORMED);
    }
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn unknown_fields_and_unknown_kinds_of_actors_pass() {
    let (hotel, room) = hotel_and_room().await;
    let departure = hotel
        .checked_out(&room)
        .adding("", "colour", json!("blue"))
        .adding("/payload", "mood", json!({ "nested": [1, 2] }))
        .adding("/payload/rooms/0", "view", json!("garden"))
        .with("/actor", json!({ "type": "robot", "id": "rob_1" }))
        .with("/payload/actor", json!({ "type": "robot", "id": "rob_1", "battery": 7 }));
    hotel.deliver(&departure).await;
    assert_eq!(hotel.board().await.room("101").status, "dirty");
    assert!(hotel.dead_letters().await.is_empty());
    assert_eq!(hotel.news().await[0]["actor"], json!({ "type": "robot", "id": "rob_1" }));
}

#[tokio::test]
async fn the_short_form_of_a_subject_is_an_alias() {
    let (hotel, room) = hotel_and_room().await;
    let event = hotel.checked_out(&room).envelope.to_string();
    assert_eq!(hotel.push_bytes("reservation.checked-out", event.as_bytes()).await.status, 204);
    assert_eq!(hotel.board().await.room("101").status, "dirty");
}

#[tokio::test]
async fn a_subject_that_nobody_here_listens_to_is_not_found() {
    let (hotel, room) = hotel_and_room().await;
    let event = hotel.checked_out(&room).envelope.to_string();
    for subject in [
        "melmastoon.housekeeping.linen.low_stock_alert.v1",
        "nonsense",
        "melmastoon.housekeeping.task.created.v1",
        "%00",
    ] {
        let answer = hotel.push_bytes(subject, event.as_bytes()).await;
        assert!(matches!(answer.status, 400 | 404), "{subject}: {}", answer.text);
    }
    nothing_happened(&hotel, &room, "an unknown subject").await;
}

#[tokio::test]
async fn nobody_pushes_for_another_tenant_or_without_the_role() {
    let (hotel, room) = hotel_and_room().await;
    let departure = hotel.checked_out(&room);
    let wrapped = hotel.wrapped(CHECKED_OUT, departure.envelope.to_string().as_bytes());
    let with =
        |token: &str| Ask { headers: vec![], ..wrapped.clone() }.by(token).header("content-type", "application/json");

    let other: TenantId = hotel.next();
    let answer = hotel.ask(with(&hotel.token_of_tenant(Role::Service, &other))).await;
    answer.refused(403, "MELMASTOON.PLATFORM.FORBIDDEN");
    for role in Role::ALL.into_iter().filter(|role| *role != Role::Service) {
        let answer = hotel.ask(with(&hotel.token(role, StaffId::parse("stf_X").ok().as_ref()))).await;
        answer.refused(403, "MELMASTOON.PLATFORM.FORBIDDEN").naming("service");
    }
    hotel.ask(Ask { headers: vec![], ..wrapped.clone() }).await.refused(401, "MELMASTOON.PLATFORM.UNAUTHENTICATED");
    nothing_happened(&hotel, &room, "a stranger's push").await;
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn a_strangers_unreadable_message_is_filed_with_the_stranger() {
    let (hotel, room) = hotel_and_room().await;
    let event = hotel.checked_out(&room).without("", "payload").envelope.to_string();
    let other: TenantId = hotel.next();
    let wrapped = hotel.wrapped(CHECKED_OUT, event.as_bytes());
    let ask = Ask { headers: vec![], ..wrapped }.by(&hotel.token_of_tenant(Role::Service, &other));
    assert_eq!(hotel.ask(ask).await.status, 204);
    assert_eq!(hotel.count(&format!("housekeeping.dead_letters WHERE tenant_id = '{other}'")).await, 1);
    assert_eq!(hotel.count(&format!("housekeeping.dead_letters WHERE tenant_id = '{}'", hotel.tenant)).await, 0);
}

#[tokio::test]
async fn many_rooms_in_one_departure_are_one_change() {
    let hotel = TestHotel::open().await;
    let mut doors = Vec::new();
    for number in 100..160 {
        doors.push(hotel.ready_room(&number.to_string()).await);
    }
    let stay = hotel.next();
    hotel.deliver(&hotel.checked_out_of(&stay, &doors.iter().collect::<Vec<_>>())).await;
    assert_eq!(hotel.published().await.len(), 120);
    assert_eq!(hotel.count("housekeeping.room_status WHERE status = 'dirty'").await, 60);
}

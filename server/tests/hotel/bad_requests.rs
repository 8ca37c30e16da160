//! Whatever comes in over REST: a 4xx that names the field, a code that stays, and nothing half done.

use axum::http::Method;
use contracts::housekeeping::TaskKind;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, Door, TestHotel, text};

const INVALID: &str = "MELMASTOON.HOUSEKEEPING.INVALID_VALUE";
const MALFORMED: &str = "MELMASTOON.PLATFORM.MALFORMED_REQUEST";
const OUT_OF_BOUNDS: &str = "MELMASTOON.HOUSEKEEPING.INVALID_VALUE";

struct Case {
    hotel: TestHotel,
    room: Door,
    task: String,
}

impl Case {
    async fn new() -> Self {
        let hotel = TestHotel::open().await;
        let room = hotel.ready_room("101").await;
        hotel.deliver(&hotel.checked_out(&room)).await;
        let task = hotel.open_task(&room).await;
        Self { hotel, room, task }
    }

    fn task_path(&self, rest: &str) -> String {
        format!("/housekeeping/v1/tasks/{}{rest}", self.task)
    }

    async fn post(&self, path: &str, body: impl Into<Vec<u8>>) -> crate::test_hotel::Answer {
        self.hotel.ask(Ask::post(path).by(&self.hotel.supervisor()).bytes(body)).await
    }

    async fn get(&self, path: &str) -> crate::test_hotel::Answer {
        self.hotel.get(&self.hotel.supervisor(), path).await
    }

    fn order(&self) -> Value {
        json!({ "propertyId": self.hotel.property, "roomId": self.room.id, "kind": TaskKind::Turnover })
    }

    fn order_with(&self, field: &str, value: Value) -> String {
        let mut order = self.order();
        order[field] = value;
        order.to_string()
    }
}

#[tokio::test]
async fn bodies_that_cannot_be_read_are_refused_and_the_field_is_named() {
    let case = Case::new().await;
    let before = case.hotel.count("housekeeping.audit_events").await;
    let deep = format!("{{\"note\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let bodies: Vec<(Vec<u8>, &str, &str)> = vec![
        (b"{\"propertyId\":".to_vec(), MALFORMED, "not JSON"),
        (b"{} {}".to_vec(), INVALID, "propertyId"),
        (b"[]".to_vec(), MALFORMED, "object"),
        (b"\"text\"".to_vec(), MALFORMED, "object"),
        (b"\xff\xfe".to_vec(), MALFORMED, ""),
        (b"{}".to_vec(), INVALID, "propertyId"),
        (deep.into_bytes(), INVALID, "note"),
        (case.order_with("propertyId", json!(5)).into_bytes(), INVALID, "propertyId"),
        (case.order_with("propertyId", json!("Hotel Chinar")).into_bytes(), INVALID, "propertyId"),
        (case.order_with("roomId", json!("x".repeat(500))).into_bytes(), INVALID, "roomId"),
        (case.order_with("roomId", json!(null)).into_bytes(), INVALID, "roomId"),
        (case.order_with("kind", json!("polish")).into_bytes(), INVALID, "mid_stay_clean"),
        (case.order_with("priority", json!("now")).into_bytes(), INVALID, "priority"),
        (case.order_with("scheduledFor", json!("tomorrow")).into_bytes(), INVALID, "scheduledFor"),
        (case.order_with("reservationId", json!({})).into_bytes(), INVALID, "reservationId"),
        (case.order_with("note", json!("x".repeat(2_001))).into_bytes(), OUT_OF_BOUNDS, "note"),
        (case.order_with("note", json!("a\0b")).into_bytes(), MALFORMED, "NUL"),
        (b"{\"note\":\"a\0b\"}".to_vec(), MALFORMED, "NUL"),
        (b"{\"kind\":\"turnover\",\"kind\":\"inspection\"}".to_vec(), MALFORMED, "kind"),
    ];
    for (body, code, names) in bodies {
        let shown = String::from_utf8_lossy(&body).chars().take(80).collect::<String>();
        let answer = case.post("/housekeeping/v1/tasks", body).await;
        assert_eq!(answer.status, 400, "{shown}: {}", answer.text);
        answer.refused(400, code).naming(names);
    }
    assert_eq!(case.hotel.count("housekeeping.audit_events").await, before);
    assert_eq!(case.hotel.tasks(&case.room).await.len(), 1);
}

#[tokio::test]
async fn every_command_names_the_field_that_is_wrong() {
    let case = Case::new().await;
    let gulalai = case.hotel.person_on_shift().await;
    case.hotel.begin(&case.task, &gulalai).await;
    let twice =
        json!({ "checklistResults": [{ "itemKey": "bed", "checked": true }, { "itemKey": "bed", "checked": true }] });
    let many: Value = (0..201).map(|n| json!({ "itemKey": format!("k{n}"), "checked": true })).collect();
    let commands = [
        ("assign", json!({}), INVALID, "staffId"),
        ("assign", json!({ "staffId": "somebody" }), INVALID, "staffId"),
        ("assign", json!({ "staffId": "stf_1", "force": "yes" }), INVALID, "force"),
        ("assign", json!({ "staffId": "stf_1", "reason": "because" }), INVALID, "reason"),
        ("pause", json!({}), INVALID, "reason"),
        ("pause", json!({ "reason": "tired" }), INVALID, "reason"),
        ("complete", json!({ "checklistResults": {} }), INVALID, "checklistResults"),
        (
            "complete",
            json!({ "checklistResults": [{ "itemKey": "bed", "checked": "yes" }] }),
            INVALID,
            "checklistResults[0].checked",
        ),
        ("complete", twice, OUT_OF_BOUNDS, "checklistResults"),
        ("complete", json!({ "checklistResults": many }), OUT_OF_BOUNDS, "checklistResults"),
        ("complete", json!({ "linen": { "issued": -1, "returned": 0 } }), INVALID, "linen.issued"),
        ("complete", json!({ "linen": { "issued": 1_000_000, "returned": 0 } }), OUT_OF_BOUNDS, "linen"),
        ("fail", json!({ "reason": "lazy" }), INVALID, "reason"),
        ("cancel", json!({}), INVALID, "reason"),
        ("cancel", json!({ "reason": "  " }), OUT_OF_BOUNDS, "reason"),
        ("inspections", json!({ "outcome": "perhaps" }), INVALID, "outcome"),
        ("inspections", json!({ "outcome": "fail" }), OUT_OF_BOUNDS, "reason"),
    ];
    for (verb, body, code, names) in commands {
        let answer = case.post(&case.task_path(&format!("/{verb}")), body.to_string()).await;
        assert_eq!(answer.status, 400, "{verb} {body}: {}", answer.text);
        answer.refused(400, code).naming(names);
    }
    let path = case.task_path("/priority");
    case.hotel
        .patch(&case.hotel.supervisor(), &path, json!({ "priority": 1 }))
        .await
        .refused(400, INVALID)
        .naming("priority");
    let path = format!("/housekeeping/v1/rooms/{}/status", case.room.id);
    case.post(&path, json!({ "status": "tidy" }).to_string()).await.refused(400, INVALID).naming("status");
    for (field, value) in [
        ("timezone", json!("Mars/Olympus")),
        ("timezone", json!("Etc/Unknown")),
        ("locale", json!("ps AF; DROP TABLE")),
        ("lostFoundRetentionDays", json!(0)),
        ("estimatedMinutes", json!({ "turnover": 0 })),
        ("estimatedMinutes", json!({ "polish": 10 })),
    ] {
        let mut body = json!({});
        body[field] = value;
        let answer = case.hotel.put(&case.hotel.manager(), "/housekeeping/v1/settings", body).await;
        answer.refused(400, OUT_OF_BOUNDS).naming(field);
    }
    let answer =
        case.hotel.put(&case.hotel.manager(), "/housekeeping/v1/settings", json!({ "routingGate": "open" })).await;
    answer.refused(400, INVALID).naming("routingGate");
}

#[tokio::test]
async fn a_value_of_the_wrong_kind_is_told_in_words_of_the_interface_and_not_of_our_source() {
    let case = Case::new().await;
    for (verb, body, wanted) in [
        ("complete", json!({ "linen": { "issued": "three", "returned": 0 } }), "a whole number"),
        ("complete", json!({ "linen": { "issued": 1.5, "returned": 0 } }), "a whole number"),
        ("complete", json!({ "linen": { "issued": -1, "returned": 0 } }), "a whole number from 0 to 4294967295"),
        ("complete", json!({ "linen": 3 }), "expected an object"),
        ("complete", json!({ "checklistResults": {} }), "an object, expected a list"),
        ("complete", json!({ "checklistResults": [7] }), "expected an object"),
        ("escalate", json!({ "to": "supervisor", "reason": "late" }), "expected an object"),
        ("maintenance-required", json!({ "issue": [], "outcome": "pause" }), "expected an object"),
    ] {
        let answer = case.post(&case.task_path(&format!("/{verb}")), body.to_string()).await;
        answer.refused(400, INVALID).naming(wanted);
        assert!(!answer.text.contains("struct") && !answer.text.contains("u32"), "{}", answer.text);
    }
}

#[tokio::test]
async fn garbage_in_a_query_names_the_parameter() {
    let case = Case::new().await;
    let (property, room) = (case.hotel.property.clone(), case.room.id.clone());
    let cases = [
        ("/housekeeping/v1/tasks?limit=0".to_owned(), "limit"),
        ("/housekeeping/v1/tasks?limit=-1".to_owned(), "limit"),
        ("/housekeeping/v1/tasks?limit=many".to_owned(), "limit"),
        ("/housekeeping/v1/tasks?limit=".to_owned(), "limit"),
        ("/housekeeping/v1/tasks?cursor=nonsense".to_owned(), "cursor"),
        ("/housekeeping/v1/tasks?cursor=%F0%9F%98%80".to_owned(), "cursor"),
        ("/housekeeping/v1/tasks?updatedSince=yesterday".to_owned(), "updatedSince"),
        ("/housekeeping/v1/tasks?scheduledFor=2026-13-01T00:00:00Z".to_owned(), "scheduledFor"),
        ("/housekeeping/v1/tasks?status=busy".to_owned(), "status"),
        ("/housekeeping/v1/tasks?kind=polish".to_owned(), "kind"),
        ("/housekeeping/v1/tasks?roomId=101".to_owned(), "roomId"),
        ("/housekeeping/v1/tasks?assigneeStaffId=me".to_owned(), "assigneeStaffId"),
        ("/housekeeping/v1/tasks?propertyId=chinar".to_owned(), "propertyId"),
        ("/housekeeping/v1/rooms".to_owned(), "propertyId"),
        (format!("/housekeeping/v1/rooms?propertyId={property}&limit=x"), "limit"),
        (format!("/housekeeping/v1/rooms?propertyId={property}&cursor=x"), "cursor"),
        (format!("/housekeeping/v1/rooms/{room}/history?at=noon"), "at"),
        (format!("/housekeeping/v1/rooms/{room}/history?limit=x"), "limit"),
        ("/housekeeping/v1/board".to_owned(), "propertyId"),
        ("/housekeeping/v1/board/stream".to_owned(), "propertyId"),
        ("/housekeeping/v1/checklists?kind=polish".to_owned(), "kind"),
    ];
    for (path, field) in cases {
        let answer = case.get(&path).await;
        assert_eq!(answer.status, 400, "{path}: {}", answer.text);
        answer.refused(400, INVALID).naming(field);
    }
    for path in ["/housekeeping/v1/tasks?limit=1&limit=2", "/housekeeping/v1/tasks?roomId=a%00b"] {
        case.get(path).await.refused(400, MALFORMED);
    }
    let service = case.hotel.service();
    for query in ["after=-1", "after=x", "limit=0", "after=99999999999999999999"] {
        let answer = case.hotel.get(&service, &format!("/events/v1/feed?{query}")).await;
        answer.refused(400, "MELMASTOON.EVENTS.INVALID_VALUE").naming(query.split('=').next().unwrap());
    }
    let stream = Ask::get(format!("/housekeeping/v1/board/stream?propertyId={property}")).by(&case.hotel.supervisor());
    case.hotel.ask(stream.header("last-event-id", "latest")).await.refused(400, INVALID).naming("Last-Event-ID");
}

#[tokio::test]
async fn a_strange_but_readable_query_finds_nothing_and_breaks_nothing() {
    let case = Case::new().await;
    let cursor = |text: &str| {
        use base64::Engine;
        base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(format!("1:{text}"))
    };
    for query in [
        format!("cursor={}", cursor("not-a-task")),
        format!("cursor={}", cursor("hkt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ")),
        "updatedSince=9999-12-31T23:59:59Z".to_owned(),
        "roomId=rom_%27OR1".to_owned(),
    ] {
        let answer = case.get(&format!("/housekeeping/v1/tasks?{query}")).await;
        assert!(
            answer.status == 200 && answer.body["items"] == json!([]) || answer.status == 400,
            "{query}: {}",
            answer.text
        );
    }
    assert_eq!(case.get("/housekeeping/v1/tasks?updatedSince=0000-01-01T00:00:00Z").await.status, 200);
    for limit in ["5000", "99999999999999999999"] {
        let answer = case.get(&format!("/housekeeping/v1/tasks?limit={limit}")).await;
        assert_eq!(answer.status, 200, "more than the most is capped, however much more");
    }
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let case = Case::new().await;
    let unknown: contracts::ids::TaskId = case.hotel.next();
    for id in [unknown.as_str(), "hkt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "hkt_00000000000000000000000000", "hkt_mine"] {
        case.get(&format!("/housekeeping/v1/tasks/{id}")).await.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
        let start = case.post(&format!("/housekeeping/v1/tasks/{id}/start"), "{}").await;
        start.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    }
    for id in ["bananas", "%00", "%FF", "hkt_%00", "..%2f..%2fetc"] {
        case.get(&format!("/housekeeping/v1/tasks/{id}")).await.refused(404, "MELMASTOON.PLATFORM.NOT_FOUND");
    }
    for id in ["bananas", "%00", "%FF", "med_%00", "med_", "..%2f..%2fetc"] {
        case.get(&format!("/housekeeping/v1/media/{id}")).await.refused(404, "MELMASTOON.PLATFORM.NOT_FOUND");
    }
    case.get("/housekeeping/v1/media/med_MINE").await.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    for path in ["/housekeeping/v1", "/housekeeping/v2/tasks", "/housekeeping/v1/tasks/x/y/z", "/reservation/v2/quotes"]
    {
        case.get(path).await.refused(404, "MELMASTOON.PLATFORM.NO_SUCH_ROUTE");
    }
}

#[tokio::test]
async fn the_wrong_method_media_type_or_size_is_told_apart() {
    let case = Case::new().await;
    let wrong = Ask::new(Method::DELETE, case.task_path("")).by(&case.hotel.supervisor());
    let answer = case.hotel.ask(wrong).await;
    answer.refused(405, "MELMASTOON.PLATFORM.METHOD_NOT_ALLOWED");
    assert!(answer.header("allow").is_some_and(|methods| methods.contains("GET")), "{:?}", answer.headers);

    let mut plain = Ask::post("/housekeeping/v1/tasks").by(&case.hotel.supervisor());
    plain.body = case.order().to_string().into_bytes();
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/xml"] {
        let answer = case.hotel.ask(plain.clone().header("content-type", kind)).await;
        answer.refused(415, "MELMASTOON.PLATFORM.UNSUPPORTED_MEDIA_TYPE").naming("application/json");
    }
    case.hotel.ask(plain.clone()).await.refused(415, "MELMASTOON.PLATFORM.UNSUPPORTED_MEDIA_TYPE");
    for kind in ["application/json; charset=utf-8", "application/merge-patch+json"] {
        assert_eq!(case.hotel.ask(plain.clone().header("content-type", kind)).await.status, 201, "{kind}");
    }

    let large = case.order_with("note", json!("x".repeat(300_000)));
    case.post("/housekeeping/v1/tasks", large).await.refused(413, "MELMASTOON.PLATFORM.BODY_TOO_LARGE");
}

#[tokio::test]
async fn an_illegal_transition_says_where_the_task_stands_and_changes_nothing() {
    let case = Case::new().await;
    for verb in ["start", "resume"] {
        let answer = case.post(&case.task_path(&format!("/{verb}")), "{}").await;
        answer.refused(409, "MELMASTOON.HOUSEKEEPING.TASK_ILLEGAL_TRANSITION").naming("pending");
        assert_eq!(answer.body["currentStatus"], "pending");
    }
    let task = case.hotel.task(&case.task).await;
    assert_eq!((&task["status"], &task["version"]), (&json!("pending"), &json!(1)));
}

#[tokio::test]
async fn whoever_has_seen_an_old_version_is_told_to_look_again() {
    let case = Case::new().await;
    let shown = case.get(&case.task_path("")).await;
    assert_eq!(shown.header("etag"), Some("\"1\""));
    let patch = |tag: &str| {
        let ask = Ask::new(Method::PATCH, case.task_path("/priority")).by(&case.hotel.supervisor());
        ask.header("if-match", tag).json(&json!({ "priority": "high" }))
    };
    let stale = case.hotel.ask(patch("\"7\"")).await;
    stale.refused(412, "MELMASTOON.HOUSEKEEPING.STALE_VERSION").naming("If-Match");
    assert_eq!(stale.body["currentVersion"], 1);
    case.hotel.ask(patch("seven")).await.refused(400, INVALID).naming("If-Match");
    let changed = case.hotel.ask(patch("\"1\"")).await;
    assert_eq!((changed.status, changed.header("etag")), (200, Some("\"2\"")));
    case.hotel.ask(patch("\"1\"")).await.refused(412, "MELMASTOON.HOUSEKEEPING.STALE_VERSION");
    assert_eq!(case.hotel.ask(patch("*")).await.status, 200);
    assert_eq!(case.hotel.ask(patch("W/\"2\"")).await.status, 200, "the priority it has is no change");
    let room = Ask::post(format!("/housekeeping/v1/rooms/{}/status", case.room.id)).by(&case.hotel.supervisor());
    let room = room.header("if-match", "\"9\"").json(&json!({ "status": "clean" }));
    case.hotel.ask(room).await.refused(412, "MELMASTOON.HOUSEKEEPING.STALE_VERSION");
}

#[tokio::test]
async fn of_two_who_have_seen_the_same_version_one_wins() {
    let case = Case::new().await;
    let task = |priority: &str| {
        let ask = Ask::new(Method::PATCH, case.task_path("/priority")).by(&case.hotel.supervisor());
        ask.header("if-match", "\"1\"").json(&json!({ "priority": priority }))
    };
    let room = |status: &str| {
        let ask = Ask::post(format!("/housekeeping/v1/rooms/{}/status", case.room.id)).by(&case.hotel.supervisor());
        ask.header("if-match", "\"2\"").json(&json!({ "status": status }))
    };
    let settings = |locale: &str| {
        let ask = Ask::new(Method::PUT, "/housekeeping/v1/settings").by(&case.hotel.manager());
        ask.header("if-match", "\"0\"").json(&json!({ "locale": locale }))
    };
    let again = |locale: &str| {
        let ask = Ask::new(Method::PUT, "/housekeeping/v1/settings").by(&case.hotel.manager());
        ask.header("if-match", "\"1\"").json(&json!({ "locale": locale }))
    };
    let pairs = [
        [task("high"), task("low")],
        [room("clean"), room("ready")],
        [settings("en-GB"), settings("fa-AF")],
        [again("en-US"), again("ps-AF")],
    ];
    for asked in pairs {
        let path = asked[0].path.clone();
        let answers = futures_util::future::join_all(asked.into_iter().map(|ask| case.hotel.ask(ask))).await;
        let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
        statuses.sort_unstable();
        assert!(matches!(statuses[..], [200, 409 | 412]), "{path}: {answers:?}");
    }
}

#[tokio::test]
async fn a_foreign_property_in_a_body_is_refused() {
    let case = Case::new().await;
    let elsewhere: contracts::ids::PropertyId = case.hotel.next();
    let token = case.hotel.token_for_property(platform::auth::Role::Supervisor, &elsewhere);
    let answer = case.hotel.post(&token, "/housekeeping/v1/tasks", case.order()).await;
    answer.refused(403, "MELMASTOON.HOUSEKEEPING.PROPERTY_FORBIDDEN");
}

#[tokio::test]
async fn text_comes_back_byte_for_byte() {
    let case = Case::new().await;
    for note in [
        "'; DROP TABLE housekeeping.rooms; --",
        "{\"a\": \"\\u0041\"}",
        "سلام \u{202e}abc\u{202c}",
        "👩\u{200d}🔧\u{feff}",
        "\\u0000 \\",
    ] {
        let made = case.post("/housekeeping/v1/tasks", case.order_with("note", json!(note))).await.done();
        let shown = case.get(&format!("/housekeeping/v1/tasks/{}", text(&made["id"]))).await.done();
        assert_eq!(shown["note"], note);
    }
}

#[tokio::test]
async fn a_request_is_known_again_by_its_id_and_its_trace() {
    let case = Case::new().await;
    let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let ask = Ask::get("/housekeeping/v1/tasks?limit=x").by(&case.hotel.supervisor());
    let answer = case.hotel.ask(ask.header("x-request-id", "desk-7").header("traceparent", trace)).await;
    assert_eq!(answer.header("x-request-id"), Some("desk-7"));
    assert_eq!(answer.body["traceId"], "4bf92f3577b34da6a3ce929d0e0e4736");
    assert_eq!(answer.body["instance"], "/housekeeping/v1/tasks");
    let answer = case.get("/housekeeping/v1/tasks?limit=x").await;
    assert!(answer.header("x-request-id").is_some_and(|id| id.starts_with("req_")));
    let told = |name: &str| {
        answer.header(name).and_then(|value| value.parse::<u32>().ok()).unwrap_or_else(|| panic!("{name}"))
    };
    assert!(told("ratelimit-remaining") <= told("ratelimit-limit"), "no more is left than there ever was");
}

#[tokio::test]
async fn pages_follow_each_other_without_a_gap_or_a_repetition() {
    let case = Case::new().await;
    for _ in 0..6 {
        case.hotel.clock.advance_seconds(1);
        case.hotel.task_for(&case.room, TaskKind::DeepClean).await;
    }
    let whole = case.get("/housekeeping/v1/tasks").await.done();
    let ids = |page: &Value| -> Vec<String> {
        page["items"].as_array().unwrap().iter().map(|item| text(&item["id"])).collect()
    };
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = case.get(&format!("/housekeeping/v1/tasks?limit=2{cursor}")).await.done();
        assert!(page["items"].as_array().unwrap().len() <= 2);
        seen.extend(ids(&page));
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(seen, ids(&whole));
    assert_eq!(seen.len(), 7);
}

#[tokio::test]
async fn a_zone_without_a_clock_is_no_zone_in_any_settings() {
    let hotel = TestHotel::open().await;
    for context in ["housekeeping", "staff", "reservation"] {
        for zone in ["Mars/Olympus", "Etc/Unknown", "etc/unknown"] {
            let path = format!("/{context}/v1/settings");
            let answer = hotel.put(&hotel.manager(), &path, json!({ "timezone": zone })).await;
            assert_eq!(answer.status, 400, "{context}: {}", answer.text);
            answer.naming("timezone");
        }
    }
}

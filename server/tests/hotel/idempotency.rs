//! The same key and the same request: the same answer, and one effect.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use axum::http::Method;
use contracts::housekeeping::TaskKind;
use contracts::ids::TenantId;
use futures_util::future::{join, join_all};
use platform::auth::Role;
use serde_json::{Value, json};
use tokio_postgres::Transaction;

use crate::nats::until;
use crate::test_hotel::{Answer, Ask, Door, TestHotel, ask_router, text};

const TASKS: &str = "/housekeeping/v1/tasks";

fn order(hotel: &TestHotel, door: &Door) -> Value {
    json!({ "propertyId": hotel.property, "roomId": door.id, "kind": TaskKind::DeepClean, "note": "سلام" })
}

fn ordering(hotel: &TestHotel, door: &Door, key: &str) -> Ask {
    Ask::post(TASKS).by(&hotel.supervisor()).key(key).json(&order(hotel, door))
}

fn replayed(answer: &Answer) -> bool {
    answer.header("idempotency-replayed") == Some("true")
}

fn same_answer(first: &Answer, second: &Answer) {
    assert_eq!((first.status, &first.text), (second.status, &second.text));
    for header in ["location", "etag", "content-type"] {
        assert_eq!(first.header(header), second.header(header), "{header}");
    }
    assert!(!replayed(first) && replayed(second), "the replay says that it is one");
}

#[tokio::test]
async fn a_request_sent_again_gets_its_answer_again() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let first = hotel.ask(ordering(&hotel, &room, "k-1")).await;
    assert_eq!(first.status, 201);
    assert!(first.header("location").is_some_and(|place| place.ends_with(&text(&first.body["id"]))));
    hotel.clock.advance_seconds(60);

    same_answer(&first, &hotel.ask(ordering(&hotel, &room, "k-1")).await);
    let elsewhere = ask_router(&hotel.second_process(), ordering(&hotel, &room, "k-1")).await;
    same_answer(&first, &elsewhere);
    assert_eq!(hotel.tasks(&room).await.len(), 1);
    assert_eq!(hotel.published().await.len(), 1);

    let other_key = hotel.ask(ordering(&hotel, &room, "k-2")).await;
    assert_ne!(other_key.body["id"], first.body["id"]);
}

#[tokio::test]
async fn a_key_used_for_another_request_is_refused() {
    let hotel = TestHotel::open().await;
    let (room, other) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    hotel.ask(ordering(&hotel, &room, "k-1")).await.done();
    let reused = hotel.ask(ordering(&hotel, &other, "k-1")).await;
    reused.refused(422, "MELMASTOON.PLATFORM.IDEMPOTENCY_KEY_REUSED").naming("Idempotency-Key");
    assert!(hotel.tasks(&other).await.is_empty());

    // The same body about another thing is another request too.
    let (a, b) = (hotel.task_for(&other, TaskKind::DeepClean).await, hotel.task_for(&other, TaskKind::DeepClean).await);
    let patch = |task: &str| {
        let ask = Ask::new(Method::PATCH, format!("{TASKS}/{task}/priority")).by(&hotel.supervisor()).key("k-9");
        ask.json(&json!({ "priority": "high" }))
    };
    hotel.ask(patch(&a)).await.done();
    hotel.ask(patch(&b)).await.refused(422, "MELMASTOON.PLATFORM.IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn a_key_used_without_a_query_is_refused_for_a_request_with_one_and_the_other_way_round() {
    let hotel = TestHotel::open().await;
    let put = async |query: &str, key: &str| {
        let ask = Ask::new(Method::PUT, format!("/staff/v1/settings{query}")).by(&hotel.manager()).key(key);
        hotel.ask(ask.json(&json!({ "minRestMinutes": 601 }))).await
    };
    let house = format!("?propertyId={}", hotel.property);
    for (at, (first, second)) in [("", house.as_str()), (house.as_str(), "")].into_iter().enumerate() {
        let key = format!("k-{at}");
        assert_eq!(put(first, &key).await.status, 200);
        put(second, &key).await.refused(422, "MELMASTOON.PLATFORM.IDEMPOTENCY_KEY_REUSED");
        assert!(replayed(&put(first, &key).await));
    }
}

#[tokio::test]
async fn a_key_belongs_to_a_tenant_and_a_route() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let first = hotel.ask(ordering(&hotel, &room, "k-1")).await.done();
    let task = text(&first["id"]);

    let cancel = Ask::post(format!("{TASKS}/{task}/cancel")).by(&hotel.supervisor()).key("k-1");
    let cancelled = hotel.ask(cancel.json(&json!({ "reason": "mistake" }))).await;
    assert_eq!((cancelled.status, replayed(&cancelled)), (200, false), "another route");

    let other: TenantId = hotel.next();
    let theirs = Ask::post(TASKS).by(&hotel.token_of_tenant(Role::Supervisor, &other)).key("k-1");
    let theirs = hotel.ask(theirs.json(&order(&hotel, &room))).await;
    assert_eq!((theirs.status, replayed(&theirs)), (201, false), "another tenant");
    assert_ne!(theirs.body["id"], first["id"]);
}

#[tokio::test]
async fn of_parallel_requests_with_one_key_exactly_one_takes_effect() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let second = hotel.second_process();
    let asked = (0..16).map(|at| {
        let app = if at % 2 == 0 { &hotel.app } else { &second };
        ask_router(app, ordering(&hotel, &room, "k-1"))
    });
    let answers = join_all(asked).await;

    let made: HashSet<_> = answers.iter().filter(|one| one.status == 201).map(|one| text(&one.body["id"])).collect();
    assert_eq!(made.len(), 1, "one task, however many heard of it");
    assert_eq!(answers.iter().filter(|one| one.status == 201 && !replayed(one)).count(), 1);
    for answer in answers.iter().filter(|one| one.status != 201) {
        answer.refused(409, "MELMASTOON.PLATFORM.IDEMPOTENCY_KEY_IN_FLIGHT");
        assert!(answer.header("retry-after").is_some());
    }
    assert_eq!(hotel.tasks(&room).await.len(), 1);
    assert_eq!(hotel.published().await.len(), 1);
    assert!(replayed(&hotel.ask(ordering(&hotel, &room, "k-1")).await), "afterwards everybody gets the answer");
}

#[tokio::test]
async fn a_refusal_that_belongs_to_the_request_is_kept_too() {
    let hotel = TestHotel::open().await;
    let (room, gulalai) = (hotel.ready_room("101").await, hotel.person_on_shift().await);
    let task = hotel.task_for(&room, TaskKind::DeepClean).await;
    let start = || Ask::post(format!("{TASKS}/{task}/start")).by(&hotel.supervisor()).key("k-1").bytes("{}");

    let refused = hotel.ask(start()).await;
    refused.refused(409, "MELMASTOON.HOUSEKEEPING.TASK_ILLEGAL_TRANSITION");
    hotel.assign(&task, &gulalai).await;
    same_answer(&refused, &hotel.ask(start()).await);
    assert_eq!(hotel.task(&task).await["status"], "assigned", "the key has its answer; a new try needs a new key");
    assert_eq!(
        hotel.ask(Ask { headers: vec![], ..start() }.by(&hotel.supervisor()).key("k-2").bytes("{}")).await.status,
        200
    );
}

#[tokio::test]
async fn a_request_that_could_not_be_read_does_not_use_up_its_key() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let broken = Ask::post(TASKS).by(&hotel.supervisor()).key("k-1").bytes("{\"kind\":");
    hotel.ask(broken).await.refused(400, "MELMASTOON.PLATFORM.MALFORMED_REQUEST");
    let mended = hotel.ask(ordering(&hotel, &room, "k-1")).await;
    assert_eq!((mended.status, replayed(&mended)), (201, false));
}

#[tokio::test]
async fn a_key_is_kept_for_a_day_and_then_free() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let first = hotel.ask(ordering(&hotel, &room, "k-1")).await.done();
    hotel.clock.advance_seconds(24 * 3_600 - 1);
    let replay = hotel.ask(ordering(&hotel, &room, "k-1")).await;
    assert!(replayed(&replay) && replay.body["id"] == first["id"]);
    hotel.clock.advance_seconds(2);
    let fresh = hotel.ask(ordering(&hotel, &room, "k-1")).await;
    assert_eq!((fresh.status, replayed(&fresh)), (201, false));
    assert_ne!(fresh.body["id"], first["id"]);
    assert!(replayed(&hotel.ask(ordering(&hotel, &room, "k-1")).await), "and kept again");
}

#[tokio::test]
async fn a_service_must_send_a_key_with_every_change() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let mut claims = hotel.claims(Role::Service, None);
    claims.roles.push("supervisor".to_owned());
    let token = hotel.key.mint(&claims);
    let body = order(&hotel, &room);
    let keyless = hotel.ask(Ask::post(TASKS).by(&token).json(&body)).await;
    keyless.refused(400, "MELMASTOON.PLATFORM.IDEMPOTENCY_KEY_REQUIRED").naming("Idempotency-Key");
    assert_eq!(hotel.ask(Ask::post(TASKS).by(&token).key("k").json(&body)).await.status, 201);
    assert_eq!(hotel.ask(Ask::get("/events/v1/feed").by(&token)).await.status, 200, "reading needs none");
}

#[tokio::test]
async fn a_key_has_1_to_255_visible_characters() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    for key in ["", "two words", &"k".repeat(256), "tab\tbed"] {
        let refused = hotel.ask(ordering(&hotel, &room, key)).await;
        refused.refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE").naming("Idempotency-Key");
    }
    assert_eq!(hotel.ask(ordering(&hotel, &room, &"k".repeat(255))).await.status, 201);
    assert_eq!(hotel.tasks(&room).await.len(), 1);
}

#[tokio::test]
async fn a_key_left_by_work_that_was_given_up_is_free_at_once() {
    let hotel = TestHotel::open().await;
    let (room, door) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    // Somebody holds the room: the request waits, and its caller hangs up.
    let mut holder = hotel.database_connection().await;
    let held = holder.transaction().await.unwrap();
    held.execute("SELECT FROM housekeeping.room_status WHERE room_id = $1 FOR UPDATE", &[&room.id.as_str()])
        .await
        .unwrap();
    let waiting = tokio::time::timeout(Duration::from_millis(300), hotel.ask(ordering(&hotel, &room, "k-1")));
    assert!(waiting.await.is_err(), "the room is held");
    held.rollback().await.unwrap();

    // Its connection is thrown away with its transaction; the server notices within a moment.
    let mut answer = hotel.ask(ordering(&hotel, &room, "k-1")).await;
    let deadline = Instant::now() + Duration::from_mins(1);
    while answer.status == 409 {
        assert!(Instant::now() < deadline, "waited in vain: {}", answer.text);
        tokio::time::sleep(Duration::from_millis(20)).await;
        answer = hotel.ask(ordering(&hotel, &room, "k-1")).await;
    }
    assert_eq!(answer.status, 201, "{}", answer.text);
    assert_eq!(hotel.tasks(&room).await.len(), 1);
    assert_eq!(hotel.ask(ordering(&hotel, &door, "k-3")).await.status, 201);
}

/// What the other copy of a request was answered and keeps when it commits: as a request of the same route was under another key.
async fn keep(held: &Transaction<'_>, schema: &str, (path, body): (&str, &str), (like, key): (&str, &str)) {
    let kept = format!(
        "INSERT INTO {schema}.idempotency_keys
           (tenant_id, route, key, request_hash, response_hash, response, status_code, created_at, state)
         SELECT tenant_id, route, $2, $3, response_hash, response, status_code, created_at, state
         FROM {schema}.idempotency_keys WHERE key = $1"
    );
    let request = platform::http::fingerprint(format!("{path}\0{body}").as_bytes());
    assert_eq!(held.execute(&kept, &[&like, &key, &request]).await.unwrap(), 1);
}

async fn somebody_waits(hotel: &TestHotel) {
    // Other hotels may be on the same server.
    let waiting = "pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()";
    until("the copy waits", async || hotel.count(waiting).await > 0).await;
}

#[tokio::test]
async fn a_copy_that_is_refused_after_the_other_was_answered_gets_the_others_answer() {
    let hotel = TestHotel::open().await;
    let (room, other) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    let gulalai = hotel.person_on_shift().await;
    let (begun, task) =
        (hotel.task_for(&room, TaskKind::DeepClean).await, hotel.task_for(&other, TaskKind::DeepClean).await);
    let path = format!("{TASKS}/{task}/start");
    let start = |path: String, key| Ask::post(path).by(&hotel.supervisor()).key(key).bytes("{}");
    hotel.assign(&begun, &gulalai).await;
    let first = hotel.ask(start(format!("{TASKS}/{begun}/start"), "k-0")).await;
    assert_eq!(first.status, 200, "{}", first.text);
    // Nobody has this one, so it cannot be started.
    let mut holder = hotel.database_connection().await;
    let held = holder.transaction().await.unwrap();
    held.execute("SELECT FROM housekeeping.housekeeping_tasks WHERE id = $1 FOR UPDATE", &[&task]).await.unwrap();
    let the_other = async {
        somebody_waits(&hotel).await;
        keep(&held, "housekeeping", (&path, "{}"), ("k-0", "k-1")).await;
        held.commit().await.unwrap();
    };
    let (copy, ()) = join(hotel.ask(start(path.clone(), "k-1")), the_other).await;
    same_answer(&first, &copy);
}

#[tokio::test]
async fn a_copy_that_meets_what_the_other_has_made_gets_the_others_answer() {
    let hotel = TestHotel::open().await;
    let path = "/staff/v1/departments";
    let add = |key, code| {
        let body = json!({ "name": "Spa", "code": code });
        Ask::post(path).by(&hotel.manager()).key(key).json(&body)
    };
    let first = hotel.ask(add("k-0", "KITCHEN")).await;
    let mut holder = hotel.database_connection().await;
    let held = holder.transaction().await.unwrap();
    let made = "INSERT INTO staff.departments (tenant_id, id, code, name, active, version, created_at, updated_at)
                VALUES ($1, 'dep_1', 'SPA', 'Spa', TRUE, 1, now(), now())";
    held.execute(made, &[&hotel.tenant.as_str()]).await.unwrap();
    let the_other = async {
        somebody_waits(&hotel).await;
        let body = json!({ "name": "Spa", "code": "SPA" }).to_string();
        keep(&held, "staff", (path, &body), ("k-0", "k-1")).await;
        held.commit().await.unwrap();
    };
    let (copy, ()) = join(hotel.ask(add("k-1", "SPA")), the_other).await;
    same_answer(&first, &copy);
    let another = hotel.ask(add("k-2", "SPA")).await;
    assert_eq!(another.status, 409, "whoever sends another request is told that there is one: {}", another.text);
}

//! One event, several contexts: each applies it once, files it for itself, and is held up by nobody else's trouble.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use contracts::ids::EventId;
use platform::auth::Verifier;
use platform::bus::Subscription;
use platform::http::{PushGate, push_routes};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::listener::{Bus, ELSEWHERE, Ear, SUBJECT, Trouble, listening, open_elsewhere};
use crate::test_hotel::{Ask, BACKOFF, TestHotel, ask_router};

/// Two contexts behind one push endpoint.
struct TwoContexts {
    bus: Bus,
    elsewhere: Arc<Ear>,
    router: Router,
}

impl TwoContexts {
    async fn open() -> Self {
        let bus = Bus::open().await;
        open_elsewhere(&bus.hotel.behind).await;
        let elsewhere = Arc::new(Ear::default());
        let other = listening("elsewhere", &ELSEWHERE, &[SUBJECT], &elsewhere);
        let router = Self::router(&bus, vec![bus.subscription.clone(), other]);
        Self { bus, elsewhere, router }
    }

    fn router(bus: &Bus, subscriptions: Vec<Subscription>) -> Router {
        let gate = PushGate::local(Arc::new(Verifier::embedded(&bus.hotel.key)));
        push_routes(bus.hotel.app.db.clone(), gate, subscriptions)
    }

    fn event(&self, n: i32) -> Value {
        let id: EventId = self.bus.hotel.next();
        let hotel = &self.bus.hotel;
        json!({
            "id": id, "subject": SUBJECT, "tenantId": hotel.tenant, "occurredAt": hotel.now(), "producer": "test",
            "payload": { "key": "a", "n": n },
        })
    }

    async fn push(&self, event: &Value) -> u16 {
        self.push_as(event, SUBJECT, None).await
    }

    async fn push_as(&self, event: &Value, subject: &str, attempt: Option<i32>) -> u16 {
        let data = BASE64.encode(event.to_string());
        let mut body = json!({ "message": { "data": data, "messageId": "1" }, "subscription": "s" });
        if let Some(attempt) = attempt {
            body["deliveryAttempt"] = json!(attempt);
        }
        self.send(subject, "application/json", &body).await
    }

    async fn send(&self, subject: &str, kind: &str, body: &Value) -> u16 {
        let request = Request::post(format!("/internal/events/{subject}"))
            .header("authorization", format!("Bearer {}", self.bus.hotel.service()))
            .header("content-type", kind)
            .body(Body::from(body.to_string()))
            .unwrap();
        self.router.clone().oneshot(request).await.unwrap().status().as_u16()
    }

    fn heard(&self) -> (Vec<i32>, Vec<i32>) {
        (self.bus.ear.numbers(), self.elsewhere.numbers())
    }

    /// Open dead letters of both, by code.
    async fn letters(&self) -> (Vec<String>, Vec<String>) {
        let of = async |schema: &str| -> Vec<String> {
            let sql = format!("SELECT code FROM {schema}.dead_letters WHERE state = 'open' ORDER BY failed_at, id");
            self.bus.hotel.behind.query(&sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect()
        };
        (of("housekeeping").await, of("elsewhere").await)
    }
}

#[tokio::test]
async fn a_push_reaches_everybody_who_listens_and_each_once() {
    let two = TwoContexts::open().await;
    let event = two.event(1);
    for _ in 0..2 {
        assert_eq!(two.push(&event).await, 204);
    }
    assert_eq!(two.heard(), (vec![1], vec![1]));
}

#[tokio::test]
async fn while_one_is_away_the_push_is_sent_again_and_the_others_keep_what_they_have_done() {
    let two = TwoContexts::open().await;
    two.bus.ear.will_have(1, Trouble::IsAway, 1);
    let event = two.event(1);
    assert_eq!(two.push(&event).await, 503);
    assert_eq!(two.heard(), (vec![], vec![1]));
    assert_eq!(two.push(&event).await, 204);
    assert_eq!(two.heard(), (vec![1], vec![1]), "the repeat is absorbed");
    assert_eq!(two.letters().await, (vec![], vec![]));
}

#[tokio::test]
async fn each_files_for_itself_what_it_cannot_apply() {
    let two = TwoContexts::open().await;
    two.elsewhere.will_never_take(1);
    assert_eq!(two.push(&two.event(1)).await, 204);
    assert_eq!(two.heard(), (vec![1], vec![]));
    assert_eq!(two.letters().await, (vec![], vec!["MELMASTOON.ELSEWHERE.NEVER".to_owned()]));
}

#[tokio::test]
async fn a_version_that_nobody_knows_is_filed_once() {
    let two = TwoContexts::open().await;
    let (v9, mut event) = (SUBJECT.replace(".v1", ".v9"), two.event(1));
    event["subject"] = json!(v9);
    assert_eq!(two.push_as(&event, &v9, None).await, 204);
    assert_eq!(two.letters().await, (vec!["MELMASTOON.LISTENER.EVENT_VERSION_UNKNOWN".to_owned()], vec![]));
}

#[tokio::test]
async fn what_the_database_can_never_hold_is_filed_at_once() {
    let two = TwoContexts::open().await;
    two.elsewhere.will_have(1, Trouble::Overflows, usize::MAX);
    assert_eq!(two.push(&two.event(1)).await, 204);
    assert_eq!(two.heard(), (vec![1], vec![]));
    assert_eq!(two.letters().await.1, ["MELMASTOON.ELSEWHERE.EVENT_UNSTORABLE"]);
}

#[tokio::test]
async fn what_keeps_failing_is_filed_after_the_last_attempt_that_the_broker_counts() {
    let two = TwoContexts::open().await;
    two.elsewhere.will_fail(1, usize::MAX);
    let event = two.event(1);
    assert_eq!(two.push(&event).await, 500, "nobody counts");
    for attempt in 1..BACKOFF.attempts {
        assert_eq!(two.push_as(&event, SUBJECT, Some(attempt)).await, 500, "attempt {attempt}");
    }
    assert_eq!(two.letters().await, (vec![], vec![]));
    assert_eq!(two.push_as(&event, SUBJECT, Some(BACKOFF.attempts)).await, 204);
    assert_eq!(two.letters().await.1, ["MELMASTOON.ELSEWHERE.EVENT_ATTEMPTS_EXHAUSTED"]);
    assert_eq!(two.heard(), (vec![1], vec![]));
}

#[tokio::test]
async fn the_count_is_read_wherever_a_broker_puts_it() {
    let two = TwoContexts::open().await;
    two.bus.ear.will_fail(1, usize::MAX);
    two.elsewhere.will_fail(1, usize::MAX);
    let last = BACKOFF.attempts.to_string();
    let wrapped = json!({ "message": { "data": BASE64.encode(two.event(1).to_string()),
                                       "attributes": { "googclient_deliveryattempt": last } } });
    assert_eq!(two.send(SUBJECT, "application/json", &wrapped).await, 204);
    let hotel = &two.bus.hotel;
    let cloud_event = json!({
        "specversion": "1.0", "id": hotel.next::<EventId>(), "source": "test", "type": SUBJECT, "time": hotel.now(),
        "tenantid": hotel.tenant, "datacontenttype": "application/json", "data": { "key": "a", "n": 1 },
        "googclient_deliveryattempt": BACKOFF.attempts,
    });
    assert_eq!(two.send(SUBJECT, "application/cloudevents+json", &cloud_event).await, 204);
    let exhausted = |context: &str| vec![format!("MELMASTOON.{context}.EVENT_ATTEMPTS_EXHAUSTED"); 2];
    assert_eq!(two.letters().await, (exhausted("LISTENER"), exhausted("ELSEWHERE")));
}

#[tokio::test]
async fn a_story_that_panics_is_one_that_failed() {
    let two = TwoContexts::open().await;
    two.elsewhere.will_have(1, Trouble::Panics, 1);
    let event = two.event(1);
    assert_eq!(two.push(&event).await, 500);
    assert_eq!(two.push(&event).await, 204);
    assert_eq!(two.heard(), (vec![1], vec![1]));
}

#[tokio::test]
async fn a_push_reaches_every_context_at_a_process_that_serves_the_routes_of_one() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let one = hotel.process(|parts| parts.served = Some(vec!["housekeeping".to_owned()]));
    let event = hotel.taken_out_of_order(&room);
    let answer = ask_router(&one, hotel.wrapped(&event.subject, event.envelope.to_string().as_bytes())).await;
    assert_eq!(answer.status, 204, "{}", answer.text);
    for inbox in ["housekeeping.inbox", "reservation.inbox"] {
        let heard = format!("{inbox} WHERE message_id LIKE '%{}'", event.id());
        assert_eq!(hotel.count(&heard).await, 1, "{inbox}: a broker that was told 204 sends it no more");
    }
    let theirs = ask_router(&one, Ask::get("/reservation/v1/room-types").by(&hotel.desk())).await;
    assert_eq!(theirs.status, 404, "{}", theirs.text);
    assert!(!one.openapi.to_string().contains("/reservation/v1/"), "what it does not serve is not in its document");
    assert!(one.openapi.to_string().contains("/housekeeping/v1/"));
}

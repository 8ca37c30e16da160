//! Through Google's own emulator: in order for each key, each event once, and nobody's trouble is another's.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use platform::bus::{
    Again, Backoff, Broker, BrokerError, Outgoing, PubSub, PubSubOptions, Relay, Subscription, republish, set_aside,
};
use serde_json::{Value, json};
use test_hotel::PubSubEmulator;

use crate::listener::{Bus, SUBJECT};
use crate::nats::{AtWork, assert_in_order, until};

/// A hotel whose events go through Pub/Sub, with somebody who listens.
pub(crate) struct Through {
    pub(crate) bus: Bus,
    pub(crate) emulator: PubSubEmulator,
    pub(crate) project: String,
    pub(crate) pubsub: Arc<PubSub>,
    pub(crate) relay: Relay,
}

impl Through {
    pub(crate) async fn open() -> Option<Self> {
        let emulator = PubSubEmulator::find()?;
        let project = emulator.project();
        let pubsub = Arc::new(connected(emulator.host(), &project).await);
        let bus = Bus::open().await;
        let only = std::slice::from_ref(&bus.subscription);
        until("topics and subscriptions stand", async || pubsub.apply(only).await.is_ok()).await;
        let relay = bus.another_relay().through(pubsub.clone());
        Some(Self { bus, emulator, project, pubsub, relay })
    }

    pub(crate) fn work(&self) -> AtWork {
        self.work_for(self.bus.subscription.clone())
    }

    pub(crate) fn work_for(&self, subscription: Subscription) -> AtWork {
        AtWork::begin(self.pubsub.clone(), self.bus.hotel.app.db.clone(), vec![subscription])
    }

    /// Publishes until everything is out.
    pub(crate) async fn publish(&self) -> u64 {
        until("everything is published", async || self.relay.drain().await.is_ok()).await;
        u64::try_from(self.bus.hotel.count("bus.event_log").await).unwrap()
    }

    pub(crate) async fn heard(&self, count: usize) {
        until("everything is heard", async || self.bus.ear.numbers().len() >= count).await;
    }

    /// The events that were published for who listens, taken from there: as many as are expected, and whatever there is besides.
    pub(crate) async fn published(&self, count: usize) -> Vec<String> {
        let ids = Mutex::new(Vec::new());
        let take = || {
            let taken = self.rest().pull(&format!("listener.{SUBJECT}"));
            let id = |one: &Value| one["message"]["attributes"]["eventId"].as_str().unwrap().to_owned();
            ids.lock().unwrap().extend(taken.iter().map(id));
        };
        until("they are published", async || {
            take();
            ids.lock().unwrap().len() >= count
        })
        .await;
        take();
        ids.into_inner().unwrap()
    }

    /// The emulator (0.8.20) keeps a stream whose connection broke, and with it a share of the keys: what is theirs goes to nobody. Google's
    /// service lets go of it. A subscription that is pushed for a moment makes the emulator let go of all its streams; ours begins again.
    pub(crate) async fn forgets_streams_without_a_connection(&self) {
        let change = format!("subscriptions/listener.{SUBJECT}:modifyPushConfig");
        let pushed = json!({ "pushConfig": { "pushEndpoint": "http://127.0.0.1:1/" } });
        self.rest().post(&change, &pushed);
        // It looks twenty times a second, and nothing tells when it has.
        tokio::time::sleep(Duration::from_secs(1)).await;
        self.rest().post(&change, &json!({ "pushConfig": {} }));
    }

    /// The emulator's other door, for what our side has no business with.
    pub(crate) fn rest(&self) -> Rest {
        Rest { base: format!("http://{}/v1/projects/{}", self.emulator.host(), self.project) }
    }
}

pub(crate) async fn connected(host: &str, project: &str) -> PubSub {
    PubSub::connect(&options(host, project)).await.unwrap()
}

pub(crate) fn options(host: &str, project: &str) -> PubSubOptions {
    PubSubOptions {
        project: project.to_owned(),
        emulator: Some(host.to_owned()),
        ack_deadline: Some(Duration::from_secs(10)),
        look_every: Some(Duration::from_millis(500)),
        ..PubSubOptions::default()
    }
}

/// See [`Through::rest`].
pub(crate) struct Rest {
    base: String,
}

impl Rest {
    pub(crate) fn get(&self, path: &str) -> Value {
        read(ureq::get(format!("{}/{path}", self.base)).call())
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        read(ureq::post(format!("{}/{path}", self.base)).content_type("application/json").send(body.to_string()))
    }

    pub(crate) fn patch(&self, path: &str, body: &Value) -> Value {
        read(ureq::patch(format!("{}/{path}", self.base)).content_type("application/json").send(body.to_string()))
    }

    pub(crate) fn delete(&self, path: &str) {
        read(ureq::delete(format!("{}/{path}", self.base)).call());
    }

    /// What waits in a subscription, all of it taken.
    pub(crate) fn pull(&self, subscription: &str) -> Vec<Value> {
        let path = format!("subscriptions/{subscription}:pull");
        let answer = self.post(&path, &json!({ "maxMessages": 1000, "returnImmediately": true }));
        let messages = answer["receivedMessages"].as_array().cloned().unwrap_or_default();
        if !messages.is_empty() {
            let ids: Vec<_> = messages.iter().map(|one| one["ackId"].clone()).collect();
            self.post(&format!("subscriptions/{subscription}:acknowledge"), &json!({ "ackIds": ids }));
        }
        messages
    }
}

fn read(answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Value {
    let text = answer.unwrap().into_body().read_to_string().unwrap();
    serde_json::from_str(&text).unwrap_or_default()
}

pub(crate) fn event(n: i32, subject: &str, key: &str) -> Outgoing {
    Outgoing {
        event_id: format!("evt_{n}"),
        subject: subject.to_owned(),
        ordering_key: key.to_owned(),
        listeners: vec!["listener".to_owned()],
        again: None,
        envelope: json!({ "n": n }).to_string(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_of_one_key_are_heard_in_their_order_and_once_by_two_workers_also_when_told_again() {
    let Some(hotel) = Through::open().await else { return };
    for n in 1..=200 {
        hotel.bus.say(&format!("key{}", n % 20), n).await;
    }
    assert_eq!(hotel.publish().await, 200);
    let (one, other) = (hotel.work(), hotel.work());
    hotel.heard(200).await;
    assert_in_order(&hotel.bus.ear, 200);
    assert_eq!(hotel.bus.hotel.count("bus.deliveries").await, 0);

    // Once more from our log: sent, and dropped by the inbox.
    let again = Again { since: hotel.bus.hotel.now().plus_seconds(-60), subject: None, tenant: None };
    let broker: &dyn Broker = hotel.pubsub.as_ref();
    assert_eq!(republish(&hotel.bus.hotel.app.db, Some(broker), &again, |_, _| {}).await.unwrap(), 200);
    // What is said after all of that is heard after all of that.
    for n in 201..=220 {
        hotel.bus.say(&format!("key{}", n % 20), n).await;
    }
    hotel.publish().await;
    hotel.heard(220).await;
    assert_in_order(&hotel.bus.ear, 220);
    one.stops().await;
    other.stops().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_never_be_applied_is_in_both_dead_letters_with_its_reason_and_the_key_goes_on() {
    let Some(hotel) = Through::open().await else { return };
    hotel.bus.ear.will_never_take(1);
    for n in 1..=3 {
        hotel.bus.say("a", n).await;
    }
    hotel.publish().await;
    let work = hotel.work();
    hotel.heard(2).await;
    assert_eq!(hotel.bus.ear.numbers(), [2, 3]);
    let sql = "SELECT code, error, message FROM housekeeping.dead_letters";
    let letter = hotel.bus.hotel.behind.query_one(sql, &[]).await.unwrap();
    assert_eq!((letter.get(0), letter.get(1)), ("MELMASTOON.LISTENER.NEVER", "never"));

    let copies = hotel.rest().pull("melmastoon.dlq.housekeeping.kept");
    let [copy] = copies.as_slice() else { panic!("{copies:?}") };
    let said = &copy["message"]["attributes"];
    assert_eq!((&said["code"], &said["reason"]), (&json!("MELMASTOON.LISTENER.NEVER"), &json!("never")));
    assert_eq!((&said["subscription"], &said["subject"]), (&json!("listener"), &json!(SUBJECT)));
    let data = BASE64.decode(copy["message"]["data"].as_str().unwrap()).unwrap();
    assert_eq!(String::from_utf8(data).unwrap(), letter.get::<_, String>(2), "the very message");
    work.stops().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_topic_of_dead_letters_that_was_removed_is_made_anew_and_holds_up_no_key() {
    let Some(hotel) = Through::open().await else { return };
    let work = hotel.work();
    hotel.bus.say("a", 1).await;
    hotel.publish().await;
    hotel.heard(1).await;
    hotel.rest().delete("subscriptions/melmastoon.dlq.housekeeping.kept");
    hotel.rest().delete("topics/melmastoon.dlq.housekeeping");
    hotel.bus.ear.will_never_take(2);
    for n in 2..=3 {
        hotel.bus.say("a", n).await;
    }
    hotel.publish().await;
    hotel.heard(2).await;
    assert_eq!(hotel.bus.ear.numbers(), [1, 3]);
    assert_eq!(hotel.bus.hotel.count("housekeeping.dead_letters").await, 1);
    assert_eq!(hotel.rest().pull("melmastoon.dlq.housekeeping.kept").len(), 1, "and its copy is there");
    work.stops().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_whose_subscription_was_removed_makes_it_anew_and_goes_on() {
    let Some(hotel) = Through::open().await else { return };
    let work = hotel.work();
    hotel.bus.say("a", 1).await;
    hotel.publish().await;
    hotel.heard(1).await;
    hotel.rest().delete(&format!("subscriptions/listener.{SUBJECT}"));
    let only = std::slice::from_ref(&hotel.bus.subscription);
    until("it stands again", async || hotel.pubsub.drift(only).await.is_ok_and(|drift| drift.is_empty())).await;
    hotel.bus.say("a", 2).await;
    hotel.publish().await;
    hotel.heard(2).await;
    assert_eq!(hotel.bus.ear.numbers(), [1, 2]);
    work.stops().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_tried_as_often_as_the_catalogue_says_and_holds_up_its_own_key_alone() {
    let Some(hotel) = Through::open().await else { return };
    let pause = Duration::from_millis(50);
    let backoff = Backoff { attempts: 3, first: pause, longest: pause };
    hotel.bus.ear.will_fail(1, 2);
    hotel.bus.ear.will_fail(2, usize::MAX);
    hotel.bus.say("a", 1).await;
    hotel.bus.say("b", 2).await;
    hotel.bus.say("b", 3).await;
    hotel.bus.say("a", 4).await;
    hotel.publish().await;
    let work = hotel.work_for(Subscription { backoff, ..hotel.bus.subscription.clone() });
    hotel.heard(3).await;
    assert_in_order(&hotel.bus.ear, 3);
    let sql = "SELECT code, attempts FROM housekeeping.dead_letters";
    let letter = hotel.bus.hotel.behind.query_one(sql, &[]).await.unwrap();
    assert_eq!((letter.get(0), letter.get(1)), ("MELMASTOON.LISTENER.EVENT_ATTEMPTS_EXHAUSTED", 3));
    work.stops().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_one_key_is_tried_again_and_again_the_others_go_on_and_it_keeps_its_order() {
    let Some(hotel) = Through::open().await else { return };
    let pause = Duration::from_millis(100);
    let backoff = Backoff { attempts: i32::MAX, first: pause, longest: pause };
    hotel.bus.ear.will_fail(1, usize::MAX);
    for n in 1..=3 {
        hotel.bus.say("a", n).await;
    }
    for n in 4..=30 {
        hotel.bus.say(&format!("b{}", n % 5), n).await;
    }
    hotel.publish().await;
    let work = hotel.work_for(Subscription { backoff, ..hotel.bus.subscription.clone() });
    hotel.heard(27).await;
    assert!(hotel.bus.ear.numbers().iter().all(|n| *n > 3), "nothing of the key in trouble is heard");
    hotel.bus.ear.is_healed();
    hotel.heard(30).await;
    assert_in_order(&hotel.bus.ear, 30);
    work.stops().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_the_broker_refuses_is_set_aside_with_its_reason_and_holds_up_nobody() {
    let Some(hotel) = Through::open().await else { return };
    hotel.bus.say("a", 1).await;
    hotel.bus.say(&"k".repeat(1_100), 2).await;
    hotel.bus.say("a", 3).await;
    assert_eq!(hotel.publish().await, 3, "feed, boards and webhooks need no broker");
    let work = hotel.work();
    hotel.heard(2).await;
    assert_eq!(hotel.bus.ear.numbers(), [1, 3]);
    let lying = set_aside(&hotel.bus.hotel.app.db).await.unwrap();
    assert_eq!(lying.len(), 1);
    assert!(lying[0].reason.contains("ordering key"), "{lying:?}");
    assert_eq!(hotel.bus.hotel.count("housekeeping.outbox WHERE published_at IS NULL").await, 1, "nothing is lost");
    work.stops().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_google_itself_refuses_is_found_among_many_and_those_before_it_are_out() {
    let Some(hotel) = Through::open().await else { return };
    let nonsense = "no such name/at all";
    let batch = [
        event(1, SUBJECT, "tnt_A:a"),
        event(2, SUBJECT, "tnt_A:b"),
        event(3, nonsense, "tnt_A:b"),
        event(4, nonsense, "tnt_A:b"),
        event(5, SUBJECT, "tnt_A:c"),
    ];
    match hotel.pubsub.publish(&batch).await {
        Err(BrokerError::Refused { event_id, .. }) => assert_eq!(event_id, "evt_3"),
        other => panic!("{other:?}"),
    }
    // As the relay does: on from behind it.
    match hotel.pubsub.publish(&batch[3..]).await {
        Err(BrokerError::Refused { event_id, .. }) => assert_eq!(event_id, "evt_4"),
        other => panic!("{other:?}"),
    }
    hotel.pubsub.publish(&batch[4..]).await.unwrap();
    let mut ids = hotel.published(3).await;
    ids.sort();
    assert_eq!(ids, ["evt_1", "evt_2", "evt_5"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_topic_that_is_gone_holds_its_events_back_loses_none_and_floods_nobody() {
    let Some(hotel) = Through::open().await else { return };
    let other = "melmastoon.housekeeping.task.started.v1";
    hotel.rest().delete(&format!("topics/{other}"));
    // The key `b` goes on in another subject, which must not go out before what is held back.
    let batch = [event(1, SUBJECT, "tnt_A:a"), event(2, other, "tnt_A:b"), event(3, SUBJECT, "tnt_A:b")];
    for _ in 0..3 {
        match hotel.pubsub.publish(&batch).await {
            Err(BrokerError::Away(why)) => assert!(why.contains(other) && why.contains("bus apply"), "{why}"),
            answer => panic!("{answer:?}"),
        }
    }
    let only = std::slice::from_ref(&hotel.bus.subscription);
    assert_eq!(hotel.pubsub.apply(only).await.unwrap(), [format!("topic {other} made")]);
    hotel.pubsub.publish(&batch).await.unwrap();
    let mut ids = hotel.published(2).await;
    ids.sort();
    assert_eq!(ids, ["evt_1", "evt_3"], "each once, however often the batch failed");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stands_at_google_is_made_once_and_drift_is_found_and_mended() {
    let Some(hotel) = Through::open().await else { return };
    let only = std::slice::from_ref(&hotel.bus.subscription);
    assert_eq!(hotel.pubsub.apply(only).await.unwrap(), Vec::<String>::new());
    assert_eq!(hotel.pubsub.drift(only).await.unwrap(), Vec::<String>::new());
    let ear = format!("listener.{SUBJECT}");
    let standing = hotel.rest().get(&format!("subscriptions/{ear}"));
    assert_eq!(standing["enableMessageOrdering"], true, "{standing}");
    assert_eq!(standing["retryPolicy"], json!(null), "the pauses are ours: {standing}");
    assert_eq!(standing["deadLetterPolicy"]["maxDeliveryAttempts"], 100, "{standing}");

    let path = format!("subscriptions/{ear}");
    let body = json!({ "subscription": { "name": standing["name"], "topic": standing["topic"], "ackDeadlineSeconds": 33 }, "updateMask": "ackDeadlineSeconds" });
    hotel.rest().patch(&path, &body);
    hotel.rest().delete("subscriptions/melmastoon.dlq.housekeeping.kept");
    hotel.rest().delete("topics/melmastoon.staff.clock.in.v1");
    let drift = hotel.pubsub.drift(only).await.unwrap();
    let expected = [
        "topic melmastoon.staff.clock.in.v1 is missing".to_owned(),
        format!("subscription {ear}: ack deadline seconds 33s instead of 10s"),
        "subscription melmastoon.dlq.housekeeping.kept is missing".to_owned(),
    ];
    assert_eq!(drift, expected);
    assert_eq!(hotel.pubsub.apply(only).await.unwrap().len(), 3);
    assert_eq!(hotel.pubsub.drift(only).await.unwrap(), Vec::<String>::new());

    let remarks = hotel.pubsub.remarks(only).await.unwrap();
    assert!(remarks[0].contains(SUBJECT) && remarks[0].ends_with("pulled"), "{remarks:?}");
    assert!(remarks[1].contains("num_undelivered_messages"), "{remarks:?}");
    assert!(hotel.pubsub.lag(only).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_that_google_cannot_change_is_named_and_left_alone() {
    let Some(hotel) = Through::open().await else { return };
    let only = std::slice::from_ref(&hotel.bus.subscription);
    let path = format!("subscriptions/listener.{SUBJECT}");
    hotel.rest().delete(&path);
    let topic = format!("projects/{}/topics/{SUBJECT}", hotel.project);
    let base = format!("{}/{path}", hotel.rest().base);
    read(ureq::put(base).content_type("application/json").send(json!({ "topic": topic }).to_string()));
    let told = hotel.pubsub.apply(only).await.unwrap();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("keeps no order: delete it"), "{told:?}");
    assert_eq!(hotel.pubsub.drift(only).await.unwrap(), told, "and is said again");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_published_to_a_subject_before_those_who_listen_to_it_stand() {
    let Some(through) = Through::open().await else { return };
    let subscription = Subscription { name: "late", ..through.bus.subscription.clone() };
    through.pubsub.heard_by(std::slice::from_ref(&subscription));
    let all = [event(1, SUBJECT, "tnt_A:a")];
    let failed = through.pubsub.publish(&all).await.unwrap_err().to_string();
    assert!(failed.contains(&format!("late.{SUBJECT} is missing: `melmastoon bus apply` makes it")), "{failed}");
    through.pubsub.apply(std::slice::from_ref(&subscription)).await.unwrap();
    through.pubsub.publish(&all).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn contexts_hear_each_other_through_pubsub() {
    let Some(through) = Through::open().await else { return };
    let hotel = &through.bus.hotel;
    let broker: Arc<dyn Broker> = through.pubsub.clone();
    let app = hotel.process(|parts| parts.broker = Some(broker.clone()));
    app.register().await.unwrap();
    let work = AtWork::begin(broker, app.db.clone(), app.subscriptions.clone());
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    until("the relay has published", async || app.relay.drain().await.is_ok()).await;
    let heard = "reservation.inbox WHERE topic = 'melmastoon.housekeeping.room.status_changed.v1'";
    until("the desk knows that the room is dirty", async || hotel.count(heard).await == 1).await;
    for schema in ["housekeeping", "staff", "reservation"] {
        assert_eq!(hotel.count(&format!("{schema}.dead_letters")).await, 0, "{schema}");
    }
    work.stops().await;
}

#[tokio::test]
async fn a_hotel_opens_without_its_broker_and_says_that_it_is_away() {
    let pubsub = connected("127.0.0.1:1", "hotel").await;
    assert!(!pubsub.answers());
    let failed = pubsub.publish(&[event(1, SUBJECT, "tnt_A:a")]).await;
    assert!(matches!(failed, Err(BrokerError::Away(_))), "{failed:?}");
    assert!(matches!(pubsub.drift(&[]).await, Err(BrokerError::Away(_))));
    assert!(!pubsub.answers());
}

//! Google's emulator pushes. It signs nothing, so a driver of ours stands between, with a key that a test's issuer publishes.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::post;
use contracts::catalogue;
use contracts::ids::EventId;
use platform::bus::{Broker, PubSub, PubSubOptions, PushTo, Relay};
use serde_json::json;
use test_hotel::PubSubEmulator;

use crate::nats::{AtWork, until};
use crate::pubsub::options;
use crate::pushes::{Driver, wrapped};
use crate::test_hotel::TestHotel;

struct Between {
    driver: Driver,
    hotel: TestHotel,
}

async fn passes_on(State(between): State<Arc<Between>>, Path(subject): Path<String>, body: Bytes) -> StatusCode {
    let answer = between.driver.push(&between.hotel, &format!("/internal/events/{subject}"), body.to_vec()).await;
    StatusCode::from_u16(answer.status).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn google_pushes_what_contexts_tell_each_other_and_workers_pull_nothing() {
    let Some(emulator) = PubSubEmulator::find() else { return };
    let project = emulator.project();
    let hotel = TestHotel::open().await;
    let ours = "melmastoon.housekeeping.room.status_changed.v1";
    let through = format!("projects/{project}/subscriptions/reservation.{ours}");
    let driver = Driver::open(&hotel, vec![through]).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let push = PushTo {
        url: format!("{url}/"),
        account: "push@hotel.example".to_owned(),
        audience: "https://hotel.example/push".to_owned(),
    };
    let bus = PubSub::connect(&PubSubOptions { push: Some(push), ..options(emulator.host(), &project) }).await.unwrap();
    let bus: Arc<dyn Broker> = Arc::new(bus);
    let subscriptions = driver.app.subscriptions.clone();
    until("subscriptions stand", async || bus.apply(&subscriptions).await.is_ok()).await;
    assert_eq!(bus.drift(&subscriptions).await.unwrap(), Vec::<String>::new());
    let told = bus.remarks(&subscriptions).await.unwrap();
    let expected = format!("reservation    {ours}: pushed to {url}/internal/events/{ours}");
    assert!(told.contains(&expected), "{told:?}");

    let relay = Relay::new(hotel.app.db.clone(), vec![&housekeeping::SCHEMA]).through(Arc::clone(&bus));
    let work = AtWork::begin(Arc::clone(&bus), hotel.app.db.clone(), subscriptions);
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    let between = Arc::new(Between { driver, hotel });
    let router = Router::new().route("/internal/events/{subject}", post(passes_on)).with_state(Arc::clone(&between));
    tokio::spawn(axum::serve(listener, router).into_future());
    until("the relay has published", async || relay.drain().await.is_ok()).await;
    let heard = format!("reservation.inbox WHERE topic = '{ours}'");
    until("the desk was told", async || between.hotel.count(&heard).await == 1).await;
    work.stops().await;
}

#[tokio::test]
async fn the_broker_pushes_every_subject_to_every_context_that_listens_to_it() {
    let hotel = TestHotel::open().await;
    let through = "projects/hotel/subscriptions/all";
    let driver = Driver::open(&hotel, vec![through.to_owned()]).await;
    let mut applied: Vec<(&str, usize)> = Vec::new();
    for subscription in &driver.app.subscriptions {
        let mut count = 0;
        for subject in &subscription.subjects {
            let Some(entry) = catalogue::find(subject) else { continue };
            let mut payload = entry.example();
            if payload.get("tenantId").is_some() {
                payload["tenantId"] = json!(hotel.tenant);
            }
            let id: EventId = hotel.next();
            let event = json!({
                "id": id, "subject": subject, "tenantId": hotel.tenant, "occurredAt": hotel.now(), "producer": "test", "payload": payload,
            });
            let answer = driver.push(&hotel, &format!("/internal/events/{subject}"), wrapped(&event, through)).await;
            assert_eq!(answer.status, 204, "{subject}: {}", answer.text);
            let schema = subscription.schema.name;
            let settled = async |table: &str, column: &str| {
                hotel.count(&format!("{schema}.{table} WHERE {column} LIKE '%{}%'", id.as_str())).await
            };
            let (taken, buried) = (settled("inbox", "message_id").await, settled("dead_letters", "event_id").await);
            assert_eq!(taken + buried, 1, "{subject} is applied or filed by {schema}: {taken} and {buried}");
            count += usize::try_from(taken).unwrap();
        }
        applied.push((subscription.name, count));
    }
    assert_eq!(applied.len(), 3);
    assert!(applied.iter().all(|(_, count)| *count > 0), "each context takes something: {applied:?}");
}

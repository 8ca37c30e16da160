//! Integrators are told, signed, in order for each key, until they have heard: by a real receiver that checks every signature.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use contracts::ids::TenantId;
use platform::auth::Role;
use platform::retention::{Pace, purge_log_at};
use platform::webhooks::{WebhookOptions, Webhooks};
use ring::hmac;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::listener::Bus;
use crate::test_hotel::{Ask, TestHotel, text};

const ELSEWHERE: &str = "https://example.com/hook";

/// What came in one call.
#[derive(Clone, Debug)]
struct Heard {
    id: String,
    signatures: Vec<String>,
    signed: String,
    event: Value,
}

impl Heard {
    /// As the standard says, by our own hands and not by the code under test.
    fn is_signed_by(&self, secret: &str) -> bool {
        let key = BASE64.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), self.signed.as_bytes());
        self.signatures.contains(&format!("v1,{}", BASE64.encode(tag)))
    }

    fn n(&self) -> i64 {
        self.event["payload"]["n"].as_i64().unwrap()
    }
}

/// A receiver on a port of its own.
#[derive(Clone, Default)]
struct Receiver {
    heard: Arc<Mutex<Vec<Heard>>>,
    /// What it answers next; then 204.
    answers: Arc<Mutex<VecDeque<u16>>>,
}

async fn hear(State(receiver): State<Receiver>, headers: HeaderMap, body: String) -> StatusCode {
    let header = |name: &str| headers.get(name).unwrap().to_str().unwrap().to_owned();
    let (id, at) = (header("webhook-id"), header("webhook-timestamp"));
    let signatures = header("webhook-signature").split(' ').map(str::to_owned).collect();
    let signed = format!("{id}.{at}.{body}");
    let event = serde_json::from_str(&body).unwrap();
    let status = receiver.answers.lock().unwrap().pop_front().unwrap_or(204);
    if status < 300 {
        receiver.heard.lock().unwrap().push(Heard { id, signatures, signed, event });
    }
    StatusCode::from_u16(status).unwrap()
}

impl Receiver {
    async fn open() -> (Self, String) {
        let receiver = Self::default();
        let address = receiver.clone().serve().await;
        (receiver, format!("http://{address}/hook"))
    }

    async fn serve(self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let router = axum::Router::new().route("/hook", post(hear)).with_state(self);
        tokio::spawn(async move { axum::serve(listener, router).await });
        address
    }

    fn numbers(&self) -> Vec<i64> {
        self.heard.lock().unwrap().iter().map(Heard::n).collect()
    }

    fn answers(&self, statuses: &[u16]) {
        self.answers.lock().unwrap().extend(statuses);
    }
}

struct Told {
    bus: Bus,
    receiver: Receiver,
    webhooks: Webhooks,
    id: String,
    secret: String,
}

/// What is being called out to an endpoint.
fn called(id: &str) -> String {
    format!("bus.webhook_deliveries WHERE endpoint_id = '{id}' AND claimed_until IS NOT NULL")
}

fn admin(hotel: &TestHotel) -> String {
    hotel.token(Role::Admin, None)
}

async fn path_of(hotel: &TestHotel, body: Value) -> Value {
    hotel.post(&admin(hotel), "/events/v1/webhooks", body).await.done()
}

impl Told {
    async fn open() -> Self {
        let bus = Bus::open().await;
        let (receiver, url) = Receiver::open().await;
        let made = path_of(&bus.hotel, json!({ "url": ELSEWHERE })).await;
        let (id, secret) = (text(&made["id"]), text(&made["secret"]));
        // The door lets no private address in; the receiver of a test has no other.
        let sql = "UPDATE bus.webhook_endpoints SET url = $1 WHERE id = $2";
        bus.hotel.behind.execute(sql, &[&url, &id]).await.unwrap();
        let webhooks = dispatcher(&bus, true);
        Self { bus, receiver, webhooks, id, secret }
    }

    /// One more endpoint, whose receiver takes every connection and says nothing.
    async fn silent_receiver(&self) -> String {
        let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", silent.local_addr().unwrap());
        tokio::spawn(async move {
            let mut open = Vec::new();
            while let Ok((stream, _)) = silent.accept().await {
                open.push(stream);
            }
        });
        let id = text(&path_of(&self.bus.hotel, json!({ "url": ELSEWHERE })).await["id"]);
        let sql = "UPDATE bus.webhook_endpoints SET url = $1 WHERE id = $2";
        self.bus.hotel.behind.execute(sql, &[&url, &id]).await.unwrap();
        id
    }

    /// Telling in the background, as in a process.
    fn at_work(&self) -> tokio::task::AbortHandle {
        let webhooks = dispatcher(&self.bus, true);
        let (stop, stopped) = tokio::sync::watch::channel(false);
        let work = async move {
            webhooks.run(stopped, std::time::Duration::from_millis(20)).await;
            drop(stop);
        };
        tokio::spawn(work).abort_handle()
    }

    async fn say(&self, key: &str, n: i32) {
        self.bus.say(key, n).await;
        self.bus.publish().await;
    }

    async fn tell(&self) -> u64 {
        self.webhooks.tell_all().await.unwrap()
    }

    fn path(&self, rest: &str) -> String {
        format!("/events/v1/webhooks/{}{rest}", self.id)
    }

    async fn shown(&self) -> Value {
        self.bus.hotel.get(&admin(&self.bus.hotel), &self.path("")).await.done()
    }

    async fn log(&self, rest: &str) -> Vec<Value> {
        let page = self.bus.hotel.get(&admin(&self.bus.hotel), &self.path(&format!("/deliveries{rest}"))).await.done();
        page["items"].as_array().unwrap().clone()
    }
}

/// A receiver that encrypts, with a certificate for `localhost` that only the authority of the tests vouches for.
async fn encrypting(receiver: &Receiver) -> String {
    use tokio_rustls::TlsAcceptor;
    use tokio_rustls::rustls::pki_types::pem::PemObject;
    use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
    use tokio_rustls::rustls::{ServerConfig, crypto};

    let certificate = CertificateDer::from_pem_file(tls_file("server.crt")).unwrap();
    let key = PrivateKeyDer::from_pem_file(tls_file("server.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://localhost:{}/hook", listener.local_addr().unwrap().port());
    // What is decrypted goes on to the plain receiver.
    let plain = Receiver::serve(receiver.clone()).await;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, plain) = (acceptor.clone(), plain.clone());
            tokio::spawn(async move {
                let Ok(mut inside) = acceptor.accept(stream).await else { return };
                let mut outside = tokio::net::TcpStream::connect(plain).await.unwrap();
                let _ = tokio::io::copy_bidirectional(&mut inside, &mut outside).await;
            });
        }
    });
    url
}

fn tls_file(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/process/tls").join(name)
}

#[tokio::test]
async fn a_receiver_must_prove_who_it_is() {
    let told = Told::open().await;
    let url = encrypting(&told.receiver).await;
    let move_to = "UPDATE bus.webhook_endpoints SET url = $1";
    told.bus.hotel.behind.execute(move_to, &[&url]).await.unwrap();
    told.say("a", 1).await;
    told.tell().await;
    let log = told.log("").await;
    assert!(text(&log[0]["lastError"]).contains("certificate"), "{log:?}");
    assert_eq!(told.receiver.numbers(), Vec::<i64>::new());

    told.bus.hotel.clock.advance_seconds(5);
    let options = WebhookOptions { private_allowed: true, root_certificates: Some(tls_file("root.crt")) };
    let trusting = Webhooks::new(told.bus.hotel.app.db.clone(), &options, told.bus.relay.published()).unwrap();
    trusting.tell_all().await.unwrap();
    assert_eq!(told.receiver.numbers(), [1]);
    // By another name than the certificate's it is somebody else.
    let other = url.replace("localhost", "127.0.0.1");
    told.bus.hotel.behind.execute(move_to, &[&other]).await.unwrap();
    told.say("a", 2).await;
    trusting.tell_all().await.unwrap();
    assert_eq!(told.receiver.numbers(), [1]);
}

fn dispatcher(bus: &Bus, private_allowed: bool) -> Webhooks {
    let options = WebhookOptions { private_allowed, ..WebhookOptions::default() };
    Webhooks::new(bus.hotel.app.db.clone(), &options, bus.relay.published()).unwrap()
}

#[tokio::test]
async fn an_integrator_is_told_in_order_with_a_signature_that_holds() {
    let told = Told::open().await;
    for n in 1..=20 {
        told.say(&format!("key{}", n % 3), n).await;
    }
    assert_eq!(told.tell().await, 20);
    assert_eq!(told.tell().await, 0, "each once");
    for key in 0..3 {
        let numbers: Vec<_> = told.receiver.numbers().into_iter().filter(|n| n % 3 == key).collect();
        assert!(numbers.is_sorted() && numbers.len() >= 6, "{numbers:?}");
    }
    for heard in told.receiver.heard.lock().unwrap().iter() {
        assert!(heard.is_signed_by(&told.secret), "{heard:?}");
        assert_eq!(heard.id, heard.event["id"], "a repetition is known by its id");
        assert!(!heard.is_signed_by(&platform::webhooks::new_key(&platform::Ids::random())));
    }
    let log = told.log("?state=delivered&limit=5").await;
    assert_eq!(log.len(), 5);
    assert_eq!(log[0]["lastStatus"], 204);
}

#[tokio::test]
async fn while_a_key_is_changed_both_sign_and_a_day_later_the_new_one_alone() {
    let told = Told::open().await;
    let hotel = &told.bus.hotel;
    let rotated = hotel.post(&admin(hotel), &told.path("/rotate-key"), json!({})).await.done();
    let new = text(&rotated["secret"]);
    assert_ne!(new, told.secret);
    assert_eq!(told.shown().await.get("secret"), None, "shown once");
    told.say("a", 1).await;
    told.tell().await;
    hotel.clock.advance_seconds(24 * 60 * 60 + 1);
    told.say("a", 2).await;
    told.tell().await;
    let heard = told.receiver.heard.lock().unwrap().clone();
    assert_eq!((heard[0].is_signed_by(&told.secret), heard[0].is_signed_by(&new)), (true, true));
    assert_eq!((heard[1].is_signed_by(&told.secret), heard[1].is_signed_by(&new)), (false, true));
}

#[tokio::test]
async fn a_failure_holds_up_its_key_alone_and_is_tried_for_three_days_then_the_endpoint_is_paused() {
    let told = Told::open().await;
    told.receiver.answers(&[500]);
    told.say("a", 1).await;
    told.tell().await;
    told.say("a", 2).await;
    told.say("b", 3).await;
    told.tell().await;
    assert_eq!(told.receiver.numbers(), [3], "the other key goes on");
    told.bus.hotel.clock.advance_seconds(5);
    told.tell().await;
    assert_eq!(told.receiver.numbers(), [3, 1, 2]);
    let log = told.log("").await;
    assert_eq!(log[2]["attempts"], 2);

    // From here on nobody answers well.
    told.receiver.answers(&[503; 40]);
    told.say("a", 4).await;
    told.say("a", 5).await;
    for seconds in [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] {
        assert_eq!(told.shown().await["state"], "active");
        told.bus.hotel.clock.advance_seconds(seconds);
        told.tell().await;
    }
    let shown = told.shown().await;
    assert_eq!(shown["state"], "paused");
    assert!(text(&shown["pausedBecause"]).contains("three days"), "{shown}");
    assert_eq!(told.log("?state=given_up").await.len(), 0, "the pause gives nothing up");
    told.say("a", 6).await;
    assert_eq!(told.tell().await, 0, "a paused endpoint is left alone");

    // Somebody mended it: what waited goes on at once and in its order, and is told again when it is asked for.
    told.receiver.answers.lock().unwrap().clear();
    let hotel = &told.bus.hotel;
    hotel
        .ask(Ask::new(axum::http::Method::PATCH, told.path("")).by(&admin(hotel)).json(&json!({ "state": "active" })))
        .await
        .done();
    told.tell().await;
    assert_eq!(told.receiver.numbers(), [3, 1, 2, 4, 5, 6]);
    let again = json!({ "eventId": told.log("").await[2]["eventId"] });
    assert_eq!(hotel.post(&admin(hotel), &told.path("/replay"), again).await.done()["count"], 1);
    told.tell().await;
    assert_eq!(told.receiver.numbers(), [3, 1, 2, 4, 5, 6, 4]);
}

#[tokio::test]
async fn an_event_that_others_have_overtaken_for_three_days_is_given_up_and_its_key_goes_on() {
    let told = Told::open().await;
    told.say("a", 1).await;
    for seconds in [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] {
        told.bus.hotel.clock.advance_seconds(seconds);
        told.receiver.answers(&[500]);
        told.tell().await;
        // The endpoint hears other things meanwhile.
        told.say("b", 2).await;
        told.tell().await;
    }
    let given_up = told.log("?state=given_up").await;
    assert_eq!((given_up.len(), &given_up[0]["attempts"]), (1, &json!(10)));
    assert_eq!(told.shown().await["state"], "active");
    told.say("a", 3).await;
    told.tell().await;
    assert_eq!(told.receiver.numbers().last(), Some(&3));
}

#[tokio::test]
async fn what_is_changed_about_an_endpoint_that_fails_does_not_make_it_well() {
    let told = Told::open().await;
    let hotel = &told.bus.hotel;
    let change = async |body: Value| {
        hotel.ask(Ask::new(axum::http::Method::PATCH, told.path("")).by(&admin(hotel)).json(&body)).await.done()
    };
    told.receiver.answers(&[500]);
    told.say("a", 1).await;
    told.tell().await;
    let since = told.shown().await["failingSince"].clone();
    assert!(since.is_string());
    assert_eq!(change(json!({ "description": "the till" })).await["failingSince"], since);
    assert_eq!(change(json!({ "state": "active" })).await["failingSince"], since, "it was active before");
    hotel.post(&admin(hotel), &told.path("/rotate-key"), json!({})).await.done();
    assert_eq!(told.shown().await["failingSince"], since);
    change(json!({ "state": "paused" })).await;
    assert_eq!(change(json!({ "state": "active" })).await.get("failingSince"), None, "it goes on anew");
}

#[tokio::test]
async fn at_a_new_address_what_waits_is_told_at_once() {
    let told = Told::open().await;
    let hotel = &told.bus.hotel;
    told.receiver.answers(&[500, 500]);
    told.say("a", 1).await;
    told.tell().await;
    hotel.clock.advance_seconds(5);
    told.tell().await;
    assert_eq!(told.log("").await[0]["attempts"], 2, "the next one would be in five minutes");
    let change = Ask::new(axum::http::Method::PATCH, told.path("")).by(&admin(hotel));
    hotel.ask(change.json(&json!({ "url": "https://1.1.1.1/elsewhere" }))).await.done();
    let waiting = told.log("").await;
    assert_eq!(waiting[0]["attempts"], 0, "what failed was another address: {waiting:?}");
    assert_eq!(waiting[0]["nextAttemptAt"], json!(hotel.now()));
}

#[tokio::test]
async fn an_operator_lets_a_paused_endpoint_go_on_and_what_waits_has_all_its_attempts() {
    let told = Told::open().await;
    let hotel = &told.bus.hotel;
    told.receiver.answers(&[500, 500, 500, 410]);
    told.say("a", 1).await;
    for seconds in [0, 5, 300, 1_800] {
        hotel.clock.advance_seconds(seconds);
        told.tell().await;
    }
    told.say("a", 2).await;
    assert_eq!((told.tell().await, &told.shown().await["state"]), (0, &json!("paused")));
    let id = contracts::ids::WebhookId::parse(&told.id).unwrap();
    let paused = told.shown().await;
    told.receiver.answers(&[500]);
    assert_eq!(platform::webhooks::resume_by_operator(&hotel.app.db, &housekeeping::SCHEMA, &id).await.unwrap(), 1);
    let on_record =
        "housekeeping.audit_events WHERE subject = 'internal.webhook.changed' AND actor ->> 'id' = 'sys_operator'";
    assert_eq!(hotel.count(on_record).await, 1, "who turned the tap is in the audit");
    let shown = told.shown().await;
    assert_eq!(
        (&shown["state"], shown.get("pausedBecause"), shown.get("failingSince")),
        (&json!("active"), None, None)
    );
    assert_eq!(shown["version"].as_i64(), paused["version"].as_i64().map(|version| version + 1));
    told.tell().await;
    let log = told.log("?state=waiting").await;
    assert_eq!(log.iter().map(|one| &one["attempts"]).collect::<Vec<_>>(), [&json!(0), &json!(1)], "newest first");
    hotel.clock.advance_seconds(5);
    told.tell().await;
    assert_eq!(told.receiver.numbers(), [1, 2]);
}

#[tokio::test]
async fn keys_that_are_changed_twice_within_a_day_all_sign_until_it_is_over() {
    let told = Told::open().await;
    let hotel = &told.bus.hotel;
    let mut keys = vec![told.secret.clone()];
    for _ in 0..2 {
        let rotated = hotel.post(&admin(hotel), &told.path("/rotate-key"), json!({})).await.done();
        keys.push(text(&rotated["secret"]));
        hotel.clock.advance_seconds(60 * 60);
    }
    told.say("a", 1).await;
    told.tell().await;
    hotel.clock.advance_seconds(24 * 60 * 60);
    told.say("a", 2).await;
    told.tell().await;
    // Changed after that day, the key of the first day is not brought back.
    let rotated = hotel.post(&admin(hotel), &told.path("/rotate-key"), json!({})).await.done();
    keys.push(text(&rotated["secret"]));
    told.say("a", 3).await;
    told.tell().await;
    let heard = told.receiver.heard.lock().unwrap().clone();
    let signed = |at: usize| keys.iter().map(|key| heard[at].is_signed_by(key)).collect::<Vec<_>>();
    assert_eq!(signed(0), [true, true, true, false]);
    assert_eq!(signed(1), [false, false, true, false]);
    assert_eq!(signed(2), [false, false, true, true]);
}

#[tokio::test]
async fn a_receiver_that_is_gone_for_good_is_paused_at_once_and_nothing_is_lost() {
    let told = Told::open().await;
    told.receiver.answers(&[410]);
    told.say("a", 1).await;
    told.bus.hotel.clock.advance_seconds(60);
    told.tell().await;
    let shown = told.shown().await;
    assert_eq!(shown["state"], "paused");
    assert_eq!(shown["updatedAt"], json!(told.bus.hotel.now()), "whoever asks for what has changed is told");
    assert_eq!(told.log("?state=waiting").await.len(), 1);
}

#[tokio::test]
async fn a_pause_is_counted_once_however_many_calls_are_answered_410() {
    let told = Told::open().await;
    told.receiver.answers(&[410, 410, 410]);
    for n in 1..=3 {
        told.say(&format!("key{n}"), n).await;
    }
    let before = told.shown().await;
    assert_eq!(told.tell().await, 3, "all at once");
    let shown = told.shown().await;
    assert_eq!(shown["state"], "paused");
    assert_eq!(shown["version"].as_i64(), before["version"].as_i64().map(|version| version + 1));
    let metrics = told.bus.hotel.app.metrics.render();
    assert!(metrics.contains("melmastoon_webhook_paused_total 1\n"), "{metrics}");
    assert_eq!(told.log("?state=waiting").await.len(), 3, "nothing is lost");
}

/// The receiver is asked, and has its endpoint called elsewhere before it answers.
async fn moves_before_it_answers(status: StatusCode) -> Told {
    let told = Told::open().await;
    let (asked, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let former = {
        let (asked, go) = (Arc::clone(&asked), Arc::clone(&go));
        let answer = async move || {
            asked.notify_one();
            go.notified().await;
            status
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, axum::Router::new().route("/hook", post(answer))).await });
        url
    };
    let (hotel, point) = (&told.bus.hotel, "UPDATE bus.webhook_endpoints SET url = $1");
    let real: String = hotel.behind.query_one("SELECT url FROM bus.webhook_endpoints", &[]).await.unwrap().get(0);
    hotel.behind.execute(point, &[&former]).await.unwrap();
    told.say("a", 1).await;
    let moves = async {
        asked.notified().await;
        let change = Ask::new(axum::http::Method::PATCH, told.path("")).by(&admin(hotel));
        hotel.ask(change.json(&json!({ "url": "https://1.1.1.1/elsewhere" }))).await.done();
        hotel.behind.execute(point, &[&real]).await.unwrap();
        go.notify_one();
    };
    futures_util::future::join(told.tell(), moves).await;
    told
}

#[tokio::test]
async fn an_endpoint_that_was_paused_for_its_address_goes_on_at_another_one_and_one_that_somebody_paused_does_not() {
    let told = Told::open().await;
    let hotel = &told.bus.hotel;
    let change = async |body: Value| {
        hotel.ask(Ask::new(axum::http::Method::PATCH, told.path("")).by(&admin(hotel)).json(&body)).await.done()
    };
    told.receiver.answers(&[410]);
    told.say("a", 1).await;
    told.tell().await;
    assert_eq!(told.shown().await["state"], "paused");
    let shown = change(json!({ "url": "https://1.1.1.1/elsewhere" })).await;
    assert_eq!((&shown["state"], shown.get("pausedBecause")), (&json!("active"), None), "{shown}");
    assert_eq!(told.log("").await[0]["nextAttemptAt"], json!(hotel.now()));
    change(json!({ "state": "paused" })).await;
    assert_eq!(change(json!({ "url": "https://1.1.1.1/again" })).await["state"], "paused", "by hand");
    let both = change(json!({ "url": "https://1.1.1.1/both", "state": "active" })).await;
    assert_eq!(both["state"], "active");
}

#[tokio::test]
async fn what_is_to_go_on_at_once_does_not_wait_since_a_call_was_under_way() {
    let told = Told::open().await;
    let hotel = &told.bus.hotel;
    told.receiver.answers(&[500, 500]);
    told.say("a", 1).await;
    told.tell().await;
    hotel.clock.advance_seconds(5);
    told.tell().await;
    hotel.clock.advance_seconds(300);
    // The third call takes its time and fails; whoever has mended the receiver meanwhile says that it goes on.
    let (asked, go, first) = (Arc::new(Notify::new()), Arc::new(Notify::new()), Arc::new(Mutex::new(true)));
    let answer = {
        let (asked, go) = (Arc::clone(&asked), Arc::clone(&go));
        async move || {
            if !std::mem::take(&mut *first.lock().unwrap()) {
                return StatusCode::NO_CONTENT;
            }
            asked.notify_one();
            go.notified().await;
            StatusCode::INTERNAL_SERVER_ERROR
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().route("/hook", post(answer))).await });
    hotel.behind.execute("UPDATE bus.webhook_endpoints SET url = $1", &[&url]).await.unwrap();
    let goes_on = async {
        asked.notified().await;
        let change = Ask::new(axum::http::Method::PATCH, told.path("")).by(&admin(hotel));
        hotel.ask(change.json(&json!({ "state": "active" }))).await.done();
        go.notify_one();
    };
    futures_util::future::join(told.tell(), goes_on).await;
    let log = told.log("").await;
    assert_eq!(
        (&log[0]["state"], &log[0]["attempts"]),
        (&json!("delivered"), &json!(1)),
        "and not in half an hour: {log:?}"
    );
}

#[tokio::test]
async fn what_the_former_address_answers_does_not_pause_the_new_one() {
    for status in [StatusCode::GONE, StatusCode::INTERNAL_SERVER_ERROR] {
        let told = moves_before_it_answers(status).await;
        let shown = told.shown().await;
        assert_eq!((&shown["state"], shown.get("failingSince")), (&json!("active"), None), "{status}: {shown}");
        assert_eq!(told.receiver.numbers(), [1], "{status}: the new address is told at once");
        let metrics = told.bus.hotel.app.metrics.render();
        assert!(!metrics.contains("melmastoon_webhook_paused_total 1"), "{metrics}");
    }
}

#[tokio::test]
async fn a_receiver_that_never_answers_holds_up_nobody_elses_events() {
    let told = Told::open().await;
    let silent = told.silent_receiver().await;
    let at_work = told.at_work();
    for n in 1..=100 {
        told.say(&format!("key{n}"), n).await;
    }
    // Long before the silent one's calls are given up, which takes ten seconds.
    let begun = std::time::Instant::now();
    crate::nats::until("the other has heard everything", async || told.receiver.numbers().len() == 100).await;
    assert!(begun.elapsed() < std::time::Duration::from_secs(9), "{:?}", begun.elapsed());
    assert_eq!(told.bus.hotel.count(&called(&silent)).await, 16, "so many of one endpoint at a time");
    at_work.abort();
}

#[tokio::test]
async fn however_many_receivers_of_one_house_never_answer_another_house_is_told() {
    let told = Told::open().await;
    let (behind, other): (_, TenantId) = (&told.bus.hotel.behind, told.bus.hotel.next());
    behind.execute("UPDATE bus.webhook_endpoints SET tenant_id = $1", &[&other.as_str()]).await.unwrap();
    let mut silent = Vec::new();
    for _ in 0..6 {
        silent.push(told.silent_receiver().await);
    }
    let at_work = told.at_work();
    for n in 1..=30 {
        told.say(&format!("key{n}"), n).await;
    }
    let all = "bus.webhook_deliveries WHERE claimed_until IS NOT NULL";
    crate::nats::until("the silent ones have all they may have", async || told.bus.hotel.count(all).await == 48).await;
    let begun = std::time::Instant::now();
    for n in 1..=100 {
        let key = format!("key{n}");
        told.bus.say_of(behind, &other, "housekeeping", crate::listener::SUBJECT, &key, n).await;
    }
    told.bus.publish().await;
    crate::nats::until("the other has heard everything", async || told.receiver.numbers().len() == 100).await;
    assert!(begun.elapsed() < std::time::Duration::from_secs(9), "{:?}", begun.elapsed());
    at_work.abort();
}

#[tokio::test]
async fn two_processes_tell_each_event_once() {
    let told = Told::open().await;
    for n in 1..=60 {
        told.say(&format!("key{}", n % 6), n).await;
    }
    let other = dispatcher(&told.bus, true);
    let (one, two) = futures_util::future::join(told.webhooks.tell_all(), other.tell_all()).await;
    assert_eq!(one.unwrap() + two.unwrap(), 60);
    let mut numbers = told.receiver.numbers();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=60).collect::<Vec<_>>());
}

#[tokio::test]
async fn nobody_is_called_in_a_private_network_unless_that_is_allowed() {
    let told = Told::open().await;
    told.say("a", 1).await;
    assert_eq!(dispatcher(&told.bus, false).tell_all().await.unwrap(), 1);
    assert_eq!(told.receiver.numbers(), Vec::<i64>::new());
    let log = told.log("").await;
    assert!(text(&log[0]["lastError"]).contains("https://"), "{log:?}");

    let sql = "UPDATE bus.webhook_endpoints SET url = 'https://localhost:1/'";
    told.bus.hotel.behind.batch_execute(sql).await.unwrap();
    told.bus.hotel.clock.advance_seconds(5);
    dispatcher(&told.bus, false).tell_all().await.unwrap();
    let log = told.log("").await;
    assert!(text(&log[0]["lastError"]).contains("not on the internet"), "{log:?}");
    let hotel = &told.bus.hotel;
    for url in [
        "http://example.com/",
        "https://10.0.0.1/x",
        "https://[::1]/",
        "https://169.254.169.254/latest",
        "https://localhost/h",
        "https://metadata.google.internal/x",
        "https://hotel.local/x",
        "https://till/x",
        "nonsense",
        "",
        "https:example.com/hook",
        "https://exam\nple.com/hook",
        "https://example.com:0/",
        "https://0x7f.1/",
        "https://hotel.invalid/hook",
        "https://example..com/hook",
    ] {
        hotel
            .post(&admin(hotel), "/events/v1/webhooks", json!({ "url": url }))
            .await
            .refused(422, "MELMASTOON.EVENTS.ADDRESS_FORBIDDEN");
        let moved = Ask::new(axum::http::Method::PATCH, told.path("")).by(&admin(hotel)).json(&json!({ "url": url }));
        hotel.ask(moved).await.refused(422, "MELMASTOON.EVENTS.ADDRESS_FORBIDDEN");
    }
}

#[tokio::test]
async fn who_opened_changed_and_closed_an_endpoint_is_in_the_audit_and_no_key_is() {
    let told = Told::open().await;
    let hotel = &told.bus.hotel;
    let change =
        Ask::new(axum::http::Method::PATCH, told.path("")).by(&admin(hotel)).json(&json!({ "state": "paused" }));
    hotel.ask(change).await.done();
    hotel.post(&admin(hotel), &told.path("/rotate-key"), json!({})).await.done();
    hotel.ask(Ask::new(axum::http::Method::DELETE, told.path("")).by(&admin(hotel))).await.done();
    let sql = "SELECT subject, payload::TEXT, actor->>'type' FROM housekeeping.audit_events WHERE aggregate_kind = 'webhook_endpoint' ORDER BY id";
    let rows = hotel.behind.query(sql, &[]).await.unwrap();
    let subjects: Vec<&str> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(subjects, ["added", "changed", "key_changed", "removed"].map(|done| format!("internal.webhook.{done}")));
    assert!(rows.iter().all(|row| !row.get::<_, &str>(1).contains("whsec_")));
}

#[tokio::test]
async fn what_goes_before_an_endpoint_was_told_of_it_is_counted() {
    let told = Told::open().await;
    let hotel = &told.bus.hotel;
    told.receiver.answers(&[410]);
    told.say("a", 1).await;
    told.tell().await;
    assert_eq!(told.shown().await["state"], "paused");
    told.say("a", 2).await;
    hotel.clock.advance_seconds(91 * 24 * 60 * 60);
    platform::retention::purge_log(&hotel.app.db).await.unwrap();
    assert_eq!(hotel.count("bus.webhook_deliveries").await, 0, "terms go before those who wait");
    let metrics = hotel.app.metrics.render();
    assert!(metrics.contains("melmastoon_webhook_lost_total 2"), "{metrics}");
}

#[tokio::test]
async fn what_goes_in_several_runs_is_counted_once() {
    let told = Told::open().await;
    let hotel = &told.bus.hotel;
    told.receiver.answers(&[410]);
    for n in 1..=3 {
        told.say("a", n).await;
    }
    told.tell().await;
    hotel.clock.advance_seconds(91 * 24 * 60 * 60);
    let one_at_a_time = Pace { rows: 1, time: Duration::ZERO };
    for run in 1..=4 {
        purge_log_at(&hotel.app.db, one_at_a_time).await.unwrap();
        let metrics = hotel.app.metrics.render();
        let lost = format!("melmastoon_webhook_lost_total {}", run.min(3));
        assert!(metrics.contains(&lost), "what is still there is not lost yet: {lost}");
    }
}

#[tokio::test]
async fn nonsense_is_refused_by_its_field() {
    let hotel = TestHotel::open().await;
    let ask = async |body: Value| hotel.post(&admin(&hotel), "/events/v1/webhooks", body).await;
    for (body, code) in [
        (json!({}), "MELMASTOON.EVENTS.INVALID_VALUE"),
        (json!({ "url": 7 }), "MELMASTOON.EVENTS.INVALID_VALUE"),
        (json!({ "url": ELSEWHERE, "subjects": ["melmastoon.nothing.v1"] }), "MELMASTOON.EVENTS.INVALID_VALUE"),
        (json!({ "url": ELSEWHERE, "subjects": "all" }), "MELMASTOON.EVENTS.INVALID_VALUE"),
        (json!({ "url": ELSEWHERE, "description": "x".repeat(201) }), "MELMASTOON.EVENTS.INVALID_VALUE"),
        (json!({ "url": format!("https://example.com/{}", "x".repeat(2_000)) }), "MELMASTOON.EVENTS.INVALID_VALUE"),
    ] {
        let answer = ask(body.clone()).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.text);
        assert!(answer.text.contains(code), "{body}: {}", answer.text);
    }
    let id = text(&ask(json!({ "url": ELSEWHERE })).await.done()["id"]);
    let replay = format!("/events/v1/webhooks/{id}/replay");
    for body in [json!({}), json!({ "eventId": "evt_01J0ABCDEFGHJKMNPQRSTVWXYZ", "since": "2026-04-22T06:30:00Z" })] {
        assert_eq!(hotel.post(&admin(&hotel), &replay, body).await.status, 400);
    }
    let unknown = json!({ "eventId": "evt_01J0ABCDEFGHJKMNPQRSTVWXYZ" });
    hotel.post(&admin(&hotel), &replay, unknown).await.refused(404, "MELMASTOON.EVENTS.NOT_FOUND");
}

#[tokio::test]
async fn an_endpoint_of_another_tenant_is_not_there() {
    let told = Told::open().await;
    let hotel = &told.bus.hotel;
    let stranger = contracts::ids::TenantId::parse("tnt_STRANGER").unwrap();
    let token = hotel.token_of_tenant(Role::Admin, &stranger);
    for (method, rest) in [("GET", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/rotate-key"), ("GET", "/deliveries")]
    {
        let ask = Ask::new(method.parse().unwrap(), told.path(rest)).by(&token);
        let ask = if method == "GET" { ask } else { ask.json(&json!({})) };
        hotel.ask(ask).await.refused(404, "MELMASTOON.EVENTS.NOT_FOUND");
    }
    let replay = json!({ "since": "2026-04-22T06:30:00Z" });
    hotel.post(&token, &told.path("/replay"), replay).await.refused(404, "MELMASTOON.EVENTS.NOT_FOUND");
    assert_eq!(hotel.get(&token, "/events/v1/webhooks").await.done()["items"], json!([]));
    // And it is never told what is ours.
    let theirs = hotel.post(&token, "/events/v1/webhooks", json!({ "url": ELSEWHERE })).await.done();
    told.say("a", 1).await;
    told.tell().await;
    let sql = "SELECT count(*) FROM bus.webhook_deliveries WHERE endpoint_id = $1";
    let count: i64 = hotel.behind.query_one(sql, &[&text(&theirs["id"])]).await.unwrap().get(0);
    assert_eq!((count, told.receiver.numbers()), (0, vec![1]));
}

#[tokio::test]
async fn only_the_subjects_that_were_asked_for_are_told_and_everything_since_on_demand() {
    let told = Told::open().await;
    let hotel = &told.bus.hotel;
    let only = json!({ "subjects": ["melmastoon.housekeeping.task.started.v1"] });
    hotel.ask(Ask::new(axum::http::Method::PATCH, told.path("")).by(&admin(hotel)).json(&only)).await.done();
    told.say("a", 1).await;
    assert_eq!(told.tell().await, 0);
    let all = json!({ "subjects": [] });
    hotel.ask(Ask::new(axum::http::Method::PATCH, told.path("")).by(&admin(hotel)).json(&all)).await.done();
    told.say("a", 2).await;
    told.tell().await;
    assert_eq!(told.receiver.numbers(), [2]);
    let since = json!({ "since": hotel.now().plus_seconds(-60) });
    assert_eq!(hotel.post(&admin(hotel), &told.path("/replay"), since).await.done()["count"], 2);
    told.tell().await;
    assert_eq!(told.receiver.numbers(), [2, 1, 2]);
}

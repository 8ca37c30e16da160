//! Tokens of a real issuer: its published keys, its name, its audience, and the broker's own identity at the push endpoint.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::routing::get;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use platform::auth::{RemoteKeys, SigningKey, Verifier};
use platform::http::PushGate;
use serde_json::{Value, json};
use server::app::App;

use crate::test_hotel::{Answer, Ask, TestHotel, ask_router};

const ISSUER: &str = "https://accounts.example";
const AUDIENCE: &str = "https://hotel.example/push";
const EMAIL: &str = "push@hotel.example";

/// The public half of a key whose private half signed the token below and was thrown away.
const RSA_MODULUS: &str = "x9DB2X1MhtyG58lcchDkyVduYKl-kXNl5PxmAV12_7PPK7tgjpd2qwKHM8ynK1ox4ezdr9y0tK5xfKZ90Nbl_1snXOLcuPK71S_ZzioAGXYNqXe-3NaxHSB_w_wy6gMWspMkTerVAzMZPAjKIsqzAh7OZnb1QrFAL_J0ZFrhya0Bm8ZI6gIcmyWL8art9EmI2OsOgHYGixNxJP2XVSwpVgRIe9ntzm-wnfFcaut4j20CG0B_SmMolujVyhJvvUx8k3Xbd14Y8SNHTV07bnr_A3kEkBdaIJgo8TLh8yWLHP5IIVQNWMfOVbFvKnXJI9Y9t2s18ZWq9WynmsHznZ8H5w";
/// RS256, good in every respect on the morning of these tests, for an hour.
const RSA_TOKEN: &str = "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6InJzYS0xIn0.eyJpc3MiOiJodHRwczovL2FjY291bnRzLmV4YW1wbGUiLCJhdWQiOiJodHRwczovL2hvdGVsLmV4YW1wbGUvcHVzaCIsInN1YiI6IjEyMzQ1Njc4OTAiLCJlbWFpbCI6InB1c2hAaG90ZWwuZXhhbXBsZSIsImVtYWlsX3ZlcmlmaWVkIjp0cnVlLCJpYXQiOjE3NzY4Mzk0MDAsImV4cCI6MTc3Njg0MzAwMH0.rpvnOsmT0mC11CcglNMD8_P8qm6rjFepq97fj77Tl1LJL1xxv9ubZ-kFgkFlXsTrlCh7r0igiaU-Z5XcRwmsnuAOdKezvlO0eRjMPAVqdyF_l1rTmdje3LxapexjjTDoJpUdeLAOn4I6AS5IB340EOizB7cjHsI901vf6BvJyvcSXTmEczJhZDQpJ65-b-a9PxFCYSzIB76PolUoKklEDysHGXx93WMNYn9-AAKhydNey4nf7R_Od4pLSpI2evGeHx1cg46u04j8iGWqz-_wfor7eh_Mxf9Hm7QDocTDiTaL_5IfmZdqjhK7H9JGmJf6FuvK4t5Zp1Ci07IqvI3UJQ";

/// Somebody who signs tokens and publishes keys.
struct Issuer {
    url: String,
    keys: Arc<Mutex<Vec<Value>>>,
    asked: Arc<AtomicUsize>,
}

impl Issuer {
    /// Publishes on a port of this machine until the test's runtime ends.
    async fn open() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/keys", listener.local_addr().unwrap());
        let rsa = json!({ "kty": "RSA", "kid": "rsa-1", "n": RSA_MODULUS, "e": "AQAB" });
        let (keys, asked) = (Arc::new(Mutex::new(vec![rsa])), Arc::new(AtomicUsize::new(0)));
        let (shown, counted) = (Arc::clone(&keys), Arc::clone(&asked));
        let publish = move || async move {
            counted.fetch_add(1, Ordering::SeqCst);
            Json(json!({ "keys": *shown.lock().unwrap() }))
        };
        let router = axum::Router::new().route("/keys", get(publish));
        tokio::spawn(axum::serve(listener, router).into_future());
        Self { url, keys, asked }
    }

    fn publishes(&self, key: &SigningKey) {
        let key = json!({ "kty": "OKP", "crv": "Ed25519", "kid": key.kid(), "x": BASE64.encode(key.public_key()) });
        self.keys.lock().unwrap().push(key);
    }
}

fn gate(url: &str) -> PushGate {
    let keys = Arc::new(RemoteKeys::new(url.to_owned()));
    let verifier = Verifier::remote(keys, Some(ISSUER.to_owned()), Some(AUDIENCE.to_owned()));
    PushGate::Oidc { verifier: Arc::new(verifier), email: Some(EMAIL.to_owned()) }
}

fn pushed_by(token: &str, hotel: &TestHotel, event: &crate::test_hotel::Happening) -> Ask {
    let wrapped = hotel.wrapped(&event.subject, event.envelope.to_string().as_bytes());
    Ask { headers: vec![], ..wrapped }.by(token)
}

async fn push(app: &App, hotel: &TestHotel, token: &str) -> Answer {
    let room = hotel.ready_room("101").await;
    ask_router(app, pushed_by(token, hotel, &hotel.checked_out(&room))).await
}

fn good_claims(hotel: &TestHotel) -> Value {
    let now = hotel.now().as_millis() / 1_000;
    json!({
        "iss": ISSUER, "aud": AUDIENCE, "sub": "1234567890", "email": EMAIL, "email_verified": true, "iat": now, "exp": now + 3_600,
    })
}

fn minted(key: &SigningKey, claims: &Value) -> String {
    key.mint(&serde_json::from_value(claims.clone()).unwrap())
}

#[tokio::test]
async fn the_brokers_own_identity_pushes_for_every_tenant() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    let app = hotel.process(|parts| parts.push = gate(&issuer.url));
    let answer = push(&app, &hotel, RSA_TOKEN).await;
    assert_eq!(answer.status, 204, "{}", answer.text);
    assert_eq!(hotel.board().await.room("101").status, "dirty");
    let tampered = format!("{}A{}", &RSA_TOKEN[..RSA_TOKEN.len() - 9], &RSA_TOKEN[RSA_TOKEN.len() - 8..]);
    push(&app, &hotel, &tampered).await.refused(401, "MELMASTOON.PLATFORM.UNAUTHENTICATED").naming("signature");
    push(&app, &hotel, &hotel.service()).await.refused(401, "MELMASTOON.PLATFORM.UNAUTHENTICATED");
}

#[tokio::test]
async fn another_issuer_audience_or_identity_is_not_the_broker() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    let key = SigningKey::fresh().unwrap();
    issuer.publishes(&key);
    let app = hotel.process(|parts| parts.push = gate(&issuer.url));
    let room = hotel.ready_room("101").await;
    let event = hotel.checked_out(&room);
    let wrong = [
        ("iss", json!("https://accounts.elsewhere")),
        ("iss", json!(null)),
        ("aud", json!("https://hotel.example")),
        ("aud", json!(["https://a", "https://b"])),
        ("aud", json!(null)),
        ("email", json!("guest@hotel.example")),
        ("email", json!(null)),
        ("email_verified", json!(false)),
        ("email_verified", json!(null)),
        ("exp", json!(1)),
        ("iat", json!(hotel.now().as_millis() / 1_000 + 11)),
    ];
    for (claim, value) in wrong {
        let mut claims = good_claims(&hotel);
        claims[claim] = value.clone();
        let answer = ask_router(&app, pushed_by(&minted(&key, &claims), &hotel, &event)).await;
        assert_eq!(answer.status, 401, "{claim}: {value}");
    }
    assert!(hotel.tasks(&room).await.is_empty());
    let good = ask_router(&app, pushed_by(&minted(&key, &good_claims(&hotel)), &hotel, &event)).await;
    assert_eq!(good.status, 204, "{}", good.text);
}

#[tokio::test]
async fn a_flood_of_unknown_keys_does_not_become_a_flood_of_requests() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    let app = hotel.process(|parts| parts.push = gate(&issuer.url));
    let room = hotel.ready_room("101").await;
    let event = hotel.checked_out(&room);
    let strangers: Vec<_> = (0..20).map(|_| minted(&SigningKey::fresh().unwrap(), &good_claims(&hotel))).collect();
    let asked = strangers.iter().map(|token| ask_router(&app, pushed_by(token, &hotel, &event)));
    let answers = futures_util::future::join_all(asked).await;
    assert!(answers.iter().all(|answer| answer.status == 401), "{answers:?}");
    assert_eq!(issuer.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_new_key_of_the_issuer_is_found() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    let app = hotel.process(|parts| parts.push = gate(&issuer.url));
    assert_eq!(push(&app, &hotel, RSA_TOKEN).await.status, 204);
    let key = SigningKey::fresh().unwrap();
    issuer.publishes(&key);
    hotel.clock.advance_seconds(31);
    assert_eq!(push(&app, &hotel, &minted(&key, &good_claims(&hotel))).await.status, 204);
}

#[tokio::test]
async fn while_the_issuers_keys_cannot_be_fetched_the_sender_is_told_to_come_again() {
    let hotel = TestHotel::open().await;
    // A port that nobody listens on: taken and given back.
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let app = hotel.process(|parts| parts.push = gate(&format!("http://{closed}/keys")));
    let answer = push(&app, &hotel, RSA_TOKEN).await;
    answer.refused(503, "MELMASTOON.PLATFORM.KEYS_UNAVAILABLE");
    assert!(answer.header("retry-after").is_some());
    assert_eq!(hotel.board().await.room("101").status, "ready");
}

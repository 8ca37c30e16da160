//! Tokens of a real issuer: its published keys, its name, its audience, and the broker's own identity at the push endpoint.

use platform::auth::{Broker, RemoteKeys, SigningKey};
use platform::http::PushGate;
use serde_json::{Value, json};
use server::app::App;

use crate::test_hotel::{Answer, Ask, Happening, TestHotel, ask_router};
use crate::test_issuer::{ISSUER, Issuer, rsa_key, signed, signed_as};

const AUDIENCE: &str = "https://hotel.example/push";
const EMAIL: &str = "push@hotel.example";

/// The public half of a key whose private half signed the token below and was thrown away.
const RSA_MODULUS: &str = "x9DB2X1MhtyG58lcchDkyVduYKl-kXNl5PxmAV12_7PPK7tgjpd2qwKHM8ynK1ox4ezdr9y0tK5xfKZ90Nbl_1snXOLcuPK71S_ZzioAGXYNqXe-3NaxHSB_w_wy6gMWspMkTerVAzMZPAjKIsqzAh7OZnb1QrFAL_J0ZFrhya0Bm8ZI6gIcmyWL8art9EmI2OsOgHYGixNxJP2XVSwpVgRIe9ntzm-wnfFcaut4j20CG0B_SmMolujVyhJvvUx8k3Xbd14Y8SNHTV07bnr_A3kEkBdaIJgo8TLh8yWLHP5IIVQNWMfOVbFvKnXJI9Y9t2s18ZWq9WynmsHznZ8H5w";
/// RS256, good in every respect on the morning of these tests, for an hour.
const RSA_TOKEN: &str = "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6InJzYS0xIn0.eyJpc3MiOiJodHRwczovL2FjY291bnRzLmV4YW1wbGUiLCJhdWQiOiJodHRwczovL2hvdGVsLmV4YW1wbGUvcHVzaCIsInN1YiI6IjEyMzQ1Njc4OTAiLCJlbWFpbCI6InB1c2hAaG90ZWwuZXhhbXBsZSIsImVtYWlsX3ZlcmlmaWVkIjp0cnVlLCJpYXQiOjE3NzY4Mzk0MDAsImV4cCI6MTc3Njg0MzAwMH0.rpvnOsmT0mC11CcglNMD8_P8qm6rjFepq97fj77Tl1LJL1xxv9ubZ-kFgkFlXsTrlCh7r0igiaU-Z5XcRwmsnuAOdKezvlO0eRjMPAVqdyF_l1rTmdje3LxapexjjTDoJpUdeLAOn4I6AS5IB340EOizB7cjHsI901vf6BvJyvcSXTmEczJhZDQpJ65-b-a9PxFCYSzIB76PolUoKklEDysHGXx93WMNYn9-AAKhydNey4nf7R_Od4pLSpI2evGeHx1cg46u04j8iGWqz-_wfor7eh_Mxf9Hm7QDocTDiTaL_5IfmZdqjhK7H9JGmJf6FuvK4t5Zp1Ci07IqvI3UJQ";

const UNAUTHENTICATED: &str = "MELMASTOON.PLATFORM.UNAUTHENTICATED";

pub(crate) fn gate(issuer: &Issuer) -> PushGate {
    PushGate::oidc(Broker::new(issuer.keys(), ISSUER.to_owned(), AUDIENCE.to_owned(), EMAIL.to_owned()))
}

fn pushed_by(token: &str, hotel: &TestHotel, event: &Happening) -> Ask {
    let wrapped = hotel.wrapped(&event.subject, event.envelope.to_string().as_bytes());
    Ask { headers: vec![], ..wrapped }.by(token)
}

async fn push(app: &App, hotel: &TestHotel, token: &str) -> Answer {
    let room = hotel.ready_room("101").await;
    ask_router(app, pushed_by(token, hotel, &hotel.checked_out(&room))).await
}

pub(crate) fn good_claims(hotel: &TestHotel) -> Value {
    let now = hotel.now().as_millis() / 1_000;
    json!({
        "iss": ISSUER, "aud": AUDIENCE, "sub": "1234567890", "email": EMAIL, "email_verified": true, "iat": now, "exp": now + 3_600,
    })
}

#[tokio::test]
async fn the_brokers_own_identity_pushes_for_every_tenant() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    issuer.publishes(json!({ "kty": "RSA", "kid": "rsa-1", "n": RSA_MODULUS, "e": "AQAB" }));
    let app = hotel.process(|parts| parts.push = gate(&issuer));
    let answer = push(&app, &hotel, RSA_TOKEN).await;
    assert_eq!(answer.status, 204, "{}", answer.text);
    assert_eq!(hotel.board().await.room("101").status, "dirty");
    let tampered = format!("{}A{}", &RSA_TOKEN[..RSA_TOKEN.len() - 9], &RSA_TOKEN[RSA_TOKEN.len() - 8..]);
    push(&app, &hotel, &tampered).await.refused(401, UNAUTHENTICATED).naming("signature");
    push(&app, &hotel, &hotel.service()).await.refused(401, UNAUTHENTICATED);
}

#[tokio::test]
async fn another_issuer_audience_or_identity_is_not_the_broker() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    issuer.publishes(rsa_key("a"));
    let app = hotel.process(|parts| parts.push = gate(&issuer));
    let room = hotel.ready_room("101").await;
    let event = hotel.checked_out(&room);
    let now = hotel.now().as_millis() / 1_000;
    let wrong = [
        ("iss", json!("https://accounts.elsewhere")),
        ("iss", json!(null)),
        ("aud", json!("https://hotel.example")),
        ("aud", json!(["https://a", "https://b"])),
        ("aud", json!([AUDIENCE, "https://b"])),
        ("aud", json!([])),
        ("aud", json!(null)),
        ("email", json!("guest@hotel.example")),
        ("email", json!(null)),
        ("email_verified", json!(false)),
        ("email_verified", json!(null)),
        ("exp", json!(now - 11)),
        ("iat", json!(now + 11)),
        ("iat", json!(null)),
    ];
    for (claim, value) in wrong {
        let mut claims = good_claims(&hotel);
        claims[claim] = value.clone();
        let answer = ask_router(&app, pushed_by(&signed_as("a", &claims), &hotel, &event)).await;
        assert_eq!(answer.status, 401, "{claim}: {value}");
    }
    assert!(hotel.tasks(&room).await.is_empty());
    let good = ask_router(&app, pushed_by(&signed_as("a", &good_claims(&hotel)), &hotel, &event)).await;
    assert_eq!(good.status, 204, "{}", good.text);
}

#[tokio::test]
async fn the_broker_signs_with_rs256_and_asks_for_nothing_that_we_do_not_know() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    let young = SigningKey::fresh().unwrap();
    issuer.publishes(rsa_key("a"));
    issuer.publishes_ed25519(&young);
    let app = hotel.process(|parts| parts.push = gate(&issuer));
    let claims = good_claims(&hotel);
    let eddsa = young.mint(&serde_json::from_value(claims.clone()).unwrap());
    let tokens = [
        ("EdDSA", eddsa),
        ("PS256", signed(&json!({ "alg": "PS256", "kid": "a" }), &claims)),
        ("RS384", signed(&json!({ "alg": "RS384", "kid": "a" }), &claims)),
        ("no key's name", signed(&json!({ "alg": "RS256" }), &claims)),
        ("the name of another kind of key", signed(&json!({ "alg": "RS256", "kid": young.kid() }), &claims)),
        ("an extension", signed(&json!({ "alg": "RS256", "kid": "a", "crit": ["exp"] }), &claims)),
        ("no extension, spelt out", signed(&json!({ "alg": "RS256", "kid": "a", "crit": null }), &claims)),
        ("a body as it is", signed(&json!({ "alg": "RS256", "kid": "a", "crit": ["b64"], "b64": false }), &claims)),
    ];
    for (what, token) in tokens {
        let answer = push(&app, &hotel, &token).await;
        assert_eq!(answer.status, 401, "{what}: {}", answer.text);
        answer.refused(401, UNAUTHENTICATED);
    }
    assert_eq!(push(&app, &hotel, &signed_as("a", &claims)).await.status, 204);
}

#[tokio::test]
async fn only_the_subscriptions_on_the_list_may_push_where_there_is_a_list() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    issuer.publishes(rsa_key("a"));
    let ours = "projects/hotel/subscriptions/housekeeping";
    let list = vec!["projects/hotel/subscriptions/other".to_owned(), ours.to_owned()];
    let app = hotel.process(|parts| parts.push = gate(&issuer).through(list.clone()));
    let local = hotel.process(|parts| parts.push = parts.push.clone().through(list.clone()));
    let token = signed_as("a", &good_claims(&hotel));
    let room = hotel.ready_room("101").await;
    let event = hotel.checked_out(&room);
    let through = |subscription: &Value, token: &str| {
        let ask = pushed_by(token, &hotel, &event);
        let mut body: Value = serde_json::from_slice(&ask.body).unwrap();
        body["subscription"] = subscription.clone();
        ask.json(&body)
    };
    let wrong = [json!("housekeeping"), json!(format!("{ours}2")), json!(""), json!(null)];
    for subscription in &wrong {
        for (app, token) in [(&app, &token), (&local, &hotel.service())] {
            let answer = ask_router(app, through(subscription, token)).await;
            answer.refused(403, "MELMASTOON.PLATFORM.FORBIDDEN").naming("subscription");
        }
    }
    let twice = format!(r#"{{"subscription":"{ours}","subscription":"x","message":{{"data":"e30="}}}}"#);
    let twice = pushed_by(&token, &hotel, &event).bytes(twice);
    ask_router(&app, twice).await.refused(400, "MELMASTOON.PLATFORM.MALFORMED_REQUEST");
    let bare = Ask { body: event.envelope.to_string().into(), ..pushed_by(&token, &hotel, &event) };
    let bare = bare.header("content-type", "application/cloudevents+json");
    ask_router(&app, bare).await.refused(403, "MELMASTOON.PLATFORM.FORBIDDEN");
    assert!(hotel.tasks(&room).await.is_empty());
    let stranger = signed_as("a", &json!({ "sub": "x", "exp": 1 }));
    assert_eq!(ask_router(&app, through(&json!(ours), &stranger)).await.status, 401, "the list replaces no token");
    let good = ask_router(&app, through(&json!(ours), &token)).await;
    assert_eq!(good.status, 204, "{}", good.text);
    let again = ask_router(&local, through(&json!(ours), &hotel.service())).await;
    assert_eq!(again.status, 204, "{}", again.text);
}

#[tokio::test]
async fn a_flood_of_unknown_keys_does_not_become_a_flood_of_requests() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    let app = hotel.process(|parts| parts.push = gate(&issuer));
    let room = hotel.ready_room("101").await;
    let event = hotel.checked_out(&room);
    let strangers: Vec<_> = (0..20).map(|n| signed_as(&format!("k{n}"), &good_claims(&hotel))).collect();
    let asked = strangers.iter().map(|token| ask_router(&app, pushed_by(token, &hotel, &event)));
    let answers = futures_util::future::join_all(asked).await;
    assert!(answers.iter().all(|answer| answer.status == 401), "{answers:?}");
    assert_eq!(issuer.asked(), 1);
}

#[tokio::test]
async fn a_new_key_of_the_issuer_is_found() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    issuer.publishes(rsa_key("a"));
    let app = hotel.process(|parts| parts.push = gate(&issuer));
    assert_eq!(push(&app, &hotel, &signed_as("a", &good_claims(&hotel))).await.status, 204);
    issuer.publishes(rsa_key("b"));
    hotel.clock.advance_seconds(31);
    assert_eq!(push(&app, &hotel, &signed_as("b", &good_claims(&hotel))).await.status, 204);
}

#[tokio::test]
async fn while_the_issuers_keys_cannot_be_fetched_the_sender_is_told_to_come_again() {
    let hotel = TestHotel::open().await;
    // A port that nobody listens on: taken and given back.
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let keys = RemoteKeys::new(format!("http://{closed}/keys"));
    let broker = Broker::new(keys, ISSUER.to_owned(), AUDIENCE.to_owned(), EMAIL.to_owned());
    let app = hotel.process(|parts| parts.push = PushGate::oidc(broker));
    let answer = push(&app, &hotel, RSA_TOKEN).await;
    answer.refused(503, "MELMASTOON.PLATFORM.KEYS_UNAVAILABLE");
    assert!(answer.header("retry-after").is_some());
    assert_eq!(hotel.board().await.room("101").status, "ready");
}

//! Tokens that are not good: 401, whatever is wrong with them, and no effect.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use contracts::ids::StaffId;
use platform::auth::{Claims, Role, SigningKey};
use ring::hmac;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, TestHotel};

const UNAUTHENTICATED: &str = "MELMASTOON.PLATFORM.UNAUTHENTICATED";

fn good_claims(hotel: &TestHotel) -> Claims {
    hotel.claims(Role::Supervisor, StaffId::parse("stf_SUPERVISOR").ok().as_ref())
}

/// A token of the caller's own making.
fn forged(header: &Value, claims: &Claims, sign: impl Fn(&[u8]) -> Vec<u8>) -> String {
    let body = serde_json::to_vec(claims).unwrap();
    let signed = format!("{}.{}", BASE64.encode(header.to_string()), BASE64.encode(body));
    let signature = sign(signed.as_bytes());
    format!("{signed}.{}", BASE64.encode(signature))
}

fn bad_tokens(hotel: &TestHotel) -> Vec<(&'static str, String)> {
    let claims = good_claims(hotel);
    let good = hotel.key.mint(&claims);
    let (kid, now) = (hotel.key.kid(), hotel.now().as_millis() / 1_000);
    let parts: Vec<&str> = good.split('.').collect();
    let with_public_key = |signed: &[u8]| {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &hotel.key.public_key());
        hmac::sign(&key, signed).as_ref().to_vec()
    };
    let promoted = Claims { roles: vec!["admin".to_owned()], ..claims.clone() };
    let tampered = BASE64.encode(serde_json::to_vec(&promoted).unwrap());
    let mint = |claims: Claims| hotel.key.mint(&claims);
    vec![
        ("no text", String::new()),
        ("no token", "bananas".to_owned()),
        ("two parts", format!("{}.{}", parts[0], parts[1])),
        ("no signature", format!("{}.{}.", parts[0], parts[1])),
        ("alg none", forged(&json!({ "alg": "none", "kid": kid }), &claims, |_| Vec::new())),
        ("alg none in capitals", forged(&json!({ "alg": "NONE", "kid": kid }), &claims, |_| vec![0; 64])),
        ("HS256 with the public key", forged(&json!({ "alg": "HS256", "kid": kid }), &claims, with_public_key)),
        ("RS256 for an Ed25519 key", forged(&json!({ "alg": "RS256", "kid": kid }), &claims, with_public_key)),
        ("an unknown key", SigningKey::fresh().unwrap().mint(&claims)),
        ("no key id", forged(&json!({ "alg": "EdDSA" }), &claims, |_| vec![7; 64])),
        ("somebody else's signature", forged(&json!({ "alg": "EdDSA", "kid": kid }), &claims, |_| vec![7; 64])),
        ("other claims under a good signature", format!("{}.{tampered}.{}", parts[0], parts[2])),
        ("expired", mint(Claims { exp: now - 11, ..claims.clone() })),
        ("expired before time began", mint(Claims { exp: i64::MIN, ..claims.clone() })),
        ("not valid yet", mint(Claims { nbf: Some(now + 60), ..claims.clone() })),
        ("issued in the future", mint(Claims { iat: Some(now + 60), ..claims.clone() })),
        ("no tenant", mint(Claims { tenant_id: None, ..claims.clone() })),
        ("a tenant that is no id", mint(Claims { tenant_id: Some("' OR 1=1".to_owned()), ..claims.clone() })),
        ("a person that is no id", mint(Claims { staff_id: Some("me".to_owned()), ..claims.clone() })),
        ("a property that is no id", mint(Claims { properties: vec!["here".to_owned()], ..claims.clone() })),
        ("a very long one", mint(Claims { sub: "x".repeat(10_000), ..claims })),
    ]
}

#[tokio::test]
async fn a_token_that_is_not_good_in_every_respect_is_refused_everywhere() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let before = hotel.count("housekeeping.audit_events").await;
    let status = format!("/housekeeping/v1/rooms/{}/status", room.id);
    for (what, token) in bad_tokens(&hotel) {
        let change = Ask::post(&status).by(&token).json(&json!({ "status": "dirty" }));
        let push = Ask::post("/internal/events/melmastoon.reservation.checked_out.v1").by(&token).bytes("{}");
        for ask in [change, push, Ask::get("/events/v1/feed").by(&token)] {
            let answer = hotel.ask(ask).await;
            assert_eq!(answer.status, 401, "{what}: {}", answer.text);
            answer.refused(401, UNAUTHENTICATED);
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{what}");
        }
    }
    assert_eq!(hotel.count("housekeeping.audit_events").await, before);
    assert_eq!(hotel.board().await.room("101").status, "ready");
}

#[tokio::test]
async fn another_scheme_than_bearer_is_no_token() {
    let hotel = TestHotel::open().await;
    let good = hotel.supervisor();
    for value in ["Basic dXNlcjpwYXNz".to_owned(), good.clone(), format!("Token {good}"), "Bearer".to_owned()] {
        let answer = hotel.ask(Ask::get("/housekeeping/v1/tasks").header("authorization", &value)).await;
        answer.refused(401, UNAUTHENTICATED);
    }
    let lower = Ask::get("/housekeeping/v1/tasks").header("authorization", format!("bearer {good}"));
    assert_eq!(hotel.ask(lower).await.status, 200, "the scheme's case does not matter");
}

#[tokio::test]
async fn a_token_is_good_until_it_expires_and_ten_seconds_longer_at_most() {
    let hotel = TestHotel::open().await;
    let token = hotel.supervisor();
    let status = async || hotel.get(&token, "/housekeeping/v1/tasks").await.status;
    assert_eq!(status().await, 200);
    hotel.clock.advance_seconds(3_600 + 9);
    assert_eq!(status().await, 200, "two clocks may be nearly ten seconds apart");
    hotel.clock.advance_seconds(1);
    assert_eq!(status().await, 401, "also for a token that was known to be good");
    let late = hotel.key.mint(&Claims { exp: hotel.now().as_millis() / 1_000 - 10, ..good_claims(&hotel) });
    assert_eq!(
        hotel.get(&late, "/housekeeping/v1/tasks").await.status,
        401,
        "nor for one that is seen for the first time"
    );
}

#[tokio::test]
async fn a_token_without_an_end_is_good_again_and_again() {
    let hotel = TestHotel::open().await;
    let token = hotel.key.mint(&Claims { exp: i64::MAX, ..good_claims(&hotel) });
    for _ in 0..2 {
        assert_eq!(hotel.get(&token, "/housekeeping/v1/tasks").await.status, 200);
    }
}

#[tokio::test]
async fn a_role_nobody_knows_gives_nothing() {
    let hotel = TestHotel::open().await;
    let claims = Claims { roles: vec!["emperor".to_owned()], ..good_claims(&hotel) };
    let answer = hotel.get(&hotel.key.mint(&claims), "/housekeeping/v1/tasks").await;
    answer.refused(403, "MELMASTOON.PLATFORM.FORBIDDEN").naming("supervisor");
}

#[tokio::test]
async fn whoever_asks_too_often_is_told_when_to_come_back() {
    let hotel = TestHotel::open().await;
    let app = hotel.process(|parts| parts.rate_limit = 1);
    let token = hotel.supervisor();
    for _ in 0..100 {
        let answer = crate::test_hotel::ask_router(&app, Ask::get("/housekeeping/v1/tasks").by(&token)).await;
        if answer.status == 429 {
            answer.refused(429, "MELMASTOON.PLATFORM.RATE_LIMITED");
            assert_eq!(answer.header("retry-after"), Some("1"));
            assert_eq!(answer.header("ratelimit-remaining"), Some("0"));
            let other = hotel.manager();
            let other = crate::test_hotel::ask_router(&app, Ask::get("/housekeeping/v1/tasks").by(&other)).await;
            assert_eq!(other.status, 200, "others are not held up");
            return;
        }
    }
    panic!("a hundred requests at one a second were all let in");
}

#[tokio::test]
async fn a_machine_whose_secrets_are_not_the_hotels_is_known_and_may_be_made_the_hotels() {
    use platform::auth::{Secrets, adopt_secrets, differing_secrets, note_secrets};

    let hotel = TestHotel::open().await;
    let (db, key) = (&hotel.app.db, SigningKey::fresh().unwrap());
    let first = Secrets::of(key.clone(), [1; 32]);
    let (other_secret, other_key) = (Secrets::of(key, [2; 32]), Secrets::of(SigningKey::fresh().unwrap(), [1; 32]));
    assert!(differing_secrets(db, &other_key).await.unwrap().is_empty(), "nobody has served yet");
    for secrets in [&first, &other_secret, &other_key] {
        note_secrets(db, secrets).await.unwrap();
    }
    assert!(differing_secrets(db, &first).await.unwrap().is_empty(), "the first to serve is right");
    assert_eq!(differing_secrets(db, &other_secret).await.unwrap(), ["pin-secret"]);
    assert_eq!(differing_secrets(db, &other_key).await.unwrap(), ["signing-key"]);
    adopt_secrets(db, &other_key).await.unwrap();
    assert!(differing_secrets(db, &other_key).await.unwrap().is_empty());
    assert_eq!(differing_secrets(db, &first).await.unwrap(), ["signing-key"]);
}

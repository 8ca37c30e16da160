//! The broker pushes, with tokens of its own, and nobody else does.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD as BASE64, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use server::app::App;

use crate::issuer::{gate, good_claims};
use crate::test_hotel::{Answer, Ask, TestHotel, ask_router};
use crate::test_issuer::{Issuer, rsa_key, signed_as};

/// Signs as Google does, and calls a hotel that takes nobody else.
pub(crate) struct Driver {
    pub(crate) app: App,
    _issuer: Issuer,
}

impl Driver {
    /// For these subscriptions alone.
    pub(crate) async fn open(hotel: &TestHotel, through: Vec<String>) -> Self {
        let issuer = Issuer::open().await;
        issuer.publishes(rsa_key("google"));
        let app = hotel.process(|parts| parts.push = gate(&issuer).through(through));
        Self { app, _issuer: issuer }
    }

    /// A body as it came from the broker, with the token that it lacks.
    pub(crate) async fn push(&self, hotel: &TestHotel, path: &str, body: Vec<u8>) -> Answer {
        let token = signed_as("google", &good_claims(hotel));
        ask_router(&self.app, Ask::post(path).by(&token).bytes(body)).await
    }
}

pub(crate) fn wrapped(event: &Value, subscription: &str) -> Vec<u8> {
    let message = json!({
        "data": BASE64.encode(event.to_string()), "messageId": "19917247034", "publishTime": "2026-04-22T06:30:00Z",
        "attributes": { "eventId": event["id"] }, "orderingKey": "tnt_A:a",
    });
    // The last time that it is tried: whatever cannot be applied is filed.
    json!({ "message": message, "subscription": subscription, "deliveryAttempt": 100 }).to_string().into_bytes()
}

#[tokio::test]
async fn a_token_that_is_forged_in_any_way_changes_nothing() {
    let hotel = TestHotel::open().await;
    let driver = Driver::open(&hotel, Vec::new()).await;
    let room = hotel.ready_room("101").await;
    let departure = hotel.checked_out(&room);
    let path = format!("/internal/events/{}", departure.subject);
    let claims = good_claims(&hotel);
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let good = signed_as("google", &claims);
    let (_, signature) = good.rsplit_once('.').unwrap();
    let key = rsa_key("google");
    let secret = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, key["n"].as_str().unwrap().as_bytes());
    let mut elder = claims.clone();
    elder["exp"] = json!(claims["exp"].as_i64().unwrap() + 86_400);
    let by_public_key = {
        let text = format!("{}.{}", part(&json!({ "alg": "HS256", "kid": "google" })), part(&claims));
        format!("{text}.{}", URL_SAFE_NO_PAD.encode(ring::hmac::sign(&secret, text.as_bytes())))
    };
    let forged = [
        ("no signature", format!("{}.{}.", part(&json!({ "alg": "none" })), part(&claims))),
        (
            "alg none with a key",
            format!("{}.{}.{signature}", part(&json!({ "alg": "none", "kid": "google" })), part(&claims)),
        ),
        ("the public key as a secret", by_public_key),
        (
            "other claims under a good signature",
            format!("{}.{}.{signature}", part(&json!({ "alg": "RS256", "kid": "google" })), part(&elder)),
        ),
        ("a key that nobody published", signed_as("stranger", &claims)),
        ("not a token", "google".to_owned()),
    ];
    for (what, token) in forged {
        let ask = Ask::post(&path).by(&token).bytes(wrapped(&departure.envelope, "s"));
        assert_eq!(ask_router(&driver.app, ask).await.status, 401, "{what}");
    }
    assert_eq!(ask_router(&driver.app, Ask::post(&path).bytes(wrapped(&departure.envelope, "s"))).await.status, 401);
    assert_eq!(hotel.board().await.room("101").status, "ready");
    assert_eq!(driver.push(&hotel, &path, wrapped(&departure.envelope, "s")).await.status, 204);
    assert_eq!(hotel.board().await.room("101").status, "dirty");
}

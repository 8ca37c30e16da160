//! The keys of a real issuer come and go, and the issuer itself may hang: nobody waits for it who need not, and nobody gets in
//! with a key that was taken back.

use std::sync::Arc;

use platform::auth::{Role, Verifier};
use serde_json::{Value, json};
use server::app::App;

use crate::test_hotel::{Answer, Ask, TestHotel, ask_router};
use crate::test_issuer::{ISSUER, Issuer, rsa_key, signed_as, until};

const AUDIENCE: &str = "https://hotel.example";
const TASKS: &str = "/housekeeping/v1/tasks";
const UNAUTHENTICATED: &str = "MELMASTOON.PLATFORM.UNAUTHENTICATED";
const UNAVAILABLE: &str = "MELMASTOON.PLATFORM.KEYS_UNAVAILABLE";

fn app(hotel: &TestHotel, issuer: &Issuer) -> App {
    let verifier = Verifier::remote(issuer.keys(), ISSUER.to_owned(), AUDIENCE.to_owned());
    hotel.process(|parts| parts.verifier = Arc::new(verifier))
}

/// A supervisor's token, good for two days.
fn token(hotel: &TestHotel, kid: &str) -> String {
    let mut claims: Value = serde_json::to_value(hotel.claims(Role::Supervisor, None)).unwrap();
    let now = hotel.now().as_millis() / 1_000;
    claims["iss"] = json!(ISSUER);
    claims["aud"] = json!([AUDIENCE, "https://elsewhere.example"]);
    claims["exp"] = json!(now + 2 * 86_400);
    claims["jti"] = json!(format!("{now}"));
    signed_as(kid, &claims)
}

async fn ask(app: &App, token: &str) -> Answer {
    ask_router(app, Ask::get(TASKS).by(token)).await
}

#[tokio::test]
async fn people_come_with_the_tokens_of_a_real_issuer_that_are_for_us() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    issuer.publishes(rsa_key("a"));
    let app = app(&hotel, &issuer);
    assert_eq!(ask(&app, &token(&hotel, "a")).await.status, 200);
    let claims = serde_json::to_value(hotel.claims(Role::Admin, None)).unwrap();
    for (iss, aud) in [(json!(null), json!(AUDIENCE)), (json!(ISSUER), json!(null)), (json!(ISSUER), json!("x"))] {
        let mut claims = claims.clone();
        (claims["iss"], claims["aud"]) = (iss, aud);
        ask(&app, &signed_as("a", &claims)).await.refused(401, UNAUTHENTICATED);
    }
    assert_eq!(issuer.asked(), 1);
}

#[tokio::test]
async fn a_token_that_was_good_ends_with_its_key() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    issuer.publishes(rsa_key("a"));
    let app = app(&hotel, &issuer);
    let token = token(&hotel, "a");
    assert_eq!(ask(&app, &token).await.status, 200);
    issuer.takes_back("a");
    assert_eq!(ask(&app, &token).await.status, 200, "nobody could know");
    hotel.clock.advance_seconds(5 * 60 + 1);
    // Whoever comes first is not made to wait; the news is fetched meanwhile.
    until("the key is known to be gone", async || ask(&app, &token).await.status == 401).await;
    assert_eq!(issuer.asked(), 2);
}

#[tokio::test]
async fn after_a_quiet_time_the_first_who_comes_is_looked_at_anew() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    issuer.publishes(rsa_key("a"));
    let app = app(&hotel, &issuer);
    let token = token(&hotel, "a");
    assert_eq!(ask(&app, &token).await.status, 200);
    issuer.takes_back("a");
    hotel.clock.advance_seconds(8 * 3_600);
    ask(&app, &token).await.refused(401, UNAUTHENTICATED);
}

#[tokio::test]
async fn another_key_under_the_same_name_is_another_key() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    issuer.publishes(rsa_key("a"));
    let app = app(&hotel, &issuer);
    let token = token(&hotel, "a");
    assert_eq!(ask(&app, &token).await.status, 200);
    issuer.takes_back("a");
    let mut other = rsa_key("a");
    let n = other["n"].as_str().unwrap().to_owned();
    other["n"] = json!(format!("{}{}", &n[..n.len() - 4], "AAAB"));
    issuer.publishes(other);
    hotel.clock.advance_seconds(5 * 60 + 1);
    until("the signature is checked again", async || ask(&app, &token).await.status == 401).await;
}

#[tokio::test]
async fn while_the_issuer_hangs_nobody_with_a_known_key_waits() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    issuer.publishes(rsa_key("a"));
    let app = Arc::new(app(&hotel, &issuer));
    assert_eq!(ask(&app, &token(&hotel, "a")).await.status, 200);
    issuer.answers(false);
    hotel.clock.advance_seconds(31);
    let stranger = {
        let (app, token) = (Arc::clone(&app), token(&hotel, "b"));
        tokio::spawn(async move { ask(&app, &token).await })
    };
    until("the issuer is asked for the stranger's key", async || issuer.asked() == 2).await;
    // Not the token from before: that one is remembered, and this one's signature is checked.
    assert_eq!(ask(&app, &token(&hotel, "a")).await.status, 200);
    assert!(!stranger.is_finished(), "the issuer has not answered yet");
    issuer.answers(true);
    stranger.await.unwrap().refused(401, UNAUTHENTICATED);
}

#[tokio::test]
async fn old_keys_serve_while_the_issuer_fails_but_not_for_ever_and_new_ones_wait_for_it() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    issuer.publishes(rsa_key("a"));
    let app = app(&hotel, &issuer);
    let token = token(&hotel, "a");
    assert_eq!(ask(&app, &token).await.status, 200);
    issuer.answers(false);
    for hours in [7, 14, 21] {
        hotel.clock.advance_seconds(7 * 3_600);
        assert_eq!(ask(&app, &token).await.status, 200, "{hours} hours without news");
    }
    // It may have a key by now that we have not seen: nobody knows whether this is a stranger.
    ask(&app, &signed_as("b", &json!({}))).await.refused(503, UNAVAILABLE);
    hotel.clock.advance_seconds(4 * 3_600);
    ask(&app, &token).await.refused(503, UNAVAILABLE);
}

#[tokio::test]
async fn a_key_asked_for_in_vain_is_not_asked_for_again_at_once_and_found_in_the_end() {
    let (hotel, issuer) = (TestHotel::open().await, Issuer::open().await);
    issuer.publishes(rsa_key("a"));
    let app = app(&hotel, &issuer);
    let late = token(&hotel, "late");
    ask(&app, &late).await.refused(401, UNAUTHENTICATED);
    assert_eq!(issuer.asked(), 1);
    issuer.publishes(rsa_key("late"));
    ask(&app, &late).await.refused(401, UNAUTHENTICATED);
    hotel.clock.advance_seconds(31);
    ask(&app, &late).await.refused(401, UNAUTHENTICATED);
    assert_eq!(issuer.asked(), 1, "one stranger does not make the issuer's day");
    hotel.clock.advance_seconds(30);
    assert_eq!(ask(&app, &late).await.status, 200);
    assert_eq!(issuer.asked(), 2);
}

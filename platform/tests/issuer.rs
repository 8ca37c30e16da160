//! Tokens of a real issuer: RS256, keys fetched from its URL, and everything that must not pass.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use contracts::time::Timestamp;
use platform::auth::{RemoteKeys, SigningKey, TokenError, Verifier};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

struct Issuer {
    url: String,
    asked: Arc<AtomicUsize>,
    fixture: serde_json::Value,
}

/// Serves the fixture's keys on a free port of this machine.
async fn issuer() -> Issuer {
    let fixture: serde_json::Value =
        serde_json::from_str(include_str!("issuer_fixture.json")).expect("the fixture is JSON");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/keys", listener.local_addr().expect("an address"));
    let (asked, keys) = (Arc::new(AtomicUsize::new(0)), fixture["jwks"].to_string());
    let counter = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counter.fetch_add(1, Ordering::SeqCst);
            let mut request = [0; 2_048];
            let _ = stream.read(&mut request).await;
            let answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{keys}",
                keys.len()
            );
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    Issuer { url, asked, fixture }
}

fn verifier(url: &str) -> Verifier {
    let keys = Arc::new(RemoteKeys::new(url.to_owned()));
    Verifier::remote(keys, Some("https://issuer.example".to_owned()), Some("melmastoon".to_owned()))
}

fn now() -> Timestamp {
    Timestamp::parse("2026-04-22T06:30:00Z").expect("a time")
}

#[tokio::test]
async fn a_token_of_the_issuer_names_its_caller_and_the_keys_are_fetched_once() {
    let issuer = issuer().await;
    let verifier = verifier(&issuer.url);
    let good = issuer.fixture["good"].as_str().unwrap();
    for _ in 0..3 {
        let claims = verifier.claims(good, now()).await.unwrap();
        assert_eq!(claims.tenant_id.as_deref(), Some("tnt_FIXTURE"));
    }
    assert_eq!(verifier.caller(good, now()).await.unwrap().tenant.as_str(), "tnt_FIXTURE");
    assert_eq!(issuer.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn what_is_not_the_issuers_does_not_pass() {
    let issuer = issuer().await;
    let verifier = verifier(&issuer.url);
    let good = issuer.fixture["good"].as_str().unwrap();
    let (signed, signature) = good.rsplit_once('.').unwrap();
    let (header, body) = signed.split_once('.').unwrap();
    // {"alg":"none","kid":"fixture-1"} and {"alg":"HS256","kid":"fixture-1"}
    let none = format!("eyJhbGciOiJub25lIiwia2lkIjoiZml4dHVyZS0xIn0.{body}.");
    let symmetric = format!("eyJhbGciOiJIUzI1NiIsImtpZCI6ImZpeHR1cmUtMSJ9.{body}.{signature}");
    let foreign = format!("{header}.{}.{signature}", body.chars().rev().collect::<String>());
    let wrong_issuer = issuer.fixture["wrongIssuer"].as_str().unwrap();
    for (token, why) in [
        (none.as_str(), TokenError::UnknownKey),
        (symmetric.as_str(), TokenError::UnknownKey),
        (foreign.as_str(), TokenError::BadSignature),
        (wrong_issuer, TokenError::WrongIssuerOrAudience),
        ("not.a.token", TokenError::Malformed),
        ("", TokenError::Malformed),
    ] {
        assert_eq!(verifier.claims(token, now()).await.unwrap_err(), why, "{token}");
    }
    let late = Timestamp::parse("2100-01-02T00:00:00Z").unwrap();
    assert_eq!(verifier.claims(good, late).await.unwrap_err(), TokenError::OutOfTime);
}

#[tokio::test]
async fn a_flood_of_unknown_key_ids_does_not_become_a_flood_of_fetches() {
    let issuer = issuer().await;
    let verifier = verifier(&issuer.url);
    for _ in 0..50 {
        // Each key of ours has a kid that the issuer does not know.
        let stranger =
            SigningKey::fresh().unwrap().mint(&platform::auth::Claims { exp: 4_102_444_800, ..Default::default() });
        assert_eq!(verifier.claims(&stranger, now()).await.unwrap_err(), TokenError::UnknownKey);
    }
    assert_eq!(issuer.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn an_issuer_that_cannot_be_reached_is_not_a_forged_token() {
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/keys", gone.local_addr().unwrap());
    drop(gone);
    let fixture: serde_json::Value = serde_json::from_str(include_str!("issuer_fixture.json")).unwrap();
    let refused = verifier(&url).claims(fixture["good"].as_str().unwrap(), now()).await.unwrap_err();
    assert_eq!(refused, TokenError::KeysUnavailable);
}

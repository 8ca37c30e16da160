//! `Issuer`: somebody who signs tokens and publishes keys, now and then slowly or not at all.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Json;
use axum::routing::get;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use platform::auth::{RemoteKeys, SigningKey};
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair, RsaPublicKeyComponents};
use serde_json::{Value, json};
use tokio::sync::watch;

pub(crate) const ISSUER: &str = "https://accounts.example";

/// RSA keys cannot be made in a moment: this one is everybody's, and signs nothing but tests.
fn rsa() -> RsaKeyPair {
    RsaKeyPair::from_pkcs8(include_bytes!("issuer.pk8")).expect("a key")
}

/// A token that the RSA key signs, whatever it says it is.
pub(crate) fn signed(header: &Value, claims: &Value) -> String {
    let text = format!("{}.{}", BASE64.encode(header.to_string()), BASE64.encode(claims.to_string()));
    let pair = rsa();
    let mut signature = vec![0; pair.public().modulus_len()];
    pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text.as_bytes(), &mut signature).expect("a signature");
    format!("{text}.{}", BASE64.encode(signature))
}

/// RS256, by the key of this name.
pub(crate) fn signed_as(kid: &str, claims: &Value) -> String {
    signed(&json!({ "alg": "RS256", "typ": "JWT", "kid": kid }), claims)
}

/// The RSA key under this name, as issuers publish theirs.
pub(crate) fn rsa_key(kid: &str) -> Value {
    let public = RsaPublicKeyComponents::<Vec<u8>>::from(rsa().public());
    let (n, e) = (BASE64.encode(public.n), BASE64.encode(public.e));
    json!({ "kty": "RSA", "kid": kid, "use": "sig", "alg": "RS256", "n": n, "e": e })
}

/// See the module.
pub(crate) struct Issuer {
    pub(crate) url: String,
    keys: Arc<Mutex<Vec<Value>>>,
    asked: Arc<AtomicUsize>,
    answers: watch::Sender<bool>,
}

impl Issuer {
    /// Publishes on a port of this machine until the test's runtime ends.
    pub(crate) async fn open() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/keys", listener.local_addr().unwrap());
        let (keys, asked) = (Arc::<Mutex<Vec<Value>>>::default(), Arc::new(AtomicUsize::new(0)));
        let (answers, told) = watch::channel(true);
        let (shown, counted) = (Arc::clone(&keys), Arc::clone(&asked));
        let publish = move || async move {
            counted.fetch_add(1, Ordering::SeqCst);
            let _ = told.clone().wait_for(|answers| *answers).await;
            Json(json!({ "keys": *shown.lock().unwrap() }))
        };
        let router = axum::Router::new().route("/keys", get(publish));
        tokio::spawn(axum::serve(listener, router).into_future());
        Self { url, keys, asked, answers }
    }

    pub(crate) fn keys(&self) -> RemoteKeys {
        RemoteKeys::new(self.url.clone())
    }

    pub(crate) fn publishes(&self, key: Value) {
        self.keys.lock().unwrap().push(key);
    }

    pub(crate) fn publishes_ed25519(&self, key: &SigningKey) {
        self.publishes(
            json!({ "kty": "OKP", "crv": "Ed25519", "kid": key.kid(), "x": BASE64.encode(key.public_key()) }),
        );
    }

    pub(crate) fn takes_back(&self, kid: &str) {
        self.keys.lock().unwrap().retain(|key| key["kid"] != kid);
    }

    /// Takes questions and answers none, until it is told to again.
    pub(crate) fn answers(&self, answers: bool) {
        self.answers.send_replace(answers);
    }

    /// How often it was asked for its keys.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

/// Waits for a condition; the test fails when it does not come true.
pub(crate) async fn until<F: Future<Output = bool>>(what: &str, mut condition: impl FnMut() -> F) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !condition().await {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

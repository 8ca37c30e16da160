//! A NATS server that lets in only who proves who they are: by a credentials file, or by a certificate.

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use futures_util::future::join;
use nkeys::KeyPair;
use platform::bus::{Broker, Nats, NatsOptions, Outgoing};
use serde_json::{Value, json};
use test_hotel::NatsServer;

use crate::nats::until;

/// One claim of NATS: who says what of whom.
fn claim(by: &KeyPair, of: &KeyPair, name: &str, says: &Value) -> String {
    let header = json!({ "typ": "JWT", "alg": "ed25519-nkey" });
    let claims = json!({
        "jti": name, "iat": 1_700_000_000, "iss": by.public_key(), "sub": of.public_key(), "name": name, "nats": says,
    });
    let signed = [header, claims].map(|part| BASE64.encode(part.to_string())).join(".");
    let signature = by.sign(signed.as_bytes()).unwrap();
    format!("{signed}.{}", BASE64.encode(signature))
}

fn account(by: &KeyPair, account: &KeyPair, name: &str, keeps_streams: bool) -> String {
    let most = if keeps_streams { -1 } else { 0 };
    let limits = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
        "mem_storage": most, "disk_storage": most, "streams": most, "consumer": most,
    });
    let says =
        json!({ "limits": limits, "default_permissions": { "pub": {}, "sub": {} }, "type": "account", "version": 2 });
    claim(by, account, name, &says)
}

/// A `.creds` file for a user of an account, as `nsc` writes it.
fn credentials(folder: &Path, name: &str, account: &KeyPair) -> PathBuf {
    let user = KeyPair::new_user();
    let says = json!({ "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1, "type": "user", "version": 2 });
    let token = claim(account, &user, name, &says);
    let text = format!(
        "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
        user.seed().unwrap()
    );
    let file = folder.join(format!("{name}.creds"));
    std::fs::write(&file, text).unwrap();
    file
}

fn event() -> Outgoing {
    Outgoing {
        event_id: "evt_1".to_owned(),
        subject: "melmastoon.housekeeping.task.created.v1".to_owned(),
        ordering_key: "tnt_A:a".to_owned(),
        listeners: Vec::new(),
        again: None,
        envelope: "{}".to_owned(),
    }
}

/// What is configured gets in, makes its streams and publishes.
async fn is_let_in(options: &NatsOptions) {
    let nats = Nats::connect(options).await.unwrap();
    until("it is let in", async || nats.answers()).await;
    assert!(!nats.apply(&[]).await.unwrap().is_empty());
    nats.publish(&[event()]).await.unwrap();
}

async fn is_kept_out(options: &NatsOptions) {
    let nats = Nats::connect(options).await.unwrap();
    assert!(nats.publish(&[event()]).await.is_err(), "{options:?}");
    assert!(!nats.answers(), "{options:?}");
}

#[tokio::test]
async fn a_credentials_file_lets_in_who_the_operator_vouches_for_and_nobody_else() {
    let (operator, system, hotels) = (KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account());
    let vouches = json!({ "type": "operator", "version": 2, "system_account": system.public_key() });
    let lines = format!(
        "operator: {}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{ {}: {}, {}: {} }}",
        claim(&operator, &operator, "operator", &vouches),
        system.public_key(),
        system.public_key(),
        account(&operator, &system, "SYS", false),
        hotels.public_key(),
        account(&operator, &hotels, "hotels", true),
    );
    let Some(server) = NatsServer::start_with(&lines) else { return };
    let folder = std::env::temp_dir().join(format!("melmastoon-creds-{}", server.port()));
    std::fs::create_dir_all(&folder).unwrap();
    let with =
        |file: Option<PathBuf>| NatsOptions { servers: server.url(), credentials: file, ..NatsOptions::default() };

    is_let_in(&with(Some(credentials(&folder, "hotel", &hotels)))).await;
    // Whoever is kept out waits until it has waited long enough: side by side.
    let stranger = with(Some(credentials(&folder, "stranger", &KeyPair::new_account())));
    join(is_kept_out(&with(None)), is_kept_out(&stranger)).await;

    // A file that is none, or not there, is told at the start with its name, and with no seed.
    let empty = folder.join("empty.creds");
    std::fs::write(&empty, "SUAOKEKCUOEOUAOEUAOEUAOEU\n").unwrap();
    for file in [empty, folder.join("nowhere.creds")] {
        let refused = Nats::connect(&with(Some(file.clone()))).await.unwrap_err().to_string();
        assert!(refused.contains("MELMASTOON_NATS_CREDS") && refused.contains(file.to_str().unwrap()), "{refused}");
        assert!(!refused.contains("SUAOKE"), "{refused}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

fn tls(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/process/tls").join(name)
}

#[tokio::test]
async fn a_server_that_asks_for_a_certificate_lets_in_who_has_the_right_one() {
    // The certificate that vouches for itself is the one that the server believes.
    let lines = format!(
        "tls {{ cert_file: \"{}\", key_file: \"{}\", ca_file: \"{}\", verify: true }}",
        tls("server.crt").display(),
        tls("server.key").display(),
        tls("alone.crt").display()
    );
    let Some(server) = NatsServer::start_with(&lines) else { return };
    let with = |certificate: Option<&str>| NatsOptions {
        servers: format!("tls://localhost:{}", server.port()),
        root_certificates: Some(tls("root.crt")),
        client_certificate: certificate.map(|name| (tls(&format!("{name}.crt")), tls(&format!("{name}.key")))),
        ..NatsOptions::default()
    };
    is_let_in(&with(Some("alone"))).await;
    join(is_kept_out(&with(None)), is_kept_out(&with(Some("server")))).await;
}

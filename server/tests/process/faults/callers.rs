//! What callers do wrong, at seven processes: bodies nobody can read, tokens that are none, another company's things, words that mean
//! something to somebody, one key for two requests, and more at once than there are connections. A 4xx or a 503, no crash, and nothing
//! happens that was not asked for.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD as BASE64};
use platform::auth::SigningKey;
use rand::RngExt;
use rand::rngs::StdRng;
use ring::hmac;
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::process::until;
use crate::replicas::{CONVERGES, Replicas};
use crate::story::{CHECKED_OUT, Hotel};

const TASKS: &str = "/housekeeping/v1/tasks";
/// More than both that serve have connections.
const AT_ONCE: usize = 48;

fn order(hotel: &Hotel, note: &str) -> Value {
    json!({ "propertyId": hotel.property, "roomId": "rom_0", "kind": "deep_clean", "note": note })
}

fn tasks(replicas: &Replicas) -> i64 {
    replicas.session().count("SELECT count(*) FROM housekeeping.housekeeping_tasks")
}

/// A scenario of requests: how many were wrong, and that nothing came of them.
fn ends(replicas: &mut Replicas, scenario: &str, wrong: usize) {
    replicas.assert_all_run();
    let found = replicas.converge();
    found.report(scenario, replicas.seed, wrong);
}

/// Too large, too deep, not UTF-8, not base64, NUL, a key twice: over REST and as a push.
pub(super) fn bodies(replicas: &mut Replicas) {
    let hotel = replicas.hotel.clone();
    let before = tasks(replicas);
    let nested = |depth: usize| format!("{{\"note\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    let bodies: Vec<Vec<u8>> = vec![
        order(&hotel, &"x".repeat(300_000)).to_string().into_bytes(),
        nested(100_000).into_bytes(),
        nested(200).into_bytes(),
        b"{\"propertyId\":\"\xff\xfe\"}".to_vec(),
        order(&hotel, "a\0b").to_string().into_bytes(),
        b"{\"note\":\"a\0b\"}".to_vec(),
        b"{\"kind\":\"turnover\",\"kind\":\"inspection\"}".to_vec(),
        b"{\"propertyId\":".to_vec(),
        b"[]".to_vec(),
        Vec::new(),
    ];
    let push = format!("/internal/events/{CHECKED_OUT}");
    let mut wrong = 0;
    let mut refused = |answer: Answer| {
        assert!((400..500).contains(&answer.status), "{answer:?}");
        assert_eq!(answer.kind, "application/problem+json", "{answer:?}");
        wrong += 1;
    };
    for client in replicas.clients() {
        for body in &bodies {
            refused(client.post_bytes(TASKS, &hotel.supervisor, body));
            refused(client.post_bytes(&push, &hotel.service, body));
        }
        let not_text = STANDARD.encode(b"\xff\xfe\x00");
        for data in ["not base64!", "e30==", not_text.as_str()] {
            let body = json!({ "message": { "data": data, "messageId": "1" }, "subscription": "s" }).to_string();
            refused(client.post_bytes(&push, &hotel.service, body.as_bytes()));
        }
    }
    // What is JSON and no event is filed; what is not even that is refused.
    let client = replicas.client();
    let filed = |replicas: &Replicas| replicas.session().count("SELECT count(*) FROM housekeeping.dead_letters");
    let mut letters = filed(replicas);
    for event in ["the guest has left", "[1, 2]", "{}", "{\"id\":\"evt_1\"}"] {
        let body = json!({
            "message": { "data": STANDARD.encode(event), "messageId": "1", "attributes": {} }, "subscription": "s",
        });
        let answer = client.post(&push, &hotel.service, &body);
        letters += i64::from(answer.status == 204);
        assert!([204, 400].contains(&answer.status), "{event}: {answer:?}");
        assert_eq!(filed(replicas), letters, "I7: refused or filed: {event}");
        wrong += 1;
    }
    discard_all(replicas);
    assert_eq!(tasks(replicas), before, "nothing came of it");
    ends(replicas, "bodies and events that nobody can read", wrong);
}

/// As an operator does who has looked at them.
pub(super) fn discard_all(replicas: &Replicas) {
    let listed: Value = serde_json::from_str(&replicas.house.output(&["dlq", "list", "--json"])).expect("JSON");
    for letter in listed.as_array().expect("a list") {
        replicas.house.output(&["dlq", "discard", letter["id"].as_str().expect("an id")]);
    }
}

/// A good token's header and claims, changed, and signed by whatever hands.
fn forged(good: &str, header: &Value, change: impl Fn(&mut Value), sign: impl Fn(&[u8]) -> Vec<u8>) -> String {
    let claims = good.split('.').nth(1).expect("claims");
    let mut claims: Value = serde_json::from_slice(&BASE64.decode(claims).expect("base64")).expect("JSON");
    change(&mut claims);
    let signed = format!("{}.{}", BASE64.encode(header.to_string()), BASE64.encode(claims.to_string()));
    let signature = sign(signed.as_bytes());
    format!("{signed}.{}", BASE64.encode(signature))
}

/// No algorithm, the public key as a secret, expired, promoted, and a flood of keys that nobody has.
pub(super) fn tokens(replicas: &mut Replicas, chance: &mut StdRng) {
    let hotel = replicas.hotel.clone();
    let (before, good) = (tasks(replicas), hotel.supervisor.as_str());
    let key = SigningKey::load_or_make(&replicas.house.folder().join("signing-key")).expect("the hotel's key");
    let by_public_key =
        |signed: &[u8]| hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key.public_key()), signed).as_ref().to_vec();
    let promoted = |claims: &mut Value| claims["roles"] = json!(["admin"]);
    let (head, tail) = good.rsplit_once('.').expect("a signature");
    let admin = forged(good, &json!({}), promoted, |_| Vec::new());
    let admin = admin.split('.').nth(1).expect("claims");
    let mut bad = vec![
        String::new(),
        "bananas".to_owned(),
        format!("{head}."),
        format!("{}.{admin}.{tail}", good.split('.').next().expect("a header")),
        forged(good, &json!({ "alg": "none", "kid": key.kid() }), |_| {}, |_| Vec::new()),
        forged(good, &json!({ "alg": "HS256", "kid": key.kid() }), |_| {}, by_public_key),
        forged(good, &json!({ "alg": "RS256", "kid": key.kid() }), |_| {}, by_public_key),
        replicas.house.token(&hotel.tenant, &["--role", "supervisor", "--ttl=-60s"]),
    ];
    bad.extend((0..100).map(|_| {
        let kid = format!("key-{}", chance.random::<u64>());
        forged(good, &json!({ "alg": "EdDSA", "kid": kid }), |_| {}, |_| vec![7; 64])
    }));
    let clients = replicas.clients();
    for (at, token) in bad.iter().enumerate() {
        let client = &clients[at % clients.len()];
        for answer in [
            client.post(TASKS, token, &order(&hotel, "")),
            client.post(&format!("/internal/events/{CHECKED_OUT}"), token, &json!({})),
        ] {
            assert_eq!(answer.status, 401, "{token}: {answer:?}");
        }
    }
    assert_eq!(client_status(&replicas.client(), good), 200, "who is good gets in as before");
    assert_eq!(tasks(replicas), before, "nothing came of it");
    ends(replicas, "tokens that are none", bad.len());
}

fn client_status(client: &Client, token: &str) -> u16 {
    client.get(&format!("{TASKS}?limit=1"), token).status
}

/// Another company's ids in the path, in the body and as a filter; an event that speaks for it.
pub(super) fn foreigners(replicas: &mut Replicas) {
    let (ours, theirs) = (replicas.hotel.clone(), Hotel::of(&replicas.house, "SPINGHAR"));
    let clients = replicas.clients();
    let made = clients[0].post(TASKS, &ours.supervisor, &order(&ours, "ours")).good();
    let id = made["id"].as_str().expect("an id");
    // Another fault of the same run may have given them work of their own.
    let elsewhere =
        format!("SELECT count(*) FROM housekeeping.housekeeping_tasks WHERE tenant_id = '{}'", theirs.tenant);
    let before = (tasks(replicas), replicas.session().count(&elsewhere));
    let mut wrong = 0;
    for client in &clients {
        let unknown = client.get(&format!("{TASKS}/hkt_00000000000000000000000000"), &theirs.supervisor);
        for answer in [
            client.get(&format!("{TASKS}/{id}"), &theirs.supervisor),
            client.post(&format!("{TASKS}/{id}/start"), &theirs.supervisor, &json!({})),
            client.post(&format!("{TASKS}/{id}/cancel"), &theirs.supervisor, &json!({ "reason": "not mine" })),
        ] {
            assert_eq!(
                (answer.status, &answer.json()["code"]),
                (404, &unknown.json()["code"]),
                "as if it were not there"
            );
            wrong += 1;
        }
        let listed = client.get(&format!("{TASKS}?propertyId={}&limit=1000", ours.property), &theirs.supervisor);
        assert!(listed.status >= 400 || listed.json()["items"] == json!([]), "{listed:?}");
        // Their service pushes what speaks for us.
        let answer = theirs_pushes(client, &theirs, &ours.departure(999_999));
        assert_eq!(answer.status, 403, "{answer:?}");
        // Our own, whose envelope and payload disagree about whose it is.
        let mut split = ours.departure(999_998);
        split["payload"]["tenantId"] = json!(theirs.tenant);
        let answer = ours.try_push(client, &split).expect("an answer");
        assert!(answer.status == 204 || (400..500).contains(&answer.status), "{answer:?}");
        wrong += 3;
    }
    let session = replicas.session();
    let letters = session.count("SELECT count(*) FROM housekeeping.dead_letters WHERE state = 'open'");
    assert!(letters >= 1, "I7: what speaks for two is filed");
    assert_eq!((tasks(replicas), session.count(&elsewhere)), before, "I5: nothing came of it");
    discard_all(replicas);
    ends(replicas, "another company's things", wrong);
}

fn theirs_pushes(client: &Client, theirs: &Hotel, event: &Value) -> Answer {
    theirs.try_push(client, event).expect("an answer")
}

/// Words that are SQL, JSON, right to left, joined or invisible come back as they were given.
pub(super) fn words(replicas: &mut Replicas) {
    let hotel = replicas.hotel.clone();
    let clients = replicas.clients();
    let notes = [
        "'; DROP TABLE housekeeping.outbox; --",
        "{\"a\": \"\\u0041\"} $1 ${x} %s",
        "سلام \u{202e}abc\u{202c} \u{2066}x\u{2069}",
        "👩\u{200d}🔧\u{feff}\u{200e}",
        "\\u0000 \\",
    ];
    for (at, note) in notes.iter().enumerate() {
        let made = clients[at % 2].post(TASKS, &hotel.supervisor, &order(&hotel, note)).good();
        let path = format!("{TASKS}/{}", made["id"].as_str().expect("an id"));
        let shown = clients[(at + 1) % 2].get(&path, &hotel.supervisor).good();
        assert_eq!(shown["note"].as_str(), Some(*note), "byte for byte, at the other process");
    }
    ends(replicas, "words that mean something to somebody", notes.len());
}

/// One key: many at once at two processes, then with another body, then after the process that answered has died.
pub(super) fn keys(replicas: &mut Replicas) {
    let hotel = replicas.hotel.clone();
    let clients = replicas.clients();
    let before = tasks(replicas);
    let key = format!("same-{}-{}", replicas.seed, replicas.told);
    let post = |client: &Client, note: &str| {
        client.try_post_once(TASKS, &hotel.supervisor, &key, &order(&hotel, note)).expect("an answer")
    };
    let answers: Vec<Answer> = std::thread::scope(|threads| {
        let callers: Vec<_> = (0..16).map(|at| threads.spawn(move_to(&clients[at % 2], &post))).collect();
        callers.into_iter().map(|caller| caller.join().expect("no panic")).collect()
    });
    let firsts = answers.iter().filter(|answer| answer.status == 201 && !answer.replayed).count();
    assert_eq!(firsts, 1, "one of them did it: {answers:?}");
    for answer in &answers {
        assert!(answer.status == 409 && answer.retry_after.is_some() || answer.status == 201, "{answer:?}");
    }
    let answered = answers.iter().find(|answer| answer.status == 201).expect("one did");
    for client in &clients {
        assert_eq!(post(client, "another").status, 422, "another body under the same key");
    }
    for part in 0..2 {
        replicas.kill_and_start(part);
    }
    for client in replicas.clients() {
        let again = post(&client, "same");
        assert_eq!((again.status, again.replayed, &again.text), (201, true, &answered.text), "I10, after both died");
    }
    assert_eq!(tasks(replicas), before + 1, "done once");
    ends(replicas, "one key: at once, another body, after a death", answers.len() + 4);
}

fn move_to<'a>(
    client: &'a Client,
    post: &'a (impl Fn(&Client, &str) -> Answer + Sync),
) -> impl FnOnce() -> Answer + 'a {
    move || post(client, "same")
}

/// Every connection waits for somebody's lock, and two companies call: all are told to come again, and then each has its own.
pub(super) fn no_connection_is_free(replicas: &mut Replicas) {
    let hotels = [replicas.hotel.clone(), Hotel::of(&replicas.house, "SPINGHAR")];
    let (clients, round) = (replicas.clients(), replicas.told);
    let holder = replicas.session();
    let body = |hotel: &Hotel| order(hotel, "busy");
    let post = |at: usize| {
        let hotel = &hotels[at / 2 % 2];
        clients[at % 2].try_post_once(TASKS, &hotel.supervisor, &format!("busy-{round}-{at}"), &body(hotel))
    };
    let count = |hotel: &Hotel| {
        let sql = "SELECT count(*) FROM housekeeping.housekeeping_tasks WHERE note = 'busy' AND tenant_id =";
        replicas.session().count(&format!("{sql} '{}'", hotel.tenant))
    };
    let before = hotels.each_ref().map(count);
    holder.tell("BEGIN; LOCK TABLE housekeeping.outbox IN EXCLUSIVE MODE");
    let turned_away = AtomicUsize::new(0);
    let (count_of, post_as) = (&turned_away, &post);
    std::thread::scope(|threads| {
        let callers: Vec<_> = (0..AT_ONCE)
            .map(|at| {
                threads.spawn(move || {
                    let answer = post_as(at).expect("an answer");
                    if answer.status != 201 {
                        answer.assert_come_again();
                        count_of.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        until("all connections wait", Duration::from_secs(20), || replicas.session().waiting("melmastoon_app") >= 16);
        for client in &clients {
            assert_eq!(client.try_get("/healthz", None).map(|answer| answer.status), Some(200), "busy is not dead");
        }
        // There are more callers than connections: those behind them are not kept for long.
        until("somebody is turned away", Duration::from_secs(20), || turned_away.load(Ordering::Relaxed) > 0);
        holder.tell("COMMIT");
        for caller in callers {
            caller.join().expect("no panic");
        }
    });
    for at in 0..AT_ONCE {
        until("it is taken in the end", CONVERGES, || post(at).is_some_and(|answer| answer.status == 201));
    }
    for (hotel, before) in hotels.iter().zip(before) {
        assert_eq!(count(hotel) - before, i64::try_from(AT_ONCE / 2).expect("a number"), "each its own, once");
    }
    ends(replicas, "no connection is free", turned_away.into_inner());
}

//! Webhooks as an integrator and an operator have them: the real binary tells a real receiver, which checks every signature by its own
//! hands, through a change of keys; and the command line shows and repeats what was told.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use ring::hmac;
use serde_json::{Value, json};

use crate::house::House;
use crate::process::until;
use crate::story::Hotel;

const SOON: Duration = Duration::from_secs(30);

/// What came in one call.
#[derive(Clone, Debug)]
struct Call {
    id: String,
    signatures: Vec<String>,
    signed: String,
}

impl Call {
    fn is_signed_by(&self, secret: &str) -> bool {
        let key = BASE64.decode(secret.strip_prefix("whsec_").expect("a secret")).expect("a key");
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), self.signed.as_bytes());
        self.signatures.contains(&format!("v1,{}", BASE64.encode(tag)))
    }
}

/// A receiver on a port of its own, which has a change of heart when it is told to.
#[derive(Clone, Default)]
struct Receiver {
    calls: Arc<Mutex<Vec<Call>>>,
    /// What it answers; 0: 204.
    answers: Arc<Mutex<u16>>,
}

impl Receiver {
    fn open() -> (Self, String) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
        let receiver = Self::default();
        let hears = receiver.clone();
        // It ends with the test's process.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let hears = hears.clone();
                std::thread::spawn(move || hears.serve(stream));
            }
        });
        (receiver, url)
    }

    /// Calls on one connection, until it is closed.
    fn serve(&self, mut stream: TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        loop {
            let mut headers = Vec::new();
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).ok()? == 0 {
                    return None;
                }
                if line.trim().is_empty() {
                    break;
                }
                headers.push(line.trim().to_owned());
            }
            let header = |name: &str| {
                let found = headers.iter().filter_map(|line| line.split_once(':'));
                let mut found = found.filter(|(known, _)| known.eq_ignore_ascii_case(name));
                found.next().map(|(_, value)| value.trim().to_owned())
            };
            let mut body = vec![0; header("content-length")?.parse().ok()?];
            reader.read_exact(&mut body).ok()?;
            let status = *self.answers.lock().expect("the answers");
            if status == 0 {
                let (id, at) = (header("webhook-id")?, header("webhook-timestamp")?);
                let signed = format!("{id}.{at}.{}", String::from_utf8_lossy(&body));
                let signatures = header("webhook-signature")?.split(' ').map(str::to_owned).collect();
                self.calls.lock().expect("the calls").push(Call { id, signatures, signed });
            }
            let status = if status == 0 { 204 } else { status };
            write!(stream, "HTTP/1.1 {status} x\r\ncontent-length: 0\r\n\r\n").ok()?;
        }
    }

    fn calls(&self) -> Vec<Call> {
        self.calls.lock().expect("the calls").clone()
    }

    fn has(&self, count: usize) -> Vec<Call> {
        until(&format!("{count} calls"), SOON, || self.calls().len() >= count);
        self.calls()
    }
}

fn listed(house: &House, arguments: &[&str]) -> Vec<Value> {
    let printed = house.output(arguments);
    serde_json::from_str(&printed).unwrap_or_else(|error| panic!("an array ({error}): {printed}"))
}

#[test]
fn an_integrator_is_told_through_a_change_of_keys_and_an_operator_sees_it_and_tells_again() {
    let house = House::new().with("MELMASTOON_WEBHOOK_ALLOW_PRIVATE", "true");
    let _up = house.up();
    let client = house.client();
    let hotel = Hotel::of(&house, "CHINAR");
    let admin = house.token(&hotel.tenant, &["--role", "admin"]);
    assert_eq!(house.output(&["webhooks", "list"]), "0 in all\n");
    let (receiver, url) = Receiver::open();
    let subject = "melmastoon.housekeeping.task.created.v1";
    let made = client.post("/events/v1/webhooks", &admin, &json!({ "url": url, "subjects": [subject] })).good();
    let (id, old) = (made["id"].as_str().expect("an id").to_owned(), made["secret"].as_str().expect("a secret"));

    hotel.check_out(&client, 1);
    let first = receiver.has(1)[0].clone();
    assert!(first.is_signed_by(old), "{first:?}");
    let rotated = client.post(&format!("/events/v1/webhooks/{id}/rotate-key"), &admin, &json!({})).good();
    let new = rotated["secret"].as_str().expect("a secret");
    hotel.check_out(&client, 2);
    let second = receiver.has(2)[1].clone();
    assert!(second.is_signed_by(new) && second.is_signed_by(old), "for a day both sign: {second:?}");
    assert!(!first.is_signed_by(new) && first.id != second.id);

    // What the operator sees: no secret among it.
    until("both are on record", SOON, || {
        listed(&house, &["webhooks", "log", &id, "--json"]).iter().filter(|one| one["state"] == "delivered").count()
            == 2
    });
    let list = listed(&house, &["webhooks", "list", "--json"]);
    assert_eq!((list.len(), &list[0]["id"], &list[0]["state"]), (1, &json!(id), &json!("active")));
    assert_eq!((&list[0]["url"], &list[0]["tenantId"]), (&json!(url), &json!(hotel.tenant)));
    let log = listed(&house, &["webhooks", "log", &id, "--json"]);
    assert_eq!((&log[0]["eventId"], &log[0]["lastStatus"]), (&json!(second.id), &json!(204)), "newest first");
    let words = format!("{}{}", house.output(&["webhooks", "list"]), house.output(&["webhooks", "log", &id]));
    assert!(words.contains(&url) && words.contains(&first.id) && words.contains("2 in all"), "{words}");
    assert!(!words.contains("whsec_") && !words.contains(&new[6..]), "{words}");

    // Nothing was given up; everything is told again when that is asked for, with the same ids.
    assert_eq!(house.output(&["webhooks", "replay", &id]), "0 events wait to be told again\n");
    assert_eq!(house.output(&["webhooks", "replay", &id, "--all"]), "2 events wait to be told again\n");
    let again = receiver.has(4);
    let mut ids: Vec<_> = again[2..].iter().map(|call| call.id.clone()).collect();
    ids.sort_by_key(|id| *id == second.id);
    assert_eq!(ids, [first.id.clone(), second.id.clone()]);
    assert!(again[2..].iter().all(|call| call.is_signed_by(new)));

    // One of them alone, what was published since, and what cannot be.
    let one = house.output(&["webhooks", "replay", &id, "--event", &second.id, "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&one).expect("JSON"), json!({ "waiting": 1, "paused": false }));
    assert_eq!(receiver.has(5)[4].id, second.id);
    let since = ["webhooks", "replay", &id, "--since", "2020-01-01T00:00:00Z"];
    let said = house.output(&since);
    assert!(said.ends_with(" events wait to be told again\n") && !said.starts_with('0'), "{said}");
    receiver.has(7);
    let none = house.run(&["webhooks", "replay", &id, "--event", "evt_NOBODYS"]);
    assert!(none.code == Some(1) && none.err.contains("evt_NOBODYS"), "{none:?}");
    for wrong in [&["--since", "yesterday"][..], &["--since", "2020-01-01T00:00:00Z", "--all"]] {
        let refused = house.run(&[&["webhooks", "replay", &id][..], wrong].concat());
        assert!(refused.code == Some(2) && refused.err.contains("--since"), "{refused:?}");
    }
    // All of it is told before the receiver goes.
    until("nothing waits", SOON, || listed(&house, &["webhooks", "list", "--json"])[0]["waiting"] == 0);

    // A receiver that is gone is paused, and what is owed to it waits.
    *receiver.answers.lock().expect("the answers") = 410;
    hotel.check_out(&client, 3);
    until("it is paused", SOON, || listed(&house, &["webhooks", "list", "--json"])[0]["state"] == "paused");
    let list = &listed(&house, &["webhooks", "list", "--json"])[0];
    assert!(list["waiting"] == 1 && list["pausedBecause"].as_str().is_some_and(|why| why.contains("410")), "{list}");
    assert!(house.output(&["webhooks", "list"]).contains("pausedBecause"));
    // Telling again does not call a paused one, and says so; once it is back, one command has it called.
    let said = house.output(&["webhooks", "replay", &id]);
    assert!(said.contains("is paused") && said.contains(&format!("melmastoon webhooks resume {id}")), "{said}");
    *receiver.answers.lock().expect("the answers") = 0;
    let before = receiver.calls().len();
    let said = house.output(&["webhooks", "resume", &id]);
    assert!(said.contains("1 events wait for it"), "{said}");
    until("it is told", SOON, || receiver.calls().len() > before);
    assert_eq!(listed(&house, &["webhooks", "list", "--json"])[0]["state"], "active");

    for command in ["log", "replay", "resume"] {
        let unknown = house.run(&["webhooks", command, "whk_01J0ABCDEFGHJKMNPQRSTVWXYZ"]);
        assert_eq!(unknown.code, Some(1), "{unknown:?}");
        assert!(unknown.err.contains("whk_01J0ABCDEFGHJKMNPQRSTVWXYZ"), "{unknown:?}");
        let wrong = house.run(&["webhooks", command, "!"]);
        assert_eq!(wrong.code, Some(2), "{wrong:?}");
    }
}

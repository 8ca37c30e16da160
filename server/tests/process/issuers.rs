//! Whose tokens are believed: settings that would leave the door open are refused before anything starts.

use serde_json::{Value, json};

use crate::house::{House, ended};

const JWT: [(&str, &str); 3] = [
    ("MELMASTOON_JWT_ISSUER", "https://accounts.example"),
    ("MELMASTOON_JWT_AUDIENCE", "https://hotel.example"),
    ("MELMASTOON_JWT_JWKS_URL", "https://reader:hunter2@accounts.example/keys"),
];
const PUSH: [(&str, &str); 4] = [
    ("MELMASTOON_PUSH_ISSUER", "https://broker.example"),
    ("MELMASTOON_PUSH_AUDIENCE", "https://hotel.example/push"),
    ("MELMASTOON_PUSH_JWKS_URL", "https://broker.example/keys"),
    ("MELMASTOON_PUSH_EMAIL", "push@hotel.example"),
];

#[test]
fn an_issuer_that_is_only_half_known_is_refused_with_every_name_that_is_missing() {
    let house = House::new();
    for all in [&JWT[..], &PUSH[..]] {
        // Every choice of some but not all of them.
        for some in 1..(1 << all.len()) - 1 {
            let is_set = |at: usize| some & (1 << at) != 0;
            for command in ["serve", "migrate", "up", "config"] {
                let mut command = house.command(&[command]);
                command.envs(all.iter().enumerate().filter(|(at, _)| is_set(*at)).map(|(_, one)| *one));
                let ended = ended(command);
                assert_eq!(ended.code, Some(2), "{some:b}: {ended:?}");
                let (missing, _) = ended.err.split_once(" must be set too").expect("a sentence");
                for (at, (name, _)) in all.iter().enumerate() {
                    assert_eq!(missing.contains(name), !is_set(at), "{some:b} {name}: {ended:?}");
                    assert!(ended.err.contains(name), "{some:b} {name}: {ended:?}");
                }
            }
        }
    }
    let mut blank = house.command(&["serve"]);
    blank.envs(PUSH).env("MELMASTOON_PUSH_EMAIL", " ");
    let blank = ended(blank);
    assert!(blank.code == Some(2) && blank.err.contains("MELMASTOON_PUSH_EMAIL must"), "{blank:?}");
    let mut odd = house.command(&["serve"]);
    odd.envs(PUSH).env("MELMASTOON_PUSH_JWKS_URL", "ftp://broker.example/keys");
    let odd = ended(odd);
    assert!(odd.code == Some(2) && odd.err.contains("MELMASTOON_PUSH_JWKS_URL is"), "{odd:?}");
    std::fs::write(house.folder().join("melmastoon.toml"), "push_jwks_url = 'https://broker.example/keys'\n")
        .expect("a file");
    let in_file = house.run(&["doctor"]);
    assert!(in_file.code == Some(2) && in_file.err.contains("MELMASTOON_PUSH_ISSUER"), "{in_file:?}");
}

#[test]
fn what_is_in_force_is_shown_without_secrets() {
    let house = House::new();
    let shown: Value = serde_json::from_str(&house.output(&["config", "--json"])).expect("JSON");
    assert_eq!((&shown["jwt"], &shown["push"]), (&Value::Null, &json!({ "subscriptions": [] })));
    house.output(&["config"]);

    let list = " projects/a/subscriptions/b ,,projects/a/subscriptions/c";
    let command = |arguments: &[&str]| {
        let mut command = house.command(arguments);
        command.envs(JWT).envs(PUSH).env("MELMASTOON_PUSH_SUBSCRIPTIONS", list);
        ended(command).out
    };
    let shown: Value = serde_json::from_str(&command(&["config", "--json"])).expect("JSON");
    let jwks = "https://***@accounts.example/keys";
    let jwt = json!({ "issuer": JWT[0].1, "audience": JWT[1].1, "jwks_url": jwks });
    let push = json!({
        "issuer": PUSH[0].1, "audience": PUSH[1].1, "jwks_url": PUSH[2].1, "email": PUSH[3].1,
        "subscriptions": ["projects/a/subscriptions/b", "projects/a/subscriptions/c"],
    });
    assert_eq!((&shown["jwt"], &shown["push"]), (&jwt, &push));
    let shown = command(&["config"]);
    assert!(shown.contains(jwks) && !shown.contains("hunter2") && shown.contains("subscriptions/c"), "{shown}");

    std::fs::write(house.folder().join("melmastoon.toml"), "push_subscriptions = ['s']\n").expect("a file");
    let shown: Value = serde_json::from_str(&house.output(&["config", "--json"])).expect("JSON");
    assert_eq!(shown["push"]["subscriptions"], json!(["s"]));
}

//! What `doctor` finds: each thing that is wrong is named with what mends it, and what is well is not called wrong.

use serde_json::{Value, json};

use crate::house::{House, ended};
use crate::story::Hotel;

/// What doctor says of one thing, with more in the environment.
fn check(house: &House, environment: &[(&str, &str)], name: &str) -> (bool, String) {
    let mut command = house.command(&["doctor", "--json"]);
    command.envs(environment.iter().copied());
    let ended = ended(command);
    let checks: Vec<Value> = serde_json::from_str(&ended.out).unwrap_or_else(|error| panic!("{error}: {ended:?}"));
    let found = checks.iter().find(|check| check["check"] == name).unwrap_or_else(|| panic!("no {name}: {checks:?}"));
    (found["ok"] == true, found["detail"].as_str().expect("words").to_owned())
}

#[test]
fn doctor_tries_the_archive_out_and_names_ticks_that_nobody_runs_letters_that_are_open_and_endpoints_that_are_paused() {
    let house = House::new();
    let _up = house.up();
    let hotel = Hotel::of(&house, "CHINAR");
    let client = house.client();

    let (well, said) = check(&house, &[], "archive");
    assert!(well && said.contains("MELMASTOON_ARCHIVE_URL is not set"), "{said}");
    let there = format!("file://{}", house.folder().join("archive").display());
    let (well, said) = check(&house, &[("MELMASTOON_ARCHIVE_URL", &there)], "archive");
    assert!(well && said == format!("{there}, 0 files"), "{said}");
    assert_eq!(std::fs::read_dir(house.folder().join("archive")).expect("made").count(), 0, "its trial is taken away");
    let (well, said) = check(&house, &[("MELMASTOON_ARCHIVE_URL", "file:///proc/nowhere")], "archive");
    assert!(!well && said.contains("nothing can be put there") && said.contains("/proc/nowhere"), "{said}");

    let (well, said) = check(&house, &[], "tick bus.retention");
    assert!(well, "{said}");
    let (well, said) = check(&house, &[("MELMASTOON_FAULT", "clock+864000")], "tick bus.retention");
    assert!(!well && said.contains("nobody runs it") && said.contains("melmastoon tick all"), "{said}");

    let (well, said) = check(&house, &[], "dead letters");
    assert!(well, "{said}");
    let letter = format!(
        "INSERT INTO housekeeping.dead_letters (id, tenant_id, subject, message, code, error, failed_at)
         VALUES ('dlq_1', '{}', 'melmastoon.reservation.checked_out.v1', '{{}}', 'UNREADABLE', 'no rooms', now())",
        hotel.tenant
    );
    house.superuser().tell(&letter);
    let (well, said) = check(&house, &[], "dead letters");
    assert!(!well && said.contains("1 could not be applied") && said.contains("dlq list"), "{said}");

    let admin = house.token(&hotel.tenant, &["--role", "admin"]);
    let wish =
        json!({ "url": "https://integrator.example/hook", "subjects": ["melmastoon.housekeeping.task.created.v1"] });
    client.post("/events/v1/webhooks", &admin, &wish).good();
    assert_eq!(check(&house, &[], "webhooks"), (true, "1 endpoints".to_owned()));
    house.superuser().tell("UPDATE bus.webhook_endpoints SET state = 'paused', paused_because = 'it said 410'");
    let (well, said) = check(&house, &[], "webhooks");
    assert!(!well && said.contains("1 of 1 endpoints are paused") && said.contains("webhooks resume"), "{said}");
    // Whom somebody paused on purpose is nobody's worry.
    house.superuser().tell("UPDATE bus.webhook_endpoints SET paused_because = NULL");
    assert!(check(&house, &[], "webhooks").0);
}

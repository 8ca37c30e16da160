//! The command line: codes that scripts can rely on, words that people can act on.

use serde_json::{Value, json};

use crate::house::House;
use crate::session::Session;
use crate::story::{CHECKED_OUT, Hotel};

#[test]
fn a_wrong_call_names_what_is_wrong_and_ends_with_2() {
    let house = House::new();
    let calls: [(&[&str], &str); 13] = [
        (&[], "Usage"),
        (&["fly"], "fly"),
        (&["up", "--listen", "here"], "--listen"),
        (&["up", "--seed", "many"], "--seed"),
        (&["serve", "--contexts", "spaceport"], "--contexts"),
        (&["tick", "lunch", "--once"], "lunch"),
        (&["token", "--role", "admin"], "--tenant"),
        (&["token", "--tenant", "tnt_A"], "--role"),
        (&["token", "--tenant", "nobody", "--role", "admin"], "--tenant"),
        (&["token", "--tenant", "tnt_A", "--role", "king"], "--role"),
        (&["token", "--tenant", "tnt_A", "--role", "admin", "--staff", "!"], "--staff"),
        (&["token", "--tenant", "tnt_A", "--role", "admin", "--property", "!"], "--property"),
        (&["token", "--tenant", "tnt_A", "--role", "admin", "--ttl", "soon"], "--ttl"),
    ];
    for (arguments, named) in calls {
        let ended = house.run(arguments);
        assert_eq!(ended.code, Some(2), "{arguments:?}: {ended:?}");
        assert!(ended.err.contains(named) && ended.out.is_empty(), "{arguments:?}: {ended:?}");
    }
    let environment = [
        ("MELMASTOON_BUS", "pigeon"),
        ("MELMASTOON_CONNECTIONS", "many"),
        ("MELMASTOON_RATE_LIMIT", "-1"),
        ("DATABASE_URL", "mysql://somewhere"),
    ];
    for (name, value) in environment {
        let mut command = house.command(&["migrate"]);
        command.env(name, value);
        let ended = crate::house::ended(command);
        assert_eq!(ended.code, Some(2), "{name}: {ended:?}");
        assert!(ended.err.contains(name), "{name}: {ended:?}");
    }
    // What this build cannot do is said with the build that can; what it can do and is half configured, with the other half.
    let mut command = house.command(&["migrate"]);
    command.env("MELMASTOON_BUS", "pubsub://hotels").env("MELMASTOON_PUBSUB_PUSH_URL", "https://hotel.example");
    let ended = crate::house::ended(command);
    let named = if cfg!(feature = "pubsub") { "MELMASTOON_PUSH_AUDIENCE" } else { "--features pubsub" };
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains(named), "{ended:?}");
    // Half of a certificate would be no certificate, and nobody would be told.
    for (set, missing) in [("CERT", "KEY"), ("KEY", "CERT")].map(|(one, other)| (nats(one), nats(other))) {
        let mut command = house.command(&["config"]);
        command.env("MELMASTOON_BUS", "nats://127.0.0.1:4222").env(&set, "/etc/hotel.pem");
        let ended = crate::house::ended(command);
        assert_eq!(ended.code, Some(2), "{set} alone: {ended:?}");
        assert!(ended.err.contains(&format!("{missing} must be set too")) && ended.err.contains(&set), "{ended:?}");
    }
    std::fs::write(house.folder().join("melmastoon.toml"), "conections = 3\n").expect("a file");
    let ended = house.run(&["config"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("melmastoon.toml") && ended.err.contains("conections"), "{ended:?}");
}

fn nats(what: &str) -> String {
    format!("MELMASTOON_NATS_{what}")
}

#[test]
fn every_command_explains_itself_and_says_when_nothing_runs() {
    let house = House::new();
    let names =
        ["up", "serve", "relay", "work", "tick", "migrate", "import", "export", "token", "dlq", "config", "doctor"];
    let overview = house.output(&["--help"]);
    assert!(overview.contains("Examples:"), "{overview}");
    for name in names {
        assert!(overview.contains(&format!("\n  {name} ")), "{name} in {overview}");
        let help = house.output(&[name, "--help"]);
        assert!(help.contains("Example") && help.contains(&format!("melmastoon {name}")), "{name}: {help}");
    }
    for name in ["list", "show", "replay", "discard"] {
        assert!(house.output(&["dlq", name, "--help"]).contains("Usage: melmastoon dlq"), "{name}");
    }
    assert!(house.output(&["--version"]).starts_with("melmastoon "));

    let folder = house.folder().to_str().expect("a path").to_owned();
    let without: [&[&str]; 8] = [
        &["serve"],
        &["relay"],
        &["work"],
        &["tick", "all", "--once"],
        &["migrate", "--check"],
        &["dlq", "list"],
        &["doctor"],
        &["token", "--tenant", "tnt_A", "--role", "admin"],
    ];
    for arguments in without {
        let ended = house.run(arguments);
        assert_eq!(ended.code, Some(1), "{arguments:?}: {ended:?}");
        let words = format!("{}{}", ended.out, ended.err);
        assert!(words.contains("melmastoon up") && words.contains(&folder), "{arguments:?}: {ended:?}");
    }
    assert!(!house.folder().join("signing-key").exists(), "looking makes nothing");

    std::fs::write(house.folder().join("melmastoon.toml"), "rate_limit = 77\nconnections = 3\n").expect("a file");
    let urls = [
        "host=db user=hotel password=hunter2",
        "postgres://hotel:hunter2@db/hotel",
        "postgres://hotel:hun@hunter2@db/hotel",
        "postgres://hotel@db/hotel?password=hunter2",
        "postgres:///hotel?host=db&password=hunter2",
    ];
    for url in urls {
        let mut command = house.command(&["config", "--json"]);
        command.env("MELMASTOON_CONNECTIONS", "5").env("DATABASE_URL", url);
        let shown = crate::house::ended(command);
        let config: Value = serde_json::from_str(&shown.out).expect("JSON");
        assert_eq!((&config["rate_limit"], &config["connections"]), (&json!(77), &json!(5)), "environment before file");
        assert!(config["database_url"].as_str().is_some_and(|url| url.contains("***")), "{shown:?}");
        assert!(!shown.out.contains("hunter2"), "{shown:?}");
    }
}

#[test]
fn who_has_read_enough_ends_no_command_and_an_answer_that_cannot_be_written_is_a_failure() {
    let house = House::new();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = house.command(&["config"]);
    command.stdout(writer);
    let ended = crate::house::ended(command);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "`melmastoon config | head -1`");

    let full = std::fs::File::options().write(true).open("/dev/full").expect("a disk that is full");
    let mut command = house.command(&["config"]);
    command.stdout(full);
    let ended = crate::house::ended(command);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.err.contains("could not be written") && !ended.err.contains("panicked"), "{ended:?}");
}

fn letters(house: &House, more: &[&str]) -> Vec<Value> {
    let printed = house.output(&[&["dlq", "list", "--json"], more].concat());
    serde_json::from_str(&printed).unwrap_or_else(|error| panic!("an array ({error}): {printed}"))
}

/// What a script reads of a letter that cannot be applied.
fn scripts_are_told(house: &House, id: &str) {
    assert_eq!(house.output(&["dlq", "show", id]), house.output(&["dlq", "show", id, "--json"]));
    let told = house.run(&["dlq", "replay", id, "--json"]);
    assert_eq!(told.code, Some(1), "{told:?}");
    let told: Value = serde_json::from_str(&told.out).expect("one object");
    assert_eq!((&told["settled"], &told["open"]), (&json!(0), &json!(1)), "{told}");
    assert_eq!(told["letters"][0]["outcome"], "open", "{told}");
    let since = ["republish", "--since", "2020-01-01T00:00:00Z", "--json"];
    let again: Value = serde_json::from_str(&house.output(&since)).expect("JSON");
    assert!(again["published"].is_u64(), "{again}");
}

fn a_tick_that_fails_keeps_none_behind_it_from_its_turn(house: &House, owner: &Session) {
    owner.tell("ALTER TABLE bus.webhook_deliveries RENAME TO away");
    let ended = house.run(&["tick", "all", "--once"]);
    owner.tell("ALTER TABLE bus.away RENAME TO webhook_deliveries");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.out.contains("bus.retention: failed: ") && ended.err.contains("bus.retention failed"), "{ended:?}");
    for tick in ["bus.archive", "housekeeping.escalation", "staff.employment-end", "reservation.hold-expiry"] {
        assert!(ended.out.contains(&format!("{tick}: ")), "{tick} in {ended:?}");
    }
    assert_eq!(house.run(&["tick", "retention", "--once"]).code, Some(0));
}

#[test]
fn dead_letters_are_listed_shown_replayed_and_discarded_and_two_hotels_do_not_share_a_folder() {
    let house = House::new();
    let _up = house.up();
    let client = house.client();
    let (hotel, other) = (Hotel::of(&house, "CHINAR"), Hotel::of(&house, "SPINGHAR"));
    assert!(letters(&house, &[]).is_empty());
    assert_eq!(house.output(&["dlq", "list"]), "no dead letters\n");

    // Acknowledged, since it could never be applied; filed under its own id.
    let mut bad = hotel.departure(1);
    bad["payload"]["checkedOutAt"] = json!("yesterday, after lunch");
    hotel.push(&client, &bad);
    let mut bare = other.departure(2);
    bare.as_object_mut().expect("an object").remove("payload");
    other.push(&client, &bare);
    let found = letters(&house, &[]);
    assert_eq!(found.len(), 2, "{found:?}");
    for (letter, (event, tenant)) in found.iter().zip([(&bad, &hotel.tenant), (&bare, &other.tenant)]) {
        assert_eq!((&letter["eventId"], &letter["subject"]), (&event["id"], &json!(CHECKED_OUT)), "{letter}");
        assert_eq!((&letter["tenantId"], &letter["attempts"]), (&json!(tenant), &json!(1)), "{letter}");
        assert!(letter["error"].as_str().is_some_and(|error| !error.is_empty()), "{letter}");
        assert!(letter["failedAt"].as_str().is_some_and(|at| at.ends_with('Z')), "{letter}");
    }
    assert!(found[0]["error"].as_str().is_some_and(|error| error.contains("checkedOutAt")), "{}", found[0]);
    let metrics = client.try_get("/metrics", None).expect("metrics").text;
    assert!(metrics.contains("melmastoon_dead_letters_total"), "{metrics}");

    let id = bad["id"].as_str().expect("an id");
    let shown: Value = serde_json::from_str(&house.output(&["dlq", "show", id, "--json"])).expect("JSON");
    assert!(shown["message"].as_str().is_some_and(|message| message.contains("yesterday, after lunch")), "{shown}");
    let again = house.run(&["dlq", "replay", id]);
    assert_eq!(again.code, Some(1), "it cannot be applied this time either: {again:?}");
    assert_eq!(letters(&house, &[]).len(), 2, "still one of each");
    assert_eq!(letters(&house, &[])[1]["attempts"], 2, "and counted");
    scripts_are_told(&house, id);

    // One whose handler failed for a reason that is gone by now.
    let good = hotel.departure(3);
    house.session("melmastoon_app").tell(
        &format!(
            "BEGIN; SET LOCAL app.tenant_id = '{tenant}';
             INSERT INTO housekeeping.dead_letters (id, tenant_id, event_id, subject, message, code, error, failed_at)
             VALUES ('dlt_A', '{tenant}', '{}', '{CHECKED_OUT}', '{good}', 'MELMASTOON.HOUSEKEEPING.X', 'it rained', now());
             COMMIT",
            good["id"].as_str().expect("an id"),
            tenant = hotel.tenant
        ),
    );
    assert!(house.output(&["dlq", "replay", good["id"].as_str().expect("an id")]).contains("applied"));
    assert_eq!(hotel.room(&client, 3)["status"], "dirty");
    assert_eq!(house.run(&["dlq", "replay", "dlt_A"]).code, Some(1), "it is open no more");
    hotel.check_out(&client, 3);
    assert_eq!(hotel.tasks(&client, 3).len(), 1, "replayed and delivered again: once");

    // Of two whose reasons are gone, one fails for now: the other has its turn all the same.
    let (away, fine) = (hotel.departure(4), hotel.departure(5));
    let tenant = &hotel.tenant;
    for (name, event, failed_at) in [("dlt_B", &away, "now() - interval '2 hours'"), ("dlt_C", &fine, "now()")] {
        house.session("melmastoon_app").tell(&format!(
            "BEGIN; SET LOCAL app.tenant_id = '{tenant}';
             INSERT INTO housekeeping.dead_letters (id, tenant_id, event_id, subject, message, code, error, failed_at)
             VALUES ('{name}', '{tenant}', {}, '{CHECKED_OUT}', '{event}', 'MELMASTOON.HOUSEKEEPING.X', 'it rained', {failed_at});
             COMMIT",
            event["id"].to_string().replace('"', "'")
        ));
    }
    let owner = house.session("melmastoon_owner");
    owner.tell(
        "CREATE FUNCTION housekeeping.away() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
           RAISE EXCEPTION 'not now' USING ERRCODE = 'serialization_failure'; END $$;
         CREATE TRIGGER away BEFORE INSERT OR UPDATE ON housekeeping.room_status FOR EACH ROW
           WHEN (NEW.room_id = 'rom_4') EXECUTE FUNCTION housekeeping.away()",
    );
    let replayed = house.run(&["dlq", "replay", "all"]);
    assert_eq!(replayed.code, Some(1), "{replayed:?}");
    assert!(replayed.out.contains("dlt_B: housekeeping cannot apply it now"), "{replayed:?}");
    assert!(replayed.out.contains("dlt_C: applied by housekeeping"), "{replayed:?}");
    owner.tell("DROP TRIGGER away ON housekeeping.room_status");
    assert_eq!(house.run(&["dlq", "replay", "dlt_B"]).code, Some(0));

    for letter in letters(&house, &[]) {
        let id = letter["id"].as_str().expect("an id");
        let given_up: Value = serde_json::from_str(&house.output(&["dlq", "discard", id, "--json"])).expect("JSON");
        assert_eq!(given_up, json!({ "discarded": [id] }));
    }
    assert!(letters(&house, &[]).is_empty());
    assert_eq!(letters(&house, &["--all"]).len(), 5, "on record all the same");
    for command in ["show", "replay", "discard"] {
        let unknown = house.run(&["dlq", command, "evt_NOBODY"]);
        assert_eq!(unknown.code, Some(1), "{unknown:?}");
        assert!(unknown.err.contains("evt_NOBODY"), "{unknown:?}");
    }

    assert!(house.output(&["tick", "maintenance", "--once"]).starts_with("housekeeping.maintenance: "));
    a_tick_that_fails_keeps_none_behind_it_from_its_turn(&house, &owner);
    let healthy = house.run(&["doctor"]);
    assert_eq!(healthy.code, Some(0), "{healthy:?}");

    let second = house.run(&["up", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.code, Some(1), "{second:?}");
    assert!(second.err.contains("is in use by process") && second.err.contains("another data folder"), "{second:?}");
    let address = client.url("").trim_start_matches("http://").to_owned();
    let elsewhere = house.folder().join("elsewhere");
    let elsewhere = elsewhere.to_str().expect("a path");
    for command in ["up", "serve"] {
        let folder = if command == "up" { elsewhere } else { house.folder().to_str().expect("a path") };
        let taken = house.run(&[command, "--listen", &address, "--data-dir", folder]);
        assert_eq!(taken.code, Some(1), "{command}: {taken:?}");
        assert!(taken.err.contains(&address) && taken.err.contains("--listen"), "{command}: {taken:?}");
    }
    assert!(client.is_ready(), "the first one is not disturbed");
}

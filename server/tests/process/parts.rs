//! The parts of a process: a monitor knows whether they run, and a process whose part keeps failing ends and says so.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Client;
use crate::house::{House, START};
use crate::own_server::OwnServer;
use crate::process::{Process, runs, until};

#[test]
fn a_part_that_keeps_failing_ends_the_process_in_order_and_with_its_name() {
    let house = House::new();
    let mut up = house.up_with(&[], &[("MELMASTOON_FAULT", "part-panics")]);
    let client = house.client();
    let postgres = house.postgres();
    let mut answer = None;
    until("the monitor is told", Duration::from_secs(10), || {
        answer = client.try_get("/readyz", None).filter(|answer| answer.status == 503);
        answer.is_some()
    });
    let answer = answer.expect("it was");
    answer.assert_come_again();
    assert!(answer.text.contains("`fault`") && !answer.text.contains("MELMASTOON_FAULT"), "{answer:?}");
    let counted = client.try_get("/metrics", None).expect("an answer").text;
    assert!(counted.contains("melmastoon_part_restarts_total{part=\"fault\"}"), "{counted}");
    assert!(counted.contains("melmastoon_part_restarts_total{part=\"worker\"} 0"), "{counted}");

    let status = up.ends(Duration::from_secs(40));
    assert_eq!(status.code(), Some(1));
    let last = up.complained().pop().unwrap_or_default();
    assert!(last.contains("the part `fault` keeps failing") && last.contains("as MELMASTOON_FAULT asks"), "{last}");
    until("PostgreSQL was stopped too", Duration::from_secs(15), || postgres.iter().all(|pid| !runs(*pid)));
}

#[test]
fn a_process_says_whether_the_bus_is_its_own_business_and_how_much_one_caller_may_ask() {
    let house = House::new();
    let _up = house.up();
    let (_serve, replica) = house.serve();
    let ready = |client: &crate::client::Client| client.try_get("/readyz", None).expect("an answer").good();
    assert_eq!(ready(&house.client()), json!({ "status": "ready", "database": "ok", "bus": "ok" }));
    assert_eq!(ready(&replica), json!({ "status": "ready", "database": "ok", "bus": "elsewhere" }));

    let config: Value = serde_json::from_str(&house.output(&["config", "--json"])).expect("JSON");
    assert_eq!((&config["rate_limit"], &config["cors_origins"]), (&json!(200), &json!([])));
    for wrong in ["*", "https://*.example", "board.example", "https://board.example/", "https://a, b"] {
        let mut command = house.command(&["config", "--json"]);
        command.env("MELMASTOON_CORS_ORIGINS", wrong);
        let ended = crate::house::ended(command);
        assert_eq!(ended.code, Some(2), "{wrong}: {ended:?}");
        assert!(ended.err.contains("MELMASTOON_CORS_ORIGINS"), "{wrong}: {ended:?}");
    }
}

#[test]
fn a_process_that_serves_nobody_answers_monitors_where_it_is_told_to_and_nothing_else() {
    let house = House::new();
    let _up = house.up();
    for (arguments, part) in [(&["relay"][..], "relay"), (&["work"], "worker"), (&["tick", "all"], "ticks")] {
        let process = Process::start(house.command(&[arguments, &["--listen", "127.0.0.1:0"]].concat()));
        let address = process.says("melmastoon running, watched at http://", START);
        let port = address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        let watched = Client::of(port);
        let ask = |path: &str| watched.try_get(path, None).expect("an answer");
        assert_eq!(ask("/healthz").good(), json!({ "status": "alive" }));
        let ready = ask("/readyz").good();
        assert_eq!((&ready["status"], &ready["database"]), (&json!("ready"), &json!("ok")), "{part}");
        let counted = ask("/metrics").text;
        let series = format!("melmastoon_part_restarts_total{{part=\"{part}\"}} 0");
        assert!(counted.contains(&series), "{part}: {counted}");
        for path in ["/housekeeping/v1/board", "/openapi.json", "/", "/internal/events/x", "/events/v1/feed"] {
            assert_eq!(ask(path).status, 404, "{part}: {path}");
        }
    }
}

#[test]
fn a_second_machine_with_secrets_of_its_own_serves_and_says_so_and_its_doctor_fails() {
    let house = House::new();
    let server = OwnServer::start(&house.folder().join("server"));
    let house = house.with("DATABASE_URL", &server.url);
    house.output(&["migrate"]);
    let elsewhere = house.folder().join("another-machine");
    std::fs::create_dir(&elsewhere).expect("a folder");
    let there = |arguments: &[&str]| {
        let mut command = house.command(arguments);
        command.env("MELMASTOON_DATA_DIR", &elsewhere);
        command
    };
    let (_first, _) = house.serve();
    let doctor = |arguments: &[&str]| {
        let ended = crate::house::ended(there(&[&["doctor", "--json"], arguments].concat()));
        let checks: Vec<Value> = serde_json::from_str(&ended.out).expect("JSON");
        checks.into_iter().find(|check| check["check"] == "secrets").expect("a check of secrets")
    };
    let mut serve = Process::start(there(&["serve", "--listen", "127.0.0.1:0"]));
    serve.says("melmastoon serving at http://", START);
    serve.signal(nix::sys::signal::Signal::SIGTERM);
    assert!(serve.ends(START).success());
    let said = serve.complained().join("\n");
    assert!(said.contains("other secrets than the hotel") && said.contains("signing-key and pin-secret"), "{said}");
    let check = doctor(&[]);
    assert_eq!(check["ok"], false, "{check}");
    // The two files of the first machine, as the guide says.
    for name in ["signing-key", "pin-secret"] {
        std::fs::copy(house.folder().join(name), elsewhere.join(name)).expect("a secret");
    }
    assert_eq!(doctor(&[])["ok"], true);
    std::fs::remove_file(elsewhere.join("pin-secret")).expect("it is lost");
    assert_eq!(doctor(&[])["ok"], false);
    assert_eq!(doctor(&["--adopt-secrets"])["ok"], true);
    assert_eq!(doctor(&[])["ok"], true);
}

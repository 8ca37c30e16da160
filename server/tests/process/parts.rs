//! The parts of a process: a monitor knows whether they run, and a process whose part keeps failing ends and says so.

use std::time::Duration;

use serde_json::{Value, json};

use crate::house::House;
use crate::process::{runs, until};

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

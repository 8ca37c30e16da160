//! Who can walk into a running server by browser: everybody into the demo on this machine, nobody anywhere else.

use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::house::{House, START};
use crate::process::Process;

fn walks_in(client: &Client) -> Answer {
    client.post("/web/session", "none", &json!({ "demo": "supervisor" }))
}

fn is_demo(client: &Client) -> Value {
    client.get("/web/config", "none").good()["demo"].clone()
}

fn stop(mut process: Process) {
    process.signal(Signal::SIGTERM);
    assert!(process.ends(Duration::from_secs(15)).success());
}

fn assert_closed(client: &Client) {
    assert_eq!(is_demo(client), json!(false));
    let answer = walks_in(client);
    assert_eq!((answer.status, answer.kind.as_str()), (404, "application/problem+json"), "{answer:?}");
}

#[test]
fn only_the_demo_on_this_machine_lets_a_browser_in_with_one_click() {
    let house = House::new();
    let up = house.up_with(&["--demo"], &[]);
    let said = up.said().join("\n");
    for role in ["supervisor", "housekeeper", "front_desk", "property_manager"] {
        assert!(said.contains(&format!("/login?demo={role}")), "{role} in {said}");
    }
    let client = house.client();
    assert_eq!(is_demo(&client), json!(true));
    let session = walks_in(&client);
    assert_eq!(session.status, 201, "{session:?}");
    assert_eq!(session.json()["displayName"], "Zarghuna Stanekzai");
    // A replica of the very same hotel has no such door.
    let (serve, beside) = house.serve();
    assert_closed(&beside);
    stop(serve);
    let link = house.output(&["token", "--tenant", "tnt_A", "--role", "admin", "--link"]);
    assert!(link.starts_with("http://127.0.0.1:8080/login#token=ey"), "{link}");
    let link = house.output(&["token", "--tenant", "tnt_A", "--role", "admin", "--link", "https://hotel.example/"]);
    assert!(link.starts_with("https://hotel.example/login#token=ey"), "{link}");
    stop(up);

    let up = house.up();
    assert_closed(&house.client());
    stop(up);
    let up = house.up_with(&["--demo"], &[("MELMASTOON_PUBLIC_URL", "https://hotel.example")]);
    assert_closed(&house.client());
    stop(up);
    let everywhere = Process::start(house.command(&["up", "--demo", "--listen", "0.0.0.0:0"]));
    let address = everywhere.says("melmastoon ready at http://", START);
    let port = address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    assert_closed(&Client::of(port));
    assert!(!everywhere.said().join("\n").contains("/login?demo="), "{:?}", everywhere.said());
    stop(everywhere);
}

#[test]
fn a_public_address_that_is_not_encrypted_is_refused_at_the_start() {
    let house = House::new();
    for wrong in ["http://hotel.example", "hotel.example", "https://hotel.example/board"] {
        let mut command = house.command(&["config"]);
        command.env("MELMASTOON_PUBLIC_URL", wrong);
        let ended = crate::house::ended(command);
        assert_eq!(ended.code, Some(2), "{wrong}: {ended:?}");
        assert!(ended.err.contains("MELMASTOON_PUBLIC_URL"), "{wrong}: {ended:?}");
    }
    let house = house.with("MELMASTOON_PUBLIC_URL", "https://Hotel.example/");
    assert!(house.output(&["config"]).contains("https://hotel.example"));
}

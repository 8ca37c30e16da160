//! Clocks that are five minutes off, each process its own way, and that leap backwards while the process runs.

use serde_json::{Value, json};

use crate::client::Client;
use crate::house::ended;
use crate::replicas::{Outfit, Replicas};
use crate::story::Hotel;

const FIVE_MINUTES: [&str; 7] =
    ["clock~300", "clock-300", "clock+300", "clock~300", "clock-300", "clock+300", "clock~300"];

/// Tokens of somebody whose clock is wrong in this way.
pub(super) fn with_tokens_under(replicas: &Replicas, fault: &str) -> Hotel {
    let mint = |arguments: &[&str]| {
        let hotel = &replicas.hotel;
        let mut command =
            replicas.house.command(&[&["token", "--tenant", &hotel.tenant, "--ttl", "2h"], arguments].concat());
        command.env("MELMASTOON_FAULT", fault);
        let minted = ended(command);
        assert_eq!(minted.code, Some(0), "{minted:?}");
        minted.out.trim().to_owned()
    };
    Hotel {
        supervisor: mint(&["--role", "supervisor", "--staff", "stf_ZARGHUNA"]),
        housekeeper: mint(&["--role", "housekeeper", "--staff", "stf_PARWIN"]),
        service: mint(&["--role", "service"]),
        ..replicas.hotel.clone()
    }
}

/// One room's work, each step at another process than the one before.
fn walk(hotel: &Hotel, clients: &[Client], number: usize) {
    begin_work(hotel, clients, number);
    end_work(hotel, clients, number);
}

/// The first half of it.
pub(super) fn begin_work(hotel: &Hotel, clients: &[Client], number: usize) {
    let steps: [(&str, &String, Value); 3] = [
        ("assign", &hotel.supervisor, json!({ "staffId": "stf_PARWIN", "force": true })),
        ("start", &hotel.housekeeper, json!({})),
        ("pause", &hotel.housekeeper, json!({ "reason": "break" })),
    ];
    take_steps(hotel, clients, number, &steps);
}

/// The other half, from the pause to a room that is ready.
pub(super) fn end_work(hotel: &Hotel, clients: &[Client], number: usize) {
    let checked = ["strip_bed", "make_bed", "bathroom", "towels", "floor", "trash"];
    let results: Vec<_> = checked.iter().map(|key| json!({ "itemKey": key, "checked": true })).collect();
    let steps: [(&str, &String, Value); 3] = [
        ("resume", &hotel.housekeeper, json!({})),
        ("complete", &hotel.housekeeper, json!({ "checklistResults": results, "noMaintenanceFound": true })),
        ("inspections", &hotel.supervisor, json!({ "outcome": "pass", "results": [] })),
    ];
    take_steps(hotel, clients, number, &steps);
    assert_eq!(hotel.room(&clients[0], number)["status"], "ready");
}

fn take_steps(hotel: &Hotel, clients: &[Client], number: usize, steps: &[(&str, &String, Value)]) {
    let task = hotel.tasks(&clients[number % 2], number)[0]["id"].as_str().expect("an id").to_owned();
    for (at, (verb, token, body)) in steps.iter().enumerate() {
        let path = format!("/housekeeping/v1/tasks/{task}/{verb}");
        clients[(number + at) % 2].post(&path, token, body).good();
    }
}

/// Every process believes another time, three of them another one every two seconds.
pub(super) fn clocks_are_wrong(replicas: &mut Replicas, events: usize, rooms: usize) {
    for (outfit, fault) in replicas.outfits.iter_mut().zip(FIVE_MINUTES) {
        outfit.fault = Some(fault.to_owned());
    }
    replicas.change_outfits();
    let first = replicas.told;
    replicas.tell(events);
    let found = replicas.converge();
    found.report("clocks five minutes off, and leaping", replicas.seed, FIVE_MINUTES.len());
    // Of somebody whose clock is behind: everybody here takes them.
    let (hotel, clients) = (with_tokens_under(replicas, "clock-300"), replicas.clients());
    // The rooms of the first house alone are on its board.
    for number in first..first + rooms {
        walk(&hotel, &clients, number);
    }
    let found = replicas.converge();
    found.report("work at processes whose clocks differ", replicas.seed, FIVE_MINUTES.len());
    let backwards = replicas.session().count(
        "SELECT count(*) FROM housekeeping.housekeeping_tasks
         WHERE started_at < created_at - interval '11 minutes' OR completed_at < started_at",
    );
    assert_eq!(backwards, 0, "work that ended before it began");
    replicas.outfits.fill(Outfit::default());
    replicas.change_outfits();
}

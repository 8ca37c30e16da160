//! The demo hotel: full of life at once, the same for the same seed, and opened once.

use std::collections::BTreeSet;
use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::house::House;
use crate::process::Process;

/// What a visitor learns from the greeting and the board.
struct Visit {
    tenant: String,
    property: String,
    board: Value,
    events: usize,
    roster: Value,
    on_now: Value,
    /// How the work went in the days behind.
    figures: Value,
    /// Shifts of the week that have ended, and requests to swap.
    worked: usize,
    swaps: usize,
}

impl Visit {
    fn rooms(&self) -> &Vec<Value> {
        self.board["rooms"].as_array().expect("rooms")
    }

    fn room_ids(&self) -> BTreeSet<&str> {
        self.rooms().iter().map(|room| room["roomId"].as_str().expect("an id")).collect()
    }

    /// Each task with its status.
    fn tasks(&self) -> BTreeSet<(String, String)> {
        let text = |task: &Value, field: &str| task[field].as_str().expect("text").to_owned();
        let tasks = self.board["tasks"].as_array().expect("tasks");
        tasks.iter().map(|task| (text(task, "id"), text(task, "status"))).collect()
    }
}

/// The word after a flag in the lines that tell how to log in.
fn after<'a>(said: &'a [String], flag: &str) -> &'a str {
    let line = said.iter().find(|line| line.contains(flag)).unwrap_or_else(|| panic!("{flag} in {said:?}"));
    let rest = line.split(flag).nth(1).expect("something after it");
    rest.trim_start_matches([' ', '=']).split([' ', '\'', ')']).next().expect("a word")
}

fn visit(house: &House, up: &Process) -> Visit {
    let said = up.said();
    assert!(said.last().is_some_and(|line| line.starts_with("melmastoon ready at ")), "the last line: {said:?}");
    let (tenant, property) = (after(&said, "--tenant").to_owned(), after(&said, "propertyId").to_owned());
    let supervisor = house.token(&tenant, &["--role", "supervisor", "--staff", after(&said, "--staff")]);
    let client = house.client();
    let board = client.get(&format!("/housekeeping/v1/board?propertyId={property}"), &supervisor).good();
    let roster = client.get(&format!("/staff/v1/roster?propertyId={property}"), &supervisor).good();
    let on_now = client.get(&format!("/staff/v1/on-now?propertyId={property}"), &supervisor).good();
    let count = |page: Value| page["items"].as_array().map_or(0, Vec::len);
    let worked = count(client.get(&format!("/staff/v1/shifts?propertyId={property}&status=ended"), &supervisor).good());
    let swaps = count(client.get(&format!("/staff/v1/shifts/swap-requests?propertyId={property}"), &supervisor).good());
    let service = house.token(&tenant, &["--role", "service"]);
    // Of bookings: rosters go on being made by the clock, in the first minute too.
    let of_bookings = |event: &&Value| event.to_string().contains("\"melmastoon.reservation.");
    let (mut events, mut seen) = (0, json!(0));
    loop {
        let page = client.get(&format!("/events/v1/feed?limit=1000&after={seen}"), &service).good();
        let items = page["items"].as_array().expect("items");
        let Some(last) = items.last() else { break };
        events += items.iter().filter(of_bookings).count();
        seen = last["offset"].clone();
    }
    let figures = client.get(&format!("/housekeeping/v1/stats/turnover?propertyId={property}"), &supervisor).good();
    Visit { tenant, property, board, events, roster, on_now, figures, worked, swaps }
}

fn open(house: &House, arguments: &[&str]) -> (Visit, Duration) {
    let mut up = house.up_with(&[&["--demo"], arguments].concat(), &[]);
    let took = up.age();
    let visit = visit(house, &up);
    let letters = house.output(&["dlq", "list", "--json"]);
    assert_eq!(letters.trim(), "[]", "every context hears what is meant for it, and nothing else");
    up.signal(Signal::SIGTERM);
    assert!(up.ends(Duration::from_secs(15)).success());
    (visit, took)
}

/// Employed, planned, away, on call and at work, by the stories of staff; and housekeeping has heard of it over the bus.
fn the_people_are_real(first: &Visit) {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let days = list(&first.roster["days"]);
    assert_eq!(days.len(), 7);
    assert!(days.iter().all(|day| !list(&day["shifts"]).is_empty()), "every day of the week has shifts");
    let short = days.iter().flat_map(|day| list(&day["shifts"])).any(|shift| shift["missingPrimary"] == 1);
    assert!(short, "somebody is missing on the floors");
    let people = list(&first.roster["people"]);
    assert!(people.iter().any(|person| person["leave"][0]["status"] == "approved"), "somebody is on leave");
    assert!(first.worked > 20, "they worked on the days before today: {}", first.worked);
    assert_eq!(first.swaps, 1, "somebody would like to swap");
    let there = list(&first.on_now["items"]);
    assert_eq!(there.len(), 11, "eight on the floors, the supervisor, the desk and the craftsman: {there:?}");
    let seen: BTreeSet<_> = list(&first.board["staff"]).iter().map(|one| one["staffId"].to_string()).collect();
    assert!(there.iter().all(|one| seen.contains(&one["staffId"].to_string())), "housekeeping sees them too");
}

#[test]
fn the_demo_hotel_is_full_of_life_and_the_same_for_the_same_seed() {
    let first = {
        let house = House::new();
        let (first, took) = open(&house, &[]);
        println!("first start with the demo: {took:?}");
        assert_eq!(first.rooms().len(), 48);
        let of = |field: &str| first.rooms().iter().map(|room| room[field].to_string()).collect::<BTreeSet<_>>();
        assert_eq!(of("floor").len(), 4);
        assert_eq!(of("number").len(), 48);
        assert!(of("status").len() >= 3, "{:?}", of("status"));
        let staff = first.board["staff"].as_array().expect("staff");
        let languages: BTreeSet<_> = staff
            .iter()
            .flat_map(|person| person["languages"].as_array().expect("languages"))
            .map(Value::to_string)
            .collect();
        assert!(languages.len() >= 3, "{languages:?}");
        let states: BTreeSet<_> = first.tasks().into_iter().map(|(_, status)| status).collect();
        for state in ["pending", "assigned", "in_progress"] {
            assert!(states.contains(state), "{state} in {states:?}");
        }
        let board = &first.board;
        let broken = first.rooms().iter().find(|room| room["status"] == "out_of_order").expect("one is broken");
        let tasks = board["tasks"].as_array().expect("tasks");
        assert!(tasks.iter().all(|task| task["roomId"] != broken["roomId"]), "nobody is to clean it: {tasks:?}");
        assert!(first.events > 48, "{} events", first.events);
        the_people_are_real(&first);
        let total = &first.figures["total"];
        assert!(total["count"].as_u64() > Some(60), "a week of rooms: {total}");
        let minutes = total["medianMinutes"].as_f64().expect("a median");
        assert!((15.0..60.0).contains(&minutes), "{total}");
        assert!(total["inspected"].as_u64() > Some(30), "{total}");

        let (again, took) = open(&house, &[]);
        println!("later start with the demo: {took:?}");
        assert!(took < Duration::from_secs(10), "{took:?}");
        assert_eq!((&again.tenant, &again.property), (&first.tenant, &first.property));
        assert_eq!(again.room_ids(), first.room_ids());
        assert_eq!(again.tasks(), first.tasks(), "nothing is doubled, nothing moved");
        assert_eq!(again.events, first.events, "nothing is told again");
        first
    };

    let house = House::new();
    let (other, _) = open(&house, &["--seed", "7"]);
    assert_ne!(other.tenant, first.tenant);
    assert!(other.room_ids().is_disjoint(&first.room_ids()), "another seed, another hotel");
    let (same, _) = open(&house, &["--seed", "48"]);
    assert_eq!((&same.tenant, &same.property), (&first.tenant, &first.property));
    assert_eq!(same.room_ids(), first.room_ids(), "the same seed, the same hotel");
    let numbers = |visit: &Visit| {
        visit.rooms().iter().map(|r| (r["number"].to_string(), r["status"].to_string())).collect::<BTreeSet<_>>()
    };
    assert_eq!(numbers(&same), numbers(&first), "and the same morning");
}

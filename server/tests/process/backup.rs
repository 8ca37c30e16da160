//! The drill: a hotel is backed up while it works, restored elsewhere, and goes on.

use std::path::Path;

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::client::Client;
use crate::house::{House, START};
use crate::story::Hotel;

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in plain letters")
}

/// Where somebody stands who has read the whole feed.
fn last_offset(client: &Client, hotel: &Hotel) -> i64 {
    client.get("/events/v1/feed?limit=1000", &hotel.service).good()["nextAfter"].as_i64().expect("an offset")
}

#[test]
fn a_hotel_that_was_backed_up_while_it_worked_goes_on_elsewhere() {
    let house = House::new();
    let _up = house.up();
    let client = house.client();
    let hotel = Hotel::of(&house, "CHINAR");
    for number in 0..5 {
        hotel.check_out(&client, number);
    }
    hotel.turn_over(&client, 0);
    let before = hotel.feed_of(&client, 5 * 2 + 8);

    // Guests leave while the copy is made.
    let backup = house.folder().join("copies/first");
    std::fs::create_dir(house.folder().join("copies")).expect("a folder for copies");
    std::thread::scope(|threads| {
        threads.spawn(|| (5..25).for_each(|number| hotel.check_out(&client, number)));
        let said = house.output(&["backup", text(&backup)]);
        assert!(said.contains("whole as of"), "{said}");
    });
    // An integrator reads on: beyond everything that the copy can have.
    for number in 50..80 {
        hotel.check_out(&client, number);
    }
    let read = hotel.feed_of(&client, 25 * 2 + 8 + 30 * 2).len();
    let up_to = last_offset(&client, &hotel);
    let again = house.run(&["backup", text(&backup)]);
    assert_eq!(again.code, Some(2), "a backup is never written over: {again:?}");

    // Elsewhere: every checksum fits, and the hotel opens with all that was told before the backup began.
    let elsewhere = House::new();
    assert!(elsewhere.output(&["restore", text(&backup), "--check"]).contains("every checksum fits"));
    assert!(!elsewhere.folder().join("postgres").exists(), "a check restores nothing");
    let said = elsewhere.output(&["restore", text(&backup)]);
    assert!(said.contains("the hotel as of"), "{said}");
    let mut restored = elsewhere.up();
    let there = elsewhere.client();
    // The tokens of the first hotel are good: its signing key came along.
    let known = hotel.board(&there)["rooms"].as_array().map_or(0, Vec::len);
    assert!((5..=25).contains(&known), "{known}");
    let feed = hotel.feed_of(&there, known * 2 + 8);
    assert_eq!(feed[..before.len()], before[..], "the feed of the copy begins as the hotel's does");
    assert_eq!(hotel.room(&there, 0)["status"], hotel.room(&client, 0)["status"]);

    // Work goes on: the relay publishes, and the feed tells what came after.
    hotel.check_out(&there, 40);
    hotel.turn_over(&there, 40);
    hotel.feed_of(&there, feed.len() + 10);
    elsewhere.assert_all_published_once();
    // Whoever had read more than the copy has is told of it too, and of nothing else.
    let page = there.get(&format!("/events/v1/feed?after={up_to}"), &hotel.service).good();
    let told = page["items"].as_array().map_or(0, Vec::len);
    assert_eq!(told, 10, "after {up_to}, with {read} events read: {page}");
    let doctor = elsewhere.output(&["doctor", "--json"]);
    let checks: Vec<Value> = serde_json::from_str(&doctor).expect("JSON");
    assert!(checks.iter().all(|check| check["ok"] == true), "{doctor}");

    // Nothing is restored over a hotel that is there.
    restored.signal(Signal::SIGTERM);
    assert!(restored.ends(START).success());
    let over = elsewhere.run(&["restore", text(&backup)]);
    assert_eq!(over.code, Some(1), "{over:?}");
    assert!(over.err.contains("is a cluster already"), "{over:?}");
}

#[test]
fn a_backup_in_which_a_byte_has_turned_is_not_restored() {
    let house = House::new();
    let mut up = house.up();
    let backup = house.folder().join("copy");
    house.output(&["backup", text(&backup)]);
    up.signal(Signal::SIGTERM);
    assert!(up.ends(START).success());

    let file = backup.join("cluster/global/pg_control");
    let mut bytes = std::fs::read(&file).expect("a file of the copy");
    bytes[100] ^= 1;
    std::fs::write(&file, bytes).expect("the file can be written");
    let elsewhere = House::new();
    let refused = elsewhere.run(&["restore", text(&backup)]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err.contains("cluster/global/pg_control"), "{refused:?}");
    assert!(!elsewhere.folder().join("postgres").exists(), "nothing was begun");

    let nothing = house.run(&["backup", text(&house.folder().join("another"))]);
    assert_eq!(nothing.code, Some(1), "{nothing:?}");
    assert!(nothing.err.contains("no Melmastoon is running"), "{nothing:?}");
    assert!(!house.folder().join("another.part").exists(), "what was begun is gone");
}

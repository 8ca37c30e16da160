//! The drill: a hotel is backed up while it works, restored elsewhere, and goes on.

use std::path::Path;

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::client::Client;
use crate::house::{House, START};
use crate::process::until;
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
    let read = hotel.feed_of(&client, 25 * 2 + 8 + 30 * 2);
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
    // Whoever had read more than the copy has is told of it too, and of nothing else but what was still on its way when the copy was made: that they know by its id.
    let page = there.get(&format!("/events/v1/feed?after={up_to}"), &hotel.service).good();
    let is_known = |item: &&Value| read.iter().any(|event| event["id"] == item["envelope"]["id"]);
    let told = page["items"].as_array().map_or(0, |items| items.iter().filter(|item| !is_known(item)).count());
    assert_eq!(told, 10, "after {up_to}, with {} events read: {page}", read.len());
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

/// Three years ahead, in seconds: everything of today is old then.
const YEARS_LATER: &str = "clock+94608000";

#[test]
fn a_copy_calls_nobody_and_says_that_the_archive_is_not_in_it_and_what_to_do() {
    let first = House::new();
    let archive = format!("file://{}", first.folder().join("archive").display());
    let house = first.with("MELMASTOON_ARCHIVE_URL", &archive);
    let _up = house.up();
    let client = house.client();
    let hotel = Hotel::of(&house, "CHINAR");
    hotel.check_out(&client, 0);
    hotel.turn_over(&client, 0);
    let admin = house.token(&hotel.tenant, &["--role", "admin"]);
    let wish = serde_json::json!({
        "url": "https://integrator.example/hook", "subjects": ["melmastoon.housekeeping.task.created.v1"],
    });
    client.post("/events/v1/webhooks", &admin, &wish).good();
    let run = |arguments: &[&str]| {
        let mut command = house.command(arguments);
        command.env("MELMASTOON_FAULT", YEARS_LATER);
        crate::house::ended(command)
    };
    // The hotel's own tick may just be at the archive.
    let mut ended = run(&["archive", "run", "--json"]);
    until("nobody else is at the archive", START, || {
        if ended.err.contains("somebody else is at the archive") {
            ended = run(&["archive", "run", "--json"]);
        }
        ended.code == Some(0)
    });
    let done: Value = serde_json::from_str(&ended.out).unwrap_or_else(|error| panic!("{error}: {ended:?}"));
    let files = done["files"].as_i64().expect("files");
    assert!(files > 1 && done["removed"] == done["rows"], "{done}");
    assert_eq!(ended.err.lines().filter(|line| line.contains(".parquet")).count(), 0, "a program reads: {}", ended.err);
    let verified = house.run(&["archive", "verify"]);
    let noted = verified.err.lines().filter(|line| line.ends_with("rows are what was noted")).count();
    assert_eq!(i64::try_from(noted), Ok(files));

    let (backup, scripted) = (house.folder().join("copy"), house.folder().join("another"));
    let said = house.output(&["backup", text(&backup)]);
    assert!(said.contains(&format!("The archive at {archive} is NOT in it")), "{said}");
    let answer: Value = serde_json::from_str(&house.output(&["backup", text(&scripted), "--json"])).expect("JSON");
    assert_eq!(answer["archiveNotCopied"], archive.as_str());

    // Elsewhere: where the files were, where they belong, and what proves them.
    let other = House::new();
    let place = format!("file://{}", other.folder().join("archive").display());
    let elsewhere = other.with("MELMASTOON_ARCHIVE_URL", &place);
    let said = elsewhere.output(&["restore", text(&backup)]);
    assert!(said.contains("1 webhook endpoints are paused"), "{said}");
    let missing = format!("The archive is NOT restored: {files} files of old months were at {archive}");
    assert!(said.contains(&missing) && said.contains(&format!("copy them to {place}")), "{said}");
    let restored = elsewhere.up();
    let list = elsewhere.output(&["webhooks", "list", "--json"]);
    let list: Vec<Value> = serde_json::from_str(&list).expect("JSON");
    let why = list[0]["pausedBecause"].as_str().unwrap_or_default();
    assert!(list[0]["state"] == "paused" && why.contains("a copy calls nobody"), "{list:?}");
    assert_eq!(elsewhere.run(&["archive", "verify"]).code, Some(1), "the files are not there");
    let copied = std::process::Command::new("cp")
        .arg("-a")
        .arg(house.folder().join("archive/."))
        .arg(elsewhere.folder().join("archive"))
        .status()
        .expect("cp");
    assert!(copied.success());
    let verified = elsewhere.output(&["archive", "verify"]);
    assert!(verified.starts_with(&format!("{files} files")), "{verified}");

    // A copy that takes the hotel's place goes on calling, and a script is told of the archive too. Two houses at a time are enough.
    drop((restored, elsewhere));
    let third = House::new();
    let answer: Value =
        serde_json::from_str(&third.output(&["restore", text(&scripted), "--call-webhooks", "--json"])).expect("JSON");
    assert_eq!(answer["archiveNotRestored"], serde_json::json!({ "files": files, "wasAt": archive }));
    let _third = third.up();
    let list: Vec<Value> = serde_json::from_str(&third.output(&["webhooks", "list", "--json"])).expect("JSON");
    assert_eq!(list[0]["state"], "active", "{list:?}");
}

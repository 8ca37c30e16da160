//! The first thing that must be true: a guest checks out, and in the end the room is ready.

use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use serde_json::json;

use crate::house::House;
use crate::story::{Hotel, subjects};
use crate::stream::Stream;

#[test]
fn an_empty_folder_becomes_a_hotel_that_answers_its_monitors() {
    let house = House::new();
    let before = std::fs::metadata(house.folder()).expect("the folder");
    assert_eq!(before.mode() & 0o777, 0o755);
    let up = house.up();
    assert!(up.age() < Duration::from_secs(15), "the first start took {:?}", up.age());
    println!("first start: {:?}", up.age());

    let client = house.client();
    for (path, part) in [("/healthz", "alive"), ("/readyz", "ready"), ("/metrics", "melmastoon_http_seconds")] {
        let answer = client.try_get(path, None).expect(path);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        assert!(answer.text.contains(part), "{path}: {answer:?}");
    }
    let key = std::fs::metadata(house.folder().join("signing-key")).expect("the key");
    assert_eq!(key.mode() & 0o077, 0, "the signing key is for its owner alone");
    println!("idle memory: {:?} KiB", up.resident_kib());
}

#[test]
fn a_check_out_is_on_the_board_at_once_and_the_room_gets_ready() {
    let house = House::new();
    let _up = house.up();
    let client = house.client();
    let hotel = Hotel::of(&house, "CHINAR");

    hotel.check_out(&client, 7);
    let board = hotel.board(&client);
    assert_eq!(board["rooms"][0]["roomId"], "rom_7");
    assert_eq!(board["rooms"][0]["status"], "dirty");
    assert_eq!(board["rooms"][0]["openTask"]["kind"], "turnover");
    assert_eq!(board["rooms"][0]["openTask"]["status"], "pending");
    let task = board["tasks"][0]["id"].as_str().expect("an id").to_owned();

    // Nobody who is not at work is sent; who clocked in is.
    let path = format!("/housekeeping/v1/tasks/{task}/assign");
    let refused = client.post(&path, &hotel.supervisor, &json!({ "staffId": "stf_PARWIN" }));
    assert_eq!((refused.status, refused.kind.as_str()), (409, "application/problem+json"), "{refused:?}");
    assert_eq!(refused.json()["code"], "MELMASTOON.HOUSEKEEPING.STAFF_NOT_ON_SHIFT");
    come_to_work(&hotel, &client);
    client.post(&path, &hotel.supervisor, &json!({ "staffId": "stf_PARWIN" })).good();
    hotel.clean_and_pass(&client, &task);

    assert_eq!(hotel.room(&client, 7)["status"], "ready");
    let feed = hotel.feed_of(&client, 10);
    let mut told = subjects(&feed);
    told.sort_unstable();
    let change = "room.status_changed";
    let steps = ["task.assigned", "task.completed", "task.created", "task.started"];
    assert_eq!(told, [&["inspection.passed", change, change, change, change, change], &steps[..]].concat());
    assert_eq!(house.unpublished(), 0);

    // The room's history has no gap: each step begins where the last one ended.
    let history = client.get("/housekeeping/v1/rooms/rom_7/history", &hotel.supervisor).good();
    let mut steps = history["items"].as_array().expect("items").clone();
    steps.reverse(); // the newest comes first
    assert_eq!(steps.len(), 5, "{history}");
    assert_eq!((&steps[0]["previousStatus"], &steps[4]["status"]), (&json!("clean"), &json!("ready")));
    assert!(steps.windows(2).all(|pair| pair[0]["status"] == pair[1]["previousStatus"]), "{history}");
}

fn come_to_work(hotel: &Hotel, client: &crate::client::Client) {
    let shift = json!({
        "shiftId": "shf_A", "tenantId": hotel.tenant, "propertyId": hotel.property, "positionId": "pos_A", "patternId": null,
        "windowUtc": { "startUtc": "2026-04-22T03:00:00Z", "endUtc": "2099-04-22T11:00:00Z" },
        "localWindow": { "date": "2026-04-22", "startLocal": "07:30", "endLocal": "15:30", "tz": "Asia/Kabul" },
        "primaryHeadcount": 1, "standbyHeadcount": 0, "version": 1,
    });
    hotel.push(client, &hotel.event("evt_SHIFT", "melmastoon.staff.shift.scheduled.v1", &shift));
    let assignment = json!({
        "shiftId": "shf_A", "tenantId": hotel.tenant, "propertyId": hotel.property, "assignmentId": "sha_A",
        "staffId": "stf_PARWIN", "role": "primary", "source": "manual", "swappedFromAssignmentId": null, "version": 1,
        "assignedAt": "2026-04-22T02:00:00Z",
    });
    hotel.push(client, &hotel.event("evt_ASSIGNED", "melmastoon.staff.shift.assigned.v1", &assignment));
    let punch = json!({
        "clockEntryId": "clk_A", "tenantId": hotel.tenant, "staffId": "stf_PARWIN", "propertyId": hotel.property,
        "shiftId": "shf_A", "occurredAtUtc": "2026-04-22T03:00:00Z", "recordedAtUtc": "2026-04-22T03:00:00Z",
        "source": "electron_pin", "deviceId": null, "managerOverride": false, "fromOfflineReplay": false,
        "matchedScheduledShift": true,
    });
    hotel.push(client, &hotel.event("evt_CLOCK", "melmastoon.staff.clock.in.v1", &punch));
}

#[test]
fn the_live_board_shows_the_board_then_each_change_and_goes_on_where_it_was_left() {
    let house = House::new();
    let _up = house.up();
    let client = house.client();
    let hotel = Hotel::of(&house, "CHINAR");
    hotel.check_out(&client, 1);
    hotel.feed_of(&client, 2);

    let stream = Stream::open(&client, &hotel.property, &hotel.supervisor, None);
    let board = stream.next();
    assert_eq!((board.name.as_str(), board.data["rooms"][0]["status"].as_str()), ("board", Some("dirty")));
    hotel.check_out(&client, 2);
    let changes = stream.up_to(|seen| seen.subject().ends_with("task.created.v1"));
    assert!(changes.iter().all(|seen| seen.name == "change"), "{changes:?}");
    let last = changes.last().expect("a change").clone();
    drop(stream);

    // What happens while nobody listens is told to whoever comes back.
    hotel.turn_over(&client, 1);
    hotel.check_out(&client, 3);
    let resumed = Stream::open(&client, &hotel.property, &hotel.supervisor, Some(&last.id));
    let missed =
        resumed.up_to(|seen| seen.data["payload"]["roomId"] == "rom_3" && seen.subject().ends_with("task.created.v1"));
    let feed = hotel.feed(&client);
    let seen_last = feed.iter().position(|event| event["id"] == last.event_id().as_str()).expect("in the feed");
    let wanted: Vec<_> =
        feed[seen_last + 1..].iter().map(|event| event["id"].as_str().expect("an id").to_owned()).collect();
    let found: Vec<_> = missed.iter().map(crate::stream::Seen::event_id).collect();
    assert_eq!(found[..], wanted[..found.len()], "every event once, in the order of the feed");
    assert!(found.len() >= 8, "{found:?}");

    let elsewhere = client
        .try_get(&format!("/housekeeping/v1/board/stream?propertyId={}", "prp_ANOTHER"), Some(&hotel.housekeeper));
    assert!(matches!(elsewhere.expect("an answer").status, 403 | 404));
}

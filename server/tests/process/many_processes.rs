//! Several processes on one database: each does its share, and together they do everything once.

use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::house::House;
use crate::process::until;
use crate::story::{Hotel, subjects};
use crate::stream::Stream;

const STOP: Duration = Duration::from_secs(15);

#[test]
fn several_processes_share_one_database_and_everything_happens_once() {
    let house = House::new();
    let mut up = house.up();
    let client = house.client();
    let hotel = Hotel::of(&house, "CHINAR");
    let (mut serve, replica) = house.serve();
    let (mut relay, mut work) = (house.beside(&["relay"]), house.beside(&["work"]));
    let mut tick = house.beside(&["tick", "all"]);
    let mut one_tick = house.beside(&["tick", "maintenance"]);
    assert_eq!(house.run(&["tick", "nonsense"]).code, Some(2));
    assert_ne!(client.url(""), replica.url(""));

    // A board at the replica sees what is done through the other process.
    let stream = Stream::open(&replica, &hotel.property, &hotel.supervisor, None);
    assert_eq!(stream.next().name, "board");
    hotel.check_out(&client, 0);
    let seen = stream.up_to(|seen| seen.subject().ends_with("room.status_changed.v1"));
    assert_eq!(seen.len(), 2, "{seen:?}");

    // Two copies of each departure at once, one to each process.
    std::thread::scope(|threads| {
        for number in 1..=10 {
            for at in [&client, &replica] {
                let hotel = &hotel;
                threads.spawn(move || hotel.check_out(at, number));
            }
        }
    });
    hotel.turn_over(&replica, 1);
    // And some that the bus delivers: two relays publish, two workers apply.
    hotel.tell_through_the_outbox(&house, 11..31);
    let feed = hotel.feed_of(&client, 2 * 31 + 8 + 20);
    assert_eq!(subjects(&feed).iter().filter(|subject| *subject == "task.created").count(), 31);
    assert_eq!(hotel.board(&replica)["rooms"].as_array().map(Vec::len), Some(31));
    until("every delivery has ended", Duration::from_secs(15), || {
        house.session("melmastoon_relay").count("SELECT count(*) FROM bus.deliveries") == 0
    });
    house.assert_all_published_once();
    let dead: Value = serde_json::from_str(&house.output(&["dlq", "list", "--json"])).expect("JSON");
    assert_eq!(dead, serde_json::json!([]));

    // The database goes and comes back: a replica says so meanwhile, and goes on by itself.
    up.signal(Signal::SIGTERM);
    assert!(up.ends(STOP).success());
    let away = replica.get(&format!("/housekeeping/v1/board?propertyId={}", hotel.property), &hotel.supervisor);
    away.assert_come_again();
    let _up = house.up();
    until("the replica is ready again", Duration::from_secs(15), || replica.is_ready());
    hotel.check_out(&replica, 40);
    let seen = stream.up_to(|seen| seen.data["payload"]["roomId"] == "rom_40");
    assert!(!seen.is_empty(), "the open board of the replica went on");

    for process in [&mut serve, &mut relay, &mut work, &mut tick, &mut one_tick] {
        process.signal(Signal::SIGTERM);
        let status = process.ends(STOP);
        assert!(status.success(), "{status}");
    }
    assert!(house.client().is_ready(), "the others' end is no end for the rest");
}

//! The process dies between commit and publication, or between publication and its mark: told once all the same.

use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use nix::sys::signal::Signal;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::house::House;
use crate::seed::seed;
use crate::story::Hotel;

/// Departures at once into a process that dies at its first publication. Acknowledged or not, they are sent again later.
fn dies_publishing(house: &House, hotel: &Hotel, point: &str, rooms: std::ops::Range<usize>) {
    let mut up = house.up_with(&[], &[("MELMASTOON_FAULT", point)]);
    let client = house.client();
    std::thread::scope(|threads| {
        for number in rooms {
            let client = &client;
            threads.spawn(move || hotel.try_push(client, &hotel.departure(number)));
        }
    });
    let status = up.ends(Duration::from_secs(15));
    assert_eq!(status.signal(), Some(Signal::SIGABRT as i32), "{point}: {status}");
}

#[test]
fn an_event_is_published_once_wherever_the_relay_dies() {
    let mut chance = StdRng::seed_from_u64(seed());
    let house = House::new();
    let mut up = house.up();
    let hotel = Hotel::of(&house, "CHINAR");
    hotel.check_out(&house.client(), 0);
    hotel.feed_of(&house.client(), 2);
    up.signal(Signal::SIGTERM);
    up.ends(Duration::from_secs(15));

    let mut rooms = 1;
    for point in ["relay-before-publish", "relay-after-publish", "relay-after-publish", "relay-before-publish"] {
        let more = chance.random_range(1..6);
        dies_publishing(&house, &hotel, point, rooms..rooms + more);
        rooms += more;
    }
    let _up = house.up();
    let client = house.client();
    for number in 0..rooms {
        hotel.check_out(&client, number);
        assert_eq!(hotel.tasks(&client, number).len(), 1);
    }
    hotel.feed_of(&client, 2 * rooms);
    house.assert_all_published_once();
}

//! The process dies between commit and publication, or between publication and its mark: told once all the same.

use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use nix::sys::signal::Signal;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::house::House;
use crate::process::until;
use crate::seed::seed;
use crate::story::Hotel;

/// Departures at once into a process that dies at its first publication. Acknowledged or not, they are sent again later.
fn dies_publishing(house: &House, point: &str, rooms: std::ops::Range<usize>) {
    let mut up = house.up_with(&[], &[("MELMASTOON_FAULT", point)]);
    let (client, hotel) = (house.client(), Hotel::of(house, "CHINAR"));
    std::thread::scope(|threads| {
        for number in rooms {
            let (client, hotel) = (&client, &hotel);
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
    let mut rooms = 0;
    for point in ["relay-before-publish", "relay-after-publish", "relay-before-publish"] {
        let more = chance.random_range(1..6);
        dies_publishing(&house, point, rooms..rooms + more);
        rooms += more;
    }
    let _up = house.up();
    let (client, hotel) = (house.client(), Hotel::of(&house, "CHINAR"));
    // What was committed before the deaths goes out first; then the sender delivers everything again.
    until("the outbox is empty", Duration::from_secs(15), || house.unpublished() == 0);
    let early = hotel.feed(&client).len();
    assert!(early > 0 && early % 2 == 0, "{early} events were committed before the deaths");
    for number in 0..rooms {
        hotel.check_out(&client, number);
        assert_eq!(hotel.tasks(&client, number).len(), 1);
    }
    hotel.feed_of(&client, 2 * rooms);
    house.assert_all_published_once();
}

//! Asked to stop, the product stops: everything, soon, and with success.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::client::Client;
use crate::house::House;
use crate::process::{Process, descendants_of, runs, until};
use crate::story::Hotel;
use crate::stream::Stream;

/// Process and PostgreSQL together.
const STOP: Duration = Duration::from_secs(15);

fn stops(house: &House, mut up: Process, signal: Signal) {
    let postgres = house.postgres();
    assert!(postgres.len() > 3, "PostgreSQL runs: {postgres:?}");
    let asked = Instant::now();
    up.signal(signal);
    let status = up.ends(STOP);
    assert!(status.success(), "{signal}: {status}");
    until("PostgreSQL is gone", STOP.saturating_sub(asked.elapsed()), || postgres.iter().all(|pid| !runs(*pid)));
    println!("{signal}: gone after {:?}", asked.elapsed());
}

#[test]
fn a_signal_ends_the_process_and_its_postgresql_even_while_a_board_is_open() {
    let house = House::new();
    let up = house.up();
    let client = house.client();
    let hotel = Hotel::of(&house, "CHINAR");
    let stream = Stream::open(&client, &hotel.property, &hotel.supervisor, None);
    assert_eq!(stream.next().name, "board");
    hotel.check_out(&client, 1);
    stops(&house, up, Signal::SIGTERM);
    assert!(stream.ends(Duration::from_secs(5)), "the open board was let go");
    assert!(client.try_get("/healthz", None).is_none(), "nobody listens any more");

    let up = house.up();
    println!("later start: {:?}", up.age());
    assert!(up.age() < Duration::from_secs(10), "a later start took {:?}", up.age());
    assert_eq!(hotel.room(&client, 1)["status"], "dirty");
    hotel.feed_of(&client, 2);
    // Somebody who never finishes a sentence, and somebody who never begins one.
    let mut half = connect(&client);
    let head = "POST /housekeeping/v1/tasks HTTP/1.1\r\nhost: hotel\r\ncontent-type: application/json\r\n";
    let rest = format!("authorization: Bearer {}\r\ncontent-length: 100\r\n\r\n{{", hotel.supervisor);
    half.write_all(format!("{head}{rest}").as_bytes()).expect("sent");
    let _silent = connect(&client);
    stops(&house, up, Signal::SIGINT);
}

fn connect(client: &Client) -> TcpStream {
    TcpStream::connect(client.url("").trim_start_matches("http://")).expect("a connection")
}

#[test]
fn a_folder_behind_a_closed_door_will_do_and_survives_kill_9_too() {
    let house = House::behind_a_closed_door();
    let mut up = house.up();
    let client = house.client();
    let hotel = Hotel::of(&house, "CHINAR");
    hotel.check_out(&client, 1);
    up.kill_dead();
    let up = house.up();
    assert_eq!(hotel.room(&client, 1)["status"], "dirty");
    stops(&house, up, Signal::SIGTERM);
}

#[test]
fn a_signal_during_the_first_start_leaves_nothing_running_and_nothing_in_the_way() {
    let house = House::new();
    let mut up = Process::start(house.command(&["up", "--listen", "127.0.0.1:0"]));
    let mut below = Vec::new();
    until("a server program runs", Duration::from_secs(15), || {
        below = descendants_of(up.pid());
        !below.is_empty()
    });
    up.signal(Signal::SIGTERM);
    let status = up.ends(STOP);
    assert!(status.success(), "{status}");
    until("what it had started is gone", STOP, || below.iter().all(|pid| !runs(*pid)));

    let _up = house.up();
    assert!(house.client().is_ready());
}

//! A relay that stands still in the middle of its work does not hold up the others, and does no harm when it wakes.

use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::house::House;
use crate::own_server::OwnServer;
use crate::process::until;
use crate::story::Hotel;

#[test]
fn another_relay_takes_over_from_one_that_stands_still_and_nothing_is_told_twice() {
    let house = House::new();
    let server = OwnServer::start(&house.folder().join("server"));
    let house = house.with("DATABASE_URL", &server.url);
    house.output(&["migrate"]);
    let (_serve, client) = house.serve();
    let mut leader = house.beside(&["relay"]);
    let hotel = Hotel::of(&house, "CHINAR");
    hotel.check_out(&client, 0);
    hotel.feed_of(&client, 2);

    // The log is closed for a moment: the relay waits in the middle of its transaction, and there it is stopped.
    let (session, watch) = (server.session(), server.session());
    session.tell("BEGIN; LOCK TABLE bus.event_log IN EXCLUSIVE MODE");
    hotel.check_out(&client, 1);
    until("the relay is at its work", Duration::from_secs(8), || watch.waiting("melmastoon_relay") == 1);
    leader.signal(Signal::SIGSTOP);
    session.tell("COMMIT");
    let stopped = Instant::now();

    let _second = house.beside(&["relay"]);
    hotel.check_out(&client, 2);
    until("the other relay takes over", Duration::from_secs(25), || hotel.feed(&client).len() == 6);
    println!("another relay took over after {:?}", stopped.elapsed());

    leader.signal(Signal::SIGCONT);
    hotel.check_out(&client, 3);
    hotel.feed_of(&client, 8);
    assert_eq!(watch.count("SELECT count(*) FROM bus.event_log"), 8);
    assert_eq!(watch.count("SELECT count(*) FROM housekeeping.outbox WHERE published_at IS NULL"), 0);
    leader.signal(Signal::SIGTERM);
    assert!(leader.ends(Duration::from_secs(15)).success(), "it woke up, found itself replaced, and works on");
}

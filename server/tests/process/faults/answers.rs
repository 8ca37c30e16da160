//! The database has done it and its answer is lost; two changes wait for each other. Whoever asked is told to come again, and what was
//! asked for happens once.

use std::time::Duration;

use serde_json::json;

use crate::house::House;
use crate::own_server::OwnServer;
use crate::process::until;
use crate::proxy::{Mood, Proxy};
use crate::seed::seed;
use crate::story::{Hotel, room};

/// The same address, through the proxy.
fn through(url: &str, proxy: &Proxy) -> String {
    let (before, behind) = url.rsplit_once("127.0.0.1:").expect("a server on a port");
    let digits = behind.chars().take_while(char::is_ascii_digit).count();
    format!("{before}127.0.0.1:{}{}", proxy.port(), &behind[digits..])
}

fn port_of(url: &str) -> u16 {
    let behind = url.rsplit_once("127.0.0.1:").expect("a server on a port").1;
    behind.chars().take_while(char::is_ascii_digit).collect::<String>().parse().expect("a port")
}

#[test]
fn what_was_committed_while_its_answer_was_lost_is_answered_at_the_next_try_and_done_once() {
    let seed = seed();
    let house = House::new();
    let server = OwnServer::start_on_a_port(house.folder());
    let proxy = Proxy::before(port_of(&server.url));
    let house = house.with("DATABASE_URL", &through(&server.url, &proxy));
    house.output(&["migrate"]);
    let (_serve, client) = house.serve();
    let hotel = Hotel::of(&house, "CHINAR");
    let count = |question: &str| server.session().count(question);

    for number in 0..4 {
        let body = json!({ "propertyId": hotel.property, "roomId": room(number), "kind": "deep_clean" });
        let post = || {
            client.try_post_once("/housekeeping/v1/tasks", &hotel.supervisor, &format!("key-{seed}-{number}"), &body)
        };
        proxy.becomes(Mood::LosesCommits);
        let lost = post().expect("an answer of ours");
        lost.assert_come_again();
        // The same for an event: it is sent again, and has had its effect.
        let push = hotel.try_push(&client, &hotel.departure(number)).expect("an answer of ours");
        push.assert_come_again();
        proxy.becomes(Mood::Passes);
        let committed = "SELECT count(*) FROM housekeeping.housekeeping_tasks";
        let before = count(committed);
        assert_eq!(before, 2 * i64::try_from(number + 1).expect("a number"), "both were committed");
        let again = post().expect("an answer");
        assert_eq!((again.status, again.replayed), (201, true), "{again:?}");
        hotel.check_out(&client, number);
        assert_eq!(count(committed), before, "nothing happened twice");
    }
    println!("lost COMMIT replies: seed {seed}  commands 4  events 4  lost 0  twice 0");
}

#[test]
fn a_change_that_is_the_victim_of_a_deadlock_is_told_to_come_again_and_done_once() {
    let seed = seed();
    let house = House::new();
    let server = OwnServer::start(&house.folder().join("server"));
    let house = house.with("DATABASE_URL", &server.url);
    house.output(&["migrate"]);
    // Ours looks for a circle soon; the other side leaves it to ours.
    server.tell("ALTER ROLE melmastoon SET deadlock_timeout = '300ms'");
    let (_serve, client) = house.serve();
    let hotel = Hotel::of(&house, "CHINAR");
    hotel.check_out(&client, 0);
    let (other, watch) = (server.session(), server.session());
    other.tell("SET deadlock_timeout = '1min'; BEGIN; LOCK TABLE housekeeping.outbox IN EXCLUSIVE MODE");
    let (mut departure, task) = (hotel.departure(1), &client);
    departure["payload"]["rooms"][0]["roomId"] = json!(room(0));
    let answer = std::thread::scope(|threads| {
        let push = threads.spawn(|| hotel.try_push(task, &departure).expect("an answer"));
        until("ours waits for the other", Duration::from_secs(10), || watch.waiting("melmastoon_app") == 1);
        // The room is ours by now: the circle is closed.
        let _ = other.try_tell("SELECT FROM housekeeping.room_status WHERE room_id = 'rom_0' FOR UPDATE");
        push.join().expect("no panic")
    });
    other.tell("ROLLBACK");
    // PostgreSQL counts them a moment later.
    let deadlocks = || watch.count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    if answer.status != 503 {
        until("the circle is counted", Duration::from_mins(1), || deadlocks() > 0);
    }
    println!("deadlock: seed {seed}  answer {}  deadlocks {}", answer.status, deadlocks());
    assert!([204, 409, 503].contains(&answer.status), "{answer:?}");
    assert!(answer.status == 204 || answer.retry_after.is_some(), "{answer:?}");
    hotel.push(&client, &departure);
    hotel.push(&client, &departure);
    let turnovers = hotel.tasks(&client, 0).iter().filter(|task| task["kind"] == "turnover").count();
    assert_eq!(turnovers, 2, "one of each departure");
}

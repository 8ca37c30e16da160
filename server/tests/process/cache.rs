//! A Redis that processes share, as an operator has it: named in the environment, looked at by `doctor`, and never missed.

use std::time::Duration;

use serde_json::Value;
use test_hotel::RedisServer;

use crate::house::{House, ended};
use crate::process::until;
use crate::story::Hotel;

const SOON: Duration = Duration::from_secs(20);

fn check(house: &House) -> (bool, String) {
    let told = house.run(&["doctor", "--json"]).out;
    let told: Value = serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told}"));
    let line = told.as_array().expect("a list").iter().find(|line| line["check"] == "cache").expect("a line");
    (line["ok"] == true, line["detail"].as_str().expect("words").to_owned())
}

#[test]
fn boards_are_shared_while_there_is_a_cache_and_shown_while_there_is_none_and_doctor_knows_which() {
    let Some(mut redis) = RedisServer::start_with(Some("hunter2")) else { return };
    let house = House::new();
    let (ok, words) = check(&house);
    assert!(ok && words.contains("REDIS_URL is not set"), "{words}");
    let house = house.with("REDIS_URL", &redis.url());
    let _up = house.up();
    let client = house.client();
    let hotel = Hotel::of(&house, "CHINAR");
    hotel.check_out(&client, 1);
    until("the board is shared", SOON, || {
        hotel.board(&client);
        redis.keys() == [format!("melmastoon:board-1:whole:{}:{}", hotel.tenant, hotel.property)]
    });
    // A replica of its own memory shows what the other has read.
    let (_serve, other) = house.serve();
    until("it comes from the cache", SOON, || {
        assert_eq!(hotel.board(&client)["rooms"], hotel.board(&other)["rooms"]);
        let metrics = other.try_get("/metrics", None).expect("metrics").text;
        metrics.contains("melmastoon_boards_total{from=\"cache\"}")
    });
    let (ok, words) = check(&house);
    assert!(ok && words.starts_with("Redis "), "{words}");
    let shown = house.output(&["config", "--json"]);
    assert!(shown.contains("redis://***@127.0.0.1") && !shown.contains("hunter2"), "{shown}");

    redis.kill();
    for number in 2..5 {
        hotel.check_out(&client, number);
        for one in [&client, &other] {
            assert_eq!(hotel.board(one)["rooms"].as_array().expect("rooms").len(), number);
            assert!(one.is_ready());
        }
    }
    let (ok, words) = check(&house);
    assert!(!ok && words.contains("REDIS_URL does not answer") && !words.contains("hunter2"), "{words}");
}

#[test]
fn an_address_that_is_none_of_a_cache_is_refused_without_being_shown() {
    let house = House::new();
    for wrong in ["memcached://cache:11211", "redis:6379", "http://user:hunter2@cache"] {
        let mut command = house.command(&["config"]);
        command.env("REDIS_URL", wrong);
        let ended = ended(command);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains("REDIS_URL") && ended.err.contains("redis://host:6379"), "{ended:?}");
        assert!(!ended.err.contains("hunter2"), "{ended:?}");
    }
    let mut command = house.command(&["config"]);
    command.env("REDIS_URL", "redis+unix:///run/redis.sock?pass=hunter2");
    let shown = ended(command);
    assert!(shown.code == Some(0) && !shown.out.contains("hunter2"), "{shown:?}");
}

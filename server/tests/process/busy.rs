//! More is asked than can be done: callers are told to come again, and then everything goes on as if nothing had been.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::house::House;
use crate::process::until;
use crate::story::Hotel;

#[test]
fn requests_that_find_no_connection_or_wait_too_long_are_told_to_come_again() {
    let house = House::new().with("MELMASTOON_CONNECTIONS", "2");
    let _up = house.up();
    let client = house.client();
    let hotels = [Hotel::of(&house, "CHINAR"), Hotel::of(&house, "SPINGHAR")];
    for hotel in &hotels {
        hotel.check_out(&client, 0);
    }

    // Somebody else's work stands in the way of every change.
    let (session, watch) = (house.session("melmastoon_owner"), house.session("melmastoon"));
    session.tell("BEGIN; LOCK TABLE housekeeping.outbox IN EXCLUSIVE MODE");
    let begun = Instant::now();
    let answers: Vec<_> = std::thread::scope(|threads| {
        let pushes = (1..=3).flat_map(|number| hotels.iter().map(move |hotel| (hotel, number)));
        let callers: Vec<_> = pushes
            .map(|(hotel, number)| {
                let client = &client;
                threads.spawn(move || hotel.try_push(client, &hotel.departure(number)))
            })
            .collect();
        until("they wait", Duration::from_secs(5), || watch.waiting("melmastoon_app") == 2);
        let alive = client.try_get("/healthz", None).expect("an answer");
        assert_eq!(alive.status, 200, "busy is not dead");
        client.try_get("/readyz", None).expect("an answer").assert_come_again();
        callers.into_iter().map(|caller| caller.join().expect("no panic").expect("an answer")).collect()
    });
    assert!(begun.elapsed() < Duration::from_secs(20), "nobody waits for ever: {:?}", begun.elapsed());
    answers.iter().for_each(crate::client::Answer::assert_come_again);
    session.tell("COMMIT");

    // Delivered again, each hotel has its own rooms and nobody else's.
    for hotel in &hotels {
        for number in 1..=3 {
            hotel.check_out(&client, number);
        }
        assert_eq!(hotel.board(&client)["rooms"].as_array().map(Vec::len), Some(4));
        hotel.feed_of(&client, 8);
    }
    house.assert_all_published_once();
}

#[test]
fn a_key_whose_process_died_is_free_again_and_the_work_is_done_once() {
    let house = House::new();
    let _up = house.up();
    let client = house.client();
    let hotel = Hotel::of(&house, "CHINAR");
    let (mut serve, replica) = house.serve();
    let body = json!({ "propertyId": hotel.property, "roomId": "rom_5", "kind": "deep_clean" });
    let post = |at: &crate::client::Client, key: &str| {
        at.try_post_once("/housekeeping/v1/tasks", &hotel.supervisor, key, &body)
    };
    let first = post(&replica, "key-0").expect("an answer");
    assert_eq!(first.status, 201, "{first:?}");

    let (session, watch) = (house.session("melmastoon_owner"), house.session("melmastoon"));
    session.tell("BEGIN; LOCK TABLE housekeeping.outbox IN EXCLUSIVE MODE");
    std::thread::scope(|threads| {
        let caller = threads.spawn(|| post(&replica, "key-1"));
        until("the request is at work", Duration::from_secs(5), || watch.waiting("melmastoon_app") == 1);
        let meanwhile = post(&client, "key-1").expect("an answer");
        assert_eq!(meanwhile.status, 409, "{meanwhile:?}");
        assert!(meanwhile.retry_after.is_some(), "{meanwhile:?}");
        serve.kill_dead();
        assert!(caller.join().expect("no panic").is_none(), "its caller knows nothing");
    });
    session.tell("COMMIT");

    let mut answer = None;
    until("the key is free again", Duration::from_secs(15), || {
        answer = post(&client, "key-1").filter(|answer| answer.status != 409);
        answer.is_some()
    });
    let answer = answer.expect("it is");
    assert_eq!(answer.status, 201, "{answer:?}");
    let again = post(&client, "key-1").expect("an answer");
    assert_eq!((again.status, again.replayed, &again.text), (201, true, &answer.text));
    let replayed = post(&client, "key-0").expect("an answer");
    assert_eq!(
        (replayed.status, replayed.replayed, &replayed.text),
        (201, true, &first.text),
        "also what a dead process answered"
    );
    assert_eq!(hotel.tasks(&client, 5).len(), 2, "each key did its work once");
}

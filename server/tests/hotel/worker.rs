//! Each listener hears each event once: in order for each key, again after a failure, never holding up other keys.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, join, join_all, select};
use platform::bus::{Backoff, Relay, Worker, register};
use tokio::sync::watch;

use crate::listener::{Bus, ELSEWHERE, Ear, SUBJECT, Trouble, listening, open_elsewhere};
use crate::test_hotel::{BACKOFF, CONNECTIONS};

const KEYS: [&str; 4] = ["a", "b", "c", "d"];

/// Seconds of the pause after so many attempts.
fn pause(attempts: i32) -> i64 {
    i64::try_from(BACKOFF.pause(attempts).as_secs()).unwrap()
}

#[tokio::test]
async fn events_of_one_key_are_heard_in_their_order() {
    let bus = Bus::open().await;
    for n in 1..=40 {
        bus.say(KEYS[usize::try_from(n).unwrap() % 4], n).await;
    }
    bus.publish().await;
    assert_eq!(bus.hear().await, 40);
    for key in KEYS {
        let heard: Vec<_> = bus.ear.heard().into_iter().filter(|said| said.key == key).map(|said| said.n).collect();
        assert_eq!(heard.len(), 10);
        assert!(heard.is_sorted(), "{key}: {heard:?}");
    }
    assert_eq!(bus.hotel.count("bus.deliveries").await, 0);
}

#[tokio::test]
async fn two_workers_at_once_hear_each_event_once_and_in_order() {
    let bus = Bus::open().await;
    for n in 1..=60 {
        bus.say(&format!("key{}", n % 6), n).await;
    }
    bus.publish().await;
    let other = bus.another_worker();
    let (first, second) = join(bus.worker.drain(), other.drain()).await;
    assert_eq!(first.unwrap() + second.unwrap(), 60);
    assert_eq!(bus.ear.heard().len(), 60);
    for key in 0..6 {
        let heard: Vec<_> = bus.ear.numbers().into_iter().filter(|n| n % 6 == key).collect();
        assert!(heard.is_sorted() && heard.len() == 10, "{key}: {heard:?}");
    }
}

#[tokio::test]
async fn a_failure_is_tried_again_after_growing_pauses_and_holds_up_its_key_alone() {
    let bus = Bus::open().await;
    bus.ear.will_fail(1, 2);
    bus.say("a", 1).await;
    bus.say("a", 2).await;
    bus.say("b", 3).await;
    bus.publish().await;
    bus.hear().await;
    assert_eq!(bus.ear.numbers(), [3], "the other key is not held up");

    bus.hotel.clock.advance_seconds(pause(1) - 1);
    bus.hear().await;
    assert_eq!(bus.ear.numbers(), [3], "not before its time");
    bus.hotel.clock.advance_seconds(1);
    bus.hear().await;
    assert_eq!(bus.ear.numbers(), [3], "the second attempt fails too");
    let row =
        bus.hotel.behind.query_one("SELECT attempts, last_error FROM bus.deliveries ORDER BY log_offset LIMIT 1", &[]);
    let row = row.await.unwrap();
    assert_eq!(row.get::<_, i32>(0), 2);
    assert!(row.get::<_, &str>(1).contains("not today"));

    bus.hotel.clock.advance_seconds(pause(2));
    bus.hear().await;
    assert_eq!(bus.ear.numbers(), [3, 1, 2], "in order, once it works");
    assert!(bus.hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn a_database_that_is_away_for_a_moment_counts_as_no_attempt_and_is_tried_again_at_once() {
    let bus = Bus::open().await;
    bus.ear.will_have(1, Trouble::IsAway, 30);
    bus.say("a", 1).await;
    bus.publish().await;
    for _ in 0..30 {
        bus.hear().await;
        assert!(bus.ear.numbers().is_empty());
        bus.hotel.clock.advance_seconds(1);
    }
    // It comes back to a story with a defect, which has all its attempts.
    bus.ear.will_fail(1, 2);
    bus.hear().await;
    bus.hotel.clock.advance_seconds(pause(2));
    bus.hear().await;
    bus.hotel.clock.advance_seconds(pause(3));
    bus.hear().await;
    assert_eq!(bus.ear.numbers(), [1]);
    assert!(bus.hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn with_an_event_what_still_waited_for_it_goes() {
    let bus = Bus::open().await;
    bus.say("a", 1).await;
    bus.say("b", 2).await;
    bus.publish().await;
    let old = "UPDATE bus.event_log SET published_at = published_at - interval '1 year' WHERE log_offset = 1";
    bus.hotel.behind.batch_execute(old).await.unwrap();
    platform::retention::purge_log(&bus.hotel.app.db).await.unwrap();
    let left = bus.hotel.behind.query("SELECT log_offset FROM bus.deliveries ORDER BY log_offset", &[]).await.unwrap();
    assert_eq!(left.iter().map(|row| row.get::<_, i64>(0)).collect::<Vec<_>>(), [2]);
    bus.hear().await;
    assert_eq!(bus.ear.numbers(), [2]);
}

#[test]
fn pauses_double_and_have_an_end() {
    let pauses: Vec<_> = (1..=9).map(pause).collect();
    assert_eq!(pauses, [10, 20, 40, 80, 160, 320, 600, 600, 600]);
    assert_eq!(pause(i32::MAX), 600);
}

#[tokio::test]
async fn after_the_last_attempt_a_poison_message_is_filed_and_its_key_goes_on() {
    let bus = Bus::open().await;
    bus.ear.will_fail(1, usize::MAX);
    bus.say("a", 1).await;
    bus.say("a", 2).await;
    bus.publish().await;
    for attempt in 1..=BACKOFF.attempts {
        assert!(bus.hotel.dead_letters().await.is_empty(), "attempt {attempt}");
        bus.hear().await;
        bus.hotel.clock.advance_seconds(pause(attempt));
    }
    let letters = bus.hotel.dead_letters().await;
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].1, "MELMASTOON.LISTENER.EVENT_ATTEMPTS_EXHAUSTED");
    bus.hear().await;
    assert_eq!(bus.ear.numbers(), [2]);
    assert_eq!(bus.hotel.count("bus.deliveries").await, 0);
}

#[tokio::test]
async fn what_can_never_succeed_is_filed_at_once() {
    let bus = Bus::open().await;
    bus.ear.will_never_take(1);
    bus.say("a", 1).await;
    bus.say("a", 2).await;
    bus.publish().await;
    bus.hear().await;
    assert_eq!(bus.ear.numbers(), [2]);
    assert_eq!(bus.hotel.dead_letters().await[0].1, "MELMASTOON.LISTENER.NEVER");
}

#[tokio::test]
async fn what_a_dead_worker_had_claimed_is_taken_up_when_its_time_is_over() {
    let bus = Bus::open().await;
    bus.say("a", 1).await;
    bus.publish().await;
    let claim = "UPDATE bus.deliveries SET attempts = 1, claimed_until = $1";
    let until = bus.hotel.now().plus_seconds(60).jiff();
    bus.hotel.behind.execute(claim, &[&until]).await.unwrap();
    bus.hear().await;
    assert!(bus.ear.numbers().is_empty(), "somebody may still be at it");
    bus.hotel.clock.advance_seconds(61);
    bus.hear().await;
    assert_eq!(bus.ear.numbers(), [1]);
}

#[tokio::test]
async fn what_a_clock_ahead_of_ours_has_published_is_heard_at_once() {
    let bus = Bus::open().await;
    bus.say("a", 1).await;
    bus.publish().await;
    bus.hotel.clock.advance_seconds(-300);
    bus.hear().await;
    assert_eq!(bus.ear.numbers(), [1]);
}

#[tokio::test]
async fn a_delivery_that_was_handled_but_not_ticked_off_is_not_heard_twice() {
    let bus = Bus::open().await;
    bus.say("a", 1).await;
    bus.publish().await;
    let again = "INSERT INTO bus.deliveries (subscription, log_offset, tenant_id, ordering_key, next_attempt_at)
                 SELECT 'listener', log_offset, tenant_id, ordering_key, published_at FROM bus.event_log";
    bus.hear().await;
    bus.hotel.behind.execute(again, &[]).await.unwrap();
    assert_eq!(bus.hear().await, 1, "ticked off");
    assert_eq!(bus.ear.numbers(), [1], "heard once");
}

/// What waits is looked for by its key. A plan that was made while nothing waited, and kept, compared each of those that wait with all others.
#[tokio::test]
async fn a_claim_is_planned_for_as_many_as_wait() {
    const MANY: i32 = 640;
    let bus = Bus::open().await;
    for _ in 0..8 {
        assert_eq!(bus.hear().await, 0, "so often that PostgreSQL would keep its plan");
    }
    for n in 1..=MANY {
        bus.say(&format!("key{n}"), n).await;
    }
    bus.publish().await;
    assert_eq!(bus.hear().await, u64::try_from(MANY).unwrap());
    let read = loop {
        // A backend tells what it has done once it has been idle for a moment.
        let sql = "SELECT t.n_tup_del, (SELECT sum(i.idx_tup_read)::BIGINT FROM pg_stat_user_indexes i WHERE i.relid = t.relid)
                   FROM pg_stat_user_tables t WHERE t.relid = 'bus.deliveries'::REGCLASS";
        let told = bus.hotel.behind.query_one(sql, &[]).await.unwrap();
        if told.get::<_, i64>(0) >= i64::from(MANY) {
            break told.get::<_, i64>(1);
        }
        // So that it is idle at all, and tells: nothing is due.
        bus.hear().await;
    };
    assert!(read < 40 * i64::from(MANY), "{read} entries of indexes were read for {MANY} deliveries");
}

/// Two contexts that listen to the same, in one worker.
async fn two_contexts(bus: &Bus) -> (Worker, Arc<Ear>) {
    open_elsewhere(&bus.hotel.behind).await;
    let ear = Arc::new(Ear::default());
    let mut other = listening("elsewhere", &ELSEWHERE, &[SUBJECT], &ear);
    other.backoff = Backoff { attempts: 1, ..BACKOFF };
    register(&bus.hotel.app.db, std::slice::from_ref(&other)).await.unwrap();
    let both = vec![other, bus.subscription.clone()];
    (Worker::new(bus.hotel.app.db.clone(), both, bus.relay.published()), ear)
}

/// Looks again and again until it is so; the test runner gives up some day.
async fn until(condition: impl Fn() -> bool) {
    while !condition() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_context_whose_story_stands_still_holds_up_no_other() {
    let bus = Bus::open().await;
    let (worker, slow) = two_contexts(&bus).await;
    slow.will_have(1, Trouble::Waits, 1);
    let (stop, stopped) = watch::channel(false);
    let story = async {
        for n in 1..=3 {
            bus.say("a", n).await;
            bus.publish().await;
            until(|| bus.ear.numbers().len() == usize::try_from(n).unwrap()).await;
        }
        assert!(slow.numbers().is_empty(), "it stands there still");
        slow.open_the_door();
        until(|| slow.numbers() == [1, 2, 3]).await;
        stop.send(true).unwrap();
    };
    // Woken by the relay alone: what is published while one of them is busy must reach the others all the same.
    join(worker.run(stopped, Duration::from_hours(1)), story).await;
}

#[tokio::test]
async fn a_context_that_panics_or_has_lost_its_tables_holds_up_no_other() {
    let bus = Bus::open().await;
    let (worker, other) = two_contexts(&bus).await;
    other.will_have(1, Trouble::Panics, usize::MAX);
    bus.say("a", 1).await;
    bus.publish().await;
    worker.drain().await.unwrap();
    assert_eq!((bus.ear.numbers(), other.numbers()), (vec![1], vec![]));
    assert_eq!(bus.hotel.count("elsewhere.dead_letters").await, 1, "its own last attempt was the first");

    bus.hotel.behind.batch_execute("DROP SCHEMA elsewhere CASCADE").await.unwrap();
    bus.say("a", 2).await;
    bus.publish().await;
    worker.drain().await.unwrap();
    assert_eq!(bus.ear.numbers(), [1, 2]);
    assert_eq!(bus.hotel.count("bus.deliveries WHERE subscription = 'elsewhere'").await, 1, "it waits for them");
}

#[tokio::test]
async fn each_context_has_its_own_patience() {
    let bus = Bus::open().await;
    let (worker, hasty) = two_contexts(&bus).await;
    hasty.will_fail(1, usize::MAX);
    bus.ear.will_fail(1, 1);
    bus.say("a", 1).await;
    bus.publish().await;
    worker.drain().await.unwrap();
    assert_eq!(bus.hotel.count("elsewhere.dead_letters").await, 1, "once was enough");
    assert_eq!(bus.hotel.count("housekeeping.dead_letters").await, 0);
    bus.hotel.clock.advance_seconds(pause(1));
    worker.drain().await.unwrap();
    assert_eq!(bus.ear.numbers(), [1]);
}

#[tokio::test]
async fn what_the_database_can_never_hold_is_not_tried_again() {
    let bus = Bus::open().await;
    bus.ear.will_have(1, Trouble::Overflows, usize::MAX);
    bus.say("a", 1).await;
    bus.say("a", 2).await;
    bus.publish().await;
    bus.hear().await;
    assert_eq!(bus.ear.numbers(), [2]);
    assert_eq!(bus.hotel.dead_letters().await[0].1, "MELMASTOON.LISTENER.EVENT_UNSTORABLE");
}

#[tokio::test]
async fn those_who_ask_keep_no_connection_from_the_bus() {
    let bus = Bus::open().await;
    bus.say("a", 1).await;
    bus.publish().await;
    // Every connection that there is for those who ask.
    let mut asking = Vec::new();
    for _ in 0..CONNECTIONS {
        asking.push(bus.hotel.app.db.begin_for(&housekeeping::SCHEMA, &bus.hotel.tenant).await.unwrap());
    }
    assert_eq!(bus.hear().await, 1);
    for one in asking {
        one.rollback().await.unwrap();
    }
}

#[tokio::test]
async fn a_context_whose_stories_all_stand_still_keeps_no_connection_from_another() {
    let bus = Bus::open().await;
    let (worker, slow) = two_contexts(&bus).await;
    let (stop, stopped) = watch::channel(false);
    for n in 1..=20 {
        slow.will_have(n, Trouble::Waits, 1);
        bus.say(&format!("key {n}"), n).await;
    }
    bus.publish().await;
    let story = async {
        until(|| bus.ear.numbers().len() == 20).await;
        assert!(slow.numbers().is_empty(), "they stand there still");
        until(|| {
            slow.open_the_door();
            slow.numbers().len() == 20
        })
        .await;
        stop.send(true).unwrap();
    };
    join(worker.run(stopped, Duration::from_hours(1)), story).await;
}

#[tokio::test]
async fn a_worker_that_is_told_to_stop_begins_nothing_more_however_much_waits() {
    let bus = Bus::open().await;
    bus.ear.will_have(1, Trouble::Waits, 1);
    for n in 1..=30 {
        bus.say("a", n).await;
    }
    bus.publish().await;
    let (stop, stopped) = watch::channel(false);
    let worker = bus.another_worker();
    let story = async {
        until(|| !bus.ear.is_in_trouble(1)).await;
        stop.send(true).unwrap();
        bus.ear.open_the_door();
    };
    join(worker.run(stopped, Duration::from_hours(1)), story).await;
    assert_eq!(bus.ear.numbers(), [1], "what had begun ends, and the rest is for the next start");
    assert_eq!(bus.hear().await, 29);
}

#[tokio::test]
async fn relays_that_have_all_their_connections_busy_do_not_starve_the_worker() {
    let bus = Bus::open().await;
    bus.say("a", 1).await;
    bus.publish().await;
    let mut other = bus.hotel.database_connection().await;
    let locked = other.transaction().await.unwrap();
    locked.batch_execute("LOCK TABLE housekeeping.outbox IN ACCESS EXCLUSIVE MODE").await.unwrap();
    // Three times as many as there are connections for: whoever queued up behind them would be the last.
    let relays: Vec<_> = (0..12).map(|_| bus.another_relay()).collect();
    let stuck = join_all(relays.iter().map(Relay::drain));
    let hears = async {
        let waits = "SELECT count(*) FROM pg_locks WHERE relation = 'housekeeping.outbox'::regclass AND NOT granted";
        while bus.hotel.behind.query_one(waits, &[]).await.unwrap().get::<_, i64>(0) < 4 {
            tokio::task::yield_now().await;
        }
        bus.hear().await
    };
    match select(Box::pin(stuck), Box::pin(hears)).await {
        Either::Left(_) => panic!("the worker waited for the relays"),
        Either::Right((ended, _)) => assert_eq!(ended, 1),
    }
    locked.rollback().await.unwrap();
}

//! Who listens is written in the database: releases come and go side by side, and nothing that was told falls between them.

use std::sync::Arc;

use contracts::housekeeping::{RoomStatusChangedV1, TaskStartedV1};
use contracts::payload::Payload;
use futures_util::future::join;
use platform::bus::{Subscription, Unheard, Worker, register, unheard};

use crate::listener::{Bus, ELSEWHERE, Ear, SUBJECT, Trouble, listening, open_elsewhere};
use crate::nats::until;
use crate::test_hotel::BACKOFF;

/// What only the newer release listens to.
const NEWER: &str = TaskStartedV1::SUBJECT;
const OTHER: &str = RoomStatusChangedV1::SUBJECT;

/// A bus on which a newer release, not started yet, listens to more than the one at work.
struct Rollout {
    bus: Bus,
    newer: Subscription,
    ear: Arc<Ear>,
}

impl Rollout {
    async fn begin() -> Self {
        let bus = Bus::open().await;
        let ear = Arc::new(Ear::default());
        let newer = listening("listener", bus.subscription.schema, &[SUBJECT, NEWER], &ear);
        Self { bus, newer, ear }
    }

    async fn newer_starts(&self) -> u64 {
        register(&self.bus.hotel.app.db, std::slice::from_ref(&self.newer)).await.unwrap()
    }

    async fn older_starts(&self) -> u64 {
        register(&self.bus.hotel.app.db, std::slice::from_ref(&self.bus.subscription)).await.unwrap()
    }

    fn newer_worker(&self) -> Worker {
        Worker::new(self.bus.hotel.app.db.clone(), vec![self.newer.clone()], self.bus.relay.published())
    }

    async fn say(&self, subject: &str, key: &str, n: i32) {
        self.bus.say_in(&self.bus.hotel.behind, "housekeeping", subject, key, n).await;
    }

    async fn registered(&self) -> Vec<String> {
        let sql = "SELECT subject FROM bus.subscriptions WHERE subscription = 'listener' AND retired_at IS NULL ORDER BY subject";
        self.bus.hotel.behind.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect()
    }
}

#[tokio::test]
async fn a_relay_of_an_older_release_delivers_to_a_subscription_it_has_never_heard_of() {
    let bus = Bus::open().await;
    open_elsewhere(&bus.hotel.behind).await;
    let ear = Arc::new(Ear::default());
    let new = listening("elsewhere", &ELSEWHERE, &[SUBJECT], &ear);
    let old = bus.hotel.second_process();
    assert!(!old.subscriptions.iter().any(|known| known.name == new.name), "the old release knows nothing of it");
    bus.say("a", 1).await;
    old.relay.drain().await.unwrap();

    assert_eq!(register(&bus.hotel.app.db, std::slice::from_ref(&new)).await.unwrap(), 1);
    bus.say("a", 2).await;
    old.relay.drain().await.unwrap();
    bus.say("a", 3).await;
    bus.publish().await;
    let worker = Worker::new(bus.hotel.app.db.clone(), vec![new], bus.relay.published());
    worker.drain().await.unwrap();
    assert_eq!(ear.numbers(), [2, 3], "from where it was registered, and nothing is skipped");
    bus.hear().await;
    assert_eq!(bus.ear.numbers(), [1, 2, 3], "the others hear as before");
}

#[tokio::test]
async fn a_subscription_that_comes_in_the_middle_of_a_batch_begins_behind_it() {
    let rollout = Rollout::begin().await;
    let mut relay = rollout.bus.hotel.database_connection().await;
    let batch = relay.transaction().await.unwrap();
    batch.execute("SELECT pg_advisory_xact_lock(7310579002)", &[]).await.unwrap();
    let publishes = async {
        let waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
        while rollout.bus.hotel.behind.query_one(waits, &[]).await.unwrap().get::<_, i64>(0) == 0 {
            tokio::task::yield_now().await;
        }
        let logged = "INSERT INTO bus.event_log (event_id, tenant_id, subject, ordering_key, envelope, published_at)
                      VALUES ('evt_1', 'tnt_A', $1, 'k', '{}', now()) RETURNING log_offset";
        let offset: i64 = batch.query_one(logged, &[&NEWER]).await.unwrap().get(0);
        batch.commit().await.unwrap();
        offset
    };
    let (new, offset) = join(rollout.newer_starts(), publishes).await;
    assert_eq!(new, 1);
    let sql = "SELECT began_after FROM bus.subscriptions WHERE subject = $1";
    let began: i64 = rollout.bus.hotel.behind.query_one(sql, &[&NEWER]).await.unwrap().get(0);
    assert_eq!(began, offset, "a batch that was on its way did not see it, and is not counted as heard");
}

#[tokio::test]
async fn starting_again_changes_nothing_and_an_older_release_takes_nothing_away() {
    let rollout = Rollout::begin().await;
    assert_eq!(rollout.newer_starts().await, 1, "one subject is new");
    assert_eq!(rollout.newer_starts().await, 0);
    assert_eq!(rollout.older_starts().await, 0);
    let mut both = [SUBJECT, NEWER];
    both.sort_unstable();
    assert_eq!(rollout.registered().await, both);
}

#[tokio::test]
async fn an_older_worker_leaves_alone_what_only_a_newer_one_has_a_story_for() {
    let rollout = Rollout::begin().await;
    rollout.newer_starts().await;
    rollout.say(NEWER, "a", 1).await;
    rollout.say(SUBJECT, "a", 2).await;
    rollout.say(SUBJECT, "b", 3).await;
    rollout.bus.publish().await;
    rollout.bus.hear().await;
    assert_eq!(rollout.bus.ear.numbers(), [3], "the first of its key is not for this one, and is not overtaken");
    assert!(rollout.bus.hotel.dead_letters().await.is_empty(), "nor filed as unknown");
    rollout.newer_worker().drain().await.unwrap();
    assert_eq!(rollout.ear.numbers(), [1, 2], "in order");
}

#[tokio::test]
async fn when_the_newer_release_is_taken_back_its_subjects_hold_up_nobody_for_good_and_wait_for_its_return() {
    let rollout = Rollout::begin().await;
    rollout.newer_starts().await;
    rollout.say(NEWER, "a", 1).await;
    rollout.say(SUBJECT, "a", 2).await;
    rollout.bus.publish().await;
    rollout.bus.hotel.clock.advance_seconds(15 * 60 - 1);
    rollout.bus.hear().await;
    assert!(rollout.bus.ear.numbers().is_empty(), "it may be on its way still");
    rollout.bus.hotel.clock.advance_seconds(2);
    rollout.bus.hear().await;
    assert_eq!(rollout.bus.ear.numbers(), [2]);
    rollout.newer_worker().drain().await.unwrap();
    assert_eq!(rollout.ear.numbers(), [1], "nothing is lost");
}

#[tokio::test]
async fn what_the_newer_release_had_tried_before_it_was_taken_back_holds_its_key_no_longer_either() {
    let rollout = Rollout::begin().await;
    rollout.newer_starts().await;
    rollout.say(NEWER, "a", 1).await;
    rollout.say(SUBJECT, "a", 2).await;
    rollout.bus.publish().await;
    rollout.ear.will_fail(1, 1);
    rollout.newer_worker().drain().await.unwrap();
    assert!(!rollout.ear.is_in_trouble(1), "it was tried");
    let pause = i64::try_from(BACKOFF.pause(1).as_secs()).unwrap();
    rollout.bus.hotel.clock.advance_seconds(15 * 60 + pause - 1);
    rollout.bus.hear().await;
    assert!(
        rollout.bus.ear.numbers().is_empty(),
        "until a quarter of an hour after its next turn it may be on its way"
    );
    rollout.bus.hotel.clock.advance_seconds(2);
    rollout.bus.hear().await;
    assert_eq!(rollout.bus.ear.numbers(), [2]);
    rollout.newer_worker().drain().await.unwrap();
    assert_eq!(rollout.ear.numbers(), [1], "nothing is lost");
}

#[tokio::test]
async fn what_a_newer_worker_has_in_hand_holds_its_key_however_late_it_was_begun() {
    let rollout = Rollout::begin().await;
    rollout.newer_starts().await;
    rollout.say(NEWER, "a", 1).await;
    rollout.say(SUBJECT, "a", 2).await;
    rollout.bus.publish().await;
    rollout.bus.hotel.clock.advance_seconds(16 * 60);
    rollout.ear.will_have(1, Trouble::Waits, 1);
    let newer = rollout.newer_worker();
    let meanwhile = async {
        until("the newer one is at it", async || !rollout.ear.is_in_trouble(1)).await;
        rollout.bus.hear().await;
        assert!(rollout.bus.ear.numbers().is_empty(), "it is not overtaken");
        rollout.ear.open_the_door();
    };
    let (drained, ()) = join(newer.drain(), meanwhile).await;
    drained.unwrap();
    assert_eq!(rollout.ear.numbers(), [1, 2]);
}

#[tokio::test]
async fn a_subject_that_a_migration_retires_is_delivered_no_more_and_no_start_brings_it_back() {
    let rollout = Rollout::begin().await;
    rollout.newer_starts().await;
    rollout.say(NEWER, "a", 1).await;
    rollout.say(SUBJECT, "a", 2).await;
    rollout.bus.publish().await;
    let owner = rollout.bus.hotel.app.db.connect_as(platform::database::DbRole::Owner).await.unwrap();
    owner.execute("SELECT bus.retire('listener', $1)", &[&NEWER]).await.unwrap();
    owner.execute("SELECT bus.retire('listener', $1)", &[&OTHER]).await.unwrap();
    assert_eq!(rollout.older_starts().await + rollout.newer_starts().await, 0);
    assert_eq!(rollout.registered().await, [SUBJECT]);
    rollout.bus.hear().await;
    assert_eq!(rollout.bus.ear.numbers(), [2], "what waited for it holds up its key no longer");
    rollout.say(NEWER, "a", 3).await;
    rollout.bus.publish().await;
    assert_eq!(rollout.bus.hotel.count("bus.deliveries").await, 0);
}

#[tokio::test]
async fn what_is_a_contexts_own_business_cannot_be_listened_to() {
    let bus = Bus::open().await;
    let curious = listening("curious", bus.subscription.schema, &["internal.housekeeping.board"], &bus.ear);
    assert!(register(&bus.hotel.app.db, &[curious]).await.is_err());
}

#[tokio::test]
async fn an_operator_is_told_for_whom_nobody_is_at_work_and_not_of_what_is_tried_again() {
    let bus = Bus::open().await;
    let late = async || unheard(&bus.hotel.app.db).await.unwrap();
    bus.say("a", 1).await;
    bus.say("b", 2).await;
    bus.publish().await;
    bus.hotel.clock.advance_seconds(29);
    assert_eq!(late().await, [], "a worker may be starting");
    bus.hotel.clock.advance_seconds(11);
    assert_eq!(late().await, [Unheard { subscription: "listener".to_owned(), oldest_seconds: 40 }]);
    bus.ear.will_have(1, Trouble::Fails, 1);
    bus.hear().await;
    bus.say("a", 3).await;
    bus.publish().await;
    bus.hotel.clock.advance_seconds(3_600);
    assert_eq!(
        late().await,
        [],
        "what is tried again holds up what its key says next, and is no sign that nobody is there"
    );
}

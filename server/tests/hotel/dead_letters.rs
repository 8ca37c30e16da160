//! What an operator does with what could not be applied.

use contracts::ids::TenantId;
use platform::bus::{DeadLetters, Handled};
use serde_json::json;

use crate::listener::Bus;
use crate::test_hotel::{BACKOFF, TestHotel};

async fn office(hotel: &TestHotel) -> DeadLetters {
    DeadLetters::open(hotel.app.db.clone(), hotel.app.subscriptions.clone()).await.unwrap()
}

/// A bus on which one event has used up its attempts.
async fn exhausted() -> (Bus, DeadLetters, String) {
    let bus = Bus::open().await;
    bus.ear.will_fail(1, usize::MAX);
    bus.say("a", 1).await;
    bus.publish().await;
    for attempt in 1..=BACKOFF.attempts {
        bus.hear().await;
        bus.hotel.clock.advance_seconds(i64::try_from(BACKOFF.pause(attempt).as_secs()).unwrap());
    }
    let letters = DeadLetters::open(bus.hotel.app.db.clone(), vec![bus.subscription.clone()]).await.unwrap();
    let id = bus.hotel.dead_letters().await[0].0.clone().expect("an event id");
    (bus, letters, id)
}

#[tokio::test]
async fn a_letter_is_listed_and_shown_with_everything_an_operator_needs() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let event = hotel.checked_out(&room).with("/payload/checkedOutAt", json!("noon"));
    hotel.deliver(&event).await;
    let letters = office(&hotel).await;

    let listed = letters.list(false).await.unwrap();
    assert_eq!(listed.len(), 1);
    let json = serde_json::to_value(&listed[0]).unwrap();
    for field in ["id", "eventId", "subject", "tenantId", "attempts", "code", "error", "failedAt", "state"] {
        assert!(!json[field].is_null(), "{field} is missing: {json}");
    }
    assert!(json["message"].is_null(), "a list is short");
    let by_event = letters.show(&event.id()).await.unwrap().unwrap();
    let by_own_id = letters.show(&listed[0].id).await.unwrap().unwrap();
    assert_eq!(by_event.id, by_own_id.id);
    assert!(by_event.message.unwrap().contains("noon"));
    assert!(letters.show("evt_NONE").await.unwrap().is_none());
}

#[tokio::test]
async fn letters_of_all_tenants_are_listed() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room).without("", "payload")).await;
    let other: TenantId = hotel.next();
    let sql = "INSERT INTO housekeeping.dead_letters (id, tenant_id, subject, message, code, error, failed_at)
               VALUES ('dlq_2', $1, 's', 'm', 'c', 'e', now())";
    hotel.behind.execute(sql, &[&other.as_str()]).await.unwrap();
    assert_eq!(office(&hotel).await.list(false).await.unwrap().len(), 2);
}

#[tokio::test]
async fn once_the_fault_is_mended_a_replay_applies_the_event_and_says_that_it_is_one() {
    let (bus, letters, id) = exhausted().await;
    assert!(letters.replay(&id, "op").await.unwrap_err().to_string().contains("not today"));
    assert_eq!(letters.list(false).await.unwrap().len(), 1, "it stays");

    bus.ear.is_healed();
    assert_eq!(letters.replay(&id, "Zarghuna").await.unwrap(), Some(Handled::Applied));
    assert_eq!((bus.ear.numbers(), bus.ear.replays()), (vec![1], 1));
    assert!(letters.list(false).await.unwrap().is_empty());
    let all = letters.list(true).await.unwrap();
    assert_eq!((all.len(), all[0].state.as_str()), (1, "replayed"), "it stays on record");
    let by = bus
        .hotel
        .behind
        .query_one("SELECT resolved_by, resolved_at FROM housekeeping.dead_letters", &[])
        .await
        .unwrap();
    assert_eq!(by.get::<_, &str>(0), "Zarghuna");
    assert!(by.get::<_, Option<jiff::Timestamp>>(1).is_some());
    assert_eq!(letters.replay(&id, "Zarghuna").await.unwrap(), None, "there is nothing left to replay");
}

#[tokio::test]
async fn a_replay_of_what_was_applied_meanwhile_changes_nothing() {
    let (bus, letters, id) = exhausted().await;
    bus.ear.is_healed();
    let again = "INSERT INTO bus.deliveries (subscription, log_offset, tenant_id, ordering_key, next_attempt_at)
                 SELECT 'listener', log_offset, tenant_id, ordering_key, published_at FROM bus.event_log";
    bus.hotel.behind.execute(again, &[]).await.unwrap();
    bus.hear().await;
    assert_eq!(letters.replay(&id, "op").await.unwrap(), Some(Handled::AlreadyProcessed));
    assert_eq!(bus.ear.numbers(), [1]);
    assert!(letters.list(false).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_replay_that_still_cannot_be_applied_stays_open_as_one_letter() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let letters = office(&hotel).await;
    hotel.deliver(&hotel.checked_out(&room).with("/payload/rooms", json!(7))).await;
    hotel.deliver(&hotel.checked_out(&room).with("/id", json!("no id"))).await;
    for letter in letters.list(false).await.unwrap() {
        assert_eq!(letters.replay(&letter.id, "op").await.unwrap(), Some(Handled::Buried));
    }
    let open = letters.list(false).await.unwrap();
    assert_eq!(open.len(), 2, "neither lost nor doubled: {open:?}");
}

#[tokio::test]
async fn a_replay_does_not_choose_between_two_values_under_one_name() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let letters = office(&hotel).await;
    for name in ["occurredAt", "checkedOutAt"] {
        let departure = hotel.checked_out(&room);
        let twice = departure.envelope.to_string().replacen(
            &format!("\"{name}\":"),
            &format!("\"{name}\":\"2026-01-01T00:00:00Z\",\"{name}\":"),
            1,
        );
        let answer = hotel.push_bytes(&departure.subject, twice.as_bytes()).await;
        assert_eq!(answer.status, 204, "{name}: {}", answer.text);
    }
    let open = letters.list(false).await.unwrap();
    assert_eq!(open.len(), 2, "one in the envelope, one in the payload: {open:?}");
    for letter in &open {
        assert_eq!(letters.replay(&letter.id, "op").await.unwrap(), Some(Handled::Buried), "{letter:?}");
    }
    assert!(hotel.tasks(&room).await.is_empty(), "nobody can say which was meant");
    assert_eq!(letters.list(false).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_replay_for_a_tenant_that_the_sender_may_not_speak_for_stays_open() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let (event, other): (_, TenantId) = (hotel.checked_out(&room), hotel.next());
    let sql = "INSERT INTO housekeeping.dead_letters (id, tenant_id, subject, message, code, error, failed_at)
               VALUES ('dlq_1', $1, $2, $3, 'c', 'e', now())";
    let message = event.envelope.to_string();
    hotel.behind.execute(sql, &[&other.as_str(), &event.subject, &message]).await.unwrap();
    let letters = office(&hotel).await;
    assert_eq!(letters.replay("dlq_1", "op").await.unwrap(), Some(Handled::NotTheirs));
    assert_eq!(letters.list(false).await.unwrap().len(), 1, "nothing was applied, so nothing is settled");
    assert!(hotel.tasks(&room).await.is_empty());
}

#[tokio::test]
async fn a_letter_that_is_given_up_stays_on_record_with_who_did_it() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let event = hotel.checked_out(&room).without("", "payload");
    hotel.deliver(&event).await;
    let letters = office(&hotel).await;
    assert_eq!(letters.discard(&event.id(), "Wais").await.unwrap().len(), 1);
    assert!(letters.list(false).await.unwrap().is_empty());
    assert_eq!(letters.list(true).await.unwrap()[0].state, "discarded");
    assert!(letters.discard(&event.id(), "Wais").await.unwrap().is_empty(), "only once");
    let by: String =
        hotel.behind.query_one("SELECT resolved_by FROM housekeeping.dead_letters", &[]).await.unwrap().get(0);
    assert_eq!(by, "Wais");
    let shown = letters.show(&event.id()).await.unwrap().expect("it stays readable");
    assert_eq!((shown.state.as_str(), shown.resolved_by.as_deref()), ("discarded", Some("Wais")));
    assert_eq!(shown.resolved_at, Some(hotel.now()));
    let sql = "SELECT payload->>'by' FROM housekeeping.audit_events WHERE subject = 'internal.dead_letter.settled'";
    assert_eq!(hotel.behind.query_one(sql, &[]).await.unwrap().get::<_, &str>(0), "Wais");

    hotel.deliver(&event).await;
    assert_eq!(letters.list(false).await.unwrap().len(), 1, "the same message again is a new letter");
}

#[tokio::test]
async fn an_event_that_is_given_up_is_given_up_wherever_it_could_not_be_applied() {
    let hotel = TestHotel::open().await;
    for (schema, id) in [("housekeeping", "dlq_1"), ("staff", "dlq_2"), ("reservation", "dlq_3")] {
        let sql = format!(
            "INSERT INTO {schema}.dead_letters (id, tenant_id, event_id, subject, message, code, error, failed_at)
             VALUES ($1, $2, 'evt_X', 's', 'm', 'c', 'e', now())"
        );
        hotel.behind.execute(&sql, &[&id, &hotel.tenant.as_str()]).await.unwrap();
    }
    let letters = office(&hotel).await;
    let given_up: Vec<String> =
        letters.discard("evt_X", "Wais").await.unwrap().into_iter().map(|letter| letter.id).collect();
    assert_eq!(given_up.len(), 3, "{given_up:?}");
    assert!(letters.list(false).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_event_with_a_name_that_is_no_id_is_found_under_that_name() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    for name in ["checkout #7 of today", "7f3c\u{301}"] {
        let event = hotel.checked_out(&room).with("/id", json!(name));
        hotel.push(&event).await;
        let letters = office(&hotel).await;
        let shown = letters.show(name).await.unwrap().expect("a letter under its name");
        assert_eq!(shown.event_id.as_deref(), Some(name));
        assert_eq!(letters.replay(name, "Wais").await.unwrap(), Some(Handled::Buried));
        assert_eq!(letters.open_under(name).await.unwrap().len(), 1, "it stays the one letter");
        assert_eq!(letters.discard(name, "Wais").await.unwrap().len(), 1);
    }
    // What nobody could type is kept without a name.
    let long = hotel.checked_out(&room).with("/id", json!("x".repeat(201)));
    let odd = hotel.checked_out(&room).with("/id", json!("a\u{7}b"));
    for event in [long, odd] {
        hotel.push(&event).await;
    }
    let letters = office(&hotel).await.list(false).await.unwrap();
    assert_eq!(letters.iter().map(|letter| letter.event_id.clone()).collect::<Vec<_>>(), [None, None]);
}

#[tokio::test]
async fn however_many_are_open_all_of_them_are_had_delivered_again_and_counted() {
    let hotel = TestHotel::open().await;
    let sql = "INSERT INTO housekeeping.dead_letters (id, tenant_id, subject, message, code, error, failed_at)
               SELECT 'dlq_' || n, $1, 's', 'm', 'c', 'e', now() FROM generate_series(1, 10001) AS n";
    hotel.behind.execute(sql, &[&hotel.tenant.as_str()]).await.unwrap();
    let letters = office(&hotel).await;
    assert_eq!(letters.every_open().await.unwrap().len(), 10_001, "a list has an end, and `replay all` has none");
    assert_eq!(letters.count_open().await.unwrap(), 10_001);
}

//! What happens by itself with time, and what happens when too much happens at once.

use contracts::housekeeping::TaskKind;
use contracts::ids::TenantId;
use housekeeping::SCHEMA;
use housekeeping::application::ticks;
use housekeeping::infrastructure::settings;
use platform::auth::Role;

use crate::test_hotel::TestHotel;

#[tokio::test]
async fn months_ahead_are_made_before_they_are_needed() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    assert_eq!(ticks::keep_up(hotel.app.db.clone()).await.unwrap(), None, "they are there already");
    for _ in 0..14 {
        hotel.clock.advance_seconds(31 * 24 * 3_600);
        ticks::keep_up(hotel.app.db.clone()).await.unwrap();
        hotel.task_for(&room, TaskKind::DeepClean).await;
    }
    let leaks = platform::database::leaks(&hotel.behind, &server::contexts::schemas()).await.unwrap();
    assert!(leaks.is_empty(), "{leaks:?}");
    assert_eq!(hotel.tasks(&room).await.len(), 14);
}

#[tokio::test]
async fn a_task_of_the_last_moment_of_a_month_is_found_again() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    // 2026-04-30T23:59:59Z, and two seconds later
    hotel.clock.advance_seconds(8 * 24 * 3_600 + 17 * 3_600 + 29 * 60 + 59);
    let before = hotel.task_for(&room, TaskKind::DeepClean).await;
    hotel.clock.advance_seconds(2);
    let after = hotel.task_for(&room, TaskKind::DeepClean).await;
    assert_eq!(hotel.task(&before).await["createdAt"], "2026-04-30T23:59:59.000Z");
    assert_eq!(hotel.task(&after).await["createdAt"], "2026-05-01T00:00:01.000Z");
    assert_eq!(hotel.tasks(&room).await.len(), 2);
}

#[tokio::test]
async fn rows_whose_time_is_over_are_removed_and_no_others() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    hotel.drain().await;
    let age = "UPDATE housekeeping.outbox SET published_at = now() - interval '6 days';
               UPDATE housekeeping.outbox SET published_at = now() - interval '8 days' WHERE id = (SELECT min(id) FROM housekeeping.outbox);
               UPDATE housekeeping.outbox SET published_at = NULL, created_at = now() - interval '1 year'
               WHERE id = (SELECT max(id) FROM housekeeping.outbox);
               UPDATE housekeeping.inbox SET received_at = now() - interval '89 days';
               UPDATE housekeeping.inbox SET received_at = now() - interval '91 days'
               WHERE message_id = (SELECT min(message_id) FROM housekeeping.inbox);
               UPDATE bus.event_log SET published_at = now()";
    hotel.behind.batch_execute(age).await.unwrap();
    let outbox = hotel.count("housekeeping.outbox").await;
    assert_eq!(ticks::keep_up(hotel.app.db.clone()).await.unwrap().as_deref(), Some("2 rows removed"));
    assert_eq!(hotel.count("housekeeping.outbox").await, outbox - 1, "what was never published stays, however old");
    assert_eq!(hotel.count("housekeeping.inbox").await, 1);
}

#[tokio::test]
async fn when_no_connection_is_free_callers_are_told_to_come_again_and_it_heals_by_itself() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let path = format!("/housekeeping/v1/rooms/{}", room.id);
    let mut busy = Vec::new();
    for _ in 0..8 {
        let mut uow = hotel.app.db.begin_for(&SCHEMA, &hotel.tenant).await.unwrap();
        settings::load(&mut uow).await.unwrap();
        busy.push(uow);
    }
    let refused = hotel.get(&hotel.supervisor(), &path).await;
    refused.refused(503, "MELMASTOON.PLATFORM.BUSY");
    assert_eq!(refused.header("retry-after"), Some("5"));
    drop(busy);
    let other: TenantId = hotel.next();
    assert_eq!(
        hotel.get(&hotel.token_of_tenant(Role::Supervisor, &other), &path).await.status,
        404,
        "no tenant is carried over"
    );
    assert_eq!(hotel.get(&hotel.supervisor(), &path).await.status, 200);
}

//! What happens by itself with time, and what happens when too much happens at once.

use contracts::catalogue::Context;
use contracts::housekeeping::TaskKind;
use contracts::ids::TenantId;
use housekeeping::SCHEMA;
use housekeeping::application::ticks;
use housekeeping::infrastructure::{maintenance, settings};
use platform::auth::Role;
use platform::database::DbRole;
use platform::retention::{KeptForATime, Pace, purge_at, purge_log, purge_log_at};

use crate::listener::open_elsewhere;
use crate::test_hotel::TestHotel;

const DAY: i64 = 24 * 60 * 60;

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
               WHERE message_id = (SELECT min(message_id) FROM housekeeping.inbox)";
    hotel.behind.batch_execute(&age.replace("now()", &this_moment(&hotel))).await.unwrap();
    let outbox = hotel.count("housekeeping.outbox").await;
    assert_eq!(ticks::keep_up(hotel.app.db.clone()).await.unwrap().as_deref(), Some("2 rows removed"));
    assert_eq!(hotel.count("housekeeping.outbox").await, outbox - 1, "what was never published stays, however old");
    assert_eq!(hotel.count("housekeeping.inbox").await, 1);
}

/// The hotel's own moment, for SQL: the server's clock has nothing to say here.
fn this_moment(hotel: &TestHotel) -> String {
    format!("TIMESTAMPTZ '{}'", hotel.now())
}

#[tokio::test]
async fn what_is_old_is_old_by_the_hotels_clock_and_without_a_moment_nothing_is() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    hotel.drain().await;
    // For the hotel all of this is of this morning, whatever the server's clock says.
    let operator = hotel.app.db.connect_as(DbRole::Operator).await.unwrap();
    for table in ["housekeeping.outbox", "housekeeping.inbox", "bus.event_log"] {
        let removed = operator.execute(&format!("DELETE FROM {table}"), &[]).await.unwrap();
        assert_eq!(removed, 0, "{table}: nobody said when");
    }
    let purge = async || maintenance::purge(&hotel.app.db).await.unwrap() + purge_log(&hotel.app.db).await.unwrap();
    assert_eq!(purge().await, 0);
    hotel.clock.advance_seconds(8 * DAY);
    assert_eq!(purge().await, 2, "what went out of the outbox a week ago");
    hotel.clock.advance_seconds(83 * DAY);
    assert_eq!(purge().await, 3, "what the inbox knew, and what was in the log");
}

#[tokio::test]
async fn dead_letters_are_kept_as_long_as_the_catalogue_says_and_lost_ones_are_counted() {
    let hotel = TestHotel::open().await;
    open_elsewhere(&hotel.behind).await;
    let days = i64::from(Context::Housekeeping.delivery().dead_letter_days);
    // Name, failed so many days ago, resolved so many days ago.
    for schema in ["housekeeping", "elsewhere"] {
        for (name, failed, resolved) in [
            ("open", days - 1, None),
            ("open_too_long", days + 1, None),
            ("resolved_lately", days + 9, Some(days - 1)),
            ("resolved_long_ago", days + 9, Some(days + 1)),
        ] {
            let at = |days: i64| hotel.now().plus_seconds(-days * DAY).jiff();
            let sql = format!(
                "INSERT INTO {schema}.dead_letters (id, tenant_id, subject, message, code, error, state, failed_at, resolved_at)
                 VALUES ($1, $2, 's', 'm', 'c', 'e', $3, $4, $5)"
            );
            let state = if resolved.is_some() { "discarded" } else { "open" };
            hotel
                .behind
                .execute(&sql, &[&name, &hotel.tenant.as_str(), &state, &at(failed), &resolved.map(at)])
                .await
                .unwrap();
        }
    }
    let left = async |schema: &str| -> Vec<String> {
        let sql = format!("SELECT id FROM {schema}.dead_letters ORDER BY id");
        hotel.behind.query(&sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect()
    };
    let operator = hotel.app.db.connect_as(DbRole::Operator).await.unwrap();
    assert_eq!(operator.execute("DELETE FROM housekeeping.dead_letters", &[]).await.unwrap(), 0, "nobody said when");
    assert_eq!(ticks::keep_up(hotel.app.db.clone()).await.unwrap().as_deref(), Some("2 rows removed"));
    assert_eq!(left("housekeeping").await, ["open", "resolved_lately"]);
    let metrics = hotel.app.metrics.render();
    let mut lost = metrics.lines().filter(|line| line.starts_with("melmastoon_dead_letters_lost_total"));
    assert!(lost.any(|line| line.contains("housekeeping") && line.ends_with(" 1")), "{metrics}");

    let kept = KeptForATime { schema: "elsewhere", dead_letter_days: 30, also: &[] };
    assert_eq!(platform::retention::purge(&hotel.app.db, kept).await.unwrap(), 2, "any context's");
    assert_eq!(left("elsewhere").await, ["open", "resolved_lately"]);
    // Shorter by mistake: the database's own rule stands.
    let hasty = KeptForATime { dead_letter_days: 0, ..kept };
    assert_eq!(platform::retention::purge(&hotel.app.db, hasty).await.unwrap(), 0);
}

#[tokio::test]
async fn however_much_is_due_no_statement_removes_more_than_a_batch_of_it() {
    let hotel = TestHotel::open().await;
    // The database itself refuses a statement that takes too much at once, in every kind of table that is emptied by the hour.
    let few = "CREATE FUNCTION public.only_a_few() RETURNS TRIGGER LANGUAGE plpgsql AS $$
               BEGIN
                 IF (SELECT count(*) FROM gone) > 5000 THEN RAISE EXCEPTION 'too much at once'; END IF;
                 RETURN NULL;
               END $$;
               GRANT EXECUTE ON FUNCTION public.only_a_few() TO PUBLIC;";
    hotel.behind.batch_execute(few).await.unwrap();
    for (what, table) in [
        ("DELETE", "housekeeping.inbox"),
        ("DELETE", "housekeeping.dead_letters"),
        ("DELETE", "bus.event_log"),
        ("UPDATE", "housekeeping.lost_and_found"),
    ] {
        let watch = format!(
            "CREATE TRIGGER only_a_few AFTER {what} ON {table} REFERENCING OLD TABLE AS gone
             FOR EACH STATEMENT EXECUTE FUNCTION public.only_a_few()"
        );
        hotel.behind.batch_execute(&watch).await.unwrap();
    }
    let (now, tenant) = (this_moment(&hotel), hotel.tenant.as_str());
    let fill = format!(
        "INSERT INTO housekeeping.inbox (topic, message_id, tenant_id, received_at)
           SELECT 't', n::TEXT, '{tenant}', {now} - interval '91 days' FROM generate_series(1, 12001) n;
         INSERT INTO housekeeping.inbox (topic, message_id, tenant_id, received_at) VALUES ('t', 'young', '{tenant}', {now});
         INSERT INTO housekeeping.dead_letters (id, tenant_id, subject, message, code, error, state, failed_at)
           SELECT n::TEXT, '{tenant}', 's', 'm', 'c', 'e', 'open', {now} - interval '31 days' FROM generate_series(1, 5001) n;
         INSERT INTO housekeeping.lost_and_found
             (id, tenant_id, property_id, room_id, description, finder_staff_id, status, matched_at, claimant_name)
           SELECT 'laf_' || n, '{tenant}', 'prp_1', 'rom_1', 'a hat', 'stf_1', 'returned', {now} - interval '14 months', 'Laila'
           FROM generate_series(1, 5001) n;
         -- Every other one is a booking's, which stays, and some are of the same moment.
         INSERT INTO bus.event_log (event_id, tenant_id, subject, ordering_key, envelope, published_at)
           SELECT n::TEXT, '{tenant}', CASE n % 2 WHEN 0 THEN 'melmastoon.reservation.confirmed.v1' ELSE 's' END, 'k', '{{}}',
                  {now} - interval '91 days' - make_interval(secs => n / 7)
           FROM generate_series(1, 20010) n;"
    );
    hotel.behind.batch_execute(&fill).await.unwrap();

    assert_eq!(ticks::keep_up(hotel.app.db.clone()).await.unwrap().as_deref(), Some("17002 rows removed"));
    assert_eq!(hotel.count("housekeeping.inbox").await, 1);
    assert_eq!(hotel.count("housekeeping.dead_letters").await, 0);
    assert_eq!(
        hotel.count("housekeeping.lost_and_found WHERE claimant_name <> ''").await,
        0,
        "forgotten, batch by batch"
    );
    assert_eq!(purge_log(&hotel.app.db).await.unwrap(), 10_005);
    assert_eq!(hotel.count("bus.event_log").await, 10_005, "what the law wants is the archive's");
    let told = "SELECT what, removed, removed_ever FROM bus.retention_runs WHERE removed > 0 ORDER BY what";
    let told: Vec<(String, i64, i64)> =
        hotel.behind.query(told, &[]).await.unwrap().iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect();
    let run = |what: &str, removed: i64| (what.to_owned(), removed, removed);
    assert_eq!(
        told,
        [
            run("bus.event_log", 10_005),
            run("claimants in housekeeping.lost_and_found", 5_001),
            run("housekeeping.dead_letters", 5_001),
            run("housekeeping.inbox", 12_001)
        ],
        "a run is told as a whole"
    );
}

#[tokio::test]
async fn what_a_run_has_no_time_for_is_the_next_ones_and_holds_up_no_other_table() {
    let hotel = TestHotel::open().await;
    let (now, tenant) = (this_moment(&hotel), hotel.tenant.as_str());
    let fill = format!(
        "INSERT INTO housekeeping.inbox (topic, message_id, tenant_id, received_at)
           SELECT 't', n::TEXT, '{tenant}', {now} - interval '91 days' FROM generate_series(1, 25) n;
         INSERT INTO housekeeping.dead_letters (id, tenant_id, subject, message, code, error, state, failed_at)
           SELECT n::TEXT, '{tenant}', 's', 'm', 'c', 'e', 'open', {now} - interval '31 days' FROM generate_series(1, 12) n;
         INSERT INTO bus.event_log (event_id, tenant_id, subject, ordering_key, envelope, published_at)
           SELECT n::TEXT, '{tenant}', 's', 'k', '{{}}', {now} - interval '91 days' FROM generate_series(1, 15) n;"
    );
    hotel.behind.batch_execute(&fill).await.unwrap();
    let hurried = Pace { rows: 10, time: std::time::Duration::ZERO };
    let kept = KeptForATime { schema: "housekeeping", dead_letter_days: 30, also: &[] };
    let run = async || {
        let rows = purge_at(&hotel.app.db, kept, hurried).await.unwrap();
        (rows, purge_log_at(&hotel.app.db, hurried).await.unwrap())
    };
    assert_eq!(run().await, (20, 10), "ten of the inbox, and the dead letters have their turn");
    assert_eq!(run().await, (12, 5));
    assert_eq!(run().await, (5, 0));
    assert_eq!(run().await, (0, 0));
    let ever = "SELECT removed, removed_ever FROM bus.retention_runs WHERE what = 'housekeeping.inbox'";
    let row = hotel.behind.query_one(ever, &[]).await.unwrap();
    assert_eq!((row.get::<_, i64>(0), row.get::<_, i64>(1)), (0, 25));
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

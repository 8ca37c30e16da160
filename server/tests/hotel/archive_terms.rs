//! What leaves when: found things by the tenant's own term, events by their class, nothing by the server's clock; and what each job
//! says of itself.

use std::collections::BTreeSet;
use std::process::Command;

use archive::{ArchiveError, Done};
use contracts::RetentionClass;
use housekeeping::application::ticks;
use platform::retention::{purge_log, states};
use platform::ticks::Ran;
use serde_json::{Value, json};

use crate::archive::{Shelf, a_month_of_work, rows_of, years_later};
use crate::test_hotel::{TestHotel, text};

const DAY: i64 = 24 * 60 * 60;

#[tokio::test]
async fn a_month_in_many_slices_is_the_same_month() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("slices"));
    a_month_of_work(&hotel).await;
    let before = rows_of(&hotel).await;
    years_later(&hotel);
    let archivist = shelf.archivist(&hotel).in_slices_of(Some(2));
    let done = archivist.run().await.unwrap();
    assert_eq!((done.rows, done.removed, done.waiting), (before.len() as u64, before.len() as u64, 0), "{done:?}");
    archivist.restore(hotel.tenant.as_str(), "2026-04".parse().unwrap()).await.unwrap();
    assert_eq!(rows_of(&hotel).await, before);
}

#[tokio::test]
async fn one_archivist_at_a_time() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("alone"));
    a_month_of_work(&hotel).await;
    let before = rows_of(&hotel).await;
    years_later(&hotel);
    let lock = "SELECT pg_advisory_lock(hashtextextended('melmastoon.archive', 0))";
    hotel.behind.execute(lock, &[]).await.unwrap();
    let refused = shelf.archivist(&hotel).run().await;
    assert!(matches!(refused, Err(ArchiveError::Busy)), "{refused:?}");
    let app = hotel.process(|parts| parts.archive = Some(shelf.place()));
    let tick = app.ticker.find(server::contexts::ARCHIVE).unwrap();
    let ran = app.ticker.run_now(tick).await.unwrap();
    assert_eq!(ran, Ran::Done(Some("somebody else is at it".to_owned())), "and is no failure");
    assert_eq!(rows_of(&hotel).await, before);
    hotel.behind.execute("SELECT pg_advisory_unlock_all()", &[]).await.unwrap();
    assert!(shelf.archivist(&hotel).run().await.unwrap().removed > 0);
}

#[tokio::test]
async fn found_things_leave_by_the_tenants_own_term_without_who_claimed_them_and_come_back() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("found"));
    let room = hotel.ready_room("101").await;
    let (ring, watch) = (hotel.found(&room, "a ring").await, hotel.found(&room, "a watch").await);
    for item in [&ring, &watch] {
        let claim = json!({ "claimantName": "Laila Karimi", "claimantPhone": "+93700000001" });
        hotel.lost_item(item, "match", claim).await.done();
    }
    hotel.lost_item(&ring, "return", json!({})).await.done();
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "lostFoundRecordMonths": 2 })).await.done();
    let archivist = shelf.archivist(&hotel);
    // 22 April: two months after the end of April is 1 July.
    hotel.clock.advance_seconds(69 * DAY);
    assert_eq!(archivist.run().await.unwrap(), Done::default(), "30 June");
    hotel.clock.advance_seconds(DAY);
    assert_eq!(archivist.run().await.unwrap().removed, 1, "1 July; the watch waits for whoever claimed it");
    assert_eq!(hotel.count("housekeeping.lost_and_found").await, 1);
    archivist.restore(hotel.tenant.as_str(), "2026-04".parse().unwrap()).await.unwrap();
    let shown = hotel.get(&hotel.front_desk(), &format!("/housekeeping/v1/lost-and-found/{ring}")).await.done();
    assert_eq!((&shown["description"], &shown["claimantName"]), (&json!("a ring"), &json!("")));
    hotel
        .put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "lostFoundRecordMonths": 0 }))
        .await
        .refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE");
}

#[tokio::test]
async fn the_log_keeps_each_event_as_long_as_its_class_wants() {
    let hotel = TestHotel::open().await;
    for entry in contracts::catalogue::all() {
        let sql = "SELECT bus.is_regulated($1), extract(epoch FROM bus.log_term($1))::BIGINT / 86400";
        let row = hotel.behind.query_one(sql, &[&entry.subject]).await.unwrap();
        let (regulated, days): (bool, i64) = (row.get(0), row.get(1));
        assert_eq!(regulated, entry.retention.class == RetentionClass::Regulated, "{}", entry.subject);
        if !regulated {
            assert_eq!(days, i64::from(entry.retention.days.max(90)), "{}", entry.subject);
        }
    }
}

/// Subjects in the log, each once.
async fn subjects(hotel: &TestHotel) -> BTreeSet<String> {
    let sql = "SELECT DISTINCT subject FROM bus.event_log";
    hotel.behind.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn what_the_law_wants_is_never_dropped_without_an_archive_and_comes_back_from_it() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("law"));
    let (double, _) = hotel.sold_rooms(1).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    let wish = json!({ "tags": ["late_arrival"], "freeText": "we come at night", "source": "guest" });
    hotel.stay(&stay, "special-requests", wish).await.done();
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    hotel.drain().await;
    let has = async |subject: &str| subjects(&hotel).await.iter().any(|one| one.contains(subject));
    hotel.clock.advance_seconds(91 * DAY);
    purge_log(&hotel.app.db).await.unwrap();
    assert!(!has("housekeeping").await, "operational, ninety days");
    assert!(has("special_request").await && has("confirmed").await);
    hotel.clock.advance_seconds(275 * DAY);
    purge_log(&hotel.app.db).await.unwrap();
    assert!(!has("special_request").await, "operational, a year");
    years_later(&hotel);
    purge_log(&hotel.app.db).await.unwrap();
    let by_law = ["melmastoon.reservation.confirmed.v1", "melmastoon.reservation.held.v1"].map(str::to_owned);
    assert_eq!(subjects(&hotel).await, BTreeSet::from(by_law), "without an archive they stay for good");
    let log = "SELECT to_jsonb(l) FROM bus.event_log l ORDER BY log_offset";
    let rows = async || {
        let rows = hotel.behind.query(log, &[]).await.unwrap();
        rows.iter().map(|row| row.get::<_, Value>(0)).collect::<Vec<_>>()
    };
    let before = rows().await;
    shelf.archivist(&hotel).run().await.unwrap();
    assert_eq!(rows().await, Vec::<Value>::new());
    let months: BTreeSet<String> =
        shelf.archivist(&hotel).list(None, None).await.unwrap().iter().map(|line| line.month.to_string()).collect();
    for month in months {
        shelf.archivist(&hotel).restore(hotel.tenant.as_str(), month.parse().unwrap()).await.unwrap();
    }
    assert_eq!(rows().await, before, "offsets too");
}

#[tokio::test]
async fn every_job_says_when_it_ran_what_it_removed_and_what_waits_by_the_hotels_clock() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("told"));
    a_month_of_work(&hotel).await;
    hotel.drain().await;
    years_later(&hotel);
    let tables = server::contexts::archived();
    let found = states(&hotel.app.db, &tables).await.unwrap();
    assert!(found.iter().all(|state| state.ran_at.is_none()), "nothing ran yet: {found:?}");
    let tasks = found.iter().find(|state| state.what == "archive housekeeping.housekeeping_tasks").unwrap();
    assert_eq!(tasks.waiting, 3, "and without an archive one knows what waits for it");
    let removed = hotel.count("housekeeping.outbox").await;
    ticks::keep_up(hotel.app.db.clone()).await.unwrap();
    purge_log(&hotel.app.db).await.unwrap();
    let found = states(&hotel.app.db, &tables).await.unwrap();
    for what in ["outbox", "inbox", "idempotency_keys", "dead_letters"] {
        let state = found.iter().find(|state| state.what == format!("housekeeping.{what}")).expect(what);
        assert_eq!((state.ran_at, state.waiting), (Some(hotel.now()), 0), "{what}");
    }
    let outbox = found.iter().find(|state| state.what == "housekeeping.outbox").unwrap();
    assert_eq!((outbox.removed, outbox.removed_ever), (removed, removed));
    assert!(found.iter().any(|state| state.what == "bus.event_log" && state.removed > 0));
    assert!(found.iter().any(|state| state.what == "bus.webhook_deliveries"));

    let room = hotel.ready_room("109").await;
    hotel.task_for(&room, contracts::housekeeping::TaskKind::DeepClean).await;
    shelf.archivist(&hotel).run().await.unwrap();
    let found = states(&hotel.app.db, &tables).await.unwrap();
    let tasks = found.iter().find(|state| state.what == "archive housekeeping.housekeeping_tasks").unwrap();
    assert_eq!((tasks.removed, tasks.waiting), (3, 0), "this year's task is not old");
    years_later(&hotel);
    let found = states(&hotel.app.db, &tables).await.unwrap();
    let tasks = found.iter().find(|state| state.what == "archive housekeeping.housekeeping_tasks").unwrap();
    assert_eq!(tasks.waiting, 1, "it is old now and waits for the next run");
    let metrics = hotel.app.metrics.render();
    for metric in ["melmastoon_retention_removed_total", "melmastoon_retention_last_run_seconds"] {
        assert!(metrics.contains(metric), "{metric}");
    }
}

#[tokio::test]
async fn no_file_has_what_the_catalogue_calls_personal() {
    for table in server::contexts::archived().iter().filter(|table| table.table == "audit_events") {
        let (_, instead) = table.without.iter().find(|(column, _)| *column == "payload").expect("a payload");
        for entry in contracts::catalogue::all().filter(|entry| entry.context() == table.context) {
            for field in entry.pii {
                assert!(instead.contains(&format!("'{field}'")), "{}: {field} goes into files", entry.subject);
            }
        }
    }
    // What people type when they cancel or change a booking is nobody's business years later.
    let log = platform::retention::ARCHIVED_EVENTS;
    assert!(log.without.iter().any(|(column, instead)| *column == "envelope" && instead.contains("{payload,reason}")));
    for entry in contracts::catalogue::all().filter(|entry| entry.retention.class == RetentionClass::Regulated) {
        assert!(entry.pii.is_empty(), "{} leaves for the archive whole", entry.subject);
    }
    // And so it is: who claimed the ring is in no file.
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("personal"));
    let room = hotel.ready_room("101").await;
    let ring = hotel.found(&room, "a ring").await;
    let claim = json!({ "claimantName": "Laila Karimi", "claimantPhone": "+93700000001" });
    hotel.lost_item(&ring, "match", claim).await.done();
    hotel.lost_item(&ring, "return", json!({})).await.done();
    years_later(&hotel);
    let archivist = shelf.archivist(&hotel);
    assert!(archivist.run().await.unwrap().files >= 2);
    let named =
        archivist.mentions(hotel.tenant.as_str(), &["Laila".to_owned(), "+93700000001".to_owned()]).await.unwrap();
    assert_eq!(named, []);
    let files = archivist.mentions(hotel.tenant.as_str(), &[ring]).await.unwrap();
    let tables: BTreeSet<&str> = files.iter().map(|file| file.table.as_str()).collect();
    assert_eq!(tables, BTreeSet::from(["audit_events", "lost_and_found"]), "{files:?}");
}

/// `DuckDB`, where `scripts/duckdb.sh` could install it.
fn duckdb() -> Option<std::path::PathBuf> {
    let python = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tools/duckdb/bin/python");
    if !python.exists() {
        eprintln!(
            "NOT CHECKED: whether DuckDB reads the archive, since {} is not there: scripts/duckdb.sh",
            python.display()
        );
        return None;
    }
    Some(python)
}

#[tokio::test]
async fn another_program_reads_the_files() {
    let Some(python) = duckdb() else { return };
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("duckdb"));
    a_month_of_work(&hotel).await;
    let sheets = hotel.linen("sheets", 100, 0).await;
    hotel.move_linen(&sheets, "issue", 30).await.done();
    let one = async |sql: &str| hotel.behind.query_one(sql, &[]).await.unwrap().get::<_, Value>(0);
    let expected = json!({
        "tenant": hotel.tenant, "month": "2026-04",
        "tasks": one("SELECT jsonb_build_object('count', count(*), 'minutes', sum(estimated_minutes), 'kinds', jsonb_agg(DISTINCT kind),
          'first', to_char(min(created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), 'helpers', sum(cardinality(helper_staff_ids)))
          FROM housekeeping.housekeeping_tasks").await,
        "linen": one("SELECT jsonb_build_object('count', count(*), 'sum', sum(count)) FROM housekeeping.linen_movements").await,
        "audit": one("SELECT jsonb_build_object('count', count(*), 'subjects', count(DISTINCT subject),
          'tasks', count(*) FILTER (WHERE payload ? 'taskId')) FROM housekeeping.audit_events").await,
    });
    years_later(&hotel);
    shelf.archivist(&hotel).run().await.unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/duckdb_reads.py");
    let read = Command::new(python).arg(script).arg(shelf.folder()).arg(expected.to_string()).output().unwrap();
    assert!(
        read.status.success(),
        "{}{}",
        text(&json!(String::from_utf8_lossy(&read.stdout))),
        String::from_utf8_lossy(&read.stderr)
    );
}

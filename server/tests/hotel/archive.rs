//! Old months leave for the archive, are proven, and come back; whatever happens on the way, no row is lost and none is there
//! twice.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use archive::{ArchiveError, Archivist, Done, Month, State, Step, Store};
use contracts::housekeeping::TaskKind;
use platform::retention::Kept;
use serde_json::json;

use crate::test_hotel::TestHotel;

const DAY: i64 = 24 * 60 * 60;

/// A folder for the archive of one test; it goes with the test.
pub(crate) struct Shelf(PathBuf);

impl Shelf {
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("melmastoon-archive-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self(folder)
    }

    pub(crate) fn url(&self) -> String {
        format!("file://{}", self.0.join("store").display())
    }

    pub(crate) fn archivist(&self, hotel: &TestHotel) -> Archivist {
        let store = Store::open(&self.url()).expect("a store");
        Archivist::new(hotel.app.db.clone(), store, server::contexts::archived(), self.0.join("spool"))
    }
}

impl Shelf {
    /// As the server is configured with it.
    pub(crate) fn place(&self) -> server::archiving::Place {
        server::archiving::Place { url: self.url(), rows_a_second: None, spool: self.0.join("spool") }
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.0.join("store")
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A month of work: three rooms cleaned, and everything that this writes.
pub(crate) async fn a_month_of_work(hotel: &TestHotel) {
    let parwin = hotel.person_on_shift().await;
    for number in ["101", "102", "103"] {
        let room = hotel.ready_room(number).await;
        hotel.deliver(&hotel.checked_out(&room)).await;
        let task = hotel.open_task(&room).await;
        hotel.clean(&task, TaskKind::Turnover, &parwin).await;
    }
}

/// Every row of every table that is archived, as PostgreSQL writes it, in its own order.
pub(crate) async fn rows_of(hotel: &TestHotel) -> Vec<String> {
    let mut all = Vec::new();
    for table in server::contexts::archived() {
        let sql = format!("SELECT '{1}: ' || t::TEXT FROM {0}.{1} t ORDER BY t::TEXT", table.context, table.table);
        all.extend(hotel.behind.query(&sql, &[]).await.unwrap().iter().map(|row| row.get::<_, String>(0)));
    }
    all
}

pub(crate) fn years_later(hotel: &TestHotel) {
    hotel.clock.advance_seconds(3 * 365 * DAY);
}

async fn archived_rows(archivist: &Archivist) -> i64 {
    archivist.list(None, None).await.unwrap().iter().map(|line| line.rows).sum()
}

#[tokio::test]
async fn old_months_leave_the_database_and_come_back_as_they_were() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("round"));
    a_month_of_work(&hotel).await;
    let before = rows_of(&hotel).await;
    let archivist = shelf.archivist(&hotel);
    assert_eq!(archivist.run().await.unwrap(), Done::default(), "nothing is old yet");

    years_later(&hotel);
    let done = archivist.run().await.unwrap();
    assert_eq!((done.rows, done.removed, done.waiting), (before.len() as u64, before.len() as u64, 0), "{done:?}");
    assert_eq!(rows_of(&hotel).await, Vec::<String>::new());
    let partition = "SELECT count(*) FROM pg_class WHERE relname = 'housekeeping_tasks_2026_04'";
    assert_eq!(hotel.behind.query_one(partition, &[]).await.unwrap().get::<_, i64>(0), 0, "its partition is gone");
    assert_eq!(archivist.run().await.unwrap(), Done::default(), "and once is enough");
    let lines = archivist.list(Some(hotel.tenant.as_str()), None).await.unwrap();
    assert!(lines.iter().all(|line| line.state == State::Removed && line.month.to_string() == "2026-04"), "{lines:?}");
    let names = Store::open(&shelf.url()).unwrap().names().await.unwrap();
    assert_eq!(names.len(), lines.len() * 2, "each file has its manifest, and nothing else is there: {names:?}");

    let month: Month = "2026-04".parse().unwrap();
    let restored = archivist.restore(hotel.tenant.as_str(), month).await.unwrap();
    assert_eq!(restored.rows, i64::try_from(before.len()).unwrap());
    assert_eq!(rows_of(&hotel).await, before, "every value of every row");
    let leaks = platform::database::leaks(&hotel.behind, &server::contexts::schemas()).await.unwrap();
    assert!(leaks.is_empty(), "{leaks:?}");
    assert_eq!(archivist.run().await.unwrap(), Done::default(), "what was brought back stays for a while");
    hotel.clock.advance_seconds(31 * DAY);
    let again = archivist.run().await.unwrap();
    assert_eq!((again.files, again.removed), (0, before.len() as u64), "then it goes, and needs no new file");
}

#[tokio::test]
async fn a_run_that_is_killed_at_any_step_loses_nothing_and_doubles_nothing() {
    for step in Step::ALL {
        let (hotel, shelf) = (TestHotel::open().await, Shelf::new(&format!("{step:?}")));
        a_month_of_work(&hotel).await;
        let before = rows_of(&hotel).await;
        years_later(&hotel);
        // Killed at this step again and again: each run comes a little further, or at least loses nothing.
        for _ in 0..3 {
            let killed = shelf.archivist(&hotel).stopping_after(Some(step)).run().await;
            assert!(matches!(killed, Err(ArchiveError::Stopped(at)) if at == step), "{step:?}: {killed:?}");
            let archivist = shelf.archivist(&hotel);
            let gone: i64 = archivist
                .list(None, None)
                .await
                .unwrap()
                .iter()
                .filter(|line| line.state == State::Removed)
                .map(|line| line.rows)
                .sum();
            let here = i64::try_from(rows_of(&hotel).await.len()).unwrap();
            assert_eq!(here + gone, i64::try_from(before.len()).unwrap(), "{step:?}: each row is here or there");
        }
        let archivist = shelf.archivist(&hotel);
        archivist.run().await.unwrap();
        assert_eq!(rows_of(&hotel).await, Vec::<String>::new(), "{step:?}");
        assert_eq!(archived_rows(&archivist).await, i64::try_from(before.len()).unwrap(), "{step:?}");
        let found = archivist.verify(None, None).await.unwrap();
        assert_eq!(found.damaged, Vec::<String>::new());
        archivist.restore(hotel.tenant.as_str(), "2026-04".parse().unwrap()).await.unwrap();
        assert_eq!(rows_of(&hotel).await, before, "{step:?}");
    }
}

#[tokio::test]
async fn what_was_changed_after_it_was_copied_is_not_removed_but_copied_again() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("changed"));
    a_month_of_work(&hotel).await;
    years_later(&hotel);
    let killed = shelf.archivist(&hotel).stopping_after(Some(Step::Proven)).run().await;
    assert!(matches!(killed, Err(ArchiveError::Stopped(_))), "{killed:?}");
    hotel
        .behind
        .batch_execute("UPDATE housekeeping.housekeeping_tasks SET note = 'found under the bed'")
        .await
        .unwrap();
    let before = rows_of(&hotel).await;
    let archivist = shelf.archivist(&hotel);
    let first = archivist.run().await.unwrap();
    assert_eq!(first.waiting, 1, "{first:?}");
    assert_eq!(hotel.count("housekeeping.housekeeping_tasks").await, 3, "the tasks are still there");
    archivist.run().await.unwrap();
    assert_eq!(hotel.count("housekeeping.housekeeping_tasks").await, 0);
    archivist.restore(hotel.tenant.as_str(), "2026-04".parse().unwrap()).await.unwrap();
    assert_eq!(rows_of(&hotel).await, before, "the note as well");
}

#[tokio::test]
async fn a_month_with_open_work_waits_and_says_so() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("open"));
    a_month_of_work(&hotel).await;
    let room = hotel.ready_room("104").await;
    hotel.task_for(&room, TaskKind::DeepClean).await;
    years_later(&hotel);
    let done = shelf.archivist(&hotel).run().await.unwrap();
    assert_eq!(done.waiting, 1, "{done:?}");
    assert_eq!(hotel.count("housekeeping.housekeeping_tasks").await, 4, "nothing of that month has gone");
}

#[tokio::test]
async fn a_file_in_which_a_byte_has_turned_is_found_its_rows_stay_and_it_is_written_again() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("damaged"));
    a_month_of_work(&hotel).await;
    let before = rows_of(&hotel).await;
    years_later(&hotel);
    let killed = shelf.archivist(&hotel).stopping_after(Some(Step::Noted)).run().await;
    assert!(matches!(killed, Err(ArchiveError::Stopped(_))), "{killed:?}");
    let names = Store::open(&shelf.url()).unwrap().names().await.unwrap();
    let file = names.iter().find(|name| name.ends_with(".parquet")).expect("a file");
    let path = shelf.0.join("store").join(file);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let archivist = shelf.archivist(&hotel);
    let table = file.rsplit('/').next().unwrap().split('.').nth(1).unwrap();
    let of_the_file = |rows: &[String]| rows.iter().filter(|row| row.starts_with(&format!("{table}: "))).count();
    let first = archivist.run().await.expect("one file holds up no other");
    assert_eq!(first.waiting, 1, "{first:?}");
    let left = rows_of(&hotel).await;
    assert_eq!((left.len(), of_the_file(&left)), (of_the_file(&before), of_the_file(&before)), "its rows alone stay");
    let second = archivist.run().await.unwrap();
    assert_eq!((second.waiting, second.files, second.removed), (0, 1, left.len() as u64), "{second:?}");
    assert_eq!(archivist.verify(None, None).await.unwrap().damaged, Vec::<String>::new());
    archivist.restore(hotel.tenant.as_str(), "2026-04".parse().unwrap()).await.unwrap();
    assert_eq!(rows_of(&hotel).await, before);
}

#[tokio::test]
async fn what_turns_in_a_file_that_is_the_only_copy_is_told_by_verify() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("only"));
    a_month_of_work(&hotel).await;
    years_later(&hotel);
    let archivist = shelf.archivist(&hotel);
    archivist.run().await.unwrap();
    let names = Store::open(&shelf.url()).unwrap().names().await.unwrap();
    let file = names.iter().find(|name| name.ends_with(".parquet")).expect("a file");
    std::fs::write(shelf.folder().join(file), b"nothing").unwrap();
    let found = archivist.verify(None, None).await.unwrap();
    assert!(found.damaged.len() == 1 && found.damaged[0].contains(file), "{found:?}");
    let is_other = |name: &&String| {
        Path::new(name.as_str()).extension() == Some(OsStr::new("json")) && !name.starts_with(file.as_str())
    };
    let other = names.iter().find(is_other).expect("a manifest");
    let manifest = shelf.folder().join(other);
    let written = std::fs::read_to_string(&manifest).unwrap();
    for (text, why) in
        [("{garbage".to_owned(), "cannot be read"), (written.replace("\"rows\":", "\"rows\":9"), "for rows")]
    {
        std::fs::write(&manifest, text).unwrap();
        let found = archivist.verify(None, None).await.unwrap();
        assert!(found.damaged.len() == 2 && found.damaged.iter().any(|one| one.contains(why)), "{found:?}");
    }
    assert_eq!(std::fs::read_dir(shelf.0.join("spool")).unwrap().count(), 0, "nothing is left behind");
}

#[tokio::test]
async fn looking_through_the_archive_beside_a_run_finds_nothing_damaged() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("beside"));
    for _ in 0..3 {
        a_month_of_work(&hotel).await;
        hotel.clock.advance_seconds(31 * DAY);
    }
    years_later(&hotel);
    // Each looks at the same files at the same time, and a month is struck and copied again meanwhile.
    let (one, other) = (shelf.archivist(&hotel), shelf.archivist(&hotel));
    one.run().await.unwrap();
    let (first, second) = tokio::join!(one.verify(None, None), other.verify(None, None));
    let (first, second) = (first.unwrap(), second.unwrap());
    assert!(first.files > 3, "{first:?}");
    assert_eq!((&first.damaged, &second.damaged), (&Vec::new(), &Vec::new()));
    let holder = hotel.app.db.connect_as(platform::database::DbRole::Operator).await.unwrap();
    let lock = "SELECT pg_advisory_lock(hashtextextended('melmastoon.archive', 0))";
    holder.query_one(lock, &[]).await.unwrap();
    assert_eq!(one.verify(None, None).await.unwrap(), first, "it waits for nobody");
    drop(holder);
}

#[tokio::test]
async fn the_terms_of_the_migrations_are_those_that_months_are_counted_by() {
    let hotel = TestHotel::open().await;
    for table in server::contexts::archived() {
        let sql =
            "SELECT qual FROM pg_policies WHERE schemaname = $1 AND tablename = $2 AND policyname = 'archive_after'";
        let row = hotel.behind.query_one(sql, &[&table.context, &table.table]).await.unwrap();
        let policy: String = row.get(0);
        let term = match table.kept {
            Kept::Months(months) if months % 12 == 0 => format!("'{} year", months / 12),
            Kept::Months(months) => format!("'{} year {} mons'", months / 12, months % 12),
            Kept::Days(days) => format!("'{days} days'"),
            Kept::AsTheTenantSays => "things_kept_for(tenant_id)".to_owned(),
        };
        assert!(
            policy.contains(&term) && policy.contains(table.since.split('(').next().unwrap()),
            "{}.{}: {policy} against {term}",
            table.context,
            table.table
        );
    }
}

#[tokio::test]
async fn the_operator_sees_no_row_whose_time_is_not_over() {
    let hotel = TestHotel::open().await;
    a_month_of_work(&hotel).await;
    let operator = hotel.app.db.connect_as(platform::database::DbRole::Operator).await.unwrap();
    for table in server::contexts::archived() {
        let sql = format!("SELECT count(*) FROM {}.{}", table.context, table.table);
        let count: i64 = operator.query_one(&sql, &[]).await.unwrap().get(0);
        assert_eq!(count, 0, "without a moment nothing is old: {}", table.table);
        operator.execute("SELECT set_config('app.now', $1, false)", &[&hotel.now().to_string()]).await.unwrap();
        let count: i64 = operator.query_one(&sql, &[]).await.unwrap().get(0);
        assert_eq!(count, 0, "this morning's work is not old: {}", table.table);
        operator.execute("SELECT set_config('app.now', '', false)", &[]).await.unwrap();
    }
    let drop = "SELECT housekeeping.drop_task_month('2026-04-01', 3, 0)";
    let refused = operator.query_one(drop, &[]).await.expect_err("not old enough");
    assert!(refused.as_db_error().is_some_and(|error| error.message().contains("not old enough")), "{refused:?}");
}

#[tokio::test]
async fn linen_adds_up_before_its_movements_leave_while_they_are_away_and_when_they_are_back() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("linen"));
    let (towels, sheets) = (hotel.linen("towels", 100, 0).await, hotel.linen("sheets", 50, 0).await);
    hotel.move_linen(&towels, "issue", 30).await.done();
    // 22 April 2026 until 2 May: another month.
    hotel.clock.advance_seconds(10 * DAY);
    hotel.move_linen(&towels, "return", 5).await.done();
    let archivist = shelf.archivist(&hotel);
    hotel.clock.advance_seconds(363 * DAY);
    archivist.run().await.unwrap();
    assert_eq!(hotel.count("housekeeping.linen_movements").await, 4, "April 2026 is not a year behind 30 April 2027");
    hotel.clock.advance_seconds(10 * DAY);
    archivist.run().await.unwrap();
    assert_eq!(hotel.count("housekeeping.linen_movements").await, 1, "May 2026 stays");
    crate::linen::on_hand_is_the_sum_of_the_movements(&hotel).await;
    assert_eq!((hotel.on_hand(&towels).await, hotel.on_hand(&sheets).await), (json!(75), json!(50)));
    archivist.restore(hotel.tenant.as_str(), "2026-04".parse().unwrap()).await.unwrap();
    assert_eq!(hotel.count("housekeeping.linen_movements").await, 4);
    crate::linen::on_hand_is_the_sum_of_the_movements(&hotel).await;
    hotel.clock.advance_seconds(400 * DAY);
    archivist.run().await.unwrap();
    assert_eq!(hotel.count("housekeeping.linen_movements").await, 0);
    crate::linen::on_hand_is_the_sum_of_the_movements(&hotel).await;
    hotel.move_linen(&towels, "issue", 75).await.done();
    hotel.move_linen(&towels, "issue", 1).await.refused(409, "MELMASTOON.HOUSEKEEPING.LINEN_OUT_OF_STOCK");
}

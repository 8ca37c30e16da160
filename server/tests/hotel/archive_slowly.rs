//! A month that leaves with a pace goes slice by slice. Whoever dies in between goes on, whatever is changed in between is not lost, and whoever
//! waits is told how far it has come.

use std::sync::{Arc, Mutex};

use archive::{ArchiveError, Archivist, Doing, State, Step};
use platform::retention::Kept;

use crate::archive::{Shelf, a_month_of_work, rows_of, years_later};
use crate::test_hotel::TestHotel;

/// Of what, how far, how many rows of how many.
type Told = (String, Doing, u64, u64);

const HISTORY: &str = "housekeeping.room_status_audit";

/// A month of work, each row of which has a moment of its own; all of it old.
async fn an_old_month(hotel: &TestHotel) -> Vec<String> {
    a_month_of_work(hotel).await;
    for table in server::contexts::archived().iter().filter(|table| !matches!(table.kept, Kept::AsTheTenantSays)) {
        let (name, since) = (format!("{}.{}", table.context, table.table), table.since);
        let apart = format!(
            "UPDATE {name} t SET {since} = t.{since} + one.number * interval '1 second'
             FROM (SELECT ctid, row_number() OVER () AS number FROM {name}) AS one WHERE one.ctid = t.ctid"
        );
        hotel.behind.execute(&apart, &[]).await.unwrap();
    }
    let all = rows_of(hotel).await;
    years_later(hotel);
    all
}

fn slowly(shelf: &Shelf, hotel: &TestHotel) -> Archivist {
    shelf.archivist(hotel).in_slices_of(Some(2))
}

/// Rows that the ledger says have gone.
async fn gone(archivist: &Archivist) -> i64 {
    let lines = archivist.list(None, None).await.unwrap();
    let of = |line: &archive::Archived| match line.state {
        State::Removed => line.rows,
        State::Removing => line.rows - line.rows_left.unwrap(),
        State::Written | State::Proven => 0,
    };
    lines.iter().map(of).sum()
}

#[tokio::test]
async fn a_removal_that_is_killed_between_two_slices_goes_on_and_nothing_is_lost_or_there_twice() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("slices"));
    let before = an_old_month(&hotel).await;
    let all = i64::try_from(before.len()).unwrap();
    let mut last = 0;
    for _ in 0..4 {
        let killed = slowly(&shelf, &hotel).stopping_after(Some(Step::RemovedAPart)).run().await;
        assert!(matches!(killed, Err(ArchiveError::Stopped(Step::RemovedAPart))), "{killed:?}");
        let gone = gone(&shelf.archivist(&hotel)).await;
        assert!(gone > last, "each comes a little further: {gone}");
        last = gone;
        assert_eq!(i64::try_from(rows_of(&hotel).await.len()).unwrap() + gone, all, "each row is here or there");
    }
    let archivist = slowly(&shelf, &hotel);
    let refused = archivist.restore(hotel.tenant.as_str(), "2026-04".parse().unwrap()).await.unwrap_err();
    assert!(refused.to_string().contains("`melmastoon archive run` goes on"), "{refused}");
    assert_eq!(archivist.run().await.unwrap().waiting, 0);
    assert_eq!(rows_of(&hotel).await, Vec::<String>::new());
    assert_eq!(gone(&archivist).await, all);
    assert_eq!(archivist.verify(None, None).await.unwrap().rows, all);
    archivist.restore(hotel.tenant.as_str(), "2026-04".parse().unwrap()).await.unwrap();
    assert_eq!(rows_of(&hotel).await, before);
}

#[tokio::test]
async fn what_is_changed_while_a_month_is_removed_is_not_lost_the_month_is_made_whole_and_copied_again() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("changed-slices"));
    an_old_month(&hotel).await;
    let all = hotel.count(HISTORY).await;
    // Tasks are dropped as a partition: what goes in slices first is the rooms' history.
    let killed = slowly(&shelf, &hotel).stopping_after(Some(Step::RemovedAPart)).run().await;
    assert!(matches!(killed, Err(ArchiveError::Stopped(_))), "{killed:?}");
    assert!((1..all).contains(&hotel.count(HISTORY).await), "a slice has gone");
    let note = format!("UPDATE {HISTORY} SET note = 'it was the cat' WHERE id = (SELECT max(id) FROM {HISTORY})");
    hotel.behind.execute(&note, &[]).await.unwrap();

    let archivist = slowly(&shelf, &hotel);
    assert_eq!(archivist.run().await.unwrap().waiting, 1);
    assert_eq!(hotel.count(HISTORY).await, all, "whole again");
    assert_eq!(hotel.count(&format!("{HISTORY} WHERE note = 'it was the cat'")).await, 1);
    let before = hotel.count(HISTORY).await;
    assert_eq!(archivist.run().await.unwrap().waiting, 0);
    assert_eq!(hotel.count(HISTORY).await, 0);
    archivist.restore(hotel.tenant.as_str(), "2026-04".parse().unwrap()).await.unwrap();
    assert_eq!(hotel.count(HISTORY).await, before);
    assert_eq!(hotel.count(&format!("{HISTORY} WHERE note = 'it was the cat'")).await, 1, "the cat as well");
}

#[tokio::test]
async fn whoever_waits_is_told_how_far_each_step_of_a_month_has_come() {
    let (hotel, shelf) = (TestHotel::open().await, Shelf::new("told"));
    an_old_month(&hotel).await;
    let told: Arc<Mutex<Vec<Told>>> = Arc::default();
    let archivist = || {
        let told = Arc::clone(&told);
        slowly(&shelf, &hotel).watched_by(move |one| {
            told.lock().unwrap().push((one.what.to_owned(), one.doing, one.rows, one.of));
        })
    };
    let steps = |doing: Doing| -> Vec<(u64, u64)> {
        let told = told.lock().unwrap();
        let of_history = told.iter().filter(|(what, ..)| what.contains("room_status_audit"));
        of_history.filter(|one| one.1 == doing).map(|one| (one.2, one.3)).collect()
    };
    archivist().run().await.unwrap();
    for doing in [Doing::Copying, Doing::Removing] {
        let steps = steps(doing);
        assert!(steps.len() > 2, "more than the end is told: {doing:?} {steps:?}");
        assert!(steps.is_sorted() && steps.last().is_some_and(|(rows, of)| rows == of), "{doing:?} {steps:?}");
    }
    assert_eq!(steps(Doing::ReadingBack).last().map(|(rows, of)| rows == of), Some(true));
    told.lock().unwrap().clear();
    archivist().verify(None, None).await.unwrap();
    assert_eq!(steps(Doing::ReadingBack).len(), 1, "a file of a few rows is read at once");
    archivist().restore(hotel.tenant.as_str(), "2026-04".parse().unwrap()).await.unwrap();
    assert_eq!(steps(Doing::BringingBack).last().map(|(rows, of)| rows == of), Some(true));
}

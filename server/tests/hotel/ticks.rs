//! What happens by itself with time: one process at a time, and what was missed is caught up once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use platform::database::Fault;
use platform::ticks::{Ran, Tick, Ticker, states};
use tokio::sync::Barrier;

use crate::test_hotel::TestHotel;

/// Counts how often it ran.
fn counting(name: &'static str, ran: &Arc<AtomicUsize>) -> Tick {
    let ran = Arc::clone(ran);
    Tick::new(name, Duration::from_hours(1), move |_| {
        let ran = Arc::clone(&ran);
        async move {
            ran.fetch_add(1, Ordering::SeqCst);
            Ok(Some("counted".to_owned()))
        }
    })
}

#[tokio::test]
async fn a_tick_that_was_missed_is_caught_up_once_and_is_then_on_time_again() {
    let hotel = TestHotel::open().await;
    let ran = Arc::new(AtomicUsize::new(0));
    let ticker = Ticker::new(hotel.app.db.clone(), vec![counting("test.hourly", &ran)]);
    assert_eq!(ticker.run_due().await.unwrap(), ["test.hourly"], "one never seen is due at once");
    assert!(ticker.run_due().await.unwrap().is_empty());
    // It is 06:30; due on the hour.
    hotel.clock.advance_seconds(29 * 60);
    assert!(ticker.run_due().await.unwrap().is_empty());
    hotel.clock.advance_seconds(5 * 60 * 60);
    assert_eq!(ticker.run_due().await.unwrap(), ["test.hourly"], "five were missed, one is run");
    assert!(ticker.run_due().await.unwrap().is_empty());
    hotel.clock.advance_seconds(60);
    assert_eq!(ticker.run_due().await.unwrap(), ["test.hourly"], "the next is on the hour");
    assert_eq!(ran.load(Ordering::SeqCst), 3);
    let known = states(&hotel.app.db).await.unwrap();
    let state = known.iter().find(|state| state.name == "test.hourly").unwrap();
    assert_eq!(state.last_outcome.as_deref(), Some("counted"));
    assert_eq!(state.due_at.unwrap().to_string(), "2026-04-22T13:00:00.000Z");
}

/// One that says when it has begun, and waits until it may end.
fn slow_tick() -> (Tick, Arc<Barrier>, Arc<Barrier>) {
    let (begun, over) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let slow = {
        let (begun, over) = (Arc::clone(&begun), Arc::clone(&over));
        Tick::new("test.slow", Duration::from_mins(1), move |_| {
            let (begun, over) = (Arc::clone(&begun), Arc::clone(&over));
            async move {
                begun.wait().await;
                over.wait().await;
                Ok(None)
            }
        })
    };
    (slow, begun, over)
}

#[tokio::test]
async fn a_process_runs_the_ticks_that_are_its_own_and_says_when_each_is_due_again() {
    let hotel = TestHotel::open().await;
    let (ours, theirs) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let ticks = vec![counting("test.ours", &ours), counting("test.theirs", &theirs)];
    let ticker = Ticker::new(hotel.app.db.clone(), ticks);
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let running = ticker.run(stopped, Duration::from_millis(5), |name| name == "test.ours");
    let until_it_ran = async {
        while ours.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        stop.send(true).unwrap();
    };
    tokio::join!(running, until_it_ran);
    assert_eq!((ours.load(Ordering::SeqCst), theirs.load(Ordering::SeqCst)), (1, 0));
    let known = states(&hotel.app.db).await.unwrap();
    assert!(!known.iter().any(|state| state.name == "test.theirs"), "nobody here looked at it");
    let due = known.iter().find(|state| state.name == "test.ours").unwrap().due_at.unwrap();
    let counted = hotel.ask(crate::test_hotel::Ask::get("/metrics")).await.text;
    let line = format!("melmastoon_tick_next_run_seconds{{tick=\"test.ours\"}} {}", due.as_millis() / 1_000);
    assert!(counted.contains(&line), "{line} in {counted}");
}

#[tokio::test]
async fn while_one_process_is_at_it_the_others_pass_it_by() {
    let hotel = TestHotel::open().await;
    let (slow, begun, over) = slow_tick();
    let ran = Arc::new(AtomicUsize::new(0));
    let here = Ticker::new(hotel.app.db.clone(), vec![slow]);
    let elsewhere = Ticker::new(hotel.second_process().db.clone(), vec![counting("test.slow", &ran)]);
    let tick = here.find("test.slow").unwrap();
    let at_it = here.run_if_due(tick);
    let meanwhile = async {
        begun.wait().await;
        let other = elsewhere.find("test.slow").unwrap();
        let passed = elsewhere.run_if_due(other).await;
        over.wait().await;
        passed
    };
    let (done, passed) = tokio::join!(at_it, meanwhile);
    assert_eq!((done.unwrap(), passed.unwrap()), (Ran::Done(None), Ran::ElsewhereNow));
    assert_eq!(ran.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_tick_that_failed_rests_is_due_again_and_says_why() {
    let hotel = TestHotel::open().await;
    let failing = Tick::new("test.failing", Duration::from_hours(1), |_| async { Err(Fault::Exhausted) });
    let ticker = Ticker::new(hotel.app.db.clone(), vec![failing]);
    let tick = ticker.find("test.failing").unwrap();
    assert!(ticker.run_if_due(tick).await.is_err());
    assert_eq!(ticker.run_if_due(tick).await.unwrap(), Ran::NotDue, "it is not tried at every look");
    hotel.clock.advance_seconds(3 * 60);
    assert!(ticker.run_if_due(tick).await.is_err(), "long before its next time it is due again");
    let known = states(&hotel.app.db).await.unwrap();
    let state = known.iter().find(|state| state.name == "test.failing").unwrap();
    assert!(state.last_failed && state.last_outcome.as_deref().is_some_and(|why| why.contains("in time")), "{state:?}");
}

#[tokio::test]
async fn every_tick_of_every_context_is_known_before_it_works() {
    let hotel = TestHotel::open().await;
    assert_eq!(hotel.app.ticker.names(), server::contexts::ticks());
}

#[tokio::test]
async fn work_that_takes_long_holds_no_transaction_and_no_snapshot() {
    let hotel = TestHotel::open().await;
    let (slow, begun, over) = slow_tick();
    let ticker = Ticker::new(hotel.app.db.clone(), vec![slow]);
    let at_it = ticker.run_if_due(ticker.find("test.slow").unwrap());
    let meanwhile = async {
        begun.wait().await;
        let held =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                    AND (xact_start IS NOT NULL OR backend_xid IS NOT NULL OR backend_xmin IS NOT NULL)";
        let held: i64 = hotel.behind.query_one(held, &[]).await.unwrap().get(0);
        // Nor is its row locked: whoever writes to it need not wait.
        let row = "UPDATE bus.ticks SET last_outcome = 'seen' WHERE name = 'test.slow'";
        let free = hotel.behind.batch_execute(&format!("SET lock_timeout = '1s'; {row}")).await;
        over.wait().await;
        (held, free)
    };
    let (done, (held, free)) = tokio::join!(at_it, meanwhile);
    assert_eq!(done.unwrap(), Ran::Done(None));
    assert_eq!(held, 0, "vacuum would have to wait for it");
    free.unwrap();
}

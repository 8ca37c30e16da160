//! Databases for tests.

#[expect(dead_code, reason = "each test program uses a part of it")]
mod support;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use embedded::Login;
use embedded::testing::{PrepareError, TestDatabase, TestingError, database, folder, stop};
use support::{Other, Scratch, ask, connect, tell, told, until};

async fn with_a_table(login: Login) -> Result<(), PrepareError> {
    connect(&login).await?.batch_execute("CREATE TABLE rooms (number text PRIMARY KEY)").await?;
    Ok(())
}

async fn rooms() -> TestDatabase {
    database("rooms", with_a_table).await.expect("a database")
}

async fn exists(database: &TestDatabase, name: &str) -> bool {
    let question = format!("SELECT (count(*) > 0)::text FROM pg_database WHERE datname = '{name}'");
    ask(database.superuser(), &question).await == "true"
}

#[tokio::test]
async fn each_test_has_a_database_of_its_own_in_under_a_second() {
    let first = rooms().await;
    let began = Instant::now();
    let second = rooms().await;
    let took = began.elapsed();
    println!("a copy took {took:?}");
    assert!(took < Duration::from_secs(1), "a copy took {took:?}");

    tell(first.login(), "INSERT INTO rooms VALUES ('101')").await;
    assert_eq!(ask(second.login(), "SELECT count(*)::text FROM rooms").await, "0");
    assert_eq!(ask(second.login(), "SELECT current_user::text").await, "melmastoon");
    assert_eq!(ask(second.superuser(), "SELECT current_database()::text").await, second.login().database());
}

#[tokio::test]
async fn a_database_goes_with_its_test() {
    let witness = rooms().await;
    let passing = rooms().await;
    let name = passing.login().database().to_owned();
    let _still_open = connect(passing.login()).await.expect("a connection");
    assert!(exists(&witness, &name).await);
    drop(passing);
    assert!(!exists(&witness, &name).await);
}

#[tokio::test]
async fn a_template_is_prepared_once_however_many_ask_for_it() {
    static PREPARED: AtomicU32 = AtomicU32::new(0);
    let key = format!("once in process {}", std::process::id());
    let one = async || {
        database(&key, async |login| {
            PREPARED.fetch_add(1, Ordering::Relaxed);
            with_a_table(login).await
        })
        .await
        .expect("a database")
    };
    let (first, second, third) = tokio::join!(one(), one(), one());
    assert_eq!(PREPARED.load(Ordering::Relaxed), 1);
    for database in [first, second, third] {
        assert_eq!(ask(database.login(), "SELECT count(*)::text FROM rooms").await, "0");
    }
}

#[tokio::test]
async fn a_preparation_that_fails_leaves_nothing_to_copy() {
    let key = format!("failing in process {}", std::process::id());
    let refusal = database(&key, async |login: Login| {
        connect(&login).await?.batch_execute("CREATE TABLE half_done ()").await?;
        Err("no such migration".into())
    })
    .await
    .expect_err("a failed preparation");
    assert!(matches!(refusal, TestingError::Prepare(_)), "{refusal}");

    let mended = database(&key, with_a_table).await.expect("a database");
    assert_eq!(ask(mended.login(), "SELECT count(*)::text FROM pg_tables WHERE tablename = 'half_done'").await, "0");
}

#[tokio::test]
#[ignore = "runs in another process, which is killed"]
async fn other_process_with_a_database() {
    let Some(what) = told() else { return };
    let database = rooms().await;
    println!("says {}", database.login().database());
    if what == "stay" {
        std::future::pending::<()>().await;
    }
}

#[tokio::test]
async fn what_a_killed_test_left_behind_is_swept_by_a_later_one() {
    let witness = rooms().await;
    let mut killed = Other::start("other_process_with_a_database", "stay");
    let name = killed.says();
    assert!(exists(&witness, &name).await);
    killed.kill();

    Other::start("other_process_with_a_database", "go").wait();
    assert!(!exists(&witness, &name).await);
}

#[tokio::test]
async fn a_cluster_in_use_is_not_stopped() {
    let database = rooms().await;
    assert!(!stop().await.expect("an answer"));
    assert_eq!(ask(database.login(), "SELECT 'fine'").await, "fine");
}

#[tokio::test]
#[ignore = "runs in another process, with a temporary folder of its own"]
async fn other_process_that_stops_the_cluster() {
    let Some(_) = told() else { return };
    assert!(stop().await.expect("an answer"));
    println!("says {}", folder().display());
}

#[tokio::test]
async fn a_cluster_nobody_uses_is_stopped_and_starts_again_when_needed() {
    let scratch = Scratch::new();
    for _ in 0..2 {
        Other::start_in(&scratch.0, "other_process_with_a_database", "go").wait();
        let mut stopping = Other::start_in(&scratch.0, "other_process_that_stops_the_cluster", "go");
        let pid_file = std::path::PathBuf::from(stopping.says()).join("postgres/data/postmaster.pid");
        stopping.wait();
        assert!(pid_file.starts_with(&scratch.0));
        until("the pid file goes", async || !pid_file.exists()).await;
    }
}

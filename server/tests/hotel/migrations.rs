//! Migrations: applied once, in order, whoever comes first, and never silently edited.

use embedded::testing::TestDatabase;
use futures_util::future::join_all;
use platform::database::{Drift, Migration, Migrations, connect, migrate};
use tokio_postgres::Client;

use crate::test_hotel::new_database;

async fn blank_database() -> TestDatabase {
    embedded::testing::database("blank", async |_| Ok(())).await.unwrap()
}

async fn client_of(database: &TestDatabase) -> Client {
    connect(&database.login().config()).await.unwrap()
}

async fn drift(client: &Client) -> Vec<Drift> {
    let mut found = Vec::new();
    for context in &server::contexts::migrations() {
        found.extend(context.drift(client).await.unwrap());
    }
    found
}

#[tokio::test]
async fn a_blank_database_is_told_apart_and_brought_up_to_date() {
    let database = blank_database().await;
    let client = client_of(&database).await;
    let pending = drift(&client).await;
    let files = server::contexts::migrations().iter().map(|context| context.files.len()).sum::<usize>();
    assert_eq!(pending.len(), files);
    assert!(pending.iter().all(|one| matches!(one, Drift::Pending { .. })), "{pending:?}");
    assert_eq!(migrate(&client, &server::contexts::migrations()).await.unwrap().len(), files);
    assert_eq!(migrate(&client, &server::contexts::migrations()).await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn processes_that_start_together_apply_each_file_once() {
    let database = blank_database().await;
    let clients = join_all((0..4).map(|_| client_of(&database))).await;
    let files = server::contexts::migrations();
    let applied = join_all(clients.iter().map(|client| migrate(client, &files))).await;
    let mut counts: Vec<_> = applied.into_iter().map(|one| one.unwrap().len()).collect();
    counts.sort_unstable();
    assert_eq!(counts[..3], [0, 0, 0]);
    assert!(drift(&clients[0]).await.is_empty());
}

#[tokio::test]
async fn a_file_edited_after_it_was_applied_is_reported_and_nothing_is_applied_over_it() {
    let database = new_database().await;
    let owner = connect(&database.superuser().config()).await.unwrap();
    owner.execute("UPDATE housekeeping.schema_history SET checksum = 'other' WHERE version = 1", &[]).await.unwrap();
    let client = connect(&database.superuser().config()).await.unwrap();
    let found = drift(&client).await;
    assert!(matches!(&found[..], [Drift::Edited { schema, version: 1, .. }] if schema == "housekeeping"), "{found:?}");
    let refused = migrate(&client, &server::contexts::migrations()).await.unwrap_err();
    assert!(refused.to_string().contains("edited"), "{refused}");
}

#[tokio::test]
async fn a_database_of_a_newer_release_is_not_touched() {
    let database = new_database().await;
    let client = connect(&database.superuser().config()).await.unwrap();
    let newer = "INSERT INTO housekeeping.schema_history (version, name, checksum) VALUES (99, 'tomorrow', 'x')";
    client.execute(newer, &[]).await.unwrap();
    assert!(matches!(&drift(&client).await[..], [Drift::Unknown { version: 99, .. }]));
    let refused = migrate(&client, &server::contexts::migrations()).await.unwrap_err();
    assert!(refused.to_string().contains("newer"), "{refused}");
}

#[tokio::test]
async fn a_file_that_fails_leaves_nothing_behind_and_lets_others_go_on() {
    const BROKEN: Migrations = Migrations {
        schema: "broken",
        files: &[Migration::new(1, "half", "CREATE TABLE broken.half (id INT); SELECT nonsense")],
    };
    let database = blank_database().await;
    let client = client_of(&database).await;
    let refused = migrate(&client, &[BROKEN]).await.unwrap_err();
    assert!(refused.to_string().contains("V001 half"), "{refused}");
    let half = client.query_one("SELECT to_regclass('broken.half') IS NULL", &[]).await.unwrap();
    assert!(half.get::<_, bool>(0));
    let other = client_of(&database).await;
    assert!(!migrate(&other, &server::contexts::migrations()).await.unwrap().is_empty(), "the lock is free again");
}

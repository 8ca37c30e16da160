//! Migrations: applied once, in order, whoever comes first, and never silently edited.

use embedded::testing::TestDatabase;
use futures_util::future::join_all;
use platform::database::{COMMON_TABLES, Drift, Migration, Migrations, connect, migrate};
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

/// What the catalogue says of the tables that every context has: columns, defaults, keys, indexes, policies, grants.
async fn common_tables(client: &tokio_postgres::Client, schema: &str) -> Vec<String> {
    let sql = "WITH ours AS (SELECT c.oid, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                             WHERE n.nspname = $1 AND c.relkind = 'r'
                               AND c.relname IN ('outbox','inbox','idempotency_keys','audit_events','dead_letters'))
        SELECT format('%s.%s %s %s %s', o.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                      pg_get_expr(d.adbin, d.adrelid))
        FROM ours o JOIN pg_attribute a ON a.attrelid = o.oid AND a.attnum > 0
        LEFT JOIN pg_attrdef d ON d.adrelid = o.oid AND d.adnum = a.attnum
        UNION ALL SELECT pg_get_indexdef(i.indexrelid) FROM ours o JOIN pg_index i ON i.indrelid = o.oid
        UNION ALL SELECT format('%s %s', o.relname, pg_get_constraintdef(k.oid)) FROM ours o JOIN pg_constraint k ON k.conrelid = o.oid
        UNION ALL SELECT format('%s policy %s %s %s %s', o.relname, p.polname, p.polcmd, pg_get_expr(p.polqual, p.polrelid),
                                pg_get_expr(p.polwithcheck, p.polrelid))
        FROM ours o JOIN pg_policy p ON p.polrelid = o.oid
        UNION ALL SELECT format('%s %s may %s', g.table_name, g.grantee, g.privilege_type)
        FROM information_schema.table_privileges g JOIN ours o ON o.relname = g.table_name
        WHERE g.table_schema = $1 AND g.grantee LIKE 'melmastoon%'
        ORDER BY 1";
    let rows = client.query(sql, &[&schema]).await.unwrap();
    rows.iter().map(|row| row.get::<_, String>(0).replace(&format!("{schema}."), "")).collect()
}

/// What housekeeping has besides: a kept board knows by it what it has seen.
const ADDED: [&str; 2] = [
    "CREATE INDEX outbox_board_idx ON outbox USING btree (tenant_id, property_id, txid)",
    "outbox.txid xid8 f pg_current_xact_id()",
];

/// What every context of this release has besides: its audit leaves for the archive.
const ARCHIVED: [&str; 5] = [
    "CREATE INDEX ae_occurred_brin ON audit_events USING brin (occurred_at)",
    "audit_events melmastoon_operator may DELETE",
    "audit_events melmastoon_operator may INSERT",
    "audit_events melmastoon_operator may SELECT",
    "audit_events policy archive_after * (occurred_at < (( SELECT bus.purge_moment() AS purge_moment) - '2 years'::interval)) (occurred_at < (( SELECT bus.purge_moment() AS purge_moment) - '2 years'::interval))",
];

#[tokio::test]
async fn the_tables_that_every_context_has_are_the_same_in_all_of_them() {
    const EXAMPLE: Migrations = Migrations { schema: "example", files: &[COMMON_TABLES] };
    let database = new_database().await;
    let client = connect(&database.superuser().config()).await.unwrap();
    migrate(&client, &[EXAMPLE]).await.unwrap();
    let template = common_tables(&client, "example").await;
    assert!(template.len() > 60, "{template:?}");
    for context in server::contexts::at_rest() {
        let found = common_tables(&client, context.name).await;
        assert!(ARCHIVED.iter().all(|line| found.iter().any(|one| one == line)), "{}: its audit stays", context.name);
        let added = |line: &String| {
            ARCHIVED.contains(&line.as_str()) || context.name == "housekeeping" && ADDED.contains(&line.as_str())
        };
        let differ: Vec<_> = found.iter().filter(|line| !template.contains(line) && !added(line)).collect();
        let missing: Vec<_> = template.iter().filter(|line| !found.contains(line)).collect();
        assert!(differ.is_empty() && missing.is_empty(), "{}: {differ:#?} instead of {missing:#?}", context.name);
    }
}

#[tokio::test]
async fn an_index_can_be_made_while_the_hotel_works_and_is_made_again_when_it_was_cut_short() {
    const FILES: &[Migration] = &[
        Migration::new(1, "rooms", "CREATE TABLE slow.rooms (number TEXT)"),
        Migration::outside_a_transaction(
            2,
            "rooms_by_number",
            "DROP INDEX CONCURRENTLY IF EXISTS slow.rooms_number_idx;\nCREATE INDEX CONCURRENTLY rooms_number_idx ON slow.rooms (number);\n",
        ),
    ];
    let slow = Migrations { schema: "slow", files: FILES };
    let database = new_database().await;
    let client = connect(&database.login().config()).await.unwrap();
    assert_eq!(migrate(&client, &[slow]).await.unwrap().len(), 2);
    assert_eq!(slow.drift(&client).await.unwrap(), []);
    // Cut short before it was written down: it is run once more from its beginning.
    let owner = "SET ROLE melmastoon_owner; DELETE FROM slow.schema_history WHERE version = 2; RESET ROLE";
    client.batch_execute(owner).await.unwrap();
    assert_eq!(migrate(&client, &[slow]).await.unwrap(), ["slow V002 rooms_by_number"]);
}

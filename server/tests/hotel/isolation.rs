//! No tenant reads, writes or learns the existence of another tenant's rows: by table and by catalogue (by route: `isolation_routes`).

use contracts::ids::TenantId;
use platform::auth::Role;
use platform::database::{DbRole, connect, leaks};
use serde_json::json;
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use crate::lived_in::{Things, lived_in};
use crate::test_hotel::{Ask, Happening, TestHotel};

/// Every table of ours that is no partition.
async fn tables(client: &Client) -> Vec<String> {
    let sql =
        "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1";
    let schemas: Vec<&str> = server::contexts::schemas();
    client.query(sql, &[&schemas]).await.unwrap().iter().map(|row| row.get(0)).collect()
}

/// What no tenant owns: how the database came to be as it is, who listens to what, what is due when, and by which secrets the hotel is known.
fn is_nobodys(table: &str) -> bool {
    table.ends_with(".schema_history")
        || table == "bus.subscriptions"
        || table == "bus.ticks"
        || table == "bus.set_aside"
        || table == "bus.logged_ahead"
        || table == "bus.broker_stores"
        || table == "bus.retention_runs"
        || table == "bus.secrets_in_use"
}

/// Rows touched, or `None` where the role may not even try.
fn outcome(result: Result<u64, tokio_postgres::Error>, what: &str) -> Option<u64> {
    match result {
        Ok(rows) => Some(rows),
        Err(error) if error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) => None,
        Err(error) => panic!("{what}: {error:?}"),
    }
}

#[tokio::test]
async fn in_every_table_another_tenant_sees_changes_and_removes_nothing() {
    let (hotel, ..) = lived_in().await;
    let other: TenantId = hotel.next();
    let strangers =
        [("another tenant", hotel.as_application(Some(&other)).await), ("no tenant", hotel.as_application(None).await)];
    for table in tables(&hotel.behind).await {
        if is_nobodys(&table) {
            continue; // see below
        }
        let sql = format!("SELECT to_jsonb(t)::TEXT FROM {table} t WHERE tenant_id = '{}' LIMIT 1", hotel.tenant);
        let row = hotel.behind.query_opt(&sql, &[]).await.unwrap();
        let row: String = row.unwrap_or_else(|| panic!("{table} is empty: let `lived_in` put something there")).get(0);
        // What the database makes itself cannot be written.
        let sql = "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
                   WHERE attrelid = $1::TEXT::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''";
        let columns: String = hotel.behind.query_one(sql, &[&table]).await.unwrap().get(0);
        for (who, stranger) in &strangers {
            let what = format!("{table} as {who}");
            // What they tried here may have left something of their own.
            let select = format!("SELECT * FROM {table} WHERE tenant_id <> '{other}'");
            let select = stranger.query(&select, &[]).await.map(|rows| rows.len() as u64);
            assert!(outcome(select, &what).unwrap_or(0) == 0, "SELECT on {what}");
            let update = stranger.execute(&format!("UPDATE {table} SET tenant_id = tenant_id"), &[]).await;
            assert!(outcome(update, &what).unwrap_or(0) == 0, "UPDATE on {what}");
            let delete = stranger.execute(&format!("DELETE FROM {table}"), &[]).await;
            assert!(outcome(delete, &what).unwrap_or(0) == 0, "DELETE on {what}");
            // A row for the first tenant, written by somebody else.
            let insert = format!(
                "INSERT INTO {table} ({columns}) OVERRIDING SYSTEM VALUE
                 SELECT {columns} FROM jsonb_populate_record(NULL::{table}, $1::TEXT::JSONB)"
            );
            let insert = stranger.execute(&insert, &[&row]).await;
            assert!(outcome(insert, &what).is_none(), "INSERT into {what}");
        }
        let left = hotel.count(&format!("{table} WHERE tenant_id = '{}'", hotel.tenant)).await;
        assert!(left > 0, "{table}");
    }
}

#[tokio::test]
async fn the_application_sees_its_tenants_rows_in_the_tables_it_works_with() {
    let (hotel, ..) = lived_in().await;
    let own = hotel.as_application(Some(&hotel.tenant)).await;
    for table in tables(&hotel.behind).await {
        let select = own.query(&format!("SELECT * FROM {table}"), &[]).await.map(|rows| rows.len() as u64);
        let closed = ["bus.archives", "bus.deliveries"].contains(&table.as_str()) || is_nobodys(&table);
        assert_eq!(outcome(select, &table).is_none(), closed, "{table}");
    }
}

#[tokio::test]
async fn the_relay_reads_outboxes_and_the_bus_and_the_operator_dead_letters() {
    let (hotel, ..) = lived_in().await;
    // The operator also removes what has been kept long enough; by the server's clock all of this is. See `upkeep`.
    let roles = [
        (
            DbRole::Relay,
            vec![
                "bus.deliveries",
                "bus.event_log",
                "bus.subscriptions",
                "bus.webhook_deliveries",
                "bus.webhook_endpoints",
                "housekeeping.outbox",
                "reservation.outbox",
                "staff.outbox",
            ],
        ),
        (
            DbRole::Operator,
            vec!["bus.archives", "housekeeping.dead_letters", "reservation.dead_letters", "staff.dead_letters"],
        ),
    ];
    for (role, seen) in roles {
        let client = hotel.app.db.connect_as(role).await.unwrap();
        for table in tables(&hotel.behind).await {
            let rows = client.query(&format!("SELECT * FROM {table}"), &[]).await.map(|rows| rows.len() as u64);
            let rows = outcome(rows, &table).unwrap_or(0);
            assert_eq!(rows > 0, seen.contains(&table.as_str()), "{role:?} sees {rows} rows of {table}");
        }
    }
}

#[tokio::test]
async fn a_partition_asked_for_by_its_own_name_shows_nothing() {
    let (hotel, ..) = lived_in().await;
    let partition = "housekeeping.housekeeping_tasks_2026_04";
    assert!(hotel.count(partition).await > 0);
    let own = hotel.as_application(Some(&hotel.tenant)).await;
    let refused = own.query(&format!("SELECT * FROM {partition}"), &[]).await.expect_err("no grant");
    assert_eq!(refused.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE));
    // And if somebody granted it one day, the policy would still hold.
    hotel.behind.batch_execute(&format!("GRANT SELECT ON {partition} TO melmastoon_app")).await.unwrap();
    let other = hotel.as_application(Some(&hotel.next())).await;
    assert!(other.query(&format!("SELECT * FROM {partition}"), &[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_connection_that_was_used_for_one_tenant_carries_nothing_to_the_next() {
    let (hotel, Things { room, .. }) = lived_in().await;
    let other: TenantId = hotel.next();
    let path = format!("/housekeeping/v1/rooms/{}", room.id);
    for _ in 0..20 {
        assert_eq!(hotel.get(&hotel.supervisor(), &path).await.status, 200);
        assert_eq!(hotel.get(&hotel.token_of_tenant(Role::Supervisor, &other), &path).await.status, 404);
    }
    let role = hotel.as_application(None).await;
    role.batch_execute("BEGIN; SELECT set_config('app.tenant_id', 'tnt_A', true); COMMIT; RESET ROLE").await.unwrap();
    let row = role.query_one("SELECT current_user::TEXT, housekeeping.current_tenant_id()", &[]).await.unwrap();
    assert_eq!(
        (row.get(0), row.get(1)),
        ("melmastoon_app".to_owned(), None::<String>),
        "RESET ROLE leads nowhere else"
    );
}

/// The same departure as another tenant tells it, under the same event id.
fn told_by(hotel: &TestHotel, departure: &Happening, tenant: &TenantId, room: &str) -> Ask {
    let told = departure.clone().with("/tenantId", json!(tenant)).with("/payload/tenantId", json!(tenant));
    let told = told.with("/payload/rooms/0/roomId", json!(room));
    let ask = hotel.wrapped(&told.subject, told.envelope.to_string().as_bytes());
    Ask { headers: vec![], ..ask }.by(&hotel.token_of_tenant(Role::Service, tenant))
}

#[tokio::test]
async fn two_hotels_that_count_their_events_alike_both_have_their_guests_check_out() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let (first, other): (_, TenantId) = (hotel.checked_out(&room).with("/id", json!("evt_1")), hotel.next());
    hotel.deliver(&first).await;
    for _ in 0..2 {
        assert_eq!(hotel.ask(told_by(&hotel, &first, &other, "rom_THEIRS")).await.status, 204);
        hotel.deliver(&first).await;
    }
    let tasks = |tenant: &TenantId| format!("housekeeping.housekeeping_tasks WHERE tenant_id = '{tenant}'");
    assert_eq!(hotel.count(&tasks(&hotel.tenant)).await, 1, "once, however often it is told");
    assert_eq!(hotel.count(&tasks(&other)).await, 1, "and the other hotel's once as well");
    assert_eq!(hotel.count("housekeeping.inbox").await, 2);
}

/// As the first release wrote it. The migration is what a hotel that comes from there goes through.
#[tokio::test]
async fn what_the_inbox_knew_before_it_told_tenants_apart_it_still_knows_for_that_tenant_alone() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let (first, other): (_, TenantId) = (hotel.checked_out(&room).with("/id", json!("evt_1")), hotel.next());
    let known =
        "INSERT INTO housekeeping.inbox (topic, message_id, tenant_id, received_at) VALUES ($1, 'evt_1', $2, now())";
    hotel.behind.execute(known, &[&first.subject, &hotel.tenant.as_str()]).await.unwrap();
    let migration = include_str!("../../../housekeeping/migrations/V170__lighter_outbox.sql");
    for _ in 0..2 {
        let again = format!("BEGIN; SET LOCAL ROLE melmastoon_owner; {migration} COMMIT");
        hotel.behind.batch_execute(&again).await.unwrap();
    }
    hotel.deliver(&first).await;
    assert!(hotel.tasks(&room).await.is_empty(), "it was applied by an earlier release");
    assert_eq!(hotel.ask(told_by(&hotel, &first, &other, "rom_THEIRS")).await.status, 204);
    assert_eq!(hotel.count("housekeeping.housekeeping_tasks").await, 1, "of the other hotel nothing was known");
}

#[tokio::test]
async fn the_catalogue_shows_no_leak() {
    let hotel = TestHotel::open().await;
    assert_eq!(leaks(&hotel.behind, &server::contexts::schemas()).await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn the_catalogue_reports_every_kind_of_leak() {
    let made = [
        ("CREATE TABLE housekeeping.bare (tenant_id TEXT)", "bare"),
        ("CREATE TABLE housekeeping.unforced (tenant_id TEXT); ALTER TABLE housekeeping.unforced ENABLE ROW LEVEL SECURITY;
          CREATE POLICY p ON housekeeping.unforced USING (true)", "unforced"),
        ("CREATE TABLE housekeeping.no_policy (tenant_id TEXT); ALTER TABLE housekeeping.no_policy ENABLE ROW LEVEL SECURITY;
          ALTER TABLE housekeeping.no_policy FORCE ROW LEVEL SECURITY", "no_policy"),
        ("CREATE VIEW housekeeping.definer AS SELECT * FROM housekeeping.rooms", "definer"),
        ("CREATE MATERIALIZED VIEW housekeeping.snapshot AS SELECT * FROM housekeeping.rooms", "snapshot"),
        ("GRANT SELECT ON housekeeping.housekeeping_tasks_2026_04 TO melmastoon_app", "housekeeping_tasks_2026_04"),
        ("CREATE FUNCTION housekeeping.open_to_all() RETURNS BIGINT LANGUAGE SQL SECURITY DEFINER SET search_path = pg_catalog
          AS 'SELECT count(*) FROM housekeeping.rooms'", "open_to_all"),
        ("CREATE FUNCTION housekeeping.lost() RETURNS BIGINT LANGUAGE SQL SECURITY DEFINER AS 'SELECT count(*) FROM housekeeping.rooms';
          REVOKE ALL ON FUNCTION housekeeping.lost() FROM PUBLIC", "lost"),
        ("GRANT EXECUTE ON FUNCTION housekeeping.tenants_short_of_people(TIMESTAMPTZ) TO melmastoon_app", "tenants_short_of_people"),
        ("GRANT USAGE ON SCHEMA housekeeping TO PUBLIC", "PUBLIC"),
        ("RESET ROLE; ALTER TABLE housekeeping.rooms OWNER TO melmastoon", "housekeeping.rooms"),
    ];
    let database = crate::test_hotel::new_database().await;
    let client = connect(&database.superuser().config()).await.unwrap();
    for (sql, name) in made {
        client.batch_execute(&format!("BEGIN; SET LOCAL ROLE melmastoon_owner; {sql}")).await.unwrap();
        let found = leaks(&client, &server::contexts::schemas()).await.unwrap();
        client.batch_execute("ROLLBACK").await.unwrap();
        assert!(found.iter().any(|leak| leak.contains(name)), "{name} is not reported: {found:?}");
    }
}

#[tokio::test]
async fn everything_a_tenant_has_names_the_tenant() {
    let hotel = TestHotel::open().await;
    for table in tables(&hotel.behind).await {
        let sql = "SELECT count(*) FROM pg_attribute WHERE attrelid = $1::TEXT::regclass AND attname = 'tenant_id' AND attnotnull";
        let has: i64 = hotel.behind.query_one(sql, &[&table]).await.unwrap().get(0);
        assert!(has == 1 || is_nobodys(&table), "{table} has no tenant_id");
    }
}

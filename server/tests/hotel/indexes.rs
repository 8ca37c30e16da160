//! Indexes that row level security lets be used.

use platform::Sql;
use platform::database::connect;
use tokio_postgres::{Client, SimpleQueryMessage};

use crate::test_hotel::{TestHotel, new_database};

/// Under a policy PostgreSQL asks an index only for comparisons that cannot leak. A function of a column is none: an index on one
/// looks like help, and every row of the tenant is read all the same.
#[tokio::test]
async fn no_index_is_on_an_expression_that_a_policy_keeps_from_being_used() {
    let database = new_database().await;
    let client = connect(&database.superuser().config()).await.unwrap();
    let sql = "SELECT i.indexrelid::REGCLASS::TEXT FROM pg_index i
               JOIN pg_class t ON t.oid = i.indrelid
               JOIN pg_namespace n ON n.oid = t.relnamespace
               WHERE n.nspname NOT IN ('pg_catalog', 'pg_toast', 'information_schema') AND t.relrowsecurity
                 AND i.indexprs IS NOT NULL
                 -- What refuses is used by the database itself, behind every policy.
                 AND NOT i.indisunique AND NOT i.indisexclusion
               ORDER BY 1";
    let found: Vec<String> = client.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect();
    assert!(found.is_empty(), "a generated column with a plain index is used, these are not: {found:?}");
}

/// In a hotel that has just begun there are no statistics, and of indexes that seem equally good PostgreSQL takes the one that was made
/// last. What is asked with every punch must find one person's punches then, and not those of all people of the week.
#[tokio::test]
async fn a_punch_is_looked_up_by_its_person_from_the_first_day_on() {
    let hotel = TestHotel::open().await;
    let sql =
        staff::infrastructure::statements().into_iter().find(|sql| sql.name == "sql/punch_of_person.sql").unwrap();
    let client = hotel.as_application(Some(&hotel.tenant)).await;
    client.batch_execute("SET plan_cache_mode = force_generic_plan").await.unwrap();
    let plan = plan_of(&client, sql).await;
    assert!(plan.contains("clock_entries_staff_idx"), "{plan}");
    assert!(plan.contains("(staff_id = $2) AND (occurred_at <= $4) AND (occurred_at >= GREATEST"), "{plan}");
    assert!(plan.contains("(staff_id = $2) AND (occurred_at <= $3)"), "where they were last seen to go: {plan}");
    assert!(!plan.contains("Seq Scan") && !plan.contains("clock_entries_old_idx"), "{plan}");
}

/// `coalesce` of a parameter looks like a plain value, and PostgreSQL takes it for something that might leak: what stands beside it is
/// compared row by row, though an index has it. `greatest` and `least` pass over NULL as well, and are known not to.
#[tokio::test]
async fn nothing_is_compared_with_a_value_that_a_policy_keeps_from_an_index() {
    let hotel = TestHotel::open().await;
    let client = hotel.as_application(Some(&hotel.tenant)).await;
    client.batch_execute("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off").await.unwrap();
    let all = [
        housekeeping::infrastructure::statements(),
        staff::infrastructure::statements(),
        reservation::infrastructure::statements(),
    ];
    let mut slow = Vec::new();
    for sql in all.into_iter().flatten() {
        let plan = plan_of(&client, sql).await;
        let compared = |line: &&str| {
            let beside = |sign: &str| line.contains(&format!("{sign} COALESCE($"));
            line.trim_start().starts_with("Filter:") && ["=", "<", ">"].into_iter().any(beside)
        };
        slow.extend(plan.lines().filter(compared).map(|line| format!("{}: {}", sql.name, line.trim())));
    }
    assert!(slow.is_empty(), "use greatest or least instead of coalesce:\n{}", slow.join("\n"));
}

/// Whether an event is new is asked with every event, of an inbox that has those of ninety days: the key alone decides, and whatever PostgreSQL takes the
/// size of the inbox for, it reads nothing of it.
#[tokio::test]
async fn an_event_is_looked_up_in_the_inbox_by_its_key() {
    let hotel = TestHotel::open().await;
    let client = hotel.as_application(Some(&hotel.tenant)).await;
    client.batch_execute("SET plan_cache_mode = force_generic_plan").await.unwrap();
    for (name, sql) in housekeeping::SCHEMA.statements() {
        if !name.starts_with("enter_inbox") {
            continue;
        }
        let plan = plan_of_text(&client, name, sql, 4).await;
        assert!(plan.contains("Conflict Resolution: NOTHING") && !plan.contains("Scan on inbox"), "{name}: {plan}");
    }
}

/// What is open is little, and what was done in a year and a half is much: no month is walked through for the order of a page.
#[tokio::test]
async fn open_tasks_are_listed_without_a_look_at_those_that_are_done() {
    let hotel = TestHotel::open().await;
    let sql = housekeeping::infrastructure::statements();
    let sql = sql.into_iter().find(|sql| sql.name == "sql/task_list_open.sql").unwrap();
    let client = hotel.as_application(Some(&hotel.tenant)).await;
    client.batch_execute("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off").await.unwrap();
    let plan = plan_of(&client, sql).await;
    assert!(plan.contains("tenant_id_room_id_idx") && !plan.contains("pkey"), "{plan}");
}

/// Which tenants have punches that were kept long enough is asked every hour, of all there are: by their age, and not of each.
#[tokio::test]
async fn old_punches_are_looked_for_by_their_age() {
    let hotel = TestHotel::open().await;
    let asks = "SELECT prosrc FROM pg_proc WHERE oid = 'staff.tenants_with_old_time_records'::REGPROC";
    let body: String = hotel.behind.query_one(asks, &[]).await.unwrap().get(0);
    let body = body.replace("moment", "$1::TIMESTAMPTZ").replace("usual_days", "$2::INTEGER");
    hotel.behind.batch_execute("SET plan_cache_mode = force_generic_plan").await.unwrap();
    let plan = plan_of_text(&hotel.behind, "tenants_with_old_time_records", &body, 2).await;
    let by_age = |line: &str| line.contains("Index Cond: ((tenant_id = ") && line.contains("(occurred_at < ($1");
    assert!(plan.lines().any(by_age), "{plan}");
}

/// How PostgreSQL goes about a statement, whatever is asked for.
async fn plan_of(client: &Client, sql: &Sql) -> String {
    plan_of_text(client, sql.name, sql.text, sql.params.len() + 1).await
}

async fn plan_of_text(client: &Client, name: &str, text: &str, params: usize) -> String {
    client.batch_execute(&format!("PREPARE asked AS {text}")).await.unwrap();
    let params = vec!["NULL"; params].join(", ");
    let lines = client.simple_query(&format!("EXPLAIN EXECUTE asked ({params})")).await;
    let lines = lines.unwrap_or_else(|error| panic!("{name}: {error}"));
    client.batch_execute("DEALLOCATE asked").await.unwrap();
    let text = |line: &SimpleQueryMessage| match line {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    };
    lines.iter().filter_map(text).collect::<Vec<_>>().join("\n")
}

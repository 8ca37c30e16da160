//! Indexes that row level security lets be used.

use platform::database::connect;

use crate::test_hotel::new_database;

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

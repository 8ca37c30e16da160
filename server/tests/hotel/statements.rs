//! Every statement is prepared against the migrated schema, so that a wrong column fails here and not at night.

use housekeeping::SCHEMA;
use platform::Sql;
use platform::database::connect;
use tokio_postgres::Client;

use crate::test_hotel::new_database;

/// How the statement differs from what is declared beside it.
async fn differences(client: &Client, sql: &Sql) -> Vec<String> {
    let statement = match client.prepare(sql.text).await {
        Ok(statement) => statement,
        Err(error) => return vec![format!("{}: {error:?}", sql.name)],
    };
    let mut found = Vec::new();
    let takes: Vec<_> = statement.params().iter().map(tokio_postgres::types::Type::name).collect();
    // The tenant comes first everywhere, and the unit of work binds it.
    if takes.first() != Some(&"text") || takes[1..] != *sql.params {
        found.push(format!("{} takes {takes:?} and is declared with {:?}", sql.name, sql.params));
    }
    for (name, kind) in sql.columns {
        match statement.columns().iter().find(|column| column.name() == *name) {
            None => found.push(format!("{} gives no column {name}", sql.name)),
            Some(column) if column.type_().name() != *kind => {
                let given = column.type_().name();
                found.push(format!("{} gives {name} as {given} and is declared with {kind}", sql.name));
            }
            Some(_) => {}
        }
    }
    found
}

#[tokio::test]
async fn every_declared_statement_takes_the_tenant_first_and_gives_what_is_declared() {
    let database = new_database().await;
    let client = connect(&database.login().config()).await.unwrap();
    let mut found = Vec::new();
    let contexts = server::contexts::at_rest();
    let of_contexts = contexts.iter().flat_map(|context| context.statements.clone());
    for sql in of_contexts
        .chain(platform::bus::declared_statements().iter().copied())
        .chain(platform::webhooks::declared_statements().iter().copied())
    {
        found.extend(differences(&client, sql).await);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[tokio::test]
async fn every_sql_file_of_every_context_is_declared() {
    for context in server::contexts::at_rest() {
        let folder = format!("{}/../{}/src/infrastructure/sql", env!("CARGO_MANIFEST_DIR"), context.name);
        let declared: Vec<_> = context.statements.iter().map(|sql| sql.name).collect();
        for file in std::fs::read_dir(folder).unwrap() {
            let name = format!("sql/{}", file.unwrap().file_name().into_string().unwrap());
            assert!(declared.contains(&name.as_str()), "{name} is in no list of statements of {}", context.name);
        }
    }
}

#[tokio::test]
async fn every_statement_of_the_platform_fits_the_schema() {
    let database = new_database().await;
    let client = connect(&database.login().config()).await.unwrap();
    let shared = SCHEMA.statements().into_iter().map(|(name, text)| (name, text.to_owned()));
    for (name, text) in shared.chain(platform::bus::statements(SCHEMA.name)).chain(platform::webhooks::statements()) {
        if let Err(error) = client.prepare(&text).await {
            panic!("{name}: {error:?}");
        }
    }
}

#[tokio::test]
async fn a_statement_that_differs_from_its_declaration_is_found() {
    let database = new_database().await;
    let client = connect(&database.login().config()).await.unwrap();
    let sql = |text, params, columns| Sql { name: "made up", text, params, columns };
    let wrong = [
        sql("SELECT nothing FROM housekeeping.rooms", &[], &[]),
        sql("SELECT floor FROM housekeeping.rooms WHERE floor = $1", &[], &[("floor", "int4")]),
        sql(
            "SELECT floor FROM housekeeping.rooms WHERE tenant_id = $1 AND room_id = $2",
            &["int4"],
            &[("floor", "int4")],
        ),
        sql(
            "SELECT floor FROM housekeeping.rooms WHERE tenant_id = $1 AND room_id = $2",
            &["text"],
            &[("floor", "text")],
        ),
        sql(
            "SELECT floor FROM housekeeping.rooms WHERE tenant_id = $1 AND room_id = $2",
            &["text"],
            &[("number", "text")],
        ),
    ];
    for sql in &wrong {
        assert_eq!(differences(&client, sql).await.len(), 1, "{}", sql.text);
    }
}

/// The COMMIT is on its way behind the UPDATE: only the statement itself can undo the transaction.
#[tokio::test]
async fn every_update_of_a_row_that_was_decided_on_fails_where_the_row_is_gone() {
    let database = new_database().await;
    let client = connect(&database.login().config()).await.unwrap();
    let contexts = server::contexts::at_rest();
    let updates: Vec<_> = contexts
        .iter()
        .flat_map(|context| context.statements.clone())
        .filter(|sql| sql.name.ends_with("_update.sql"))
        .collect();
    assert!(updates.len() >= 4, "{updates:?}");
    for sql in updates {
        // Nobody's row, whatever else it names: every parameter is NULL.
        let nulls = vec!["NULL"; sql.params.len() + 1].join(", ");
        let kinds = std::iter::once("text").chain(sql.params.iter().copied()).collect::<Vec<_>>().join(", ");
        let kinds = kinds.replace("_text", "text[]").replace("_jsonb", "jsonb[]").replace("_int4", "int4[]");
        client
            .batch_execute(&format!("PREPARE gone ({kinds}) AS {}", sql.text))
            .await
            .unwrap_or_else(|error| panic!("{}: {error:?}", sql.name));
        let outcome = client.batch_execute(&format!("EXECUTE gone ({nulls}); ")).await;
        client.batch_execute("DEALLOCATE gone").await.unwrap();
        let code = outcome.expect_err(sql.name).code().cloned();
        assert_eq!(code, Some(tokio_postgres::error::SqlState::DIVISION_BY_ZERO), "{} does not notice", sql.name);
    }
}

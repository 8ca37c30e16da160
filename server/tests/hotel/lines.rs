//! The line to PostgreSQL under bad luck: much said on both sides, questions dropped half-way, statements that fail, tenants in turn.

use std::time::Duration;

use contracts::ids::TenantId;
use housekeeping::SCHEMA;
use platform::database::Read;
use platform::{Fault, Sql, params};

use crate::test_hotel::TestHotel;

static ECHO: Sql = Sql {
    name: "echo",
    text: "SELECT $2::TEXT AS said, current_setting('app.tenant_id') AS tenant WHERE $1::TEXT IS NOT NULL",
    params: &["text"],
    columns: &[("said", "text"), ("tenant", "text")],
};
static SLOW: Sql = Sql {
    name: "slow",
    text: "SELECT pg_sleep(0.1)::TEXT, $2::TEXT AS said WHERE $1::TEXT IS NOT NULL",
    params: &["text"],
    columns: &[("said", "text")],
};
static DIVIDE: Sql = Sql {
    name: "divide",
    text: "SELECT 1 / $2::INTEGER AS part WHERE $1::TEXT IS NOT NULL",
    params: &["int4"],
    columns: &[("part", "int4")],
};
static REMEMBER: Sql = Sql {
    name: "remember",
    text: "INSERT INTO housekeeping.alert_debounce (tenant_id, alert, about, told_at) VALUES ($1, 'escalation', $2, now())",
    params: &["text"],
    columns: &[],
};

async fn said(hotel: &TestHotel, tenant: &TenantId, word: &str) -> (String, String) {
    let mut uow = hotel.app.db.begin_for(&SCHEMA, tenant).await.unwrap();
    let row = uow.read_one(&ECHO, &[&word]).await.unwrap().unwrap();
    let answer = (row.get("said"), row.get("tenant"));
    uow.rollback().await.unwrap();
    answer
}

async fn remembered(hotel: &TestHotel) -> i64 {
    hotel.count("housekeeping.alert_debounce").await
}

#[tokio::test]
async fn much_can_be_said_on_both_sides_at_once() {
    let hotel = TestHotel::open().await;
    // Far more than a socket holds: whoever only wrote before reading would wait for ever, and so would PostgreSQL.
    let long: Vec<String> = (0..6).map(|number| format!("{number}").repeat(3 << 20)).collect();
    let mut uow = hotel.app.db.begin_for(&SCHEMA, &hotel.tenant).await.unwrap();
    let reads: [Read<'_>; 6] =
        std::array::from_fn(|at| Read { sql: &ECHO, params: Box::leak(Box::new([&long[at] as _])) });
    let answers = uow.read_together(reads).await.unwrap();
    for (rows, word) in answers.iter().zip(&long) {
        assert!(rows[0].get::<_, &str>("said") == word, "each answer belongs to its question");
    }
    uow.rollback().await.unwrap();
}

#[tokio::test]
async fn a_question_that_was_dropped_is_nobody_elses_answer() {
    let hotel = TestHotel::open().await;
    for round in 0..40 {
        let mut uow = hotel.app.db.begin_for(&SCHEMA, &hotel.tenant).await.unwrap();
        let dropped = tokio::time::timeout(Duration::from_millis(20), uow.read(&SLOW, &[&"dropped"])).await;
        assert!(dropped.is_err(), "it was still being answered");
        drop(uow);
        let word = format!("round {round}");
        assert_eq!(said(&hotel, &hotel.tenant, &word).await.0, word);
    }
}

#[tokio::test]
async fn behind_a_statement_that_failed_nothing_is_committed() {
    let hotel = TestHotel::open().await;
    let db = &hotel.app.db;

    let mut uow = db.begin_for(&SCHEMA, &hotel.tenant).await.unwrap();
    let failed = uow.read(&DIVIDE, &[&0]).await;
    assert!(matches!(failed, Err(Fault::Unexpected { .. })), "{failed:?}");
    uow.project(&REMEMBER, params!["after a read that failed".to_owned()]);
    assert!(uow.commit().await.is_err(), "whoever goes on all the same keeps nothing");

    let mut uow = db.begin_for(&SCHEMA, &hotel.tenant).await.unwrap();
    uow.project(&REMEMBER, params!["before".to_owned()]);
    uow.project(&DIVIDE, params![0]);
    uow.project(&REMEMBER, params!["behind".to_owned()]);
    assert!(uow.commit().await.is_err());
    assert_eq!(remembered(&hotel).await, 0, "neither what was before it nor what was behind it");

    let mut uow = db.begin_for(&SCHEMA, &hotel.tenant).await.unwrap();
    uow.project(&REMEMBER, params!["alone".to_owned()]);
    uow.commit().await.unwrap();
    assert_eq!(remembered(&hotel).await, 1, "and the connections are as good as new");
}

#[tokio::test]
async fn tenants_in_turn_are_each_themselves_on_lines_that_were_not_waited_for() {
    let hotel = TestHotel::open().await;
    let other = TenantId::parse("tnt_01KPSY36J0FPMF05WWDYJ1F0AS").unwrap();
    for round in 0..60 {
        let tenant = if round % 2 == 0 { &hotel.tenant } else { &other };
        let word = format!("round {round}");
        assert_eq!(said(&hotel, tenant, &word).await, (word, tenant.to_string()));
    }
}

static UNKNOWN: Sql = Sql {
    name: "unknown",
    text: "SELECT nothing FROM nowhere WHERE $1::TEXT = $2::TEXT",
    params: &["text"],
    columns: &[],
};

#[tokio::test]
async fn a_statement_that_cannot_be_understood_spoils_no_other() {
    let hotel = TestHotel::open().await;
    for round in 0..20 {
        let mut uow = hotel.app.db.begin_for(&SCHEMA, &hotel.tenant).await.unwrap();
        let word = format!("round {round}");
        let both = [Read { sql: &SLOW, params: &[&word] }, Read { sql: &UNKNOWN, params: &[&word] }];
        let refused = uow.read_together(both).await;
        assert!(matches!(&refused, Err(Fault::Unexpected { place, .. }) if place == "unknown"), "{refused:?}");
        uow.rollback().await.unwrap();
        let mut uow = hotel.app.db.begin_for(&SCHEMA, &hotel.tenant).await.unwrap();
        let row = uow.read_one(&SLOW, &[&word]).await.unwrap().unwrap();
        assert_eq!(row.get::<_, &str>("said"), word);
        uow.rollback().await.unwrap();
    }
}

static STAR: Sql = Sql {
    name: "star",
    text: "SELECT a.* FROM housekeeping.alert_debounce a WHERE a.tenant_id = $1 AND a.about = $2",
    params: &["text"],
    columns: &[],
};

#[tokio::test]
async fn a_table_that_grows_under_a_working_house_costs_each_line_one_question() {
    let hotel = TestHotel::open().await;
    let ask = async || {
        let mut uow = hotel.app.db.begin_for(&SCHEMA, &hotel.tenant).await.unwrap();
        let outcome = uow.read(&STAR, &[&"nothing"]).await.map(|rows| rows.len());
        uow.rollback().await.unwrap();
        outcome
    };
    // As many at once as there are lines, so that all of them know the statement.
    let all: Vec<_> = futures_util::future::join_all((0..32).map(|_| ask())).await;
    assert!(all.iter().all(|outcome| matches!(outcome, Ok(0))), "{all:?}");
    hotel.behind.batch_execute("ALTER TABLE housekeeping.alert_debounce ADD COLUMN later TEXT").await.unwrap();

    let mut refused = 0;
    for _ in 0..64 {
        match ask().await {
            Ok(_) => {}
            Err(fault) => {
                assert!(matches!(fault, Fault::Unavailable(_)), "to be asked again: {fault:?}");
                refused += 1;
            }
        }
    }
    assert!(refused > 0, "nobody noticed");
    let all: Vec<_> = futures_util::future::join_all((0..32).map(|_| ask())).await;
    assert!(all.iter().all(Result::is_ok), "after {refused}: {all:?}");
}

//! The desk: what there is to sell, holds and their end, and the chart of a house, each against the database alone.

use std::time::{Duration, Instant};

use platform::Clock;
use tokio_postgres::Client;

use crate::Outcome;
use crate::hotel;
use crate::limit::{self, Limit};
use crate::load::{self, Connection, Reached, Script, Span, timed};
use crate::stage::{Product, Stage};

const TENANT: &str = "tnt_DESK";
/// So many kinds of rooms there are.
const KINDS: u64 = 50;
/// So many holds end in one second.
pub(crate) const HOLDS: usize = 500;

/// Fills the house: four fifths of a year are taken.
pub(crate) async fn open(superuser: &Client) -> Outcome<()> {
    superuser.batch_execute(include_str!("../sql/desk.sql")).await?;
    for table in ["room_allocations", "reservations", "rooms", "guests"] {
        superuser.batch_execute(&format!("VACUUM (ANALYZE) reservation.{table}")).await?;
    }
    Ok(())
}

fn day(ahead: i32) -> jiff::civil::Date {
    let today = Clock::system().now().jiff().to_zoned(jiff::tz::TimeZone::UTC).date();
    today.checked_add(jiff::Span::new().days(ahead)).unwrap_or(today)
}

fn token(stage: &Stage, number: usize) -> String {
    hotel::token(stage, TENANT, "front_desk", &format!("usr_DESK{number}"), None)
}

struct Looker {
    request: Vec<u8>,
}

impl Script for Looker {
    async fn turn(&mut self, connection: &mut Connection, report: &mut Vec<Duration>) -> Outcome<bool> {
        timed(connection, &self.request, report).await?;
        Ok(true)
    }
}

async fn look(stage: &Stage, product: &Product, path: &str, connections: usize, span: Span) -> Outcome<Reached> {
    let looker = |number: usize| {
        let token = token(stage, number);
        let request = format!("GET {path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\n\r\n");
        Looker { request: request.into_bytes() }
    };
    Ok(load::run(product.address, (0..connections).map(looker).collect(), span).await?.0)
}

/// The statements of the product with their parameters filled in, as one transaction of the tenant's.
async fn asked(
    stage: &Stage,
    name: &str,
    statements: &[&str],
    params: &[&str],
    clients: usize,
    span: Span,
) -> Outcome<Limit> {
    let mut text = format!("BEGIN;\nSELECT set_config('app.tenant_id', '{TENANT}', true);\n");
    for statement in statements {
        let mut statement = (*statement).to_owned();
        for (at, param) in params.iter().enumerate().rev() {
            statement = statement.replace(&format!("${}", at + 1), param);
        }
        text.push_str(statement.trim_end());
        text.push_str(";\n");
    }
    text.push_str("COMMIT;\n");
    limit::run_text(stage, name, &text, 1.0, clients, span).await
}

/// `GET /availability`: a year of fifty kinds.
pub(crate) async fn availability(
    stage: &Stage,
    product: &Product,
    clients: usize,
    span: Span,
) -> Outcome<(Reached, Limit)> {
    let (from, to) = (day(1), day(366));
    let path = format!("/reservation/v1/availability?propertyId=prp_DESK&from={from}&to={to}");
    let reached = look(stage, product, &path, clients, span).await?;
    let sql = include_str!("../../reservation/src/infrastructure/sql/availability.sql");
    let (from, to) = (format!("'{from}'::DATE"), format!("'{to}'::DATE"));
    let params = ["'tnt_DESK'", "'prp_DESK'", &from, &to, "NULL", "NULL"];
    let limit = asked(stage, "availability.pgbench", &[sql], &params, clients, span).await?;
    Ok((reached, limit))
}

/// `GET /timeline`: a month of two hundred rooms.
pub(crate) async fn timeline(
    stage: &Stage,
    product: &Product,
    clients: usize,
    span: Span,
) -> Outcome<(Reached, Limit)> {
    let (from, to) = (day(1), day(32));
    let path = format!("/reservation/v1/timeline?propertyId=prp_CHART&from={from}&to={to}");
    let reached = look(stage, product, &path, clients, span).await?;
    let statements = [
        include_str!("../../reservation/src/infrastructure/sql/settings_find.sql"),
        include_str!("../../reservation/src/infrastructure/sql/timeline_rooms.sql"),
        include_str!("../../reservation/src/infrastructure/sql/timeline_stays.sql"),
        include_str!("../../reservation/src/infrastructure/sql/timeline_elsewhere.sql"),
        include_str!("../../reservation/src/infrastructure/sql/timeline_blocks.sql"),
    ];
    let (from, to) = (format!("'{from}'::DATE"), format!("'{to}'::DATE"));
    let params = ["'tnt_DESK'", "'prp_CHART'", &from, &to];
    let limit = asked(stage, "timeline.pgbench", &statements, &params, clients, span).await?;
    Ok((reached, limit))
}

/// Somebody who holds a room and confirms it, again and again.
struct Booker {
    token: String,
    /// Drawn from: which kind, which night.
    seed: u64,
    ttl: u32,
    confirms: bool,
}

impl Booker {
    fn draw(&mut self, below: u64) -> u64 {
        // Numbers that look as if by chance, without asking anybody for one.
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) % below
    }

    fn request(&self, path: &str, body: &str) -> Vec<u8> {
        let (token, length) = (&self.token, body.len());
        format!("POST /reservation/v1/reservations{path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}").into_bytes()
    }
}

impl Script for Booker {
    async fn turn(&mut self, connection: &mut Connection, report: &mut Vec<Duration>) -> Outcome<bool> {
        let (kind, ahead) = (self.draw(KINDS), i32::try_from(self.draw(300))? + 400);
        let (from, to) = (day(ahead), day(ahead + 2));
        let body = format!(
            r#"{{"propertyId":"prp_DESK","stayWindow":{{"start":"{from}","end":"{to}"}},"items":[{{"roomTypeId":"rmt_{kind:02}","occupants":{{"adults":2}}}}],"primaryGuest":{{"name":"Zarmina Noori","email":"zarmina@example.com","phone":"+93700123456"}},"holdTtlSeconds":{}}}"#,
            self.ttl
        );
        timed(connection, &self.request("", &body), report).await?;
        if self.confirms {
            let id = connection.text_after("\"reservationId\":\"").ok_or("no reservation in the answer")?;
            let path = format!("/{id}/confirm");
            timed(connection, &self.request(&path, r#"{"payment":{"method":"cash_on_arrival"}}"#), report).await?;
        }
        Ok(true)
    }
}

fn bookers(stage: &Stage, connections: usize, round: usize, ttl: u32, confirms: bool) -> Vec<Booker> {
    let booker =
        |number: usize| Booker { token: token(stage, number), seed: (round * 1_000 + number) as u64, ttl, confirms };
    (0..connections).map(booker).collect()
}

/// Hold and confirm over fifty kinds. Each side finds the nights free: a house that fills up is another question.
pub(crate) async fn holds(
    stage: &Stage,
    superuser: &Client,
    product: &Product,
    clients: usize,
    (round, span): (usize, Span),
) -> Outcome<(Reached, Limit)> {
    free_the_nights(superuser).await?;
    let reached = load::run(product.address, bookers(stage, clients, round, 600, true), span).await?.0;
    free_the_nights(superuser).await?;
    let text = include_str!("../sql/holds.pgbench");
    let limit = limit::run_text(stage, "holds.pgbench", text, 2.0, clients, span).await?;
    Ok((reached, limit))
}

async fn free_the_nights(superuser: &Client) -> Outcome<()> {
    superuser.batch_execute("DELETE FROM reservation.room_allocations WHERE starts >= current_date + 400").await?;
    // As autovacuum would within a minute: plans made for empty tables read all timers for one.
    for table in ["room_allocations", "reservations", "guests", "timers", "facts"] {
        superuser.batch_execute(&format!("VACUUM (ANALYZE) reservation.{table}")).await?;
    }
    Ok(())
}

/// Holds that all end within one second: how long after its time the last of them was over, by the server's own commit times.
pub(crate) async fn expiry(stage: &Stage, superuser: &Client, product: &Product) -> Outcome<f64> {
    let mut connection = Connection::open(product.address).await?;
    let mut booker = bookers(stage, 1, 77, 1_800, false).pop().ok_or("nobody books")?;
    superuser.batch_execute("DELETE FROM reservation.timers WHERE kind = 'hold_expiry'").await?;
    let mut times = Vec::new();
    for _ in 0..HOLDS {
        booker.turn(&mut connection, &mut times).await?;
    }
    // Three seconds from now, spread over one.
    let sql = "WITH due AS (
                 SELECT reservation_id, now() + interval '3 seconds' + (row_number() OVER ()) * interval '2 milliseconds' AS at
                 FROM reservation.timers WHERE kind = 'hold_expiry' AND tenant_id = 'tnt_DESK'
               ), timer AS (
                 UPDATE reservation.timers t SET due_at = due.at FROM due WHERE t.reservation_id = due.reservation_id AND t.kind = 'hold_expiry'
               )
               UPDATE reservation.reservations r SET body = jsonb_set(body, '{hold,expires_at}',
                 to_jsonb(to_char(due.at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')))
               FROM due WHERE r.id = due.reservation_id";
    let moved = superuser.execute(sql, &[]).await?;
    if usize::try_from(moved)? != HOLDS {
        return Err(format!("{moved} holds instead of {HOLDS}").into());
    }
    let begun = Instant::now();
    loop {
        let left: i64 = superuser
            .query_one(
                "SELECT count(*) FROM reservation.timers WHERE kind = 'hold_expiry' AND tenant_id = 'tnt_DESK'",
                &[],
            )
            .await?
            .get(0);
        if left == 0 {
            break;
        }
        if begun.elapsed() > Duration::from_secs(30) {
            return Err(format!("{left} holds are still there").into());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let late = "SELECT coalesce(max(extract(epoch FROM pg_xact_commit_timestamp(xmin) - (body -> 'hold' ->> 'expires_at')::TIMESTAMPTZ)) * 1000, 0)::FLOAT8
                FROM reservation.reservations WHERE tenant_id = 'tnt_DESK' AND status = 'expired'";
    Ok(superuser.query_one(late, &[]).await?.get(0))
}

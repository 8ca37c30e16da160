//! What a long history costs: the same house with little behind it and with a great deal, side by side in two databases.

use std::time::Duration;

use tokio_postgres::Client;

use crate::Outcome;
use crate::hotel;
use crate::load::{self, Connection, Reached, Script, Span, timed};
use crate::report::Figure;
use crate::stage::{Product, Stage};

const TENANT: &str = "tnt_01KPSY36J000000000000HSTRY";
const PROPERTY: &str = "prp_01KPSY36J000000000000HSTRY";
/// Two hundred rooms, once a day.
const OF_A_MONTH: i64 = 6_000;

/// How much is behind the houses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) board: i64,
    pub(crate) statistics: i64,
    pub(crate) much: i64,
}

impl Sizes {
    pub(crate) fn new(quick: bool) -> Self {
        let much = if quick { 100_000 } else { 1_000_000 };
        Self { board: 10_000, statistics: 50_000, much }
    }
}

/// One of the two.
struct House {
    superuser: Client,
    product: Product,
}

impl House {
    async fn open(stage: &Stage, database: &str, tasks: i64) -> Outcome<Self> {
        stage.make_database(database).await?;
        // `up` brings the tables; the house is measured as one of many replicas, with nothing else at work.
        stage.start_product_on(database, "up").await?.stop().await?;
        let superuser = stage.superuser_on(database).await?;
        let furnish = include_str!("../sql/history.sql").replace("{TENANT}", TENANT).replace("{PROPERTY}", PROPERTY);
        superuser.batch_execute(&furnish).await?;
        superuser.execute("SELECT bench.make_month($1)", &[&OF_A_MONTH]).await?;
        let house = Self { product: stage.start_product_on(database, "serve").await?, superuser };
        house.grow(tasks - OF_A_MONTH).await?;
        Ok(house)
    }

    /// So many more tasks that are over, in the months before the one that is asked about.
    async fn grow(&self, tasks: i64) -> Outcome<()> {
        eprintln!("… {tasks} tasks of earlier months");
        // What triggers keep in step is about work that is open, and this is over.
        self.superuser.batch_execute("SET session_replication_role = replica").await?;
        self.superuser.execute("SELECT bench.make_history($1)", &[&tasks]).await?;
        self.superuser.batch_execute("RESET session_replication_role").await?;
        self.superuser.batch_execute("VACUUM (ANALYZE)").await?;
        Ok(self.superuser.batch_execute("CHECKPOINT").await?)
    }

    /// Whether a board that was composed may be kept: without, every look composes it.
    async fn keep_boards(&self, keep: bool) -> Outcome<()> {
        let state = if keep { "DISABLE" } else { "ENABLE" };
        let sql = format!(
            "ALTER TABLE housekeeping.board_snapshot_mat {state} TRIGGER bench_forget;
                           DELETE FROM housekeeping.board_snapshot_mat"
        );
        Ok(self.superuser.batch_execute(&sql).await?)
    }

    async fn ask(
        &self,
        stage: &Stage,
        path: &str,
        etag: Option<&str>,
        connections: usize,
        span: Span,
    ) -> Outcome<Reached> {
        let tag = etag.map_or(String::new(), |etag| format!("if-none-match: {etag}\r\n"));
        let askers = (0..connections)
            .map(|number| {
                let token = hotel::token(stage, TENANT, "supervisor", &format!("usr_HISTORY{number}"), None);
                let request = format!(
                    "GET /housekeeping/v1/{path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\n{tag}\r\n"
                );
                Asker { request: request.into_bytes() }
            })
            .collect();
        Ok(load::run(self.product.address, askers, span).await?.0)
    }
}

struct Asker {
    request: Vec<u8>,
}

impl Script for Asker {
    async fn turn(&mut self, connection: &mut Connection, report: &mut Vec<Duration>) -> Outcome<bool> {
        timed(connection, &self.request, report).await?;
        Ok(true)
    }
}

/// Boards and statistics with little and with much behind them, in rounds that alternate.
pub(crate) async fn measure(stage: &Stage, sizes: Sizes, rounds: usize, span: Span) -> Outcome<Vec<Figure>> {
    eprintln!("… {} tasks that are over, and {}", sizes.board, sizes.much);
    let little = House::open(stage, "history_little", sizes.board).await?;
    let much = House::open(stage, "history_much", sizes.much).await?;
    let mut figures = Vec::new();
    let board = format!("board?propertyId={PROPERTY}");

    for house in [&little, &much] {
        house.keep_boards(false).await?;
    }
    let found = alternate(stage, [&little, &much], &board, 99, rounds, span).await?;
    figures.push(figure("board of 200 rooms, p99, 10,000 tasks behind it", found[0], "ms", None));
    figures.push(figure("board of 200 rooms, p99, a million behind it", found[1], "ms", None));
    figures.push(figure("board, much against little behind it", found[2], "times", Some(1.3)));

    much.keep_boards(true).await?;
    let composed = found[1];
    let kept = much.ask(stage, &board, None, 8, span).await?;
    figures.push(figure(
        "the same board from its snapshot, p99",
        milliseconds(kept.percentile(99)),
        "ms",
        Some(composed),
    ));
    let row = much.superuser.query_one("SELECT etag FROM housekeeping.board_snapshot_mat", &[]).await?;
    let etag: String = row.get(0);
    let known = much.ask(stage, &board, Some(&etag), 8, span).await?;
    figures.push(figure(
        "`If-None-Match` of that board, p99",
        milliseconds(known.percentile(99)),
        "ms",
        Some(composed),
    ));
    figures.push(figure("`If-None-Match` of that board, 8 connections", known.per_second, "a second", None));

    little.grow(sizes.statistics - sizes.board).await?;
    let row = much.superuser.query_one("SELECT bench.asked_from(), bench.asked_to()", &[]).await?;
    let (from, to): (String, String) = (row.get(0), row.get(1));
    let path = format!("stats/turnover?propertyId={PROPERTY}&from={from}&to={to}");
    let found = alternate(stage, [&little, &much], &path, 50, rounds, span).await?;
    figures.push(figure("statistics of a month, p50, among 50,000 tasks", found[0], "ms", None));
    figures.push(figure("statistics of a month, p50, among a million", found[1], "ms", None));
    figures.push(figure("statistics, among many against among few", found[2], "times", Some(2.0)));
    little.product.stop().await?;
    much.product.stop().await?;
    Ok(figures)
}

/// The median over the rounds of a percentile, of the one and of the other, and of their ratio.
async fn alternate(
    stage: &Stage,
    houses: [&House; 2],
    path: &str,
    percent: usize,
    rounds: usize,
    span: Span,
) -> Outcome<[f64; 3]> {
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for round in 0..rounds {
        let mut found = [0.0; 2];
        // Now the one first and now the other.
        for at in [round % 2, 1 - round % 2] {
            let reached = houses[at].ask(stage, path, None, 4, span).await?;
            found[at] = milliseconds(reached.percentile(percent));
        }
        eprintln!("  {path:.40}: {:.2} ms and {:.2} ms", found[0], found[1]);
        times[0].push(found[0]);
        times[1].push(found[1]);
        times[2].push(found[1] / found[0]);
    }
    Ok(times.map(crate::report::median))
}

fn figure(name: &'static str, value: f64, unit: &'static str, wanted_below: Option<f64>) -> Figure {
    Figure { name, value, unit, wanted_below }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

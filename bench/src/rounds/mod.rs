//! The order of the measurements: ours and the limit take turns, and medians are kept.

mod archive;
mod delivery;
mod desk;
mod housekeeping;
mod staff;

use std::sync::Arc;
use std::time::{Duration, Instant};

use platform::auth::Verifier;
use platform::bus::{Broker, TailOptions};
use platform::database::{OWNER_ROLE, connect, migrate};
use platform::http::PushGate;
use platform::{Clock, Ids};
use server::app::{App, Parts};
use tokio::process::Child;

use crate::history::{self, Sizes};
use crate::hotel::{Hotel, LANES};
use crate::limit::Limit;
use crate::load::{Reached, Span};
use crate::nats::AtNats;
use crate::processor::Cost;
use crate::report::{Comparison, Figure, Machine, Results, Size};
use crate::stage::Stage;
use crate::{Outcome, tasks};

/// What can be measured alone.
const CASES: [&str; 23] = [
    "tasks",
    "checkouts",
    "board",
    "up",
    "streams",
    "history",
    "redis",
    "relay",
    "nats",
    "latency",
    "writers",
    "staff-punches",
    "staff-pin",
    "staff-guesses",
    "staff-roster",
    "staff-replay",
    "availability",
    "holds",
    "timeline",
    "expiry",
    "replay",
    "archive",
    "ticks",
];
const MEBIBYTE: f64 = 1_048_576.0;

/// How long everything takes.
pub(crate) struct Plan {
    pub(crate) span: Span,
    pub(crate) rounds: usize,
    few_rounds: usize,
    relay_rows: i64,
    latency: Duration,
    idle: Duration,
}

impl Plan {
    pub(crate) fn new(quick: bool) -> Self {
        let seconds = Duration::from_secs;
        if quick {
            let span = Span { warm_up: seconds(1), counted: seconds(1) };
            return Self { span, rounds: 1, few_rounds: 1, relay_rows: 2_000, latency: seconds(2), idle: seconds(1) };
        }
        let span = Span { warm_up: seconds(1), counted: seconds(3) };
        Self { span, rounds: 5, few_rounds: 3, relay_rows: 20_000, latency: seconds(10), idle: seconds(3) }
    }
}

struct Bench<'a> {
    stage: &'a Stage,
    hotel: Hotel,
    plan: Plan,
    ratios: Vec<Comparison>,
    figures: Vec<Figure>,
}

/// Everything, or what was asked for.
#[expect(clippy::too_many_lines, reason = "the order of all measurements, read from top to bottom")]
pub(crate) async fn measure(
    stage: &Stage,
    quick: bool,
    only: Option<&str>,
    archive_rows: Option<i64>,
) -> Outcome<Results> {
    let begun = Instant::now();
    let machine = Machine {
        processors: std::thread::available_parallelism()?.get(),
        postgresql: stage.cluster()?.binaries().version().to_owned(),
        load_before: std::fs::read_to_string("/proc/loadavg")?.split(' ').next().unwrap_or("0").parse()?,
    };
    let wanted = |name: &str| only.is_none_or(|only| name.contains(only));

    let plan = Plan::new(quick);
    let mut idle = None;
    if only.is_none_or(needs_product) {
        say("everything in one process, idle");
        let product = stage.start_product("up").await?;
        tokio::time::sleep(plan.idle).await;
        idle = Some(product.memory()?.0);
        product.stop().await?;
    }

    if only.is_some_and(|only| !CASES.iter().any(|name| name.contains(only))) {
        return Err(format!("there is no such case; there are {}", CASES.join(", ")).into());
    }
    let long_ago = if wanted("history") {
        history::measure(stage, Sizes::new(quick), plan.rounds, plan.span).await?
    } else {
        Vec::new()
    };
    if only == Some("history") {
        let (ratios, same_work) = (Vec::new(), Vec::new());
        let seconds = begun.elapsed().as_secs_f64();
        return Ok(Results { machine, quick, seconds, ratios, figures: long_ago, same_work });
    }
    if idle.is_none() {
        prepare(stage).await?;
    }
    let app = Arc::new(application(stage, None)?);
    app.register().await.map_err(|failure| failure.to_string())?;
    say("preparing five hotels");
    let hotel = Hotel::open(stage, &app.db).await?;
    let mut bench = Bench { stage, hotel, plan, ratios: Vec::new(), figures: Vec::new() };
    bench.figures.extend(long_ago);
    if let Some(idle) = idle {
        bench.figure("memory of an idle process", to_mebibytes(idle), "MiB", Some(80.0));
        bench.with_product(&wanted).await?;
    }
    let same_work = bench.sizes().await?;

    if wanted("up") {
        // The relay of this process also publishes what pgbench writes.
        bench.hotel.superuser.batch_execute("TRUNCATE housekeeping.outbox").await?;
        let product = stage.start_product("up").await?;
        let name = "the same at 32, relay and worker in the process";
        bench.tasks(&product, 32, bench.plan.rounds, name, 0.75).await?;
        product.stop().await?;
    }
    if wanted("streams") {
        bench.hotel.superuser.batch_execute("TRUNCATE housekeeping.outbox").await?;
        let product = stage.start_product("up").await?;
        bench.streams(&product).await?;
        product.stop().await?;
    }
    if wanted("redis") {
        bench.redis().await?;
    }
    if wanted("relay") {
        bench.relay(&app).await?;
    }
    if wanted("latency") {
        bench
            .latency(
                &app,
                [
                    "commit to handler's commit at 200/s, p50",
                    "commit to handler's commit at 200/s, p99",
                    "commit to handler's commit at 200/s, worst",
                ],
            )
            .await?;
    }
    if (wanted("nats") || wanted("latency"))
        && let Some(at_nats) = AtNats::open().await?
    {
        let broker: Arc<dyn Broker> = Arc::clone(&at_nats.broker) as _;
        let through = Arc::new(application(stage, Some(Arc::clone(&broker)))?);
        broker.apply(&through.subscriptions).await?;
        if wanted("nats") {
            bench.drain_to_nats(&through, &at_nats).await?;
        }
        if wanted("latency") {
            let names = [
                "commit to handler through NATS, p50",
                "commit to handler through NATS, p99",
                "commit to handler through NATS, worst",
            ];
            bench.latency(&through, names).await?;
        }
    }
    if wanted("writers") {
        bench.relayed().await?;
    }
    bench.front_office(&wanted).await?;
    if wanted("archive") {
        let rows = archive_rows.unwrap_or(if quick { 20_000 } else { 1_000_000 });
        bench.archive(rows).await?;
    }
    // Last: nobody else should have ten thousand companies around.
    if wanted("ticks") {
        bench.ticks(&app, quick).await?;
    }
    let Bench { ratios, figures, .. } = bench;
    Ok(Results { machine, quick, seconds: begun.elapsed().as_secs_f64(), ratios, figures, same_work })
}

/// The tables, which the product makes itself where it is started.
async fn prepare(stage: &Stage) -> Outcome<()> {
    let client = connect(&stage.login()?).await?;
    migrate(&client, &server::contexts::migrations()).await?;
    client.batch_execute(&format!("SET ROLE {OWNER_ROLE}")).await?;
    for context in server::contexts::at_rest() {
        (context.prepare)(&client, Clock::system()).await?;
    }
    Ok(())
}

fn say(what: &str) {
    eprintln!("… {what}");
}

#[expect(clippy::cast_precision_loss, reason = "bytes of memory are far below 2^52")]
fn to_mebibytes(bytes: u64) -> f64 {
    bytes as f64 / MEBIBYTE
}

/// The product's parts in this process, for what HTTP does not reach: relay and worker.
pub(crate) fn application(stage: &Stage, broker: Option<Arc<dyn Broker>>) -> Outcome<App> {
    let verifier = Arc::new(Verifier::embedded(stage.key()));
    let parts = Parts {
        database: stage.login()?.into(),
        connections: 16,
        rate_limit: 5_000,
        edge: platform::http::Edge::default(),
        push: PushGate::local(Arc::clone(&verifier)),
        verifier,
        secrets: platform::auth::Secrets::fresh(stage.key().clone())?,
        contexts: server::contexts::at_rest(),
        served: None,
        clock: Clock::system(),
        ids: Ids::random(),
        backoff: None,
        dies_at: None,
        web: server::web::WebParts::default(),
        live: TailOptions::default(),
        archive: None,
        broker,
        webhooks: platform::webhooks::WebhookOptions::default(),
        cache: None,
    };
    App::build(parts).map_err(|failure| failure.to_string().into())
}

/// The measurements of staff, each of which can be asked for alone.
const STAFF: [&str; 5] = ["staff-punches", "staff-pin", "staff-guesses", "staff-roster", "staff-replay"];

/// One round of both sides, with what they cost.
struct Round {
    reached: Reached,
    limit: Limit,
    ours_cost: Cost,
    limit_cost: Cost,
}

/// Whether a part is measured on the product as a process of its own; the others are parts of it in this one.
pub(crate) fn needs_product(only: &str) -> bool {
    !["relay", "nats", "latency", "ticks"].contains(&only)
}

impl Bench<'_> {
    async fn with_product(&mut self, wanted: &impl Fn(&str) -> bool) -> Outcome<()> {
        let product = self.stage.start_product("serve").await?;
        if wanted("tasks") {
            self.tasks(&product, 8, self.plan.few_rounds, "start and complete a task, 8 connections", 0.6).await?;
            self.tasks(&product, 32, self.plan.rounds, "start and complete a task, 32 connections", 0.6).await?;
            let (_, most) = product.memory()?;
            self.figure("memory of a loaded process", to_mebibytes(most), "MiB", None);
        }
        if wanted("checkouts") {
            self.checkouts(&product).await?;
        }
        if wanted("board") {
            self.board(&product).await?;
        }
        if STAFF.iter().any(|name| wanted(name)) {
            self.staff(&product, wanted).await?;
        }
        product.stop().await
    }

    /// People who work, every other time with something beside them that must be at work all the time.
    async fn beside(
        &mut self,
        name: &'static str,
        against: &'static str,
        wanted: f64,
        start: impl AsyncFn(&Stage) -> Outcome<Child>,
    ) -> Outcome<Comparison> {
        let mut rounds = Vec::new();
        for round in 1..=self.plan.rounds {
            let mut reached = [0.0; 2];
            for with in [round % 2 == 0, round % 2 == 1] {
                // No worker takes what the relay delivers, and what has grown in one round would be in the way of the next.
                let empty = "TRUNCATE housekeeping.outbox, bus.event_log, bus.deliveries, bus.webhook_deliveries";
                self.hotel.superuser.batch_execute(empty).await?;
                self.hotel.prepare_tasks(false, LANES, self.plan.span).await?;
                let product = self.stage.start_product("serve").await?;
                let company = if with { Some(start(self.stage).await?) } else { None };
                let found = tasks::ours(self.stage, &mut self.hotel, &product, LANES, self.plan.span).await?;
                reached[usize::from(!with)] = found.per_second;
                if let Some(mut company) = company {
                    if let Some(status) = company.try_wait()? {
                        return Err(format!("what was beside it ended too early, with {status}").into());
                    }
                    company.kill().await?;
                }
                product.stop().await?;
            }
            progress(name, round, reached[0], reached[1]);
            rounds.push(reached);
        }
        Ok(Comparison::new(name, against, wanted, rounds))
    }

    fn figure(&mut self, name: &'static str, value: f64, unit: &'static str, wanted_below: Option<f64>) {
        self.figures.push(Figure { name, value, unit, wanted_below });
    }

    /// How long the written events are on both sides. The limit's event ids begin with digits, a ULID of today does not.
    async fn sizes(&self) -> Outcome<Vec<Size>> {
        let sql = "SELECT subject,
                     coalesce(avg(length(payload::TEXT)) FILTER (WHERE event_id >= 'evt_01A'), 0)::FLOAT8,
                     coalesce(avg(length(payload::TEXT)) FILTER (WHERE event_id < 'evt_01A'), 0)::FLOAT8,
                     coalesce(avg(length(envelope_meta::TEXT)) FILTER (WHERE event_id >= 'evt_01A'), 0)::FLOAT8,
                     coalesce(avg(length(envelope_meta::TEXT)) FILTER (WHERE event_id < 'evt_01A'), 0)::FLOAT8
                   FROM housekeeping.outbox GROUP BY subject ORDER BY subject";
        let rows = self.hotel.superuser.query(sql, &[]).await?;
        let size = |row: &tokio_postgres::Row| Size {
            subject: row.get(0),
            ours_payload: row.get(1),
            limit_payload: row.get(2),
            ours_meta: row.get(3),
            limit_meta: row.get(4),
        };
        Ok(rows.iter().map(size).collect())
    }
}

pub(crate) fn progress(name: &str, round: usize, ours: f64, other: f64) {
    eprintln!("… {name}: round {round}: {ours:.0} against {other:.0}: {:.2}", ours / other);
}

fn milliseconds(reached: &Reached, percent: usize) -> f64 {
    reached.percentile(percent).as_secs_f64() * 1_000.0
}

fn compared(name: &'static str, wanted: f64, all: &[Round]) -> Comparison {
    let rounds = all.iter().map(|round| [round.reached.per_second, round.limit.per_second]).collect();
    let mut row = Comparison::new(name, "one PL/pgSQL call by pgbench", wanted, rounds);
    if let Some(Round { reached, ours_cost, limit_cost, .. }) = all.last() {
        row.ours_p50_ms = Some(milliseconds(reached, 50));
        row.ours_p99_ms = Some(milliseconds(reached, 99));
        row.ours_cost = Some(*ours_cost);
        row.other_cost = Some(*limit_cost);
    }
    row
}

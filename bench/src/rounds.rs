//! The order of the measurements: ours and the limit take turns, and medians are kept.

use std::sync::Arc;
use std::time::{Duration, Instant};

use platform::auth::Verifier;
use platform::bus::{Broker, TailOptions};
use platform::database::{OWNER_ROLE, connect, migrate};
use platform::http::PushGate;
use platform::{Clock, Ids};
use server::app::{App, Parts};

use crate::history::{self, Sizes};
use crate::hotel::{Hotel, LANES};
use crate::limit::Limit;
use crate::load::{Reached, Span};
use crate::nats::AtNats;
use crate::processor::{Cost, Used};
use crate::report::{Comparison, Figure, Machine, Results, Size};
use crate::stage::{Product, Stage};
use crate::streams::Streams;
use crate::{Outcome, archive, board, checkouts, desk, latency, nats, redis, relay, staff, tasks, ticks};

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
        bench.tasks(&product, 32, bench.plan.few_rounds, name, 0.0).await?;
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
    /// What guests and the desk wait for.
    async fn front_office(&mut self, wanted: &impl Fn(&str) -> bool) -> Outcome<()> {
        let at_the_desk = ["availability", "holds", "timeline", "expiry"];
        if at_the_desk.into_iter().any(wanted) {
            desk::open(&self.hotel.superuser).await?;
            let product = self.stage.start_product("serve").await?;
            for name in at_the_desk.into_iter().filter(|name| *name != "expiry" && wanted(name)) {
                self.desk(&product, name).await?;
            }
            product.stop().await?;
        }
        if wanted("expiry") {
            self.expiry().await?;
        }
        if wanted("replay") {
            self.replay()?;
        }
        Ok(())
    }

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

    fn figure(&mut self, name: &'static str, value: f64, unit: &'static str, wanted_below: Option<f64>) {
        self.figures.push(Figure { name, value, unit, wanted_below });
    }

    async fn tasks(
        &mut self,
        product: &Product,
        connections: usize,
        rounds: usize,
        name: &'static str,
        wanted: f64,
    ) -> Outcome<()> {
        let mut all = Vec::new();
        for round in 1..=rounds {
            self.hotel.prepare_tasks(false, connections, self.plan.span).await?;
            let before = Used::now(self.stage, product)?;
            let reached = tasks::ours(self.stage, &mut self.hotel, product, connections, self.plan.span).await?;
            let ours_cost = Used::now(self.stage, product)?.cost_since(before, reached.operations);
            self.hotel.prepare_tasks(true, connections, self.plan.span).await?;
            let before = Used::now(self.stage, product)?;
            let limit = tasks::limit(self.stage, &mut self.hotel, connections, self.plan.span).await?;
            let limit_cost = Used::now(self.stage, product)?.cost_since(before, limit.operations);
            progress(name, round, reached.per_second, limit.per_second);
            all.push(Round { reached, limit, ours_cost, limit_cost });
        }
        self.ratios.push(compared(name, wanted, &all));
        Ok(())
    }

    async fn checkouts(&mut self, product: &Product) -> Outcome<()> {
        let name = "check-out pushes, 32 connections";
        let mut all = Vec::new();
        for round in 1..=self.plan.few_rounds {
            let brokers = checkouts::prepare(self.stage, &mut self.hotel, 32, self.plan.span).await?;
            let before = Used::now(self.stage, product)?;
            let reached = checkouts::ours(&mut self.hotel, product, brokers, self.plan.span).await?;
            let ours_cost = Used::now(self.stage, product)?.cost_since(before, reached.operations);
            self.hotel.prepare_rooms(true, 32, self.plan.span).await?;
            let before = Used::now(self.stage, product)?;
            let limit = checkouts::limit(self.stage, &mut self.hotel, 32, self.plan.span).await?;
            let limit_cost = Used::now(self.stage, product)?.cost_since(before, limit.operations);
            progress(name, round, reached.per_second, limit.per_second);
            all.push(Round { reached, limit, ours_cost, limit_cost });
        }
        self.ratios.push(compared(name, 0.6, &all));
        Ok(())
    }

    async fn board(&mut self, product: &Product) -> Outcome<()> {
        say("the board");
        let reached = board::ours(self.stage, &self.hotel, product, 8, self.plan.span).await?;
        self.figure("board of 200 rooms, 8 connections", reached.per_second, "a second", None);
        self.figure("board of 200 rooms, p99", milliseconds(&reached, 99), "ms", None);
        Ok(())
    }

    async fn staff(&mut self, product: &Product, wanted: &impl Fn(&str) -> bool) -> Outcome<()> {
        staff::prepare(self.stage, &self.hotel.superuser, product).await?;
        let span = self.plan.span;
        if wanted("staff-punches") {
            let (name, mut rounds, mut next) = ("punch the clock, 8 connections", Vec::new(), 0);
            for round in 1..=self.plan.few_rounds {
                let (reached, following) = staff::punches(self.stage, product, 8, (next, span)).await?;
                next = following;
                let limit = staff::punch_limit(self.stage, 8, span).await?;
                progress(name, round, reached.per_second, limit.per_second);
                rounds.push([reached.per_second, limit.per_second]);
            }
            self.ratios.push(Comparison::new(name, "one PL/pgSQL call by pgbench", 0.7, rounds));
        }
        if wanted("staff-pin") {
            say("signing in with a PIN");
            let (ours, bare) = staff::sign_ins(self.stage, product, 40).await?;
            self.figure("sign in with a PIN, p50", ours.as_secs_f64() * 1_000.0, "ms", None);
            self.figure(
                "sign in with a PIN, of a bare Argon2id",
                ours.as_secs_f64() / bare.as_secs_f64(),
                "x",
                Some(1.25),
            );
        }
        if wanted("staff-guesses") {
            say("other routes while 200 wrong PINs a second come in");
            let idle = staff::looks(self.stage, product, &staff::one_person(), span).await?;
            let guessing = staff::guess(product);
            let busy = staff::looks(self.stage, product, &staff::one_person(), span).await?;
            let sent = guessing.join().map_err(|_| "whoever guesses PINs panicked")??;
            eprintln!("… {sent} wrong PINs");
            self.figure("a person, p99, idle", milliseconds(&idle, 99), "ms", None);
            let ratio = milliseconds(&busy, 99) / milliseconds(&idle, 99);
            self.figure("a person under 200 wrong PINs a second, p99, of idle", ratio, "x", Some(2.0));
        }
        if wanted("staff-roster") {
            self.rosters(product).await?;
        }
        if wanted("staff-replay") {
            say("500 punches at once");
            let (many, one) = staff::replays(self.stage, product, 5).await?;
            self.figure("replay of 500 punches, of one punch", many.as_secs_f64() / one.as_secs_f64(), "x", Some(20.0));
        }
        Ok(())
    }

    async fn rosters(&mut self, product: &Product) -> Outcome<()> {
        say("rosters of 1,000 shifts");
        let span = self.plan.span;
        staff::plan_a_week(&self.hotel.superuser).await?;
        staff::remember(&self.hotel.superuser, 0, 10_000).await?;
        let person = staff::looks(self.stage, product, &staff::one_person(), span).await?;
        let few = staff::looks(self.stage, product, &staff::roster(), span).await?;
        let ratio = milliseconds(&few, 99) / milliseconds(&person, 99);
        self.figure("roster of 1,000 shifts, p99, of a person", ratio, "x", Some(8.0));
        // A look whether it works need not wait for a million.
        let most = if self.plan.rounds > 1 { 1_000_000 } else { 50_000 };
        staff::remember(&self.hotel.superuser, 10_000, most).await?;
        let many = staff::looks(self.stage, product, &staff::roster(), span).await?;
        let ratio = milliseconds(&many, 99) / milliseconds(&few, 99);
        self.figure("roster with 1 M past assignments, p99, of 10 k", ratio, "x", Some(1.2));
        Ok(())
    }

    /// A thousand live boards are open every other time.
    async fn streams(&mut self, product: &Product) -> Outcome<()> {
        let name = "start and complete at 32, 1,000 live boards open";
        let (mut rounds, mut bytes, mut memory) = (Vec::new(), 0, [0; 2]);
        for round in 1..=self.plan.rounds {
            let mut reached = [0.0; 2];
            // Now the one first and now the other: the tables grow all the time.
            for open in [round % 2 == 0, round % 2 == 1] {
                self.hotel.prepare_tasks(false, LANES, self.plan.span).await?;
                let streams =
                    if open { Some(Streams::open(self.stage, &self.hotel, product, 1_000).await?) } else { None };
                let found = tasks::ours(self.stage, &mut self.hotel, product, LANES, self.plan.span).await?;
                reached[usize::from(!open)] = found.per_second;
                let (now, _) = product.memory()?;
                // A process does not give memory back: without streams it is only known before the first was open.
                if open || round == 1 {
                    memory[usize::from(!open)] = now;
                }
                if let Some(streams) = streams {
                    let seen = streams.close().await?;
                    if seen.lost > 0 {
                        return Err(format!("{} live boards were closed", seen.lost).into());
                    }
                    bytes = seen.bytes;
                }
            }
            progress(name, round, reached[0], reached[1]);
            rounds.push(reached);
        }
        self.ratios.push(Comparison::new(name, "the same without them", 0.9, rounds));
        self.figure("memory with 1,000 live boards, under load", to_mebibytes(memory[0]), "MiB", None);
        self.figure("memory before the first was open", to_mebibytes(memory[1]), "MiB", None);
        self.figure("told to 1,000 live boards in a round", to_mebibytes(bytes), "MiB", None);
        Ok(())
    }

    /// The desk against the database's own answer to the same questions.
    async fn desk(&mut self, product: &Product, what: &str) -> Outcome<()> {
        let (name, wanted) = match what {
            "availability" => ("availability, 365 nights x 50 types", 0.5),
            "holds" => ("hold and confirm, 32 connections", 0.6),
            _ => ("timeline, 200 rooms x 31 days", 0.4),
        };
        let mut all = Vec::new();
        for round in 1..=self.plan.few_rounds {
            let before = Used::now(self.stage, product)?;
            let (reached, limit) = match what {
                "availability" => desk::availability(self.stage, product, 4, self.plan.span).await?,
                "holds" => desk::holds(self.stage, product, 32, (round, self.plan.span)).await?,
                _ => desk::timeline(self.stage, product, 4, self.plan.span).await?,
            };
            let cost = Used::now(self.stage, product)?.cost_since(before, reached.operations);
            progress(name, round, reached.per_second, limit.per_second);
            all.push(Round { reached, limit, ours_cost: cost, limit_cost: cost });
        }
        let mut row = compared(name, wanted, &all);
        (row.ours_cost, row.other_cost) = (None, None);
        self.ratios.push(row);
        Ok(())
    }

    async fn expiry(&mut self) -> Outcome<()> {
        say("holds that end within one second");
        let product = self.stage.start_product("up").await?;
        let mut late = Vec::new();
        for _ in 0..self.plan.few_rounds {
            late.push(desk::expiry(self.stage, &self.hotel.superuser, &product).await?);
        }
        product.stop().await?;
        self.figure(
            "500 holds due in one second, the last one late by",
            crate::report::median(late),
            "ms",
            Some(1_000.0),
        );
        Ok(())
    }

    /// A real book against the rule that finds rooms; without the book nothing is measured, and that is said.
    #[expect(clippy::cast_precision_loss, reason = "counts of bookings")]
    fn replay(&mut self) -> Outcome<()> {
        let file =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/resort_hotel_bookings.csv.gz");
        if !file.exists() {
            say("NOT RUN: a real book replayed, since it is not there");
            return Ok(());
        }
        let begun = Instant::now();
        let replayed = server::demo::book::replay(&file, usize::MAX)?;
        eprintln!("… {replayed:?} in {:.1} s", begun.elapsed().as_secs_f64());
        let share = replayed.placed as f64 * 100.0 / replayed.fit_by_count.max(1) as f64;
        self.figure("a real book replayed: placed of what fits by count", share, "%", None);
        Ok(())
    }

    /// The board with a cache that processes share, against the same without.
    async fn redis(&mut self) -> Outcome<()> {
        let Some(both) = redis::Both::open(self.stage).await? else { return Ok(()) };
        let cases = [
            (8, "board of 200 rooms with Redis, 8 connections", [None; 3]),
            (
                32,
                "board of 200 rooms with Redis, 32 connections",
                [
                    Some("a board, processor time of all, with Redis"),
                    Some("a board, processor time of all, without"),
                    Some("a board, processor time of PostgreSQL, of without"),
                ],
            ),
        ];
        for (connections, name, figures) in cases {
            let (mut rounds, mut costs) = (Vec::new(), [Vec::new(), Vec::new(), Vec::new()]);
            let mut last = None;
            for round in 1..=self.plan.rounds {
                let (mut reached, mut cost, mut database) = ([0.0; 2], [0.0; 2], [0.0; 2]);
                // Now the one first and now the other.
                for with in [round % 2 == 0, round % 2 == 1] {
                    let side = both.round(self.stage, &self.hotel, with, connections, self.plan.span).await?;
                    let at = usize::from(!with);
                    reached[at] = side.reached.per_second;
                    cost[at] = side.cost.product_us + side.cost.postgresql_us + side.redis_us;
                    database[at] = side.cost.postgresql_us;
                    if with {
                        last = Some(side);
                    }
                }
                progress(name, round, reached[0], reached[1]);
                rounds.push(reached);
                for (list, value) in costs.iter_mut().zip([cost[0], cost[1], database[0] / database[1]]) {
                    list.push(value);
                }
            }
            let mut row = Comparison::new(name, "the same without", 1.0, rounds);
            row.ours_p50_ms = last.as_ref().map(|side| milliseconds(&side.reached, 50));
            row.ours_p99_ms = last.as_ref().map(|side| milliseconds(&side.reached, 99));
            self.ratios.push(row);
            for ((figure, values), unit) in figures.into_iter().zip(costs).zip(["µs", "µs", "x"]) {
                if let Some(figure) = figure {
                    self.figure(figure, crate::report::median(values), unit, None);
                }
            }
        }
        both.close().await
    }

    /// A month into the archive at full speed; and at the usual pace, beside people who work.
    async fn archive(&mut self, rows: i64) -> Outcome<()> {
        say("a month into the archive");
        let (ratio, figures) = archive::measure(self.stage, rows, self.plan.few_rounds).await?;
        self.ratios.push(ratio);
        self.figures.extend(figures);
        let name = "start and complete at 32, an archive beside it";
        let (mut rounds, pace) = (Vec::new(), 1_000);
        // Longer than a round takes.
        let mut beside = archive::Beside::prepare(&self.hotel.superuser, i64::from(pace) * 60).await?;
        for round in 1..=self.plan.rounds {
            let mut reached = [0.0; 2];
            for with in [round % 2 == 0, round % 2 == 1] {
                self.hotel.superuser.batch_execute("TRUNCATE housekeeping.outbox").await?;
                self.hotel.prepare_tasks(false, LANES, self.plan.span).await?;
                let product = self.stage.start_product("serve").await?;
                if with {
                    beside.begin(self.stage, pace)?;
                }
                let found = tasks::ours(self.stage, &mut self.hotel, &product, LANES, self.plan.span).await?;
                reached[usize::from(!with)] = found.per_second;
                beside.end().await?;
                product.stop().await?;
            }
            progress(name, round, reached[0], reached[1]);
            rounds.push(reached);
        }
        self.ratios.push(Comparison::new(name, "the same without an archive", 0.9, rounds));
        Ok(())
    }

    async fn relay(&mut self, app: &App) -> Outcome<()> {
        let name = "relay, rows (limit: one by one)";
        relay::take_sample(&self.hotel, self.plan.relay_rows).await?;
        let mut rounds = Vec::new();
        for round in 1..=self.plan.few_rounds {
            let ours = relay::ours(&self.hotel, app).await?;
            let other = relay::one_by_one(&self.hotel, app, self.plan.span.counted).await?;
            progress(name, round, ours, other);
            rounds.push([ours, other]);
        }
        self.ratios.push(Comparison::new(name, "a relay that publishes and marks row by row", 15.0, rounds));
        Ok(())
    }

    async fn ticks(&mut self, app: &App, quick: bool) -> Outcome<()> {
        let companies = if quick { 1_000 } else { 10_000 };
        say("very many companies with nothing due");
        let looks = ticks::looks(&self.hotel, app, companies, self.plan.rounds).await?;
        for look in &looks {
            eprintln!("… {:<32} every {:>6.2} s: {:>7.2} ms", look.name, look.every.as_secs_f64(), look.ms);
        }
        let (dearest, a_second) = ticks::price(&looks);
        self.figure("a tick over 10,000 companies, nothing due: the dearest", dearest, "ms", Some(100.0));
        self.figure("all that tick at least once a minute, in a second", a_second, "ms", Some(20.0));
        Ok(())
    }

    async fn drain_to_nats(&mut self, app: &App, at_nats: &AtNats) -> Outcome<()> {
        let name = "relay to NATS, rows (limit: one by one)";
        relay::take_sample(&self.hotel, self.plan.relay_rows).await?;
        let mut rounds = Vec::new();
        for round in 1..=self.plan.few_rounds {
            let ours = nats::ours(&self.hotel, app, 2 * round).await?;
            let time = self.plan.span.counted;
            let other = nats::one_by_one(&self.hotel, app, &at_nats.broker, 2 * round + 1, time).await?;
            progress(name, round, ours, other);
            rounds.push([ours, other]);
        }
        self.ratios.push(Comparison::new(name, "a relay that publishes and marks row by row", 30.0, rounds));
        Ok(())
    }

    /// What it costs the writers that a relay publishes what they write, in a process of its own.
    async fn relayed(&mut self) -> Outcome<()> {
        let name = "start and complete at 32, relay beside it";
        let mut rounds = Vec::new();
        for round in 1..=self.plan.rounds {
            let mut reached = [0.0; 2];
            for with in [round % 2 == 0, round % 2 == 1] {
                self.hotel.superuser.batch_execute("TRUNCATE housekeeping.outbox").await?;
                self.hotel.prepare_tasks(false, LANES, self.plan.span).await?;
                let product = self.stage.start_product("serve").await?;
                let relay = if with { Some(self.stage.start_beside("relay").await?) } else { None };
                let found = tasks::ours(self.stage, &mut self.hotel, &product, LANES, self.plan.span).await?;
                reached[usize::from(!with)] = found.per_second;
                if let Some(mut relay) = relay {
                    relay.kill().await?;
                }
                product.stop().await?;
            }
            progress(name, round, reached[0], reached[1]);
            rounds.push(reached);
        }
        self.ratios.push(Comparison::new(name, "the same without a relay", 0.95, rounds));
        Ok(())
    }

    async fn latency(&mut self, app: &Arc<App>, [p50, p99, worst]: [&'static str; 3]) -> Outcome<()> {
        say("from commit to handler at 200 events a second");
        let found = latency::ours(&self.hotel, app, 200, self.plan.latency).await?;
        self.figure(p50, found.p50, "ms", None);
        self.figure(p99, found.p99, "ms", Some(25.0));
        self.figure(worst, found.worst, "ms", None);
        Ok(())
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

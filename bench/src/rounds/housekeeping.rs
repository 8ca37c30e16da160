//! What housekeeping costs: its commands, its board, its live boards.

use super::{Bench, Round, compared, milliseconds, progress, say, to_mebibytes};
use crate::hotel::LANES;
use crate::processor::Used;
use crate::report::Comparison;
use crate::stage::Product;
use crate::streams::Streams;
use crate::{Outcome, board, checkouts, redis, tasks};

impl Bench<'_> {
    pub(super) async fn tasks(
        &mut self,
        product: &Product,
        connections: usize,
        rounds: usize,
        name: &'static str,
        wanted: f64,
    ) -> Outcome<()> {
        let mut all = Vec::new();
        for round in 1..=rounds {
            if product.tells() {
                self.hotel.all_told().await?;
            }
            self.hotel.prepare_tasks(false, connections, self.plan.span).await?;
            let before = Used::now(self.stage, product)?;
            let reached = tasks::ours(self.stage, &mut self.hotel, product, connections, self.plan.span).await?;
            let ours_cost = Used::now(self.stage, product)?.cost_since(before, reached.operations);
            if product.tells() {
                self.hotel.all_told().await?;
            }
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

    pub(super) async fn checkouts(&mut self, product: &Product) -> Outcome<()> {
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

    pub(super) async fn board(&mut self, product: &Product) -> Outcome<()> {
        say("the board");
        let reached = board::ours(self.stage, &self.hotel, product, 8, self.plan.span).await?;
        self.figure("board of 200 rooms, 8 connections", reached.per_second, "a second", None);
        self.figure("board of 200 rooms, p99", milliseconds(&reached, 99), "ms", None);
        Ok(())
    }

    /// A thousand live boards are open every other time.
    pub(super) async fn streams(&mut self, product: &Product) -> Outcome<()> {
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

    /// The board with a cache that processes share, against the same without.
    pub(super) async fn redis(&mut self) -> Outcome<()> {
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
}

//! What guests and the desk wait for.

use std::time::Instant;

use super::{Bench, Round, compared, progress, say};
use crate::processor::Used;
use crate::stage::Product;
use crate::{Outcome, desk};

impl Bench<'_> {
    /// What guests and the desk wait for.
    pub(super) async fn front_office(&mut self, wanted: &impl Fn(&str) -> bool) -> Outcome<()> {
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

    /// The desk against the database's own answer to the same questions.
    pub(super) async fn desk(&mut self, product: &Product, what: &str) -> Outcome<()> {
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
                "holds" => desk::holds(self.stage, &self.hotel.superuser, product, 32, (round, self.plan.span)).await?,
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

    pub(super) async fn expiry(&mut self) -> Outcome<()> {
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
    pub(super) fn replay(&mut self) -> Outcome<()> {
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
}

//! What staff costs: punches, PINs, rosters.

use std::time::Duration;

use super::{Bench, Round, compared, milliseconds, progress, say};
use crate::processor::Used;
use crate::stage::Product;
use crate::{Outcome, staff};

impl Bench<'_> {
    pub(super) async fn staff(&mut self, product: &Product, wanted: &impl Fn(&str) -> bool) -> Outcome<()> {
        staff::prepare(self.stage, &self.hotel.superuser, product).await?;
        let span = self.plan.span;
        if wanted("staff-punches") {
            let (name, mut all, mut next) = ("punch the clock, 8 connections", Vec::new(), 0);
            for round in 1..=self.plan.few_rounds {
                let lanes = staff::lanes(self.stage, 8, next);
                let before = Used::now(self.stage, product)?;
                let (reached, following) = staff::punches(product, lanes, span).await?;
                let ours_cost = Used::now(self.stage, product)?.cost_since(before, reached.operations);
                next = following;
                let before = Used::now(self.stage, product)?;
                let limit = staff::punch_limit(self.stage, 8, span).await?;
                let limit_cost = Used::now(self.stage, product)?.cost_since(before, limit.operations);
                progress(name, round, reached.per_second, limit.per_second);
                all.push(Round { reached, limit, ours_cost, limit_cost });
            }
            self.ratios.push(compared(name, 0.7, &all));
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
            let found = staff::replays(self.stage, &self.hotel.superuser, product, 5).await?;
            let of_one = |time: Duration| time.as_secs_f64() / found.one.as_secs_f64();
            self.figure("replay of 500 punches, of one punch", of_one(found.many), "x", Some(20.0));
            self.figure("its rows alone, of one punch", of_one(found.rows_alone), "x", None);
        }
        Ok(())
    }

    pub(super) async fn rosters(&mut self, product: &Product) -> Outcome<()> {
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
}

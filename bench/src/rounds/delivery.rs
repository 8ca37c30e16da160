//! What it costs to tell others: relay, brokers, latency; and what ticks cost with nothing to do.

use std::sync::Arc;

use server::app::App;

use super::{Bench, progress, say};
use crate::nats::AtNats;
use crate::report::Comparison;
use crate::stage::Stage;
use crate::{Outcome, latency, nats, relay, ticks};

impl Bench<'_> {
    pub(super) async fn relay(&mut self, app: &App) -> Outcome<()> {
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

    pub(super) async fn drain_to_nats(&mut self, app: &App, at_nats: &AtNats) -> Outcome<()> {
        let name = "relay to NATS, rows (limit: one by one)";
        relay::take_sample(&self.hotel, self.plan.relay_rows).await?;
        let alone = "NATS by itself, from memory (limit: one by one)";
        let slow = "relay to NATS, a flush takes 1 ms more";
        let [mut rounds, mut rounds_alone, mut rounds_slow] = [Vec::new(), Vec::new(), Vec::new()];
        for round in 1..=self.plan.few_rounds {
            let pair = self.pair(app, at_nats, 2 * round).await?;
            progress(name, round, pair[0], pair[1]);
            rounds.push(pair);
            // How far a relay could get that neither reads nor marks anything.
            let by_itself = at_nats.by_itself(&self.hotel, round).await?;
            progress(alone, round, by_itself, pair[1]);
            rounds_alone.push([by_itself, pair[1]]);
            // Row by row one waits for the disk with each: how much a relay gains is a matter of the disk.
            self.hotel.wait_before_each_flush(1_000, 0).await?;
            let pair = self.pair(app, at_nats, 2 * (round + self.plan.few_rounds)).await;
            self.hotel.wait_before_each_flush(0, 5).await?;
            let pair = pair?;
            progress(slow, round, pair[0], pair[1]);
            rounds_slow.push(pair);
        }
        let against = "a relay that publishes and marks row by row";
        for (name, rounds) in [(name, rounds), (slow, rounds_slow), (alone, rounds_alone)] {
            self.ratios.push(Comparison::new(name, against, 30.0, rounds));
        }
        Ok(())
    }

    /// Ours and the literal one, with numbers of their own for the events of each.
    async fn pair(&self, app: &App, at_nats: &AtNats, number: usize) -> Outcome<[f64; 2]> {
        let (ours, shares) = nats::ours(self.stage, &self.hotel, app, at_nats, number).await?;
        let nats::Shares { us, database, nats } = shares;
        eprintln!("… processor time a row: ours {us:.1} µs, PostgreSQL {database:.1} µs, NATS {nats:.1} µs");
        let time = self.plan.span.counted;
        let other = nats::one_by_one(&self.hotel, app, &at_nats.broker, number + 1, time).await?;
        Ok([ours, other])
    }

    /// What it costs the writers that a relay publishes what they write, in a process of its own.
    pub(super) async fn relayed(&mut self) -> Outcome<()> {
        let name = "start and complete at 32, relay beside it";
        let start = async |stage: &Stage| stage.start_beside("relay").await;
        let ratio = self.beside(name, "the same without a relay", 0.95, start).await?;
        self.ratios.push(ratio);
        Ok(())
    }

    pub(super) async fn latency(&mut self, app: &Arc<App>, [p50, p99, worst]: [&'static str; 3]) -> Outcome<()> {
        say("from commit to handler at 200 events a second");
        let found = latency::ours(&self.hotel, app, 200, self.plan.latency).await?;
        self.figure(p50, found.p50, "ms", None);
        self.figure(p99, found.p99, "ms", Some(25.0));
        self.figure(worst, found.worst, "ms", None);
        Ok(())
    }

    pub(super) async fn ticks(&mut self, app: &App, quick: bool) -> Outcome<()> {
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
}

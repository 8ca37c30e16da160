//! What it costs to keep a month elsewhere, by itself and beside people who work.

use super::{Bench, progress, say};
use crate::hotel::LANES;
use crate::report::Comparison;
use crate::{Outcome, archive, tasks};

impl Bench<'_> {
    /// A month into the archive at full speed; and at the usual pace, beside people who work.
    pub(super) async fn archive(&mut self, rows: i64) -> Outcome<()> {
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
}

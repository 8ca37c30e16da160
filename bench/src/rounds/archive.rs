//! What it costs to keep a month elsewhere, by itself and beside people who work.

use super::{Bench, say};
use crate::{Outcome, archive};

impl Bench<'_> {
    /// A month into the archive at full speed; and at the usual pace, beside people who work.
    pub(super) async fn archive(&mut self, rows: i64) -> Outcome<()> {
        say("a month into the archive");
        let (ratio, figures) = archive::measure(self.stage, rows, self.plan.few_rounds).await?;
        self.ratios.push(ratio);
        self.figures.extend(figures);
        let pace = 1_000;
        // Longer than a round takes.
        let beside = archive::Beside::prepare(&self.hotel.superuser, i64::from(pace) * 60).await?;
        let name = "start and complete at 32, an archive beside it";
        let ratio =
            self.beside(name, "the same without an archive", 0.9, async |stage| beside.begin(stage, pace)).await?;
        self.ratios.push(ratio);
        Ok(())
    }
}

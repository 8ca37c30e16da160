//! The table for people and `bench/results.json` for the record.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;

use crate::Outcome;
use crate::processor::Cost;

/// Everything that was measured in one run.
#[derive(Debug, Serialize)]
pub(crate) struct Results {
    pub(crate) machine: Machine,
    pub(crate) quick: bool,
    pub(crate) seconds: f64,
    pub(crate) ratios: Vec<Comparison>,
    pub(crate) figures: Vec<Figure>,
    pub(crate) same_work: Vec<Size>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    pub(crate) processors: usize,
    pub(crate) postgresql: String,
    /// Runnable processes when the run began: above 1 the machine was not ours alone.
    pub(crate) load_before: f64,
}

/// Ours against something else, round by round.
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    pub(crate) name: &'static str,
    pub(crate) against: &'static str,
    pub(crate) wanted: f64,
    /// Medians of the rounds.
    pub(crate) ours_per_second: f64,
    pub(crate) other_per_second: f64,
    pub(crate) ratio: f64,
    /// The widest distance between two rounds' ratios, as a share of the median.
    pub(crate) spread: f64,
    pub(crate) rounds: Vec<[f64; 2]>,
    /// Of the last round.
    pub(crate) ours_p50_ms: Option<f64>,
    pub(crate) ours_p99_ms: Option<f64>,
    pub(crate) ours_cost: Option<Cost>,
    pub(crate) other_cost: Option<Cost>,
}

impl Comparison {
    pub(crate) fn new(name: &'static str, against: &'static str, wanted: f64, rounds: Vec<[f64; 2]>) -> Self {
        let column = |at: usize| median(rounds.iter().map(|round| round[at]).collect());
        let ratios: Vec<f64> = rounds.iter().map(|[ours, other]| ours / other).collect();
        let ratio = median(ratios.clone());
        let most = ratios.iter().copied().fold(f64::MIN, f64::max);
        let least = ratios.iter().copied().fold(f64::MAX, f64::min);
        Self {
            name,
            against,
            wanted,
            ours_per_second: column(0),
            other_per_second: column(1),
            ratio,
            spread: (most - least) / ratio,
            rounds,
            ours_p50_ms: None,
            ours_p99_ms: None,
            ours_cost: None,
            other_cost: None,
        }
    }
}

/// A figure of its own.
#[derive(Debug, Serialize)]
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    /// It should be below this.
    pub(crate) wanted_below: Option<f64>,
}

/// Bytes of what was written, to show that both sides wrote the same.
#[derive(Debug, Serialize)]
pub(crate) struct Size {
    pub(crate) subject: String,
    pub(crate) ours_payload: f64,
    pub(crate) limit_payload: f64,
    pub(crate) ours_meta: f64,
    pub(crate) limit_meta: f64,
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        length if length % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

impl Results {
    pub(crate) fn table(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(
            out,
            "{} processors, PostgreSQL {}, load before {:.1}, {:.0} s\n",
            self.machine.processors, self.machine.postgresql, self.machine.load_before, self.seconds
        );
        let _ = writeln!(
            out,
            "{:<52} {:>9} {:>9} {:>7} {:>7} {:>7}  {:>7} {:>7}",
            "a second", "ours", "limit", "ratio", "wanted", "spread", "p50 ms", "p99 ms"
        );
        for row in &self.ratios {
            let time = |ms: Option<f64>| ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.1}"));
            let _ = writeln!(
                out,
                "{:<52} {:>9.0} {:>9.0} {:>7.2} {:>7.2} {:>6.0}%  {:>7} {:>7}",
                row.name,
                row.ours_per_second,
                row.other_per_second,
                row.ratio,
                row.wanted,
                row.spread * 100.0,
                time(row.ours_p50_ms),
                time(row.ours_p99_ms)
            );
        }
        let _ = writeln!(out, "\n{:<52} {:>28} {:>28}", "processor time an operation, µs", "ours", "limit");
        for row in &self.ratios {
            let (Some(ours), Some(other)) = (row.ours_cost, row.other_cost) else { continue };
            let _ = writeln!(
                out,
                "{:<52} {:>28} {:>28}",
                row.name,
                format!("{:.0} + {:.0} pg + {:.0} client", ours.product_us, ours.postgresql_us, ours.client_us),
                format!("{:.0} pg + {:.0} client", other.postgresql_us, other.client_us)
            );
        }
        let _ = writeln!(out);
        for figure in &self.figures {
            let wanted = figure.wanted_below.map_or_else(String::new, |below| format!("(below {below})"));
            let _ = writeln!(out, "{:<52} {:>9.1} {} {wanted}", figure.name, figure.value, figure.unit);
        }
        let _ =
            writeln!(out, "\n{:<52} {:>19} {:>19}", "bytes in an outbox row", "payload ours/limit", "meta ours/limit");
        for size in &self.same_work {
            let pair = |ours: f64, limit: f64| format!("{ours:.0} / {limit:.0}");
            let (payload, meta) = (pair(size.ours_payload, size.limit_payload), pair(size.ours_meta, size.limit_meta));
            let _ = writeln!(out, "{:<52} {payload:>19} {meta:>19}", size.subject);
        }
        out
    }

    /// Beside this program's source, where the committed run is.
    pub(crate) fn write(&self) -> Outcome<()> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("results.json");
        std::fs::write(&file, format!("{}\n", serde_json::to_string_pretty(self)?))?;
        println!("written to {}", file.display());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_the_median_of_the_rounds_and_not_the_ratio_of_the_medians() {
        let row = Comparison::new("x", "y", 0.6, vec![[50.0, 100.0], [90.0, 100.0], [160.0, 200.0]]);
        assert!((row.ratio - 0.8).abs() < 1e-9);
        assert!((row.spread - 0.5).abs() < 1e-9);
    }

    #[test]
    fn an_even_number_of_rounds_has_its_median_between_two() {
        assert!((median(vec![4.0, 1.0, 3.0, 2.0]) - 2.5).abs() < 1e-9);
    }
}

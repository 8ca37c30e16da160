//! What happens by itself, where there is nothing to do: ten thousand companies, and a look at each tick.

use std::time::{Duration, Instant};

use platform::ticks::Ran;
use server::app::App;

use crate::Outcome;
use crate::hotel::Hotel;
use crate::report::median;

/// Those that look this often are the ones whose price matters.
const OFTEN: Duration = Duration::from_mins(1);

/// What one look takes, in milliseconds.
#[derive(Debug)]
pub(crate) struct Look {
    pub(crate) name: &'static str,
    pub(crate) every: Duration,
    pub(crate) ms: f64,
}

/// Fills the house with so many companies, and looks. Err: something was due, so that something else was measured.
pub(crate) async fn looks(hotel: &Hotel, app: &App, companies: u32, rounds: usize) -> Outcome<Vec<Look>> {
    hotel.fill(include_str!("../sql/ticks.sql"), companies).await?;
    let mut looks = Vec::new();
    for name in app.ticker.names() {
        let Some(tick) = app.ticker.find(name) else { continue };
        let mut times = Vec::new();
        // The first look of all may find what the stage has left.
        app.ticker.run_now(tick).await?;
        for _ in 0..rounds {
            let begun = Instant::now();
            let ran = app.ticker.run_now(tick).await?;
            times.push(begun.elapsed().as_secs_f64() * 1_000.0);
            if ran != Ran::Done(None) {
                return Err(format!("{name} had something to do: {ran:?}").into());
            }
        }
        looks.push(Look { name, every: tick.every, ms: median(times) });
    }
    looks.sort_by(|one, other| other.ms.total_cmp(&one.ms));
    Ok(looks)
}

/// The dearest of those that look often, and what all of those cost together in a second, in milliseconds.
pub(crate) fn price(looks: &[Look]) -> (f64, f64) {
    let often = || looks.iter().filter(|look| look.every <= OFTEN);
    let dearest = often().map(|look| look.ms).fold(0.0, f64::max);
    (dearest, often().map(|look| look.ms / look.every.as_secs_f64()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tick_that_looks_often_costs_more_than_one_that_looks_seldom() {
        let look = |seconds, ms| Look { name: "test", every: Duration::from_secs(seconds), ms };
        let (dearest, a_second) = price(&[look(3_600, 900.0), look(60, 30.0), look(1, 2.0)]);
        assert!((dearest - 30.0).abs() < 1e-9, "{dearest}");
        assert!((a_second - 2.5).abs() < 1e-9, "{a_second}");
    }
}

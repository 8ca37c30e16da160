//! Two or more versions of the product, round by round beside each other and the limit: what a change has brought.

use std::path::PathBuf;

use crate::hotel::Hotel;
use crate::processor::{Cost, Used};
use crate::report::median;
use crate::rounds::{Plan, application};
use crate::stage::Stage;
use crate::{Outcome, tasks};

const CONNECTIONS: usize = 32;

/// Prints for each version the median of its ratios to the limit, and the medians of what an operation cost. `whole`: with relay
/// and worker in the process, which then is started anew for every round: no two publish side by side. Nobody publishes what
/// the limit writes.
pub(crate) async fn compare(stage: &Stage, versions: &[PathBuf], quick: bool, whole: bool) -> Outcome<()> {
    let first = versions.first().ok_or("no version was named")?.canonicalize()?;
    // Only `up` migrates; all versions must know the same tables.
    stage.start_version(&first, "up").await?.stop().await?;
    let app = application(stage, None)?;
    let mut hotel = Hotel::open(stage, &app.db).await?;
    let mut products = Vec::new();
    for version in versions {
        let binary = version.canonicalize()?;
        products.push(if whole { None } else { Some(stage.start_version(&binary, "serve").await?) });
    }
    let plan = Plan::new(quick);
    let mut found: Vec<Vec<(f64, Cost)>> = vec![Vec::new(); versions.len()];
    let mut limits = Vec::new();
    for round in 1..=plan.rounds * 2 {
        for ((version, kept), found) in versions.iter().zip(&products).zip(&mut found) {
            if whole {
                let empty = "TRUNCATE housekeeping.outbox, bus.event_log, bus.deliveries, bus.webhook_deliveries";
                hotel.superuser.batch_execute(empty).await?;
            }
            hotel.prepare_tasks(false, CONNECTIONS, plan.span).await?;
            let started = if whole { Some(stage.start_version(&version.canonicalize()?, "up").await?) } else { None };
            let product = kept.as_ref().or(started.as_ref()).ok_or("no version is running")?;
            let before = Used::now(stage, product)?;
            let reached = tasks::ours(stage, &mut hotel, product, CONNECTIONS, plan.span).await?;
            found.push((reached.per_second, Used::now(stage, product)?.cost_since(before, reached.operations)));
            if let Some(product) = started {
                product.stop().await?;
            }
        }
        hotel.prepare_tasks(true, CONNECTIONS, plan.span).await?;
        limits.push(tasks::limit(stage, &mut hotel, CONNECTIONS, plan.span).await?.per_second);
        eprintln!("… round {round}");
    }
    println!("{:<40} {:>8} {:>7}   µs an operation: product, PostgreSQL, client", "version", "a second", "ratio");
    for (version, found) in versions.iter().zip(&found) {
        let of = |pick: fn(&(f64, Cost)) -> f64| median(found.iter().map(pick).collect());
        let ratios = found.iter().zip(&limits).map(|((reached, _), limit)| reached / limit).collect();
        println!(
            "{:<40} {:>8.0} {:>7.2}   {:.0} {:.0} {:.0}",
            version.display(),
            of(|(reached, _)| *reached),
            median(ratios),
            of(|(_, cost)| cost.product_us),
            of(|(_, cost)| cost.postgresql_us),
            of(|(_, cost)| cost.client_us)
        );
    }
    println!("{:<40} {:>8.0}", "the limit", median(limits));
    for product in products.into_iter().flatten() {
        product.stop().await?;
    }
    Ok(())
}

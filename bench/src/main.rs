//! How near the product comes to what its database can do, measured side by side in one run.
//!
//! `make bench` starts a private PostgreSQL with a hotel's settings and the release binary as a process of its own. The
//! product and pgbench take turns on the same tables, so that a busy neighbour hits both; what is printed are ratios.

mod archive;
mod board;
mod checkouts;
mod desk;
mod history;
mod hotel;
mod latency;
mod limit;
mod load;
mod nats;
mod processor;
mod redis;
mod relay;
mod report;
mod rounds;
mod staff;
mod stage;
mod statements;
mod streams;
mod tasks;
mod ticks;
mod versions;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};

use crate::stage::Stage;

/// Whatever goes wrong ends the run, in words.
pub(crate) type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Measures the product against the database's own limit
#[derive(Parser)]
#[command(version)]
struct Args {
    /// A look whether everything works, in less than forty seconds; the figures mean little
    #[arg(long)]
    quick: bool,
    /// Only this measurement: tasks, checkouts, up, streams, board, history, redis, relay, nats, latency, writers, staff-punches, staff-pin,
    /// staff-guesses, staff-roster, staff-replay, availability, holds, expiry, timeline, replay, archive, ticks
    #[arg(value_name = "CASE", conflicts_with = "only")]
    case: Option<String>,
    /// The same
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// How many tasks the month has that goes to the archive
    #[arg(long, value_name = "ROWS")]
    archive_rows: Option<i64>,
    /// Also print which statements PostgreSQL spent its time on (needs its `pg_stat_statements`; counting them costs some of that time)
    #[arg(long)]
    statements: bool,
    /// Compare versions: tasks at 32 connections by each of these binaries in turn, instead of everything by our own; with the case
    /// `up` in front, with relay and worker in the process
    #[arg(long, value_name = "FILE", num_args = 1..)]
    versions: Vec<PathBuf>,
}

// One thread for all that asks: the processors are for those who answer.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args = Args::parse();
    match obey(&args).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn obey(args: &Args) -> Outcome<()> {
    let mut stop = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let product = args.versions.is_empty() && args.only.as_deref().is_none_or(rounds::needs_product);
    let mut stage = Stage::set(product, args.quick).await?;
    let outcome = tokio::select! {
        outcome = watched(&mut stage, args) => outcome,
        _ = stop.recv() => Err("stopped".into()),
        _ = interrupt.recv() => Err("stopped".into()),
    };
    // Whatever happened: the product was dropped and so killed, and PostgreSQL stops here.
    stage.strike().await?;
    outcome
}

async fn watched(stage: &mut Stage, args: &Args) -> Outcome<()> {
    if !args.statements {
        return measured(stage, args).await;
    }
    statements::count(stage).await?;
    measured(stage, args).await?;
    statements::print(stage).await
}

async fn measured(stage: &Stage, args: &Args) -> Outcome<()> {
    if !args.versions.is_empty() {
        return versions::compare(stage, &args.versions, args.quick, args.case.as_deref() == Some("up")).await;
    }
    let only = args.case.as_deref().or(args.only.as_deref());
    let results = rounds::measure(stage, args.quick, only, args.archive_rows).await?;
    println!("\n{}", results.table());
    if only.is_none() && !args.quick {
        results.write()?;
    }
    Ok(())
}

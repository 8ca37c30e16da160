//! `melmastoon demo replay bookings.csv`: a month of real bookings, for somebody who watches the board.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use contracts::ids::{PropertyId, TenantId};

use crate::app::{App, Parts};
use crate::config::Config;
use crate::demo::bookings::Bookings;
use crate::demo::replay::{self, Progress, Replay};
use crate::saying::say;
use crate::{Failure, instance};

const MOST_ERRORS_SHOWN: usize = 50;
const FASTEST: f64 = 1e9;
const MOST_PEOPLE: usize = 100;

#[derive(Debug, Subcommand)]
pub enum DemoCommand {
    /// Play a month of a table of bookings into a running house
    Replay(ReplayArgs),
}

#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// The table of bookings, plain or gzipped
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How many minutes of the house go by in one of ours
    #[arg(long, default_value_t = 600.0, value_name = "N")]
    pub speed: f64,
    /// Which month, as 2016-10; the first of the table when it is left out
    #[arg(long, value_name = "YYYY-MM")]
    pub month: Option<String>,
    /// Whose house it is
    #[arg(long, default_value = "tnt_REPLAY", value_name = "TENANT")]
    pub tenant: String,
    /// Which house it is
    #[arg(long, default_value = "prp_REPLAY", value_name = "PROPERTY")]
    pub property: String,
    /// How many people clean
    #[arg(long, default_value_t = 6, value_name = "N")]
    pub people: usize,
    /// The same seed gives the same month
    #[arg(long, default_value_t = 48, value_name = "N")]
    pub seed: u64,
    /// For scripts: the end, as JSON
    #[arg(long)]
    pub json: bool,
}

pub async fn demo(config: &Config, command: DemoCommand) -> Result<(), Failure> {
    let DemoCommand::Replay(args) = command;
    let replay = plan(&args)?;
    let app = App::build(Parts::configured(config, instance::running(config).await?)?)?;
    app.register().await?;
    eprintln!("{} stays; watch them at /housekeeping/v1/board?propertyId={}", replay.stays.len(), replay.property);
    let terminal = std::io::stderr().is_terminal();
    let tell = |progress: Progress| {
        if terminal {
            eprint!("\r{progress}");
        } else if !args.json {
            eprintln!("{progress}");
        }
    };
    let done = replay::play(&app, &replay, tell).await?;
    if terminal {
        eprintln!();
    }
    if args.json {
        let Progress { days, arrivals, departures, cleaned, inspected, .. } = done;
        let done = serde_json::json!({
            "days": days, "arrivals": arrivals, "departures": departures, "cleaned": cleaned, "inspected": inspected,
        });
        say!("{done}");
    } else {
        say!("{done}");
    }
    Ok(())
}

/// What is to be played; what makes no sense is said before anything happens.
fn plan(args: &ReplayArgs) -> Result<Replay, Failure> {
    let usage = |why: String| Failure::Usage(why);
    let tenant = TenantId::parse(&args.tenant).map_err(|error| usage(format!("--tenant: {error}")))?;
    let property = PropertyId::parse(&args.property).map_err(|error| usage(format!("--property: {error}")))?;
    if !(args.speed > 0.0 && args.speed <= FASTEST) {
        return Err(usage("--speed: more than 0".to_owned()));
    }
    if !(1..=MOST_PEOPLE).contains(&args.people) {
        return Err(usage(format!("--people: from 1 to {MOST_PEOPLE}")));
    }
    let bookings = Bookings::read(&args.file).map_err(|errors| {
        for error in errors.iter().take(MOST_ERRORS_SHOWN) {
            eprintln!("{error}");
        }
        Failure::Failed(format!("{}: {} errors, nothing was played", args.file.display(), errors.len()))
    })?;
    let month = match &args.month {
        None => bookings.first_month(),
        Some(text) => Some(month_of(text).ok_or_else(|| usage("--month: as 2016-10".to_owned()))?),
    };
    let (year, month) = month.ok_or_else(|| Failure::Failed("there are no bookings".to_owned()))?;
    let stays = bookings.stays_in(year, month);
    if stays.is_empty() {
        return Err(Failure::Failed(format!("nobody comes in {year}-{month:02}")));
    }
    Ok(Replay { tenant, property, stays, speed: args.speed, people: args.people, seed: args.seed })
}

fn month_of(text: &str) -> Option<(i16, i8)> {
    let (year, month) = text.split_once('-')?;
    let (year, month) = (year.parse().ok()?, month.parse().ok()?);
    (1..=12).contains(&month).then_some((year, month))
}

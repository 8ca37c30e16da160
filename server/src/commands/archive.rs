//! `melmastoon archive`: old months out of the database, looked over, and back.

use std::io::IsTerminal as _;
use std::sync::Arc;

use archive::{Archivist, Month};
use clap::{Args, Subcommand};
use contracts::ids::TenantId;

use crate::app::{App, Parts};
use crate::config::Config;
use crate::progress::Bar;
use crate::saying::say;
use crate::{Failure, archiving, instance};

#[derive(Subcommand, Debug)]
pub enum ArchiveCommand {
    /// Take every month whose time is over; goes on where an earlier run ended
    #[command(after_help = "Example:\n  melmastoon archive run --rate 0      as fast as it goes")]
    Run {
        /// Rows a second; 0: as fast as it goes
        #[arg(long, value_name = "ROWS")]
        rate: Option<u32>,
        /// For scripts
        #[arg(long)]
        json: bool,
    },
    /// What is in the archive
    List(Which),
    /// Read every file again and compare it with what was noted
    Verify(Which),
    /// Bring a tenant's month back into the database, for 30 days
    #[command(after_help = "Example:\n  melmastoon archive restore --tenant tnt_A --month 2025-03")]
    Restore {
        #[arg(long, value_name = "TENANT")]
        tenant: String,
        #[arg(long, value_name = "YYYY-MM")]
        month: Month,
        /// For scripts
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args, Debug)]
pub struct Which {
    /// Of one hotel company
    #[arg(long, value_name = "TENANT")]
    tenant: Option<String>,
    /// Of one month
    #[arg(long, value_name = "YYYY-MM")]
    month: Option<Month>,
    /// For scripts
    #[arg(long)]
    json: bool,
}

pub async fn archive(config: &Config, command: ArchiveCommand) -> Result<(), Failure> {
    match command {
        ArchiveCommand::Run { rate, json } => run(config, rate, json).await,
        ArchiveCommand::List(which) => list(config, which).await,
        ArchiveCommand::Verify(which) => verify(config, which).await,
        ArchiveCommand::Restore { tenant, month, json } => {
            let tenant = checked(&tenant)?;
            let bar = Arc::new(Bar::new(json));
            let archivist = telling(opened(config, None).await?, &bar);
            let restored = archivist.restore(&tenant, month).await;
            bar.end();
            let restored = restored.map_err(failed)?;
            if json {
                say!("{}", serde_json::json!({ "tenantId": tenant, "month": month.to_string(), "restored": restored }));
            } else if restored.files == 0 {
                say!("nothing of {tenant} in {month} is in the archive alone");
            } else {
                say!("{} rows from {} files are back for 30 days", restored.rows, restored.files);
            }
            Ok(())
        }
    }
}

async fn run(config: &Config, rate: Option<u32>, json: bool) -> Result<(), Failure> {
    let bar = Arc::new(Bar::new(json));
    let done = telling(opened(config, rate).await?, &bar).run().await;
    bar.end();
    let done = done.map_err(failed)?;
    if json {
        say!("{}", serde_json::to_string(&done).unwrap_or_default());
    } else {
        say!(
            "{} files with {} rows ({} KiB) written and proven, {} rows removed, {} months wait",
            done.files,
            done.rows,
            done.bytes >> 10,
            done.removed,
            done.waiting
        );
    }
    Ok(())
}

async fn list(config: &Config, which: Which) -> Result<(), Failure> {
    let tenant = which.tenant.as_deref().map(checked).transpose()?;
    let lines = opened(config, None).await?.list(tenant.as_deref(), which.month).await.map_err(failed)?;
    if which.json {
        say!("{}", serde_json::to_string(&lines).unwrap_or_default());
        return Ok(());
    }
    if lines.is_empty() {
        say!("nothing is archived");
    }
    let bold = if std::io::stdout().is_terminal() { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    for line in lines {
        let state = format!("{:?}", line.state).to_lowercase();
        say!("{}{}{}  {} rows  {} KiB  {state}", bold.0, line.path, bold.1, line.rows, line.bytes >> 10);
    }
    Ok(())
}

async fn verify(config: &Config, which: Which) -> Result<(), Failure> {
    let tenant = which.tenant.as_deref().map(checked).transpose()?;
    let bar = Arc::new(Bar::new(which.json));
    let found = telling(opened(config, None).await?, &bar).verify(tenant.as_deref(), which.month).await;
    bar.end();
    let found = found.map_err(failed)?;
    if which.json {
        say!("{}", serde_json::to_string(&found).unwrap_or_default());
    } else {
        say!("{} files with {} rows are what was noted", found.files, found.rows);
        for damaged in &found.damaged {
            eprintln!("{damaged}");
        }
    }
    match found.damaged.len() {
        0 => Ok(()),
        count => Err(Failure::Failed(format!(
            "{count} files are damaged or gone: bring them back from a copy of the archive"
        ))),
    }
}

async fn opened(config: &Config, rate: Option<u32>) -> Result<Archivist, Failure> {
    let Some(place) = &config.archive else {
        return Err(Failure::Usage(
            "MELMASTOON_ARCHIVE_URL is not set: name the archive, such as file:///var/lib/melmastoon/archive"
                .to_owned(),
        ));
    };
    let mut place = place.clone();
    if let Some(rate) = rate {
        place.rows_a_second = (rate > 0).then_some(rate);
    }
    let address = instance::running(config).await?;
    let app = App::build(Parts::configured(config, address)?)?;
    archiving::archivist(app.db, &place).map_err(failed)
}

/// Says every file, and how far the one at hand has come.
fn telling(archivist: Archivist, bar: &Arc<Bar>) -> Archivist {
    let (said, shown) = (Arc::clone(bar), Arc::clone(bar));
    archivist.telling(move |line| said.say(line)).watched_by(move |one| {
        shown.show(one.what, one.rows, one.of, &format!("rows {}", one.doing.done()));
    })
}

fn checked(tenant: &str) -> Result<String, Failure> {
    let tenant = TenantId::parse(tenant).map_err(|error| Failure::Usage(format!("--tenant: {error}")))?;
    Ok(tenant.as_str().to_owned())
}

fn failed(error: archive::ArchiveError) -> Failure {
    match error {
        archive::ArchiveError::Address { .. } => Failure::Usage(error.to_string()),
        other => Failure::Failed(other.to_string()),
    }
}

//! `melmastoon republish`: what was published before goes out once more.

use std::io::{IsTerminal, Write};

use clap::Args;
use contracts::ids::TenantId;
use contracts::time::Timestamp;
use platform::bus::{Again, republish};

use crate::app::{App, Parts};
use crate::config::Config;
use crate::saying::say;
use crate::{Failure, instance};

#[derive(Args, Debug)]
pub struct RepublishArgs {
    /// Everything that was published since then, such as 2026-04-22T06:00:00Z
    #[arg(long, value_name = "TIME")]
    pub since: String,
    /// Only this subject
    #[arg(long)]
    pub subject: Option<String>,
    /// Only this tenant's
    #[arg(long)]
    pub tenant: Option<String>,
    /// For scripts
    #[arg(long)]
    pub json: bool,
}

pub async fn run(config: &Config, args: &RepublishArgs) -> Result<(), Failure> {
    let since = Timestamp::parse(&args.since).map_err(|error| {
        Failure::Usage(format!("--since {}: {error}; a time like 2026-04-22T06:00:00Z is needed", args.since))
    })?;
    let tenant = args.tenant.as_deref().map(TenantId::parse).transpose();
    let tenant = tenant.map_err(|error| Failure::Usage(format!("--tenant: {error}")))?;
    if let Some(subject) = &args.subject
        && contracts::catalogue::find(subject).is_none()
    {
        return Err(Failure::Usage(format!(
            "--subject {subject}: `melmastoon contracts list` shows the subjects there are"
        )));
    }
    let address = instance::running(config).await?;
    let app = App::build(Parts::connected(config, address).await?)?;
    let again = Again { since, subject: args.subject.clone(), tenant: tenant.map(|tenant| tenant.as_str().to_owned()) };
    let mut progress = Progress { terminal: std::io::stderr().is_terminal(), told: 0 };
    let total = republish(&app.db, app.broker.as_deref(), &again, |count, mill| progress.show(count, mill)).await;
    progress.end();
    let total = total?;
    if args.json {
        say!("{}", serde_json::json!({ "published": total }));
    } else {
        say!("{total} events published again");
    }
    Ok(())
}

/// A bar on a terminal, a line for every tenth otherwise.
struct Progress {
    terminal: bool,
    told: u64,
}

impl Progress {
    fn show(&mut self, count: u64, mill: u64) {
        if self.terminal {
            let filled = usize::try_from(mill / 25).unwrap_or(40).min(40);
            eprint!("\r[{}{}] {:>3} % {count} events", "#".repeat(filled), ".".repeat(40 - filled), mill / 10);
            let _ = std::io::stderr().flush();
        } else if mill / 100 > self.told {
            self.told = mill / 100;
            eprintln!("{} %: {count} events", mill / 10);
        }
    }

    fn end(&self) {
        if self.terminal {
            eprintln!();
        }
    }
}

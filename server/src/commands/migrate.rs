//! `melmastoon migrate`: bring the database up to date, or say how it differs.

use clap::Args;
use platform::database::{DatabaseAddress, connect};

use crate::config::Config;
use crate::saying::say;
use crate::{Failure, contexts, instance};

#[derive(Args, Debug)]
pub struct MigrateArgs {
    /// Only report what differs; exit with 1 if anything does
    #[arg(long)]
    pub check: bool,
    /// For scripts
    #[arg(long)]
    pub json: bool,
}

pub async fn migrate(config: &Config, args: &MigrateArgs) -> Result<(), Failure> {
    let address = instance::running(config).await?;
    if args.check {
        return check(&address, args.json).await;
    }
    let done = instance::bring_up_to_date(&address).await?;
    if args.json {
        say!("{}", serde_json::json!({ "applied": done }));
    } else if done.is_empty() {
        say!("up to date");
    } else {
        for step in done {
            say!("applied {step}");
        }
    }
    Ok(())
}

async fn check(address: &DatabaseAddress, json: bool) -> Result<(), Failure> {
    let client = connect(address).await?;
    let mut drift = Vec::new();
    for context in &contexts::migrations() {
        drift.extend(context.drift(&client).await?.iter().map(ToString::to_string));
    }
    drift.extend(platform::database::leaks(&client, &contexts::schemas()).await?);
    if json {
        say!("{}", serde_json::json!({ "drift": drift }));
    } else if drift.is_empty() {
        say!("no drift");
    } else {
        for line in &drift {
            say!("{line}");
        }
    }
    if drift.is_empty() { Ok(()) } else { Err(Failure::Failed(format!("{} differences", drift.len()))) }
}

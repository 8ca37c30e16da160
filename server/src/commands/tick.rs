//! `melmastoon tick`: what happens by itself with time, as a process of its own or once.

use std::time::Duration;

use clap::Args;
use housekeeping::application::ticks;
use platform::Db;
use platform::database::DbRole;
use tokio::sync::watch;

use super::run::{Share, run_alone};
use crate::app::{App, Parts};
use crate::config::Config;
use crate::{Failure, instance};

#[derive(Args, Debug)]
pub struct TickArgs {
    /// Which one: `maintenance`, or `all`
    #[arg(value_parser = ["maintenance", "all"])]
    pub name: String,
    /// Run it once and end
    #[arg(long)]
    pub once: bool,
}

pub async fn tick(config: &Config, args: &TickArgs) -> Result<(), Failure> {
    if !args.once {
        return run_alone(config, Share { tick: true, ..Share::default() }).await;
    }
    let address = instance::running(config).await?;
    let app = App::build(Parts::configured(config, address)?)?;
    match maintain(&app.db).await? {
        Some(upkeep) => {
            println!("maintenance: {} partitions made, {} rows removed", upkeep.partitions_made, upkeep.rows_removed);
        }
        None => println!("maintenance: another process is at it"),
    }
    Ok(())
}

/// At the start and then every hour, until told to stop.
pub(crate) async fn every_hour(db: &Db, mut stop: watch::Receiver<bool>) {
    loop {
        if let Err(fault) = maintain(db).await {
            tracing::warn!(%fault, "maintenance will be tried again");
        }
        tokio::select! {
            () = tokio::time::sleep(Duration::from_hours(1)) => {}
            _ = stop.changed() => return,
        }
    }
}

/// One process at a time: the lock ends with its connection.
async fn maintain(db: &Db) -> Result<Option<ticks::Upkeep>, platform::Fault> {
    let owner = db.connect_as(DbRole::Owner).await?;
    let mine = owner.query_one("SELECT pg_try_advisory_lock(7310579003)", &[]).await;
    let mine = mine.map_err(|error| platform::Fault::Unavailable(error.to_string()))?;
    if !mine.get::<_, bool>(0) {
        return Ok(None);
    }
    let mut upkeep = ticks::keep_up(db).await?;
    upkeep.rows_removed += platform::retention::purge_log(db).await?;
    Ok(Some(upkeep))
}

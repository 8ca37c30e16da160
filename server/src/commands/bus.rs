//! `melmastoon bus`: what stands at the broker, and how far everybody is.

use clap::Subcommand;
use platform::bus::{Backlog, Lag, SetAside, backlog, embedded_lag, set_aside};
use serde::Serialize;

use crate::app::{App, Parts};
use crate::config::Config;
use crate::{Failure, contexts, instance};

#[derive(Subcommand, Debug)]
pub enum BusCommand {
    /// Make what the catalogue says (streams and consumers, topics and subscriptions), and mend what differs
    Apply {
        /// Only say what would be done; exit code 1 if anything would
        #[arg(long)]
        check: bool,
    },
    /// What waits: in the outboxes, and for each subscription
    Status {
        /// For scripts
        #[arg(long)]
        json: bool,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    bus: String,
    outboxes: Vec<Backlog>,
    subscriptions: Vec<Lag>,
    set_aside: Vec<SetAside>,
    /// What the broker has to tell besides numbers, and what it cannot tell.
    remarks: Vec<String>,
}

pub async fn bus(config: &Config, command: BusCommand) -> Result<(), Failure> {
    let address = instance::running(config).await?;
    let app = App::build(Parts::connected(config, address).await?)?;
    match command {
        BusCommand::Apply { check } => apply(&app, check).await,
        BusCommand::Status { json } => status(&app, json).await,
    }
}

fn away(error: impl std::fmt::Display) -> Failure {
    Failure::Failed(error.to_string())
}

async fn apply(app: &App, check: bool) -> Result<(), Failure> {
    let Some(broker) = &app.broker else {
        app.register().await?;
        println!("the bus is embedded: its tables come with `melmastoon migrate`");
        return Ok(());
    };
    let said = if check { broker.drift(&app.subscriptions).await } else { broker.apply(&app.subscriptions).await };
    let said = said.map_err(away)?;
    for line in &said {
        println!("{line}");
    }
    if !check {
        app.register().await?;
        // What only a person can mend is said again by a second look.
        let left = broker.drift(&app.subscriptions).await.map_err(away)?;
        if !left.is_empty() {
            return Err(Failure::Failed(format!("{} things still differ: {}", left.len(), left.join("; "))));
        }
    }
    match (said.len(), check) {
        (0, _) => println!("everything stands as the catalogue says"),
        (count, true) => return Err(Failure::Failed(format!("{count} things differ from the catalogue"))),
        (count, false) => println!("{count} things made or mended"),
    }
    Ok(())
}

async fn status(app: &App, json: bool) -> Result<(), Failure> {
    let schemas: Vec<_> = contexts::at_rest().iter().map(|context| context.schema).collect();
    let mut subscriptions = embedded_lag(&app.db).await?;
    let mut remarks = Vec::new();
    if let Some(broker) = &app.broker {
        subscriptions.extend(broker.lag(&app.subscriptions).await.map_err(away)?);
        remarks = broker.remarks(&app.subscriptions).await.map_err(away)?;
    }
    let status = Status {
        bus: app.broker.as_ref().map_or("embedded".to_owned(), |broker| broker.name().to_lowercase()),
        outboxes: backlog(&app.db, &schemas).await?,
        subscriptions,
        set_aside: set_aside(&app.db).await?,
        remarks,
    };
    if json {
        println!("{}", serde_json::to_string(&status).unwrap_or_default());
        return Ok(());
    }
    println!("bus: {}", status.bus);
    for one in &status.outboxes {
        println!("outbox {:<14} {:>8} waiting, the oldest for {} s", one.outbox, one.waiting, one.oldest_seconds);
    }
    for one in &status.subscriptions {
        println!(
            "{:<14} {:<26} {:>8} waiting, {} at work, {} tried again",
            one.subscription, one.stream, one.waiting, one.at_work, one.tried_again
        );
    }
    for line in &status.remarks {
        println!("{line}");
    }
    for one in &status.set_aside {
        println!(
            "set aside {} {} {} since {}: {}",
            one.event_id, one.outbox, one.subject, one.set_aside_at, one.reason
        );
    }
    Ok(())
}

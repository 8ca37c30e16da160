//! `melmastoon bus`: what stands at the broker, and how far everybody is.

use clap::Subcommand;
use platform::bus::{Backlog, BrokerError, Lag, SetAside, backlog, embedded_lag, retry_set_aside, set_aside};
use serde::Serialize;

use crate::app::{App, Parts};
use crate::config::Config;
use crate::saying::say;
use crate::{Failure, contexts, instance};

#[derive(Subcommand, Debug)]
pub enum BusCommand {
    /// Make what the catalogue says (streams and consumers, topics and subscriptions), and mend what differs
    Apply {
        /// Only say what would be done; exit code 1 if anything would
        #[arg(long)]
        check: bool,
    },
    /// Give to the broker once more what it refused, once the reason is mended
    #[command(after_help = "Examples:\n  melmastoon bus retry\n  melmastoon bus retry evt_01J0ABCDEFGHJKMNPQRSTVWXYZ")]
    Retry {
        /// One event; without it all that are set aside
        event: Option<String>,
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
        BusCommand::Retry { event } => retry(&app, event.as_deref()).await,
        BusCommand::Status { json } => status(&app, json).await,
    }
}

fn away(name: &str, error: &BrokerError) -> String {
    format!("{name} does not answer as it should: {}", error.reason())
}

async fn apply(app: &App, check: bool) -> Result<(), Failure> {
    let Some(broker) = &app.broker else {
        app.register().await?;
        say!("the bus is embedded: its tables come with `melmastoon migrate`");
        return Ok(());
    };
    let said = if check { broker.drift(&app.subscriptions).await } else { broker.apply(&app.subscriptions).await };
    let failed = |error: BrokerError| Failure::Failed(away(broker.name(), &error));
    let said = said.map_err(failed)?;
    for line in &said {
        say!("{line}");
    }
    if !check {
        app.register().await?;
        // What only a person can mend is said again by a second look.
        let left = broker.drift(&app.subscriptions).await.map_err(failed)?;
        if !left.is_empty() {
            return Err(Failure::Failed(format!("{} things still differ: {}", left.len(), left.join("; "))));
        }
    }
    match (said.len(), check) {
        (0, _) => say!("everything stands as the catalogue says"),
        (count, true) => return Err(Failure::Failed(format!("{count} things differ from the catalogue"))),
        (count, false) => say!("{count} things made or mended"),
    }
    Ok(())
}

async fn retry(app: &App, event: Option<&str>) -> Result<(), Failure> {
    match (retry_set_aside(&app.db, event).await?, event) {
        (0, Some(event)) => {
            Err(Failure::Failed(format!("{event} is not set aside: `melmastoon bus status` lists what is")))
        }
        (count, _) => {
            say!("{count} events are given to the broker again");
            Ok(())
        }
    }
}

async fn status(app: &App, json: bool) -> Result<(), Failure> {
    let schemas: Vec<_> = contexts::at_rest().iter().map(|context| context.schema).collect();
    let mut subscriptions = embedded_lag(&app.db).await?;
    let (mut remarks, mut unreached) = (Vec::new(), None);
    if let Some(broker) = &app.broker {
        // What waits in the outboxes is asked for most when the broker is away.
        match broker.lag(&app.subscriptions).await {
            Ok(lags) => {
                subscriptions.extend(lags);
                match broker.remarks(&app.subscriptions).await {
                    Ok(said) => remarks = said,
                    Err(error) => unreached = Some(away(broker.name(), &error)),
                }
            }
            Err(error) => unreached = Some(away(broker.name(), &error)),
        }
        remarks.extend(unreached.clone());
    }
    let status = Status {
        bus: app.broker.as_ref().map_or("embedded".to_owned(), |broker| broker.name().to_lowercase()),
        outboxes: backlog(&app.db, &schemas).await?,
        subscriptions,
        set_aside: set_aside(&app.db).await?,
        remarks,
    };
    if json {
        say!("{}", serde_json::to_string(&status).unwrap_or_default());
    } else {
        show(&status, unreached.as_deref());
    }
    match unreached {
        None => Ok(()),
        Some(why) => Err(Failure::Failed(format!("{why}; what is committed waits in the outboxes, and REST goes on"))),
    }
}

/// For people. What is said of the failure is left to the failure.
fn show(status: &Status, unreached: Option<&str>) {
    say!("bus: {}", status.bus);
    for one in &status.outboxes {
        say!("outbox {:<14} {:>8} waiting, the oldest for {} s", one.outbox, one.waiting, one.oldest_seconds);
    }
    for one in &status.subscriptions {
        say!(
            "{:<14} {:<26} {:>8} waiting, {} at work, {} tried again",
            one.subscription,
            one.stream,
            one.waiting,
            one.at_work,
            one.tried_again
        );
    }
    for line in status.remarks.iter().filter(|line| Some(line.as_str()) != unreached) {
        say!("{line}");
    }
    for one in &status.set_aside {
        say!("set aside {} {} {} since {}: {}", one.event_id, one.outbox, one.subject, one.set_aside_at, one.reason);
    }
}

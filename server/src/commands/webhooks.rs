//! `melmastoon webhooks`: where integrators are told, over all tenants, and telling again.

use clap::Subcommand;
use contracts::ids::WebhookId;
use contracts::time::Timestamp;
use platform::database::DbRole;
use platform::webhooks::{Again, replay_by_operator, resume_by_operator};
use serde_json::json;

use crate::app::{App, Parts};
use crate::config::Config;
use crate::saying::say;
use crate::{Failure, instance};

const AGAIN: &str = "Examples:
  melmastoon webhooks replay whk_A
  melmastoon webhooks replay whk_A --event evt_B
  melmastoon webhooks replay whk_A --since 2026-04-22T06:00:00Z --json";

#[derive(Subcommand, Debug)]
pub enum WebhooksCommand {
    /// The endpoints, with what waits for them
    List {
        /// For scripts: an array
        #[arg(long)]
        json: bool,
    },
    /// What an endpoint was told last
    Log {
        id: String,
        /// For scripts: an array
        #[arg(long)]
        json: bool,
    },
    /// Let a paused endpoint go on: what waits for it is told now
    Resume { id: String },
    /// Tell an endpoint again what was given up; or everything that is on record, one event, or what was published since
    #[command(after_help = AGAIN)]
    Replay {
        id: String,
        /// Everything that is on record for it
        #[arg(long)]
        all: bool,
        /// This event, told before or not
        #[arg(long, value_name = "EVENT", conflicts_with = "all")]
        event: Option<String>,
        /// What was published since then, told before or not, such as 2026-04-22T06:00:00Z; ten thousand events at most
        #[arg(long, value_name = "TIME", conflicts_with_all = ["all", "event"])]
        since: Option<String>,
        /// For scripts
        #[arg(long)]
        json: bool,
    },
}

pub async fn webhooks(config: &Config, command: WebhooksCommand) -> Result<(), Failure> {
    let address = instance::running(config).await?;
    let app = App::build(Parts::configured(config, address)?)?;
    match command {
        WebhooksCommand::List { json } => list(&app, json).await,
        WebhooksCommand::Log { id, json } => log(&app, &known(&app, &id).await?, json).await,
        WebhooksCommand::Replay { id, all, event, since, json } => {
            let known = known(&app, &id).await?;
            let again = again(all, event, since)?;
            let count = replay_by_operator(&app.db, &housekeeping::SCHEMA, &known, &again).await?;
            if let (0, Again::Event(event)) = (count, &again) {
                return Err(Failure::Failed(format!(
                    "{id} is not told of {event}: no such event of its tenant and subjects"
                )));
            }
            let paused = is_paused(&app, &known).await?;
            if json {
                say!("{}", json!({ "waiting": count, "paused": paused }));
                return Ok(());
            }
            say!("{count} events wait to be told again");
            if paused {
                say!("the endpoint is paused: `melmastoon webhooks resume {id}` lets it go on");
            }
            Ok(())
        }
        WebhooksCommand::Resume { id } => {
            let waiting = resume_by_operator(&app.db, &housekeeping::SCHEMA, &known(&app, &id).await?).await?;
            say!("{id} is called again: {waiting} events wait for it, and whatever was published meanwhile");
            Ok(())
        }
    }
}

fn again(all: bool, event: Option<String>, since: Option<String>) -> Result<Again, Failure> {
    match (event, since) {
        (Some(event), _) => Ok(Again::Event(event)),
        (None, Some(since)) => {
            let wrong =
                |error| Failure::Usage(format!("--since {since}: {error}; a time like 2026-04-22T06:00:00Z is needed"));
            Ok(Again::Since(Timestamp::parse(&since).map_err(wrong)?))
        }
        (None, None) if all => Ok(Again::Recorded),
        (None, None) => Ok(Again::GivenUp),
    }
}

/// Whoever asks about an endpoint that is not there is told so, and not that nothing waits for it.
async fn known(app: &App, id: &str) -> Result<WebhookId, Failure> {
    let known = WebhookId::parse(id).map_err(|error| Failure::Usage(error.to_string()))?;
    let relay = app.db.connect_as(DbRole::Relay).await?;
    let found = relay.query_opt("SELECT FROM bus.webhook_endpoints WHERE id = $1", &[&known.as_str()]).await;
    match found.map_err(|error| Failure::Failed(error.to_string()))? {
        Some(_) => Ok(known),
        None => Err(Failure::Failed(format!("there is no endpoint {id}: `melmastoon webhooks list` has them all"))),
    }
}

async fn is_paused(app: &App, id: &WebhookId) -> Result<bool, Failure> {
    let relay = app.db.connect_as(DbRole::Relay).await?;
    let sql = "SELECT state = 'paused' FROM bus.webhook_endpoints WHERE id = $1";
    let row = relay.query_opt(sql, &[&id.as_str()]).await.map_err(|error| Failure::Failed(error.to_string()))?;
    Ok(row.is_some_and(|row| row.get(0)))
}

/// Rows as JSON, one object each, and the words for people in `line`.
async fn show(app: &App, sql: &str, id: Option<&WebhookId>, as_json: bool) -> Result<(), Failure> {
    let relay = app.db.connect_as(DbRole::Relay).await?;
    let id = id.map(WebhookId::as_str);
    let failed = |error: tokio_postgres::Error| Failure::Failed(error.to_string());
    let rows = relay.query(sql, &[&id]).await.map_err(failed)?;
    let rows: Vec<serde_json::Value> = rows.iter().map(|row| row.get(0)).collect();
    if as_json {
        say!("{}", json!(rows));
        return Ok(());
    }
    for row in &rows {
        let words: Vec<_> = row.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()).collect();
        let words: Vec<_> = words.iter().map(|(name, value)| format!("{name} {}", plain(value))).collect();
        say!("{}", words.join("  "));
    }
    say!("{} in all", rows.len());
    Ok(())
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

async fn list(app: &App, json: bool) -> Result<(), Failure> {
    let sql = "SELECT jsonb_build_object('id', e.id, 'tenantId', e.tenant_id, 'url', e.url, 'state', e.state,
                 'pausedBecause', e.paused_because, 'failingSince', e.failing_since,
                 'waiting', (SELECT count(*) FROM bus.webhook_deliveries d WHERE d.endpoint_id = e.id AND d.state = 'waiting'),
                 'givenUp', (SELECT count(*) FROM bus.webhook_deliveries d WHERE d.endpoint_id = e.id AND d.state = 'given_up'))
               FROM bus.webhook_endpoints e WHERE $1::TEXT IS NULL ORDER BY e.tenant_id, e.id";
    show(app, sql, None, json).await
}

async fn log(app: &App, id: &WebhookId, json: bool) -> Result<(), Failure> {
    let sql = "SELECT jsonb_build_object('offset', log_offset, 'eventId', event_id, 'subject', subject, 'state', state,
                 'attempts', attempts, 'lastAttemptAt', last_attempt_at, 'lastStatus', last_status, 'lastError', last_error)
               FROM bus.webhook_deliveries WHERE endpoint_id = $1 ORDER BY log_offset DESC LIMIT 100";
    show(app, sql, Some(id), json).await
}

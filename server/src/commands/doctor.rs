//! `melmastoon doctor`: is everything as it should be, and if not, what to do.

use clap::Args;
use embedded::ServerBinaries;
use platform::Db;
use platform::bus::{DeadLetters, Unheard};
use platform::database::{DatabaseAddress, DbRole, connect, leaks};

use crate::app::{App, Parts};
use crate::config::Config;
use crate::saying::say;
use crate::{Failure, contexts, instance};

#[derive(Args, Clone, Copy, Debug)]
pub struct DoctorArgs {
    /// For scripts
    #[arg(long)]
    pub json: bool,
    /// The signing key and the PIN secret of this machine are the hotel's from here on: the former ones are lost
    #[arg(long)]
    pub adopt_secrets: bool,
}

struct Report {
    json: bool,
    lines: Vec<(String, Result<String, String>)>,
}

impl Report {
    fn add(&mut self, what: &str, outcome: Result<String, String>) {
        if !self.json {
            match &outcome {
                Ok(detail) => say!("ok    {what}: {detail}"),
                Err(detail) => say!("FAIL  {what}: {detail}"),
            }
        }
        self.lines.push((what.to_owned(), outcome));
    }
}

pub async fn doctor(config: &Config, args: DoctorArgs) -> Result<(), Failure> {
    let json = args.json;
    let mut report = Report { json, lines: Vec::new() };
    report.add("configuration", Ok(format!("data folder {}", config.data_dir.display())));
    if config.database_url.is_none() {
        let found = ServerBinaries::find(&instance::search(config), None);
        report.add(
            "PostgreSQL binaries",
            found
                .map(|found| format!("{} in {}", found.version(), found.folder().display()))
                .map_err(|e| e.to_string()),
        );
    }
    let planner = match &config.routing_url {
        Some(_) => "an orchestrator (MELMASTOON_ROUTING_URL), with the built-in planner as its fallback",
        None => "the built-in planner",
    };
    report.add("routing", Ok(planner.to_owned()));
    cache(config, &mut report).await;
    match instance::running(config).await {
        Ok(address) => examine(config, address, &mut report, args.adopt_secrets).await,
        Err(failure) => report.add("database", Err(failure.to_string())),
    }
    let failed = report.lines.iter().filter(|(_, outcome)| outcome.is_err()).count();
    if json {
        let list: Vec<_> = report
            .lines
            .iter()
            .map(|(what, outcome)| {
                let detail = outcome.as_ref().unwrap_or_else(|detail| detail);
                serde_json::json!({ "check": what, "ok": outcome.is_ok(), "detail": detail })
            })
            .collect();
        say!("{}", serde_json::Value::Array(list));
    }
    if failed == 0 { Ok(()) } else { Err(Failure::Failed(format!("{failed} of {} checks failed", report.lines.len()))) }
}

async fn examine(config: &Config, address: DatabaseAddress, report: &mut Report, adopt_secrets: bool) {
    let client = match connect(&address).await {
        Ok(client) => client,
        Err(fault) => return report.add("database", Err(fault.to_string())),
    };
    let version = client.query_one("SHOW server_version", &[]).await.map(|row| row.get::<_, String>(0));
    report.add("database", version.map(|v| format!("PostgreSQL {v}")).map_err(|error| error.to_string()));
    let mut drift = Vec::new();
    for context in &contexts::migrations() {
        match context.drift(&client).await {
            Ok(found) => drift.extend(found.iter().map(ToString::to_string)),
            Err(fault) => drift.push(fault.to_string()),
        }
    }
    report.add("migrations", if drift.is_empty() { Ok("up to date".to_owned()) } else { Err(drift.join("; ")) });
    let isolation = match leaks(&client, &contexts::schemas()).await {
        Ok(found) if found.is_empty() => Ok("every table is held to its tenant".to_owned()),
        Ok(found) => Err(found.join("; ")),
        Err(fault) => Err(fault.to_string()),
    };
    report.add("row level security", isolation);
    match Parts::connected(config, address).await.and_then(App::build) {
        Ok(app) => {
            roles(&app.db, report).await;
            secrets(&app, report, adopt_secrets).await;
            bus(&app, report).await;
            undelivered(&app, report).await;
            ticks(&app, report).await;
            retention(config, &app, report).await;
        }
        Err(failure) => report.add("application", Err(failure.to_string())),
    }
}

/// Whether the cache that processes share is reached. Without it everything goes on, from the database.
async fn cache(config: &Config, report: &mut Report) {
    let outcome = match &config.cache {
        None => Ok("none (REDIS_URL is not set): boards come from the database".to_owned()),
        Some(cache) => {
            let away = |why| format!("REDIS_URL does not answer: {why}; boards come from the database meanwhile");
            cache.examine().await.map_err(away)
        }
    };
    report.add("cache", outcome);
}

/// What happens by itself with time: a tick that failed, or that nobody runs, is said.
async fn ticks(app: &App, report: &mut Report) {
    let states = match platform::ticks::states(&app.db).await {
        Ok(states) => states,
        Err(fault) => return report.add("ticks", Err(fault.to_string())),
    };
    let now = app.db.clock().now();
    for state in &states {
        let ran = state.last_run_at.map_or_else(|| "never ran".to_owned(), |at| format!("ran {at}"));
        let said = state.last_outcome.as_ref().map(|said| format!(" ({said})")).unwrap_or_default();
        let due = state.due_at.map(|at| format!(", due {at}")).unwrap_or_default();
        let line = format!("{ran}{said}{due}");
        let every = app.ticker.find(&state.name).map_or(0, |tick| tick.every.as_secs());
        let patience = i64::try_from(every).unwrap_or(i64::MAX).saturating_add(LATE_SECONDS);
        let is_late = state.due_at.is_some_and(|at| at.plus_seconds(patience) < now);
        let outcome = match (state.last_failed, is_late) {
            (true, _) => Err(line),
            (false, true) => Err(format!("{line}, and nobody runs it: {WHO_TICKS}")),
            (false, false) => Ok(line),
        };
        report.add(&format!("tick {}", state.name), outcome);
    }
    // A hotel that has just opened has some before it.
    let open_for = open_seconds(app).await;
    for name in app.ticker.names() {
        let Some(tick) = app.ticker.find(name) else { continue };
        if tick.everywhere || states.iter().any(|state| state.name == name) {
            continue;
        }
        let patience = i64::try_from(tick.every.as_secs()).unwrap_or(i64::MAX).saturating_add(LATE_SECONDS);
        let outcome =
            if open_for > patience { Err(format!("never ran: {WHO_TICKS}")) } else { Ok("did not run yet".to_owned()) };
        report.add(&format!("tick {name}"), outcome);
    }
}

/// So much later than its time a tick may be: its process is being started again.
const LATE_SECONDS: i64 = 10 * 60;
const WHO_TICKS: &str = "is `melmastoon up` or `melmastoon tick all` running?";

/// For how long processes have been run on this database.
async fn open_seconds(app: &App) -> i64 {
    let Ok(relay) = app.db.connect_as(DbRole::Relay).await else { return 0 };
    let row = relay.query_one("SELECT min(registered_at) FROM bus.subscriptions", &[]).await;
    let since: Option<jiff::Timestamp> = row.ok().and_then(|row| row.get(0));
    since.map_or(0, |since| app.db.clock().now().as_millis() / 1_000 - since.as_second())
}

/// What each job that removes rows did last, and what waits for it. Rows that wait for an archive that is not there are said, and
/// are no fault: nothing is lost by that.
async fn retention(config: &Config, app: &App, report: &mut Report) {
    let states = match platform::retention::states(&app.db, &contexts::archived()).await {
        Ok(states) => states,
        Err(fault) => return report.add("retention", Err(fault.to_string())),
    };
    for state in &states {
        let platform::retention::RetentionState { what, ran_at, removed, removed_ever, waiting } = state;
        let ran = ran_at.map_or_else(|| "never ran".to_owned(), |at| format!("ran {at}"));
        let line = format!("{ran}: {removed} rows, {removed_ever} in all; {waiting} wait");
        report.add(&format!("retention of {what}"), Ok(line));
    }
    let archive = match &config.archive {
        Some(place) => match crate::archiving::try_out(place).await {
            Ok(()) => Ok(format!("{}, {} files", place.url, filed(&app.db).await)),
            Err(why) => Err(format!("nothing can be put there: {why}; old months stay in the database meanwhile")),
        },
        None => Ok("MELMASTOON_ARCHIVE_URL is not set: old months stay in the database".to_owned()),
    };
    report.add("archive", archive);
}

/// How many files the archive's ledger has.
async fn filed(db: &Db) -> String {
    let Ok(operator) = db.connect_as(DbRole::Operator).await else { return "?".to_owned() };
    let row = operator.query_one("SELECT count(*) FROM bus.archives", &[]).await;
    row.map_or_else(|_| "?".to_owned(), |row| row.get::<_, i64>(0).to_string())
}

async fn roles(db: &Db, report: &mut Report) {
    for role in DbRole::ALL {
        let outcome = match db.connect_as(role).await {
            Ok(_) => Ok("may be taken".to_owned()),
            Err(fault) => Err(format!("{fault}; run `melmastoon migrate` with a login that may make roles")),
        };
        report.add(&format!("role {}", role.name()), outcome);
    }
}

/// Whether tokens and PINs of the other machines hold here.
async fn secrets(app: &App, report: &mut Report, adopt: bool) {
    let looked = async {
        if adopt {
            platform::auth::adopt_secrets(&app.db, &app.secrets).await?;
        }
        platform::auth::differing_secrets(&app.db, &app.secrets).await
    };
    let outcome = match looked.await {
        Ok(differing) if differing.is_empty() => Ok("those that the hotel works with".to_owned()),
        Ok(differing) => Err(format!(
            "{} of this machine differ from the hotel's, so that tokens or PINs from elsewhere are refused here: copy the data folder's files from the machine that was first; where they are lost, `melmastoon doctor --adopt-secrets` (PINs have to be set anew)",
            differing.join(" and ")
        )),
        Err(fault) => Err(fault.to_string()),
    };
    report.add("secrets", outcome);
}

/// Whether the bus is reached, stands as the catalogue says, and has nothing lying aside.
async fn bus(app: &App, report: &mut Report) {
    let outcome = match &app.broker {
        None => Ok("embedded".to_owned()),
        Some(broker) => match broker.drift(&app.subscriptions).await {
            Ok(drift) if drift.is_empty() => Ok(format!("{}, as the catalogue says", broker.name())),
            Ok(drift) => Err(format!("{}; `melmastoon bus apply` mends it", summary(&drift))),
            Err(error) => Err(format!(
                "{} does not answer as it should: {}; REST goes on, and what is committed waits in the outbox",
                broker.name(),
                error.reason()
            )),
        },
    };
    report.add("bus", outcome);
    let lying = match platform::bus::set_aside(&app.db).await {
        Ok(all) if all.is_empty() => waiting(app).await,
        Ok(all) => Err(format!(
            "{} events were refused by the broker: `melmastoon bus status` lists them, `melmastoon bus retry` tries them again",
            all.len()
        )),
        Err(fault) => Err(fault.to_string()),
    };
    report.add("outbox", lying);
    let broker = app.broker.as_ref().map(|broker| broker.name());
    let unheard = platform::bus::unheard(&app.db).await.map_err(|fault| fault.to_string());
    report.add("subscriptions", unheard.and_then(|all| everybody_hears(broker, &all)));
}

/// What is published on the embedded bus is taken by somebody; whoever tries again is at work.
fn everybody_hears(broker: Option<&str>, unheard: &[Unheard]) -> Result<String, String> {
    let Some(late) = unheard.iter().max_by_key(|one| one.oldest_seconds) else {
        return Ok(match broker {
            None => "nothing waits that nobody takes".to_owned(),
            Some(broker) => format!("{broker} holds what waits: `melmastoon bus status` counts it"),
        });
    };
    let others = match unheard.len() {
        1 => String::new(),
        all => format!(" and {} more", all - 1),
    };
    Err(format!(
        "nobody takes what waits for {}{others}, the oldest for {} s: is a worker running (`melmastoon up`, or `work`)?",
        late.subscription, late.oldest_seconds
    ))
}

/// What waits to be published, where nothing is set aside.
async fn waiting(app: &App) -> Result<String, String> {
    let schemas: Vec<_> = app.subscriptions.iter().map(|subscription| subscription.schema).collect();
    let all = platform::bus::backlog(&app.db, &schemas).await.map_err(|fault| fault.to_string())?;
    let (count, oldest) =
        (all.iter().map(|one| one.waiting).sum::<i64>(), all.iter().map(|one| one.oldest_seconds).max());
    match oldest.unwrap_or(0) {
        late if late > platform::bus::ALARM_SECONDS => Err(format!(
            "{count} events wait to be published, the oldest for {late} s: is a relay running (`melmastoon up`, or `relay`), and the broker there?"
        )),
        _ => Ok(format!("nothing is set aside, {count} wait")),
    }
}

/// What did not reach whom it was for: dead letters, and endpoints that are no longer called.
async fn undelivered(app: &App, report: &mut Report) {
    let open = match DeadLetters::open(app.db.clone(), app.subscriptions.clone()).await {
        Ok(letters) => letters.count_open().await,
        Err(fault) => Err(fault),
    };
    let outcome = match open {
        Ok(0) => Ok("none is open".to_owned()),
        Ok(open) => Err(format!(
            "{open} could not be applied: `melmastoon dlq list` says why, then `dlq replay` what is mended and `dlq discard` what never can be"
        )),
        Err(fault) => Err(fault.to_string()),
    };
    report.add("dead letters", outcome);
    let sql = "SELECT count(*), count(*) FILTER (WHERE state = 'paused' AND paused_because IS NOT NULL) FROM bus.webhook_endpoints";
    let counted = match app.db.connect_as(DbRole::Relay).await {
        Ok(relay) => relay.query_one(sql, &[]).await.map_err(|error| error.to_string()),
        Err(fault) => Err(fault.to_string()),
    };
    let outcome = counted.and_then(|row| match (row.get::<_, i64>(0), row.get::<_, i64>(1)) {
        (all, 0) => Ok(format!("{all} endpoints")),
        (all, paused) => Err(format!(
            "{paused} of {all} endpoints are paused, and their events wait: `melmastoon webhooks list` says why, `webhooks resume` lets one go on"
        )),
    });
    report.add("webhooks", outcome);
}

/// The first few, and how many more.
fn summary(drift: &[String]) -> String {
    let shown = drift.iter().take(3).cloned().collect::<Vec<_>>().join("; ");
    if drift.len() > 3 { format!("{shown}; and {} more", drift.len() - 3) } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_heard_by_nobody_longest_is_named_first() {
        let waits = |name: &str, oldest_seconds| Unheard { subscription: name.to_owned(), oldest_seconds };
        assert!(everybody_hears(None, &[]).is_ok());
        assert!(everybody_hears(Some("NATS"), &[]).is_ok_and(|said| said.starts_with("NATS holds what waits")));
        let said = everybody_hears(None, &[waits("staff", 40), waits("housekeeping", 90)]).unwrap_err();
        assert!(said.starts_with("nobody takes what waits for housekeeping and 1 more, the oldest for 90 s"), "{said}");
    }
}

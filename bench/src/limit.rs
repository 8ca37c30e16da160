//! The limit: pgbench calls one function that does the work of the product's transaction, on the same server.

use std::process::Stdio;

use embedded::{Address, Login};
use platform::database::APP_ROLE;
use tokio::process::Command;

use crate::Outcome;
use crate::load::Span;
use crate::stage::Stage;

/// Work that pgbench can do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    /// Start and complete: two operations for each run of the script.
    Tasks,
    CheckOuts,
}

impl Work {
    fn script(self) -> (&'static str, &'static str, f64) {
        match self {
            Self::Tasks => ("tasks.pgbench", include_str!("../sql/tasks.pgbench"), 2.0),
            Self::CheckOuts => ("checkouts.pgbench", include_str!("../sql/checkouts.pgbench"), 1.0),
        }
    }
}

/// What pgbench reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) per_second: f64,
    /// All that were made, the warm-up included.
    pub(crate) operations: f64,
}

/// Operations a second after the warm-up: a new backend reads the catalogue and plans, which the product did long ago.
pub(crate) async fn run(stage: &Stage, work: Work, clients: usize, span: Span) -> Outcome<Limit> {
    let (name, text, operations) = work.script();
    run_text(stage, name, text, operations, clients, span).await
}

/// The same with any script: so many operations for each run of it.
pub(crate) async fn run_text(
    stage: &Stage,
    name: &str,
    text: &str,
    operations: f64,
    clients: usize,
    span: Span,
) -> Outcome<Limit> {
    let file = stage.folder().join(name);
    std::fs::write(&file, text)?;
    let cluster = stage.cluster()?;
    let mut command = Command::new(cluster.binaries().folder().join("pgbench"));
    reach(&mut command, cluster.login());
    let seconds = span.warm_up.as_secs() + span.counted.as_secs();
    let output = command
        .env("PGOPTIONS", format!("-c role={APP_ROLE} -c timezone=UTC -c plan_cache_mode=force_generic_plan"))
        .args(["--no-vacuum", "--protocol=prepared", "--jobs=2", "--progress=1", "--define=fresh=1", "--define=i=0"])
        .arg(format!("--client={clients}"))
        .arg(format!("--time={seconds}"))
        .arg(format!("--file={}", file.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .output()
        .await?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || !said.contains("progress") {
        return Err(format!("pgbench failed: {said}").into());
    }
    let all = String::from_utf8_lossy(&output.stdout);
    let all = all.lines().find_map(|line| line.strip_prefix("number of transactions actually processed: "));
    let all = all.and_then(|count| count.split('/').next()?.trim().parse::<f64>().ok());
    let speed = counted(&said, span);
    let (Some(speed), Some(all)) = (speed, all) else { return Err(format!("pgbench said: {said}").into()) };
    Ok(Limit { per_second: speed * operations, operations: all * operations })
}

/// The mean of the progress lines (`progress: 2.0 s, 1234.5 tps, …`) after the warm-up.
fn counted(said: &str, span: Span) -> Option<f64> {
    let speeds: Vec<f64> = said
        .lines()
        .filter_map(|line| {
            let (at, rest) = line.strip_prefix("progress: ")?.split_once(" s, ")?;
            let at: f64 = at.parse().ok()?;
            let speed = rest.split_once(" tps")?.0.parse().ok()?;
            (at > span.warm_up.as_secs_f64() + 0.5).then_some(speed)
        })
        .collect();
    let count = u32::try_from(speeds.len()).ok().filter(|count| *count > 0)?;
    Some(speeds.iter().sum::<f64>() / f64::from(count))
}

fn reach(command: &mut Command, login: &Login) {
    let host = match login.address() {
        Address::Socket(folder) => folder.display().to_string(),
        Address::Loopback(_) => "127.0.0.1".to_owned(),
    };
    let config = login.config();
    let port = config.get_ports().first().copied().unwrap_or(5432);
    let password = String::from_utf8_lossy(config.get_password().unwrap_or_default()).into_owned();
    command
        .env("PGHOST", host)
        .env("PGPORT", port.to_string())
        .env("PGUSER", login.user())
        .env("PGPASSWORD", password)
        .env("PGDATABASE", login.database());
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_the_seconds_after_the_warm_up_count() {
        let said = "pgbench (15.1)\nprogress: 1.0 s, 10.0 tps, lat 1 ms\nprogress: 2.0 s, 100.0 tps, lat 1 ms\n\
                    progress: 3.0 s, 300.0 tps, lat 1 ms\n";
        let span = Span { warm_up: Duration::from_secs(1), counted: Duration::from_secs(2) };
        assert_eq!(counted(said, span), Some(200.0));
        assert_eq!(counted("no such database", span), None);
    }
}

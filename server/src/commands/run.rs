//! Running parts of the product until told to stop: `serve`, `relay`, `work`, and what `up` adds together.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt;
use platform::database::DbRole;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::app::{App, Parts};
use crate::config::Config;
use crate::{Failure, instance};

/// How often relay and worker look by themselves.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How often what was measured is counted and forgotten.
const COUNT_EVERY: Duration = Duration::from_secs(5);
/// How long open requests may take to end.
const DRAIN_LIMIT: Duration = Duration::from_secs(4);

/// Ctrl-C and SIGTERM. Listened to from the first moment, so that none of them comes too early or falls between two steps.
#[derive(Clone, Debug)]
pub(crate) struct StopSignal(watch::Receiver<bool>);

impl StopSignal {
    pub(crate) fn listen() -> Result<Self, Failure> {
        let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let (asked, listening) = watch::channel(false);
        tokio::spawn(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            let _ = asked.send(true);
            // The signals stay ours while the process drains: a second one must not cut it short.
            std::future::pending::<()>().await;
        });
        Ok(Self(listening))
    }

    /// Resolves when the process is asked to stop.
    pub(crate) async fn comes(&mut self) {
        if self.0.wait_for(|asked| *asked).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Which parts run in this process.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Share {
    pub serve: Option<SocketAddr>,
    pub relay: bool,
    pub work: bool,
    pub tick: bool,
}

/// Binds the address; a taken port says so and what to do.
pub(crate) async fn bind(listen: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(listen).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            Failure::Failed(format!("{listen} is in use; choose another with --listen, or PORT= for make run"))
        }
        _ => Failure::Failed(format!("cannot listen on {listen}: {error}")),
    })
}

/// Every open board is an open file. Where the machine allows more than it gives by default, we take it.
fn take_open_files() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    let raised =
        getrlimit(Resource::RLIMIT_NOFILE).and_then(|(_, most)| setrlimit(Resource::RLIMIT_NOFILE, most, most));
    if let Err(error) = raised {
        tracing::info!(%error, "the number of open files stays as it is");
    }
}

/// Runs until asked to stop, then drains.
pub(crate) async fn run(
    app: Arc<App>,
    parts: Share,
    listener: Option<TcpListener>,
    mut signal: StopSignal,
) -> Result<(), Failure> {
    let (stop, stopped) = watch::channel(false);
    let (stop_serving, mut serving_stopped) = watch::channel(false);
    let mut tasks = JoinSet::new();
    if parts.relay {
        let (app, stopped) = (Arc::clone(&app), stopped.clone());
        tasks.spawn(async move { app.relay.run(stopped, LOOK_EVERY).await });
    }
    if parts.work {
        let (app, stopped) = (Arc::clone(&app), stopped.clone());
        tasks.spawn(async move { app.worker.run(stopped, LOOK_EVERY).await });
    }
    if parts.tick {
        let (app, stopped) = (Arc::clone(&app), stopped.clone());
        tasks.spawn(async move { super::tick::every_hour(&app.db, stopped).await });
    }
    {
        let (app, mut stopped) = (Arc::clone(&app), stopped.clone());
        // Times of requests are kept one by one until they are counted, and nobody may ever ask for them.
        tasks.spawn(async move {
            while tokio::time::timeout(COUNT_EVERY, stopped.changed()).await.is_err() {
                app.metrics.run_upkeep();
            }
        });
    }
    let server = listener.map(|listener| {
        take_open_files();
        let listener = listener.tap_io(|stream| {
            // Answers are small: each is sent as soon as it is written.
            let _ = stream.set_nodelay(true);
        });
        let until = async move {
            let _ = serving_stopped.changed().await;
        };
        tokio::spawn(axum::serve(listener, app.router.clone()).with_graceful_shutdown(until).into_future())
    });
    signal.comes().await;
    tracing::info!("stopping: open requests may end, nothing new begins");
    app.begin_draining();
    // The relay goes last: what the last requests committed still goes out.
    if let Some(server) = server {
        let _ = stop_serving.send(true);
        let _ = tokio::time::timeout(DRAIN_LIMIT, server).await;
    }
    let _ = stop.send(true);
    let _ = tokio::time::timeout(DRAIN_LIMIT / 2, async { while tasks.join_next().await.is_some() {} }).await;
    tasks.abort_all();
    Ok(())
}

/// A new database has neither our roles nor our tables: better said once now than at every request.
async fn is_migrated(app: &App) -> Result<(), Failure> {
    let hint = "run `melmastoon migrate` first, with a login that may make roles";
    let client = app.db.connect_as(DbRole::App).await.map_err(|fault| {
        let missing = fault.to_string().contains("does not exist");
        if missing { Failure::Failed(format!("{fault}; {hint}")) } else { fault.into() }
    })?;
    let outbox = client.query_one("SELECT to_regclass('housekeeping.outbox') IS NOT NULL", &[]).await;
    match outbox.map(|row| row.get(0)) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::Failed(format!("the database has no tables of ours yet; {hint}"))),
        Err(error) => Err(Failure::Failed(error.to_string())),
    }
}

/// `serve`, `relay`, `work`, `tick` as processes of their own, on a database that is there already.
pub(crate) async fn run_alone(config: &Config, parts: Share) -> Result<(), Failure> {
    let signal = StopSignal::listen()?;
    let address = instance::running(config).await?;
    let app = Arc::new(App::build(Parts::configured(config, address)?)?);
    is_migrated(&app).await?;
    let listener = match parts.serve {
        Some(listen) => Some(bind(listen).await?),
        None => None,
    };
    match &listener {
        Some(listener) => println!("melmastoon serving at http://{}", listener.local_addr()?),
        None => println!("melmastoon running"),
    }
    run(app, parts, listener, signal).await
}

/// The API and push endpoints only.
pub async fn serve(config: &Config, listen: SocketAddr) -> Result<(), Failure> {
    run_alone(config, Share { serve: Some(listen), ..Share::default() }).await
}

/// The outbox relay only.
pub async fn relay(config: &Config) -> Result<(), Failure> {
    run_alone(config, Share { relay: true, ..Share::default() }).await
}

/// The bus consumers only.
pub async fn work(config: &Config) -> Result<(), Failure> {
    run_alone(config, Share { work: true, ..Share::default() }).await
}

#[cfg(test)]
mod tests {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    #[test]
    fn a_process_takes_as_many_open_files_as_the_machine_allows() {
        let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).expect("a limit");
        setrlimit(Resource::RLIMIT_NOFILE, most / 2, most).expect("fewer files");
        super::take_open_files();
        assert_eq!(getrlimit(Resource::RLIMIT_NOFILE), Ok((most, most)));
    }
}

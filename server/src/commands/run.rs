//! Running parts of the product until told to stop: `serve`, `relay`, `work`, and what `up` adds together.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use platform::database::DbRole;
use platform::http::{ConnectionLimits, listen};
use platform::parts::{Patience, Supervisor};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use super::tick::is_called;
use crate::app::{App, Parts};
use crate::config::Config;
use crate::saying::say;
use crate::{Failure, contexts, instance};

/// How often relay and worker look by themselves.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How often the deliveries of an embedded bus are looked for where a broker has taken its place.
const LEFT_BEHIND_EVERY: Duration = Duration::from_secs(10);
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

/// Where monitors ask a process that serves nobody else.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Watched {
    /// Where monitors may ask: /healthz, /readyz and /metrics; nowhere unless told
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,
}

/// Which of the ticks run in this process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ticks {
    #[default]
    None,
    All,
    /// Those of this name, by its whole or without its context.
    Called(String),
}

/// Which parts run in this process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Share {
    pub serve: Option<SocketAddr>,
    /// Without serving: monitors are answered.
    pub watched: Option<SocketAddr>,
    pub relay: bool,
    pub work: bool,
    pub ticks: Ticks,
    /// For tests: one more part, which panics whenever it is started.
    pub fails: bool,
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

/// Runs until asked to stop, or until a part keeps failing; then drains.
pub(crate) async fn run(
    app: Arc<App>,
    share: Share,
    listener: Option<TcpListener>,
    mut signal: StopSignal,
) -> Result<(), Failure> {
    let mut parts = Supervisor::new(app.roster.clone(), Patience::default());
    start(&mut parts, &app, &share);
    // The listener goes first when we stop, and so is watched over by itself.
    let mut serving = Supervisor::new(app.roster.clone(), Patience::default());
    if let Some(listener) = listener {
        take_open_files();
        let (app, listener) = (Arc::clone(&app), Arc::new(listener));
        serving.run("http", move |mut stop| {
            let router = if share.serve.is_some() { app.router.clone() } else { app.monitors.clone() };
            let listener = Arc::clone(&listener);
            async move {
                let until = async move {
                    let _ = stop.wait_for(|stop| *stop).await;
                };
                listen(&listener, router, ConnectionLimits::default(), until).await;
            }
        });
    }
    let given_up = tokio::select! {
        () = signal.comes() => None,
        given_up = app.roster.given_up() => Some(given_up),
    };
    tracing::info!("stopping: open requests may end, nothing new begins");
    app.begin_draining();
    // The relay goes last: what the last requests committed still goes out.
    serving.stop(DRAIN_LIMIT).await;
    parts.stop(DRAIN_LIMIT / 2).await;
    match given_up {
        None => Ok(()),
        Some(given_up) => Err(Failure::Failed(format!(
            "the part `{}` keeps failing, so the process has stopped; the last time {}",
            given_up.part, given_up.why
        ))),
    }
}

/// Every part of this process's share, by its name.
fn start(parts: &mut Supervisor, app: &Arc<App>, share: &Share) {
    if share.relay {
        let app = Arc::clone(app);
        parts.run("relay", move |stop| {
            let app = Arc::clone(&app);
            async move {
                app.relay.run_after(stand_at_broker(&app, stop.clone()), stop, LOOK_EVERY).await;
            }
        });
    }
    if share.work {
        let app = Arc::clone(app);
        parts.run("worker", move |stop| {
            let app = Arc::clone(&app);
            async move {
                let Some(broker) = &app.broker else { return app.worker.run(stop, LOOK_EVERY).await };
                // What the embedded bus still had to deliver when the broker took its place is delivered all the same.
                let left = app.worker.run(stop.clone(), LEFT_BEHIND_EVERY);
                tokio::join!(broker.deliver(&app.db, &app.subscriptions, stop), left);
            }
        });
    }
    if share.work {
        let app = Arc::clone(app);
        parts.run("webhooks", move |stop| {
            let app = Arc::clone(&app);
            async move { app.webhooks.run(stop, LOOK_EVERY).await }
        });
    }
    if share.ticks != Ticks::None {
        let (app, ticks) = (Arc::clone(app), share.ticks.clone());
        parts.run("ticks", move |stop| {
            let (app, ticks) = (Arc::clone(&app), ticks.clone());
            async move {
                let is_ours = |name: &str| match &ticks {
                    Ticks::None => false,
                    Ticks::All => true,
                    Ticks::Called(called) => is_called(name, called),
                };
                app.ticker.run(stop, LOOK_EVERY, is_ours).await;
            }
        });
    }
    let app = Arc::clone(app);
    // Times of requests are kept one by one until they are counted, and nobody may ever ask for them.
    parts.run("upkeep", move |mut stop| {
        let app = Arc::clone(&app);
        async move {
            while tokio::time::timeout(COUNT_EVERY, stop.wait_for(|stop| *stop)).await.is_err() {
                app.metrics.run_upkeep();
            }
        }
    });
    if share.fails {
        parts.run("fault", |_| async { panic!("as MELMASTOON_FAULT asks") });
    }
}

/// Streams and consumers are there before the first event: nobody who listens misses one. A broker that is away is asked again.
async fn stand_at_broker(app: &App, mut stop: watch::Receiver<bool>) {
    let Some(broker) = &app.broker else { return };
    loop {
        match broker.apply(&app.subscriptions).await {
            Ok(_) => return,
            Err(error) => tracing::warn!(%error, "the broker is away; what is committed waits in the outbox"),
        }
        if tokio::time::timeout(Duration::from_secs(1), stop.wait_for(|stop| *stop)).await.is_ok() {
            return;
        }
    }
}

/// A new database has neither our roles nor our tables: better said once now than at every request.
async fn is_migrated(app: &App) -> Result<(), Failure> {
    let hint = "run `melmastoon migrate` first, with a login that may make roles";
    let client = app.db.connect_as(DbRole::App).await.map_err(|fault| {
        let missing = fault.to_string().contains("does not exist");
        if missing { Failure::Failed(format!("{fault}; {hint}")) } else { fault.into() }
    })?;
    let tables = client
        .query_one(
            "SELECT to_regclass('bus.ticks') IS NOT NULL AND to_regclass('bus.webhook_endpoints') IS NOT NULL",
            &[],
        )
        .await;
    match tables.map(|row| row.get(0)) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::Failed(format!("the database has not all of our tables yet; {hint}"))),
        Err(error) => Err(Failure::Failed(error.to_string())),
    }
}

/// `serve`, `relay`, `work`, `tick` as processes of their own, on a database that is there already.
pub(crate) async fn run_alone(config: &Config, share: Share, contexts: &[String]) -> Result<(), Failure> {
    let share = Share { fails: config.part_fails, ..share };
    let mut signal = StopSignal::listen()?;
    let starting = async {
        let address = instance::running(config).await?;
        let served = Some(contexts::chosen(contexts)?);
        let app = Arc::new(App::build(Parts { served, ..Parts::connected(config, address).await? })?);
        is_migrated(&app).await?;
        app.register().await?;
        if share.serve.is_some() {
            app.compare_secrets().await;
        }
        let listener = match share.serve.or(share.watched) {
            Some(listen) => Some(bind(listen).await?),
            None => None,
        };
        Ok::<_, Failure>((app, listener))
    };
    // A database that does not answer is waited for, and whoever takes the process away meanwhile does not wait with it.
    let (app, listener) = tokio::select! {
        started = starting => started?,
        () = signal.comes() => return Ok(()),
    };
    match &listener {
        Some(listener) if share.serve.is_some() => say!("melmastoon serving at http://{}", listener.local_addr()?),
        Some(listener) => say!("melmastoon running, watched at http://{}", listener.local_addr()?),
        None => say!("melmastoon running"),
    }
    run(app, share, listener, signal).await
}

/// What runs for all contexts alike.
pub(crate) fn every_context() -> Vec<String> {
    contexts::NAMES.map(str::to_owned).to_vec()
}

/// The API and push endpoints only, of these contexts.
pub async fn serve(config: &Config, listen: SocketAddr, contexts: &[String]) -> Result<(), Failure> {
    run_alone(config, Share { serve: Some(listen), ..Share::default() }, contexts).await
}

/// The outbox relay only.
pub async fn relay(config: &Config, watched: Watched) -> Result<(), Failure> {
    run_alone(config, Share { relay: true, watched: watched.listen, ..Share::default() }, &every_context()).await
}

/// The bus consumers only.
pub async fn work(config: &Config, watched: Watched) -> Result<(), Failure> {
    run_alone(config, Share { work: true, watched: watched.listen, ..Share::default() }, &every_context()).await
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

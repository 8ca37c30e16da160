//! Running parts of the product until told to stop: `serve`, `relay`, `work`, and what `up` adds together.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt;
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
const DRAIN_LIMIT: Duration = Duration::from_secs(6);

/// Resolves at Ctrl-C or SIGTERM.
pub(crate) async fn asked_to_stop() {
    let terminated = async {
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminated => {}
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

/// Runs until asked to stop, then drains.
pub(crate) async fn run(app: Arc<App>, parts: Share, listener: Option<TcpListener>) -> Result<(), Failure> {
    let (stop, stopped) = watch::channel(false);
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
        let mut stopped = stopped.clone();
        let listener = listener.tap_io(|stream| {
            // Answers are small: each is sent as soon as it is written.
            let _ = stream.set_nodelay(true);
        });
        let until = async move {
            let _ = stopped.changed().await;
        };
        tokio::spawn(axum::serve(listener, app.router.clone()).with_graceful_shutdown(until).into_future())
    });
    asked_to_stop().await;
    tracing::info!("stopping: open requests may end, nothing new begins");
    app.begin_draining();
    // The relay goes last: what the last requests committed still goes out.
    if let Some(server) = server {
        let _ = stop.send(true);
        let _ = tokio::time::timeout(DRAIN_LIMIT, server).await;
    }
    let _ = stop.send(true);
    let _ = tokio::time::timeout(DRAIN_LIMIT / 2, async { while tasks.join_next().await.is_some() {} }).await;
    tasks.abort_all();
    Ok(())
}

/// `serve`, `relay`, `work`, `tick` as processes of their own, on a database that is there already.
pub(crate) async fn run_alone(config: &Config, parts: Share) -> Result<(), Failure> {
    let address = instance::running(config).await?;
    let app = Arc::new(App::build(Parts::configured(config, address)?)?);
    app.db.ping().await?;
    let listener = match parts.serve {
        Some(listen) => Some(bind(listen).await?),
        None => None,
    };
    match parts.serve {
        Some(listen) => println!("melmastoon serving at http://{listen}"),
        None => println!("melmastoon running"),
    }
    run(app, parts, listener).await
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

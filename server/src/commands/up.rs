//! `melmastoon up`: everything in one process.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use platform::database::DatabaseAddress;

use super::run::{Share, StopSignal, Ticks, bind, run};
use crate::app::{App, Parts};
use crate::config::Config;
use crate::saying::say;
use crate::web::DemoDoor;
use crate::{Failure, demo, instance};

#[derive(Args, Debug)]
pub struct UpArgs {
    /// Where to listen
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT")]
    pub listen: SocketAddr,
    /// Open the demo hotel, "Hotel Chinar", if it is not there yet
    #[arg(long)]
    pub demo: bool,
    /// The demo's seed: the same seed gives the same hotel
    #[arg(long, default_value_t = 48, value_name = "N")]
    pub seed: u64,
}

pub async fn up(config: &Config, args: UpArgs) -> Result<(), Failure> {
    let begun = Instant::now();
    let mut signal = StopSignal::listen()?;
    let listener = bind(args.listen).await?;
    // Port 0 is any free one: what is told is where it really is.
    let listen = listener.local_addr()?;
    std::fs::create_dir_all(&config.data_dir)
        .map_err(|error| Failure::Failed(format!("cannot make {}: {error}", config.data_dir.display())))?;
    // Asked to stop while still starting: whatever has been started is stopped again.
    let (cluster, address) = if let Some(address) = instance::configured(config)? {
        (None, address)
    } else {
        let cluster = tokio::select! {
            cluster = instance::start(config) => cluster?,
            () = signal.comes() => return Ok(()),
        };
        let address = cluster.login().config().into();
        tracing::info!(folder = %config.data_dir.display(), version = cluster.binaries().version(), "PostgreSQL is running");
        (Some(cluster), address)
    };
    let outcome = tokio::select! {
        outcome = start(config, &args, listen, address, begun) => Some(outcome),
        () = signal.comes() => None,
    };
    let outcome = match outcome {
        Some(Ok(app)) => {
            let share = Share {
                serve: Some(listen),
                watched: None,
                relay: true,
                work: true,
                ticks: Ticks::All,
                fails: config.part_fails,
            };
            run(app, share, Some(listener), signal).await
        }
        Some(Err(failure)) => Err(failure),
        None => Ok(()),
    };
    if let Some(cluster) = cluster {
        cluster.stop().await?;
    }
    outcome
}

async fn start(
    config: &Config,
    args: &UpArgs,
    listen: SocketAddr,
    address: DatabaseAddress,
    begun: Instant,
) -> Result<Arc<App>, Failure> {
    for step in instance::bring_up_to_date(&address).await? {
        tracing::info!(step, "migrated");
    }
    let mut parts = Parts::connected(config, address).await?;
    if args.demo {
        parts.web.demo = DemoDoor::open(config, listen, demo::visitors(args.seed))?;
    }
    let open_door = parts.web.demo.is_some();
    let app = Arc::new(App::build(parts)?);
    app.db.ping().await?;
    app.register().await?;
    app.compare_secrets().await;
    let hotel = if args.demo { Some(Box::pin(demo::open(&app, args.seed)).await?) } else { None };
    greet(config, listen, hotel.as_ref());
    if open_door {
        invite(listen);
    }
    tracing::info!(seconds = begun.elapsed().as_secs_f64(), "ready");
    say!("melmastoon ready at http://{listen}");
    Ok(app)
}

/// One click: the pages, as whoever one wants to be.
fn invite(listen: SocketAddr) {
    say!("Or in a browser, with one click:");
    for role in ["supervisor", "housekeeper", "front_desk", "property_manager"] {
        say!("  http://{listen}/login?demo={role}");
    }
}

fn greet(config: &Config, listen: SocketAddr, hotel: Option<&demo::Hotel>) {
    if config.jwt.is_some() {
        return;
    }
    let binary = std::env::current_exe().map_or_else(|_| "melmastoon".to_owned(), |path| path.display().to_string());
    // Whole, so that it works from any folder.
    let folder = std::fs::canonicalize(&config.data_dir).unwrap_or_else(|_| config.data_dir.clone());
    let folder = folder.display();
    let (tenant, property, staff) = hotel.map_or(("tnt_MYHOTEL", "prp_MYHOUSE", "stf_ME"), |hotel| {
        (hotel.tenant.as_str(), hotel.property.as_str(), hotel.supervisor.as_str())
    });
    say!("To log in, mint a token and send it as a bearer token:");
    say!("  TOKEN=$({binary} token --data-dir {folder} --tenant {tenant} --role supervisor --staff {staff})");
    say!("  curl -H \"Authorization: Bearer $TOKEN\" 'http://{listen}/housekeeping/v1/board?propertyId={property}'");
    if let Some(hotel) = hotel {
        say!("The roster of the week, and who is there now:");
        say!("  curl -H \"Authorization: Bearer $TOKEN\" 'http://{listen}/staff/v1/roster?propertyId={property}'");
        say!("  curl -H \"Authorization: Bearer $TOKEN\" 'http://{listen}/staff/v1/on-now?propertyId={property}'");
        say!("Everybody signs in with their code and the PIN {}:", demo::PIN);
        for demo::Member { staff, name, code, position } in &hotel.people {
            say!("  {code}  {name}, {position}: --staff {staff}");
        }
    }
}

//! The command line.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use server::commands::{
    backup, bus, config, contracts, demo, dlq, doctor, export, import, migrate, person, plan, republish, run, tick,
    token, up, webhooks,
};
use server::config::Config;
use server::contexts::NAMES;
use server::{Failure, saying};

/// A quarter of our own time on the command path went into getting memory and giving it back; this one takes half as long.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

const EXAMPLES: &str = "\
Examples:
  melmastoon up --demo                          a whole hotel on this machine, at http://127.0.0.1:8080
  melmastoon token --tenant tnt_A --role supervisor
                                                a token for the REST interface
  melmastoon doctor                             what is wrong, and how to mend it
  DATABASE_URL=postgres://… melmastoon serve    one of many replicas on a database of your own";

/// Hotel operations: housekeeping, rooms, tasks, and the board that shows them
#[derive(Parser)]
#[command(name = "melmastoon", version, after_help = EXAMPLES)]
struct Cli {
    /// Where the embedded PostgreSQL and the signing key are
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Args)]
struct ServeArgs {
    /// Where to listen
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT")]
    listen: std::net::SocketAddr,
    /// Which contexts to serve
    #[arg(long, value_delimiter = ',', default_values_t = NAMES.map(str::to_owned), value_parser = NAMES)]
    contexts: Vec<String>,
}

#[derive(Subcommand)]
enum Command {
    /// Everything in one process: embedded PostgreSQL, migrations, services, relay, schedulers
    #[command(
        after_help = "Examples:\n  melmastoon up --demo\n  melmastoon up --listen 0.0.0.0:80 --data-dir /srv/hotel"
    )]
    Up(up::UpArgs),
    /// The API and push endpoints only, for many replicas
    #[command(after_help = "Example:\n  DATABASE_URL=postgres://app@db/hotel melmastoon serve --listen 0.0.0.0:8080")]
    Serve(ServeArgs),
    /// The outbox relay as its own process
    #[command(after_help = "Example:\n  DATABASE_URL=postgres://app@db/hotel melmastoon relay --listen 127.0.0.1:9101")]
    Relay(run::Watched),
    /// The bus consumers as their own process
    #[command(after_help = "Example:\n  DATABASE_URL=postgres://app@db/hotel melmastoon work --listen 127.0.0.1:9102")]
    Work(run::Watched),
    /// The schedulers as their own process, or a single tick
    #[command(
        after_help = "Examples:\n  melmastoon tick maintenance --once\n  DATABASE_URL=postgres://app@db/hotel melmastoon tick all --listen 127.0.0.1:9103"
    )]
    Tick(tick::TickArgs),
    /// Apply migrations, or report drift
    #[command(after_help = "Example:\n  melmastoon migrate --check --json")]
    Migrate(migrate::MigrateArgs),
    /// Mint a local token with the embedded key
    #[command(
        after_help = "Examples:\n  melmastoon token --tenant tnt_A --role housekeeper --staff stf_PARWIN --property prp_B --ttl 8h\n  melmastoon token --tenant tnt_A --role service"
    )]
    Token(token::TokenArgs),
    /// Dead letters: list, show, replay, discard
    #[command(
        subcommand,
        after_help = "Examples:\n  melmastoon dlq list --json\n  melmastoon dlq replay evt_01J0ABCDEFGHJKMNPQRSTVWXYZ"
    )]
    Dlq(dlq::DlqCommand),
    /// The bus: make what the catalogue says at the broker, show who is behind
    #[command(
        subcommand,
        after_help = "Examples:\n  melmastoon bus apply\n  melmastoon bus status --json\n  melmastoon bus retry"
    )]
    Bus(bus::BusCommand),
    /// Webhooks: list endpoints over all tenants, show what was told, let a paused one go on, tell again
    #[command(
        subcommand,
        after_help = "Examples:\n  melmastoon webhooks list --json\n  melmastoon webhooks resume whk_01J0ABCDEFGHJKMNPQRSTVWXYZ\n  melmastoon webhooks replay whk_01J0ABCDEFGHJKMNPQRSTVWXYZ"
    )]
    Webhooks(webhooks::WebhooksCommand),
    /// Publish again what was published before; whoever has seen it drops it
    #[command(
        after_help = "Examples:\n  melmastoon republish --since 2026-04-22T06:00:00Z\n  melmastoon republish --since 2026-04-22T06:00:00Z --subject melmastoon.housekeeping.task.created.v1 --tenant tnt_A"
    )]
    Republish(republish::RepublishArgs),
    /// Bring a hotel's rooms, or its bookings, in from a CSV file
    #[command(
        after_help = "The first line names the columns: property_id,room_id,number,floor,section,room_type\n\nExamples:\n  melmastoon import rooms.csv --tenant tnt_A --dry-run\n  melmastoon import rooms.csv --tenant tnt_A"
    )]
    Import(import::ImportArgs),
    /// Write a hotel's rooms, or its bookings, as the CSV file that `import` reads
    #[command(
        after_help = "Examples:\n  melmastoon export rooms --tenant tnt_A --output rooms.csv\n  melmastoon export bookings --tenant tnt_A --property prp_B > bookings.csv"
    )]
    Export(export::ExportArgs),
    /// Copy a whole hotel into a folder while it works
    #[command(after_help = "Example:\n  melmastoon backup /mnt/backups/$(date +%F) --data-dir /srv/hotel")]
    Backup(backup::BackupArgs),
    /// Old months: take them out of the database, list, verify, bring back
    #[cfg(feature = "archive")]
    #[command(
        subcommand,
        after_help = "Examples:\n  MELMASTOON_ARCHIVE_URL=file:///var/lib/melmastoon/archive melmastoon archive run\n  melmastoon archive list --tenant tnt_A\n  melmastoon archive restore --tenant tnt_A --month 2025-03"
    )]
    Archive(server::commands::archive::ArchiveCommand),
    /// Make a hotel from a backup, in an empty data folder
    #[command(
        after_help = "Examples:\n  melmastoon restore /mnt/backups/2026-11-16 --check\n  melmastoon restore /mnt/backups/2026-11-16 --data-dir /srv/hotel"
    )]
    Restore(backup::RestoreArgs),
    /// What is kept of a guest or of a member of the staff: hand it out, forget it
    #[command(
        subcommand,
        after_help = "Examples:\n  melmastoon person export --tenant tnt_A --guest gst_B\n  melmastoon person erase --tenant tnt_A --staff stf_B"
    )]
    Person(person::PersonCommand),
    /// The events: their schemas, examples and rules
    #[command(
        after_help = "Examples:\n  melmastoon contracts list clock\n  melmastoon contracts show reservation.checked-out\n  melmastoon contracts validate event.json"
    )]
    Contracts(contracts::ContractsArgs),
    /// Divide tasks among people: who cleans what, in which order, and why
    #[command(
        after_help = "Examples:\n  melmastoon plan --in morning.json --explain\n  melmastoon plan --in morning.json --out plan.json --svg plan.svg"
    )]
    Plan(plan::PlanArgs),
    /// Show what a hotel's days look like
    #[command(subcommand, after_help = "Example:\n  melmastoon demo replay bookings.csv --speed 600 --month 2016-10")]
    Demo(demo::DemoCommand),
    /// Print the configuration that is in force, secrets masked
    #[command(after_help = "Example:\n  melmastoon config --json")]
    Config {
        /// For scripts
        #[arg(long)]
        json: bool,
    },
    /// Check configuration, database, roles and isolation
    #[command(after_help = "Example:\n  melmastoon doctor --data-dir /srv/hotel")]
    Doctor(doctor::DoctorArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            saying::complain(format_args!("cannot start: {error}"));
            return ExitCode::FAILURE;
        }
    };
    match (runtime.block_on(obey(cli)), saying::unheard()) {
        (Ok(code), None) => code,
        (Ok(_), Some(error)) => {
            saying::complain(format_args!("the answer could not be written: {error}"));
            ExitCode::FAILURE
        }
        (Err(failure), _) => {
            saying::complain(format_args!("{failure}"));
            ExitCode::from(failure.exit_code())
        }
    }
}

async fn obey(cli: Cli) -> Result<ExitCode, Failure> {
    let settings = Config::load(cli.data_dir)?;
    let _telemetry = platform::telemetry::start(&settings.log, settings.otlp_endpoint.as_deref());
    let outcome = match cli.command {
        Command::Up(args) => Box::pin(up::up(&settings, args)).await,
        Command::Serve(args) => run::serve(&settings, args.listen, &args.contexts).await,
        Command::Relay(watched) => run::relay(&settings, watched).await,
        Command::Work(watched) => run::work(&settings, watched).await,
        Command::Tick(args) => tick::tick(&settings, &args).await,
        Command::Migrate(args) => migrate::migrate(&settings, &args).await,
        Command::Token(args) => token::token(&settings, &args),
        Command::Dlq(command) => dlq::dlq(&settings, command).await,
        Command::Bus(command) => bus::bus(&settings, command).await,
        Command::Webhooks(command) => webhooks::webhooks(&settings, command).await,
        Command::Republish(args) => republish::run(&settings, &args).await,
        Command::Import(args) => import::import(&settings, &args).await,
        Command::Export(args) => export::export(&settings, &args).await,
        Command::Backup(args) => backup::backup(&settings, &args).await,
        #[cfg(feature = "archive")]
        Command::Archive(command) => server::commands::archive::archive(&settings, command).await,
        Command::Person(command) => person::person(&settings, command).await,
        Command::Restore(args) => backup::restore(&settings, &args).await,
        Command::Contracts(args) => return Ok(contracts::run(&args)),
        Command::Plan(args) => plan::run(&args).map_err(|error| Failure::Failed(error.to_string())),
        Command::Demo(command) => demo::demo(&settings, command).await,
        Command::Config { json } => config::show(&settings, json),
        Command::Doctor(args) => doctor::doctor(&settings, args).await,
    };
    outcome.map(|()| ExitCode::SUCCESS)
}

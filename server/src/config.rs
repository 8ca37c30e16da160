//! Configuration, read once: the environment first, `melmastoon.toml` second, defaults last.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use axum::http::HeaderValue;
use platform::SharedCache;
use platform::bus::{BusAddress, FaultPoint, NatsOptions, PubSubOptions, PushTo};
use platform::http::{PublicUrl, USUAL_RATE};
use platform::{Clock, Skew, without_secrets};
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::archiving::Place;
use crate::masking::{masked, masked_url};

/// Rows a second that the archive takes: the hotel does not notice.
const USUAL_ARCHIVE_RATE: u32 = 1_000;

/// What the file may say; the environment may say the same in capitals.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    data_dir: Option<PathBuf>,
    database_url: Option<String>,
    pg_bin: Option<PathBuf>,
    bus: Option<String>,
    nats_creds: Option<PathBuf>,
    nats_ca: Option<PathBuf>,
    nats_cert: Option<PathBuf>,
    nats_key: Option<PathBuf>,
    nats_replicas: Option<usize>,
    pubsub_endpoint: Option<String>,
    pubsub_push_url: Option<String>,
    webhook_allow_private: Option<bool>,
    webhook_ca: Option<PathBuf>,
    jwt_issuer: Option<String>,
    jwt_audience: Option<String>,
    jwt_jwks_url: Option<String>,
    push_issuer: Option<String>,
    push_audience: Option<String>,
    push_jwks_url: Option<String>,
    push_email: Option<String>,
    push_subscriptions: Option<Vec<String>>,
    routing_url: Option<String>,
    connections: Option<usize>,
    rate_limit: Option<u32>,
    cors_origins: Option<String>,
    otlp_endpoint: Option<String>,
    public_url: Option<String>,
    log: Option<String>,
    archive_url: Option<String>,
    archive_rate: Option<u32>,
    redis_url: Option<String>,
}

/// An issuer of tokens that is not ours. Its name and our own are never left out: without them, any token of whoever
/// publishes the keys would do.
#[derive(Clone, Debug, Serialize)]
pub struct Issuer {
    pub issuer: String,
    pub audience: String,
    #[serde(serialize_with = "masked_url")]
    pub jwks_url: String,
}

/// The message broker's own account: it speaks for every tenant.
#[derive(Clone, Debug, Serialize)]
pub struct BrokerAccount {
    #[serde(flatten)]
    pub issuer: Issuer,
    pub email: String,
}

/// Who may push events, and how they come.
#[derive(Clone, Debug, Serialize)]
pub struct Push {
    /// `None`: a local token with the role `service`.
    #[serde(flatten)]
    pub broker: Option<BrokerAccount>,
    /// The broker's subscriptions that messages may come through; none named: any.
    pub subscriptions: Vec<String>,
}

/// What is in force.
#[derive(Clone, Debug, Serialize)]
pub struct Config {
    pub data_dir: PathBuf,
    /// `None`: the embedded PostgreSQL.
    #[serde(serialize_with = "masked")]
    pub database_url: Option<String>,
    pub pg_bin: Option<PathBuf>,
    #[serde(serialize_with = "masked_url")]
    pub bus: String,
    /// Where NATS is and how it is reached; `None`: the embedded bus.
    #[serde(skip)]
    pub nats: Option<NatsOptions>,
    /// Which project of Google Pub/Sub, and how it delivers.
    #[serde(skip)]
    pub pubsub: Option<PubSubOptions>,
    /// Whether webhooks may go into private networks, and unencrypted.
    pub webhook_allow_private: bool,
    /// Certificates that vouch for receivers of webhooks, besides the system's.
    pub webhook_ca: Option<PathBuf>,
    /// `None`: the embedded key.
    pub jwt: Option<Issuer>,
    pub push: Push,
    /// `None`: the built-in planner.
    #[serde(serialize_with = "masked")]
    pub routing_url: Option<String>,
    pub connections: usize,
    /// Requests a second for each caller.
    pub rate_limit: u32,
    /// Origins whose pages may call us, as browsers spell them; none by default.
    pub cors_origins: Vec<String>,
    /// The collector that traces go to; none by default.
    #[serde(serialize_with = "masked")]
    pub otlp_endpoint: Option<String>,
    /// Where people find the hotel from elsewhere; none: signing in by browser works on this machine alone.
    #[serde(serialize_with = "as_origin")]
    pub public_url: Option<PublicUrl>,
    pub log: String,
    /// A cache that all processes share; `None`: boards come from the database.
    #[serde(serialize_with = "masked")]
    pub redis_url: Option<String>,
    /// The same, at rest: it is connected when somebody first looks.
    #[serde(skip)]
    pub cache: Option<SharedCache>,
    /// `None`: rows stay in the database when their time is over.
    pub archive: Option<Place>,
    #[serde(skip)]
    pub path: Option<OsString>,
    #[serde(skip)]
    pub dies_at: Option<FaultPoint>,
    /// For tests: one more part, which panics whenever it is started.
    #[serde(skip)]
    pub part_fails: bool,
    /// For tests: the clock of this process is wrong.
    #[serde(skip)]
    pub skew: Option<Skew>,
}

#[expect(clippy::ref_option, reason = "serde hands it over like this")]
fn as_origin<S: serde::Serializer>(url: &Option<PublicUrl>, out: S) -> Result<S::Ok, S::Error> {
    url.as_ref().map(PublicUrl::origin).serialize(out)
}

const JWT_KEYS: &str = "MELMASTOON_JWT_JWKS_URL";
const PUSH_KEYS: &str = "MELMASTOON_PUSH_JWKS_URL";

/// Settings that say something only together, from the environment or the file: all of them, or none.
fn together<const N: usize>(settings: [(&'static str, Option<String>); N]) -> Result<Option<[String; N]>, Failure> {
    let names = settings.each_ref().map(|(name, _)| *name);
    let told = settings.map(|(name, in_file)| text(name).or(in_file).filter(|told| !told.trim().is_empty()));
    if told.iter().all(Option::is_none) {
        return Ok(None);
    }
    let missing: Vec<_> = names.iter().zip(&told).filter(|(_, told)| told.is_none()).map(|(name, _)| *name).collect();
    if missing.is_empty() {
        return Ok(Some(told.map(Option::unwrap_or_default)));
    }
    Err(Failure::Usage(format!(
        "{} must be set too: {} are set together or not at all, since with one of them missing strangers' tokens would pass",
        listed(&missing),
        listed(&names),
    )))
}

/// Two files that are of use together alone.
fn both(
    (one, first): (&str, Option<PathBuf>),
    (other, second): (&str, Option<PathBuf>),
) -> Result<Option<(PathBuf, PathBuf)>, Failure> {
    let missing = match (&first, &second) {
        (Some(_), None) => other,
        (None, Some(_)) => one,
        _ => return Ok(first.zip(second)),
    };
    Err(Failure::Usage(format!("{missing} must be set too: {one} and {other} are set together or not at all")))
}

fn listed(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.join(""),
    }
}

fn issuer_of(issuer: String, audience: String, name: &str, jwks_url: String) -> Result<Issuer, Failure> {
    Ok(Issuer { issuer, audience, jwks_url: checked_address(name, jwks_url)? })
}

/// Where old months go. An address that nothing can be written to is refused now and not when the first month is over.
fn archive_at((url, rate): (Option<String>, Option<u32>), data_dir: &Path) -> Result<Option<Place>, Failure> {
    let rate = number("MELMASTOON_ARCHIVE_RATE")?.or(rate).unwrap_or(USUAL_ARCHIVE_RATE);
    let Some(url) = text("MELMASTOON_ARCHIVE_URL").or(url) else { return Ok(None) };
    crate::archiving::check_address(&url)
        .map_err(|needed| Failure::Usage(format!("MELMASTOON_ARCHIVE_URL: {needed}")))?;
    Ok(Some(Place { url, rows_a_second: (rate > 0).then_some(rate), spool: data_dir.join("archive-spool") }))
}

impl Config {
    /// Reads everything there is. `data_dir` from the command line goes before all.
    pub fn load(data_dir: Option<PathBuf>) -> Result<Self, Failure> {
        let file = read_file(Path::new("melmastoon.toml"))?;
        let bus = text("MELMASTOON_BUS").or(file.bus).unwrap_or_else(|| "embedded".to_owned());
        let data_dir = data_dir.or(path("MELMASTOON_DATA_DIR")).or(file.data_dir).unwrap_or_else(default_data_dir);
        let archive = archive_at((file.archive_url, file.archive_rate), &data_dir)?;
        let (mut nats, mut project) = (None, None);
        match BusAddress::parse(&bus) {
            Ok(BusAddress::Embedded) => {}
            Ok(BusAddress::Nats(servers)) => {
                nats = Some(NatsOptions {
                    servers,
                    credentials: path("MELMASTOON_NATS_CREDS").or(file.nats_creds),
                    root_certificates: path("MELMASTOON_NATS_CA").or(file.nats_ca),
                    client_certificate: both(
                        ("MELMASTOON_NATS_CERT", path("MELMASTOON_NATS_CERT").or(file.nats_cert)),
                        ("MELMASTOON_NATS_KEY", path("MELMASTOON_NATS_KEY").or(file.nats_key)),
                    )?,
                    replicas: number("MELMASTOON_NATS_REPLICAS")?.or(file.nats_replicas).unwrap_or(1),
                    ack_wait: None,
                });
            }
            Ok(BusAddress::PubSub(_)) if !cfg!(feature = "pubsub") => {
                return Err(Failure::Usage(format!(
                    "MELMASTOON_BUS is `{bus}`: this binary was built without Google Pub/Sub; build it with `cargo build --release -p melmastoon --features pubsub`, or use `embedded` or `nats://…`"
                )));
            }
            Ok(BusAddress::PubSub(named)) => project = Some(named),
            Err(needed) => {
                let shown = without_secrets(&bus);
                return Err(Failure::Usage(format!("MELMASTOON_BUS is `{shown}`: {needed}")));
            }
        }
        let jwt = together([
            ("MELMASTOON_JWT_ISSUER", file.jwt_issuer),
            ("MELMASTOON_JWT_AUDIENCE", file.jwt_audience),
            (JWT_KEYS, file.jwt_jwks_url),
        ])?;
        let jwt = jwt.map(|[issuer, audience, url]| issuer_of(issuer, audience, JWT_KEYS, url)).transpose()?;
        let push = together([
            ("MELMASTOON_PUSH_ISSUER", file.push_issuer),
            ("MELMASTOON_PUSH_AUDIENCE", file.push_audience),
            (PUSH_KEYS, file.push_jwks_url),
            ("MELMASTOON_PUSH_EMAIL", file.push_email),
        ])?;
        let broker = match push {
            Some([issuer, audience, url, email]) => {
                Some(BrokerAccount { issuer: issuer_of(issuer, audience, PUSH_KEYS, url)?, email })
            }
            None => None,
        };
        let pubsub = match project {
            None => None,
            Some(project) => Some(PubSubOptions {
                project,
                endpoint: web_address("MELMASTOON_PUBSUB_ENDPOINT", file.pubsub_endpoint)?,
                emulator: text("PUBSUB_EMULATOR_HOST"),
                push: push_to(file.pubsub_push_url, broker.as_ref())?,
                ..PubSubOptions::default()
            }),
        };
        let subscriptions = list_of("MELMASTOON_PUSH_SUBSCRIPTIONS", file.push_subscriptions);
        let redis_url = text("REDIS_URL").or(file.redis_url);
        let refused = |needed| Failure::Usage(format!("REDIS_URL cannot be used: {needed}"));
        let cache = redis_url.as_deref().map(SharedCache::new).transpose().map_err(refused)?;
        Ok(Self {
            data_dir,
            archive,
            database_url: text("DATABASE_URL").or(file.database_url),
            pg_bin: path("MELMASTOON_PG_BIN").or(file.pg_bin),
            bus,
            nats,
            pubsub,
            webhook_allow_private: yes_or_no("MELMASTOON_WEBHOOK_ALLOW_PRIVATE", file.webhook_allow_private)?,
            webhook_ca: path("MELMASTOON_WEBHOOK_CA").or(file.webhook_ca),
            jwt,
            push: Push { broker, subscriptions },
            routing_url: web_address("MELMASTOON_ROUTING_URL", file.routing_url)?,
            connections: number("MELMASTOON_CONNECTIONS")?.or(file.connections).unwrap_or(16).clamp(2, 500),
            rate_limit: number("MELMASTOON_RATE_LIMIT")?.or(file.rate_limit).unwrap_or(USUAL_RATE),
            cors_origins: origins("MELMASTOON_CORS_ORIGINS", file.cors_origins)?,
            otlp_endpoint: web_address("OTEL_EXPORTER_OTLP_ENDPOINT", file.otlp_endpoint)?,
            public_url: public_url(file.public_url)?,
            redis_url,
            cache,
            log: text("MELMASTOON_LOG").or(file.log).unwrap_or_else(|| "info".to_owned()),
            path: os("PATH"),
            dies_at: match text("MELMASTOON_FAULT").as_deref() {
                Some("relay-before-publish") => Some(FaultPoint::BeforePublish),
                Some("relay-after-publish") => Some(FaultPoint::AfterPublish),
                _ => None,
            },
            part_fails: text("MELMASTOON_FAULT").as_deref() == Some("part-panics"),
            skew: text("MELMASTOON_FAULT").as_deref().and_then(skew),
        })
    }

    /// The origins as headers; they were looked at when they were read.
    pub fn cors_origins(&self) -> Vec<HeaderValue> {
        self.cors_origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok()).collect()
    }

    /// The system's clock, unless a test has made it wrong.
    pub fn clock(&self) -> Clock {
        self.skew.map_or_else(Clock::system, Clock::wrong)
    }

    pub fn signing_key_file(&self) -> PathBuf {
        self.data_dir.join("signing-key")
    }

    /// What PINs are hashed with, beside the key that signs.
    pub fn pin_secret_file(&self) -> PathBuf {
        self.data_dir.join("pin-secret")
    }
}

fn read_file(file: &Path) -> Result<File, Failure> {
    match std::fs::read_to_string(file) {
        Ok(text) => toml::from_str(&text).map_err(|error| Failure::Usage(format!("{}: {error}", file.display()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(File::default()),
        Err(error) => Err(Failure::Failed(format!("{}: {error}", file.display()))),
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the environment")]
fn os(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

fn text(name: &str) -> Option<String> {
    os(name).and_then(|value| value.into_string().ok())
}

/// `clock+300`, `clock-300`: seconds ahead or behind; `clock~300`: now this, now that.
fn skew(fault: &str) -> Option<Skew> {
    let told = fault.strip_prefix("clock")?;
    match told.strip_prefix('~') {
        Some(seconds) => seconds.parse().ok().map(Skew::Swings),
        None => told.parse().ok().map(Skew::Off),
    }
}

/// An address of the web, from the environment or the file.
fn web_address(name: &str, in_file: Option<String>) -> Result<Option<String>, Failure> {
    text(name).or(in_file).map(|url| checked_address(name, url)).transpose()
}

fn checked_address(name: &str, url: String) -> Result<String, Failure> {
    if url.starts_with("http://") || url.starts_with("https://") {
        return Ok(url);
    }
    let shown = without_secrets(&url);
    Err(Failure::Usage(format!("{name} is `{shown}`: an address that begins with http:// or https:// is needed")))
}

/// No, where nobody said anything.
fn yes_or_no(name: &str, in_file: Option<bool>) -> Result<bool, Failure> {
    match text(name).as_deref() {
        None => Ok(in_file.unwrap_or(false)),
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(other) => Err(Failure::Usage(format!("{name} is `{other}`: true or false is needed"))),
    }
}

/// Names with commas between them, or the file's list.
fn list_of(name: &str, in_file: Option<Vec<String>>) -> Vec<String> {
    let list = match text(name) {
        Some(list) => list.split(',').map(|one| one.trim().to_owned()).collect(),
        None => in_file.unwrap_or_default(),
    };
    list.into_iter().filter(|one| !one.is_empty()).collect()
}

/// Where Google shall push to, and as whom: whoever our push endpoint takes.
fn push_to(in_file: Option<String>, broker: Option<&BrokerAccount>) -> Result<Option<PushTo>, Failure> {
    let name = "MELMASTOON_PUBSUB_PUSH_URL";
    let Some(url) = web_address(name, in_file)? else { return Ok(None) };
    let Some(broker) = broker else {
        return Err(Failure::Usage(format!(
            "{name} needs MELMASTOON_PUSH_ISSUER, MELMASTOON_PUSH_AUDIENCE, {PUSH_KEYS} and MELMASTOON_PUSH_EMAIL: without them Google could not be told from strangers"
        )));
    };
    Ok(Some(PushTo { url, account: broker.email.clone(), audience: broker.issuer.audience.clone() }))
}

fn public_url(in_file: Option<String>) -> Result<Option<PublicUrl>, Failure> {
    let name = "MELMASTOON_PUBLIC_URL";
    let read = |url: String| PublicUrl::parse(&url).map_err(|why| Failure::Usage(format!("{name} is `{url}`: {why}")));
    text(name).or(in_file).map(read).transpose()
}

/// Exact origins, with commas between them.
fn origins(name: &str, in_file: Option<String>) -> Result<Vec<String>, Failure> {
    let named = text(name).or(in_file).unwrap_or_default();
    let origins: Vec<_> = named.split(',').map(str::trim).filter(|one| !one.is_empty()).map(str::to_owned).collect();
    match origins.iter().find(|origin| !is_exact(origin)) {
        None => Ok(origins),
        Some(wrong) => Err(Failure::Usage(format!(
            "{name} has `{wrong}`: exact origins like https://board.example are needed, with commas between them"
        ))),
    }
}

/// As a browser spells it: a pattern or a path would fit no page, or every one.
fn is_exact(origin: &str) -> bool {
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://")).unwrap_or_default();
    let fits = |b: u8| b.is_ascii_digit() || b.is_ascii_lowercase() || b".-:[]".contains(&b);
    !host.is_empty() && host.bytes().all(fits)
}

fn path(name: &str) -> Option<PathBuf> {
    os(name).map(PathBuf::from)
}

fn number<N: std::str::FromStr>(name: &str) -> Result<Option<N>, Failure> {
    let Some(text) = text(name) else { return Ok(None) };
    text.parse().map(Some).map_err(|_| Failure::Usage(format!("{name} is `{text}`: a whole number is needed")))
}

/// Root's home is closed to the user that PostgreSQL runs as; a system folder is not.
fn default_data_dir() -> PathBuf {
    let home = path("HOME").filter(|home| home != Path::new("/root") && home != Path::new("/"));
    match path("XDG_DATA_HOME").filter(|_| home.is_some()) {
        Some(data) => data.join("melmastoon"),
        None => home.map_or_else(|| PathBuf::from("/var/lib/melmastoon"), |home| home.join(".local/share/melmastoon")),
    }
}

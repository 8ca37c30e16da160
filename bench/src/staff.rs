//! Staff: punches, PINs, rosters and replays, each against something else that is measured in the same run.

use std::time::{Duration, Instant};

use platform::Clock;
use platform::auth::Secrets;
use tokio_postgres::Client;

use crate::Outcome;
use crate::hotel;
use crate::limit::{self, Limit, Work};
use crate::load::{self, Connection, Reached, Script, Span, timed};
use crate::stage::{Product, Stage};

const TENANT: &str = "tnt_BENCHSTAFF";
const HOUSE: &str = "prp_BENCH";
/// People who punch; pgbench takes the first two thousand, the product those after them.
const PEOPLE: usize = 40_000;
const FIRST: usize = 2_000;
/// A person punches so often, each pair a little more than a minute after the one before.
const PUNCHES: i64 = 8;

fn request(method: &str, path: &str, token: &str, body: &str) -> Vec<u8> {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn person(number: usize) -> String {
    format!("stf_B{number:07}")
}

fn token(stage: &Stage, role: &str, staff: Option<String>) -> String {
    let account = staff.clone().unwrap_or_else(|| "usr_BENCHSTAFF".to_owned());
    hotel::token(stage, TENANT, role, &account, staff)
}

/// The company, its people and the limit's function.
pub(crate) async fn prepare(stage: &Stage, superuser: &Client, product: &Product) -> Outcome<()> {
    let mut connection = Connection::open(product.address).await?;
    let manager = token(stage, "property_manager", None);
    // The positions that every tenant has come with the first look at them.
    connection.exchange(&request("GET", "/staff/v1/positions", &manager, "")).await?;
    let sql = include_str!("../sql/staff.sql").replace("{N}", &PEOPLE.to_string());
    superuser.batch_execute(&sql).await?;
    superuser.batch_execute("ANALYZE staff.people").await?;
    superuser.batch_execute("VACUUM (ANALYZE) staff.clock_entries").await?;
    Ok(())
}

/// So many connections' people, from this one on.
pub(crate) fn lanes(stage: &Stage, connections: usize, first: usize) -> Vec<Lane> {
    let first = first.max(FIRST);
    (0..connections).map(|lane| Lane::new(first + lane, connections, stage)).collect()
}

/// The product, over HTTP. Gives where the next round begins.
pub(crate) async fn punches(product: &Product, lanes: Vec<Lane>, span: Span) -> Outcome<(Reached, usize)> {
    let (reached, lanes) = load::run(product.address, lanes, span).await?;
    let next = lanes.iter().map(|lane| lane.next).max().unwrap_or(FIRST) + 1;
    Ok((reached, next))
}

/// One connection's people, with tokens made beforehand: who asks must not cost more than who answers.
pub(crate) struct Lane {
    next: usize,
    step: usize,
    pressed: i64,
    tokens: Vec<String>,
    at: usize,
}

impl Lane {
    fn new(next: usize, step: usize, stage: &Stage) -> Self {
        let tokens = (0..1_500).map(|n| token(stage, "staff", Some(person(next + n * step)))).collect();
        Self { next, step, pressed: 0, tokens, at: 0 }
    }
}

impl Script for Lane {
    async fn turn(&mut self, connection: &mut Connection, report: &mut Vec<Duration>) -> Outcome<bool> {
        if self.pressed == PUNCHES {
            (self.pressed, self.next, self.at) = (0, self.next + self.step, self.at + 1);
        }
        let Some(token) = self.tokens.get(self.at) else { return Ok(false) };
        let at = Clock::system().now().plus_seconds(-290 + 61 * (self.pressed / 2) + self.pressed % 2);
        let kind = if self.pressed % 2 == 0 { "in" } else { "out" };
        self.pressed += 1;
        let body = format!(r#"{{"kind":"{kind}","at":"{at}"}}"#);
        timed(connection, &request("POST", "/staff/v1/clock/punches", token, &body), report).await?;
        Ok(true)
    }
}

pub(crate) async fn punch_limit(stage: &Stage, clients: usize, span: Span) -> Outcome<Limit> {
    limit::run(stage, Work::Punches, clients, span).await
}

/// The middle of signing in, against the middle of a bare hash by the same code on this machine.
pub(crate) async fn sign_ins(stage: &Stage, product: &Product, times: usize) -> Outcome<(Duration, Duration)> {
    let mut connection = Connection::open(product.address).await?;
    let manager = token(stage, "property_manager", None);
    let set = format!("/staff/v1/staff/{}/pin", person(0));
    connection.exchange(&request("POST", &set, &manager, r#"{"pin":"748291"}"#)).await?;
    let body = format!(r#"{{"tenantId":"{TENANT}","staffCode":"B-0000000","pin":"748291"}}"#);
    let sign_in = request("POST", "/staff/v1/auth/pin", "none", &body);
    let secrets = Secrets::fresh(stage.key().clone())?;
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..times {
        timed(&mut connection, &sign_in, &mut ours).await?;
        let begun = Instant::now();
        secrets.hash("748291").await?;
        bare.push(begun.elapsed());
    }
    Ok((middle(ours), middle(bare)))
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Asks for one thing again and again.
struct Looking(Vec<u8>);

impl Script for Looking {
    async fn turn(&mut self, connection: &mut Connection, report: &mut Vec<Duration>) -> Outcome<bool> {
        timed(connection, &self.0, report).await?;
        // As people do: with a pause, so that what is measured is the answer and not the queue.
        tokio::time::sleep(Duration::from_millis(2)).await;
        Ok(true)
    }
}

/// How long it takes to look at something.
pub(crate) async fn looks(stage: &Stage, product: &Product, path: &str, span: Span) -> Outcome<Reached> {
    let token = token(stage, "property_manager", None);
    let scripts = (0..2).map(|_| Looking(request("GET", path, &token, ""))).collect();
    Ok(load::run(product.address, scripts, span).await?.0)
}

pub(crate) fn one_person() -> String {
    format!("/staff/v1/staff/{}", person(1))
}

/// Sends two hundred wrong PINs a second for as long as it is kept.
pub(crate) fn guess(product: &Product) -> std::thread::JoinHandle<Outcome<u64>> {
    let address = product.address;
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async move {
            let mut connection = Connection::open(address).await?;
            let (begun, mut sent) = (Instant::now(), 0_u64);
            while begun.elapsed() < Duration::from_secs(6) {
                let body = format!(r#"{{"tenantId":"{TENANT}","staffCode":"B-{:07}","pin":"111222"}}"#, sent % 500);
                // Refused, as it should be.
                let _ = connection.exchange(&request("POST", "/staff/v1/auth/pin", "none", &body)).await;
                sent += 1;
                let due = Duration::from_millis(5 * sent);
                tokio::time::sleep(due.saturating_sub(begun.elapsed())).await;
            }
            Ok(sent)
        })
    })
}

/// A thousand shifts in the week from today, each with somebody on it.
pub(crate) async fn plan_a_week(superuser: &Client) -> Outcome<()> {
    superuser.batch_execute(&shifts("week", 0, 1_000, "now()", "interval '10 minutes'")).await?;
    superuser.batch_execute("ANALYZE staff.shifts; ANALYZE staff.shift_assignments").await?;
    Ok(())
}

/// As many assignments of earlier years.
pub(crate) async fn remember(superuser: &Client, from: usize, to: usize) -> Outcome<()> {
    superuser.batch_execute(&shifts("past", from, to, "now() - interval '3 years'", "interval '1 minute'")).await?;
    superuser.batch_execute("ANALYZE staff.shifts; ANALYZE staff.shift_assignments").await?;
    Ok(())
}

/// Shifts of fifty minutes one after the other, each with the next of the people.
fn shifts(name: &str, from: usize, to: usize, begins: &str, step: &str) -> String {
    format!(
        "INSERT INTO staff.shifts (tenant_id, id, property_id, position_id, local_date, start_local, end_local, tz, starts_at, ends_at,
           primary_headcount, standby_headcount, status, version, created_at, updated_at)
         SELECT '{TENANT}', 'shf_{name}' || n, '{HOUSE}', p.id, (t AT TIME ZONE 'Asia/Kabul')::DATE,
           to_char(t AT TIME ZONE 'Asia/Kabul', 'HH24:MI'), to_char((t + interval '50 minutes') AT TIME ZONE 'Asia/Kabul', 'HH24:MI'),
           'Asia/Kabul', t, t + interval '50 minutes', 1, 0, 'scheduled', 1, now(), now()
         FROM generate_series({from}, {to} - 1) n
         CROSS JOIN LATERAL (SELECT date_trunc('minute', {begins}) + n * {step} AS t) moment
         CROSS JOIN (SELECT id FROM staff.positions WHERE tenant_id = '{TENANT}' AND code = 'HOUSEKEEPER') p;
         INSERT INTO staff.shift_assignments (tenant_id, id, shift_id, staff_id, person_no, starts_at, ends_at, role, source, status,
           assigned_at, version)
         SELECT '{TENANT}', 'sha_{name}' || n, 'shf_{name}' || n, w.id, w.person_no, s.starts_at, s.ends_at, 'primary', 'manual',
           'active', now(), 1
         FROM generate_series({from}, {to} - 1) n
         JOIN staff.shifts s ON s.tenant_id = '{TENANT}' AND s.id = 'shf_{name}' || n
         JOIN staff.people w ON w.tenant_id = '{TENANT}' AND w.id = 'stf_B' || lpad((n % {FIRST})::TEXT, 7, '0')"
    )
}

pub(crate) fn roster() -> String {
    let today = Clock::system().now().to_string();
    format!("/staff/v1/roster?propertyId={HOUSE}&from={}", &today[..10])
}

/// Middles of how long something takes.
pub(crate) struct Replays {
    /// Five hundred punches of one person that come at once.
    pub(crate) many: Duration,
    /// One punch.
    pub(crate) one: Duration,
    /// The rows of those five hundred, from PostgreSQL's own memory into its tables.
    pub(crate) rows_alone: Duration,
}

pub(crate) async fn replays(stage: &Stage, superuser: &Client, product: &Product, times: usize) -> Outcome<Replays> {
    let mut connection = Connection::open(product.address).await?;
    let (mut many, mut one, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..times {
        let who = person(PEOPLE - 1 - round);
        let own = token(stage, "staff", Some(who.clone()));
        let now = Clock::system().now();
        timed(&mut connection, &request("POST", "/staff/v1/clock/punches", &own, r#"{"kind":"in"}"#), &mut one).await?;
        let punches: Vec<String> = (0..500_i64)
            .map(|n| {
                let (at, kind) = (now.plus_seconds(-6 * 86_400 + 600 * n), if n % 2 == 0 { "in" } else { "out" });
                format!(r#"{{"clientPunchId":"{n}","kind":"{kind}","at":"{at}"}}"#)
            })
            .collect();
        let body = format!(r#"{{"deviceId":"dev_B{round}","sentAt":"{now}","punches":[{}]}}"#, punches.join(","));
        let replay = request("POST", "/staff/v1/clock/offline-replay", &own, &body);
        timed(&mut connection, &replay, &mut many).await?;
        alone.push(write_rows_again(superuser, &who).await?);
    }
    Ok(Replays { many: middle(many), one: middle(one), rows_alone: middle(alone) })
}

/// How long PostgreSQL alone needs for what a replay has written: the same rows under other ids, without a policy, in one message and one
/// transaction.
async fn write_rows_again(superuser: &Client, who: &str) -> Outcome<Duration> {
    let sql = format!(
        "DROP TABLE IF EXISTS pg_temp.punches, pg_temp.owed, pg_temp.kept;
         CREATE TEMP TABLE punches AS SELECT * FROM staff.clock_entries WHERE tenant_id = '{TENANT}' AND staff_id = '{who}';
         CREATE TEMP TABLE owed AS SELECT * FROM staff.outbox WHERE tenant_id = '{TENANT}' AND payload ->> 'staffId' = '{who}';
         CREATE TEMP TABLE kept AS SELECT * FROM staff.audit_events WHERE event_id IN (SELECT event_id FROM owed);
         UPDATE punches SET id = id || '_', client_punch_id = client_punch_id || '_';
         UPDATE owed SET event_id = event_id || '_';
         UPDATE kept SET event_id = event_id || '_'"
    );
    superuser.batch_execute(&sql).await?;
    let counts = "SELECT (SELECT count(*) FROM punches), (SELECT count(*) FROM owed), (SELECT count(*) FROM kept)";
    let found = superuser.query_one(counts, &[]).await?;
    let found: [i64; 3] = std::array::from_fn(|at| found.get(at));
    // What follows from them counts as well: the end of a day that nobody ended, and what was told of it.
    if found.iter().any(|count| *count < 500) {
        return Err(format!("a replay of 500 punches left {found:?} punches, events and lines of the audit").into());
    }
    eprintln!("… {found:?} punches, events and lines of the audit of one person");
    for row in superuser.query("SELECT subject, count(*) FROM owed GROUP BY 1 ORDER BY 1", &[]).await? {
        eprintln!("…   {} {}", row.get::<_, String>(0), row.get::<_, i64>(1));
    }
    let mut writes = vec!["BEGIN".to_owned()];
    for (table, from) in [("clock_entries", "punches"), ("audit_events", "kept"), ("outbox", "owed")] {
        let columns = "SELECT string_agg(attname, ', ' ORDER BY attnum) FROM pg_attribute
                       WHERE attrelid = ('staff.' || $1)::regclass AND attnum > 0 AND NOT attisdropped AND attidentity = ''
                         AND (attname <> 'id' OR atttypid = 'text'::regtype)";
        let columns: String = superuser.query_one(columns, &[&table]).await?.get(0);
        writes.push(format!("INSERT INTO staff.{table} ({columns}) SELECT {columns} FROM {from}"));
    }
    writes.push("COMMIT".to_owned());
    let writes = writes.join(";");
    let begun = Instant::now();
    superuser.batch_execute(&writes).await?;
    Ok(begun.elapsed())
}

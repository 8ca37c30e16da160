//! The product as many processes on one database and one NATS server, any of which may be killed; and what must hold afterwards,
//! read from the database.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use rand::RngExt;
use rand::rngs::StdRng;
use test_hotel::NatsServer;

use crate::client::Client;
use crate::deliveries;
use crate::house::House;
use crate::own_server::OwnServer;
use crate::process::Process;
use crate::proxy::Proxy;
use crate::session::Session;
use crate::side_work::{Doors, SideWork};
use crate::story::Hotel;

/// The longest that everything may take to be as it should be once the fault is healed.
pub(crate) const CONVERGES: Duration = Duration::from_mins(1);
/// Rooms of one house: a board of thirty thousand rooms is nobody's.
const ROOMS: usize = 500;
/// Every context has an outbox, an inbox and dead letters.
const CONTEXTS: [&str; 3] = ["housekeeping", "staff", "reservation"];

/// The parts that are run as processes of their own.
const PARTS: [&[&str]; 7] = [
    &["serve", "--listen", "127.0.0.1:0"],
    &["serve", "--listen", "127.0.0.1:0"],
    &["relay"],
    &["relay"],
    &["work"],
    &["work"],
    &["tick", "all"],
];

/// How a part is run when it is run differently from the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outfit {
    /// Another release.
    pub(crate) program: Option<PathBuf>,
    /// What `MELMASTOON_FAULT` says.
    pub(crate) fault: Option<String>,
}

/// What is told for each number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    /// A guest has left.
    Departure,
    /// A guest was confirmed, and has left: two events of one key, in this order.
    Stay,
    /// A guest has left, told twice: with fields that nobody knows yet, and in a version that nobody knows yet.
    TwoVersions,
}

/// See the module. Dropped in this order: the processes first.
pub(crate) struct Replicas {
    processes: Vec<Option<Process>>,
    /// Where the two that serve are now, for callers that outlive them.
    clients: Doors,
    /// `None` until everything runs for the first time.
    side_work: Option<SideWork>,
    pub(crate) outfits: Vec<Outfit>,
    pub(crate) hotel: Hotel,
    pub(crate) proxy: Proxy,
    pub(crate) nats: NatsServer,
    pub(crate) house: House,
    pub(crate) server: OwnServer,
    pub(crate) seed: u64,
    /// Departures told so far.
    pub(crate) told: usize,
    pub(crate) kills: usize,
    /// Events and absorbed deliveries at the last look.
    seen: (i64, i64),
}

/// What was found afterwards.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Rows of the outboxes that were published since the last look.
    pub(crate) events: i64,
    pub(crate) absorbed: i64,
    pub(crate) lost: i64,
    pub(crate) twice: i64,
    pub(crate) converged: Duration,
    /// What does not hold, in words.
    pub(crate) broken: Vec<String>,
}

impl Found {
    /// The scenario's line; what does not hold ends the test behind it.
    pub(crate) fn report(&self, scenario: &str, seed: u64, faults: usize) {
        println!(
            "{scenario:<44} seed {seed:<10} events {:>7}  faults {faults:>4}  absorbed {:>6}  lost {}  twice {}  converged {:>5.1} s",
            self.events,
            self.absorbed,
            self.lost,
            self.twice,
            self.converged.as_secs_f64()
        );
        assert!(self.broken.is_empty(), "{scenario}, seed {seed}: {:?}", self.broken);
    }
}

/// One question over all contexts; `{c}` is the context.
fn over_all(question: &str) -> String {
    let each: Vec<_> = CONTEXTS.iter().map(|context| format!("({})", question.replace("{c}", context))).collect();
    format!("SELECT ({})::BIGINT", each.join(" + "))
}

fn waiting() -> String {
    over_all("SELECT count(*) FROM {c}.outbox WHERE published_at IS NULL")
}

/// Events in the log that somebody listens to and has neither applied nor filed.
fn unheard() -> String {
    over_all(
        "SELECT count(*) FROM bus.event_log l
         WHERE l.subject IN (SELECT subject FROM bus.subscriptions WHERE subscription = '{c}' AND retired_at IS NULL)
           AND NOT EXISTS (SELECT FROM {c}.inbox i WHERE i.topic = l.subject AND i.message_id = l.tenant_id || '/' || l.event_id)
           AND NOT EXISTS (SELECT FROM {c}.dead_letters d WHERE d.event_id = l.event_id AND d.tenant_id = l.tenant_id)",
    )
}

impl Replicas {
    /// `None` where the machine has no NATS server, which is said.
    pub(crate) fn open(seed: u64) -> Option<Self> {
        Self::open_with(seed, vec![Outfit::default(); PARTS.len()])
    }

    pub(crate) fn open_with(seed: u64, outfits: Vec<Outfit>) -> Option<Self> {
        let nats = NatsServer::start()?;
        let proxy = Proxy::before(nats.port());
        let house = House::new();
        let server = OwnServer::start(&house.folder().join("server"));
        let house = house
            .with("DATABASE_URL", &server.url)
            .with("MELMASTOON_BUS", &format!("nats://127.0.0.1:{}", proxy.port()))
            .with("MELMASTOON_LOG", "warn");
        let mut replicas = Self {
            processes: PARTS.iter().map(|_| None).collect(),
            clients: Arc::default(),
            side_work: None,
            hotel: Hotel::nobodys("CHINAR"),
            outfits,
            proxy,
            nats,
            house,
            server,
            seed,
            told: 0,
            kills: 0,
            seen: (0, 0),
        };
        replicas.migrate(0);
        let applied =
            replicas.command(0, &["bus", "apply"]).stdout(std::process::Stdio::null()).status().expect("the binary");
        assert!(applied.success(), "bus apply: {applied}");
        replicas.hotel = Hotel::of(&replicas.house, "CHINAR");
        replicas.start_all();
        replicas.side_work = Some({
            let clock = replicas.outfits[0].fault.as_deref();
            SideWork::begin(&replicas.house, &replicas.hotel, &replicas.clients, clock)
        });
        Some(replicas)
    }

    /// As the part's release does it.
    pub(crate) fn migrate(&self, part: usize) {
        let migrated =
            self.command(part, &["migrate"]).stdout(std::process::Stdio::null()).status().expect("the binary");
        assert!(migrated.success(), "migrate: {migrated}");
    }

    /// A command of a part's release, with its clock.
    fn command(&self, part: usize, arguments: &[&str]) -> std::process::Command {
        let Outfit { program, fault } = &self.outfits[part];
        let mut command = match program {
            Some(program) => self.house.command_of(program, arguments),
            None => self.house.command(arguments),
        };
        if let Some(fault) = fault {
            command.env("MELMASTOON_FAULT", fault);
        }
        command
    }

    fn start(&mut self, part: usize) {
        let process = Process::start(self.command(part, PARTS[part]));
        if part < 2 {
            let address = process.says("melmastoon serving at http://", crate::house::START);
            let number = address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
            self.clients.lock().expect("no panic")[part] = Some(Client::of(number));
        } else {
            process.says("melmastoon running", crate::house::START);
        }
        self.processes[part] = Some(process);
    }

    pub(crate) fn start_all(&mut self) {
        for part in 0..PARTS.len() {
            if self.processes[part].is_none() {
                self.start(part);
            }
        }
    }

    /// Every process is killed and started in the outfit it has now.
    pub(crate) fn change_outfits(&mut self) {
        for part in 0..PARTS.len() {
            self.kill(part);
            self.start(part);
        }
    }

    /// Kills any part, without farewell, and starts it again.
    pub(crate) fn kill_any(&mut self, chance: &mut StdRng) -> &'static str {
        let part = chance.random_range(0..PARTS.len());
        self.kill_and_start(part)
    }

    pub(crate) fn kill_and_start(&mut self, part: usize) -> &'static str {
        self.kill(part);
        self.start(part);
        PARTS[part][0]
    }

    pub(crate) fn kill(&mut self, part: usize) {
        if let Some(mut process) = self.processes[part].take() {
            process.kill_dead();
            self.kills += 1;
        }
    }

    /// Nobody has died who was not killed.
    pub(crate) fn assert_all_run(&self) {
        for (part, process) in self.processes.iter().enumerate() {
            let runs = process.as_ref().is_some_and(|process| crate::process::runs(process.pid()));
            assert!(runs, "seed {}: {} has died by itself", self.seed, PARTS[part][0]);
        }
    }

    pub(crate) fn signal(&self, part: usize, signal: Signal) {
        if let Some(process) = &self.processes[part] {
            process.signal(signal);
        }
    }

    pub(crate) fn client(&self) -> Client {
        self.clients().swap_remove(0)
    }

    pub(crate) fn clients(&self) -> Vec<Client> {
        self.clients.lock().expect("no panic").iter().flatten().cloned().collect()
    }

    pub(crate) fn whoever_serves(&self) -> Doors {
        Arc::clone(&self.clients)
    }

    /// So many departures through the outbox, as one transaction.
    pub(crate) fn tell(&mut self, count: usize) {
        self.tell_as(Telling::Departure, count);
    }

    /// Linen is moved and rooms are booked over REST, side by side with whatever happens next.
    pub(crate) fn work_besides(&mut self) {
        self.side_work.as_mut().expect("everything runs").goes_on();
    }

    pub(crate) fn tell_as(&mut self, telling: Telling, count: usize) {
        let session = self.session();
        session.tell(&self.rows(telling, count));
        self.told += count;
        self.work_besides();
    }

    /// What the reservation context writes when so many guests go, from the first that was not told yet.
    pub(crate) fn rows(&self, telling: Telling, count: usize) -> String {
        let Hotel { tenant, property, .. } = &self.hotel;
        let (from, to) = (self.told, self.told + count - 1);
        let left = self.hotel.departure(999_999_999);
        let mut templates = Vec::new();
        match telling {
            Telling::Departure => templates.push(left.to_string()),
            Telling::Stay => templates.extend([self.hotel.confirmed(999_999_999).to_string(), left.to_string()]),
            Telling::TwoVersions => {
                let mut newer = left.clone();
                newer["payload"]["minibar"] = serde_json::json!({ "checked": true, "by": "robot" });
                newer["payload"]["actor"] = serde_json::json!({ "type": "robot", "id": "rbt_1" });
                newer["flavour"] = serde_json::json!("new");
                let text = left.to_string();
                templates.extend([
                    newer.to_string(),
                    text.replace("checked_out.v1", "checked_out.v2").replace("_OUT_", "_OUT2_"),
                ]);
            }
        }
        let kinds: Vec<_> =
            templates.iter().enumerate().map(|(at, template)| format!("({at}, $t${template}$t$)")).collect();
        let house = format!("CASE WHEN n < {ROOMS} THEN '{property}' ELSE '{property}' || n / {ROOMS} END");
        format!(
            "INSERT INTO reservation.outbox (event_id, tenant_id, subject, payload, envelope_meta, ordering_key, property_id)
             SELECT e->>'id', '{tenant}', e->>'subject', e->'payload', e - 'payload', '{tenant}:rsv_' || n, house
             FROM (SELECT n, at, house,
                          replace(replace(template, '999999999', n::TEXT), '\"{property}\"', '\"' || house || '\"')::JSONB AS e
                   FROM (SELECT n, {house} AS house FROM generate_series({from}, {to}) n) AS numbers,
                        (VALUES {}) AS kinds (at, template)) AS told
             ORDER BY n, at ON CONFLICT (event_id) DO NOTHING",
            kinds.join(", ")
        )
    }

    pub(crate) fn session(&self) -> Session {
        self.server.patient_session()
    }

    /// Waits until everything that was told has had its effect, and checks what must hold.
    pub(crate) fn converge(&mut self) -> Found {
        self.converge_within(CONVERGES)
    }

    pub(crate) fn converge_within(&mut self, limit: Duration) -> Found {
        self.start_all();
        let begun = Instant::now();
        let session = self.session();
        self.side_work.as_mut().expect("everything runs").settles();
        self.calm(&session, limit);
        let converged = begun.elapsed();
        Found { converged, ..self.check(&session) }
    }

    /// Nothing waits in an outbox, and everybody has heard what is meant for them. Looks less often where looking takes longer. On a
    /// machine that gasps it may take longer than the limit as long as less and less waits; nothing may stand still for so long.
    fn calm(&self, session: &Session, limit: Duration) {
        let (begun, mut least, mut moved) = (Instant::now(), i64::MAX, Instant::now());
        loop {
            let looked = Instant::now();
            let (outbox, ears) = (session.count(&waiting()), session.count(&unheard()));
            if outbox == 0 && ears == 0 && session.count(&waiting()) == 0 {
                return;
            }
            // What waits in an outbox is still to be heard by somebody, and may be told of again.
            if 4 * outbox + ears < least {
                (least, moved) = (4 * outbox + ears, Instant::now());
            }
            assert!(
                moved.elapsed() < limit && begun.elapsed() < 5 * limit,
                "seed {}: {outbox} events wait in the outboxes and {ears} to be heard",
                self.seed
            );
            std::thread::sleep((2 * looked.elapsed()).max(Duration::from_millis(50)));
        }
    }

    fn check(&mut self, session: &Session) -> Found {
        let told = i64::try_from(self.told).expect("a number");
        let mut broken = Vec::new();
        let mut none = |what: &str, question: &str| {
            let found = session.count(question);
            if found != 0 {
                broken.push(format!("{what}: {found}"));
            }
            found
        };
        // I1: the log has what the outboxes had, once each.
        let all = CONTEXTS.map(|context| format!("SELECT event_id FROM {context}.outbox")).join(" UNION ALL ");
        none(
            "I1: log and outboxes differ",
            &format!(
                "SELECT count(*) FROM bus.event_log l FULL JOIN ({all}) AS o USING (event_id)
                 WHERE l.event_id IS NULL OR o.event_id IS NULL"
            ),
        );
        // I2: each departure has its effect once, whoever heard of it how often.
        let lost = none(
            "I2: lost",
            &format!("SELECT {told} - count(DISTINCT reservation_id) FROM housekeeping.housekeeping_tasks"),
        );
        let twice = none(
            "I2: twice",
            "SELECT (SELECT count(*) FROM (SELECT FROM housekeeping.housekeeping_tasks WHERE reservation_id IS NOT NULL
                       GROUP BY reservation_id, room_id HAVING count(*) > 1) AS tasks)
                  + (SELECT count(*) FROM (SELECT FROM housekeeping.outbox
                       WHERE subject = 'melmastoon.housekeeping.task.created.v1' AND envelope_meta->>'causationId' IS NOT NULL
                       GROUP BY tenant_id, envelope_meta->>'causationId' HAVING count(*) > 1) AS told)",
        );
        // I3: for each key the versions of an aggregate are told in their order, whatever the subject.
        none(
            "I3: out of order",
            "SELECT count(*) FROM (
               SELECT (envelope->'payload'->>'aggregateVersion')::INT AS version,
                      lag((envelope->'payload'->>'aggregateVersion')::INT) OVER (PARTITION BY ordering_key ORDER BY log_offset) AS before
               FROM bus.event_log WHERE envelope->'payload' ? 'aggregateVersion') AS told WHERE version <= before",
        );
        none(
            "I4: open turnovers of one departure",
            "SELECT count(*) FROM (
               SELECT FROM housekeeping.housekeeping_tasks WHERE kind = 'turnover' AND status IN ('pending','assigned','in_progress','paused')
               GROUP BY tenant_id, room_id, reservation_id HAVING count(*) > 1) AS t",
        );
        none(
            "I5: filed under another tenant",
            "SELECT count(*) FROM bus.event_log WHERE envelope->>'tenantId' <> tenant_id",
        );
        none(
            "I6: gaps in rooms' histories",
            "SELECT count(*) FROM (
               SELECT previous_status, lag(status) OVER (PARTITION BY tenant_id, room_id ORDER BY id) AS before
               FROM housekeeping.room_status_audit) AS a WHERE before IS NOT NULL AND previous_status <> before",
        );
        none("I7: open dead letters", &over_all("SELECT count(*) FROM {c}.dead_letters WHERE state = 'open'"));
        broken.extend(self.side_work.as_ref().expect("everything runs").broken(session));
        // What only nudges a board is no event.
        let events = session.count("SELECT count(*) FROM bus.event_log WHERE subject NOT LIKE 'internal.%'");
        let absorbed = deliveries::absorbed(&self.nats, session);
        let before = std::mem::replace(&mut self.seen, (events, absorbed));
        Found {
            events: events - before.0,
            absorbed: (absorbed - before.1).max(0),
            lost,
            twice,
            broken,
            converged: Duration::ZERO,
        }
    }

    /// Events of the log that somebody listened to and applied.
    pub(crate) fn consumed(&self) -> i64 {
        self.session().count(
            "SELECT count(*) FROM bus.event_log WHERE subject IN (SELECT subject FROM bus.subscriptions WHERE retired_at IS NULL)",
        )
    }
}

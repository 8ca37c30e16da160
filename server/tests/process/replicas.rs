//! The product as many processes on one database and one NATS server, any of which may be killed; and what must hold afterwards,
//! read from the database.

use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use rand::RngExt;
use rand::rngs::StdRng;
use test_hotel::NatsServer;

use crate::client::Client;
use crate::house::House;
use crate::own_server::OwnServer;
use crate::process::{Process, until};
use crate::proxy::Proxy;
use crate::session::Session;
use crate::story::Hotel;

/// The longest that everything may take to be as it should be once the fault is healed.
pub(crate) const CONVERGES: Duration = Duration::from_mins(1);

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

/// See the module. Dropped in this order: the processes first.
pub(crate) struct Replicas {
    processes: Vec<Option<Process>>,
    clients: [Option<Client>; 2],
    pub(crate) hotel: Hotel,
    pub(crate) proxy: Proxy,
    pub(crate) nats: NatsServer,
    pub(crate) house: House,
    pub(crate) server: OwnServer,
    /// Departures told so far.
    pub(crate) told: usize,
    pub(crate) kills: usize,
}

/// What was found afterwards.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) events: i64,
    pub(crate) lost: i64,
    pub(crate) twice: i64,
    pub(crate) converged: Duration,
}

impl Replicas {
    /// `None` where the machine has no NATS server, which is said.
    pub(crate) fn open() -> Option<Self> {
        let nats = NatsServer::start()?;
        let proxy = Proxy::before(nats.port());
        let house = House::new();
        let server = OwnServer::start(&house.folder().join("server"));
        let house = house
            .with("DATABASE_URL", &server.url)
            .with("MELMASTOON_BUS", &format!("nats://127.0.0.1:{}", proxy.port()))
            .with("MELMASTOON_LOG", "warn");
        house.output(&["migrate"]);
        house.output(&["bus", "apply"]);
        let hotel = Hotel::of(&house, "CHINAR");
        let mut replicas = Self {
            processes: PARTS.iter().map(|_| None).collect(),
            clients: [None, None],
            hotel,
            proxy,
            nats,
            house,
            server,
            told: 0,
            kills: 0,
        };
        replicas.start_all();
        Some(replicas)
    }

    fn start(&mut self, part: usize) {
        let process = Process::start(self.house.command(PARTS[part]));
        if part < 2 {
            let address = process.says("melmastoon serving at http://", crate::house::START);
            let number = address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
            self.clients[part] = Some(Client::of(number));
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

    /// Kills any part, without farewell, and starts it again.
    pub(crate) fn kill_any(&mut self, chance: &mut StdRng) -> &'static str {
        let part = chance.random_range(0..PARTS.len());
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

    pub(crate) fn signal(&self, part: usize, signal: Signal) {
        if let Some(process) = &self.processes[part] {
            process.signal(signal);
        }
    }

    pub(crate) fn client(&self) -> &Client {
        self.clients.iter().flatten().next().expect("a process that serves")
    }

    /// So many departures through the outbox, as one transaction.
    pub(crate) fn tell(&mut self, count: usize) {
        let (tenant, property) = (&self.hotel.tenant, &self.hotel.property);
        let from = self.told;
        let template = self.hotel.departure(999_999_999).to_string();
        let session = self.session();
        let numbered = "replace($t$TEMPLATE$t$, '999999999', n::TEXT)::JSONB".replace("TEMPLATE", &template);
        session.tell(&format!(
            "INSERT INTO housekeeping.outbox (event_id, tenant_id, subject, payload, envelope_meta, ordering_key, property_id)
             SELECT e->>'id', '{tenant}', e->>'subject', e->'payload', e - 'payload', '{tenant}:rsv_' || n, '{property}'
             FROM (SELECT n, {numbered} AS e FROM generate_series({from}, {}) n) AS told ORDER BY n",
            from + count - 1
        ));
        self.told += count;
    }

    pub(crate) fn session(&self) -> Session {
        self.server.session()
    }

    fn waiting(session: &Session) -> i64 {
        session.count("SELECT count(*) FROM housekeeping.outbox WHERE published_at IS NULL")
    }

    fn applied(session: &Session) -> i64 {
        session.count("SELECT count(*) FROM housekeeping.inbox WHERE topic = 'melmastoon.reservation.checked_out.v1'")
    }

    /// Waits until everything that was told has had its effect, and checks what must hold.
    pub(crate) fn converge(&mut self) -> Found {
        self.converge_within(CONVERGES)
    }

    pub(crate) fn converge_within(&mut self, limit: Duration) -> Found {
        self.start_all();
        let begun = Instant::now();
        let session = self.session();
        let told = i64::try_from(self.told).expect("a number");
        until("everything is published and applied", limit, || {
            Self::waiting(&session) == 0 && Self::applied(&session) >= told
        });
        let converged = begun.elapsed();
        Found { converged, ..self.check(&session) }
    }

    fn check(&self, session: &Session) -> Found {
        let told = i64::try_from(self.told).expect("a number");
        // I1: the log has what the outbox had, once each.
        let differ = "SELECT count(*) FROM bus.event_log l FULL JOIN housekeeping.outbox o USING (event_id)
                      WHERE (l.event_id IS NULL OR o.event_id IS NULL)
                        AND coalesce(l.subject, o.subject) NOT LIKE 'melmastoon.staff.%'
                        AND coalesce(l.subject, o.subject) NOT LIKE 'internal.%'";
        assert_eq!(session.count(differ), 0, "I1: log and outbox differ");
        // I2: each departure has its effect once.
        let lost = told - session.count("SELECT count(DISTINCT reservation_id) FROM housekeeping.housekeeping_tasks");
        let twice = session.count(
            "SELECT count(*) FROM (SELECT FROM housekeeping.housekeeping_tasks GROUP BY reservation_id, room_id HAVING count(*) > 1) AS t",
        );
        assert_eq!((lost, twice), (0, 0), "I2: lost and twice");
        // I3: for each key the versions of an aggregate are told in their order.
        let order = "SELECT count(*) FROM (
                       SELECT (envelope->'payload'->>'aggregateVersion')::INT AS version,
                              lag((envelope->'payload'->>'aggregateVersion')::INT) OVER (PARTITION BY ordering_key, subject ORDER BY log_offset) AS before
                       FROM bus.event_log) AS told WHERE version <= before";
        assert_eq!(session.count(order), 0, "I3: order");
        // I4
        let open = "SELECT count(*) FROM (
                      SELECT FROM housekeeping.housekeeping_tasks WHERE kind = 'turnover' AND status IN ('pending','assigned','in_progress','paused')
                      GROUP BY tenant_id, room_id, reservation_id HAVING count(*) > 1) AS t";
        assert_eq!(session.count(open), 0, "I4: open turnovers");
        // I5: nothing is filed under another tenant than it names.
        let foreign = "SELECT count(*) FROM bus.event_log WHERE envelope->>'tenantId' <> tenant_id";
        assert_eq!(session.count(foreign), 0, "I5: tenants");
        // I6: the chain of every room is continuous.
        let broken = "SELECT count(*) FROM (
                        SELECT previous_status, lag(status) OVER (PARTITION BY tenant_id, room_id ORDER BY id) AS before
                        FROM housekeeping.room_status_audit) AS a WHERE before IS NOT NULL AND previous_status <> before";
        assert_eq!(session.count(broken), 0, "I6: a room's history has a gap");
        // I7: nothing was to end in the dead letters.
        assert_eq!(session.count("SELECT count(*) FROM housekeeping.dead_letters"), 0, "I7: dead letters");
        // I9
        assert_eq!(
            session.count("SELECT count(*) FROM housekeeping.linen_inventory WHERE on_hand < 0"),
            0,
            "I9: linen"
        );
        Found { events: told, lost, twice, converged: Duration::ZERO }
    }
}

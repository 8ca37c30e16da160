//! The hotels that are measured: five companies, lanes of work that do not get in each other's way, and one board.

use std::sync::Arc;
use std::time::{Duration, Instant};

use contracts::housekeeping::TaskKind;
use contracts::ids::TenantId;
use housekeeping::application::profiles::Profiles;
use platform::auth::Claims;
use platform::{Clock, Db};
use tokio_postgres::Client;

use crate::Outcome;
use crate::load::Span;
use crate::stage::Stage;

/// As many lanes for the product as for pgbench.
pub(crate) const LANES: usize = 32;
pub(crate) const TENANTS: usize = 5;
/// Rooms of a lane that are cleaned again and again: about 2,000 for the product.
const ROOMS: i64 = 64;
/// The first number of the rooms that guests leave.
pub(crate) const LEAVING: u64 = 1_000_000;
/// Never more operations a second than this, for the first preparation; later ones go by what was reached.
const FASTEST: f64 = 9_000.0;

/// Everything that a stay-over's checklist asks for, as the phone sends it.
pub(crate) const RESULTS: &str = r#"[{"itemKey":"make_bed","checked":true},{"itemKey":"bathroom","checked":true},{"itemKey":"towels","checked":true},{"itemKey":"trash","checked":true}]"#;

/// The prepared ids, and who prepares.
pub(crate) struct Hotel {
    pub(crate) superuser: Client,
    /// The ten characters of the time in every prepared ULID.
    time: String,
    /// The same moment, as every prepared row has it.
    created: String,
    next_task: [u64; LANES],
    next_room: [u64; LANES],
    fastest: f64,
    learned: bool,
}

impl Hotel {
    /// As on a disk that takes so much longer: whoever commits waits before the flush, if so many others are at work.
    pub(crate) async fn wait_before_each_flush(&self, micros: u32, others: u32) -> Outcome<()> {
        for set in [format!("commit_delay = {micros}"), format!("commit_siblings = {others}")] {
            self.superuser.batch_execute(&format!("ALTER SYSTEM SET {set}")).await?;
        }
        self.superuser.batch_execute("SELECT pg_reload_conf()").await?;
        let wanted = micros.to_string();
        loop {
            let row = self.superuser.query_one("SELECT current_setting('commit_delay')", &[]).await?;
            if row.get::<_, String>(0) == wanted {
                return Ok(());
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }

    pub(crate) async fn open(stage: &Stage, db: &Db) -> Outcome<Self> {
        let now = Clock::system().now();
        let (time, created) = (db.ids().ulid(now).to_string()[..10].to_owned(), now.jiff().to_string());
        let superuser = stage.superuser().await?;
        let fill = |sql: &str| sql.replace("{T}", &time).replace("{CREATED}", &created).replace("{RESULTS}", RESULTS);
        superuser.batch_execute(&fill(include_str!("../sql/stage.sql"))).await?;
        superuser.batch_execute(&fill(include_str!("../sql/limit.sql"))).await?;
        let hotel = Self {
            superuser,
            time,
            created,
            next_task: [0; LANES],
            next_room: [0; LANES],
            fastest: FASTEST,
            learned: false,
        };
        let profiles = Arc::new(Profiles::new(db.clock()));
        for lane in 0..2 * LANES {
            let tenant = TenantId::parse(&hotel.tenant(lane))?;
            let mut uow = db.begin_for(&housekeeping::SCHEMA, &tenant).await?;
            let profile = profiles.of(&mut uow).await?;
            let list = |kind| profile.checklist(kind).map(|list| list.id.as_str().to_owned());
            let (stay_over, turnover) = (list(TaskKind::MidStayClean)?, list(TaskKind::Turnover)?);
            uow.commit().await?;
            hotel
                .superuser
                .execute(
                    "INSERT INTO bench.lanes (lane, tenant, property, staff, checklist, turnover) VALUES ($1, $2, $3, $4, $5, $6)",
                    &[
                        &i32::try_from(lane)?,
                        &tenant.as_str(),
                        &hotel.property(lane),
                        &hotel.staff(lane),
                        &stay_over,
                        &turnover,
                    ],
                )
                .await?;
            hotel.superuser.execute("SELECT bench.make_rooms($1, 0, $2)", &[&i32::try_from(lane)?, &ROOMS]).await?;
        }
        hotel.furnish_board().await?;
        hotel.superuser.batch_execute("VACUUM (ANALYZE)").await?;
        Ok(hotel)
    }

    /// Runs a file of statements with this hotel's time in it, one by one.
    pub(crate) async fn fill(&self, sql: &str, companies: u32) -> Outcome<()> {
        let sql =
            sql.replace("{T}", &self.time).replace("{CREATED}", &self.created).replace("{N}", &companies.to_string());
        for statement in sql.split(";\n") {
            self.superuser.batch_execute(statement).await.map_err(|error| format!("{statement}: {error:?}"))?;
        }
        Ok(())
    }

    pub(crate) fn tenant(&self, lane: usize) -> String {
        format!("tnt_{}000000000000000{}", self.time, lane % TENANTS)
    }

    pub(crate) fn property(&self, lane: usize) -> String {
        format!("prp_{}000000000000000{}", self.time, lane % TENANTS)
    }

    pub(crate) fn staff(&self, lane: usize) -> String {
        self.id("stf", lane, 0)
    }

    /// The prepared id with this number in this lane.
    pub(crate) fn id(&self, prefix: &str, lane: usize, number: u64) -> String {
        format!("{prefix}_{}{:016}", self.time, lane as u64 * 1_000_000_000 + number)
    }

    /// A hotel of two hundred rooms with a busy morning: sixty open tasks and ten people.
    async fn furnish_board(&self) -> Outcome<()> {
        let (tenant, property) = (self.board_tenant(), self.board_property());
        let sql = format!(
            "INSERT INTO housekeeping.rooms (tenant_id, property_id, room_id, number, floor, section, room_type)
             SELECT '{tenant}', '{property}', 'rom_BOARD' || n, n::TEXT, n / 40, 'A', 'double' FROM generate_series(1, 200) AS n;
             INSERT INTO housekeeping.room_status (tenant_id, property_id, room_id, status, last_flipped_by, last_cause)
             SELECT '{tenant}', '{property}', 'rom_BOARD' || n, CASE WHEN n <= 60 THEN 'dirty' ELSE 'ready' END,
                    '{{\"type\":\"system\",\"id\":\"sys_bench\"}}', 'manual_override' FROM generate_series(1, 200) AS n;
             INSERT INTO housekeeping.housekeeping_tasks
               (id, tenant_id, property_id, room_id, kind, status, priority, assignee_staff_id, checklist_id, checklist_version,
                locale_hint, source, version, created_at, estimated_minutes)
             SELECT 'hkt_{time}' || bench.number(900, n), '{tenant}', '{property}', 'rom_BOARD' || n, 'turnover', 'assigned', 'normal',
                    'stf_BOARD' || n % 10, 'hkc_BOARD', 1, 'ps-AF', 'manual', 2, now(), 45 FROM generate_series(1, 60) AS n;
             INSERT INTO housekeeping.staff_shift_assignments
               (id, tenant_id, property_id, staff_id, shift_id, shift_starts_at, shift_ends_at, capacity_minutes, clocked_in_at, languages)
             SELECT 'ssa_BOARD' || n, '{tenant}', '{property}', 'stf_BOARD' || n, 'shf_BOARD', now(), now() + interval '8 hours', 480,
                    now(), '{{ps-AF,en}}' FROM generate_series(0, 9) AS n;
             INSERT INTO housekeeping.reservation_occupancy (tenant_id, property_id, reservation_id, room_id, arrived_at)
             SELECT '{tenant}', '{property}', 'rsv_BOARD' || n, 'rom_BOARD' || n, now() FROM generate_series(61, 180) AS n",
            time = self.time
        );
        Ok(self.superuser.batch_execute(&sql).await?)
    }

    pub(crate) fn board_tenant(&self) -> String {
        format!("tnt_{}0000000000000BRD", self.time)
    }

    pub(crate) fn board_property(&self) -> String {
        format!("prp_{}0000000000000BRD", self.time)
    }

    /// The board with this number that is looked at live: company and house. Every second one is a house that nobody works in.
    pub(crate) fn watched(&self, number: usize) -> (String, String) {
        let company = number / 2;
        let tenant = if company < TENANTS {
            self.tenant(company)
        } else {
            format!("tnt_{}0000000000000L{company:02}", self.time)
        };
        let works = company < TENANTS && number.is_multiple_of(2);
        (tenant, if works { self.property(company) } else { format!("prp_{}000000000000L{number:03}", self.time) })
    }

    /// How many turns each of so many lanes must have before it for a run of this length.
    fn ahead(&self, lanes: usize, span: Span, operations_a_turn: f64) -> i64 {
        let seconds = (span.warm_up + span.counted).as_secs_f64() + 0.5;
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a few thousand")]
        let turns = (self.fastest * seconds / operations_a_turn / lanes as f64) as i64;
        turns + 20
    }

    /// Assigned tasks for a run of so many connections, in the product's lanes or in pgbench's.
    pub(crate) async fn prepare_tasks(&mut self, pgbench: bool, connections: usize, span: Span) -> Outcome<()> {
        let ahead = self.ahead(connections, span, 2.0);
        let first = if pgbench { LANES } else { 0 };
        self.tell_progress().await?;
        let (first, past) = (i32::try_from(first)?, i32::try_from(first + connections)?);
        self.superuser.execute("SELECT bench.make_tasks($1, $2, $3)", &[&first, &past, &ahead]).await?;
        self.settle().await
    }

    /// Rooms that guests are about to leave.
    pub(crate) async fn prepare_rooms(&mut self, pgbench: bool, connections: usize, span: Span) -> Outcome<u64> {
        let ahead = self.ahead(connections, span, 1.0);
        let first = if pgbench { LANES } else { 0 };
        self.tell_progress().await?;
        for lane in first..first + connections {
            let lane = i32::try_from(lane)?;
            let sql = "SELECT bench.make_rooms(lane, 1000000 + made_rooms, 1000000 + next_room + $2) FROM bench.lanes WHERE lane = $1";
            self.superuser.execute(sql, &[&lane, &ahead]).await?;
            let sql = "UPDATE bench.lanes SET made_rooms = greatest(made_rooms, next_room + $2) WHERE lane = $1";
            self.superuser.execute(sql, &[&lane, &ahead]).await?;
        }
        self.settle().await?;
        Ok(u64::try_from(ahead)?)
    }

    async fn tell_progress(&self) -> Outcome<()> {
        self.superuser.batch_execute("SELECT bench.count_done()").await?;
        for lane in 0..LANES {
            let (task, room) = (i64::try_from(self.next_task[lane])?, i64::try_from(self.next_room[lane])?);
            let sql = "UPDATE bench.lanes SET next_task = $2, next_room = $3 WHERE lane = $1";
            self.superuser.execute(sql, &[&i32::try_from(lane)?, &task, &room]).await?;
        }
        Ok(())
    }

    /// Every run begins behind a checkpoint, so that none pays for the one before it.
    async fn settle(&self) -> Outcome<()> {
        self.superuser.batch_execute("CHECKPOINT").await?;
        tokio::time::sleep(Duration::from_millis(100)).await;
        Ok(())
    }

    /// Waits until all that was written is told: what the bus still has to do after one side's turn is not the other side's to pay.
    pub(crate) async fn all_told(&self) -> Outcome<()> {
        let sql = "SELECT EXISTS (SELECT FROM housekeeping.outbox WHERE published_at IS NULL) OR EXISTS (SELECT FROM bus.deliveries)";
        let begun = Instant::now();
        while self.superuser.query_one(sql, &[]).await?.get(0) {
            if begun.elapsed() > Duration::from_mins(1) {
                return Err("the bus was not through after a minute".into());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let waited = begun.elapsed();
        if waited > Duration::from_millis(200) {
            eprintln!("… the bus was through after {} ms", waited.as_millis());
        }
        Ok(())
    }

    /// Remembers what was reached, so that the next preparation is neither short nor wasteful.
    pub(crate) fn learn(&mut self, per_second: f64) {
        // The other side may be faster by half, and the machine may be calmer in the next round.
        let expected = (per_second * 3.0).min(FASTEST);
        self.fastest = if self.learned { self.fastest.max(expected) } else { expected };
        self.learned = true;
    }

    pub(crate) fn next_task(&self, lane: usize) -> u64 {
        self.next_task[lane]
    }

    pub(crate) fn next_room(&self, lane: usize) -> u64 {
        self.next_room[lane]
    }

    pub(crate) fn worked_until(&mut self, lane: usize, task: u64) {
        self.next_task[lane] = task;
    }

    pub(crate) fn left_until(&mut self, lane: usize, room: u64) {
        self.next_room[lane] = room;
    }
}

/// A token for an hour.
pub(crate) fn token(stage: &Stage, tenant: &str, role: &str, account: &str, staff: Option<String>) -> String {
    let now = Clock::system().now().as_millis() / 1_000;
    stage.token(&Claims {
        sub: account.to_owned(),
        tenant_id: Some(tenant.to_owned()),
        staff_id: staff,
        roles: vec![role.to_owned()],
        properties: vec!["*".to_owned()],
        exp: now + 3_600,
        iat: Some(now),
        ..Claims::default()
    })
}

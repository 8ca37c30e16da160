//! A month of real bookings, played while somebody watches: guests come and go, people clean, a supervisor inspects.
//!
//! The house's time runs faster than ours; what happens in it happens now, so that the board of a running server shows it. The same seed
//! gives the same month, as far as the house is left alone.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::Duration;

use contracts::housekeeping::TaskKind;
use contracts::ids::{PropertyId, ReservationId, RoomId, ShiftId, StaffId, TaskId, TenantId};
use housekeeping::HousekeepingError;
use housekeeping::application::assignment;
use housekeeping::domain::inspection::Verdict;
use housekeeping::domain::task::TaskStatus;
use housekeeping::infrastructure::rooms::{self, RoomDescription};
use housekeeping::infrastructure::tasks::{self, TaskFilter};
use platform::auth::{Caller, Role};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::bookings::StayInRoom;
use super::house::House;
use crate::Failure;
use crate::app::App;

const HOUR: i64 = 60;
const DAY: i64 = 24 * HOUR;
/// The house's people come at seven and go at five.
const OPENS: i64 = 7 * HOUR;
const CLOSES: i64 = 17 * HOUR;

/// What is played, and how fast.
#[derive(Clone, Debug)]
pub struct Replay {
    pub tenant: TenantId,
    pub property: PropertyId,
    pub stays: Vec<StayInRoom>,
    /// So many minutes of the house go by in one of ours.
    pub speed: f64,
    pub people: usize,
    pub seed: u64,
}

/// How far it has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub day: i64,
    pub days: i64,
    pub arrivals: usize,
    pub departures: usize,
    pub cleaned: usize,
    pub inspected: usize,
}

impl std::fmt::Display for Progress {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { day, days, arrivals, departures, cleaned, inspected } = self;
        write!(out, "day {day} of {days}: {arrivals} came, {departures} left, {cleaned} cleaned, {inspected} inspected")
    }
}

/// What happens next. The order of the variants is the order within a minute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    PeopleCome,
    CheckOut(usize),
    Done {
        who: usize,
        task: String,
        kind: String,
    },
    Inspect(String),
    /// Somebody looks for the next room.
    Free(usize),
    CheckIn(usize),
    PeopleGo,
}

struct Playing<'a> {
    house: House<'a>,
    replay: &'a Replay,
    chance: StdRng,
    /// Minutes since the first midnight.
    next: BinaryHeap<Reverse<(i64, Step)>>,
    reservations: Vec<ReservationId>,
    people: Vec<StaffId>,
    shift: Option<ShiftId>,
    progress: Progress,
}

/// Plays it to the end; `tell` is called whenever a day has gone by.
pub async fn play(app: &App, replay: &Replay, tell: impl FnMut(Progress)) -> Result<Progress, Failure> {
    let failed = |error: HousekeepingError| Failure::Failed(format!("the month could not be played: {error}"));
    let mut playing = Playing::new(app, replay);
    playing.open().await.map_err(failed)?;
    playing.run(tell).await.map_err(failed)?;
    Ok(playing.progress)
}

impl<'a> Playing<'a> {
    fn new(app: &'a App, replay: &'a Replay) -> Self {
        let house = House::new(app, replay.tenant.clone(), replay.property.clone());
        let mut chance = StdRng::seed_from_u64(replay.seed);
        let now = app.db.clock().now();
        let first = replay.stays.iter().map(|stay| stay.arrives).min();
        let midnight = |day: jiff::civil::Date| {
            first.map_or(0, |first| i64::from(first.until(day).map_or(0, |span| span.get_days())) * DAY)
        };
        let mut next = BinaryHeap::new();
        let mut days = 0;
        for (at, stay) in replay.stays.iter().enumerate() {
            next.push(Reverse((
                midnight(stay.arrives) + 15 * HOUR + chance.random_range(0..6 * HOUR),
                Step::CheckIn(at),
            )));
            let leaves = midnight(stay.leaves);
            next.push(Reverse((leaves + OPENS + HOUR + chance.random_range(0..3 * HOUR), Step::CheckOut(at))));
            days = days.max(leaves / DAY + 1);
        }
        for day in 0..days {
            next.push(Reverse((day * DAY + OPENS, Step::PeopleCome)));
            next.push(Reverse((day * DAY + CLOSES, Step::PeopleGo)));
        }
        Self {
            reservations: replay.stays.iter().map(|_| app.db.ids().next(now)).collect(),
            people: (0..replay.people).map(|_| app.db.ids().next(now)).collect(),
            shift: None,
            progress: Progress { days, ..Progress::default() },
            house,
            replay,
            chance,
            next,
        }
    }

    /// The rooms of the house, with the numbers on their doors.
    async fn open(&self) -> Result<(), HousekeepingError> {
        let mut kinds: BTreeMap<&str, i32> = BTreeMap::new();
        for stay in &self.replay.stays {
            let floors = i32::try_from(kinds.len()).unwrap_or(0) + 1;
            kinds.entry(kind_of(&stay.room)).or_insert(floors);
        }
        let mut described: Vec<RoomDescription> = Vec::new();
        for stay in &self.replay.stays {
            let room_id = room_id(&stay.room);
            if described.iter().all(|room| room.room_id != room_id) {
                described.push(RoomDescription {
                    property_id: self.house.property.clone(),
                    room_id,
                    number: stay.room.clone(),
                    floor: kinds.get(kind_of(&stay.room)).copied().unwrap_or(1),
                    section: "replay".to_owned(),
                    room_type: kind_of(&stay.room).to_owned(),
                });
            }
        }
        let mut uow = self.house.begin().await?;
        let ids: Vec<RoomId> = described.iter().map(|room| room.room_id.clone()).collect();
        rooms::open(&mut uow, &self.house.property, &ids).await?;
        for room in &described {
            rooms::describe(&mut uow, room);
        }
        uow.touch_board(&self.house.property);
        Ok(uow.commit().await?)
    }

    async fn run(&mut self, mut tell: impl FnMut(Progress)) -> Result<(), HousekeepingError> {
        let begun = Instant::now();
        while let Some(Reverse((minute, step))) = self.next.pop() {
            if minute / DAY + 1 > self.progress.day {
                self.progress.day = (minute / DAY + 1).min(self.progress.days);
                tell(self.progress);
            }
            #[expect(clippy::cast_precision_loss, reason = "minutes of a month")]
            let after = Duration::try_from_secs_f64(minute as f64 * 60.0 / self.replay.speed).unwrap_or(Duration::MAX);
            if let Some(at) = begun.checked_add(after) {
                tokio::time::sleep_until(at).await;
            }
            self.take(minute, step).await?;
        }
        tell(self.progress);
        Ok(())
    }

    async fn take(&mut self, minute: i64, step: Step) -> Result<(), HousekeepingError> {
        match step {
            Step::PeopleCome => self.come(minute).await,
            Step::PeopleGo => self.go().await,
            Step::CheckIn(at) => {
                self.progress.arrivals += 1;
                self.tell("reservation.checked_in.v1", self.check_in(at)).await
            }
            Step::CheckOut(at) => {
                self.progress.departures += 1;
                self.tell("reservation.checked_out.v1", self.check_out(at)).await
            }
            Step::Free(who) => self.look_for_work(minute, who).await,
            Step::Done { who, task, kind } => self.finish(minute, who, task, &kind).await,
            Step::Inspect(task) => self.inspect(&task).await,
        }
    }

    async fn look_for_work(&mut self, minute: i64, who: usize) -> Result<(), HousekeepingError> {
        if self.shift.is_none() {
            return Ok(());
        }
        let filter = TaskFilter {
            properties: Some(vec![self.house.property.clone()]),
            statuses: Some(vec![TaskStatus::Pending]),
            ..TaskFilter::default()
        };
        let mut uow = self.house.begin().await?;
        let open = tasks::list(&mut uow, &filter, 1).await?;
        uow.rollback().await?;
        let Some(task) = open.into_iter().next() else {
            self.then(minute + 10, Step::Free(who));
            return Ok(());
        };
        let (staff, supervisor) = (self.people[who].clone(), self.supervisor());
        let given = self.house.on_task(&supervisor, &task.id, async |uow, command| {
            assignment::assign(uow, command, staff.clone(), None, false).await.map(|_| ())
        });
        let begun = given.await? && self.house.start(&self.worker(who), &task.id).await?;
        let minutes = if begun { self.chance.random_range(20..50) } else { 10 };
        let step = if begun {
            Step::Done { who, task: task.id.to_string(), kind: task.kind.as_str().to_owned() }
        } else {
            Step::Free(who)
        };
        self.then(minute + minutes, step);
        Ok(())
    }

    async fn finish(&mut self, minute: i64, who: usize, task: String, kind: &str) -> Result<(), HousekeepingError> {
        if let (Ok(id), Some(kind)) = (TaskId::parse(&task), TaskKind::from_word(kind))
            && self.house.complete(&self.worker(who), &id, kind).await?
        {
            self.progress.cleaned += 1;
            let wait = self.chance.random_range(5..20);
            self.then(minute + wait, Step::Inspect(task));
        }
        self.then(minute, Step::Free(who));
        Ok(())
    }

    /// A few rooms fail, and are done again.
    async fn inspect(&mut self, task: &str) -> Result<(), HousekeepingError> {
        let Ok(id) = TaskId::parse(task) else { return Ok(()) };
        let verdict = if self.chance.random_bool(0.03) {
            Verdict::Failed { reason: "hair in the bath".to_owned(), failed_item_keys: vec!["bathroom".to_owned()] }
        } else {
            Verdict::Passed
        };
        if self.house.inspect(&self.supervisor(), &id, verdict).await? {
            self.progress.inspected += 1;
        }
        Ok(())
    }

    /// The morning shift, with everybody on it.
    async fn come(&mut self, minute: i64) -> Result<(), HousekeepingError> {
        let shift: ShiftId = self.house.app.db.ids().next(self.now());
        let (tenant, property, now) = (&self.house.tenant, &self.house.property, self.now());
        let scheduled = json!({
            "shiftId": shift, "tenantId": tenant, "propertyId": property, "positionId": "pos_HOUSEKEEPER", "patternId": null,
            "windowUtc": { "startUtc": now, "endUtc": now.plus_seconds(8 * 60 * 60) },
            "localWindow": { "date": "2026-01-01", "startLocal": "07:00", "endLocal": "15:00", "tz": "UTC" },
            "primaryHeadcount": self.people.len(), "standbyHeadcount": 0, "version": 1,
        });
        self.tell("staff.shift.scheduled.v1", scheduled).await?;
        for (at, staff) in self.people.clone().iter().enumerate() {
            let assigned = json!({
                "shiftId": shift, "tenantId": tenant, "propertyId": property, "assignmentId": format!("sha_{}_{at}", &shift.as_str()[4..]),
                "staffId": staff, "role": "primary", "source": "manual", "swappedFromAssignmentId": null, "version": 1,
                "assignedAt": now,
            });
            self.tell("staff.shift.assigned.v1", assigned).await?;
            let punch = json!({
                "clockEntryId": format!("clk_{}_{at}", &shift.as_str()[4..]), "tenantId": tenant, "staffId": staff,
                "propertyId": property, "shiftId": shift, "occurredAtUtc": now, "recordedAtUtc": now,
                "source": "electron_pin", "deviceId": null, "managerOverride": false, "fromOfflineReplay": false,
                "matchedScheduledShift": true,
            });
            self.tell("staff.clock.in.v1", punch).await?;
        }
        self.shift = Some(shift);
        for who in 0..self.people.len() {
            self.then(minute, Step::Free(who));
        }
        Ok(())
    }

    async fn go(&mut self) -> Result<(), HousekeepingError> {
        let Some(shift) = self.shift.take() else { return Ok(()) };
        let ended = json!({
            "shiftId": shift, "tenantId": self.house.tenant, "propertyId": self.house.property, "endedAt": self.now(),
            "endedReason": "all_primary_clocked_out", "lastClockOutBy": self.people.first(), "totalActualMinutes": 600,
            "totalBreakMinutes": 60, "version": 3,
        });
        self.tell("staff.shift.ended.v1", ended).await
    }

    fn then(&mut self, minute: i64, step: Step) {
        self.next.push(Reverse((minute, step)));
    }

    fn now(&self) -> contracts::time::Timestamp {
        self.house.app.db.clock().now()
    }

    async fn tell(&self, subject: &str, payload: Value) -> Result<(), HousekeepingError> {
        let now = self.now();
        self.house.tell(self.house.app.db.ids().next(now), subject, now, payload).await
    }

    fn worker(&self, who: usize) -> Caller {
        self.house.caller(&self.people[who], Role::Housekeeper)
    }

    fn supervisor(&self) -> Caller {
        self.house.caller(&self.people[0], Role::Supervisor)
    }

    fn room_of(&self, at: usize) -> Value {
        let stay = &self.replay.stays[at];
        json!([{ "itemId": format!("itm_{}", stay.line), "roomId": room_id(&stay.room) }])
    }

    fn check_in(&self, at: usize) -> Value {
        json!({
            "reservationId": self.reservations[at], "tenantId": self.house.tenant, "propertyId": self.house.property,
            "checkedInAt": self.now(), "assignedRooms": self.room_of(at), "keyCredentialIds": [], "requiresManualKey": true,
            "actor": { "type": "system", "id": "sys_replay" }, "earlyCheckIn": false,
        })
    }

    fn check_out(&self, at: usize) -> Value {
        json!({
            "reservationId": self.reservations[at], "tenantId": self.house.tenant, "propertyId": self.house.property,
            "checkedOutAt": self.now(), "earlyCheckout": false, "overstayedNights": 0,
            "folio": { "folioId": "fol_REPLAY", "finalBalanceMicro": "0", "currency": "AFN", "settled": true },
            "rooms": self.room_of(at), "actor": { "type": "system", "id": "sys_replay" },
        })
    }
}

/// `A-07`: its kind is what stands before the number.
fn kind_of(room: &str) -> &str {
    room.rsplit_once('-').map_or(room, |(kind, _)| kind)
}

/// The id of a room of a table: its name, which was looked over when it was read.
fn room_id(room: &str) -> RoomId {
    let name = format!("rom_{}", room.replace('-', "_"));
    RoomId::parse(&name).unwrap_or_else(|_| RoomId::from_ulid(ulid::Ulid::nil()))
}

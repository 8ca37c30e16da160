//! The morning as it happens: guests leave, people come to work, rooms get clean.

use contracts::housekeeping::{PauseReason, TaskKind, TaskPriority};
use contracts::ids::TaskId;
use contracts::time::Timestamp;
use housekeeping::HousekeepingError;
use housekeeping::application::assignment::{self, NewTask};
use housekeeping::application::settings::change as change_settings;
use housekeeping::application::{TaskCommand, cleaning};
use housekeeping::domain::inspection::Verdict;
use housekeeping::domain::settings::Settings;
use housekeeping::infrastructure::{board, rooms, settings};
use platform::UnitOfWork;
use platform::auth::{Caller, Role};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::{Value, json};
use staff::StaffError;

use super::house::House;
use super::script::{Person, Script, Stay, next};
use super::{Hotel, people, troubles};
use crate::Failure;
use crate::app::App;

/// Opens the demo hotel, or finds it as it was left.
pub async fn open(app: &App, seed: u64) -> Result<Hotel, Failure> {
    let script = Script::from_seed(seed);
    let hotel = Hotel {
        tenant: script.tenant.clone(),
        property: script.property.clone(),
        supervisor: script.supervisor.id.clone(),
        people: people::members(&script),
    };
    let house = House::new(app, script.tenant.clone(), script.property.clone());
    let demo = Demo { house, now: app.db.clock().now(), script: &script };
    if demo.is_open().await.map_err(|error| failed(&error))? {
        return Ok(hotel);
    }
    tracing::info!(seed, "opening Hotel Chinar");
    let closed = |error: StaffError| Failure::Failed(format!("the demo hotel could not be opened: {error}"));
    people::settle(app, &script).await.map_err(closed)?;
    demo.play(seed).await.map_err(|error| failed(&error))?;
    Ok(hotel)
}

fn failed(error: &HousekeepingError) -> Failure {
    Failure::Failed(format!("the demo hotel could not be opened: {error}"))
}

struct Demo<'a> {
    house: House<'a>,
    now: Timestamp,
    script: &'a Script,
}

impl Demo<'_> {
    /// The settings are written last: a start that was cut short is taken up again.
    async fn is_open(&self) -> Result<bool, HousekeepingError> {
        let mut uow = self.house.begin().await?;
        let (stored, _) = settings::load(&mut uow).await?;
        uow.rollback().await?;
        Ok(stored.version > 0)
    }

    async fn play(&self, seed: u64) -> Result<(), HousekeepingError> {
        let mut uow = self.house.begin().await?;
        let ids: Vec<_> = self.script.rooms.iter().map(|room| room.room_id.clone()).collect();
        rooms::open(&mut uow, &self.script.property, &ids).await?;
        self.script.rooms.iter().for_each(|room| rooms::describe(&mut uow, room));
        uow.commit().await?;

        // Event ids are drawn from the seed as well: what was told once is not told twice.
        let mut chance = StdRng::seed_from_u64(seed ^ 0x5eed);
        for (subject, minutes_ago, payload) in self.told() {
            self.house.tell(next(&mut chance), subject, self.ago(minutes_ago), payload).await?;
        }
        self.do_the_mornings_work().await?;
        troubles::happen(&self.house, self.script).await?;

        let mut uow = self.house.begin().await?;
        change_settings(
            &mut uow,
            None,
            Settings { linen_line: Some(troubles::LINEN.to_owned()), ..Settings::default() },
        )
        .await?;
        uow.commit().await?;
        self.house.app.relay.drain().await?;
        Ok(())
    }

    /// Everything that other contexts tell: subject, how many minutes ago, payload.
    fn told(&self) -> Vec<(&'static str, i64, Value)> {
        let script = self.script;
        let mut told = Vec::new();
        for stay in script.departures.iter().chain(&script.stay_overs) {
            told.push(("reservation.checked_in.v1", 960, self.check_in(stay, 960)));
        }
        for stay in &script.departures[..script.early_departures] {
            told.push(("reservation.early_checkout.v1", 115, self.early(stay)));
        }
        for (at, stay) in script.departures.iter().enumerate() {
            let minutes_ago = 110 - i64::try_from(at).unwrap_or(0) * 3;
            told.push(("reservation.checked_out.v1", minutes_ago, self.check_out(stay, minutes_ago, at)));
        }
        for stay in &script.arrivals {
            told.push(("reservation.checked_in.v1", 15, self.check_in(stay, 15)));
        }
        for stay in &script.waiting {
            told.push(("reservation.check_in_started.v1", 5, self.at_the_desk(stay)));
        }
        told
    }

    /// The supervisor opens the stay-overs and divides the work; some of it is done, some of it is going on.
    async fn do_the_mornings_work(&self) -> Result<(), HousekeepingError> {
        let supervisor = self.house.caller(&self.script.supervisor.id, Role::Supervisor);
        for (at, stay) in self.script.stay_overs.iter().enumerate() {
            let new = NewTask {
                property_id: self.script.property.clone(),
                room_id: stay.room.clone(),
                kind: if at % 9 == 8 { TaskKind::DeepClean } else { TaskKind::MidStayClean },
                priority: TaskPriority::Normal,
                scheduled_for: None,
                reservation_id: Some(stay.reservation.clone()),
                note: None,
            };
            let story = async |uow: &mut UnitOfWork| {
                assignment::open_task(uow, &self.house.profiles, &supervisor, new.clone()).await.map(|_| ())
            };
            self.house.once(&supervisor, story).await?;
        }
        let mut uow = self.house.begin().await?;
        let open = board::load(&mut uow, &self.script.property).await?.tasks;
        uow.rollback().await?;
        for (at, task) in open.iter().enumerate() {
            // One in six waits for the supervisor's decision.
            if at % 6 == 5 {
                continue;
            }
            let Some(person) = self.script.housekeepers.get(at % self.script.housekeepers.len()) else { continue };
            let assign = async |uow: &mut UnitOfWork, command: TaskCommand<'_>| {
                assignment::assign(uow, command, person.id.clone(), None, false).await.map(|_| ())
            };
            self.house.on_task(&supervisor, &task.id, assign).await?;
            self.work(at, &task.id, task.kind, &supervisor, person).await?;
        }
        Ok(())
    }

    /// How far a task has come: each person has finished some, is at one, and has others before them.
    async fn work(
        &self,
        at: usize,
        task: &TaskId,
        kind: TaskKind,
        supervisor: &Caller,
        person: &Person,
    ) -> Result<(), HousekeepingError> {
        let people = self.script.housekeepers.len();
        let round = at / people;
        if round > 1 {
            return Ok(());
        }
        let worker = self.house.caller(&person.id, Role::Housekeeper);
        self.house.start(&worker, task).await?;
        if round == 1 {
            if at % people == 3 {
                let pause = async |uow: &mut UnitOfWork, command: TaskCommand<'_>| {
                    cleaning::pause(uow, command, PauseReason::AwaitingLinen, None).await.map(|_| ())
                };
                self.house.on_task(&worker, task, pause).await?;
            }
            return Ok(());
        }
        self.house.complete(&worker, task, kind).await?;
        if kind == TaskKind::Turnover && at % 3 != 2 {
            self.house.inspect(supervisor, task, Verdict::Passed).await?;
        }
        Ok(())
    }

    fn ago(&self, minutes: i64) -> Timestamp {
        self.now.plus_seconds(-60 * minutes)
    }

    fn check_in(&self, stay: &Stay, minutes_ago: i64) -> Value {
        json!({
            "reservationId": stay.reservation, "tenantId": self.script.tenant, "propertyId": self.script.property,
            "checkedInAt": self.ago(minutes_ago), "assignedRooms": [{ "itemId": stay.item, "roomId": stay.room }],
            "keyCredentialIds": [], "requiresManualKey": true, "actor": { "type": "staff", "id": self.script.supervisor.id },
            "earlyCheckIn": false,
        })
    }

    fn at_the_desk(&self, stay: &Stay) -> Value {
        json!({
            "reservationId": stay.reservation, "tenantId": self.script.tenant, "propertyId": self.script.property,
            "startedAt": self.ago(5), "assignedRooms": [{ "itemId": stay.item, "roomId": stay.room }],
            "actor": { "type": "staff", "id": self.script.supervisor.id },
        })
    }

    fn early(&self, stay: &Stay) -> Value {
        json!({
            "reservationId": stay.reservation, "tenantId": self.script.tenant, "propertyId": self.script.property,
            "occurredAt": self.ago(115), "actor": { "type": "guest", "id": "gst_DEMO" },
        })
    }

    fn check_out(&self, stay: &Stay, minutes_ago: i64, at: usize) -> Value {
        json!({
            "reservationId": stay.reservation, "tenantId": self.script.tenant, "propertyId": self.script.property,
            "checkedOutAt": self.ago(minutes_ago), "earlyCheckout": at < self.script.early_departures, "overstayedNights": 0,
            "folio": { "folioId": "fol_DEMO", "finalBalanceMicro": "0", "currency": "AFN", "settled": true },
            "rooms": [{ "itemId": stay.item, "roomId": stay.room }],
            "actor": { "type": "staff", "id": self.script.supervisor.id },
        })
    }
}

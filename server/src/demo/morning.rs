//! The morning as it happens: guests leave, people come to work, rooms get clean.

use contracts::housekeeping::{PauseReason, TaskKind, TaskPriority};
use contracts::ids::{ReservationId, TaskId};
use contracts::time::Timestamp;
use housekeeping::HousekeepingError;
use housekeeping::application::assignment::{self, NewTask};
use housekeeping::application::settings::change as change_settings;
use housekeeping::application::{TaskCommand, cleaning};
use housekeeping::domain::inspection::Verdict;
use housekeeping::domain::settings::SettingsChange;
use housekeeping::infrastructure::{board, rooms, settings};

use platform::auth::{Caller, Role};
use platform::{Fault, UnitOfWork};
use rand::SeedableRng;
use rand::rngs::StdRng;

use reservation::ReservationError;
use staff::StaffError;

use super::guests::Guests;
use super::house::House;
use super::script::{Person, Script, next};
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
    demo.play(seed).await?;
    Ok(hotel)
}

fn failed(error: &HousekeepingError) -> Failure {
    Failure::Failed(format!("the demo hotel could not be opened: {error}"))
}

fn unbooked(error: &ReservationError) -> Failure {
    Failure::Failed(format!("the demo hotel's guests could not come: {error}"))
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

    async fn play(&self, seed: u64) -> Result<(), Failure> {
        let guests = Guests { db: &self.house.app.db, script: self.script, now: self.now };
        guests.open_the_house().await.map_err(|error| unbooked(&error))?;
        self.furnish(seed).await.map_err(|error| failed(&error))?;
        for slept_here in [guests.last_night().await, guests.this_morning().await, guests.the_book().await] {
            slept_here.map_err(|error| unbooked(&error))?;
        }
        // Housekeeping hears of it as it does of real guests.
        self.hear_everything().await.map_err(|error| failed(&error.into()))?;
        let mut who = Vec::new();
        for at in 0..self.script.stay_overs.len() {
            who.push(guests.of_stay_over(at).await.map_err(|error| unbooked(&error))?);
        }
        self.do_the_mornings_work(&who).await.map_err(|error| failed(&error))?;
        troubles::happen(&self.house, self.script).await.map_err(|error| failed(&error))?;
        self.hear_everything().await.map_err(|error| failed(&error.into()))?;
        let done = async {
            let mut uow = self.house.begin().await?;
            let linen_line = Some(Some(troubles::LINEN.to_owned()));
            change_settings(&mut uow, None, SettingsChange { linen_line, ..SettingsChange::default() }).await?;
            Ok::<_, HousekeepingError>(uow.commit().await?)
        };
        done.await.map_err(|error| failed(&error))?;
        self.house.app.relay.drain().await?;
        Ok(())
    }

    /// Until nothing is left to publish and nobody has anything left to hear.
    async fn hear_everything(&self) -> Result<(), Fault> {
        while self.house.app.relay.drain().await? + self.house.app.worker.drain().await? > 0 {}
        Ok(())
    }

    /// Rooms to clean, one of which cannot be used.
    async fn furnish(&self, seed: u64) -> Result<(), HousekeepingError> {
        let mut uow = self.house.begin().await?;
        let ids: Vec<_> = self.script.rooms.iter().map(|room| room.room_id.clone()).collect();
        rooms::open(&mut uow, &self.script.property, &ids).await?;
        self.script.rooms.iter().for_each(|room| rooms::describe(&mut uow, room));
        uow.commit().await?;
        // The event's id is drawn from the seed as well: what was told once is not told twice.
        let mut chance = StdRng::seed_from_u64(seed ^ 0x5eed);
        troubles::break_a_room(&self.house, self.script, next(&mut chance), self.now).await
    }

    /// The supervisor opens the stay-overs and divides the work; some of it is done, some of it is going on.
    async fn do_the_mornings_work(&self, who: &[Option<ReservationId>]) -> Result<(), HousekeepingError> {
        let supervisor = self.house.caller(&self.script.supervisor.id, Role::Supervisor);
        for (at, stay) in self.script.stay_overs.iter().enumerate() {
            let new = NewTask {
                property_id: self.script.property.clone(),
                room_id: stay.room.clone(),
                kind: if at % 9 == 8 { TaskKind::DeepClean } else { TaskKind::MidStayClean },
                priority: TaskPriority::Normal,
                scheduled_for: None,
                reservation_id: who.get(at).cloned().flatten(),
                note: None,
            };
            let story = async |uow: &mut UnitOfWork| {
                assignment::open_task(uow, &self.house.profiles, &supervisor, new.clone()).await.map(|_| ())
            };
            self.house.once(&supervisor, story).await?;
        }
        let mut uow = self.house.begin().await?;
        let mut open = board::load(&mut uow, &self.script.property).await?.tasks;
        uow.rollback().await?;
        // The bus brings them in no order in particular; by their rooms the same seed gives the same morning.
        open.sort_by(|one, other| one.room_id.cmp(&other.room_id));
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
}

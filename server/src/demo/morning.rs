//! The morning as it happens: guests leave, people come to work, rooms get clean.

use contracts::housekeeping::{TaskKind, TaskPriority};
use contracts::ids::ReservationId;
use contracts::time::Timestamp;
use housekeeping::HousekeepingError;
use housekeeping::application::TaskCommand;
use housekeeping::application::assignment::{self, NewTask};
use housekeeping::application::settings::change as change_settings;
use housekeeping::domain::settings::SettingsChange;
use housekeeping::infrastructure::replanning::{self, Why};
use housekeeping::infrastructure::{rooms, settings};
use platform::UnitOfWork;
use platform::auth::Role;
use rand::SeedableRng;
use rand::rngs::StdRng;

use reservation::ReservationError;
use staff::StaffError;

use super::guests::Guests;
use super::house::House;
use super::rounds::{Past, Rounds, Until};
use super::script::{Script, next};
use super::{Hotel, days_before, people, troubles};
use crate::Failure;
use crate::app::App;

/// So long ago people began the room that they are at.
const IS_AT_IT_MINUTES: i64 = 18;

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
        let hear = async |house: &House<'_>| house.hear_everything().await.map_err(|error| failed(&error.into()));
        guests.open_the_house().await.map_err(|error| unbooked(&error))?;
        self.furnish(&guests).await.map_err(|error| failed(&error))?;
        days_before::happen(&self.house, &guests, self.script, seed).await.map_err(|error| failed(&error))?;
        self.break_a_room(seed).await.map_err(|error| failed(&error))?;
        for gone in [guests.last_night().await, guests.departures().await] {
            gone.map_err(|error| unbooked(&error))?;
        }
        // Housekeeping hears of it as it does of real guests: when they had left.
        let past = Past::begin(&self.house, guests.all_left(), self.now);
        hear(&past.house).await?;
        let mut who = Vec::new();
        for at in 0..self.script.stay_overs.len() {
            who.push(guests.of_stay_over(at).await.map_err(|error| unbooked(&error))?);
        }
        self.do_the_mornings_work(&past, seed, &who).await.map_err(|error| failed(&error))?;
        for come in [guests.arrivals().await, guests.the_book().await] {
            come.map_err(|error| unbooked(&error))?;
        }
        hear(&self.house).await?;
        troubles::happen(&self.house, self.script).await.map_err(|error| failed(&error))?;
        hear(&self.house).await?;
        let done = async {
            let mut uow = self.house.begin().await?;
            let linen_line = Some(Some(troubles::LINEN.to_owned()));
            change_settings(&mut uow, None, SettingsChange { linen_line, ..SettingsChange::default() }).await?;
            // The shift before this one has left work behind: a plan for it waits on the first board that is looked at.
            replanning::ask_for(&mut uow, &self.script.property, Why::ShiftEnded);
            Ok::<_, HousekeepingError>(uow.commit().await?)
        };
        done.await.map_err(|error| failed(&error))?;
        self.house.app.relay.drain().await?;
        Ok(())
    }

    /// Rooms to clean.
    async fn furnish(&self, guests: &Guests<'_>) -> Result<(), HousekeepingError> {
        let opened = Past::begin(&self.house, guests.morning(-days_before::DAYS - 1), self.now);
        let mut uow = opened.house.begin().await?;
        let ids: Vec<_> = self.script.rooms.iter().map(|room| room.room_id.clone()).collect();
        rooms::open(&mut uow, &self.script.property, &ids).await?;
        self.script.rooms.iter().for_each(|room| rooms::describe(&mut uow, room));
        Ok(uow.commit().await?)
    }

    /// One of them cannot be used.
    async fn break_a_room(&self, seed: u64) -> Result<(), HousekeepingError> {
        // The event's id is drawn from the seed as well: what was told once is not told twice.
        let mut chance = StdRng::seed_from_u64(seed ^ 0x5eed);
        troubles::break_a_room(&self.house, self.script, next(&mut chance), self.now).await
    }

    /// The supervisor opens the stay-overs and divides the work; some of it is done, some of it is going on.
    async fn do_the_mornings_work(
        &self,
        past: &Past<'_>,
        seed: u64,
        who: &[Option<ReservationId>],
    ) -> Result<(), HousekeepingError> {
        let supervisor = past.house.caller(&self.script.supervisor.id, Role::Supervisor);
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
                assignment::open_task(uow, &past.house.profiles, &supervisor, new.clone()).await.map(|_| ())
            };
            past.house.once(&supervisor, story).await?;
        }
        let mut chance = StdRng::seed_from_u64(seed ^ 0x30f7);
        let mut rounds = Rounds::new(self.script.supervisor.id.clone(), &mut chance);
        let begins = past.house.db.clock().now().plus_seconds(5 * 60);
        for (at, task) in days_before::open_tasks(past, self.script).await?.iter().enumerate() {
            // One in six waits for the supervisor's decision.
            if at % 6 == 5 {
                continue;
            }
            let people = self.script.housekeepers.len();
            let Some(person) = self.script.housekeepers.get(at % people) else { continue };
            let assign = async |uow: &mut UnitOfWork, command: TaskCommand<'_>| {
                assignment::assign(uow, command, person.id.clone(), None, false).await.map(|_| ())
            };
            past.house.on_task(&supervisor, &task.id, assign).await?;
            // Each person has finished some, is at one, and has others before them.
            let work = (&task.id, task.kind);
            match (at / people, at % people) {
                (0, _) if task.kind == TaskKind::Turnover && at % 3 != 2 => {
                    rounds.clean(&person.id, work, begins, Until::Inspected { passed: true });
                }
                (0, _) => {
                    rounds.clean(&person.id, work, begins, Until::Finished);
                }
                (1, nth) => {
                    let begins = self.now.plus_seconds(-60 * IS_AT_IT_MINUTES).max(begins);
                    rounds.clean(&person.id, work, begins, if nth == 3 { Until::Paused } else { Until::Begun });
                }
                _ => {}
            }
        }
        rounds.happen(past).await
    }
}

//! The week before today: rooms were cleaned then too, so that the figures and the history of a room have something to say.

use contracts::housekeeping::{TaskKind, TaskPriority};
use housekeeping::HousekeepingError;
use housekeeping::application::TaskCommand;
use housekeeping::application::assignment::{self, NewTask};
use housekeeping::domain::task::Task;
use housekeeping::infrastructure::board;
use platform::UnitOfWork;
use platform::auth::Role;
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::guests::Guests;
use super::house::House;
use super::rounds::{Past, Rounds, Until};
use super::script::Script;

/// How many days before today are told.
pub(super) const DAYS: i32 = 7;
/// How many rooms were cleaned on each of them, of which every third kept its guests.
const ROOMS_A_DAY: usize = 12;

/// From the first to yesterday.
pub(super) async fn happen(
    house: &House<'_>,
    guests: &Guests<'_>,
    script: &Script,
    seed: u64,
) -> Result<(), HousekeepingError> {
    let mut chance = StdRng::seed_from_u64(seed ^ 0x0da7);
    for day in -DAYS..0 {
        one_day(house, guests, script, day, &mut chance).await?;
    }
    Ok(())
}

async fn one_day(
    house: &House<'_>,
    guests: &Guests<'_>,
    script: &Script,
    day: i32,
    chance: &mut StdRng,
) -> Result<(), HousekeepingError> {
    let past = Past::begin(house, guests.morning(day), guests.now);
    let supervisor = past.house.caller(&script.supervisor.id, Role::Supervisor);
    let first = usize::try_from(day + DAYS).unwrap_or(0) * ROOMS_A_DAY;
    let rooms = script.rooms.iter().cycle().skip(first).take(ROOMS_A_DAY);
    for (at, room) in rooms.enumerate() {
        let new = NewTask {
            property_id: script.property.clone(),
            room_id: room.room_id.clone(),
            kind: if at % 3 == 2 { TaskKind::MidStayClean } else { TaskKind::Turnover },
            priority: TaskPriority::Normal,
            scheduled_for: None,
            reservation_id: None,
            note: None,
        };
        let open = async |uow: &mut UnitOfWork| {
            assignment::open_task(uow, &past.house.profiles, &supervisor, new.clone()).await.map(|_| ())
        };
        past.house.once(&supervisor, open).await?;
    }
    let mut rounds = Rounds::new(script.supervisor.id.clone(), chance);
    let people = script.housekeepers.len().max(1);
    let mut free = vec![guests.morning(day).plus_seconds(15 * 60); people];
    for (at, task) in open_tasks(&past, script).await?.iter().enumerate() {
        let Some(person) = script.housekeepers.get(at % people) else { continue };
        // Whoever was on shift a week ago is nobody's question today.
        let assign = async |uow: &mut UnitOfWork, command: TaskCommand<'_>| {
            assignment::assign(uow, command, person.id.clone(), None, true).await.map(|_| ())
        };
        past.house.on_task(&supervisor, &task.id, assign).await?;
        let until = if task.kind == TaskKind::Turnover { Until::Inspected { passed: true } } else { Until::Finished };
        free[at % people] = rounds.clean(&person.id, (&task.id, task.kind), free[at % people], until);
    }
    rounds.happen(&past).await
}

/// Those of the board, by their rooms: the same seed gives the same days.
pub(super) async fn open_tasks(past: &Past<'_>, script: &Script) -> Result<Vec<Task>, HousekeepingError> {
    let mut uow = past.house.begin().await?;
    let mut open = board::load(&mut uow, &script.property).await?.tasks;
    uow.rollback().await?;
    open.sort_by(|one, other| one.room_id.cmp(&other.room_id));
    Ok(open)
}

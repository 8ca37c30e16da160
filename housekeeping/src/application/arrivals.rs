//! Guests are expected: the room that is meant for them is due, and more so the sooner they come.

use contracts::housekeeping::{PriorityChangeReason, TaskKind};
use contracts::ids::{PropertyId, ReservationId, RoomId};
use contracts::reservation::{CancelledV1, CheckInStartedV1, ConfirmedV1, DatesChangedV1, NoShowV1};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::UnitOfWork;

use super::assignment;
use super::profiles::Profile;
use super::turnover::is_turnover_of;
use crate::HousekeepingError;
use crate::domain::eta::{arrival_on, presses_more, priority_for};
use crate::domain::room::Room;
use crate::domain::task::{Task, TaskState, rank};
use crate::infrastructure::stays::ExpectedIn;
use crate::infrastructure::{arrivals, rooms, stays, tasks};

/// The guest will come.
pub async fn confirm(uow: &mut UnitOfWork, profile: &Profile, told: &ConfirmedV1) -> Result<(), HousekeepingError> {
    let (reservation, day) = (&told.reservation_id, told.stay_window.start);
    expect_on(uow, profile, reservation, &told.property_id, day, told.confirmed_at).await
}

/// The guest comes on another day.
pub async fn change_dates(
    uow: &mut UnitOfWork,
    profile: &Profile,
    told: &DatesChangedV1,
) -> Result<(), HousekeepingError> {
    let (reservation, day) = (&told.reservation_id, told.after.start);
    expect_on(uow, profile, reservation, &told.property_id, day, told.occurred_at).await
}

/// What was said last counts, whatever arrives last.
async fn expect_on(
    uow: &mut UnitOfWork,
    profile: &Profile,
    reservation: &ReservationId,
    property: &PropertyId,
    day: LocalDate,
    as_of: Timestamp,
) -> Result<(), HousekeepingError> {
    let known = stays::lock(uow, reservation).await?;
    if known.as_of.is_some_and(|before| before > as_of) {
        return Ok(());
    }
    let arrives_at = arrival_on(day, &profile.settings.timezone);
    stays::expect(uow, reservation, property, arrives_at, as_of);
    uow.touch_board(property);
    arrivals::reschedule(uow, reservation, arrives_at);
    let waiting = known.expected.iter().filter(|room| room.over_at.is_none() && !room.at_desk);
    let rooms: Vec<RoomId> = waiting.map(|room| room.room_id.clone()).collect();
    match arrives_at {
        Some(at) => hasten(uow, profile, property, rooms, at).await,
        None => Ok(()),
    }
}

/// A guest stands at the desk, and a room is meant for them: whoever cleans it should know.
pub async fn expect_guests(
    uow: &mut UnitOfWork,
    profile: &Profile,
    arrival: &CheckInStartedV1,
) -> Result<(), HousekeepingError> {
    if arrival.assigned_rooms.is_empty() {
        return Ok(());
    }
    let (property, at) = (&arrival.property_id, arrival.started_at);
    let known = stays::lock(uow, &arrival.reservation_id).await?;
    let mut rooms = arrival.assigned_rooms.clone();
    rooms.retain(|room| !known.is_over(Some(&room.item_id), at));
    if rooms.is_empty() || known.put_back.undoes_arrival(at) {
        return Ok(());
    }
    let mut seen: Vec<RoomId> = rooms.iter().map(|room| room.room_id.clone()).collect();
    seen.sort();
    seen.dedup();
    rooms::open(uow, property, &seen).await?;
    arrivals::expect(uow, property, &arrival.reservation_id, &rooms, at);
    // Who came and was not in after all, or comes after all, stands at the desk anew.
    let again = |one: &&ExpectedIn| one.over_at.is_some_and(|over| known.put_back.expects_again(over));
    let again: Vec<&ExpectedIn> = known.expected.iter().filter(again).collect();
    for one in again.iter().filter(|one| rooms.iter().any(|room| room.room_id == one.room_id)) {
        let room = ExpectedIn { expected_at: Some(at), at_desk: true, ..(**one).clone() };
        arrivals::plan(uow, &arrival.reservation_id, &room);
    }
    uow.touch_board(property);
    let came = |room: &RoomId| {
        let over = known.expected.iter().any(|one| one.room_id == *room && one.over_at.is_some());
        over && !again.iter().any(|one| one.room_id == *room)
    };
    let rooms = rooms.into_iter().map(|room| room.room_id).filter(|room| !came(room)).collect();
    hasten(uow, profile, property, rooms, at).await
}

/// Raises what is open in rooms whose next guest comes then. Nothing is made less pressing by it: a person may have said so.
pub(super) async fn hasten(
    uow: &mut UnitOfWork,
    profile: &Profile,
    property: &PropertyId,
    rooms: Vec<RoomId>,
    arrives_at: Timestamp,
) -> Result<(), HousekeepingError> {
    raise(uow, profile, property, rooms, arrives_at, |_| true).await
}

/// The guest has come nearer since somebody last said how much the work in their room presses.
pub(super) async fn press(
    uow: &mut UnitOfWork,
    profile: &Profile,
    property: &PropertyId,
    room: RoomId,
    arrives_at: Timestamp,
) -> Result<(), HousekeepingError> {
    let (now, zone) = (uow.now(), profile.settings.timezone.clone());
    let nearer = |task: &Task| presses_more(arrives_at, (task.priority, task.priority_since()), now, &zone);
    raise(uow, profile, property, vec![room], arrives_at, nearer).await
}

async fn raise(
    uow: &mut UnitOfWork,
    profile: &Profile,
    property: &PropertyId,
    mut rooms: Vec<RoomId>,
    arrives_at: Timestamp,
    is_meant: impl Fn(&Task) -> bool,
) -> Result<(), HousekeepingError> {
    let (now, by) = (uow.now(), uow.context().actor.clone());
    // A guest of the day before yesterday is a message that was never sent, and presses nobody.
    if rooms.is_empty() || now.minutes_since(arrives_at) >= 24 * 60 {
        return Ok(());
    }
    rooms.sort();
    rooms.dedup();
    let (_, open) = tasks::lock_open_in(uow, property, &rooms).await?;
    let pressing = priority_for(Some(arrives_at), now, &profile.settings.timezone);
    for task in open {
        // What is planned for after they have come is not for them; what was tried in vain was to be done before.
        let is_due_before = task.attempts > 0 || task.scheduled_for.is_none_or(|at| at <= arrives_at.max(now));
        let is_for_the_next = !matches!(task.kind, TaskKind::MidStayClean) && is_due_before;
        if is_for_the_next
            && is_meant(&task)
            && rank(pressing) > rank(task.priority)
            && let Some(decided) = task.change_priority(pressing, PriorityChangeReason::ArrivalChanged, &by, now)?
        {
            uow.save(decided);
        }
    }
    Ok(())
}

/// They will not come.
pub async fn call_off(uow: &mut UnitOfWork, absence: &NoShowV1) -> Result<(), HousekeepingError> {
    let known = stays::lock(uow, &absence.reservation_id).await?;
    if known.put_back.undoes_end(absence.occurred_at) {
        return Ok(());
    }
    stays::call_off(uow, &absence.reservation_id, &absence.property_id, absence.occurred_at, None);
    arrivals::call_off(uow, &absence.reservation_id, absence.occurred_at, None);
    uow.touch_board(&absence.property_id);
    Ok(())
}

/// The booking is off, or a part of it: work that nobody has begun for it is called off with it. Whoever cancels a whole booking names its
/// items as well, so it is a part only where another item of it is known.
pub async fn cancel(uow: &mut UnitOfWork, told: &CancelledV1) -> Result<(), HousekeepingError> {
    let (reservation, at) = (&told.reservation_id, told.cancelled_at);
    let known = stays::lock(uow, reservation).await?;
    if known.put_back.undoes_end(at) {
        return Ok(());
    }
    let still_off = known.items_off(&told.items_cancelled, at);
    let Some(items) = still_off else { return Ok(()) };
    let (rooms, work) = open_work_of(uow, reservation).await?;
    let named = (!items.is_empty()).then_some(items);
    let is_left = |item: &str| !item.is_empty() && !told.items_cancelled.iter().any(|one| one == item);
    let goes_on =
        known.live_items().any(is_left) || work.iter().filter_map(|task| task.item_id.as_deref()).any(is_left);
    let part = named.clone().filter(|_| goes_on);
    arrivals::call_off(uow, reservation, at, part.clone());
    stays::call_off(uow, reservation, &told.property_id, at, named);
    uow.touch_board(&told.property_id);
    // The room of a guest who has been there and left is dirty, whatever is told of their booking.
    let waits = |task: &Task| {
        matches!(task.state, TaskState::Pending | TaskState::Assigned { .. }) && !is_turnover_of(task, reservation)
    };
    for task in work.into_iter().filter(waits) {
        let meant = match (&part, &task.item_id) {
            (None, _) => true,
            (Some(items), Some(item)) => items.contains(item),
            (Some(_), None) => false,
        };
        if meant {
            let here = |room: &&Room| room.property_id == task.property_id && room.room_id == task.room_id;
            let room = rooms.iter().find(here).cloned();
            assignment::call_off(uow, task, room, "the booking was cancelled".to_owned())?;
        }
    }
    Ok(())
}

/// What is open for a reservation, and its rooms, locked, in whichever house.
async fn open_work_of(
    uow: &mut UnitOfWork,
    reservation: &ReservationId,
) -> Result<(Vec<Room>, Vec<Task>), HousekeepingError> {
    let mut places = tasks::rooms_of_stay(uow, reservation).await?;
    let (mut locked, mut work) = (Vec::new(), Vec::new());
    while let Some((property, _)) = places.first().cloned() {
        let (here, elsewhere): (Vec<_>, Vec<_>) = places.into_iter().partition(|(place, _)| *place == property);
        places = elsewhere;
        let rooms: Vec<RoomId> = here.into_iter().map(|(_, room)| room).collect();
        let (here, open) = tasks::lock_open_in(uow, &property, &rooms).await?;
        locked.extend(here);
        work.extend(open.into_iter().filter(|task| task.reservation_id.as_ref() == Some(reservation)));
    }
    Ok((locked, work))
}

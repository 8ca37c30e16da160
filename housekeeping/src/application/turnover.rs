//! A guest leaves: earlier work on the room is void, the room is dirty, and a turnover is due.

use std::collections::HashMap;

use contracts::housekeeping::{PriorityChangeReason, RoomStatusCause, TaskKind, TaskPriority, TaskSource};
use contracts::ids::{EventId, PropertyId, ReservationId, RoomId, TaskId};
use contracts::reservation::{CheckedOutV1, EarlyCheckoutV1, StayRoom};
use contracts::time::Timestamp;
use platform::UnitOfWork;

use super::discrepancies;
use super::profiles::Profile;
use crate::HousekeepingError;
use crate::domain::eta::priority_for;
use crate::domain::room::{Flip, Room};
use crate::domain::task::{Task, TaskOrder, TaskState, bumped, rank};
use crate::infrastructure::{departures, occupancy, stays};

/// A departure as both kinds of event tell it.
struct Leaving<'a> {
    /// They went to another room and not home: the booking goes on, and its own turnover is still to come.
    moved: bool,
    property: &'a PropertyId,
    reservation: &'a ReservationId,
    rooms: Vec<StayRoom>,
    at: Timestamp,
    early: bool,
    event: &'a EventId,
}

/// The guest checked out.
pub async fn open_turnovers(
    uow: &mut UnitOfWork,
    profile: &Profile,
    departure: &CheckedOutV1,
    event: &EventId,
) -> Result<Vec<TaskId>, HousekeepingError> {
    if departure.rooms.is_empty() {
        let (property, reservation) = (&departure.property_id, &departure.reservation_id);
        let told = (departure.checked_out_at, event);
        return leave_where_seen(uow, profile, property, reservation, told, departure.early_checkout).await;
    }
    let leaving = Leaving {
        moved: false,
        property: &departure.property_id,
        reservation: &departure.reservation_id,
        rooms: departure.rooms.clone(),
        at: departure.checked_out_at,
        early: departure.early_checkout,
        event,
    };
    turn_over(uow, profile, leaving).await
}

/// The guest leaves before the time. The event names no rooms: those the guest was seen in are meant, also where that is told later.
pub async fn open_early_turnovers(
    uow: &mut UnitOfWork,
    profile: &Profile,
    departure: &EarlyCheckoutV1,
    event: &EventId,
) -> Result<Vec<TaskId>, HousekeepingError> {
    let (property, reservation) = (&departure.property_id, &departure.reservation_id);
    leave_where_seen(uow, profile, property, reservation, (departure.occurred_at, event), true).await
}

/// The guest leaves, and it is not said from where: a departure that names no rooms must not leave them occupied for ever.
async fn leave_where_seen(
    uow: &mut UnitOfWork,
    profile: &Profile,
    property: &PropertyId,
    reservation: &ReservationId,
    (at, event): (Timestamp, &EventId),
    early: bool,
) -> Result<Vec<TaskId>, HousekeepingError> {
    let known = stays::lock(uow, reservation).await?;
    if known.put_back.undoes_departure(at) {
        return Ok(Vec::new());
    }
    stays::leave_early(uow, reservation, property, at, event);
    // Not those that they moved out of, nor those that they were not in after all.
    let here = known.rooms.iter().filter(|room| room.property_id == *property && room.moved_to.is_none());
    let here = here.filter(|room| room.was_theirs(known.put_back.undone_at));
    let rooms = here.map(stays::RoomOfStay::as_told).collect();
    turn_over(uow, profile, Leaving { moved: false, property, reservation, rooms, at, early, event }).await
}

/// They are gone from these rooms before the time.
pub(super) async fn leave_early(
    uow: &mut UnitOfWork,
    profile: &Profile,
    property: &PropertyId,
    reservation: &ReservationId,
    rooms: Vec<StayRoom>,
    (at, event): (Timestamp, &EventId),
) -> Result<Vec<TaskId>, HousekeepingError> {
    turn_over(uow, profile, Leaving { moved: false, property, reservation, rooms, at, early: true, event }).await
}

/// The guest moved out of rooms, and stays in the house.
pub(super) async fn turn_over_moved(
    uow: &mut UnitOfWork,
    profile: &Profile,
    property: &PropertyId,
    reservation: &ReservationId,
    rooms: Vec<StayRoom>,
    event: &EventId,
) -> Result<(), HousekeepingError> {
    let mut room_ids: Vec<RoomId> = rooms.iter().map(|room| room.room_id.clone()).collect();
    room_ids.sort();
    room_ids.dedup();
    if room_ids.is_empty() {
        return Ok(());
    }
    let leaving = Leaving { moved: true, property, reservation, rooms, at: uow.now(), early: false, event };
    let found = departures::lock(uow, property, reservation, &room_ids).await?;
    let mut open_tasks = found.open_tasks;
    for room in found.rooms {
        let (here, elsewhere) = open_tasks.into_iter().partition(|task| task.room_id == room.room_id);
        open_tasks = elsewhere;
        settle_open_work(uow, &leaving, here, false)?;
        if is_there(&room, &found.gone) {
            open_turnover(uow, profile, &leaving, room, &found.expected)?;
        }
    }
    Ok(())
}

/// The guest came back and left again, which was heard in the wrong order: what was cleaned in between is not clean.
pub(super) fn turn_over_once_more(
    uow: &mut UnitOfWork,
    profile: &Profile,
    reservation: &ReservationId,
    stay: StayRoom,
    (room, expected): (Room, &HashMap<RoomId, Timestamp>),
    event: &EventId,
) -> Result<TaskId, HousekeepingError> {
    let property = room.property_id.clone();
    let (rooms, at) = (vec![stay], uow.now());
    let leaving = Leaving { moved: false, property: &property, reservation, rooms, at, early: false, event };
    open_turnover(uow, profile, &leaving, room, expected)
}

async fn turn_over(
    uow: &mut UnitOfWork,
    profile: &Profile,
    leaving: Leaving<'_>,
) -> Result<Vec<TaskId>, HousekeepingError> {
    let mut room_ids: Vec<RoomId> = leaving.rooms.iter().map(|room| room.room_id.clone()).collect();
    room_ids.sort();
    room_ids.dedup();
    if room_ids.is_empty() {
        return Ok(Vec::new());
    }
    let found = departures::lock(uow, leaving.property, leaving.reservation, &room_ids).await?;
    if found.put_back.undoes_departure(leaving.at) {
        return Ok(Vec::new());
    }
    occupancy::depart(uow, leaving.property, leaving.reservation, &leaving.rooms, leaving.at);
    discrepancies::settle(uow, found.differences, |_| false)?;
    let mut opened = Vec::new();
    let mut open_tasks = found.open_tasks;
    for room in found.rooms {
        let (here, elsewhere) = open_tasks.into_iter().partition(|task| task.room_id == room.room_id);
        open_tasks = elsewhere;
        let done_before = found.turned_over.contains(&room.room_id);
        settle_open_work(uow, &leaving, here, done_before)?;
        if !done_before && is_there(&room, &found.gone) {
            opened.push(open_turnover(uow, profile, &leaving, room, &found.expected)?);
        }
    }
    if opened.is_empty() {
        // Nobody is told anything, and yet the guest is gone.
        uow.touch_board(leaving.property);
    }
    Ok(opened)
}

/// Whether a room exists. One that exists no more is left as it is: whoever brings it back finds it dirty.
fn is_there(room: &Room, gone: &[RoomId]) -> bool {
    let is_there = !gone.contains(&room.room_id);
    if !is_there {
        tracing::info!(room = %room.room_id, "a guest left a room that exists no more; there is nothing to turn over");
    }
    is_there
}

/// One departure, one turnover: this departure's own task stays, and is hastened when the guest leaves early. Older work is
/// void, also a turnover that somebody opened by hand for the same stay, except what somebody is in the middle of. When the departure was told before, its older work was settled then: what
/// else is open came later and is none of its business.
fn settle_open_work(
    uow: &mut UnitOfWork,
    leaving: &Leaving<'_>,
    tasks: Vec<Task>,
    told_before: bool,
) -> Result<(), HousekeepingError> {
    let (now, actor) = (uow.now(), uow.context().actor.clone());
    for task in tasks {
        let own = !leaving.moved && is_turnover_of(&task, leaving.reservation);
        if told_before && !own {
            continue;
        }
        let hastened = if own && leaving.early && task.priority != TaskPriority::Urgent {
            Some((TaskPriority::High, PriorityChangeReason::EarlyCheckout))
        } else if !own && matches!(task.state, TaskState::InProgress { .. }) {
            Some((bumped(task.priority), PriorityChangeReason::ReservationCheckedOut))
        } else {
            None
        };
        if let Some((priority, reason)) = hastened {
            if let Some(decided) = task.change_priority(priority, reason, &actor, now)? {
                uow.save(decided);
            }
        } else if !own {
            uow.save(task.cancel("superseded by a departure".to_owned(), &actor, now)?);
        }
    }
    Ok(())
}

/// Whether a task is the turnover of a reservation's departure, and not one that somebody opened by hand.
pub(super) fn is_turnover_of(task: &Task, reservation: &ReservationId) -> bool {
    task.kind == TaskKind::Turnover
        && task.source == TaskSource::Event
        && task.reservation_id.as_ref() == Some(reservation)
}

fn open_turnover(
    uow: &mut UnitOfWork,
    profile: &Profile,
    leaving: &Leaving<'_>,
    room: Room,
    expected: &HashMap<RoomId, Timestamp>,
) -> Result<TaskId, HousekeepingError> {
    let (now, actor) = (uow.now(), uow.context().actor.clone());
    let pressing = priority_for(expected.get(&room.room_id).copied(), now, &profile.settings.timezone);
    let early = leaving.early && rank(pressing) < rank(TaskPriority::High);
    let item = leaving.rooms.iter().find(|stay| stay.room_id == room.room_id);
    let order = TaskOrder {
        property_id: leaving.property.clone(),
        room_id: room.room_id.clone(),
        reservation_id: (!leaving.moved).then(|| leaving.reservation.clone()),
        item_id: item.map(|stay| stay.item_id.clone()).filter(|id| !id.is_empty()),
        kind: TaskKind::Turnover,
        priority: if early { TaskPriority::High } else { pressing },
        scheduled_for: None,
        checklist: profile.checklist(TaskKind::Turnover)?.reference(),
        estimated_minutes: profile.settings.minutes_for(TaskKind::Turnover),
        locale_hint: profile.settings.locale.clone(),
        source: TaskSource::Event,
        source_event_id: Some(leaving.event.clone()),
        retry_of: None,
        note: leaving.moved.then(|| "the guest moved to another room".to_owned()),
    };
    let task = uow.save(Task::open(uow.next_id(), order, now));
    let cause = if leaving.moved { RoomStatusCause::RoomMoved } else { RoomStatusCause::ReservationCheckedOut };
    let flip = Flip { cause, task: Some(&task.id), by: &actor, now };
    if let Some(dirty) = room.mark_dirty(&flip) {
        uow.save(dirty);
    }
    Ok(task.id)
}

//! A person put a reservation back where it was: the guest stays after all, is not in after all, or comes after all.
//!
//! What was told of the reservation before that is over with, also where it is heard only afterwards. What was told since stands.

use contracts::housekeeping::{RoomStatus, RoomStatusCause, TaskKind};
use contracts::ids::{EventId, PropertyId, ReservationId, RoomId, TaskId};
use contracts::reservation::{ModifiedV1, StateOverride, StayRoom};
use contracts::time::Timestamp;
use platform::{Refusal, UnitOfWork};

use super::assignment::call_off;
use super::moves::Ledger;
use super::profiles::Profile;
use super::stays::open_cleans;
use super::{arrivals, turnover};
use crate::HousekeepingError;
use crate::domain::room::{Flip, Room};
use crate::domain::task::{Task, TaskState};
use crate::infrastructure::put_back::{self, PutBack};
use crate::infrastructure::stays::{self, ExpectedIn, RoomOfStay, Stay};
use crate::infrastructure::{arrivals as expected, departures, rooms, tasks};

/// Whose reservation was put back, where and when.
struct Word<'a> {
    property: PropertyId,
    reservation: &'a ReservationId,
    rooms: Vec<StayRoom>,
    at: Timestamp,
    event: &'a EventId,
}

/// Takes back what the reservation's last step did here. Steps that have done nothing here are none of our business.
pub async fn take_back(
    uow: &mut UnitOfWork,
    profile: &Profile,
    told: &ModifiedV1,
    said: StateOverride,
    event: &EventId,
) -> Result<(), HousekeepingError> {
    let known = stays::lock(uow, &told.reservation_id).await?;
    let property = match (told.property_id.clone().or_else(|| known.house()), said.rooms.first()) {
        (Some(property), _) => property,
        (None, Some(room)) => rooms::house_of(uow, &room.room_id).await?.ok_or(Refusal::NotFound("room"))?,
        // Nothing was heard of it, and nothing is said of where.
        (None, None) => return Ok(()),
    };
    let word = Word { property, reservation: &told.reservation_id, rooms: said.rooms, at: told.occurred_at, event };
    uow.touch_board(&word.property);
    match (said.from.as_str(), said.to.as_str()) {
        ("checked_out" | "checkout_started", "checked_in") => stay_on(uow, profile, word, known).await,
        ("checked_in" | "check_in_started", "confirmed") => be_not_in(uow, profile, word, known).await,
        ("cancelled" | "no_show" | "expired", "confirmed") => come_after_all(uow, profile, word, known).await,
        _ => Ok(()),
    }
}

/// They had left, and stay: the room is occupied again, and the turnover that nobody has begun is off.
async fn stay_on(
    uow: &mut UnitOfWork,
    profile: &Profile,
    mut word: Word<'_>,
    known: Stay,
) -> Result<(), HousekeepingError> {
    let put = PutBack { came_back_at: Some(word.at), ..PutBack::default() };
    if known.put_back.came_back_at >= Some(word.at) || known.put_back.undoes_arrival(word.at) {
        put_back::remember(uow, &word.property, word.reservation, put, None);
        return Ok(());
    }
    let mut ledger = Ledger::new(word.property.clone(), known.rooms, &known.put_back);
    if word.rooms.is_empty() {
        word.rooms = ledger.left_for_home().map(|(room, _)| room.as_told()).collect();
    }
    let mut back: Vec<RoomId> = Vec::new();
    for room in &word.rooms {
        if ledger.stay_on(room, word.at) {
            back.push(room.room_id.clone());
        }
    }
    let again: Vec<(StayRoom, Timestamp)> =
        ledger.left_for_home().filter(|(_, left)| *left > word.at).map(|(room, left)| (room.as_told(), left)).collect();
    let present = ledger.present();
    ledger.close(uow, profile, word.reservation, word.event).await?;
    let (called_off, opened) = settle_turnovers(uow, profile, &word, &back, &again).await?;
    let since = (!back.is_empty() || opened).then(|| uow.now());
    put_back::remember(uow, &word.property, word.reservation, put, since);
    // A clean that their departure had called off is theirs again.
    let wished = put_back::called_off_with(uow, word.reservation, &called_off).await?;
    let cleans: Vec<RoomOfStay> = present.into_iter().filter(|room| wished.contains(&room.room_id)).collect();
    open_cleans(uow, profile, word.reservation, cleans, word.event).await
}

/// In rooms that they are in again the departure's turnover is called off; what they left again since is turned over. Gives what was
/// called off, and whether anything was opened.
async fn settle_turnovers(
    uow: &mut UnitOfWork,
    profile: &Profile,
    word: &Word<'_>,
    back: &[RoomId],
    again: &[(StayRoom, Timestamp)],
) -> Result<(Vec<TaskId>, bool), HousekeepingError> {
    let mut ids: Vec<RoomId> = back.iter().chain(again.iter().map(|(room, _)| &room.room_id)).cloned().collect();
    ids.sort();
    ids.dedup();
    let (mut called_off, mut opened) = (Vec::new(), false);
    if ids.is_empty() {
        return Ok((called_off, opened));
    }
    let found = departures::lock(uow, &word.property, word.reservation, &ids).await?;
    let (now, by) = (uow.now(), uow.context().actor.clone());
    for room in found.rooms {
        let here = found.open_tasks.iter().filter(|task| task.room_id == room.room_id);
        let own: Vec<&Task> = here.filter(|task| turnover::is_turnover_of(task, word.reservation)).collect();
        if back.contains(&room.room_id) {
            let mut flipped_by = None;
            // What was begun and given to somebody else is begun.
            let begun = |task: &Task| !waits(task) || room.is_being_cleaned_for(Some(&task.id));
            for task in own.into_iter().filter(|task| !begun(task)) {
                uow.save(task.clone().cancel("the guest stays after all".to_owned(), &by, now)?);
                // What was tried in vain, since they were still there, is the departure's own turnover all the same.
                let ids: Vec<TaskId> = std::iter::once(task.id.clone()).chain(task.retry_of.clone()).collect();
                let made_it_dirty = ids.iter().find(|id| room.last_task_id.as_ref() == Some(*id));
                flipped_by = made_it_dirty.cloned().or(flipped_by);
                called_off.extend(ids);
            }
            if let Some(turnover) = flipped_by
                && let Some(was) = put_back::before_departure(uow, &room, &turnover).await?
            {
                let flip = Flip { cause: RoomStatusCause::ManualOverride, task: None, by: &by, now };
                room.take_departure_back(&turnover, was, &flip).map(|decided| uow.save(decided));
            }
        } else if let Some((stay, _)) = again.iter().find(|(stay, left)| was_cleaned_before(&room, stay, *left))
            && own.is_empty()
        {
            let room = (room, &found.expected);
            turnover::turn_over_once_more(uow, profile, word.reservation, stay.clone(), room, word.event)?;
            opened = true;
        }
    }
    Ok((called_off, opened))
}

/// Whether a room looks fit for the next guest because it was cleaned before the last one had left for good.
fn was_cleaned_before(room: &Room, stay: &StayRoom, left: Timestamp) -> bool {
    let looks_fit = !matches!(room.status, RoomStatus::Dirty | RoomStatus::OutOfOrder | RoomStatus::OutOfService);
    stay.room_id == room.room_id && looks_fit && room.last_flipped_at < left
}

fn waits(task: &Task) -> bool {
    matches!(task.state, TaskState::Pending | TaskState::Assigned { .. })
}

/// They had come, and are not in: the room is vacant and as clean as it was, because nobody slept in it, and they are expected again.
async fn be_not_in(
    uow: &mut UnitOfWork,
    profile: &Profile,
    word: Word<'_>,
    mut known: Stay,
) -> Result<(), HousekeepingError> {
    let put = PutBack { undone_at: Some(word.at), ..PutBack::default() };
    put_back::remember(uow, &word.property, word.reservation, put, None);
    if known.put_back.undone_at >= Some(word.at) {
        return Ok(());
    }
    let rooms = std::mem::take(&mut known.rooms);
    let mut ledger = Ledger::new(word.property.clone(), rooms, &known.put_back);
    let mut vacant = ledger.undo_arrivals(word.at);
    known.rooms = ledger.present();
    ledger.close(uow, profile, word.reservation, word.event).await?;
    vacant.sort();
    let (locked, open) = tasks::lock_open_in(uow, &word.property, &vacant).await?;
    let theirs = |task: &Task| {
        task.kind == TaskKind::MidStayClean && task.reservation_id.as_ref() == Some(word.reservation) && waits(task)
    };
    for task in open.into_iter().filter(theirs) {
        let room = locked.iter().find(|room| room.room_id == task.room_id).cloned();
        call_off(uow, task, room, "the guest is not in after all".to_owned())?;
    }
    // Nobody stands at the desk any more, and the rooms that are theirs are said anew.
    for one in known.expected.iter().filter(|one| one.over_at.is_none() && !is_at_desk_since(one, word.at)) {
        expected::leave_out(uow, word.reservation, &one.room_id, word.at);
    }
    expect_again(uow, profile, &word, &known, word.rooms.clone()).await
}

/// They were not to come, and come after all.
async fn come_after_all(
    uow: &mut UnitOfWork,
    profile: &Profile,
    word: Word<'_>,
    known: Stay,
) -> Result<(), HousekeepingError> {
    let put = PutBack { brought_back_at: Some(word.at), ..PutBack::default() };
    put_back::remember(uow, &word.property, word.reservation, put, None);
    let off_again = known.over_at.is_some_and(|over| over > word.at);
    if known.put_back.brought_back_at >= Some(word.at) || off_again {
        return Ok(());
    }
    let mut rooms = word.rooms.clone();
    if rooms.is_empty() {
        let off = known.expected.iter().filter(|one| one.over_at.is_some() && one.over_at == known.over_at);
        let told = |one: &ExpectedIn| StayRoom {
            item_id: one.item_id.clone().unwrap_or_default(),
            room_id: one.room_id.clone(),
        };
        rooms = off.map(told).collect();
    }
    expect_again(uow, profile, &word, &known, rooms).await
}

/// These rooms are meant for them again, unless they are in since, or stand at the desk since.
async fn expect_again(
    uow: &mut UnitOfWork,
    profile: &Profile,
    word: &Word<'_>,
    known: &Stay,
    mut meant: Vec<StayRoom>,
) -> Result<(), HousekeepingError> {
    let is_in = |room: &StayRoom| known.rooms.iter().any(|one| one.is_present() && one.room_id == room.room_id);
    let is_here = |room: &StayRoom| {
        let at_desk = known.expected.iter().any(|one| one.room_id == room.room_id && is_at_desk_since(one, word.at));
        at_desk || is_in(room)
    };
    meant.retain(|room| !is_here(room));
    let ids: Vec<RoomId> = meant.iter().map(|room| room.room_id.clone()).collect();
    let at = known.arrives_at.unwrap_or(word.at);
    for StayRoom { item_id, room_id } in meant {
        let room = ExpectedIn {
            property_id: word.property.clone(),
            room_id,
            item_id: Some(item_id).filter(|item| !item.is_empty()),
            expected_at: Some(at),
            over_at: None,
            at_desk: false,
        };
        expected::plan(uow, word.reservation, &room);
    }
    rooms::open(uow, &word.property, &ids).await?;
    arrivals::hasten(uow, profile, &word.property, ids, at).await
}

/// Whether they came to the desk after a moment, and stand there.
fn is_at_desk_since(one: &ExpectedIn, at: Timestamp) -> bool {
    one.over_at.is_none() && one.at_desk && one.expected_at.is_some_and(|since| since > at)
}

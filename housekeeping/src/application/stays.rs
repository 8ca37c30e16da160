//! A guest who stays wishes for a clean.

use contracts::housekeeping::{TaskKind, TaskPriority, TaskSource};
use contracts::ids::{EventId, ReservationId, RoomId};
use contracts::time::Timestamp;
use platform::UnitOfWork;

use super::profiles::Profile;
use crate::HousekeepingError;
use crate::domain::task::{Task, TaskOrder};
use crate::infrastructure::stays::{self, RoomOfStay};
use crate::infrastructure::{rooms, tasks};

/// The word for it, wherever it is asked for.
const MID_STAY_CLEAN: &str = "mid_stay_clean";

/// Whether a clean is among the wishes.
pub fn is_wished(words: &[String]) -> bool {
    words.iter().any(|word| word == MID_STAY_CLEAN)
}

/// A clean of the rooms that the guest is in. A wish that is heard before the guest is known to be in is remembered until then.
pub async fn clean_for_guest(
    uow: &mut UnitOfWork,
    profile: &Profile,
    reservation: &ReservationId,
    asked_at: Timestamp,
    event: &EventId,
) -> Result<(), HousekeepingError> {
    let known = stays::lock(uow, reservation).await?;
    let present: Vec<RoomOfStay> = known.rooms.iter().filter(|room| room.is_present()).cloned().collect();
    if !present.is_empty() {
        return open_cleans(uow, profile, reservation, present, event).await;
    }
    let mut theirs = known.rooms.iter().filter(|room| room.was_theirs(known.put_back.undone_at));
    let gone_home = theirs.any(|room| room.departed_at.is_some() && room.moved_to.is_none());
    if !gone_home {
        stays::remember_wish(uow, reservation, Some((asked_at, event.clone())));
    }
    Ok(())
}

/// One open clean for a room and a reservation. In a room that exists no more nobody would see it.
pub(super) async fn open_cleans(
    uow: &mut UnitOfWork,
    profile: &Profile,
    reservation: &ReservationId,
    present: Vec<RoomOfStay>,
    event: &EventId,
) -> Result<(), HousekeepingError> {
    let Some(property) = present.first().map(|room| room.property_id.clone()) else { return Ok(()) };
    let mut room_ids: Vec<RoomId> = present.iter().map(|room| room.room_id.clone()).collect();
    room_ids.sort();
    let (_, open) = tasks::lock_open_in(uow, &property, &room_ids).await?;
    let gone = rooms::gone(uow, &property, &room_ids).await?;
    for room in present.into_iter().filter(|room| !gone.contains(&room.room_id)) {
        let is_due = open.iter().any(|task| {
            task.kind == TaskKind::MidStayClean
                && task.room_id == room.room_id
                && task.reservation_id.as_ref() == Some(reservation)
        });
        if is_due {
            continue;
        }
        let order = TaskOrder {
            property_id: property.clone(),
            room_id: room.room_id,
            reservation_id: Some(reservation.clone()),
            item_id: room.item_id,
            kind: TaskKind::MidStayClean,
            priority: TaskPriority::Normal,
            scheduled_for: None,
            checklist: profile.checklist(TaskKind::MidStayClean)?.reference(),
            estimated_minutes: profile.settings.minutes_for(TaskKind::MidStayClean),
            locale_hint: profile.settings.locale.clone(),
            source: TaskSource::Event,
            source_event_id: Some(event.clone()),
            retry_of: None,
            note: None,
        };
        uow.save(Task::open(uow.next_id(), order, uow.now()));
    }
    Ok(())
}

//! A booking that stands has no room: more was sold than there is, and somebody in the house has to find one.

use contracts::reservation::AlertKind;
use platform::UnitOfWork;

use super::alerts;
use crate::ReservationError;
use crate::domain::alerts::Matter;
use crate::domain::reservation::{Item, Reservation, ReservationStatus};

/// Raises the alert where a decision leaves a confirmed booking with more items without room than before. A hold may still go by
/// itself, and who loses a room to a block has an alert about that room.
pub(super) async fn notice(
    uow: &mut UnitOfWork,
    before: Option<&Reservation>,
    after: &Reservation,
) -> Result<(), ReservationError> {
    let stood = before.filter(|one| one.status == ReservationStatus::Confirmed).map_or(0, roomless);
    if after.status != ReservationStatus::Confirmed || roomless(after) <= stood {
        return Ok(());
    }
    let matter = Matter {
        property_id: after.property_id.clone(),
        kind: AlertKind::Overbooked,
        reservation_id: Some(after.id.clone()),
        room_id: None,
        suggested_room_id: None,
    };
    alerts::raise(uow, matter).await?;
    Ok(())
}

/// Items whose nights are set aside in no room. Where another service keeps the count nothing is set aside before the guest is here.
fn roomless(reservation: &Reservation) -> usize {
    let has_none = |item: &&Item| item.place.as_ref().is_some_and(|place| place.room.is_none());
    reservation.active_items().filter(has_none).count()
}

//! Guests come: who is in which room is an axis of its own beside how clean the room is.

use contracts::ids::EventId;
use contracts::reservation::CheckedInV1;
use platform::UnitOfWork;

use super::moves::Ledger;
use super::profiles::Profile;
use super::stays::open_cleans;
use super::turnover;
use crate::HousekeepingError;
use crate::infrastructure::{arrivals, stays};

/// A guest checked in. A check-in that arrives after its check-out changes nothing; one that arrives after a move leads to where
/// the guest is now; one that arrives after an early departure, which names no rooms, says which rooms were left.
pub async fn welcome_guests(
    uow: &mut UnitOfWork,
    profile: &Profile,
    arrival: &CheckedInV1,
    event: &EventId,
) -> Result<(), HousekeepingError> {
    if arrival.assigned_rooms.is_empty() {
        return Ok(());
    }
    let (reservation, at) = (&arrival.reservation_id, arrival.checked_in_at);
    let known = stays::lock(uow, reservation).await?;
    if known.put_back.undoes_arrival(at) {
        return Ok(());
    }
    let mut ledger = Ledger::new(arrival.property_id.clone(), known.rooms, &known.put_back);
    ledger.arrive(arrival.assigned_rooms.iter().map(|room| (&room.room_id, Some(room.item_id.as_str()))), at);
    let left = known.left_early.filter(|(left_at, _)| *left_at >= at);
    let left = left.map(|(left_at, told_by)| (ledger.stayed_in(left_at), left_at, told_by));
    let present = ledger.present();
    ledger.close(uow, profile, reservation, event).await?;
    arrivals::come(uow, &arrival.property_id, reservation, &arrival.assigned_rooms, at);
    if let Some((rooms, left_at, told_by)) = left {
        let property = &arrival.property_id;
        turnover::leave_early(uow, profile, property, reservation, rooms, (left_at, &told_by)).await?;
        return Ok(());
    }
    // A clean that was asked for during the stay, and heard of before it.
    if let Some((asked_at, asked_by)) = known.clean_asked.filter(|(asked_at, _)| *asked_at >= at)
        && !present.is_empty()
    {
        open_cleans(uow, profile, reservation, present, &asked_by).await?;
        stays::remember_wish(uow, reservation, None);
        tracing::debug!(reservation = reservation.as_str(), %asked_at, "a clean that was asked for early is due");
    }
    Ok(())
}

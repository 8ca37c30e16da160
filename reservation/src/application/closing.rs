//! A day is closed: what is due happens first, then its figures are counted and stand.

use contracts::actor::Actor;
use contracts::ids::PropertyId;
use jiff::civil::Date;
use platform::UnitOfWork;

use super::booking::House;
use crate::ReservationError;
use crate::domain::closing::{DayClose, Figures, figures};
use crate::infrastructure::{closing, rooms};

/// The figures of a day as it was closed, or as they stand now.
pub async fn look_at(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    day: Date,
) -> Result<(Figures, Option<DayClose>), ReservationError> {
    if let Some(closed) = closing::find(uow, property, day).await? {
        return Ok((closed.figures.clone(), Some(closed)));
    }
    let house = House::of(uow, property).await?;
    Ok((count(uow, property, day, &house).await?, None))
}

/// Closes a day that has begun.
pub async fn close(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    day: Date,
    closed_by: Actor,
) -> Result<DayClose, ReservationError> {
    if closing::lock(uow, property, day).await?.is_some() {
        return Err(ReservationError::DayClosed(day));
    }
    let house = House::of(uow, property).await?;
    let closed_at = uow.now();
    if day > house.time.hotel_date(closed_at) {
        return Err(ReservationError::DayAhead(day));
    }
    let figures = count(uow, property, day, &house).await?;
    let close = DayClose { property_id: property.clone(), day, figures, closed_at, closed_by, version: 0 };
    Ok(uow.save(close.close()))
}

async fn count(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    day: Date,
    house: &House,
) -> Result<Figures, ReservationError> {
    let next = day.tomorrow().unwrap_or(day);
    let bounds = (house.time.day_begins(day), house.time.day_begins(next));
    let stays = closing::stays(uow, property, day, bounds).await?;
    let doors = rooms::list(uow, property, None, i64::from(u16::MAX)).await?;
    let sold = doors.iter().filter(|door| !door.archived && door.room_type_id.is_some()).count();
    let sold = u32::try_from(sold).unwrap_or(u32::MAX);
    Ok(figures(&stays, day, sold, &house.time, house.settings.currency)?)
}

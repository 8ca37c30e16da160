//! What there is to sell, night by night, counted by the database.

use contracts::ids::{PropertyId, RoomTypeId};
use jiff::civil::Date;
use platform::database::Columns;
use platform::{UnitOfWork, columns, statements};

use super::read_money;
use crate::ReservationError;
use crate::domain::money::Money;
use crate::domain::placing::Night;

statements! {
    AVAILABILITY = "sql/availability.sql" (text, date, date, text, int4)
        -> columns![id: text, name: text, max_occupancy: int4, rooms: int4, taken: _int4, out_of_order: _int4,
            overbooking: _int4, rate: _text];
}

/// What there is of a type.
#[derive(Clone, Debug)]
pub struct Counted {
    pub room_type: RoomTypeId,
    pub name: String,
    pub max_occupancy: i32,
    pub rooms: i32,
    pub nights: Vec<Night>,
    /// `None`: a night without a price.
    pub rates: Vec<Option<Money>>,
}

/// The nights in `[from, to)` of every type of a house, or of one, or of those that take so many guests.
pub async fn count(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    (from, to): (Date, Date),
    only: Option<&RoomTypeId>,
    guests: Option<i32>,
) -> Result<Vec<Counted>, ReservationError> {
    let rows = uow.read(&AVAILABILITY, &[property, &from, &to, &only, &guests]).await?;
    let mut counted = Vec::with_capacity(rows.len());
    for row in &rows {
        let rooms = row.read("rooms")?;
        let (taken, out_of_order): (Vec<i32>, Vec<i32>) = (row.read("taken")?, row.read("out_of_order")?);
        let overbooking: Vec<i32> = row.read("overbooking")?;
        let rates: Vec<Option<String>> = row.read("rate")?;
        let nights = taken.into_iter().zip(out_of_order).zip(overbooking);
        counted.push(Counted {
            room_type: row.read("id")?,
            name: row.read("name")?,
            max_occupancy: row.read("max_occupancy")?,
            rooms,
            nights: nights
                .map(|((taken, out_of_order), overbooking)| Night { rooms, taken, out_of_order, overbooking })
                .collect(),
            rates: rates
                .into_iter()
                .map(|rate| rate.map(|text| read_money(row, &text)).transpose())
                .collect::<Result<_, _>>()?,
        });
    }
    Ok(counted)
}

//! A day is closed: its figures stand, whatever is changed afterwards. Nothing is blocked by it.

use contracts::actor::Actor;
use contracts::ids::PropertyId;
use contracts::time::Timestamp;
use contracts::values::Currency;
use jiff::civil::Date;
use platform::Decided;
use platform::decided::Aggregate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::money::{Money, TooMuch};
use super::reservation::{Reservation, ReservationStatus, exchanged};
use super::stay::{HouseTime, dates};

/// What a day came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DayFigures")]
pub struct Figures {
    /// Bookings whose guests came.
    pub arrivals: u32,
    /// Bookings whose guests left.
    pub departures: u32,
    /// Bookings whose guests slept here.
    pub in_house: u32,
    pub no_shows: u32,
    /// Of those in the house, who should have left.
    pub overstays: u32,
    /// Rooms that somebody slept in.
    pub room_nights: u32,
    /// Of the rooms that there are, in millionths.
    pub occupancy_ppm: u32,
    pub room_revenue_micro: Money,
    pub currency: Currency,
}

/// A day of a house as it was closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayClose {
    pub property_id: PropertyId,
    pub day: Date,
    pub figures: Figures,
    pub closed_at: Timestamp,
    pub closed_by: Actor,
    pub version: i32,
}

/// Nobody else is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayClosed;

impl Aggregate for DayClose {
    type Event = DayClosed;
    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl DayClose {
    pub fn close(self) -> Decided<Self> {
        Decided::opened(self, DayClosed)
    }
}

/// The figures of a day, from everybody who had to do with it.
pub fn figures(
    stays: &[Reservation],
    day: Date,
    rooms: u32,
    house: &HouseTime,
    currency: Currency,
) -> Result<Figures, TooMuch> {
    let mut sum = Figures {
        arrivals: 0,
        departures: 0,
        in_house: 0,
        no_shows: 0,
        overstays: 0,
        room_nights: 0,
        occupancy_ppm: 0,
        room_revenue_micro: Money::ZERO,
        currency,
    };
    let on = |at: Option<Timestamp>| at.map(|at| house.hotel_date(at));
    for stay in stays {
        if stay.status == ReservationStatus::NoShow {
            sum.no_shows += u32::from(on(stay.cancellation.as_ref().map(|end| end.at)) == Some(day));
            continue;
        }
        let (came, left) = (on(stay.checked_in_at), on(stay.checked_out_at));
        sum.arrivals += u32::from(came == Some(day));
        sum.departures += u32::from(left == Some(day));
        let is_here = came.is_some_and(|came| came <= day) && left.is_none_or(|left| left > day);
        if !is_here {
            continue;
        }
        sum.in_house += 1;
        sum.overstays += u32::from(stay.stay.end() <= day);
        let mut revenue = Money::ZERO;
        for item in stay.active_items() {
            let first = item.first_night(stay.stay.start());
            if first > day {
                continue;
            }
            sum.room_nights += 1;
            // Who is about to leave early and is still there sleeps in a night that was given back.
            let night = dates(first, stay.stay.end()).zip(item.all_rates()).find(|(date, _)| *date == day);
            revenue = revenue.plus(night.map_or(Money::ZERO, |(_, rate)| *rate))?;
        }
        let stayed_on = stay.charges.iter().filter(|line| line.kind == "overstay" && house.hotel_date(line.at) == day);
        revenue = revenue.plus(Money::sum(stayed_on.map(|line| line.amount))?)?;
        sum.room_revenue_micro = sum.room_revenue_micro.plus(in_currency(stay, revenue, currency))?;
    }
    let share = u64::from(sum.room_nights) * 1_000_000 / u64::from(rooms.max(1));
    sum.occupancy_ppm = if rooms == 0 { 0 } else { u32::try_from(share).unwrap_or(u32::MAX) };
    Ok(sum)
}

/// In the house's own money; what nobody knows the rate of counts for nothing.
fn in_currency(stay: &Reservation, amount: Money, currency: Currency) -> Money {
    if stay.currency == currency {
        return amount;
    }
    stay.fx.as_ref().and_then(|fx| exchanged(amount, stay.currency, currency, fx)).unwrap_or_default()
}

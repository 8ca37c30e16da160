//! Bodies of commands, bounded, with the field names of the events.

use contracts::ids::{PropertyId, RoomTypeId};
use contracts::values::{LocalDate, Micros};
use jiff::civil::Date;
use platform::Refusal;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::domain::money::Money;
use crate::domain::stay::days_between;

/// So many nights may be priced at once.
const MOST_PRICED: i32 = 1_100;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PutRoomType {
    pub property_id: PropertyId,
    pub name: Option<String>,
    pub max_occupancy: Option<i32>,
    pub base_rate_micro: Option<Micros>,
    pub overbooking: Option<i32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PutRoom {
    pub property_id: PropertyId,
    pub room_type_id: Option<RoomTypeId>,
    pub number: Option<String>,
    pub floor: Option<String>,
    pub archived: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PutRates {
    pub from: LocalDate,
    pub to: LocalDate,
    pub rate_micro: Micros,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PutSellLimits {
    pub from: LocalDate,
    pub to: LocalDate,
    pub overbooking: i32,
}

/// A text of 1 to so many characters.
pub(super) fn word(field: &'static str, text: Option<String>, longest: usize) -> Result<Option<String>, Refusal> {
    match text {
        Some(text) if text.trim().is_empty() || text.chars().count() > longest => {
            Err(Refusal::invalid(field, format!("1 to {longest} characters")))
        }
        other => Ok(other),
    }
}

/// A price: not below nothing, not above any bill.
pub(super) fn price(field: &'static str, micros: Micros) -> Result<Money, Refusal> {
    let money = Money::try_from(micros).map_err(|error| Refusal::invalid(field, error.to_string()))?;
    if money < Money::ZERO { Err(Refusal::invalid(field, "a price is not below nothing")) } else { Ok(money) }
}

/// How many more, or fewer, are sold than there are.
pub(super) fn overbooking(number: Option<i32>) -> Result<Option<i32>, Refusal> {
    match number {
        Some(number) if !(-10_000..=10_000).contains(&number) => {
            Err(Refusal::invalid("overbooking", "from -10000 to 10000"))
        }
        other => Ok(other),
    }
}

/// Nights `[from, to)`.
pub(super) fn nights(from: LocalDate, to: LocalDate, most: i32) -> Result<(Date, Date), Refusal> {
    if (1..=most).contains(&days_between(from.0, to.0)) {
        return Ok((from.0, to.0));
    }
    Err(Refusal::invalid("to", format!("after `from`, and at most {most} nights later")))
}

pub(super) fn priced_nights(from: LocalDate, to: LocalDate) -> Result<(Date, Date), Refusal> {
    nights(from, to, MOST_PRICED)
}

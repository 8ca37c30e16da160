//! All that is known of how a house works, with one question; and that a house is closed.

use std::collections::BTreeMap;

use contracts::ids::{PropertyId, RoomTypeId};
use contracts::time::Timestamp;
use platform::database::{Columns, Read, Row};
use platform::{UnitOfWork, columns, params, statements};

use super::inventory::{self, Near, Shelf};
use super::{policies, rooms, settings};
use crate::ReservationError;
use crate::domain::policy::Policy;
use crate::domain::rooms::RoomType;
use crate::domain::settings::Settings;

statements! {
    HOUSE = "sql/house.sql" (text)
        -> columns![what: text, property_id: text, values: jsonb, said_at: jsonb, version: int4];
    FIRST = "sql/booking_first.sql" (text, text)
        -> columns![what: text, property_id: text, values: jsonb, said_at: jsonb, version: int4, told: text];
    CLOSE = "sql/house_close.sql" (text, timestamptz) -> &[];
}

/// How a house works.
#[derive(Debug)]
pub struct Found {
    pub settings: Settings,
    /// Every version that there is.
    pub policies: Vec<Policy>,
    pub closed: bool,
}

/// What a new booking asks before anything else, with one question.
#[derive(Debug)]
pub struct Asked {
    pub house: Found,
    /// The tenant's, unless this is its first guest.
    pub salt: Option<String>,
    /// Somebody has the code.
    pub code_taken: bool,
    /// The types that are wanted, locked in the order of their ids, and what there is of them near the nights.
    pub types: Vec<RoomType>,
    pub shelves: BTreeMap<RoomTypeId, Shelf>,
}

/// What a booking needs to know, and the locks of the types that it wants.
pub async fn ask_and_lock(uow: &mut UnitOfWork, code: &str, near: &Near<'_>) -> Result<Asked, ReservationError> {
    let Near { property, types, first, last, from, to } = near;
    let [said, types, stock] = uow
        .read_together([
            Read { sql: &FIRST, params: &[property, &code] },
            // The one behind it sees what is committed once it has the locks.
            Read { sql: &rooms::TYPE_LOCK, params: &[types] },
            Read { sql: &inventory::STOCK, params: &[property, types, first, last, from, to] },
        ])
        .await?;
    let types = types.iter().map(rooms::type_of).collect::<Result<Vec<_>, _>>()?;
    let shelves = if types.len() == near.types.len() {
        inventory::shelved(&types, false, &stock)?
    } else {
        // Nobody sells what there is not.
        BTreeMap::new()
    };
    let (mut salt, mut code_taken) = (None, false);
    for row in &said {
        match row.read("what")? {
            "salt" => salt = row.read("told")?,
            "code" => code_taken = true,
            _ => {}
        }
    }
    Ok(Asked { house: of_rows(&said, property)?, salt, code_taken, types, shelves })
}

pub async fn find(uow: &mut UnitOfWork, property: &PropertyId) -> Result<Found, ReservationError> {
    let said = uow.read(&HOUSE, &[property]).await?;
    of_rows(&said, property)
}

/// How a house works, by the rows that say so; others may be among them.
pub(super) fn of_rows(rows: &[Row], property: &PropertyId) -> Result<Found, ReservationError> {
    let (mut said, mut made, mut closed) = (Vec::new(), Vec::new(), false);
    for row in rows {
        match row.read("what")? {
            "set" => said.push(row),
            "policy" => made.push(policies::policy_of(row, "values")?),
            "closed" => closed = true,
            _ => {}
        }
    }
    let settings = settings::in_force_of(said, Some(property))?;
    Ok(Found { settings, policies: policies::with_the_usual(made), closed })
}

/// Nobody books it any more.
pub fn close(uow: &mut UnitOfWork, property: &PropertyId, at: Timestamp) {
    uow.project(&CLOSE, params![property.clone(), at]);
}

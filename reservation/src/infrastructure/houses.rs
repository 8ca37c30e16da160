//! All that is known of how a house works, with one question; and that a house is closed.

use std::collections::BTreeMap;

use contracts::ids::{PropertyId, RoomTypeId};
use contracts::time::Timestamp;
use platform::database::{Columns, Read, Row};
use platform::{UnitOfWork, columns, params, statements};

use super::inventory::{self, Near, Shelf};
use super::{guests, policies, reservations, rooms, settings};
use crate::ReservationError;
use crate::domain::policy::Policy;
use crate::domain::rooms::RoomType;
use crate::domain::settings::Settings;

statements! {
    HOUSE = "sql/house.sql" (text, text)
        -> columns![what: text, property_id: text, values: jsonb, said_at: jsonb, version: int4];
    CLOSE = "sql/house_close.sql" (text, timestamptz) -> &[];
}

/// What is not named in the question for a house: there it stands for any reservation, or for any house.
pub(super) const UNNAMED: Option<&str> = None;

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
    let [said, salt, known, types, doors, taken, blocks, nights] = uow
        .read_together([
            Read { sql: &HOUSE, params: &[property, &UNNAMED] },
            Read { sql: &guests::SALT_FIND, params: &[] },
            Read { sql: &reservations::BY_CODE, params: &[&code] },
            // Those behind it see what is committed once it has the locks.
            Read { sql: &rooms::TYPE_LOCK, params: &[types] },
            Read { sql: &inventory::DOORS, params: &[types] },
            Read { sql: &inventory::TAKEN, params: &[property, types, first, last] },
            Read { sql: &inventory::BLOCKS, params: &[types, first] },
            Read { sql: &inventory::NIGHTS, params: &[types, from, to] },
        ])
        .await?;
    let types = types.iter().map(rooms::type_of).collect::<Result<Vec<_>, _>>()?;
    let shelves = if types.len() == near.types.len() {
        inventory::shelved(&types, false, [doors, taken, blocks, nights])?
    } else {
        // Nobody sells what there is not.
        BTreeMap::new()
    };
    let salt = salt.first().map(|row| row.read("salt")).transpose()?;
    Ok(Asked { house: of_rows(&said, property)?, salt, code_taken: !known.is_empty(), types, shelves })
}

pub async fn find(uow: &mut UnitOfWork, property: &PropertyId) -> Result<Found, ReservationError> {
    let said = uow.read(&HOUSE, &[property, &UNNAMED]).await?;
    of_rows(&said, property)
}

pub(super) fn of_rows(rows: &[Row], property: &PropertyId) -> Result<Found, ReservationError> {
    let (mut said, mut made, mut closed) = (Vec::new(), Vec::new(), false);
    for row in rows {
        match row.read("what")? {
            "set" => said.push(row),
            "policy" => made.push(policies::policy_of(row, "values")?),
            _ => closed = true,
        }
    }
    let settings = settings::in_force_of(said, Some(property))?;
    Ok(Found { settings, policies: policies::with_the_usual(made), closed })
}

/// Nobody books it any more.
pub fn close(uow: &mut UnitOfWork, property: &PropertyId, at: Timestamp) {
    uow.project(&CLOSE, params![property.clone(), at]);
}

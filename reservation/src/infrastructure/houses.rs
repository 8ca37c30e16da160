//! All that is known of how a house works, with one question; and that a house is closed.

use contracts::ids::PropertyId;
use contracts::time::Timestamp;
use platform::database::{Columns, Read};
use platform::{UnitOfWork, columns, params, statements};

use super::{guests, policies, reservations, settings};
use crate::ReservationError;
use crate::domain::policy::Policy;
use crate::domain::settings::Settings;

statements! {
    CLOSED = "sql/house_closed.sql" (text) -> columns![property_id: text];
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
}

pub async fn ask(uow: &mut UnitOfWork, property: &PropertyId, code: &str) -> Result<Asked, ReservationError> {
    let [said, made, closed, salt, taken] = uow
        .read_together([
            Read { sql: &settings::FIND, params: &[&property.as_str()] },
            Read { sql: &policies::LIST, params: &[] },
            Read { sql: &CLOSED, params: &[property] },
            Read { sql: &guests::SALT_FIND, params: &[] },
            Read { sql: &reservations::BY_CODE, params: &[&code] },
        ])
        .await?;
    let settings = settings::in_force_of(&said, Some(property))?;
    let house = Found { settings, policies: policies::of_rows(&made)?, closed: !closed.is_empty() };
    let salt = salt.first().map(|row| row.read("salt")).transpose()?;
    Ok(Asked { house, salt, code_taken: !taken.is_empty() })
}

pub async fn find(uow: &mut UnitOfWork, property: &PropertyId) -> Result<Found, ReservationError> {
    let [said, made, closed] = uow
        .read_together([
            Read { sql: &settings::FIND, params: &[&property.as_str()] },
            Read { sql: &policies::LIST, params: &[] },
            Read { sql: &CLOSED, params: &[property] },
        ])
        .await?;
    let settings = settings::in_force_of(&said, Some(property))?;
    Ok(Found { settings, policies: policies::of_rows(&made)?, closed: !closed.is_empty() })
}

/// Nobody books it any more.
pub fn close(uow: &mut UnitOfWork, property: &PropertyId, at: Timestamp) {
    uow.project(&CLOSE, params![property.clone(), at]);
}

//! All that is known of how a house works, with one question; and that a house is closed.

use contracts::ids::PropertyId;
use contracts::time::Timestamp;
use platform::database::Read;
use platform::{UnitOfWork, columns, params, statements};

use super::{policies, settings};
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

//! All that a punch of somebody is looked at with, in one round trip.

use contracts::time::Timestamp;
use platform::UnitOfWork;
use platform::database::Read;

use super::{punches, settings, shifts};
use crate::StaffError;
use crate::domain::person::Person;
use crate::domain::planning::Engagement;
use crate::domain::punch::Punch;
use crate::domain::settings::Settings;

/// What somebody punched and where they have a place from a moment to another, and what is in force in their house.
#[derive(Debug)]
pub struct Around {
    pub punches: Vec<Punch>,
    pub engagements: Vec<Engagement>,
    pub settings: Settings,
}

pub async fn around(
    uow: &mut UnitOfWork,
    person: &Person,
    from: Timestamp,
    to: Timestamp,
) -> Result<Around, StaffError> {
    let home = Some(&person.particulars.home_property_id);
    let [punched, engaged, said] = uow
        .read_together([
            Read { sql: &punches::OF_PERSON, params: &[&person.id, &from, &to] },
            Read { sql: &shifts::ENGAGEMENTS, params: &[&std::slice::from_ref(&person.id), &from, &to] },
            Read { sql: &settings::FIND, params: &[&home] },
        ])
        .await?;
    Ok(Around {
        punches: punched.iter().map(punches::punch_of).collect::<Result<_, _>>()?,
        engagements: engaged.iter().map(shifts::engagement_of).collect::<Result<_, _>>()?,
        settings: settings::of_rows(home, &said)?.0,
    })
}

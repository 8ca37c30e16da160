//! All that a punch of somebody is looked at with, in one round trip.

use contracts::ids::StaffId;
use contracts::time::Timestamp;
use platform::UnitOfWork;
use platform::database::{Read, Row};

use super::{people, punches, settings, shifts};
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
    let rows = uow
        .read_together([
            Read { sql: &punches::OF_PERSON, params: &[&person.id, &from, &to] },
            Read { sql: &shifts::ENGAGEMENTS, params: &[&std::slice::from_ref(&person.id), &from, &to] },
            Read { sql: &settings::AT_HOME, params: &[&person.id] },
        ])
        .await?;
    of_rows(person, rows)
}

/// Somebody, locked, with what is around these moments.
pub async fn lock_around(
    uow: &mut UnitOfWork,
    staff: &StaffId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Option<(Person, Around)>, StaffError> {
    let ids = std::slice::from_ref(staff);
    let [found, rows @ ..] = uow
        .read_together([
            // Those behind it see what is committed once it has the lock.
            Read { sql: &people::LOCK, params: &[&ids] },
            Read { sql: &punches::OF_PERSON, params: &[staff, &from, &to] },
            Read { sql: &shifts::ENGAGEMENTS, params: &[&ids, &from, &to] },
            Read { sql: &settings::AT_HOME, params: &[staff] },
        ])
        .await?;
    let Some(person) = found.first().map(people::person_of).transpose()? else { return Ok(None) };
    let around = of_rows(&person, rows)?;
    Ok(Some((person, around)))
}

fn of_rows(person: &Person, [punched, engaged, said]: [Vec<Row>; 3]) -> Result<Around, StaffError> {
    Ok(Around {
        punches: punched.iter().map(punches::punch_of).collect::<Result<_, _>>()?,
        engagements: engaged.iter().map(shifts::engagement_of).collect::<Result<_, _>>()?,
        settings: settings::of_rows(Some(&person.particulars.home_property_id), &said)?.0,
    })
}

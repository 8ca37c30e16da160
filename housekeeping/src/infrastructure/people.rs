//! People as far as housekeeping knows them: what they are called and speak. Everything else is the staff context's.

use contracts::ids::{PropertyId, StaffId};
use platform::database::{Columns, Read};
use platform::{UnitOfWork, columns, params, statements};

use super::settings;
use crate::HousekeepingError;

statements! {
    NAME = "sql/staff_name.sql" (text, text, int8) -> &[];
    WHO = "sql/staff_who.sql" (text) -> columns![display_name: text, languages: _text];
    HOUSES = "sql/houses.sql" () -> columns![property_id: text];
}

/// Somebody is called so from this version of them on; `None`: it changed, and the new name was not told.
pub fn name(uow: &mut UnitOfWork, staff: &StaffId, name: Option<String>, version: u64) {
    let version = i64::try_from(version).unwrap_or(i64::MAX);
    uow.project(&NAME, params![staff.clone(), name, version]);
}

/// Who somebody is, and where they are.
#[derive(Clone, Debug)]
pub struct Acquaintance {
    pub display_name: Option<String>,
    /// The person's first language, else the hotel's.
    pub language: String,
    pub timezone: String,
    /// The tenant's houses, for whoever may be in all of them; at most 200.
    pub houses: Vec<PropertyId>,
}

pub async fn acquaint(uow: &mut UnitOfWork, staff: Option<&StaffId>) -> Result<Acquaintance, HousekeepingError> {
    let staff = staff.map_or("", StaffId::as_str);
    let [who, houses, works] = uow
        .read_together([
            Read { sql: &WHO, params: &[&staff] },
            Read { sql: &HOUSES, params: &[] },
            Read { sql: &settings::FIND, params: &[] },
        ])
        .await?;
    let works = works.first().map(settings::settings_of).transpose()?.unwrap_or_default().settings;
    let (display_name, languages): (Option<String>, Option<Vec<String>>) = match who.first() {
        Some(row) => (row.read("display_name")?, row.read("languages")?),
        None => (None, None),
    };
    Ok(Acquaintance {
        display_name,
        language: languages.into_iter().flatten().next().unwrap_or(works.locale),
        timezone: works.timezone,
        houses: houses.iter().map(|row| row.read("property_id")).collect::<Result<_, _>>()?,
    })
}

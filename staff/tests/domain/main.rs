//! The rules of staff, walked whole and at random: pure, without a database.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect ends right there")]

mod clock;
mod people;
mod shifts;

use contracts::ids::{DepartmentId, PositionId, PropertyId, StaffId};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use staff::domain::person::{Particulars, Person};
use staff::domain::words::EmploymentKind;

pub(crate) fn now() -> Timestamp {
    Timestamp::from_millis(1_776_839_400_000)
}

pub(crate) fn day(text: &str) -> LocalDate {
    LocalDate::parse(text).unwrap()
}

pub(crate) fn particulars() -> Particulars {
    Particulars {
        given_name: "Gulalai".to_owned(),
        family_name: "Wardak".to_owned(),
        staff_code: "S-0001".to_owned(),
        home_property_id: PropertyId::parse("prp_CHINAR").unwrap(),
        property_access: Vec::new(),
        department_id: DepartmentId::parse("dpt_HOUSEKEEPING").unwrap(),
        user_id: None,
        employment_type: EmploymentKind::FullTime,
        employment_started_at: day("2026-04-01"),
        employment_ends_at: None,
        email: None,
        phone_e164: None,
        emergency_contact: None,
        languages: Vec::new(),
        skills: Vec::new(),
    }
}

pub(crate) fn gulalai() -> Person {
    let (id, position) = (StaffId::parse("stf_GULALAI").unwrap(), PositionId::parse("pos_HOUSEKEEPER").unwrap());
    Person::create(id, particulars(), position, (None, false), now()).state().clone()
}

//! Everything that housekeeping keeps of a person, for that person; and that a guest is forgotten here too.

use contracts::ids::{ReservationId, StaffId};
use contracts::reservation::GuestErasedV1;
use platform::UnitOfWork;
use platform::auth::{Caller, Properties};
use platform::database::Deed;
use platform::personal::{PersonalDataResource, cut_to_size};
use platform::retention::KeptByLaw;

use crate::HousekeepingError;
use crate::infrastructure::personal;

/// Whose data is asked for: a guest is known here by reservations alone.
#[derive(Clone, Debug)]
pub enum Person {
    Guest(Vec<ReservationId>),
    Staff(StaffId),
}

/// Whoever takes everything of a person out of the house is in the audit.
pub fn exported(person: &Person) -> Vec<Deed> {
    let deed = |kind, id: &str, field: &str| {
        Deed::new("internal.person.exported", kind, id, &serde_json::json!({ field: id }))
    };
    match person {
        Person::Staff(id) => vec![deed("staff_member", id.as_str(), "staffId")],
        Person::Guest(booked) => booked.iter().map(|id| deed("reservation", id.as_str(), "reservationId")).collect(),
    }
}

pub async fn export(
    uow: &mut UnitOfWork,
    caller: &Caller,
    person: &Person,
) -> Result<PersonalDataResource, HousekeepingError> {
    let houses = match &caller.properties {
        Properties::All => None,
        Properties::Only(list) => Some(list.as_slice()),
    };
    let (mut records, what) = match person {
        Person::Guest(reservations) => (
            personal::of_guest(uow, reservations, houses).await?,
            "which rooms were cleaned for the guest's reservations, and what was found in them",
        ),
        Person::Staff(staff) => (
            personal::of_staff(uow, staff, houses).await?,
            "which work was done under the person's number; the name goes when the staff context forgets it",
        ),
    };
    // The profile is of no house: it is shown to those in whose houses the person has been.
    if houses.is_some() && records.iter().all(|(what, _)| what == "profile") {
        records.clear();
    }
    let kept = KeptByLaw {
        what: what.to_owned(),
        why: "the hotel's own record of its work, which names nobody".to_owned(),
        until: None,
    };
    let (records, cut) = cut_to_size(records);
    Ok(PersonalDataResource { exported_at: uow.now(), records, cut, kept: vec![kept] })
}

/// A guest asked the front office to be forgotten.
pub fn forget_guest(uow: &mut UnitOfWork, told: &GuestErasedV1) {
    personal::forget_claimants(uow, &told.reservation_ids);
}

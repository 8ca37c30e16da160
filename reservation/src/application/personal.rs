//! What the front office keeps of a member of the staff: what they booked, checked in, closed and decided, under their number.

use contracts::ids::StaffId;
use platform::UnitOfWork;
use platform::auth::Caller;
use platform::database::Deed;
use platform::personal::{PersonalDataResource, cut_to_size};
use platform::retention::KeptByLaw;

use super::guests::houses;
use crate::ReservationError;
use crate::infrastructure::personal;

/// Whoever takes everything of a person out of the house is in the audit.
pub fn exported(id: &StaffId) -> Deed {
    Deed::new("internal.person.exported", "staff_member", id.as_str(), &serde_json::json!({ "staffId": id }))
}

/// To whoever answers for the house, as far as the house goes.
pub async fn export(
    uow: &mut UnitOfWork,
    caller: &Caller,
    id: &StaffId,
) -> Result<PersonalDataResource, ReservationError> {
    let (records, cut) = cut_to_size(personal::of_staff(uow, id, houses(caller)).await?);
    let kept = KeptByLaw {
        what: "who booked, checked in, closed and decided what, as a number".to_owned(),
        why: "bookings and bills stay explained for as long as the law wants them; no name of the staff is in them"
            .to_owned(),
        until: None,
    };
    Ok(PersonalDataResource { exported_at: uow.now(), records, cut, kept: vec![kept] })
}

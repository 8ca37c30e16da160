//! One shift tells the next, and the next says that it has read it.

use contracts::ids::{HandoffNoteId, PositionId, PropertyId, ShiftId};
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use super::{own_id, positions as jobs};
use crate::StaffError;
use crate::domain::handoff::HandoffNote;
use crate::domain::person::Person;
use crate::infrastructure::{handoffs, people, shifts};

/// What somebody writes.
#[derive(Clone, Debug)]
pub struct NewNote {
    pub property_id: PropertyId,
    pub position_id: Option<PositionId>,
    pub from_shift_id: Option<ShiftId>,
    pub body: String,
    pub attachment_ids: Vec<String>,
}

/// The person behind the token, who works here.
async fn author(uow: &mut UnitOfWork, caller: &Caller) -> Result<Person, StaffError> {
    let own = own_id(caller)?;
    let person = people::find(uow, &own).await?.ok_or(Refusal::NotStaff)?;
    if person.is_terminated() { Err(StaffError::StaffNotActive) } else { Ok(person) }
}

pub async fn write(uow: &mut UnitOfWork, caller: &Caller, new: NewNote) -> Result<HandoffNote, StaffError> {
    caller.within(&new.property_id)?;
    let person = author(uow, caller).await?;
    if let Some(position) = &new.position_id {
        jobs::known_position(uow, position).await?;
    }
    if let Some(shift) = &new.from_shift_id {
        let known = shifts::find(uow, shift).await?.filter(|known| known.property_id == new.property_id);
        known.ok_or(StaffError::ReferenceUnknown { field: "fromShiftId", what: "shift in this house" })?;
    }
    let note = HandoffNote {
        id: uow.next_id(),
        property_id: new.property_id,
        position_id: new.position_id,
        from_staff_id: person.id,
        from_shift_id: new.from_shift_id,
        body: new.body,
        attachment_ids: new.attachment_ids,
        acknowledged: Vec::new(),
        created_at: uow.now(),
        version: 1,
    };
    Ok(uow.save(note.write()))
}

/// A note that the caller may read. Another house's is as good as not there.
pub async fn look_up(uow: &mut UnitOfWork, caller: &Caller, id: &HandoffNoteId) -> Result<HandoffNote, StaffError> {
    let found = handoffs::find(uow, id).await?.filter(|note| caller.properties.include(&note.property_id));
    Ok(found.ok_or(Refusal::NotFound("handoff note"))?)
}

/// Somebody has read it; once is enough.
pub async fn acknowledge(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &HandoffNoteId,
) -> Result<HandoffNote, StaffError> {
    let found = handoffs::lock(uow, id).await?.filter(|note| caller.properties.include(&note.property_id));
    let note = found.ok_or(Refusal::NotFound("handoff note"))?;
    IfMatch::check(if_match, note.version)?;
    let person = author(uow, caller).await?;
    let now = uow.now();
    Ok(match note.clone().acknowledge(person.id, now) {
        Some(decided) => uow.save(decided),
        None => note,
    })
}

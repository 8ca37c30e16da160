//! Two people who want to change places ask each other, and then whoever leads them.

use contracts::ids::{AssignmentId, SwapRequestId};
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use super::{is_leader, is_self, shifts as planning};
use crate::StaffError;
use crate::domain::planning::Warning;
use crate::domain::shift::{Shift, ShiftError};
use crate::domain::swap_request::{Side, SwapAnswer, SwapRequest, SwapStatus};
use crate::infrastructure::{people, shifts, swap_requests};

/// Asks for a swap: with one's own place, or for somebody by whoever leads them.
pub async fn propose(
    uow: &mut UnitOfWork,
    caller: &Caller,
    (left, right): (&AssignmentId, &AssignmentId),
    note: Option<String>,
) -> Result<SwapRequest, StaffError> {
    let (left_side, first) = side(uow, left, "leftAssignmentId").await?;
    let visible = is_self(caller, &left_side.staff_id) || caller.properties.include(&left_side.property_id);
    if !visible {
        return Err(StaffError::ReferenceUnknown { field: "leftAssignmentId", what: "assignment" });
    }
    if !is_self(caller, &left_side.staff_id) && !is_leader(caller) {
        return Err(StaffError::NotSelf { field: "leftAssignmentId" });
    }
    let (right_side, second) = side(uow, right, "rightAssignmentId").await?;
    if !caller.properties.include(&right_side.property_id) {
        return Err(StaffError::ReferenceUnknown { field: "rightAssignmentId", what: "assignment" });
    }
    Shift::swappable(&first, &second, (left, right))?;
    let now = uow.now();
    let request = SwapRequest {
        id: uow.next_id(),
        left: left_side,
        right: right_side,
        note,
        status: SwapStatus::Proposed,
        decided_by: None,
        created_at: now,
        updated_at: now,
        version: 1,
    };
    Ok(uow.save(request.propose()))
}

async fn side(uow: &mut UnitOfWork, place: &AssignmentId, field: &'static str) -> Result<(Side, Shift), StaffError> {
    let unknown = || StaffError::ReferenceUnknown { field, what: "assignment" };
    let (shift, staff_id) = shifts::place(uow, place).await?.ok_or_else(unknown)?;
    let shift = shifts::find(uow, &shift).await?.ok_or_else(unknown)?;
    let side = Side {
        assignment_id: place.clone(),
        shift_id: shift.id.clone(),
        staff_id,
        property_id: shift.property_id.clone(),
    };
    Ok((side, shift))
}

/// A request that the caller may look at: one of the two, or whoever leads in one of the houses.
pub async fn look_up(
    uow: &mut UnitOfWork,
    caller: &Caller,
    id: &SwapRequestId,
) -> Result<(SwapRequest, bool), StaffError> {
    let found = swap_requests::find(uow, id).await?.filter(|(request, _)| may_see(caller, request));
    Ok(found.ok_or(Refusal::NotFound("swap request"))?)
}

fn may_see(caller: &Caller, request: &SwapRequest) -> bool {
    let theirs = |side: &Side| is_self(caller, &side.staff_id);
    let leads = |side: &Side| is_leader(caller) && caller.properties.include(&side.property_id);
    theirs(&request.left) || theirs(&request.right) || leads(&request.left) || leads(&request.right)
}

/// Who may answer how: the other accepts, either of them and whoever leads declines, the asker withdraws, whoever leads approves.
fn may_answer(caller: &Caller, request: &SwapRequest, answer: SwapAnswer) -> bool {
    let (asker, other) = (is_self(caller, &request.left.staff_id), is_self(caller, &request.right.staff_id));
    let houses = [&request.left, &request.right];
    let leads = is_leader(caller) && houses.iter().all(|side| caller.properties.include(&side.property_id));
    match answer {
        SwapAnswer::Accept => other,
        SwapAnswer::Withdraw => asker,
        SwapAnswer::Decline => other || leads,
        SwapAnswer::Approve => leads,
    }
}

/// An answer. Approving lets the two change places at once, by the rules of every swap; what speaks against it is said.
pub async fn answer(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &SwapRequestId,
    answer: SwapAnswer,
) -> Result<(SwapRequest, Vec<Warning>), StaffError> {
    let (seen, _) = look_up(uow, caller, id).await?;
    if !may_answer(caller, &seen, answer) {
        return Err(StaffError::NotSelf { field: "id" });
    }
    // People, then shifts, then the request: as everywhere.
    people::lock_all(uow, &[seen.left.staff_id.clone(), seen.right.staff_id.clone()]).await?;
    let locked = shifts::lock_all(uow, &[seen.left.shift_id.clone(), seen.right.shift_id.clone()]).await?;
    let request = swap_requests::lock(uow, id).await?.ok_or(Refusal::NotFound("swap request"))?;
    IfMatch::check(if_match, request.version)?;
    let find = |side: &Side| locked.iter().find(|shift| shift.id == side.shift_id);
    let places = (&request.left.assignment_id, &request.right.assignment_id);
    let stands = match (find(&request.left), find(&request.right)) {
        (Some(first), Some(second)) => Shift::swappable(first, second, places).is_ok(),
        _ => return Err(ShiftError::SwapImpossible.into()),
    };
    let (by, now) = (caller.actor(), uow.now());
    let decided = request.clone().answer(answer, stands, by, now)?;
    let mut warnings = Vec::new();
    if answer == SwapAnswer::Approve {
        let (left, right) = planning::swap(uow, caller, places.0, places.1).await?;
        warnings = [left.warnings, right.warnings].concat();
    }
    Ok((uow.save(decided), warnings))
}

//! Whoever came before they were given the shift they came for belongs to it from then on.

use platform::UnitOfWork;

use super::timecard::Timecard;
use crate::StaffError;
use crate::domain::person::Person;
use crate::domain::shift::Shift;

/// Takes the open span of somebody who has just been given a place along to the shift: one without a shift, in its house, that began
/// where an `in` would have found it. It begins the shift as any other does.
pub(crate) async fn take_along(uow: &mut UnitOfWork, person: &Person, shift: Shift) -> Result<Shift, StaffError> {
    let (now, starts) = (uow.now(), shift.plan.window.starts_at);
    // Nobody comes longer before a shift than a day.
    if now < starts.plus_seconds(-24 * 60 * 60) {
        return Ok(shift);
    }
    let mut card = Timecard::open(uow, person.clone(), now, now).await?;
    card.know(uow, [shift.property_id.clone()]).await?;
    let early = 60 * i64::from(card.settings_in(Some(&shift.property_id)).clock_in_early_minutes);
    let folded = card.folded();
    let open = folded.open().filter(|span| {
        span.shift_id.is_none()
            && span.property_id == shift.property_id
            && (starts.plus_seconds(-early)..shift.plan.window.ends_at).contains(&span.from)
    });
    let came = open.and_then(|span| card.punches.iter().find(|punch| punch.id == span.came)).cloned();
    let Some(came) = came else { return Ok(shift) };
    let came = uow.save(came.join(shift.id.clone()));
    card.put(came.clone());
    let shift = card.follow_up(uow, shift, &came).await?;
    card.belong_anew(uow).await?;
    Ok(shift)
}

//! Whoever came before they were given the shift they came for belongs to it from then on.

use std::collections::BTreeSet;

use contracts::time::Timestamp;
use platform::{Decided, UnitOfWork};

use super::timecard::Timecard;
use crate::StaffError;
use crate::domain::person::Person;
use crate::domain::punch::{Punch, PunchKind};
use crate::domain::shift::Shift;

/// Takes the open span of somebody who has just been given a place along to the shift: one without a shift, in its house, that began
/// where an `in` would have found it. It begins the shift as any other does.
pub(crate) async fn take_along(uow: &mut UnitOfWork, person: &Person, mut shift: Shift) -> Result<Shift, StaffError> {
    take_along_to_nearest(uow, person, std::slice::from_mut(&mut shift)).await?;
    Ok(shift)
}

/// The same for somebody who has just been given places on several shifts: as for an `in`, the nearest start comes first. Once a person in a
/// unit of work: what is queued stands in no table yet, and a second look would take the same span along again. Gives what was punched as it
/// is now, for whoever shows the shift.
pub(crate) async fn take_along_to_nearest(
    uow: &mut UnitOfWork,
    person: &Person,
    shifts: &mut [Shift],
) -> Result<Vec<Punch>, StaffError> {
    let now = uow.now();
    // Nobody comes longer before a shift than a day.
    if shifts.iter().all(|shift| now < shift.plan.window.starts_at.plus_seconds(-24 * 60 * 60)) {
        return Ok(Vec::new());
    }
    let mut card = Timecard::open(uow, person.clone(), now, now).await?;
    let houses: BTreeSet<_> = shifts.iter().map(|shift| shift.property_id.clone()).collect();
    card.know(uow, houses).await?;
    let folded = card.folded();
    let Some(open) = folded.open().filter(|span| span.shift_id.is_none()) else { return Ok(Vec::new()) };
    let found_by_an_in = shifts.iter_mut().filter(|shift| {
        let (house, window) = (&shift.property_id, &shift.plan.window);
        let early = 60 * i64::from(card.settings_in(Some(house)).clock_in_early_minutes);
        *house == open.property_id && (window.starts_at.plus_seconds(-early)..window.ends_at).contains(&open.from)
    });
    let distance = |shift: &&mut Shift| (shift.plan.window.starts_at.as_millis() - open.from.as_millis()).abs();
    let Some(shift) = found_by_an_in.min_by_key(distance) else { return Ok(Vec::new()) };
    let Some(came) = card.punches.iter().find(|punch| punch.id == open.came).cloned() else { return Ok(Vec::new()) };
    let came = uow.save(came.join(shift.id.clone()));
    card.put(came.clone());
    let begun = card.follow_up(uow, shift.clone(), &came).await?;
    // Whatever else follows finds it as it is by now, and not as it stands in its table.
    card.so_far.keep(begun);
    card.belong_anew(uow).await?;
    if let Some(now) = card.so_far.shift(&shift.id) {
        shift.clone_from(now);
    }
    Ok(card.so_far.punched())
}

impl Timecard {
    /// An `in` as it is to be when it is put right to another time: one that came to no shift may be of one then.
    pub(super) fn put_right(&self, came: Punch, at: Timestamp, reason: String) -> Decided<Punch> {
        let mut right = came;
        if right.kind == PunchKind::In && right.shift_id.is_none() {
            let found = self.nearest_shift(at, Some(&right.property_id));
            right.shift_id = found.map(|engagement| engagement.shift_id.clone());
        }
        right.correct(at, reason)
    }

    /// An `in` that was put right and is of a shift now begins it as any other does.
    pub(super) async fn begin_shift_of(&mut self, uow: &mut UnitOfWork, came: &Punch) -> Result<(), StaffError> {
        self.so_far.lock(uow, came.shift_id.clone()).await?;
        if let Some(shift) = self.shift_now(uow, came.shift_id.as_ref()).await? {
            let shift = self.follow_up(uow, shift, came).await?;
            self.so_far.keep(shift);
        }
        Ok(())
    }
}

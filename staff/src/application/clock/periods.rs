//! Days that payroll has gone by: nothing is added to them and nothing in them is put right.

use contracts::ids::{PropertyId, ShiftId};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::UnitOfWork;

use super::timecard::Timecard;
use crate::StaffError;
use crate::application::day_of;
use crate::domain::punch::{Punch, fold};
use crate::infrastructure::shifts;

impl Timecard {
    /// The day a shift is for.
    async fn date_of(&self, uow: &mut UnitOfWork, shift: &ShiftId) -> Result<Option<LocalDate>, StaffError> {
        if let Some(engagement) = self.engagements.iter().find(|one| one.shift_id == *shift) {
            return Ok(Some(engagement.date));
        }
        if let Some(locked) = self.so_far.shift(shift) {
            return Ok(Some(locked.plan.window.date));
        }
        Ok(shifts::find(uow, shift).await?.map(|shift| shift.plan.window.date))
    }

    /// Whether the day is still open that something belongs to: the shift's, else the one that it began on, in the house it is of.
    pub(super) async fn check_period(
        &self,
        uow: &mut UnitOfWork,
        house: &PropertyId,
        (shift, began): (Option<&ShiftId>, Timestamp),
    ) -> Result<(), StaffError> {
        let settings = self.settings_in(Some(house));
        let Some(locked) = settings.locked_through else { return Ok(()) };
        let planned = match shift {
            Some(shift) => self.date_of(uow, shift).await?,
            None => None,
        };
        let day = planned.unwrap_or_else(|| day_of(began, settings));
        if day <= locked { Err(StaffError::PeriodLocked) } else { Ok(()) }
    }

    /// Whether the day is still open that one of these punches belongs to.
    pub(super) async fn check_day_of(
        &self,
        uow: &mut UnitOfWork,
        punches: &[Punch],
        punch: &Punch,
    ) -> Result<(), StaffError> {
        let span = fold(punches).spans.into_iter().find(|span| span.punches.contains(&punch.id));
        let (shift, began) = span.map_or((None, punch.at), |span| (span.shift_id, span.from));
        self.check_period(uow, &punch.property_id, (shift.as_ref(), began)).await
    }
}

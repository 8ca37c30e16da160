//! What one unit of work has locked and written so far, for whoever's turn it is next in it: what is queued stands in no table yet.

use std::collections::{BTreeMap, BTreeSet};

use contracts::ids::{ClockEntryId, ShiftId};
use platform::UnitOfWork;

use crate::StaffError;
use crate::domain::punch::Punch;
use crate::domain::shift::Shift;
use crate::infrastructure::{punches, shifts};

/// Shifts that are locked and perhaps changed already, and what was punched. Handed from card to card where several people are at it.
#[derive(Debug, Default)]
pub(super) struct SoFar {
    shifts: BTreeMap<ShiftId, Shift>,
    /// What had been punched before on the shifts that were asked about.
    kept: BTreeMap<ShiftId, Vec<Punch>>,
    /// What was added, or is another now.
    recorded: BTreeMap<ClockEntryId, Punch>,
}

impl SoFar {
    /// Locks those of these shifts that are not yet, together and in the order of their ids.
    pub(super) async fn lock(
        &mut self,
        uow: &mut UnitOfWork,
        ids: impl IntoIterator<Item = ShiftId>,
    ) -> Result<(), StaffError> {
        let missing: BTreeSet<_> = ids.into_iter().filter(|id| !self.shifts.contains_key(id)).collect();
        if !missing.is_empty() {
            let missing: Vec<_> = missing.into_iter().collect();
            for shift in shifts::lock_all(uow, &missing).await? {
                self.keep(shift);
            }
        }
        Ok(())
    }

    /// A shift as it is by now, where it is locked.
    pub(super) fn shift(&self, id: &ShiftId) -> Option<&Shift> {
        self.shifts.get(id)
    }

    /// Remembers what became of a shift.
    pub(super) fn keep(&mut self, shift: Shift) {
        self.shifts.insert(shift.id.clone(), shift);
    }

    /// Remembers what became of a punch.
    pub(super) fn note(&mut self, punch: &Punch) {
        self.recorded.insert(punch.id.clone(), punch.clone());
    }

    /// What was added, or is another now.
    pub(super) fn punched(self) -> Vec<Punch> {
        self.recorded.into_values().collect()
    }

    /// Everybody's punches on a shift as they are by now. Nobody else adds to those of a shift that is locked, so they are read once.
    pub(super) async fn on_shift(&mut self, uow: &mut UnitOfWork, shift: &ShiftId) -> Result<Vec<Punch>, StaffError> {
        if !self.kept.contains_key(shift) {
            let found = punches::on_shifts(uow, std::slice::from_ref(shift)).await?;
            self.kept.insert(shift.clone(), found);
        }
        let kept = self.kept.get(shift).into_iter().flatten();
        let unchanged = kept.filter(|punch| !self.recorded.contains_key(&punch.id));
        let since = self.recorded.values().filter(|punch| punch.shift_id.as_ref() == Some(shift));
        Ok(unchanged.chain(since).cloned().collect())
    }
}

//! A device that was away sends an `in` of days ago, and its person has punched since: by all that is known they never went. What it sends
//! next may say when they did, so the clock is stopped for them meanwhile, and nobody is told of it until that is known.

use platform::UnitOfWork;

use super::timecard::{Pressed, Timecard};
use crate::StaffError;
use crate::domain::punch::{Punch, PunchKind};

impl Timecard {
    /// What the next punch says of the `out` that was supposed before it: their going is the real one, a break says nothing of it, and with
    /// anything else it stands. Returns whether it was the real one.
    pub(super) async fn judge_supposed(&mut self, uow: &mut UnitOfWork, next: &Pressed) -> Result<bool, StaffError> {
        let Some(supposed) = &self.supposed else { return Ok(false) };
        match next.kind {
            PunchKind::BreakStarted | PunchKind::BreakEnded => Ok(false),
            PunchKind::Out if self.stands_for(next).is_some_and(|(_, out)| out.id == *supposed) => {
                self.withdraw_supposed();
                Ok(true)
            }
            PunchKind::Out | PunchKind::In => self.tell_supposed(uow).await.map(|()| false),
        }
    }

    /// Nothing that came said better.
    pub(super) async fn tell_supposed(&mut self, uow: &mut UnitOfWork) -> Result<(), StaffError> {
        let Some(out) = self.withdraw_supposed() else { return Ok(()) };
        let shift = self.shift_now(uow, out.shift_id.as_ref()).await?.filter(|_| !out.is_orphan());
        self.record(uow, vec![out], shift).await
    }

    fn withdraw_supposed(&mut self) -> Option<Punch> {
        let supposed = self.supposed.take()?;
        self.take_away(&supposed)
    }
}

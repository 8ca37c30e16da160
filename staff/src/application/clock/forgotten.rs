//! Who forgot to go: when they are believed to have gone, and what becomes of it when they are seen.

use contracts::ids::PropertyId;
use contracts::time::Timestamp;
use platform::UnitOfWork;

use super::timecard::{Pressed, Timecard};
use crate::StaffError;
use crate::domain::punch::{Punch, PunchKind, PunchSource, Review, believed_out, fits};

/// A punch as it tells whether somebody forgot: what, when, and whether it is their own word.
pub(super) type Sign = (PunchKind, Timestamp, bool);

pub(super) fn sign(punch: &Punch) -> Sign {
    (punch.kind, punch.at, punch.source != PunchSource::AutoClose && !punch.is_managers())
}

impl Timecard {
    /// The `out` that the clock was stopped with and that one at a moment stands for, and when they had come. Whoever goes later than
    /// anybody stays has come again since, and was not seen to.
    pub(super) fn believed(&self, at: Timestamp) -> Option<(Timestamp, &Punch)> {
        let (came, out) = believed_out(self.around(at), at)?;
        (at <= self.longest(&out.property_id, came, out.at)).then_some((came, out))
    }

    /// Until when somebody may go who came then and is believed to have gone at a moment.
    fn longest(&self, house: &PropertyId, came: Timestamp, believed: Timestamp) -> Timestamp {
        let settings = self.settings_in(Some(house));
        let open = came.plus_seconds(60 * i64::from(settings.max_open_minutes));
        open.max(believed.plus_seconds(60 * i64::from(settings.auto_close_grace_minutes)))
    }

    /// When somebody really went, where the clock had been stopped for them: the same entry, with what it was kept beside it.
    pub(super) async fn replace_believed(
        &mut self,
        uow: &mut UnitOfWork,
        pressed: &Pressed,
    ) -> Result<Option<Punch>, StaffError> {
        if pressed.kind != PunchKind::Out || pressed.source == PunchSource::AutoClose {
            return Ok(None);
        }
        let Some((came, believed)) = self.believed(pressed.at).map(|(came, out)| (came, out.clone())) else {
            return Ok(None);
        };
        self.check_period(uow, &believed.property_id, (believed.shift_id.as_ref(), came)).await?;
        let real = Punch {
            at: pressed.at,
            recorded_at: uow.now(),
            source: pressed.source,
            device_id: pressed.device_id.clone(),
            client_punch_id: pressed.client_punch_id.clone(),
            from_offline_replay: pressed.offline,
            needs_review: pressed.needs_review.clone(),
            reason: pressed.reason.clone(),
            ..believed.clone()
        };
        let around = self.around(pressed.at);
        let mut after: Vec<_> = around.iter().filter(|punch| punch.id != believed.id).cloned().collect();
        after.push(real.clone());
        if !fits(around, &after) {
            return Ok(None);
        }
        let saved = uow.save(believed.replace(real));
        self.put(saved.clone());
        Ok(Some(saved))
    }

    /// When somebody is believed to have gone who came and, by what follows, was never seen to go: whoever comes again after the
    /// longest day there is, or goes later than anybody stays. What a manager says is so.
    pub(super) fn forgot(&self, came: &Punch, following: impl Iterator<Item = Sign>) -> Option<Timestamp> {
        let settings = self.settings_in(Some(&came.property_id));
        let open = came.at.plus_seconds(60 * i64::from(settings.max_open_minutes));
        let planned = came.shift_id.as_ref().and_then(|shift| {
            let engaged = self.engagements.iter().find(|one| one.shift_id == *shift).map(|one| one.ends_at);
            engaged.or_else(|| self.shifts.iter().find(|one| one.id == *shift).map(|one| one.plan.window.ends_at))
        });
        let usual = came.at.plus_seconds(60 * i64::from(settings.standard_day_minutes));
        let mut believed = planned.unwrap_or(usual).max(came.at);
        for (kind, at, own) in following {
            match kind {
                PunchKind::In if at > open => return Some(believed.min(at)),
                PunchKind::In => {}
                PunchKind::Out if own && at > self.longest(&came.property_id, came.at, believed) => {
                    return Some(believed.min(at));
                }
                PunchKind::Out => return None,
                PunchKind::BreakStarted | PunchKind::BreakEnded => believed = believed.max(at),
            }
        }
        None
    }

    /// Stops the clock of somebody who forgot, where they should have gone, before their next punch.
    pub(super) async fn close_forgotten(&mut self, uow: &mut UnitOfWork, pressed: &Pressed) -> Result<(), StaffError> {
        if pressed.source == PunchSource::AutoClose {
            return Ok(());
        }
        let before = self.until(pressed.at);
        let around = self.around(pressed.at);
        let came = before.open().and_then(|open| around.iter().find(|punch| punch.id == open.came));
        let Some(came) = came else { return Ok(()) };
        let since = around.iter().filter(|punch| punch.order() > came.order() && punch.at <= pressed.at).map(sign);
        let own = pressed.source != PunchSource::ManagerOverride;
        let Some(at) = self.forgot(came, since.chain([(pressed.kind, pressed.at, own)])) else { return Ok(()) };
        Box::pin(self.press(uow, stopped_at(at, pressed.offline))).await?;
        Ok(())
    }
}

/// The clock, stopped for somebody.
pub(super) fn stopped_at(at: Timestamp, offline: bool) -> Pressed {
    Pressed {
        kind: PunchKind::Out,
        at,
        property_id: None,
        shift_id: None,
        source: PunchSource::AutoClose,
        device_id: None,
        client_punch_id: None,
        offline,
        reason: None,
        needs_review: vec![Review::MissedOut],
    }
}

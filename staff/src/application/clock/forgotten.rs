//! Who forgot to go: when they are believed to have gone, and what becomes of it when they are seen.

use contracts::time::Timestamp;
use platform::UnitOfWork;

use super::timecard::{Pressed, Timecard};
use crate::StaffError;
use crate::domain::punch::{Folded, Punch, PunchKind, PunchSource, Review, believed_out, believed_rest, fits, fold};
use crate::domain::stay::{Seen, Sign, Stay, Stop, sign, stops};

impl Timecard {
    /// How long somebody stays who came so.
    fn stay(&self, came: &Punch) -> Stay {
        let ends = came.shift_id.as_ref().and_then(|shift| {
            let engaged = self.engagements.iter().find(|one| one.shift_id == *shift).map(|one| one.ends_at);
            engaged.or_else(|| self.so_far.shift(shift).map(|one| one.plan.window.ends_at))
        });
        Stay::since(came.at, ends, self.settings_in(Some(&came.property_id)))
    }

    /// The `out` that the clock was stopped with and that one at a moment stands for, and when they had come. Whoever goes later than
    /// anybody stays has come again since, and was not seen to.
    pub(super) fn believed(&self, at: Timestamp) -> Option<(Timestamp, &Punch)> {
        let around = self.around(at);
        let (came, out) = believed_out(around, at)?;
        let mut stay = self.stay(came);
        let since = around.iter().filter(|punch| punch.order() > came.order() && punch.order() < out.order());
        for punch in since.filter(|punch| says_something(punch)) {
            stay.sees(sign(punch));
        }
        (at <= stay.longest()).then_some((came.at, out))
    }

    /// The entry that a punch says the real time of, and when they had come.
    pub(super) fn stands_for(&self, pressed: &Pressed) -> Option<(Timestamp, &Punch)> {
        match pressed.kind {
            _ if pressed.source == PunchSource::AutoClose => None,
            PunchKind::Out => self.believed(pressed.at),
            PunchKind::BreakEnded => believed_rest(self.around(pressed.at), pressed.at),
            PunchKind::In | PunchKind::BreakStarted => None,
        }
    }

    /// When somebody really went or ended their break, where the clock had been stopped for them or the break ended with their going: the
    /// same entry, with what it was kept beside it.
    pub(super) async fn replace_believed(
        &mut self,
        uow: &mut UnitOfWork,
        pressed: &Pressed,
    ) -> Result<Option<Punch>, StaffError> {
        let believed = self.stands_for(pressed).map(|(came, punch)| (came, punch.clone()));
        let Some((came, believed)) = believed else { return Ok(None) };
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
        if !pressed.offline && !fits(around, &after) {
            return Ok(None);
        }
        self.end_break_with(uow, &believed, pressed.at);
        let saved = uow.save(believed.replace(real));
        self.put(saved.clone());
        Ok(Some(saved))
    }

    /// A break that is believed to have ended when somebody went ends when they really did.
    fn end_break_with(&mut self, uow: &mut UnitOfWork, out: &Punch, at: Timestamp) {
        let ends = |punch: &&Punch| punch.kind == PunchKind::BreakEnded && punch.at == out.at && punch.is_believed();
        let rest = self.punches.iter().find(ends).filter(|_| out.kind == PunchKind::Out).cloned();
        if let Some(rest) = rest {
            let moved = uow.save(rest.believe(at, uow.now()));
            self.put(moved);
        }
    }

    /// Where the clock is to be stopped, by these punches.
    pub(super) fn stops(&self, punches: &[Punch]) -> Vec<Stop> {
        stops(punches, |came| self.stay(came))
    }

    /// What has come says where the clock is to be stopped: where it was stopped elsewhere, that is moved, and where it was not, it is
    /// stopped. What was so before stays as it is, whatever the settings say by now.
    pub(super) async fn believe_anew(&mut self, uow: &mut UnitOfWork) -> Result<(), StaffError> {
        let before = self.stops(&self.as_opened);
        let after = self.stops(&self.punches);
        for stop in after.into_iter().filter(|stop| !before.contains(stop)) {
            let span = fold(&self.punches).spans.into_iter().find(|span| span.came == stop.came);
            let Some(span) = span.filter(|span| span.until != Some(stop.at)) else { continue };
            match self.check_period(uow, &span.property_id, (span.shift_id.as_ref(), span.from)).await {
                Err(StaffError::PeriodLocked) => continue,
                open => open?,
            }
            let last = span.punches.last();
            let stopped = self.punches.iter().find(|punch| Some(&punch.id) == last && punch.kind == PunchKind::Out);
            match stopped.filter(|out| out.is_believed()).cloned() {
                Some(out) => {
                    self.end_break_with(uow, &out, stop.at);
                    let moved = uow.save(out.believe(stop.at, uow.now()));
                    self.put(moved);
                }
                None if !stop.is_last => {
                    self.press(uow, stopped_at(stop.at, true)).await?;
                }
                None => {}
            }
        }
        Ok(())
    }

    /// When somebody is believed to have gone who came and, by what follows, was never seen to go.
    pub(super) fn forgot(&self, came: &Punch, following: impl Iterator<Item = Sign>) -> Option<Timestamp> {
        let mut stay = self.stay(came);
        for sign in following {
            match stay.sees(sign) {
                Seen::Stays => {}
                Seen::Went => return None,
                Seen::Forgot(at) => return Some(at),
            }
        }
        None
    }

    /// When somebody who is there by what was before is believed to have gone, by this punch of theirs.
    pub(super) fn forgot_before(&self, before: &Folded, pressed: &Pressed) -> Option<Timestamp> {
        if pressed.source == PunchSource::AutoClose {
            return None;
        }
        let open = before.open()?;
        let around = self.around(pressed.at);
        let came = around.iter().find(|punch| punch.id == open.came)?;
        let since = around.iter().filter(|punch| punch.order() > came.order() && punch.at <= pressed.at);
        let since = since.filter(|punch| says_something(punch)).map(sign);
        let own = pressed.source != PunchSource::ManagerOverride;
        self.forgot(came, since.chain([(pressed.kind, pressed.at, own)]))
    }
}

/// Whether a punch says anything of how long somebody stayed: the end of a break that was only believed does not.
pub(super) fn says_something(punch: &Punch) -> bool {
    punch.kind == PunchKind::Out || !punch.is_believed()
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

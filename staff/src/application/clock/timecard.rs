//! One person's punches and places around a time: where a punch belongs, what goes with it, and what was forgotten.

use std::collections::HashMap;

use contracts::ids::{DeviceId, PropertyId, ShiftId};
use contracts::time::Timestamp;
use platform::UnitOfWork;

use super::SAME_MILLIS;
use crate::StaffError;
use crate::application::day_of;
use crate::application::presence::{Attendance, LOOK_AHEAD_SECONDS, LOOK_BACK_SECONDS, follow};
use crate::domain::person::Person;
use crate::domain::planning::Engagement;
use crate::domain::punch::{Folded, Presence, Punch, PunchKind, PunchSource, Review, believed_out, fits, fold};
use crate::domain::settings::Settings;
use crate::domain::shift::Shift;
use crate::infrastructure::shifts;
use crate::infrastructure::timecards::{self, Around};

/// What somebody punches.
#[derive(Clone, Debug)]
pub struct Pressed {
    pub kind: PunchKind,
    pub at: Timestamp,
    pub property_id: Option<PropertyId>,
    pub shift_id: Option<ShiftId>,
    pub source: PunchSource,
    pub device_id: Option<DeviceId>,
    pub client_punch_id: Option<String>,
    pub offline: bool,
    pub reason: Option<String>,
    pub needs_review: Vec<Review>,
}

/// One person's punches and places around a time, while they are added to.
pub(super) struct Timecard {
    pub(super) person: Person,
    /// In the order of [`Punch::order`].
    pub(super) punches: Vec<Punch>,
    /// Where the span begins that was the last one when it was looked at: nothing before it matters for what comes after.
    settled: usize,
    pub(super) engagements: Vec<Engagement>,
    /// Shifts that are locked and perhaps changed already.
    pub(super) shifts: Vec<Shift>,
    pub(super) settings: Settings,
}

impl Timecard {
    pub(super) async fn open(
        uow: &mut UnitOfWork,
        person: Person,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Self, StaffError> {
        let (from, to) = (from.plus_seconds(-LOOK_BACK_SECONDS), to.plus_seconds(LOOK_AHEAD_SECONDS));
        let Around { mut punches, engagements, settings } = timecards::around(uow, &person, from, to).await?;
        punches.sort_by(|one, other| one.order().cmp(&other.order()));
        Ok(Self { person, punches, settled: 0, engagements, shifts: Vec::new(), settings })
    }

    /// Adds a punch in its place, or puts it in place of what it was.
    pub(super) fn put(&mut self, punch: Punch) {
        if let Some(known) = self.punches.iter().rposition(|known| known.id == punch.id) {
            self.punches.remove(known);
            self.settled = if known <= self.settled { 0 } else { self.settled };
        }
        let place = self.punches.partition_point(|known| known.order() < punch.order());
        if place <= self.settled {
            self.settled = 0;
        }
        self.punches.insert(place, punch);
    }

    /// The punches that matter for one at a moment: a device that was away for a week sends hundreds, and each is looked at
    /// with those around it alone.
    fn around(&self, at: Timestamp) -> &[Punch] {
        let before = self.punches.get(self.settled).is_some_and(|begins| begins.at < at);
        &self.punches[if before { self.settled } else { 0 }..]
    }

    /// Looks where the last span begins that began before a moment.
    fn settle_before(&mut self, at: Timestamp) {
        let around = self.around(at);
        let passed = self.punches.len() - around.len();
        let folded = fold(around.iter().take_while(|punch| punch.at < at));
        let last = folded.spans.last();
        let begins = last.and_then(|span| around.iter().position(|punch| punch.id == span.came));
        self.settled = passed + begins.unwrap_or(0);
    }

    pub(super) fn folded(&self) -> Folded {
        fold(&self.punches)
    }

    /// How it stood at a moment.
    pub(super) fn until(&self, at: Timestamp) -> Folded {
        fold(self.around(at).iter().take_while(|punch| punch.at <= at))
    }

    /// The punch that this one is once more: of the same kind, within a minute, by a hand. Where the clock was only stopped for
    /// somebody, their own punch says when they really went.
    pub(super) fn same_as(&self, pressed: &Pressed) -> Option<&Punch> {
        self.punches.iter().find(|punch| {
            punch.kind == pressed.kind
                && punch.source != PunchSource::AutoClose
                && (punch.at.as_millis() - pressed.at.as_millis()).abs() <= SAME_MILLIS
        })
    }

    /// The shift an `in` belongs to: one with a place for the person, from a while before its start to its end.
    fn shift_for(&self, pressed: &Pressed) -> Result<Option<ShiftId>, StaffError> {
        let early = 60 * i64::from(self.settings.clock_in_early_minutes);
        let fitting = self.engagements.iter().filter(|engagement| {
            engagement.starts_at.plus_seconds(-early) <= pressed.at
                && pressed.at < engagement.ends_at
                && pressed.property_id.as_ref().is_none_or(|house| *house == engagement.property_id)
        });
        if let Some(named) = &pressed.shift_id {
            let mut fitting = fitting;
            return match fitting.find(|engagement| engagement.shift_id == *named) {
                Some(engagement) => Ok(Some(engagement.shift_id.clone())),
                None => Err(StaffError::NotAssigned),
            };
        }
        let distance = |engagement: &&Engagement| (engagement.starts_at.as_millis() - pressed.at.as_millis()).abs();
        Ok(fitting.min_by_key(distance).map(|engagement| engagement.shift_id.clone()))
    }

    /// Locks the shifts that a punch can touch, together and in the order of their ids: the one of a span that is open, and the
    /// one it belongs to.
    async fn lock_for(&mut self, uow: &mut UnitOfWork, pressed: &Pressed) -> Result<(), StaffError> {
        let open = self.until(pressed.at).open().and_then(|span| span.shift_id.clone());
        let own = match pressed.kind {
            PunchKind::In => self.shift_for(pressed)?,
            _ => None,
        };
        let believed = match pressed.kind {
            PunchKind::Out => {
                believed_out(self.around(pressed.at), pressed.at).and_then(|punch| punch.shift_id.clone())
            }
            _ => None,
        };
        let ids = [open, own, believed].into_iter().flatten();
        let missing: Vec<_> = ids.filter(|id| !self.shifts.iter().any(|shift| shift.id == *id)).collect();
        if !missing.is_empty() {
            self.shifts.extend(shifts::lock_all(uow, &missing).await?);
        }
        Ok(())
    }

    /// Locks all shifts of the person in a time, together and in the order of their ids.
    pub(super) async fn lock_between(
        &mut self,
        uow: &mut UnitOfWork,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<(), StaffError> {
        let from = from.plus_seconds(-24 * 60 * 60);
        let engaged = self.engagements.iter().filter(|one| one.ends_at > from && one.starts_at < to);
        let punched = self.punches.iter().filter(|punch| punch.at > from).filter_map(|punch| punch.shift_id.clone());
        let mut ids: Vec<_> = engaged.map(|one| one.shift_id.clone()).chain(punched).collect();
        ids.sort();
        ids.dedup();
        if !ids.is_empty() {
            self.shifts = shifts::lock_all(uow, &ids).await?;
        }
        Ok(())
    }

    /// The shift as it is by now: locked, and with what this card has done to it already.
    async fn shift_now(&mut self, uow: &mut UnitOfWork, id: Option<&ShiftId>) -> Result<Option<Shift>, StaffError> {
        let Some(id) = id else { return Ok(None) };
        match self.shifts.iter().position(|shift| shift.id == *id) {
            Some(at) => Ok(Some(self.shifts[at].clone())),
            None => shifts::lock(uow, id).await,
        }
    }

    pub(super) fn check_period(&self, at: Timestamp) -> Result<(), StaffError> {
        let day = day_of(at, &self.settings);
        match self.settings.locked_through {
            Some(locked) if day <= locked => Err(StaffError::PeriodLocked),
            _ => Ok(()),
        }
    }

    /// Adds a punch, and whatever goes with it. A live one must fit; one that waited on a device is kept as an orphan.
    pub(super) async fn press(&mut self, uow: &mut UnitOfWork, pressed: Pressed) -> Result<Punch, StaffError> {
        // Where the clock is stopped for somebody, that is what payroll went by.
        if pressed.source != PunchSource::AutoClose {
            self.check_period(pressed.at)?;
        }
        self.settle_before(pressed.at);
        self.lock_for(uow, &pressed).await?;
        self.close_forgotten(uow, &pressed).await?;
        if let Some(replaced) = self.replace_believed(uow, &pressed)? {
            return Ok(replaced);
        }
        let before = self.until(pressed.at);
        let mut needs_review = pressed.needs_review.clone();
        let (shift_id, property) = if pressed.kind == PunchKind::In {
            let shift = self.shift_for(&pressed)?;
            if shift.is_none() {
                needs_review.push(Review::Unscheduled);
            }
            (shift, pressed.property_id.clone())
        } else {
            let open = before.open();
            (open.and_then(|span| span.shift_id.clone()), open.map(|span| span.property_id.clone()))
        };
        let shift = self.shift_now(uow, shift_id.as_ref()).await?;
        let home = &self.person.particulars.home_property_id;
        let property_id =
            shift.as_ref().map(|shift| shift.property_id.clone()).or(property).unwrap_or_else(|| home.clone());
        if !self.person.particulars.property_access.contains(&property_id) {
            return Err(StaffError::NoPropertyAccess);
        }
        let mut punch = Punch {
            id: uow.next_id(),
            staff_id: self.person.id.clone(),
            property_id,
            shift_id,
            kind: pressed.kind,
            at: pressed.at,
            recorded_at: uow.now(),
            source: pressed.source,
            device_id: pressed.device_id.clone(),
            client_punch_id: pressed.client_punch_id.clone(),
            from_offline_replay: pressed.offline,
            needs_review,
            reviewed_note: None,
            reason: pressed.reason.clone(),
            version: 1,
        };
        let resting = pressed.kind == PunchKind::Out && before.presence() == Presence::OnBreak;
        let around = self.around(pressed.at);
        let after: Vec<_> = around.iter().chain(std::iter::once(&punch)).cloned().collect();
        if !fits(around, &after) {
            if !pressed.offline {
                return Err(StaffError::ClockSequence { state: before.presence() });
            }
            punch.needs_review.push(Review::Orphan);
        }
        let mut following = Vec::new();
        if resting {
            // Whoever goes home from a break has ended it.
            let (id, kind) = (uow.next_id(), PunchKind::BreakEnded);
            following.push(Punch { id, kind, client_punch_id: None, needs_review: Vec::new(), ..punch.clone() });
        }
        following.push(punch.clone());
        let mut running = shift;
        for one in following {
            let saved = uow.save(one.record());
            self.put(saved.clone());
            if let Some(shift) = running.take() {
                let kept = Attendance::of(uow, &shift).await?;
                let own = self.punches.iter().filter(|own| own.shift_id.as_ref() == Some(&shift.id));
                let there = own.fold(kept, Attendance::with);
                running = Some(follow(uow, shift, &there, &saved).await?);
            }
        }
        if let Some(shift) = running {
            self.shifts.retain(|known| known.id != shift.id);
            self.shifts.push(shift);
        }
        Ok(punch)
    }

    /// When somebody really went, where the clock had been stopped for them: the same entry, with what it was kept beside it.
    fn replace_believed(&mut self, uow: &mut UnitOfWork, pressed: &Pressed) -> Result<Option<Punch>, StaffError> {
        if pressed.kind != PunchKind::Out || pressed.source == PunchSource::AutoClose {
            return Ok(None);
        }
        let Some(believed) = believed_out(self.around(pressed.at), pressed.at).cloned() else { return Ok(None) };
        self.check_period(believed.at)?;
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

    /// Whoever comes and was never seen to go has forgotten it: the clock is stopped for them where they should have gone.
    async fn close_forgotten(&mut self, uow: &mut UnitOfWork, pressed: &Pressed) -> Result<(), StaffError> {
        let before = self.until(pressed.at);
        let Some(open) = before.open().cloned() else { return Ok(()) };
        let limit = i64::from(self.settings.max_open_minutes);
        if pressed.kind != PunchKind::In || pressed.at.minutes_since(open.from) <= limit {
            return Ok(());
        }
        let around = self.around(pressed.at);
        let last = around.iter().filter(|punch| open.punches.contains(&punch.id)).map(|punch| punch.at).max();
        let end = match &open.shift_id {
            Some(shift) => self.engagements.iter().find(|one| one.shift_id == *shift).map(|one| one.ends_at),
            None => None,
        };
        let usual = open.from.plus_seconds(60 * i64::from(self.settings.standard_day_minutes));
        let at = end.unwrap_or(usual).max(last.unwrap_or(open.from)).min(pressed.at);
        let out = Pressed {
            kind: PunchKind::Out,
            at,
            property_id: None,
            shift_id: None,
            source: PunchSource::AutoClose,
            device_id: None,
            client_punch_id: None,
            offline: pressed.offline,
            reason: None,
            needs_review: vec![Review::MissedOut],
        };
        Box::pin(self.press(uow, out)).await?;
        Ok(())
    }

    /// Punches whose other half came later belong to its shift, and those that fit nowhere any more to none: told again.
    pub(super) fn settle(&mut self, uow: &mut UnitOfWork) {
        let folded = self.folded();
        let spans: HashMap<_, _> =
            folded.spans.iter().flat_map(|span| span.punches.iter().map(move |punch| (punch, span))).collect();
        for punch in &mut self.punches {
            let moved = match spans.get(&punch.id) {
                Some(span) => punch.clone().belong_to(span.shift_id.clone()),
                None => punch.clone().orphan(),
            };
            if let Some(moved) = moved {
                *punch = uow.save(moved);
            }
        }
    }

    /// The punch as it is after all that followed from it.
    pub(super) fn now_of(&self, punch: Punch) -> Punch {
        self.punches.iter().find(|one| one.id == punch.id).cloned().unwrap_or(punch)
    }
}

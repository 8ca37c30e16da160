//! One person's punches and places around a time: where a punch belongs, what goes with it, and what was forgotten.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use contracts::ids::{ClockEntryId, DeviceId, PropertyId, ShiftId, StaffId};
use contracts::time::Timestamp;
use platform::{Refusal, UnitOfWork};

use super::SAME_SECONDS;
use super::forgotten::{self, says_something};
use super::so_far::SoFar;
use crate::StaffError;
use crate::application::presence::{Attendance, LOOK_AHEAD_SECONDS, LOOK_BACK_SECONDS, concerns, follow};
use crate::domain::person::Person;
use crate::domain::planning::Engagement;
use crate::domain::punch::{Folded, Presence, Punch, PunchKind, PunchSource, Review, fold, new_orphans};
use crate::domain::settings::Settings;
use crate::domain::shift::Shift;
use crate::domain::stay::sign;
use crate::infrastructure::timecards::{self, Around};
use crate::infrastructure::{settings as rules, shifts};

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
    /// What they were before anything was added.
    pub(super) as_opened: Vec<Punch>,
    /// Where the span begins that was the last one when it was looked at: nothing before it matters for what comes after.
    settled: usize,
    /// An `out` that a device may still say better, so that nobody has been told of it: see [`super::supposing`].
    pub(super) supposed: Option<ClockEntryId>,
    pub(super) engagements: Vec<Engagement>,
    /// What this unit of work has done, on other cards too.
    pub(super) so_far: SoFar,
    /// What is in force at home.
    settings: Settings,
    /// What is in force in other houses that the card has to do with.
    elsewhere: BTreeMap<PropertyId, Settings>,
}

/// A punch in its place, with those that go with it.
struct Placed {
    punch: Punch,
    /// In their order.
    all: Vec<Punch>,
    /// The shift that they are of, where they fit.
    shift: Option<Shift>,
    /// When the clock is to be stopped after it.
    forgot: Option<Timestamp>,
}

/// From where to where one looks for what matters between two moments.
fn looked_at(from: Timestamp, to: Timestamp) -> (Timestamp, Timestamp) {
    (from.plus_seconds(-LOOK_BACK_SECONDS), to.plus_seconds(LOOK_AHEAD_SECONDS))
}

impl Timecard {
    pub(super) async fn open(
        uow: &mut UnitOfWork,
        person: Person,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Self, StaffError> {
        let (from, to) = looked_at(from, to);
        let around = timecards::around(uow, &person, from, to).await?;
        Self::over(uow, person, around).await
    }

    /// The card of somebody who works here, whom nobody else is at meanwhile.
    pub(super) async fn lock(uow: &mut UnitOfWork, staff: &StaffId, at: Timestamp) -> Result<Self, StaffError> {
        let (from, to) = looked_at(at, at);
        let (person, around) = timecards::lock_around(uow, staff, from, to).await?.ok_or(Refusal::NotStaff)?;
        Self::over(uow, person, around).await
    }

    async fn over(uow: &mut UnitOfWork, person: Person, around: Around) -> Result<Self, StaffError> {
        let Around { mut punches, engagements, settings } = around;
        punches.sort_by(|one, other| one.order().cmp(&other.order()));
        let punched = punches.iter().map(|punch| punch.property_id.clone());
        let houses: BTreeSet<_> = engagements.iter().map(|one| one.property_id.clone()).chain(punched).collect();
        let (as_opened, elsewhere, so_far) = (punches.clone(), BTreeMap::new(), SoFar::default());
        let (settled, supposed) = (0, None);
        let mut card = Self { person, punches, as_opened, settled, supposed, engagements, so_far, settings, elsewhere };
        card.know(uow, houses).await?;
        Ok(card)
    }

    /// Looks up what is in force in these houses. At home that is known already, and most people work nowhere else.
    pub(super) async fn know(
        &mut self,
        uow: &mut UnitOfWork,
        houses: impl IntoIterator<Item = PropertyId>,
    ) -> Result<(), StaffError> {
        for house in houses {
            if house != self.person.particulars.home_property_id && !self.elsewhere.contains_key(&house) {
                let in_force = rules::in_force(uow, &house).await?;
                self.elsewhere.insert(house, in_force);
            }
        }
        Ok(())
    }

    /// What is in force in a house.
    pub(super) fn settings_in(&self, house: Option<&PropertyId>) -> &Settings {
        house.and_then(|house| self.elsewhere.get(house)).unwrap_or(&self.settings)
    }

    /// Adds a punch in its place, or puts it in place of what it was.
    pub(super) fn put(&mut self, punch: Punch) {
        self.so_far.note(&punch);
        // What is new is nowhere yet, and need not be looked for among hundreds.
        if punch.version > 1 {
            self.take_away(&punch.id);
        }
        self.insert(punch);
    }

    /// Adds a punch in its place, and nobody else sees it.
    pub(super) fn insert(&mut self, punch: Punch) {
        let place = self.punches.partition_point(|known| known.order() < punch.order());
        if place <= self.settled {
            self.settled = 0;
        }
        self.punches.insert(place, punch);
    }

    pub(super) fn take_away(&mut self, id: &ClockEntryId) -> Option<Punch> {
        let known = self.punches.iter().rposition(|known| known.id == *id)?;
        self.settled = if known <= self.settled { 0 } else { self.settled };
        Some(self.punches.remove(known))
    }

    /// The punches that matter for one at a moment: a device that was away for a week sends hundreds, and each is looked at
    /// with those around it alone.
    pub(super) fn around(&self, at: Timestamp) -> &[Punch] {
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
        let (from, to) = (pressed.at.plus_seconds(-SAME_SECONDS), pressed.at.plus_seconds(SAME_SECONDS));
        let first = self.punches.partition_point(|punch| punch.at < from);
        let mut near = self.punches[first..].iter().take_while(|punch| punch.at <= to);
        near.find(|punch| punch.kind == pressed.kind && punch.source != PunchSource::AutoClose)
    }

    /// From when on an `in` belongs to a shift.
    fn opens_at(&self, engagement: &Engagement) -> Timestamp {
        let early = self.settings_in(Some(&engagement.property_id)).clock_in_early_minutes;
        engagement.starts_at.plus_seconds(-60 * i64::from(early))
    }

    /// The shift an `in` belongs to: one with a place for the person, from a while before its start to its end.
    fn shift_for(&self, pressed: &Pressed) -> Result<Option<&Engagement>, StaffError> {
        let house = pressed.property_id.as_ref();
        let Some(named) = &pressed.shift_id else { return Ok(self.nearest_shift(pressed.at, house)) };
        let named = self.shifts_at(pressed.at, house).find(|engagement| engagement.shift_id == *named);
        named.map(Some).ok_or(StaffError::NotAssigned)
    }

    /// Of those that an `in` of a moment may belong to, the one that begins nearest to it.
    pub(super) fn nearest_shift(&self, at: Timestamp, house: Option<&PropertyId>) -> Option<&Engagement> {
        let distance = |engagement: &&Engagement| (engagement.starts_at.as_millis() - at.as_millis()).abs();
        self.shifts_at(at, house).min_by_key(distance)
    }

    fn shifts_at(&self, at: Timestamp, house: Option<&PropertyId>) -> impl Iterator<Item = &Engagement> {
        self.engagements.iter().filter(move |engagement| {
            self.opens_at(engagement) <= at
                && at < engagement.ends_at
                && house.is_none_or(|house| *house == engagement.property_id)
        })
    }

    /// The house that a punch would be of: for an `in` that of its shift, else the one that it names; for what follows that of the span, or
    /// of the entry that it stands for. What fits nowhere is of the person's own.
    pub(super) fn house_of(&self, pressed: &Pressed) -> Result<PropertyId, StaffError> {
        let house = if pressed.kind == PunchKind::In {
            let planned = self.shift_for(pressed)?.map(|engagement| engagement.property_id.clone());
            planned.or_else(|| pressed.property_id.clone())
        } else {
            let before = self.until(pressed.at);
            let there = before.open().filter(|_| self.forgot_before(&before, pressed).is_none());
            let there = there.map(|span| span.property_id.clone());
            there.or_else(|| self.stands_for(pressed).map(|(_, believed)| believed.property_id.clone()))
        };
        Ok(house.unwrap_or_else(|| self.person.particulars.home_property_id.clone()))
    }

    /// Locks the shifts that a punch can touch, together and in the order of their ids: the one of a span that is open, the one it
    /// belongs to, and those of an `in` that has found no place yet.
    async fn lock_for(&mut self, uow: &mut UnitOfWork, before: &Folded, pressed: &Pressed) -> Result<(), StaffError> {
        let open = before.open().and_then(|span| span.shift_id.clone());
        let own = match pressed.kind {
            PunchKind::In => self.shift_for(pressed)?.map(|engagement| engagement.shift_id.clone()),
            _ => None,
        };
        let believed = match pressed.kind {
            PunchKind::Out => self.believed(pressed.at).and_then(|(_, punch)| punch.shift_id.clone()),
            _ => None,
        };
        let waiting = self.around(pressed.at).iter().filter(|punch| punch.kind == PunchKind::In && punch.is_orphan());
        let waiting = waiting.filter_map(|punch| punch.shift_id.clone());
        let ids: Vec<_> = [open, own, believed].into_iter().flatten().chain(waiting).collect();
        self.so_far.lock(uow, ids).await
    }

    /// All shifts that what is punched from a moment to another can touch.
    pub(super) fn shifts_between(&self, from: Timestamp, to: Timestamp) -> impl Iterator<Item = ShiftId> {
        let from = from.plus_seconds(-24 * 60 * 60);
        let engaged = self.engagements.iter().filter(move |one| one.ends_at > from && self.opens_at(one) <= to);
        let punched = self.punches.iter().filter(move |punch| punch.at > from);
        engaged.map(|one| one.shift_id.clone()).chain(punched.filter_map(|punch| punch.shift_id.clone()))
    }

    /// The shift as it is by now: locked, and with what this unit of work has done to it already.
    pub(super) async fn shift_now(
        &self,
        uow: &mut UnitOfWork,
        id: Option<&ShiftId>,
    ) -> Result<Option<Shift>, StaffError> {
        let Some(id) = id else { return Ok(None) };
        match self.so_far.shift(id) {
            Some(shift) => Ok(Some(shift.clone())),
            None => shifts::lock(uow, id).await,
        }
    }

    /// Adds a punch, and whatever goes with it. A live one must fit; one that waited on a device is kept as an orphan. So is one half
    /// of a day that a manager adds, where somebody punched again since: the other half would not fit without it.
    pub(super) async fn press(&mut self, uow: &mut UnitOfWork, pressed: Pressed) -> Result<Punch, StaffError> {
        self.know(uow, pressed.property_id.clone()).await?;
        let known_to_go = self.judge_supposed(uow, &pressed).await?;
        self.settle_before(pressed.at);
        let mut before = self.until(pressed.at);
        self.lock_for(uow, &before, &pressed).await?;
        if let Some(at) = self.forgot_before(&before, &pressed) {
            // Before their next punch.
            Box::pin(self.press(uow, forgotten::stopped_at(at, pressed.offline))).await?;
            before = self.until(pressed.at);
        }
        if !known_to_go && let Some(replaced) = self.replace_believed(uow, &pressed).await? {
            return Ok(replaced);
        }
        let Placed { punch, all, shift, forgot } = self.place(uow, &before, &pressed).await?;
        self.record(uow, all, shift).await?;
        match forgot.map(|at| forgotten::stopped_at(at, pressed.offline)) {
            Some(stopped) if pressed.offline => self.suppose(uow, &stopped).await?,
            Some(stopped) => {
                Box::pin(self.press(uow, stopped)).await?;
            }
            None => {}
        }
        Ok(punch)
    }

    /// The clock, stopped where nobody says better.
    async fn suppose(&mut self, uow: &mut UnitOfWork, stopped: &Pressed) -> Result<(), StaffError> {
        self.settle_before(stopped.at);
        let before = self.until(stopped.at);
        self.lock_for(uow, &before, stopped).await?;
        let Placed { punch, all, shift, .. } = self.place(uow, &before, stopped).await?;
        if all.len() > 1 {
            // They were seen to rest: what is known of it already says more than a guess.
            return self.record(uow, all, shift).await;
        }
        self.supposed = Some(punch.id.clone());
        self.insert(punch);
        Ok(())
    }

    /// Where a punch belongs, and what goes with it; nothing is recorded yet.
    async fn place(&mut self, uow: &mut UnitOfWork, before: &Folded, pressed: &Pressed) -> Result<Placed, StaffError> {
        let open = before.open();
        let mut needs_review = pressed.needs_review.clone();
        let (shift_id, property, began) = if pressed.kind == PunchKind::In {
            let shift = self.shift_for(pressed)?.map(|engagement| engagement.shift_id.clone());
            if shift.is_none() {
                needs_review.push(Review::Unscheduled);
            }
            (shift, pressed.property_id.clone(), pressed.at)
        } else {
            let began = open.map_or(pressed.at, |span| span.from);
            (open.and_then(|span| span.shift_id.clone()), open.map(|span| span.property_id.clone()), began)
        };
        let shift = self.shift_now(uow, shift_id.as_ref()).await?;
        let home = &self.person.particulars.home_property_id;
        let property_id =
            shift.as_ref().map(|shift| shift.property_id.clone()).or(property).unwrap_or_else(|| home.clone());
        // Whoever came may rest and go, though the house is not theirs any more.
        let coming = open.is_none() || pressed.kind == PunchKind::In;
        if coming && !self.person.particulars.property_access.contains(&property_id) {
            return Err(StaffError::NoPropertyAccess);
        }
        // Where the clock is stopped for somebody, that is what payroll went by.
        if pressed.source != PunchSource::AutoClose {
            self.check_period(uow, &property_id, (shift_id.as_ref(), began)).await?;
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
        let (forgot, loose) = self.what_becomes_of(uow, &punch);
        if loose.contains(&punch.id) {
            punch.needs_review.push(Review::Orphan);
        }
        // Nor is the clock kept from being stopped by what was punched when it was due to be already.
        let must_fit = !pressed.offline && pressed.source != PunchSource::AutoClose;
        if !loose.is_empty() && must_fit && !self.is_half_a_day(&punch, &loose) {
            return Err(StaffError::ClockSequence { state: before.presence() });
        }
        let mut all = Vec::with_capacity(2);
        if resting {
            // Whoever goes home from a break has ended it.
            let (id, kind) = (uow.next_id(), PunchKind::BreakEnded);
            all.push(Punch { id, kind, client_punch_id: None, needs_review: Vec::new(), ..punch.clone() });
        }
        all.push(punch.clone());
        // What fits nowhere begins and ends nothing.
        let shift = shift.filter(|_| !punch.is_orphan());
        Ok(Placed { punch, all, shift, forgot })
    }

    /// Keeps punches and tells of them, each with what it does to the shift they are of.
    pub(super) async fn record(
        &mut self,
        uow: &mut UnitOfWork,
        punches: Vec<Punch>,
        mut shift: Option<Shift>,
    ) -> Result<(), StaffError> {
        for one in punches {
            let saved = uow.save(one.record());
            self.put(saved.clone());
            if let Some(running) = shift.take() {
                shift = Some(self.follow_up(uow, running, &saved).await?);
            }
        }
        if let Some(shift) = shift {
            self.so_far.keep(shift);
        }
        Ok(())
    }

    /// When the clock is to be stopped after an `in` that is put before other punches, and which punches fit nowhere then that did before.
    fn what_becomes_of(&self, uow: &UnitOfWork, punch: &Punch) -> (Option<Timestamp>, Vec<ClockEntryId>) {
        let around = self.around(punch.at);
        let mut after = fold(around.iter().chain([punch]));
        let begins = punch.kind == PunchKind::In && after.spans.iter().any(|span| span.came == punch.id);
        let following = around.iter().filter(|known| known.order() > punch.order() && says_something(known)).map(sign);
        let forgot = if begins { self.forgot(punch, following) } else { None };
        if let Some(at) = forgot {
            let (id, kind, source) = (uow.next_id(), PunchKind::Out, PunchSource::AutoClose);
            let stopped = Punch { id, kind, at, source, ..punch.clone() };
            after = fold(around.iter().chain([punch, &stopped]));
        }
        (forgot, new_orphans(around, after))
    }

    /// Whether a punch is half of a day that a manager adds after somebody has punched again.
    fn is_half_a_day(&self, punch: &Punch, loose: &[ClockEntryId]) -> bool {
        let later = self.punches.last().is_some_and(|last| last.at > punch.at);
        let half = punch.source == PunchSource::ManagerOverride && punch.kind != PunchKind::In;
        half && later && *loose == [punch.id.clone()]
    }

    /// What a punch does to its shift, by all that is known of it by now.
    pub(super) async fn follow_up(
        &mut self,
        uow: &mut UnitOfWork,
        shift: Shift,
        punch: &Punch,
    ) -> Result<Shift, StaffError> {
        if !concerns(&shift, punch) {
            return Ok(shift);
        }
        let mut there = self.so_far.on_shift(uow, &shift.id).await?;
        let around = self.around(punch.at);
        let (passed, loose) = (self.punches.len() - around.len(), fold(around).orphans);
        let own = self.punches.iter().enumerate().filter(|(_, own)| own.shift_id.as_ref() == Some(&shift.id));
        // What is not settled yet says of itself what it was.
        let orphan = |place: usize, own: &Punch| if place < passed { own.is_orphan() } else { loose.contains(&own.id) };
        let own: Vec<_> = own.map(|(place, own)| own.clone().seen_as_orphan(orphan(place, own))).collect();
        there.retain(|known| !own.iter().any(|own| own.id == known.id));
        there.extend(own);
        let settings = self.settings_in(Some(&shift.property_id));
        follow(uow, shift, &Attendance::from_punches(there), punch, settings)
    }

    /// A shift that began with a punch that was put right began when that says.
    pub(super) async fn first_came_at(
        &mut self,
        uow: &mut UnitOfWork,
        punch: &Punch,
        was: Timestamp,
    ) -> Result<(), StaffError> {
        if punch.kind != PunchKind::In {
            return Ok(());
        }
        let Some(shift) = self.shift_now(uow, punch.shift_id.as_ref()).await? else { return Ok(()) };
        if let Some(right) = shift.first_came((&punch.staff_id, was), punch.at, uow.now()) {
            self.so_far.keep(uow.save(right));
        }
        Ok(())
    }

    /// What follows for all others from what was added.
    pub(super) async fn settle(&mut self, uow: &mut UnitOfWork) -> Result<(), StaffError> {
        self.tell_supposed(uow).await?;
        self.believe_anew(uow).await?;
        self.belong_anew(uow).await
    }

    /// Punches whose other half came later belong to its shift, and those that fit nowhere any more to none: told again. What comes
    /// before the first `in` of the card is left as it is: nothing that happens after it can change it.
    pub(super) async fn belong_anew(&mut self, uow: &mut UnitOfWork) -> Result<(), StaffError> {
        let folded = self.folded();
        let spans: HashMap<_, _> =
            folded.spans.iter().flat_map(|span| span.punches.iter().map(move |punch| (punch, span))).collect();
        let mut begun = Vec::new();
        for punch in self.punches.iter_mut().skip_while(|punch| punch.kind != PunchKind::In) {
            let waited = punch.kind == PunchKind::In && punch.is_orphan();
            let moved = match spans.get(&punch.id) {
                Some(span) => punch.clone().belong_to(span.shift_id.clone()),
                None => punch.clone().orphan(),
            };
            if let Some(moved) = moved {
                *punch = uow.save(moved);
                self.so_far.note(punch);
                if waited && !punch.is_orphan() {
                    begun.push(punch.clone());
                }
            }
        }
        // An `in` that has found its place begins its shift like any other.
        self.so_far.lock(uow, begun.iter().filter_map(|punch| punch.shift_id.clone())).await?;
        for came in begun {
            if let Some(shift) = self.shift_now(uow, came.shift_id.as_ref()).await? {
                let shift = self.follow_up(uow, shift, &came).await?;
                self.so_far.keep(shift);
            }
        }
        Ok(())
    }

    /// The punch as it is after all that followed from it.
    pub(super) fn now_of(&self, punch: Punch) -> Punch {
        self.punches.iter().find(|one| one.id == punch.id).cloned().unwrap_or(punch)
    }
}

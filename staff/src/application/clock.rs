//! People punch the clock, now or later, and managers put right what they forgot.

use std::collections::{BTreeMap, HashMap};

use contracts::ids::{ClockEntryId, DeviceId, PropertyId, ShiftId, StaffId};
use contracts::time::Timestamp;
use platform::auth::{Caller, Role};
use platform::{Refusal, UnitOfWork};

use super::pin::{self, Taken};
use super::presence::{Attendance, LOOK_AHEAD_SECONDS, LOOK_BACK_SECONDS, follow};
use super::{day_of, is_leader, is_self, people as persons};
use crate::StaffError;
use crate::domain::person::{Employment, Person};
use crate::domain::planning::Engagement;
use crate::domain::punch::{Folded, Presence, Punch, PunchKind, PunchSource, Review, believed_out, fits, fold};
use crate::domain::settings::Settings;
use crate::domain::shift::Shift;
use crate::infrastructure::{people, punches, settings, shifts};

/// The same kind of punch within this is the same punch.
const SAME_MILLIS: i64 = 60_000;
const EARLIEST_SECONDS: i64 = 5 * 60;
const LATEST_SECONDS: i64 = 2 * 60;
/// How far back a manager may put something right.
const OVERRIDE_SECONDS: i64 = 62 * 24 * 60 * 60;
/// A clock of a device that is wrong by more than this is corrected.
const SKEW_SECONDS: i64 = 60;

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

/// A punch and what it leads to.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub punch: Punch,
    pub presence: Presence,
    /// It was known before, and nothing was changed.
    pub duplicate: bool,
}

/// One person's punches and places around a time, while they are added to.
struct Timecard {
    person: Person,
    /// In the order of [`Punch::order`].
    punches: Vec<Punch>,
    /// Where the span begins that was the last one when it was looked at: nothing before it matters for what comes after.
    settled: usize,
    engagements: Vec<Engagement>,
    /// Shifts that are locked and perhaps changed already.
    shifts: Vec<Shift>,
    settings: Settings,
}

impl Timecard {
    async fn open(uow: &mut UnitOfWork, person: Person, from: Timestamp, to: Timestamp) -> Result<Self, StaffError> {
        let (from, to) = (from.plus_seconds(-LOOK_BACK_SECONDS), to.plus_seconds(LOOK_AHEAD_SECONDS));
        let mut own = punches::of_person(uow, &person.id, from, to).await?;
        own.sort_by(|one, other| one.order().cmp(&other.order()));
        let engaged = shifts::engagements(uow, std::slice::from_ref(&person.id), from, to).await?;
        let settings = settings::in_force(uow, &person.particulars.home_property_id).await?;
        let engagements = engaged.into_iter().map(|(_, engagement)| engagement).collect();
        Ok(Self { person, punches: own, settled: 0, engagements, shifts: Vec::new(), settings })
    }

    /// Adds a punch in its place, or puts it in place of what it was.
    fn put(&mut self, punch: Punch) {
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

    fn folded(&self) -> Folded {
        fold(&self.punches)
    }

    /// How it stood at a moment.
    fn until(&self, at: Timestamp) -> Folded {
        fold(self.around(at).iter().take_while(|punch| punch.at <= at))
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
            PunchKind::Out => believed_out(self.around(pressed.at), pressed.at).and_then(|punch| punch.shift_id.clone()),
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
    async fn lock_between(&mut self, uow: &mut UnitOfWork, from: Timestamp, to: Timestamp) -> Result<(), StaffError> {
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

    fn check_period(&self, at: Timestamp) -> Result<(), StaffError> {
        let day = day_of(at, &self.settings);
        match self.settings.locked_through {
            Some(locked) if day <= locked => Err(StaffError::PeriodLocked),
            _ => Ok(()),
        }
    }

    /// Adds a punch, and whatever goes with it. A live one must fit; one that waited on a device is kept as an orphan.
    async fn press(&mut self, uow: &mut UnitOfWork, pressed: Pressed) -> Result<Punch, StaffError> {
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
    fn settle(&mut self, uow: &mut UnitOfWork) {
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
    fn now_of(&self, punch: Punch) -> Punch {
        self.punches.iter().find(|one| one.id == punch.id).cloned().unwrap_or(punch)
    }
}

/// Who may punch: whoever works here; who is sent home may only go.
fn may_press(person: &Person, kind: PunchKind) -> Result<(), StaffError> {
    match person.employment {
        Employment::PendingInvite | Employment::Active => Ok(()),
        Employment::Suspended if kind == PunchKind::Out => Ok(()),
        Employment::Suspended | Employment::Terminated(_) => Err(StaffError::StaffNotActive),
    }
}

async fn myself(uow: &mut UnitOfWork, caller: &Caller) -> Result<Person, StaffError> {
    let staff = caller.as_staff()?;
    Ok(people::lock(uow, &staff).await?.ok_or(Refusal::NotStaff)?)
}

/// Somebody punches, now: by a token of their own, or at a terminal with code and PIN.
pub async fn punch(
    uow: &mut UnitOfWork,
    caller: &Caller,
    (staff, shown): (Option<&StaffId>, Option<&Taken>),
    pressed: Pressed,
) -> Result<Recorded, StaffError> {
    let person = match shown {
        Some(taken) => pin::accept(uow, taken).await?,
        None if staff.is_some_and(|staff| !is_self(caller, staff)) => {
            return Err(StaffError::NotSelf { field: "staffId" });
        }
        None => myself(uow, caller).await?,
    };
    if let Some(house) = &pressed.property_id {
        caller.within(house)?;
    }
    let now = uow.now();
    let (first, last) = (now.plus_seconds(-EARLIEST_SECONDS), now.plus_seconds(LATEST_SECONDS));
    if pressed.at < first || pressed.at > last {
        let rule = "from 5 minutes ago to 2 minutes ahead; what is older comes by offline-replay or by a manager";
        return Err(StaffError::PunchTimeOutOfRange { rule: rule.to_owned() });
    }
    if let Some(known) = known_by_device(uow, &person, &pressed).await? {
        let card = Timecard::open(uow, person, now, now).await?;
        return Ok(Recorded { punch: known, presence: card.folded().presence(), duplicate: true });
    }
    may_press(&person, pressed.kind)?;
    let mut card = Timecard::open(uow, person, pressed.at, pressed.at).await?;
    let near = |punch: &&Punch| {
        punch.kind == pressed.kind && (punch.at.as_millis() - pressed.at.as_millis()).abs() <= SAME_MILLIS
    };
    if let Some(known) = card.punches.iter().find(near) {
        let presence = card.folded().presence();
        return Ok(Recorded { punch: known.clone(), presence, duplicate: true });
    }
    let punch = card.press(uow, pressed).await?;
    caller.within(&punch.property_id)?;
    card.settle(uow);
    Ok(Recorded { punch: card.now_of(punch), presence: card.folded().presence(), duplicate: false })
}

/// A punch that the device sent before under the same number of its own. Other content under it is refused.
async fn known_by_device(
    uow: &mut UnitOfWork,
    person: &Person,
    pressed: &Pressed,
) -> Result<Option<Punch>, StaffError> {
    let (Some(device), Some(id)) = (&pressed.device_id, &pressed.client_punch_id) else { return Ok(None) };
    let known = punches::by_device(uow, device, std::slice::from_ref(id)).await?.pop();
    same_punch(known, person, pressed, id)
}

fn same_punch(known: Option<Punch>, person: &Person, pressed: &Pressed, id: &str) -> Result<Option<Punch>, StaffError> {
    match known {
        Some(known)
            if known.staff_id != person.id
                || known.kind != pressed.kind
                || (known.version == 1 && (known.at.as_millis() - pressed.at.as_millis()).abs() > SAME_MILLIS) =>
        {
            Err(StaffError::ClientPunchIdReused { id: id.to_owned() })
        }
        known => Ok(known),
    }
}

/// What became of one punch of a replay.
#[derive(Debug)]
pub enum Replayed {
    Recorded(Punch),
    Duplicate(Punch),
    Refused(StaffError),
}

/// Whose punch it is that a device sends later.
#[derive(Debug)]
pub enum Whose {
    /// The caller's own.
    Own,
    /// Of somebody who showed code and PIN at a terminal.
    Shown(Taken),
    /// Of nobody: the PIN was refused.
    Nobodys(StaffError),
}

/// What one person sends: the PIN that was right, and each punch with its place in what was sent.
type Sent = (Option<Taken>, Vec<(usize, Pressed)>);

/// A device that was without a connection sends what was punched on it, in any order and as often as it likes.
pub async fn replay(
    uow: &mut UnitOfWork,
    caller: &Caller,
    sent_at: Timestamp,
    sent: Vec<(Whose, Pressed)>,
) -> Result<Vec<Replayed>, StaffError> {
    let skew = (uow.now().as_millis() - sent_at.as_millis()) / 1_000;
    let corrected = skew.abs() > SKEW_SECONDS;
    let mut results: Vec<Option<Replayed>> = Vec::with_capacity(sent.len());
    let mut each: BTreeMap<StaffId, Sent> = BTreeMap::new();
    for (place, (whose, mut pressed)) in sent.into_iter().enumerate() {
        if corrected {
            pressed.at = pressed.at.plus_seconds(skew);
            pressed.needs_review.push(Review::DeviceTime);
        }
        let (staff, taken) = match whose {
            Whose::Own => (caller.as_staff()?, None),
            Whose::Shown(taken) => (taken.staff_id.clone(), Some(taken)),
            Whose::Nobodys(refused) => {
                results.push(Some(Replayed::Refused(refused)));
                continue;
            }
        };
        results.push(None);
        each.entry(staff).or_insert_with(|| (taken, Vec::new())).1.push((place, pressed));
    }
    // All people first, in the order of their ids.
    let ids: Vec<_> = each.keys().cloned().collect();
    let mut locked = people::lock_all(uow, &ids).await?;
    for (staff, (taken, pressed)) in each {
        let at = locked.iter().position(|person| person.id == staff);
        let person = match (taken, at) {
            (Some(taken), _) => pin::accept(uow, &taken).await,
            (None, Some(at)) => Ok(locked.swap_remove(at)),
            (None, None) => Err(Refusal::NotStaff.into()),
        };
        match person {
            Ok(person) => {
                for (place, result) in replay_of(uow, caller, person, pressed).await? {
                    results[place] = Some(result);
                }
            }
            // Another PIN by now, or gone.
            Err(StaffError::PinRefused) => {
                for (place, _) in pressed {
                    results[place] = Some(Replayed::Refused(StaffError::PinRefused));
                }
            }
            Err(other) => return Err(other),
        }
    }
    Ok(results.into_iter().flatten().collect())
}

/// What one person punched without a connection; each result with the place it was sent in.
async fn replay_of(
    uow: &mut UnitOfWork,
    caller: &Caller,
    person: Person,
    mut each: Vec<(usize, Pressed)>,
) -> Result<Vec<(usize, Replayed)>, StaffError> {
    let now = uow.now();
    each.sort_by_key(|(at, pressed)| (pressed.at, pressed.kind, *at));
    let known = match each.iter().find_map(|(_, pressed)| pressed.device_id.clone()) {
        Some(device) => {
            let ids: Vec<_> = each.iter().filter_map(|(_, pressed)| pressed.client_punch_id.clone()).collect();
            punches::by_device(uow, &device, &ids).await?
        }
        None => Vec::new(),
    };
    let mut known: HashMap<_, _> =
        known.into_iter().filter_map(|punch| Some((punch.client_punch_id.clone()?, punch))).collect();
    let first = each.first().map_or(now, |(_, pressed)| pressed.at).max(now.plus_seconds(-31 * 24 * 60 * 60));
    let mut card = Timecard::open(uow, person.clone(), first.min(now), now).await?;
    let oldest = now.plus_seconds(-24 * 60 * 60 * i64::from(card.settings.offline_max_days));
    card.lock_between(uow, first.min(now), now).await?;
    let mut results = Vec::with_capacity(each.len());
    for (place, pressed) in each {
        let id = pressed.client_punch_id.clone().unwrap_or_default();
        let seen = known.get(&id).cloned();
        let foreign = pressed.property_id.as_ref().is_some_and(|house| !caller.properties.include(house));
        let result = match same_punch(seen, &person, &pressed, &id) {
            Err(refused) => Replayed::Refused(refused),
            Ok(Some(punch)) => Replayed::Duplicate(punch),
            Ok(None) if foreign => Replayed::Refused(Refusal::ForeignProperty.into()),
            Ok(None) if pressed.at < oldest || pressed.at > now.plus_seconds(LATEST_SECONDS) => {
                let days = card.settings.offline_max_days;
                Replayed::Refused(StaffError::PunchTimeOutOfRange {
                    rule: format!("the last {days} days, and not ahead"),
                })
            }
            Ok(None) => match may_press(&person, pressed.kind) {
                Err(refused) => Replayed::Refused(refused),
                Ok(()) => match card.press(uow, pressed).await {
                    Ok(punch) => {
                        known.insert(id, punch.clone());
                        Replayed::Recorded(punch)
                    }
                    Err(StaffError::General(fault)) => return Err(StaffError::General(fault)),
                    Err(refused) => Replayed::Refused(refused),
                },
            },
        };
        results.push((place, result));
    }
    card.settle(uow);
    let now: HashMap<_, _> = card.punches.iter().map(|punch| (&punch.id, punch)).collect();
    let told = |result| match result {
        Replayed::Recorded(punch) => {
            Replayed::Recorded(now.get(&punch.id).copied().cloned().unwrap_or(punch))
        }
        other => other,
    };
    Ok(results.into_iter().map(|(place, result)| (place, told(result))).collect())
}

/// The person a manager acts for; oneself only as an admin.
async fn for_person(uow: &mut UnitOfWork, caller: &Caller, staff: &StaffId) -> Result<Person, StaffError> {
    let person = persons::load(uow, caller, None, staff).await?;
    if is_self(caller, staff) && !caller.roles.has(Role::Admin) {
        return Err(StaffError::NotSelf { field: "staffId" });
    }
    Ok(person)
}

fn check_reach(now: Timestamp, at: Timestamp) -> Result<(), StaffError> {
    if at > now.plus_seconds(LATEST_SECONDS) || at < now.plus_seconds(-OVERRIDE_SECONDS) {
        return Err(StaffError::PunchTimeOutOfRange { rule: "the last 62 days, and not ahead".to_owned() });
    }
    Ok(())
}

/// A manager punches for somebody who forgot.
pub async fn add(
    uow: &mut UnitOfWork,
    caller: &Caller,
    staff: &StaffId,
    pressed: Pressed,
) -> Result<Recorded, StaffError> {
    let person = for_person(uow, caller, staff).await?;
    check_reach(uow.now(), pressed.at)?;
    may_press(&person, pressed.kind)?;
    let mut card = Timecard::open(uow, person, pressed.at, pressed.at).await?;
    let punch = card.press(uow, pressed).await?;
    caller.within(&punch.property_id)?;
    card.settle(uow);
    Ok(Recorded { punch: card.now_of(punch), presence: card.folded().presence(), duplicate: false })
}

/// A manager corrects when it was. What it was, who changed it and why stays; the sequence may not break.
pub async fn correct(
    uow: &mut UnitOfWork,
    caller: &Caller,
    id: &ClockEntryId,
    at: Timestamp,
    reason: String,
) -> Result<Recorded, StaffError> {
    let seen = punches::find(uow, id).await?.ok_or(Refusal::NotFound("clock entry"))?;
    let person = for_person(uow, caller, &seen.staff_id).await?;
    check_reach(uow.now(), at)?;
    let mut card = Timecard::open(uow, person, seen.at.min(at), seen.at.max(at)).await?;
    card.check_period(seen.at)?;
    card.check_period(at)?;
    let place = card.punches.iter().position(|punch| punch.id == *id).ok_or(Refusal::NotFound("clock entry"))?;
    let decided = card.punches[place].clone().correct(at, reason);
    let mut after = card.punches.clone();
    after[place] = decided.state().clone();
    if !fits(&card.punches, &after) {
        return Err(StaffError::ClockSequence { state: card.until(at).presence() });
    }
    let punch = uow.save(decided);
    card.put(punch.clone());
    card.settle(uow);
    Ok(Recorded { punch: card.now_of(punch), presence: card.folded().presence(), duplicate: false })
}

/// Somebody has looked at a punch and it is well as it is.
pub async fn review(
    uow: &mut UnitOfWork,
    caller: &Caller,
    id: &ClockEntryId,
    note: Option<String>,
) -> Result<Punch, StaffError> {
    let found = punches::find(uow, id).await?.filter(|punch| caller.properties.include(&punch.property_id));
    let seen = found.ok_or(Refusal::NotFound("clock entry"))?;
    people::lock(uow, &seen.staff_id).await?;
    let punch = punches::find(uow, id).await?.ok_or(Refusal::NotFound("clock entry"))?;
    Ok(uow.save(punch.review(note)))
}

/// Whose punches a caller may look at: leaders anybody's, others their own.
pub fn visible(caller: &Caller, asked: Option<StaffId>) -> Result<Option<StaffId>, StaffError> {
    if is_leader(caller) {
        return Ok(asked);
    }
    let own = caller.as_staff()?;
    match asked {
        Some(other) if other != own => Err(StaffError::NotSelf { field: "staffId" }),
        _ => Ok(Some(own)),
    }
}

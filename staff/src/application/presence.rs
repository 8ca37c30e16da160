//! Who is there: what follows for shifts from what people punch.

use std::collections::{BTreeMap, BTreeSet};

use contracts::ids::{PropertyId, ShiftId, StaffId};
use contracts::time::Timestamp;
use platform::UnitOfWork;

use crate::StaffError;
use crate::domain::person::Person;
use crate::domain::punch::{Folded, Presence, Punch, PunchKind, PunchSource, Review, fold};
use crate::domain::settings::Settings;
use crate::domain::shift::{End, Shift, ShiftState};
use crate::domain::stay::just_after;
use crate::domain::words::{EndReason, PlaceRole};
use crate::infrastructure::{punches, settings, shifts};

/// So far back somebody's punches are looked at, and on to where they were last seen to go before that: longer than any day.
pub(crate) const LOOK_BACK_SECONDS: i64 = 8 * 24 * 60 * 60;
pub(crate) const LOOK_AHEAD_SECONDS: i64 = 2 * 24 * 60 * 60;

/// Who was and is there on one shift.
#[derive(Clone, Debug, Default)]
pub struct Attendance {
    punches: Vec<Punch>,
    people: BTreeMap<StaffId, Folded>,
}

impl Attendance {
    pub async fn of(uow: &mut UnitOfWork, shift: &Shift) -> Result<Self, StaffError> {
        Ok(Self::from_punches(punches::on_shifts(uow, std::slice::from_ref(&shift.id)).await?))
    }

    /// What fits nowhere counts for nobody: whoever it is of is where the others say.
    pub fn from_punches(mut punches: Vec<Punch>) -> Self {
        punches.retain(|punch| !punch.is_orphan());
        let mut each: BTreeMap<StaffId, Vec<&Punch>> = BTreeMap::new();
        for punch in &punches {
            each.entry(punch.staff_id.clone()).or_default().push(punch);
        }
        let people = each.into_iter().map(|(staff, own)| (staff, fold(own))).collect();
        Self { punches, people }
    }

    /// With one punch more, or one that is another now.
    #[must_use]
    pub fn with(self, punch: &Punch) -> Self {
        self.with_all(vec![punch.clone()])
    }

    /// With these as they are now.
    #[must_use]
    pub fn with_all(mut self, punches: Vec<Punch>) -> Self {
        self.punches.retain(|known| !punches.iter().any(|punch| punch.id == known.id));
        self.punches.extend(punches);
        Self::from_punches(self.punches)
    }

    pub fn since(&self, staff: &StaffId) -> Option<Timestamp> {
        self.people.get(staff).and_then(Folded::open).map(|span| span.from)
    }

    /// Everybody who punched on it.
    pub fn people(&self) -> impl Iterator<Item = &StaffId> {
        self.people.keys()
    }

    /// When somebody punched last on it, until a moment.
    pub fn last_punch(&self, staff: &StaffId, until: Timestamp) -> Option<Timestamp> {
        let own = self.punches.iter().filter(|punch| punch.staff_id == *staff && punch.at <= until);
        own.map(|punch| punch.at).max()
    }

    /// Who of those that are to work went last, and when.
    pub fn last_out(&self, shift: &Shift) -> Option<(StaffId, Timestamp)> {
        let primaries = shift.active().filter(|place| place.role == PlaceRole::Primary);
        let went = primaries.filter_map(|place| {
            let until = self.people.get(&place.staff_id)?.spans.iter().filter_map(|span| span.until).max()?;
            Some((place.staff_id.clone(), until))
        });
        went.max_by_key(|(_, until)| *until)
    }

    pub fn is_in(&self, staff: &StaffId) -> bool {
        self.since(staff).is_some()
    }

    /// Whether somebody was on a break, by what they punched until a moment.
    pub fn was_resting(&self, staff: &StaffId, until: Timestamp) -> bool {
        let own = self.punches.iter().filter(|punch| punch.staff_id == *staff && punch.at <= until);
        fold(own).presence() == Presence::OnBreak
    }

    /// How many of those who are to work are there.
    pub fn primaries_in(&self, shift: &Shift) -> u32 {
        let there = shift.active().filter(|place| place.role == PlaceRole::Primary && self.is_in(&place.staff_id));
        u32::try_from(there.count()).unwrap_or(u32::MAX)
    }

    /// When its minutes change by themselves next. `None`: nobody is there.
    pub fn steady_until(&self, now: Timestamp) -> Option<Timestamp> {
        let open = self.people.values().filter_map(Folded::open);
        open.map(|span| span.steady_until(now)).min()
    }

    /// Presence and breaks of all people together, as known now.
    pub fn minutes(&self, now: Timestamp) -> (i32, i32) {
        let spans = self.people.values().flat_map(|folded| &folded.spans);
        let (actual, rest) = spans
            .fold((0, 0), |(actual, rest), span| (actual + span.actual_minutes(now), rest + span.break_minutes(now)));
        (i32::try_from(actual).unwrap_or(i32::MAX), i32::try_from(rest).unwrap_or(i32::MAX))
    }
}

/// Whether a punch can do anything to its shift: only who is to work begins and ends it, by coming and by going.
pub(crate) fn concerns(shift: &Shift, punch: &Punch) -> bool {
    let turning = matches!(
        (punch.kind, &shift.state),
        (PunchKind::In, ShiftState::Scheduled) | (PunchKind::Out, ShiftState::Started(_))
    );
    turning && shift.place_of(&punch.staff_id).is_some_and(|place| place.role == PlaceRole::Primary)
}

/// What a punch does to its shift: the first primary begins it, the last one ends it near its end. Standbys do neither.
pub(crate) fn follow(
    uow: &mut UnitOfWork,
    shift: Shift,
    there: &Attendance,
    punch: &Punch,
    settings: &Settings,
) -> Result<Shift, StaffError> {
    if !concerns(&shift, punch) {
        return Ok(shift);
    }
    let now = uow.now();
    if punch.kind == PunchKind::In {
        let primaries = there.primaries_in(&shift);
        let started = if there.is_in(&punch.staff_id) {
            shift.start(punch.staff_id.clone(), punch.at, primaries, now)
        } else {
            None
        };
        return Ok(started.map_or(shift, |started| uow.save(started)));
    }
    let early = shift.plan.window.ends_at.plus_seconds(-60 * i64::from(settings.early_end_minutes));
    if punch.at < early || there.primaries_in(&shift) > 0 {
        return Ok(shift);
    }
    let (actual_minutes, break_minutes) = there.minutes(now);
    let (reason, last_by) = (EndReason::AllPrimaryClockedOut, Some(punch.staff_id.clone()));
    Ok(uow.save(shift.end(End { at: punch.at, reason, last_by, actual_minutes, break_minutes }, now)?))
}

/// Somebody's clock that is stopped by somebody else.
pub(crate) struct Stopped {
    pub staff_id: StaffId,
    pub property_id: PropertyId,
    pub shift_id: Option<ShiftId>,
    pub at: Timestamp,
    pub source: PunchSource,
    pub resting: bool,
}

/// When a clock is stopped at this moment. A device that is ahead may have punched a little later than now, and nobody goes before they
/// came.
fn stopped_now(now: Timestamp, last: Option<Timestamp>) -> Timestamp {
    last.map_or(now, |last| now.max(just_after(last)))
}

impl Stopped {
    /// The end of the break, where there is one, and the end.
    pub(crate) fn punches(&self, uow: &UnitOfWork) -> Vec<Punch> {
        let kinds: &[PunchKind] =
            if self.resting { &[PunchKind::BreakEnded, PunchKind::Out] } else { &[PunchKind::Out] };
        let forgot = self.source == PunchSource::AutoClose;
        let punch = |kind: &PunchKind| Punch {
            id: uow.next_id(),
            staff_id: self.staff_id.clone(),
            property_id: self.property_id.clone(),
            shift_id: self.shift_id.clone(),
            kind: *kind,
            at: self.at,
            recorded_at: uow.now(),
            source: self.source,
            device_id: None,
            client_punch_id: None,
            from_offline_replay: false,
            needs_review: if forgot && *kind == PunchKind::Out { vec![Review::MissedOut] } else { Vec::new() },
            reviewed_note: None,
            reason: None,
            version: 1,
        };
        kinds.iter().map(punch).collect()
    }
}

/// Clocks out everybody who is there on a shift; the shift itself is the caller's. Gives who was there, all gone. Where the clock
/// is stopped for those who forgot, they are believed to have stayed until its end, or until they punched last before the clock was due to
/// be stopped.
pub(crate) async fn close_all(
    uow: &mut UnitOfWork,
    shift: &Shift,
    due: Option<Timestamp>,
) -> Result<Attendance, StaffError> {
    let mut there = Attendance::of(uow, shift).await?;
    let now = uow.now();
    let inside: Vec<_> = there.people.keys().filter(|staff| there.is_in(staff)).cloned().collect();
    for staff in inside {
        let ends = shift.plan.window.ends_at;
        let ahead = now.plus_seconds(LOOK_AHEAD_SECONDS);
        let resting = there.was_resting(&staff, due.unwrap_or(ahead));
        // A break that was never ended begins before it ends.
        let heard = |last| if resting { just_after(last) } else { last };
        let believed = due.map(|due| there.last_punch(&staff, due).map_or(ends, |last| heard(last).max(ends)));
        let last = there.last_punch(&staff, ahead);
        let stopped = Stopped {
            staff_id: staff.clone(),
            property_id: shift.property_id.clone(),
            shift_id: Some(shift.id.clone()),
            at: believed.unwrap_or_else(|| stopped_now(now, last)),
            source: if believed.is_some() { PunchSource::AutoClose } else { PunchSource::ManagerOverride },
            resting,
        };
        for punch in stopped.punches(uow) {
            let punch = uow.save(punch.record());
            there = there.with(&punch);
        }
    }
    Ok(there)
}

/// Stops the clock of somebody who leaves for good. Gives whether it was running.
pub(crate) async fn stop(uow: &mut UnitOfWork, person: &Person, source: PunchSource) -> Result<bool, StaffError> {
    let now = uow.now();
    let (from, to) = (now.plus_seconds(-LOOK_BACK_SECONDS), now.plus_seconds(LOOK_AHEAD_SECONDS));
    let own = punches::of_person(uow, &person.id, from, to).await?;
    let folded = fold(&own);
    let Some(open) = folded.open().cloned() else { return Ok(false) };
    let last = own.iter().filter(|punch| open.punches.contains(&punch.id)).map(|punch| punch.at).max();
    let stopped = Stopped {
        staff_id: person.id.clone(),
        property_id: open.property_id.clone(),
        shift_id: open.shift_id.clone(),
        at: stopped_now(now, last),
        source,
        resting: folded.presence() == Presence::OnBreak,
    };
    // With those to come, which they give up next: together, in the order of their ids.
    let to_come = shifts::to_come(uow, &person.id).await?;
    let ids: BTreeSet<_> = to_come.into_iter().chain(open.shift_id.clone()).collect();
    let locked = shifts::lock_all(uow, &ids.into_iter().collect::<Vec<_>>()).await?;
    let mut shift = locked.into_iter().find(|shift| Some(&shift.id) == open.shift_id.as_ref());
    let mut there = match &shift {
        Some(shift) => Attendance::of(uow, shift).await?,
        None => Attendance::default(),
    };
    let settings = settings::in_force(uow, &open.property_id).await?;
    for punch in stopped.punches(uow) {
        let punch = uow.save(punch.record());
        there = there.with(&punch);
        if let Some(running) = shift.take() {
            shift = Some(follow(uow, running, &there, &punch, &settings)?);
        }
    }
    Ok(true)
}

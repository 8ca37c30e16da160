//! Punches of the clock, and the spans of work that follow from them.
//!
//! A punch is kept for ever and never changed but by a correction that keeps what it was. Spans are not kept: they are folded out
//! of the punches, whatever the order they came in and however often.

use std::collections::BTreeMap;

use contracts::ids::{ClockEntryId, DeviceId, PropertyId, ShiftId, StaffId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

contracts::closed_words! {
    /// What was punched. The order is that of punches at the same moment.
    PunchKind {
        BreakEnded = "break_ended",
        Out = "out",
        In = "in",
        BreakStarted = "break_started",
    }

    /// Where it was punched.
    PunchSource {
        ElectronPin = "electron_pin",
        Mobile = "mobile",
        Web = "web",
        ManagerOverride = "manager_override",
        AutoClose = "auto_close",
    }

    /// Where somebody stands by the clock.
    Presence {
        Out = "out",
        In = "in",
        OnBreak = "on_break",
    }

    /// Why somebody should look at a punch.
    Review {
        /// It belongs to no planned shift.
        Unscheduled = "unscheduled",
        /// It does not fit with what came before and after.
        Orphan = "orphan",
        /// The person forgot, and the clock was stopped for them.
        MissedOut = "missed_out",
        /// The clock of the device was wrong and was corrected.
        DeviceTime = "device_time",
    }
}

/// One punch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Punch {
    pub id: ClockEntryId,
    pub staff_id: StaffId,
    pub property_id: PropertyId,
    pub shift_id: Option<ShiftId>,
    pub kind: PunchKind,
    pub at: Timestamp,
    pub recorded_at: Timestamp,
    pub source: PunchSource,
    pub device_id: Option<DeviceId>,
    pub client_punch_id: Option<String>,
    pub from_offline_replay: bool,
    pub needs_review: Vec<Review>,
    /// What whoever looked at it said.
    pub reviewed_note: Option<String>,
    /// Why a manager added or corrected it.
    pub reason: Option<String>,
    pub version: i32,
}

/// What can happen to a punch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PunchEvent {
    Recorded,
    /// Put right: what it was, and why.
    Corrected {
        was: Timestamp,
        reason: String,
    },
    /// The clock had been stopped for them, and then came when they really went.
    Replaced {
        was: Timestamp,
    },
    /// It belongs to another shift than was thought.
    Moved {
        was: Option<ShiftId>,
    },
    /// Somebody has looked at it.
    Reviewed,
}

impl Aggregate for Punch {
    type Event = PunchEvent;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl Punch {
    /// What punches are ordered by: those of one moment by their kinds, so that who goes and comes at once went first.
    pub fn order(&self) -> (Timestamp, PunchKind, &ClockEntryId) {
        (self.at, self.kind, &self.id)
    }

    pub fn record(self) -> Decided<Self> {
        Decided::opened(self, PunchEvent::Recorded)
    }

    /// Whether it says what a manager says: added, or put right. Only managers give a reason.
    pub fn is_managers(&self) -> bool {
        self.source == PunchSource::ManagerOverride || self.reason.is_some()
    }

    /// Whether the clock was stopped where they are believed to have gone, or to have ended their break with it, and nobody has said since
    /// that it is well so. Where it was stopped at the moment itself, nothing is believed.
    pub fn is_believed(&self) -> bool {
        let stopped = match self.kind {
            PunchKind::Out => self.needs_review.contains(&Review::MissedOut),
            PunchKind::BreakEnded => true,
            PunchKind::In | PunchKind::BreakStarted => false,
        };
        stopped && self.source == PunchSource::AutoClose && self.at < self.recorded_at
    }

    /// Whether it is known to fit nowhere: it counts for nothing.
    pub fn is_orphan(&self) -> bool {
        self.needs_review.contains(&Review::Orphan)
    }

    /// As it looks once it is known whether it fits.
    #[must_use]
    pub fn seen_as_orphan(mut self, orphan: bool) -> Self {
        self.needs_review.retain(|why| *why != Review::Orphan);
        self.needs_review.extend(orphan.then_some(Review::Orphan));
        self
    }

    /// A manager knows when it was. The old time stays on record, and where it was only believed, it is the manager's word now.
    pub fn correct(mut self, at: Timestamp, reason: String) -> Decided<Self> {
        let was = std::mem::replace(&mut self.at, at);
        self.reason = Some(reason.clone());
        if self.source == PunchSource::AutoClose {
            self.source = PunchSource::ManagerOverride;
        }
        // Whether it fits is for the others around it to say.
        self.needs_review.retain(|why| *why == Review::Orphan);
        Decided::changed(self, PunchEvent::Corrected { was, reason })
    }

    /// Believed to have been at another moment, by what has come since.
    pub fn believe(self, at: Timestamp, now: Timestamp) -> Decided<Self> {
        let moved = Self { at, recorded_at: now, ..self.clone() };
        self.replace(moved)
    }

    /// When they really went, in place of what was believed. The entry stays the same one.
    pub fn replace(self, real: Self) -> Decided<Self> {
        let was = self.at;
        let Self { id, staff_id, property_id, shift_id, version, .. } = self;
        Decided::changed(Self { id, staff_id, property_id, shift_id, version, ..real }, PunchEvent::Replaced { was })
    }

    /// It fits with nothing any more. `None` where that was known, and where somebody has looked at it and it belongs nowhere.
    pub fn orphan(mut self) -> Option<Decided<Self>> {
        if self.is_orphan() || (self.reviewed_note.is_some() && self.shift_id.is_none()) {
            return None;
        }
        self.needs_review.push(Review::Orphan);
        // An `in` knows its shift by itself; what follows it has only been following.
        let was = self.shift_id.clone();
        self.shift_id = self.shift_id.filter(|_| self.kind == PunchKind::In);
        Some(Decided::changed(self, PunchEvent::Moved { was }))
    }

    /// Its other half came, and says which shift it was. `None` where that was known.
    pub fn belong_to(mut self, shift: Option<ShiftId>) -> Option<Decided<Self>> {
        if self.shift_id == shift && !self.is_orphan() {
            return None;
        }
        let was = std::mem::replace(&mut self.shift_id, shift);
        self.needs_review.retain(|why| *why != Review::Orphan);
        Some(Decided::changed(self, PunchEvent::Moved { was }))
    }

    /// Somebody who came without a plan is given the shift they came for. They are there by it, so it fits, and nobody need look at it any more.
    pub fn join(mut self, shift: ShiftId) -> Decided<Self> {
        let was = self.shift_id.replace(shift);
        self.needs_review.retain(|why| !matches!(why, Review::Unscheduled | Review::Orphan));
        Decided::changed(self, PunchEvent::Moved { was })
    }

    /// Somebody has looked at it and it is well as it is. What fits nowhere belongs nowhere from then on, and that it was looked at is
    /// remembered even without a note: nobody is asked again.
    pub fn review(mut self, note: Option<String>) -> Decided<Self> {
        let orphan = self.is_orphan();
        self.needs_review.clear();
        self.reviewed_note = note.or_else(|| orphan.then(String::new));
        match self.shift_id.take_if(|_| orphan) {
            Some(was) => Decided::changed(self, PunchEvent::Moved { was: Some(was) }).and(PunchEvent::Reviewed),
            None => Decided::changed(self, PunchEvent::Reviewed),
        }
    }
}

/// From an `in` to its `out`, or to now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub came: ClockEntryId,
    pub shift_id: Option<ShiftId>,
    pub property_id: PropertyId,
    pub from: Timestamp,
    /// `None`: still there.
    pub until: Option<Timestamp>,
    /// Rests, in order; the last one may be going on.
    pub breaks: Vec<(Timestamp, Option<Timestamp>)>,
    /// Every punch of it, the `in` first.
    pub punches: Vec<ClockEntryId>,
}

impl Span {
    /// Whole minutes of presence, breaks included. Of one that is open: until then.
    pub fn actual_minutes(&self, now: Timestamp) -> i64 {
        self.until.unwrap_or(now).minutes_since(self.from).max(0)
    }

    /// Whole minutes of all its breaks together.
    pub fn break_minutes(&self, now: Timestamp) -> i64 {
        let end = self.until.unwrap_or(now);
        let millis: i64 =
            self.breaks.iter().map(|(from, until)| (until.unwrap_or(end).as_millis() - from.as_millis()).max(0)).sum();
        millis / 60_000
    }

    /// When the minutes of one that is open change next.
    pub fn steady_until(&self, now: Timestamp) -> Timestamp {
        let rested: i64 =
            self.breaks.iter().filter_map(|(from, until)| Some(until.as_ref()?.as_millis() - from.as_millis())).sum();
        let resting = self.breaks.last().filter(|(_, until)| until.is_none());
        let rest = resting.map(|(from, _)| next_minute(now, Timestamp::from_millis(from.as_millis() - rested)));
        rest.into_iter().fold(next_minute(now, self.from), Timestamp::min)
    }

    pub fn is_open(&self) -> bool {
        self.until.is_none()
    }

    fn presence(&self) -> Presence {
        match (self.until, self.breaks.last()) {
            (Some(_), _) => Presence::Out,
            (None, Some((_, None))) => Presence::OnBreak,
            (None, _) => Presence::In,
        }
    }
}

/// When another whole minute lies between now and a moment before or ahead. On the minute that is at once: what is counted down changes
/// just after it.
pub fn next_minute(now: Timestamp, moment: Timestamp) -> Timestamp {
    let past = (now.as_millis() - moment.as_millis()).rem_euclid(60_000);
    Timestamp::from_millis(now.as_millis() + if past == 0 { 1 } else { 60_000 - past })
}

/// What follows from somebody's punches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folded {
    pub spans: Vec<Span>,
    /// Punches that fit nowhere yet, without minutes.
    pub orphans: Vec<ClockEntryId>,
}

impl Folded {
    pub fn presence(&self) -> Presence {
        self.spans.last().map_or(Presence::Out, Span::presence)
    }

    /// Whether somebody had been on the shift of a span before.
    pub fn is_back(&self, span: &Span) -> bool {
        span.shift_id.is_some()
            && self.spans.iter().any(|other| other.shift_id == span.shift_id && other.from < span.from)
    }

    /// The span that is going on.
    pub fn open(&self) -> Option<&Span> {
        self.spans.last().filter(|span| span.is_open())
    }
}

/// Folds one person's punches into spans. Order and repetition do not matter.
pub fn fold<'a>(punches: impl IntoIterator<Item = &'a Punch>) -> Folded {
    let once: BTreeMap<_, _> = punches.into_iter().map(|punch| (punch.order(), punch)).collect();
    let mut folded = Folded::default();
    for punch in once.into_values() {
        let open = folded.spans.last_mut().filter(|span| span.is_open());
        let fits = match (open, punch.kind) {
            (None, PunchKind::In) => {
                folded.spans.push(Span {
                    came: punch.id.clone(),
                    shift_id: punch.shift_id.clone(),
                    property_id: punch.property_id.clone(),
                    from: punch.at,
                    until: None,
                    breaks: Vec::new(),
                    punches: vec![punch.id.clone()],
                });
                true
            }
            (Some(span), kind) => take(span, kind, punch),
            (None, _) => false,
        };
        if !fits {
            folded.orphans.push(punch.id.clone());
        }
    }
    folded
}

/// Whether an open span takes the punch.
fn take(span: &mut Span, kind: PunchKind, punch: &Punch) -> bool {
    let resting = span.presence() == Presence::OnBreak;
    match kind {
        PunchKind::BreakStarted if !resting => span.breaks.push((punch.at, None)),
        PunchKind::BreakEnded if resting => {
            if let Some(last) = span.breaks.last_mut() {
                last.1 = Some(punch.at);
            }
        }
        PunchKind::Out => {
            if let Some(last) = span.breaks.last_mut()
                && last.1.is_none()
            {
                last.1 = Some(punch.at);
            }
            span.until = Some(punch.at);
        }
        _ => return false,
    }
    span.punches.push(punch.id.clone());
    true
}

/// The `out` that the clock was stopped with in the last span that began before a moment, if nobody went by themselves, and when that
/// `in` it began with.
pub fn believed_out(punches: &[Punch], at: Timestamp) -> Option<(&Punch, &Punch)> {
    // Most people's clock was never stopped.
    punches.iter().find(|punch| punch.source == PunchSource::AutoClose)?;
    let folded = fold(punches);
    let span = folded.spans.iter().rev().find(|span| span.from <= at)?;
    let (first, last) = (span.punches.first()?, span.punches.last()?);
    let out = punches
        .iter()
        .find(|punch| punch.id == *last && punch.source == PunchSource::AutoClose && punch.kind == PunchKind::Out)?;
    Some((punches.iter().find(|punch| punch.id == *first)?, out))
}

/// The end of a break that nobody punched, where somebody went from it, and that one before it stands for; and when their span began.
pub fn believed_rest(punches: &[Punch], at: Timestamp) -> Option<(Timestamp, &Punch)> {
    // Most breaks are ended before anybody goes.
    punches.iter().find(|punch| punch.kind == PunchKind::Out && punch.at >= at)?;
    let folded = fold(punches);
    let span = folded.spans.iter().rev().find(|span| span.from <= at)?;
    let until = span.breaks.iter().find(|(from, until)| *from <= at && until.is_some_and(|until| at <= until))?.1;
    let own = |punch: &&Punch| Some(punch.at) == until && span.punches.contains(&punch.id);
    let went = punches.iter().filter(own).find(|punch| punch.kind == PunchKind::Out)?;
    let rest = punches.iter().filter(own).find(|punch| came_with(punch, went))?;
    Some((span.from, rest))
}

/// The end of a break that nobody punched and that came with this `out`.
pub fn rest_ended_with<'a>(punches: &'a [Punch], went: &Punch) -> Option<&'a Punch> {
    if went.kind != PunchKind::Out {
        return None;
    }
    let folded = fold(punches);
    let span = folded.spans.iter().find(|span| span.punches.last() == Some(&went.id))?;
    let own = |punch: &&Punch| punch.at == went.at && span.punches.contains(&punch.id);
    punches.iter().filter(own).find(|punch| came_with(punch, went))
}

/// Whether a punch of the same moment is the end of a break that somebody went from.
fn came_with(rest: &Punch, went: &Punch) -> bool {
    let with_going = rest.client_punch_id.is_none() && rest.recorded_at <= went.recorded_at;
    rest.kind == PunchKind::BreakEnded && with_going && (rest.is_believed() || rest.source == went.source)
}

/// Punches that fit nowhere with one more, or one changed, and did before.
pub fn new_orphans(before: &[Punch], after: Folded) -> Vec<ClockEntryId> {
    if after.orphans.is_empty() {
        return Vec::new();
    }
    let known = fold(before).orphans;
    after.orphans.into_iter().filter(|orphan| !known.contains(orphan)).collect()
}

/// Whether these punches with one more, or one changed, leave no more orphans than before.
pub fn fits(before: &[Punch], after: &[Punch]) -> bool {
    new_orphans(before, fold(after)).is_empty()
}

#[cfg(test)]
#[path = "punch_properties.rs"]
mod properties;

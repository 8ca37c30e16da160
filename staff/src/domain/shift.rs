//! A shift: planned, filled, begun, ended or called off; and the places on it.

use contracts::AiProvenance;
use contracts::ids::{AssignmentId, PositionId, PropertyId, ShiftId, ShiftPatternId, StaffId};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::Decided;
use platform::decided::Aggregate;

use super::position::{Job, Position};
use super::window::Window;
use super::words::{CancelReason, EndReason, PlaceRole, PlaceSource, PlaceStatus, ShiftStatus, UnassignCause};

/// Somebody's place on a shift.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub id: AssignmentId,
    pub staff_id: StaffId,
    pub role: PlaceRole,
    pub source: PlaceSource,
    pub status: PlaceStatus,
    /// The person's own place before a swap.
    pub swapped_from: Option<AssignmentId>,
    pub assigned_at: Timestamp,
    /// 1 when given, 2 when taken away.
    pub version: i32,
}

/// The first who came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstIn {
    pub by: StaffId,
    pub at: Timestamp,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    pub at: Timestamp,
    pub reason: EndReason,
    pub last_by: Option<StaffId>,
    /// Presence of all people together, breaks included.
    pub actual_minutes: i32,
    pub break_minutes: i32,
}

/// Where a shift stands; what only some have is with those.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShiftState {
    Scheduled,
    Started(FirstIn),
    Ended { first: Option<FirstIn>, end: End },
    Cancelled { first: Option<FirstIn>, end: Option<End>, at: Timestamp, reason: CancelReason },
}

impl ShiftState {
    pub fn status(&self) -> ShiftStatus {
        match self {
            Self::Scheduled => ShiftStatus::Scheduled,
            Self::Started(_) => ShiftStatus::Started,
            Self::Ended { .. } => ShiftStatus::Ended,
            Self::Cancelled { .. } => ShiftStatus::Cancelled,
        }
    }
}

/// What is asked of a shift.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub window: Window,
    pub primary_headcount: i32,
    pub standby_headcount: i32,
    pub break_minutes: Option<i32>,
    pub note: Option<String>,
}

/// Which day of which pattern a shift was made for. It stays, wherever the window is moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub pattern_id: ShiftPatternId,
    pub date: LocalDate,
}

/// A shift, with the places on it that are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    pub id: ShiftId,
    pub property_id: PropertyId,
    pub position_id: PositionId,
    /// `None`: planned by hand.
    pub origin: Option<Origin>,
    pub plan: Plan,
    pub state: ShiftState,
    /// Those that are active, and those that a decision has just changed.
    pub places: Vec<Place>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub version: i32,
}

/// Two people who changed places, as both shifts know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swap {
    pub left: (ShiftId, SwapSide),
    pub right: (ShiftId, SwapSide),
}

/// On one of the two shifts: which place ended, which stands for it, and who holds it now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwapSide {
    pub previous: AssignmentId,
    pub new: AssignmentId,
    pub staff_id: StaffId,
}

/// What can happen to a shift.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShiftEvent {
    Scheduled(Job),
    /// At another time, or for more or fewer people.
    Rescheduled,
    Assigned(Place),
    /// A program proposed it, and somebody agreed.
    AssignedAsProposed(Place, AiProvenance),
    Unassigned(Place, UnassignCause),
    Swapped(Swap),
    /// The other side of a swap, which is told by the first.
    SwappedWith,
    Cancelled(Vec<AssignmentId>),
    Started {
        primaries_in: u32,
    },
    /// The first came at another time than was thought.
    FirstInPutRight,
    Ended,
}

/// Why somebody is given a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Somebody decided it.
    Decided,
    Pattern,
    /// A program proposed it, and somebody agreed.
    Proposed(AiProvenance),
}

impl Aggregate for Shift {
    type Event = ShiftEvent;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

/// Why a shift does not change like that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShiftError {
    #[error("a shift that is {} cannot {action}", from.as_str())]
    IllegalTransition { from: ShiftStatus, action: &'static str },
    #[error("{staff_id} has a place on this shift already")]
    AlreadyAssigned { staff_id: StaffId },
    #[error("all places for {} are taken; `force` adds one more", role.as_str())]
    HeadcountFull { role: PlaceRole },
    #[error("this place was given up or taken away")]
    AssignmentEnded,
    #[error("nobody stands by on this shift")]
    NoStandby,
    #[error("two people on two shifts that have not begun can change places, and nobody else")]
    SwapImpossible,
}

impl Shift {
    pub fn schedule(
        id: ShiftId,
        property_id: PropertyId,
        position: &Position,
        plan: Plan,
        now: Timestamp,
    ) -> Decided<Self> {
        Self::generate(id, (property_id, position), None, plan, now)
    }

    /// Planned because a pattern says so, or by hand.
    pub fn generate(
        id: ShiftId,
        (property_id, position): (PropertyId, &Position),
        origin: Option<Origin>,
        plan: Plan,
        now: Timestamp,
    ) -> Decided<Self> {
        let shift = Self {
            id,
            property_id,
            position_id: position.id.clone(),
            origin,
            plan,
            state: ShiftState::Scheduled,
            places: Vec::new(),
            created_at: now,
            updated_at: now,
            version: 1,
        };
        Decided::opened(shift, ShiftEvent::Scheduled(position.job()))
    }

    /// Planned anew. The window of a shift that has begun stays. `None` where nothing would be different.
    pub fn reschedule(mut self, plan: Plan, now: Timestamp) -> Result<Option<Decided<Self>>, ShiftError> {
        match self.state {
            ShiftState::Scheduled => {}
            ShiftState::Started(_) if plan.window == self.plan.window => {}
            _ => return Err(self.cannot("be planned anew")),
        }
        if plan == self.plan {
            return Ok(None);
        }
        self.plan = plan;
        self.updated_at = now;
        Ok(Some(Decided::changed(self, ShiftEvent::Rescheduled)))
    }

    /// The first refusal of an assignment: the shift is over.
    pub fn can_be_given(&self) -> Result<(), ShiftError> {
        if self.is_over() { Err(self.cannot("be given to anybody")) } else { Ok(()) }
    }

    /// The shift is over, or the person has a place.
    pub fn can_take(&self, staff: &StaffId) -> Result<(), ShiftError> {
        self.can_be_given()?;
        if self.active().any(|place| place.staff_id == *staff) {
            return Err(ShiftError::AlreadyAssigned { staff_id: staff.clone() });
        }
        Ok(())
    }

    /// The last refusal, which `force` lifts: there is no place left.
    pub fn has_room(&self, role: PlaceRole) -> Result<(), ShiftError> {
        let taken = self.active().filter(|place| place.role == role).count();
        let places = match role {
            PlaceRole::Primary => self.plan.primary_headcount,
            PlaceRole::Standby => self.plan.standby_headcount,
        };
        if i64::try_from(taken).unwrap_or(i64::MAX) < i64::from(places) {
            Ok(())
        } else {
            Err(ShiftError::HeadcountFull { role })
        }
    }

    /// Gives somebody a place; whoever calls has asked whether they can take it.
    pub fn assign(
        mut self,
        id: AssignmentId,
        staff_id: StaffId,
        role: PlaceRole,
        why: Why,
        now: Timestamp,
    ) -> Result<Decided<Self>, ShiftError> {
        self.can_take(&staff_id)?;
        let source = match &why {
            Why::Decided => PlaceSource::Manual,
            Why::Pattern => PlaceSource::Pattern,
            Why::Proposed(_) => PlaceSource::AiSuggestion,
        };
        let (status, swapped_from) = (PlaceStatus::Active, None);
        let place = Place { id, staff_id, role, source, status, swapped_from, assigned_at: now, version: 1 };
        self.places.push(place.clone());
        self.updated_at = now;
        let event = match why {
            Why::Decided | Why::Pattern => ShiftEvent::Assigned(place),
            Why::Proposed(provenance) => ShiftEvent::AssignedAsProposed(place, provenance),
        };
        Ok(Decided::changed(self, event))
    }

    /// Takes a place away.
    pub fn unassign(
        mut self,
        id: &AssignmentId,
        cause: UnassignCause,
        now: Timestamp,
    ) -> Result<Decided<Self>, ShiftError> {
        if self.is_over() {
            return Err(self.cannot("lose anybody"));
        }
        let place = self.end_place(id, PlaceStatus::Unassigned)?;
        self.updated_at = now;
        Ok(Decided::changed(self, ShiftEvent::Unassigned(place, cause)))
    }

    /// Who can be called from standby, best first: the one named alone, or else those who are there, and those who have waited
    /// longest. Never empty.
    pub fn standbys(
        &self,
        named: Option<&AssignmentId>,
        is_there: impl Fn(&StaffId) -> bool,
    ) -> Result<Vec<Place>, ShiftError> {
        if self.is_over() {
            return Err(self.cannot("call anybody from standby"));
        }
        let mut standbys: Vec<_> = self.active().filter(|place| place.role == PlaceRole::Standby).cloned().collect();
        standbys.sort_by_key(|place| (!is_there(&place.staff_id), place.assigned_at, place.id.clone()));
        if let Some(id) = named {
            standbys.retain(|place| place.id == *id);
        }
        if standbys.is_empty() { Err(ShiftError::NoStandby) } else { Ok(standbys) }
    }

    /// Calls somebody from standby to work.
    pub fn promote(
        mut self,
        chosen: Place,
        new: AssignmentId,
        now: Timestamp,
    ) -> Result<(Decided<Self>, Place), ShiftError> {
        self.end_place(&chosen.id, PlaceStatus::Promoted)?;
        let place = Place {
            id: new,
            role: PlaceRole::Primary,
            source: PlaceSource::StandbyPromotion,
            status: PlaceStatus::Active,
            // However they came to stand by: this place is from no swap.
            swapped_from: None,
            assigned_at: now,
            version: 1,
            ..chosen
        };
        self.places.push(place.clone());
        self.updated_at = now;
        Ok((Decided::changed(self, ShiftEvent::Assigned(place.clone())), place))
    }

    /// The two places that are to be changed: of two people, on two shifts that have not begun.
    pub fn swappable(
        left: &Self,
        right: &Self,
        places: (&AssignmentId, &AssignmentId),
    ) -> Result<(Place, Place), ShiftError> {
        let planned = |shift: &Self| matches!(shift.state, ShiftState::Scheduled);
        if left.id == right.id || !planned(left) || !planned(right) {
            return Err(ShiftError::SwapImpossible);
        }
        let find = |shift: &Self, id: &AssignmentId| shift.active().find(|place| place.id == *id).cloned();
        match (find(left, places.0), find(right, places.1)) {
            (Some(one), Some(other)) if one.staff_id != other.staff_id => Ok((one, other)),
            _ => Err(ShiftError::SwapImpossible),
        }
    }

    /// The shift as it would be without this place.
    #[must_use]
    pub fn without(&self, place: &AssignmentId) -> Self {
        let places = self.places.iter().filter(|one| one.id != *place).cloned().collect();
        Self { places, ..self.clone() }
    }

    /// Two people on two shifts change places; each takes the other's role.
    pub fn swap(
        mut left: Self,
        mut right: Self,
        places: (&AssignmentId, &AssignmentId),
        new: (AssignmentId, AssignmentId),
        now: Timestamp,
    ) -> Result<(Decided<Self>, Decided<Self>), ShiftError> {
        let (one, other) = Self::swappable(&left, &right, places)?;
        left.end_place(&one.id, PlaceStatus::Swapped)?;
        right.end_place(&other.id, PlaceStatus::Swapped)?;
        left.can_take(&other.staff_id)?;
        right.can_take(&one.staff_id)?;
        let taken = |id: &AssignmentId, from: &Place, person: &Place| Place {
            id: id.clone(),
            staff_id: person.staff_id.clone(),
            role: from.role,
            source: PlaceSource::Swap,
            status: PlaceStatus::Active,
            swapped_from: Some(person.id.clone()),
            assigned_at: now,
            version: 1,
        };
        left.places.push(taken(&new.0, &one, &other));
        right.places.push(taken(&new.1, &other, &one));
        left.updated_at = now;
        right.updated_at = now;
        let swap = Swap {
            left: (left.id.clone(), SwapSide { previous: one.id, new: new.0, staff_id: other.staff_id }),
            right: (right.id.clone(), SwapSide { previous: other.id, new: new.1, staff_id: one.staff_id }),
        };
        let left = Decided::changed(left, ShiftEvent::Swapped(swap));
        Ok((left, Decided::changed(right, ShiftEvent::SwappedWith)))
    }

    /// Calls the shift off. One that has begun only with force, and then it ends first.
    pub fn cancel(
        mut self,
        reason: CancelReason,
        force: Option<End>,
        now: Timestamp,
    ) -> Result<Decided<Self>, ShiftError> {
        let (first, end) = match (&self.state, force) {
            (ShiftState::Scheduled, _) => (None, None),
            (ShiftState::Started(first), Some(end)) => (Some(first.clone()), Some(end)),
            _ => return Err(self.cannot("be called off")),
        };
        let ended = end.is_some();
        self.state = ShiftState::Cancelled { first, end, at: now, reason };
        self.updated_at = now;
        let mut off = Vec::new();
        for place in self.places.iter_mut().filter(|place| place.status == PlaceStatus::Active) {
            place.status = PlaceStatus::Cancelled;
            place.version += 1;
            off.push(place.id.clone());
        }
        Ok(if ended {
            Decided::changed(self, ShiftEvent::Ended).and(ShiftEvent::Cancelled(off))
        } else {
            Decided::changed(self, ShiftEvent::Cancelled(off))
        })
    }

    /// The first primary is there. `None` where somebody was before, or the shift is over.
    pub fn start(&self, by: StaffId, at: Timestamp, primaries_in: u32, now: Timestamp) -> Option<Decided<Self>> {
        if self.state != ShiftState::Scheduled {
            return None;
        }
        let started = Self { state: ShiftState::Started(FirstIn { by, at }), updated_at: now, ..self.clone() };
        Some(Decided::changed(started, ShiftEvent::Started { primaries_in }))
    }

    /// When the first really came, where that was put right. `None` where it was somebody else, or at another time.
    pub fn first_came(&self, (by, was): (&StaffId, Timestamp), at: Timestamp, now: Timestamp) -> Option<Decided<Self>> {
        let mut state = self.state.clone();
        let first = match &mut state {
            ShiftState::Started(first) => Some(first),
            ShiftState::Ended { first, .. } | ShiftState::Cancelled { first, .. } => first.as_mut(),
            ShiftState::Scheduled => None,
        };
        let first = first.filter(|first| first.by == *by && first.at == was && was != at)?;
        first.at = at;
        Some(Decided::changed(Self { state, updated_at: now, ..self.clone() }, ShiftEvent::FirstInPutRight))
    }

    /// The last primary has gone, or nobody came. A shift that is over stays over.
    pub fn end(mut self, end: End, now: Timestamp) -> Result<Decided<Self>, ShiftError> {
        let first = match &self.state {
            ShiftState::Scheduled => None,
            ShiftState::Started(first) => Some(first.clone()),
            ShiftState::Ended { .. } | ShiftState::Cancelled { .. } => return Err(self.cannot("end")),
        };
        self.state = ShiftState::Ended { first, end };
        self.updated_at = now;
        Ok(Decided::changed(self, ShiftEvent::Ended))
    }

    /// Places that are somebody's.
    pub fn active(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(|place| place.status == PlaceStatus::Active)
    }

    /// Somebody's place.
    pub fn place_of(&self, staff: &StaffId) -> Option<&Place> {
        self.active().find(|place| place.staff_id == *staff)
    }

    /// It has not begun.
    pub fn is_to_come(&self) -> bool {
        matches!(self.state, ShiftState::Scheduled)
    }

    pub fn is_over(&self) -> bool {
        matches!(self.state, ShiftState::Ended { .. } | ShiftState::Cancelled { .. })
    }

    /// How many of a role are missing.
    pub fn missing(&self, role: PlaceRole) -> i32 {
        let wanted = match role {
            PlaceRole::Primary => self.plan.primary_headcount,
            PlaceRole::Standby => self.plan.standby_headcount,
        };
        let taken = self.active().filter(|place| place.role == role).count();
        (wanted - i32::try_from(taken).unwrap_or(i32::MAX)).max(0)
    }

    fn end_place(&mut self, id: &AssignmentId, status: PlaceStatus) -> Result<Place, ShiftError> {
        let place = self.places.iter_mut().find(|place| place.id == *id && place.status == PlaceStatus::Active);
        let place = place.ok_or(ShiftError::AssignmentEnded)?;
        place.status = status;
        place.version += 1;
        Ok(place.clone())
    }

    fn cannot(&self, action: &'static str) -> ShiftError {
        ShiftError::IllegalTransition { from: self.state.status(), action }
    }
}

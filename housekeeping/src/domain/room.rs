//! A room and its cleaning status. Who sleeps in it is another matter.

use contracts::actor::Actor;
use contracts::housekeeping::{RoomStatus, RoomStatusCause, TaskKind};
use contracts::ids::{PropertyId, RoomId, TaskId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

/// One room of a property: how clean it is, since when, and by whose doing.
#[derive(Clone, Debug, PartialEq)]
pub struct Room {
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub status: RoomStatus,
    pub last_task_id: Option<TaskId>,
    pub last_flipped_at: Timestamp,
    pub last_flipped_by: Actor,
    pub last_cause: RoomStatusCause,
    pub version: i32,
}

/// A room went from one status to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Flipped {
    pub from: RoomStatus,
    pub to: RoomStatus,
    pub cause: RoomStatusCause,
    pub task: Option<TaskId>,
    pub at: Timestamp,
    pub by: Actor,
    pub note: Option<String>,
}

impl Aggregate for Room {
    type Event = Flipped;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

/// Why a room does not change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a room that is {} cannot become {} because of {}", from.as_str(), to.as_str(), cause.as_str())]
pub struct RoomError {
    pub from: RoomStatus,
    pub to: RoomStatus,
    pub cause: RoomStatusCause,
}

/// Who flips it, why, and when.
#[derive(Clone, Debug)]
pub struct Flip<'a> {
    pub cause: RoomStatusCause,
    pub task: Option<&'a TaskId>,
    pub by: &'a Actor,
    pub now: Timestamp,
}

/// The one table of what a room may become, and because of what.
pub fn allows(from: RoomStatus, to: RoomStatus, cause: RoomStatusCause) -> bool {
    use RoomStatus::{Clean, Cleaned, Cleaning, Dirty, Inspected, OutOfOrder, OutOfService, Ready};
    use RoomStatusCause as Cause;
    match cause {
        Cause::TaskStarted => matches!((from, to), (Clean | Dirty | Ready, Cleaning)),
        Cause::TaskCompleted => matches!((from, to), (Cleaning, Cleaned | Clean) | (Cleaned, Ready)),
        Cause::InspectionPassed => matches!((from, to), (Cleaned, Inspected) | (Inspected, Ready)),
        Cause::InspectionFailed => matches!((from, to), (Cleaned, Dirty)),
        Cause::InspectionWaived => matches!((from, to), (Cleaned, Ready)),
        Cause::TaskFailed | Cause::TaskCancelled => matches!((from, to), (Cleaning, Dirty)),
        // Already dirty is no change, and a room that is out of order keeps its status: the task waits.
        Cause::ReservationCheckedOut | Cause::RoomMoved => {
            matches!((from, to), (Clean | Cleaning | Cleaned | Inspected | Ready, Dirty))
        }
        Cause::MaintenanceRequired => from != OutOfOrder && to == OutOfOrder,
        // Whoever repairs leaves dust behind, also where the room could be used meanwhile; somebody who cleans it goes on.
        Cause::MaintenanceCompleted => {
            matches!((from, to), (OutOfOrder | Clean | Cleaned | Inspected | Ready, Dirty))
        }
        // Also where the room itself was gone, and is back.
        Cause::RoomUnblocked => matches!((from, to), (OutOfOrder | OutOfService, Dirty)),
        Cause::ManualOverride => from != to,
        Cause::RoomArchived => from != OutOfService && to == OutOfService,
    }
}

impl Room {
    /// A guest left or moved. `None` where the room is dirty already or out of use: the task alone is news.
    pub fn mark_dirty(self, flip: &Flip<'_>) -> Option<Decided<Self>> {
        self.flip(RoomStatus::Dirty, flip, None).ok()
    }

    /// The guest stays after all, and nobody has begun the turnover: the room is again what it was before they left. `None` where it was
    /// fit for nobody then, or something else has happened to it since.
    pub fn take_departure_back(self, turnover: &TaskId, was: RoomStatus, flip: &Flip<'_>) -> Option<Decided<Self>> {
        let is_its_doing = self.status == RoomStatus::Dirty
            && self.last_cause == RoomStatusCause::ReservationCheckedOut
            && self.last_task_id.as_ref() == Some(turnover);
        let was_fit =
            matches!(was, RoomStatus::Clean | RoomStatus::Cleaned | RoomStatus::Inspected | RoomStatus::Ready);
        if !is_its_doing || !was_fit {
            return None;
        }
        self.flip(was, flip, Some("the guest stays after all".to_owned())).ok()
    }

    /// Cleaning begins. `None` where it has begun already for this task, as after a hand-over to somebody else.
    pub fn begin_cleaning(self, flip: &Flip<'_>) -> Result<Option<Decided<Self>>, RoomError> {
        if self.is_being_cleaned_for(flip.task) {
            return Ok(None);
        }
        self.flip(RoomStatus::Cleaning, flip, None).map(Some)
    }

    /// Cleaning ends. `None` where the room has moved on without this task.
    pub fn finish_cleaning(
        self,
        kind: TaskKind,
        inspection_required: bool,
        flip: &Flip<'_>,
    ) -> Result<Option<Decided<Self>>, RoomError> {
        if !self.is_being_cleaned_for(flip.task) {
            return Ok(None);
        }
        // A guest who stays needs no inspection: the room is fit for this guest, not for the next.
        if kind == TaskKind::MidStayClean {
            return self.flip(RoomStatus::Clean, flip, None).map(Some);
        }
        let cleaned = self.flip(RoomStatus::Cleaned, flip, None)?;
        if inspection_required {
            return Ok(Some(cleaned));
        }
        cleaned.then(|room| room.flip(RoomStatus::Ready, flip, None)).map(Some)
    }

    /// The work was not done after all.
    pub fn abandon_cleaning(self, flip: &Flip<'_>) -> Result<Option<Decided<Self>>, RoomError> {
        if !self.is_being_cleaned_for(flip.task) {
            return Ok(None);
        }
        self.flip(RoomStatus::Dirty, flip, None).map(Some)
    }

    /// Both steps are told: inspected, and ready.
    pub fn pass_inspection(self, flip: &Flip<'_>) -> Result<Decided<Self>, RoomError> {
        self.flip(RoomStatus::Inspected, flip, None)?.then(|room| room.flip(RoomStatus::Ready, flip, None))
    }

    pub fn fail_inspection(self, flip: &Flip<'_>, reason: &str) -> Result<Decided<Self>, RoomError> {
        self.flip(RoomStatus::Dirty, flip, Some(reason.to_owned()))
    }

    pub fn waive_inspection(self, flip: &Flip<'_>, reason: &str) -> Result<Decided<Self>, RoomError> {
        self.flip(RoomStatus::Ready, flip, Some(reason.to_owned()))
    }

    /// A supervisor knows better. `None` when it has that status already.
    pub fn override_status(
        self,
        to: RoomStatus,
        note: Option<String>,
        flip: &Flip<'_>,
    ) -> Result<Option<Decided<Self>>, RoomError> {
        if self.status == to {
            return Ok(None);
        }
        self.flip(to, flip, note).map(Some)
    }

    /// It cannot be used. `None` where it is out of order already.
    pub fn take_out_of_order(self, flip: &Flip<'_>, note: Option<String>) -> Result<Option<Decided<Self>>, RoomError> {
        if self.status == RoomStatus::OutOfOrder {
            return Ok(None);
        }
        self.flip(RoomStatus::OutOfOrder, flip, note).map(Some)
    }

    /// The last block is lifted, or the repair is done: it must be cleaned. `None` where it is dirty, in work, or out of use otherwise.
    pub fn return_to_use(self, flip: &Flip<'_>) -> Option<Decided<Self>> {
        if self.status == RoomStatus::OutOfService {
            return None;
        }
        self.flip(RoomStatus::Dirty, flip, None).ok()
    }

    /// It no longer exists. `None` where it is out of use already.
    pub fn archive(self, flip: &Flip<'_>) -> Option<Decided<Self>> {
        self.flip(RoomStatus::OutOfService, flip, None).ok()
    }

    /// It exists again: it must be cleaned. `None` where it was out of use before it ceased to exist, or was given another status since.
    pub fn come_back(self, flip: &Flip<'_>) -> Option<Decided<Self>> {
        if self.last_cause != RoomStatusCause::RoomArchived {
            return None;
        }
        self.flip(RoomStatus::Dirty, flip, None).ok()
    }

    /// Whether a guest has left it since then, and nobody has cleaned it after them: work from before is not their turnover.
    pub fn was_left_since(&self, opened_at: Timestamp) -> bool {
        let by_departure =
            matches!(self.last_cause, RoomStatusCause::ReservationCheckedOut | RoomStatusCause::RoomMoved);
        by_departure && self.status == RoomStatus::Dirty && opened_at < self.last_flipped_at
    }

    /// Whether somebody has begun a task in it, also where the task waits for whoever takes it over.
    pub fn is_being_cleaned_for(&self, task: Option<&TaskId>) -> bool {
        self.status == RoomStatus::Cleaning && task.is_some() && self.last_task_id.as_ref() == task
    }

    fn flip(mut self, to: RoomStatus, flip: &Flip<'_>, note: Option<String>) -> Result<Decided<Self>, RoomError> {
        let from = self.status;
        if !allows(from, to, flip.cause) {
            return Err(RoomError { from, to, cause: flip.cause });
        }
        self.status = to;
        self.last_cause = flip.cause;
        self.last_task_id = flip.task.cloned().or(self.last_task_id);
        self.last_flipped_at = flip.now;
        self.last_flipped_by = flip.by.clone();
        let event =
            Flipped { from, to, cause: flip.cause, task: flip.task.cloned(), at: flip.now, by: flip.by.clone(), note };
        Ok(Decided::changed(self, event))
    }
}

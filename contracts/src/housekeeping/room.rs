//! The state of a room, and what is broken in it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::actor::Actor;
use crate::ids::{PropertyId, RoomId, StaffId, TaskId, TenantId};
use crate::payload::payload;
use crate::time::Timestamp;
use crate::words::closed_words;

closed_words! {
    /// How a room is.
    RoomStatus {
        /// Fit for the guest who stays, or never inspected.
        Clean = "clean",
        /// Must be cleaned.
        Dirty = "dirty",
        /// Is being cleaned.
        Cleaning = "cleaning",
        /// Was cleaned, and waits for an inspection.
        Cleaned = "cleaned",
        /// Was inspected.
        Inspected = "inspected",
        /// Can be given to a guest.
        Ready = "ready",
        /// Broken.
        OutOfOrder = "out_of_order",
        /// Not sold.
        OutOfService = "out_of_service",
    }

    /// Why a room's status changed.
    RoomStatusCause {
        /// Work began.
        TaskStarted = "task_started",
        /// Work is done.
        TaskCompleted = "task_completed",
        /// An inspection passed.
        InspectionPassed = "inspection_passed",
        /// An inspection failed.
        InspectionFailed = "inspection_failed",
        /// Something must be repaired.
        MaintenanceRequired = "maintenance_required",
        /// Something was repaired.
        MaintenanceCompleted = "maintenance_completed",
        /// A person set it.
        ManualOverride = "manual_override",
        /// The guest left.
        ReservationCheckedOut = "reservation_checked_out",
        /// Work could not be finished.
        TaskFailed = "task_failed",
        /// Work was called off.
        TaskCancelled = "task_cancelled",
        /// The guest moved to another room.
        RoomMoved = "room_moved",
        /// The room no longer exists.
        RoomArchived = "room_archived",
        /// The last block was lifted.
        RoomUnblocked = "room_unblocked",
        /// An inspection was waived.
        InspectionWaived = "inspection_waived",
    }

    /// How bad it is.
    IssueSeverity {
        /// Good to know.
        Info = "info",
        /// To be repaired; the room can be used.
        Minor = "minor",
        /// The room cannot be used.
        Blocking = "blocking",
    }

    /// What happens to the task during which it was found.
    MaintenanceOutcome {
        /// It ends.
        ConvertTerminal = "convert_terminal",
        /// It waits.
        Pause = "pause",
    }

    /// How the finder is known.
    ReporterKind {
        /// A person who is logged in.
        User = "user",
    }
}

/// A room's status changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomStatusChangedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    pub property_id: PropertyId,
    /// The room.
    pub room_id: RoomId,
    /// How it was.
    pub previous_status: RoomStatus,
    /// How it is.
    pub status: RoomStatus,
    /// When it changed.
    pub flipped_at: Timestamp,
    /// Why.
    pub cause: RoomStatusCause,
    /// The task that had a part in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
    /// Who did it.
    pub actor: Actor,
    /// What else there is to say; a person who overrides says why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The version of the room after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

/// Something that must be repaired.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaintenanceIssue {
    /// Of what kind it is, such as `plumbing`.
    pub category: String,
    /// How bad it is.
    pub severity: IssueSeverity,
    /// What is wrong.
    pub description: String,
    /// Pictures of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo_media_ids: Option<Vec<String>>,
}

/// Who found it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reporter {
    /// How the person is known.
    #[serde(rename = "type")]
    pub kind: ReporterKind,
    /// The person.
    pub staff_id: StaffId,
}

/// Something in a room must be repaired.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomMaintenanceRequiredV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    pub property_id: PropertyId,
    /// The room.
    pub room_id: RoomId,
    /// The task during which it was found.
    pub task_id: TaskId,
    /// What is wrong.
    pub issue: MaintenanceIssue,
    /// When it was found.
    pub reported_at: Timestamp,
    /// Who found it.
    pub reported_by: Reporter,
    /// What happens to the task.
    pub outcome: MaintenanceOutcome,
    /// The version of the room after this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_version: Option<u64>,
}

payload! {
    RoomStatusChangedV1 = "melmastoon.housekeeping.room.status_changed.v1";
    RoomMaintenanceRequiredV1 = "melmastoon.housekeeping.room.maintenance_required.v1";
}

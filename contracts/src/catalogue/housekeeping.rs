//! What housekeeping publishes: kept 90 days in the archive and 7 at the broker.

use super::entry::Status::{Designed, Specified};
use super::entry::{Entry, Retention};
use crate::housekeeping::{
    ChecklistTemplateUpdatedV1, InspectionFailedV1, InspectionPassedV1, InspectionWaivedV1, LinenLowStockAlertV1,
    LostItemDisposedV1, LostItemMatchedV1, LostItemRecordedV1, RoomMaintenanceRequiredV1, RoomStatusChangedV1,
    ShiftStaffingGapDetectedV1, TaskAssignedV1, TaskCancelledV1, TaskCompletedV1, TaskCreatedV1, TaskEscalatedV1,
    TaskFailedV1, TaskPausedV1, TaskPriorityChangedV1, TaskReassignedV1, TaskRequiresMaintenanceV1, TaskResumedV1,
    TaskStartedV1,
};

const KEPT: Retention = Retention::operational(90);
const TASK: &[&str] = &["taskId"];
const TASK_READERS: &[&str] =
    &["notification-service", "analytics-service", "audit-service", "search-aggregation-service"];
const ROOM_READERS: &[&str] = &[
    "reservation-service",
    "search-aggregation-service",
    "analytics-service",
    "audit-service",
    "bff-backoffice-service",
];
const RECORD_READERS: &[&str] = &["analytics-service", "audit-service"];

pub(super) static PUBLISHED: &[Entry] = &[
    Entry::of::<TaskCreatedV1>(Specified, KEPT, TASK).read_by(TASK_READERS),
    Entry::of::<TaskAssignedV1>(Specified, KEPT, TASK).read_by(TASK_READERS),
    Entry::of::<TaskReassignedV1>(Specified, KEPT, TASK).read_by(TASK_READERS),
    Entry::of::<TaskStartedV1>(Specified, KEPT, TASK).read_by(TASK_READERS),
    Entry::of::<TaskPausedV1>(Specified, KEPT, TASK).read_by(TASK_READERS),
    Entry::of::<TaskResumedV1>(Specified, KEPT, TASK).read_by(TASK_READERS),
    Entry::of::<TaskCompletedV1>(Specified, KEPT, TASK).read_by(TASK_READERS),
    Entry::of::<TaskFailedV1>(Specified, KEPT, TASK).read_by(TASK_READERS),
    Entry::of::<TaskCancelledV1>(Specified, KEPT, TASK).read_by(TASK_READERS),
    Entry::of::<TaskEscalatedV1>(Specified, KEPT, TASK).read_by(TASK_READERS),
    Entry::of::<TaskRequiresMaintenanceV1>(Designed, KEPT, TASK).read_by(TASK_READERS),
    Entry::of::<TaskPriorityChangedV1>(Designed, KEPT, TASK).read_by(TASK_READERS),
    Entry::of::<RoomStatusChangedV1>(Specified, KEPT, &["roomId"]).read_by(ROOM_READERS),
    Entry::of::<RoomMaintenanceRequiredV1>(Specified, KEPT, &["roomId"]).read_by(&[
        "maintenance-service",
        "notification-service",
        "search-aggregation-service",
        "analytics-service",
        "audit-service",
        "bff-backoffice-service",
    ]),
    Entry::of::<InspectionPassedV1>(Specified, KEPT, &["inspectionId"]).read_by(RECORD_READERS),
    Entry::of::<InspectionFailedV1>(Specified, KEPT, &["inspectionId"]).read_by(RECORD_READERS),
    Entry::of::<InspectionWaivedV1>(Designed, KEPT, &["inspectionId"]).read_by(RECORD_READERS),
    Entry::of::<ChecklistTemplateUpdatedV1>(Specified, KEPT, &["checklistId"]).read_by(RECORD_READERS),
    Entry::of::<LostItemRecordedV1>(Specified, KEPT, &["lostItemId"]).read_by(RECORD_READERS),
    Entry::of::<LostItemMatchedV1>(Specified, KEPT, &["lostItemId"])
        .read_by(RECORD_READERS)
        .with_pii(&["claimantName", "claimantPhone"]),
    Entry::of::<LostItemDisposedV1>(Specified, KEPT, &["lostItemId"]).read_by(RECORD_READERS),
    Entry::of::<LinenLowStockAlertV1>(Specified, KEPT, &["propertyId"]).read_by(&["notification-service"]),
    Entry::of::<ShiftStaffingGapDetectedV1>(Specified, KEPT, &["shiftId"])
        .read_by(&["notification-service", "bff-backoffice-service"]),
];

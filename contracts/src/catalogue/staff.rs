//! What staff publishes: kept 7 days, and 30 where somebody may ask later.

use super::entry::Status::{Designed, Specified};
use super::entry::{Entry, Retention};
use crate::envelope::RetentionClass;
use crate::staff::{
    CertificationAddedV1, CertificationExpiredV1, ClockBreakEndedV1, ClockBreakStartedV1, ClockInV1, ClockOutV1,
    HandoffNoteAddedV1, LeaveApprovedV1, LeaveCancelledV1, LeaveRejectedV1, LeaveRequestedV1, ShiftAssignedV1,
    ShiftCancelledV1, ShiftEndedV1, ShiftScheduledV1, ShiftStartedV1, ShiftSwappedV1, ShiftUnassignedV1,
    StaffCreatedV1, StaffPositionChangedV1, StaffReactivatedV1, StaffTerminatedV1, StaffUpdatedV1,
    StaffingGapDetectedV1,
};

const KEPT: Retention = Retention::of_staff(RetentionClass::Standard, 7);
const PERSONAL: Retention = Retention::of_staff(RetentionClass::Pii, 7);
const FOR_AUDIT: Retention = Retention::of_staff(RetentionClass::Audit, 30);
const PERSON: &[&str] = &["staffId"];
const SHIFT: &[&str] = &["shiftId"];
const HOUSEKEEPING: &[&str] = &["housekeeping-service"];

pub(super) static PUBLISHED: &[Entry] = &[
    Entry::of::<StaffCreatedV1>(Specified, PERSONAL, PERSON)
        .read_by(HOUSEKEEPING)
        .with_pii(&["givenName", "familyName"]),
    Entry::of::<StaffUpdatedV1>(Designed, KEPT, PERSON).read_by(HOUSEKEEPING),
    Entry::of::<StaffPositionChangedV1>(Designed, KEPT, PERSON),
    Entry::of::<StaffTerminatedV1>(Specified, FOR_AUDIT, PERSON).read_by(&["iam-service"]),
    Entry::of::<StaffReactivatedV1>(Designed, KEPT, PERSON),
    Entry::of::<ShiftScheduledV1>(Specified, KEPT, SHIFT).read_by(HOUSEKEEPING),
    Entry::of::<ShiftAssignedV1>(Specified, KEPT, SHIFT).read_by(HOUSEKEEPING),
    Entry::of::<ShiftUnassignedV1>(Designed, KEPT, SHIFT).read_by(HOUSEKEEPING),
    Entry::of::<ShiftSwappedV1>(Specified, KEPT, &[])
        .ordered_by_lower_of("shiftLeftId", "shiftRightId")
        .read_by(HOUSEKEEPING),
    Entry::of::<ShiftCancelledV1>(Designed, KEPT, SHIFT).read_by(HOUSEKEEPING),
    Entry::of::<ShiftStartedV1>(Specified, KEPT, SHIFT).read_by(HOUSEKEEPING),
    Entry::of::<ShiftEndedV1>(Specified, KEPT, SHIFT).read_by(HOUSEKEEPING),
    Entry::of::<StaffingGapDetectedV1>(Specified, KEPT, SHIFT).read_by(&["notification-service"]),
    Entry::of::<ClockInV1>(Specified, KEPT, PERSON).read_by(HOUSEKEEPING),
    Entry::of::<ClockOutV1>(Specified, KEPT, PERSON).read_by(HOUSEKEEPING),
    Entry::of::<ClockBreakStartedV1>(Specified, KEPT, PERSON).read_by(HOUSEKEEPING),
    Entry::of::<ClockBreakEndedV1>(Specified, KEPT, PERSON).read_by(HOUSEKEEPING),
    Entry::of::<LeaveRequestedV1>(Specified, PERSONAL, PERSON).with_pii(&["reason"]),
    Entry::of::<LeaveApprovedV1>(Specified, FOR_AUDIT, PERSON).with_pii(&["decisionNote"]),
    Entry::of::<LeaveRejectedV1>(Designed, FOR_AUDIT, PERSON).with_pii(&["decisionNote"]),
    Entry::of::<LeaveCancelledV1>(Designed, KEPT, PERSON),
    Entry::of::<CertificationAddedV1>(Designed, KEPT, PERSON),
    Entry::of::<CertificationExpiredV1>(Specified, FOR_AUDIT, PERSON),
    Entry::of::<HandoffNoteAddedV1>(Specified, KEPT, &["propertyId"]).with_pii(&["bodyExcerpt"]),
];

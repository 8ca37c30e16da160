//! What other services publish and one of the three contexts reads.

use super::entry::Status::{Assumed, Specified};
use super::entry::{Entry, Retention};
use crate::external::{
    AllocationCommittedV1, AllocationFailedV1, HousekeepingRoutingV1, KeyCredentialFailedV1, KeyCredentialIssuedV1,
    MembershipCreatedV1, MembershipRemovedV1, PropertyDeactivatedV1, RoomArchivedV1, RoomCreatedV1,
    RoomTakenOutOfOrderV1, ShiftOptimizationV1, TenantSettingsChangedV1, TransactionCapturedV1, TransactionFailedV1,
    TransactionRefundedV1, UserRegisteredV1, WorkOrderCompletedV1, WorkOrderOpenedV1,
};

const KEPT: Retention = Retention::operational(90);
const STAY: &[&str] = &["reservationId"];
const ROOM: &[&str] = &["roomId"];
const HOUSEKEEPING: &[&str] = &["housekeeping-service"];
const RESERVATION: &[&str] = &["reservation-service"];
const STAFF: &[&str] = &["staff-service"];
const RESERVATION_AND_STAFF: &[&str] = &["reservation-service", "staff-service"];
const HOUSEKEEPING_AND_RESERVATION: &[&str] = &["housekeeping-service", "reservation-service"];

pub(super) static READ: &[Entry] = &[
    Entry::of::<WorkOrderOpenedV1>(Assumed, KEPT, ROOM).read_by(HOUSEKEEPING),
    Entry::of::<WorkOrderCompletedV1>(Assumed, KEPT, ROOM).read_by(HOUSEKEEPING),
    Entry::of::<RoomCreatedV1>(Assumed, KEPT, ROOM).read_by(HOUSEKEEPING_AND_RESERVATION),
    Entry::of::<RoomArchivedV1>(Assumed, KEPT, ROOM).read_by(HOUSEKEEPING_AND_RESERVATION),
    Entry::of::<RoomTakenOutOfOrderV1>(Assumed, KEPT, ROOM).read_by(HOUSEKEEPING_AND_RESERVATION),
    Entry::of::<PropertyDeactivatedV1>(Assumed, KEPT, &["propertyId"]).read_by(RESERVATION_AND_STAFF),
    Entry::of::<TenantSettingsChangedV1>(Assumed, KEPT, &["tenantId"]).read_by(HOUSEKEEPING_AND_RESERVATION),
    Entry::of::<MembershipCreatedV1>(Assumed, KEPT, &["userId"]).read_by(STAFF),
    Entry::of::<MembershipRemovedV1>(Assumed, KEPT, &["userId"]).read_by(STAFF),
    Entry::of::<UserRegisteredV1>(Assumed, KEPT, &["userId"]).read_by(STAFF),
    Entry::of::<HousekeepingRoutingV1>(Specified, KEPT, &["shiftId"]).read_by(HOUSEKEEPING),
    Entry::of::<ShiftOptimizationV1>(Assumed, KEPT, &["propertyId"]).read_by(STAFF),
    Entry::of::<AllocationCommittedV1>(Assumed, KEPT, STAY).read_by(RESERVATION),
    Entry::of::<AllocationFailedV1>(Assumed, KEPT, STAY).read_by(RESERVATION),
    Entry::of::<TransactionCapturedV1>(Assumed, KEPT, STAY).read_by(RESERVATION),
    Entry::of::<TransactionFailedV1>(Assumed, KEPT, STAY).read_by(RESERVATION),
    Entry::of::<TransactionRefundedV1>(Assumed, KEPT, STAY).read_by(RESERVATION),
    Entry::of::<KeyCredentialIssuedV1>(Assumed, KEPT, STAY).read_by(RESERVATION),
    Entry::of::<KeyCredentialFailedV1>(Assumed, KEPT, STAY).read_by(RESERVATION),
];

//! What other contexts tell: guests come and go, people come to work.

use contracts::ids::{EventId, ReservationId, ShiftId, StaffId};
use serde_json::{Value, json};

use crate::{Door, TestHotel};

/// An event of another context in its envelope, before it is delivered.
#[derive(Clone, Debug)]
pub struct Happening {
    /// The subject it is addressed to.
    pub subject: String,
    pub envelope: Value,
}

impl Happening {
    pub fn id(&self) -> String {
        crate::text(&self.envelope["id"])
    }

    /// The same with something else in it: `departure.with("/payload/rooms/0/roomId", json!(7))`.
    pub fn with(mut self, pointer: &str, value: Value) -> Self {
        *self.envelope.pointer_mut(pointer).unwrap_or_else(|| panic!("there is no {pointer}")) = value;
        self
    }

    /// The same with one more field, or one changed.
    pub fn adding(mut self, parent: &str, field: &str, value: Value) -> Self {
        self.envelope.pointer_mut(parent).expect("a parent")[field] = value;
        self
    }

    pub fn without(mut self, parent: &str, field: &str) -> Self {
        let object = self.envelope.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object");
        object.remove(field).expect("a field");
        self
    }
}

impl TestHotel {
    pub fn happening(&self, subject: &str, payload: &Value) -> Happening {
        let subject = format!("melmastoon.{subject}");
        let id: EventId = self.next();
        let envelope = json!({
            "specVersion": "1.0", "id": id, "subject": subject, "tenantId": self.tenant, "occurredAt": self.now(),
            "producer": "test", "actor": { "type": "system", "id": "sys_test" }, "payload": payload,
        });
        Happening { subject, envelope }
    }

    /// A guest left a room, at a reservation of its own.
    pub fn checked_out(&self, door: &Door) -> Happening {
        self.checked_out_of(&self.next(), &[door])
    }

    pub fn checked_out_of(&self, reservation: &ReservationId, doors: &[&Door]) -> Happening {
        let payload = json!({
            "reservationId": reservation, "tenantId": self.tenant, "propertyId": self.property, "checkedOutAt": self.now(),
            "earlyCheckout": false, "overstayedNights": 0,
            "folio": { "folioId": "fol_TEST", "finalBalanceMicro": "0", "currency": "AFN", "settled": true },
            "rooms": stays(doors), "actor": { "type": "staff", "id": "stf_DESK" },
        });
        self.happening("reservation.checked_out.v1", &payload)
    }

    pub fn left_early(&self, reservation: &ReservationId) -> Happening {
        let payload = json!({
            "reservationId": reservation, "tenantId": self.tenant, "propertyId": self.property, "occurredAt": self.now(),
            "actor": { "type": "guest", "id": "gst_TEST" },
        });
        self.happening("reservation.early_checkout.v1", &payload)
    }

    pub fn checked_in(&self, reservation: &ReservationId, doors: &[&Door]) -> Happening {
        let payload = json!({
            "reservationId": reservation, "tenantId": self.tenant, "propertyId": self.property, "checkedInAt": self.now(),
            "assignedRooms": stays(doors), "keyCredentialIds": [], "requiresManualKey": true,
            "actor": { "type": "staff", "id": "stf_DESK" }, "earlyCheckIn": false,
        });
        self.happening("reservation.checked_in.v1", &payload)
    }

    /// A guest stands at the desk; these rooms are meant for them.
    pub fn check_in_started(&self, reservation: &ReservationId, doors: &[&Door]) -> Happening {
        let payload = json!({
            "reservationId": reservation, "tenantId": self.tenant, "propertyId": self.property, "startedAt": self.now(),
            "assignedRooms": stays(doors), "actor": { "type": "staff", "id": "stf_DESK" },
        });
        self.happening("reservation.check_in_started.v1", &payload)
    }

    pub fn no_show(&self, reservation: &ReservationId) -> Happening {
        let payload = json!({
            "reservationId": reservation, "tenantId": self.tenant, "propertyId": self.property, "occurredAt": self.now(),
            "actor": { "type": "system", "id": "sys_test" },
        });
        self.happening("reservation.no_show.v1", &payload)
    }

    pub fn shift_scheduled(&self, shift: &ShiftId) -> Happening {
        let payload = json!({
            "shiftId": shift, "tenantId": self.tenant, "propertyId": self.property, "positionId": "pos_HOUSEKEEPER",
            "patternId": null,
            "windowUtc": { "startUtc": "2026-04-22T02:30:00Z", "endUtc": "2026-04-22T10:30:00Z" },
            "localWindow": { "date": "2026-04-22", "startLocal": "07:00", "endLocal": "15:00", "tz": "Asia/Kabul" },
            "primaryHeadcount": 1, "standbyHeadcount": 0, "version": 1,
        });
        self.happening("staff.shift.scheduled.v1", &payload)
    }

    pub fn shift_assigned(&self, shift: &ShiftId, staff: &StaffId) -> Happening {
        let payload = json!({
            "shiftId": shift, "tenantId": self.tenant, "propertyId": self.property,
            "assignmentId": format!("sha_{}", &staff.as_str()[4..]), "staffId": staff, "role": "primary", "source": "manual",
            "swappedFromAssignmentId": null, "version": 1, "assignedAt": self.now(),
        });
        self.happening("staff.shift.assigned.v1", &payload)
    }

    pub fn shift_unassigned(&self, shift: &ShiftId, staff: &StaffId) -> Happening {
        let payload = json!({
            "shiftId": shift, "tenantId": self.tenant, "propertyId": self.property,
            "assignmentId": format!("sha_{}", &staff.as_str()[4..]), "staffId": staff, "role": "primary", "reason": "manual",
            "version": 2, "unassignedAt": self.now(),
        });
        self.happening("staff.shift.unassigned.v1", &payload)
    }

    pub fn shift_started(&self, shift: &ShiftId, staff: &StaffId) -> Happening {
        let payload = json!({
            "shiftId": shift, "tenantId": self.tenant, "propertyId": self.property, "positionId": "pos_HOUSEKEEPER",
            "firstClockInBy": staff, "firstClockInAt": self.now(), "primaryHeadcount": 1, "primaryClockedInCount": 1, "version": 2,
        });
        self.happening("staff.shift.started.v1", &payload)
    }

    pub fn shift_ended(&self, shift: &ShiftId, staff: &StaffId) -> Happening {
        let payload = json!({
            "shiftId": shift, "tenantId": self.tenant, "propertyId": self.property, "endedAt": self.now(),
            "endedReason": "all_primary_clocked_out", "lastClockOutBy": staff, "totalActualMinutes": 480,
            "totalBreakMinutes": 60, "version": 3,
        });
        self.happening("staff.shift.ended.v1", &payload)
    }

    pub fn clocked_in(&self, shift: Option<&ShiftId>, staff: &StaffId) -> Happening {
        self.happening("staff.clock.in.v1", &self.punch(shift, staff))
    }

    pub fn clocked_out(&self, shift: Option<&ShiftId>, staff: &StaffId) -> Happening {
        self.happening("staff.clock.out.v1", &self.punch(shift, staff))
    }

    fn punch(&self, shift: Option<&ShiftId>, staff: &StaffId) -> Value {
        json!({
            "clockEntryId": format!("clk_{}", &staff.as_str()[4..]), "tenantId": self.tenant, "staffId": staff,
            "propertyId": self.property, "shiftId": shift, "occurredAtUtc": self.now(), "recordedAtUtc": self.now(),
            "source": "electron_pin", "deviceId": null, "managerOverride": false, "fromOfflineReplay": false,
            "matchedScheduledShift": true,
        })
    }

    /// Somebody new on the staff, with what they speak.
    pub fn staff_created(&self, staff: &StaffId) -> Happening {
        let payload = json!({
            "staffId": staff, "tenantId": self.tenant, "homePropertyId": self.property, "propertyAccess": [self.property],
            "staffCode": "T-1", "userId": null, "givenName": "Gulalai", "familyName": "Wardak", "positionId": "pos_HOUSEKEEPER",
            "departmentId": "dpt_HOUSEKEEPING", "employmentType": "full_time", "employmentStatus": "active",
            "employmentStartedAt": "2026-01-01", "hasEmail": false, "pinSet": true, "languages": ["ps-AF"], "version": 1,
            "createdAt": self.now(),
        });
        self.happening("staff.created.v1", &payload)
    }
}

fn stays(doors: &[&Door]) -> Vec<Value> {
    doors.iter().map(|door| json!({ "itemId": format!("itm_{}", door.number), "roomId": door.id })).collect()
}

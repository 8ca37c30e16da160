//! The examples of the specification documents, with what they leave out filled in, are accepted by our readers.
//!
//! Where a document gives an interface instead of an example, a payload is written out from it, once with everything and
//! once with the least it allows. Local times that a document marks as UTC are written here as the UTC they mean.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use contracts::housekeeping::{RoomMaintenanceRequiredV1, RoomStatusChangedV1, TaskCreatedV1};
use contracts::reservation::{HeldV1, ModifiedV1};
use contracts::staff::{ShiftScheduledV1, StaffCreatedV1};
use contracts::{Actor, ActorKind, Envelope, Payload, Subject, validate};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

const U: &str = "01HZA2B3C4D5E6F7G8H9J0K1M2";

/// `tnt_…` becomes an id, wherever it stands.
fn filled(mut value: Value) -> Box<RawValue> {
    fn fill(value: &mut Value) {
        match value {
            Value::String(text) => *text = text.replace('…', U),
            Value::Array(items) => items.iter_mut().for_each(fill),
            Value::Object(fields) => fields.values_mut().for_each(fill),
            _ => {}
        }
    }
    fill(&mut value);
    to_raw_value(&value).unwrap()
}

fn accepted(subject: &str, payload: Value) {
    let subject = Subject::from_push_path(subject).unwrap();
    validate(&subject, &filled(payload)).unwrap_or_else(|fault| panic!("{subject}: {fault}"));
}

fn read<P: Payload>(payload: Value) -> P {
    serde_json::from_str(filled(payload).get()).unwrap()
}

#[test]
fn housekeeping_envelope_and_task() {
    let payload = json!({ "taskId": "hkt_…", "tenantId": "tnt_…", "propertyId": "prp_…", "roomId": "rom_…", "reservationId": "rsv_…",
        "kind": "turnover", "priority": "high", "scheduledFor": "2026-04-22T11:30:00Z", "checklistId": "chl_…", "checklistVersion": 7,
        "localeHint": "ps-AF", "source": "event", "sourceEventId": "evt_…" });
    let envelope = filled(
        json!({ "specVersion": "1.0", "id": "evt_…", "subject": "melmastoon.housekeeping.task.created.v1", "tenantId": "tnt_…",
        "occurredAt": "2026-04-22T11:05:11.451Z", "producer": "housekeeping-service@1.4.2", "traceparent": "00-…-…-01",
        "actor": { "type": "system", "id": "sys_…" }, "correlationId": "req_…", "causationId": "evt_…", "payload": payload }),
    );
    let envelope = Envelope::read(envelope.get().as_bytes()).unwrap();
    let task: TaskCreatedV1 = envelope.payload().unwrap();
    assert_eq!(task.checklist_version, 7);
    assert_eq!(envelope.actor.unwrap().kind, ActorKind::System);
}

#[test]
fn housekeeping_tasks_from_first_to_last() {
    for (verb, rest) in [
        ("assigned", json!({ "staffId": "stf_…" })),
        ("reassigned", json!({ "previousStaffId": "stf_…", "staffId": "stf_…", "reason": "sickness" })),
        ("reassigned", json!({ "previousStaffId": "stf_…", "staffId": "stf_…" })),
        ("started", json!({ "staffId": "stf_…", "startedAt": "2026-04-22T11:30:00Z" })),
        (
            "paused",
            json!({ "staffId": "stf_…", "pausedAt": "2026-04-22T11:30:00Z", "reason": "guest_present", "note": "asleep" }),
        ),
        ("resumed", json!({ "staffId": "stf_…", "resumedAt": "2026-04-22T11:30:00Z" })),
        (
            "completed",
            json!({ "staffId": "stf_…", "completedAt": "2026-04-22T12:20:00Z", "durationMinutes": 48, "noMaintenanceFound": true,
            "checklistResults": [{ "itemKey": "bed", "checked": true }, { "itemKey": "tap", "checked": false, "note": "drips", "photoMediaId": "m1" }],
            "linen": { "issued": 4, "returned": 4 } }),
        ),
        ("failed", json!({ "reason": "room_not_vacated" })),
        ("cancelled", json!({ "reason": "booking cancelled", "cancelledBy": { "type": "system", "id": "sys_…" } })),
        (
            "escalated",
            json!({ "to": { "role": "supervisor" }, "reason": "late", "escalatedBy": { "type": "user", "id": "stf_…" } }),
        ),
    ] {
        let mut payload = json!({ "taskId": "hkt_…", "tenantId": "tnt_…" });
        payload.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        accepted(&format!("housekeeping.task.{verb}"), payload);
    }
}

#[test]
fn housekeeping_rooms() {
    let changed: RoomStatusChangedV1 =
        read(json!({ "tenantId": "tnt_…", "propertyId": "prp_…", "roomId": "rom_…", "previousStatus": "cleaned",
        "status": "ready", "flippedAt": "2026-04-22T12:30:11Z", "cause": "inspection_passed", "taskId": "hkt_…",
        "actor": { "type": "user", "id": "stf_…" } }));
    assert_eq!(changed.actor, Actor::user(format!("stf_{U}")));
    let report: RoomMaintenanceRequiredV1 = read(
        json!({ "tenantId": "tnt_…", "propertyId": "prp_…", "roomId": "rom_…", "taskId": "hkt_…",
        "issue": { "category": "plumbing", "severity": "blocking", "description": "leak", "photoMediaIds": ["m1"] },
        "reportedAt": "2026-04-22T12:30:11Z", "reportedBy": { "type": "user", "staffId": "stf_…" }, "outcome": "convert_terminal" }),
    );
    assert_eq!(report.issue.category, "plumbing");
}

#[test]
fn housekeeping_inspections_checklists_lost_items_linen_and_gaps() {
    let passed = json!({ "inspectionId": "ins_…", "tenantId": "tnt_…", "taskId": "hkt_…", "roomId": "rom_…", "inspectorStaffId": "stf_…",
        "performedAt": "2026-04-22T12:30:11Z", "checklistId": "chl_…", "checklistVersion": 7 });
    let mut failed = passed.clone();
    failed["reason"] = json!("dust");
    failed["failedItemKeys"] = json!(["desk"]);
    accepted("housekeeping.inspection.passed", passed);
    accepted("housekeeping.inspection.failed", failed);
    accepted(
        "housekeeping.checklist.template_updated",
        json!({ "checklistId": "chl_…", "tenantId": "tnt_…", "kind": "deep_clean", "version": 8,
        "previousVersion": 7, "publishedBy": { "type": "user", "id": "stf_…" }, "publishedAt": "2026-04-22T12:30:11Z",
        "diff": { "added": ["desk"], "removed": [], "modified": [] } }),
    );
    accepted(
        "housekeeping.lost_item.recorded",
        json!({ "lostItemId": "laf_…", "tenantId": "tnt_…", "propertyId": "prp_…", "roomId": "rom_…",
        "description": "a ring", "recordedAt": "2026-04-22T12:30:11Z", "finderStaffId": "stf_…" }),
    );
    accepted(
        "housekeeping.lost_item.matched",
        json!({ "lostItemId": "laf_…", "tenantId": "tnt_…", "claimantName": "Z.", "matchedAt": "2026-04-22T12:30:11Z",
        "matchedByStaffId": "stf_…" }),
    );
    accepted(
        "housekeeping.lost_item.disposed",
        json!({ "lostItemId": "laf_…", "tenantId": "tnt_…", "method": "donated", "disposedAt": "2026-04-22T12:30:11Z" }),
    );
    accepted(
        "housekeeping.linen.low_stock_alert",
        json!({ "tenantId": "tnt_…", "propertyId": "prp_…", "line": "sheet", "onHand": 3, "lowWatermark": 10,
        "detectedAt": "2026-04-22T12:30:11Z" }),
    );
    accepted(
        "housekeeping.shift.staffing_gap_detected",
        json!({ "tenantId": "tnt_…", "propertyId": "prp_…", "shiftId": "shf_…",
        "detectedAt": "2026-04-22T12:30:11Z", "pendingMinutes": 600, "capacityMinutes": 420, "suggestedAction": "call_relief", "affectedTaskIds": ["hkt_…"] }),
    );
}

#[test]
fn what_housekeeping_expects_of_others() {
    accepted(
        "reservation.checked-out",
        json!({ "reservationId": "rsv_…", "tenantId": "tnt_…", "propertyId": "prp_…", "checkedOutAt": "2026-04-22T11:05:00Z",
        "earlyCheckout": false, "overstayedNights": 0, "rooms": [{ "itemId": "…1", "roomId": "rom_…" }], "actor": { "type": "staff", "id": "stf_…" } }),
    );
    accepted(
        "ai_orchestrator.suggestion.housekeeping_routing",
        json!({ "suggestionId": "sug_…", "tenantId": "tnt_…", "propertyId": "prp_…",
        "shiftId": "shf_…", "rows": [{ "taskId": "hkt_…", "staffId": "stf_…", "score": 1, "reasoning": "near" }],
        "generatedAt": "2026-04-22T11:05:00Z", "modelVersion": "r-1" }),
    );
    accepted(
        "maintenance.work_order.completed",
        json!({ "workOrderId": "mt_1", "tenantId": "tnt_…", "propertyId": "prp_…", "roomId": "rom_…",
        "completedAt": "2026-04-22T11:05:00Z" }),
    );
}

#[test]
fn reservation_held_as_its_example_shows_it() {
    // One id of the example is a character too long for a ULID; a reader takes it.
    let held: HeldV1 = read(
        json!({ "reservationId": "rsv_01H3Z4WK7TS5K8B5RBQ8H6JQK7Z", "tenantId": "tnt_01H3Z3GXSE7Y8B5RBQ8H6JQK7Z",
        "propertyId": "ppt_01H3Z3GXSE7Y8B5RBQ8H6JQK7Z", "reservationCode": "GM-9F4K2C", "channel": "direct",
        "primaryGuest": { "guestId": "gst_…", "locale": "ps-AF", "contactHash": { "email": "ab12", "phone": "cd34" } },
        "stayWindow": { "start": "2026-04-25", "end": "2026-04-28", "nights": 3 },
        "items": [{ "itemId": "01H3Z1", "roomTypeId": "rmt_…SUITE", "occupants": { "adults": 2, "children": 1, "infants": 0 },
            "nightlyRateMicro": "120000000", "currency": "USD" }],
        "totals": { "grandTotalMicro": "559000000", "currency": "USD" },
        "hold": { "placedAt": "2026-04-22T18:31:00Z", "expiresAt": "2026-04-22T18:41:00Z", "ttlSeconds": 600 }, "paymentIntentId": "pyi_…",
        "fxSnapshot": { "base": "USD", "quote": "IRR", "rate": 42000, "source": "pricing_service", "capturedAt": "2026-04-22T18:31:00Z" },
        "createdBy": { "type": "guest", "id": "gst_…" }, "occurredAt": "2026-04-22T18:31:00.123Z" }),
    );
    assert_eq!(held.fx_snapshot.as_ref().unwrap().rate.as_str(), "42000");
    let written = serde_json::to_value(&held).unwrap();
    assert_eq!(written["propertyId"], "ppt_01H3Z3GXSE7Y8B5RBQ8H6JQK7Z", "reservation spells properties so");
    assert_eq!(written["fxSnapshot"]["rate"], 42000);
}

#[test]
fn reservation_from_its_interfaces() {
    let stay = json!({ "reservationId": "rsv_…", "tenantId": "tnt_…", "propertyId": "ppt_…" });
    let with = |rest: Value| {
        let mut payload = stay.clone();
        payload.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        payload
    };
    let actor = json!({ "type": "staff", "id": "stf_…" });
    accepted(
        "reservation.confirmed",
        with(
            json!({ "reservationCode": "GM-9F4K2C", "stayWindow": { "start": "2026-04-25", "end": "2026-04-28", "nights": 3 },
        "totals": { "grandTotalMicro": "559000000", "currency": "USD", "inTenantCurrencyMicro": "39000000000", "tenantCurrency": "AFN" },
        "payment": { "method": "cash_on_arrival", "status": "pending_cash", "paymentIntentIds": [], "capturedMicro": "0" },
        "channel": { "channel": "ota", "partnerId": "p" }, "primaryGuest": { "guestId": "gst_…", "locale": "fa-AF" },
        "confirmedAt": "2026-04-22T18:31:00Z" }),
        ),
    );
    accepted(
        "reservation.cancelled",
        with(json!({ "cancelledAt": "2026-04-22T18:31:00Z", "reason": "ill", "reasonCode": "guest_cancelled",
        "policyApplied": { "ref": "flex", "refundEligibilityMicro": "1", "penaltyMicro": "0", "currency": "USD" },
        "paymentRefundsRequested": [{ "paymentIntentId": "pyi_…", "amountMicro": "1" }], "itemsCancelled": ["…1"], "actor": actor })),
    );
    accepted(
        "reservation.checked_in",
        with(json!({ "checkedInAt": "2026-04-22T18:31:00Z", "assignedRooms": [{ "itemId": "…1", "roomId": "rom_…" }],
        "keyCredentialIds": [], "requiresManualKey": true, "actor": { "type": "guest_self_service", "id": "gst_…" }, "earlyCheckIn": false })),
    );
    accepted(
        "reservation.checked_out",
        with(json!({ "checkedOutAt": "2026-04-22T18:31:00Z", "earlyCheckout": true, "overstayedNights": 0,
        "folio": { "folioId": "f", "finalBalanceMicro": "-5", "currency": "USD", "settled": false }, "rooms": [{ "itemId": "1", "roomId": "rom_…" }], "actor": actor })),
    );
    for verb in ["no_show", "early_checkout", "overstayed"] {
        let path = format!("reservation.{verb}");
        accepted(&path, with(json!({ "occurredAt": "2026-04-22T18:31:00Z", "actor": actor })));
        accepted(
            &path,
            with(
                json!({ "occurredAt": "2026-04-22T18:31:00Z", "actor": actor, "policyApplied": "flex", "penaltyMicro": "5", "currency": "USD" }),
            ),
        );
        accepted(
            &path,
            with(json!({ "occurredAt": "2026-04-22T18:31:00Z", "actor": actor, "policyApplied": { "ref": "flex" } })),
        );
    }
    accepted(
        "reservation.hold_expired",
        with(json!({ "holdId": "h", "expiredAt": "2026-04-22T18:31:00Z", "inventoryAllocationIds": ["a"] })),
    );
    accepted(
        "reservation.special_request.added",
        with(json!({ "requestId": "r", "tags": ["mid_stay_clean"], "locale": "ps-AF", "source": "ai_parser",
        "occurredAt": "2026-04-22T18:31:00Z", "actor": actor, "aiProvenance": { "source": "cloud", "model": "m", "promptHash": "h" } })),
    );
    accepted(
        "reservation.modification.requested",
        with(json!({ "requestedMods": ["mid_stay_clean"], "requestedAt": "2026-04-22T18:31:00Z", "actor": actor })),
    );
    let modified: ModifiedV1 = read(with(
        json!({ "modificationId": "…", "type": "room_change", "occurredAt": "2026-04-22T18:31:00Z", "actor": actor,
        "before": { "itemId": "1", "roomId": "rom_1" }, "after": { "itemId": "1", "roomId": "rom_2" } }),
    ));
    let moved = modified.room_changes();
    assert_eq!((moved[0].from.as_ref().unwrap().as_str(), moved[0].to.as_str()), ("rom_1", "rom_2"));
    let (before, after) = moved[0].before_and_after();
    assert_eq!((&before, &after), (&modified.before, &modified.after));
    let mut listed = modified.clone();
    let side =
        |room: &str| json!({ "rooms": [{ "itemId": "0", "roomId": "rom_9" }, { "itemId": "1", "roomId": room }] });
    listed.before = side("rom_1").as_object().unwrap().clone();
    listed.after = side("rom_2").as_object().unwrap().clone();
    assert_eq!(listed.room_changes(), moved, "a room that stays the same has not changed");
    assert!(listed.rooms_lost().is_empty() && modified.rooms_lost().is_empty());
    let mut lost = modified.clone();
    lost.after.remove("roomId");
    assert_eq!((lost.room_changes(), lost.rooms_lost()), (vec![], vec![moved[0].from.clone().unwrap()]));
    lost.before = listed.before.clone();
    let rest = json!({ "rooms": [{ "itemId": "0", "roomId": "rom_9" }, { "itemId": "1" }] });
    lost.after = rest.as_object().unwrap().clone();
    assert_eq!(lost.rooms_lost(), [moved[0].from.clone().unwrap()], "the item that has none, and not the other");
    listed.kind = contracts::reservation::ModificationType::RateChange;
    assert_eq!(listed.room_changes(), []);
}

#[test]
fn staff_as_its_examples_show_it() {
    let created: StaffCreatedV1 = read(
        json!({ "staffId": "stf_01HZA2B3C4D5E6F7G8H9J0K1L2", "tenantId": "ten_…", "homePropertyId": "ppt_…", "propertyAccess": ["ppt_…"],
        "staffCode": "GM-DOH-FD-014", "userId": null, "givenName": "Bilal", "familyName": "Khan", "positionId": "pos_…FRONT_DESK", "departmentId": "dpt_…",
        "employmentType": "full_time", "employmentStatus": "pending_invite", "employmentStartedAt": "2026-04-15", "hasEmail": true, "pinSet": true,
        "version": 1, "createdAt": "2026-04-22T15:33:18.412Z" }),
    );
    let written = serde_json::to_value(&created).unwrap();
    assert_eq!(written["tenantId"], format!("ten_{U}"));
    assert_eq!(written["propertyAccess"][0], format!("ppt_{U}"));
    assert_eq!((&written["userId"], created.tenant_id.as_str()), (&Value::Null, format!("tnt_{U}").as_str()));

    accepted(
        "staff.terminated",
        json!({ "staffId": "stf_…", "tenantId": "ten_…", "userId": "usr_…", "homePropertyId": "ppt_…", "previousStatus": "active",
        "effectiveAt": "2026-05-01", "reason": "voluntary_resignation", "cascadeSummary": { "openClockClosed": true, "futureAssignmentsUnassigned": 7,
        "futureShiftsCancelled": 1, "iamSessionRevocationRequested": true }, "version": 5, "occurredAt": "2026-04-22T15:34:01.000Z" }),
    );
    let shift = json!({ "shiftId": "shf_…", "tenantId": "ten_…", "propertyId": "ppt_…" });
    let with = |rest: Value| {
        let mut payload = shift.clone();
        payload.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        payload
    };
    let scheduled: ShiftScheduledV1 = read(with(json!({ "positionId": "pos_…HOUSEKEEPER", "patternId": "shp_…",
        "windowUtc": { "startUtc": "2026-04-23T01:30Z", "endUtc": "2026-04-23T09:30Z" },
        "localWindow": { "date": "2026-04-23", "startLocal": "06:00", "endLocal": "14:00", "tz": "Asia/Kabul" }, "primaryHeadcount": 4, "standbyHeadcount": 1, "version": 1 })));
    assert_eq!(scheduled.window_utc.start_utc.to_string(), "2026-04-23T01:30:00.000Z");
    accepted(
        "staff.shift.assigned",
        with(json!({ "assignmentId": "sha_…", "staffId": "stf_…", "role": "primary", "source": "manual",
        "swappedFromAssignmentId": null, "version": 1, "assignedAt": "2026-04-22T15:42:11.000Z" })),
    );
    accepted(
        "staff.shift.swapped",
        json!({ "shiftLeftId": "shf_…A", "shiftRightId": "shf_…B", "tenantId": "ten_…", "swappedAt": "2026-04-22T15:43:00.000Z",
        "leftAssignment": { "newId": "sha_…L2", "previousId": "sha_…L1", "staffId": "stf_…X" },
        "rightAssignment": { "newId": "sha_…R2", "previousId": "sha_…R1", "staffId": "stf_…Y" } }),
    );
    accepted(
        "staff.shift.started",
        with(
            json!({ "positionId": "pos_…HOUSEKEEPER", "firstClockInBy": "stf_…", "firstClockInAt": "2026-04-23T01:28:11Z",
        "primaryHeadcount": 4, "primaryClockedInCount": 1, "version": 2 }),
        ),
    );
    accepted(
        "staff.shift.ended",
        with(
            json!({ "endedAt": "2026-04-23T09:41:02Z", "endedReason": "all_primary_clocked_out", "lastClockOutBy": "stf_…",
        "totalActualMinutes": 481, "totalBreakMinutes": 60, "version": 4 }),
        ),
    );
    accepted(
        "staff.shift.staffing_gap_detected",
        with(json!({ "positionId": "pos_…FRONT_DESK", "windowStartsInSeconds": 600, "headcountRequired": 1,
        "headcountClockedIn": 0, "headcountStandbyAvailable": 1, "suggestion": "promote_standby", "detectedAt": "2026-04-23T01:20:00Z" })),
    );
    for verb in ["in", "out", "break_started", "break_ended"] {
        accepted(
            &format!("staff.clock.{verb}"),
            with(json!({ "clockEntryId": "clk_…", "staffId": "stf_…", "occurredAtUtc": "2026-04-23T01:28:11Z",
            "recordedAtUtc": "2026-04-23T01:28:11Z", "source": "electron_pin", "deviceId": "dev_…", "managerOverride": false, "fromOfflineReplay": false,
            "matchedScheduledShift": true })),
        );
    }
    let person =
        json!({ "tenantId": "ten_…", "staffId": "stf_…", "leaveRequestId": "lvr_…", "certificationId": "crt_…" });
    let of = |rest: Value| {
        let mut payload = person.clone();
        payload.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        payload
    };
    accepted(
        "staff.leave.requested",
        of(json!({ "type": "sick", "windowLocal": { "from": "2026-04-23", "to": "2026-04-25" }, "reason": "Fever",
        "requestedAt": "2026-04-22T19:11:09Z", "version": 1 })),
    );
    accepted(
        "staff.leave.approved",
        of(
            json!({ "decidedBy": "usr_…", "decidedAt": "2026-04-22T19:34:51Z", "forceUnassignedAssignmentIds": ["sha_…", "sha_…"],
        "decisionNote": "Approved; standby promoted", "version": 2 }),
        ),
    );
    accepted(
        "staff.certification.expired",
        of(
            json!({ "type": "food_handling", "issuedAt": "2025-04-23", "expiredAt": "2026-04-23", "detectedAt": "2026-04-23T00:00:01Z" }),
        ),
    );
    accepted(
        "staff.handoff.note_added",
        json!({ "handoffNoteId": "hno_…", "tenantId": "ten_…", "propertyId": "ppt_…", "positionId": "pos_…", "fromStaffId": "stf_…",
        "fromShiftId": "shf_…", "bodyExcerpt": "Room 304 AC noisy; reported to maintenance", "attachmentCount": 0, "createdAt": "2026-04-23T09:32:11Z" }),
    );
}

#[test]
fn an_unknown_word_of_others_is_kept_and_one_of_our_own_is_a_fault() {
    let payload = json!({ "reservationId": "rsv_…", "tenantId": "tnt_…", "propertyId": "ppt_…", "cancelledAt": "2026-04-22T18:31:00Z", "reason": "r",
        "reasonCode": "swallowed_by_sea", "policyApplied": { "ref": "flex" }, "actor": { "type": "oracle", "id": "x" } });
    let cancelled: contracts::reservation::CancelledV1 = read(payload.clone());
    assert_eq!(cancelled.reason_code, contracts::reservation::CancelReason::Unknown("swallowed_by_sea".into()));
    let fault = contracts::fits_schema("melmastoon.reservation.cancelled.v1", &filled(payload)).unwrap_err();
    assert!(fault.to_string().contains("/reasonCode"), "what we read we may still not write: {fault}");

    let failed = filled(json!({ "taskId": "hkt_…", "tenantId": "tnt_…", "reason": "swallowed_by_sea" }));
    let fault = validate(&"melmastoon.housekeeping.task.failed.v1".parse().unwrap(), &failed).unwrap_err();
    assert_eq!(fault.pointer, "/reason");
}

//! Leave, papers, notes, patterns, wishes and suggestions as they are shown.

use contracts::actor::Actor;
use contracts::ids::{
    AssignmentId, CertificationId, HandoffNoteId, LeaveRequestId, PositionId, PropertyId, ShiftId, ShiftPatternId,
    StaffId, SuggestionId, SwapRequestId, TenantId, UserId,
};
use contracts::staff::LeaveWindow;
use contracts::time::Timestamp;
use contracts::values::{LocalDate, LocalTime};
use platform::auth::Caller;
use schemars::JsonSchema;
use serde::Serialize;

use super::patterns::Generated;
use super::{is_leader, is_self};
use crate::domain::certification::{Certification, CertificationStatus};
use crate::domain::handoff::HandoffNote;
use crate::domain::leave::{Leave, LeaveKind, LeaveState, LeaveStatus};
use crate::domain::pattern::{Assignee, Cycle, Recurrence, ShiftPattern};
use crate::domain::planning::{SkipCode, Warning};
use crate::domain::suggestion::{ProposedRow, ShiftSuggestion, SuggestionStatus};
use crate::domain::swap_request::{Side, SwapRequest, SwapStatus};
use crate::domain::words::Weekday;

/// A request for leave as the caller may see it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LeaveRequest")]
pub struct LeaveResource {
    pub leave_request_id: LeaveRequestId,
    pub tenant_id: TenantId,
    pub staff_id: StaffId,
    #[serde(rename = "type")]
    pub kind: LeaveKind,
    pub window_local: LeaveWindow,
    /// To those who lead and to the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub status: LeaveStatus,
    pub requested_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<Timestamp>,
    /// To those who lead and to the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision_note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancelled_by: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancelled_at: Option<Timestamp>,
    /// Places on shifts to come that it is in the way of; only of one request, not in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflicting_assignment_ids: Option<Vec<AssignmentId>>,
    pub version: i32,
}

impl LeaveResource {
    pub fn of(leave: &Leave, caller: &Caller, conflicts: Option<Vec<AssignmentId>>) -> Self {
        let private = is_self(caller, &leave.staff_id) || is_leader(caller);
        let verdict = leave.state.verdict().cloned();
        let off = match leave.state.clone() {
            LeaveState::Cancelled { by, at, .. } => Some((by, at)),
            LeaveState::Requested | LeaveState::Approved(_) | LeaveState::Rejected(_) => None,
        };
        Self {
            leave_request_id: leave.id.clone(),
            tenant_id: caller.tenant.clone(),
            staff_id: leave.staff_id.clone(),
            kind: leave.kind,
            window_local: LeaveWindow { from: leave.days.from, to: leave.days.to },
            reason: leave.reason.clone().filter(|_| private),
            status: leave.state.status(),
            requested_at: leave.requested_at,
            decided_by: verdict.as_ref().map(|verdict| verdict.by.clone()),
            decided_at: verdict.as_ref().map(|verdict| verdict.at),
            decision_note: verdict.and_then(|verdict| verdict.note).filter(|_| private),
            cancelled_by: off.as_ref().map(|off| off.0.clone()),
            cancelled_at: off.map(|off| off.1),
            conflicting_assignment_ids: conflicts,
            version: leave.version,
        }
    }
}

/// A certificate as the caller may see it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Certification")]
pub struct CertificationResource {
    pub certification_id: CertificationId,
    pub tenant_id: TenantId,
    pub staff_id: StaffId,
    #[serde(rename = "type")]
    pub kind: String,
    pub issued_at: LocalDate,
    /// The first day on which it holds no more.
    pub expires_at: Option<LocalDate>,
    /// To those who lead and to the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    pub status: CertificationStatus,
    pub added_at: Timestamp,
    pub updated_at: Timestamp,
    pub version: i32,
}

impl CertificationResource {
    pub fn of(paper: &Certification, caller: &Caller) -> Self {
        let private = is_self(caller, &paper.staff_id) || is_leader(caller);
        let paper = paper.clone();
        Self {
            certification_id: paper.id,
            tenant_id: caller.tenant.clone(),
            staff_id: paper.staff_id,
            kind: paper.kind,
            issued_at: paper.issued_at,
            expires_at: paper.expires_at,
            number: paper.number.filter(|_| private),
            status: paper.status,
            added_at: paper.added_at,
            updated_at: paper.updated_at,
            version: paper.version,
        }
    }
}

/// Somebody has read a note.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoteAcknowledgement {
    pub staff_id: StaffId,
    pub at: Timestamp,
}

/// A note from one shift to the next.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "HandoffNote")]
pub struct HandoffResource {
    pub handoff_note_id: HandoffNoteId,
    pub tenant_id: TenantId,
    pub property_id: PropertyId,
    /// For whom; null: for everybody.
    pub position_id: Option<PositionId>,
    pub from_staff_id: StaffId,
    pub from_shift_id: Option<ShiftId>,
    pub body: String,
    pub body_excerpt: String,
    pub attachment_ids: Vec<String>,
    pub attachment_count: usize,
    pub acknowledged_by: Vec<NoteAcknowledgement>,
    pub created_at: Timestamp,
    pub version: i32,
}

impl HandoffResource {
    pub fn of(note: &HandoffNote, tenant: &TenantId) -> Self {
        let read = note.acknowledged.iter();
        let read = read.map(|read| NoteAcknowledgement { staff_id: read.staff_id.clone(), at: read.at });
        Self {
            handoff_note_id: note.id.clone(),
            tenant_id: tenant.clone(),
            property_id: note.property_id.clone(),
            position_id: note.position_id.clone(),
            from_staff_id: note.from_staff_id.clone(),
            from_shift_id: note.from_shift_id.clone(),
            body: note.body.clone(),
            body_excerpt: note.excerpt(),
            attachment_ids: note.attachment_ids.clone(),
            attachment_count: note.attachment_ids.len(),
            acknowledged_by: read.collect(),
            created_at: note.created_at,
            version: note.version,
        }
    }
}

/// A pattern that shifts are made of.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ShiftPattern")]
pub struct PatternResource {
    pub pattern_id: ShiftPatternId,
    pub tenant_id: TenantId,
    pub property_id: PropertyId,
    pub position_id: PositionId,
    pub name: String,
    pub start_local: LocalTime,
    pub end_local: LocalTime,
    /// This or `cycle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days_of_week: Option<Vec<Weekday>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<Cycle>,
    pub valid_from: LocalDate,
    pub valid_to: Option<LocalDate>,
    pub primary_headcount: i32,
    pub standby_headcount: i32,
    pub break_minutes: Option<i32>,
    pub assignees: Vec<Assignee>,
    pub active: bool,
    pub version: i32,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl PatternResource {
    pub fn of(pattern: &ShiftPattern, tenant: &TenantId) -> Self {
        let of = pattern.template.clone();
        let (days_of_week, cycle) = match of.recurrence {
            Recurrence::Weekly(days) => (Some(days), None),
            Recurrence::Cycle(cycle) => (None, Some(cycle)),
        };
        Self {
            pattern_id: pattern.id.clone(),
            tenant_id: tenant.clone(),
            property_id: pattern.property_id.clone(),
            position_id: of.position_id,
            name: of.name,
            start_local: of.start_local,
            end_local: of.end_local,
            days_of_week,
            cycle,
            valid_from: of.valid_from,
            valid_to: of.valid_to,
            primary_headcount: of.primary_headcount,
            standby_headcount: of.standby_headcount,
            break_minutes: of.break_minutes,
            assignees: of.assignees,
            active: of.active,
            version: pattern.version,
            created_at: pattern.created_at,
            updated_at: pattern.updated_at,
        }
    }
}

/// A day that got no shift, or somebody who got no place on one.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkippedDay {
    pub pattern_id: ShiftPatternId,
    pub date: LocalDate,
    pub code: SkipCode,
    /// Who got no place; missing where there is no shift.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staff_id: Option<StaffId>,
}

/// What came of making shifts.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "GeneratedShifts")]
pub struct GeneratedResource {
    pub created: Vec<ShiftId>,
    /// How many were there already.
    pub existing: u32,
    pub skipped: Vec<SkippedDay>,
}

impl From<Generated> for GeneratedResource {
    fn from(made: Generated) -> Self {
        let skipped = made.skipped.into_iter().map(|one| SkippedDay {
            pattern_id: one.pattern_id,
            date: one.date,
            code: one.code,
            staff_id: one.staff_id,
        });
        Self { created: made.created, existing: made.existing, skipped: skipped.collect() }
    }
}

/// One of the places that are to be changed.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SwapSidePlace {
    pub assignment_id: AssignmentId,
    pub shift_id: ShiftId,
    pub staff_id: StaffId,
    pub property_id: PropertyId,
}

impl From<&Side> for SwapSidePlace {
    fn from(side: &Side) -> Self {
        let Side { assignment_id, shift_id, staff_id, property_id } = side.clone();
        Self { assignment_id, shift_id, staff_id, property_id }
    }
}

/// A wish to change places.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SwapRequest")]
pub struct SwapRequestResource {
    pub swap_request_id: SwapRequestId,
    pub tenant_id: TenantId,
    /// Of whoever asks.
    pub left: SwapSidePlace,
    pub right: SwapSidePlace,
    pub note: Option<String>,
    pub status: SwapStatus,
    /// Who answered last.
    pub decided_by: Option<Actor>,
    /// What speaks against it; only of one that has just been approved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<Warning>>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub version: i32,
}

impl SwapRequestResource {
    pub fn of(request: &SwapRequest, stands: bool, tenant: &TenantId, warnings: Option<Vec<Warning>>) -> Self {
        Self {
            swap_request_id: request.id.clone(),
            tenant_id: tenant.clone(),
            left: (&request.left).into(),
            right: (&request.right).into(),
            note: request.note.clone(),
            status: request.shown(stands),
            decided_by: request.decided_by.clone(),
            warnings,
            created_at: request.created_at,
            updated_at: request.updated_at,
            version: request.version,
        }
    }
}

/// What a program proposes, and what became of it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ShiftSuggestion")]
pub struct ShiftSuggestionResource {
    pub suggestion_id: SuggestionId,
    pub tenant_id: TenantId,
    pub property_id: PropertyId,
    pub status: SuggestionStatus,
    pub generated_at: Timestamp,
    pub model_version: Option<String>,
    pub rows: Vec<ProposedRow>,
    pub decided_by: Option<Actor>,
    pub decided_at: Option<Timestamp>,
    pub version: i32,
}

impl ShiftSuggestionResource {
    pub fn of(suggestion: &ShiftSuggestion, tenant: &TenantId) -> Self {
        let of = suggestion.clone();
        Self {
            suggestion_id: of.id,
            tenant_id: tenant.clone(),
            property_id: of.property_id,
            status: of.status,
            generated_at: of.generated_at,
            model_version: of.model_version,
            rows: of.rows,
            decided_by: of.decided_by,
            decided_at: of.decided_at,
            version: of.version,
        }
    }
}

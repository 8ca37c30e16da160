//! People, positions and departments as they are shown; what is personal only to those it is meant for.

use contracts::ids::{DepartmentId, PositionId, PropertyId, StaffId, TenantId, UserId};
use contracts::staff::CascadeSummary;
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::auth::Caller;
use schemars::JsonSchema;
use serde::Serialize;

use super::{is_leader, is_manager, is_self};
use crate::domain::person::{Cascade, EmergencyContact, Employment, Person};
use crate::domain::position::{Department, Position};
use crate::domain::words::{EmploymentKind, PositionRole, Standing};

/// A person as the caller may see them.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Person")]
pub struct PersonResource {
    pub staff_id: StaffId,
    pub tenant_id: TenantId,
    pub given_name: String,
    pub family_name: String,
    pub staff_code: String,
    pub home_property_id: PropertyId,
    pub property_access: Vec<PropertyId>,
    pub position_id: PositionId,
    pub department_id: DepartmentId,
    pub user_id: Option<UserId>,
    pub employment_type: EmploymentKind,
    pub employment_status: Standing,
    pub employment_started_at: LocalDate,
    pub employment_ends_at: Option<LocalDate>,
    pub has_email: bool,
    pub pin_set: bool,
    /// To managers and to the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// To those who lead and to the person.
    #[serde(rename = "phoneE164", skip_serializing_if = "Option::is_none")]
    pub phone_e164: Option<String>,
    /// To managers and to the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emergency_contact: Option<EmergencyContact>,
    pub languages: Vec<String>,
    pub skills: Vec<String>,
    /// How it ended; the reason to managers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub termination: Option<TerminationResource>,
    pub version: i32,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// How an employment ended.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Termination")]
pub struct TerminationResource {
    pub effective_at: LocalDate,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl PersonResource {
    pub fn of(person: &Person, caller: &Caller) -> Self {
        let of = person.particulars.clone();
        let own = is_self(caller, &person.id);
        let (managers, leaders) = (own || is_manager(caller), own || is_leader(caller));
        let termination = match &person.employment {
            Employment::Terminated(ended) => Some(TerminationResource {
                effective_at: ended.on,
                reason: managers.then(|| ended.reason.clone()),
                note: ended.note.clone().filter(|_| is_manager(caller)),
            }),
            _ => None,
        };
        Self {
            staff_id: person.id.clone(),
            tenant_id: caller.tenant.clone(),
            given_name: of.given_name,
            family_name: of.family_name,
            staff_code: of.staff_code,
            home_property_id: of.home_property_id,
            property_access: of.property_access,
            position_id: person.position_id.clone(),
            department_id: of.department_id,
            user_id: of.user_id,
            employment_type: of.employment_type,
            employment_status: person.employment.standing(),
            employment_started_at: of.employment_started_at,
            employment_ends_at: of.employment_ends_at,
            has_email: of.email.is_some(),
            pin_set: person.pin_set,
            email: of.email.filter(|_| managers),
            phone_e164: of.phone_e164.filter(|_| leaders),
            emergency_contact: of.emergency_contact.filter(|_| managers),
            languages: of.languages,
            skills: of.skills,
            termination,
            version: person.version,
            created_at: person.created_at,
            updated_at: person.updated_at,
        }
    }
}

/// A person who is gone, and what followed from it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TerminatedPerson")]
pub struct TerminatedResource {
    #[serde(flatten)]
    pub person: PersonResource,
    pub cascade_summary: CascadeSummary,
}

impl TerminatedResource {
    pub fn of(person: &Person, cascade: Cascade, caller: &Caller) -> Self {
        let cascade_summary = CascadeSummary {
            open_clock_closed: cascade.open_clock_closed,
            future_assignments_unassigned: cascade.assignments_unassigned,
            future_shifts_cancelled: cascade.shifts_cancelled,
            iam_session_revocation_requested: person.particulars.user_id.is_some(),
        };
        Self { person: PersonResource::of(person, caller), cascade_summary }
    }
}

/// A department.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Department")]
pub struct DepartmentResource {
    pub department_id: DepartmentId,
    pub name: String,
    pub code: Option<String>,
    pub active: bool,
    pub version: i32,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl From<&Department> for DepartmentResource {
    fn from(department: &Department) -> Self {
        let Department { id, code, name, active, created_at, updated_at, version } = department.clone();
        Self { department_id: id, name, code, active, version, created_at, updated_at }
    }
}

/// A position.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Position")]
pub struct PositionResource {
    pub position_id: PositionId,
    pub name: String,
    pub department_id: DepartmentId,
    pub code: Option<String>,
    /// What its PIN tokens may do.
    pub role: Option<PositionRole>,
    pub required_certifications: Vec<String>,
    pub certifications_enforced: bool,
    pub active: bool,
    pub version: i32,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl From<&Position> for PositionResource {
    fn from(position: &Position) -> Self {
        let of = position.clone();
        Self {
            position_id: of.id,
            name: of.name,
            department_id: of.department_id,
            code: of.code,
            role: of.role,
            required_certifications: of.required_certifications,
            certifications_enforced: of.certifications_enforced,
            active: of.active,
            version: of.version,
            created_at: of.created_at,
            updated_at: of.updated_at,
        }
    }
}

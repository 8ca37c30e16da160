//! Bodies of commands, with the field names of the events.

use contracts::ids::{DepartmentId, PositionId, PropertyId, TenantId, UserId};
use contracts::values::LocalDate;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use crate::domain::person::EmergencyContact;
use crate::domain::pin::Pin;
use crate::domain::words::{EmploymentKind, PositionRole, Standing};

/// A value that is null is named all the same: it takes away what was there.
pub(super) fn named<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(from).map(Some)
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreatePerson {
    pub given_name: String,
    pub family_name: String,
    pub home_property_id: PropertyId,
    pub position_id: PositionId,
    pub employment_type: EmploymentKind,
    pub employment_started_at: LocalDate,
    /// The position's, where none is named.
    pub department_id: Option<DepartmentId>,
    /// The next `S-0001`, where none is named.
    pub staff_code: Option<String>,
    /// The home is always one of them.
    pub property_access: Option<Vec<PropertyId>>,
    pub user_id: Option<UserId>,
    pub employment_ends_at: Option<LocalDate>,
    pub email: Option<String>,
    #[serde(rename = "phoneE164")]
    pub phone_e164: Option<String>,
    pub emergency_contact: Option<EmergencyContact>,
    #[serde(default)]
    pub languages: Vec<String>,
    #[serde(default)]
    pub skills: Vec<String>,
    pub pin: Option<Pin>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetPin {
    /// Null takes the present one away.
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<Pin>", required)]
    pub pin: Option<Option<Pin>>,
    /// Whoever sets their own shows the one they have.
    pub current_pin: Option<Pin>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SignIn {
    pub tenant_id: TenantId,
    /// In any case.
    pub staff_code: String,
    pub pin: Pin,
    /// At a terminal that everybody uses: for five minutes.
    #[serde(default)]
    pub kiosk: bool,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UpdatePerson {
    pub given_name: Option<String>,
    pub family_name: Option<String>,
    pub staff_code: Option<String>,
    pub home_property_id: Option<PropertyId>,
    pub property_access: Option<Vec<PropertyId>>,
    pub department_id: Option<DepartmentId>,
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<UserId>")]
    pub user_id: Option<Option<UserId>>,
    pub employment_type: Option<EmploymentKind>,
    pub employment_started_at: Option<LocalDate>,
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<LocalDate>")]
    pub employment_ends_at: Option<Option<LocalDate>>,
    /// `suspended`, and back to `active`.
    pub employment_status: Option<Standing>,
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<String>")]
    pub email: Option<Option<String>>,
    #[serde(default, rename = "phoneE164", deserialize_with = "named")]
    #[schemars(with = "Option<String>")]
    pub phone_e164: Option<Option<String>>,
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<EmergencyContact>")]
    pub emergency_contact: Option<Option<EmergencyContact>>,
    pub languages: Option<Vec<String>>,
    pub skills: Option<Vec<String>>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangePosition {
    pub position_id: PositionId,
    pub department_id: Option<DepartmentId>,
    /// Today, where none is named.
    pub effective_at: Option<LocalDate>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Terminate {
    /// One word, such as `voluntary_resignation`.
    pub reason: String,
    /// The last day on paper; today, where none is named.
    pub effective_at: Option<LocalDate>,
    pub note: Option<String>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reactivate {
    pub effective_at: Option<LocalDate>,
}

#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct AddDepartment {
    pub name: String,
    pub code: Option<String>,
    pub active: Option<bool>,
}

#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct ChangeDepartment {
    pub name: Option<String>,
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<String>")]
    pub code: Option<Option<String>>,
    pub active: Option<bool>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AddPosition {
    pub name: String,
    pub department_id: DepartmentId,
    pub code: Option<String>,
    /// What its PIN tokens may do.
    pub role: Option<PositionRole>,
    pub required_certifications: Option<Vec<String>>,
    pub certifications_enforced: Option<bool>,
    pub active: Option<bool>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EditPosition")]
pub(super) struct EditPosition {
    pub name: Option<String>,
    pub department_id: Option<DepartmentId>,
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<String>")]
    pub code: Option<Option<String>>,
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<PositionRole>")]
    pub role: Option<Option<PositionRole>>,
    pub required_certifications: Option<Vec<String>>,
    pub certifications_enforced: Option<bool>,
    pub active: Option<bool>,
}

//! Houses, rooms and repairs, as told by property and maintenance.

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::ids::{PropertyId, RoomId, RoomTypeId, TaskId, TenantId};
use crate::payload::payload;
use crate::time::Timestamp;
use crate::words::open_words;

open_words! {
    /// How bad it is.
    WorkOrderSeverity {
        /// Good to know.
        Info = "info",
        /// The room can be used.
        Minor = "minor",
        /// The room cannot be used.
        Blocking = "blocking",
    }
}

/// There is a new room.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomCreatedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    pub property_id: PropertyId,
    /// The room.
    pub room_id: RoomId,
    /// What is written on the door.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// On which floor it is. Some write its number as a number, which is read as well.
    #[serde(default, deserialize_with = "text_or_number", skip_serializing_if = "Option::is_none")]
    pub floor: Option<String>,
    /// In which part of the floor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Of which kind it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_type_id: Option<RoomTypeId>,
}

/// A room no longer exists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomArchivedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property_id: Option<PropertyId>,
    /// The room.
    pub room_id: RoomId,
    /// Since when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archived_at: Option<Timestamp>,
}

/// A room cannot be used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomTakenOutOfOrderV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    pub property_id: PropertyId,
    /// The room.
    pub room_id: RoomId,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Since when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Timestamp>,
    /// Until when, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// A house is closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PropertyDeactivatedV1 {
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    pub property_id: PropertyId,
    /// Since when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deactivated_at: Option<Timestamp>,
}

/// Something is to be repaired.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkOrderOpenedV1 {
    /// The job.
    pub work_order_id: String,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    pub property_id: PropertyId,
    /// The room.
    pub room_id: RoomId,
    /// The housekeeping task during which it was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
    /// How bad it is; a room is blocked by `blocking`, and when nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<WorkOrderSeverity>,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opened_at: Option<Timestamp>,
    /// When it should be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_until: Option<Timestamp>,
}

/// Something was repaired.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkOrderCompletedV1 {
    /// The job.
    pub work_order_id: String,
    /// The tenant.
    pub tenant_id: TenantId,
    /// The house.
    pub property_id: PropertyId,
    /// The room.
    pub room_id: RoomId,
    /// The housekeeping task during which it was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Timestamp>,
}

payload! {
    RoomCreatedV1 = "melmastoon.property.room.created.v1";
    RoomArchivedV1 = "melmastoon.property.room.archived.v1";
    RoomTakenOutOfOrderV1 = "melmastoon.property.room.taken_out_of_order.v1";
    PropertyDeactivatedV1 = "melmastoon.property.deactivated.v1";
    WorkOrderOpenedV1 = "melmastoon.maintenance.work_order.opened.v1";
    WorkOrderCompletedV1 = "melmastoon.maintenance.work_order.completed.v1";
}

/// Some write the floor as a text, some as a number.
fn text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    match Option::<Value>::deserialize(deserializer)? {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(_) => Err(D::Error::custom("neither a text nor a number")),
    }
}

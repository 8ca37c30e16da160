//! Rooms, room types, and what there is of them.

use contracts::ids::{PropertyId, RoomId, RoomTypeId};
use contracts::values::{Currency, LocalDate};
use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::money::Money;
use crate::domain::rooms::{Room, RoomType};

/// A kind of room that can be sold.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RoomType")]
pub struct RoomTypeResource {
    pub room_type_id: RoomTypeId,
    pub property_id: PropertyId,
    pub name: String,
    pub max_occupancy: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_rate_micro: Option<Money>,
    pub overbooking: i32,
    pub version: i32,
}

impl From<&RoomType> for RoomTypeResource {
    fn from(room_type: &RoomType) -> Self {
        Self {
            room_type_id: room_type.id.clone(),
            property_id: room_type.property_id.clone(),
            name: room_type.name.clone(),
            max_occupancy: room_type.max_occupancy,
            base_rate_micro: room_type.base_rate,
            overbooking: room_type.overbooking,
            version: room_type.version,
        }
    }
}

/// A room with a door.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SoldRoom")]
pub struct SoldRoomResource {
    pub room_id: RoomId,
    pub property_id: PropertyId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_type_id: Option<RoomTypeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<String>,
    pub archived: bool,
    /// As housekeeping told last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub housekeeping_status: Option<String>,
    pub version: i32,
}

impl From<&Room> for SoldRoomResource {
    fn from(room: &Room) -> Self {
        Self {
            room_id: room.id.clone(),
            property_id: room.property_id.clone(),
            room_type_id: room.room_type_id.clone(),
            number: room.number.clone(),
            floor: room.floor.clone(),
            archived: room.archived,
            housekeeping_status: room.housekeeping_status.clone(),
            version: room.version,
        }
    }
}

/// What there is to sell, one slot a night.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Availability")]
pub struct AvailabilityResource {
    pub property_id: PropertyId,
    pub from: LocalDate,
    pub to: LocalDate,
    pub room_types: Vec<TypeAvailability>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TypeAvailability {
    pub room_type_id: RoomTypeId,
    pub name: String,
    pub max_occupancy: i32,
    pub rooms: i32,
    pub taken: Vec<i32>,
    pub out_of_order: Vec<i32>,
    pub available: Vec<i32>,
    /// Null where a night has no price.
    pub rate_micro: Vec<Option<Money>>,
    pub currency: Currency,
    pub min_available: i32,
}

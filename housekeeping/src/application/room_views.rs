//! Rooms, what blocks them and what was seen in them, as callers see them.

use contracts::actor::Actor;
use contracts::housekeeping::{RoomStatus, RoomStatusCause, TaskKind};
use contracts::ids::{BlockId, DiscrepancyId, InspectionId, PropertyId, RoomId, StaffId, TaskId, TenantId};
use contracts::time::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::block::{BlockOwner, BlockReason, RoomBlock};
use crate::domain::discrepancy::{Discrepancy, Occupancy, Resolution};
use crate::infrastructure::blocks::ShownBlock;
use crate::infrastructure::rooms::{DescribedRoom, LastCleaning, LastInspection, RoomStep};

/// A room.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Room")]
pub struct RoomResource {
    /// Whose it is; a board, which is one hotel's, does not repeat it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<TenantId>,
    pub room_id: RoomId,
    pub property_id: PropertyId,
    pub number: Option<String>,
    pub floor: Option<i32>,
    pub section: Option<String>,
    pub room_type: Option<String>,
    pub status: RoomStatus,
    pub occupancy: Occupancy,
    pub last_task_id: Option<TaskId>,
    pub last_flipped_at: Timestamp,
    pub last_flipped_by: Actor,
    pub last_cause: RoomStatusCause,
    /// Why it cannot be used, whoever says so.
    pub blocks: Vec<BlockShown>,
    /// Who cleaned it last; only where one room is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_cleaning: Option<LastCleaningView>,
    /// What the last inspection said; only where one room is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_inspection: Option<LastInspectionView>,
    pub version: i32,
}

/// The last time that somebody cleaned a room.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LastCleaning")]
pub struct LastCleaningView {
    pub task_id: TaskId,
    pub kind: TaskKind,
    pub staff_id: StaffId,
    pub completed_at: Timestamp,
    pub duration_minutes: i32,
}

impl From<LastCleaning> for LastCleaningView {
    fn from(last: LastCleaning) -> Self {
        let LastCleaning { task_id, kind, staff_id, completed_at, duration_minutes } = last;
        Self { task_id, kind, staff_id, completed_at, duration_minutes }
    }
}

/// The last time that somebody looked a room over.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LastInspection")]
pub struct LastInspectionView {
    pub inspection_id: InspectionId,
    pub task_id: TaskId,
    pub inspector_staff_id: StaffId,
    /// `pass` or `fail`.
    pub outcome: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_item_keys: Option<Vec<String>>,
    pub performed_at: Timestamp,
}

impl From<LastInspection> for LastInspectionView {
    fn from(last: LastInspection) -> Self {
        let LastInspection { id, task_id, inspector, outcome, reason, failed_item_keys, performed_at } = last;
        Self {
            inspection_id: id,
            task_id,
            inspector_staff_id: inspector,
            outcome,
            reason,
            failed_item_keys,
            performed_at,
        }
    }
}

/// What blocks a room, in short.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BlockShown {
    /// Housekeeping's own block, or maintenance's job.
    pub id: String,
    pub reason: BlockReason,
    pub owner: BlockOwner,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked_until: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl From<&ShownBlock> for BlockShown {
    fn from(block: &ShownBlock) -> Self {
        let ShownBlock { id, reason, owner, blocked_until, note } = block.clone();
        Self { id, reason, owner, blocked_until, note }
    }
}

/// A block.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RoomBlock")]
pub struct BlockResource {
    /// Whose it is; a board, which is one hotel's, does not repeat it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<TenantId>,
    pub id: BlockId,
    pub block_id: BlockId,
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub reason: BlockReason,
    pub owner: BlockOwner,
    pub blocked_until: Option<Timestamp>,
    pub note: Option<String>,
    pub task_id: Option<TaskId>,
    pub created_at: Timestamp,
    pub cleared_at: Option<Timestamp>,
    pub version: i32,
}

impl From<&RoomBlock> for BlockResource {
    fn from(block: &RoomBlock) -> Self {
        Self {
            tenant_id: None,
            id: block.id.clone(),
            block_id: block.id.clone(),
            property_id: block.property_id.clone(),
            room_id: block.room_id.clone(),
            reason: block.reason,
            owner: block.owner,
            blocked_until: block.blocked_until,
            note: block.note.clone(),
            task_id: block.task_id.clone(),
            created_at: block.created_at,
            cleared_at: block.cleared_at,
            version: block.version,
        }
    }
}

/// A difference between what was seen in a room and what the desk has on record.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Discrepancy")]
pub struct DiscrepancyResource {
    /// Whose it is; a board, which is one hotel's, does not repeat it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<TenantId>,
    pub id: DiscrepancyId,
    pub discrepancy_id: DiscrepancyId,
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub observed: Occupancy,
    pub recorded: Occupancy,
    pub observed_by: Actor,
    pub observed_at: Timestamp,
    pub note: Option<String>,
    pub resolution: Option<Resolution>,
    pub resolution_note: Option<String>,
    pub resolved_by: Option<Actor>,
    pub resolved_at: Option<Timestamp>,
    pub version: i32,
}

impl From<&Discrepancy> for DiscrepancyResource {
    fn from(found: &Discrepancy) -> Self {
        let end = found.resolved.as_ref();
        Self {
            tenant_id: None,
            id: found.id.clone(),
            discrepancy_id: found.id.clone(),
            property_id: found.property_id.clone(),
            room_id: found.room_id.clone(),
            observed: found.observed,
            recorded: found.recorded,
            observed_by: found.observed_by.clone(),
            observed_at: found.observed_at,
            note: found.note.clone(),
            resolution: end.map(|end| end.resolution),
            resolution_note: end.and_then(|end| end.note.clone()),
            resolved_by: end.map(|end| end.by.clone()),
            resolved_at: end.map(|end| end.at),
            version: found.version,
        }
    }
}

/// What was seen in a room, and what the desk has on record.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Observation")]
pub struct ObservationResource {
    pub room_id: RoomId,
    pub observed: Occupancy,
    pub recorded: Occupancy,
    /// The difference that waits for the desk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discrepancy: Option<DiscrepancyResource>,
}

impl From<&DescribedRoom> for RoomResource {
    fn from(described: &DescribedRoom) -> Self {
        let room = &described.room;
        Self {
            tenant_id: None,
            room_id: room.room_id.clone(),
            property_id: room.property_id.clone(),
            number: described.number.clone(),
            floor: described.floor,
            section: described.section.clone(),
            room_type: described.room_type.clone(),
            status: room.status,
            occupancy: Occupancy::of(described.occupied),
            last_task_id: room.last_task_id.clone(),
            last_flipped_at: room.last_flipped_at,
            last_flipped_by: room.last_flipped_by.clone(),
            last_cause: room.last_cause,
            blocks: described.blocks.iter().map(BlockShown::from).collect(),
            last_cleaning: None,
            last_inspection: None,
            version: room.version,
        }
    }
}

/// A room went from one status to another.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomHistoryItem {
    /// Its place among all steps, for the next page.
    #[serde(skip)]
    #[schemars(skip)]
    pub place: i64,
    pub previous_status: RoomStatus,
    pub status: RoomStatus,
    pub cause: RoomStatusCause,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
    pub at: Timestamp,
    pub actor: Actor,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The steps of a room, newest first, and how it was at the moment that was asked for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomHistory {
    pub items: Vec<RoomHistoryItem>,
    /// Where the next page begins; null where there is none.
    pub next_cursor: Option<String>,
    /// How the room was at `at`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status_at: Option<RoomStatus>,
}

impl From<RoomStep> for RoomHistoryItem {
    fn from(step: RoomStep) -> Self {
        let RoomStep { id: place, previous_status, status, cause, task_id, at, actor, note } = step;
        Self { place, previous_status, status, cause, task_id, at, actor, note }
    }
}

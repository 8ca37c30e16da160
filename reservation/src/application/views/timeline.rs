//! The chart of a house, as the outside sees it.

use std::collections::HashMap;

use contracts::ids::{PropertyId, ReservationId, RoomId, RoomTypeId};
use contracts::values::LocalDate;
use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::reservation::ReservationStatus;
use crate::infrastructure::timeline::{BlockSpan, Chart, Line, StaySpan};

contracts::closed_words! {
    /// What takes a room.
    SpanKind {
        /// Somebody has it.
        Stay = "stay",
        /// It cannot be used.
        Block = "block",
    }
}

/// Nights `[start, end)` of a room.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TimelineSpan")]
pub struct Span {
    pub kind: SpanKind,
    pub start: LocalDate,
    /// Absent: until further notice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<LocalDate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reservation_id: Option<ReservationId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reservation_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<ReservationStatus>,
    /// Whether the guest was told the room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pinned: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guest_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The type that was sold, where there is no room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_type_id: Option<RoomTypeId>,
}

/// A room with all that takes it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimelineRoom {
    pub room_id: RoomId,
    pub number: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_type_id: Option<RoomTypeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub housekeeping_status: Option<String>,
    pub spans: Vec<Span>,
}

/// The chart of a house.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Timeline {
    pub property_id: PropertyId,
    pub from: LocalDate,
    pub to: LocalDate,
    pub rooms: Vec<TimelineRoom>,
    /// Sold, and without a room yet.
    pub unplaced: Vec<Span>,
}

impl Span {
    fn of_stay(stay: StaySpan) -> Self {
        Self {
            kind: SpanKind::Stay,
            start: LocalDate(stay.starts),
            end: Some(LocalDate(stay.ends)),
            reservation_id: Some(stay.reservation),
            item_id: Some(stay.item),
            reservation_code: Some(stay.code),
            status: Some(stay.status),
            pinned: Some(stay.pinned),
            guest_name: stay.guest,
            block_id: None,
            reason: None,
            room_type_id: stay.room.is_none().then_some(stay.room_type),
        }
    }

    fn of_block(block: BlockSpan) -> Self {
        Self {
            kind: SpanKind::Block,
            start: LocalDate(block.starts),
            end: block.ends.map(LocalDate),
            reservation_id: None,
            item_id: None,
            reservation_code: None,
            status: None,
            pinned: None,
            guest_name: None,
            block_id: Some(block.id),
            reason: block.reason,
            room_type_id: None,
        }
    }
}

impl Timeline {
    pub fn of(property_id: PropertyId, (from, to): (LocalDate, LocalDate), chart: Chart) -> Self {
        let Chart { lines, stays, blocks } = chart;
        let at: HashMap<RoomId, usize> = lines.iter().enumerate().map(|(at, line)| (line.room.clone(), at)).collect();
        let room_of = |line: Line| TimelineRoom {
            room_id: line.room,
            number: line.number,
            room_type_id: line.room_type,
            housekeeping_status: line.housekeeping_status,
            spans: Vec::new(),
        };
        let mut rooms: Vec<TimelineRoom> = lines.into_iter().map(room_of).collect();
        let mut unplaced = Vec::new();
        for stay in stays {
            match stay.room.as_ref().map(|room| at.get(room)) {
                Some(Some(at)) => rooms[*at].spans.push(Span::of_stay(stay)),
                // In a room that is no more: whoever still has it needs another.
                Some(None) if stay.is_over => {}
                Some(None) | None => unplaced.push(Span::of_stay(StaySpan { room: None, ..stay })),
            }
        }
        for block in blocks {
            if let Some(at) = at.get(&block.room) {
                rooms[*at].spans.push(Span::of_block(block));
            }
        }
        Self { property_id, from, to, rooms, unplaced }
    }
}

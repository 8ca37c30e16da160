//! Discrepancies between what was seen in a room and what the desk has on record.

use contracts::actor::Actor;
use contracts::ids::{DiscrepancyId, PropertyId, ReservationId, RoomId};
use contracts::time::Timestamp;
use platform::database::Row;
use platform::database::{Change, Columns, Read, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use super::{occupancy, rooms};
use crate::HousekeepingError;
use crate::domain::discrepancy::{Discrepancy, DiscrepancyEvent, Occupancy, Resolution, Resolved};
use crate::domain::room::Room;

const DISCREPANCY: &[(&str, &str)] = columns![
    id: text, property_id: text, room_id: text, observed: text, recorded: text, observed_by: jsonb,
    observed_at: timestamptz, note: text, resolution: text, resolution_note: text, resolved_by: jsonb,
    resolved_at: timestamptz, version: int4,
];

statements! {
    INSERT = "sql/discrepancy_insert.sql" (text, text, text, text, text, jsonb, timestamptz, text, int4) -> &[];
    RESOLVE = "sql/discrepancy_resolve.sql" (text, int4, int4, text, text, jsonb, timestamptz) -> &[];
    LOCK = "sql/discrepancy_lock.sql" (text) -> DISCREPANCY;
    OPEN = "sql/discrepancy_open.sql" (text, text) -> DISCREPANCY;
    OPEN_IN = "sql/discrepancy_open_in.sql" (text, _text, text) -> columns![id: text, others_in: bool];
    WAITING = "sql/discrepancy_waiting.sql" (text) -> DISCREPANCY;
    LIST = "sql/discrepancy_list.sql" (text, bool, text, int8) -> DISCREPANCY;
}

/// A room, locked, with what the desk has on record and the difference that waits for an answer.
#[derive(Debug)]
pub struct OnRecord {
    pub room: Room,
    pub recorded: Occupancy,
    pub open: Option<Discrepancy>,
}

pub async fn on_record(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    room: &RoomId,
) -> Result<Option<OnRecord>, HousekeepingError> {
    let one = std::slice::from_ref(room);
    let [locked, present, open] = uow
        .read_together([
            Read { sql: &rooms::LOCK, params: &[property, &one] },
            Read { sql: &occupancy::PRESENT, params: &[property, room] },
            Read { sql: &OPEN, params: &[property, room] },
        ])
        .await?;
    let (Some(room), Some(present)) = (locked.first(), present.first()) else { return Ok(None) };
    Ok(Some(OnRecord {
        room: rooms::room_of(room)?,
        recorded: Occupancy::of(present.read("occupied")?),
        open: open.first().map(discrepancy_of).transpose()?,
    }))
}

/// A difference that waits for an answer in a room that guests come into or leave.
#[derive(Debug)]
pub struct OpenInRoom {
    pub found: Discrepancy,
    /// Whether guests of other reservations are on record there.
    pub others_in: bool,
}

pub(super) fn open_in_room_of(row: &Row) -> Result<OpenInRoom, HousekeepingError> {
    Ok(OpenInRoom { found: discrepancy_of(row)?, others_in: row.read("others_in")? })
}

/// What waits for an answer in these rooms, where guests of a reservation come or go.
pub async fn open_in(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    rooms: &[RoomId],
    reservation: &ReservationId,
) -> Result<Vec<OpenInRoom>, HousekeepingError> {
    uow.read(&OPEN_IN, &[property, &rooms, reservation]).await?.iter().map(open_in_room_of).collect()
}

pub async fn lock(uow: &mut UnitOfWork, id: &DiscrepancyId) -> Result<Option<Discrepancy>, HousekeepingError> {
    uow.read_one(&LOCK, &[id]).await?.as_ref().map(discrepancy_of).transpose()
}

/// Newest first; `open`: only those that wait, or only those that do not.
pub async fn list(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    open: Option<bool>,
    before: Option<&str>,
    limit: i64,
) -> Result<Vec<Discrepancy>, HousekeepingError> {
    uow.read(&LIST, &[property, &open, &before, &limit]).await?.iter().map(discrepancy_of).collect()
}

pub(super) fn discrepancy_of(row: &Row) -> Result<Discrepancy, HousekeepingError> {
    let end: (Option<Resolution>, Option<Actor>, Option<Timestamp>) =
        (row.read("resolution")?, row.read("resolved_by")?, row.read("resolved_at")?);
    let resolved = match end {
        (None, None, None) => None,
        (Some(resolution), Some(by), Some(at)) => {
            Some(Resolved { resolution, note: row.read("resolution_note")?, by, at })
        }
        _ => return Err(row.impossible("resolved by half").into()),
    };
    Ok(Discrepancy {
        id: row.read("id")?,
        property_id: row.read("property_id")?,
        room_id: row.read("room_id")?,
        observed: row.read("observed")?,
        recorded: row.read("recorded")?,
        observed_by: row.read("observed_by")?,
        observed_at: row.read("observed_at")?,
        note: row.read("note")?,
        resolved,
        version: row.read("version")?,
    })
}

impl Stored for Discrepancy {
    of_a_house!("discrepancy");

    fn rows(&self, change: &Change<'_, DiscrepancyEvent>, _: &Scribe<'_>) -> Vec<RowChange> {
        vec![match change.from {
            None => RowChange::new(
                &INSERT,
                params![
                    self.id.clone(),
                    self.property_id.clone(),
                    self.room_id.clone(),
                    self.observed,
                    self.recorded,
                    self.observed_by.clone(),
                    self.observed_at,
                    self.note.clone(),
                    self.version,
                ],
            ),
            Some(from) => {
                let end = self.resolved.as_ref();
                RowChange::new(
                    &RESOLVE,
                    params![
                        self.id.clone(),
                        from,
                        self.version,
                        end.map(|end| end.resolution),
                        end.and_then(|end| end.note.clone()),
                        end.map(|end| end.by.clone()),
                        end.map(|end| end.at),
                    ],
                )
            }
        }]
    }

    fn tell(&self, event: &DiscrepancyEvent, version: i32, _: &Scribe<'_>) -> Told {
        let subject = match event {
            DiscrepancyEvent::Noticed => "housekeeping.discrepancy.noticed",
            DiscrepancyEvent::Resolved => "housekeeping.discrepancy.resolved",
        };
        let end = self.resolved.as_ref();
        let detail = json!({
            "discrepancyId": self.id, "propertyId": self.property_id, "roomId": self.room_id, "observed": self.observed,
            "recorded": self.recorded, "note": self.note, "resolution": end.map(|end| end.resolution),
            "resolutionNote": end.and_then(|end| end.note.clone()), "aggregateVersion": version,
        });
        Told::nobody(subject, &detail)
    }
}

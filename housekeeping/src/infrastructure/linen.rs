//! Linen: what is on hand, and every movement that made it so.

use contracts::actor::Actor;
use contracts::housekeeping::LinenLowStockAlertV1;
use contracts::ids::{LinenLineId, PropertyId};
use contracts::time::Timestamp;
use platform::database::Row;
use platform::database::{Change, Columns, Json, Read, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use super::alerts::{self, Alert};
use crate::HousekeepingError;
use crate::domain::linen::{Direction, LinenEvent, LinenLine, Movement};

const LINE: &[(&str, &str)] = columns![
    id: text, property_id: text, line: text, on_hand: int4, low_watermark: int4, version: int4, updated_at: timestamptz,
];

statements! {
    LOCK_NAME = "sql/linen_lock_name.sql" (text, text) -> &[];
    NAMED = "sql/linen_named.sql" (text, text) -> LINE;
    LOCK_NAMED = "sql/linen_lock_named.sql" (text, text) -> LINE;
    FIND = "sql/linen_find.sql" (text) -> LINE;
    LOCK = "sql/linen_lock.sql" (text) -> LINE;
    LIST = "sql/linen_list.sql" (text, text, int8) -> LINE;
    LOW = "sql/linen_low.sql" (text) -> LINE;
    INSERT = "sql/linen_insert.sql" (text, text, text, int4, int4, int4, timestamptz) -> &[];
    UPDATE = "sql/linen_update.sql" (text, int4, int4, int4, timestamptz, int4) -> &[];
    MOVEMENT = "sql/linen_movement.sql" (text, text, text, int4, timestamptz, jsonb) -> &[];
    MOVEMENTS = "sql/linen_movements.sql" (text, int8, int8) -> columns![
        id: int8, direction: text, count: int4, task_id: text, occurred_at: timestamptz, actor: jsonb
    ];
}

/// Whether the house counts a line of this name. Until this unit of work ends nobody else can begin to.
pub async fn is_counted(uow: &mut UnitOfWork, property: &PropertyId, line: &str) -> Result<bool, HousekeepingError> {
    let params: [&(dyn tokio_postgres::types::ToSql + Sync); 2] = [property, &line];
    let [_, found] =
        uow.read_together([Read { sql: &LOCK_NAME, params: &params }, Read { sql: &NAMED, params: &params }]).await?;
    Ok(!found.is_empty())
}

pub async fn find(uow: &mut UnitOfWork, id: &LinenLineId) -> Result<Option<LinenLine>, HousekeepingError> {
    uow.read_one(&FIND, &[id]).await?.map(|row| line_of(&row)).transpose()
}

/// A line, locked, and when it was last said to run low. What was said is read after the lock is there.
pub async fn lock(
    uow: &mut UnitOfWork,
    id: &LinenLineId,
) -> Result<Option<(LinenLine, Option<Timestamp>)>, HousekeepingError> {
    let about = vec![id.as_str().to_owned()];
    let [line, told] = uow
        .read_together([
            Read { sql: &LOCK, params: &[id] },
            Read { sql: &alerts::LAST, params: &[&Alert::LinenLow, &about] },
        ])
        .await?;
    let told = told.first().map(alerts::last_of).transpose()?.map(|(_, at)| at);
    line.first().map(|row| Ok((line_of(row)?, told))).transpose()
}

/// The same by the name that the house has for it.
pub async fn lock_named(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    line: &str,
) -> Result<Option<(LinenLine, Option<Timestamp>)>, HousekeepingError> {
    let Some(row) = uow.read_one(&LOCK_NAMED, &[property, &line]).await? else { return Ok(None) };
    let line = line_of(&row)?;
    let told = alerts::last(uow, Alert::LinenLow, &[line.id.as_str().to_owned()]).await?;
    Ok(Some((line, told.first().map(|(_, at)| *at))))
}

/// The lines of a house, in the order they were opened.
pub async fn list(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    after: Option<&str>,
    limit: i64,
) -> Result<Vec<LinenLine>, HousekeepingError> {
    uow.read(&LIST, &[property, &after, &limit]).await?.iter().map(line_of).collect()
}

/// A movement that is on record: when, and by whom.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub place: i64,
    pub movement: Movement,
    pub at: Timestamp,
    pub by: Actor,
}

/// The movements of a line, newest first, from a place on.
pub async fn movements(
    uow: &mut UnitOfWork,
    line: &LinenLineId,
    before: Option<i64>,
    limit: i64,
) -> Result<Vec<Recorded>, HousekeepingError> {
    let recorded = |row: &Row| {
        let (direction, count, task) = (row.read("direction")?, row.read("count")?, row.read("task_id")?);
        Ok(Recorded {
            place: row.read("id")?,
            movement: Movement { direction, count, task, note: None },
            at: row.read("occurred_at")?,
            by: row.read::<Json<Actor>>("actor")?.0,
        })
    };
    uow.read(&MOVEMENTS, &[line, &before, &limit]).await?.iter().map(recorded).collect()
}

pub(super) fn line_of(row: &Row) -> Result<LinenLine, HousekeepingError> {
    Ok(LinenLine {
        id: row.read("id")?,
        property_id: row.read("property_id")?,
        line: row.read("line")?,
        on_hand: row.read("on_hand")?,
        low_watermark: row.read("low_watermark")?,
        version: row.read("version")?,
        updated_at: row.read("updated_at")?,
    })
}

impl Stored for LinenLine {
    of_a_house!("linen");

    fn rows(&self, change: &Change<'_, LinenEvent>, scribe: &Scribe<'_>) -> Vec<RowChange> {
        let moved = change.events.iter().filter_map(|event| match event {
            LinenEvent::Opened(movement) | LinenEvent::Moved(movement) => Some(movement),
            LinenEvent::MarkSet { .. } | LinenEvent::RanLow { .. } => None,
        });
        let difference: i32 = moved.clone().map(Movement::difference).sum();
        let mut rows = vec![match change.from {
            None => RowChange::new(
                &INSERT,
                params![
                    self.id.clone(),
                    self.property_id.clone(),
                    self.line.clone(),
                    self.on_hand,
                    self.low_watermark,
                    self.version,
                    self.updated_at,
                ],
            ),
            Some(from) => RowChange::new(
                &UPDATE,
                params![self.id.clone(), from, self.version, difference, self.updated_at, self.low_watermark],
            ),
        }];
        rows.extend(moved.map(|movement| {
            let Movement { direction, count, task, .. } = movement.clone();
            RowChange::new(
                &MOVEMENT,
                params![self.id.clone(), task, direction, count, scribe.now, scribe.actor.clone()],
            )
        }));
        rows.extend(change.events.iter().filter_map(|event| match event {
            LinenEvent::RanLow { at } => Some(alerts::told(Alert::LinenLow, self.id.as_str(), *at)),
            LinenEvent::Opened(_) | LinenEvent::Moved(_) | LinenEvent::MarkSet { .. } => None,
        }));
        rows
    }

    fn tell(&self, event: &LinenEvent, version: i32, scribe: &Scribe<'_>) -> Told {
        let number = |count: i32| u32::try_from(count).unwrap_or(0);
        let (name, movement) = match event {
            LinenEvent::RanLow { at } => {
                return Told::everybody(&LinenLowStockAlertV1 {
                    tenant_id: scribe.tenant.clone(),
                    property_id: self.property_id.clone(),
                    line: self.line.clone(),
                    on_hand: number(self.on_hand),
                    low_watermark: number(self.low_watermark),
                    detected_at: *at,
                });
            }
            LinenEvent::MarkSet { from, to } => {
                let detail = json!({
                    "lineId": self.id, "line": self.line, "from": from, "to": to, "onHand": self.on_hand, "aggregateVersion": version,
                });
                return Told::nobody("housekeeping.linen.mark_set", &detail);
            }
            LinenEvent::Opened(movement) => ("housekeeping.linen.opened", movement),
            LinenEvent::Moved(movement) => {
                let name = match movement.direction {
                    Direction::Issue => "housekeeping.linen.issued",
                    Direction::Return => "housekeeping.linen.returned",
                    Direction::Adjust => "housekeeping.linen.adjusted",
                };
                (name, movement)
            }
        };
        let detail = json!({
            "lineId": self.id, "line": self.line, "count": movement.count, "taskId": movement.task,
            "note": movement.note, "onHand": self.on_hand, "aggregateVersion": version,
        });
        Told::nobody(name, &detail)
    }
}

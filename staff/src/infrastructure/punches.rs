//! Punches: rows and back, and what others hear of them.

use contracts::ids::{ClockEntryId, DeviceId, PropertyId, ShiftId, StaffId};
use contracts::staff::{ClockBreakEndedV1, ClockBreakStartedV1, ClockInV1, ClockOutV1, ClockSource};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::database::Row;
use platform::database::{Change, Columns, Read, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::StaffError;
use crate::domain::punch::{Punch, PunchEvent, PunchKind};
use crate::domain::settings::Settings;

const PUNCH: &[(&str, &str)] = columns![
    id: text, staff_id: text, property_id: text, shift_id: text, kind: text, occurred_at: timestamptz,
    recorded_at: timestamptz, source: text, device_id: text, client_punch_id: text, from_offline: bool,
    needs_review: _text, reviewed_note: text, reason: text, version: int4,
];

statements! {
    INSERT = "sql/punch_insert.sql" (text, text, text, text, text, timestamptz, timestamptz, text, text, text, bool, _text,
        text, int4) -> &[];
    UPDATE = "sql/punch_update.sql" (text, int4, int4, text, timestamptz, _text, text, text, timestamptz, text, text, text,
        bool) -> &[];
    REVISE = "sql/punch_revise.sql" (text, int4, timestamptz, text, jsonb, timestamptz) -> &[];
    FIND = "sql/punch_find.sql" (text) -> PUNCH;
    DEVICE_TURN = "sql/punch_device_turn.sql" (text, _text) -> &[];
    BY_DEVICE = "sql/punch_by_device.sql" (text, _text) -> PUNCH;
    OF_PERSON = "sql/punch_of_person.sql" (text, timestamptz, timestamptz) -> PUNCH;
    OF_PEOPLE = "sql/punch_of_people.sql" (_text, text, timestamptz, timestamptz) -> PUNCH;
    ON_SHIFTS = "sql/punch_on_shifts.sql" (_text) -> PUNCH;
    LIST = "sql/punch_list.sql" (_text, text, date, date, text, bool, timestamptz, text, int8) -> PUNCH;
}

/// Which punches a list is about.
#[derive(Clone, Debug, Default)]
pub struct PunchFilter {
    pub properties: Option<Vec<PropertyId>>,
    pub staff: Option<StaffId>,
    /// The first day, on the clock of the house of the punch.
    pub from: Option<LocalDate>,
    /// The last day.
    pub to: Option<LocalDate>,
    pub needs_review: Option<bool>,
    pub after: Option<(Timestamp, String)>,
}

pub async fn find(uow: &mut UnitOfWork, id: &ClockEntryId) -> Result<Option<Punch>, StaffError> {
    uow.read_one(&FIND, &[id]).await?.as_ref().map(punch_of).transpose()
}

/// Those that a device sent under these numbers of its own, for whoever is about to use the others: until this unit of work ends nobody else
/// can. People are locked before.
pub async fn by_device(uow: &mut UnitOfWork, device: &DeviceId, ids: &[String]) -> Result<Vec<Punch>, StaffError> {
    let [_, known] = uow
        .read_together([
            Read { sql: &DEVICE_TURN, params: &[device, &ids] },
            Read { sql: &BY_DEVICE, params: &[device, &ids] },
        ])
        .await?;
    known.iter().map(punch_of).collect()
}

/// What somebody punched from a moment to another, and before it on from where they were last seen to go: never half a span.
pub async fn of_person(
    uow: &mut UnitOfWork,
    staff: &StaffId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<Punch>, StaffError> {
    uow.read(&OF_PERSON, &[staff, &from, &to]).await?.iter().map(punch_of).collect()
}

/// What one person punched from a moment to another, or what all punched who punched in one of these houses then.
pub async fn of_people(
    uow: &mut UnitOfWork,
    houses: Option<&[PropertyId]>,
    staff: Option<&StaffId>,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<Punch>, StaffError> {
    uow.read(&OF_PEOPLE, &[&houses, &staff, &from, &to]).await?.iter().map(punch_of).collect()
}

pub async fn on_shifts(uow: &mut UnitOfWork, shifts: &[ShiftId]) -> Result<Vec<Punch>, StaffError> {
    if shifts.is_empty() {
        return Ok(Vec::new());
    }
    uow.read(&ON_SHIFTS, &[&shifts]).await?.iter().map(punch_of).collect()
}

pub async fn list(uow: &mut UnitOfWork, filter: &PunchFilter, limit: i64) -> Result<Vec<Punch>, StaffError> {
    let PunchFilter { properties, staff, from, to, needs_review, after } = filter;
    let (at, id) = (after.as_ref().map(|after| after.0), after.as_ref().map(|after| after.1.clone()));
    // No punch is of another age, and the database counts no days beyond its own.
    let age = |day: &LocalDate| day.0.clamp(jiff::civil::date(1900, 1, 1), jiff::civil::date(9000, 1, 1));
    let (from, to, zone) = (from.as_ref().map(age), to.as_ref().map(age), Settings::default().timezone);
    let rows = uow.read(&LIST, &[properties, staff, &from, &to, &zone, needs_review, &at, &id, &limit]).await?;
    rows.iter().map(punch_of).collect()
}

pub(super) fn punch_of(row: &Row) -> Result<Punch, StaffError> {
    Ok(Punch {
        id: row.read("id")?,
        staff_id: row.read("staff_id")?,
        property_id: row.read("property_id")?,
        shift_id: row.read("shift_id")?,
        kind: row.read("kind")?,
        at: row.read("occurred_at")?,
        recorded_at: row.read("recorded_at")?,
        source: row.read("source")?,
        device_id: row.read("device_id")?,
        client_punch_id: row.read("client_punch_id")?,
        from_offline_replay: row.read("from_offline")?,
        needs_review: row.read("needs_review")?,
        reviewed_note: row.read("reviewed_note")?,
        reason: row.read("reason")?,
        version: row.read("version")?,
    })
}

/// The four events look alike.
macro_rules! told {
    ($payload:ident, $punch:expr, $version:expr, $scribe:expr) => {
        Told::everybody(&$payload {
            clock_entry_id: $punch.id.clone(),
            tenant_id: $scribe.tenant.clone(),
            staff_id: $punch.staff_id.clone(),
            property_id: $punch.property_id.clone(),
            shift_id: $punch.shift_id.clone(),
            occurred_at_utc: $punch.at,
            recorded_at_utc: $punch.recorded_at,
            source: ClockSource::from_word($punch.source.as_str()),
            device_id: $punch.device_id.clone(),
            manager_override: $punch.is_managers(),
            from_offline_replay: $punch.from_offline_replay,
            matched_scheduled_shift: $punch.shift_id.is_some(),
            aggregate_version: u64::try_from($version).ok(),
        })
        .from_offline_replay($punch.from_offline_replay)
    };
}

impl Stored for Punch {
    const KIND: &'static str = "clock_entry";

    fn aggregate_id(&self) -> String {
        self.id.to_string()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, change: &Change<'_, PunchEvent>, scribe: &Scribe<'_>) -> Vec<RowChange> {
        let this = self.clone();
        let Some(from) = change.from else {
            let params = params![
                this.id,
                this.staff_id,
                this.property_id,
                this.shift_id,
                this.kind,
                this.at,
                this.recorded_at,
                this.source,
                this.device_id,
                this.client_punch_id,
                this.from_offline_replay,
                this.needs_review,
                this.reason,
                this.version,
            ];
            return vec![RowChange::new(&INSERT, params)];
        };
        let mut rows = vec![RowChange::new(
            &UPDATE,
            params![
                this.id,
                from,
                this.version,
                this.shift_id,
                this.at,
                this.needs_review,
                this.reviewed_note,
                this.reason,
                this.recorded_at,
                this.source,
                this.device_id,
                this.client_punch_id,
                this.from_offline_replay
            ],
        )];
        for event in change.events {
            let (was, reason) = match event {
                PunchEvent::Corrected { was, reason } => (*was, reason.clone()),
                PunchEvent::Replaced { was } => (*was, "the clock had been stopped; then the punch came".to_owned()),
                PunchEvent::Recorded | PunchEvent::Moved { .. } | PunchEvent::Reviewed => continue,
            };
            let params = params![self.id.clone(), from, was, reason, scribe.actor.clone(), scribe.now];
            rows.push(RowChange::new(&REVISE, params));
        }
        rows
    }

    fn tell(&self, event: &PunchEvent, version: i32, scribe: &Scribe<'_>) -> Told {
        if *event == PunchEvent::Reviewed {
            let detail = json!({ "note": self.reviewed_note, "aggregateVersion": version });
            return Told::nobody("staff.clock_entry.reviewed", &detail);
        }
        match self.kind {
            PunchKind::In => told!(ClockInV1, self, version, scribe),
            PunchKind::Out => told!(ClockOutV1, self, version, scribe),
            PunchKind::BreakStarted => told!(ClockBreakStartedV1, self, version, scribe),
            PunchKind::BreakEnded => told!(ClockBreakEndedV1, self, version, scribe),
        }
    }
}

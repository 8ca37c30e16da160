//! Shifts and the places on them: rows and back, and what others hear of them.

use std::collections::BTreeMap;

use contracts::ids::{AssignmentId, PositionId, PropertyId, ShiftId, StaffId};
use contracts::staff::{
    AssignmentSource, LocalWindow, PositionRole, ShiftAssignedV1, ShiftCancelReason, ShiftCancelledV1, ShiftEndReason,
    ShiftEndedV1, ShiftRole, ShiftScheduledV1, ShiftStartedV1, ShiftSwappedV1, ShiftUnassignedV1, SwappedAssignment,
    UnassignReason, UtcWindow,
};
use contracts::time::Timestamp;
use contracts::values::{LocalDate, LocalTime};
use platform::database::Row;
use platform::database::{Change, Columns, Read, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::StaffError;
use crate::domain::planning::Engagement;
use crate::domain::position::Job;
use crate::domain::shift::{End, FirstIn, Origin, Place, Plan, Shift, ShiftEvent, ShiftState, SwapSide};
use crate::domain::window::Window;
use crate::domain::words::ShiftStatus;

const SHIFT: &[(&str, &str)] = columns![
    id: text, property_id: text, position_id: text, local_date: date, start_local: text, end_local: text, tz: text,
    starts_at: timestamptz, ends_at: timestamptz, primary_headcount: int4, standby_headcount: int4, break_minutes: int4,
    note: text, status: text, first_clock_in_by: text, first_clock_in_at: timestamptz, ended_at: timestamptz,
    ended_reason: text, last_clock_out_by: text, actual_minutes: int4, rest_minutes: int4, cancelled_at: timestamptz,
    cancel_reason: text, version: int4, created_at: timestamptz, updated_at: timestamptz, pattern_id: text,
    pattern_date: date,
];
const PLACE: &[(&str, &str)] = columns![
    id: text, shift_id: text, staff_id: text, role: text, source: text, status: text, swapped_from: text,
    assigned_at: timestamptz, version: int4,
];

statements! {
    INSERT = "sql/shift_insert.sql" (text, text, text, date, text, text, text, timestamptz, timestamptz, int4, int4, int4,
        text, text, int4, timestamptz, text, date) -> &[];
    UPDATE = "sql/shift_update.sql" (text, int4, int4, date, text, text, text, timestamptz, timestamptz, int4, int4, int4,
        text, text, text, timestamptz, timestamptz, text, text, int4, int4, timestamptz, text, timestamptz) -> &[];
    FIND = "sql/shift_find.sql" (_text) -> SHIFT;
    LOCK = "sql/shift_lock.sql" (_text) -> SHIFT;
    LIST = "sql/shift_list.sql" (_text, date, date, text, _text, text, timestamptz, text, int8) -> SHIFT;
    ROSTER = "sql/shift_roster.sql" (text, date, date, int8) -> SHIFT;
    PLACES = "sql/place_list.sql" (_text) -> PLACE;
    PLACE_FIND = "sql/place_find.sql" (text) -> columns![shift_id: text, staff_id: text];
    PLACE_PUT = "sql/place_put.sql" (text, timestamptz, timestamptz, _text, _text, _text, _text, _text, _text,
        _timestamptz, _int4) -> &[];
    ENGAGEMENTS = "sql/place_engagements.sql" (_text, timestamptz, timestamptz) -> columns![
        staff_id: text, shift_id: text, property_id: text, starts_at: timestamptz, ends_at: timestamptz, local_date: date,
        status: text
    ];
    TO_COME = "sql/place_to_come.sql" (text) -> columns![id: text];
}

/// Which shifts a list is about.
#[derive(Clone, Debug, Default)]
pub struct ShiftFilter {
    pub properties: Option<Vec<PropertyId>>,
    pub from: Option<LocalDate>,
    pub to: Option<LocalDate>,
    pub position: Option<PositionId>,
    pub statuses: Option<Vec<ShiftStatus>>,
    pub staff: Option<StaffId>,
    /// The start and the id that the page before ended with.
    pub after: Option<(Timestamp, String)>,
}

pub async fn find(uow: &mut UnitOfWork, id: &ShiftId) -> Result<Option<Shift>, StaffError> {
    let rows = uow.read(&FIND, &[&std::slice::from_ref(id)]).await?;
    Ok(with_places(uow, rows).await?.pop())
}

pub async fn find_all(uow: &mut UnitOfWork, ids: &[ShiftId]) -> Result<Vec<Shift>, StaffError> {
    let rows = uow.read(&FIND, &[&ids]).await?;
    with_places(uow, rows).await
}

pub async fn lock(uow: &mut UnitOfWork, id: &ShiftId) -> Result<Option<Shift>, StaffError> {
    Ok(lock_all(uow, std::slice::from_ref(id)).await?.pop())
}

/// These shifts, locked in the order of their ids.
pub async fn lock_all(uow: &mut UnitOfWork, ids: &[ShiftId]) -> Result<Vec<Shift>, StaffError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    // The places are looked at once the locks are there.
    let [rows, places] =
        uow.read_together([Read { sql: &LOCK, params: &[&ids] }, Read { sql: &PLACES, params: &[&ids] }]).await?;
    put_together(&rows, &places)
}

pub async fn list(uow: &mut UnitOfWork, filter: &ShiftFilter, limit: i64) -> Result<Vec<Shift>, StaffError> {
    let ShiftFilter { properties, from, to, position, statuses, staff, after } = filter;
    let (from, to) = (from.map(|day| day.0), to.map(|day| day.0));
    let (starts, id) = (after.as_ref().map(|after| after.0), after.as_ref().map(|after| after.1.clone()));
    let rows = uow.read(&LIST, &[properties, &from, &to, position, statuses, staff, &starts, &id, &limit]).await?;
    with_places(uow, rows).await
}

/// What is planned in a house from a day to another.
pub async fn roster(
    uow: &mut UnitOfWork,
    house: &PropertyId,
    (from, to): (LocalDate, LocalDate),
    limit: i64,
) -> Result<Vec<Shift>, StaffError> {
    let rows = uow.read(&ROSTER, &[house, &from.0, &to.0, &limit]).await?;
    with_places(uow, rows).await
}

/// The shift and the person of a place.
pub async fn place(uow: &mut UnitOfWork, id: &AssignmentId) -> Result<Option<(ShiftId, StaffId)>, StaffError> {
    let row = uow.read_one(&PLACE_FIND, &[id]).await?;
    row.map(|row| Ok((row.read("shift_id")?, row.read("staff_id")?))).transpose()
}

/// Where these people have a place, around a time.
pub async fn engagements(
    uow: &mut UnitOfWork,
    people: &[StaffId],
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<(StaffId, Engagement)>, StaffError> {
    let rows = uow.read(&ENGAGEMENTS, &[&people, &from, &to]).await?;
    rows.iter().map(|row| Ok((row.read("staff_id")?, engagement_of(row)?))).collect()
}

pub(super) fn engagement_of(row: &Row) -> Result<Engagement, StaffError> {
    Ok(Engagement {
        shift_id: row.read("shift_id")?,
        property_id: row.read("property_id")?,
        date: LocalDate(row.read("local_date")?),
        starts_at: row.read("starts_at")?,
        ends_at: row.read("ends_at")?,
    })
}

/// The shifts that have not begun and on which somebody has a place.
pub async fn to_come(uow: &mut UnitOfWork, staff: &StaffId) -> Result<Vec<ShiftId>, StaffError> {
    uow.read(&TO_COME, &[staff]).await?.iter().map(|row| Ok(row.read("id")?)).collect()
}

async fn with_places(uow: &mut UnitOfWork, rows: Vec<Row>) -> Result<Vec<Shift>, StaffError> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let ids = rows.iter().map(|row| row.read("id")).collect::<Result<Vec<ShiftId>, _>>()?;
    let places = uow.read(&PLACES, &[&ids]).await?;
    put_together(&rows, &places)
}

fn put_together(rows: &[Row], places: &[Row]) -> Result<Vec<Shift>, StaffError> {
    let mut shifts = rows.iter().map(shift_of).collect::<Result<Vec<_>, _>>()?;
    let at: BTreeMap<ShiftId, usize> = shifts.iter().enumerate().map(|(at, shift)| (shift.id.clone(), at)).collect();
    for row in places {
        let of: ShiftId = row.read("shift_id")?;
        if let Some(at) = at.get(&of) {
            shifts[*at].places.push(place_of(row)?);
        }
    }
    Ok(shifts)
}

fn time(row: &Row, column: &str) -> Result<LocalTime, StaffError> {
    Ok(LocalTime::parse(row.read(column)?).map_err(|error| row.impossible(error))?)
}

fn state_of(row: &Row) -> Result<ShiftState, StaffError> {
    let first = match (row.read("first_clock_in_by")?, row.read("first_clock_in_at")?) {
        (Some(by), Some(at)) => Some(FirstIn { by, at }),
        (None, None) => None,
        _ => return Err(row.impossible("the first who came is half known").into()),
    };
    let end =
        (row.read("ended_at")?, row.read("ended_reason")?, row.read("actual_minutes")?, row.read("rest_minutes")?);
    let end = match end {
        (Some(at), Some(reason), Some(actual_minutes), Some(break_minutes)) => {
            Some(End { at, reason, last_by: row.read("last_clock_out_by")?, actual_minutes, break_minutes })
        }
        (None, None, None, None) => None,
        _ => return Err(row.impossible("its end is half known").into()),
    };
    let off = (row.read("cancelled_at")?, row.read("cancel_reason")?);
    Ok(match (row.read("status")?, first, end, off) {
        (ShiftStatus::Scheduled, None, None, (None, None)) => ShiftState::Scheduled,
        (ShiftStatus::Started, Some(first), None, (None, None)) => ShiftState::Started(first),
        (ShiftStatus::Ended, first, Some(end), (None, None)) => ShiftState::Ended { first, end },
        (ShiftStatus::Cancelled, first, end, (Some(at), Some(reason))) => {
            ShiftState::Cancelled { first, end, at, reason }
        }
        (status, ..) => return Err(row.impossible(format!("{status}, and the rest does not fit")).into()),
    })
}

fn shift_of(row: &Row) -> Result<Shift, StaffError> {
    Ok(Shift {
        id: row.read("id")?,
        property_id: row.read("property_id")?,
        position_id: row.read("position_id")?,
        origin: match (row.read("pattern_id")?, row.read("pattern_date")?) {
            (Some(pattern_id), Some(date)) => Some(Origin { pattern_id, date: LocalDate(date) }),
            (None, None) => None,
            _ => return Err(row.impossible("its pattern is half known").into()),
        },
        plan: Plan {
            window: Window {
                date: LocalDate(row.read("local_date")?),
                start_local: time(row, "start_local")?,
                end_local: time(row, "end_local")?,
                tz: row.read("tz")?,
                starts_at: row.read("starts_at")?,
                ends_at: row.read("ends_at")?,
            },
            primary_headcount: row.read("primary_headcount")?,
            standby_headcount: row.read("standby_headcount")?,
            break_minutes: row.read("break_minutes")?,
            note: row.read("note")?,
        },
        state: state_of(row)?,
        places: Vec::new(),
        created_at: row.read("created_at")?,
        updated_at: row.read("updated_at")?,
        version: row.read("version")?,
    })
}

fn place_of(row: &Row) -> Result<Place, StaffError> {
    Ok(Place {
        id: row.read("id")?,
        staff_id: row.read("staff_id")?,
        role: row.read("role")?,
        source: row.read("source")?,
        status: row.read("status")?,
        swapped_from: row.read("swapped_from")?,
        assigned_at: row.read("assigned_at")?,
        version: row.read("version")?,
    })
}

impl Stored for Shift {
    const KIND: &'static str = "shift";

    fn aggregate_id(&self) -> String {
        self.id.to_string()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, change: &Change<'_, ShiftEvent>, _: &Scribe<'_>) -> Vec<RowChange> {
        let mut rows = vec![match change.from {
            None => self.insert(),
            Some(from) => self.update(from),
        }];
        if !self.places.is_empty() {
            rows.push(self.put_places());
        }
        rows
    }

    fn tell(&self, event: &ShiftEvent, version: i32, scribe: &Scribe<'_>) -> Told {
        let version = u64::try_from(version).unwrap_or_default();
        match event {
            ShiftEvent::Scheduled(job) => Told::everybody(&self.scheduled(job, version, scribe)),
            ShiftEvent::Rescheduled => Told::everybody(&self.scheduled(&Job::default(), version, scribe)),
            ShiftEvent::Assigned(place) => Told::everybody(&self.assigned(place, scribe)),
            ShiftEvent::AssignedAsProposed(place, provenance) => {
                Told::everybody(&self.assigned(place, scribe)).proposed_by(provenance.clone())
            }
            ShiftEvent::Unassigned(place, cause) => Told::everybody(&ShiftUnassignedV1 {
                shift_id: self.id.clone(),
                tenant_id: scribe.tenant.clone(),
                property_id: self.property_id.clone(),
                assignment_id: place.id.clone(),
                staff_id: place.staff_id.clone(),
                role: Some(ShiftRole::from_word(place.role.as_str())),
                reason: UnassignReason::from_word(cause.as_str()),
                version: u64::try_from(place.version).unwrap_or_default(),
                unassigned_at: scribe.now,
            }),
            ShiftEvent::Swapped(swap) => Told::everybody(&ShiftSwappedV1 {
                shift_left_id: swap.left.0.clone(),
                shift_right_id: swap.right.0.clone(),
                left_assignment: side(&swap.left.1),
                right_assignment: side(&swap.right.1),
                tenant_id: scribe.tenant.clone(),
                swapped_at: scribe.now,
            }),
            ShiftEvent::SwappedWith => {
                Told::nobody("staff.shift.swapped_with", &json!({ "aggregateVersion": version }))
            }
            ShiftEvent::Cancelled(off) => Told::everybody(&self.cancelled(off, version, scribe)),
            ShiftEvent::Started { primaries_in } => self.started(*primaries_in, version, scribe),
            ShiftEvent::FirstInPutRight => {
                Told::nobody("staff.shift.first_clock_in_corrected", &json!({ "aggregateVersion": version }))
            }
            ShiftEvent::Ended => self.ended(version, scribe),
        }
    }
}

fn side(side: &SwapSide) -> SwappedAssignment {
    SwappedAssignment { new_id: side.new.clone(), previous_id: side.previous.clone(), staff_id: side.staff_id.clone() }
}

impl Shift {
    fn insert(&self) -> RowChange {
        let (plan, window) = (self.plan.clone(), self.plan.window.clone());
        RowChange::new(
            &INSERT,
            params![
                self.id.clone(),
                self.property_id.clone(),
                self.position_id.clone(),
                window.date.0,
                window.start_local.to_string(),
                window.end_local.to_string(),
                window.tz,
                window.starts_at,
                window.ends_at,
                plan.primary_headcount,
                plan.standby_headcount,
                plan.break_minutes,
                plan.note,
                self.state.status(),
                self.version,
                self.created_at,
                self.origin.as_ref().map(|origin| origin.pattern_id.clone()),
                self.origin.as_ref().map(|origin| origin.date.0),
            ],
        )
    }

    fn update(&self, from: i32) -> RowChange {
        let (plan, window) = (self.plan.clone(), self.plan.window.clone());
        let (first, end, off) = match self.state.clone() {
            ShiftState::Scheduled => (None, None, None),
            ShiftState::Started(first) => (Some(first), None, None),
            ShiftState::Ended { first, end } => (first, Some(end), None),
            ShiftState::Cancelled { first, end, at, reason } => (first, end, Some((at, reason))),
        };
        RowChange::new(
            &UPDATE,
            params![
                self.id.clone(),
                from,
                self.version,
                window.date.0,
                window.start_local.to_string(),
                window.end_local.to_string(),
                window.tz,
                window.starts_at,
                window.ends_at,
                plan.primary_headcount,
                plan.standby_headcount,
                plan.break_minutes,
                plan.note,
                self.state.status(),
                first.as_ref().map(|first| first.by.clone()),
                first.as_ref().map(|first| first.at),
                end.as_ref().map(|end| end.at),
                end.as_ref().map(|end| end.reason),
                end.as_ref().and_then(|end| end.last_by.clone()),
                end.as_ref().map(|end| end.actual_minutes),
                end.as_ref().map(|end| end.break_minutes),
                off.map(|off| off.0),
                off.map(|off| off.1),
                self.updated_at,
            ],
        )
    }

    fn put_places(&self) -> RowChange {
        let (places, window) = (&self.places, &self.plan.window);
        RowChange::new(
            &PLACE_PUT,
            params![
                self.id.clone(),
                window.starts_at,
                window.ends_at,
                places.iter().map(|place| place.id.clone()).collect::<Vec<_>>(),
                places.iter().map(|place| place.staff_id.clone()).collect::<Vec<_>>(),
                places.iter().map(|place| place.role).collect::<Vec<_>>(),
                places.iter().map(|place| place.source).collect::<Vec<_>>(),
                places.iter().map(|place| place.status).collect::<Vec<_>>(),
                places.iter().map(|place| place.swapped_from.clone()).collect::<Vec<_>>(),
                places.iter().map(|place| place.assigned_at).collect::<Vec<_>>(),
                places.iter().map(|place| place.version).collect::<Vec<_>>(),
            ],
        )
    }

    pub(crate) fn windows(&self) -> (UtcWindow, LocalWindow) {
        let window = self.plan.window.clone();
        let local = LocalWindow {
            date: window.date,
            start_local: window.start_local,
            end_local: window.end_local,
            tz: window.tz,
        };
        (UtcWindow { start_utc: window.starts_at, end_utc: window.ends_at }, local)
    }

    fn scheduled(&self, job: &Job, version: u64, scribe: &Scribe<'_>) -> ShiftScheduledV1 {
        let (window_utc, local_window) = self.windows();
        ShiftScheduledV1 {
            shift_id: self.id.clone(),
            tenant_id: scribe.tenant.clone(),
            property_id: self.property_id.clone(),
            position_id: self.position_id.clone(),
            position_code: job.code.clone(),
            position_role: job.role.map(|role| PositionRole::from_word(role.as_str())),
            pattern_id: self.origin.as_ref().map(|origin| origin.pattern_id.clone()),
            window_utc,
            local_window,
            primary_headcount: heads(self.plan.primary_headcount),
            standby_headcount: heads(self.plan.standby_headcount),
            version,
        }
    }

    fn assigned(&self, place: &Place, scribe: &Scribe<'_>) -> ShiftAssignedV1 {
        ShiftAssignedV1 {
            shift_id: self.id.clone(),
            tenant_id: scribe.tenant.clone(),
            property_id: self.property_id.clone(),
            assignment_id: place.id.clone(),
            staff_id: place.staff_id.clone(),
            role: ShiftRole::from_word(place.role.as_str()),
            source: AssignmentSource::from_word(place.source.as_str()),
            swapped_from_assignment_id: place.swapped_from.clone(),
            version: 1,
            assigned_at: place.assigned_at,
        }
    }

    fn cancelled(&self, off: &[AssignmentId], version: u64, scribe: &Scribe<'_>) -> ShiftCancelledV1 {
        let reason = match &self.state {
            ShiftState::Cancelled { reason, .. } => ShiftCancelReason::from_word(reason.as_str()),
            _ => ShiftCancelReason::Manual,
        };
        ShiftCancelledV1 {
            shift_id: self.id.clone(),
            tenant_id: scribe.tenant.clone(),
            property_id: self.property_id.clone(),
            position_id: Some(self.position_id.clone()),
            reason,
            unassigned_assignment_ids: off.to_vec(),
            version,
            cancelled_at: scribe.now,
        }
    }

    fn started(&self, primaries_in: u32, version: u64, scribe: &Scribe<'_>) -> Told {
        let first = match &self.state {
            ShiftState::Started(first) => Some(first),
            ShiftState::Ended { first, .. } | ShiftState::Cancelled { first, .. } => first.as_ref(),
            ShiftState::Scheduled => None,
        };
        let Some(first) = first else { return Told::nobody("staff.shift.started", &json!({})) };
        Told::everybody(&ShiftStartedV1 {
            shift_id: self.id.clone(),
            tenant_id: scribe.tenant.clone(),
            property_id: self.property_id.clone(),
            position_id: self.position_id.clone(),
            first_clock_in_by: first.by.clone(),
            first_clock_in_at: first.at,
            primary_headcount: heads(self.plan.primary_headcount),
            primary_clocked_in_count: primaries_in,
            version,
        })
    }

    fn ended(&self, version: u64, scribe: &Scribe<'_>) -> Told {
        let end = match &self.state {
            ShiftState::Ended { end, .. } => Some(end),
            ShiftState::Cancelled { end, .. } => end.as_ref(),
            ShiftState::Scheduled | ShiftState::Started(_) => None,
        };
        let Some(end) = end else { return Told::nobody("staff.shift.ended", &json!({})) };
        Told::everybody(&ShiftEndedV1 {
            shift_id: self.id.clone(),
            tenant_id: scribe.tenant.clone(),
            property_id: self.property_id.clone(),
            ended_at: end.at,
            ended_reason: ShiftEndReason::from_word(end.reason.as_str()),
            last_clock_out_by: end.last_by.clone(),
            total_actual_minutes: heads(end.actual_minutes),
            total_break_minutes: heads(end.break_minutes),
            version,
        })
    }
}

fn heads(count: i32) -> u32 {
    u32::try_from(count).unwrap_or_default()
}

//! Leave: rows and back, and what others hear of it.

use contracts::ids::{AssignmentId, LeaveRequestId, PropertyId, ShiftId, StaffId};
use contracts::staff::{LeaveApprovedV1, LeaveCancelledV1, LeaveRejectedV1, LeaveRequestedV1, LeaveWindow};
use contracts::values::LocalDate;
use platform::database::Row;
use platform::database::{Change, Columns, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::StaffError;
use crate::domain::leave::{Days, Leave, LeaveEvent, LeaveState, LeaveStatus, Verdict};

const LEAVE: &[(&str, &str)] = columns![
    id: text, staff_id: text, type: text, first_day: date, last_day: date, reason: text, status: text,
    requested_at: timestamptz, decided_by: text, decided_at: timestamptz, decision_note: text, cancelled_by: text,
    cancelled_at: timestamptz, version: int4,
];

statements! {
    INSERT = "sql/leave_insert.sql" (text, text, text, date, date, text, text, timestamptz, int4) -> &[];
    UPDATE = "sql/leave_update.sql" (text, int4, int4, text, text, timestamptz, text, text, timestamptz) -> &[];
    FIND = "sql/leave_find.sql" (text) -> LEAVE;
    LOCK = "sql/leave_lock.sql" (text) -> LEAVE;
    LIST = "sql/leave_list.sql" (_text, text, _text, date, date, text, int8) -> LEAVE;
    OF_PEOPLE = "sql/leave_of_people.sql" (_text, date, date) -> LEAVE;
    IN_HOUSE = "sql/leave_in_house.sql" (text, date, date) -> LEAVE;
    AWAY = "sql/leave_away.sql" (date, date, text)
        -> columns![staff_id: text, first_day: date, last_day: date, home_property_id: text];
    OPEN = "sql/leave_open.sql" (text) -> LEAVE;
    PLACES = "sql/leave_places.sql" (text, date, date) -> columns![shift_id: text, assignment_id: text];
}

/// Which requests a list is about.
#[derive(Clone, Debug, Default)]
pub struct LeaveFilter {
    pub properties: Option<Vec<PropertyId>>,
    pub staff: Option<StaffId>,
    pub statuses: Option<Vec<LeaveStatus>>,
    pub from: Option<LocalDate>,
    pub to: Option<LocalDate>,
    /// The id that the page before ended with.
    pub before: Option<String>,
}

pub async fn find(uow: &mut UnitOfWork, id: &LeaveRequestId) -> Result<Option<Leave>, StaffError> {
    uow.read_one(&FIND, &[id]).await?.as_ref().map(leave_of).transpose()
}

pub async fn lock(uow: &mut UnitOfWork, id: &LeaveRequestId) -> Result<Option<Leave>, StaffError> {
    uow.read_one(&LOCK, &[id]).await?.as_ref().map(leave_of).transpose()
}

pub async fn list(uow: &mut UnitOfWork, filter: &LeaveFilter, limit: i64) -> Result<Vec<Leave>, StaffError> {
    let LeaveFilter { properties, staff, statuses, from, to, before } = filter;
    let (from, to) = (from.map(|day| day.0), to.map(|day| day.0));
    let rows = uow.read(&LIST, &[properties, staff, statuses, &from, &to, before, &limit]).await?;
    rows.iter().map(leave_of).collect()
}

/// Leave that these people have or want, with days in common with these.
pub async fn of_people(uow: &mut UnitOfWork, people: &[StaffId], days: Days) -> Result<Vec<Leave>, StaffError> {
    uow.read(&OF_PEOPLE, &[&people, &days.from.0, &days.to.0]).await?.iter().map(leave_of).collect()
}

/// Leave of people who are at home in a house.
pub async fn in_house(uow: &mut UnitOfWork, house: &PropertyId, days: Days) -> Result<Vec<Leave>, StaffError> {
    uow.read(&IN_HOUSE, &[house, &days.from.0, &days.to.0]).await?.iter().map(leave_of).collect()
}

/// Requests of a person that nobody has decided on, locked.
pub async fn lock_open(uow: &mut UnitOfWork, staff: &StaffId) -> Result<Vec<Leave>, StaffError> {
    uow.read(&OPEN, &[staff]).await?.iter().map(leave_of).collect()
}

/// Somebody who has approved leave around a day.
#[derive(Clone, Debug)]
pub struct Away {
    pub staff_id: StaffId,
    pub days: Days,
    pub home_property_id: PropertyId,
}

/// Who has approved leave around these days: everybody, or one person.
pub async fn away(uow: &mut UnitOfWork, days: Days, one: Option<&StaffId>) -> Result<Vec<Away>, StaffError> {
    let rows = uow.read(&AWAY, &[&days.from.0, &days.to.0, &one]).await?;
    let of = |row: &Row| {
        let days = Days { from: LocalDate(row.read("first_day")?), to: LocalDate(row.read("last_day")?) };
        Ok(Away { staff_id: row.read("staff_id")?, days, home_property_id: row.read("home_property_id")? })
    };
    rows.iter().map(of).collect()
}

/// Places on shifts that have not begun, on the days of a leave, in the order they begin.
pub async fn places(uow: &mut UnitOfWork, leave: &Leave) -> Result<Vec<(ShiftId, AssignmentId)>, StaffError> {
    let rows = uow.read(&PLACES, &[&leave.staff_id, &leave.days.from.0, &leave.days.to.0]).await?;
    rows.iter().map(|row| Ok((row.read("shift_id")?, row.read("assignment_id")?))).collect()
}

fn leave_of(row: &Row) -> Result<Leave, StaffError> {
    let verdict = match (row.read("decided_by")?, row.read("decided_at")?) {
        (Some(by), Some(at)) => Some(Verdict { by, at, note: row.read("decision_note")? }),
        (None, None) => None,
        _ => return Err(row.impossible("its decision is half known").into()),
    };
    let off = (row.read("cancelled_by")?, row.read("cancelled_at")?);
    let state = match (row.read("status")?, verdict, off) {
        (LeaveStatus::Requested, None, (None, None)) => LeaveState::Requested,
        (LeaveStatus::Approved, Some(verdict), (None, None)) => LeaveState::Approved(verdict),
        (LeaveStatus::Rejected, Some(verdict), (None, None)) => LeaveState::Rejected(verdict),
        (LeaveStatus::Cancelled, verdict, (Some(by), Some(at))) => LeaveState::Cancelled { verdict, by, at },
        (status, ..) => return Err(row.impossible(format!("{status}, and the rest does not fit")).into()),
    };
    Ok(Leave {
        id: row.read("id")?,
        staff_id: row.read("staff_id")?,
        kind: row.read("type")?,
        days: Days { from: LocalDate(row.read("first_day")?), to: LocalDate(row.read("last_day")?) },
        reason: row.read("reason")?,
        state,
        requested_at: row.read("requested_at")?,
        version: row.read("version")?,
    })
}

impl Stored for Leave {
    const KIND: &'static str = "leave";

    fn aggregate_id(&self) -> String {
        self.id.to_string()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        None
    }

    fn rows(&self, change: &Change<'_, LeaveEvent>, _: &Scribe<'_>) -> Vec<RowChange> {
        let this = self.clone();
        let Some(from) = change.from else {
            let (first, last, status) = (this.days.from.0, this.days.to.0, this.state.status());
            let params = params![
                this.id,
                this.staff_id,
                this.kind,
                first,
                last,
                this.reason,
                status,
                this.requested_at,
                this.version,
            ];
            return vec![RowChange::new(&INSERT, params)];
        };
        let (status, verdict) = (this.state.status(), this.state.verdict().cloned());
        let off = match this.state {
            LeaveState::Cancelled { by, at, .. } => Some((by, at)),
            LeaveState::Requested | LeaveState::Approved(_) | LeaveState::Rejected(_) => None,
        };
        let params = params![
            this.id,
            from,
            this.version,
            status,
            verdict.as_ref().map(|verdict| verdict.by.clone()),
            verdict.as_ref().map(|verdict| verdict.at),
            verdict.and_then(|verdict| verdict.note),
            off.as_ref().map(|off| off.0.clone()),
            off.map(|off| off.1),
        ];
        vec![RowChange::new(&UPDATE, params)]
    }

    fn tell(&self, event: &LeaveEvent, version: i32, scribe: &Scribe<'_>) -> Told {
        let version = u64::try_from(version).unwrap_or_default();
        let (leave_request_id, tenant_id, staff_id) = (self.id.clone(), scribe.tenant.clone(), self.staff_id.clone());
        let untold = |what: &str| Told::nobody(what, &json!({ "aggregateVersion": version }));
        match (event, &self.state) {
            (LeaveEvent::Requested, _) => Told::everybody(&LeaveRequestedV1 {
                leave_request_id,
                tenant_id,
                staff_id,
                kind: self.kind.as_str().to_owned(),
                window_local: LeaveWindow { from: self.days.from, to: self.days.to },
                reason: self.reason.clone(),
                requested_at: self.requested_at,
                version,
            }),
            (LeaveEvent::Approved(freed), state) => match state.verdict().cloned() {
                Some(verdict) => Told::everybody(&LeaveApprovedV1 {
                    leave_request_id,
                    tenant_id,
                    staff_id,
                    decided_by: verdict.by,
                    decided_at: verdict.at,
                    force_unassigned_assignment_ids: freed.clone(),
                    decision_note: verdict.note,
                    version,
                }),
                None => untold("staff.leave.approved"),
            },
            (LeaveEvent::Rejected, state) => match state.verdict().cloned() {
                Some(verdict) => Told::everybody(&LeaveRejectedV1 {
                    leave_request_id,
                    tenant_id,
                    staff_id,
                    decided_by: verdict.by,
                    decided_at: verdict.at,
                    decision_note: verdict.note,
                    version,
                }),
                None => untold("staff.leave.rejected"),
            },
            (LeaveEvent::Cancelled, LeaveState::Cancelled { by, at, .. }) => Told::everybody(&LeaveCancelledV1 {
                leave_request_id,
                tenant_id,
                staff_id,
                cancelled_by: by.clone(),
                cancelled_at: *at,
                version,
            }),
            (LeaveEvent::Cancelled, _) => untold("staff.leave.cancelled"),
        }
    }
}

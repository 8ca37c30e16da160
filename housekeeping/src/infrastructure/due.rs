//! Which tenants have something due, and what.
//!
//! The first question goes over all tenants and is answered with their ids alone, by functions that only the operator's role may
//! ask (`docs/decisions/timers.md`). Everything after it is asked as one tenant.

use contracts::housekeeping::{ShiftStaffingGapDetectedV1, TaskPriority};
use contracts::ids::{PropertyId, ReservationId, RoomId, TaskId, TenantId};
use contracts::time::Timestamp;
use platform::database::Row;
use platform::database::{Change, Columns, DbRole, Fault, Read, RowChange, Scribe, Stored, Told};
use platform::{Db, UnitOfWork, columns, statements};

use super::alerts::{self, Alert};
use crate::HousekeepingError;
use crate::domain::staffing::{Noticed, Present, StaffingGap, Waiting};

statements! {
    NEGLECTED = "sql/task_neglected.sql" (timestamptz) -> columns![id: text];
    ARRIVALS_NEAR = "sql/arrival_near.sql" (timestamptz) -> columns![
        property_id: text, room_id: text, expected_at: timestamptz, priority: text, said_at: timestamptz
    ];
    PRESENT = "sql/staffing_present.sql" (timestamptz)
        -> columns![property_id: text, shift_id: text, capacity_minutes: int4, shift_ends_at: timestamptz, job: text];
    WAITING = "sql/staffing_waiting.sql" ()
        -> columns![property_id: text, id: text, priority: text, estimated_minutes: int4, scheduled_for: timestamptz];
    MID_STAY = "sql/mid_stay_due.sql" (timestamptz, text)
        -> columns![property_id: text, room_id: text, reservation_id: text, item_id: text];
}

/// What a tick asks for.
#[derive(Clone, Copy, Debug)]
pub enum Due {
    NeglectedWork,
    ArrivalsNear,
    TooFewPeople,
    /// For so many days a thing is kept where a tenant has not said otherwise.
    UnclaimedThings {
        usual_days: u32,
    },
    StaysToClean,
    WorkToPlan,
    BlocksOver,
    BoardsToCompose,
}

/// The tenants that have something of this due now: one question, however many tenants there are.
pub async fn tenants(db: &Db, due: Due) -> Result<Vec<TenantId>, Fault> {
    let fault = |error: tokio_postgres::Error| Fault::from_postgres("due", &error);
    let operator = db.connect_as(DbRole::Operator).await?;
    let now = db.clock().now();
    let rows = match due {
        Due::NeglectedWork => operator.query("SELECT housekeeping.tenants_with_neglected_work($1)", &[&now]).await,
        Due::ArrivalsNear => operator.query("SELECT housekeeping.tenants_with_arrivals_near($1)", &[&now]).await,
        Due::TooFewPeople => operator.query("SELECT housekeeping.tenants_short_of_people($1)", &[&now]).await,
        Due::UnclaimedThings { usual_days } => {
            let days = i32::try_from(usual_days).unwrap_or(i32::MAX);
            operator.query("SELECT housekeeping.tenants_with_unclaimed_things($1, $2)", &[&now, &days]).await
        }
        Due::BoardsToCompose => operator.query("SELECT housekeeping.tenants_with_boards_to_compose($1)", &[&now]).await,
        Due::BlocksOver => operator.query("SELECT housekeeping.tenants_with_blocks_over($1)", &[&now]).await,
        Due::WorkToPlan => operator.query("SELECT housekeeping.tenants_with_work_to_plan($1)", &[&now]).await,
        Due::StaysToClean => operator.query("SELECT housekeeping.tenants_with_stays_to_clean($1)", &[&now]).await,
    };
    let tenant = |row: &tokio_postgres::Row| row.try_get(0).map_err(fault);
    rows.map_err(fault)?.iter().map(tenant).collect()
}

/// Urgent tasks that have waited since before a moment and that nobody was told of.
pub async fn neglected(uow: &mut UnitOfWork, since: Timestamp) -> Result<Vec<TaskId>, HousekeepingError> {
    uow.read(&NEGLECTED, &[&since]).await?.iter().map(|row| Ok(row.read("id")?)).collect()
}

/// Open work in a room whose next guest is near.
#[derive(Clone, Debug)]
pub struct ArrivalNear {
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub expected_at: Timestamp,
    pub priority: TaskPriority,
    /// Since when it presses as it does.
    pub said_at: Timestamp,
}

/// What is open in rooms whose next guest comes within two days, the first guest first.
pub async fn arrivals_near(uow: &mut UnitOfWork) -> Result<Vec<ArrivalNear>, HousekeepingError> {
    let now = uow.now();
    let near = |row: &Row| {
        Ok(ArrivalNear {
            property_id: row.read("property_id")?,
            room_id: row.read("room_id")?,
            expected_at: row.read("expected_at")?,
            priority: row.read("priority")?,
            said_at: row.read("said_at")?,
        })
    };
    uow.read(&ARRIVALS_NEAR, &[&now]).await?.iter().map(near).collect()
}

/// Who is at work in the tenant's houses, and what waits there, most urgent first.
pub async fn staffing(uow: &mut UnitOfWork) -> Result<(Vec<Present>, Vec<Waiting>), HousekeepingError> {
    let now = uow.now();
    let [present, waiting] =
        uow.read_together([Read { sql: &PRESENT, params: &[&now] }, Read { sql: &WAITING, params: &[] }]).await?;
    let present = present.iter().map(|row| {
        Ok::<_, HousekeepingError>(Present {
            property_id: row.read("property_id")?,
            shift_id: row.read("shift_id")?,
            capacity_minutes: row.read("capacity_minutes")?,
            ends_at: row.read("shift_ends_at")?,
            job: row.read("job")?,
        })
    });
    let waiting = waiting.iter().map(|row| {
        Ok::<_, HousekeepingError>(Waiting {
            property_id: row.read("property_id")?,
            task_id: row.read("id")?,
            priority: row.read("priority")?,
            estimated_minutes: row.read("estimated_minutes")?,
            scheduled_for: row.read("scheduled_for")?,
        })
    });
    Ok((present.collect::<Result<_, _>>()?, waiting.collect::<Result<_, _>>()?))
}

/// A room whose guest stays and that was not cleaned for a day.
#[derive(Clone, Debug)]
pub struct StayToClean {
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub reservation_id: ReservationId,
    pub item_id: Option<String>,
}

/// All of them, or the one room asked for.
pub async fn stays_to_clean(
    uow: &mut UnitOfWork,
    room: Option<&RoomId>,
) -> Result<Vec<StayToClean>, HousekeepingError> {
    let now = uow.now();
    let stay_of = |row: &Row| {
        Ok(StayToClean {
            property_id: row.read("property_id")?,
            room_id: row.read("room_id")?,
            reservation_id: row.read("reservation_id")?,
            item_id: row.read("item_id")?,
        })
    };
    uow.read(&MID_STAY, &[&now, &room]).await?.iter().map(stay_of).collect()
}

impl Stored for StaffingGap {
    const KIND: &'static str = "shift";

    fn aggregate_id(&self) -> String {
        self.shift_id.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, _: &Change<'_, Noticed>, _: &Scribe<'_>) -> Vec<RowChange> {
        vec![alerts::told(Alert::StaffingGap, self.shift_id.as_str(), self.detected_at)]
    }

    fn tell(&self, _: &Noticed, _: i32, scribe: &Scribe<'_>) -> Told {
        Told::everybody(&ShiftStaffingGapDetectedV1 {
            tenant_id: scribe.tenant.clone(),
            property_id: self.property_id.clone(),
            shift_id: self.shift_id.clone(),
            detected_at: self.detected_at,
            pending_minutes: self.pending_minutes,
            capacity_minutes: self.capacity_minutes,
            suggested_action: self.action,
            affected_task_ids: self.affected.clone(),
        })
    }
}

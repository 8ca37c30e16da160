//! Wishes to change places: rows and back. They are kept, and not told: the swap itself is.

use contracts::ids::{PropertyId, StaffId, SwapRequestId};
use platform::database::Row;
use platform::database::{Change, Columns, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::StaffError;
use crate::domain::swap_request::{Side, SwapRequest, SwapRequestEvent};

const REQUEST: &[(&str, &str)] = columns![
    id: text, left_assignment_id: text, right_assignment_id: text, left_shift_id: text, right_shift_id: text,
    left_staff_id: text, right_staff_id: text, left_property_id: text, right_property_id: text, note: text, status: text,
    decided_by: jsonb, created_at: timestamptz, updated_at: timestamptz, version: int4,
];
const SHOWN: &[(&str, &str)] = columns![
    id: text, left_assignment_id: text, right_assignment_id: text, left_shift_id: text, right_shift_id: text,
    left_staff_id: text, right_staff_id: text, left_property_id: text, right_property_id: text, note: text, status: text,
    decided_by: jsonb, created_at: timestamptz, updated_at: timestamptz, version: int4, stands: bool,
];

statements! {
    INSERT = "sql/swap_request_insert.sql" (text, text, text, text, text, text, text, text, text, text, text,
        timestamptz, int4) -> &[];
    UPDATE = "sql/swap_request_update.sql" (text, int4, int4, text, jsonb, timestamptz) -> &[];
    FIND = "sql/swap_request_find.sql" (text) -> SHOWN;
    LOCK = "sql/swap_request_lock.sql" (text) -> REQUEST;
    LIST = "sql/swap_request_list.sql" (_text, text, text, int8) -> SHOWN;
}

/// The request, and whether both places are still somebody's on shifts that have not begun.
pub async fn find(uow: &mut UnitOfWork, id: &SwapRequestId) -> Result<Option<(SwapRequest, bool)>, StaffError> {
    uow.read_one(&FIND, &[id]).await?.as_ref().map(shown).transpose()
}

pub async fn lock(uow: &mut UnitOfWork, id: &SwapRequestId) -> Result<Option<SwapRequest>, StaffError> {
    uow.read_one(&LOCK, &[id]).await?.as_ref().map(request_of).transpose()
}

/// Newest first: of one person, or of shifts in these houses.
pub async fn list(
    uow: &mut UnitOfWork,
    properties: Option<&[PropertyId]>,
    staff: Option<&StaffId>,
    before: Option<&str>,
    limit: i64,
) -> Result<Vec<(SwapRequest, bool)>, StaffError> {
    uow.read(&LIST, &[&properties, &staff, &before, &limit]).await?.iter().map(shown).collect()
}

fn shown(row: &Row) -> Result<(SwapRequest, bool), StaffError> {
    Ok((request_of(row)?, row.read("stands")?))
}

fn request_of(row: &Row) -> Result<SwapRequest, StaffError> {
    Ok(SwapRequest {
        id: row.read("id")?,
        left: Side {
            assignment_id: row.read("left_assignment_id")?,
            shift_id: row.read("left_shift_id")?,
            staff_id: row.read("left_staff_id")?,
            property_id: row.read("left_property_id")?,
        },
        right: Side {
            assignment_id: row.read("right_assignment_id")?,
            shift_id: row.read("right_shift_id")?,
            staff_id: row.read("right_staff_id")?,
            property_id: row.read("right_property_id")?,
        },
        note: row.read("note")?,
        status: row.read("status")?,
        decided_by: row.read("decided_by")?,
        created_at: row.read("created_at")?,
        updated_at: row.read("updated_at")?,
        version: row.read("version")?,
    })
}

impl Stored for SwapRequest {
    const KIND: &'static str = "swap_request";

    fn aggregate_id(&self) -> String {
        self.id.to_string()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.left.property_id)
    }

    fn rows(&self, change: &Change<'_, SwapRequestEvent>, _: &Scribe<'_>) -> Vec<RowChange> {
        let this = self.clone();
        vec![match change.from {
            None => RowChange::new(
                &INSERT,
                params![
                    this.id,
                    this.left.assignment_id,
                    this.right.assignment_id,
                    this.left.shift_id,
                    this.right.shift_id,
                    this.left.staff_id,
                    this.right.staff_id,
                    this.left.property_id,
                    this.right.property_id,
                    this.note,
                    this.status,
                    this.created_at,
                    this.version,
                ],
            ),
            Some(from) => RowChange::new(
                &UPDATE,
                params![this.id, from, this.version, this.status, this.decided_by, this.updated_at],
            ),
        }]
    }

    fn tell(&self, event: &SwapRequestEvent, version: i32, _: &Scribe<'_>) -> Told {
        let name = match event {
            SwapRequestEvent::Proposed => "staff.swap_request.proposed",
            SwapRequestEvent::Accepted => "staff.swap_request.accepted",
            SwapRequestEvent::Approved => "staff.swap_request.approved",
            SwapRequestEvent::Declined => "staff.swap_request.declined",
            SwapRequestEvent::Withdrawn => "staff.swap_request.withdrawn",
        };
        let detail = json!({
            "leftAssignmentId": self.left.assignment_id, "rightAssignmentId": self.right.assignment_id,
            "aggregateVersion": version,
        });
        Told::nobody(name, &detail)
    }
}

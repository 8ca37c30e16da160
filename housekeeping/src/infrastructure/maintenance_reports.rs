//! Reports of what is broken: told to maintenance, kept in the audit of the room.

use contracts::housekeeping::{Reporter, ReporterKind, RoomMaintenanceRequiredV1};
use contracts::ids::PropertyId;
use platform::database::{Change, RowChange, Scribe, Stored, Told};

use crate::domain::maintenance::{MaintenanceReport, Reported};

impl Stored for MaintenanceReport {
    const KIND: &'static str = "maintenance_report";

    /// The room's: what is told of one room is told in its order.
    fn aggregate_id(&self) -> String {
        self.room_id.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, _: &Change<'_, Reported>, _: &Scribe<'_>) -> Vec<RowChange> {
        Vec::new()
    }

    fn tell(&self, _: &Reported, _: i32, scribe: &Scribe<'_>) -> Told {
        Told::everybody(&RoomMaintenanceRequiredV1 {
            tenant_id: scribe.tenant.clone(),
            property_id: self.property_id.clone(),
            room_id: self.room_id.clone(),
            task_id: self.task_id.clone(),
            issue: self.issue.clone(),
            reported_at: self.reported_at,
            reported_by: Reporter { kind: ReporterKind::User, staff_id: self.reported_by.clone() },
            outcome: self.outcome,
            // A report is no version of the room: the room's status may not change with it.
            aggregate_version: None,
        })
    }
}

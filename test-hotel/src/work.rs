//! Work as it is done every day, in one line each.

use contracts::housekeeping::TaskKind;
use contracts::ids::StaffId;
use housekeeping::domain::checklist::default_items;
use serde_json::{Value, json};

use crate::{Answer, Door, TestHotel, text};

/// Every item of a kind's first checklist, checked.
pub(crate) fn all_checked(kind: TaskKind) -> Value {
    let items = default_items(kind);
    items.iter().map(|item| json!({ "itemKey": item.key, "checked": true })).collect()
}

/// What a housekeeper reports who has done everything.
pub fn whole_report(kind: TaskKind) -> Value {
    json!({ "checklistResults": all_checked(kind), "linen": { "issued": 4, "returned": 4 }, "noMaintenanceFound": true })
}

impl TestHotel {
    /// A task that the supervisor opens by hand.
    pub async fn task_for(&self, door: &Door, kind: TaskKind) -> String {
        let body = json!({ "propertyId": self.property, "roomId": door.id, "kind": kind });
        text(&self.post(&self.supervisor(), "/housekeeping/v1/tasks", body).await.done()["id"])
    }

    pub async fn assign(&self, task: &str, staff: &StaffId) {
        self.command(&self.supervisor(), task, "assign", json!({ "staffId": staff })).await.done();
    }

    /// Runs a timer of housekeeping whether or not it is due; what it did.
    pub async fn tick(&self, name: &str) -> Option<String> {
        let ticker = &self.app.ticker;
        let tick = ticker.find(&format!("housekeeping.{name}")).unwrap_or_else(|| panic!("no tick {name}"));
        match ticker.run_now(tick).await.expect("the tick") {
            platform::ticks::Ran::Done(said) => said,
            // Another one is at it.
            _ => None,
        }
    }

    pub async fn start(&self, task: &str, staff: &StaffId) {
        self.command(&self.housekeeper(staff), task, "start", json!({})).await.done();
    }

    /// Assigned and begun.
    pub async fn begin(&self, task: &str, staff: &StaffId) {
        self.assign(task, staff).await;
        self.start(task, staff).await;
    }

    pub async fn complete(&self, task: &str, kind: TaskKind, staff: &StaffId) {
        self.command(&self.housekeeper(staff), task, "complete", whole_report(kind)).await.done();
    }

    /// Begun and completed.
    pub async fn clean(&self, task: &str, kind: TaskKind, staff: &StaffId) {
        self.begin(task, staff).await;
        self.complete(task, kind, staff).await;
    }

    /// A room whose guest left, cleaned and waiting for the inspection.
    pub async fn cleaned_room(&self, number: &str, staff: &StaffId) -> (Door, String) {
        let door = self.ready_room(number).await;
        self.deliver(&self.checked_out(&door)).await;
        let task = self.open_task(&door).await;
        self.clean(&task, TaskKind::Turnover, staff).await;
        (door, task)
    }

    /// The supervisor asks for a plan of the whole house.
    pub async fn suggest(&self) -> Answer {
        self.post(&self.supervisor(), "/housekeeping/v1/routing/suggest", json!({ "propertyId": self.property })).await
    }

    /// A decision on a suggestion: `approve` or `reject`.
    pub async fn decide(&self, suggestion: &Value, verb: &str, body: Value) -> Answer {
        let path = format!("/housekeeping/v1/routing/suggestions/{}/{verb}", text(&suggestion["id"]));
        self.post(&self.supervisor(), &path, body).await
    }
}

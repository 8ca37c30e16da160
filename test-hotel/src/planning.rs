//! Leave, papers, patterns and suggestions as a test uses them.

use contracts::ids::SuggestionId;
use serde_json::{Value, json};

use crate::{Answer, Happening, TestHotel, text};

impl TestHotel {
    /// A shift for housekeepers on some day, on the clock of the house.
    pub async fn shift_on(&self, day: &str, start: &str, end: &str) -> String {
        let mut plan = self.plan(start, end).await;
        plan["localWindow"]["date"] = json!(day);
        text(&self.post(&self.supervisor(), "/staff/v1/shifts", plan).await.done()["shiftId"])
    }

    /// Somebody asks for leave.
    pub async fn ask_for_leave(&self, staff: &str, from: &str, to: &str) -> Answer {
        let body = json!({ "type": "annual", "windowLocal": { "from": from, "to": to }, "reason": "a wedding" });
        self.post(&self.own(staff), "/staff/v1/leave", body).await
    }

    /// The supervisor decides on it.
    pub async fn decide_leave(&self, leave: &str, decision: &str) -> Answer {
        let body = json!({ "decision": decision, "decisionNote": "as agreed" });
        self.post(&self.supervisor(), &format!("/staff/v1/leave/{leave}/decide"), body).await
    }

    /// Leave that is granted.
    pub async fn leave(&self, staff: &str, from: &str, to: &str) -> String {
        let id = text(&self.ask_for_leave(staff, from, to).await.done()["leaveRequestId"]);
        self.decide_leave(&id, "approve").await.done();
        id
    }

    /// A paper of somebody's.
    pub async fn certify(&self, staff: &str, kind: &str, expires: Option<&str>) -> Value {
        let body = json!({ "type": kind, "issuedAt": "2026-01-01", "expiresAt": expires, "number": "AF-77" });
        self.post(&self.manager(), &format!("/staff/v1/staff/{staff}/certifications"), body).await.done()
    }

    /// What a planner says of a pattern for housekeepers, every day of the week.
    pub async fn pattern(&self, start: &str, end: &str) -> Value {
        json!({
            "propertyId": self.property, "positionId": self.position("HOUSEKEEPER").await, "name": "Morning",
            "startLocal": start, "endLocal": end, "daysOfWeek": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
            "validFrom": "2026-04-01", "primaryHeadcount": 2,
        })
    }

    pub async fn add_pattern(&self, body: Value) -> String {
        text(&self.post(&self.supervisor(), "/staff/v1/shift-patterns", body).await.done()["patternId"])
    }

    pub async fn generate(&self, from: &str, to: &str) -> Answer {
        let body = json!({ "propertyId": self.property, "from": from, "to": to });
        self.post(&self.supervisor(), "/staff/v1/shifts/generate", body).await
    }

    /// A program proposes who should be on which shift.
    pub fn proposal(&self, id: &SuggestionId, rows: &[(&str, &str)]) -> Happening {
        let rows: Vec<_> = rows
            .iter()
            .map(|(shift, staff)| json!({ "shiftId": shift, "staffId": staff, "reasoning": "rested" }))
            .collect();
        let payload = json!({
            "suggestionId": id, "tenantId": self.tenant, "propertyId": self.property, "rows": rows,
            "generatedAt": self.now(), "modelVersion": "roster-3",
        });
        self.happening("ai.suggestion.shift_optimization.v1", &payload).adding(
            "",
            "metadata",
            json!({ "aiProvenance": { "source": "cloud", "model": "roster-3", "promptHash": "abc" } }),
        )
    }

    /// Something of everything that planning keeps: leave, paper, note, pattern, swap request, suggestion.
    pub async fn planned_things(&self, person: &str, shift: &str, place: &str) -> [String; 6] {
        let leave = text(&self.ask_for_leave(person, "2026-06-01", "2026-06-02").await.done()["leaveRequestId"]);
        let paper = text(&self.certify(person, "food_handling", None).await["certificationId"]);
        let body = json!({ "propertyId": self.property, "body": "304 is noisy", "fromShiftId": shift });
        let note = text(&self.post(&self.own(person), "/staff/v1/handoff-notes", body).await.done()["handoffNoteId"]);
        let path = format!("/staff/v1/handoff-notes/{note}/acknowledge");
        self.post(&self.own(person), &path, json!({})).await.done();
        let pattern = self.add_pattern(self.pattern("06:00", "14:00").await).await;
        // The place of somebody who has come to work cannot be changed: two others.
        let (other, third) = (self.employ("Other").await, self.employ("Third").await);
        let (one, two) = (self.shift("16:00", "18:00").await, self.shift("19:00", "21:00").await);
        let left = text(&self.place(&one, &other).await.done()["assignmentId"]);
        let right = text(&self.place(&two, &third).await.done()["assignmentId"]);
        let body = json!({ "leftAssignmentId": left, "rightAssignmentId": right, "note": place });
        let path = "/staff/v1/shifts/swap-requests";
        let swap = text(&self.post(&self.own(&other), path, body).await.done()["swapRequestId"]);
        let suggestion: SuggestionId = self.next();
        self.deliver(&self.proposal(&suggestion, &[(&one, &third)])).await;
        [leave, paper, note, pattern, swap, suggestion.to_string()]
    }
}

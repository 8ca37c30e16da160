//! The staff context as a test uses it: people employed over REST, and what is told of them.

use contracts::ids::StaffId;
use platform::auth::Role;
use serde_json::{Value, json};

use crate::{TestHotel, text};

impl TestHotel {
    /// Somebody's own token, with nothing but what is everybody's.
    pub fn own(&self, staff: &str) -> String {
        self.token(Role::Staff, StaffId::parse(staff).ok().as_ref())
    }

    /// The position every tenant has under this code.
    pub async fn position(&self, code: &str) -> String {
        let all = self.get(&self.manager(), "/staff/v1/positions").await.done();
        let found = all["items"].as_array().expect("items").iter().find(|one| one["code"] == code).cloned();
        text(&found.unwrap_or_else(|| panic!("no position {code}"))["positionId"])
    }

    /// What a manager says of somebody new.
    pub async fn application_of(&self, given_name: &str) -> Value {
        json!({
            "givenName": given_name, "familyName": "Wardak", "homePropertyId": self.property,
            "positionId": self.position("HOUSEKEEPER").await, "employmentType": "full_time",
            "employmentStartedAt": "2026-04-01", "languages": ["ps-AF"],
        })
    }

    /// Somebody who is employed as a housekeeper.
    pub async fn employ(&self, given_name: &str) -> String {
        let body = self.application_of(given_name).await;
        text(&self.post(&self.manager(), "/staff/v1/staff", body).await.done()["staffId"])
    }

    /// What staff published since this was last asked: the short subject, and the payload.
    pub async fn told_by_staff(&self) -> Vec<(String, Value)> {
        let short = |envelope: &Value| {
            let subject = envelope["eventType"].as_str()?.strip_prefix("melmastoon.staff.")?;
            Some((subject.strip_suffix(".v1")?.to_owned(), envelope["payload"].clone()))
        };
        self.news().await.iter().filter_map(short).collect()
    }

    /// The subjects of it alone.
    pub async fn subjects_told_by_staff(&self) -> Vec<String> {
        self.told_by_staff().await.into_iter().map(|(subject, _)| subject).collect()
    }
}

impl TestHotel {
    /// What a planner says of a shift for housekeepers today, on the clock of the house.
    pub async fn plan(&self, start: &str, end: &str) -> Value {
        self.plan_for("HOUSEKEEPER", start, end).await
    }

    async fn plan_for(&self, position: &str, start: &str, end: &str) -> Value {
        json!({
            "propertyId": self.property, "positionId": self.position(position).await,
            "localWindow": { "date": "2026-04-22", "startLocal": start, "endLocal": end },
        })
    }

    /// Somebody new, at work on a shift of this position until the evening.
    pub async fn at_work_as(&self, position: &str, given_name: &str) -> String {
        let staff = self.employ(given_name).await;
        let body = self.plan_for(position, "10:30", "18:00").await;
        let shift = self.post(&self.supervisor(), "/staff/v1/shifts", body).await.done();
        self.place(&text(&shift["shiftId"]), &staff).await.done();
        self.punch_clock(&staff, "in").await.done();
        self.drain().await;
        staff
    }

    /// A shift that is planned.
    pub async fn shift(&self, start: &str, end: &str) -> String {
        let body = self.plan(start, end).await;
        text(&self.post(&self.supervisor(), "/staff/v1/shifts", body).await.done()["shiftId"])
    }

    pub async fn place(&self, shift: &str, staff: &str) -> super::Answer {
        let path = format!("/staff/v1/shifts/{shift}/assignments");
        self.post(&self.supervisor(), &path, json!({ "staffId": staff })).await
    }

    pub async fn punch_clock(&self, staff: &str, kind: &str) -> super::Answer {
        self.post(&self.own(staff), "/staff/v1/clock/punches", json!({ "kind": kind })).await
    }

    pub async fn shift_now(&self, shift: &str) -> Value {
        self.get(&self.supervisor(), &format!("/staff/v1/shifts/{shift}")).await.done()
    }
}

//! A house that is played: events come in through the same door as everybody's, and people do what the stories of REST do.

use contracts::housekeeping::{ChecklistResult, TaskKind};
use contracts::ids::{EventId, PropertyId, StaffId, TaskId, TenantId};
use contracts::time::Timestamp;
use housekeeping::application::TaskCommand;
use housekeeping::application::cleaning::{self, Report};
use housekeeping::application::inspections::{self, Look};
use housekeeping::application::profiles::Profiles;
use housekeeping::domain::inspection::Verdict;
use housekeeping::{HousekeepingError, SCHEMA};
use platform::auth::{Caller, Properties, Role, Roles};
use platform::bus::{Handled, Inbound, receive};
use platform::{Clock, Db, Fault, Refusal, RequestContext, UnitOfWork};
use serde_json::{Value, json};

use crate::app::App;

/// Whose house it is, and the application that it is played on.
pub(super) struct House<'a> {
    pub(super) app: &'a App,
    /// Its database, at the time at which it is played.
    pub(super) db: Db,
    pub(super) tenant: TenantId,
    pub(super) property: PropertyId,
    pub(super) profiles: Profiles,
}

impl<'a> House<'a> {
    pub(super) fn new(app: &'a App, tenant: TenantId, property: PropertyId) -> Self {
        Self { app, db: app.db.clone(), tenant, property, profiles: Profiles::new(app.db.clock()) }
    }

    /// The same house at another time.
    pub(super) fn at(&self, clock: &Clock) -> Self {
        Self {
            app: self.app,
            db: self.app.db.at(clock.clone()),
            tenant: self.tenant.clone(),
            property: self.property.clone(),
            profiles: Profiles::new(clock),
        }
    }

    /// Until nothing is left to publish and nobody has anything left to hear.
    pub(super) async fn hear_everything(&self) -> Result<(), Fault> {
        let (relay, worker) = (self.app.relay.on(self.db.clone()), self.app.worker.on(self.db.clone()));
        while relay.drain().await? + worker.drain().await? > 0 {}
        Ok(())
    }

    /// Through the same door as everybody's events.
    pub(super) async fn tell(
        &self,
        id: EventId,
        subject: &str,
        at: Timestamp,
        payload: Value,
    ) -> Result<(), HousekeepingError> {
        let subject = format!("melmastoon.{subject}");
        let envelope = json!({
            "specVersion": "1.0",
            "id": id,
            "subject": subject,
            "tenantId": self.tenant,
            "occurredAt": at,
            "producer": "demo",
            "actor": { "type": "system", "id": "sys_demo" },
            "payload": payload,
        });
        let bytes = envelope.to_string().into_bytes();
        let message = Inbound { bytes: &bytes, subject: &subject, sender: None, attempt: 1, last_attempt: true };
        let listening = self.app.subscriptions.iter().filter(|one| one.subjects.contains(&subject.as_str()));
        for subscription in listening {
            if receive(&self.db, subscription, message).await? == Handled::Buried {
                tracing::warn!(subject, "an event of the demo could not be applied; see `melmastoon dlq list`");
            }
        }
        Ok(())
    }

    /// Somebody does something with a task. What the task refuses is somebody else's doing, and is passed over.
    pub(super) async fn on_task(
        &self,
        caller: &Caller,
        task: &TaskId,
        story: impl AsyncFn(&mut UnitOfWork, TaskCommand<'_>) -> Result<(), HousekeepingError>,
    ) -> Result<bool, HousekeepingError> {
        self.once(caller, async |uow: &mut UnitOfWork| {
            story(uow, TaskCommand { task, caller, if_match: None, at: None }).await
        })
        .await
    }

    /// One story in a unit of work of its own; `false`: it was refused, and nothing happened.
    pub(super) async fn once(
        &self,
        caller: &Caller,
        story: impl AsyncFn(&mut UnitOfWork) -> Result<(), HousekeepingError>,
    ) -> Result<bool, HousekeepingError> {
        let mut uow = self.begin_as(caller).await?;
        match story(&mut uow).await {
            Ok(()) => {
                uow.commit().await?;
                Ok(true)
            }
            Err(HousekeepingError::General(Refusal::Fault(fault))) => Err(fault.into()),
            // A start that was cut short had come this far before.
            Err(refusal) => {
                tracing::debug!(%refusal, "the demo goes on");
                uow.rollback().await?;
                Ok(false)
            }
        }
    }

    pub(super) async fn start(&self, worker: &Caller, task: &TaskId) -> Result<bool, HousekeepingError> {
        self.on_task(worker, task, async |uow, command| cleaning::start(uow, command).await.map(|_| ())).await
    }

    /// The work is done, and every item of its list is checked.
    pub(super) async fn complete(
        &self,
        worker: &Caller,
        task: &TaskId,
        kind: TaskKind,
    ) -> Result<bool, HousekeepingError> {
        self.on_task(worker, task, async |uow, command| {
            let profile = self.profiles.of(uow).await?;
            let all = profile.checklist(kind)?.items.iter().map(|item| ChecklistResult {
                item_key: item.key.clone(),
                checked: true,
                note: None,
                photo_media_id: None,
            });
            let report = Report { checklist_results: all.collect(), linen: None, no_maintenance_found: true };
            cleaning::complete(uow, &self.profiles, command, report).await.map(|_| ())
        })
        .await
    }

    pub(super) async fn inspect(
        &self,
        supervisor: &Caller,
        task: &TaskId,
        verdict: Verdict,
    ) -> Result<bool, HousekeepingError> {
        self.on_task(supervisor, task, async |uow, command| {
            let look = Look { checklist: None, results: Vec::new(), verdict: verdict.clone() };
            inspections::inspect(uow, &self.profiles, command, look).await.map(|_| ())
        })
        .await
    }

    pub(super) async fn begin(&self) -> Result<UnitOfWork, HousekeepingError> {
        Ok(self.db.begin_for(&SCHEMA, &self.tenant).await?)
    }

    async fn begin_as(&self, caller: &Caller) -> Result<UnitOfWork, HousekeepingError> {
        let context = RequestContext {
            tenant: caller.tenant.clone(),
            actor: caller.actor(),
            correlation_id: "req_demo".to_owned(),
            causation_id: None,
            traceparent: platform::telemetry::new_traceparent(self.db.ids()),
            locale: None,
        };
        Ok(self.db.begin(&SCHEMA, context).await?)
    }

    pub(super) fn caller(&self, staff: &StaffId, role: Role) -> Caller {
        Caller {
            subject: "usr_demo".to_owned(),
            tenant: self.tenant.clone(),
            staff: Some(staff.clone()),
            roles: Roles::new([role]),
            properties: Properties::All,
            expires_at: i64::MAX,
            pin_generation: None,
        }
    }
}

//! The morning as it happens: guests leave, people come to work, rooms get clean.

use std::sync::Arc;

use contracts::housekeeping::{ChecklistResult, PauseReason, TaskKind, TaskPriority};
use contracts::ids::{EventId, ReservationId, StaffId, TaskId};
use contracts::time::Timestamp;
use housekeeping::application::assignment::{self, NewTask};
use housekeeping::application::cleaning::{self, Report};
use housekeeping::application::profiles::Profiles;
use housekeeping::application::settings::change as change_settings;
use housekeeping::application::{TaskCommand, inspections};
use housekeeping::domain::inspection::Verdict;
use housekeeping::domain::settings::Settings;
use housekeeping::infrastructure::{board, rooms, settings};
use housekeeping::{HousekeepingError, SCHEMA};
use platform::auth::{Caller, Properties, Role, Roles};
use platform::bus::{Handled, Inbound, receive};
use platform::{Fault, Refusal, RequestContext, UnitOfWork};
use rand::SeedableRng;
use rand::rngs::StdRng;
use reservation::ReservationError;
use serde_json::{Value, json};

use super::Hotel;
use super::guests::Guests;
use super::script::{Person, Script, next};
use crate::Failure;
use crate::app::App;

/// Opens the demo hotel, or finds it as it was left.
pub async fn open(app: &App, seed: u64) -> Result<Hotel, Failure> {
    let script = Script::from_seed(seed);
    let hotel = Hotel {
        tenant: script.tenant.clone(),
        property: script.property.clone(),
        supervisor: script.supervisor.id.clone(),
    };
    let demo =
        Demo { app, now: app.db.clock().now(), script: &script, profiles: Arc::new(Profiles::new(app.db.clock())) };
    if demo.is_open().await.map_err(|error| failed(&error))? {
        return Ok(hotel);
    }
    tracing::info!(seed, "opening Hotel Chinar");
    demo.play(seed).await?;
    Ok(hotel)
}

fn failed(error: &HousekeepingError) -> Failure {
    Failure::Failed(format!("the demo hotel could not be opened: {error}"))
}

fn unbooked(error: &ReservationError) -> Failure {
    Failure::Failed(format!("the demo hotel's guests could not come: {error}"))
}

pub(super) struct Demo<'a> {
    pub(super) app: &'a App,
    now: Timestamp,
    pub(super) script: &'a Script,
    profiles: Arc<Profiles>,
}

impl Demo<'_> {
    /// The settings are written last: a start that was cut short is taken up again.
    async fn is_open(&self) -> Result<bool, HousekeepingError> {
        let mut uow = self.begin().await?;
        let (stored, _) = settings::load(&mut uow).await?;
        uow.rollback().await?;
        Ok(stored.version > 0)
    }

    async fn play(&self, seed: u64) -> Result<(), Failure> {
        let guests = Guests { db: &self.app.db, script: self.script, now: self.now };
        guests.open_the_house().await.map_err(|error| unbooked(&error))?;
        self.furnish(seed).await.map_err(|error| failed(&error))?;
        for slept_here in [guests.last_night().await, guests.this_morning().await, guests.the_book().await] {
            slept_here.map_err(|error| unbooked(&error))?;
        }
        // Housekeeping hears of it as it does of real guests.
        self.hear_everything().await.map_err(|error| failed(&error.into()))?;
        let mut who = Vec::new();
        for at in 0..self.script.stay_overs.len() {
            who.push(guests.of_stay_over(at).await.map_err(|error| unbooked(&error))?);
        }
        self.do_the_mornings_work(&who).await.map_err(|error| failed(&error))?;
        self.meet_troubles().await.map_err(|error| failed(&error))?;
        self.hear_everything().await.map_err(|error| failed(&error.into()))?;
        let done = async {
            let mut uow = self.begin().await?;
            change_settings(&mut uow, None, Settings::default()).await?;
            Ok::<_, HousekeepingError>(uow.commit().await?)
        };
        done.await.map_err(|error| failed(&error))?;
        self.app.relay.drain().await?;
        Ok(())
    }

    /// Until nothing is left to publish and nobody has anything left to hear.
    async fn hear_everything(&self) -> Result<(), Fault> {
        while self.app.relay.drain().await? + self.app.worker.drain().await? > 0 {}
        Ok(())
    }

    /// Rooms to clean, and those who clean them.
    async fn furnish(&self, seed: u64) -> Result<(), HousekeepingError> {
        let mut uow = self.begin().await?;
        let ids: Vec<_> = self.script.rooms.iter().map(|room| room.room_id.clone()).collect();
        rooms::open(&mut uow, &self.script.property, &ids).await?;
        self.script.rooms.iter().for_each(|room| rooms::describe(&mut uow, room));
        uow.commit().await?;

        // Event ids are drawn from the seed as well: what was told once is not told twice.
        let mut chance = StdRng::seed_from_u64(seed ^ 0x5eed);
        for (subject, minutes_ago, payload) in self.told() {
            self.tell(next(&mut chance), subject, minutes_ago, payload).await?;
        }
        self.break_a_room(next(&mut chance)).await
    }

    /// Everything that other contexts tell: subject, how many minutes ago, payload.
    fn told(&self) -> Vec<(&'static str, i64, Value)> {
        let script = self.script;
        let people = || std::iter::once(&script.supervisor).chain(&script.housekeepers);
        let mut told: Vec<_> = people().map(|person| ("staff.created.v1", 10_000, self.person(person))).collect();
        told.push(("staff.shift.scheduled.v1", 900, self.shift()));
        for person in people() {
            told.push(("staff.shift.assigned.v1", 880, self.assignment(person)));
        }
        for person in people() {
            told.push(("staff.clock.in.v1", 120, self.punch(person)));
        }
        told
    }

    /// The supervisor opens the stay-overs and divides the work; some of it is done, some of it is going on.
    async fn do_the_mornings_work(&self, who: &[Option<ReservationId>]) -> Result<(), HousekeepingError> {
        let supervisor = self.caller(&self.script.supervisor.id, Role::Supervisor);
        for (at, stay) in self.script.stay_overs.iter().enumerate() {
            let new = NewTask {
                property_id: self.script.property.clone(),
                room_id: stay.room.clone(),
                kind: if at % 9 == 8 { TaskKind::DeepClean } else { TaskKind::MidStayClean },
                priority: TaskPriority::Normal,
                scheduled_for: None,
                reservation_id: who.get(at).cloned().flatten(),
                note: None,
            };
            let mut uow = self.begin_as(&supervisor).await?;
            assignment::open_task(&mut uow, &self.profiles, &supervisor, new).await?;
            uow.commit().await?;
        }
        let mut uow = self.begin().await?;
        let mut open = board::load(&mut uow, &self.script.property).await?.tasks;
        uow.rollback().await?;
        // The bus brings them in no order in particular; by their rooms the same seed gives the same morning.
        open.sort_by(|one, other| one.room_id.cmp(&other.room_id));
        for (at, task) in open.iter().enumerate() {
            // One in six waits for the supervisor's decision.
            if at % 6 == 5 {
                continue;
            }
            let Some(person) = self.script.housekeepers.get(at % self.script.housekeepers.len()) else { continue };
            self.on_task(&supervisor, &task.id, async |uow, command| {
                assignment::assign(uow, command, person.id.clone(), None, false).await.map(|_| ())
            })
            .await?;
            self.work(at, &task.id, task.kind, &supervisor, person).await?;
        }
        Ok(())
    }

    /// How far a task has come: each person has finished some, is at one, and has others before them.
    async fn work(
        &self,
        at: usize,
        task: &TaskId,
        kind: TaskKind,
        supervisor: &Caller,
        person: &Person,
    ) -> Result<(), HousekeepingError> {
        let people = self.script.housekeepers.len();
        let round = at / people;
        if round > 1 {
            return Ok(());
        }
        let worker = self.caller(&person.id, Role::Housekeeper);
        self.on_task(&worker, task, async |uow, command| cleaning::start(uow, command).await.map(|_| ())).await?;
        if round == 1 {
            if at % people == 3 {
                self.on_task(&worker, task, async |uow, command| {
                    cleaning::pause(uow, command, PauseReason::AwaitingLinen, None).await.map(|_| ())
                })
                .await?;
            }
            return Ok(());
        }
        self.on_task(&worker, task, async |uow, command| {
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
        .await?;
        if kind == TaskKind::Turnover && at % 3 != 2 {
            self.on_task(supervisor, task, async |uow, command| {
                inspections::inspect(uow, &self.profiles, command, Vec::new(), Verdict::Passed).await.map(|_| ())
            })
            .await?;
        }
        Ok(())
    }

    async fn on_task(
        &self,
        caller: &Caller,
        task: &TaskId,
        story: impl AsyncFn(&mut UnitOfWork, TaskCommand<'_>) -> Result<(), HousekeepingError>,
    ) -> Result<(), HousekeepingError> {
        let mut uow = self.begin_as(caller).await?;
        match story(&mut uow, TaskCommand { task, caller, if_match: None }).await {
            Ok(()) => Ok(uow.commit().await?),
            Err(HousekeepingError::General(Refusal::Fault(fault))) => Err(fault.into()),
            // A start that was cut short had come this far before.
            Err(refusal) => {
                tracing::debug!(%refusal, "the demo goes on");
                Ok(uow.rollback().await?)
            }
        }
    }

    pub(super) async fn begin(&self) -> Result<UnitOfWork, HousekeepingError> {
        Ok(self.app.db.begin_for(&SCHEMA, &self.script.tenant).await?)
    }

    pub(super) async fn begin_as(&self, caller: &Caller) -> Result<UnitOfWork, HousekeepingError> {
        Ok(self.app.db.begin(&SCHEMA, self.context_of(caller)).await?)
    }

    pub(super) fn context_of(&self, caller: &Caller) -> RequestContext {
        RequestContext {
            tenant: caller.tenant.clone(),
            actor: caller.actor(),
            correlation_id: "req_demo".to_owned(),
            causation_id: None,
            traceparent: platform::telemetry::new_traceparent(self.app.db.ids()),
            locale: None,
        }
    }

    pub(super) fn caller(&self, staff: &StaffId, role: Role) -> Caller {
        Caller {
            subject: "usr_demo".to_owned(),
            tenant: self.script.tenant.clone(),
            staff: Some(staff.clone()),
            roles: Roles::new([role]),
            properties: Properties::All,
            expires_at: i64::MAX,
        }
    }

    /// Through the same door as everybody's events.
    pub(super) async fn tell(
        &self,
        id: EventId,
        subject: &str,
        minutes_ago: i64,
        payload: Value,
    ) -> Result<(), HousekeepingError> {
        let subject = format!("melmastoon.{subject}");
        let envelope = json!({
            "specVersion": "1.0",
            "id": id,
            "subject": subject,
            "tenantId": self.script.tenant,
            "occurredAt": self.ago(minutes_ago),
            "producer": "demo",
            "actor": { "type": "system", "id": "sys_demo" },
            "payload": payload,
        });
        let bytes = envelope.to_string().into_bytes();
        let message = Inbound { bytes: &bytes, subject: &subject, sender: None, attempt: 1, last_attempt: true };
        let listening = self.app.subscriptions.iter().filter(|one| one.subjects.contains(&subject.as_str()));
        for subscription in listening {
            if receive(&self.app.db, subscription, message).await? == Handled::Buried {
                tracing::warn!(subject, "an event of the demo could not be applied; see `melmastoon dlq list`");
            }
        }
        Ok(())
    }

    pub(super) fn ago(&self, minutes: i64) -> Timestamp {
        self.now.plus_seconds(-60 * minutes)
    }

    fn person(&self, person: &Person) -> Value {
        json!({
            "staffId": person.id, "tenantId": self.script.tenant, "homePropertyId": self.script.property,
            "propertyAccess": [self.script.property], "staffCode": format!("CHINAR-{}", &person.id.as_str()[26..]), "userId": null,
            "givenName": person.given_name, "familyName": person.family_name,
            "positionId": "pos_HOUSEKEEPER", "departmentId": "dpt_HOUSEKEEPING", "employmentType": "full_time",
            "employmentStatus": "active", "employmentStartedAt": "2026-01-01", "hasEmail": false, "pinSet": true,
            "languages": person.languages, "skills": person.skills, "version": 1, "createdAt": self.ago(10_000),
        })
    }

    fn shift(&self) -> Value {
        json!({
            "shiftId": self.script.shift, "tenantId": self.script.tenant, "propertyId": self.script.property,
            "positionId": "pos_HOUSEKEEPER", "patternId": null,
            "windowUtc": { "startUtc": self.ago(120), "endUtc": self.ago(-360) },
            "localWindow": { "date": "2026-01-01", "startLocal": "07:00", "endLocal": "15:00", "tz": "Asia/Kabul" },
            "primaryHeadcount": self.script.housekeepers.len(), "standbyHeadcount": 0, "version": 1,
        })
    }

    fn assignment(&self, person: &Person) -> Value {
        json!({
            "shiftId": self.script.shift, "tenantId": self.script.tenant, "propertyId": self.script.property,
            "assignmentId": format!("sha_{}", &person.id.as_str()[4..]), "staffId": person.id, "role": "primary",
            "source": "manual", "swappedFromAssignmentId": null, "version": 1, "assignedAt": self.ago(880),
        })
    }

    fn punch(&self, person: &Person) -> Value {
        json!({
            "clockEntryId": format!("clk_{}", &person.id.as_str()[4..]), "tenantId": self.script.tenant, "staffId": person.id,
            "propertyId": self.script.property, "shiftId": self.script.shift, "occurredAtUtc": self.ago(120),
            "recordedAtUtc": self.ago(120), "source": "electron_pin", "deviceId": null, "managerOverride": false,
            "fromOfflineReplay": false, "matchedScheduledShift": true,
        })
    }
}

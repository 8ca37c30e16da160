//! `melmastoon person`: everything that is kept of a guest or of a member of the staff, from all contexts and the archive; and
//! forgetting them.

use std::io::Write as _;

use clap::{Args, Subcommand};
use contracts::actor::Actor;
use contracts::ids::{GuestId, ReservationId, StaffId, TenantId};
use housekeeping::application::personal::{self, Person};
use platform::auth::{Caller, Properties, Role, Roles};
use platform::http::Problem;
use platform::{Db, RequestContext, UnitOfWork};
use serde_json::{Value, json};

use crate::app::{App, Parts};
use crate::archiving::Place;
use crate::config::Config;
use crate::{Failure, instance};

#[derive(Subcommand, Debug)]
pub enum PersonCommand {
    /// Everything that is kept of somebody, as JSON
    #[command(after_help = "Example:\n  melmastoon person export --tenant tnt_A --guest gst_B > gst_B.json")]
    Export(Who),
    /// Forget somebody: a guest who is not expected any more, or a member of the staff who has left. Says what stays, and why
    #[command(after_help = "Example:\n  melmastoon person erase --tenant tnt_A --staff stf_B")]
    Erase(Who),
}

#[derive(Args, Debug)]
pub struct Who {
    /// The hotel company
    #[arg(long, value_name = "TENANT")]
    tenant: String,
    /// A guest
    #[arg(long, value_name = "GUEST", conflicts_with = "staff", required_unless_present = "staff")]
    guest: Option<String>,
    /// A member of the staff
    #[arg(long, value_name = "STAFF")]
    staff: Option<String>,
}

enum Somebody {
    Guest(GuestId),
    Staff(StaffId),
}

impl Who {
    fn read(&self) -> Result<(TenantId, Somebody), Failure> {
        let usage = |field: &str, error: String| Failure::Usage(format!("--{field}: {error}"));
        let tenant = TenantId::parse(&self.tenant).map_err(|error| usage("tenant", error.to_string()))?;
        let somebody = match (&self.guest, &self.staff) {
            (Some(guest), _) => {
                Somebody::Guest(GuestId::parse(guest).map_err(|error| usage("guest", error.to_string()))?)
            }
            (None, Some(staff)) => {
                Somebody::Staff(StaffId::parse(staff).map_err(|error| usage("staff", error.to_string()))?)
            }
            (None, None) => return Err(usage("guest", "a guest or a member of the staff has to be named".to_owned())),
        };
        Ok((tenant, somebody))
    }
}

pub async fn person(config: &Config, command: PersonCommand) -> Result<(), Failure> {
    let (PersonCommand::Export(who) | PersonCommand::Erase(who)) = &command;
    let (tenant, somebody) = who.read()?;
    let address = instance::running(config).await?;
    let app = App::build(Parts::configured(config, address)?)?;
    let (caller, place) = (operator(&tenant), config.archive.as_ref());
    let answer = match (&command, &somebody) {
        (PersonCommand::Export(_), Somebody::Guest(id)) => export_guest(place, &app.db, &caller, id).await?,
        (PersonCommand::Export(_), Somebody::Staff(id)) => export_staff(place, &app.db, &caller, id).await?,
        (PersonCommand::Erase(_), Somebody::Guest(id)) => erase_guest(place, &app.db, &caller, id).await?,
        (PersonCommand::Erase(_), Somebody::Staff(id)) => erase_staff(place, &app.db, &caller, id).await?,
    };
    let text = serde_json::to_string_pretty(&answer).unwrap_or_default();
    match writeln!(std::io::stdout(), "{text}") {
        // Whoever reads has enough (`| head`).
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Whoever has the keys to this folder answers for the hotel.
pub fn operator(tenant: &TenantId) -> Caller {
    Caller {
        subject: "sys_operator".to_owned(),
        tenant: tenant.clone(),
        staff: None,
        roles: Roles::new([Role::Admin]),
        properties: Properties::All,
        expires_at: i64::MAX,
        pin_generation: None,
    }
}

/// From the front office, from housekeeping under what the guest booked, and from the archive.
pub async fn export_guest(place: Option<&Place>, db: &Db, caller: &Caller, id: &GuestId) -> Result<Value, Failure> {
    let tenant = &caller.tenant;
    let look = async |uow: &mut UnitOfWork| reservation::application::guests::export(uow, caller, id).await;
    let (office, sought) = db.read(&reservation::SCHEMA, tenant, look).await.map_err(refused)?;
    let booked = booked(db, caller, id).await?;
    let person = Person::Guest(booked.clone());
    let look = async |uow: &mut UnitOfWork| personal::export(uow, caller, &person).await;
    let rooms = db.read(&housekeeping::SCHEMA, tenant, look).await.map_err(refused)?;
    let archive = archived(place, db, tenant, &sought.numbers).await?;
    let actor = in_the_name_of(db, caller).actor;
    let deed = reservation::application::guests::exported(id);
    on_record(db.keep_on_record(&reservation::SCHEMA, tenant, actor.clone(), vec![deed]).await)?;
    on_record(db.keep_on_record(&housekeeping::SCHEMA, tenant, actor, personal::exported(&person)).await)?;
    Ok(json!({ "guestId": id, "reservation": office, "housekeeping": rooms, "archive": archive }))
}

pub async fn export_staff(place: Option<&Place>, db: &Db, caller: &Caller, id: &StaffId) -> Result<Value, Failure> {
    let tenant = &caller.tenant;
    let look = async |uow: &mut UnitOfWork| staff::application::export::export(uow, caller, id).await;
    let own = db.read(&staff::SCHEMA, tenant, look).await.map_err(refused)?;
    let person = Person::Staff(id.clone());
    let look = async |uow: &mut UnitOfWork| personal::export(uow, caller, &person).await;
    let rooms = db.read(&housekeeping::SCHEMA, tenant, look).await.map_err(refused)?;
    let look = async |uow: &mut UnitOfWork| reservation::application::personal::export(uow, caller, id).await;
    let desk = db.read(&reservation::SCHEMA, tenant, look).await.map_err(refused)?;
    let archive = archived(place, db, tenant, &[id.as_str().to_owned()]).await?;
    let actor = in_the_name_of(db, caller).actor;
    let deed = staff::application::export::exported(id);
    on_record(db.keep_on_record(&staff::SCHEMA, tenant, actor.clone(), vec![deed]).await)?;
    on_record(db.keep_on_record(&housekeeping::SCHEMA, tenant, actor.clone(), personal::exported(&person)).await)?;
    let deed = reservation::application::personal::exported(id);
    on_record(db.keep_on_record(&reservation::SCHEMA, tenant, actor, vec![deed]).await)?;
    Ok(json!({ "staffId": id, "staff": own, "housekeeping": rooms, "reservation": desk, "archive": archive }))
}

pub async fn erase_guest(place: Option<&Place>, db: &Db, caller: &Caller, id: &GuestId) -> Result<Value, Failure> {
    let mut uow = db.begin(&reservation::SCHEMA, in_the_name_of(db, caller)).await?;
    let erased = reservation::application::guests::erase_after_term(&mut uow, caller, id).await.map_err(refused)?;
    uow.commit().await.map_err(|error| Failure::Failed(error.to_string()))?;
    let mut numbers: Vec<String> = booked(db, caller, id).await?.iter().map(|id| id.as_str().to_owned()).collect();
    numbers.push(id.as_str().to_owned());
    let archive = searched(archived(place, db, &caller.tenant, &numbers).await);
    let rooms = "told over the bus; forgotten there as soon as the worker has heard it";
    Ok(json!({ "reservation": erased, "housekeeping": rooms, "archive": archive }))
}

pub async fn erase_staff(place: Option<&Place>, db: &Db, caller: &Caller, id: &StaffId) -> Result<Value, Failure> {
    let mut uow = db.begin(&staff::SCHEMA, in_the_name_of(db, caller)).await?;
    let person = staff::application::people::erase(&mut uow, caller, None, id).await.map_err(refused)?;
    uow.commit().await.map_err(|error| Failure::Failed(error.to_string()))?;
    let archive = searched(archived(place, db, &caller.tenant, &[id.as_str().to_owned()]).await);
    let own = json!({ "erasedAt": person.erased_at, "kept": staff::application::export::by_law() });
    let rooms = "told over the bus; forgotten there as soon as the worker has heard it";
    Ok(json!({ "staffId": id, "staff": own, "housekeeping": rooms, "archive": archive }))
}

/// Somebody is forgotten already when the archive is searched: that it is busy or away is said, and is no failure of the command.
fn searched(found: Result<Value, Failure>) -> Value {
    found.unwrap_or_else(|failure| {
        json!({
            "notSearched": failure.to_string(),
            "note": "the person is forgotten; which files have the number says `melmastoon person export`, later",
        })
    })
}

async fn booked(db: &Db, caller: &Caller, id: &GuestId) -> Result<Vec<ReservationId>, Failure> {
    let look = async |uow: &mut UnitOfWork| reservation::infrastructure::guests::booked(uow, id).await;
    let booked = db.read(&reservation::SCHEMA, &caller.tenant, look).await.map_err(refused)?;
    Ok(booked.into_iter().map(|one| one.id).collect())
}

fn in_the_name_of(db: &Db, caller: &Caller) -> RequestContext {
    RequestContext {
        tenant: caller.tenant.clone(),
        actor: Actor::system(&caller.subject),
        correlation_id: format!("req_{}", db.ids().ulid(db.clock().now())),
        causation_id: None,
        traceparent: platform::telemetry::new_traceparent(db.ids()),
        locale: None,
    }
}

/// What is not in the audit is not handed out.
fn on_record(kept: Result<(), platform::Fault>) -> Result<(), Failure> {
    kept.map_err(|fault| {
        Failure::Failed(format!("nothing is handed out, since it cannot be written into the audit: {fault}"))
    })
}

/// The files that speak of somebody, by number. There are no names in them, so they stay as they are.
#[cfg(feature = "archive")]
async fn archived(place: Option<&Place>, db: &Db, tenant: &TenantId, numbers: &[String]) -> Result<Value, Failure> {
    let Some(place) = place else { return Ok(json!("MELMASTOON_ARCHIVE_URL is not set")) };
    let failed = |error: ::archive::ArchiveError| Failure::Failed(error.to_string());
    let archivist = crate::archiving::archivist(db.clone(), place).map_err(failed)?;
    let files = archivist.mentions(tenant.as_str(), numbers).await.map_err(failed)?;
    Ok(
        json!({ "files": files, "note": "these files have the number and no name, e-mail or telephone; they are not rewritten" }),
    )
}

#[cfg(not(feature = "archive"))]
#[expect(clippy::unused_async, reason = "as with an archive")]
async fn archived(_: Option<&Place>, _: &Db, _: &TenantId, _: &[String]) -> Result<Value, Failure> {
    Ok(json!("this binary was built without the archive"))
}

/// As a caller over REST would be refused.
fn refused(error: impl Into<Problem>) -> Failure {
    let problem: Problem = error.into();
    Failure::Failed(format!("{}: {}", problem.title, problem.detail))
}

//! People over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::{PositionId, StaffId, UserId};
use platform::http::{
    Answer, Changed, Command, Created, Done, Id, NoBody, Page, Paging, Problem, PropertyScope, Query, Since, Tagged,
    Who, Words,
};
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bodies::{ChangePosition, CreatePerson, Reactivate, Terminate, UpdatePerson};
use super::checks;
use crate::application::export::{ExportResource, export as everything, exported, sought};
use crate::application::leave;
use crate::application::people::{self as stories, NewPerson, PersonWish};
use crate::application::views::{PersonResource, TerminatedResource};
use crate::domain::words::ShownStanding;
use crate::infrastructure::people::{self, PeopleFilter};
use crate::presentation::Staff;
use crate::{SCHEMA, StaffError};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PeopleQuery {
    /// People who are one of these, with commas between them.
    status: Option<Words<ShownStanding>>,
    position_id: Option<PositionId>,
    user_id: Option<UserId>,
    /// Letters of a name or of a code.
    q: Option<String>,
}

pub(super) async fn list(
    State(staff): State<Staff>,
    Who(caller): Who,
    PropertyScope(properties): PropertyScope,
    paging: Paging,
    since: Since,
    Query(query): Query<PeopleQuery>,
) -> Result<Json<Page<PersonResource>>, Problem> {
    let mut filter = PeopleFilter {
        properties,
        standings: query.status.map(|Words(words)| words),
        position: query.position_id,
        user: query.user_id,
        letters: query.q.filter(|letters| !letters.is_empty()),
        updated_since: since.0,
        after: paging.after.clone(),
        on_leave: Vec::new(),
    };
    let look = async |uow: &mut UnitOfWork| {
        let away = leave::on_leave_today(uow).await?;
        filter.on_leave = away.iter().cloned().collect();
        Ok::<_, StaffError>((people::list(uow, &filter, paging.rows()).await?, away))
    };
    let (found, away) = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    let shown = |person| PersonResource::of(person, &caller).away(person, away.contains(&person.id));
    let items = found.iter().map(shown).collect();
    Ok(Json(Page::cut(items, paging.limit, |person: &PersonResource| person.staff_id.to_string())))
}

pub(super) async fn show(
    State(staff): State<Staff>,
    Who(caller): Who,
    Id(id): Id<StaffId>,
) -> Result<Tagged<PersonResource>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let person = stories::look_up(uow, &caller, &id).await?;
        let away = leave::is_on_leave(uow, &person).await?;
        Ok::<_, StaffError>((person, away))
    };
    let (person, away) = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&PersonResource::of(&person, &caller).away(&person, away), person.version))
}

fn new_person(body: CreatePerson) -> Result<NewPerson, Refusal> {
    Ok(NewPerson {
        given_name: checks::name("givenName", body.given_name)?,
        family_name: checks::name("familyName", body.family_name)?,
        home_property_id: body.home_property_id,
        position_id: body.position_id,
        employment_type: body.employment_type,
        employment_started_at: body.employment_started_at,
        department_id: body.department_id,
        staff_code: body.staff_code.map(|code| checks::staff_code(&code)).transpose()?,
        property_access: body.property_access.map(checks::houses).transpose()?,
        user_id: body.user_id,
        employment_ends_at: body.employment_ends_at,
        email: body.email.map(checks::email).transpose()?,
        phone_e164: body.phone_e164.map(|phone| checks::phone("phoneE164", phone)).transpose()?,
        emergency_contact: body.emergency_contact.map(checks::contact).transpose()?,
        languages: checks::languages(body.languages)?,
        skills: checks::words("skills", body.skills)?,
        pin: None,
    })
}

/// What is named and null takes away; what is named and something is checked.
fn maybe<T, U>(
    value: Option<Option<T>>,
    check: impl FnOnce(T) -> Result<U, Refusal>,
) -> Result<Option<Option<U>>, Refusal> {
    match value {
        Some(Some(value)) => check(value).map(|value| Some(Some(value))),
        Some(None) => Ok(Some(None)),
        None => Ok(None),
    }
}

fn wish(body: UpdatePerson) -> Result<PersonWish, Refusal> {
    Ok(PersonWish {
        given_name: body.given_name.map(|name| checks::name("givenName", name)).transpose()?,
        family_name: body.family_name.map(|name| checks::name("familyName", name)).transpose()?,
        staff_code: body.staff_code.map(|code| checks::staff_code(&code)).transpose()?,
        home_property_id: body.home_property_id,
        property_access: body.property_access.map(checks::houses).transpose()?,
        department_id: body.department_id,
        user_id: body.user_id,
        employment_type: body.employment_type,
        employment_started_at: body.employment_started_at,
        employment_ends_at: body.employment_ends_at,
        email: maybe(body.email, checks::email)?,
        phone_e164: maybe(body.phone_e164, |phone| checks::phone("phoneE164", phone))?,
        emergency_contact: maybe(body.emergency_contact, checks::contact)?,
        languages: body.languages.map(checks::languages).transpose()?,
        skills: body.skills.map(|skills| checks::words("skills", skills)).transpose()?,
        standing: body.employment_status,
    })
}

pub(super) async fn create(
    State(staff): State<Staff>,
    command: Command<CreatePerson>,
) -> Result<Answer<Created<PersonResource>>, Problem> {
    // Hashing takes its time, and no connection waits for it.
    let pin = match &command.body.pin {
        Some(pin) => Some((pin.clone(), staff.desk.hash(pin).await?)),
        None => None,
    };
    let story = async |uow: &mut _| {
        let new = NewPerson { pin, ..new_person(command.body.clone())? };
        let person = stories::create(uow, &command.caller, new).await?;
        let location = format!("/staff/v1/staff/{}", person.id);
        let shown = PersonResource::of(&person, &command.caller);
        Ok::<_, StaffError>(Created::new(&shown, person.version, location))
    };
    Ok(command.run(&staff.db, &SCHEMA, story).await)
}

pub(super) async fn update(
    State(staff): State<Staff>,
    Id(id): Id<StaffId>,
    command: Command<UpdatePerson>,
) -> Answer<Changed<PersonResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let wish = wish(command.body.clone())?;
        let person = stories::update(uow, &command.caller, command.if_match.as_ref(), &id, wish).await?;
        let away = leave::is_on_leave(uow, &person).await?;
        let shown = PersonResource::of(&person, &command.caller).away(&person, away);
        Ok::<_, StaffError>(Changed::new(&shown, person.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn change_position(
    State(staff): State<Staff>,
    Id(id): Id<StaffId>,
    command: Command<ChangePosition>,
) -> Answer<Changed<PersonResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let ChangePosition { position_id, department_id, effective_at } = command.body.clone();
        let to = (position_id, department_id, effective_at);
        let person = stories::change_position(uow, &command.caller, command.if_match.as_ref(), &id, to).await?;
        let away = leave::is_on_leave(uow, &person).await?;
        let shown = PersonResource::of(&person, &command.caller).away(&person, away);
        Ok::<_, StaffError>(Changed::new(&shown, person.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn terminate(
    State(staff): State<Staff>,
    Id(id): Id<StaffId>,
    command: Command<Terminate>,
) -> Answer<Changed<TerminatedResource>> {
    let story = async |uow: &mut _| {
        let Terminate { reason, effective_at, note } = command.body.clone();
        let how = (checks::word("reason", reason)?, effective_at, checks::note("note", note)?);
        let (person, cascade) = stories::terminate(uow, &command.caller, command.if_match.as_ref(), &id, how).await?;
        let shown = TerminatedResource::of(&person, cascade, &command.caller);
        Ok::<_, StaffError>(Changed::new(&shown, person.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn export(
    State(staff): State<Staff>,
    Who(caller): Who,
    Id(id): Id<StaffId>,
) -> Result<Json<ExportResource>, Problem> {
    let look = async |uow: &mut _| everything(uow, &caller, &id).await;
    let mut found = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    found.archive = Some(staff.archive.mentions(sought(&caller.tenant, &id)).await);
    staff.db.keep_on_record(&SCHEMA, &caller.tenant, caller.actor(), vec![exported(&id)]).await?;
    Ok(Json(found))
}

pub(super) async fn erase(State(staff): State<Staff>, Id(id): Id<StaffId>, command: Command<NoBody>) -> Answer<Done> {
    let story = async |uow: &mut _| {
        stories::erase(uow, &command.caller, command.if_match.as_ref(), &id).await?;
        Ok::<_, StaffError>(Done::new())
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn reactivate(
    State(staff): State<Staff>,
    Id(id): Id<StaffId>,
    command: Command<Reactivate>,
) -> Answer<Changed<PersonResource>> {
    let from = command.body.effective_at;
    let story = async |uow: &mut UnitOfWork| {
        let person = stories::reactivate(uow, &command.caller, command.if_match.as_ref(), &id, from).await?;
        let away = leave::is_on_leave(uow, &person).await?;
        let shown = PersonResource::of(&person, &command.caller).away(&person, away);
        Ok::<_, StaffError>(Changed::new(&shown, person.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

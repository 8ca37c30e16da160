//! What the desk knows of a guest, over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::GuestId;
use contracts::time::Timestamp;
use platform::UnitOfWork;
use platform::http::{Answer, Changed, Command, Done, Id, NoBody, Problem, Who};
use schemars::JsonSchema;
use serde::Serialize;

use crate::application::guests::{self, GuestErasureResource, GuestExportResource};
use crate::presentation::FrontOffice;
use crate::{ReservationError, SCHEMA};

/// What the desk knows of a guest.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GuestProfile {
    guest_id: GuestId,
    locale: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<String>,
    /// Since when name and contacts are forgotten.
    #[serde(skip_serializing_if = "Option::is_none")]
    erased_at: Option<Timestamp>,
}

pub(super) async fn show(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    Id(id): Id<GuestId>,
) -> Result<Json<GuestProfile>, Problem> {
    let look = async |uow: &mut UnitOfWork| guests::look_up(uow, &caller, &id).await;
    let (guest, erased_at) = office.db.read(&SCHEMA, &caller.tenant, look).await?;
    let (name, email, phone) = (guest.name, guest.email, guest.phone);
    Ok(Json(GuestProfile { guest_id: guest.id, locale: guest.locale, name, email, phone, erased_at }))
}

pub(super) async fn erase(
    State(office): State<FrontOffice>,
    Id(id): Id<GuestId>,
    command: Command<NoBody>,
) -> Answer<Done> {
    let story = async |uow: &mut UnitOfWork| {
        guests::erase(uow, &command.caller, &id).await?;
        Ok::<_, ReservationError>(Done::new())
    };
    command.run(&office.db, &SCHEMA, story).await
}

pub(super) async fn export(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    Id(id): Id<GuestId>,
) -> Result<Json<GuestExportResource>, Problem> {
    let look = async |uow: &mut UnitOfWork| guests::export(uow, &caller, &id).await;
    let (mut found, sought) = office.db.read(&SCHEMA, &caller.tenant, look).await?;
    found.archive = Some(office.archive.mentions(sought).await);
    office.db.keep_on_record(&SCHEMA, &caller.tenant, caller.actor(), vec![guests::exported(&id)]).await?;
    Ok(Json(found))
}

pub(super) async fn erase_after_term(
    State(office): State<FrontOffice>,
    Id(id): Id<GuestId>,
    command: Command<NoBody>,
) -> Answer<Changed<GuestErasureResource>> {
    // Outside the transaction: whoever reads files holds no connection meanwhile.
    let look = async |uow: &mut UnitOfWork| guests::sought_if_over(uow, &command.caller, &id).await;
    let archive = match command.look(&office.db, &SCHEMA, look).await {
        Ok(sought) => office.archive.mentions(sought).await,
        Err(answer) => return answer,
    };
    let story = async |uow: &mut UnitOfWork| {
        let mut erased = guests::erase_after_term(uow, &command.caller, &id).await?;
        erased.archive = Some(archive);
        Ok::<_, ReservationError>(Changed::unversioned(&erased))
    };
    command.run(&office.db, &SCHEMA, story).await
}

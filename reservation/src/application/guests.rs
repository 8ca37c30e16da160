//! What the desk knows of a guest, what is kept of them, and that it is forgotten.

use contracts::ids::{GuestId, PropertyId};
use contracts::time::Timestamp;
use jiff::ToSpan;
use platform::auth::{Caller, Properties};
use platform::database::Deed;
use platform::personal::{ArchiveMentionsResource, Sought};
use platform::retention::KeptByLaw;
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::settings;
use crate::ReservationError;
use crate::domain::erasure::Erasure;
use crate::infrastructure::guests::{self, Booked, KnownGuest};

/// For so long the law wants bookings and bills (the class `regulated`).
const YEARS_BY_LAW: i32 = 7;

/// A guest whom one of the caller's houses knows.
pub async fn look_up(
    uow: &mut UnitOfWork,
    caller: &Caller,
    id: &GuestId,
) -> Result<(KnownGuest, Option<Timestamp>), ReservationError> {
    Ok(guests::seen(uow, id, houses(caller)).await?.ok_or(Refusal::NotFound("guest"))?)
}

/// The houses that the caller speaks for; `None`: all.
pub(super) fn houses(caller: &Caller) -> Option<&[PropertyId]> {
    speaks_for(&caller.properties)
}

pub(super) fn speaks_for(properties: &Properties) -> Option<&[PropertyId]> {
    match properties {
        Properties::All => None,
        Properties::Only(list) => Some(list.as_slice()),
    }
}

/// Everything that is kept of a guest, for that guest.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "GuestExport")]
pub struct GuestExportResource {
    pub exported_at: Timestamp,
    pub guest_id: GuestId,
    /// Every row, as it is kept.
    pub records: Vec<GuestRecordResource>,
    /// What the archive has of the guest, and of what they booked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<ArchiveMentionsResource>,
    /// What would stay if the guest were forgotten now, and why.
    pub kept: Vec<KeptByLaw>,
}

/// One thing that is kept of a guest.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "GuestRecord")]
pub struct GuestRecordResource {
    /// `guest`, `reservation`, `room`, `fact` or `history`.
    pub what: String,
    pub record: Value,
}

/// A guest is forgotten, but for what has to stay.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "GuestErasure")]
pub struct GuestErasureResource {
    pub guest_id: GuestId,
    pub erased_at: Timestamp,
    /// What the archive has of the guest, and of what they booked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<ArchiveMentionsResource>,
    /// What stays, and why.
    pub kept: Vec<KeptByLaw>,
}

/// Whoever takes everything of a guest out of the house is in the audit.
pub fn exported(id: &GuestId) -> Deed {
    Deed::new("internal.person.exported", "guest", id.as_str(), &serde_json::json!({ "guestId": id }))
}

/// Under which numbers the archive has a guest.
fn sought(caller: &Caller, id: &GuestId, booked: &[Booked]) -> Sought {
    let numbers = booked.iter().map(|one| one.id.as_str()).chain([id.as_str()]).map(str::to_owned).collect();
    Sought { tenant: caller.tenant.clone(), option: format!("--guest {id}"), numbers }
}

/// To whoever answers for the house, as far as the house goes; and whom to ask the archive for.
pub async fn export(
    uow: &mut UnitOfWork,
    caller: &Caller,
    id: &GuestId,
) -> Result<(GuestExportResource, Sought), ReservationError> {
    look_up(uow, caller, id).await?;
    let records = guests::kept(uow, id, houses(caller)).await?;
    let booked = guests::booked(uow, id).await?;
    let found = GuestExportResource {
        exported_at: uow.now(),
        guest_id: id.clone(),
        records: records.into_iter().map(|(what, record)| GuestRecordResource { what, record }).collect(),
        archive: None,
        kept: by_law(&booked),
    };
    Ok((found, sought(caller, id, &booked)))
}

/// Name, e-mail, telephone and wishes are forgotten; id and hashes stay. Once more changes nothing.
pub async fn erase(uow: &mut UnitOfWork, caller: &Caller, id: &GuestId) -> Result<Timestamp, ReservationError> {
    let (guest, erased_at) = look_up(uow, caller, id).await?;
    if let Some(at) = erased_at {
        return Ok(at);
    }
    let booked = guests::booked(uow, id).await?;
    settings::reside(uow, None).await?;
    uow.save(Erasure::of(guest.id, booked.into_iter().map(|one| one.id).collect()));
    Ok(uow.now())
}

/// The same once the guest's time is over: whoever is in the house or expected is not forgotten. Says what stays.
pub async fn erase_after_term(
    uow: &mut UnitOfWork,
    caller: &Caller,
    id: &GuestId,
) -> Result<GuestErasureResource, ReservationError> {
    let booked = over(uow, caller, id).await?;
    let erased_at = erase(uow, caller, id).await?;
    Ok(GuestErasureResource { guest_id: id.clone(), erased_at, archive: None, kept: by_law(&booked) })
}

/// What a guest booked, if all of it is over.
async fn over(uow: &mut UnitOfWork, caller: &Caller, id: &GuestId) -> Result<Vec<Booked>, ReservationError> {
    // Whom the caller does not know is not told of either.
    look_up(uow, caller, id).await?;
    let booked = guests::booked(uow, id).await?;
    match booked.iter().find(|one| !one.is_over) {
        Some(open) => Err(ReservationError::GuestExpected { until: open.ends }),
        None => Ok(booked),
    }
}

/// Under which numbers the archive has a guest who may be forgotten.
pub async fn sought_if_over(uow: &mut UnitOfWork, caller: &Caller, id: &GuestId) -> Result<Sought, ReservationError> {
    Ok(sought(caller, id, &over(uow, caller, id).await?))
}

/// What stays of a guest who is forgotten.
fn by_law(booked: &[Booked]) -> Vec<KeptByLaw> {
    let mut kept = vec![KeptByLaw {
        what: "the guest's number and the hashes of e-mail and telephone".to_owned(),
        why: "who comes again is known as such, and by nothing else".to_owned(),
        until: None,
    }];
    if let Some(last) = booked.iter().map(|one| one.ends).max() {
        let until = last.checked_add(YEARS_BY_LAW.years()).ok();
        kept.push(KeptByLaw {
            what: format!("{} reservations with their bills, payments and what was published of them", booked.len()),
            why: format!("the law wants them for {YEARS_BY_LAW} years; they name the guest by number alone"),
            until: until.map(|day| day.to_string()),
        });
    }
    kept
}

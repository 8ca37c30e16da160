//! Guests: the one place where names and contacts are kept.

use contracts::ids::{GuestId, PropertyId, ReservationId};
use contracts::reservation::{ContactHash, GuestErasedV1};
use contracts::time::Timestamp;
use jiff::civil::Date;
use platform::database::Row;
use platform::database::{Change, Columns, Json, RowChange, Scribe, Stored, Told};
use platform::{Ids, UnitOfWork, columns, params, statements};
use serde_json::Value;

use crate::ReservationError;
use crate::domain::erasure::{Erased, Erasure};

statements! {
    SALT_FIND = "sql/salt_find.sql" () -> columns![salt: text];
    SALT_KEEP = "sql/salt_keep.sql" (text) -> &[];
    NEW = "sql/guest_new.sql" (text, text, text, text, text, text, text, timestamptz) -> &[];
    KEEP = "sql/guest_keep.sql" (text, text, text, text, text, text, text, timestamptz) -> &[];
    FIND = "sql/guest_find.sql" (_text)
        -> columns![id: text, name: text, email: text, phone: text, locale: text, email_hash: text, phone_hash: text];
    SEEN = "sql/guest_seen.sql" (text, _text)
        -> columns![id: text, name: text, email: text, phone: text, locale: text, email_hash: text, phone_hash: text,
            erased_at: timestamptz];
    ERASE = "sql/guest_erase.sql" (text, timestamptz) -> &[];
    ERASE_WISHES = "sql/guest_erase_wishes.sql" (text) -> &[];
    ERASE_AUDIT = "sql/guest_erase_audit.sql" (text) -> &[];
    STAYS = "sql/guest_stays.sql" (text) -> columns![id: text, ends: date, is_over: bool];
    EXPORT = "sql/guest_export.sql" (text, _text) -> columns![what: text, kept: jsonb];
}

/// A guest as the desk knows one.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownGuest {
    pub id: GuestId,
    pub name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub locale: String,
    pub contact_hash: ContactHash,
}

/// The tenant's salt, made at its first guest and never shown.
pub async fn salt(uow: &mut UnitOfWork, ids: &Ids) -> Result<String, ReservationError> {
    if let Some(row) = uow.read_one(&SALT_FIND, &[]).await? {
        return Ok(row.read("salt")?);
    }
    let fresh = format!("{}{}", ids.hex::<16>(), ids.hex::<16>());
    // Sent at once: of two first guests at the same moment one waits here, and both go on with one salt.
    uow.read(&SALT_KEEP, &[&fresh]).await?;
    Ok(uow.read_one(&SALT_FIND, &[]).await?.map_or(Ok(fresh), |row| row.read("salt"))?)
}

pub async fn find(uow: &mut UnitOfWork, ids: &[GuestId]) -> Result<Vec<KnownGuest>, ReservationError> {
    uow.read(&FIND, &[&ids]).await?.iter().map(guest_of).collect()
}

pub(super) fn guest_of(row: &Row) -> Result<KnownGuest, ReservationError> {
    Ok(KnownGuest {
        id: row.read("id")?,
        name: row.read("name")?,
        email: row.read("email")?,
        phone: row.read("phone")?,
        locale: row.read("locale")?,
        contact_hash: ContactHash { email: row.read("email_hash")?, phone: row.read("phone_hash")? },
    })
}

/// What is said of a guest; `new`: nobody has the id yet.
pub fn keep(uow: &mut UnitOfWork, guest: KnownGuest, new: bool, now: Timestamp) {
    let KnownGuest { id, name, email, phone, locale, contact_hash } = guest;
    let sql = if new { &NEW } else { &KEEP };
    uow.project(sql, params![id, name, email, phone, locale, contact_hash.email, contact_hash.phone, now]);
}

/// A guest whom one of these houses knows, and since when name and contacts are gone.
pub async fn seen(
    uow: &mut UnitOfWork,
    id: &GuestId,
    properties: Option<&[PropertyId]>,
) -> Result<Option<(KnownGuest, Option<Timestamp>)>, ReservationError> {
    let Some(row) = uow.read_one(&SEEN, &[id, &properties]).await? else { return Ok(None) };
    Ok(Some((guest_of(&row)?, row.read("erased_at")?)))
}

/// Something that a guest booked.
#[derive(Clone, Debug)]
pub struct Booked {
    pub id: ReservationId,
    pub ends: Date,
    pub is_over: bool,
}

pub async fn booked(uow: &mut UnitOfWork, id: &GuestId) -> Result<Vec<Booked>, ReservationError> {
    let rows = uow.read(&STAYS, &[id]).await?;
    let booked = |row: &Row| Ok(Booked { id: row.read("id")?, ends: row.read("ends")?, is_over: row.read("is_over")? });
    rows.iter().map(booked).collect()
}

/// Everything that is kept of a guest in these houses: what kind of row, and the row.
pub async fn kept(
    uow: &mut UnitOfWork,
    id: &GuestId,
    properties: Option<&[PropertyId]>,
) -> Result<Vec<(String, Value)>, ReservationError> {
    let rows = uow.read(&EXPORT, &[id, &properties]).await?;
    let kept = |row: &Row| {
        let Json(kept) = row.read("kept")?;
        Ok((row.read("what")?, kept))
    };
    rows.iter().map(kept).collect()
}

/// Name, contacts and wishes are gone; id and hashes stay.
impl Stored for Erasure {
    const KIND: &'static str = "guest";

    fn aggregate_id(&self) -> String {
        self.guest.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        None
    }

    fn rows(&self, _: &Change<'_, Erased>, scribe: &Scribe<'_>) -> Vec<RowChange> {
        vec![
            RowChange::new(&ERASE, params![self.guest.clone(), scribe.now]),
            RowChange::new(&ERASE_WISHES, params![self.guest.clone()]),
            RowChange::new(&ERASE_AUDIT, params![self.guest.clone()]),
        ]
    }

    fn tell(&self, _: &Erased, _: i32, scribe: &Scribe<'_>) -> Told {
        Told::everybody(&GuestErasedV1 {
            guest_id: self.guest.clone(),
            tenant_id: scribe.tenant.clone(),
            reservation_ids: self.reservations.clone(),
            erased_at: scribe.now,
        })
    }
}

/// `sha256(salt + value)`, in lower-case hex.
pub fn hash(salt: &str, value: &str) -> String {
    use std::fmt::Write;
    let mut context = ring::digest::Context::new(&ring::digest::SHA256);
    context.update(salt.as_bytes());
    context.update(value.as_bytes());
    context.finish().as_ref().iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

//! Guests: the one place where names and contacts are kept.

use contracts::ids::{GuestId, PropertyId};
use contracts::reservation::ContactHash;
use contracts::time::Timestamp;
use platform::database::{Change, Columns, RowChange, Scribe, Stored, Told};
use platform::{Ids, UnitOfWork, columns, params, statements};
use serde_json::json;
use tokio_postgres::Row;

use crate::ReservationError;
use crate::domain::erasure::{Erased, Erasure};

statements! {
    SALT_FIND = "sql/salt_find.sql" () -> columns![salt: text];
    SALT_KEEP = "sql/salt_keep.sql" (text) -> &[];
    KEEP = "sql/guest_keep.sql" (text, text, text, text, text, text, text, timestamptz) -> &[];
    FIND = "sql/guest_find.sql" (_text)
        -> columns![id: text, name: text, email: text, phone: text, locale: text, email_hash: text, phone_hash: text];
    SEEN = "sql/guest_seen.sql" (text, _text)
        -> columns![id: text, name: text, email: text, phone: text, locale: text, email_hash: text, phone_hash: text,
            erased_at: timestamptz];
    ERASE = "sql/guest_erase.sql" (text, timestamptz) -> &[];
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

fn guest_of(row: &Row) -> Result<KnownGuest, ReservationError> {
    Ok(KnownGuest {
        id: row.read("id")?,
        name: row.read("name")?,
        email: row.read("email")?,
        phone: row.read("phone")?,
        locale: row.read("locale")?,
        contact_hash: ContactHash { email: row.read("email_hash")?, phone: row.read("phone_hash")? },
    })
}

pub fn keep(uow: &mut UnitOfWork, guest: KnownGuest, now: Timestamp) {
    let KnownGuest { id, name, email, phone, locale, contact_hash } = guest;
    uow.project(&KEEP, params![id, name, email, phone, locale, contact_hash.email, contact_hash.phone, now]);
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

/// Name and contacts are gone; id and hashes stay.
impl Stored for Erasure {
    const KIND: &'static str = "guest";

    fn aggregate_id(&self) -> String {
        self.guest.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        None
    }

    fn rows(&self, _: &Change<'_, Erased>, scribe: &Scribe<'_>) -> Vec<RowChange> {
        vec![RowChange::new(&ERASE, params![self.guest.clone(), scribe.now])]
    }

    fn tell(&self, _: &Erased, _: i32, _: &Scribe<'_>) -> Told {
        Told::nobody("reservation.guest.erased", &json!({ "guestId": self.guest }))
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

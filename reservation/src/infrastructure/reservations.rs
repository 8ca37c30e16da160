//! Reservations: rows and back.

use contracts::actor::Actor;
use contracts::ids::{GuestId, PropertyId, ReservationId, RoomId};
use contracts::reservation::Channel;
use contracts::time::Timestamp;
use jiff::civil::Date;
use platform::database::Row;
use platform::database::{Change, Columns, Json, Read, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde::Deserialize;
use serde_json::Value;

use super::guests::KnownGuest;
use super::{guests, houses, told};
use crate::ReservationError;
use crate::domain::facts::{Fact, Facts};
use crate::domain::reservation::{Place, Reservation, ReservationEvent, ReservationStatus};

const RESERVATION: &[(&str, &str)] = columns![body: jsonb, version: int4, places: jsonb, facts: jsonb];

statements! {
    LOCK = "sql/reservation_lock.sql" (text) -> columns![id: text];
    LOCK_FREE = "sql/reservation_lock_free.sql" (_text) -> columns![id: text];
    FIND_ALL = "sql/reservation_find_all.sql" (_text) -> RESERVATION;
    AT_HAND = "sql/reservation_at_hand.sql" (text)
        -> columns![what: text, property_id: text, values: jsonb, said_at: jsonb, version: int4, body: jsonb, places: jsonb,
            facts: jsonb, id: text, name: text, email: text, phone: text, locale: text, email_hash: text, phone_hash: text];
    LIST = "sql/reservation_list.sql" (_text, _text, text, _text, text, text, text, text, text, date, date, date, date, date,
        date, timestamptz, text, int8) -> RESERVATION;
    INSERT = "sql/reservation_insert.sql" (text, text, text, text, text, text, text, text, text, date, date, jsonb, int4,
        timestamptz) -> &[];
    UPDATE = "sql/reservation_update.sql" (text, int4, int4, text, text, text, date, date, jsonb, timestamptz, text) -> &[];
    BY_CODE = "sql/reservation_by_code.sql" (text) -> columns![id: text];
    KNOWN = "sql/reservation_known.sql" (text, _text, text) -> columns![external_reference: text, property_id: text];
    REFERENCE_LOCK = "sql/reference_lock.sql" (text, text) -> &[];
    BY_REFERENCE = "sql/reservation_by_reference.sql" (text, text) -> columns![id: text];
    HISTORY = "sql/reservation_history.sql" (text)
        -> columns![event_id: text, subject: text, payload: jsonb, occurred_at: timestamptz, actor: jsonb];
    FACT_NOTE = "sql/fact_note.sql" (text, text, text, jsonb, timestamptz) -> &[];
}

pub async fn find(uow: &mut UnitOfWork, id: &ReservationId) -> Result<Option<Reservation>, ReservationError> {
    Ok(find_all(uow, std::slice::from_ref(id)).await?.pop())
}

/// Locked, with all that lies beside it as it is once the lock is held.
pub async fn lock(uow: &mut UnitOfWork, id: &ReservationId) -> Result<Option<Reservation>, ReservationError> {
    let ids = std::slice::from_ref(id);
    // The second sees what is committed once the first has the lock.
    let [_, found] =
        uow.read_together([Read { sql: &LOCK, params: &[id] }, Read { sql: &FIND_ALL, params: &[&ids] }]).await?;
    found.first().map(reservation_of).transpose()
}

/// A reservation with what is needed to go on with it.
#[derive(Debug)]
pub struct AtHand {
    pub reservation: Reservation,
    pub house: houses::Found,
    pub guest: Option<KnownGuest>,
}

/// Locked, with its house and its guest: one question for whoever is about to change it.
pub async fn lock_at_hand(uow: &mut UnitOfWork, id: &ReservationId) -> Result<Option<AtHand>, ReservationError> {
    // The second sees what is committed once the first has the lock.
    let [_, said] =
        uow.read_together([Read { sql: &LOCK, params: &[id] }, Read { sql: &AT_HAND, params: &[id] }]).await?;
    let Some(stay) = said.iter().find(|row| row.name("what") == Some("stay")) else { return Ok(None) };
    let reservation = reservation_of(stay)?;
    let house = houses::of_rows(&said, &reservation.property_id)?;
    let is_kept = stay.read::<Option<&str>>("id")?.is_some();
    let guest = is_kept.then(|| guests::guest_of(stay)).transpose()?;
    Ok(Some(AtHand { reservation, house, guest }))
}

/// Those of these that nobody else is at, locked, in the order of their ids.
pub async fn lock_free(uow: &mut UnitOfWork, ids: &[ReservationId]) -> Result<Vec<Reservation>, ReservationError> {
    let mut free: Vec<ReservationId> = Vec::new();
    for row in uow.read(&LOCK_FREE, &[&ids]).await? {
        free.push(row.read("id")?);
    }
    if free.is_empty() {
        return Ok(Vec::new());
    }
    uow.read(&FIND_ALL, &[&free]).await?.iter().map(reservation_of).collect()
}

/// Those of these that there are, in the order of their ids.
pub async fn find_all(uow: &mut UnitOfWork, ids: &[ReservationId]) -> Result<Vec<Reservation>, ReservationError> {
    uow.read(&FIND_ALL, &[&ids]).await?.iter().map(reservation_of).collect()
}

/// What a list may be narrowed by.
#[derive(Debug, Default)]
pub struct Filter {
    pub properties: Option<Vec<PropertyId>>,
    pub statuses: Option<Vec<ReservationStatus>>,
    pub code: Option<String>,
    pub contact_hashes: Option<Vec<String>>,
    pub guest: Option<GuestId>,
    pub room: Option<RoomId>,
    pub group_code: Option<String>,
    pub channel: Option<Channel>,
    pub external_reference: Option<String>,
    pub arrival: (Option<Date>, Option<Date>),
    pub departure: (Option<Date>, Option<Date>),
    pub overlaps: (Option<Date>, Option<Date>),
    pub updated_since: Option<Timestamp>,
    pub after: Option<String>,
}

pub async fn list(uow: &mut UnitOfWork, filter: &Filter, limit: i64) -> Result<Vec<Reservation>, ReservationError> {
    let f = filter;
    let rows = uow
        .read(
            &LIST,
            &[
                &f.properties,
                &f.statuses,
                &f.code,
                &f.contact_hashes,
                &f.guest,
                &f.room,
                &f.group_code,
                &f.channel,
                &f.external_reference,
                &f.arrival.0,
                &f.arrival.1,
                &f.departure.0,
                &f.departure.1,
                &f.overlaps.0,
                &f.overlaps.1,
                &f.updated_since,
                &f.after,
                &limit,
            ],
        )
        .await?;
    rows.iter().map(reservation_of).collect()
}

pub async fn has_code(uow: &mut UnitOfWork, code: &str) -> Result<bool, ReservationError> {
    Ok(uow.read_one(&BY_CODE, &[&code]).await?.is_some())
}

/// The reservation that a partner knows by this name. Until this unit of work ends nobody else finds out that there is none.
pub async fn by_reference(
    uow: &mut UnitOfWork,
    partner: Option<&str>,
    reference: &str,
) -> Result<Option<ReservationId>, ReservationError> {
    // The second sees what is committed once the first has the lock.
    let [_, found] = uow
        .read_together([
            Read { sql: &REFERENCE_LOCK, params: &[&partner, &reference] },
            Read { sql: &BY_REFERENCE, params: &[&partner, &reference] },
        ])
        .await?;
    Ok(found.first().map(|row| row.read("id")).transpose()?)
}

/// Those of a partner's references that are known, and in which house; a code of the house's own is one too, with `/2` for its second room.
pub async fn known_references(
    uow: &mut UnitOfWork,
    partner: &str,
    references: &[&str],
    property: &PropertyId,
) -> Result<Vec<(String, PropertyId)>, ReservationError> {
    let rows = uow.read(&KNOWN, &[&partner, &references, property]).await?;
    rows.iter().map(|row| Ok((row.read("external_reference")?, row.read("property_id")?))).collect()
}

/// Keeps what others told. The reservation is locked.
pub fn note(uow: &mut UnitOfWork, id: &ReservationId, key: &str, fact: &Fact, now: Timestamp) {
    let kind = fact.kind().to_owned();
    uow.project(&FACT_NOTE, params![id.clone(), kind, key.to_owned(), Json(fact.clone()), now]);
}

/// Something that happened to a reservation.
#[derive(Clone, Debug)]
pub struct Step {
    pub event_id: String,
    pub subject: String,
    pub at: Timestamp,
    pub actor: Actor,
    pub payload: Value,
}

/// What happened to a reservation, oldest first.
pub async fn history(uow: &mut UnitOfWork, id: &ReservationId) -> Result<Vec<Step>, ReservationError> {
    let step_of = |row: &Row| {
        Ok(Step {
            event_id: row.read("event_id")?,
            subject: row.read("subject")?,
            at: row.read("occurred_at")?,
            actor: row.read("actor")?,
            payload: row.read("payload")?,
        })
    };
    uow.read(&HISTORY, &[id]).await?.iter().map(step_of).collect()
}

#[derive(Deserialize)]
struct PlaceRow {
    item: String,
    allocation: String,
    room: Option<RoomId>,
    pinned: bool,
    released: bool,
}

fn reservation_of(row: &Row) -> Result<Reservation, ReservationError> {
    let Json(mut reservation): Json<Reservation> = row.read("body")?;
    reservation.version = row.read("version")?;
    let Json(places): Json<Vec<PlaceRow>> = row.read("places")?;
    // Who has left is still known by the rooms, but not by one that was given up before.
    let left = reservation.status == ReservationStatus::CheckedOut;
    for item in &mut reservation.items {
        let counts = |place: &&PlaceRow| place.item == item.id && (!place.released || left && item.active);
        let mut own = places.iter().filter(counts);
        item.place = own.next_back().map(|place| Place {
            allocation: place.allocation.clone(),
            room: place.room.clone(),
            pinned: place.pinned,
        });
    }
    let Json(told): Json<Vec<(String, Fact, Timestamp)>> = row.read("facts")?;
    let mut facts = Facts::default();
    for (key, fact, at) in told {
        facts.note_at(&key, fact, Some(at));
    }
    reservation.facts = facts;
    Ok(reservation)
}

impl Stored for Reservation {
    const KIND: &'static str = "reservation";

    fn aggregate_id(&self) -> String {
        self.id.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, change: &Change<'_, ReservationEvent>, _: &Scribe<'_>) -> Vec<RowChange> {
        let body = Json(self.clone());
        vec![match change.from {
            None => RowChange::new(
                &INSERT,
                params![
                    self.id.clone(),
                    self.property_id.clone(),
                    self.code.clone(),
                    self.status,
                    self.channel.clone(),
                    self.partner_id.clone(),
                    self.external_reference.clone(),
                    self.group_code.clone(),
                    self.guest.guest_id.clone(),
                    self.stay.start(),
                    self.stay.end(),
                    body,
                    self.version,
                    self.created_at,
                ],
            ),
            Some(from) => RowChange::new(
                &UPDATE,
                params![
                    self.id.clone(),
                    from,
                    self.version,
                    self.status,
                    self.channel.clone(),
                    self.partner_id.clone(),
                    self.stay.start(),
                    self.stay.end(),
                    body,
                    self.updated_at,
                    self.guest.guest_id.clone(),
                ],
            ),
        }]
    }

    fn tell(&self, event: &ReservationEvent, version: i32, scribe: &Scribe<'_>) -> Told {
        told::tell(self, event, version, scribe)
    }
}

//! Alerts: rows and back, and how they are told.

use contracts::actor::Actor;
use contracts::ids::{AlertId, PropertyId, ReservationId, TenantId};
use contracts::reservation::AlertRaisedV1;
use contracts::time::Timestamp;
use jiff::tz::TimeZone;
use platform::database::Row;
use platform::database::{Change, Columns, Fault, RowChange, Scribe, Stored, Told};
use platform::{Db, UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::ReservationError;
use crate::domain::alerts::{Alert, AlertEvent, Matter, SeenTo};

const ALERT: &[(&str, &str)] = columns![
    id: text, property_id: text, kind: text, reservation_id: text, room_id: text, suggested_room_id: text,
    raised_at: timestamptz, resolved_at: timestamptz, resolved_by: jsonb, note: text, version: int4,
];

statements! {
    INSERT = "sql/alert_insert.sql" (text, text, text, text, text, text, timestamptz, int4) -> &[];
    UPDATE = "sql/alert_update.sql" (text, int4, int4, timestamptz, jsonb, text) -> &[];
    LOCK = "sql/alert_lock.sql" (text) -> ALERT;
    OPEN = "sql/alert_open.sql" (text, text, text, text) -> columns![id: text];
    LIST = "sql/alert_list.sql" (text, bool, text, int8) -> ALERT;
    OF_STAYS = "sql/alert_of_stays.sql" (_text) -> ALERT;
    OVER = "sql/alert_over.sql" (text, date) -> ALERT;
}

/// Whether somebody is to look at the same thing already.
pub async fn is_open(uow: &mut UnitOfWork, matter: &Matter) -> Result<bool, ReservationError> {
    let of = &[&matter.property_id as _, &matter.kind as _, &matter.reservation_id as _, &matter.room_id as _];
    Ok(uow.read_one(&OPEN, of).await?.is_some())
}

pub async fn lock(uow: &mut UnitOfWork, id: &AlertId) -> Result<Option<Alert>, ReservationError> {
    uow.read_one(&LOCK, &[id]).await?.as_ref().map(alert_of).transpose()
}

/// Newest first; `open`: only those that wait, or only those that do not.
pub async fn list(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    open: Option<bool>,
    before: Option<&str>,
    limit: i64,
) -> Result<Vec<Alert>, ReservationError> {
    uow.read(&LIST, &[property, &open, &before, &limit]).await?.iter().map(alert_of).collect()
}

/// What is open about these stays.
pub async fn of_stays(uow: &mut UnitOfWork, stays: &[ReservationId]) -> Result<Vec<Alert>, ReservationError> {
    uow.read(&OF_STAYS, &[&stays]).await?.iter().map(alert_of).collect()
}

/// The tenants that have alerts which may resolve by themselves: one question, over a connection that stays.
pub async fn tenants_with_open(db: &Db) -> Result<Vec<TenantId>, Fault> {
    let fault = |error: tokio_postgres::Error| Fault::from_postgres("alerts", &error);
    let operator = db.operator().await?;
    let asks = operator.prepare_cached("SELECT reservation.tenants_with_open_alerts()").await.map_err(fault)?;
    let rows = operator.query(&asks, &[]).await.map_err(fault)?;
    rows.iter().map(|row| row.try_get(0).map_err(fault)).collect()
}

/// Those whose reason is gone, locked but for those that somebody else is at: all of the tenant's, or this one.
pub async fn over(uow: &mut UnitOfWork, only: Option<&AlertId>) -> Result<Vec<Alert>, ReservationError> {
    // A day that is over wherever the house is.
    let yesterday = uow.now().plus_seconds(-24 * 60 * 60).jiff().to_zoned(TimeZone::UTC).date();
    uow.read(&OVER, &[&only, &yesterday]).await?.iter().map(alert_of).collect()
}

fn alert_of(row: &Row) -> Result<Alert, ReservationError> {
    let end: (Option<Timestamp>, Option<Actor>) = (row.read("resolved_at")?, row.read("resolved_by")?);
    let seen_to = match end {
        (None, None) => None,
        (Some(at), Some(by)) => Some(SeenTo { by, at, note: row.read("note")? }),
        _ => return Err(row.impossible("resolved by nobody, or at no time").into()),
    };
    let matter = Matter {
        property_id: row.read("property_id")?,
        kind: row.read("kind")?,
        reservation_id: row.read("reservation_id")?,
        room_id: row.read("room_id")?,
        suggested_room_id: row.read("suggested_room_id")?,
    };
    Ok(Alert { id: row.read("id")?, matter, raised_at: row.read("raised_at")?, seen_to, version: row.read("version")? })
}

impl Stored for Alert {
    const KIND: &'static str = "alert";

    fn aggregate_id(&self) -> String {
        self.id.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.matter.property_id)
    }

    fn rows(&self, change: &Change<'_, AlertEvent>, _: &Scribe<'_>) -> Vec<RowChange> {
        let (id, about) = (self.id.clone(), self.matter.clone());
        vec![match change.from {
            None => RowChange::new(
                &INSERT,
                params![
                    id,
                    about.property_id,
                    about.kind,
                    about.reservation_id,
                    about.room_id,
                    about.suggested_room_id,
                    self.raised_at,
                    self.version,
                ],
            ),
            Some(from) => {
                let (at, by, note) = match self.seen_to.clone() {
                    None => (None, None, None),
                    Some(seen) => (Some(seen.at), Some(seen.by), seen.note),
                };
                RowChange::new(&UPDATE, params![id, from, self.version, at, by, note])
            }
        }]
    }

    fn tell(&self, event: &AlertEvent, version: i32, scribe: &Scribe<'_>) -> Told {
        let about = self.matter.clone();
        match event {
            AlertEvent::Raised => Told::everybody(&AlertRaisedV1 {
                alert_id: self.id.clone(),
                tenant_id: scribe.tenant.clone(),
                property_id: about.property_id,
                reservation_id: about.reservation_id,
                room_id: about.room_id,
                kind: about.kind,
                suggested_room_id: about.suggested_room_id,
                raised_at: self.raised_at,
            }),
            AlertEvent::Resolved => {
                let detail = json!({ "alertId": self.id, "kind": about.kind, "aggregateVersion": version });
                Told::nobody("reservation.alert.resolved", &detail)
            }
        }
    }
}

//! Certificates: rows and back, and what others hear of them. Their numbers are never told.

use contracts::ids::{CertificationId, PropertyId, StaffId};
use contracts::staff::{CertificationAddedV1, CertificationExpiredV1};
use contracts::values::LocalDate;
use platform::database::Row;
use platform::database::{Change, Columns, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::StaffError;
use crate::domain::certification::{Certification, CertificationEvent, CertificationStatus};
use crate::domain::planning::Held;

const CERTIFICATION: &[(&str, &str)] = columns![
    id: text, staff_id: text, type: text, issued_at: date, expires_at: date, number: text, status: text,
    added_at: timestamptz, updated_at: timestamptz, version: int4,
];

statements! {
    INSERT = "sql/certification_insert.sql" (text, text, text, date, date, text, text, timestamptz, int4) -> &[];
    UPDATE = "sql/certification_update.sql" (text, int4, int4, text, timestamptz) -> &[];
    FIND = "sql/certification_find.sql" (text) -> CERTIFICATION;
    LOCK = "sql/certification_lock.sql" (text) -> CERTIFICATION;
    SAME = "sql/certification_same.sql" (text, text) -> CERTIFICATION;
    HELD = "sql/certification_held.sql" (_text)
        -> columns![staff_id: text, type: text, issued_at: date, expires_at: date];
    LIST = "sql/certification_list.sql" (_text, text, date, _text, text, int8) -> CERTIFICATION;
    RUN_OUT = "sql/certification_run_out.sql" (date, int8) -> CERTIFICATION;
}

/// Which certificates a list is about.
#[derive(Clone, Debug, Default)]
pub struct CertificationFilter {
    pub properties: Option<Vec<PropertyId>>,
    pub staff: Option<StaffId>,
    pub expiring_before: Option<LocalDate>,
    pub statuses: Option<Vec<CertificationStatus>>,
    /// The id that the page before ended with.
    pub before: Option<String>,
}

pub async fn find(uow: &mut UnitOfWork, id: &CertificationId) -> Result<Option<Certification>, StaffError> {
    uow.read_one(&FIND, &[id]).await?.as_ref().map(certification_of).transpose()
}

pub async fn lock(uow: &mut UnitOfWork, id: &CertificationId) -> Result<Option<Certification>, StaffError> {
    uow.read_one(&LOCK, &[id]).await?.as_ref().map(certification_of).transpose()
}

/// The papers of one kind that a person holds, locked.
pub async fn lock_same(uow: &mut UnitOfWork, staff: &StaffId, kind: &str) -> Result<Vec<Certification>, StaffError> {
    uow.read(&SAME, &[staff, &kind]).await?.iter().map(certification_of).collect()
}

/// What these people hold.
pub async fn held(uow: &mut UnitOfWork, people: &[StaffId]) -> Result<Vec<(StaffId, Held)>, StaffError> {
    let of = |row: &Row| {
        let held = Held {
            kind: row.read("type")?,
            issued_at: LocalDate(row.read("issued_at")?),
            expires_at: row.read::<Option<jiff::civil::Date>>("expires_at")?.map(LocalDate),
        };
        Ok((row.read("staff_id")?, held))
    };
    uow.read(&HELD, &[&people]).await?.iter().map(of).collect()
}

pub async fn list(
    uow: &mut UnitOfWork,
    filter: &CertificationFilter,
    limit: i64,
) -> Result<Vec<Certification>, StaffError> {
    let CertificationFilter { properties, staff, expiring_before, statuses, before } = filter;
    let day = expiring_before.map(|day| day.0);
    let rows = uow.read(&LIST, &[properties, staff, &day, statuses, before, &limit]).await?;
    rows.iter().map(certification_of).collect()
}

/// Some of those whose day has come, locked.
pub async fn lock_run_out(uow: &mut UnitOfWork, today: LocalDate, most: i64) -> Result<Vec<Certification>, StaffError> {
    uow.read(&RUN_OUT, &[&today.0, &most]).await?.iter().map(certification_of).collect()
}

fn certification_of(row: &Row) -> Result<Certification, StaffError> {
    Ok(Certification {
        id: row.read("id")?,
        staff_id: row.read("staff_id")?,
        kind: row.read("type")?,
        issued_at: LocalDate(row.read("issued_at")?),
        expires_at: row.read::<Option<jiff::civil::Date>>("expires_at")?.map(LocalDate),
        number: row.read("number")?,
        status: row.read("status")?,
        added_at: row.read("added_at")?,
        updated_at: row.read("updated_at")?,
        version: row.read("version")?,
    })
}

impl Stored for Certification {
    const KIND: &'static str = "certification";

    fn aggregate_id(&self) -> String {
        self.id.to_string()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        None
    }

    fn rows(&self, change: &Change<'_, CertificationEvent>, _: &Scribe<'_>) -> Vec<RowChange> {
        let this = self.clone();
        vec![match change.from {
            None => RowChange::new(
                &INSERT,
                params![
                    this.id,
                    this.staff_id,
                    this.kind,
                    this.issued_at.0,
                    this.expires_at.map(|day| day.0),
                    this.number,
                    this.status,
                    this.added_at,
                    this.version,
                ],
            ),
            Some(from) => RowChange::new(&UPDATE, params![this.id, from, this.version, this.status, this.updated_at]),
        }]
    }

    fn tell(&self, event: &CertificationEvent, version: i32, scribe: &Scribe<'_>) -> Told {
        let aggregate_version = u64::try_from(version).ok();
        let own = |what: &str| {
            let detail = json!({ "staffId": self.staff_id, "type": self.kind, "aggregateVersion": version });
            Told::nobody(what, &detail)
        };
        match event {
            CertificationEvent::Added => Told::everybody(&CertificationAddedV1 {
                certification_id: self.id.clone(),
                tenant_id: scribe.tenant.clone(),
                staff_id: self.staff_id.clone(),
                kind: self.kind.clone(),
                issued_at: self.issued_at,
                expires_at: self.expires_at,
                added_at: self.added_at,
                aggregate_version,
            }),
            CertificationEvent::Expired(day) => Told::everybody(&CertificationExpiredV1 {
                certification_id: self.id.clone(),
                tenant_id: scribe.tenant.clone(),
                staff_id: self.staff_id.clone(),
                kind: self.kind.clone(),
                issued_at: self.issued_at,
                expired_at: *day,
                detected_at: scribe.now,
                aggregate_version,
            }),
            CertificationEvent::Superseded => own("staff.certification.superseded"),
            CertificationEvent::Revoked => own("staff.certification.revoked"),
        }
    }
}

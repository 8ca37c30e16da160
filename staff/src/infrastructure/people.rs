//! People: rows and back, and what others hear of them. Contacts are never told.

use contracts::ids::{PositionId, PropertyId, StaffId, UserId};
use contracts::staff::{
    CascadeSummary, EmploymentStatus, EmploymentType, StaffCreatedV1, StaffPositionChangedV1, StaffReactivatedV1,
    StaffTerminatedV1, StaffUpdatedV1,
};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::database::Row;
use platform::database::{Change, Columns, Json, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};

use super::{erasure, pins, tokens};
use crate::StaffError;
use crate::domain::person::{Employment, Particulars, Person, PersonEvent, Termination};
use crate::domain::words::{ShownStanding, Standing};

const PERSON: &[(&str, &str)] = columns![
    id: text, staff_code: text, user_id: text, given_name: text, family_name: text, home_property_id: text,
    property_access: _text, position_id: text, department_id: text, employment_type: text, employment_status: text,
    employment_started_at: date, employment_ends_at: date, email: text, phone_e164: text, emergency_contact: jsonb,
    languages: _text, skills: _text, termination_reason: text, terminated_on: date, termination_note: text,
    pin_set: bool, erased_at: timestamptz, version: int4, created_at: timestamptz, updated_at: timestamptz,
];

statements! {
    TURN = "sql/person_turn.sql" () -> &[];
    CLAIMS = "sql/person_claims.sql" (text, text, text) -> columns![code_taken: bool, user_taken: bool];
    NEXT_CODE = "sql/person_next_code.sql" () -> columns![last_number: int8];
    FIND = "sql/person_find.sql" (text) -> PERSON;
    BY_IDS = "sql/person_by_ids.sql" (_text) -> PERSON;
    LOCK = "sql/person_lock.sql" (_text) -> PERSON;
    OF_USER = "sql/person_of_user.sql" (text) -> PERSON;
    LIST = "sql/person_list.sql" (_text, _text, text, text, text, timestamptz, text, int8, _text) -> PERSON;
    INSERT = "sql/person_insert.sql" (text, text, text, text, text, text, _text, text, text, text, text, date, date, text,
        text, jsonb, _text, _text, int4, bool, timestamptz) -> &[];
    UPDATE = "sql/person_update.sql" (text, text, text, text, text, text, _text, text, text, text, text, date, date, text,
        text, jsonb, _text, _text, int4, bool, int4, text, date, text, timestamptz, timestamptz) -> &[];
}

/// What is different of somebody of whom nothing is known any more, by the names over REST.
const ERASED: &[&str] = &[
    "givenName",
    "familyName",
    "staffCode",
    "userId",
    "email",
    "hasEmail",
    "phoneE164",
    "emergencyContact",
    "languages",
    "skills",
    "pinSet",
];

/// Who holds a code or a login.
#[derive(Clone, Copy, Debug)]
pub struct Claims {
    pub code_taken: bool,
    pub user_taken: bool,
}

/// Which people a list is about.
#[derive(Clone, Debug, Default)]
pub struct PeopleFilter {
    pub properties: Option<Vec<PropertyId>>,
    pub standings: Option<Vec<ShownStanding>>,
    pub position: Option<PositionId>,
    pub user: Option<UserId>,
    /// Letters of a name or of a code.
    pub letters: Option<String>,
    pub updated_since: Option<Timestamp>,
    pub after: Option<String>,
    /// Who is on leave today.
    pub on_leave: Vec<StaffId>,
}

/// Whether somebody else has this code or this login. Until this unit of work ends nobody else gets one.
pub async fn claims(
    uow: &mut UnitOfWork,
    code: Option<&str>,
    user: Option<&UserId>,
    own: &StaffId,
) -> Result<Claims, StaffError> {
    uow.read(&TURN, &[]).await?;
    let rows = uow.read(&CLAIMS, &[&code, &user, own]).await?;
    let Some(row) = rows.first() else {
        return Ok(Claims { code_taken: false, user_taken: false });
    };
    Ok(Claims { code_taken: row.read("code_taken")?, user_taken: row.read("user_taken")? })
}

/// The next number for a code that is made up; nobody gets it again. For whoever has the turn of [`claims`].
pub async fn next_code_number(uow: &mut UnitOfWork) -> Result<i64, StaffError> {
    let row = uow.read_one(&NEXT_CODE, &[]).await?;
    Ok(row.map(|row| row.read("last_number")).transpose()?.unwrap_or(1))
}

pub async fn find(uow: &mut UnitOfWork, id: &StaffId) -> Result<Option<Person>, StaffError> {
    uow.read_one(&FIND, &[id]).await?.as_ref().map(person_of).transpose()
}

pub async fn find_all(uow: &mut UnitOfWork, ids: &[StaffId]) -> Result<Vec<Person>, StaffError> {
    uow.read(&BY_IDS, &[&ids]).await?.iter().map(person_of).collect()
}

pub async fn lock(uow: &mut UnitOfWork, id: &StaffId) -> Result<Option<Person>, StaffError> {
    Ok(lock_all(uow, std::slice::from_ref(id)).await?.pop())
}

/// These people, locked in the order of their ids.
pub async fn lock_all(uow: &mut UnitOfWork, ids: &[StaffId]) -> Result<Vec<Person>, StaffError> {
    uow.read(&LOCK, &[&ids]).await?.iter().map(person_of).collect()
}

/// The person behind a login, locked.
pub async fn lock_by_user(uow: &mut UnitOfWork, user: &UserId) -> Result<Option<Person>, StaffError> {
    uow.read_one(&OF_USER, &[user]).await?.as_ref().map(person_of).transpose()
}

pub async fn list(uow: &mut UnitOfWork, filter: &PeopleFilter, limit: i64) -> Result<Vec<Person>, StaffError> {
    let PeopleFilter { properties, standings, position, user, letters, updated_since, after, on_leave } = filter;
    uow.read(&LIST, &[properties, standings, position, user, letters, updated_since, after, &limit, on_leave])
        .await?
        .iter()
        .map(person_of)
        .collect()
}

fn day(row: &Row, column: &str) -> Result<Option<LocalDate>, StaffError> {
    Ok(row.read::<Option<jiff::civil::Date>>(column)?.map(LocalDate))
}

pub(crate) fn person_of(row: &Row) -> Result<Person, StaffError> {
    let status: Standing = row.read("employment_status")?;
    let ended = (row.read::<Option<String>>("termination_reason")?, day(row, "terminated_on")?);
    let employment = match (status, ended) {
        (Standing::PendingInvite, (None, None)) => Employment::PendingInvite,
        (Standing::Active, (None, None)) => Employment::Active,
        (Standing::Suspended, (None, None)) => Employment::Suspended,
        (Standing::Terminated, (Some(reason), Some(on))) => {
            Employment::Terminated(Termination { reason, on, note: row.read("termination_note")? })
        }
        (status, _) => return Err(row.impossible(format!("{status}, and how it ended does not fit")).into()),
    };
    let contact: Option<Json<_>> = row.read("emergency_contact")?;
    Ok(Person {
        id: row.read("id")?,
        particulars: Particulars {
            given_name: row.read("given_name")?,
            family_name: row.read("family_name")?,
            staff_code: row.read("staff_code")?,
            home_property_id: row.read("home_property_id")?,
            property_access: row.read("property_access")?,
            department_id: row.read("department_id")?,
            user_id: row.read("user_id")?,
            employment_type: row.read("employment_type")?,
            employment_started_at: LocalDate(row.read("employment_started_at")?),
            employment_ends_at: day(row, "employment_ends_at")?,
            email: row.read("email")?,
            phone_e164: row.read("phone_e164")?,
            emergency_contact: contact.map(|Json(contact)| contact),
            languages: row.read("languages")?,
            skills: row.read("skills")?,
        },
        position_id: row.read("position_id")?,
        employment,
        erased_at: row.read("erased_at")?,
        pin_set: row.read("pin_set")?,
        created_at: row.read("created_at")?,
        updated_at: row.read("updated_at")?,
        version: row.read("version")?,
    })
}

/// The word that others read.
pub(crate) fn told_standing(standing: Standing) -> EmploymentStatus {
    EmploymentStatus::from_word(standing.as_str())
}

impl Stored for Person {
    const KIND: &'static str = "staff";

    fn aggregate_id(&self) -> String {
        self.id.to_string()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.particulars.home_property_id)
    }

    fn rows(&self, change: &Change<'_, PersonEvent>, scribe: &Scribe<'_>) -> Vec<RowChange> {
        let of = self.particulars.clone();
        let (status, kind) = (self.employment.standing(), of.employment_type);
        let (begins, ends) = (of.employment_started_at.0, of.employment_ends_at.map(|day| day.0));
        let contact = of.emergency_contact.map(Json);
        let mut params = params![
            self.id.clone(),
            of.staff_code,
            of.user_id,
            of.given_name,
            of.family_name,
            of.home_property_id,
            of.property_access,
            self.position_id.clone(),
            of.department_id,
            kind,
            status,
            begins,
            ends,
            of.email,
            of.phone_e164,
            contact,
            of.languages,
            of.skills,
            self.version,
            self.pin_set,
        ];
        let own = match change.from {
            None => {
                params.extend(params![self.created_at]);
                RowChange::new(&INSERT, params)
            }
            Some(from) => {
                let ended = match &self.employment {
                    Employment::Terminated(ended) => Some(ended.clone()),
                    Employment::PendingInvite | Employment::Active | Employment::Suspended => None,
                };
                params.extend(params![
                    from,
                    ended.as_ref().map(|ended| ended.reason.clone()),
                    ended.as_ref().map(|ended| ended.on.0),
                    ended.and_then(|ended| ended.note),
                    self.updated_at,
                    self.erased_at,
                ]);
                RowChange::new(&UPDATE, params)
            }
        };
        let mut rows = vec![own];
        rows.extend(self.pin_rows(change.events, scribe));
        rows
    }

    fn tell(&self, event: &PersonEvent, version: i32, scribe: &Scribe<'_>) -> Told {
        let version = u64::try_from(version).unwrap_or_default();
        match event {
            PersonEvent::Created { .. } => Told::everybody(&self.created(version, scribe)),
            PersonEvent::Updated(fields) => Told::everybody(&self.updated(fields, version, scribe)),
            PersonEvent::Erased { .. } => Told::everybody(&self.updated(ERASED, version, scribe)),
            PersonEvent::PinChanged(_) => Told::everybody(&self.updated(&["pinSet"], version, scribe)),
            PersonEvent::PositionChanged { previous, department, effective_at } => {
                Told::everybody(&StaffPositionChangedV1 {
                    staff_id: self.id.clone(),
                    tenant_id: scribe.tenant.clone(),
                    previous_position_id: previous.clone(),
                    position_id: self.position_id.clone(),
                    department_id: department.clone(),
                    effective_at: *effective_at,
                    version,
                    changed_at: scribe.now,
                })
            }
            PersonEvent::Terminated { previous, cascade } => {
                let (reason, effective_at) = match &self.employment {
                    Employment::Terminated(ended) => (ended.reason.clone(), ended.on),
                    _ => (String::new(), self.particulars.employment_started_at),
                };
                Told::everybody(&StaffTerminatedV1 {
                    staff_id: self.id.clone(),
                    tenant_id: scribe.tenant.clone(),
                    user_id: self.particulars.user_id.clone(),
                    home_property_id: self.particulars.home_property_id.clone(),
                    previous_status: EmploymentStatus::from_word(previous.shown(cascade.was_on_leave).as_str()),
                    effective_at,
                    reason,
                    cascade_summary: CascadeSummary {
                        open_clock_closed: cascade.open_clock_closed,
                        future_assignments_unassigned: cascade.assignments_unassigned,
                        future_shifts_cancelled: cascade.shifts_cancelled,
                        iam_session_revocation_requested: self.particulars.user_id.is_some(),
                    },
                    version,
                    occurred_at: scribe.now,
                })
            }
            PersonEvent::Reactivated { effective_at } => Told::everybody(&StaffReactivatedV1 {
                staff_id: self.id.clone(),
                tenant_id: scribe.tenant.clone(),
                home_property_id: self.particulars.home_property_id.clone(),
                previous_status: EmploymentStatus::Terminated,
                effective_at: *effective_at,
                version,
                occurred_at: scribe.now,
            }),
        }
    }
}

impl Person {
    /// What becomes of the PIN and of the tokens that were given for it.
    fn pin_rows(&self, events: &[PersonEvent], scribe: &Scribe<'_>) -> Vec<RowChange> {
        let (code, now) = (&self.particulars.staff_code, scribe.now);
        let mut rows = Vec::new();
        for event in events {
            match event {
                PersonEvent::Created { pin: Some(hash) } => rows.extend(pins::put(&self.id, code, Some(hash), now)),
                PersonEvent::PinChanged(hash) => {
                    rows.extend(pins::put(&self.id, code, hash.as_ref(), now));
                    rows.push(tokens::void(&self.id, now));
                }
                PersonEvent::Terminated { .. } => {
                    rows.extend(pins::put(&self.id, code, None, now));
                    rows.extend([pins::forget_sources(&self.id), tokens::void(&self.id, now)]);
                }
                PersonEvent::Erased { code } => {
                    rows.extend(pins::put(&self.id, code, None, now));
                    rows.extend([pins::forget_sources(&self.id), tokens::void(&self.id, now)]);
                    rows.extend(erasure::of(&self.id));
                }
                PersonEvent::Updated(fields)
                    if fields.contains(&"employmentStatus") && self.employment == Employment::Suspended =>
                {
                    rows.push(tokens::void(&self.id, now));
                }
                _ => {}
            }
        }
        rows
    }

    fn created(&self, version: u64, scribe: &Scribe<'_>) -> StaffCreatedV1 {
        let of = self.particulars.clone();
        StaffCreatedV1 {
            staff_id: self.id.clone(),
            tenant_id: scribe.tenant.clone(),
            home_property_id: of.home_property_id,
            property_access: of.property_access,
            staff_code: of.staff_code,
            user_id: of.user_id,
            given_name: of.given_name,
            family_name: of.family_name,
            position_id: self.position_id.clone(),
            department_id: of.department_id,
            employment_type: EmploymentType::from_word(of.employment_type.as_str()),
            employment_status: told_standing(self.employment.standing()),
            employment_started_at: of.employment_started_at,
            has_email: of.email.is_some(),
            pin_set: self.pin_set,
            languages: Some(of.languages),
            skills: Some(of.skills),
            version,
            created_at: self.created_at,
        }
    }

    /// Names of everything that changed, values only of what is nobody's secret.
    fn updated(&self, fields: &[&'static str], version: u64, scribe: &Scribe<'_>) -> StaffUpdatedV1 {
        let of = self.particulars.clone();
        let changed = |field: &str| fields.contains(&field);
        StaffUpdatedV1 {
            staff_id: self.id.clone(),
            tenant_id: scribe.tenant.clone(),
            changed_fields: fields.iter().map(|field| (*field).to_owned()).collect(),
            user_id: of.user_id.filter(|_| changed("userId")),
            home_property_id: changed("homePropertyId").then_some(of.home_property_id),
            property_access: changed("propertyAccess").then_some(of.property_access),
            has_email: changed("hasEmail").then_some(of.email.is_some()),
            pin_set: changed("pinSet").then_some(self.pin_set),
            languages: changed("languages").then_some(of.languages),
            skills: changed("skills").then_some(of.skills),
            employment_status: changed("employmentStatus").then(|| told_standing(self.employment.standing())),
            version,
            updated_at: scribe.now,
        }
    }
}

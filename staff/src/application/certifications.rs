//! People show their papers; newer ones take the place of older ones, and some are taken back.

use contracts::ids::{CertificationId, StaffId};
use contracts::values::LocalDate;
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use super::people::{self as persons, sees};
use super::tenants_day;
use crate::StaffError;
use crate::domain::certification::{Certification, CertificationStatus};
use crate::infrastructure::{certifications, people};

/// What is written on a paper.
#[derive(Clone, Debug)]
pub struct NewCertification {
    pub kind: String,
    pub issued_at: LocalDate,
    pub expires_at: Option<LocalDate>,
    pub number: Option<String>,
}

/// A new paper. An older one of the same kind holds no more, once the new one has begun; nobody else is told of that.
pub async fn add(
    uow: &mut UnitOfWork,
    caller: &Caller,
    staff: &StaffId,
    new: NewCertification,
) -> Result<Certification, StaffError> {
    let person = persons::load(uow, caller, None, staff).await?;
    if person.is_terminated() {
        return Err(StaffError::StaffNotActive);
    }
    if new.expires_at.is_some_and(|last| last <= new.issued_at) {
        return Err(Refusal::invalid("expiresAt", "after issuedAt").into());
    }
    let now = uow.now();
    let today = tenants_day(uow, now).await?;
    let known = certifications::lock_same(uow, staff, &new.kind).await?;
    let holds = known.iter().all(|other| other.issued_at <= new.issued_at || today < other.issued_at);
    if holds {
        // One that is renewed ahead holds until the new one begins.
        let begun = |older: &Certification| new.issued_at <= today || older.issued_at == new.issued_at;
        for older in known.into_iter().filter(|older| older.issued_at <= new.issued_at && begun(older)) {
            if let Some(decided) = older.supersede(now) {
                uow.save(decided);
            }
        }
    }
    let paper = Certification {
        id: uow.next_id(),
        staff_id: person.id,
        kind: new.kind,
        issued_at: new.issued_at,
        expires_at: new.expires_at,
        number: new.number,
        status: CertificationStatus::Valid,
        added_at: now,
        updated_at: now,
        version: 1,
    };
    Ok(uow.save(paper.put_on_record(holds)))
}

/// Taken back by hand.
pub async fn revoke(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &CertificationId,
) -> Result<Certification, StaffError> {
    let unknown = || Refusal::NotFound("certification");
    let seen = certifications::find(uow, id).await?.ok_or_else(unknown)?;
    // People first, as everywhere.
    let person = people::lock(uow, &seen.staff_id).await?.filter(|person| sees(caller, person));
    person.ok_or_else(unknown)?;
    let paper = certifications::lock(uow, id).await?.ok_or_else(unknown)?;
    IfMatch::check(if_match, paper.version)?;
    let now = uow.now();
    Ok(uow.save(paper.revoke(now)?))
}

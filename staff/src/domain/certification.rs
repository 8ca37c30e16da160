//! Certificates: what somebody may do, since when and until when.

use contracts::ids::{CertificationId, StaffId};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::Decided;
use platform::decided::Aggregate;

use super::planning::Held;

contracts::closed_words! {
    /// Whether a certificate holds.
    CertificationStatus {
        Valid = "valid",
        /// Its day has come.
        Expired = "expired",
        /// A newer one of the same kind took its place.
        Superseded = "superseded",
        /// Taken back by hand.
        Revoked = "revoked",
    }
}

/// A certificate of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certification {
    pub id: CertificationId,
    pub staff_id: StaffId,
    /// For what, such as `food_handling`.
    pub kind: String,
    pub issued_at: LocalDate,
    /// The first day on which it holds no more.
    pub expires_at: Option<LocalDate>,
    pub number: Option<String>,
    pub status: CertificationStatus,
    pub added_at: Timestamp,
    pub updated_at: Timestamp,
    pub version: i32,
}

/// What can happen to a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificationEvent {
    Added,
    /// It ran out on this day.
    Expired(LocalDate),
    Superseded,
    Revoked,
}

impl Aggregate for Certification {
    type Event = CertificationEvent;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

/// Why a certificate does not change like that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a certificate that is {} cannot {action}", from.as_str())]
pub struct CertificationError {
    pub from: CertificationStatus,
    pub action: &'static str,
}

impl Certification {
    /// A new paper. One that is older than another of its kind comes too late to hold.
    pub fn put_on_record(mut self, holds: bool) -> Decided<Self> {
        self.status = if holds { CertificationStatus::Valid } else { CertificationStatus::Superseded };
        Decided::opened(self, CertificationEvent::Added)
    }

    /// A newer one takes its place. `None` where it did not hold any more.
    pub fn supersede(mut self, now: Timestamp) -> Option<Decided<Self>> {
        if self.status != CertificationStatus::Valid {
            return None;
        }
        (self.status, self.updated_at) = (CertificationStatus::Superseded, now);
        Some(Decided::changed(self, CertificationEvent::Superseded))
    }

    /// Whether another that the person holds takes its place on a day: of one kind, that which was issued last by then.
    pub fn is_followed_by(&self, other: &Held, day: LocalDate) -> bool {
        other.kind == self.kind && self.issued_at < other.issued_at && other.issued_at <= day
    }

    pub fn revoke(mut self, now: Timestamp) -> Result<Decided<Self>, CertificationError> {
        if self.status != CertificationStatus::Valid {
            return Err(CertificationError { from: self.status, action: "be revoked" });
        }
        (self.status, self.updated_at) = (CertificationStatus::Revoked, now);
        Ok(Decided::changed(self, CertificationEvent::Revoked))
    }

    /// Its day has come. `None` where it has not, or where it did not hold any more.
    pub fn expire(mut self, today: LocalDate, now: Timestamp) -> Option<Decided<Self>> {
        let day = self.expires_at.filter(|day| *day <= today)?;
        if self.status != CertificationStatus::Valid {
            return None;
        }
        (self.status, self.updated_at) = (CertificationStatus::Expired, now);
        Some(Decided::changed(self, CertificationEvent::Expired(day)))
    }
}

//! A person who works at the hotel, from the first day to the last.

use contracts::ids::{DepartmentId, PositionId, PropertyId, StaffId, UserId};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::Decided;
use platform::decided::Aggregate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pin::PinHash;
use super::words::{EmploymentKind, Standing};

/// Whom to call when something happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmergencyContact {
    pub name: String,
    #[serde(rename = "phoneE164")]
    pub phone_e164: String,
    pub relation: String,
}

/// What is on record of a person and may be put right by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Particulars {
    pub given_name: String,
    pub family_name: String,
    pub staff_code: String,
    pub home_property_id: PropertyId,
    /// The houses the person may work in; the home is always one of them.
    pub property_access: Vec<PropertyId>,
    pub department_id: DepartmentId,
    pub user_id: Option<UserId>,
    pub employment_type: EmploymentKind,
    pub employment_started_at: LocalDate,
    pub employment_ends_at: Option<LocalDate>,
    pub email: Option<String>,
    pub phone_e164: Option<String>,
    pub emergency_contact: Option<EmergencyContact>,
    pub languages: Vec<String>,
    pub skills: Vec<String>,
}

/// How somebody's employment ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Termination {
    pub reason: String,
    /// The last day on paper.
    pub on: LocalDate,
    pub note: Option<String>,
}

/// Where a person stands; what only some have is with those.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Employment {
    PendingInvite,
    Active,
    Suspended,
    Terminated(Termination),
}

impl Employment {
    pub fn standing(&self) -> Standing {
        match self {
            Self::PendingInvite => Standing::PendingInvite,
            Self::Active => Standing::Active,
            Self::Suspended => Standing::Suspended,
            Self::Terminated(_) => Standing::Terminated,
        }
    }
}

/// A person who works here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub id: StaffId,
    pub particulars: Particulars,
    pub position_id: PositionId,
    pub employment: Employment,
    /// When what was known of them was taken away.
    pub erased_at: Option<Timestamp>,
    /// Whether there is a PIN; what is kept of it is kept elsewhere.
    pub pin_set: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub version: i32,
}

/// What followed from a person's leaving.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cascade {
    pub open_clock_closed: bool,
    pub assignments_unassigned: u32,
    pub shifts_cancelled: u32,
    /// Approved leave covered the day.
    pub was_on_leave: bool,
}

/// What can happen to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonEvent {
    Created {
        pin: Option<PinHash>,
    },
    /// These fields, by their names over REST.
    Updated(Vec<&'static str>),
    /// Another PIN, or none any more.
    PinChanged(Option<PinHash>),
    /// Nothing is known of them any more, but what they worked. The code was theirs before.
    Erased {
        code: String,
    },
    PositionChanged {
        previous: PositionId,
        department: Option<DepartmentId>,
        effective_at: LocalDate,
    },
    Terminated {
        previous: Standing,
        cascade: Cascade,
    },
    Reactivated {
        effective_at: LocalDate,
    },
}

impl Aggregate for Person {
    type Event = PersonEvent;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

/// Why somebody's employment does not change like that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("somebody who is {} cannot {action}", from.as_str())]
pub struct IllegalTransition {
    pub from: Standing,
    pub action: &'static str,
}

impl Person {
    /// Somebody new; who has a login that was seen is active at once.
    pub fn create(
        id: StaffId,
        mut particulars: Particulars,
        position_id: PositionId,
        (pin, seen): (Option<PinHash>, bool),
        now: Timestamp,
    ) -> Decided<Self> {
        particulars.settle();
        let employment = if seen { Employment::Active } else { Employment::PendingInvite };
        let (pin_set, created_at, updated_at) = (pin.is_some(), now, now);
        let person = Self {
            id,
            particulars,
            position_id,
            employment,
            erased_at: None,
            pin_set,
            created_at,
            updated_at,
            version: 1,
        };
        Decided::opened(person, PersonEvent::Created { pin })
    }

    /// Another PIN, or none any more. `None` where there was none and is none.
    pub fn set_pin(mut self, pin: Option<PinHash>, now: Timestamp) -> Result<Option<Decided<Self>>, IllegalTransition> {
        if self.is_terminated() {
            return Err(self.cannot("have a PIN"));
        }
        if !self.pin_set && pin.is_none() {
            return Ok(None);
        }
        self.pin_set = pin.is_some();
        self.updated_at = now;
        Ok(Some(Decided::changed(self, PersonEvent::PinChanged(pin))))
    }

    /// Seen at work for the first time, with the PIN. `None` where that is known.
    pub fn be_seen(mut self, now: Timestamp) -> Option<Decided<Self>> {
        if self.employment != Employment::PendingInvite {
            return None;
        }
        self.employment = Employment::Active;
        self.updated_at = now;
        Some(Decided::changed(self, PersonEvent::Updated(vec!["employmentStatus"])))
    }

    /// What is on record is put right; whoever gets a login that was seen has been seen. `None` where nothing would be different.
    pub fn update(
        mut self,
        mut to: Particulars,
        (standing, seen): (Option<Standing>, bool),
        now: Timestamp,
    ) -> Result<Option<Decided<Self>>, IllegalTransition> {
        if self.is_terminated() {
            return Err(self.cannot("be changed"));
        }
        to.settle();
        let mut fields = self.particulars.differences(&to);
        self.particulars = to;
        if let Some(standing) = standing.filter(|standing| *standing != self.employment.standing()) {
            self.employment = match (&self.employment, standing) {
                (Employment::PendingInvite | Employment::Active, Standing::Suspended) => Employment::Suspended,
                (Employment::Suspended, Standing::Active) => Employment::Active,
                (_, other) => {
                    return Err(self.cannot(match other {
                        Standing::Terminated => "be terminated like this: that has a route of its own",
                        Standing::PendingInvite => "be invited anew",
                        Standing::Active => "be made active by hand",
                        Standing::Suspended => "be suspended",
                    }));
                }
            };
            fields.push("employmentStatus");
        }
        if seen && self.employment == Employment::PendingInvite {
            self.employment = Employment::Active;
            fields.push("employmentStatus");
        }
        if fields.is_empty() {
            return Ok(None);
        }
        self.updated_at = now;
        Ok(Some(Decided::changed(self, PersonEvent::Updated(fields))))
    }

    /// Another job. `None` where it is the one already.
    pub fn change_position(
        mut self,
        to: PositionId,
        department: DepartmentId,
        effective_at: LocalDate,
        now: Timestamp,
    ) -> Result<Option<Decided<Self>>, IllegalTransition> {
        if self.is_terminated() {
            return Err(self.cannot("change position"));
        }
        let moved = (department != self.particulars.department_id).then_some(department);
        if to == self.position_id && moved.is_none() {
            return Ok(None);
        }
        let previous = std::mem::replace(&mut self.position_id, to);
        if let Some(department) = &moved {
            self.particulars.department_id = department.clone();
        }
        self.updated_at = now;
        Ok(Some(Decided::changed(self, PersonEvent::PositionChanged { previous, department: moved, effective_at })))
    }

    /// The end. What followed from it was decided before, and is told with it.
    pub fn terminate(
        mut self,
        termination: Termination,
        cascade: Cascade,
        now: Timestamp,
    ) -> Result<Decided<Self>, IllegalTransition> {
        if self.is_terminated() {
            return Err(self.cannot("be terminated"));
        }
        let previous = self.employment.standing();
        self.employment = Employment::Terminated(termination);
        self.pin_set = false;
        self.updated_at = now;
        Ok(Decided::changed(self, PersonEvent::Terminated { previous, cascade }))
    }

    /// Back again: active who has been seen by their login, otherwise waiting to be.
    pub fn reactivate(
        mut self,
        effective_at: LocalDate,
        seen: bool,
        now: Timestamp,
    ) -> Result<Decided<Self>, IllegalTransition> {
        if !self.is_terminated() || self.erased_at.is_some() {
            return Err(self.cannot("be reactivated"));
        }
        self.employment = if seen { Employment::Active } else { Employment::PendingInvite };
        self.particulars.employment_ends_at = None;
        self.updated_at = now;
        Ok(Decided::changed(self, PersonEvent::Reactivated { effective_at }))
    }

    /// A login is theirs now, and they have been seen. `None` where both are known.
    pub fn link(mut self, user: UserId, now: Timestamp) -> Option<Decided<Self>> {
        if self.is_terminated() {
            return None;
        }
        let mut fields = Vec::new();
        if self.particulars.user_id.is_none() {
            self.particulars.user_id = Some(user);
            fields.push("userId");
        }
        if self.employment == Employment::PendingInvite {
            self.employment = Employment::Active;
            fields.push("employmentStatus");
        }
        if fields.is_empty() {
            return None;
        }
        self.updated_at = now;
        Some(Decided::changed(self, PersonEvent::Updated(fields)))
    }

    /// Takes away what is known of somebody who is gone. `None` where they are not, or it was done before.
    pub fn erase(mut self, code: String, now: Timestamp) -> Option<Decided<Self>> {
        let Employment::Terminated(ended) = &self.employment else { return None };
        if self.erased_at.is_some() {
            return None;
        }
        self.employment = Employment::Terminated(Termination { reason: "erased".to_owned(), on: ended.on, note: None });
        let of = &mut self.particulars;
        let theirs = std::mem::replace(&mut of.staff_code, code);
        (of.given_name, of.family_name) = (String::new(), String::new());
        (of.user_id, of.email, of.phone_e164, of.emergency_contact) = (None, None, None, None);
        (of.languages, of.skills) = (Vec::new(), Vec::new());
        self.pin_set = false;
        self.erased_at = Some(now);
        self.updated_at = now;
        Some(Decided::changed(self, PersonEvent::Erased { code: theirs }))
    }

    /// Made for a login before it was known whose it is.
    pub fn is_shell(&self) -> bool {
        self.particulars.given_name.is_empty() && self.particulars.family_name.is_empty()
    }

    /// The same person, who has no login to be signed out of.
    #[must_use]
    pub fn without_login(mut self) -> Self {
        self.particulars.user_id = None;
        self
    }

    /// A shell gives its login up. `None` where it has none.
    pub fn unlink(mut self, now: Timestamp) -> Option<Decided<Self>> {
        self.particulars.user_id.take()?;
        self.updated_at = now;
        Some(Decided::changed(self, PersonEvent::Updated(vec!["userId"])))
    }

    pub fn is_terminated(&self) -> bool {
        matches!(self.employment, Employment::Terminated(_))
    }

    /// Whether the person can be given work on this day.
    pub fn may_work_on(&self, day: LocalDate) -> bool {
        let standing = self.employment.standing();
        let in_time = self.particulars.employment_ends_at.is_none_or(|last| day <= last);
        in_time && matches!(standing, Standing::PendingInvite | Standing::Active)
    }

    fn cannot(&self, action: &'static str) -> IllegalTransition {
        IllegalTransition { from: self.employment.standing(), action }
    }
}

impl Particulars {
    /// The home is one of the houses, and none is named twice.
    fn settle(&mut self) {
        let mut houses = vec![self.home_property_id.clone()];
        for house in self.property_access.drain(..) {
            if !houses.contains(&house) {
                houses.push(house);
            }
        }
        self.property_access = houses;
    }

    /// The fields that differ, by their names over REST.
    fn differences(&self, other: &Self) -> Vec<&'static str> {
        let all = [
            ("givenName", self.given_name != other.given_name),
            ("familyName", self.family_name != other.family_name),
            ("staffCode", self.staff_code != other.staff_code),
            ("homePropertyId", self.home_property_id != other.home_property_id),
            ("propertyAccess", self.property_access != other.property_access),
            ("departmentId", self.department_id != other.department_id),
            ("userId", self.user_id != other.user_id),
            ("employmentType", self.employment_type != other.employment_type),
            ("employmentStartedAt", self.employment_started_at != other.employment_started_at),
            ("employmentEndsAt", self.employment_ends_at != other.employment_ends_at),
            ("email", self.email != other.email),
            ("hasEmail", self.email.is_some() != other.email.is_some()),
            ("phoneE164", self.phone_e164 != other.phone_e164),
            ("emergencyContact", self.emergency_contact != other.emergency_contact),
            ("languages", self.languages != other.languages),
            ("skills", self.skills != other.skills),
        ];
        all.into_iter().filter_map(|(name, differs)| differs.then_some(name)).collect()
    }
}

//! The caller as the application sees one: tenant, roles, properties, and the person where it is one.

use contracts::actor::{Actor, ActorKind};
use contracts::ids::{PropertyId, StaffId, TenantId};

use crate::Refusal;

/// What somebody does in the hotel, or what something does for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    Housekeeper,
    Supervisor,
    PropertyManager,
    FrontDesk,
    Maintenance,
    Admin,
    Service,
    /// Everybody who works here, for what is their own: shifts, clock, leave.
    Staff,
}

impl Role {
    pub const ALL: [Self; 8] = [
        Self::Housekeeper,
        Self::Supervisor,
        Self::PropertyManager,
        Self::FrontDesk,
        Self::Maintenance,
        Self::Admin,
        Self::Service,
        Self::Staff,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Housekeeper => "housekeeper",
            Self::Supervisor => "supervisor",
            Self::PropertyManager => "property_manager",
            Self::FrontDesk => "front_desk",
            Self::Maintenance => "maintenance",
            Self::Admin => "admin",
            Self::Service => "service",
            Self::Staff => "staff",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
    }
}

/// A set of roles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles(Vec<Role>);

impl Roles {
    pub fn new(roles: impl IntoIterator<Item = Role>) -> Self {
        Self(roles.into_iter().collect())
    }

    pub fn has(&self, role: Role) -> bool {
        self.0.contains(&role)
    }

    pub fn any_of(&self, wanted: &[Role]) -> bool {
        wanted.iter().any(|role| self.has(*role))
    }

    pub fn iter(&self) -> impl Iterator<Item = Role> {
        self.0.iter().copied()
    }
}

/// The properties that a token speaks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Properties {
    All,
    Only(Vec<PropertyId>),
}

impl Properties {
    pub fn include(&self, property: &PropertyId) -> bool {
        match self {
            Self::All => true,
            Self::Only(list) => list.contains(property),
        }
    }
}

/// A verified caller.
#[derive(Clone, Debug)]
pub struct Caller {
    pub subject: String,
    pub tenant: TenantId,
    pub staff: Option<StaffId>,
    pub roles: Roles,
    pub properties: Properties,
    /// When the token ends, in seconds since 1970: nothing that goes on may outlive it.
    pub expires_at: i64,
    /// Of a token that a PIN was given for: which of the person's PINs, as it were. Older ones are void.
    pub pin_generation: Option<i32>,
}

impl Caller {
    /// Whether the caller may only act on own tasks.
    pub fn is_only_housekeeper(&self) -> bool {
        self.roles.has(Role::Housekeeper) && !self.roles.any_of(&[Role::Supervisor, Role::PropertyManager, Role::Admin])
    }

    /// Refused where the token does not speak for this property.
    pub fn within(&self, property: &PropertyId) -> Result<(), Refusal> {
        if self.properties.include(property) { Ok(()) } else { Err(Refusal::ForeignProperty) }
    }

    /// The member of the staff behind the token: as it says, or the account itself where that is one.
    pub fn as_staff(&self) -> Result<StaffId, Refusal> {
        match &self.staff {
            Some(staff) => Ok(staff.clone()),
            None => StaffId::parse(&self.subject).map_err(|_| Refusal::NotStaff),
        }
    }

    /// The person, or the account, that the audit names.
    pub fn actor(&self) -> Actor {
        match &self.staff {
            Some(staff) => Actor::user(staff.as_str()),
            None if self.roles.has(Role::Service) => Actor { kind: ActorKind::Integration, id: self.subject.clone() },
            None => Actor::user(&self.subject),
        }
    }
}

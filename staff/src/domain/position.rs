//! Departments and positions: never deleted, only out of use.

use contracts::ids::{DepartmentId, PositionId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

use super::words::PositionRole;

/// A part of the hotel, such as housekeeping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Department {
    pub id: DepartmentId,
    pub code: Option<String>,
    pub name: String,
    pub active: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub version: i32,
}

/// What somebody is employed as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub id: PositionId,
    pub department_id: DepartmentId,
    pub code: Option<String>,
    pub name: String,
    pub role: Option<PositionRole>,
    pub required_certifications: Vec<String>,
    pub certifications_enforced: bool,
    pub active: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub version: i32,
}

/// What a position is to those who do not know its id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Job {
    pub code: Option<String>,
    pub role: Option<PositionRole>,
}

/// What can happen to a department or a position. Nobody else is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arranged {
    Added,
    Changed,
}

impl Aggregate for Department {
    type Event = Arranged;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl Aggregate for Position {
    type Event = Arranged;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl Department {
    pub fn add(self) -> Decided<Self> {
        Decided::opened(self, Arranged::Added)
    }

    /// `None` where nothing would be different.
    pub fn become_like(self, wanted: Self, now: Timestamp) -> Option<Decided<Self>> {
        let differs = wanted != self;
        differs.then(|| Decided::changed(Self { updated_at: now, version: self.version, ..wanted }, Arranged::Changed))
    }
}

impl Position {
    pub fn job(&self) -> Job {
        Job { code: self.code.clone(), role: self.role }
    }

    pub fn add(self) -> Decided<Self> {
        Decided::opened(self, Arranged::Added)
    }

    /// Whether it is one of those that every tenant has: they are found by their code, which stays.
    pub fn is_found_by_code(&self) -> bool {
        POSITIONS.iter().any(|(code, ..)| self.code.as_deref() == Some(code))
    }

    /// `None` where nothing would be different.
    pub fn become_like(self, wanted: Self, now: Timestamp) -> Option<Decided<Self>> {
        let differs = wanted != self;
        differs.then(|| Decided::changed(Self { updated_at: now, version: self.version, ..wanted }, Arranged::Changed))
    }
}

/// The departments every tenant has from the start: code and name.
pub const DEPARTMENTS: [(&str, &str); 5] = [
    ("FRONT_OFFICE", "Front office"),
    ("HOUSEKEEPING", "Housekeeping"),
    ("MAINTENANCE", "Maintenance"),
    ("MANAGEMENT", "Management"),
    ("GENERAL", "General"),
];

/// The positions every tenant has from the start: code, name, department, role.
pub const POSITIONS: [(&str, &str, &str, Option<PositionRole>); 6] = [
    ("FRONT_DESK", "Front desk", "FRONT_OFFICE", Some(PositionRole::FrontDesk)),
    ("HOUSEKEEPER", "Housekeeper", "HOUSEKEEPING", Some(PositionRole::Housekeeper)),
    ("SUPERVISOR", "Supervisor", "HOUSEKEEPING", Some(PositionRole::Supervisor)),
    ("MAINTENANCE", "Maintenance", "MAINTENANCE", Some(PositionRole::Maintenance)),
    ("MANAGER", "Manager", "MANAGEMENT", None),
    ("UNASSIGNED", "Unassigned", "GENERAL", None),
];

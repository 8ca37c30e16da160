//! Departments and positions: rows and back. They are kept, and not told.

use contracts::ids::{DepartmentId, PositionId, PropertyId};
use platform::database::Row;
use platform::database::{Change, Columns, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::StaffError;
use crate::domain::position::{Arranged, DEPARTMENTS, Department, POSITIONS, Position};

const DEPARTMENT: &[(&str, &str)] = columns![
    id: text, code: text, name: text, active: bool, version: int4, created_at: timestamptz, updated_at: timestamptz,
];
const POSITION: &[(&str, &str)] = columns![
    id: text, department_id: text, code: text, name: text, role: text, required_certifications: _text,
    certifications_enforced: bool, active: bool, version: int4, created_at: timestamptz, updated_at: timestamptz,
];

statements! {
    DEPARTMENT_LIST = "sql/department_list.sql" () -> DEPARTMENT;
    DEPARTMENT_LOCK = "sql/department_lock.sql" (text) -> DEPARTMENT;
    DEPARTMENT_INSERT = "sql/department_insert.sql" (text, text, text, bool, int4, timestamptz, timestamptz) -> &[];
    DEPARTMENT_UPDATE = "sql/department_update.sql" (text, int4, int4, text, text, bool, timestamptz) -> &[];
    POSITION_LIST = "sql/position_list.sql" () -> POSITION;
    POSITION_LOCK = "sql/position_lock.sql" (text) -> POSITION;
    POSITION_INSERT = "sql/position_insert.sql" (text, text, text, text, text, _text, bool, bool, int4, timestamptz,
        timestamptz) -> &[];
    POSITION_UPDATE = "sql/position_update.sql" (text, int4, int4, text, text, text, text, _text, bool, bool,
        timestamptz) -> &[];
    TURN = "sql/position_turn.sql" () -> &[];
    OPEN = "sql/position_open.sql" (_text, _text, _text, _text, _text, _text, _text, _text, timestamptz)
        -> columns![id: text];
}

/// All departments; a tenant that is seen for the first time gets those that every tenant has.
pub async fn departments(uow: &mut UnitOfWork) -> Result<Vec<Department>, StaffError> {
    let found = uow.read(&DEPARTMENT_LIST, &[]).await?;
    if !found.is_empty() {
        return found.iter().map(department_of).collect();
    }
    open(uow).await?;
    uow.read(&DEPARTMENT_LIST, &[]).await?.iter().map(department_of).collect()
}

/// All positions, likewise.
pub async fn positions(uow: &mut UnitOfWork) -> Result<Vec<Position>, StaffError> {
    let found = uow.read(&POSITION_LIST, &[]).await?;
    if !found.is_empty() {
        return found.iter().map(position_of).collect();
    }
    open(uow).await?;
    uow.read(&POSITION_LIST, &[]).await?.iter().map(position_of).collect()
}

pub async fn lock_department(uow: &mut UnitOfWork, id: &DepartmentId) -> Result<Option<Department>, StaffError> {
    uow.read_one(&DEPARTMENT_LOCK, &[id]).await?.as_ref().map(department_of).transpose()
}

pub async fn lock_position(uow: &mut UnitOfWork, id: &PositionId) -> Result<Option<Position>, StaffError> {
    uow.read_one(&POSITION_LOCK, &[id]).await?.as_ref().map(position_of).transpose()
}

/// What every tenant has from the start. Who waits for their turn finds it done.
async fn open(uow: &mut UnitOfWork) -> Result<(), StaffError> {
    uow.read(&TURN, &[]).await?;
    let departments: Vec<DepartmentId> = DEPARTMENTS.iter().map(|_| uow.next_id()).collect();
    let positions: Vec<PositionId> = POSITIONS.iter().map(|_| uow.next_id()).collect();
    let now = uow.now();
    let department_codes: Vec<_> = DEPARTMENTS.iter().map(|one| one.0).collect();
    let department_names: Vec<_> = DEPARTMENTS.iter().map(|one| one.1).collect();
    let codes: Vec<_> = POSITIONS.iter().map(|one| one.0).collect();
    let names: Vec<_> = POSITIONS.iter().map(|one| one.1).collect();
    let within: Vec<_> = POSITIONS.iter().map(|one| one.2).collect();
    let roles: Vec<_> = POSITIONS.iter().map(|one| one.3).collect();
    uow.read(
        &OPEN,
        &[&departments, &department_codes, &department_names, &positions, &codes, &names, &within, &roles, &now],
    )
    .await?;
    Ok(())
}

fn department_of(row: &Row) -> Result<Department, StaffError> {
    Ok(Department {
        id: row.read("id")?,
        code: row.read("code")?,
        name: row.read("name")?,
        active: row.read("active")?,
        created_at: row.read("created_at")?,
        updated_at: row.read("updated_at")?,
        version: row.read("version")?,
    })
}

fn position_of(row: &Row) -> Result<Position, StaffError> {
    Ok(Position {
        id: row.read("id")?,
        department_id: row.read("department_id")?,
        code: row.read("code")?,
        name: row.read("name")?,
        role: row.read("role")?,
        required_certifications: row.read("required_certifications")?,
        certifications_enforced: row.read("certifications_enforced")?,
        active: row.read("active")?,
        created_at: row.read("created_at")?,
        updated_at: row.read("updated_at")?,
        version: row.read("version")?,
    })
}

fn word(event: Arranged) -> &'static str {
    match event {
        Arranged::Added => "added",
        Arranged::Changed => "changed",
    }
}

impl Stored for Department {
    const KIND: &'static str = "department";

    fn aggregate_id(&self) -> String {
        self.id.to_string()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        None
    }

    fn rows(&self, change: &Change<'_, Arranged>, _: &Scribe<'_>) -> Vec<RowChange> {
        let Self { id, code, name, active, created_at, updated_at, version } = self.clone();
        vec![match change.from {
            None => {
                RowChange::new(&DEPARTMENT_INSERT, params![id, code, name, active, version, created_at, updated_at])
            }
            Some(from) => {
                RowChange::new(&DEPARTMENT_UPDATE, params![id, from, version, code, name, active, updated_at])
            }
        }]
    }

    fn tell(&self, event: &Arranged, version: i32, _: &Scribe<'_>) -> Told {
        let detail =
            json!({ "name": self.name, "code": self.code, "active": self.active, "aggregateVersion": version });
        Told::nobody(&format!("staff.department.{}", word(*event)), &detail)
    }
}

impl Stored for Position {
    const KIND: &'static str = "position";

    fn aggregate_id(&self) -> String {
        self.id.to_string()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        None
    }

    fn rows(&self, change: &Change<'_, Arranged>, _: &Scribe<'_>) -> Vec<RowChange> {
        let this = self.clone();
        vec![match change.from {
            None => RowChange::new(
                &POSITION_INSERT,
                params![
                    this.id,
                    this.department_id,
                    this.code,
                    this.name,
                    this.role,
                    this.required_certifications,
                    this.certifications_enforced,
                    this.active,
                    this.version,
                    this.created_at,
                    this.updated_at,
                ],
            ),
            Some(from) => RowChange::new(
                &POSITION_UPDATE,
                params![
                    this.id,
                    from,
                    this.version,
                    this.department_id,
                    this.code,
                    this.name,
                    this.role,
                    this.required_certifications,
                    this.certifications_enforced,
                    this.active,
                    this.updated_at,
                ],
            ),
        }]
    }

    fn tell(&self, event: &Arranged, version: i32, _: &Scribe<'_>) -> Told {
        let detail = json!({
            "name": self.name, "code": self.code, "departmentId": self.department_id, "role": self.role,
            "requiredCertifications": self.required_certifications,
            "certificationsEnforced": self.certifications_enforced, "active": self.active, "aggregateVersion": version,
        });
        Told::nobody(&format!("staff.position.{}", word(*event)), &detail)
    }
}

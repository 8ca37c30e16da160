//! Departments and positions are added and changed; none is ever deleted.

use contracts::ids::{DepartmentId, PositionId};
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use crate::StaffError;
use crate::domain::position::{Department, Position};
use crate::domain::words::PositionRole;
use crate::infrastructure::positions;

/// What a manager says of a department.
#[derive(Clone, Debug, Default)]
pub struct DepartmentWish {
    pub name: Option<String>,
    pub code: Option<Option<String>>,
    pub active: Option<bool>,
}

/// What a manager says of a position.
#[derive(Clone, Debug, Default)]
pub struct PositionWish {
    pub name: Option<String>,
    pub department_id: Option<DepartmentId>,
    pub code: Option<Option<String>>,
    pub role: Option<Option<PositionRole>>,
    pub required_certifications: Option<Vec<String>>,
    pub certifications_enforced: Option<bool>,
    pub active: Option<bool>,
}

pub async fn add_department(
    uow: &mut UnitOfWork,
    name: String,
    wish: DepartmentWish,
) -> Result<Department, StaffError> {
    positions::departments(uow).await?;
    let (id, now) = (uow.next_id(), uow.now());
    let (code, active) = (wish.code.flatten(), wish.active.unwrap_or(true));
    let department = Department { id, code, name, active, created_at: now, updated_at: now, version: 1 };
    Ok(uow.save(department.add()))
}

/// A department of the hotel.
pub async fn look_up_department(uow: &mut UnitOfWork, id: &DepartmentId) -> Result<Department, StaffError> {
    let found = positions::departments(uow).await?.into_iter().find(|one| one.id == *id);
    Ok(found.ok_or(Refusal::NotFound("department"))?)
}

/// A position of the hotel.
pub async fn look_up_position(uow: &mut UnitOfWork, id: &PositionId) -> Result<Position, StaffError> {
    let found = positions::positions(uow).await?.into_iter().find(|one| one.id == *id);
    Ok(found.ok_or(Refusal::NotFound("position"))?)
}

pub async fn change_department(
    uow: &mut UnitOfWork,
    if_match: Option<&IfMatch>,
    id: &DepartmentId,
    wish: DepartmentWish,
) -> Result<Department, StaffError> {
    let present = positions::lock_department(uow, id).await?.ok_or(Refusal::NotFound("department"))?;
    IfMatch::check(if_match, present.version)?;
    let mut wanted = present.clone();
    wanted.name = wish.name.unwrap_or(wanted.name);
    wanted.code = wish.code.unwrap_or(wanted.code);
    wanted.active = wish.active.unwrap_or(wanted.active);
    let now = uow.now();
    Ok(match present.clone().become_like(wanted, now) {
        Some(decided) => uow.save(decided),
        None => present,
    })
}

pub async fn add_position(
    uow: &mut UnitOfWork,
    name: String,
    department_id: DepartmentId,
    wish: PositionWish,
) -> Result<Position, StaffError> {
    known_department(uow, &department_id).await?;
    let (id, now) = (uow.next_id(), uow.now());
    let position = Position {
        id,
        department_id,
        code: wish.code.flatten(),
        name,
        role: wish.role.flatten(),
        required_certifications: wish.required_certifications.unwrap_or_default(),
        certifications_enforced: wish.certifications_enforced.unwrap_or(false),
        active: wish.active.unwrap_or(true),
        created_at: now,
        updated_at: now,
        version: 1,
    };
    Ok(uow.save(position.add()))
}

pub async fn change_position(
    uow: &mut UnitOfWork,
    if_match: Option<&IfMatch>,
    id: &PositionId,
    wish: PositionWish,
) -> Result<Position, StaffError> {
    let present = positions::lock_position(uow, id).await?.ok_or(Refusal::NotFound("position"))?;
    IfMatch::check(if_match, present.version)?;
    if let Some(department) = &wish.department_id {
        known_department(uow, department).await?;
    }
    if present.is_found_by_code() && wish.code.as_ref().is_some_and(|code| *code != present.code) {
        return Err(Refusal::invalid("code", "this one stays: logins find their position by it").into());
    }
    let mut wanted = present.clone();
    wanted.name = wish.name.unwrap_or(wanted.name);
    wanted.department_id = wish.department_id.unwrap_or(wanted.department_id);
    wanted.code = wish.code.unwrap_or(wanted.code);
    wanted.role = wish.role.unwrap_or(wanted.role);
    wanted.required_certifications = wish.required_certifications.unwrap_or(wanted.required_certifications);
    wanted.certifications_enforced = wish.certifications_enforced.unwrap_or(wanted.certifications_enforced);
    wanted.active = wish.active.unwrap_or(wanted.active);
    let now = uow.now();
    Ok(match present.clone().become_like(wanted, now) {
        Some(decided) => uow.save(decided),
        None => present,
    })
}

async fn known_department(uow: &mut UnitOfWork, id: &DepartmentId) -> Result<(), StaffError> {
    let known = positions::departments(uow).await?;
    if known.iter().any(|one| one.id == *id) {
        return Ok(());
    }
    Err(StaffError::ReferenceUnknown { field: "departmentId", what: "department" })
}

/// A position that a body names.
pub async fn known_position(uow: &mut UnitOfWork, id: &PositionId) -> Result<Position, StaffError> {
    let known = positions::positions(uow).await?.into_iter().find(|one| one.id == *id);
    known.ok_or(StaffError::ReferenceUnknown { field: "positionId", what: "position" })
}

/// A position that a body names for somebody or something new: one that is in use.
pub async fn open_position(uow: &mut UnitOfWork, id: &PositionId) -> Result<Position, StaffError> {
    let position = known_position(uow, id).await?;
    if position.active { Ok(position) } else { Err(Refusal::invalid("positionId", "a position that is in use").into()) }
}

/// The position that goes with a login's roles, the most telling first; nobody's where none does.
pub async fn position_for(uow: &mut UnitOfWork, roles: &[String]) -> Result<Position, StaffError> {
    const CODES: [(&str, &str); 6] = [
        ("admin", "MANAGER"),
        ("property_manager", "MANAGER"),
        ("supervisor", "SUPERVISOR"),
        ("front_desk", "FRONT_DESK"),
        ("housekeeper", "HOUSEKEEPER"),
        ("maintenance", "MAINTENANCE"),
    ];
    let code =
        CODES.iter().find(|(role, _)| roles.iter().any(|one| one == role)).map_or("UNASSIGNED", |(_, code)| code);
    let known = positions::positions(uow).await?.into_iter().find(|one| one.code.as_deref() == Some(code));
    known.ok_or(StaffError::ReferenceUnknown { field: "roles", what: "position" })
}

/// A department that a body names, or the position's own.
pub async fn department_of(
    uow: &mut UnitOfWork,
    named: Option<DepartmentId>,
    position: &Position,
) -> Result<DepartmentId, StaffError> {
    let Some(named) = named else { return Ok(position.department_id.clone()) };
    known_department(uow, &named).await?;
    Ok(named)
}

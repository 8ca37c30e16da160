//! Departments and positions over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::{DepartmentId, PositionId};
use platform::http::{Answer, Changed, Command, Created, Id, Page, Problem, Since, Tagged, Who, WholeList};

use super::bodies::{AddDepartment, AddPosition, ChangeDepartment, EditPosition};
use super::checks;
use crate::application::positions::{self as stories, DepartmentWish, PositionWish};
use crate::application::views::{DepartmentResource, PositionResource};
use crate::infrastructure::positions as kept;
use crate::presentation::Staff;
use crate::{SCHEMA, StaffError};

pub(super) async fn departments(
    State(staff): State<Staff>,
    Who(caller): Who,
    WholeList(paging): WholeList,
    since: Since,
) -> Result<Json<Page<DepartmentResource>>, Problem> {
    let mut uow = staff.db.begin_for(&SCHEMA, &caller.tenant).await?;
    let found = kept::departments(&mut uow).await?;
    // A tenant that is seen for the first time keeps what it is shown.
    uow.commit().await?;
    let found = found.iter().filter(|one| since.keeps(one.updated_at)).map(DepartmentResource::from);
    Ok(Json(Page::of(found.collect(), &paging, |one| one.department_id.to_string())?))
}

pub(super) async fn show_department(
    State(staff): State<Staff>,
    Who(caller): Who,
    Id(id): Id<DepartmentId>,
) -> Result<Tagged<DepartmentResource>, Problem> {
    let look = async |uow: &mut _| stories::look_up_department(uow, &id).await;
    let department = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&DepartmentResource::from(&department), department.version))
}

pub(super) async fn positions(
    State(staff): State<Staff>,
    Who(caller): Who,
    WholeList(paging): WholeList,
    since: Since,
) -> Result<Json<Page<PositionResource>>, Problem> {
    let mut uow = staff.db.begin_for(&SCHEMA, &caller.tenant).await?;
    let found = kept::positions(&mut uow).await?;
    // A tenant that is seen for the first time keeps what it is shown.
    uow.commit().await?;
    let found = found.iter().filter(|one| since.keeps(one.updated_at)).map(PositionResource::from);
    Ok(Json(Page::of(found.collect(), &paging, |one| one.position_id.to_string())?))
}

pub(super) async fn show_position(
    State(staff): State<Staff>,
    Who(caller): Who,
    Id(id): Id<PositionId>,
) -> Result<Tagged<PositionResource>, Problem> {
    let look = async |uow: &mut _| stories::look_up_position(uow, &id).await;
    let position = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&PositionResource::from(&position), position.version))
}

pub(super) async fn add_department(
    State(staff): State<Staff>,
    command: Command<AddDepartment>,
) -> Answer<Created<DepartmentResource>> {
    let story = async |uow: &mut _| {
        let AddDepartment { name, code, active } = command.body.clone();
        let code = code.map(checks::house_code).transpose()?;
        let wish = DepartmentWish { code: Some(code), active, ..DepartmentWish::default() };
        let department = stories::add_department(uow, checks::name("name", name)?, wish).await?;
        let location = format!("/staff/v1/departments/{}", department.id);
        let shown = DepartmentResource::from(&department);
        Ok::<_, StaffError>(Created::new(&shown, department.version, location))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn change_department(
    State(staff): State<Staff>,
    Id(id): Id<DepartmentId>,
    command: Command<ChangeDepartment>,
) -> Answer<Changed<DepartmentResource>> {
    let story = async |uow: &mut _| {
        let ChangeDepartment { name, code, active } = command.body.clone();
        let name = name.map(|name| checks::name("name", name)).transpose()?;
        let code = code.map(|code| code.map(checks::house_code).transpose()).transpose()?;
        let wish = DepartmentWish { name, code, active };
        let department = stories::change_department(uow, command.if_match.as_ref(), &id, wish).await?;
        Ok::<_, StaffError>(Changed::new(&DepartmentResource::from(&department), department.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn add_position(
    State(staff): State<Staff>,
    command: Command<AddPosition>,
) -> Answer<Created<PositionResource>> {
    let story = async |uow: &mut _| {
        let body = command.body.clone();
        let required = body.required_certifications.map(|list| checks::words("requiredCertifications", list));
        let wish = PositionWish {
            code: Some(body.code.map(checks::house_code).transpose()?),
            role: Some(body.role),
            required_certifications: required.transpose()?,
            certifications_enforced: body.certifications_enforced,
            active: body.active,
            ..PositionWish::default()
        };
        let name = checks::name("name", body.name)?;
        let position = stories::add_position(uow, name, body.department_id, wish).await?;
        let location = format!("/staff/v1/positions/{}", position.id);
        Ok::<_, StaffError>(Created::new(&PositionResource::from(&position), position.version, location))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn change_position(
    State(staff): State<Staff>,
    Id(id): Id<PositionId>,
    command: Command<EditPosition>,
) -> Answer<Changed<PositionResource>> {
    let story = async |uow: &mut _| {
        let body = command.body.clone();
        let required = body.required_certifications.map(|list| checks::words("requiredCertifications", list));
        let wish = PositionWish {
            name: body.name.map(|name| checks::name("name", name)).transpose()?,
            department_id: body.department_id,
            code: body.code.map(|code| code.map(checks::house_code).transpose()).transpose()?,
            role: body.role,
            required_certifications: required.transpose()?,
            certifications_enforced: body.certifications_enforced,
            active: body.active,
        };
        let position = stories::change_position(uow, command.if_match.as_ref(), &id, wish).await?;
        Ok::<_, StaffError>(Changed::new(&PositionResource::from(&position), position.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

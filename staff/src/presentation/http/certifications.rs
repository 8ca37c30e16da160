//! Certificates over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::{CertificationId, StaffId};
use contracts::values::LocalDate;
use platform::http::{
    Answer, Changed, Command, Created, Id, NoBody, Page, Paging, Problem, PropertyScope, Query, Since, Who, Words,
};
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Deserialize;

use super::checks;
use crate::application::certifications::{self as stories, NewCertification};
use crate::application::clock::visible;
use crate::application::planning_views::CertificationResource;
use crate::domain::certification::CertificationStatus;
use crate::infrastructure::certifications::{self, CertificationFilter};
use crate::presentation::Staff;
use crate::{SCHEMA, StaffError};

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AddCertification {
    /// One word, such as `food_handling`.
    #[serde(rename = "type")]
    pub kind: String,
    pub issued_at: LocalDate,
    /// The first day on which it holds no more.
    pub expires_at: Option<LocalDate>,
    pub number: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CertificationQuery {
    /// Whose; leaders may ask for anybody's, others for their own.
    staff_id: Option<StaffId>,
    /// Those that hold and run out before this day.
    expiring_before: Option<LocalDate>,
    /// Those that are one of these, with commas between them.
    status: Option<Words<CertificationStatus>>,
}

fn number(text: Option<String>) -> Result<Option<String>, Refusal> {
    match text {
        Some(text) if text.chars().count() > 100 || text.chars().any(char::is_control) => {
            Err(Refusal::invalid("number", "at most 100 characters, none of them for control"))
        }
        other => Ok(other),
    }
}

pub(super) async fn add(
    State(staff): State<Staff>,
    Id(id): Id<StaffId>,
    command: Command<AddCertification>,
) -> Answer<Created<CertificationResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let body = command.body.clone();
        let new = NewCertification {
            kind: checks::word("type", body.kind)?,
            issued_at: body.issued_at,
            expires_at: body.expires_at,
            number: number(body.number)?,
        };
        let paper = stories::add(uow, &command.caller, &id, new).await?;
        let location = format!("/staff/v1/certifications?staffId={id}");
        let shown = CertificationResource::of(&paper, &command.caller);
        Ok::<_, StaffError>(Created::new(&shown, paper.version, location))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn list(
    State(staff): State<Staff>,
    Who(caller): Who,
    PropertyScope(properties): PropertyScope,
    paging: Paging,
    since: Since,
    Query(query): Query<CertificationQuery>,
) -> Result<Json<Page<CertificationResource>>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let whose = visible(&caller, query.staff_id)?;
        let own = whose.is_some() && whose == caller.staff;
        let filter = CertificationFilter {
            properties: properties.filter(|_| !own),
            staff: whose,
            expiring_before: query.expiring_before,
            statuses: query.status.map(|Words(words)| words),
            before: paging.after.clone(),
        };
        certifications::list(uow, &filter, paging.rows()).await
    };
    let found = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    let items = found.iter().map(|paper| CertificationResource::of(paper, &caller)).collect();
    let page = Page::cut(items, paging.limit, |paper: &CertificationResource| paper.certification_id.to_string());
    Ok(Json(page.since(&since, |paper| paper.updated_at)))
}

pub(super) async fn revoke(
    State(staff): State<Staff>,
    Id(id): Id<CertificationId>,
    command: Command<NoBody>,
) -> Answer<Changed<CertificationResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let paper = stories::revoke(uow, &command.caller, command.if_match.as_ref(), &id).await?;
        Ok::<_, StaffError>(Changed::new(&CertificationResource::of(&paper, &command.caller), paper.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

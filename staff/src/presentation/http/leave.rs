//! Leave over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::{LeaveRequestId, StaffId};
use contracts::staff::LeaveWindow;
use contracts::values::LocalDate;
use platform::UnitOfWork;
use platform::http::{
    Answer, Changed, Command, Created, Id, NoBody, Page, Paging, Problem, PropertyScope, Query, Since, Tagged, Who,
    Words,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::checks;
use crate::application::clock::visible;
use crate::application::leave::{self as stories, NewLeave};
use crate::application::planning_views::LeaveResource;
use crate::domain::leave::{Days, LeaveKind, LeaveStatus};
use crate::infrastructure::leave::{self, LeaveFilter};
use crate::presentation::Staff;
use crate::{SCHEMA, StaffError};

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequestLeave {
    /// Oneself, where nobody is named; others only by those who lead them.
    pub staff_id: Option<StaffId>,
    #[serde(rename = "type")]
    pub kind: LeaveKind,
    /// Whole days on the calendar of the house, both included.
    pub window_local: LeaveWindow,
    pub reason: Option<String>,
}

contracts::closed_words! {
    /// Yes or no.
    LeaveDecision {
        Approve = "approve",
        Reject = "reject",
    }
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct DecideLeave {
    pub decision: LeaveDecision,
    pub decision_note: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct LeaveQuery {
    /// Whose; leaders may ask for anybody's, others for their own.
    staff_id: Option<StaffId>,
    /// Requests that are one of these, with commas between them.
    status: Option<Words<LeaveStatus>>,
    /// With a day on or after this one.
    from: Option<LocalDate>,
    /// With a day on or before this one.
    to: Option<LocalDate>,
}

pub(super) async fn submit(
    State(staff): State<Staff>,
    command: Command<RequestLeave>,
) -> Answer<Created<LeaveResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let body = command.body.clone();
        let new = NewLeave {
            staff: body.staff_id,
            kind: body.kind,
            days: Days { from: body.window_local.from, to: body.window_local.to },
            reason: checks::note("reason", body.reason)?,
        };
        let leave = stories::submit(uow, &command.caller, new).await?;
        let location = format!("/staff/v1/leave/{}", leave.id);
        let shown = LeaveResource::of(&leave, &command.caller, None);
        Ok::<_, StaffError>(Created::new(&shown, leave.version, location))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn list(
    State(staff): State<Staff>,
    Who(caller): Who,
    PropertyScope(properties): PropertyScope,
    paging: Paging,
    since: Since,
    Query(query): Query<LeaveQuery>,
) -> Result<Json<Page<LeaveResource>>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let whose = visible(&caller, query.staff_id)?;
        let own = whose.is_some() && whose == caller.staff;
        let filter = LeaveFilter {
            // One's own leave is one's own, whatever the house.
            properties: properties.filter(|_| !own),
            staff: whose,
            statuses: query.status.map(|Words(words)| words),
            from: query.from,
            to: query.to,
            before: paging.after.clone(),
        };
        leave::list(uow, &filter, paging.rows()).await
    };
    let found = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    let items = found.iter().map(|leave| LeaveResource::of(leave, &caller, None)).collect();
    let page = Page::cut(items, paging.limit, |leave: &LeaveResource| leave.leave_request_id.to_string());
    Ok(Json(page.since(&since, |leave| leave.cancelled_at.or(leave.decided_at).unwrap_or(leave.requested_at))))
}

pub(super) async fn show(
    State(staff): State<Staff>,
    Who(caller): Who,
    Id(id): Id<LeaveRequestId>,
) -> Result<Tagged<LeaveResource>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let leave = stories::look_up(uow, &caller, &id).await?;
        let conflicts = stories::conflicts(uow, &leave).await?;
        Ok::<_, StaffError>((leave, conflicts))
    };
    let (leave, conflicts) = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&LeaveResource::of(&leave, &caller, Some(conflicts)), leave.version))
}

pub(super) async fn decide(
    State(staff): State<Staff>,
    Id(id): Id<LeaveRequestId>,
    command: Command<DecideLeave>,
) -> Answer<Changed<LeaveResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let note = checks::note("decisionNote", command.body.decision_note.clone())?;
        let how = (command.body.decision == LeaveDecision::Approve, note);
        let leave = stories::decide(uow, &command.caller, command.if_match.as_ref(), &id, how).await?;
        Ok::<_, StaffError>(Changed::new(&LeaveResource::of(&leave, &command.caller, None), leave.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn cancel(
    State(staff): State<Staff>,
    Id(id): Id<LeaveRequestId>,
    command: Command<NoBody>,
) -> Answer<Changed<LeaveResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let leave = stories::cancel(uow, &command.caller, command.if_match.as_ref(), &id).await?;
        Ok::<_, StaffError>(Changed::new(&LeaveResource::of(&leave, &command.caller, None), leave.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

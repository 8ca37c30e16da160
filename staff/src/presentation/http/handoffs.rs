//! Notes from one shift to the next over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::{HandoffNoteId, PositionId, PropertyId, ShiftId};
use contracts::time::Timestamp;
use platform::http::{
    Answer, Changed, Command, Created, Id, NoBody, Page, Paging, Problem, PropertyScope, Query, Since, Tagged, Who,
};
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Deserialize;

use super::shifts::{after, cursor};
use crate::application::handoffs::{self as stories, NewNote};
use crate::application::planning_views::HandoffResource;
use crate::infrastructure::handoffs::{self, HandoffFilter};
use crate::presentation::Staff;
use crate::{SCHEMA, StaffError};

const LONGEST_BODY: usize = 10_000;
const MOST_ATTACHMENTS: usize = 20;

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WriteNote {
    pub property_id: PropertyId,
    /// For whom; everybody, where none is named.
    pub position_id: Option<PositionId>,
    pub from_shift_id: Option<ShiftId>,
    /// 1 to 10,000 characters.
    pub body: String,
    /// What pictures and files are called where they are kept; at most 20.
    #[serde(default)]
    pub attachment_ids: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoteQuery {
    /// Notes that were written at this moment or later.
    since: Option<Timestamp>,
    /// Notes for this position.
    position_id: Option<PositionId>,
    /// Notes of this shift.
    shift_id: Option<ShiftId>,
}

fn written(body: WriteNote) -> Result<NewNote, Refusal> {
    let letters = body.body.chars().count();
    if body.body.trim().is_empty() || letters > LONGEST_BODY {
        return Err(Refusal::invalid("body", format!("1 to {LONGEST_BODY} characters")));
    }
    let plain = |id: &String| (1..=100).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
    if body.attachment_ids.len() > MOST_ATTACHMENTS || !body.attachment_ids.iter().all(plain) {
        return Err(Refusal::invalid("attachmentIds", "at most 20, each of 1 to 100 plain characters"));
    }
    Ok(NewNote {
        property_id: body.property_id,
        position_id: body.position_id,
        from_shift_id: body.from_shift_id,
        body: body.body,
        attachment_ids: body.attachment_ids,
    })
}

pub(super) async fn write(State(staff): State<Staff>, command: Command<WriteNote>) -> Answer<Created<HandoffResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let new = written(command.body.clone())?;
        let note = stories::write(uow, &command.caller, new).await?;
        let location = format!("/staff/v1/handoff-notes/{}", note.id);
        let shown = HandoffResource::of(&note, &command.caller.tenant);
        Ok::<_, StaffError>(Created::new(&shown, note.version, location))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

pub(super) async fn list(
    State(staff): State<Staff>,
    Who(caller): Who,
    PropertyScope(properties): PropertyScope,
    paging: Paging,
    changed: Since,
    Query(query): Query<NoteQuery>,
) -> Result<Json<Page<HandoffResource>>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let filter = HandoffFilter {
            properties,
            since: query.since,
            position: query.position_id,
            shift: query.shift_id,
            before: after(paging.after.as_deref())?,
        };
        handoffs::list(uow, &filter, paging.rows()).await
    };
    let found = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    let items = found.iter().map(|note| HandoffResource::of(note, &caller.tenant)).collect();
    let page = Page::cut(items, paging.limit, |note: &HandoffResource| cursor(note.created_at, &note.handoff_note_id));
    let read_at = |note: &HandoffResource| note.acknowledged_by.iter().map(|read| read.at).max();
    Ok(Json(page.since(&changed, |note| read_at(note).unwrap_or(note.created_at))))
}

pub(super) async fn show(
    State(staff): State<Staff>,
    Who(caller): Who,
    Id(id): Id<HandoffNoteId>,
) -> Result<Tagged<HandoffResource>, Problem> {
    let look = async |uow: &mut UnitOfWork| stories::look_up(uow, &caller, &id).await;
    let note = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&HandoffResource::of(&note, &caller.tenant), note.version))
}

pub(super) async fn acknowledge(
    State(staff): State<Staff>,
    Id(id): Id<HandoffNoteId>,
    command: Command<NoBody>,
) -> Answer<Changed<HandoffResource>> {
    let story = async |uow: &mut UnitOfWork| {
        let note = stories::acknowledge(uow, &command.caller, command.if_match.as_ref(), &id).await?;
        Ok::<_, StaffError>(Changed::new(&HandoffResource::of(&note, &command.caller.tenant), note.version))
    };
    command.run(&staff.db, &SCHEMA, story).await
}

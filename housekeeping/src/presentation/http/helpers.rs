//! Work for two over HTTP: who helps with a task.

use axum::extract::State;
use contracts::ids::{StaffId, TaskId};
use platform::http::{Answer, Changed, Command, Id, NoBody, TwoIds};

use super::bodies::Help;
use super::tasks::{changed, on};
use crate::SCHEMA;
use crate::application::assignment;
use crate::application::views::TaskResource;
use crate::presentation::Housekeeping;

pub(super) async fn add(
    State(hk): State<Housekeeping>,
    Id(id): Id<TaskId>,
    command: Command<Help>,
) -> Answer<Changed<TaskResource>> {
    let Help { staff_id, force } = &command.body;
    let story = async |uow: &mut _| {
        assignment::add_helper(uow, on(&command, &id), staff_id, *force).await.map(|task| changed(&command, task))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn remove(
    State(hk): State<Housekeeping>,
    TwoIds(id, staff): TwoIds<TaskId, StaffId>,
    command: Command<NoBody>,
) -> Answer<Changed<TaskResource>> {
    let story = async |uow: &mut _| {
        assignment::remove_helper(uow, on(&command, &id), &staff).await.map(|task| changed(&command, task))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

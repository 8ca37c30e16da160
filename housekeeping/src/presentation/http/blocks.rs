//! Blocks of rooms over HTTP.

use axum::extract::State;
use contracts::ids::{BlockId, RoomId};
use platform::Refusal;
use platform::http::{Answer, Command, Created, Done, Id, NoBody, Problem, PropertyScope, Tagged, TwoIds, Who};

use super::bodies::{self, Block};
use crate::application::blocks as stories;
use crate::application::views::BlockResource;
use crate::domain::block::{BlockOwner, BlockReason, NewBlock};
use crate::presentation::Housekeeping;
use crate::{HousekeepingError, SCHEMA};

pub(super) async fn block(
    State(hk): State<Housekeeping>,
    houses: PropertyScope,
    Id(id): Id<RoomId>,
    command: Command<Block>,
) -> Answer<Created<BlockResource>> {
    let Block { reason, blocked_until, note } = &command.body;
    let story = async |uow: &mut platform::UnitOfWork| {
        if *reason == BlockReason::OosEcho {
            return Err(Refusal::invalid("reason", "an echo is set by the property alone; say `oos`").into());
        }
        if blocked_until.is_some_and(|until| until <= uow.now()) {
            return Err(Refusal::invalid("blockedUntil", "later than now").into());
        }
        let new = NewBlock {
            reason: *reason,
            owner: BlockOwner::Housekeeping,
            begins_at: None,
            blocked_until: *blocked_until,
            note: bodies::note("note", note.clone())?,
            task_id: None,
            told_at: None,
        };
        let block = stories::block(uow, &houses, command.if_match.as_ref(), &id, new).await?;
        let location = format!("/housekeeping/v1/rooms/{id}/block/{}", block.id);
        let resource = BlockResource::from(&block).of(&command.caller.tenant);
        Ok::<_, HousekeepingError>(Created::new(&resource, block.version, location))
    };
    command.run(&hk.db, &SCHEMA, story).await
}

pub(super) async fn show(
    State(hk): State<Housekeeping>,
    Who(caller): Who,
    houses: PropertyScope,
    TwoIds(room, block): TwoIds<RoomId, BlockId>,
) -> Result<Tagged<BlockResource>, Problem> {
    let look = async |uow: &mut _| stories::look_up_block(uow, &houses, &room, &block).await;
    let block = hk.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&BlockResource::from(&block).of(&caller.tenant), block.version))
}

pub(super) async fn unblock(
    State(hk): State<Housekeeping>,
    houses: PropertyScope,
    TwoIds(room, block): TwoIds<RoomId, BlockId>,
    command: Command<NoBody>,
) -> Answer<Done> {
    let story = async |uow: &mut _| {
        stories::unblock(uow, &houses, command.if_match.as_ref(), &room, &block).await?;
        Ok::<_, HousekeepingError>(Done::new())
    };
    command.run(&hk.db, &SCHEMA, story).await
}

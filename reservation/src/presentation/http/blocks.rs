//! Rooms that the desk closes and opens again, over HTTP.

use axum::extract::State;
use contracts::ids::{AlertId, BlockId, ReservationId, RoomId};
use contracts::time::Timestamp;
use platform::UnitOfWork;
use platform::http::{Answer, Command, Created, Done, Id, NoBody, TwoIds};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bodies;
use crate::application::blocks;
use crate::presentation::FrontOffice;
use crate::{ReservationError, SCHEMA};

#[derive(Deserialize, JsonSchema)]
pub(super) struct CloseRoom {
    /// Now, unless said otherwise.
    from: Option<Timestamp>,
    /// Without it, until further notice.
    until: Option<Timestamp>,
    reason: String,
}

/// A room that was closed, and what became of those who had it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClosedRoom {
    block_id: BlockId,
    /// They have another room now, or none.
    moved: Vec<ReservationId>,
    /// What somebody has to look at.
    alerts: Vec<AlertId>,
}

pub(super) async fn close(
    State(office): State<FrontOffice>,
    Id(room): Id<RoomId>,
    command: Command<CloseRoom>,
) -> Answer<Created<ClosedRoom>> {
    let body = &command.body;
    let story = async |uow: &mut UnitOfWork| {
        let reason = bodies::word("reason", Some(body.reason.clone()), 500)?;
        let closed = blocks::close(uow, &command.caller, &room, (body.from, body.until), reason).await?;
        let location = format!("/reservation/v1/rooms/{room}/blocks/{}", closed.block.id);
        let version = closed.block.version;
        let resource =
            ClosedRoom { block_id: closed.block.id, moved: closed.vacated.moved, alerts: closed.vacated.alerts };
        Ok::<_, ReservationError>(Created::new(&resource, version, location))
    };
    command.run(&office.db, &SCHEMA, story).await
}

pub(super) async fn open(
    State(office): State<FrontOffice>,
    TwoIds(room, block): TwoIds<RoomId, BlockId>,
    command: Command<NoBody>,
) -> Answer<Done> {
    let story = async |uow: &mut UnitOfWork| {
        blocks::open(uow, &command.caller, &room, &block).await?;
        Ok::<_, ReservationError>(Done::new())
    };
    command.run(&office.db, &SCHEMA, story).await
}

//! Rooms that the desk closes and opens again, over HTTP.

use axum::extract::State;
use contracts::ids::{AlertId, BlockId, PropertyId, ReservationId, RoomId, RoomTypeId, TenantId};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::UnitOfWork;
use platform::http::{Answer, Command, Created, Done, Id, NoBody, Problem, Tagged, TwoIds, Who};
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

/// A room that is closed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SoldRoomBlock")]
pub(super) struct BlockResource {
    block_id: BlockId,
    tenant_id: TenantId,
    property_id: PropertyId,
    room_id: RoomId,
    room_type_id: Option<RoomTypeId>,
    /// The first night.
    from: LocalDate,
    /// The day on which it is open again; null: until further notice.
    to: Option<LocalDate>,
    reason: Option<String>,
    version: i32,
}

pub(super) async fn show(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    TwoIds(room, block): TwoIds<RoomId, BlockId>,
) -> Result<Tagged<BlockResource>, Problem> {
    let look = async |uow: &mut UnitOfWork| blocks::look_up(uow, &caller, &room, &block).await;
    let block = office.db.read(&SCHEMA, &caller.tenant, look).await?;
    let resource = BlockResource {
        block_id: block.id,
        tenant_id: caller.tenant.clone(),
        property_id: block.property_id,
        room_id: block.room_id,
        room_type_id: block.room_type_id,
        from: LocalDate(block.from),
        to: block.to.map(LocalDate),
        reason: block.reason,
        version: block.version,
    };
    Ok(Tagged::new(&resource, block.version))
}

pub(super) async fn open(
    State(office): State<FrontOffice>,
    TwoIds(room, block): TwoIds<RoomId, BlockId>,
    command: Command<NoBody>,
) -> Answer<Done> {
    let story = async |uow: &mut UnitOfWork| {
        blocks::open(uow, &command.caller, command.if_match.as_ref(), &room, &block).await?;
        Ok::<_, ReservationError>(Done::new())
    };
    command.run(&office.db, &SCHEMA, story).await
}

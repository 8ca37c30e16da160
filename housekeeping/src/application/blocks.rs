//! A room cannot be used for a while: somebody blocks it, and somebody lifts the block.

use contracts::external::RoomTakenOutOfOrderV1;
use contracts::housekeeping::RoomStatusCause;
use contracts::ids::{BlockId, PropertyId, RoomId};
use contracts::time::Timestamp;
use platform::each_tenant::{Tally, in_one_unit};
use platform::http::{IfMatch, PropertyScope};
use platform::ticks::Deed;
use platform::{Db, Refusal, UnitOfWork};

use super::rooms::look_up;
use crate::domain::block::{BlockOwner, BlockReason, NewBlock, RoomBlock};
use crate::domain::room::{Flip, Room};
use crate::infrastructure::blocks::{self, Blocked};
use crate::infrastructure::due::{self, Due};
use crate::infrastructure::rooms;
use crate::{HousekeepingError, SCHEMA};

/// A supervisor blocks a room. A block for a repair, or one that takes it out of sale, puts the room out of order; the others
/// only say why it waits.
pub async fn block(
    uow: &mut UnitOfWork,
    houses: &PropertyScope,
    if_match: Option<&IfMatch>,
    id: &RoomId,
    new: NewBlock,
) -> Result<RoomBlock, HousekeepingError> {
    let property = look_up(uow, houses, id).await?.room.property_id;
    let found = blocks::lock(uow, &property, id, None).await?.ok_or(Refusal::NotFound("room"))?;
    IfMatch::check(if_match, found.room.version)?;
    if rooms::existence(uow, &property, id).await?.archived_at.is_some() {
        return Err(Refusal::invalid("roomId", "a room that exists: this one is archived").into());
    }
    set(uow, found.room, new)
}

/// Sets a block on a room that is locked, and puts the room out of order where the block does that from now on.
pub(super) fn set(uow: &mut UnitOfWork, room: Room, new: NewBlock) -> Result<RoomBlock, HousekeepingError> {
    let now = uow.now();
    let (property, id) = (room.property_id.clone(), room.room_id.clone());
    uow.touch_board(&property);
    let block = uow.save(RoomBlock::set(uow.next_id(), property, id, new, now));
    put_out(uow, room, &block)?;
    Ok(block)
}

/// The room as it is with this block: out of order, where the block does that and has begun.
fn put_out(uow: &mut UnitOfWork, room: Room, block: &RoomBlock) -> Result<Room, HousekeepingError> {
    if !block.puts_out_of_order() {
        return Ok(room);
    }
    let (now, by) = (uow.now(), uow.context().actor.clone());
    // What is taken out of sale by hand is a person's decision; everything else is a repair.
    let cause = if block.reason == BlockReason::Oos {
        RoomStatusCause::ManualOverride
    } else {
        RoomStatusCause::MaintenanceRequired
    };
    let flip = Flip { cause, task: block.task_id.as_ref(), by: &by, now };
    Ok(match room.clone().take_out_of_order(&flip, block.note.clone())? {
        Some(out) => uow.save(out),
        None => room,
    })
}

/// A block of a room that the caller may look at, over or not.
pub async fn look_up_block(
    uow: &mut UnitOfWork,
    houses: &PropertyScope,
    id: &RoomId,
    block: &BlockId,
) -> Result<RoomBlock, HousekeepingError> {
    let property = look_up(uow, houses, id).await?.room.property_id;
    Ok(blocks::find(uow, &property, id, block).await?.ok_or(Refusal::NotFound("block"))?)
}

/// A supervisor lifts a block. When it was the last one that kept the room out of order, the room must be cleaned.
pub async fn unblock(
    uow: &mut UnitOfWork,
    houses: &PropertyScope,
    if_match: Option<&IfMatch>,
    id: &RoomId,
    block: &BlockId,
) -> Result<(), HousekeepingError> {
    let property = look_up(uow, houses, id).await?.room.property_id;
    let found = blocks::lock(uow, &property, id, Some(block.as_str())).await?;
    let Blocked { room, mut own, jobs } = found.ok_or(Refusal::NotFound("room"))?;
    let Some(at) = own.iter().position(|one| one.id == *block) else {
        // Maintenance ends its job by doing it; then the room is cleaned for it, too.
        let theirs = jobs.iter().any(|job| job.holds() && job.work_order_id == block.as_str());
        return Err(if theirs { HousekeepingError::BlockOwnedElsewhere } else { Refusal::NotFound("block").into() });
    };
    let lifted = own.swap_remove(at);
    IfMatch::check(if_match, lifted.version)?;
    lift(uow, Blocked { room, own, jobs }, vec![lifted])
}

/// Lifts these; with the last one that kept the room out of order gone, the room must be cleaned. `left`: the room and what
/// still blocks it.
fn lift(uow: &mut UnitOfWork, left: Blocked, lifted: Vec<RoomBlock>) -> Result<(), HousekeepingError> {
    let now = uow.now();
    uow.touch_board(&left.room.property_id);
    let mut opens = false;
    for block in lifted {
        opens |= block.puts_out_of_order();
        uow.save(block.clear(now)?);
    }
    if opens {
        give_back(uow, left);
    }
    Ok(())
}

/// The room must be cleaned, unless something else keeps it out of order.
fn give_back(uow: &mut UnitOfWork, left: Blocked) {
    let Blocked { room, own, jobs } = left;
    if own.iter().any(RoomBlock::puts_out_of_order) || jobs.iter().any(blocks::Job::holds) {
        return;
    }
    let (now, by) = (uow.now(), uow.context().actor.clone());
    let flip = Flip { cause: RoomStatusCause::RoomUnblocked, task: None, by: &by, now };
    if let Some(dirty) = room.return_to_use(&flip) {
        uow.save(dirty);
    }
}

/// Blocks begin when their time has come, and are lifted when it is over. Every 30 seconds.
pub async fn begin_and_lift(db: Db) -> Deed {
    let mut done = Tally::default();
    for tenant in due::tenants(&db, Due::BlocksOver).await? {
        let rooms = db.read(&SCHEMA, &tenant, async |uow| blocks::due(uow).await).await;
        for (property, room) in done.of(&tenant, rooms)?.unwrap_or_default() {
            let story = async |uow: &mut UnitOfWork| keep_time(uow, &property, &room).await;
            done.count(&tenant, in_one_unit(&db, &SCHEMA, &tenant, "sys_block_over", story).await)?;
        }
    }
    Ok(done.said("blocks begun or lifted"))
}

async fn keep_time(uow: &mut UnitOfWork, property: &PropertyId, room: &RoomId) -> Result<usize, HousekeepingError> {
    let Some(Blocked { mut room, own, jobs }) = blocks::lock(uow, property, room, None).await? else { return Ok(0) };
    let now = uow.now();
    // With the room in hand: somebody may have lifted it since it was looked for.
    let (over, mut own): (Vec<_>, Vec<_>) = own
        .into_iter()
        .partition(|block| block.cleared_at.is_none() && block.blocked_until.is_some_and(|at| at <= now));
    let mut count = over.len();
    for block in &mut own {
        if let Some(begun) = block.clone().begin(now) {
            uow.touch_board(property);
            *block = uow.save(begun);
            room = put_out(uow, room, block)?;
            count += 1;
        }
    }
    if !over.is_empty() {
        lift(uow, Blocked { room, own, jobs }, over)?;
    }
    Ok(count)
}

/// What property says of a room that it takes out of order.
struct Said<'a> {
    told: &'a RoomTakenOutOfOrderV1,
    at: Timestamp,
    /// When it begins, as long as that lies ahead.
    begins_at: Option<Timestamp>,
    until: Option<Timestamp>,
    /// It is over already.
    is_over: bool,
}

impl<'a> Said<'a> {
    fn now(told: &'a RoomTakenOutOfOrderV1, at: Timestamp, now: Timestamp) -> Self {
        let begins_at = told.from.filter(|from| *from > now);
        let is_over = told.until.is_some_and(|until| until <= begins_at.unwrap_or(now));
        // What ends before it begins ends now, and by itself.
        let until = told.until.map(|until| if is_over { until.min(now) } else { until });
        Self { told, at, begins_at, until, is_over }
    }
}

/// Property took a room out of order: an echo of it stands here until its time is over, a supervisor lifts it or the repair is done.
/// Told anew, the echo that stands says what property said last. What is over when it is heard, by its own time or because the echo was lifted
/// or the room repaired since, sets none; what was told before that and is heard after it sets none either.
pub async fn echo(
    uow: &mut UnitOfWork,
    told: &RoomTakenOutOfOrderV1,
    told_at: Timestamp,
) -> Result<(), HousekeepingError> {
    let mut found = blocks::lock_or_open(uow, &told.property_id, &told.room_id, None).await?;
    // Told late: the room has ceased to exist since, and its blocks with it.
    if rooms::existence(uow, &told.property_id, &told.room_id).await?.archived_at >= Some(told_at) {
        return Ok(());
    }
    let now = uow.now();
    let said = Said::now(told, told_at, now);
    if let Some(at) = found.own.iter().position(|block| block.reason == BlockReason::OosEcho) {
        let stands = found.own.swap_remove(at);
        return say_anew(uow, found, stands, &said);
    }
    if blocks::echo_was_over(uow, &found.room, told_at, told.from).await? {
        return Ok(());
    }
    let new = NewBlock {
        reason: BlockReason::OosEcho,
        owner: BlockOwner::Property,
        begins_at: said.begins_at,
        blocked_until: said.until,
        note: told.reason.clone(),
        task_id: None,
        told_at: Some(told_at),
    };
    if said.is_over {
        let (property, room) = (told.property_id.clone(), told.room_id.clone());
        uow.save(RoomBlock::set(uow.next_id(), property, room, new, now).then(|block| block.clear(now))?);
        return Ok(());
    }
    set(uow, found.room, new)?;
    Ok(())
}

/// The echo that stands says what property said last.
fn say_anew(uow: &mut UnitOfWork, found: Blocked, stands: RoomBlock, said: &Said<'_>) -> Result<(), HousekeepingError> {
    let had_begun = stands.begins_at.is_none();
    let begins_at = if said.is_over { stands.begins_at } else { said.begins_at };
    let changed = stands.tell_again((begins_at, said.until), said.told.reason.clone(), said.at);
    let Some(changed) = changed.map(|changed| uow.save(changed)) else { return Ok(()) };
    uow.touch_board(&changed.property_id);
    if said.is_over {
        return lift(uow, found, vec![changed]);
    }
    match (had_begun, changed.begins_at.is_none()) {
        (true, false) => give_back(uow, found),
        (false, true) => drop(put_out(uow, found.room, &changed)?),
        _ => {}
    }
    Ok(())
}

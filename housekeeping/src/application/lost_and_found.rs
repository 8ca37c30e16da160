//! Something was left behind: it is found, claimed and given back, or nobody comes for it.

use contracts::housekeeping::DisposalMethod;
use contracts::ids::LostItemId;
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use crate::HousekeepingError;
use crate::domain::lost_item::{Claim, Find, LostItem};
use crate::infrastructure::{lost_items, rooms};

/// A thing that the caller may look at. A property that the token does not speak for is as good as not there.
pub async fn look_up(uow: &mut UnitOfWork, caller: &Caller, id: &LostItemId) -> Result<LostItem, HousekeepingError> {
    let found = lost_items::find(uow, id).await?.filter(|item| caller.properties.include(&item.find.property_id));
    Ok(found.ok_or(Refusal::NotFound("lost item"))?)
}

/// Records what was found; a room never seen before comes into being.
pub async fn record(uow: &mut UnitOfWork, caller: &Caller, find: Find) -> Result<LostItem, HousekeepingError> {
    caller.within(&find.property_id)?;
    rooms::open(uow, &find.property_id, std::slice::from_ref(&find.room_id)).await?;
    uow.touch_board(&find.property_id);
    Ok(uow.save(LostItem::record(uow.next_id(), find, uow.now())))
}

/// A command on one thing: who asks, and which version they have seen.
#[derive(Clone, Copy, Debug)]
pub struct ItemCommand<'a> {
    pub item: &'a LostItemId,
    pub caller: &'a Caller,
    pub if_match: Option<&'a IfMatch>,
}

impl ItemCommand<'_> {
    async fn load(&self, uow: &mut UnitOfWork) -> Result<LostItem, HousekeepingError> {
        let found = lost_items::lock(uow, self.item).await?;
        let item = found
            .filter(|item| self.caller.properties.include(&item.find.property_id))
            .ok_or(Refusal::NotFound("lost item"))?;
        IfMatch::check(self.if_match, item.version)?;
        Ok(item)
    }
}

/// Somebody claims it; of several at once the first one has it.
pub async fn claim(
    uow: &mut UnitOfWork,
    command: ItemCommand<'_>,
    name: String,
    phone: Option<String>,
) -> Result<LostItem, HousekeepingError> {
    let item = command.load(uow).await?;
    let claim = Claim { name, phone, at: uow.now(), by: command.caller.as_staff()? };
    Ok(uow.save(item.claim(claim)?))
}

pub async fn give_back(uow: &mut UnitOfWork, command: ItemCommand<'_>) -> Result<LostItem, HousekeepingError> {
    let item = command.load(uow).await?;
    Ok(uow.save(item.give_back(uow.now())?))
}

pub async fn dispose(
    uow: &mut UnitOfWork,
    command: ItemCommand<'_>,
    method: DisposalMethod,
    note: Option<String>,
) -> Result<LostItem, HousekeepingError> {
    let item = command.load(uow).await?;
    Ok(uow.save(item.dispose(method, note, uow.now())?))
}

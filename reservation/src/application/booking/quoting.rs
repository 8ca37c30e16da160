//! A price is asked for. No room is set aside.

use contracts::ids::{GuestId, QuoteId};
use contracts::reservation::Channel;
use platform::{Refusal, UnitOfWork};

use super::wishes::{Wanted, Wish, may_be_sold, priced, types_of};
use super::{Agreed, House, bare_id, lay_all};
use crate::ReservationError;
use crate::domain::placing::LOOKED_AT;
use crate::domain::quote::Quote;
use crate::domain::reservation::Item;
use crate::infrastructure::{inventory, quotes};

/// A price is given. No room is set aside.
pub async fn quote(
    uow: &mut UnitOfWork,
    wish: Wish,
    (channel, partner_id): (Channel, Option<String>),
    (guest_id, device_id): (Option<GuestId>, Option<contracts::ids::DeviceId>),
) -> Result<Quote, ReservationError> {
    let now = uow.now();
    let house = House::of(uow, &wish.property).await?;
    house.is_open()?;
    may_be_sold(wish.stay, &house, now)?;
    let types = types_of(uow, &wish, false).await?;
    let nights = (wish.stay.start(), wish.stay.end());
    let mut shelves = inventory::shelves_near(uow, &wish.property, &types, nights, LOOKED_AT).await?;
    let device_id = device_id.or_else(|| guest_id.is_none().then(|| uow.next_id()));
    let mut items = priced(&wish, &shelves, house.settings.currency, || bare_id(uow))?;
    let available = house.is_external()
        || match lay_all(uow, &wish, &mut items, (&types, &mut shelves)).await {
            Ok(_) => true,
            Err(ReservationError::NoAvailability { .. } | ReservationError::RoomUnavailable(_)) => false,
            Err(other) => return Err(other),
        };
    for item in &mut items {
        item.place = None;
    }
    crate::domain::reservation::totals(items.iter(), house.settings.tax_ppm, house.settings.currency)?;
    let quote = Quote {
        id: uow.next_id(),
        property_id: wish.property.clone(),
        available,
        used: false,
        guest_id,
        device_id,
        channel,
        partner_id,
        stay: wish.stay,
        items,
        currency: wish.currency.unwrap_or(house.settings.currency),
        fx: wish.fx.clone(),
        tax_ppm: house.settings.tax_ppm,
        policy_ref: house.policy.reference(),
        created_at: now,
        expires_at: now.plus_seconds(i64::from(house.settings.quote_ttl_seconds)),
        version: 0,
    };
    Ok(uow.save(quote.give()))
}

/// The wish that a quote was given for, at its prices; the quote is spent.
pub async fn spend(uow: &mut UnitOfWork, id: &QuoteId) -> Result<(Wish, Agreed, Quote), ReservationError> {
    let quote = quotes::lock(uow, id).await?.ok_or(Refusal::NotFound("quote"))?;
    let now = uow.now();
    let spent = uow.save(quote.spend(now).map_err(ReservationError::Quote)?);
    let wanted = |item: &Item| Wanted {
        room_type: item.room_type_id.clone(),
        occupants: item.occupants.clone(),
        rate: None,
        room: None,
    };
    let wish = Wish {
        property: spent.property_id.clone(),
        stay: spent.stay,
        items: spent.items.iter().map(wanted).collect(),
        currency: Some(spent.currency),
        fx: spent.fx.clone(),
    };
    Ok((wish, Agreed { items: spent.items.clone(), tax_ppm: spent.tax_ppm }, spent))
}

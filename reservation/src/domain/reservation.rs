//! A reservation: who comes, for which nights, to which rooms, at what price. What others told of money, rooms and keys are
//! facts beside it.

use std::collections::BTreeMap;

use contracts::actor::Actor;
use contracts::ids::{PropertyId, ReservationId, RoomId, RoomTypeId};
use contracts::reservation::{
    CancelReason, Channel, ContactHash, FxSnapshot, Occupants, PaymentMethod, PolicyApplied, RefundRequest, StayRoom,
};
use contracts::time::Timestamp;
use contracts::values::Currency;
use jiff::civil::Date;
use platform::decided::Aggregate;
use serde::{Deserialize, Serialize};

use super::facts::{Fact, Facts};
use super::money::{Money, Rate, TooMuch};
use super::policy::Policy;
pub use super::reservation_events::{Cancelled, DatesChanged, Folio, Modified, ReservationEvent, SpecialRequest};
use super::stay::{Stay, dates};

contracts::closed_words! {
    /// Where a reservation stands.
    ReservationStatus {
        /// Rooms are set aside for a while.
        Held = "held",
        /// The guest will come.
        Confirmed = "confirmed",
        /// The guest stands at the desk.
        CheckInStarted = "check_in_started",
        /// The guest is in the house.
        CheckedIn = "checked_in",
        /// The guest is about to leave.
        CheckoutStarted = "checkout_started",
        /// The guest has left.
        CheckedOut = "checked_out",
        /// The guest will not come.
        Cancelled = "cancelled",
        /// The guest did not come.
        NoShow = "no_show",
        /// The guest did not pay in time.
        Expired = "expired",
    }
}

impl ReservationStatus {
    /// Whether somebody is in the rooms.
    pub fn is_in_house(self) -> bool {
        matches!(self, Self::CheckedIn | Self::CheckoutStarted)
    }

    /// Whether nobody comes any more, or everybody has left.
    pub fn is_over(self) -> bool {
        matches!(self, Self::CheckedOut | Self::Cancelled | Self::NoShow | Self::Expired)
    }
}

/// One room of a reservation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    pub id: String,
    pub room_type_id: RoomTypeId,
    pub occupants: Occupants,
    /// Night by night; nights that were given back early are gone from its end.
    pub nightly_rates: Vec<Money>,
    pub active: bool,
    /// The nights of the stay that were over when it was added.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub late_nights: u32,
    /// Nights that were given back early, while it may still be undone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_back: Vec<Money>,
    /// The room that inventory keeps for it: not the reservation's own to remember.
    #[serde(skip)]
    pub place: Option<Place>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "asked by serde")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Where an item lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub allocation: String,
    pub room: Option<RoomId>,
    pub pinned: bool,
}

impl Item {
    pub fn price(&self) -> Result<Money, TooMuch> {
        Money::sum(self.nightly_rates.iter().copied())
    }

    /// What others are told a night costs: the mean.
    pub fn mean_rate(&self) -> Money {
        self.price().unwrap_or_default().mean_of(self.nightly_rates.len())
    }

    /// The first night that it is for, in a stay that begins on a day.
    pub fn first_night(&self, start: Date) -> Date {
        dates(start, Date::MAX).nth(usize::try_from(self.late_nights).unwrap_or(0)).unwrap_or(start)
    }

    /// How many of its nights were slept in, where so many of the stay were: one that was added later has slept fewer.
    pub(super) fn slept(&self, used: usize) -> usize {
        used.saturating_sub(usize::try_from(self.late_nights).unwrap_or(0))
    }

    /// All its nights in their order, also those that were given back early.
    pub(super) fn all_rates(&self) -> impl DoubleEndedIterator<Item = &Money> {
        self.nightly_rates.iter().chain(&self.given_back)
    }

    pub fn room(&self) -> Option<&RoomId> {
        self.place.as_ref().and_then(|place| place.room.as_ref())
    }
}

/// Until when rooms are set aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    pub hold_id: String,
    pub placed_at: Timestamp,
    pub expires_at: Timestamp,
    pub ttl_seconds: u32,
}

/// The guest who books, as far as a reservation knows one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Guest {
    pub guest_id: contracts::ids::GuestId,
    pub locale: String,
    pub contact_hash: ContactHash,
}

/// Something besides nights that the guest owes, or money that was taken or given at the desk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolioLine {
    pub kind: String,
    pub amount: Money,
    pub at: Timestamp,
}

/// How it came to an end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cancellation {
    pub reason_code: CancelReason,
    /// As typed: for the house, never for others.
    pub reason: String,
    pub at: Timestamp,
    pub policy_applied: PolicyApplied,
    /// What was lost at the end, and not before.
    #[serde(default)]
    pub items: Vec<String>,
}

/// Money that somebody was asked to pay, and what had been paid when that was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    pub amount: Money,
    pub paid: Money,
}

impl Asked {
    fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// A reservation. What is not there is left out of what is kept, as far as a release that still runs beside this one does without it: a row
/// of two kilobytes is compressed by the database whenever it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says one thing that happened, or did not, whatever the others say"
)]
pub struct Reservation {
    pub id: ReservationId,
    pub code: String,
    pub property_id: PropertyId,
    pub status: ReservationStatus,
    pub channel: Channel,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partner_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_code: Option<String>,
    pub guest: Guest,
    pub stay: Stay,
    pub items: Vec<Item>,
    pub currency: Currency,
    pub house_currency: Currency,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fx: Option<FxSnapshot>,
    pub tax_ppm: u32,
    pub deposit_ppm: u32,
    /// The one at the hold binds.
    pub policy: Policy,
    pub hold: Hold,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_intent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<PaymentMethod>,
    pub pending_cash: bool,
    pub folio_id: String,
    /// Penalties and overstays.
    #[serde(default)]
    pub charges: Vec<FolioLine>,
    /// Money at the desk: taken positive, paid back negative.
    #[serde(default)]
    pub desk_payments: Vec<FolioLine>,
    /// Asked of the payment service, by intent.
    #[serde(default)]
    pub refunds_requested: BTreeMap<String, Money>,
    /// Asked of the payment service, and not paid when it was asked.
    #[serde(default, skip_serializing_if = "Asked::is_nothing")]
    pub charge_asked: Asked,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check_in_by: Option<Actor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked_in_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked_out_at: Option<Timestamp>,
    pub early_check_in: bool,
    pub left_early: bool,
    /// As typed: for the house, never for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_early_because: Option<String>,
    pub overstayed_nights: u32,
    /// The hotel's day for which it was last told that the guest should have left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overstay_told: Option<jiff::civil::Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancellation: Option<Cancellation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_arrival_at: Option<Timestamp>,
    /// When somebody put it back to waiting for its guest, or brought it in after its beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brought_back_at: Option<Timestamp>,
    /// Another service keeps the count: rooms are its own until the guest stands at the desk.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub external_inventory: bool,
    /// What that service set aside and was told to give back when this ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allocations_given_back: Vec<String>,
    /// Keys that name no room and opened one that the guest has moved out of.
    #[serde(default, skip_serializing_if = "is_none_left")]
    pub keys_left_behind: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modification_id: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub special_requests: Vec<SpecialRequest>,
    /// What the guests were refunded when that was last told.
    pub refunded_told: Money,
    pub created_by: Actor,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    #[serde(skip)]
    pub facts: Facts,
    #[serde(skip)]
    pub version: i32,
}

impl Aggregate for Reservation {
    type Event = ReservationEvent;
    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_none_left(keys: &usize) -> bool {
    *keys == 0
}

/// What it all costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    pub room: Money,
    pub tax: Money,
    pub grand: Money,
}

impl Reservation {
    pub fn active_items(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.active)
    }

    pub fn totals(&self) -> Result<Totals, TooMuch> {
        totals(self.active_items(), self.tax_ppm, self.currency)
    }

    /// What its nights cost whoever has them: a hold that is over costs nothing, though it could be brought back as it was.
    pub fn owed(&self) -> Result<Totals, TooMuch> {
        if self.status == ReservationStatus::Expired {
            return Ok(Totals { room: Money::ZERO, tax: Money::ZERO, grand: Money::ZERO });
        }
        self.totals()
    }

    /// What has to be there before it is confirmed.
    pub fn required(&self) -> Result<Money, TooMuch> {
        self.totals()?.grand.share(self.deposit_ppm, self.currency)
    }

    pub fn cash(&self) -> Result<Money, TooMuch> {
        Money::sum(self.desk_payments.iter().map(|line| line.amount))
    }

    /// Paid in any way.
    pub fn paid(&self) -> Result<Money, TooMuch> {
        self.facts.captured_sum()?.plus(self.cash()?)
    }

    /// Something came, and what has to be there before it is confirmed is there.
    pub(super) fn has_paid_enough(&self) -> Result<bool, TooMuch> {
        let paid = self.paid()?;
        Ok(paid.is_due() && paid >= self.required()?)
    }

    /// Given back, or asked to be: per intent the greater of the two.
    pub fn given_back(&self) -> Result<Money, TooMuch> {
        let intents: std::collections::BTreeSet<&str> = self
            .facts
            .captured()
            .map(|capture| capture.intent)
            .chain(self.refunds_requested.keys().map(String::as_str))
            .collect();
        Money::sum(intents.into_iter().map(|intent| self.given_back_of(intent)).collect::<Result<Vec<_>, _>>()?)
    }

    fn given_back_of(&self, intent: &str) -> Result<Money, TooMuch> {
        let requested = self.refunds_requested.get(intent).copied().unwrap_or_default();
        Ok(requested.max(self.facts.refunded_of(intent)?))
    }

    pub fn charged(&self) -> Result<Money, TooMuch> {
        Money::sum(self.charges.iter().map(|line| line.amount))
    }

    /// Whether the money still comes with the guest: nothing was captured, or less than is owed by now.
    pub fn awaits_cash(&self) -> Result<bool, TooMuch> {
        Ok(self.pending_cash && (!self.facts.captured_sum()?.is_due() || self.balance()?.is_due()))
    }

    /// How it is paid: as was said when it was confirmed, or as it came since.
    pub fn paid_by(&self) -> Result<Option<PaymentMethod>, TooMuch> {
        if !self.pending_cash || self.awaits_cash()? {
            return Ok(self.method.clone());
        }
        let also_at_the_desk = self.cash()?.is_due();
        Ok(Some(if also_at_the_desk { PaymentMethod::Mixed } else { self.facts.method() }))
    }

    /// What the guest owes; below zero: what the house owes.
    pub fn balance(&self) -> Result<Money, TooMuch> {
        self.owed()?.grand.plus(self.charged()?)?.minus(self.paid()?)?.plus(self.given_back()?)
    }

    /// What a payment brings of which nobody says how much it is: all that is due, whatever somebody only said of it. Where it is
    /// over, what it was for.
    pub fn to_pay_by(&self, intent: &str) -> Result<Money, TooMuch> {
        let said = self.facts.said_of(intent)?;
        let due = match self.status {
            ReservationStatus::Cancelled | ReservationStatus::NoShow | ReservationStatus::Expired => {
                let price = totals(self.items_to_come_back(), self.tax_ppm, self.currency)?.grand;
                price.minus(self.paid()?)?
            }
            _ => self.balance()?,
        };
        Ok(due.plus(said)?.or_nothing())
    }

    /// Whether some payment has brought more than is kept, and was not asked for it back. It is over: its nights cost nothing.
    pub(super) fn has_late_money(&self) -> Result<bool, TooMuch> {
        let mut imagined = self.clone();
        imagined.items.iter_mut().for_each(|item| item.active = false);
        Ok(!imagined.ask_back_what_is_over()?.1.is_empty())
    }

    /// Asks for what was paid beyond what is owed: newest intents first; what was paid at the desk is given back there. The
    /// requests are remembered.
    pub(super) fn ask_back_what_is_over(&mut self) -> Result<(Money, Vec<RefundRequest>), TooMuch> {
        let over = Money::ZERO.minus(self.balance()?)?.or_nothing();
        let mut left = over;
        let mut requests = Vec::new();
        let mut newest: Vec<String> = self.facts.captured().map(|capture| capture.intent.to_owned()).collect();
        newest.reverse();
        newest.dedup();
        for intent in newest {
            let there = self.facts.captured_of(&intent)?.minus(self.given_back_of(&intent)?)?.or_nothing();
            let amount = there.min(left);
            if amount.is_due() {
                left = left.minus(amount)?;
                let before = self.given_back_of(&intent)?;
                self.refunds_requested.insert(intent.clone(), before.plus(amount)?);
                requests.push(RefundRequest { payment_intent_id: intent, amount_micro: amount.micros() });
            }
        }
        Ok((over, requests))
    }

    /// The rooms of its active items, where all of them have one.
    pub fn rooms(&self) -> Option<Vec<StayRoom>> {
        self.active_items()
            .map(|item| Some(StayRoom { item_id: item.id.clone(), room_id: item.room()?.clone() }))
            .collect()
    }

    /// What the house is owed in its own currency, where the guest pays in another.
    pub fn in_house_currency(&self, amount: Money) -> Option<Money> {
        if self.currency == self.house_currency {
            return None;
        }
        exchanged(amount, self.currency, self.house_currency, self.fx.as_ref()?)
    }

    /// The intents that paid, oldest first, and the one that was to pay.
    pub fn payment_intents(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for intent in self.payment_intent.iter().map(String::as_str).chain(self.facts.captured().map(|one| one.intent))
        {
            if !all.iter().any(|known| known == intent) {
                all.push(intent.to_owned());
            }
        }
        all
    }

    /// Whether the rooms are set aside, by us or by the service that keeps the count. Who stands at the desk and has a room needs
    /// nobody to set one aside.
    pub fn is_allocated(&self) -> bool {
        !self.external_inventory || self.facts.is_allocated() || self.rooms().is_some_and(|rooms| !rooms.is_empty())
    }

    /// What was set aside after the end: nobody was told to give it back.
    pub fn late_allocations(&self) -> Vec<String> {
        let mut late = self.facts.allocation_ids();
        late.retain(|id| !self.allocations_given_back.contains(id));
        late
    }

    /// Whoever set rooms aside is told to give them back with the event that ends it.
    pub(super) fn give_allocations_back(&mut self) {
        let late = self.late_allocations();
        self.allocations_given_back.extend(late);
    }

    /// Whether somebody at the desk has to make a key: there is none for some room, or making one failed.
    pub fn requires_manual_key(&self) -> bool {
        match self.status {
            ReservationStatus::Confirmed | ReservationStatus::CheckInStarted => {
                self.facts.key_failed(&self.own_rooms(), self.loose_keys())
            }
            status => status.is_in_house() && self.lacks_a_key(),
        }
    }

    /// Whether somebody has to see to a key that could not be made: the guest is to come and there is no other, or is here without.
    pub fn needs_the_key(&self, room: Option<&RoomId>) -> bool {
        match self.status {
            status if status.is_over() => false,
            status if status.is_in_house() => self.requires_manual_key(),
            _ => match room {
                Some(room) => self.facts.keyed(&[room], self.loose_keys()) < 1,
                None => self.own_rooms().is_empty() || self.lacks_a_key(),
            },
        }
    }

    fn own_rooms(&self) -> Vec<&RoomId> {
        self.active_items().filter_map(Item::room).collect()
    }

    /// A fact as it is kept. A key that names no room is for the only one, or for the one that has none while the guest stands at the desk:
    /// it is kept with that room, so that it counts no more when the guest has moved out. Where it could be for several, or for a room
    /// that the guest was not told yet and that may change without a word, it stays without.
    #[must_use]
    pub fn filed(&self, fact: Fact) -> Fact {
        match fact {
            Fact::KeyIssued { key, room: None } => Fact::KeyIssued { key, room: self.room_to_be_keyed().cloned() },
            other => other,
        }
    }

    fn room_to_be_keyed(&self) -> Option<&RoomId> {
        if !self.active_items().all(|item| item.place.as_ref().is_some_and(|place| place.pinned)) {
            return None;
        }
        let rooms = self.own_rooms();
        match (rooms.as_slice(), self.facts.without_key(&rooms).as_slice()) {
            ([only], _) => Some(*only),
            (_, [last]) if self.is_at_desk() && self.loose_keys() == 0 => Some(*last),
            _ => None,
        }
    }

    /// How many keys that name no room still open one of ours.
    fn loose_keys(&self) -> usize {
        self.facts.unnamed_keys().saturating_sub(self.keys_left_behind)
    }

    /// Whether the key of this room is one that names none: those are for the first rooms without.
    pub(super) fn has_loose_key(&self, room: &RoomId) -> bool {
        let rooms = self.own_rooms();
        self.facts.without_key(&rooms).into_iter().take(self.loose_keys()).any(|keyed| keyed == room)
    }

    /// Whether the guest has been given the rooms: from then on a key is for the room it opens.
    pub(super) fn is_at_desk(&self) -> bool {
        self.status == ReservationStatus::CheckInStarted || self.status.is_in_house()
    }

    /// Whether some room has no key.
    pub fn lacks_a_key(&self) -> bool {
        let rooms = self.own_rooms();
        self.facts.keyed(&rooms, self.loose_keys()) < rooms.len()
    }
}

pub fn totals<'a>(items: impl Iterator<Item = &'a Item>, tax_ppm: u32, currency: Currency) -> Result<Totals, TooMuch> {
    let (mut room, mut tax) = (Money::ZERO, Money::ZERO);
    for item in items {
        let price = item.price()?;
        room = room.plus(price)?;
        tax = tax.plus(price.share(tax_ppm, currency)?)?;
    }
    Ok(Totals { room, tax, grand: room.plus(tax)? })
}

/// An amount of one currency in the other of a snapshot; `None` where the snapshot is of another pair.
pub fn exchanged(amount: Money, from: Currency, to: Currency, fx: &FxSnapshot) -> Option<Money> {
    let rate = Rate::read(&fx.rate)?;
    if fx.base == from && fx.quote == to {
        return amount.exchanged(&rate, to, false).ok();
    }
    (fx.base == to && fx.quote == from).then(|| amount.exchanged(&rate, to, true).ok()).flatten()
}

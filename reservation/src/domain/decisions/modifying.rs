//! What may be changed while somebody is to come or is here: days, rooms, guests, prices. Each change is told with how it was and
//! how it is, and with the money that follows from it.

use contracts::ids::{GuestId, RoomId};
use contracts::reservation::{
    Channel, ContactHash, ModificationType, MoneyDirection, MoneyRequest, Occupants, PaymentMethod, RefundRequest,
};
use contracts::time::Timestamp;
use jiff::civil::Date;
use platform::Decided;
use serde_json::{Map, Value, json};

use super::{Cancel, Decision, Difference, MOST_ITEMS, Moment, StayError, changed_number};
use crate::domain::money::{Money, TooMuch};
use crate::domain::reservation::ReservationStatus::{CheckInStarted, CheckedIn, Confirmed, Held};
use crate::domain::reservation::{Asked, DatesChanged, Guest, Item, Place, Reservation, ReservationEvent};
use crate::domain::stay::{DAYS_AHEAD, Stay, dates, days_between};

/// A guest's new name, contacts or language; what they are stays where guests are kept.
#[derive(Clone, Debug)]
pub struct NewProfile {
    pub guest: Guest,
    /// Which of them were said: `name`, `email` ..
    pub fields: Vec<&'static str>,
    pub expected_arrival_at: Option<Timestamp>,
}

/// An item goes to another room, or is told its own.
#[derive(Clone, Debug)]
pub struct RoomMove {
    pub item: String,
    /// `None`: it lost its room and there is no other.
    pub to: Option<RoomId>,
    pub allocation: String,
}

fn side(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

impl Reservation {
    /// Whether anything but the guest and the door it came through may be changed.
    pub fn may_be_modified(&self) -> Result<(), StayError> {
        match self.status {
            Confirmed | CheckInStarted | CheckedIn => Ok(()),
            _ => Err(self.illegal("be changed like that")),
        }
    }

    /// Whether the stay may have these nights instead.
    pub fn may_move_to(&self, to: Stay, moment: &Moment<'_>) -> Result<(), StayError> {
        self.may_be_modified()?;
        let today = moment.house.hotel_date(moment.now);
        if to == self.stay {
            return Err(StayError::StayInvalid("these are its nights already"));
        }
        if to.end() <= today {
            return Err(StayError::StayInvalid("the stay ends after today"));
        }
        if to.start() == self.stay.start() {
            return Ok(());
        }
        if self.status != Confirmed {
            return Err(StayError::StayInvalid("who has come keeps the first night; only the end may change"));
        }
        match days_between(today, to.start()) {
            ..0 => Err(StayError::StayInvalid("the stay begins in the past")),
            ahead if ahead > DAYS_AHEAD => Err(StayError::StayInvalid("the stay begins more than 730 days ahead")),
            _ => Ok(()),
        }
    }

    /// Other days. Nights that are kept keep their price, new ones cost what the house asks today, and what is dropped follows the
    /// policy.
    pub fn change_dates(
        mut self,
        to: Stay,
        price: &dyn Fn(&Item, Date) -> Option<Money>,
        id: &str,
        moment: &Moment<'_>,
    ) -> Decision {
        self.may_move_to(to, moment)?;
        let (from, grand) = (self.stay, self.totals()?.grand);
        let left = moment.house.check_in_at(from.start()).as_millis() - moment.now.as_millis();
        let rule = match self.status {
            // Who is in the house and goes earlier leaves early.
            CheckedIn => self.policy.early_checkout,
            _ => self.policy.for_hours_left(left.div_euclid(3_600_000)),
        };
        let (mut penalty, mut dropped_any) = (Money::ZERO, false);
        for item in self.items.iter_mut().filter(|item| item.active) {
            let first = item.first_night(from.start());
            let known: Vec<(Date, Money)> = dates(first, from.end()).zip(item.nightly_rates.iter().copied()).collect();
            let begins = if item.late_nights == 0 { to.start() } else { first.max(to.start()) };
            let mut rates = Vec::new();
            for night in dates(begins, to.end()) {
                let kept = known.iter().find(|(date, _)| *date == night).map(|(_, rate)| *rate);
                let missing = || StayError::RateMissing { room_type: item.room_type_id.clone(), night };
                rates.push(kept.or_else(|| price(item, night)).ok_or_else(missing)?);
            }
            let gone = |date: &Date| *date < begins || *date >= to.end();
            let lost: Vec<Money> = known.iter().filter(|(date, _)| gone(date)).map(|(_, rate)| *rate).collect();
            dropped_any |= !lost.is_empty();
            penalty = penalty.plus(rule.of(&lost, self.currency)?)?;
            item.nightly_rates = rates;
            item.late_nights = u32::try_from(days_between(to.start(), begins)).unwrap_or(0);
        }
        self.stay = to;
        self.pay_once_for_nights_now_booked(from, moment);
        self.charge("penalty", penalty, moment.now);
        let over = Money::ZERO.minus(self.balance()?)?.or_nothing();
        let policy = dropped_any.then(|| self.policy_applied(over, penalty));
        let policy_ref = policy.as_ref().map(|policy| policy.reference.clone());
        let window = |stay: Stay| side([("stayWindow", json!(stay.window()))]);
        let told = (window(from), window(to));
        let price_delta = self.totals()?.grand.minus(grand)?;
        let difference = Difference { price_delta, policy, ..Difference::new(ModificationType::DateChange, told) };
        let dates_changed = DatesChanged {
            id: id.to_owned(),
            at: moment.now,
            by: moment.by.clone(),
            before: from,
            after: to,
            price_delta,
            policy_ref,
        };
        let mut requests = self.money_that_follows()?.into_iter();
        let difference = Difference { money: requests.next(), ..difference };
        let decided = self.modified(difference, id, moment);
        let decided = decided.and(ReservationEvent::DatesChanged(Box::new(dates_changed)));
        Ok(more_requests(decided, requests, id, moment))
    }

    /// An item has another room, for the rest of its nights. Whoever was not told a room had none.
    pub fn change_room(mut self, to: RoomMove, id: &str, moment: &Moment<'_>) -> Decision {
        self.may_lose_its_room()?;
        let at = self.items.iter().position(|item| item.active && item.id == to.item);
        let at = at.ok_or_else(|| StayError::ItemUnknown(to.item.clone()))?;
        if self.is_at_desk() && self.items[at].room().is_some_and(|room| self.has_loose_key(room)) {
            self.keys_left_behind += 1;
        }
        let item = &mut self.items[at];
        let before = item.place.as_ref().filter(|place| place.pinned).and_then(|place| place.room.clone());
        let shown = |room: Option<&RoomId>| {
            let room = room.map(|room| ("roomId", json!(room)));
            side([("itemId", json!(to.item))].into_iter().chain(room))
        };
        let told = (shown(before.as_ref()), shown(to.to.as_ref()));
        let pinned = to.to.is_some();
        item.place = Some(Place { allocation: to.allocation, room: to.to, pinned });
        Ok(self.modified(Difference::new(ModificationType::RoomChange, told), id, moment))
    }

    /// A room can break while somebody only holds it.
    fn may_lose_its_room(&self) -> Result<(), StayError> {
        if self.status == Held { Ok(()) } else { self.may_be_modified() }
    }

    /// One more room, for the nights that are left.
    pub fn add_room(mut self, item: Item, id: &str, moment: &Moment<'_>) -> Decision {
        self.may_be_modified()?;
        if self.active_items().count() >= MOST_ITEMS {
            return Err(StayError::Invalid { field: "item", rule: "a reservation has at most 50 rooms" });
        }
        let grand = self.totals()?.grand;
        let mut after = self.shown(&item);
        if let Some(Place { room: Some(room), pinned: true, .. }) = &item.place {
            after.insert("roomId".to_owned(), json!(room));
        }
        self.items.push(item);
        self.settled(Difference::new(ModificationType::RoomAdded, (Map::new(), after)), grand, id, moment)
    }

    /// One room less: a cancellation of this room. The last one is given up by cancelling all of it.
    pub fn remove_room(self, cancel: &Cancel<'_>, moment: &Moment<'_>) -> Decision {
        if !matches!(self.status, Confirmed | CheckInStarted) {
            return Err(self.illegal("give up a room"));
        }
        for item in cancel.items.unwrap_or_default() {
            self.item(item)?;
        }
        if self.active_items().count() < 2 {
            return Err(StayError::Invalid { field: "itemId", rule: "this is the last room: cancel the reservation" });
        }
        self.cancel(cancel, moment)
    }

    pub fn change_guest_count(mut self, item: &str, occupants: Occupants, id: &str, moment: &Moment<'_>) -> Decision {
        self.may_be_modified()?;
        let item = self.active_item(item)?;
        let shown = |item: &Item| side([("itemId", json!(item.id)), ("occupants", json!(item.occupants))]);
        let before = shown(item);
        item.occupants = occupants;
        let after = shown(item);
        Ok(self.modified(Difference::new(ModificationType::GuestCountChange, (before, after)), id, moment))
    }

    /// Another price for every night of an item.
    pub fn change_rate(mut self, item: &str, rate: Money, id: &str, moment: &Moment<'_>) -> Decision {
        self.may_be_modified()?;
        let (grand, currency) = (self.totals()?.grand, self.currency);
        let item = self.active_item(item)?;
        let shown = |item: &Item| {
            let rate = item.mean_rate();
            side([("itemId", json!(item.id)), ("nightlyRateMicro", json!(rate)), ("currency", json!(currency))])
        };
        let before = shown(item);
        item.nightly_rates.fill(rate);
        let after = shown(item);
        self.settled(Difference::new(ModificationType::RateChange, (before, after)), grand, id, moment)
    }

    /// Another name, contact or language, another guest, another hour. What they are is not told.
    pub fn update_profile(mut self, new: NewProfile, id: &str, moment: &Moment<'_>) -> Decision {
        if self.status != Held {
            self.may_be_modified()?;
        }
        let shown = |guest: &Guest| {
            let (id, hash): (&GuestId, &ContactHash) = (&guest.guest_id, &guest.contact_hash);
            side([
                ("guestId", json!(id)),
                ("locale", json!(guest.locale)),
                ("contactHash", json!(hash)),
                ("fields", json!(new.fields)),
            ])
        };
        let told = (shown(&self.guest), shown(&new.guest));
        self.guest = new.guest;
        self.expected_arrival_at = new.expected_arrival_at.or(self.expected_arrival_at);
        Ok(self.modified(Difference::new(ModificationType::GuestProfileUpdate, told), id, moment))
    }

    /// It came through another door than was noted.
    pub fn correct_channel(
        mut self,
        (channel, partner): (Channel, Option<String>),
        id: &str,
        moment: &Moment<'_>,
    ) -> Decision {
        if self.status != Held {
            self.may_be_modified()?;
        }
        let shown = |channel: &Channel, partner: Option<&String>| {
            let partner = partner.map(|partner| ("partnerId", json!(partner)));
            side([("channel", json!(channel))].into_iter().chain(partner))
        };
        let told = (shown(&self.channel, self.partner_id.as_ref()), shown(&channel, partner.as_ref()));
        (self.channel, self.partner_id) = (channel, partner);
        Ok(self.modified(Difference::new(ModificationType::ChannelAttributionCorrected, told), id, moment))
    }

    fn active_item(&mut self, id: &str) -> Result<&mut Item, StayError> {
        let item = self.items.iter_mut().find(|item| item.active && item.id == id);
        item.ok_or_else(|| StayError::ItemUnknown(id.to_owned()))
    }

    /// An item as others are told of it.
    pub(super) fn shown(&self, item: &Item) -> Map<String, Value> {
        side([
            ("itemId", json!(item.id)),
            ("roomTypeId", json!(item.room_type_id)),
            ("occupants", json!(item.occupants)),
            ("nightlyRateMicro", json!(item.mean_rate())),
            ("currency", json!(self.currency)),
        ])
    }

    /// What an item costs with its tax.
    pub(super) fn taxed(&self, item: &Item) -> Result<Money, TooMuch> {
        let price = item.price()?;
        price.plus(price.share(self.tax_ppm, self.currency)?)
    }

    /// A change of price, with what it costs more or less, and the money that follows.
    fn settled(mut self, difference: Difference, grand: Money, id: &str, moment: &Moment<'_>) -> Decision {
        let price_delta = self.totals()?.grand.minus(grand)?;
        let requests = if price_delta == Money::ZERO { Vec::new() } else { self.money_that_follows()? };
        Ok(self.asking(Difference { price_delta, ..difference }, requests, id, moment))
    }

    /// Each payment is asked for by itself: the first with the change, every further one with a change of its own.
    pub(super) fn asking(
        self,
        difference: Difference,
        requests: Vec<MoneyRequest>,
        id: &str,
        moment: &Moment<'_>,
    ) -> Decided<Self> {
        let mut requests = requests.into_iter();
        let decided = self.modified(Difference { money: requests.next(), ..difference }, id, moment);
        more_requests(decided, requests, id, moment)
    }

    /// Overpaid: it is asked back, payment by payment.
    pub(super) fn ask_back(&mut self) -> Result<Vec<MoneyRequest>, TooMuch> {
        let (_, refunds) = self.ask_back_what_is_over()?;
        let request = |RefundRequest { payment_intent_id, amount_micro }| MoneyRequest {
            payment_intent_id: Some(payment_intent_id),
            amount_micro,
            direction: MoneyDirection::Refund,
        };
        Ok(refunds.into_iter().map(request).collect())
    }

    /// Overpaid: it is asked back. Still to pay, and not in cash: what is due and was not asked for is asked for.
    fn money_that_follows(&mut self) -> Result<Vec<MoneyRequest>, TooMuch> {
        let refunds = self.ask_back()?;
        let due = self.balance()?.or_nothing();
        let in_cash = self.pending_cash || matches!(self.method, None | Some(PaymentMethod::CashOnArrival));
        if !refunds.is_empty() || in_cash || !due.is_due() {
            return Ok(refunds);
        }
        let paid = self.paid()?;
        let came = paid.minus(self.charge_asked.paid)?.or_nothing();
        let waited_for = self.charge_asked.amount.minus(came)?.or_nothing().min(due);
        let amount = due.minus(waited_for)?;
        self.charge_asked = Asked { amount: due, paid };
        let request =
            MoneyRequest { payment_intent_id: None, amount_micro: amount.micros(), direction: MoneyDirection::Charge };
        Ok(amount.is_due().then_some(request).into_iter().collect())
    }
}

fn more_requests(
    decided: Decided<Reservation>,
    requests: impl Iterator<Item = MoneyRequest>,
    id: &str,
    moment: &Moment<'_>,
) -> Decided<Reservation> {
    requests.fold(decided, |decided, request| {
        let balance = decided.state().balance().unwrap_or_default();
        let told = changed_number("balanceMicro", balance, balance);
        let difference = Difference { money: Some(request), ..Difference::new(ModificationType::RateChange, told) };
        decided.and(difference.told(id, moment))
    })
}

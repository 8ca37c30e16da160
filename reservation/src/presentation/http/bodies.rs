//! Bodies of commands, bounded, with the field names of the events.

use std::borrow::Cow;

use contracts::actor::{Actor, ActorKind};
use contracts::ids::{DeviceId, GuestId, PropertyId, QuoteId, RoomId, RoomTypeId};
use contracts::reservation::{CancelReason, Channel, FxSnapshot, Occupants, PaymentMethod};
use contracts::time::Timestamp;
use contracts::values::{Currency, LocalDate, Micros};
use jiff::civil::Date;
use platform::Refusal;
use platform::auth::{Caller, Role};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::ReservationError;
use crate::application::booking::{BookingWords, GuestWords, Wanted, Wish};
use crate::application::stays::PaymentWords;
use crate::domain::money::Money;
use crate::domain::stay::{Stay, days_between};

/// So many nights may be priced at once.
const MOST_PRICED: i32 = 1_100;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PutRoomType {
    pub property_id: PropertyId,
    pub name: Option<String>,
    pub max_occupancy: Option<i32>,
    pub base_rate_micro: Option<Micros>,
    pub overbooking: Option<i32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PutRoom {
    pub property_id: PropertyId,
    pub room_type_id: Option<RoomTypeId>,
    pub number: Option<String>,
    pub floor: Option<String>,
    pub archived: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PutRates {
    pub from: LocalDate,
    pub to: LocalDate,
    pub rate_micro: Micros,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PutSellLimits {
    pub from: LocalDate,
    pub to: LocalDate,
    pub overbooking: i32,
}

/// A text of 1 to so many characters.
pub(super) fn word(field: &'static str, text: Option<String>, longest: usize) -> Result<Option<String>, Refusal> {
    match text {
        Some(text) if text.trim().is_empty() || text.chars().count() > longest => {
            Err(Refusal::invalid(field, format!("1 to {longest} characters")))
        }
        other => Ok(other),
    }
}

/// A price: not below nothing, not above any bill.
pub(super) fn price(field: impl Into<Cow<'static, str>>, micros: Micros) -> Result<Money, Refusal> {
    match Money::said(micros) {
        Ok(money) if money < Money::ZERO => Err(Refusal::invalid(field, "a price is not below nothing")),
        Ok(money) => Ok(money),
        Err(error) => Err(Refusal::invalid(field, error.to_string())),
    }
}

/// How many more, or fewer, are sold than there are.
pub(super) fn overbooking(number: Option<i32>) -> Result<Option<i32>, Refusal> {
    match number {
        Some(number) if !(-10_000..=10_000).contains(&number) => {
            Err(Refusal::invalid("overbooking", "from -10000 to 10000"))
        }
        other => Ok(other),
    }
}

/// Nights `[from, to)`.
pub(super) fn nights(from: LocalDate, to: LocalDate, most: i32) -> Result<(Date, Date), Refusal> {
    if (1..=most).contains(&days_between(from.0, to.0)) {
        return Ok((from.0, to.0));
    }
    Err(Refusal::invalid("to", format!("after `from`, and at most {most} nights later")))
}

pub(super) fn priced_nights(from: LocalDate, to: LocalDate) -> Result<(Date, Date), Refusal> {
    nights(from, to, MOST_PRICED)
}

/// So many rooms one reservation has.
const MOST_ITEMS: usize = 50;

#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct Window {
    pub start: LocalDate,
    pub end: LocalDate,
    pub nights: Option<u32>,
}

#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct Guests {
    pub adults: u32,
    #[serde(default)]
    pub children: u32,
    #[serde(default)]
    pub infants: u32,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WantedItem {
    pub room_type_id: RoomTypeId,
    pub occupants: Guests,
    pub nightly_rate_micro: Option<Micros>,
    /// The room that was promised.
    pub room_id: Option<RoomId>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AskQuote {
    pub property_id: PropertyId,
    pub stay_window: Window,
    pub items: Vec<WantedItem>,
    pub channel: Option<Channel>,
    pub partner_id: Option<String>,
    pub guest_id: Option<GuestId>,
    pub device_id: Option<DeviceId>,
    pub currency: Option<Currency>,
    pub fx_snapshot: Option<FxSnapshot>,
}

#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BookingGuest {
    pub guest_id: Option<GuestId>,
    pub name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub locale: Option<String>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Book {
    /// Instead of house, nights and rooms.
    pub quote_id: Option<QuoteId>,
    pub property_id: Option<PropertyId>,
    pub stay_window: Option<Window>,
    pub items: Option<Vec<WantedItem>>,
    pub channel: Option<Channel>,
    pub partner_id: Option<String>,
    pub external_reference: Option<String>,
    pub group_code: Option<String>,
    pub primary_guest: BookingGuest,
    pub hold_ttl_seconds: Option<u32>,
    pub payment_intent_id: Option<String>,
    pub currency: Option<Currency>,
    pub fx_snapshot: Option<FxSnapshot>,
    pub expected_arrival_at: Option<Timestamp>,
    pub on_behalf_of: Option<Actor>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WalkInPayment {
    /// As where a booking is confirmed.
    #[serde(flatten)]
    pub told: ConfirmPayment,
    /// Taken at the desk.
    pub amount_micro: Option<Micros>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WalkIn {
    /// Instead of house, nights and rooms.
    pub quote_id: Option<QuoteId>,
    pub property_id: Option<PropertyId>,
    pub stay_window: Option<Window>,
    pub items: Option<Vec<WantedItem>>,
    /// `walk_in`, unless said otherwise.
    pub channel: Option<Channel>,
    pub partner_id: Option<String>,
    pub external_reference: Option<String>,
    pub group_code: Option<String>,
    pub primary_guest: BookingGuest,
    pub currency: Option<Currency>,
    pub fx_snapshot: Option<FxSnapshot>,
    pub expected_arrival_at: Option<Timestamp>,
    pub payment: WalkInPayment,
    /// Into a room that is not ready.
    #[serde(default)]
    pub force: bool,
}

impl WalkIn {
    /// As any booking.
    pub(super) fn book(&self) -> Book {
        let one = self.clone();
        Book {
            quote_id: one.quote_id,
            property_id: one.property_id,
            stay_window: one.stay_window,
            items: one.items,
            channel: one.channel,
            partner_id: one.partner_id,
            external_reference: one.external_reference,
            group_code: one.group_code,
            primary_guest: one.primary_guest,
            hold_ttl_seconds: None,
            payment_intent_id: None,
            currency: one.currency,
            fx_snapshot: one.fx_snapshot,
            expected_arrival_at: one.expected_arrival_at,
            on_behalf_of: None,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct IntendPayment {
    pub payment_intent_id: String,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConfirmPayment {
    pub method: PaymentMethod,
    /// The payments that were captured.
    #[serde(default)]
    pub payment_intent_ids: Vec<String>,
    /// What of them is there already.
    pub captured_micro: Option<Micros>,
    /// A manager's word is enough.
    #[serde(default)]
    pub deposit_waived: bool,
}

impl ConfirmPayment {
    pub(super) fn words(&self) -> Result<PaymentWords, Refusal> {
        if self.payment_intent_ids.len() > 20 {
            return Err(Refusal::invalid("payment.paymentIntentIds", "at most 20"));
        }
        let intent = |id: &String| word("payment.paymentIntentIds", Some(id.clone()), 100);
        let intents = self.payment_intent_ids.iter().map(intent).collect::<Result<Vec<_>, _>>()?;
        Ok(PaymentWords {
            method: known_method(&self.method)?,
            intents: intents.into_iter().flatten().collect(),
            captured: self.captured_micro.map(|sum| price("payment.capturedMicro", sum)).transpose()?,
            deposit_waived: self.deposit_waived,
        })
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Confirm {
    pub payment: ConfirmPayment,
    pub on_behalf_of: Option<Actor>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct StartCheckout {
    pub on_behalf_of: Option<Actor>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CancelBody {
    pub reason_code: CancelReason,
    pub reason: String,
    /// Some of the items; without it, all.
    pub items: Option<Vec<String>>,
    /// A manager's to give.
    #[serde(default)]
    pub waive_penalty: bool,
    pub on_behalf_of: Option<Actor>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AssignedRoom {
    pub item_id: String,
    pub room_id: RoomId,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CheckIn {
    #[serde(default)]
    pub assigned_rooms: Vec<AssignedRoom>,
    pub on_behalf_of: Option<Actor>,
    /// Into a room that is not ready.
    #[serde(default)]
    pub force: bool,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct WithReason {
    pub reason: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClosedFolio {
    pub folio_id: String,
    pub final_balance_micro: Micros,
    pub currency: Currency,
    pub settled: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CheckOut {
    /// The bill as billing closed it; without it, ours.
    pub folio: Option<ClosedFolio>,
    /// A manager's to give.
    #[serde(default)]
    pub allow_unsettled: bool,
    pub on_behalf_of: Option<Actor>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pay {
    pub method: PaymentMethod,
    /// Below zero: paid back.
    pub amount_micro: Micros,
    pub currency: Currency,
}

/// The nights of a stay, as they were asked for.
pub(super) fn stay(window: &Window) -> Result<Stay, ReservationError> {
    let stay =
        Stay::new(window.start.0, window.end.0).ok_or(ReservationError::StayInvalid("a stay has 1 to 365 nights"))?;
    match window.nights {
        Some(nights) if nights != stay.nights() => {
            Err(Refusal::invalid("stayWindow.nights", format!("from start to end there are {}", stay.nights())).into())
        }
        _ => Ok(stay),
    }
}

pub(super) fn wanted(items: &[WantedItem]) -> Result<Vec<Wanted>, ReservationError> {
    if items.is_empty() || items.len() > MOST_ITEMS {
        return Err(Refusal::invalid("items", format!("1 to {MOST_ITEMS} rooms")).into());
    }
    items.iter().map(|item| wanted_one("items", item)).collect()
}

pub(super) fn wanted_one(field: &str, item: &WantedItem) -> Result<Wanted, ReservationError> {
    let rate = |rate| price(format!("{field}.nightlyRateMicro"), rate);
    Ok(Wanted {
        room_type: item.room_type_id.clone(),
        occupants: occupants(format!("{field}.occupants"), &item.occupants)?,
        rate: item.nightly_rate_micro.map(rate).transpose()?,
        room: item.room_id.clone(),
    })
}

/// Somebody grown up, and not a crowd.
pub(super) fn occupants(field: impl Into<Cow<'static, str>>, guests: &Guests) -> Result<Occupants, Refusal> {
    let Guests { adults, children, infants } = *guests;
    if adults == 0 || adults > 100 || children > 100 || infants > 100 {
        return Err(Refusal::invalid(field, "at least one adult, at most 100 of each"));
    }
    Ok(Occupants { adults, children, infants })
}

/// Words such as `mid_stay_clean`.
pub(super) fn tags(field: &'static str, tags: &[String], needed: bool) -> Result<Vec<String>, Refusal> {
    let is_tag = |tag: &String| {
        (1..=60).contains(&tag.len())
            && tag.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b':'))
    };
    if tags.len() > 20 || !tags.iter().all(is_tag) || needed && tags.is_empty() {
        return Err(Refusal::invalid(field, "1 to 20 words of letters, digits, dashes and underscores"));
    }
    Ok(tags.to_vec())
}

/// What is said of a guest, bounded.
pub(super) fn guest_words(guest: BookingGuest) -> Result<GuestWords, Refusal> {
    let BookingGuest { guest_id, name, email, phone, locale } = guest;
    Ok(GuestWords {
        id: guest_id,
        name: word("primaryGuest.name", name, 200)?,
        email: word("primaryGuest.email", email, 254)?,
        phone: word("primaryGuest.phone", phone, 40)?,
        locale: word("primaryGuest.locale", locale, 35)?,
    })
}

pub(super) fn known_channel(channel: Option<Channel>, usual: Channel) -> Result<Channel, Refusal> {
    match channel {
        Some(Channel::Unknown(_)) => Err(Refusal::invalid("channel", "direct, meta, walk_in, phone_by_staff or ota")),
        other => Ok(other.unwrap_or(usual)),
    }
}

pub(super) fn known_method(method: &PaymentMethod) -> Result<PaymentMethod, Refusal> {
    match method {
        PaymentMethod::Unknown(_) => Err(Refusal::invalid("method", "paypal, card, cash_on_arrival, mfs or mixed")),
        known => Ok(known.clone()),
    }
}

impl AskQuote {
    pub(super) fn wish(&self) -> Result<Wish, ReservationError> {
        Ok(Wish {
            property: self.property_id.clone(),
            stay: stay(&self.stay_window)?,
            items: wanted(&self.items)?,
            currency: self.currency,
            fx: self.fx_snapshot.clone(),
        })
    }
}

impl Book {
    pub(super) fn wish(&self) -> Result<Wish, ReservationError> {
        let missing = |field: &'static str| Refusal::invalid(field, "is required, unless there is a quoteId");
        Ok(Wish {
            property: self.property_id.clone().ok_or_else(|| missing("propertyId"))?,
            stay: stay(self.stay_window.as_ref().ok_or_else(|| missing("stayWindow"))?)?,
            items: wanted(self.items.as_deref().ok_or_else(|| missing("items"))?)?,
            currency: self.currency,
            fx: self.fx_snapshot.clone(),
        })
    }

    pub(super) fn words(&self, caller: &Caller, usual: Channel) -> Result<BookingWords, ReservationError> {
        if self.primary_guest.guest_id.is_none() && self.primary_guest.name.is_none() {
            return Err(Refusal::invalid("primaryGuest", "a guestId or a name").into());
        }
        if self.hold_ttl_seconds.is_some_and(|ttl| !(120..=1_800).contains(&ttl)) {
            return Err(Refusal::invalid("holdTtlSeconds", "from 120 to 1800").into());
        }
        let guest = guest_words(self.primary_guest.clone())?;
        Ok(BookingWords {
            channel: known_channel(self.channel.clone(), usual)?,
            partner_id: word("partnerId", self.partner_id.clone(), 100)?,
            external_reference: word("externalReference", self.external_reference.clone(), 100)?,
            group_code: word("groupCode", self.group_code.clone(), 100)?,
            guest,
            guests_of: caller.properties.clone(),
            hold_ttl_seconds: self.hold_ttl_seconds,
            payment_intent: word("paymentIntentId", self.payment_intent_id.clone(), 100)?,
            expected_arrival_at: self.expected_arrival_at,
            by: actor(caller, self.on_behalf_of.as_ref())?,
        })
    }
}

/// Who is told to have done it: people by their place on the staff, a service as itself or for a guest.
pub(super) fn actor(caller: &Caller, on_behalf_of: Option<&Actor>) -> Result<Actor, ReservationError> {
    let is_service = caller.roles.has(Role::Service);
    match on_behalf_of {
        Some(guest) if is_service && matches!(guest.kind, ActorKind::Guest | ActorKind::GuestSelfService) => {
            GuestId::parse(&guest.id)
                .ok()
                .filter(|id| id.as_str().starts_with("gst_"))
                .map(|_| guest.clone())
                .ok_or_else(|| Refusal::invalid("onBehalfOf.id", "the id of a guest").into())
        }
        Some(_) => Err(ReservationError::NotAllowed("only a service acts for others, and only for guests")),
        None if is_service => Ok(Actor::system(&caller.subject)),
        None => {
            let id = caller.staff.as_ref().map_or(caller.subject.as_str(), |staff| staff.as_str());
            Ok(Actor { kind: ActorKind::Staff, id: id.to_owned() })
        }
    }
}

//! How a reservation's events are told to others: with ids, hashes and money, never with a name or a contact.

use contracts::actor::{Actor, ActorKind};
use contracts::reservation::{
    CancelledV1, ChannelAttribution, CheckInStartedV1, CheckedInV1, CheckedOutV1, CheckoutStartedV1, ConfirmedTotals,
    ConfirmedV1, DatesChangedV1, EarlyCheckoutV1, FolioClosing, HeldItem, HeldV1, Hold, HoldExpiredV1, HoldingGuest,
    ModificationRequestedV1, ModifiedV1, NoShowV1, OverstayedV1, Payment, PaymentMethod, PaymentStatus, PrimaryGuest,
    SpecialRequestAddedV1, Totals,
};
use platform::database::{Scribe, Told};
use serde_json::{Map, Value, json};

use super::discreet::for_others;
use crate::domain::money::Money;
use crate::domain::reservation::{Item, Reservation, ReservationEvent};

#[expect(clippy::too_many_lines, reason = "one arm for each event, each a list of fields")]
pub(super) fn tell(reservation: &Reservation, event: &ReservationEvent, version: i32, scribe: &Scribe<'_>) -> Told {
    let (reservation_id, tenant_id) = (reservation.id.clone(), scribe.tenant.clone());
    let property_id = reservation.property_id.clone();
    let aggregate_version = u64::try_from(version).ok();
    // Three events tell what a guest has to pay for, and look alike.
    macro_rules! penalised {
        ($payload:ident, $at:expr, $by:expr, $applied:expr $(, $more:ident: $is:expr)?) => {
            Told::everybody(&$payload {
                reservation_id,
                tenant_id,
                property_id,
                occurred_at: *$at,
                actor: $by.clone(),
                penalty_micro: $applied.penalty_micro,
                currency: $applied.currency,
                policy_applied: Some($applied.clone()),
                aggregate_version,
                $($more: $is,)?
            })
        };
    }
    match event {
        ReservationEvent::Held => held(reservation, aggregate_version, scribe),
        ReservationEvent::HoldExpired { at } => Told::everybody(&HoldExpiredV1 {
            reservation_id,
            tenant_id,
            property_id,
            hold_id: reservation.hold.hold_id.clone(),
            expired_at: *at,
            inventory_allocation_ids: allocation_ids(reservation),
            payment_intent_id: reservation.payment_intent.clone(),
            aggregate_version,
        }),
        ReservationEvent::Confirmed { at, cause } => {
            confirmed(reservation, *at, cause.clone(), aggregate_version, scribe)
        }
        ReservationEvent::Cancelled(told) => Told::everybody(&CancelledV1 {
            reservation_id,
            tenant_id,
            property_id,
            cancelled_at: told.at,
            reason: for_others(&told.reason),
            reason_code: told.reason_code.clone(),
            policy_applied: told.policy_applied.clone(),
            payment_refunds_requested: told.refunds.clone(),
            items_cancelled: told.items.clone(),
            actor: told.by.clone(),
            causation_event_id: told.cause.clone(),
            inventory_allocation_ids: told.late_allocations.clone(),
            aggregate_version,
        }),
        ReservationEvent::PaymentIntended { intent } => {
            let detail = json!({ "paymentIntentId": intent, "aggregateVersion": version });
            Told::nobody("reservation.payment_intended", &detail)
        }
        ReservationEvent::Modified(told) => Told::everybody(&ModifiedV1 {
            reservation_id,
            tenant_id,
            property_id: Some(property_id),
            modification_id: told.id.clone(),
            kind: told.kind.clone(),
            occurred_at: told.at,
            actor: told.by.clone(),
            before: told.before.clone(),
            after: with_reason(&told.after, told.reason.as_deref()),
            policy_applied_ref: told.policy.as_ref().map(|policy| policy.reference.clone()),
            policy_applied: told.policy.clone(),
            price_delta_micro: Some(told.price_delta.micros()),
            refund_or_charge_request: told.money.clone(),
            aggregate_version,
        }),
        ReservationEvent::DatesChanged(told) => Told::everybody(&DatesChangedV1 {
            reservation_id,
            tenant_id,
            property_id,
            modification_id: told.id.clone(),
            occurred_at: told.at,
            actor: told.by.clone(),
            before: told.before.window(),
            after: told.after.window(),
            policy_applied_ref: told.policy_ref.clone(),
            price_delta_micro: Some(told.price_delta.micros()),
            aggregate_version,
        }),
        ReservationEvent::SpecialRequestAdded(told) => Told::everybody(&SpecialRequestAddedV1 {
            reservation_id,
            tenant_id,
            request_id: told.id.clone(),
            tags: told.tags.clone(),
            free_text: told.free_text.as_deref().map(for_others),
            locale: told.locale.clone(),
            source: told.source.clone(),
            occurred_at: told.at,
            actor: told.by.clone(),
            ai_provenance: told.provenance.clone(),
            aggregate_version,
        }),
        ReservationEvent::ChangeWanted { wanted, at, by } => Told::everybody(&ModificationRequestedV1 {
            reservation_id,
            tenant_id,
            property_id,
            requested_mods: wanted.clone(),
            requested_at: *at,
            actor: by.clone(),
            aggregate_version,
        }),
        ReservationEvent::CheckInStarted { at, by, rooms } => Told::everybody(&CheckInStartedV1 {
            reservation_id,
            tenant_id,
            property_id,
            started_at: *at,
            assigned_rooms: rooms.clone(),
            actor: by.clone(),
            aggregate_version,
        }),
        ReservationEvent::CheckedIn { at, by, rooms } => Told::everybody(&CheckedInV1 {
            reservation_id,
            tenant_id,
            property_id,
            checked_in_at: *at,
            assigned_rooms: rooms.clone(),
            key_credential_ids: reservation.facts.keys(),
            requires_manual_key: reservation.lacks_a_key(),
            actor: by.clone(),
            early_check_in: reservation.early_check_in,
            aggregate_version,
        }),
        ReservationEvent::CheckoutStarted { at, by, rooms } => Told::everybody(&CheckoutStartedV1 {
            reservation_id,
            tenant_id,
            property_id,
            started_at: *at,
            rooms: rooms.clone(),
            actor: by.clone(),
            aggregate_version,
        }),
        ReservationEvent::EarlyCheckout { at, by, applied } => {
            let reason = reservation.left_early_because.as_deref().map(for_others);
            penalised!(EarlyCheckoutV1, at, by, applied, reason: reason)
        }
        ReservationEvent::CheckedOut { at, by, rooms, folio } => Told::everybody(&CheckedOutV1 {
            reservation_id,
            tenant_id,
            property_id,
            checked_out_at: *at,
            early_checkout: reservation.left_early,
            overstayed_nights: reservation.overstayed_nights,
            folio: Some(FolioClosing {
                folio_id: folio.folio_id.clone(),
                final_balance_micro: folio.balance.micros(),
                currency: folio.currency,
                settled: folio.settled,
            }),
            rooms: rooms.clone(),
            actor: by.clone(),
            aggregate_version,
        }),
        ReservationEvent::Overstayed { at, by, applied } => penalised!(OverstayedV1, at, by, applied),
        ReservationEvent::NoShow { at, by, applied } => penalised!(NoShowV1, at, by, applied),
    }
}

fn held(reservation: &Reservation, aggregate_version: Option<u64>, scribe: &Scribe<'_>) -> Told {
    let item_of = |item: &Item| HeldItem {
        item_id: item.id.clone(),
        room_type_id: item.room_type_id.clone(),
        occupants: item.occupants.clone(),
        nightly_rate_micro: item.mean_rate().micros(),
        currency: reservation.currency,
    };
    Told::everybody(&HeldV1 {
        reservation_id: reservation.id.clone(),
        tenant_id: scribe.tenant.clone(),
        property_id: reservation.property_id.clone(),
        reservation_code: reservation.code.clone(),
        channel: reservation.channel.clone(),
        partner_id: reservation.partner_id.clone(),
        primary_guest: HoldingGuest {
            guest_id: reservation.guest.guest_id.clone(),
            locale: reservation.guest.locale.clone(),
            contact_hash: reservation.guest.contact_hash.clone(),
        },
        stay_window: reservation.stay.window(),
        items: reservation.items.iter().map(item_of).collect(),
        totals: Totals { grand_total_micro: grand_total(reservation).micros(), currency: reservation.currency },
        hold: Hold {
            placed_at: reservation.hold.placed_at,
            expires_at: reservation.hold.expires_at,
            ttl_seconds: reservation.hold.ttl_seconds,
        },
        payment_intent_id: reservation.payment_intent.clone(),
        fx_snapshot: reservation.fx.clone(),
        created_by: maker(&reservation.created_by),
        occurred_at: reservation.created_at,
        aggregate_version,
    })
}

/// Whoever reads of a hold knows guests, staff and systems: a guest at a kiosk is a guest.
fn maker(by: &Actor) -> Actor {
    let kind = match &by.kind {
        ActorKind::Guest | ActorKind::GuestSelfService => ActorKind::Guest,
        ActorKind::Staff | ActorKind::User => ActorKind::Staff,
        ActorKind::System | ActorKind::Integration | ActorKind::Unknown(_) => ActorKind::System,
    };
    Actor { kind, id: by.id.clone() }
}

fn confirmed(
    reservation: &Reservation,
    at: contracts::Timestamp,
    cause: Option<String>,
    aggregate_version: Option<u64>,
    scribe: &Scribe<'_>,
) -> Told {
    let total = grand_total(reservation);
    let in_house = reservation.in_house_currency(total);
    let paid = reservation.facts.captured_sum().unwrap_or_default();
    let cash = reservation.pending_cash;
    Told::everybody(&ConfirmedV1 {
        reservation_id: reservation.id.clone(),
        tenant_id: scribe.tenant.clone(),
        property_id: reservation.property_id.clone(),
        reservation_code: reservation.code.clone(),
        stay_window: reservation.stay.window(),
        totals: ConfirmedTotals {
            grand_total_micro: total.micros(),
            currency: reservation.currency,
            in_tenant_currency_micro: in_house.map(Money::micros),
            tenant_currency: in_house.map(|_| reservation.house_currency),
        },
        payment: Payment {
            method: reservation.method.clone().unwrap_or(PaymentMethod::CashOnArrival),
            status: if cash { PaymentStatus::PendingCash } else { PaymentStatus::Captured },
            payment_intent_ids: reservation.payment_intents(),
            captured_micro: paid.micros(),
        },
        fx_snapshot: reservation.fx.clone(),
        channel: ChannelAttribution {
            channel: reservation.channel.clone(),
            partner_id: reservation.partner_id.clone(),
        },
        primary_guest: PrimaryGuest {
            guest_id: reservation.guest.guest_id.clone(),
            locale: reservation.guest.locale.clone(),
        },
        confirmed_at: at,
        causation_event_id: cause,
        aggregate_version,
    })
}

/// The sum was looked over when it was decided on.
fn grand_total(reservation: &Reservation) -> Money {
    reservation.totals().map(|totals| totals.grand).unwrap_or_default()
}

/// Ours, and those that another inventory told besides.
pub(crate) fn allocation_ids(reservation: &Reservation) -> Vec<String> {
    let own = reservation.items.iter().filter_map(|item| item.place.as_ref()).map(|place| place.allocation.clone());
    let mut all: Vec<String> = own.collect();
    for told in reservation.facts.allocation_ids() {
        if !all.contains(&told) {
            all.push(told);
        }
    }
    all
}

/// How it is, and why, where somebody had to say.
fn with_reason(after: &Map<String, Value>, reason: Option<&str>) -> Map<String, Value> {
    let why = reason.map(|reason| ("reason".to_owned(), Value::from(for_others(reason))));
    after.clone().into_iter().chain(why).collect()
}

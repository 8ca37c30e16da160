//! What the desk does with one reservation, over HTTP.

use std::sync::OnceLock;

use axum::Json;
use axum::extract::State;
use contracts::actor::Actor;
use contracts::ids::ReservationId;
use contracts::reservation::CancelReason;
use platform::http::{Answer, Changed, Command, Created, Id, Problem, Query, Who};
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bodies::{self, CancelBody, CheckIn, CheckOut, Confirm, IntendPayment, Pay, StartCheckout, WithReason};
use super::bookings::resource;
use crate::application::arriving::{self, Assigned};
use crate::application::stays::{self, AtDesk, CancelWords, OnReservation};
use crate::application::views::{CancellationPreview, ReservationResource};
use crate::domain::money::Money;
use crate::domain::reservation::{Folio, Reservation};
use crate::infrastructure::guests::KnownGuest;
use crate::presentation::FrontOffice;
use crate::{ReservationError, SCHEMA};

pub(super) type Changing = Answer<Changed<ReservationResource>>;

/// Where the guest comes to lie who is found beside a reservation.
pub(super) type FoundGuest = OnceLock<Option<KnownGuest>>;

pub(super) fn on<'a, T>(
    command: &'a Command<T>,
    id: &'a ReservationId,
    by: &'a Actor,
    guest: &'a FoundGuest,
) -> OnReservation<'a> {
    OnReservation { id, caller: &command.caller, by, if_match: command.if_match.as_ref(), guest }
}

/// A reservation after a step, with the guest who was found on the way.
pub(super) async fn shown(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    reservation: &Reservation,
    warnings: Vec<String>,
) -> Result<ReservationResource, ReservationError> {
    match on.guest.get() {
        Some(Some(known)) if known.id == reservation.guest.guest_id => {
            Ok(ReservationResource::of(reservation, Some(known), warnings)?)
        }
        _ => resource(uow, reservation, warnings).await,
    }
}

/// A step of one reservation, by whoever asks or for a guest: it is taken, and shown as it is afterwards.
pub(super) async fn step<T, F>(
    office: &FrontOffice,
    id: &ReservationId,
    command: &Command<T>,
    for_guest: Option<&Actor>,
    story: F,
) -> Changing
where
    F: AsyncFnOnce(&mut UnitOfWork, OnReservation<'_>) -> Result<AtDesk, ReservationError>,
{
    let run = async |uow: &mut UnitOfWork| {
        let (by, guest) = (bodies::actor(&command.caller, for_guest)?, FoundGuest::new());
        let on = on(command, id, &by, &guest);
        let AtDesk { reservation, warnings } = story(uow, on).await?;
        let resource = shown(uow, on, &reservation, warnings).await?;
        Ok::<_, ReservationError>(Changed::new(&resource, reservation.version))
    };
    command.run(&office.db, &SCHEMA, run).await
}

pub(super) async fn intend_payment(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<IntendPayment>,
) -> Changing {
    let intent = &command.body.payment_intent_id;
    step(&office, &id, &command, None, async |uow, on| {
        let intent = bodies::word("paymentIntentId", Some(intent.clone()), 100)?;
        Ok(stays::intend_payment(uow, on, intent.unwrap_or_default()).await?.into())
    })
    .await
}

pub(super) async fn confirm(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<Confirm>,
) -> Changing {
    let Confirm { payment, on_behalf_of } = &command.body;
    step(&office, &id, &command, on_behalf_of.as_ref(), async |uow, on| {
        Ok(stays::confirm(uow, on, payment.words()?).await?.into())
    })
    .await
}

pub(super) async fn pay(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<Pay>,
) -> Answer<Created<ReservationResource>> {
    let Pay { method, amount_micro, currency } = &command.body;
    let story = async |uow: &mut UnitOfWork| {
        let (by, guest) = (bodies::actor(&command.caller, None)?, FoundGuest::new());
        let on = on(&command, &id, &by, &guest);
        let amount = Money::said(*amount_micro)?;
        if amount == Money::ZERO {
            return Err(Refusal::invalid("amountMicro", "more than nothing, or less").into());
        }
        let method = bodies::known_method(method)?;
        let done = stays::pay(uow, on, amount, method, *currency).await?;
        let location = format!("/reservation/v1/reservations/{id}/folio");
        Ok::<_, ReservationError>(Created::new(&shown(uow, on, &done, Vec::new()).await?, done.version, location))
    };
    command.run(&office.db, &SCHEMA, story).await
}

pub(super) async fn cancel(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<CancelBody>,
) -> Changing {
    let body = &command.body;
    step(&office, &id, &command, body.on_behalf_of.as_ref(), async |uow, on| {
        let may_be_said = [CancelReason::GuestCancelled, CancelReason::StaffCancelled, CancelReason::Overbooked];
        if !may_be_said.contains(&body.reason_code) {
            return Err(Refusal::invalid("reasonCode", "guest_cancelled, staff_cancelled or overbooked").into());
        }
        let words = CancelWords {
            reason_code: body.reason_code.clone(),
            reason: bodies::word("reason", Some(body.reason.clone()), 2_000)?.unwrap_or_default(),
            items: body.items.clone(),
            waive_penalty: body.waive_penalty,
        };
        Ok(stays::cancel(uow, on, &words).await?.into())
    })
    .await
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct PreviewQuery {
    /// Ids of items with commas between them; without it, all.
    items: Option<String>,
}

pub(super) async fn preview(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    Id(id): Id<ReservationId>,
    Query(query): Query<PreviewQuery>,
) -> Result<Json<CancellationPreview>, Problem> {
    let items = query.items.map(|items| items.split(',').map(|item| item.trim().to_owned()).collect());
    let look = async |uow: &mut UnitOfWork| stays::preview(uow, &caller, &id, items).await;
    let seen = office.db.read(&SCHEMA, &caller.tenant, look).await?;
    let (policy_applied, payment_refunds_requested) = (seen.policy_applied, seen.refunds);
    Ok(Json(CancellationPreview { policy_applied, payment_refunds_requested }))
}

pub(super) async fn no_show(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<WithReason>,
) -> Changing {
    step(&office, &id, &command, None, async |uow, on| {
        let reason = bodies::word("reason", command.body.reason.clone(), 2_000)?;
        Ok(stays::call_no_show(uow, on, reason).await?.into())
    })
    .await
}

async fn check_in(office: &FrontOffice, id: &ReservationId, command: &Command<CheckIn>, complete: bool) -> Changing {
    let body = &command.body;
    step(office, id, command, body.on_behalf_of.as_ref(), async |uow, on| {
        let named = body.assigned_rooms.iter();
        let named = named.map(|one| Assigned { item: one.item_id.clone(), room: one.room_id.clone() });
        arriving::check_in(uow, on, &named.collect::<Vec<_>>(), (complete, body.force)).await
    })
    .await
}

pub(super) async fn start_check_in(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<CheckIn>,
) -> Changing {
    check_in(&office, &id, &command, false).await
}

pub(super) async fn complete_check_in(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<CheckIn>,
) -> Changing {
    check_in(&office, &id, &command, true).await
}

pub(super) async fn start_checkout(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<StartCheckout>,
) -> Changing {
    let for_guest = command.body.on_behalf_of.as_ref();
    step(&office, &id, &command, for_guest, async |uow, on| Ok(stays::start_checkout(uow, on).await?.into())).await
}

pub(super) async fn leave_early(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<WithReason>,
) -> Changing {
    step(&office, &id, &command, None, async |uow, on| {
        let because = bodies::word("reason", command.body.reason.clone(), 2_000)?;
        Ok(stays::leave_early(uow, on, because).await?.into())
    })
    .await
}

pub(super) async fn check_out(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<CheckOut>,
) -> Changing {
    let body = &command.body;
    step(&office, &id, &command, body.on_behalf_of.as_ref(), async |uow, on| {
        let bill = match &body.folio {
            None => None,
            Some(folio) => Some(Folio {
                folio_id: bodies::word("folio.folioId", Some(folio.folio_id.clone()), 100)?.unwrap_or_default(),
                balance: Money::try_from(folio.final_balance_micro)?,
                currency: folio.currency,
                settled: folio.settled,
            }),
        };
        Ok(stays::check_out(uow, on, bill, body.allow_unsettled).await?.into())
    })
    .await
}

//! What the desk does with one reservation, over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::actor::Actor;
use contracts::ids::ReservationId;
use contracts::reservation::CancelReason;
use platform::http::{Answer, Changed, Command, Created, Id, NoBody, Problem, Query, Who};
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bodies::{self, CancelBody, CheckIn, CheckOut, Confirm, IntendPayment, Pay, WithReason};
use super::bookings::resource;
use crate::application::stays::{self, Assigned, CancelWords, OnReservation, PaymentWords};
use crate::application::views::{CancellationPreview, ReservationResource};
use crate::domain::money::Money;
use crate::domain::reservation::{Folio, Reservation};
use crate::presentation::FrontOffice;
use crate::{ReservationError, SCHEMA};

pub(super) type Changing = Answer<Changed<ReservationResource>>;

pub(super) fn on<'a, T>(command: &'a Command<T>, id: &'a ReservationId, by: &'a Actor) -> OnReservation<'a> {
    OnReservation { id, caller: &command.caller, by, if_match: command.if_match.as_ref() }
}

async fn changed(
    uow: &mut UnitOfWork,
    reservation: &Reservation,
    warnings: Vec<String>,
) -> Result<Changed<ReservationResource>, ReservationError> {
    Ok(Changed::new(&resource(uow, reservation, warnings).await?, reservation.version))
}

pub(super) async fn intend_payment(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<IntendPayment>,
) -> Changing {
    let story = async |uow: &mut UnitOfWork| {
        let by = bodies::actor(&command.caller, None)?;
        let intent = bodies::word("paymentIntentId", Some(command.body.payment_intent_id.clone()), 100)?;
        let done = stays::intend_payment(uow, on(&command, &id, &by), intent.unwrap_or_default()).await?;
        changed(uow, &done, Vec::new()).await
    };
    command.run(&office.db, &SCHEMA, story).await
}

pub(super) async fn confirm(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<Confirm>,
) -> Changing {
    let payment = &command.body.payment;
    let story = async |uow: &mut UnitOfWork| {
        let by = bodies::actor(&command.caller, None)?;
        if payment.payment_intent_ids.len() > 20 {
            return Err(Refusal::invalid("payment.paymentIntentIds", "at most 20").into());
        }
        let intent = |id: &String| bodies::word("payment.paymentIntentIds", Some(id.clone()), 100);
        let intents = payment.payment_intent_ids.iter().map(intent).collect::<Result<Vec<_>, _>>()?;
        let words = PaymentWords {
            method: bodies::known_method(&payment.method)?,
            intents: intents.into_iter().flatten().collect(),
            captured: payment.captured_micro.map(|sum| bodies::price("payment.capturedMicro", sum)).transpose()?,
            deposit_waived: payment.deposit_waived,
        };
        let done = stays::confirm(uow, on(&command, &id, &by), words).await?;
        changed(uow, &done, Vec::new()).await
    };
    command.run(&office.db, &SCHEMA, story).await
}

pub(super) async fn pay(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<Pay>,
) -> Answer<Created<ReservationResource>> {
    let Pay { method, amount_micro, currency } = &command.body;
    let story = async |uow: &mut UnitOfWork| {
        let by = bodies::actor(&command.caller, None)?;
        let amount = Money::try_from(*amount_micro)?;
        if amount == Money::ZERO {
            return Err(Refusal::invalid("amountMicro", "more than nothing, or less").into());
        }
        let method = bodies::known_method(method)?;
        let done = stays::pay(uow, on(&command, &id, &by), amount, method, *currency).await?;
        let location = format!("/reservation/v1/reservations/{id}/folio");
        Ok::<_, ReservationError>(Created::new(&resource(uow, &done, Vec::new()).await?, done.version, location))
    };
    command.run(&office.db, &SCHEMA, story).await
}

pub(super) async fn cancel(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<CancelBody>,
) -> Changing {
    let body = &command.body;
    let story = async |uow: &mut UnitOfWork| {
        let by = bodies::actor(&command.caller, body.on_behalf_of.as_ref())?;
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
        let done = stays::cancel(uow, on(&command, &id, &by), &words).await?;
        changed(uow, &done, Vec::new()).await
    };
    command.run(&office.db, &SCHEMA, story).await
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
    let story = async |uow: &mut UnitOfWork| {
        let by = bodies::actor(&command.caller, None)?;
        let reason = bodies::word("reason", command.body.reason.clone(), 2_000)?;
        let done = stays::call_no_show(uow, on(&command, &id, &by), reason).await?;
        changed(uow, &done, Vec::new()).await
    };
    command.run(&office.db, &SCHEMA, story).await
}

async fn check_in(office: &FrontOffice, id: &ReservationId, command: &Command<CheckIn>, complete: bool) -> Changing {
    let body = &command.body;
    let story = async |uow: &mut UnitOfWork| {
        let by = bodies::actor(&command.caller, body.on_behalf_of.as_ref())?;
        let assigned: Vec<Assigned> = body
            .assigned_rooms
            .iter()
            .map(|one| Assigned { item: one.item_id.clone(), room: one.room_id.clone() })
            .collect();
        let how = (complete, body.force);
        let at_desk = stays::check_in(uow, on(command, id, &by), &assigned, how).await?;
        changed(uow, &at_desk.reservation, at_desk.warnings).await
    };
    command.run(&office.db, &SCHEMA, story).await
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
    command: Command<NoBody>,
) -> Changing {
    let story = async |uow: &mut UnitOfWork| {
        let by = bodies::actor(&command.caller, None)?;
        let done = stays::start_checkout(uow, on(&command, &id, &by)).await?;
        changed(uow, &done, Vec::new()).await
    };
    command.run(&office.db, &SCHEMA, story).await
}

pub(super) async fn leave_early(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<WithReason>,
) -> Changing {
    let story = async |uow: &mut UnitOfWork| {
        let by = bodies::actor(&command.caller, None)?;
        bodies::word("reason", command.body.reason.clone(), 2_000)?;
        let done = stays::leave_early(uow, on(&command, &id, &by)).await?;
        changed(uow, &done, Vec::new()).await
    };
    command.run(&office.db, &SCHEMA, story).await
}

pub(super) async fn check_out(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<CheckOut>,
) -> Changing {
    let body = &command.body;
    let story = async |uow: &mut UnitOfWork| {
        let by = bodies::actor(&command.caller, body.on_behalf_of.as_ref())?;
        let bill = match &body.folio {
            None => None,
            Some(folio) => Some(Folio {
                folio_id: bodies::word("folio.folioId", Some(folio.folio_id.clone()), 100)?.unwrap_or_default(),
                balance: Money::try_from(folio.final_balance_micro)?,
                currency: folio.currency,
                settled: folio.settled,
            }),
        };
        let done = stays::check_out(uow, on(&command, &id, &by), bill, body.allow_unsettled).await?;
        changed(uow, &done, Vec::new()).await
    };
    command.run(&office.db, &SCHEMA, story).await
}

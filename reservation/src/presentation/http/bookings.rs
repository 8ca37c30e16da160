//! Quotes, bookings and what there is to sell, over HTTP.

use axum::Json;
use axum::extract::State;
use contracts::ids::{GuestId, QuoteId, ReservationId, RoomId, RoomTypeId};
use contracts::reservation::Channel;
use contracts::values::LocalDate;
use platform::auth::{Caller, Role};
use platform::http::{
    Answer, Command, Created, Id, OneProperty, Page, Paging, Problem, PropertyScope, Query, Since, Tagged, Who,
    WholeList, Words,
};
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bodies::{self, AskQuote, Book, WalkIn};
use crate::application::arriving::WalkInWords;
use crate::application::booking::When;
use crate::application::lookout;
use crate::application::views::{
    AvailabilityResource, FolioResource, QuoteResource, ReservationHistoryItem, ReservationResource,
};
use crate::application::{arriving, booking, stays};
use crate::domain::reservation::{Reservation, ReservationStatus};
use crate::infrastructure::reservations::{self, Filter};
use crate::infrastructure::{guests, quotes};
use crate::presentation::FrontOffice;
use crate::{ReservationError, SCHEMA};

/// So many nights are looked at in one go.
const MOST_LOOKED_AT: i32 = 400;

/// A reservation with its guest, as the outside sees it.
pub(super) async fn resource(
    uow: &mut UnitOfWork,
    reservation: &Reservation,
    warnings: Vec<String>,
) -> Result<ReservationResource, ReservationError> {
    let known = guests::find(uow, std::slice::from_ref(&reservation.guest.guest_id)).await?;
    Ok(ReservationResource::of(reservation, known.first(), warnings)?)
}

/// A new one, as it was just said: what is queued cannot be read yet. Only a guest who came before can be looked up.
async fn as_said(
    uow: &mut UnitOfWork,
    reservation: &Reservation,
    said: &bodies::BookingGuest,
    warnings: Vec<String>,
) -> Result<ReservationResource, ReservationError> {
    let resource = match &said.guest_id {
        Some(_) => resource(uow, reservation, warnings).await?,
        None => ReservationResource::of(reservation, None, warnings)?,
    };
    Ok(with_guest(resource, said))
}

/// With what was just said of the guest.
pub(super) fn with_guest(mut resource: ReservationResource, said: &bodies::BookingGuest) -> ReservationResource {
    let guest = &mut resource.primary_guest;
    guest.name = said.name.clone().or(guest.name.take());
    guest.email = said.email.clone().or(guest.email.take());
    guest.phone = said.phone.clone().or(guest.phone.take());
    resource
}

/// Whoever asks at the desk is on the telephone; another system asks for a guest.
fn usual_channel(caller: &Caller) -> Channel {
    if caller.roles.has(Role::Service) { Channel::Direct } else { Channel::PhoneByStaff }
}

pub(super) async fn ask_quote(
    State(office): State<FrontOffice>,
    command: Command<AskQuote>,
) -> Answer<Created<QuoteResource>> {
    let body = &command.body;
    let story = async |uow: &mut UnitOfWork| {
        command.caller.within(&body.property_id)?;
        let channel = bodies::known_channel(body.channel.clone(), usual_channel(&command.caller))?;
        let partner = bodies::word("partnerId", body.partner_id.clone(), 100)?;
        let who = (body.guest_id.clone(), body.device_id.clone());
        let quote = booking::quote(uow, body.wish()?, (channel, partner), who).await?;
        let resource = QuoteResource::of(&quote, uow.now())?;
        let location = format!("/reservation/v1/quotes/{}", quote.id);
        Ok::<_, ReservationError>(Created::new(&resource, quote.version, location))
    };
    command.run(&office.db, &SCHEMA, story).await
}

pub(super) async fn show_quote(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    Id(id): Id<QuoteId>,
) -> Result<Tagged<QuoteResource>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let found = quotes::find(uow, &id).await?.filter(|quote| caller.properties.include(&quote.property_id));
        let quote = found.ok_or(Refusal::NotFound("quote"))?;
        Ok::<_, ReservationError>(QuoteResource::of(&quote, uow.now())?)
    };
    let quote = office.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&quote, quote.version))
}

pub(super) async fn book(
    State(office): State<FrontOffice>,
    command: Command<Book>,
) -> Answer<Created<ReservationResource>> {
    let body = &command.body;
    let story = async |uow: &mut UnitOfWork| {
        let mut words = body.words(&command.caller, usual_channel(&command.caller))?;
        let (wish, when) = match &body.quote_id {
            None => (body.wish()?, When::Ahead),
            Some(quote) => {
                let (wish, agreed, quote) = booking::spend(uow, quote).await?;
                command.caller.within(&wish.property)?;
                let wish = body.beside(&quote, wish)?;
                words.partner_id = words.partner_id.or(quote.partner_id);
                words.channel = bodies::known_channel(body.channel.clone(), quote.channel)?;
                (wish, When::Quoted(agreed))
            }
        };
        command.caller.within(&wish.property)?;
        let reservation = booking::hold(uow, office.db.ids(), &wish, when, words).await?;
        let resource = as_said(uow, &reservation, &body.primary_guest, Vec::new()).await?;
        let location = format!("/reservation/v1/reservations/{}", reservation.id);
        Ok::<_, ReservationError>(Created::new(&resource, reservation.version, location))
    };
    command.run(&office.db, &SCHEMA, story).await
}

pub(super) async fn walk_in(
    State(office): State<FrontOffice>,
    command: Command<WalkIn>,
) -> Answer<Created<ReservationResource>> {
    let (body, payment) = (command.body.book(), &command.body.payment);
    let story = async |uow: &mut UnitOfWork| {
        let mut words = body.words(&command.caller, Channel::WalkIn)?;
        let (wish, quoted) = match &body.quote_id {
            None => (body.wish()?, None),
            Some(quote) => {
                let (wish, agreed, quote) = booking::spend(uow, quote).await?;
                command.caller.within(&wish.property)?;
                let wish = body.beside(&quote, wish)?;
                words.partner_id = words.partner_id.or(quote.partner_id);
                (wish, Some(agreed))
            }
        };
        command.caller.within(&wish.property)?;
        let amount = payment.amount_micro.map(|amount| bodies::price("payment.amountMicro", amount)).transpose()?;
        let arrival = WalkInWords { payment: payment.told.words()?, at_desk: amount, force: command.body.force };
        let at_desk = arriving::walk_in(uow, office.db.ids(), (&wish, quoted), words, arrival).await?;
        let reservation = &at_desk.reservation;
        let resource = as_said(uow, reservation, &body.primary_guest, at_desk.warnings).await?;
        let location = format!("/reservation/v1/reservations/{}", reservation.id);
        Ok::<_, ReservationError>(Created::new(&resource, reservation.version, location))
    };
    command.run(&office.db, &SCHEMA, story).await
}

pub(super) async fn show(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    Id(id): Id<ReservationId>,
) -> Result<Tagged<ReservationResource>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let reservation = stays::look_up(uow, &caller, &id).await?;
        resource(uow, &reservation, Vec::new()).await
    };
    let found = office.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Tagged::new(&found, found.version))
}

pub(super) async fn history(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    Id(id): Id<ReservationId>,
    WholeList(paging): WholeList,
    since: Since,
) -> Result<Json<Page<ReservationHistoryItem>>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        stays::look_up(uow, &caller, &id).await?;
        reservations::history(uow, &id).await
    };
    let steps = office.db.read(&SCHEMA, &caller.tenant, look).await?;
    let steps = steps.into_iter().map(ReservationHistoryItem::from).filter(|step| since.keeps(step.occurred_at));
    Ok(Json(Page::of(steps.collect(), &paging, |step| step.event_id.clone())?))
}

pub(super) async fn folio(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    Id(id): Id<ReservationId>,
) -> Result<Json<FolioResource>, Problem> {
    let look = async |uow: &mut UnitOfWork| {
        let reservation = stays::look_up(uow, &caller, &id).await?;
        Ok::<_, ReservationError>(FolioResource::of(&reservation)?)
    };
    Ok(Json(office.db.read(&SCHEMA, &caller.tenant, look).await?))
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListQuery {
    status: Option<Words<ReservationStatus>>,
    /// In any case.
    code: Option<String>,
    guest_id: Option<GuestId>,
    /// An e-mail address or a telephone number.
    contact: Option<String>,
    room_id: Option<RoomId>,
    group_code: Option<String>,
    channel: Option<Channel>,
    external_reference: Option<String>,
    arrival_from: Option<LocalDate>,
    arrival_to: Option<LocalDate>,
    departure_from: Option<LocalDate>,
    departure_to: Option<LocalDate>,
    overlaps_from: Option<LocalDate>,
    overlaps_to: Option<LocalDate>,
}

pub(super) async fn list(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    PropertyScope(properties): PropertyScope,
    paging: Paging,
    since: Since,
    Query(query): Query<ListQuery>,
) -> Result<Json<Page<ReservationResource>>, Problem> {
    let day = |date: Option<LocalDate>| date.map(|date| date.0);
    let look = async |uow: &mut UnitOfWork| {
        let contact_hashes = match &query.contact {
            None => None,
            Some(contact) => {
                let salt = guests::salt(uow, office.db.ids()).await?;
                Some(booking::contact_forms(contact).iter().map(|form| guests::hash(&salt, form)).collect())
            }
        };
        let filter = Filter {
            properties,
            statuses: query.status.map(|Words(words)| words),
            code: query.code,
            contact_hashes,
            guest: query.guest_id,
            room: query.room_id,
            group_code: query.group_code,
            channel: query.channel,
            external_reference: query.external_reference,
            arrival: (day(query.arrival_from), day(query.arrival_to)),
            departure: (day(query.departure_from), day(query.departure_to)),
            overlaps: (day(query.overlaps_from), day(query.overlaps_to)),
            updated_since: since.0,
            after: paging.after.clone(),
        };
        let found = reservations::list(uow, &filter, paging.rows()).await?;
        let ids: Vec<GuestId> = found.iter().map(|one| one.guest.guest_id.clone()).collect();
        let known = guests::find(uow, &ids).await?;
        let shown = |one: &Reservation| {
            let guest = known.iter().find(|guest| guest.id == one.guest.guest_id);
            Ok(ReservationResource::of(one, guest, Vec::new())?)
        };
        found.iter().map(shown).collect::<Result<Vec<_>, ReservationError>>()
    };
    let items = office.db.read(&SCHEMA, &caller.tenant, look).await?;
    Ok(Json(Page::cut(items, paging.limit, |one: &ReservationResource| one.reservation_id.to_string())))
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AvailabilityQuery {
    from: LocalDate,
    to: LocalDate,
    room_type_id: Option<RoomTypeId>,
    adults: Option<u16>,
    children: Option<u16>,
}

pub(super) async fn availability(
    State(office): State<FrontOffice>,
    Who(caller): Who,
    OneProperty(property): OneProperty,
    Query(query): Query<AvailabilityQuery>,
) -> Result<Json<AvailabilityResource>, Problem> {
    let guests = query
        .adults
        .or(query.children)
        .map(|_| i32::from(query.adults.unwrap_or(0)) + i32::from(query.children.unwrap_or(0)));
    let look = async |uow: &mut UnitOfWork| {
        let nights = bodies::nights(query.from, query.to, MOST_LOOKED_AT)?;
        lookout::availability(uow, &property, nights, query.room_type_id.as_ref(), guests).await
    };
    Ok(Json(office.db.read(&SCHEMA, &caller.tenant, look).await?))
}

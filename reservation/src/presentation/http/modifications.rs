//! Changes of a reservation, wishes, and wishes for changes, over HTTP.

use axum::extract::State;
use contracts::AiProvenance;
use contracts::actor::Actor;
use contracts::ids::{ReservationId, RoomId};
use contracts::reservation::{Channel, RequestSource};
use contracts::time::Timestamp;
use contracts::values::Micros;
use platform::http::{Changed, Command, Created, Id};
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bodies::{self, BookingGuest, Guests, WantedItem, Window};
use super::bookings::with_guest;
use super::stays::{Changing, FoundGuest, on, shown, step};
use crate::application::wishing::RequestWords;
use crate::application::{modifying, overriding, wishing};
use crate::domain::reservation::ReservationStatus;
use crate::presentation::FrontOffice;
use crate::{ReservationError, SCHEMA};

/// What is to be changed.
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[expect(clippy::enum_variant_names, reason = "each is spelled here as it is over REST and in the event")]
pub(super) enum Change {
    /// Other days.
    DateChange { stay_window: Window },
    /// Another room: this one, or the best there is.
    RoomChange { item_id: String, room_id: Option<RoomId> },
    /// One more room.
    RoomAdded { item: WantedItem },
    /// One room less, which is a cancellation of that room.
    RoomRemoved { item_id: String, reason: Option<String> },
    /// More or fewer guests in a room.
    GuestCountChange { item_id: String, occupants: Guests },
    /// Another price for every night: a manager's to give.
    RateChange { item_id: String, nightly_rate_micro: Micros },
    /// Another name, contact or language, another guest, another hour.
    GuestProfileUpdate { primary_guest: Option<BookingGuest>, expected_arrival_at: Option<Timestamp> },
    /// It came through another door: a manager's to say.
    ChannelAttributionCorrected { channel: Channel, partner_id: Option<String> },
    /// A person says where it stands.
    ManualStateOverride { status: ReservationStatus, reason: String },
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Modify {
    #[serde(flatten)]
    change: Change,
    #[serde(rename = "onBehalfOf")]
    on_behalf_of: Option<Actor>,
}

pub(super) async fn modify(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<Modify>,
) -> Changing {
    let body = &command.body;
    let story = async |uow: &mut UnitOfWork| {
        let (by, guest) = (bodies::actor(&command.caller, body.on_behalf_of.as_ref())?, FoundGuest::new());
        let on = on(&command, &id, &by, &guest);
        let mut said = None;
        let done = match &body.change {
            Change::DateChange { stay_window } => modifying::change_dates(uow, on, bodies::stay(stay_window)?).await?,
            Change::RoomChange { item_id, room_id } => {
                modifying::change_room(uow, on, item_id, room_id.clone()).await?
            }
            Change::RoomAdded { item } => modifying::add_room(uow, on, bodies::wanted_one("item", item)?).await?,
            Change::RoomRemoved { item_id, reason } => {
                let reason = bodies::word("reason", reason.clone(), 2_000)?;
                modifying::remove_room(uow, on, item_id.clone(), reason).await?
            }
            Change::GuestCountChange { item_id, occupants } => {
                let occupants = bodies::occupants("occupants", occupants)?;
                modifying::change_guest_count(uow, on, item_id, occupants).await?
            }
            Change::RateChange { item_id, nightly_rate_micro } => {
                let rate = bodies::price("nightlyRateMicro", *nightly_rate_micro)?;
                modifying::change_rate(uow, on, item_id, rate).await?
            }
            Change::GuestProfileUpdate { primary_guest, expected_arrival_at } => {
                said.clone_from(primary_guest);
                let words = bodies::guest_words(primary_guest.clone().unwrap_or_default())?;
                modifying::update_profile(uow, office.db.ids(), on, words, *expected_arrival_at).await?
            }
            Change::ChannelAttributionCorrected { channel, partner_id } => {
                let channel = bodies::known_channel(Some(channel.clone()), Channel::Direct)?;
                let partner = bodies::word("partnerId", partner_id.clone(), 100)?;
                modifying::correct_channel(uow, on, channel, partner).await?
            }
            Change::ManualStateOverride { status, reason } => {
                let reason = bodies::word("reason", Some(reason.clone()), 2_000)?.unwrap_or_default();
                overriding::put(uow, on, (*status, reason)).await?
            }
        };
        let mut resource = shown(uow, on, &done, Vec::new()).await?;
        if let Some(said) = &said {
            resource = with_guest(resource, said);
        }
        Ok::<_, ReservationError>(Changed::new(&resource, done.version))
    };
    command.run(&office.db, &SCHEMA, story).await
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AskChanges {
    /// What is asked for, such as `mid_stay_clean`.
    requested_mods: Vec<String>,
    on_behalf_of: Option<Actor>,
}

pub(super) async fn ask_changes(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<AskChanges>,
) -> Changing {
    let body = &command.body;
    step(&office, &id, &command, body.on_behalf_of.as_ref(), async |uow, on| {
        let wanted = bodies::tags("requestedMods", &body.requested_mods, true)?;
        Ok(wishing::want_changes(uow, on, wanted).await?.into())
    })
    .await
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AddSpecialRequest {
    /// The wish in known words, such as `mid_stay_clean`.
    #[serde(default)]
    tags: Vec<String>,
    /// The wish in the guest's words.
    free_text: Option<String>,
    locale: Option<String>,
    source: RequestSource,
    ai_provenance: Option<AiProvenance>,
    on_behalf_of: Option<Actor>,
}

pub(super) async fn add_special_request(
    State(office): State<FrontOffice>,
    Id(id): Id<ReservationId>,
    command: Command<AddSpecialRequest>,
) -> platform::http::Answer<Created<crate::application::views::ReservationResource>> {
    let body = &command.body;
    let story = async |uow: &mut UnitOfWork| {
        let (by, guest) = (bodies::actor(&command.caller, body.on_behalf_of.as_ref())?, FoundGuest::new());
        let on = on(&command, &id, &by, &guest);
        if let RequestSource::Unknown(_) = body.source {
            return Err(Refusal::invalid("source", "guest, staff or ai_parser").into());
        }
        if (body.source == RequestSource::AiParser) != body.ai_provenance.is_some() {
            return Err(Refusal::invalid("aiProvenance", "with the source ai_parser, and only then").into());
        }
        let free_text = bodies::word("freeText", body.free_text.clone(), 2_000)?;
        let words = RequestWords {
            tags: bodies::tags("tags", &body.tags, free_text.is_none())?,
            free_text,
            locale: bodies::word("locale", body.locale.clone(), 35)?,
            source: body.source.clone(),
            provenance: body.ai_provenance.clone(),
        };
        let done = wishing::add_special_request(uow, on, words).await?;
        let location = format!("/reservation/v1/reservations/{id}");
        Ok::<_, ReservationError>(Created::new(&shown(uow, on, &done, Vec::new()).await?, done.version, location))
    };
    command.run(&office.db, &SCHEMA, story).await
}

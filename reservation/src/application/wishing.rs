//! A guest wishes for something, or asks for a change that somebody else must make.

use contracts::AiProvenance;
use contracts::reservation::RequestSource;
use platform::UnitOfWork;

use super::stays::{OnReservation, conclude, fresh_id};
use crate::ReservationError;
use crate::domain::reservation::{Reservation, SpecialRequest};

/// A wish, as it was said.
#[derive(Clone, Debug)]
pub struct RequestWords {
    pub tags: Vec<String>,
    pub free_text: Option<String>,
    /// Without it, the guest's own.
    pub locale: Option<String>,
    pub source: RequestSource,
    pub provenance: Option<AiProvenance>,
}

pub async fn add_special_request(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    words: RequestWords,
) -> Result<Reservation, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    let RequestWords { tags, free_text, locale, source, provenance } = words;
    let request = SpecialRequest {
        id: fresh_id(uow),
        tags,
        free_text,
        locale: locale.unwrap_or_else(|| reservation.guest.locale.clone()),
        source,
        at: uow.now(),
        by: on.by.clone(),
        provenance,
    };
    let decided = reservation.clone().add_special_request(request, uow.now())?;
    conclude(uow, &reservation, decided, &house).await
}

pub async fn want_changes(
    uow: &mut UnitOfWork,
    on: OnReservation<'_>,
    wanted: Vec<String>,
) -> Result<Reservation, ReservationError> {
    let (reservation, house) = on.load(uow).await?;
    let decided = reservation.clone().want_changes(wanted, on.by, uow.now())?;
    conclude(uow, &reservation, decided, &house).await
}

//! Photos are kept, and shown to those who may see the house.

use contracts::ids::PropertyId;
use platform::auth::Caller;
use platform::http::fingerprint;
use platform::{Refusal, UnitOfWork};

use crate::HousekeepingError;
use crate::domain::photo::{LARGEST, Photo, is_jpeg};
use crate::infrastructure::media;

/// Keeps a photo of something in a house. The same photo again is the one that is there.
pub async fn keep(uow: &mut UnitOfWork, property: &PropertyId, jpeg: Vec<u8>) -> Result<Photo, HousekeepingError> {
    if !is_jpeg(&jpeg) || jpeg.len() > LARGEST {
        return Err(Refusal::invalid("body", format!("a JPEG of at most {LARGEST} bytes")).into());
    }
    let mut shown = property.as_str().as_bytes().to_vec();
    shown.push(0);
    shown.extend_from_slice(&jpeg);
    let id = format!("med_{}", fingerprint(&shown).to_ascii_uppercase());
    if let Some(known) = media::find(uow, &id).await? {
        return Ok(known);
    }
    let photo = Photo { id, property_id: property.clone(), jpeg, kept_at: uow.now(), version: 1 };
    Ok(uow.save(photo.kept()))
}

/// A photo, for whoever may see the house it was taken in.
pub async fn show(uow: &mut UnitOfWork, caller: &Caller, id: &str) -> Result<Photo, HousekeepingError> {
    let found = media::find(uow, id).await?.filter(|photo| caller.properties.include(&photo.property_id));
    Ok(found.ok_or(Refusal::NotFound("photo"))?)
}

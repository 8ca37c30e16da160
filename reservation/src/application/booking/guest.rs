//! Who comes: name and contacts go where they are kept, a reservation keeps their hashes.

use contracts::ids::GuestId;
use contracts::reservation::ContactHash;
use platform::auth::Properties;
use platform::{Ids, Refusal, UnitOfWork};

use crate::ReservationError;
use crate::application::guests::speaks_for;
use crate::domain::digits;
use crate::domain::reservation::Guest;
use crate::infrastructure::guests::{self, KnownGuest};

/// Who comes, as far as was said.
#[derive(Clone, Debug, Default)]
pub struct GuestWords {
    pub id: Option<GuestId>,
    pub name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub locale: Option<String>,
}

/// The guest as a reservation knows one; name and contacts go where they are kept. `salt`: the tenant's, where it was read already.
/// A guest whom only houses know that the caller (`of`) does not speak for is not there: to name one would be to learn of them.
pub(in crate::application) async fn remember(
    uow: &mut UnitOfWork,
    ids: &Ids,
    salt: Option<String>,
    (words, of): (GuestWords, &Properties),
    house_locale: &str,
) -> Result<Guest, ReservationError> {
    let known = match &words.id {
        Some(id) => guests::find(uow, std::slice::from_ref(id)).await?.into_iter().next(),
        None => None,
    };
    if let (Some(known), Some(houses)) = (&known, speaks_for(of))
        && guests::seen(uow, &known.id, Some(houses)).await?.is_none()
    {
        return Err(Refusal::NotFound("guest").into());
    }
    let salt = match salt {
        Some(salt) => salt,
        None => guests::salt(uow, ids).await?,
    };
    let said = ContactHash {
        email: words.email.as_deref().map(|email| guests::hash(&salt, &plain_email(email))),
        phone: words.phone.as_deref().and_then(plain_phone).map(|phone| guests::hash(&salt, &phone)),
    };
    let contact_hash = match &known {
        None => said,
        Some(known) => ContactHash {
            email: said.email.or_else(|| known.contact_hash.email.clone()),
            phone: said.phone.or_else(|| known.contact_hash.phone.clone()),
        },
    };
    let locale = words.locale.or_else(|| known.map(|known| known.locale)).unwrap_or_else(|| house_locale.to_owned());
    let is_new = words.id.is_none();
    let guest_id = words.id.unwrap_or_else(|| uow.next_id());
    let guest = Guest { guest_id, locale, contact_hash };
    let kept = KnownGuest {
        id: guest.guest_id.clone(),
        name: words.name,
        email: words.email,
        phone: words.phone,
        locale: guest.locale.clone(),
        contact_hash: guest.contact_hash.clone(),
    };
    let now = uow.now();
    guests::keep(uow, kept, is_new, now);
    Ok(guest)
}

fn plain_email(email: &str) -> String {
    email.trim().to_lowercase()
}

/// `+` and digits, whichever script they are written in; `None`: there is no digit to call.
fn plain_phone(phone: &str) -> Option<String> {
    let digits: String = phone.chars().filter_map(digits::plain).collect();
    (!digits.is_empty()).then(|| format!("+{digits}"))
}

/// What a guest may be known by, of whom somebody has an e-mail address or a telephone number.
pub fn contact_forms(contact: &str) -> Vec<String> {
    let phone = Some(contact).filter(|contact| !contact.contains('@')).and_then(plain_phone);
    std::iter::once(plain_email(contact)).chain(phone).collect()
}

#[cfg(test)]
mod tests {
    use super::{contact_forms, plain_phone};

    #[test]
    fn a_number_is_the_same_in_every_script_and_no_number_is_none() {
        for written in ["+93 700 123 456", "۹۳۷۰۰۱۲۳۴۵۶", "٩٣ (٧٠٠) ١٢٣-٤٥٦", "９３７００１２３４５６"]
        {
            assert_eq!(plain_phone(written).as_deref(), Some("+93700123456"), "{written}");
        }
        assert_eq!(plain_phone("no telephone"), None);
        assert_eq!(contact_forms("No telephone "), ["no telephone"]);
        assert_eq!(contact_forms("Guest7@Example.com"), ["guest7@example.com"], "an address is no number");
        assert_eq!(contact_forms("۰۷۰۰"), ["۰۷۰۰", "+0700"]);
    }
}

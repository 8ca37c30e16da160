//! Values within their bounds; each refusal names the field and the rule.

use contracts::ids::PropertyId;
use platform::Refusal;

use crate::domain::person::EmergencyContact;

const LONGEST_NAME: usize = 100;
const LONGEST_NOTE: usize = 2_000;

/// A name: something, and not too long.
pub(super) fn name(field: &'static str, text: String) -> Result<String, Refusal> {
    let long = text.chars().count() > LONGEST_NAME;
    if text.trim().is_empty() || long || text.chars().any(char::is_control) {
        return Err(Refusal::invalid(field, format!("1 to {LONGEST_NAME} characters, none of them for control")));
    }
    Ok(text)
}

pub(super) fn note(field: &'static str, text: Option<String>) -> Result<Option<String>, Refusal> {
    match text {
        Some(text) if text.chars().count() > LONGEST_NOTE => {
            Err(Refusal::invalid(field, format!("at most {LONGEST_NOTE} characters")))
        }
        other => Ok(other),
    }
}

/// `[A-Z0-9][A-Z0-9-]{1,31}` in any case; kept in capitals.
pub(super) fn staff_code(text: &str) -> Result<String, Refusal> {
    let code = text.to_ascii_uppercase();
    let plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let fits = (2..=32).contains(&code.len())
        && code.bytes().next().is_some_and(plain)
        && code.bytes().all(|byte| plain(byte) || byte == b'-');
    if fits { Ok(code) } else { Err(Refusal::invalid("staffCode", "2 to 32 letters, digits and dashes")) }
}

/// One word for machines: `[a-z][a-z0-9_]{0,63}`.
pub(super) fn word(field: &'static str, text: String) -> Result<String, Refusal> {
    let fits = (1..=64).contains(&text.len())
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if fits { Ok(text) } else { Err(Refusal::invalid(field, "a word such as voluntary_resignation")) }
}

pub(super) fn words(field: &'static str, list: Vec<String>) -> Result<Vec<String>, Refusal> {
    if list.len() > 50 {
        return Err(Refusal::invalid(field, "at most 50"));
    }
    list.into_iter().map(|text| word(field, text)).collect()
}

/// A code of a department or a position: `[A-Z][A-Z0-9_]{0,31}`.
pub(super) fn house_code(text: String) -> Result<String, Refusal> {
    let fits = (1..=32).contains(&text.len())
        && text.starts_with(|first: char| first.is_ascii_uppercase())
        && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    if fits {
        Ok(text)
    } else {
        Err(Refusal::invalid("code", "capitals, digits and underscores, such as NIGHT_PORTER"))
    }
}

pub(super) fn email(text: String) -> Result<String, Refusal> {
    let fits = text.len() <= 254
        && text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
        && !text.chars().any(|letter| letter.is_whitespace() || letter.is_control());
    if fits { Ok(text) } else { Err(Refusal::invalid("email", "an address such as name@example.com")) }
}

pub(super) fn phone(field: &'static str, text: String) -> Result<String, Refusal> {
    let digits = text.strip_prefix('+').unwrap_or_default();
    let fits = (7..=15).contains(&digits.len())
        && !digits.starts_with('0')
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    if fits { Ok(text) } else { Err(Refusal::invalid(field, "E.164, such as +93700123456")) }
}

pub(super) fn contact(contact: EmergencyContact) -> Result<EmergencyContact, Refusal> {
    Ok(EmergencyContact {
        name: name("emergencyContact.name", contact.name)?,
        phone_e164: phone("emergencyContact.phoneE164", contact.phone_e164)?,
        relation: name("emergencyContact.relation", contact.relation)?,
    })
}

pub(super) fn languages(list: Vec<String>) -> Result<Vec<String>, Refusal> {
    let tag = |text: &String| {
        (2..=35).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if list.len() <= 20 && list.iter().all(tag) {
        Ok(list)
    } else {
        Err(Refusal::invalid("languages", "at most 20 language tags, such as ps-AF"))
    }
}

pub(super) fn houses(list: Vec<PropertyId>) -> Result<Vec<PropertyId>, Refusal> {
    if list.len() <= 100 { Ok(list) } else { Err(Refusal::invalid("propertyAccess", "at most 100 houses")) }
}

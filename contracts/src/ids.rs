//! Identifiers: a three-letter prefix that tells what is meant, and the ULID that tells which one.
//!
//! We write prefix + ULID. We read any `^[a-z]{3}_[0-9A-Za-z_]{1,64}$`, because other services number their
//! things in their own way. Tenants and properties go by two prefixes in the wild; one of each is canonical here.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use ulid::Ulid;

/// What every reader accepts, as a regular expression for schemas; the check itself is [`is_readable`].
pub const READER_PATTERN: &str = "^[a-z]{3}_[0-9A-Za-z_]{1,64}$";

/// An identifier that is a prefix and a ULID, so that one id source can mint any of them.
pub trait PrefixedId: Sized {
    /// The three letters before the underscore.
    const PREFIX: &'static str;
    /// The identifier with this prefix and this ULID.
    fn from_ulid(ulid: Ulid) -> Self;
}

/// A text that is no identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{shown}` is no identifier: three lower-case letters, an underscore and 1 to 64 letters, digits or underscores are needed, such as `{prefix}_01J0ABCDEFGHJKMNPQRSTVWXYZ`"
)]
pub struct IdError {
    shown: String,
    prefix: &'static str,
}

impl IdError {
    fn new(text: &str, prefix: &'static str) -> Self {
        // An id is short; a long text is shown by its beginning so that the message stays readable.
        Self { shown: text.chars().take(80).collect(), prefix }
    }
}

/// Whether `text` has the shape of an identifier, whatever its prefix.
pub fn is_readable(text: &str) -> bool {
    let bytes = text.as_bytes();
    (5..=68).contains(&bytes.len())
        && bytes[..3].iter().all(u8::is_ascii_lowercase)
        && bytes[3] == b'_'
        && bytes[4..].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

fn with_prefix(prefix: &str, ulid: Ulid) -> Arc<str> {
    let mut buffer = [0; ulid::ULID_LEN];
    let digits: &str = ulid.array_to_str(&mut buffer);
    let mut text = String::with_capacity(prefix.len() + 1 + digits.len());
    text.push_str(prefix);
    text.push('_');
    text.push_str(digits);
    text.into()
}

fn read_plain(text: &str, prefix: &'static str) -> Result<Arc<str>, IdError> {
    if is_readable(text) { Ok(text.into()) } else { Err(IdError::new(text, prefix)) }
}

/// The alternative prefix is presentation: what stands behind it is the identity.
fn read_with_alias(text: &str, prefix: &'static str, alias: &str) -> Result<Arc<str>, IdError> {
    if !is_readable(text) {
        return Err(IdError::new(text, prefix));
    }
    match text.strip_prefix(alias) {
        Some(rest) if rest.starts_with('_') => Ok(format!("{prefix}{rest}").into()),
        _ => Ok(text.into()),
    }
}

/// A ULID, bare or behind `evt_`, becomes `evt_` + upper case, so that one event has one id in the inbox.
fn read_event(text: &str, prefix: &'static str) -> Result<Arc<str>, IdError> {
    let digits = text.strip_prefix("evt_").unwrap_or(text);
    if let Ok(ulid) = Ulid::from_string(digits) {
        return Ok(with_prefix(prefix, ulid));
    }
    read_plain(text, prefix)
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal, $what:literal) => {
        id!($(#[$doc])* $name, $prefix, $what, |text| read_plain(text, $prefix));
    };
    ($(#[$doc:meta])* $name:ident, $prefix:literal, $what:literal, $read:expr) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The three letters before the underscore.
            pub const PREFIX: &'static str = $prefix;

            /// Reads an identifier into its canonical form.
            pub fn parse(text: &str) -> Result<Self, IdError> {
                let read: fn(&str) -> Result<Arc<str>, IdError> = $read;
                read(text).map(Self)
            }

            /// The identifier with this ULID.
            pub fn from_ulid(ulid: Ulid) -> Self {
                Self(with_prefix($prefix, ulid))
            }

            /// The canonical text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The ULID behind the prefix, when there is one.
            pub fn ulid(&self) -> Option<Ulid> {
                Ulid::from_string(self.0.get(4..)?).ok()
            }
        }

        impl PrefixedId for $name {
            const PREFIX: &'static str = $prefix;
            fn from_ulid(ulid: Ulid) -> Self {
                Self::from_ulid(ulid)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                Self::parse(text)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(IdVisitor { read: Self::parse, prefix: $prefix })
            }
        }

        $crate::sql_text!($name, |text| $name::parse(text).map_err(Into::into));

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn inline_schema() -> bool {
                true
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "string",
                    "description": concat!($what, ", such as `", $prefix, "_01J0ABCDEFGHJKMNPQRSTVWXYZ`."),
                    "pattern": READER_PATTERN,
                    "x-melmastoon-prefix": $prefix,
                })
            }
        }
    };
}

/// Reads one kind of id out of a JSON string without an intermediate copy.
struct IdVisitor<T> {
    read: fn(&str) -> Result<T, IdError>,
    prefix: &'static str,
}

impl<T> Visitor<'_> for IdVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an identifier such as `{}_01J0ABCDEFGHJKMNPQRSTVWXYZ`", self.prefix)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        (self.read)(text).map_err(E::custom)
    }
}

id!(
    /// A hotel business; nothing crosses from one to another.
    TenantId, "tnt", "The tenant", |text| read_with_alias(text, "tnt", "ten")
);
id!(
    /// One house of a tenant.
    PropertyId, "prp", "The property", |text| read_with_alias(text, "prp", "ppt")
);
id!(
    /// An event; a redelivered event keeps its id.
    EventId, "evt", "The event", |text| read_event(text, "evt")
);
id!(
    #[doc = "A place where an integrator is told of events."]
    WebhookId,
    "whk",
    "A webhook endpoint"
);
id!(
    #[doc = "A housekeeping task."]
    TaskId,
    "hkt",
    "A housekeeping task"
);
id!(
    #[doc = "A room of a property."]
    RoomId,
    "rom",
    "A room"
);
id!(
    #[doc = "A kind of room that can be sold."]
    RoomTypeId,
    "rmt",
    "A room type"
);
id!(
    #[doc = "A reservation."]
    ReservationId,
    "rsv",
    "A reservation"
);
id!(
    #[doc = "A quote given to a guest."]
    QuoteId,
    "quo",
    "A quote"
);
id!(
    #[doc = "A guest."]
    GuestId,
    "gst",
    "A guest"
);
id!(
    #[doc = "A device that acts for a person."]
    DeviceId,
    "dev",
    "A device"
);
id!(
    #[doc = "An intended payment."]
    PaymentIntentId,
    "pyi",
    "A payment intent"
);
id!(
    #[doc = "A member of the staff."]
    StaffId,
    "stf",
    "A member of the staff"
);
id!(
    #[doc = "A login."]
    UserId,
    "usr",
    "A user"
);
id!(
    #[doc = "A job at the hotel."]
    PositionId,
    "pos",
    "A position"
);
id!(
    #[doc = "A department of the hotel."]
    DepartmentId,
    "dpt",
    "A department"
);
id!(
    #[doc = "A shift."]
    ShiftId,
    "shf",
    "A shift"
);
id!(
    #[doc = "A pattern that shifts are generated from."]
    ShiftPatternId,
    "shp",
    "A shift pattern"
);
id!(
    #[doc = "A person's place on a shift, as staff numbers it."]
    AssignmentId,
    "sha",
    "An assignment to a shift"
);
id!(
    #[doc = "A person on a shift, as housekeeping numbers it."]
    ShiftAssignmentId,
    "sft",
    "A person on a shift"
);
id!(
    #[doc = "A punch of the clock."]
    ClockEntryId,
    "clk",
    "A clock entry"
);
id!(
    #[doc = "A request for leave."]
    LeaveRequestId,
    "lvr",
    "A leave request"
);
id!(
    #[doc = "A certificate a person holds."]
    CertificationId,
    "crt",
    "A certification"
);
id!(
    #[doc = "A note from one shift to the next."]
    HandoffNoteId,
    "hno",
    "A handoff note"
);
id!(
    #[doc = "A checklist."]
    ChecklistId,
    "chl",
    "A checklist"
);
id!(
    #[doc = "An inspection."]
    InspectionId,
    "ins",
    "An inspection"
);
id!(
    #[doc = "A kind of linen in stock at a property."]
    LinenLineId,
    "lin",
    "A linen line"
);
id!(
    #[doc = "A thing somebody left behind."]
    LostItemId,
    "laf",
    "A lost item"
);
id!(
    #[doc = "A reason why a room cannot be used."]
    BlockId,
    "blk",
    "A room block"
);
id!(
    #[doc = "A suggestion of the planner."]
    SuggestionId,
    "sug",
    "A suggestion"
);
id!(
    #[doc = "A difference between what was seen and what is on record."]
    DiscrepancyId,
    "dsc",
    "A discrepancy"
);
id!(
    #[doc = "Two people's wish to change places."]
    SwapRequestId,
    "swp",
    "A swap request"
);
id!(
    #[doc = "Something about a stay that somebody has to look at."]
    AlertId,
    "alr",
    "An alert"
);

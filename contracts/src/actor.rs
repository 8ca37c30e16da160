//! Who did it: one type, read from every way the wire writes it.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, IgnoredAny, MapAccess, Visitor};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What kind of party acted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ActorKind {
    /// The software itself: a timer, a reaction to an event.
    System,
    /// A person who is logged in.
    User,
    /// Another system that calls in.
    Integration,
    /// A guest.
    Guest,
    /// A member of the staff.
    Staff,
    /// A guest at a kiosk or on the phone.
    GuestSelfService,
    /// A kind this version does not know; kept as it came.
    Unknown(String),
}

impl ActorKind {
    /// The word on the wire.
    pub fn as_str(&self) -> &str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Integration => "integration",
            Self::Guest => "guest",
            Self::Staff => "staff",
            Self::GuestSelfService => "guest_self_service",
            Self::Unknown(word) => word,
        }
    }

    /// The kind that a word on the wire means.
    pub fn from_word(word: &str) -> Self {
        match word {
            "system" => Self::System,
            "user" => Self::User,
            "integration" => Self::Integration,
            "guest" => Self::Guest,
            "staff" => Self::Staff,
            "guest_self_service" => Self::GuestSelfService,
            other => Self::Unknown(other.to_owned()),
        }
    }

    /// The kind that an id alone suggests.
    pub fn suggested_by(id: &str) -> Self {
        match id.split('_').next() {
            Some("usr") => Self::User,
            Some("stf") => Self::Staff,
            Some("gst") => Self::Guest,
            Some("sys" | "system") => Self::System,
            Some("int" | "svc") => Self::Integration,
            _ => Self::Unknown("unknown".to_owned()),
        }
    }
}

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Actor {
    /// What kind of party it is; `type` on the wire.
    pub kind: ActorKind,
    /// Its id: `usr_…`, `stf_…`, `gst_…`, or a name for a part of the system.
    pub id: String,
}

impl Actor {
    /// A part of the software itself.
    pub fn system(id: impl Into<String>) -> Self {
        Self { kind: ActorKind::System, id: id.into() }
    }

    /// A person who is logged in.
    pub fn user(id: impl Into<String>) -> Self {
        Self { kind: ActorKind::User, id: id.into() }
    }

    /// The actor that a bare id means.
    pub fn from_bare_id(id: impl Into<String>) -> Self {
        let id = id.into();
        Self { kind: ActorKind::suggested_by(&id), id }
    }
}

impl Serialize for Actor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Actor", 2)?;
        object.serialize_field("type", self.kind.as_str())?;
        object.serialize_field("id", &self.id)?;
        object.end()
    }
}

impl<'de> Deserialize<'de> for Actor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ActorVisitor)
    }
}

/// Takes `{type, id}`, `{type, staffId}` and the like, and a bare id.
struct ActorVisitor;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum ActorField {
    Type,
    #[serde(alias = "staffId", alias = "userId", alias = "guestId")]
    Id,
    #[serde(other)]
    Other,
}

impl<'de> Visitor<'de> for ActorVisitor {
    type Value = Actor;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an actor such as `{\"type\":\"user\",\"id\":\"usr_01J0…\"}`, or its id alone")
    }

    fn visit_str<E: de::Error>(self, id: &str) -> Result<Actor, E> {
        if id.is_empty() { Err(E::custom("an actor's id is not empty")) } else { Ok(Actor::from_bare_id(id)) }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Actor, A::Error> {
        let (mut kind, mut id): (Option<String>, Option<String>) = (None, None);
        while let Some(field) = object.next_key()? {
            match field {
                ActorField::Type => kind = object.next_value()?,
                ActorField::Id => id = object.next_value::<Option<String>>()?.or(id),
                ActorField::Other => drop(object.next_value::<IgnoredAny>()?),
            }
        }
        match (kind, id) {
            (Some(kind), Some(id)) => Ok(Actor { kind: ActorKind::from_word(&kind), id }),
            (None, Some(id)) => Ok(Actor::from_bare_id(id)),
            // The system needs no name to be known.
            (Some(kind), None) => Ok(Actor { kind: ActorKind::from_word(&kind), id: kind }),
            (None, None) => Err(de::Error::custom("an actor has a `type` or an `id`")),
        }
    }
}

impl JsonSchema for Actor {
    fn schema_name() -> Cow<'static, str> {
        "Actor".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "title": "Actor",
            "description": "Who did it.",
            "required": ["type", "id"],
            "properties": {
                "type": {
                    "type": "string",
                    "description": "What kind of party it is: system, user, integration, guest, staff or guest_self_service; \
                                    readers let others pass.",
                },
                "id": { "type": "string", "description": "Its id, such as `usr_01J0ABCDEFGHJKMNPQRSTVWXYZ`, or the name of a part of the system." },
            },
        })
    }
}

//! What can be wrong with an event, told so that a person can find the place and a dead letter can be filed.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::ids::{EventId, TenantId};
use crate::subject::Subject;

/// The largest event, envelope and payload together, in bytes.
pub const MAX_EVENT_BYTES: usize = 256 * 1024;

/// What stands in the place of an id and is longer is not kept as its name.
const LONGEST_NAME: usize = 200;

/// Why an event could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// More than 256 KiB.
    #[error("the event has {bytes} bytes; at most {MAX_EVENT_BYTES} (256 KiB) are allowed")]
    TooLarge {
        /// How large it is.
        bytes: usize,
    },
    /// Not JSON, or not an object.
    #[error("the event is no JSON object: {detail}")]
    NotJson {
        /// What the parser found, and where.
        detail: String,
    },
    /// JSON, but not an envelope.
    #[error("the envelope cannot be read at `{pointer}`: {detail}")]
    Unreadable {
        /// JSON pointer to the first fault; empty for the whole.
        pointer: String,
        /// What is wrong there.
        detail: String,
    },
    /// An envelope whose payload is not what its subject promises.
    #[error("the payload does not fit its schema at `{pointer}`: {detail}")]
    SchemaMismatch {
        /// JSON pointer into the payload; empty for the whole.
        pointer: String,
        /// What is wrong there.
        detail: String,
    },
    /// Envelope and payload name different tenants.
    #[error("the envelope belongs to tenant {envelope}, its payload to {payload}; such an event is never applied")]
    TenantMismatch {
        /// The tenant of the envelope.
        envelope: String,
        /// The tenant of the payload.
        payload: String,
    },
    /// The subject is known, but not in this version.
    #[error("version {version} of `{subject}` is not known here")]
    UnknownVersion {
        /// The subject without its version.
        subject: String,
        /// The version that came.
        version: u32,
    },
    /// The subject is not known at all, or not the one that was asked for.
    #[error("the subject `{subject}` is not known here")]
    UnknownSubject {
        /// The subject that came.
        subject: String,
    },
}

/// Why an event could not be read, and as much of its identity as could be saved.
#[derive(Debug, Clone)]
pub struct ReadError {
    /// Why.
    pub kind: ReadErrorKind,
    identity: Box<Identity>,
}

/// What could be told about an event that is broken elsewhere.
#[derive(Debug, Clone, Default)]
pub(crate) struct Identity {
    pub(crate) event_id: Option<EventId>,
    /// What it calls itself, where that is no event id.
    pub(crate) called: Option<String>,
    pub(crate) subject: Option<Subject>,
    pub(crate) tenant_id: Option<TenantId>,
}

impl ReadError {
    pub(crate) fn new(kind: ReadErrorKind, identity: Identity) -> Self {
        Self { kind, identity: Box::new(identity) }
    }

    /// An error of which only the subject is known.
    pub(crate) fn about(kind: ReadErrorKind, subject: &Subject) -> Self {
        Self::new(kind, Identity { subject: Some(subject.clone()), ..Identity::default() })
    }

    /// The event's id, if it could be read.
    pub fn event_id(&self) -> Option<&EventId> {
        self.identity.event_id.as_ref()
    }

    /// What the event calls itself: its id, or whatever plain text stands in the id's place. A dead letter is filed and found under it.
    pub fn called(&self) -> Option<&str> {
        self.identity.event_id.as_ref().map(EventId::as_str).or(self.identity.called.as_deref())
    }

    /// The event's subject, if it could be read.
    pub fn subject(&self) -> Option<&Subject> {
        self.identity.subject.as_ref()
    }

    /// The event's tenant, if it could be read.
    pub fn tenant_id(&self) -> Option<&TenantId> {
        self.identity.tenant_id.as_ref()
    }

    /// The JSON pointer of the first fault, in the envelope or in the payload; `None` where the whole is at fault.
    pub fn pointer(&self) -> Option<&str> {
        match &self.kind {
            ReadErrorKind::Unreadable { pointer, .. } | ReadErrorKind::SchemaMismatch { pointer, .. } => Some(pointer),
            ReadErrorKind::TenantMismatch { .. } => Some("/tenantId"),
            _ => None,
        }
    }

    /// The last part of the problem code: `MELMASTOON.<CONTEXT>.<this>`.
    pub fn code(&self) -> &'static str {
        match self.kind {
            ReadErrorKind::TooLarge { .. } => "EVENT_TOO_LARGE",
            ReadErrorKind::NotJson { .. } | ReadErrorKind::Unreadable { .. } => "EVENT_UNREADABLE",
            ReadErrorKind::SchemaMismatch { .. } => "EVENT_SCHEMA_MISMATCH",
            ReadErrorKind::TenantMismatch { .. } => "EVENT_TENANT_MISMATCH",
            ReadErrorKind::UnknownVersion { .. } => "EVENT_VERSION_UNKNOWN",
            ReadErrorKind::UnknownSubject { .. } => "EVENT_SUBJECT_UNKNOWN",
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for ReadError {}

impl Identity {
    /// Looks for id, subject and tenant one by one in something that could not be read as a whole.
    pub(crate) fn salvaged_from(bytes: &[u8]) -> Self {
        Self::salvaged(bytes, &["id", "eventId"], &["subject", "eventType"], "tenantId")
    }

    /// The same for a `CloudEvent`, where `subject` is another thing.
    pub(crate) fn salvaged_from_cloud_event(bytes: &[u8]) -> Self {
        Self::salvaged(bytes, &["id"], &["type"], "tenantid")
    }

    fn salvaged(bytes: &[u8], ids: &[&str], subjects: &[&str], tenant: &str) -> Self {
        let Ok(fields) = serde_json::from_slice::<BTreeMap<String, &RawValue>>(bytes) else {
            return Self::default();
        };
        let text = |name: &str| -> Option<String> { serde_json::from_str(fields.get(name)?.get()).ok() };
        // A name that somebody can type on a command line.
        let plain = |name: &String| {
            !name.trim().is_empty() && name.chars().count() <= LONGEST_NAME && !name.chars().any(char::is_control)
        };
        Self {
            event_id: ids.iter().filter_map(|name| text(name)).find_map(|id| EventId::parse(&id).ok()),
            called: ids.iter().filter_map(|name| text(name)).find(plain),
            subject: subjects.iter().filter_map(|name| text(name)).find_map(|name| Subject::parse(&name).ok()),
            tenant_id: text(tenant).and_then(|tenant| TenantId::parse(&tenant).ok()),
        }
    }
}

/// The first place at which a payload is not what its subject promises.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at `{pointer}`: {detail}")]
pub struct SchemaFault {
    /// JSON pointer into the payload; empty for the whole.
    pub pointer: String,
    /// What is wrong there.
    pub detail: String,
}

/// Why an event could not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// More than 256 KiB.
    #[error("the event would have {bytes} bytes; at most {MAX_EVENT_BYTES} (256 KiB) are allowed")]
    TooLarge {
        /// How large it would be.
        bytes: usize,
    },
    /// A payload that does not fit the schema of its subject.
    #[error("the payload does not fit its schema at `{pointer}`: {detail}")]
    SchemaMismatch {
        /// JSON pointer into the payload; empty for the whole.
        pointer: String,
        /// What is wrong there.
        detail: String,
    },
    /// A subject that is not in the catalogue.
    #[error("the subject `{subject}` is not in the catalogue")]
    UnknownSubject {
        /// The subject.
        subject: String,
    },
    /// A value that JSON cannot hold.
    #[error("the event cannot be written as JSON: {detail}")]
    NotJson {
        /// What could not be written.
        detail: String,
    },
}

/// Reads JSON into a type; when it does not fit, finds the place of the first fault.
///
/// The second, slower pass runs only for what is refused anyway.
pub(crate) fn read_typed<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, (String, String)> {
    match serde_json::from_str(json) {
        Ok(value) => Ok(value),
        Err(plain) => {
            let mut deserializer = serde_json::Deserializer::from_str(json);
            match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
                Err(fault) => Err(place_and_detail(json_pointer(fault.path()), &fault.inner().to_string())),
                Ok(_) => Err(place_and_detail(String::new(), &plain.to_string())),
            }
        }
    }
}

/// The pointer says where better than line and column do, and a missing field has a place too: its own.
fn place_and_detail(mut pointer: String, told: &str) -> (String, String) {
    let detail = told.rsplit_once(" at line ").map_or(told, |(detail, _)| detail);
    if let Some(name) = detail.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        pointer.push('/');
        pointer.push_str(name);
    }
    (pointer, detail.to_owned())
}

/// RFC 6901: `/rooms/0/roomId`.
fn json_pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let mut pointer = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => {
                pointer.push('/');
                pointer.push_str(&index.to_string());
            }
            Segment::Map { key } => {
                pointer.push('/');
                pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
            }
            // The words of an enumeration and gaps are no place in the document.
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    pointer
}

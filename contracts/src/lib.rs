//! Everything that crosses a context boundary: ids, envelope, subjects, payloads.
//!
//! Tolerant reader, strict writer: every form that is seen in the wild is read, and one form is written.

pub mod actor;
pub mod asyncapi;
pub mod breaking;
pub mod catalogue;
pub mod cloudevents;
mod conformance;
mod edge;
pub mod envelope;
mod envelope_schema;
mod example;
pub mod external;
mod fault;
mod forms;
pub mod generated;
pub mod history;
pub mod housekeeping;
pub mod ids;
pub mod payload;
pub mod reference;
pub mod reservation;
mod schema;
pub mod sql;
pub mod staff;
pub mod subject;
pub mod time;
pub mod values;
#[doc(hidden)]
pub mod words;

pub use actor::{Actor, ActorKind};
pub use edge::{MAX_WRITTEN_PAYLOAD_BYTES, fits_schema, validate, validate_written, written};
pub use envelope::{AiProvenance, AiSource, Envelope, Metadata, RetentionClass};
pub use fault::{MAX_EVENT_BYTES, ReadError, ReadErrorKind, SchemaFault, WriteError};
pub use forms::{Form, SCHEMA_HOST};
pub use payload::Payload;
pub use subject::Subject;
pub use time::Timestamp;
pub use words::UnknownWord;

//! Validation at the edges: what comes in is read as its subject's type, what goes out fits its schema.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::catalogue::{self, Entry};
use crate::conformance;
use crate::envelope::{Envelope, unstorable};
use crate::fault::{MAX_EVENT_BYTES, ReadError, ReadErrorKind, SchemaFault, WriteError};
use crate::payload::Payload;
use crate::subject::Subject;

/// Whether a payload is what its subject promises; unknown fields and unknown words pass.
///
/// The reading side is the typed reader itself, not a schema interpreter: it is several times faster, and what it
/// accepts is what the handlers get.
pub fn validate(subject: &Subject, payload: &RawValue) -> Result<(), SchemaFault> {
    let entry =
        catalogue::get(subject).map_err(|kind| SchemaFault { pointer: String::new(), detail: kind.to_string() })?;
    entry.check(payload).map(|_| ())
}

/// The largest payload we write: what an event may have, less room for an envelope, so that nothing is stored that cannot
/// be published afterwards.
pub const MAX_WRITTEN_PAYLOAD_BYTES: usize = MAX_EVENT_BYTES - 8 * 1024;

/// A payload as it is stored and published, checked by [`validate_written`].
pub fn written<P: Payload>(payload: &P) -> Result<Box<RawValue>, WriteError> {
    let json = to_raw_value(payload).map_err(|fault| WriteError::NotJson { detail: fault.to_string() })?;
    validate_written(P::SUBJECT, &json)?;
    Ok(json)
}

/// Whether a payload may be published: it fits the schema of its subject word for word, and is not too large.
///
/// In debug builds and tests the schema is checked. In release builds the types guarantee it; size and what no store
/// takes (a NUL character) are checked in both.
pub fn validate_written(subject: &str, payload: &RawValue) -> Result<(), WriteError> {
    let bytes = payload.get().len();
    if bytes > MAX_WRITTEN_PAYLOAD_BYTES {
        return Err(WriteError::TooLarge { bytes });
    }
    if let Some(detail) = unstorable(payload.get()) {
        return Err(WriteError::SchemaMismatch { pointer: String::new(), detail });
    }
    if cfg!(debug_assertions) { fits_schema(subject, payload) } else { Ok(()) }
}

/// Whether a payload fits the published schema of its subject, in every build.
pub fn fits_schema(subject: &str, payload: &RawValue) -> Result<(), WriteError> {
    static SCHEMAS: LazyLock<HashMap<&'static str, Value>> =
        LazyLock::new(|| catalogue::all().map(|entry| (entry.subject, entry.schema())).collect());
    let misfit = |fault: SchemaFault| WriteError::SchemaMismatch { pointer: fault.pointer, detail: fault.detail };
    let schema = SCHEMAS.get(subject).ok_or_else(|| WriteError::UnknownSubject { subject: subject.to_owned() })?;
    let value: Value =
        serde_json::from_str(payload.get()).map_err(|fault| WriteError::NotJson { detail: fault.to_string() })?;
    conformance::first_misfit(schema, &value).map_err(misfit)
}

impl Envelope {
    /// Everything that can be said against a received event before a handler sees it: subject and version are known, the
    /// payload is what they promise, and it belongs to the envelope's tenant.
    pub fn validate(&self) -> Result<&'static Entry, ReadError> {
        let entry = catalogue::get(&self.subject).map_err(|kind| self.refuse(kind))?;
        let tenant = entry.check(&self.payload).map_err(|SchemaFault { pointer, detail }| {
            self.refuse(ReadErrorKind::SchemaMismatch { pointer, detail })
        })?;
        match tenant {
            Some(tenant) if tenant != self.tenant_id => Err(self.refuse(self.wrong_tenant(&tenant))),
            _ => Ok(entry),
        }
    }
}

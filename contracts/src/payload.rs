//! What a payload is: a typed body that belongs to one subject.

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ids::TenantId;

/// The body of an event of one subject.
pub trait Payload: Serialize + DeserializeOwned + JsonSchema + Debug + Send + Sync + 'static {
    /// The subject it belongs to, in its canonical spelling.
    const SUBJECT: &'static str;

    /// The tenant the body names. `None` means that the type does not tell, and the reader looks into the JSON.
    fn tenant_id(&self) -> Option<&TenantId> {
        None
    }
}

/// Ties a payload with a `tenant_id` field to its subject.
macro_rules! payload {
    (optional tenant: $($name:ident = $subject:literal;)+) => {
        $(
            impl $crate::payload::Payload for $name {
                const SUBJECT: &'static str = $subject;
                fn tenant_id(&self) -> Option<&$crate::ids::TenantId> {
                    self.tenant_id.as_ref()
                }
            }
        )+
    };
    ($($name:ident = $subject:literal;)+) => {
        $(
            impl $crate::payload::Payload for $name {
                const SUBJECT: &'static str = $subject;
                fn tenant_id(&self) -> Option<&$crate::ids::TenantId> {
                    Some(&self.tenant_id)
                }
            }
        )+
    };
}
pub(crate) use payload;

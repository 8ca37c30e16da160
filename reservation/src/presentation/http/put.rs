//! The answer of a PUT that makes a thing or changes it: 201 or 200.

use platform::database::StoredResponse;
use platform::http::{Changed, Created, Describe, Operation, Reply};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) enum Put<T> {
    Made(Created<T>),
    Changed(Changed<T>),
}

impl<T: Serialize> Put<T> {
    pub(super) fn new(resource: &T, version: i32, location: String, is_new: bool) -> Self {
        if is_new {
            Self::Made(Created::new(resource, version, location))
        } else {
            Self::Changed(Changed::new(resource, version))
        }
    }
}

impl<T: JsonSchema> Describe for Put<T> {
    fn describe(operation: &mut Operation<'_>) {
        Changed::<T>::describe(operation);
        Created::<T>::describe(operation);
    }
}

impl<T: JsonSchema> Reply for Put<T> {
    fn into_stored(self) -> StoredResponse {
        match self {
            Self::Made(made) => made.into_stored(),
            Self::Changed(changed) => changed.into_stored(),
        }
    }
}

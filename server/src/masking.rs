//! Addresses in what `config` shows: without what signs in there.

use platform::without_secrets;
use serde::{Serialize as _, Serializer};

pub(crate) fn masked_url<S: Serializer>(url: &str, out: S) -> Result<S::Ok, S::Error> {
    without_secrets(url).serialize(out)
}

#[expect(clippy::ref_option, reason = "serde hands it over like this")]
pub(crate) fn masked<S: Serializer>(url: &Option<String>, out: S) -> Result<S::Ok, S::Error> {
    url.as_deref().map(without_secrets).serialize(out)
}

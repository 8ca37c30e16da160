//! Who is calling: tokens, roles, properties.

mod broker;
mod caller;
mod hashing;
mod in_use;
mod jwks;
mod jwt;
mod key_set;
mod keys;
mod secret_file;
mod secrets;

pub use broker::Broker;
pub use caller::{Caller, Properties, Role, Roles};
pub use in_use::{adopt_secrets, differing_secrets, note_secrets};
pub use jwks::RemoteKeys;
pub use jwt::{Claims, PIN_ISSUER, TokenError, Verifier};
pub use keys::SigningKey;
pub use secrets::{NoHash, Secrets};

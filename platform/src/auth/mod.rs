//! Who is calling: tokens, roles, properties.

mod broker;
mod caller;
mod jwks;
mod jwt;
mod key_set;
mod keys;

pub use broker::Broker;
pub use caller::{Caller, Properties, Role, Roles};
pub use jwks::RemoteKeys;
pub use jwt::{Claims, TokenError, Verifier};
pub use keys::SigningKey;

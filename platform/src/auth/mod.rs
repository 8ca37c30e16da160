//! Who is calling: tokens, roles, properties.

mod caller;
mod jwks;
mod jwt;
mod keys;

pub use caller::{Caller, Properties, Role, Roles};
pub use jwks::RemoteKeys;
pub use jwt::{Claims, TokenError, Verifier};
pub use keys::SigningKey;

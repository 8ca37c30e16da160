//! One click into the demo hotel.

use std::net::SocketAddr;
use std::sync::Arc;

use platform::Clock;
use platform::auth::{Claims, Role, SigningKey};

use crate::Failure;
use crate::config::Config;
use crate::demo::Visitors;

/// Nobody explores for longer.
const SECONDS: i64 = 8 * 60 * 60;

/// Tokens for the demo's people, for nobody else's hotel.
#[derive(Debug)]
pub struct DemoDoor {
    key: SigningKey,
    visitors: Visitors,
}

impl DemoDoor {
    pub fn new(key: SigningKey, visitors: Visitors) -> Self {
        Self { key, visitors }
    }

    /// A door, where one may be: whoever reaches the listener can walk through it, so nobody but this machine may, and nothing
    /// may stand before it that lets others in.
    pub fn open(config: &Config, listen: SocketAddr, visitors: Visitors) -> Result<Option<Arc<Self>>, Failure> {
        if !listen.ip().is_loopback() || config.jwt.is_some() || config.public_url.is_some() {
            return Ok(None);
        }
        let key = SigningKey::load_or_make(&config.signing_key_file()).map_err(Failure::Failed)?;
        Ok(Some(Arc::new(Self::new(key, visitors))))
    }

    /// A token of whoever has this role in the demo; `None`: nobody has.
    pub(super) fn token(&self, role: &str, clock: &Clock) -> Option<String> {
        let role = Role::parse(role)?;
        let (_, staff) = self.visitors.people.iter().find(|(has, _)| *has == role)?;
        let now = clock.now().as_millis() / 1_000;
        let claims = Claims {
            sub: format!("usr_demo_{}", role.as_str()),
            tenant_id: Some(self.visitors.tenant.as_str().to_owned()),
            staff_id: Some(staff.as_str().to_owned()),
            roles: vec![role.as_str().to_owned(), Role::Staff.as_str().to_owned()],
            properties: vec![self.visitors.property.as_str().to_owned()],
            exp: now + SECONDS,
            iat: Some(now),
            ..Claims::default()
        };
        tracing::info!(role = role.as_str(), "somebody walked into the demo hotel");
        Some(self.key.mint(&claims))
    }

    pub(super) fn tenant(&self) -> &str {
        self.visitors.tenant.as_str()
    }
}

//! The message broker's own identity, which speaks for all tenants: it is therefore told from every other account of its
//! issuer by audience and address, and there is no way to leave one of them out.

use contracts::time::Timestamp;

use super::jwt::{Audience, Issuer};
use super::{Claims, RemoteKeys, TokenError, Verifier};

/// Whoever signs in as the broker: its OIDC tokens are RS256, for this audience and no other, and name this account.
#[derive(Debug)]
pub struct Broker {
    verifier: Verifier,
    audience: String,
    email: String,
}

impl Broker {
    pub fn new(keys: RemoteKeys, issuer: String, audience: String, email: String) -> Self {
        let verifier = Verifier::of(Issuer { keys, name: issuer, audience: audience.clone(), only: Some("RS256") });
        Self { verifier, audience, email }
    }

    /// Whether the token is the broker's.
    pub async fn admit(&self, token: &str, now: Timestamp) -> Result<(), TokenError> {
        let Claims { aud, iat, email, email_verified, .. } = self.verifier.claims(token, now).await?;
        // A token that is good elsewhere too could have been handed on by whoever runs that elsewhere.
        if !aud.as_ref().is_some_and(|aud| is_exactly(aud, &self.audience)) {
            return Err(TokenError::WrongIssuerOrAudience);
        }
        if iat.is_none() {
            return Err(TokenError::BadClaim("iat"));
        }
        let known = email.as_deref() == Some(self.email.as_str()) && email_verified == Some(true);
        if known { Ok(()) } else { Err(TokenError::BadClaim("email")) }
    }
}

fn is_exactly(audience: &Audience, wanted: &str) -> bool {
    match audience {
        Audience::One(one) => one == wanted,
        Audience::Many(many) => matches!(many.as_slice(), [one] if one == wanted),
    }
}

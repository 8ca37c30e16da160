//! The embedded signing key: made on the first start, kept where only its owner can read it.

use std::path::Path;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair};

use super::{Claims, secret_file};

/// An Ed25519 key that signs local tokens.
#[derive(Clone, Debug)]
pub struct SigningKey {
    pair: Arc<Ed25519KeyPair>,
    kid: String,
}

impl SigningKey {
    /// The key in this file, made if there is none yet.
    pub fn load_or_make(file: &Path) -> Result<Self, String> {
        let bytes = secret_file::load_or_make(file, || {
            let fresh = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).map_err(|error| error.to_string())?;
            Ok(fresh.as_ref().to_vec())
        })?;
        Self::from_pkcs8(&bytes).map_err(|detail| format!("{} is not a signing key: {detail}", file.display()))
    }

    /// A key for this process alone.
    pub fn fresh() -> Result<Self, String> {
        let made = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).map_err(|error| error.to_string())?;
        Self::from_pkcs8(made.as_ref())
    }

    fn from_pkcs8(bytes: &[u8]) -> Result<Self, String> {
        let pair = Ed25519KeyPair::from_pkcs8(bytes).map_err(|error| error.to_string())?;
        let kid = crate::http::fingerprint(pair.public_key().as_ref());
        Ok(Self { pair: Arc::new(pair), kid })
    }

    pub fn kid(&self) -> &str {
        &self.kid
    }

    pub fn public_key(&self) -> Vec<u8> {
        self.pair.public_key().as_ref().to_vec()
    }

    /// A signed token.
    pub fn mint(&self, claims: &Claims) -> String {
        let header = format!(r#"{{"alg":"EdDSA","typ":"JWT","kid":"{}"}}"#, self.kid);
        let body = serde_json::to_vec(claims).unwrap_or_default();
        let signed = format!("{}.{}", BASE64.encode(header), BASE64.encode(body));
        let signature = self.pair.sign(signed.as_bytes());
        format!("{signed}.{}", BASE64.encode(signature.as_ref()))
    }
}

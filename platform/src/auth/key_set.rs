//! A published set of keys (JWKS), and what a key verifies. The algorithm is the key's and never the token's.

use std::collections::HashMap;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use ring::signature::{ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey};
use serde::Deserialize;

use super::TokenError;

/// A public key that tokens are checked with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PublicKey {
    Ed25519(Vec<u8>),
    Rs256 { n: Vec<u8>, e: Vec<u8> },
}

impl PublicKey {
    /// The one algorithm that the key is for, by its name in tokens.
    pub(super) fn algorithm(&self) -> &'static str {
        match self {
            Self::Ed25519(_) => "EdDSA",
            Self::Rs256 { .. } => "RS256",
        }
    }

    pub(super) fn verifies(&self, signed: &[u8], signature: &[u8]) -> Result<(), TokenError> {
        let outcome = match self {
            Self::Ed25519(key) => UnparsedPublicKey::new(&ED25519, key).verify(signed, signature),
            Self::Rs256 { n, e } => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, signed, signature)
            }
        };
        outcome.map_err(|_| TokenError::BadSignature)
    }
}

#[derive(Deserialize)]
struct KeySet {
    keys: Vec<Key>,
}

#[derive(Deserialize)]
struct Key {
    kty: String,
    #[serde(default)]
    kid: String,
    #[serde(default)]
    alg: Option<String>,
    #[serde(default, rename = "use")]
    purpose: Option<String>,
    #[serde(default)]
    n: String,
    #[serde(default)]
    e: String,
    #[serde(default)]
    crv: String,
    #[serde(default)]
    x: String,
}

/// The keys that sign tokens in a way we know; others of the set are passed over.
pub(super) fn read(text: &str) -> Result<HashMap<String, Arc<PublicKey>>, String> {
    let set: KeySet = serde_json::from_str(text).map_err(|error| error.to_string())?;
    Ok(set.keys.into_iter().filter_map(|key| public_key(&key).map(|public| (key.kid, Arc::new(public)))).collect())
}

fn public_key(key: &Key) -> Option<PublicKey> {
    let bytes = |text: &str| BASE64.decode(text).ok().filter(|bytes| !bytes.is_empty());
    let public = match (key.kty.as_str(), key.crv.as_str()) {
        ("RSA", _) => PublicKey::Rs256 { n: bytes(&key.n)?, e: bytes(&key.e)? },
        ("OKP", "Ed25519") => PublicKey::Ed25519(bytes(&key.x)?),
        _ => return None,
    };
    // A key for encryption, or for another algorithm, signs nothing for us. One without a name cannot be asked for.
    let signs = key.purpose.as_deref().is_none_or(|purpose| purpose == "sig");
    let ours = key.alg.as_deref().is_none_or(|alg| alg == public.algorithm());
    (signs && ours && !key.kid.is_empty()).then_some(public)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_keys_that_sign_in_a_known_way_are_taken() {
        let set = r#"{ "keys": [
            { "kty": "RSA", "kid": "good", "n": "AQAB", "e": "AQAB", "use": "sig", "alg": "RS256" },
            { "kty": "RSA", "kid": "bare", "n": "AQAB", "e": "AQAB" },
            { "kty": "OKP", "kid": "young", "crv": "Ed25519", "x": "AQAB", "alg": "EdDSA" },
            { "kty": "RSA", "n": "AQAB", "e": "AQAB" },
            { "kty": "RSA", "kid": "for envelopes", "n": "AQAB", "e": "AQAB", "use": "enc" },
            { "kty": "RSA", "kid": "another way", "n": "AQAB", "e": "AQAB", "alg": "PS256" },
            { "kty": "RSA", "kid": "no number", "n": "", "e": "AQAB" },
            { "kty": "oct", "kid": "a secret", "k": "AQAB" },
            { "kty": "EC", "kid": "a curve", "crv": "P-256", "x": "AQAB", "y": "AQAB" }
        ] }"#;
        let mut names: Vec<_> = read(set).unwrap().into_keys().collect();
        names.sort();
        assert_eq!(names, ["bare", "good", "young"]);
        assert!(read("<html>").is_err() && read("{}").is_err());
    }
}

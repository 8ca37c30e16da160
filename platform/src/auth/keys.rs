//! The embedded signing key: made on the first start, kept where only its owner can read it.

use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair};

use super::Claims;

/// An Ed25519 key that signs local tokens.
#[derive(Debug)]
pub struct SigningKey {
    pair: Ed25519KeyPair,
    kid: String,
}

impl SigningKey {
    /// The key in this file, made if there is none yet.
    pub fn load_or_make(file: &Path) -> Result<Self, String> {
        match std::fs::read(file) {
            Ok(bytes) => {
                let mode = std::fs::metadata(file).map_or(0, |meta| meta.permissions().mode() & 0o077);
                if mode != 0 {
                    return Err(format!("{} can be read by others; run: chmod 600 {0}", file.display()));
                }
                Self::from_pkcs8(&bytes).map_err(|detail| format!("{} is not a signing key: {detail}", file.display()))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Self::make(file).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
                Self::load_or_make(file)
            }
            Err(error) => Err(format!("cannot read {}: {error}", file.display())),
        }
    }

    /// Written beside and linked, so that a crash leaves no half key; of several processes that start together one wins.
    fn make(file: &Path) -> std::io::Result<()> {
        let fresh = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new())
            .map_err(|error| std::io::Error::other(error.to_string()))?;
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let beside = file.with_extension(format!("new-{}", std::process::id()));
        let mut out = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
        out.write_all(fresh.as_ref()).and_then(|()| out.sync_all())?;
        let linked = std::fs::hard_link(&beside, file);
        std::fs::remove_file(&beside)?;
        match linked {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(()),
        }
    }

    /// A key for this process alone.
    pub fn fresh() -> Result<Self, String> {
        let made = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).map_err(|error| error.to_string())?;
        Self::from_pkcs8(made.as_ref())
    }

    fn from_pkcs8(bytes: &[u8]) -> Result<Self, String> {
        let pair = Ed25519KeyPair::from_pkcs8(bytes).map_err(|error| error.to_string())?;
        let kid = crate::http::fingerprint(pair.public_key().as_ref());
        Ok(Self { pair, kid })
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

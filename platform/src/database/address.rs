//! Where a database is and how it is spoken to. `DATABASE_URL` is read here, for every connection there is.
//!
//! The client library knows neither `verify-ca`, `verify-full` nor `sslrootcert`, so these are taken out of the text before the
//! library reads the rest. They mean what `psql` users expect: see docs/decisions/tls.md.

use std::error::Error as _;
use std::str::FromStr;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use super::tls::{Roots, Tls};

/// A database server, a login on it, and what its certificate must prove.
#[derive(Clone, Debug)]
pub struct DatabaseAddress {
    pub(super) config: Config,
    pub(super) tls: Tls,
}

/// Why an address cannot be used, to be read after the name of the setting that it came from.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    #[error("cannot be read: {0}; what is needed looks like postgres://user:password@host:5432/database")]
    Unreadable(String),
    #[error("has sslmode={0}; it can be disable, prefer, require, verify-ca or verify-full")]
    Mode(String),
    #[error(
        "has sslmode=verify-ca and no sslrootcert: with the certificates of this machine, anybody's server would pass; \
         add sslrootcert=FILE, or use sslmode=verify-full"
    )]
    AnybodysServer,
    #[error("has sslrootcert=system, which needs sslmode=verify-full: anybody's server would pass with less")]
    SystemNeedsFull,
    #[error(
        "needs the root certificates of this machine and there are none; name a file of them with sslrootcert=FILE"
    )]
    NoSystemRoots,
    #[error("has sslrootcert={file}: {detail}; a file of certificates in PEM form is needed")]
    RootFile { file: String, detail: String },
}

/// A configuration that somebody else made keeps its mode; a certificate then proves nothing, as with `psql` and no root.
impl From<Config> for DatabaseAddress {
    fn from(config: Config) -> Self {
        Self { config, tls: Tls::unproven() }.plain_on_sockets()
    }
}

impl From<&Config> for DatabaseAddress {
    fn from(config: &Config) -> Self {
        config.clone().into()
    }
}

impl From<&DatabaseAddress> for DatabaseAddress {
    fn from(address: &DatabaseAddress) -> Self {
        address.clone()
    }
}

impl FromStr for DatabaseAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let (rest, asked) = take_out(text);
        let mut config: Config = rest.parse().map_err(|error: tokio_postgres::Error| {
            AddressError::Unreadable(error.source().map_or_else(|| error.to_string(), ToString::to_string))
        })?;
        // Encryption wants the name of somebody; of an address without a name that is the address.
        if config.get_hosts().is_empty() {
            for address in config.get_hostaddrs().to_vec() {
                config.host(address.to_string());
            }
        }
        let mode = asked.mode.as_deref().unwrap_or(match config.get_ssl_mode() {
            SslMode::Disable => "disable",
            SslMode::Require => "require",
            _ => "prefer",
        });
        let (mode, tls) = match (mode, asked.root.as_deref()) {
            ("verify-full", None | Some("system")) => {
                (SslMode::Require, Tls::proven_in_full(Roots::of_this_machine()?))
            }
            ("verify-full", Some(file)) => (SslMode::Require, Tls::proven_in_full(Roots::in_file(file)?)),
            ("disable" | "allow" | "prefer" | "require" | "verify-ca", Some("system")) => {
                return Err(AddressError::SystemNeedsFull);
            }
            ("verify-ca", None) => return Err(AddressError::AnybodysServer),
            // Whoever names a root wants it asked.
            ("verify-ca" | "require", Some(file)) => (SslMode::Require, Tls::proven(Roots::in_file(file)?)),
            ("require", None) => (SslMode::Require, Tls::unproven()),
            ("prefer" | "allow", _) => (SslMode::Prefer, Tls::unproven()),
            ("disable", _) => (SslMode::Disable, Tls::unproven()),
            (other, _) => return Err(AddressError::Mode(other.to_owned())),
        };
        config.ssl_mode(mode);
        Ok(Self { config, tls }.plain_on_sockets())
    }
}

impl DatabaseAddress {
    /// Through a socket nobody else listens: PostgreSQL encrypts nothing there, and need not be asked.
    fn plain_on_sockets(mut self) -> Self {
        let hosts = self.config.get_hosts();
        if !hosts.is_empty() && hosts.iter().all(|host| matches!(host, Host::Unix(_))) {
            self.config.ssl_mode(SslMode::Disable);
        }
        self
    }
}

/// What is ours to read.
#[derive(Debug, Default, PartialEq, Eq)]
struct Asked {
    mode: Option<String>,
    root: Option<String>,
}

impl Asked {
    /// Whether a parameter is ours; the last one of a name counts.
    fn takes(&mut self, key: &str, value: impl FnOnce() -> String) -> bool {
        let place = match key {
            "sslmode" => &mut self.mode,
            "sslrootcert" => &mut self.root,
            _ => return false,
        };
        *place = Some(value()).filter(|value| !value.is_empty());
        true
    }
}

/// The text without what is ours, in either of the two forms it may have.
fn take_out(text: &str) -> (String, Asked) {
    let mut asked = Asked::default();
    let is_url = text.starts_with("postgres://") || text.starts_with("postgresql://");
    // A password may have a question mark in it; the client library takes what is before the first @ for the login, too.
    let login = text.find('@').unwrap_or(0);
    let rest = match text[login..].find('?').map(|mark| text.split_at(login + mark)) {
        Some((place, parameters)) if is_url => {
            let kept: Vec<_> = parameters[1..]
                .split('&')
                .filter(|one| {
                    let (key, value) = one.split_once('=').unwrap_or((one, ""));
                    !asked.takes(&decoded(key), || decoded(value))
                })
                .collect();
            if kept.is_empty() { place.to_owned() } else { format!("{place}?{}", kept.join("&")) }
        }
        _ if is_url => text.to_owned(),
        _ => {
            let kept = words(text).into_iter().filter(|(key, value, _)| !asked.takes(key, || value.clone()));
            kept.map(|(.., whole)| whole).collect::<Vec<_>>().join(" ")
        }
    };
    (rest, asked)
}

/// `%2F` and the like, of a URL. What is not UTF-8 is nobody's file.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, more @ ..] = rest {
        let hex = more.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        let byte = hex.filter(|_| *first == b'%').and_then(|pair| u8::from_str_radix(pair, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &more[2..] } else { more };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The parameters of `key=value key='a value'`: key, value and the whole as it was written. What has no `=` is left as it
/// is, for the client library to refuse.
fn words(text: &str) -> Vec<(&str, String, &str)> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let Some((key, after)) = rest.split_once('=') else {
            found.push(("", String::new(), rest));
            break;
        };
        let after = after.trim_start();
        let (value, left) = value(after);
        found.push((key.trim(), value, &rest[..rest.len() - left.len()]));
        rest = left.trim_start();
    }
    found
}

/// One value, quoted or not, with its backslashes resolved; and what comes after it.
fn value(text: &str) -> (String, &str) {
    let quoted = text.starts_with('\'');
    let mut value = String::new();
    let mut letters = text.char_indices().skip(usize::from(quoted));
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => value.extend(letters.next().map(|(_, escaped)| escaped)),
            '\'' if quoted => return (value, &text[at + 1..]),
            _ if !quoted && letter.is_whitespace() => return (value, &text[at..]),
            _ => value.push(letter),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (SslMode, String) {
        let address: DatabaseAddress = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        (address.config.get_ssl_mode(), format!("{:?}", address.tls))
    }

    fn refused(text: &str) -> String {
        text.parse::<DatabaseAddress>().expect_err(text).to_string()
    }

    #[test]
    fn both_forms_of_an_address_say_how_to_encrypt() {
        for (mode, expected) in [
            ("disable", SslMode::Disable),
            ("allow", SslMode::Prefer),
            ("prefer", SslMode::Prefer),
            ("require", SslMode::Require),
        ] {
            let url = format!("postgres://hotel:se%3Fcret@db:5433/hotel?sslmode={mode}&application_name=x");
            assert_eq!(read(&url).0, expected, "{url}");
            let words = format!("host=db  sslmode = '{mode}' password='it\\'s a secret' user=hotel");
            assert_eq!(read(&words).0, expected, "{words}");
        }
        assert_eq!(read("postgres://hotel@db/hotel").0, SslMode::Prefer, "as psql does");
        assert_eq!(read("postgres://hotel@db/hotel?sslmode=require&sslmode=disable").0, SslMode::Disable, "the last");
        let odd = "postgres://hotel:what?sslmode=disable@db/hotel?sslmode=require";
        assert_eq!(read(odd).0, SslMode::Require, "what stands in a password is no setting");
    }

    #[test]
    fn the_rest_of_an_address_is_left_as_it_was() {
        let text = r"host=db password='it\'s = a secret' sslrootcert='/a b/root.crt' user=hotel sslmode=verify-full";
        let (rest, asked) = take_out(text);
        assert_eq!(rest, r"host=db password='it\'s = a secret' user=hotel");
        assert_eq!(asked, Asked { mode: Some("verify-full".to_owned()), root: Some("/a b/root.crt".to_owned()) });
        let (rest, asked) = take_out("postgresql://h:p%26w@db/hotel?sslrootcert=%2Fa%20b%2Fröot.crt&connect_timeout=3");
        assert_eq!(rest, "postgresql://h:p%26w@db/hotel?connect_timeout=3");
        assert_eq!(asked, Asked { mode: None, root: Some("/a b/röot.crt".to_owned()) });
        assert_eq!(take_out("postgres://db/hotel?sslmode=").0, "postgres://db/hotel");
    }

    #[test]
    fn what_would_prove_nothing_or_cannot_be_read_is_refused_with_a_reason() {
        assert!(refused("postgres://db/hotel?sslmode=verify-ca").contains("sslrootcert=FILE"));
        assert!(refused("postgres://db/hotel?sslmode=require&sslrootcert=system").contains("verify-full"));
        assert!(refused("postgres://db/hotel?sslmode=always").contains("sslmode=always"));
        let nowhere = refused("postgres://db/hotel?sslmode=verify-full&sslrootcert=/nowhere/root.crt");
        assert!(nowhere.contains("/nowhere/root.crt") && nowhere.contains("PEM"), "{nowhere}");
        assert!(refused("postgres://db/hotel?sslcert=mine.crt").contains("sslcert"));
        for none in ["mysql://somewhere", "nonsense"] {
            let said = refused(none);
            assert!(said.contains("cannot be read") && said.contains("postgres://user:"), "{said}");
        }
    }

    #[test]
    fn a_socket_needs_no_encryption_and_a_bare_address_is_its_own_name() {
        assert_eq!(read("host=/run/postgresql sslmode=require").0, SslMode::Disable);
        let bare: DatabaseAddress = "hostaddr=127.0.0.1 sslmode=require".parse().unwrap();
        assert_eq!(bare.config.get_hosts(), [Host::Tcp("127.0.0.1".to_owned())]);
    }
}

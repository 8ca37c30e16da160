//! Where a webhook may go: to the internet, and into no private network unless the operator allows it.
//!
//! The name is looked up once, the address is checked, and that very address is called: a name that means something else a moment
//! later leads nowhere.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use url::{Host, Url};

/// Why an address is not called.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Forbidden {
    #[error("{0}")]
    Address(&'static str),
    #[error("{host} is not found: {why}")]
    NotFound { host: String, why: String },
    /// Where exactly is the operator's to know: a tenant could learn a private network by asking for name after name.
    #[error("{host} leads to an address that is not on the internet")]
    Private { host: String, address: IpAddr },
}

/// Where to call, checked.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// All that the name has, each of them checked.
    pub(super) addresses: Vec<SocketAddr>,
    pub(super) host: String,
    pub(super) encrypted: bool,
    /// What stands in the `Host` header.
    pub(super) authority: String,
    pub(super) path: String,
}

/// Names that mean somebody of one's own network, whoever is asked.
fn is_at_home(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    !name.contains('.')
        || ["localhost", "local", "internal", "lan", "home.arpa"].iter().any(|end| name.ends_with(&format!(".{end}")))
}

/// Whether a name could be anybody's: labels of 1 to 63 characters, 253 in all, and no ending that is promised to nobody (RFC 2606, RFC 7686).
/// An address that can never be found is told to whoever types it, and not three days later by a paused endpoint.
fn can_be_found(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    let nobodys = ["invalid", "onion"].iter().any(|end| name.eq_ignore_ascii_case(end) || ends_with(name, end));
    let is_label = |label: &str| (1..=63).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-');
    !nobodys && name.len() <= 253 && name.split('.').all(is_label)
}

fn ends_with(name: &str, end: &str) -> bool {
    name.len() > end.len() && name.to_ascii_lowercase().ends_with(&format!(".{end}"))
}

/// Reads an address as far as that goes without looking it up.
pub(super) fn read(text: &str, private_allowed: bool) -> Result<Url, Forbidden> {
    // The parser is a browser's: it mends what people type, and what was kept would be something else than what is called.
    if text.contains(|one: char| one.is_whitespace() || one.is_control()) {
        return Err(Forbidden::Address("an address without spaces and line ends"));
    }
    let url = Url::parse(text).map_err(|_| Forbidden::Address("an address such as https://example.com/hook"))?;
    if !text.split_once(':').is_some_and(|(_, rest)| rest.starts_with("//")) {
        return Err(Forbidden::Address("an address that begins with https://"));
    }
    match url.scheme() {
        "https" => {}
        "http" if private_allowed => {}
        _ => return Err(Forbidden::Address("an address that begins with https://")),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Forbidden::Address("an address without a user and a password"));
    }
    if url.fragment().is_some() {
        return Err(Forbidden::Address("an address without a fragment"));
    }
    if url.port() == Some(0) {
        return Err(Forbidden::Address("an address whose port is 1 to 65535"));
    }
    let address = match url.host() {
        None => return Err(Forbidden::Address("an address with a host")),
        Some(Host::Domain(name)) if !private_allowed && is_at_home(name) => {
            return Err(Forbidden::Address("an address of somebody else: this name is not on the internet"));
        }
        Some(Host::Domain(name)) if !can_be_found(name) => {
            return Err(Forbidden::Address("an address with a host that can be found"));
        }
        Some(Host::Domain(_)) => None,
        Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
    };
    match address {
        Some(address) if !private_allowed && !is_public(address) => {
            Err(Forbidden::Address("an address on the internet: this one is of a private network, or nobody's"))
        }
        _ => Ok(url),
    }
}

impl Target {
    pub(super) async fn find(text: &str, private_allowed: bool) -> Result<Self, Forbidden> {
        let url = read(text, private_allowed)?;
        let encrypted = url.scheme() == "https";
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let port = url.port_or_known_default().unwrap_or(443);
        let not_found = |why: String| Forbidden::NotFound { host: host.clone(), why };
        let found: Vec<SocketAddr> = tokio::net::lookup_host((host.as_str(), port))
            .await
            .map_err(|error| not_found(error.to_string()))?
            .collect();
        // One private address among public ones is a trap, or a mistake of theirs; neither is called.
        let private = found.iter().find(|address| !private_allowed && !is_public(address.ip()));
        if let Some(address) = private.map(SocketAddr::ip) {
            tracing::warn!(host, %address, "a webhook leads into a private network, and is not called");
            return Err(Forbidden::Private { host, address });
        }
        if found.is_empty() {
            return Err(not_found("it has no address".to_owned()));
        }
        let authority = match url.port() {
            Some(port) => format!("{}:{port}", url.host_str().unwrap_or_default()),
            None => url.host_str().unwrap_or_default().to_owned(),
        };
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        Ok(Self { addresses: found, host, encrypted, authority, path })
    }
}

/// Whether an address is somebody's on the internet, and nobody's own network, machine or neighbourhood.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_documentation()
        || address.is_multicast()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (b == 18 || b == 19));
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let four = |at: usize| Ipv4Addr::from((u32::from(parts[at]) << 16) | u32::from(parts[at + 1]));
    // An address of the old kind in the clothes of the new one.
    if let Some(mapped) = address.to_ipv4_mapped() {
        return is_public_v4(mapped);
    }
    if parts[..6] == [0; 6] {
        return false; // unspecified, loopback, and the old compatible form
    }
    match (parts[0], parts[1]) {
        (0x64, 0xff9b) if parts[2..6] == [0; 4] => is_public_v4(four(6)),
        (0x64, 0xff9b) | (0x2001, 0xdb8 | 0) => false,
        (0x2002, _) => is_public_v4(four(1)),
        // Only 2000::/3 is given out.
        (first, second) => (0x2000..0x4000).contains(&first) && !(first == 0x3fff && second < 0x1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_of_a_private_network_passes_for_the_internet() {
        let private = [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "0.1.2.3",
            "255.255.255.255",
            "224.0.0.1",
            "198.18.0.1",
            "192.0.0.1",
            "240.0.0.1",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2001:db8::1",
            "2001::1",
            "3fff::1",
        ];
        for text in private {
            assert!(!is_public(text.parse().expect(text)), "{text}");
        }
        for text in ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101", "100.128.0.1"]
        {
            assert!(is_public(text.parse().expect(text)), "{text}");
        }
    }

    #[test]
    fn an_address_is_read_as_it_is_and_not_as_it_pretends_to_be() {
        let refused = [
            "",
            "example.com",
            "http://example.com/",
            "ftp://example.com",
            "https://",
            "https://user:pw@example.com",
            "https://example.com/#x",
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://0x7f000001/",
            "https://2130706433/",
            "https://0177.0.0.1/",
            "https://[::ffff:127.0.0.1]/",
            "javascript:alert(1)",
            // Mended by a browser, and by nobody here.
            "https:example.com/hook",
            "https:/example.com/hook",
            "https:\\\\example.com/hook",
            " https://example.com/hook",
            "https://exam\nple.com/hook",
            "https://example.com/a hook",
            "https://example.com:0/",
            "https://example.com:70000/",
            // Nobody's, whoever is asked.
            "https://example..com/",
            "https://.example.com/",
            "https://-example.com/",
            "https://hotel.invalid/",
            "https://hotel.ONION./",
        ];
        for text in refused {
            assert!(read(text, false).is_err(), "{text}");
        }
        let (long, longest) = ("a".repeat(64), vec!["a".repeat(63); 4].join("."));
        for text in [format!("https://{long}.com/"), format!("https://{longest}.com/")] {
            assert!(read(&text, false).is_err(), "{text}");
            assert!(read(&text, true).is_err(), "{text}: not even where private networks may be called");
        }
        for text in [
            "https://example.com",
            "https://example.com:8443/a?b=c",
            "https://1.1.1.1/",
            "HTTPS://Example.COM./hook",
            "https://b\u{fc}cher.example/h\u{f6}k",
            "https://xn--bcher-kva.example/",
            "https://a_b.example.com/%20",
        ] {
            assert!(read(text, false).is_ok(), "{text}");
        }
        assert!(read("http://127.0.0.1:8080/hook", true).is_ok());
    }

    #[tokio::test]
    async fn a_name_that_leads_into_a_private_network_is_not_called() {
        let found = Target::find("https://localhost/hook", false).await;
        assert!(matches!(found, Err(Forbidden::Address(_))), "{found:?}");
        let private =
            Forbidden::Private { host: "till.example".to_owned(), address: Ipv4Addr::new(10, 1, 2, 3).into() };
        assert!(!private.to_string().contains("10.1.2.3"), "where exactly is not for everybody: {private}");
        let allowed = Target::find("https://localhost:8443/hook?a=b", true).await.expect("it is allowed");
        assert_eq!((allowed.path.as_str(), allowed.authority.as_str()), ("/hook?a=b", "localhost:8443"));
    }
}

//! The cookie of our own pages: a browser's other way to bring its token.
//!
//! A browser sends it whoever asks, so it counts for nothing without proof that a page of ours asked: the `Host` is one of
//! ours (a name that was bound to our address afterwards is not), and a change comes from the same origin.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};

use super::Problem;

/// Below https, where browsers keep it to this very host and to encrypted connections.
const SECURE: &str = "__Host-melmastoon";
/// On the machine itself.
const PLAIN: &str = "melmastoon";
/// Browsers keep no larger one.
pub const LONGEST_COOKIE: usize = 3_800;

/// Where people find the hotel from elsewhere: `https://hotel.example`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    /// As browsers spell it in `Origin`: no port where it is the usual one.
    origin: String,
    /// The same without the scheme, as in `Host`.
    authority: String,
}

impl PublicUrl {
    /// `Err` says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let lower = text.trim().trim_end_matches('/').to_ascii_lowercase();
        let Some(authority) = lower.strip_prefix("https://") else {
            return Err(
                "an address that begins with https:// is needed: nobody may sign in through the air unencrypted",
            );
        };
        let fits = |b: u8| b.is_ascii_alphanumeric() || b".-:[]".contains(&b);
        if authority.is_empty() || !authority.bytes().all(fits) {
            return Err("a host alone is needed, such as https://hotel.example, without a path");
        }
        let authority = authority.strip_suffix(":443").unwrap_or(authority);
        Ok(Self { origin: format!("https://{authority}"), authority: authority.to_owned() })
    }

    pub fn origin(&self) -> &str {
        &self.origin
    }
}

/// Where a request says that it was sent to, among the places that are ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The public address, encrypted on the way.
    Public { origin: String },
    /// This machine, any port.
    Loopback { origin: String },
}

impl Place {
    fn origin(&self) -> &str {
        match self {
            Self::Public { origin } | Self::Loopback { origin } => origin,
        }
    }

    fn cookie_name(&self) -> &'static str {
        match self {
            Self::Public { .. } => SECURE,
            Self::Loopback { .. } => PLAIN,
        }
    }

    /// `Set-Cookie` for a token, for so many seconds; none: it goes.
    pub fn set_cookie(&self, token: &str, seconds: i64) -> String {
        let secure = if matches!(self, Self::Public { .. }) { "; Secure" } else { "" };
        let name = self.cookie_name();
        format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{secure}", seconds.max(0))
    }
}

/// What the gate knows of our own pages.
#[derive(Clone, Debug, Default)]
pub struct OwnPages {
    pub public: Option<PublicUrl>,
}

impl OwnPages {
    /// `None`: the name is nobody's that we know.
    pub fn place(&self, headers: &HeaderMap) -> Option<Place> {
        let host = text(headers, &header::HOST)?.to_ascii_lowercase();
        if let Some(public) = &self.public
            && host.strip_suffix(":443").unwrap_or(&host) == public.authority
        {
            return Some(Place::Public { origin: public.origin.clone() });
        }
        is_loopback(&host).then(|| Place::Loopback { origin: format!("http://{host}") })
    }

    /// The token in our cookie, if one was sent and a page of ours sent it.
    pub fn token(&self, method: &Method, headers: &HeaderMap) -> Result<Option<String>, Problem> {
        let Some(place) = self.place(headers) else {
            let any = [SECURE, PLAIN].iter().any(|name| cookie(headers, name).is_some());
            return if any { Err(cross_origin()) } else { Ok(None) };
        };
        let Some(token) = cookie(headers, place.cookie_name()) else { return Ok(None) };
        if !method.is_safe() && !is_proven(&place, headers) {
            return Err(cross_origin());
        }
        Ok(Some(token.to_owned()))
    }

    /// A sign-in, or its end, by a browser: not from another's page. Programs say nothing of where they are, and need not.
    pub fn admits_session(&self, headers: &HeaderMap) -> Result<Place, Problem> {
        let place = self.place(headers).ok_or_else(insecure_origin)?;
        let unencrypted = text(headers, &HeaderName::from_static("x-forwarded-proto")) == Some("http");
        let told = headers.contains_key("sec-fetch-site") || headers.contains_key(header::ORIGIN);
        match &place {
            Place::Public { origin } => {
                let plain = origin.replacen("https://", "http://", 1);
                if unencrypted || text(headers, &header::ORIGIN) == Some(plain.as_str()) {
                    return Err(insecure_origin());
                }
            }
            Place::Loopback { .. } => {}
        }
        if told && !is_proven(&place, headers) {
            return Err(cross_origin());
        }
        Ok(place)
    }
}

/// A browser says where a request comes from, and no page can make it say otherwise.
fn is_proven(place: &Place, headers: &HeaderMap) -> bool {
    match text(headers, &HeaderName::from_static("sec-fetch-site")) {
        Some(site) => site == "same-origin",
        None => text(headers, &header::ORIGIN) == Some(place.origin()),
    }
}

/// Whatever is in our cookie, proven or not: enough to know a token again, never to trust it.
pub(super) fn unproven(headers: &HeaderMap) -> Option<&str> {
    cookie(headers, SECURE).or_else(|| cookie(headers, PLAIN))
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, value)| *key == name && !value.is_empty()).map(|(_, value)| value)
}

/// `localhost`, `127.0.0.1:8080`, `[::1]:8080`.
fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn platform(name: &str, title: &'static str, detail: &str) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, format!("MELMASTOON.PLATFORM.{name}"), title, detail)
}

/// Another's page asked, in the name of somebody who is signed in here.
pub fn cross_origin() -> Problem {
    let detail =
        "with a cookie, changes are taken from our own pages alone, under our own name; programs send a bearer token";
    platform("CROSS_ORIGIN", "Not from one of our pages", detail)
}

/// Nobody signs in where others can listen.
pub fn insecure_origin() -> Problem {
    let detail = "signing in over plain http works on this machine alone (127.0.0.1, localhost); from elsewhere put TLS in front \
                  and set MELMASTOON_PUBLIC_URL=https://… to the name that people use";
    platform("INSECURE_ORIGIN", "Not encrypted", detail)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap()))
            .collect()
    }

    fn pages() -> OwnPages {
        OwnPages { public: Some(PublicUrl::parse("https://Hotel.example/").unwrap()) }
    }

    #[test]
    fn a_public_address_is_encrypted_and_has_no_path() {
        assert_eq!(PublicUrl::parse("https://hotel.example:443").unwrap().origin(), "https://hotel.example");
        assert_eq!(PublicUrl::parse("https://hotel.example:8443").unwrap().origin(), "https://hotel.example:8443");
        for wrong in ["http://hotel.example", "hotel.example", "https://", "https://hotel.example/board", "https://a b"]
        {
            assert!(PublicUrl::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_the_public_name_and_this_machine_are_ours() {
        let loopback = |host: &str| Some(Place::Loopback { origin: format!("http://{host}") });
        let place = |host: &str| pages().place(&headers(&[("host", host)]));
        for host in ["127.0.0.1:8080", "localhost", "localhost:5173", "[::1]:80", "127.0.0.2"] {
            assert_eq!(place(host), loopback(host), "{host}");
        }
        let public = Some(Place::Public { origin: "https://hotel.example".to_owned() });
        assert_eq!((place("hotel.example"), place("HOTEL.example:443")), (public.clone(), public));
        for host in [
            "evil.example",
            "hotel.example:8080",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "192.168.1.5:8080",
            "",
        ] {
            assert_eq!(place(host), None, "{host}");
        }
    }

    #[test]
    fn a_change_by_cookie_needs_proof_that_our_page_asked() {
        let ask = |method: Method, more: &[(&'static str, &str)]| {
            let mut all = vec![("host", "127.0.0.1:8080"), ("cookie", "theme=dark; melmastoon=abc")];
            all.extend_from_slice(more);
            pages().token(&method, &headers(&all)).map_err(|problem| problem.code)
        };
        let (good, refused) = (Ok(Some("abc".to_owned())), Err("MELMASTOON.PLATFORM.CROSS_ORIGIN".to_owned()));
        assert_eq!(ask(Method::GET, &[]), good);
        assert_eq!(ask(Method::POST, &[("sec-fetch-site", "same-origin")]), good);
        assert_eq!(ask(Method::POST, &[("origin", "http://127.0.0.1:8080")]), good);
        assert_eq!(ask(Method::POST, &[]), refused);
        for site in ["cross-site", "same-site", "none"] {
            let told = [("sec-fetch-site", site), ("origin", "http://127.0.0.1:8080")];
            assert_eq!(ask(Method::POST, &told), refused, "{site}");
        }
        for origin in ["https://evil.example", "http://127.0.0.1:9090", "http://localhost:8080", "null"] {
            assert_eq!(ask(Method::DELETE, &[("origin", origin)]), refused, "{origin}");
        }
    }

    #[test]
    fn a_cookie_under_a_name_that_is_not_ours_is_refused_even_for_reading() {
        let rebound = headers(&[("host", "evil.example"), ("cookie", "melmastoon=abc")]);
        assert_eq!(pages().token(&Method::GET, &rebound).unwrap_err().code, "MELMASTOON.PLATFORM.CROSS_ORIGIN");
        let without = headers(&[("host", "evil.example")]);
        assert_eq!(pages().token(&Method::GET, &without).unwrap(), None, "a bearer token needs no name");
    }

    #[test]
    fn below_https_the_cookie_is_the_hosts_own_and_never_sent_in_the_clear() {
        let public = pages().place(&headers(&[("host", "hotel.example")])).unwrap();
        assert_eq!(
            public.set_cookie("abc", 60),
            "__Host-melmastoon=abc; Path=/; HttpOnly; SameSite=Strict; Max-Age=60; Secure"
        );
        let plain = headers(&[("host", "hotel.example"), ("cookie", "melmastoon=abc")]);
        assert_eq!(pages().token(&Method::GET, &plain).unwrap(), None, "the plain name counts on this machine alone");
    }

    #[test]
    fn nobody_signs_in_where_others_can_listen() {
        let ask = |pairs: &[(&'static str, &str)]| pages().admits_session(&headers(pairs)).map_err(|one| one.code);
        let (insecure, cross) = ("MELMASTOON.PLATFORM.INSECURE_ORIGIN", "MELMASTOON.PLATFORM.CROSS_ORIGIN");
        assert!(ask(&[("host", "127.0.0.1:8080")]).is_ok(), "a program on this machine");
        assert!(ask(&[("host", "hotel.example"), ("origin", "https://hotel.example")]).is_ok());
        assert_eq!(ask(&[("host", "192.168.1.5:8080")]).unwrap_err(), insecure);
        assert_eq!(ask(&[]).unwrap_err(), insecure);
        assert_eq!(ask(&[("host", "hotel.example"), ("origin", "http://hotel.example")]).unwrap_err(), insecure);
        assert_eq!(ask(&[("host", "hotel.example"), ("x-forwarded-proto", "http")]).unwrap_err(), insecure);
        assert_eq!(ask(&[("host", "127.0.0.1:8080"), ("origin", "https://evil.example")]).unwrap_err(), cross);
        assert_eq!(ask(&[("host", "127.0.0.1:8080"), ("sec-fetch-site", "cross-site")]).unwrap_err(), cross);
    }
}

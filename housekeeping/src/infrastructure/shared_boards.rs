//! Boards that one process has read, for all others, in the cache they share.
//!
//! A board from here is never shown for what it is: the database says which board holds, by its tag, and the cache only spares it
//! the document. So a change is seen with its commit, whoever made it and wherever, and nothing has to be dropped for that. Below a board
//! stands whose it is: one that lies under another house's key, or another tenant's, is none.

use std::time::Duration;

use contracts::ids::{PropertyId, TenantId};
use contracts::time::Timestamp;
use platform::SharedCache;

/// As the data model says; what is not asked for goes by itself.
const KEPT_FOR: Duration = Duration::from_secs(5);
/// Changes with what is written, so that releases side by side do not read each other's.
const FORM: &str = "board-1";

/// The shared boards, where there is a cache.
#[derive(Clone, Debug)]
pub struct SharedBoards(Option<SharedCache>);

/// A board that held a moment ago.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedBoard {
    pub etag: String,
    pub generated_at: Timestamp,
    pub document: String,
}

impl SharedBoards {
    pub fn new(cache: Option<SharedCache>) -> Self {
        Self(cache)
    }

    /// The whole board of a house as somebody has read it. It must not be shown before the database has said that it holds.
    pub async fn find(&self, tenant: &TenantId, property: &PropertyId) -> Option<SharedBoard> {
        let value = self.0.as_ref()?.get(&key(tenant, property)).await?;
        read(tenant, property, value)
    }

    /// For the others.
    pub fn share(&self, tenant: &TenantId, property: &PropertyId, etag: &str, generated_at: Timestamp, document: &str) {
        let Some(cache) = &self.0 else { return };
        let value = written(tenant, property, etag, generated_at, document);
        cache.put(key(tenant, property), value, KEPT_FOR);
    }
}

/// Everybody who may read a board sees the same, all of it; what one person sees of it (`staffId`) is not kept here. No id has a colon in it.
fn key(tenant: &TenantId, property: &PropertyId) -> String {
    format!("melmastoon:{FORM}:whole:{tenant}:{property}")
}

/// The document, and below it whose it is: it has no line breaks of its own, and is cut off at the last one.
fn written(tenant: &TenantId, property: &PropertyId, etag: &str, generated_at: Timestamp, document: &str) -> Vec<u8> {
    let millis = generated_at.as_millis();
    format!("{document}\n{FORM} {tenant} {property} {millis} {etag}").into_bytes()
}

fn read(tenant: &TenantId, property: &PropertyId, value: Vec<u8>) -> Option<SharedBoard> {
    let mut document = String::from_utf8(value).ok()?;
    let end = document.rfind('\n')?;
    let mut words = document[end + 1..].splitn(5, ' ');
    let is_theirs = words.next()? == FORM && words.next()? == tenant.as_str() && words.next()? == property.as_str();
    if !is_theirs {
        return None;
    }
    let generated_at = Timestamp::from_millis(words.next()?.parse().ok()?);
    let etag = words.next()?.to_owned();
    document.truncate(end);
    Some(SharedBoard { etag, generated_at, document })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn house(tenant: &str, property: &str) -> (TenantId, PropertyId) {
        (TenantId::parse(tenant).unwrap(), PropertyId::parse(property).unwrap())
    }

    fn at() -> Timestamp {
        Timestamp::from_millis(1_776_839_400_123)
    }

    const DOCUMENT: &str = r#"{"propertyId":"prp_A","note":"two\nlines"}"#;

    #[test]
    fn a_board_is_read_as_it_was_written() {
        let (tenant, property) = house("tnt_A", "prp_A");
        let value = written(&tenant, &property, "\"00ff\"", at(), DOCUMENT);
        let board = SharedBoard { etag: "\"00ff\"".to_owned(), generated_at: at(), document: DOCUMENT.to_owned() };
        assert_eq!(read(&tenant, &property, value), Some(board));
    }

    #[test]
    fn another_houses_board_is_none_wherever_it_lies() {
        let (tenant, property) = house("tnt_A", "prp_A");
        for (other, its) in [house("tnt_B", "prp_A"), house("tnt_A", "prp_B"), house("tnt_AA", "prp_A")] {
            let value = written(&other, &its, "\"00ff\"", at(), DOCUMENT);
            assert_eq!(read(&tenant, &property, value), None, "{other} {its}");
            assert_ne!(key(&tenant, &property), key(&other, &its));
        }
    }

    #[test]
    fn what_is_no_board_is_none() {
        let (tenant, property) = house("tnt_A", "prp_A");
        let whole = written(&tenant, &property, "\"00ff\"", at(), DOCUMENT);
        for cut in 0..whole.len() - 7 {
            assert_eq!(read(&tenant, &property, whole[..cut].to_vec()), None, "{cut}");
        }
        for garbage in [&b"\xff\xfe"[..], b"{}", b"{}\nboard-0 tnt_A prp_A 1 x", b"{}\nboard-1 tnt_A prp_A never x"] {
            assert_eq!(read(&tenant, &property, garbage.to_vec()), None);
        }
    }
}

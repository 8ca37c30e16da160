//! The build of our pages, as `make web` leaves it in `web/dist`: in the binary in a release, read from the disk otherwise.

use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Dist;

/// A file of the build, packed as the browser takes it.
pub(super) struct Found {
    pub(super) file: EmbeddedFile,
    pub(super) encoding: Option<&'static str>,
}

/// The smallest form of a file that the browser understands; `None`: there is no such file.
pub(super) fn find(name: &str, accepts: &str) -> Option<Found> {
    // What is packed is a form of another file, and none of its own.
    if matches!(name.rsplit_once('.'), Some((_, "br" | "gz"))) {
        return None;
    }
    let takes = |coding: &str| accepts.split(',').any(|one| is_accepted(one, coding));
    for (coding, ending) in [("br", "br"), ("gzip", "gz")] {
        if takes(coding)
            && let Some(file) = Dist::get(&format!("{name}.{ending}"))
        {
            return Some(Found { file, encoding: Some(coding) });
        }
    }
    Dist::get(name).map(|file| Found { file, encoding: None })
}

/// `br`, `br;q=0.8`; not `br;q=0`.
fn is_accepted(one: &str, coding: &str) -> bool {
    let mut parts = one.split(';').map(str::trim);
    let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(coding));
    let refused = parts.any(|part| part.strip_prefix("q=").is_some_and(|q| q.trim_matches(['0', '.']).is_empty()));
    named && !refused
}

#[cfg(test)]
mod tests {
    use super::is_accepted;

    #[test]
    fn a_coding_is_taken_unless_the_browser_puts_it_at_nothing() {
        assert!(is_accepted(" br", "br") && is_accepted("br;q=0.1", "br") && is_accepted("GZIP; q=1", "gzip"));
        assert!(!is_accepted("br;q=0", "br") && !is_accepted("br; q=0.00", "br") && !is_accepted("brotli", "br"));
    }
}

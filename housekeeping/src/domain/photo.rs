//! A photo: of what is broken, or of what was found.

use contracts::ids::PropertyId;
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

/// The largest that is kept, in bytes: a phone makes it smaller before it sends it.
pub const LARGEST: usize = 600 * 1_024;
/// What every JPEG begins with.
const BEGINNING: [u8; 3] = [0xff, 0xd8, 0xff];

/// A photo as it is kept. It never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Photo {
    /// `med_…`, drawn from what it shows: the same photo is the same one.
    pub id: String,
    pub property_id: PropertyId,
    pub jpeg: Vec<u8>,
    pub kept_at: Timestamp,
    pub version: i32,
}

/// Somebody kept it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept;

impl Aggregate for Photo {
    type Event = Kept;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl Photo {
    pub fn kept(self) -> Decided<Self> {
        Decided::opened(self, Kept)
    }
}

/// Whether these bytes are a JPEG, by what they begin with, whatever they are called.
pub fn is_jpeg(bytes: &[u8]) -> bool {
    bytes.starts_with(&BEGINNING)
}

#[cfg(test)]
mod tests {
    use super::is_jpeg;

    #[test]
    fn what_a_picture_is_follows_from_its_bytes_and_not_from_its_name() {
        assert!(is_jpeg(&[0xff, 0xd8, 0xff, 0xe0, 0, 16]));
        for other in [&b"\x89PNG\r\n"[..], b"<svg onload=alert(1)>", b"GIF89a", b"", &[0xff, 0xd8]] {
            assert!(!is_jpeg(other), "{other:?}");
        }
    }
}

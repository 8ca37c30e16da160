//! What is handed to a person of what is kept of them, alike in every context; and the door to whoever can look into the archive.

use std::collections::BTreeMap;
use std::sync::Arc;

use contracts::ids::TenantId;
use contracts::time::Timestamp;
use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::retention::KeptByLaw;

/// The most of one kind that is handed out at once, the newest first.
pub const MOST_OF_A_KIND: i64 = 20_000;

/// All that a context keeps of somebody.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PersonalData")]
pub struct PersonalDataResource {
    pub exported_at: Timestamp,
    /// Every row, as it is kept; of others' rows what is the person's in them.
    pub records: Vec<PersonalRecordResource>,
    /// Kinds of record of which there is more than fits: the newest are here.
    pub cut: Vec<String>,
    /// What stays when the person is forgotten, and why.
    pub kept: Vec<KeptByLaw>,
}

/// One thing that is kept of a person.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PersonalRecord")]
pub struct PersonalRecordResource {
    /// What it is: `task`, `shift`, `inspection`, `lost_item`, `history` and the like; one word a table.
    pub what: String,
    pub record: Value,
}

/// Rows of several kinds, of each of which one more was asked for than is handed out ([`ONE_MORE`]): what is handed out, and the kinds that
/// had more.
pub fn cut_to_size(rows: Vec<(String, Value)>) -> (Vec<PersonalRecordResource>, Vec<String>) {
    let mut counted: BTreeMap<String, i64> = BTreeMap::new();
    let mut records = Vec::with_capacity(rows.len());
    for (what, record) in rows {
        let count = counted.entry(what.clone()).or_default();
        *count += 1;
        if *count <= MOST_OF_A_KIND {
            records.push(PersonalRecordResource { what, record });
        }
    }
    let cut = counted.into_iter().filter(|(_, count)| *count > MOST_OF_A_KIND).map(|(what, _)| what).collect();
    (records, cut)
}

/// So many of a kind are asked for, to see whether there are more than are handed out.
pub const ONE_MORE: i64 = MOST_OF_A_KIND + 1;

/// What the archive has of somebody. Its files have people's numbers and no names, and are not rewritten.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ArchiveMentions")]
pub struct ArchiveMentionsResource {
    /// The files that have one of the person's numbers.
    pub files: Vec<ArchiveMentionResource>,
    /// Why nobody looked: the files are too large for an answer, or somebody else is at the archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_searched: Option<String>,
    /// Where nobody looked: the months of the hotel company that are there.
    pub months: Vec<String>,
    /// Where nobody looked: the command that does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// A file that has somebody's number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ArchiveMention")]
pub struct ArchiveMentionResource {
    pub path: String,
    pub context: String,
    pub table: String,
    /// `2025-03`.
    pub month: String,
    /// How many of its rows have it.
    pub rows: u64,
}

/// Whom the archive is asked about.
#[derive(Clone, Debug)]
pub struct Sought {
    pub tenant: TenantId,
    /// As `melmastoon person export` names them: `--guest gst_…`.
    pub option: String,
    /// Under which they are in the files.
    pub numbers: Vec<String>,
}

/// Whoever can look into the archive, in the time that a caller waits. Never fails: that it cannot be looked into is an answer.
pub trait LooksIntoArchive: Send + Sync {
    fn mentions(&self, sought: Sought) -> BoxFuture<'_, ArchiveMentionsResource>;
}

/// See [`LooksIntoArchive`].
#[derive(Clone)]
pub struct ArchiveDoor(pub Arc<dyn LooksIntoArchive>);

impl ArchiveDoor {
    pub async fn mentions(&self, sought: Sought) -> ArchiveMentionsResource {
        self.0.mentions(sought).await
    }
}

impl std::fmt::Debug for ArchiveDoor {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("ArchiveDoor")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_kind_that_is_too_long_the_rest_is_left_out_and_said() {
        let many = (0..ONE_MORE).map(|number| ("history".to_owned(), Value::from(number)));
        let rows = many.chain([("profile".to_owned(), Value::Null)]).collect();
        let (records, cut) = cut_to_size(rows);
        assert_eq!(records.len(), usize::try_from(MOST_OF_A_KIND).expect("a small number") + 1);
        assert_eq!(cut, ["history"]);
    }
}

//! Which files speak of a person. They hold numbers and no names (see `ArchivedTable::without`), so nothing in them has to be
//! rewritten when somebody is forgotten; but whoever asks is told where they are spoken of.

use serde::Serialize;

use crate::archivist::{Archivist, broken};
use crate::cells::Values;
use crate::error::ArchiveError;
use crate::ledger::Archived;
use crate::parquet_file::{self, Group};

/// A file that speaks of somebody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Mention {
    pub path: String,
    pub context: String,
    pub table: String,
    pub month: String,
    /// How many of its rows do.
    pub rows: u64,
}

impl Archivist {
    /// Reads every file of a tenant and counts the rows that name one of these numbers.
    pub async fn mentions(&self, tenant: &str, numbers: &[String]) -> Result<Vec<Mention>, ArchiveError> {
        let _alone = self.alone().await?;
        let mut mentions = Vec::new();
        for line in self.list(Some(tenant), None).await? {
            let rows = self.rows_naming(&line, numbers.to_vec()).await?;
            if rows > 0 {
                let Archived { path, context, table, month, .. } = line;
                mentions.push(Mention { path, context, table, month: month.to_string(), rows });
            }
        }
        Ok(mentions)
    }

    async fn rows_naming(&self, line: &Archived, numbers: Vec<String>) -> Result<u64, ArchiveError> {
        let fetched = self.fetched("mentions")?;
        self.store.fetch(&line.path, fetched.path()).await?;
        let path = fetched.path().to_path_buf();
        let counting = tokio::task::spawn_blocking(move || {
            let mut rows = 0;
            parquet_file::read(&path, |_, group| {
                rows += naming(group, &numbers);
                Ok(())
            })?;
            Ok::<_, ArchiveError>(rows)
        });
        let rows = counting.await.map_err(|_| broken(&line.path, "the reader ended"))??;
        Ok(rows)
    }
}

/// How many rows of a group have one of these numbers in any of their texts.
fn naming(group: &Group, numbers: &[String]) -> u64 {
    let mut named = vec![false; group.rows];
    for (levels, values) in group.levels.iter().zip(&group.values) {
        let Values::Texts(texts) = values else { continue };
        let rows = levels.iter().enumerate().filter(|(_, level)| **level != 0).map(|(row, _)| row);
        for (row, text) in rows.zip(texts) {
            let text = std::str::from_utf8(text.data()).unwrap_or_default();
            if numbers.iter().any(|number| text.contains(number.as_str())) {
                named[row] = true;
            }
        }
    }
    named.iter().filter(|named| **named).count() as u64
}

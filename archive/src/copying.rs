//! Out of the tables into a file: a binary COPY, cut into columns beside the connection.
//!
//! At full speed a month is one COPY. With a pace it goes in slices, each in a transaction of its own that is over in a moment: a
//! pause between two slices holds no snapshot, and keeps no vacuum from its work. What is changed between two slices is found when
//! the month is removed, by the sum over all of them.

use std::path::Path;

use bytes::Bytes;
use futures_util::{StreamExt as _, pin_mut};
use platform::retention::ArchivedTable;
use tokio::sync::mpsc;
use tokio_postgres::Client;

use crate::archivist::{Archivist, broken, sum_of};
use crate::cells::Kind;
use crate::error::ArchiveError;
use crate::parquet_file::{Column, Content, FileWriter};
use crate::progress::Doing;
use crate::removing::Leaving;
use crate::rows::Rows;
use crate::throttle::Throttle;

/// So many pieces of the stream are handed over at once: a piece is mostly a row.
const PIECES: usize = 512;
/// And so many such batches may wait.
const WAITING: usize = 16;

/// What a batch of the stream brings, or that a slice ended.
enum Piece {
    Rows(Vec<Bytes>),
    EndOfSlice,
}

impl Archivist {
    /// The tenant's rows of a month into a local file, and the sum over their marks.
    pub(crate) async fn copy(
        &self,
        operator: &mut Client,
        leaving: &Leaving<'_>,
        of: i64,
        local: &Path,
    ) -> Result<(Content, String), ArchiveError> {
        let (name, these, table) = (leaving.name(), leaving.these(), leaving.table);
        let columns = columns_of(operator, &name).await?;
        let listed: Vec<String> = columns
            .iter()
            .map(|column| match table.without.iter().find(|(left_out, _)| *left_out == column.name) {
                Some((_, instead)) => format!("{instead} AS \"{}\"", column.name),
                None => format!("\"{}\"", column.name),
            })
            .collect();
        let slices = self.slices(operator, table, &name, &these).await?;

        let writer = FileWriter::begin(local, table.table, columns)?;
        let (hand, mut taken) = mpsc::channel::<Piece>(WAITING);
        // Cutting and Parquet are work for a processor: beside the connection, not in its way.
        let (garbled, watched) = (name.clone(), self.watched(leaving.to_string(), Doing::Copying, of));
        let writing = tokio::task::spawn_blocking(move || -> Result<Content, ArchiveError> {
            let (mut writer, mut rows, mut copied) = (writer, Rows::default(), 0);
            while let Some(piece) = taken.blocking_recv() {
                match piece {
                    Piece::Rows(pieces) => {
                        for piece in pieces {
                            rows.take(piece, |fields| {
                                copied += 1;
                                writer.row(fields)
                            })?;
                        }
                        watched.come_to(copied);
                    }
                    Piece::EndOfSlice if rows.is_whole() => rows = Rows::default(),
                    Piece::EndOfSlice => return Err(broken(&garbled, "PostgreSQL's copy broke off")),
                }
            }
            writer.end()
        });
        let mut throttle = Throttle::new(self.rows_a_second);
        let (mut expected, mut row_sum) = (0_i64, 0_i128);
        for slice in &slices {
            let these = format!("{these} AND {slice}");
            let copy =
                format!("COPY (SELECT {} FROM {name} WHERE {these}) TO STDOUT (FORMAT binary)", listed.join(", "));
            let (count, sum) = self.copy_slice(operator, &sum_of(&name, &these), &copy, &hand).await?;
            expected += count;
            row_sum += sum;
            if hand.send(Piece::EndOfSlice).await.is_err() {
                break; // The writer has failed, and says why below.
            }
            if let Some(throttle) = &mut throttle {
                throttle.passed(u64::try_from(count).unwrap_or(0)).await;
            }
        }
        drop(hand);
        let content = writing.await.map_err(|_| broken(&name, "the writer ended"))??;
        if i64::try_from(content.rows).ok() != Some(expected) {
            return Err(broken(&name, &format!("{} rows came of {expected}", content.rows)));
        }
        Ok((content, row_sum.to_string()))
    }

    /// Rows and their sum from one snapshot.
    async fn copy_slice(
        &self,
        operator: &mut Client,
        sum: &str,
        copy: &str,
        hand: &mpsc::Sender<Piece>,
    ) -> Result<(i64, i128), ArchiveError> {
        let snapshot = self.snapshot(operator).await?;
        let counted = snapshot.query_one(sum, &[]).await?;
        let (count, sum): (i64, String) = (counted.get(0), counted.get(1));
        let pieces = snapshot.copy_out(copy).await?;
        pin_mut!(pieces);
        let mut batch = Vec::with_capacity(PIECES);
        while let Some(piece) = pieces.next().await {
            batch.push(piece?);
            if batch.len() == PIECES {
                let full = std::mem::replace(&mut batch, Vec::with_capacity(PIECES));
                if hand.send(Piece::Rows(full)).await.is_err() {
                    return Ok((count, 0)); // The writer has failed, and says why.
                }
            }
        }
        let _ = hand.send(Piece::Rows(batch)).await;
        snapshot.commit().await?;
        let sum = sum.parse().map_err(|_| broken(copy, "its sum cannot be read"))?;
        Ok((count, sum))
    }

    /// Conditions that cut a tenant's month: one without a pace, else each of a few seconds' rows. Rows of the same moment are
    /// never parted.
    pub(crate) async fn slices(
        &self,
        operator: &mut Client,
        table: &ArchivedTable,
        name: &str,
        these: &str,
    ) -> Result<Vec<String>, ArchiveError> {
        let Some(rows) = self.rows_a_slice else { return Ok(vec!["true".to_owned()]) };
        let since = table.since;
        let sql = format!(
            "SELECT at::TEXT FROM (SELECT {since} AS at, row_number() OVER (ORDER BY {since}) AS number FROM {name}
             WHERE {these}) AS numbered WHERE number % {rows} = 0 GROUP BY at ORDER BY at"
        );
        let look = self.at_this_moment(operator).await?;
        let cuts: Vec<String> = look.query(&sql, &[]).await?.iter().map(|row| row.get(0)).collect();
        look.commit().await?;
        let mut slices = Vec::with_capacity(cuts.len() + 1);
        for (index, cut) in cuts.iter().enumerate() {
            let from =
                index.checked_sub(1).map_or_else(|| "true".to_owned(), |at| format!("{since} >= '{}'", cuts[at]));
            slices.push(format!("{from} AND {since} < '{cut}'"));
        }
        slices.push(cuts.last().map_or_else(|| "true".to_owned(), |cut| format!("{since} >= '{cut}'")));
        Ok(slices)
    }
}

/// The columns of a table and what they hold.
pub(crate) async fn columns_of(
    client: &impl tokio_postgres::GenericClient,
    table: &str,
) -> Result<Vec<Column>, ArchiveError> {
    let statement = client.prepare(&format!("SELECT * FROM {table}")).await?;
    let column = |column: &tokio_postgres::Column| {
        let kind = Kind::of(column.type_()).ok_or_else(|| ArchiveError::UnknownKind {
            table: table.to_owned(),
            column: column.name().to_owned(),
            kind: column.type_().to_string(),
        })?;
        Ok(Column { name: column.name().to_owned(), kind })
    };
    statement.columns().iter().map(column).collect()
}

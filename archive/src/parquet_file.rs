//! One Parquet file: written row by row, in groups of bounded size, and read group by group.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{BoolType, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};
use ring::digest::Context;
use serde::{Deserialize, Serialize};

use crate::cells::{Kind, Tally, Values};
use crate::error::{ArchiveError, file};
use crate::rows::Fields;

/// A group ends with so many rows or so many bytes, whatever comes first: this bounds what is in memory. One is filled while another
/// is written and a third waits.
const ROWS_A_GROUP: usize = 25_000;
const BYTES_A_GROUP: usize = 6 * 1024 * 1024;
/// What the columns were in PostgreSQL: Parquet alone cannot tell a list of words from other JSON.
const COLUMNS_KEY: &str = "melmastoon.columns";

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// The rows of one group, column by column. A level says of each row whether it has a value (1) or none (0).
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) rows: usize,
    pub(crate) levels: Vec<Vec<i16>>,
    pub(crate) values: Vec<Values>,
    bytes: usize,
}

impl Group {
    fn new(columns: &[Column]) -> Self {
        let levels = columns.iter().map(|_| Vec::new()).collect();
        let values = columns.iter().map(|column| column.kind.no_values(0)).collect();
        Self { rows: 0, levels, values, bytes: 0 }
    }

    fn count_into(&self, sum: &mut Tally) {
        for (levels, values) in self.levels.iter().zip(&self.values) {
            for level in levels {
                sum.add(&[u8::from(*level != 0)]);
            }
            values.count_into(sum);
        }
    }

    /// Empty, with the room it has.
    fn cleared(mut self) -> Self {
        self.levels.iter_mut().for_each(Vec::clear);
        self.values.iter_mut().for_each(Values::clear);
        self.rows = 0;
        self.bytes = 0;
        self
    }
}

/// What is in a file: how many rows, and a checksum over all their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) rows: u64,
    pub(crate) values_sha256: String,
}

/// Fills groups with rows; a thread of its own writes them, so that filling the next need not wait.
pub(crate) struct FileWriter {
    name: String,
    columns: Vec<Column>,
    group: Group,
    full: SyncSender<Group>,
    emptied: Receiver<Group>,
    written: JoinHandle<Result<Content, ParquetError>>,
}

impl FileWriter {
    pub(crate) fn begin(path: &Path, table: &str, columns: Vec<Column>) -> Result<Self, ArchiveError> {
        let name = path.display().to_string();
        let out = File::create(path).map_err(file(&name))?;
        let writer =
            writer_for(out, table, &columns).map_err(|source| ArchiveError::Parquet { path: name.clone(), source })?;
        let group = Group::new(&columns);
        let (full, groups) = sync_channel(1);
        let (hand_back, emptied) = sync_channel(3);
        let written = std::thread::spawn(move || write_groups(writer, &groups, &hand_back));
        Ok(Self { name, columns, group, full, emptied, written })
    }

    /// One more row, as PostgreSQL sent it.
    pub(crate) fn row(&mut self, mut fields: Fields<'_>) -> Result<(), ArchiveError> {
        if fields.count != self.columns.len() {
            return Err(self.damaged(format!("{} fields for {} columns", fields.count, self.columns.len())));
        }
        for (index, column) in self.columns.iter().enumerate() {
            let field = fields.next_field();
            self.group.levels[index].push(i16::from(field.is_some()));
            if let Some((row, at)) = field {
                self.group.bytes += at.len();
                if column.kind.read(row, at, &mut self.group.values[index]).is_none() {
                    let reason = format!("column {} has something that is no {:?}", column.name, column.kind);
                    return Err(self.damaged(reason));
                }
            }
        }
        self.group.rows += 1;
        if self.group.rows >= ROWS_A_GROUP || self.group.bytes >= BYTES_A_GROUP {
            self.end_group();
        }
        Ok(())
    }

    pub(crate) fn end(mut self) -> Result<Content, ArchiveError> {
        if self.group.rows > 0 {
            self.end_group();
        }
        let Self { name, full, written, .. } = self;
        drop(full);
        let written = written
            .join()
            .map_err(|_| ArchiveError::Damaged { path: name.clone(), reason: "whoever writes it ended".to_owned() })?;
        written.map_err(|source| ArchiveError::Parquet { path: name, source })
    }

    /// A writer that has failed takes no more, and says why at the end.
    fn end_group(&mut self) {
        let next = self.emptied.try_recv().unwrap_or_else(|_| Group::new(&self.columns));
        let _ = self.full.send(std::mem::replace(&mut self.group, next));
    }

    fn damaged(&self, reason: String) -> ArchiveError {
        ArchiveError::Damaged { path: self.name.clone(), reason }
    }
}

fn writer_for(out: File, table: &str, columns: &[Column]) -> Result<SerializedFileWriter<File>, ParquetError> {
    let fields: Result<Vec<_>, _> =
        columns.iter().map(|column| column.kind.column(&column.name).map(Arc::new)).collect();
    let schema = Type::group_type_builder(table).with_fields(fields?).build()?;
    let told = serde_json::to_string(&columns).map_err(|error| ParquetError::External(Box::new(error)))?;
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        // What readers skip groups by; by pages it costs more than it saves them.
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by(format!("melmastoon {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(vec![KeyValue::new(COLUMNS_KEY.to_owned(), told)]));
    for column in columns {
        let path = ColumnPath::from(column.name.as_str());
        // Values that are all different gain nothing by a dictionary, and cost a look into it each.
        properties = match column.kind {
            Kind::Moment | Kind::Long => properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
            Kind::Json => properties
                .set_column_statistics_enabled(path.clone(), EnabledStatistics::None)
                .set_column_dictionary_enabled(path, false),
            Kind::Text if ["id", "event_id"].contains(&column.name.as_str()) => {
                properties.set_column_dictionary_enabled(path, false)
            }
            _ => properties,
        };
    }
    SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build()))
}

/// Until no more come. Groups go back empty, to be filled again.
fn write_groups(
    mut writer: SerializedFileWriter<File>,
    groups: &Receiver<Group>,
    hand_back: &SyncSender<Group>,
) -> Result<Content, ParquetError> {
    let (mut sum, mut rows) = (Tally::new(), 0);
    while let Ok(group) = groups.recv() {
        group.count_into(&mut sum);
        rows += group.rows as u64;
        write_group(&mut writer, &group)?;
        let _ = hand_back.try_send(group.cleared());
    }
    writer.close()?;
    Ok(Content { rows, values_sha256: hex(sum.end()) })
}

fn write_group(writer: &mut SerializedFileWriter<File>, group: &Group) -> Result<(), ParquetError> {
    let mut out = writer.next_row_group()?;
    let mut index = 0;
    while let Some(mut column) = out.next_column()? {
        let levels = Some(group.levels[index].as_slice());
        match &group.values[index] {
            Values::Texts(values) => column.typed::<ByteArrayType>().write_batch(values, levels, None)?,
            Values::Ints(values) => column.typed::<Int32Type>().write_batch(values, levels, None)?,
            Values::Longs(values) => column.typed::<Int64Type>().write_batch(values, levels, None)?,
            Values::Truths(values) => column.typed::<BoolType>().write_batch(values, levels, None)?,
        };
        column.close()?;
        index += 1;
    }
    out.close()?;
    Ok(())
}

/// Reads a file group by group. Returns what was in it.
pub(crate) fn read(
    path: &Path,
    mut each: impl FnMut(&[Column], &Group) -> Result<(), ArchiveError>,
) -> Result<Content, ArchiveError> {
    let opened = Opened::at(path)?;
    let (mut sum, mut rows) = (Tally::new(), 0);
    for index in 0..opened.reader.num_row_groups() {
        let group = opened.group(index)?;
        group.count_into(&mut sum);
        rows += group.rows as u64;
        each(&opened.columns, &group)?;
    }
    Ok(Content { rows, values_sha256: hex(sum.end()) })
}

/// Reads a file only to see what is in it: two at a time decode its groups, in turns. `come_to` hears how many rows were read.
pub(crate) fn prove(path: &Path, mut come_to: impl FnMut(u64)) -> Result<Content, ArchiveError> {
    let groups = Opened::at(path)?.reader.num_row_groups();
    std::thread::scope(|scope| {
        let readers = [0, 1].map(|first| {
            let (hand, taken) = sync_channel(0);
            scope.spawn(move || {
                let opened = Opened::at(path);
                for index in (first..groups).step_by(2) {
                    let group = match &opened {
                        Ok(opened) => opened.group(index),
                        Err(error) => Err(broken(path, &error.to_string())),
                    };
                    if hand.send(group).is_err() {
                        return; // Nobody listens any more: something was found.
                    }
                }
            });
            taken
        });
        let (mut sum, mut rows) = (Tally::new(), 0);
        for index in 0..groups {
            let group: Group = readers[index % 2].recv().map_err(|_| broken(path, "a reader ended"))??;
            group.count_into(&mut sum);
            rows += group.rows as u64;
            come_to(rows);
        }
        Ok(Content { rows, values_sha256: hex(sum.end()) })
    })
}

fn broken(path: &Path, reason: &str) -> ArchiveError {
    ArchiveError::Damaged { path: path.display().to_string(), reason: reason.to_owned() }
}

/// A file, open to be read.
struct Opened {
    name: String,
    reader: SerializedFileReader<File>,
    columns: Vec<Column>,
}

impl Opened {
    fn at(path: &Path) -> Result<Self, ArchiveError> {
        let name = path.display().to_string();
        let reader = SerializedFileReader::new(File::open(path).map_err(file(&name))?)
            .map_err(|source| ArchiveError::Parquet { path: name.clone(), source })?;
        let columns = columns_of(&reader).ok_or_else(|| broken(path, "it does not tell its columns"))?;
        Ok(Self { name, reader, columns })
    }

    fn group(&self, index: usize) -> Result<Group, ArchiveError> {
        read_group(&self.reader, index, &self.columns)
            .map_err(|source| ArchiveError::Parquet { path: self.name.clone(), source })
    }
}

/// The columns of a file.
pub(crate) fn columns_in(path: &Path) -> Result<Vec<Column>, ArchiveError> {
    Ok(Opened::at(path)?.columns)
}

fn columns_of(reader: &SerializedFileReader<File>) -> Option<Vec<Column>> {
    let told = reader.metadata().file_metadata().key_value_metadata()?;
    let columns: Vec<Column> =
        serde_json::from_str(told.iter().find(|one| one.key == COLUMNS_KEY)?.value.as_deref()?).ok()?;
    (columns.len() == reader.metadata().file_metadata().schema_descr().num_columns()).then_some(columns)
}

fn read_group(reader: &SerializedFileReader<File>, index: usize, columns: &[Column]) -> Result<Group, ParquetError> {
    let source = reader.get_row_group(index)?;
    let rows = usize::try_from(source.metadata().num_rows()).unwrap_or(0);
    let mut group = Group::new(columns);
    group.rows = rows;
    for (at, column) in columns.iter().enumerate() {
        let (levels, values) = (&mut group.levels[at], &mut group.values[at]);
        *values = column.kind.no_values(rows);
        let mut done = 0;
        let mut reader = source.get_column_reader(at)?;
        while done < rows {
            let (read, _, _) = match (&mut reader, &mut *values) {
                (ColumnReader::ByteArrayColumnReader(r), Values::Texts(v)) => {
                    r.read_records(rows, Some(levels), None, v)?
                }
                (ColumnReader::Int32ColumnReader(r), Values::Ints(v)) => r.read_records(rows, Some(levels), None, v)?,
                (ColumnReader::Int64ColumnReader(r), Values::Longs(v)) => {
                    r.read_records(rows, Some(levels), None, v)?
                }
                (ColumnReader::BoolColumnReader(r), Values::Truths(v)) => {
                    r.read_records(rows, Some(levels), None, v)?
                }
                _ => return Err(ParquetError::General(format!("column {} is of another kind", column.name))),
            };
            if read == 0 {
                return Err(ParquetError::EOF(format!("column {} ends early", column.name)));
            }
            done += read;
        }
    }
    Ok(group)
}

pub(crate) fn hex(sum: Context) -> String {
    use std::fmt::Write as _;
    sum.finish().as_ref().iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

//! One Parquet file: written row by row, in groups of bounded size, and read group by group.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{BoolType, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};

use crate::cells::{Kind, Values};
use crate::error::{ArchiveError, file};

/// A group ends with so many rows or so many bytes, whatever comes first: this bounds what is in memory.
const ROWS_A_GROUP: usize = 50_000;
const BYTES_A_GROUP: usize = 24 * 1024 * 1024;
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

    fn count_into(&self, sum: &mut Context) {
        for (levels, values) in self.levels.iter().zip(&self.values) {
            for level in levels {
                sum.update(&[u8::from(*level != 0)]);
            }
            values.count_into(sum);
        }
    }
}

/// What is in a file: how many rows, and a checksum over all their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) rows: u64,
    pub(crate) values_sha256: String,
}

pub(crate) struct FileWriter {
    name: String,
    writer: SerializedFileWriter<File>,
    columns: Vec<Column>,
    group: Group,
    sum: Context,
    rows: u64,
}

impl FileWriter {
    pub(crate) fn begin(path: &Path, table: &str, columns: Vec<Column>) -> Result<Self, ArchiveError> {
        let name = path.display().to_string();
        let out = File::create(path).map_err(file(&name))?;
        let begun = || -> Result<_, ParquetError> {
            let fields: Result<Vec<_>, _> =
                columns.iter().map(|column| column.kind.column(&column.name).map(Arc::new)).collect();
            let schema = Type::group_type_builder(table).with_fields(fields?).build()?;
            let told = serde_json::to_string(&columns).map_err(|error| ParquetError::External(Box::new(error)))?;
            let properties = WriterProperties::builder()
                .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
                .set_created_by(format!("melmastoon {}", env!("CARGO_PKG_VERSION")))
                .set_key_value_metadata(Some(vec![KeyValue::new(COLUMNS_KEY.to_owned(), told)]))
                .build();
            SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))
        };
        let writer = begun().map_err(|source| ArchiveError::Parquet { path: name.clone(), source })?;
        let group = Group::new(&columns);
        Ok(Self { name, writer, columns, group, sum: Context::new(&SHA256), rows: 0 })
    }

    /// One more row, as PostgreSQL sent it.
    pub(crate) fn row(&mut self, fields: &[Option<Bytes>]) -> Result<(), ArchiveError> {
        if fields.len() != self.columns.len() {
            return Err(self.damaged(format!("{} fields for {} columns", fields.len(), self.columns.len())));
        }
        for (index, (column, field)) in self.columns.iter().zip(fields).enumerate() {
            self.group.levels[index].push(i16::from(field.is_some()));
            if let Some(field) = field {
                self.group.bytes += field.len();
                if column.kind.read(field, &mut self.group.values[index]).is_none() {
                    return Err(
                        self.damaged(format!("column {} has something that is no {:?}", column.name, column.kind))
                    );
                }
            }
        }
        self.group.rows += 1;
        if self.group.rows >= ROWS_A_GROUP || self.group.bytes >= BYTES_A_GROUP {
            self.end_group()?;
        }
        Ok(())
    }

    pub(crate) fn end(mut self) -> Result<Content, ArchiveError> {
        if self.group.rows > 0 {
            self.end_group()?;
        }
        let Self { name, writer, sum, rows, .. } = self;
        writer.close().map_err(|source| ArchiveError::Parquet { path: name, source })?;
        Ok(Content { rows, values_sha256: hex(sum) })
    }

    fn end_group(&mut self) -> Result<(), ArchiveError> {
        let group = std::mem::replace(&mut self.group, Group::new(&self.columns));
        group.count_into(&mut self.sum);
        self.rows += group.rows as u64;
        write_group(&mut self.writer, &group)
            .map_err(|source| ArchiveError::Parquet { path: self.name.clone(), source })
    }

    fn damaged(&self, reason: String) -> ArchiveError {
        ArchiveError::Damaged { path: self.name.clone(), reason }
    }
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
    let name = path.display().to_string();
    let unreadable = |source| ArchiveError::Parquet { path: name.clone(), source };
    let reader = SerializedFileReader::new(File::open(path).map_err(file(&name))?).map_err(unreadable)?;
    let columns = columns_of(&reader).ok_or_else(|| ArchiveError::Damaged {
        path: name.clone(),
        reason: "it does not tell its columns".to_owned(),
    })?;
    let (mut sum, mut rows) = (Context::new(&SHA256), 0);
    for index in 0..reader.num_row_groups() {
        let group = read_group(&reader, index, &columns).map_err(unreadable)?;
        group.count_into(&mut sum);
        rows += group.rows as u64;
        each(&columns, &group)?;
    }
    Ok(Content { rows, values_sha256: hex(sum) })
}

/// The columns of a file.
pub(crate) fn columns_in(path: &Path) -> Result<Vec<Column>, ArchiveError> {
    let name = path.display().to_string();
    let reader = SerializedFileReader::new(File::open(path).map_err(file(&name))?)
        .map_err(|source| ArchiveError::Parquet { path: name.clone(), source })?;
    columns_of(&reader)
        .ok_or_else(|| ArchiveError::Damaged { path: name, reason: "it does not tell its columns".to_owned() })
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

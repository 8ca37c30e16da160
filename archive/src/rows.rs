//! The rows of a COPY in PostgreSQL's binary form, as they come in pieces.

use std::ops::Range;

use bytes::{Buf as _, Bytes, BytesMut};

use crate::error::ArchiveError;

const SIGNATURE: &[u8; 11] = b"PGCOPY\n\xff\r\n\0";

/// Cuts a stream of pieces into rows.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    rest: BytesMut,
    begun: bool,
    over: bool,
}

/// The stream is not what PostgreSQL sends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Garbled;

impl From<Garbled> for ArchiveError {
    fn from(_: Garbled) -> Self {
        Self::Refused("PostgreSQL's copy cannot be read".to_owned())
    }
}

/// The fields of a row that is whole, one after the other: `None` where there is nothing.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    pub(crate) count: usize,
    bytes: &'a Bytes,
    at: usize,
}

impl<'a> Fields<'a> {
    /// Where the next field lies in the bytes of the row, if it has something. Only a row that was found whole is asked.
    pub(crate) fn next_field(&mut self) -> Option<(&'a Bytes, Range<usize>)> {
        let length = self.bytes.get(self.at..self.at + 4).and_then(<[u8]>::first_chunk::<4>)?;
        self.at += 4;
        let length = usize::try_from(i32::from_be_bytes(*length)).ok()?;
        let field = self.at..self.at + length;
        self.at += length;
        Some((self.bytes, field))
    }
}

impl Rows {
    /// Takes one more piece, and hands every row that is whole to `each`.
    pub(crate) fn take<E: From<Garbled>>(
        &mut self,
        piece: Bytes,
        mut each: impl FnMut(Fields<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        // Nearly always a piece is one row: then nothing is copied.
        let mut bytes = if self.rest.is_empty() {
            piece
        } else {
            self.rest.extend_from_slice(&piece);
            std::mem::take(&mut self.rest).freeze()
        };
        if !self.begun {
            // Signature, flags, and how long what we need not know is.
            let Some(head) = bytes.get(..19) else {
                self.rest.extend_from_slice(&bytes);
                return Ok(());
            };
            if &head[..11] != SIGNATURE {
                return Err(Garbled.into());
            }
            let extra = u32::from_be_bytes([head[15], head[16], head[17], head[18]]) as usize;
            if bytes.len() < 19 + extra {
                self.rest.extend_from_slice(&bytes);
                return Ok(());
            }
            bytes.advance(19 + extra);
            self.begun = true;
        }
        let mut at = 0;
        while at < bytes.len() {
            match row_in(&bytes, at)? {
                Found::Row { count, length } => {
                    each(Fields { count, bytes: &bytes, at: at + 2 })?;
                    at += length;
                }
                Found::End => {
                    self.over = true;
                    at = bytes.len();
                }
                Found::Part => {
                    self.rest.extend_from_slice(&bytes[at..]);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Whether the end was told. A stream that ends before is a part of one.
    pub(crate) fn is_whole(&self) -> bool {
        self.over && self.rest.is_empty()
    }
}

enum Found {
    Row { count: usize, length: usize },
    End,
    Part,
}

/// Whether a whole row begins here, and how long it is.
fn row_in(bytes: &[u8], begins: usize) -> Result<Found, Garbled> {
    let Some(head) = bytes.get(begins..begins + 2).and_then(<[u8]>::first_chunk::<2>) else { return Ok(Found::Part) };
    let count = match i16::from_be_bytes(*head) {
        -1 => return Ok(Found::End),
        count => usize::try_from(count).map_err(|_| Garbled)?,
    };
    let mut at = begins + 2;
    for _ in 0..count {
        let Some(length) = bytes.get(at..at + 4).and_then(<[u8]>::first_chunk::<4>) else { return Ok(Found::Part) };
        at += 4;
        match i32::from_be_bytes(*length) {
            -1 => {}
            length => {
                at += usize::try_from(length).map_err(|_| Garbled)?;
                if bytes.len() < at {
                    return Ok(Found::Part);
                }
            }
        }
    }
    Ok(Found::Row { count, length: at - begins })
}

#[cfg(test)]
mod tests {
    use bytes::BufMut as _;
    use proptest::prelude::*;

    use super::*;

    fn sent(rows: &[Vec<Option<Vec<u8>>>]) -> Vec<u8> {
        let mut out = BytesMut::new();
        out.put_slice(SIGNATURE);
        out.put_slice(&[0; 8]);
        for row in rows {
            out.put_i16(i16::try_from(row.len()).expect("few columns"));
            for field in row {
                match field {
                    None => out.put_i32(-1),
                    Some(field) => {
                        out.put_i32(i32::try_from(field.len()).expect("a short field"));
                        out.put_slice(field);
                    }
                }
            }
        }
        out.put_i16(-1);
        out.to_vec()
    }

    proptest! {
        #[test]
        fn rows_are_the_same_however_the_stream_is_cut(
            rows in proptest::collection::vec(proptest::collection::vec(
                proptest::option::of(proptest::collection::vec(any::<u8>(), 0..9)), 1..4), 0..6),
            cut in 1_usize..40,
        ) {
            let whole = sent(&rows);
            let (mut reader, mut read) = (Rows::default(), Vec::new());
            for piece in whole.chunks(cut) {
                let taken: Result<(), Garbled> = reader.take(Bytes::copy_from_slice(piece), |mut fields| {
                    let count = fields.count;
                    read.push((0..count).map(|_| fields.next_field().map(|(bytes, at)| bytes[at].to_vec())).collect::<Vec<_>>());
                    Ok(())
                });
                taken.expect("our own stream");
            }
            prop_assert!(reader.is_whole());
            prop_assert_eq!(read, rows);
        }

        #[test]
        fn a_stream_that_breaks_off_is_never_taken_for_whole(cut in 1_usize..60) {
            let whole = sent(&[vec![Some(b"turnover".to_vec()), None], vec![Some(b"deep_clean".to_vec()), Some(vec![1])]]);
            let mut reader = Rows::default();
            let part = &whole[..whole.len().saturating_sub(cut).max(1)];
            let _: Result<(), Garbled> = reader.take(Bytes::copy_from_slice(part), |_| Ok(()));
            prop_assert!(!reader.is_whole());
        }
    }
}

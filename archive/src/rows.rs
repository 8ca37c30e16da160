//! The rows of a COPY in PostgreSQL's binary form, as they come in pieces.

use bytes::{Buf as _, Bytes, BytesMut};

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

impl Rows {
    /// Takes one more piece, and hands every row that is whole to `each`: its fields, `None` where there is nothing.
    pub(crate) fn take(&mut self, piece: Bytes) -> Result<Vec<Vec<Option<Bytes>>>, Garbled> {
        // Nearly always a piece is one row: then nothing is copied.
        let mut bytes = if self.rest.is_empty() {
            piece
        } else {
            self.rest.extend_from_slice(&piece);
            std::mem::take(&mut self.rest).freeze()
        };
        if !self.begun {
            // Signature, flags, and how long what we need not know is.
            let Some(head) = bytes.get(..19) else { return Ok(self.keep(&bytes)) };
            if &head[..11] != SIGNATURE {
                return Err(Garbled);
            }
            let extra = u32::from_be_bytes([head[15], head[16], head[17], head[18]]) as usize;
            if bytes.len() < 19 + extra {
                return Ok(self.keep(&bytes));
            }
            bytes.advance(19 + extra);
            self.begun = true;
        }
        let mut rows = Vec::new();
        while !bytes.is_empty() {
            match row_in(&bytes)? {
                Found::Row(row, length) => {
                    rows.push(row);
                    bytes.advance(length);
                }
                Found::End => {
                    self.over = true;
                    bytes.clear();
                }
                Found::Part => {
                    self.rest.extend_from_slice(&bytes);
                    break;
                }
            }
        }
        Ok(rows)
    }

    /// Whether the end was told. A stream that ends before is a part of one.
    pub(crate) fn is_whole(&self) -> bool {
        self.over && self.rest.is_empty()
    }

    fn keep(&mut self, bytes: &Bytes) -> Vec<Vec<Option<Bytes>>> {
        self.rest.extend_from_slice(bytes);
        Vec::new()
    }
}

enum Found {
    Row(Vec<Option<Bytes>>, usize),
    End,
    Part,
}

fn row_in(bytes: &Bytes) -> Result<Found, Garbled> {
    let Some(head) = bytes.first_chunk::<2>() else { return Ok(Found::Part) };
    let count = match i16::from_be_bytes(*head) {
        -1 => return Ok(Found::End),
        count => usize::try_from(count).map_err(|_| Garbled)?,
    };
    let (mut at, mut row) = (2, Vec::with_capacity(count));
    for _ in 0..count {
        let Some(length) = bytes.get(at..at + 4).and_then(<[u8]>::first_chunk::<4>) else { return Ok(Found::Part) };
        at += 4;
        match i32::from_be_bytes(*length) {
            -1 => row.push(None),
            length => {
                let length = usize::try_from(length).map_err(|_| Garbled)?;
                if bytes.len() < at + length {
                    return Ok(Found::Part);
                }
                row.push(Some(bytes.slice(at..at + length)));
                at += length;
            }
        }
    }
    Ok(Found::Row(row, at))
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
                read.extend(reader.take(Bytes::copy_from_slice(piece)).expect("our own stream"));
            }
            prop_assert!(reader.is_whole());
            let read: Vec<Vec<Option<Vec<u8>>>> = read.into_iter()
                .map(|row| row.into_iter().map(|field| field.map(|bytes| bytes.to_vec())).collect()).collect();
            prop_assert_eq!(read, rows);
        }

        #[test]
        fn a_stream_that_breaks_off_is_never_taken_for_whole(cut in 1_usize..60) {
            let whole = sent(&[vec![Some(b"turnover".to_vec()), None], vec![Some(b"deep_clean".to_vec()), Some(vec![1])]]);
            let mut reader = Rows::default();
            let part = &whole[..whole.len().saturating_sub(cut).max(1)];
            let _ = reader.take(Bytes::copy_from_slice(part));
            prop_assert!(!reader.is_whole());
        }
    }
}

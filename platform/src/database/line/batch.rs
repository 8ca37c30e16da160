//! Statements that go out together.

use std::sync::Arc;

use bytes::BytesMut;
use postgres_protocol::IsNull;
use postgres_protocol::message::frontend::{self, BindError};
use tokio_postgres::types::{IsNull as Null, ToSql};

use super::{LineError, Statement};

/// Statements in the order in which they are to be done.
#[derive(Debug)]
pub(in crate::database) struct Batch {
    pub(super) out: BytesMut,
    /// What each of them gives; `None`: nothing.
    pub(super) asked: Vec<Option<Arc<Statement>>>,
}

impl Batch {
    pub(super) fn into(mut out: BytesMut) -> Self {
        out.clear();
        Self { out, asked: Vec::with_capacity(8) }
    }

    /// How many statements are in it.
    pub(in crate::database) fn len(&self) -> usize {
        self.asked.len()
    }

    /// A statement that takes nothing and gives nothing, by its text: BEGIN, SET, COMMIT. PostgreSQL plans none of these, so that
    /// sending the text costs no more than sending a name.
    pub(in crate::database) fn say(&mut self, text: &str) -> Result<(), LineError> {
        frontend::parse("", text, [], &mut self.out)?;
        frontend::bind("", "", [], std::iter::empty::<()>(), |(), _| Ok(IsNull::Yes), [], &mut self.out)
            .map_err(unfit)?;
        frontend::execute("", 0, &mut self.out)?;
        self.asked.push(None);
        Ok(())
    }

    /// A statement that the line has learned. Err: a value does not fit; the batch is not to be sent.
    pub(super) fn ask<'a>(
        &mut self,
        statement: &Arc<Statement>,
        params: impl Iterator<Item = &'a (dyn ToSql + Sync)> + Clone,
    ) -> Result<(), LineError> {
        let kinds = &statement.params;
        let given = params.clone().count();
        if given != kinds.len() {
            return Err(LineError::Unfit(format!("takes {} values and was given {given}", kinds.len())));
        }
        let formats = params.clone().zip(kinds).map(|(param, kind)| param.encode_format(kind) as i16);
        let mut number = 0;
        let written = frontend::bind(
            "",
            &statement.name,
            formats,
            params.zip(kinds),
            |(param, kind), out| {
                number += 1;
                param.to_sql_checked(kind, out).map(|null| match null {
                    Null::Yes => IsNull::Yes,
                    Null::No => IsNull::No,
                })
            },
            Some(1),
            &mut self.out,
        );
        written.map_err(|error| match unfit(error) {
            LineError::Unfit(why) => LineError::Unfit(format!("value {number}: {why}")),
            other => other,
        })?;
        frontend::execute("", 0, &mut self.out)?;
        self.asked.push(Some(Arc::clone(statement)));
        Ok(())
    }
}

fn unfit(error: BindError) -> LineError {
    LineError::Unfit(match error {
        BindError::Conversion(why) => why.to_string(),
        BindError::Serialization(why) => why.to_string(),
    })
}

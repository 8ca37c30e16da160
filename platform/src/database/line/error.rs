//! What can go wrong on a line.

use std::io;

use fallible_iterator::FallibleIterator as _;
use postgres_protocol::message::backend::ErrorResponseBody;

/// PostgreSQL's word that something is not done.
#[derive(Debug, Default)]
pub(in crate::database) struct Refused {
    pub(in crate::database) sqlstate: String,
    pub(in crate::database) message: String,
    pub(in crate::database) constraint: String,
}

impl Refused {
    pub(super) fn read(body: &ErrorResponseBody) -> io::Result<Self> {
        let mut refused = Self::default();
        let mut fields = body.fields();
        while let Some(field) = fields.next()? {
            let place = match field.type_() {
                b'C' => &mut refused.sqlstate,
                b'M' => &mut refused.message,
                b'n' => &mut refused.constraint,
                _ => continue,
            };
            *place = String::from_utf8_lossy(field.value_bytes()).into_owned();
        }
        Ok(refused)
    }

    /// A migration gave a table other columns than a statement was learned with: "cached plan must not change result type".
    pub(in crate::database) fn is_outdated(&self) -> bool {
        self.sqlstate == "0A000" && self.message.starts_with("cached plan")
    }
}

#[derive(Debug)]
pub(in crate::database) enum LineError {
    Refused(Refused),
    /// A value that its parameter cannot take. It was not sent.
    Unfit(String),
    /// The line is gone.
    Lost(io::Error),
}

impl From<io::Error> for LineError {
    fn from(error: io::Error) -> Self {
        Self::Lost(error)
    }
}

impl std::fmt::Display for LineError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(refused) => write!(out, "{} ({})", refused.message, refused.sqlstate),
            Self::Unfit(why) => out.write_str(why),
            Self::Lost(error) => write!(out, "the connection is gone: {error}"),
        }
    }
}

impl std::error::Error for LineError {}

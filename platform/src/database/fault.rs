//! What can go wrong between a story and the database, in terms the edge can act on.

use tokio_postgres::error::SqlState;

use super::StoredResponse;
use super::line::LineError;

/// Why a unit of work could not go on.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error("the database cannot be reached: {0}")]
    Unavailable(String),
    /// Not the database: a broker, an archive. Nothing is wrong with what was asked for; it is tried again.
    #[error("{who}: {why}")]
    Elsewhere { who: &'static str, why: String },
    #[error("no database connection or lock became free in time")]
    Exhausted,
    #[error("another change came in between; nothing was changed")]
    Conflict,
    #[error("there is already one: {constraint}")]
    Duplicate { constraint: String },
    /// A value that no table of ours takes, now or later: out of range, against a rule of the table.
    #[error("the database cannot hold this: {detail} ({sqlstate}, in {place})")]
    Unstorable { place: String, sqlstate: String, detail: String },
    #[error("an event of {size} bytes is over the limit of {limit}")]
    EventTooLarge { size: usize, limit: usize },
    #[error("unexpected database answer in {place}: {detail}")]
    Unexpected { place: String, detail: String },
    /// Not a failure: the work is already done, or is being done.
    #[error("the work was not begun: {0:?}")]
    Interrupted(Interruption),
}

/// Reasons not to begin at all, found in the same round trip that opens the transaction.
#[derive(Debug)]
pub enum Interruption {
    /// The inbox knows this event.
    AlreadyProcessed,
    /// The idempotency key has its answer.
    Replay(StoredResponse),
    /// The same key is at work in another request.
    InFlight,
    /// The key was used for another request.
    KeyReused,
}

impl Fault {
    /// Whether the same call may succeed in a moment.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Elsewhere { .. } | Self::Exhausted | Self::Conflict)
    }

    pub fn from_postgres(place: &str, error: &tokio_postgres::Error) -> Self {
        let Some(answer) = error.as_db_error() else {
            let detail = error.to_string();
            // The driver tells its own refusals apart by their words alone.
            if detail.starts_with("error serializing parameter") {
                return Self::Unstorable { place: place.to_owned(), sqlstate: "22000".to_owned(), detail };
            }
            return Self::Unavailable(detail);
        };
        Self::from_answer(place, answer.code(), answer.message(), answer.constraint().unwrap_or_default())
    }

    pub(super) fn from_line(place: &str, error: &LineError) -> Self {
        match error {
            // Whoever comes again gets a line that learns the tables as they are now.
            LineError::Refused(answer) if answer.is_outdated() => Self::Unavailable(error.to_string()),
            LineError::Refused(answer) => {
                Self::from_answer(place, &SqlState::from_code(&answer.sqlstate), &answer.message, &answer.constraint)
            }
            LineError::Unfit(detail) => {
                let (place, detail) = (place.to_owned(), detail.clone());
                Self::Unstorable { place, sqlstate: "22000".to_owned(), detail }
            }
            LineError::Lost(_) => Self::Unavailable(error.to_string()),
        }
    }

    fn from_answer(place: &str, code: &SqlState, message: &str, constraint: &str) -> Self {
        // 23P01: two that must not overlap met; whoever tries again sees the other, and says so in its own words.
        if *code == SqlState::EXCLUSION_VIOLATION
            || *code == SqlState::T_R_SERIALIZATION_FAILURE
            || *code == SqlState::T_R_DEADLOCK_DETECTED
        {
            return Self::Conflict;
        }
        if *code == SqlState::UNIQUE_VIOLATION {
            return Self::Duplicate { constraint: constraint.to_owned() };
        }
        if *code == SqlState::LOCK_NOT_AVAILABLE || *code == SqlState::QUERY_CANCELED {
            return Self::Exhausted; // lock_timeout, statement_timeout
        }
        if *code == SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT || code.code().starts_with("08") {
            return Self::Unavailable(format!("{} ({})", message, code.code()));
        }
        // A row that was locked and decided on was gone when it was to be written: see any `*_update.sql`.
        if *code == SqlState::DIVISION_BY_ZERO {
            return Self::Unexpected { place: place.to_owned(), detail: "the row was gone".to_owned() };
        }
        // 57P0x: the server is going down or coming up; 53xxx: it is out of connections, memory or disk.
        // 58030: its disk failed it. 25006: it has become a copy that takes no changes, as in a failover; we never ask for that ourselves.
        if code.code().starts_with("57P")
            || code.code().starts_with("53")
            || *code == SqlState::IO_ERROR
            || *code == SqlState::READ_ONLY_SQL_TRANSACTION
        {
            return Self::Unavailable(format!("{} ({})", message, code.code()));
        }
        // 22xxx: a value that does not fit; 23xxx: one that breaks a rule of its table.
        if code.code().starts_with("22") || code.code().starts_with("23") {
            let (sqlstate, detail) = (code.code().to_owned(), message.to_owned());
            return Self::Unstorable { place: place.to_owned(), sqlstate, detail };
        }
        Self::Unexpected { place: place.to_owned(), detail: format!("{} ({})", message, code.code()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_takes_no_changes_for_now_is_away_and_counts_as_no_attempt() {
        for code in ["25006", "57P01", "57P03", "53300", "58030", "08006"] {
            let fault = Fault::from_answer("here", &SqlState::from_code(code), "not now", "");
            assert!(matches!(fault, Fault::Unavailable(_)) && fault.is_transient(), "{code}: {fault:?}");
        }
        let fault = Fault::from_answer("here", &SqlState::from_code("25001"), "a mistake of ours", "");
        assert!(matches!(fault, Fault::Unexpected { .. }) && !fault.is_transient(), "{fault:?}");
    }
}

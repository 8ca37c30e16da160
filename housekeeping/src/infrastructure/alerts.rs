//! When something was told last, so that it is not told again too soon.

use contracts::time::Timestamp;
use platform::database::Row;
use platform::database::{Columns, RowChange};
use platform::{UnitOfWork, columns, params, statements};

use crate::HousekeepingError;

statements! {
    TOLD = "sql/alert_told.sql" (text, text, timestamptz) -> &[];
    LAST = "sql/alert_last.sql" (text, _text) -> columns![about: text, told_at: timestamptz];
}

contracts::closed_words! {
    /// What is told again only after a while.
    Alert {
        LinenLow = "linen_low",
        StaffingGap = "staffing_gap",
        Escalation = "escalation",
    }
}

/// The row that remembers it, to be written with the decision that tells it.
pub(crate) fn told(alert: Alert, about: &str, at: Timestamp) -> RowChange {
    RowChange::new(&TOLD, params![alert, about.to_owned(), at])
}

/// The same beside a decision of an aggregate that knows nothing of alerts.
pub(crate) fn remember(uow: &mut UnitOfWork, alert: Alert, about: &str, at: Timestamp) {
    uow.project(&TOLD, params![alert, about.to_owned(), at]);
}

/// When each of these was told last; those never told of are not in it.
pub async fn last(
    uow: &mut UnitOfWork,
    alert: Alert,
    about: &[String],
) -> Result<Vec<(String, Timestamp)>, HousekeepingError> {
    uow.read(&LAST, &[&alert, &about]).await?.iter().map(last_of).collect()
}

pub(crate) fn last_of(row: &Row) -> Result<(String, Timestamp), HousekeepingError> {
    Ok((row.read("about")?, row.read("told_at")?))
}

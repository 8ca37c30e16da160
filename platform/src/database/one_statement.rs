//! The rows of several decisions and what they owe, sent as one statement.
//!
//! Every statement costs the server a message, a snapshot and an answer, so the rows that change become parts of the
//! statement that writes audit and outbox. Its parts all see the database as it was before it, which is right for rows of
//! different aggregates: each was locked before it was decided on. The same aggregate saved twice stays in two statements.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::unit_of_work::Param;

/// So many rows become one statement at most: each new combination is planned once and kept.
const MOST: usize = 4;

/// A row to be written.
pub(super) struct Write {
    pub(super) place: &'static str,
    pub(super) text: Cow<'static, str>,
    pub(super) params: Vec<Param>,
    pub(super) decided: Option<DecidedRow>,
}

/// What a row decided on belongs to.
pub(super) struct DecidedRow {
    pub(super) aggregate: (&'static str, String),
    pub(super) save: usize,
}

impl DecidedRow {
    /// An earlier state of the same aggregate: it must be written before the later one is.
    fn comes_before(&self, later: &Self) -> bool {
        self.aggregate == later.aggregate && self.save != later.save
    }
}

/// The statement for audit and outbox, open for the rows of the decisions.
#[derive(Debug)]
pub(crate) struct Announce {
    before_rows: String,
    before_hits: String,
    end: String,
    alone: String,
}

impl Announce {
    pub(super) fn new(text: &str) -> Self {
        // Its comment speaks of the two places as well; only the statement is sent.
        let statement = text.find("\nWITH").map_or(text, |at| &text[at + 1..]);
        let (before_rows, rest) = statement.split_once("{rows}").unwrap_or((statement, ""));
        let (before_hits, end) = rest.split_once("{hits}").unwrap_or((rest, ""));
        let alone = [before_rows, before_hits, end].concat();
        let [before_rows, before_hits, end] = [before_rows, before_hits, end].map(str::to_owned);
        Self { before_rows, before_hits, end, alone }
    }

    /// Without any rows, for the test that prepares it.
    pub(super) fn alone(&self) -> &str {
        &self.alone
    }

    /// With these rows, each with the number of its parameters, which follow the statement's own.
    fn with<'a>(&self, own_params: usize, rows: impl Iterator<Item = (&'a str, usize)>) -> String {
        let (mut parts, mut hits) = (String::with_capacity(4_096), String::new());
        parts.push_str(&self.before_rows);
        let mut params = own_params;
        for (number, (text, count)) in rows.enumerate() {
            let _ = write!(parts, "row_{number} AS (");
            push_shifted(&mut parts, text, params);
            parts.push_str("\nRETURNING 1), ");
            let _ = write!(hits, "(SELECT 1 / count(*) FROM row_{number}), ");
            params += count;
        }
        parts.push_str(&self.before_hits);
        parts.push_str(&hits);
        parts.push_str(&self.end);
        parts
    }
}

/// The statement with every `$n` counted from further on; `$1` is the tenant in all of them.
fn push_shifted(out: &mut String, text: &str, by: usize) {
    let mut rest = text.trim_end();
    while let Some((before, after)) = rest.split_once('$') {
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let (number, following) = after.split_at(digits);
        out.push_str(before);
        match number.parse::<usize>() {
            Ok(1) => out.push_str("$1"),
            Ok(number) => {
                let _ = write!(out, "${}", number - 1 + by);
            }
            Err(_) => out.push('$'),
        }
        rest = following;
    }
    out.push_str(rest);
}

/// Makes one statement of the last rows decided on and of what all decisions owe; rows before them go on their own, and
/// each of them must meet its row too.
pub(super) fn gathered(writes: &mut Vec<Write>, announce: &Announce, mut params: Vec<Param>) {
    let end = writes.iter().rposition(|write| write.decided.is_some()).map_or(writes.len(), |last| last + 1);
    let mut begin = end;
    while begin > 0 && end - begin < MOST {
        let Some(row) = &writes[begin - 1].decided else { break };
        if writes[begin..end].iter().filter_map(|later| later.decided.as_ref()).any(|later| row.comes_before(later)) {
            break;
        }
        begin -= 1;
    }
    let together: Vec<Write> = writes.drain(begin..end).collect();
    let text = announce.with(params.len() + 1, together.iter().map(|write| (&*write.text, write.params.len())));
    params.extend(together.into_iter().flat_map(|write| write.params));
    writes.insert(begin, Write { place: "announce", text: Cow::Owned(text), params, decided: None });
    for alone in writes.iter_mut().filter(|write| write.decided.is_some()) {
        alone.text =
            Cow::Owned(format!("WITH hit AS ({}\nRETURNING 1) SELECT 1 / count(*) FROM hit", alone.text.trim_end()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(aggregate: &str, save: usize, text: &'static str) -> Write {
        let decided = DecidedRow { aggregate: ("room", aggregate.to_owned()), save };
        Write { place: "row", text: Cow::Borrowed(text), params: vec![Box::new(1_i32)], decided: Some(decided) }
    }

    fn other(text: &'static str) -> Write {
        Write { place: "other", text: Cow::Borrowed(text), params: Vec::new(), decided: None }
    }

    fn texts(mut writes: Vec<Write>) -> Vec<String> {
        let announce = Announce::new("-- {rows} {hits}\nWITH {rows}a AS (SELECT $1::TEXT, $2::TEXT) SELECT {hits}true");
        gathered(&mut writes, &announce, vec![Box::new(2_i32)]);
        writes.iter().map(|write| write.text.to_string()).collect()
    }

    #[test]
    fn rows_of_different_aggregates_become_parts_of_one_statement_with_parameters_of_their_own() {
        let sent = texts(vec![row("1", 1, "UPDATE a SET x = $2 WHERE t = $1 \n"), row("2", 2, "UPDATE b SET y = $2")]);
        assert_eq!(
            sent,
            [
                "WITH row_0 AS (UPDATE a SET x = $3 WHERE t = $1\nRETURNING 1), row_1 AS (UPDATE b SET y = $4\nRETURNING 1), a AS \
              (SELECT $1::TEXT, $2::TEXT) SELECT (SELECT 1 / count(*) FROM row_0), (SELECT 1 / count(*) FROM row_1), true"
            ]
        );
    }

    #[test]
    fn the_same_aggregate_saved_twice_is_written_one_after_the_other() {
        let sent = texts(vec![row("1", 1, "UPDATE a SET x = $2"), row("1", 2, "UPDATE a SET x = $2 + 1")]);
        assert_eq!(sent.len(), 2);
        assert_eq!(sent[0], "WITH hit AS (UPDATE a SET x = $2\nRETURNING 1) SELECT 1 / count(*) FROM hit");
        assert!(sent[1].contains("row_0 AS (UPDATE a SET x = $3 + 1"), "{}", sent[1]);
    }

    #[test]
    fn what_was_queued_before_and_after_the_decisions_keeps_its_place() {
        let sent = texts(vec![other("first"), row("1", 1, "UPDATE a SET x = $1"), other("last")]);
        assert_eq!((sent.len(), sent[0].as_str(), sent[2].as_str()), (3, "first", "last"));
        assert!(sent[1].starts_with("WITH row_0"), "{}", sent[1]);
    }

    #[test]
    fn many_rows_do_not_make_one_endless_statement() {
        let sent = texts((0..10).map(|number| row(&number.to_string(), number, "UPDATE a SET x = $1")).collect());
        assert_eq!(sent.len(), 10 - MOST + 1);
        assert!(!sent[10 - MOST].contains("row_4"));
    }
}

//! Rows that are added side by side go in one statement.
//!
//! A device that was away for a week sends hundreds of punches, and a pattern makes hundreds of shifts: each is an INSERT of one
//! row. Sent one by one, PostgreSQL begins, ends and answers each of them; fifty in one statement cost little more than one.

use std::borrow::Cow;

use super::unit_of_work::Param;

/// So many rows in a statement, the most first. Few sizes, so that few statements are prepared.
const SIZES: [usize; 2] = [50, 10];

/// A statement that waits for the commit.
pub(super) struct Write {
    pub(super) place: &'static str,
    pub(super) text: Cow<'static, str>,
    pub(super) params: Vec<Param>,
}

/// The same writes in the same order, with those joined that stand side by side and add one row each to the same table.
pub(super) fn joined(writes: Vec<Write>) -> Vec<Write> {
    let mut all = Vec::with_capacity(writes.len());
    let mut waiting = writes.into_iter().peekable();
    while let Some(first) = waiting.next() {
        let mut alike = vec![first];
        while let Some(next) = waiting.next_if(|next| next.text == alike[0].text) {
            alike.push(next);
        }
        join_into(&mut all, alike);
    }
    all
}

fn join_into(all: &mut Vec<Write>, alike: Vec<Write>) {
    let Some((place, text)) = alike.first().map(|first| (first.place, first.text.clone())) else { return };
    let Some((head, row)) = one_row(&text) else { return all.extend(alike) };
    let mut rest = alike.into_iter().peekable();
    for size in SIZES {
        while rest.len() >= size {
            let params: Vec<Vec<Param>> = rest.by_ref().take(size).map(|write| write.params).collect();
            let each = params.first().map_or(0, Vec::len);
            let text = Cow::Owned(rows(head, row, each, size));
            all.push(Write { place, text, params: params.into_iter().flatten().collect() });
        }
    }
    all.extend(rest);
}

/// What stands before the row of an INSERT, and the row. `None`: the statement does something else, or more.
fn one_row(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_end();
    let plain = text.starts_with("INSERT INTO ") && text.ends_with(')');
    let more = ["ON CONFLICT", "RETURNING", "SELECT"].iter().any(|word| text.contains(word));
    let (head, row) = text.split_once("VALUES (")?;
    (plain && !more && !row.contains("VALUES (")).then(|| (head, &text[head.len() + "VALUES ".len()..]))
}

/// The statement for so many rows. `$1` is the tenant of all of them; the others are numbered on.
fn rows(head: &str, row: &str, each: usize, size: usize) -> String {
    let mut text = String::with_capacity(head.len() + (row.len() + 2 * each) * size);
    text.push_str(head);
    text.push_str("VALUES ");
    for number in 0..size {
        if number > 0 {
            text.push_str(", ");
        }
        renumber(&mut text, row, number * each);
    }
    text
}

fn renumber(text: &mut String, row: &str, by: usize) {
    let mut rest = row;
    while let Some(at) = rest.find('$') {
        let (before, after) = rest.split_at(at + 1);
        let digits = after.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(after.len());
        let number: usize = after[..digits].parse().unwrap_or(1);
        text.push_str(before);
        text.push_str(&if number == 1 { 1 } else { number + by }.to_string());
        rest = &after[digits..];
    }
    text.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params;

    const INSERT: &str = "INSERT INTO staff.notes (tenant_id, id, text, at)\nVALUES ($1, $2, nullif($3, ''), $4)\n";

    fn write(text: &'static str, number: i32) -> Write {
        Write { place: "a note", text: Cow::Borrowed(text), params: params![number, "x".to_owned(), number] }
    }

    #[test]
    fn rows_that_are_added_side_by_side_go_together_and_in_order() {
        let all = joined((0..73).map(|number| write(INSERT, number)).collect());
        let sizes: Vec<_> = all.iter().map(|write| write.params.len() / 3).collect();
        assert_eq!(sizes, [50, 10, 10, 1, 1, 1]);
        let text = &all[1].text;
        assert!(text.starts_with("INSERT INTO staff.notes (tenant_id, id, text, at)\nVALUES ($1, $2, nullif($3, ''), $4), ($1, $5, nullif($6, ''), $7)"));
        assert!(text.ends_with("($1, $29, nullif($30, ''), $31)"), "{text}");
        assert_eq!(format!("{:?}", all[1].params[0]), "50");
        assert_eq!(format!("{:?}", all[2].params[0]), "60");
        assert_eq!(format!("{:?}", all[5].params[0]), "72");
    }

    #[test]
    fn whatever_else_is_written_stays_as_it_is() {
        const UPDATE: &str = "UPDATE staff.notes SET text = $3 WHERE tenant_id = $1 AND id = $2";
        const UPSERT: &str =
            "INSERT INTO a.b (tenant_id, id) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET at = now()";
        for text in [UPDATE, UPSERT] {
            let all = joined((0..60).map(|number| write(text, number)).collect());
            assert_eq!(all.len(), 60, "{text}");
        }
        let mixed = (0..60).map(|number| write(if number % 2 == 0 { INSERT } else { UPDATE }, number)).collect();
        assert_eq!(joined(mixed).len(), 60, "what stands between is not overtaken");
    }
}

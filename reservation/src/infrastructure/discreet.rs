//! What people typed, as others may read it: short, on one line, and without anything by which a guest could be reached.

use crate::domain::digits;

/// The longest text that others are told.
const LONGEST: usize = 500;
/// So many digits are a telephone number, or a card, or a passport.
const DIGITS: usize = 7;
const REMOVED: &str = "[removed]";

/// A reason or a wish for others: e-mail addresses and runs of seven digits and more are `[removed]`, however a number is
/// written: with spaces, dashes, dots, brackets or slashes between the digits, in Latin, Arabic or Persian ones.
pub fn for_others(text: &str) -> String {
    let plain: String = text.chars().map(|one| if one.is_control() || is_invisible(one) { ' ' } else { one }).collect();
    let words = plain.split(' ').map(|word| if is_address(word) { REMOVED } else { word });
    without_numbers(&words.collect::<Vec<_>>().join(" ")).chars().take(LONGEST).collect()
}

fn is_address(word: &str) -> bool {
    word.contains(['@', '＠', '﹫'])
}

/// Marks of direction and joiners, which would hide a number between its digits.
fn is_invisible(one: char) -> bool {
    matches!(one, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{2028}' | '\u{2029}')
}

/// Any digit of any script.
fn is_digit(one: char) -> bool {
    digits::plain(one).is_some()
}

/// What people write between the digits of one number.
fn is_between(one: char) -> bool {
    one.is_whitespace()
        || matches!(
            one,
            '-' | '.' | '/' | '(' | ')' | '[' | ']' | '+' | '_' | ',' | ':' | '\'' | '·' | '•' | '\u{2010}'
                ..='\u{2015}' | '\u{2212}' | '\u{66b}' | '\u{66c}' | '\u{60c}'
        )
}

fn without_numbers(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let (mut told, mut at) = (String::with_capacity(text.len()), 0);
    while at < letters.len() {
        if !is_digit(letters[at]) {
            told.push(letters[at]);
            at += 1;
            continue;
        }
        // From this digit to the last one that only such marks part from it.
        let (mut end, mut digits, mut ahead) = (at, 0, at);
        while ahead < letters.len() && (is_digit(letters[ahead]) || is_between(letters[ahead])) {
            if is_digit(letters[ahead]) {
                digits += 1;
                end = ahead;
            }
            ahead += 1;
        }
        if digits >= DIGITS {
            // The plus or the bracket before it belongs to it.
            let kept = told.trim_end_matches(['+', '(', '[']).len();
            told.truncate(kept);
            told.push_str(REMOVED);
        } else {
            told.extend(&letters[at..=end]);
        }
        at = end + 1;
    }
    told
}

#[cfg(test)]
mod tests {
    use super::for_others;

    #[test]
    fn however_a_number_is_written_others_are_not_told_it() {
        for number in [
            "0700123456",
            "+93 700 123 456",
            "0700-123-456",
            "0700.123.456",
            "(0700) 123 456",
            "۰۷۰۰۱۲۳۴۵۶",
            "٠٧٠٠ ١٢٣ ٤٥٦",
            "۰۷۰۰-123-۴۵۶",
            "0 7 0 0 1 2 3 4 5 6",
            "0700\u{200f}123\u{200e}456",
            "0700/123/456",
            "07\n00\t12 34 56",
        ] {
            assert_eq!(for_others(&format!("call {number} now")), "call [removed] now", "{number}");
        }
        for address in ["zar@example.com", "<zar@example.com>,", "زرمينه@example.com"] {
            assert_eq!(for_others(&format!("write {address} now")), "write [removed] now", "{address}");
        }
    }

    #[test]
    fn what_is_no_number_of_anybody_stays() {
        for text in ["room 101, 2 nights", "from 22.04. to 24.04.", "the road is closed", "۲ شپې", ""] {
            assert_eq!(for_others(text), text);
        }
        assert_eq!(for_others(&"a".repeat(600)).len(), 500);
        assert_eq!(for_others("one\r\ntwo\u{7}three"), "one  two three");
    }
}

//! Digits as people write them: in any script there is.

/// The zero of every script that counts in tens; the nine others follow it.
const ZEROS: [char; 66] = [
    '0',
    '\u{660}',
    '\u{6f0}',
    '\u{7c0}',
    '\u{966}',
    '\u{9e6}',
    '\u{a66}',
    '\u{ae6}',
    '\u{b66}',
    '\u{be6}',
    '\u{c66}',
    '\u{ce6}',
    '\u{d66}',
    '\u{de6}',
    '\u{e50}',
    '\u{ed0}',
    '\u{f20}',
    '\u{1040}',
    '\u{1090}',
    '\u{17e0}',
    '\u{1810}',
    '\u{1946}',
    '\u{19d0}',
    '\u{1a80}',
    '\u{1a90}',
    '\u{1b50}',
    '\u{1bb0}',
    '\u{1c40}',
    '\u{1c50}',
    '\u{a620}',
    '\u{a8d0}',
    '\u{a900}',
    '\u{a9d0}',
    '\u{a9f0}',
    '\u{aa50}',
    '\u{abf0}',
    '\u{ff10}',
    '\u{104a0}',
    '\u{10d30}',
    '\u{11066}',
    '\u{110f0}',
    '\u{11136}',
    '\u{111d0}',
    '\u{112f0}',
    '\u{11450}',
    '\u{114d0}',
    '\u{11650}',
    '\u{116c0}',
    '\u{11730}',
    '\u{118e0}',
    '\u{11950}',
    '\u{11c50}',
    '\u{11d50}',
    '\u{11da0}',
    '\u{16a60}',
    '\u{16ac0}',
    '\u{16b50}',
    '\u{1d7ce}',
    '\u{1d7d8}',
    '\u{1d7e2}',
    '\u{1d7ec}',
    '\u{1d7f6}',
    '\u{1e140}',
    '\u{1e2f0}',
    '\u{1e950}',
    '\u{1fbf0}',
];

/// The same digit as `0` to `9`; `None`: it is none.
pub fn plain(digit: char) -> Option<char> {
    let below = ZEROS.partition_point(|zero| *zero <= digit);
    let zero = *ZEROS.get(below.checked_sub(1)?)?;
    char::from_digit(u32::from(digit) - u32::from(zero), 10)
}

#[cfg(test)]
mod tests {
    use super::{ZEROS, plain};

    #[test]
    fn a_digit_of_any_script_is_one_of_ours_and_nothing_else_is() {
        assert!(ZEROS.is_sorted());
        let read: String = "0٠۰०９५٣۷".chars().filter_map(plain).collect();
        assert_eq!(read, "00009537");
        assert_eq!("a+-/: ;²½Ⅷ٪٫\u{66a}\u{6fa}".chars().find_map(plain), None);
    }
}

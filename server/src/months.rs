//! The months as published tables of bookings write them.

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Which month of the year a name is, from 1.
pub(crate) fn month_of(name: &str) -> Result<i8, String> {
    (1..)
        .zip(MONTHS)
        .find_map(|(number, month)| (month == name).then_some(number))
        .ok_or_else(|| format!("`{name}` is no month"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_count_from_one_and_nothing_else_is_a_month() {
        assert_eq!(month_of("January"), Ok(1));
        assert_eq!(month_of("December"), Ok(12));
        assert_eq!(month_of("Hamal"), Err("`Hamal` is no month".to_owned()));
    }
}

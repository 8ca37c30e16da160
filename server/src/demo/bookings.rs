//! Real bookings from a table (`arrival_date_year`, `…_month`, `…_day_of_month`, `stays_in_weekend_nights`, `stays_in_week_nights`,
//! `is_canceled`, `assigned_room_type`), plain or gzipped, and rooms found for them: a month of a hotel to play.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use jiff::ToSpan;
use jiff::civil::Date;
use serde::Deserialize;

pub(super) const MONTHS: [&str; 12] = [
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
/// No table of bookings is larger.
const LARGEST: u64 = 512 * 1024 * 1024;

#[derive(Debug, Deserialize)]
struct Line {
    is_canceled: u8,
    arrival_date_year: i16,
    arrival_date_month: String,
    arrival_date_day_of_month: i8,
    stays_in_weekend_nights: u16,
    stays_in_week_nights: u16,
    assigned_room_type: String,
}

/// Somebody who stayed: from when to when, in which kind of room, and in which of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StayInRoom {
    pub line: u64,
    pub arrives: Date,
    pub leaves: Date,
    /// `A-07`: the seventh room of its kind.
    pub room: String,
}

/// The stays that begin in a month, each in a room that is free when its guest comes. What cannot be read says where.
pub fn month(file: &Path, year: i16, month: i8) -> Result<Vec<StayInRoom>, String> {
    let name = file.display();
    let raw = std::fs::File::open(file).map_err(|error| format!("{name}: {error}"))?;
    let mut text = Vec::new();
    let read = if file.extension().is_some_and(|kind| kind == "gz") {
        flate2::read::GzDecoder::new(raw).take(LARGEST).read_to_end(&mut text)
    } else {
        raw.take(LARGEST).read_to_end(&mut text)
    };
    read.map_err(|error| format!("{name}: {error}"))?;
    let mut wanted = Vec::new();
    for (at, line) in csv::Reader::from_reader(&text[..]).deserialize::<Line>().enumerate() {
        let number = at as u64 + 2;
        let refused = |why: String| format!("{name}, line {number}: {why}");
        let line = line.map_err(|error| refused(error.to_string()))?;
        let in_month = MONTHS.iter().position(|name| *name == line.arrival_date_month);
        let in_month = in_month.ok_or_else(|| refused(format!("{} is no month", line.arrival_date_month)))?;
        let nights = line.stays_in_weekend_nights + line.stays_in_week_nights;
        if line.is_canceled != 0
            || nights == 0
            || (line.arrival_date_year, in_month + 1) != (year, usize::try_from(month).unwrap_or(0))
        {
            continue;
        }
        let arrives =
            Date::new(year, month, line.arrival_date_day_of_month).map_err(|error| refused(error.to_string()))?;
        let leaves = arrives.checked_add(i64::from(nights).days()).map_err(|error| refused(error.to_string()))?;
        wanted.push((number, arrives, leaves, line.assigned_room_type));
    }
    Ok(placed(wanted))
}

/// The first free room of the kind, in the order of arrival; where none is free the hotel has one more.
fn placed(mut wanted: Vec<(u64, Date, Date, String)>) -> Vec<StayInRoom> {
    wanted.sort();
    wanted.sort_by_key(|stay| (stay.1, stay.0));
    let mut free_from: BTreeMap<String, Vec<Date>> = BTreeMap::new();
    let mut stays = Vec::with_capacity(wanted.len());
    for (line, arrives, leaves, kind) in wanted {
        let rooms = free_from.entry(kind.clone()).or_default();
        let at = rooms.iter().position(|free| *free <= arrives).unwrap_or_else(|| {
            rooms.push(arrives);
            rooms.len() - 1
        });
        rooms[at] = leaves;
        stays.push(StayInRoom { line, arrives, leaves, room: format!("{kind}-{:02}", at + 1) });
    }
    stays
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(of_month: i8) -> Date {
        Date::new(2026, 4, of_month).unwrap()
    }

    #[test]
    fn a_room_is_given_to_the_next_guest_when_the_one_before_has_left() {
        let wanted = vec![
            (2, day(1), day(4), "A".to_owned()),
            (3, day(2), day(3), "A".to_owned()),
            (4, day(4), day(5), "A".to_owned()),
            (5, day(1), day(2), "B".to_owned()),
        ];
        let rooms: Vec<_> = placed(wanted).into_iter().map(|stay| (stay.line, stay.room)).collect();
        let expected = [(2, "A-01"), (5, "B-01"), (3, "A-02"), (4, "A-01")].map(|(line, room)| (line, room.to_owned()));
        assert_eq!(rooms, expected);
    }

    #[test]
    fn what_cannot_be_read_says_where() {
        let folder = std::env::temp_dir().join(format!("bookings-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("bookings.csv");
        let head = "is_canceled,arrival_date_year,arrival_date_month,arrival_date_day_of_month,stays_in_weekend_nights,stays_in_week_nights,assigned_room_type";
        for (line, why) in
            [("0,2026,Sawr,1,0,1,A", "Sawr"), ("0,2026,April,31,0,1,A", "line 2"), ("0,2026,April,x,0,1,A", "line 2")]
        {
            std::fs::write(&file, format!("{head}\n{line}\n")).unwrap();
            let refused = month(&file, 2026, 4).unwrap_err();
            assert!(refused.contains("line 2") && refused.contains(why), "{refused}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}

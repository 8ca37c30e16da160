//! Real bookings from a table (`arrival_date_year`, `…_month`, `…_day_of_month`, `stays_in_weekend_nights`, `stays_in_week_nights`,
//! `is_canceled`, `assigned_room_type`), plain or gzipped, and rooms found for them: a month of a hotel to play.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use jiff::ToSpan;
use jiff::civil::Date;
use serde::Deserialize;

use crate::months::month_of;

/// Nobody stays for longer than that.
const LONGEST_STAY: i64 = 1_000;
const LONGEST_KIND: usize = 20;
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

/// A table that was read: its bookings, and everything that is wrong with it, line by line.
#[derive(Debug)]
pub struct Bookings {
    lines: Vec<(u64, Date, Line)>,
}

impl Bookings {
    /// Reads a whole table. `Err`: every line that cannot be read, with its number.
    pub fn read(file: &Path) -> Result<Self, Vec<String>> {
        let name = file.display();
        let unreadable = |error: std::io::Error| vec![format!("{name}: {error}")];
        let raw = std::fs::File::open(file).map_err(unreadable)?;
        let mut text = Vec::new();
        let read = if file.extension().is_some_and(|kind| kind == "gz") {
            flate2::read::GzDecoder::new(raw).take(LARGEST).read_to_end(&mut text)
        } else {
            raw.take(LARGEST).read_to_end(&mut text)
        };
        if read.map_err(unreadable)? as u64 >= LARGEST {
            return Err(vec![format!("{name}: no table of bookings is larger than {LARGEST} bytes")]);
        }
        let (mut lines, mut errors) = (Vec::new(), Vec::new());
        let mut table = csv::Reader::from_reader(&text[..]);
        for (at, line) in table.deserialize::<Line>().enumerate() {
            let number = at as u64 + 2;
            match line.map_err(|error| error.to_string()).and_then(|line| Ok((line.arrives()?, line))) {
                Ok((arrives, line)) => lines.push((number, arrives, line)),
                Err(why) => errors.push(format!("{name}, line {number}: {why}")),
            }
        }
        if lines.is_empty() && errors.is_empty() {
            errors.push(format!("{name}, line 1: there are no bookings in it"));
        }
        if errors.is_empty() { Ok(Self { lines }) } else { Err(errors) }
    }

    /// The month of the first arrival.
    pub fn first_month(&self) -> Option<(i16, i8)> {
        self.lines.iter().map(|(_, arrives, _)| *arrives).min().map(|first| (first.year(), first.month()))
    }

    /// The stays that begin in a month, each in a room that is free when its guest comes.
    pub fn stays_in(&self, year: i16, month: i8) -> Vec<StayInRoom> {
        let held = self.lines.iter().filter(|(_, arrives, line)| {
            line.is_canceled == 0 && line.nights() > 0 && (arrives.year(), arrives.month()) == (year, month)
        });
        let wanted = held.filter_map(|(number, arrives, line)| {
            let leaves = arrives.checked_add(line.nights().days()).ok()?;
            Some((*number, *arrives, leaves, line.assigned_room_type.clone()))
        });
        placed(wanted.collect())
    }
}

impl Line {
    /// The day they come, if the line makes sense.
    fn arrives(&self) -> Result<Date, String> {
        let month = month_of(&self.arrival_date_month)?;
        if self.nights() > LONGEST_STAY {
            return Err(format!("{} nights are more than {LONGEST_STAY}", self.nights()));
        }
        let kind = &self.assigned_room_type;
        if kind.is_empty() || kind.len() > LONGEST_KIND || !kind.bytes().all(|letter| letter.is_ascii_alphanumeric()) {
            return Err(format!("a kind of room has 1 to {LONGEST_KIND} letters and digits"));
        }
        Date::new(self.arrival_date_year, month, self.arrival_date_day_of_month).map_err(|error| error.to_string())
    }

    fn nights(&self) -> i64 {
        i64::from(self.stays_in_weekend_nights) + i64::from(self.stays_in_week_nights)
    }
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
            let refused = Bookings::read(&file).unwrap_err();
            assert!(refused.len() == 1 && refused[0].contains("line 2") && refused[0].contains(why), "{refused:?}");
        }
        let many = "0,2026,April,1,0,65535,A\n0,2026,April,1,0,1,\"A B\"\n0,2026,April,1,0,2,A\n0,2026,April,1\n";
        std::fs::write(&file, format!("{head}\n{many}")).unwrap();
        let refused = Bookings::read(&file).unwrap_err();
        let named: Vec<bool> =
            [2, 3, 5].iter().zip(&refused).map(|(n, why)| why.contains(&format!("line {n}"))).collect();
        assert_eq!((refused.len(), named), (3, vec![true; 3]), "{refused:?}");
        std::fs::write(&file, head).unwrap();
        assert!(Bookings::read(&file).unwrap_err()[0].contains("no bookings"));
        std::fs::write(&file, "a,b\n1,2\n").unwrap();
        assert!(Bookings::read(&file).unwrap_err()[0].contains("is_canceled"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}

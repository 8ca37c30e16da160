//! A real book replayed day by day against the rule that finds rooms: guests book ahead, change their minds, come and leave, in a house
//! that has just as many rooms of each kind as its fullest night needed.

use std::collections::{BTreeMap, HashSet};
use std::io::Read;
use std::path::Path;

use contracts::ids::RoomId;
use jiff::ToSpan;
use jiff::civil::Date;
use reservation::domain::placing::{Door, NoPlace, Stock};
use reservation::domain::stay::Stay;
use serde::Deserialize;

use crate::months::month_of;

#[derive(Debug, Deserialize)]
struct Line {
    is_canceled: u8,
    lead_time: u32,
    arrival_date_year: i16,
    arrival_date_month: String,
    arrival_date_day_of_month: i8,
    stays_in_weekend_nights: u16,
    stays_in_week_nights: u16,
    assigned_room_type: String,
    reservation_status_date: Date,
}

/// What happens on a day, in this order: rooms become free before they are asked for, and whoever comes has booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Leaves,
    Cancels,
    Books,
    Comes,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    pub bookings: usize,
    pub rooms: usize,
    /// On every night there was one room fewer taken than there are.
    pub fit_by_count: usize,
    /// They got a room for all of their nights.
    pub placed: usize,
    /// More wanted a room than there were.
    pub full: usize,
    /// They slept here.
    pub stayed: usize,
    pub nights: usize,
}

impl Replayed {
    /// Of those who fit by the count, so many in a thousand got a room.
    pub fn placed_per_mille(&self) -> usize {
        (self.placed * 1_000).checked_div(self.fit_by_count).unwrap_or(1_000)
    }
}

struct Booking {
    kind: String,
    stay: Stay,
    booked: Date,
    cancelled: Option<Date>,
}

/// Replays the first so many lines of a book. Fails where the book cannot be read, and where a night is given twice.
pub fn replay(file: &Path, lines: usize) -> Result<Replayed, String> {
    let book = read(file, lines)?;
    let mut replayed = Replayed { bookings: book.len(), ..Replayed::default() };
    let mut stocks = rooms_for(&book)?;
    replayed.rooms = stocks.values().map(|stock| stock.doors.len()).sum();
    let mut days: Vec<(Date, Step, usize)> = Vec::with_capacity(book.len() * 3);
    for (at, booking) in book.iter().enumerate() {
        days.push((booking.booked, Step::Books, at));
        if let Some(day) = booking.cancelled {
            days.push((day.max(booking.booked), Step::Cancels, at));
        } else {
            days.push((booking.stay.start(), Step::Comes, at));
            days.push((booking.stay.end(), Step::Leaves, at));
        }
    }
    // Who books and cancels on one day books first.
    days.sort_by_key(|(day, step, at)| {
        let late = *step == Step::Cancels && book[*at].booked == *day;
        (*day, if late { Step::Comes } else { *step }, *at)
    });
    let mut slept: HashSet<(String, RoomId, Date)> = HashSet::new();
    for (_, step, at) in days {
        let booking = &book[at];
        let Some(stock) = stocks.get_mut(&booking.kind) else { continue };
        let name = at.to_string();
        match step {
            Step::Books => match stock.place(&name, booking.stay, None) {
                Ok(_) => {
                    replayed.fit_by_count += 1;
                    replayed.placed += 1;
                }
                Err(NoPlace::Full { fragmented: true, .. }) => replayed.fit_by_count += 1,
                Err(_) => replayed.full += 1,
            },
            // Whoever has come stays where they are.
            Step::Comes => {
                let Some(taken) = stock.taken.iter_mut().find(|taken| taken.allocation == name) else { continue };
                taken.movable = false;
                let Some(room) = taken.room.clone() else { continue };
                replayed.stayed += 1;
                for night in booking.stay.dates() {
                    replayed.nights += 1;
                    if !slept.insert((booking.kind.clone(), room.clone(), night)) {
                        return Err(format!("room {room} of kind {} is given twice on {night}", booking.kind));
                    }
                }
            }
            Step::Cancels | Step::Leaves => stock.taken.retain(|taken| taken.allocation != name),
        }
    }
    Ok(replayed)
}

/// As many rooms of each kind as the fullest night needs, by those who really slept there.
fn rooms_for(book: &[Booking]) -> Result<BTreeMap<String, Stock>, String> {
    let mut taken: BTreeMap<(&str, Date), usize> = BTreeMap::new();
    for booking in book.iter().filter(|booking| booking.cancelled.is_none()) {
        booking.stay.dates().for_each(|night| *taken.entry((&booking.kind, night)).or_default() += 1);
    }
    let mut stocks: BTreeMap<String, Stock> = BTreeMap::new();
    for ((kind, _), count) in taken {
        let stock = stocks.entry(kind.to_owned()).or_insert_with(|| Stock { whole: true, ..Stock::default() });
        while stock.doors.len() < count {
            let number = format!("{kind}{:03}", stock.doors.len() + 1);
            let id = RoomId::parse(&format!("rom_{number}")).map_err(|error| error.to_string())?;
            stock.doors.push(Door { number, id });
        }
    }
    Ok(stocks)
}

fn read(file: &Path, lines: usize) -> Result<Vec<Booking>, String> {
    let name = file.display();
    let raw = std::fs::File::open(file).map_err(|error| format!("{name}: {error}"))?;
    let text: Box<dyn Read> = if file.extension().is_some_and(|kind| kind == "gz") {
        Box::new(flate2::read::GzDecoder::new(raw))
    } else {
        Box::new(raw)
    };
    let mut book = Vec::new();
    for (at, line) in csv::Reader::from_reader(text).deserialize::<Line>().take(lines).enumerate() {
        let refused = |why: String| format!("{name}, line {}: {why}", at + 2);
        let line = line.map_err(|error| refused(error.to_string()))?;
        let month = month_of(&line.arrival_date_month).map_err(refused)?;
        let arrives = Date::new(line.arrival_date_year, month, line.arrival_date_day_of_month)
            .map_err(|error| refused(error.to_string()))?;
        let nights = line.stays_in_weekend_nights + line.stays_in_week_nights;
        let leaves = arrives.checked_add(i64::from(nights).days()).map_err(|error| refused(error.to_string()))?;
        let booked =
            arrives.checked_sub(i64::from(line.lead_time).days()).map_err(|error| refused(error.to_string()))?;
        // Who stays no night needs no room.
        let Some(stay) = Stay::new(arrives, leaves) else { continue };
        let cancelled = (line.is_canceled == 1).then_some(line.reservation_status_date.min(arrives));
        book.push(Booking { kind: line.assigned_room_type, stay, booked, cancelled });
    }
    Ok(book)
}

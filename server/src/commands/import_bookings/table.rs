//! The tables that bookings are read from, line by line: what a line says, and what is wrong with it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;

use contracts::ids::{PropertyId, RoomTypeId};
use contracts::reservation::{Channel, Occupants};
use contracts::values::Currency;
use jiff::ToSpan;
use jiff::civil::Date;
use reservation::application::booking::{GuestWords, Takes, ToImport, Wanted, Wish};
use reservation::domain::money::Money;
use reservation::domain::stay::Stay;

use super::Reading;
use crate::Failure;
use crate::commands::import::delimiter;
use crate::months::month_of;

const MOST_ERRORS_SHOWN: usize = 50;
/// No book of a hotel company is larger.
const LARGEST_FILE: u64 = 1024 * 1024 * 1024;
pub const NEEDED: [&str; 6] = ["reference", "property_id", "room_type_id", "arrival", "departure", "guest_name"];
pub const ALSO: [&str; 9] =
    ["adults", "children", "infants", "email", "phone", "nightly_rate", "currency", "channel", "group_code"];

/// The doors that a booking can have come through.
pub const CHANNELS: [Channel; 5] =
    [Channel::Direct, Channel::Meta, Channel::WalkIn, Channel::PhoneByStaff, Channel::Ota];

/// Whether a line of names is one of a table of bookings.
pub fn is_of_bookings(header: &str) -> bool {
    let names: HashSet<&str> = header.trim_start_matches('\u{feff}').trim().split(',').map(str::trim).collect();
    names.contains("arrival") && names.contains("departure") || names.contains("arrival_date_year")
}

pub(super) fn open(file: &Path) -> Result<csv::Reader<Box<dyn Read>>, Failure> {
    let at = |error: std::io::Error| Failure::Failed(format!("{}: {error}", file.display()));
    let raw = BufReader::new(std::fs::File::open(file).map_err(at)?);
    let text: Box<dyn Read> = if file.extension().is_some_and(|kind| kind == "gz") {
        Box::new(flate2::read::GzDecoder::new(raw).take(LARGEST_FILE))
    } else {
        Box::new(raw.take(LARGEST_FILE))
    };
    let mut text = BufReader::new(text);
    let delimiter = delimiter(text.fill_buf().map_err(at)?);
    let text: Box<dyn Read> = Box::new(OneLineEnd(text));
    Ok(csv::ReaderBuilder::new().delimiter(delimiter).trim(csv::Trim::All).from_reader(text))
}

/// Text whose lines end in one way. After an end as spreadsheets write it, the reader of tables takes a record to begin before the second half of
/// it, and would name the line above.
struct OneLineEnd<R>(R);

impl<R: Read> Read for OneLineEnd<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        loop {
            let count = self.0.read(into)?;
            let mut kept = 0;
            for at in 0..count {
                if into[at] != b'\r' {
                    into[kept] = into[at];
                    kept += 1;
                }
            }
            // Nothing read is the end; nothing kept is not.
            if kept > 0 || count == 0 {
                return Ok(kept);
            }
        }
    }
}

/// The first line, for those who ask what kind of table it is.
pub fn header(file: &Path) -> Result<String, Failure> {
    let mut table = open(file)?;
    let names = table.headers().map_err(|error| Failure::Failed(format!("{}: {error}", file.display())))?;
    Ok(names.iter().collect::<Vec<_>>().join(","))
}

/// A table of bookings, line by line.
pub(super) struct Table {
    pub(super) name: String,
    stem: String,
    header: csv::StringRecord,
    pub(super) published: bool,
    property: Option<PropertyId>,
    /// By so many days all bookings are moved.
    pub(super) shift: i32,
    /// Kinds of rooms that another house has under the name that a published table gives them.
    pub(super) kinds_elsewhere: Vec<RoomTypeId>,
}

/// What a line says.
pub(super) enum Line {
    Booking(Box<ToImport>),
    LeftOut,
}

impl Table {
    pub(super) fn of(file: &Path, reading: &Reading, header: csv::StringRecord) -> Result<Self, Failure> {
        let published = header.iter().any(|name| name == "arrival_date_year");
        let name = file.display().to_string();
        if published && reading.property.is_none() {
            return Err(Failure::Usage(format!("{name}: say whose bookings they are: --property prp_..")));
        }
        if !published {
            let mut wrong = Vec::new();
            for column in NEEDED.iter().filter(|column| !header.iter().any(|name| name == **column)) {
                wrong.push(format!("{name}: line 1: there is no column `{column}`; needed are {}", NEEDED.join(",")));
            }
            for strange in header.iter().filter(|name| !NEEDED.contains(name) && !ALSO.contains(name)) {
                wrong.push(format!("{name}: line 1: `{strange}` is none of {},{}", NEEDED.join(","), ALSO.join(",")));
            }
            if !wrong.is_empty() {
                return Err(Failure::Failed(wrong.join("\n")));
            }
        }
        let stem = file.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        Ok(Self {
            name,
            stem,
            header,
            published,
            property: reading.property.clone(),
            shift: 0,
            kinds_elsewhere: Vec::new(),
        })
    }

    pub(super) fn read(&self, record: &csv::StringRecord) -> Result<Line, String> {
        let field = |name: &str| {
            self.header.iter().position(|one| one == name).and_then(|at| record.get(at)).unwrap_or_default()
        };
        let line = record.position().map_or(0, csv::Position::line);
        if self.published { self.published_line(line, &field) } else { self.simple_line(&field) }
    }

    fn simple_line<'a>(&self, field: &dyn Fn(&str) -> &'a str) -> Result<Line, String> {
        let text = |name: &'static str| {
            let value = field(name);
            match value.chars().count() {
                0 => Ok(None),
                count if count > 200 => Err(format!("{name}: longer than 200 characters")),
                _ if value.chars().any(char::is_control) => Err(format!("{name}: has a control character in it")),
                _ => Ok(Some(value.to_owned())),
            }
        };
        let needed = |name: &'static str| text(name)?.ok_or_else(|| format!("{name}: is empty"));
        let count = |name: &'static str, usual: u32| match field(name) {
            "" => Ok(usual),
            number => number.parse().map_err(|_| format!("{name}: `{number}` is no number")),
        };
        let day = |name: &'static str| {
            field(name).parse::<Date>().map_err(|_| format!("{name}: `{}` is no day such as 2026-05-01", field(name)))
        };
        let room_type =
            RoomTypeId::parse(&needed("room_type_id")?).map_err(|error| format!("room_type_id: {error}"))?;
        let property = PropertyId::parse(&needed("property_id")?).map_err(|error| format!("property_id: {error}"))?;
        let occupants =
            Occupants { adults: count("adults", 1)?, children: count("children", 0)?, infants: count("infants", 0)? };
        if occupants.adults == 0 {
            return Err("adults: at least one".to_owned());
        }
        let currency = match text("currency")? {
            None => None,
            Some(code) => Some(Currency::parse(&code).map_err(|error| format!("currency: {error}"))?),
        };
        let channel = match field("channel") {
            "" => Channel::PhoneByStaff,
            word => CHANNELS
                .into_iter()
                .find(|channel| channel.to_string() == word)
                .ok_or_else(|| format!("channel: `{word}` is none of direct, meta, walk_in, phone_by_staff, ota"))?,
        };
        let stay = self.stay(day("arrival")?, day("departure")?)?;
        let rate = match field("nightly_rate") {
            "" => None,
            amount => {
                Some(money(amount).ok_or_else(|| format!("nightly_rate: `{amount}` is no amount such as 99.50"))?)
            }
        };
        let wanted = Wanted { room_type, occupants, rate, room: None };
        Ok(Line::Booking(Box::new(ToImport {
            reference: needed("reference")?,
            wish: Wish { property, stay, items: vec![wanted], currency, fx: None },
            guest: GuestWords {
                id: None,
                name: Some(needed("guest_name")?),
                email: text("email")?,
                phone: text("phone")?,
                locale: None,
            },
            channel,
            group_code: text("group_code")?,
        })))
    }

    fn published_line<'a>(&self, line: u64, field: &dyn Fn(&str) -> &'a str) -> Result<Line, String> {
        let number = |name: &str| {
            // Some of these tables write whole numbers with a point.
            let value = field(name).trim_end_matches(".0");
            if value.is_empty() || value == "NULL" || value == "NA" {
                return Ok(0);
            }
            value.parse::<u32>().map_err(|_| format!("{name}: `{value}` is no number"))
        };
        let month = month_of(field("arrival_date_month")).map_err(|why| format!("arrival_date_month: {why}"))?;
        let small = |value: u32| i8::try_from(value).unwrap_or(-1);
        let year = i16::try_from(number("arrival_date_year")?).unwrap_or(-1);
        let arrives = Date::new(year, month, small(number("arrival_date_day_of_month")?))
            .map_err(|error| format!("arrival_date_day_of_month: {error}"))?;
        let nights = number("stays_in_weekend_nights")?.saturating_add(number("stays_in_week_nights")?);
        if field("is_canceled") == "1" || nights == 0 {
            return Ok(Line::LeftOut);
        }
        let leaves = arrives.checked_add(i64::from(nights).days()).map_err(|error| error.to_string())?;
        let property = self.property.clone().ok_or("no property")?;
        let room_type = self.kind(field("assigned_room_type"), &property)?;
        let occupants =
            Occupants { adults: number("adults")?.max(1), children: number("children")?, infants: number("babies")? };
        let rate = money(field("adr")).unwrap_or(Money::ZERO);
        let wanted = Wanted { room_type, occupants, rate: Some(rate), room: None };
        let channel = match field("distribution_channel") {
            "Direct" => Channel::Direct,
            "TA/TO" | "GDS" => Channel::Ota,
            _ => Channel::PhoneByStaff,
        };
        let stay = self.stay(arrives, leaves)?;
        Ok(Line::Booking(Box::new(ToImport {
            reference: format!("{}:{line}", self.stem),
            wish: Wish { property, stay, items: vec![wanted], currency: None, fx: None },
            guest: GuestWords { name: Some(format!("Guest {line}")), ..GuestWords::default() },
            channel,
            group_code: None,
        })))
    }

    /// The kind that a published table names by a letter: where another house has one of this name, by the letter and the house.
    fn kind(&self, letter: &str, property: &PropertyId) -> Result<RoomTypeId, String> {
        let named = |name: String| RoomTypeId::parse(&name).map_err(|error| format!("assigned_room_type: {error}"));
        let plain = named(format!("rmt_{letter}"))?;
        if !self.kinds_elsewhere.contains(&plain) {
            return Ok(plain);
        }
        named(format!("rmt_{letter}_{}", &property.as_str()[4..]))
    }

    fn stay(&self, arrives: Date, leaves: Date) -> Result<Stay, String> {
        let moved = |day: Date| day.checked_add(jiff::Span::new().days(self.shift)).map_err(|error| error.to_string());
        Stay::new(moved(arrives)?, moved(leaves)?).ok_or_else(|| "departure: 1 to 365 nights after arrival".to_owned())
    }
}

/// An amount with a point, in micros; below zero it is none.
fn money(text: &str) -> Option<Money> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    if rest.len() > 6 || !whole.bytes().chain(rest.bytes()).all(|byte| byte.is_ascii_digit()) || whole.is_empty() {
        return None;
    }
    let micros: i128 = format!("{whole}{rest:0<6}").parse().ok()?;
    Money::of(micros).and_then(Money::as_said).ok()
}

/// What a first look at the whole table finds.
#[derive(Default)]
pub(super) struct Looked {
    pub(super) bookings: usize,
    pub(super) left_out: usize,
    pub(super) first: Option<Date>,
    pub(super) houses: BTreeSet<PropertyId>,
    /// So many are taken, by kind and night.
    pub(super) nights: BTreeMap<(PropertyId, RoomTypeId, Date), usize>,
    pub(super) errors: Vec<String>,
    pub(super) error_count: usize,
}

impl Looked {
    fn fault(&mut self, table: &Table, line: u64, why: &str) {
        self.error_count += 1;
        if self.errors.len() < MOST_ERRORS_SHOWN {
            self.errors.push(format!("{}: line {line}: {why}", table.name));
        }
    }
}

/// Whether there is such a room in the house, for so many guests: line by line, once it is known what the houses have.
pub(super) fn look_at_kinds(
    file: &Path,
    table: &Table,
    houses: &BTreeMap<PropertyId, Takes>,
    looked: &mut Looked,
) -> Result<(), Failure> {
    let mut records = open(file)?;
    let mut record = csv::StringRecord::new();
    while records.read_record(&mut record).map_err(|error| Failure::Failed(error.to_string()))? {
        let Ok(Line::Booking(booking)) = table.read(&record) else { continue };
        if let Some(why) = houses.get(&booking.wish.property).and_then(|takes| takes.refuses(&booking)) {
            looked.fault(table, record.position().map_or(0, csv::Position::line), &why.to_string());
        }
    }
    Ok(())
}

pub(super) fn look_over(file: &Path, table: &Table, make_rooms: bool) -> Result<Looked, Failure> {
    let mut looked = Looked::default();
    // Of references their fingerprints alone: a book of millions fits.
    let mut seen: HashSet<u64> = HashSet::new();
    let mut records = open(file)?;
    let mut record = csv::StringRecord::new();
    loop {
        let line = records.position().line();
        match records.read_record(&mut record) {
            Ok(false) => break,
            Err(error) => {
                looked.fault(table, error.position().map_or(line, csv::Position::line), &error.to_string());
                continue;
            }
            Ok(true) => {}
        }
        let line = record.position().map_or(line, csv::Position::line);
        match table.read(&record) {
            Err(why) => looked.fault(table, line, &why),
            Ok(Line::LeftOut) => looked.left_out += 1,
            Ok(Line::Booking(booking)) => {
                let mut hasher = DefaultHasher::new();
                booking.reference.hash(&mut hasher);
                if !seen.insert(hasher.finish()) {
                    looked.fault(table, line, &format!("reference: {} is there twice", booking.reference));
                    continue;
                }
                looked.bookings += 1;
                looked.houses.insert(booking.wish.property.clone());
                let stay = booking.wish.stay;
                looked.first = Some(looked.first.map_or(stay.start(), |first| first.min(stay.start())));
                for item in booking.wish.items.iter().filter(|_| make_rooms) {
                    for night in stay.dates() {
                        let key = (booking.wish.property.clone(), item.room_type.clone(), night);
                        *looked.nights.entry(key).or_default() += 1;
                    }
                }
            }
        }
    }
    Ok(looked)
}

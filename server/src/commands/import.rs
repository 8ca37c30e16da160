//! `melmastoon import rooms.csv`: the rooms of a hotel, from a table; `import bookings.csv` is beside it. The whole file is looked over before anything is written, and
//! the same file again changes nothing.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::IsTerminal as _;
use std::path::PathBuf;

use clap::Args;
use contracts::external::RoomCreatedV1;
use contracts::ids::{PropertyId, RoomId, TenantId};
use housekeeping::application::maintenance::introduce;
use housekeeping::infrastructure::rooms::{self, DescribedRoom, RoomDescription};
use housekeeping::{HousekeepingError, SCHEMA};
use platform::Db;
use serde::Serialize;

use super::import_bookings;
use crate::app::{App, Parts};
use crate::config::Config;
use crate::saying::say;
use crate::{Failure, instance};

pub(super) const COLUMNS: [&str; 6] = ["property_id", "room_id", "number", "floor", "section", "room_type"];
/// No hotel company's rooms are a larger file.
const LARGEST_FILE: u64 = 64 * 1024 * 1024;
const LONGEST_TEXT: usize = 100;
/// So many rooms are written in one transaction.
const BATCH: usize = 500;
const MOST_ERRORS_SHOWN: usize = 50;

#[derive(Args, Debug)]
pub struct ImportArgs {
    /// The table of rooms, or of bookings, with a line that names its columns
    #[arg(value_name = "rooms.csv|bookings.csv")]
    pub file: PathBuf,
    /// The hotel company whose they are
    #[arg(long, value_name = "TENANT")]
    pub tenant: String,
    /// Bookings: the house, where the table does not say
    #[arg(long, value_name = "PROPERTY")]
    pub property: Option<String>,
    /// Bookings: move the first arrival to this day, and all others with it
    #[arg(long, value_name = "DATE")]
    pub begin: Option<String>,
    /// Bookings: make as many rooms of each kind as the fullest night needs
    #[arg(long)]
    pub make_rooms: bool,
    /// Look the file over and say what would change; change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// For scripts
    #[arg(long)]
    pub json: bool,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    pub rooms: usize,
    pub new: usize,
    pub changed: usize,
    pub unchanged: usize,
}

pub async fn import(config: &Config, args: &ImportArgs) -> Result<(), Failure> {
    let tenant = TenantId::parse(&args.tenant).map_err(|error| Failure::Usage(format!("--tenant: {error}")))?;
    let name = args.file.display();
    if args.file.is_file() && import_bookings::is_of_bookings(&import_bookings::header(&args.file)?) {
        let address = instance::running(config).await?;
        let app = App::build(Parts::configured(config, address)?)?;
        return import_bookings::import(&app.db, &tenant, args).await;
    }
    let at = |error: std::io::Error| Failure::Failed(format!("{name}: {error}"));
    if std::fs::metadata(&args.file).map_err(at)?.len() > LARGEST_FILE {
        return Err(Failure::Failed(format!("{name}: larger than {} MiB", LARGEST_FILE / 1024 / 1024)));
    }
    let refused = |errors: Vec<String>| {
        for error in errors.iter().take(MOST_ERRORS_SHOWN) {
            eprintln!("{name}: {error}");
        }
        let count = errors.len();
        Failure::Failed(format!("{name}: {count} errors, nothing was imported"))
    };
    let found = read(&std::fs::read(&args.file).map_err(at)?).map_err(refused)?;
    let address = instance::running(config).await?;
    let app = App::build(Parts::configured(config, address)?)?;
    let taken = taken_doors(&app.db, &tenant, &found).await?;
    if !taken.is_empty() {
        return Err(refused(taken));
    }
    let terminal = std::io::stderr().is_terminal();
    let progress = |done: usize, all: usize| {
        if terminal {
            eprint!("\r{done} of {all} rooms{}", if done == all { "\n" } else { "" });
        } else if !args.json {
            eprintln!("{done} of {all} rooms");
        }
    };
    let imported = bring_in(&app.db, &tenant, &found, args.dry_run, &progress).await?;
    if args.json {
        say!("{}", serde_json::json!({ "dryRun": args.dry_run, "imported": imported }));
    } else {
        let Imported { rooms, new, changed, unchanged } = imported;
        let would = if args.dry_run { "would be " } else { "" };
        say!("{rooms} rooms: {new} {would}new, {changed} {would}changed, {unchanged} as they were");
    }
    Ok(())
}

/// A room of a table, and where it stands there.
#[derive(Clone, Debug)]
pub struct Listed {
    pub line: u64,
    pub room: RoomDescription,
}

/// What stands between the columns. Where the comma divides a number from its fraction, spreadsheets write a semicolon; some write tabs.
pub(super) fn delimiter(file: &[u8]) -> u8 {
    let first = file.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if first.contains(&b',') {
        return b',';
    }
    *first.iter().find(|byte| matches!(**byte, b';' | b'\t')).unwrap_or(&b',')
}

/// The rooms of a table, or everything that is wrong with it, line by line.
pub fn read(file: &[u8]) -> Result<Vec<Listed>, Vec<String>> {
    // Spreadsheets begin a file with a mark of their own.
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let mut table = csv::ReaderBuilder::new().delimiter(delimiter(file)).trim(csv::Trim::All).from_reader(file);
    let header = match table.headers() {
        Ok(header) => header.clone(),
        Err(error) => return Err(vec![unreadable(&error, 1)]),
    };
    let mut lines = Lines { file, at: 0, line: 1 };
    let mut errors: Vec<String> = Vec::new();
    for column in COLUMNS {
        match header.iter().filter(|one| *one == column).count() {
            0 => errors.push(format!("line 1: there is no column `{column}`; needed are {}", COLUMNS.join(","))),
            1 => {}
            _ => errors.push(format!("line 1: the column `{column}` is there twice")),
        }
    }
    for strange in header.iter().filter(|one| !COLUMNS.contains(one)) {
        errors.push(format!("line 1: `{strange}` is not one of {}", COLUMNS.join(",")));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let (mut found, mut seen) = (Vec::new(), Seen::default());
    for record in table.records() {
        match record {
            Err(error) => errors.push(unreadable(&error, lines.of(error.position()))),
            Ok(record) => {
                let line = lines.of(record.position());
                let field = |name: &str| {
                    header.iter().position(|one| one == name).and_then(|at| record.get(at)).unwrap_or_default()
                };
                match room_of(field).and_then(|room| seen.once(line, room)) {
                    Ok(room) => found.push(Listed { line, room }),
                    Err(why) => errors.push(format!("line {line}: {why}")),
                }
            }
        }
    }
    if found.is_empty() && errors.is_empty() {
        errors.push("there are no rooms in it".to_owned());
    }
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}

fn room_of<'a>(field: impl Fn(&str) -> &'a str) -> Result<RoomDescription, String> {
    let text = |name: &str, required: bool| {
        let value = field(name);
        match value.chars().count() {
            0 if required => Err(format!("{name}: is empty")),
            count if count > LONGEST_TEXT => Err(format!("{name}: longer than {LONGEST_TEXT} characters")),
            _ if value.chars().any(char::is_control) => Err(format!("{name}: has a control character in it")),
            _ => Ok(value.to_owned()),
        }
    };
    let floor = field("floor");
    Ok(RoomDescription {
        property_id: PropertyId::parse(field("property_id")).map_err(|error| format!("property_id: {error}"))?,
        room_id: RoomId::parse(field("room_id")).map_err(|error| format!("room_id: {error}"))?,
        number: text("number", true)?,
        floor: match floor.parse::<i32>() {
            Ok(floor) if (-20..=300).contains(&floor) => floor,
            _ => return Err(format!("floor: `{floor}` is not a whole number from -20 to 300")),
        },
        section: text("section", false)?,
        room_type: text("room_type", false)?,
    })
}

/// What was in the file before, by line.
#[derive(Default)]
struct Seen {
    ids: HashMap<(PropertyId, RoomId), u64>,
    doors: HashMap<(PropertyId, String), u64>,
}

impl Seen {
    fn once(&mut self, line: u64, room: RoomDescription) -> Result<RoomDescription, String> {
        let id = (room.property_id.clone(), room.room_id.clone());
        if let Some(earlier) = self.ids.insert(id, line) {
            return Err(format!("room_id: {} is in line {earlier} already", room.room_id));
        }
        let door = (room.property_id.clone(), room.number.clone());
        if let Some(earlier) = self.doors.insert(door, line) {
            return Err(format!("number: the property has a room {} in line {earlier} already", room.number));
        }
        Ok(room)
    }
}

/// Where records stand in a file. The reader takes a record to begin where the one before it ended: before the second half of a line end as spreadsheets
/// write it, and before empty lines. Its own count would name the line above.
struct Lines<'a> {
    file: &'a [u8],
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// Records come in their order.
    fn of(&mut self, position: Option<&csv::Position>) -> u64 {
        let begin = position.and_then(|position| usize::try_from(position.byte()).ok()).unwrap_or(self.at);
        while let Some(byte) = self.file.get(self.at) {
            if self.at >= begin && !matches!(byte, b'\r' | b'\n') {
                break;
            }
            self.line += u64::from(*byte == b'\n');
            self.at += 1;
        }
        self.line
    }
}

fn unreadable(error: &csv::Error, line: u64) -> String {
    let why = match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "is not UTF-8 text".to_owned(),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("has {len} fields where the first line has {expected_len}")
        }
        _ => error.to_string(),
    };
    format!("line {line}: {why}")
}

/// Lines whose number is that of another room of the house, which the table does not name. Two doors with one number send people to the wrong
/// one; numbers that two rooms of the table exchange are no mistake.
pub async fn taken_doors(db: &Db, tenant: &TenantId, found: &[Listed]) -> Result<Vec<String>, Failure> {
    let mut houses: BTreeMap<&PropertyId, Vec<&Listed>> = BTreeMap::new();
    for listed in found {
        houses.entry(&listed.room.property_id).or_default().push(listed);
    }
    let mut taken = Vec::new();
    for (property, wanted) in houses {
        let named: HashSet<&RoomId> = wanted.iter().map(|listed| &listed.room.room_id).collect();
        let known = rooms_of(db, tenant, property).await?;
        let others = known.iter().filter(|room| !named.contains(&room.room.room_id));
        let doors: HashMap<&str, &RoomId> =
            others.filter_map(|room| Some((room.number.as_deref()?, &room.room.room_id))).collect();
        for Listed { line, room } in wanted {
            if let Some(other) = doors.get(room.number.as_str()) {
                let number = &room.number;
                taken.push((*line, format!("line {line}: number: the property has a room {number} already: {other}")));
            }
        }
    }
    taken.sort();
    Ok(taken.into_iter().map(|(_, error)| error).collect())
}

/// Writes what is new or different, property by property, so many rooms at a time. One that stops half-way is begun again.
pub async fn bring_in(
    db: &Db,
    tenant: &TenantId,
    found: &[Listed],
    dry_run: bool,
    progress: &impl Fn(usize, usize),
) -> Result<Imported, Failure> {
    let mut houses: BTreeMap<&PropertyId, Vec<&RoomDescription>> = BTreeMap::new();
    for Listed { room, .. } in found {
        houses.entry(&room.property_id).or_default().push(room);
    }
    let (mut imported, mut looked_at) = (Imported { rooms: found.len(), ..Imported::default() }, 0);
    for (property, mut wanted) in houses {
        // Everybody takes rooms in the order of their ids.
        wanted.sort_by(|one, other| one.room_id.cmp(&other.room_id));
        let known = known_rooms(db, tenant, property).await?;
        let gone = gone_rooms(db, tenant, property, &wanted).await?;
        for batch in wanted.chunks(BATCH) {
            let mut due = Vec::new();
            for room in batch {
                match known.get(&room.room_id) {
                    // Whoever lists a room says that there is one.
                    None if gone.contains(&room.room_id) => imported.changed += 1,
                    None => imported.new += 1,
                    Some(present) if is_as_described(present, room) => {
                        imported.unchanged += 1;
                        continue;
                    }
                    Some(_) => imported.changed += 1,
                }
                due.push(*room);
            }
            if !dry_run && !due.is_empty() {
                write(db, tenant, property, &due, &gone).await.map_err(|error| failed(&error))?;
            }
            looked_at += batch.len();
            progress(looked_at, found.len());
        }
    }
    Ok(imported)
}

async fn write(
    db: &Db,
    tenant: &TenantId,
    property: &PropertyId,
    due: &[&RoomDescription],
    gone: &HashSet<RoomId>,
) -> Result<(), HousekeepingError> {
    let mut uow = db.begin_for(&SCHEMA, tenant).await?;
    let ids: Vec<RoomId> = due.iter().map(|room| room.room_id.clone()).collect();
    rooms::open(&mut uow, property, &ids).await?;
    let now = uow.now();
    for room in due {
        if gone.contains(&room.room_id) {
            let (tenant_id, property_id, room_id) = (tenant.clone(), property.clone(), room.room_id.clone());
            let (number, floor, section, room_type_id) = (None, None, None, None);
            let back = RoomCreatedV1 { tenant_id, property_id, room_id, number, floor, section, room_type_id };
            introduce(&mut uow, &back, now).await?;
        }
        rooms::describe(&mut uow, room);
        uow.touch_board(property);
    }
    Ok(uow.commit().await?)
}

async fn known_rooms(
    db: &Db,
    tenant: &TenantId,
    property: &PropertyId,
) -> Result<HashMap<RoomId, DescribedRoom>, Failure> {
    let known = rooms_of(db, tenant, property).await?;
    Ok(known.into_iter().map(|room| (room.room.room_id.clone(), room)).collect())
}

/// Those of the table that the house had once and has no more.
async fn gone_rooms(
    db: &Db,
    tenant: &TenantId,
    property: &PropertyId,
    wanted: &[&RoomDescription],
) -> Result<HashSet<RoomId>, Failure> {
    let ids: Vec<RoomId> = wanted.iter().map(|room| room.room_id.clone()).collect();
    let look = async |uow: &mut _| rooms::gone(uow, property, &ids).await;
    let gone = db.read(&SCHEMA, tenant, look).await.map_err(|error| failed(&error))?;
    Ok(gone.into_iter().collect())
}

/// Every room of a house, by its id; those that it has no more are not among them.
pub(super) async fn rooms_of(db: &Db, tenant: &TenantId, property: &PropertyId) -> Result<Vec<DescribedRoom>, Failure> {
    let mut found: Vec<DescribedRoom> = Vec::new();
    loop {
        let after = found.last().map(|last| last.room.room_id.to_string());
        let look = async |uow: &mut _| rooms::list(uow, property, after.as_deref(), 1_000).await;
        let page = db.read(&SCHEMA, tenant, look).await.map_err(|error| failed(&error))?;
        let more = page.len() == 1_000;
        found.extend(page);
        if !more {
            return Ok(found);
        }
    }
}

fn is_as_described(present: &DescribedRoom, wanted: &RoomDescription) -> bool {
    present.number.as_ref() == Some(&wanted.number)
        && present.floor == Some(wanted.floor)
        && present.section.as_deref().unwrap_or_default() == wanted.section
        && present.room_type.as_deref().unwrap_or_default() == wanted.room_type
}

fn failed(error: &HousekeepingError) -> Failure {
    Failure::Failed(error.to_string())
}

//! `melmastoon import bookings.csv`: the bookings of another book. Two tables are read: a simple one (`docs/importing.md`), and the one in
//! which hotels publish their bookings for research (`arrival_date_year`, `assigned_room_type`, ..). The file is read twice, line by
//! line: once to look it over, once to write. What came in before does not come in again.

mod table;

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::Path;

use contracts::ids::{PropertyId, RoomId, RoomTypeId, TenantId};
use jiff::civil::Date;
use platform::Db;
use platform::auth::{Caller, Properties, Role, Roles};
use reservation::application::booking::{Fate, Rehearsal, Takes, ToImport, ToMake, bring_in};
use reservation::application::rooms;
use reservation::domain::rooms::{RoomType, RoomWords, TypeWords};
use reservation::{ReservationError, SCHEMA};
use serde::Serialize;
pub use table::{ALSO, CHANNELS, NEEDED, header, is_of_bookings};
use table::{Line, Looked, Table, look_at_kinds, look_over, open};

use super::import::ImportArgs;
use crate::Failure;
use crate::saying::say;

/// So many bookings are written in one transaction.
const BATCH: usize = 100;
/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportedBookings {
    pub bookings: usize,
    pub new: usize,
    pub known: usize,
    /// No room for all of their nights.
    pub full: usize,
    /// The house does not take them.
    pub refused: usize,
    /// The guest has left.
    pub over: usize,
    /// Cancelled in the other book, or without a night.
    pub left_out: usize,
    /// Rooms that were made for them.
    pub rooms: usize,
}

/// How the table is to be read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The house, where the table does not say.
    pub property: Option<PropertyId>,
    /// The first arrival of the table is moved to this day, and all others with it.
    pub begin: Option<Date>,
    /// As many rooms of each kind are made as the fullest night needs.
    pub make_rooms: bool,
}

/// Brings the bookings of a table in, house by house, so many at a time. One that stops half-way is begun again.
pub async fn bring_bookings(
    db: &Db,
    tenant: &TenantId,
    file: &Path,
    reading: &Reading,
    dry_run: bool,
    progress: &impl Fn(usize, usize),
) -> Result<ImportedBookings, Failure> {
    let header = open(file)?.headers().map_err(|error| Failure::Failed(error.to_string()))?.clone();
    let mut table = Table::of(file, reading, header)?;
    if let Some(property) = reading.property.as_ref().filter(|_| table.published) {
        let kinds = db.read(&SCHEMA, tenant, async |uow| rooms::kinds_elsewhere(uow, property).await).await;
        table.kinds_elsewhere = kinds.map_err(|error| failed(&error))?;
    }
    let mut looked = look_over(file, &table, reading.make_rooms)?;
    if let (Some(begin), Some(first)) = (reading.begin, looked.first) {
        table.shift = (begin - first).get_days();
    }
    if looked.error_count == 0 && !reading.make_rooms {
        let takes = what_houses_take(db, tenant, &looked).await.map_err(|error| failed(&error))?;
        look_at_kinds(file, &table, &takes, &mut looked)?;
    }
    if looked.error_count > 0 {
        for error in &looked.errors {
            eprintln!("{error}");
        }
        let count = looked.error_count;
        return Err(Failure::Failed(format!("{}: {count} errors, nothing was imported", table.name)));
    }
    let mut imported =
        ImportedBookings { bookings: looked.bookings, left_out: looked.left_out, ..ImportedBookings::default() };
    let mut how = if dry_run { How::Rehearses(Rehearsal::default()) } else { How::Writes };
    if reading.make_rooms {
        imported.rooms = make_rooms(db, tenant, &looked, &mut how).await.map_err(|error| failed(&error))?;
    }
    drop(looked.nights);
    let mut batches: BTreeMap<PropertyId, Batch> = BTreeMap::new();
    let mut done = 0;
    let mut records = open(file)?;
    let mut record = csv::StringRecord::new();
    loop {
        let more = records.read_record(&mut record).map_err(|error| Failure::Failed(error.to_string()))?;
        if more && let Ok(Line::Booking(booking)) = table.read(&record) {
            let batch = batches.entry(booking.wish.property.clone()).or_default();
            batch.lines.push(record.position().map_or(0, csv::Position::line));
            batch.bookings.push(*booking);
        }
        for (property, batch) in &mut batches {
            if batch.lines.len() < BATCH && (more || batch.lines.is_empty()) {
                continue;
            }
            let batch = std::mem::take(batch);
            let fates = bring(db, tenant, property, &batch.bookings, &mut how).await.map_err(|error| failed(&error))?;
            done += batch.lines.len();
            count(&table.name, &batch, fates, &mut imported);
            progress(done, imported.bookings);
        }
        if !more {
            return Ok(imported);
        }
    }
}

/// Some bookings of one house, and where they stand in the table.
#[derive(Default)]
struct Batch {
    lines: Vec<u64>,
    bookings: Vec<ToImport>,
}

/// Whether bookings come in, or are only counted.
enum How {
    Writes,
    Rehearses(Rehearsal),
}

async fn bring(
    db: &Db,
    tenant: &TenantId,
    property: &PropertyId,
    bookings: &[ToImport],
    how: &mut How,
) -> Result<Vec<Fate>, ReservationError> {
    let mut uow = db.begin_for(&SCHEMA, tenant).await?;
    if let How::Rehearses(rehearsal) = how {
        let fates = rehearsal.bring_in(&mut uow, property, bookings).await?;
        uow.rollback().await?;
        return Ok(fates);
    }
    let mut fates = bring_in(&mut uow, db.ids(), property, bookings, false).await?;
    uow.commit().await?;
    for (booking, fate) in bookings.iter().zip(&mut fates).filter(|(_, fate)| **fate == Fate::ByItself) {
        // Others have to move for it, which takes all who have nights of its kind.
        let mut uow = db.begin_for(&SCHEMA, tenant).await?;
        let alone = bring_in(&mut uow, db.ids(), property, std::slice::from_ref(booking), true).await?;
        uow.commit().await?;
        *fate = alone.into_iter().next().unwrap_or(Fate::Full);
    }
    Ok(fates)
}

fn count(table: &str, batch: &Batch, fates: Vec<Fate>, imported: &mut ImportedBookings) {
    for ((booking, line), fate) in batch.bookings.iter().zip(&batch.lines).zip(fates) {
        let say = |why: &str| eprintln!("{table}: line {line}: {}: {why}", booking.reference);
        match fate {
            Fate::New(_) => imported.new += 1,
            Fate::Known => imported.known += 1,
            Fate::Over => imported.over += 1,
            Fate::Full | Fate::ByItself => {
                imported.full += 1;
                say("no room of its kind is free for all of its nights");
            }
            Fate::Refused(why) => {
                imported.refused += 1;
                say(&why);
            }
        }
    }
}

/// What each house of the table has, before anything is written.
async fn what_houses_take(
    db: &Db,
    tenant: &TenantId,
    looked: &Looked,
) -> Result<BTreeMap<PropertyId, Takes>, ReservationError> {
    let mut all = BTreeMap::new();
    for property in &looked.houses {
        let takes = db.read(&SCHEMA, tenant, async |uow| Takes::of(uow, property).await).await?;
        all.insert(property.clone(), takes);
    }
    Ok(all)
}

/// As many rooms of each kind as its fullest night needs.
async fn make_rooms(db: &Db, tenant: &TenantId, looked: &Looked, how: &mut How) -> Result<usize, ReservationError> {
    let mut fullest: BTreeMap<(&PropertyId, &RoomTypeId), usize> = BTreeMap::new();
    for ((property, kind, _), taken) in &looked.nights {
        let most = fullest.entry((property, kind)).or_default();
        *most = (*most).max(*taken);
    }
    let caller = Caller {
        subject: "usr_import".to_owned(),
        tenant: tenant.clone(),
        staff: None,
        roles: Roles::new([Role::Admin]),
        properties: Properties::All,
        expires_at: i64::MAX,
        pin_generation: None,
    };
    let mut made = 0;
    for ((property, kind), rooms_needed) in fullest {
        let words = TypeWords { max_occupancy: Some(60), ..TypeWords::default() };
        let named = |number: usize| {
            let number = format!("{}{number:03}", &kind.as_str()[4..]);
            let id = RoomId::parse(&format!("rom_{number}"));
            let id = id.map_err(|error| platform::Refusal::invalid("roomId", error.to_string()))?;
            Ok::<_, ReservationError>((id, number))
        };
        let rooms_needed: Vec<(RoomId, String)> = (1..=rooms_needed).map(named).collect::<Result<_, _>>()?;
        let mut uow = db.begin_for(&SCHEMA, tenant).await?;
        if let How::Rehearses(rehearsal) = how {
            let mut doors = Vec::new();
            for (id, _) in rooms_needed {
                if !rooms::is_known(&mut uow, &id).await? {
                    doors.push(id);
                }
            }
            uow.rollback().await?;
            made += doors.len();
            let room_type = RoomType::open(kind.clone(), property.clone(), words).state().clone();
            rehearsal.make(ToMake { room_type, doors });
            continue;
        }
        rooms::describe_type(&mut uow, &caller, None, (kind, property), words).await?;
        uow.commit().await?;
        let mut uow = db.begin_for(&SCHEMA, tenant).await?;
        for (id, number) in rooms_needed {
            let words = RoomWords { room_type_id: Some(kind.clone()), number: Some(number), ..RoomWords::default() };
            made += usize::from(rooms::describe_room(&mut uow, &caller, None, (&id, property), words).await?.is_new);
        }
        uow.commit().await?;
    }
    Ok(made)
}

/// For the command: progress on a terminal, lines otherwise, and what came of it at the end.
pub(super) async fn import(db: &Db, tenant: &TenantId, args: &ImportArgs) -> Result<(), Failure> {
    let property = match &args.property {
        Some(text) => Some(PropertyId::parse(text).map_err(|error| Failure::Usage(format!("--property: {error}")))?),
        None => None,
    };
    let begin = match &args.begin {
        Some(text) => Some(text.parse::<Date>().map_err(|error| Failure::Usage(format!("--begin: {error}")))?),
        None => None,
    };
    let reading = Reading { property, begin, make_rooms: args.make_rooms };
    let terminal = std::io::stderr().is_terminal();
    let progress = |done: usize, all: usize| {
        if terminal {
            eprint!("\r{done} of {all} bookings{}", if done == all { "\n" } else { "" });
        } else if !args.json && (done == all || done.is_multiple_of(2_000)) {
            eprintln!("{done} of {all} bookings");
        }
    };
    let imported = bring_bookings(db, tenant, &args.file, &reading, args.dry_run, &progress).await?;
    if args.json {
        say!("{}", serde_json::json!({ "dryRun": args.dry_run, "imported": imported }));
    } else {
        let ImportedBookings { bookings, new, known, full, refused, over, left_out, rooms } = imported;
        let would = if args.dry_run { "would be " } else { "" };
        say!(
            "{bookings} bookings: {new} {would}new, {known} known, {full} without a room, {refused} refused, {over} over; {left_out} left out, {rooms} rooms {would}made"
        );
    }
    match imported.refused + imported.full {
        0 => Ok(()),
        kept_out => Err(Failure::Failed(format!("{}: {kept_out} bookings did not come in", args.file.display()))),
    }
}

fn failed(error: &ReservationError) -> Failure {
    Failure::Failed(error.to_string())
}

//! Rooms by the night: what there is of a type, who has it, and what becomes of it.

use std::collections::BTreeMap;

use contracts::ids::{PropertyId, ReservationId, RoomId, RoomTypeId};
use contracts::time::Timestamp;
use jiff::civil::Date;
use platform::database::Row;
use platform::database::{Columns, Read};
use platform::{UnitOfWork, columns, params, statements};

use super::read_money;
use crate::ReservationError;
use crate::domain::money::Money;
use crate::domain::placing::{Block, Door, Stock, Taken};
use crate::domain::rooms::RoomType;
use crate::domain::stay::Stay;

statements! {
    STOCK = "sql/stock.sql" (text, _text, date, date, date, date)
        -> columns![what: text, room_type_id: text, id: text, room_id: text, starts: date, ends: date, movable: bool,
            overbooking: int4, rate: text];
    INSERT = "sql/allocation_insert.sql" (text, text, text, text, text, text, date, date, bool) -> &[];
    HOLDERS = "sql/allocation_holders.sql" (text, date, date) -> columns![reservation_id: text];
    UNPLACE = "sql/allocation_unplace.sql" (_text) -> &[];
    GROW = "sql/allocation_grow.sql" (_text, date) -> &[];
    MOVE = "sql/allocation_move.sql" (_text, _text) -> &[];
    PIN = "sql/allocation_pin.sql" (text, bool) -> &[];
    RELEASE = "sql/allocation_release.sql" (text, _text, timestamptz, date) -> &[];
    OCCUPIED = "sql/rooms_occupied.sql" (_text, text) -> columns![room_id: text];
    BLOCK_INSERT = "sql/block_insert.sql" (text, text, date, date, text, bool, timestamptz, timestamptz) -> &[];
    BLOCKS_LEFT = "sql/blocks_left.sql" (text, timestamptz) -> columns![starts: date, ends: date];
    WORDS = "sql/room_words.sql" (text) -> columns![closed_at: timestamptz, opened_at: timestamptz];
    WORD_KEEP = "sql/room_word_keep.sql" (text, timestamptz, timestamptz) -> &[];
    BLOCKS_OF_ROOM = "sql/blocks_of_room.sql" (text) -> columns![starts: date, ends: date];
    LYING = "sql/allocation_lying.sql" (text) -> columns![id: text, room_id: text, starts: date, ends: date];
    BLOCK_LIFT_TOLD = "sql/block_lift_told.sql" (text, timestamptz, timestamptz) -> &[];
}

/// What there is of a type, and what its nights cost.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    pub stock: Stock,
    pub rates: BTreeMap<Date, Money>,
    pub base_rate: Option<Money>,
}

impl Shelf {
    pub fn rate(&self, night: Date) -> Option<Money> {
        self.rates.get(&night).copied().or(self.base_rate)
    }
}

/// What there is of these types of one house, with everybody who has nights that are not over, and the prices of some nights.
pub async fn shelves(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    types: &[RoomType],
    prices: (Date, Date),
) -> Result<BTreeMap<RoomTypeId, Shelf>, ReservationError> {
    fill(uow, property, types, (None, None), prices).await
}

/// The same without prices: for whoever moves others.
pub async fn whole_shelves(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    types: &[RoomType],
) -> Result<BTreeMap<RoomTypeId, Shelf>, ReservationError> {
    fill(uow, property, types, (None, None), (Date::ZERO, Date::ZERO)).await
}

/// What there is on some nights, and on those that matter for a good fit beside them. Enough to count and to find a free room, not
/// to move anybody: [`Stock::whole`] says so.
pub async fn shelves_near(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    types: &[RoomType],
    (from, to): (Date, Date),
    beside: i32,
) -> Result<BTreeMap<RoomTypeId, Shelf>, ReservationError> {
    let (first, last) = around((from, to), beside);
    fill(uow, property, types, (Some(first), Some(last)), (from, to)).await
}

/// Types that somebody wants for some nights, and the nights around them that matter for a good fit.
#[derive(Debug)]
pub struct Near<'a> {
    pub(super) property: &'a PropertyId,
    pub(super) types: &'a [RoomTypeId],
    pub(super) first: Date,
    pub(super) last: Date,
    pub(super) from: Date,
    pub(super) to: Date,
}

impl<'a> Near<'a> {
    pub fn new(property: &'a PropertyId, types: &'a [RoomTypeId], stay: Stay, beside: i32) -> Self {
        let (from, to) = (stay.start(), stay.end());
        let (first, last) = around((from, to), beside);
        Self { property, types, first, last, from, to }
    }
}

/// Some nights, and those beside them that matter for a good fit.
fn around((from, to): (Date, Date), beside: i32) -> (Date, Date) {
    let days = jiff::Span::new().days(beside);
    (from.checked_sub(days).unwrap_or(Date::MIN), to.checked_add(days).unwrap_or(Date::MAX))
}

async fn fill(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    types: &[RoomType],
    (first, last): (Option<Date>, Option<Date>),
    (from, to): (Date, Date),
) -> Result<BTreeMap<RoomTypeId, Shelf>, ReservationError> {
    let ids: Vec<&RoomTypeId> = types.iter().map(|one| &one.id).collect();
    let rows = uow.read(&STOCK, &[property, &ids, &first, &last, &from, &to]).await?;
    shelved(types, first.is_none(), &rows)
}

/// Rooms, nights that somebody has, what is closed and what is said of single nights, by type.
pub(super) fn shelved(
    types: &[RoomType],
    whole: bool,
    rows: &[Row],
) -> Result<BTreeMap<RoomTypeId, Shelf>, ReservationError> {
    let empty = |one: &RoomType| {
        let stock = Stock { overbooking: one.overbooking, whole, ..Stock::default() };
        (one.id.clone(), Shelf { stock, base_rate: one.base_rate, ..Shelf::default() })
    };
    let mut shelves: BTreeMap<RoomTypeId, Shelf> = types.iter().map(empty).collect();
    for row in rows {
        let Shelf { stock, rates, .. } = shelf_of(&mut shelves, row)?;
        match row.read("what")? {
            "door" => stock.doors.push(Door { number: row.read("room_id")?, id: row.read("id")? }),
            "taken" => stock.taken.push(Taken {
                allocation: row.read("id")?,
                room: row.read("room_id")?,
                stay: stay_of(row)?,
                movable: row.read("movable")?,
            }),
            "block" => {
                let (room, from, to) = (row.read("room_id")?, row.read("starts")?, row.read("ends")?);
                stock.blocks.push(Block { room, from, to });
            }
            _ => {
                let (night, overbooking): (Date, Option<i32>) = (row.read("starts")?, row.read("overbooking")?);
                let rate: Option<String> = row.read("rate")?;
                rates.extend(rate.map(|text| read_money(row, &text)).transpose()?.map(|rate| (night, rate)));
                stock.overbooking_by_night.extend(overbooking.map(|number| (night, number)));
            }
        }
    }
    // Whatever order they came in, the same rows are the same stock.
    for Shelf { stock, .. } in shelves.values_mut() {
        stock.doors.sort_unstable_by(|one, other| one.id.cmp(&other.id));
        stock.taken.sort_unstable_by(|one, other| one.allocation.cmp(&other.allocation));
    }
    Ok(shelves)
}

fn shelf_of<'a>(shelves: &'a mut BTreeMap<RoomTypeId, Shelf>, row: &Row) -> Result<&'a mut Shelf, ReservationError> {
    let id: RoomTypeId = row.read("room_type_id")?;
    Ok(shelves.get_mut(&id).ok_or_else(|| row.impossible("of a type that was not asked for"))?)
}

fn stay_of(row: &Row) -> Result<Stay, ReservationError> {
    let (starts, ends): (Date, Date) = (row.read("starts")?, row.read("ends")?);
    Ok(Stay::new(starts, ends).ok_or_else(|| row.impossible("nights that cannot be"))?)
}

/// Nights of a room, or of none, for one item.
#[derive(Clone, Debug)]
pub struct Allotted {
    pub allocation: String,
    pub item: String,
    pub room_type: RoomTypeId,
    pub room: Option<RoomId>,
    pub pinned: bool,
}

/// Others are moved first, all in one statement; then the new ones take their place.
pub fn keep(
    uow: &mut UnitOfWork,
    moved: Vec<(String, RoomId)>,
    allotted: &[Allotted],
    (property, reservation, stay): (&PropertyId, &ReservationId, Stay),
) {
    move_all(uow, moved);
    for one in allotted {
        uow.project(
            &INSERT,
            params![
                one.allocation.clone(),
                property.clone(),
                reservation.clone(),
                one.item.clone(),
                one.room_type.clone(),
                one.room.clone(),
                stay.start(),
                stay.end(),
                one.pinned,
            ],
        );
    }
}

pub fn move_all(uow: &mut UnitOfWork, moved: Vec<(String, RoomId)>) {
    if !moved.is_empty() {
        let (ids, rooms): (Vec<String>, Vec<RoomId>) = moved.into_iter().unzip();
        uow.project(&MOVE, params![ids, rooms]);
    }
}

/// Who has a room on some nights, by id.
pub async fn holders(
    uow: &mut UnitOfWork,
    room: &RoomId,
    from: Date,
    to: Option<Date>,
) -> Result<Vec<ReservationId>, ReservationError> {
    let rows = uow.read(&HOLDERS, &[room, &from, &to]).await?;
    rows.iter().map(|row| Ok(row.read("reservation_id")?)).collect()
}

/// These have no room any more.
pub fn unplace(uow: &mut UnitOfWork, allocations: Vec<String>) {
    if !allocations.is_empty() {
        uow.project(&UNPLACE, params![allocations]);
    }
}

/// Whoever has these allocations has their rooms until another day.
pub fn grow(uow: &mut UnitOfWork, allocations: Vec<String>, until: Date) {
    uow.project(&GROW, params![allocations, until]);
}

/// Those of these rooms that another party is in.
pub async fn occupied(
    uow: &mut UnitOfWork,
    rooms: &[RoomId],
    but: &ReservationId,
) -> Result<Vec<RoomId>, ReservationError> {
    let rows = uow.read(&OCCUPIED, &[&rooms, but]).await?;
    Ok(rows.iter().map(|row| row.read("room_id")).collect::<Result<_, _>>()?)
}

/// The guest was told the rooms, and is in them or not yet.
pub fn pin(uow: &mut UnitOfWork, reservation: &ReservationId, occupied: bool) {
    uow.project(&PIN, params![reservation.clone(), occupied]);
}

/// The nights of these items from a day on are free again.
pub fn release(uow: &mut UnitOfWork, reservation: &ReservationId, items: Vec<String>, now: Timestamp, from: Date) {
    uow.project(&RELEASE, params![reservation.clone(), items, now, from]);
}

/// A room that cannot be used, by its nights, as an event told it.
#[derive(Clone, Debug)]
pub struct ToldBlock {
    pub id: String,
    pub room: RoomId,
    pub from: Date,
    pub to: Option<Date>,
    pub reason: Option<String>,
    pub told_at: Timestamp,
}

pub fn block(uow: &mut UnitOfWork, block: ToldBlock, now: Timestamp) {
    let ToldBlock { id, room, from, to, reason, told_at } = block;
    uow.project(&BLOCK_INSERT, params![id, room, from, to, reason, true, now, Some(told_at)]);
}

/// What events told last of a room: that it cannot be used, and that it can again.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoomWords {
    pub closed_at: Option<Timestamp>,
    pub opened_at: Option<Timestamp>,
}

pub async fn words_of(uow: &mut UnitOfWork, room: &RoomId) -> Result<RoomWords, ReservationError> {
    let Some(row) = uow.read_one(&WORDS, &[room]).await? else { return Ok(RoomWords::default()) };
    Ok(RoomWords { closed_at: row.read("closed_at")?, opened_at: row.read("opened_at")? })
}

/// Of two words of the same kind the later is kept.
pub fn keep_words(uow: &mut UnitOfWork, room: &RoomId, words: RoomWords) {
    uow.project(&WORD_KEEP, params![room.clone(), words.closed_at, words.opened_at]);
}

/// What is left of a room's blocks when events have lifted what was told until a moment.
pub async fn blocks_left(
    uow: &mut UnitOfWork,
    room: &RoomId,
    told_until: Timestamp,
) -> Result<Vec<Block>, ReservationError> {
    let rows = uow.read(&BLOCKS_LEFT, &[room, &told_until]).await?;
    rows.iter().map(|row| block_of(row, room)).collect()
}

fn block_of(row: &Row, room: &RoomId) -> Result<Block, ReservationError> {
    Ok(Block { room: room.clone(), from: row.read("starts")?, to: row.read("ends")? })
}

/// When a room cannot be used, and who lies in it: nobody of those is moved.
pub async fn of_room(uow: &mut UnitOfWork, room: &RoomId) -> Result<(Vec<Block>, Vec<Taken>), ReservationError> {
    let [blocks, lying] = uow
        .read_together([Read { sql: &BLOCKS_OF_ROOM, params: &[room] }, Read { sql: &LYING, params: &[room] }])
        .await?;
    let taken_of = |row: &Row| {
        let (allocation, room) = (row.read("id")?, row.read("room_id")?);
        Ok(Taken { allocation, room, stay: stay_of(row)?, movable: false })
    };
    let blocks: Result<Vec<Block>, ReservationError> = blocks.iter().map(|row| block_of(row, room)).collect();
    let lying: Result<Vec<Taken>, ReservationError> = lying.iter().map(taken_of).collect();
    Ok((blocks?, lying?))
}

/// What events blocked until a moment, events free again.
pub fn lift_told_blocks(uow: &mut UnitOfWork, room: &RoomId, told_until: Timestamp) {
    let now = uow.now();
    uow.project(&BLOCK_LIFT_TOLD, params![room.clone(), told_until, now]);
}

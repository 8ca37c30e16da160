//! Everything that is known of one reservation: when they come, which rooms are meant for them, in which they are.

use contracts::ids::{EventId, PropertyId, ReservationId, RoomId};
use contracts::reservation::StayRoom;
use contracts::time::Timestamp;
use platform::database::Row;
use platform::database::{Columns, Read};
use platform::{UnitOfWork, columns, params, statements};

use super::put_back::PutBack;
use crate::HousekeepingError;

statements! {
    TURN = "sql/stay_turn.sql" (text) -> &[];
    FIND = "sql/stay_find.sql" (text) -> columns![
        property_id: text, arrives_at: timestamptz, as_of: timestamptz, over_at: timestamptz, over_items: _text,
        clean_asked_at: timestamptz, clean_asked_event: text, left_at: timestamptz, left_event: text,
        came_back_at: timestamptz, undone_at: timestamptz, brought_back_at: timestamptz
    ];
    ROOMS = "sql/stay_rooms.sql" (text) -> columns![
        property_id: text, room_id: text, item_id: text, arrived_at: timestamptz, departed_at: timestamptz, moved_to: text
    ];
    EXPECTED = "sql/stay_expected.sql" (text) -> columns![
        property_id: text, room_id: text, item_id: text, expected_at: timestamptz, over_at: timestamptz, at_desk: bool
    ];
    EXPECT = "sql/stay_expect.sql" (text, text, timestamptz, timestamptz) -> &[];
    OVER = "sql/stay_over.sql" (text, text, timestamptz, _text) -> &[];
    LEAVE = "sql/stay_leave.sql" (text, text, timestamptz, text) -> &[];
    ASK_CLEAN = "sql/stay_ask_clean.sql" (text, timestamptz, text) -> &[];
    SET_ROOM = "sql/occupancy_set.sql" (text, text, text, text, timestamptz, timestamptz, text) -> &[];
}

/// A room that a guest is, was, or will not have been in.
#[derive(Clone, Debug, PartialEq)]
pub struct RoomOfStay {
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub item_id: Option<String>,
    pub arrived_at: Option<Timestamp>,
    pub departed_at: Option<Timestamp>,
    /// They left it for another room, and not for home.
    pub moved_to: Option<RoomId>,
}

impl RoomOfStay {
    pub fn is_present(&self) -> bool {
        self.arrived_at.is_some() && self.departed_at.is_none()
    }

    /// Whether they were ever in it, as far as is known. `undone_at`: when it was last said that they are not in after all; a room that they were
    /// put into by a wrong button until then is none of theirs.
    pub fn was_theirs(&self, undone_at: Option<Timestamp>) -> bool {
        self.arrived_at.is_some() || self.departed_at > undone_at
    }

    /// As messages of the reservation name it.
    pub fn as_told(&self) -> StayRoom {
        StayRoom { item_id: self.item_id.clone().unwrap_or_default(), room_id: self.room_id.clone() }
    }
}

/// A room that is meant for guests who come.
#[derive(Clone, Debug)]
pub struct ExpectedIn {
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub item_id: Option<String>,
    pub expected_at: Option<Timestamp>,
    pub over_at: Option<Timestamp>,
    pub at_desk: bool,
}

/// A reservation as it is known; until this unit of work ends nothing else is learnt of it.
#[derive(Debug, Default)]
pub struct Stay {
    pub property_id: Option<PropertyId>,
    pub arrives_at: Option<Timestamp>,
    /// When that was said.
    pub as_of: Option<Timestamp>,
    /// Since when they will not come, or not for these items.
    pub over_at: Option<Timestamp>,
    pub over_items: Option<Vec<String>>,
    /// A clean that was asked for before anybody was known to be in.
    pub clean_asked: Option<(Timestamp, EventId)>,
    /// They left early, from whichever rooms they are told to have been in.
    pub left_early: Option<(Timestamp, EventId)>,
    pub put_back: PutBack,
    pub rooms: Vec<RoomOfStay>,
    pub expected: Vec<ExpectedIn>,
}

impl Stay {
    /// Whether what was told of an item at a moment was over with then. What is told later than the end is proof of a booking that goes on.
    pub fn is_over(&self, item: Option<&str>, at: Timestamp) -> bool {
        let item = item.filter(|item| !item.is_empty());
        let named = |items: &Vec<String>| item.is_none_or(|item| items.iter().any(|one| one == item));
        self.over_at.is_some_and(|over| over >= at) && self.over_items.as_ref().is_none_or(named)
    }

    /// Which of the items that were cancelled at a moment are off; none named means all of it. Who came, left or stood at the desk after that
    /// moment is proof of a booking that went on. `None`: nothing of it is off.
    pub fn items_off(&self, cancelled: &[String], at: Timestamp) -> Option<Vec<String>> {
        let rooms = self.rooms.iter().filter(|room| room.arrived_at.max(room.departed_at) > Some(at));
        let desk = self.expected.iter().filter(|room| room.at_desk && room.expected_at > Some(at));
        let later: Vec<Option<&str>> =
            rooms.map(|room| room.item_id.as_deref()).chain(desk.map(|room| room.item_id.as_deref())).collect();
        if later.is_empty() {
            return Some(cancelled.to_vec());
        }
        let off: Vec<String> = cancelled.iter().filter(|item| !later.contains(&Some(item.as_str()))).cloned().collect();
        (!off.is_empty()).then_some(off)
    }

    /// The house that they are in, or come to.
    pub fn house(&self) -> Option<PropertyId> {
        self.rooms.first().map(|room| room.property_id.clone()).or_else(|| self.property_id.clone())
    }

    /// The items for which guests are in a room, or still expected in one.
    pub fn live_items(&self) -> impl Iterator<Item = &str> {
        let expected = self.expected.iter().filter(|room| room.over_at.is_none()).map(|room| &room.item_id);
        let present = self.rooms.iter().filter(|room| room.is_present()).map(|room| &room.item_id);
        expected.chain(present).filter_map(Option::as_deref)
    }
}

/// Waits for the reservation's turn, and reads everything that is known of it.
pub async fn lock(uow: &mut UnitOfWork, reservation: &ReservationId) -> Result<Stay, HousekeepingError> {
    let [_, stay, rooms, expected] = uow
        .read_together([
            Read { sql: &TURN, params: &[reservation] },
            Read { sql: &FIND, params: &[reservation] },
            Read { sql: &ROOMS, params: &[reservation] },
            Read { sql: &EXPECTED, params: &[reservation] },
        ])
        .await?;
    let rooms = rooms.iter().map(room_of).collect::<Result<_, HousekeepingError>>()?;
    let expected = expected.iter().map(expected_of).collect::<Result<_, HousekeepingError>>()?;
    let Some(row) = stay.first() else { return Ok(Stay { rooms, expected, ..Stay::default() }) };
    let asked: (Option<Timestamp>, Option<EventId>) = (row.read("clean_asked_at")?, row.read("clean_asked_event")?);
    let left: (Option<Timestamp>, Option<EventId>) = (row.read("left_at")?, row.read("left_event")?);
    let put_back = PutBack::of(row)?;
    Ok(Stay {
        property_id: row.read("property_id")?,
        arrives_at: row.read("arrives_at")?,
        as_of: row.read("as_of")?,
        over_at: row.read("over_at")?,
        over_items: row.read("over_items")?,
        clean_asked: asked.0.zip(asked.1),
        left_early: left.0.filter(|at| put_back.leaves_standing(*at)).zip(left.1),
        put_back,
        rooms,
        expected,
    })
}

fn room_of(row: &Row) -> Result<RoomOfStay, HousekeepingError> {
    Ok(RoomOfStay {
        property_id: row.read("property_id")?,
        room_id: row.read("room_id")?,
        item_id: row.read("item_id")?,
        arrived_at: row.read("arrived_at")?,
        departed_at: row.read("departed_at")?,
        moved_to: row.read("moved_to")?,
    })
}

fn expected_of(row: &Row) -> Result<ExpectedIn, HousekeepingError> {
    Ok(ExpectedIn {
        property_id: row.read("property_id")?,
        room_id: row.read("room_id")?,
        item_id: row.read("item_id")?,
        expected_at: row.read("expected_at")?,
        over_at: row.read("over_at")?,
        at_desk: row.read("at_desk")?,
    })
}

/// When they come, as it was said at a moment.
pub fn expect(
    uow: &mut UnitOfWork,
    reservation: &ReservationId,
    property: &PropertyId,
    arrives_at: Option<Timestamp>,
    as_of: Timestamp,
) {
    uow.project(&EXPECT, params![reservation.clone(), property.clone(), arrives_at, as_of]);
}

/// They will not come: none of them, or not for these items.
pub fn call_off(
    uow: &mut UnitOfWork,
    reservation: &ReservationId,
    property: &PropertyId,
    at: Timestamp,
    items: Option<Vec<String>>,
) {
    uow.project(&OVER, params![reservation.clone(), property.clone(), at, items]);
}

/// Remembers that they left early, for rooms that they are told to have been in only later.
pub fn leave_early(
    uow: &mut UnitOfWork,
    reservation: &ReservationId,
    property: &PropertyId,
    at: Timestamp,
    event: &EventId,
) {
    uow.project(&LEAVE, params![reservation.clone(), property.clone(), at, event.clone()]);
}

/// Remembers that a clean was asked for; `None`: it is taken care of.
pub fn remember_wish(uow: &mut UnitOfWork, reservation: &ReservationId, asked: Option<(Timestamp, EventId)>) {
    let (at, event) = asked.unzip();
    uow.project(&ASK_CLEAN, params![reservation.clone(), at, event]);
}

/// Writes where they are, as it was made out.
pub fn set_room(uow: &mut UnitOfWork, reservation: &ReservationId, room: &RoomOfStay) {
    let RoomOfStay { property_id, room_id, item_id, arrived_at, departed_at, moved_to } = room.clone();
    let reservation = reservation.clone();
    uow.project(&SET_ROOM, params![reservation, property_id, room_id, item_id, arrived_at, departed_at, moved_to]);
}

//! No room twice, and no stay refused that fits.

use contracts::ids::RoomId;
use jiff::ToSpan;
use jiff::civil::date;
use proptest::prelude::*;
use reservation::domain::placing::{Block, Door, NoPlace, Stock, Taken};
use reservation::domain::stay::Stay;

fn stock(rooms: usize) -> Stock {
    let door = |at: usize| Door { number: format!("{at:03}"), id: RoomId::parse(&format!("rom_{at}")).unwrap() };
    Stock { doors: (0..rooms).map(door).collect(), whole: true, ..Stock::default() }
}

fn stay(start: i32, nights: i32) -> Stay {
    let day = date(2026, 5, 1) + start.days();
    Stay::new(day, day + nights.days()).unwrap()
}

fn given_twice(taken: &[Taken]) -> bool {
    taken.iter().enumerate().any(|(at, one)| {
        taken[at + 1..].iter().any(|other| {
            one.room.is_some()
                && one.room == other.room
                && one.stay.overlaps(other.stay.start(), Some(other.stay.end()))
        })
    })
}

proptest! {
    #[test]
    fn without_named_rooms_a_stay_that_fits_by_the_count_always_finds_a_room(
        rooms in 1_usize..6, stays in prop::collection::vec((0_i32..30, 1_i32..8), 1..60),
    ) {
        let mut stock = stock(rooms);
        for (at, (start, nights)) in stays.into_iter().enumerate() {
            let stay = stay(start, nights);
            let fits = stay.dates().all(|night| stock.night(night).available() >= 1);
            let placed = stock.place(&format!("alc_{at}"), stay, None);
            prop_assert_eq!(placed.is_ok(), fits, "{:?}", placed);
            if let Ok(room) = placed {
                prop_assert!(room.is_some());
            }
            prop_assert!(!given_twice(&stock.taken));
        }
    }

    #[test]
    fn nobody_is_ever_in_a_room_twice_and_who_was_told_a_room_keeps_it(
        rooms in 1_usize..5, overbooking in -1_i32..3,
        stays in prop::collection::vec((0_i32..20, 1_i32..6, prop::option::of(0_usize..5)), 1..40),
        blocks in prop::collection::vec((0_usize..5, 0_i32..20, 1_i32..6), 0..3),
    ) {
        let mut stock = stock(rooms);
        stock.overbooking = overbooking;
        for (room, start, nights) in blocks {
            let stay = stay(start, nights);
            stock.blocks.push(Block { room: RoomId::parse(&format!("rom_{room}")).unwrap(), from: stay.start(), to: Some(stay.end()) });
        }
        for (at, (start, nights, wish)) in stays.into_iter().enumerate() {
            let before = stock.taken.clone();
            let wish = wish.map(|room| RoomId::parse(&format!("rom_{room}")).unwrap());
            let placed = stock.place(&format!("alc_{at}"), stay(start, nights), wish.as_ref());
            prop_assert!(!given_twice(&stock.taken));
            if placed.is_err() {
                prop_assert_eq!(&stock.taken, &before, "what is refused moves nobody");
            } else if let Some(wish) = wish {
                prop_assert_eq!(placed.unwrap(), Some(wish));
            }
            for (allocation, _) in stock.moves(&before) {
                prop_assert!(before.iter().any(|one| one.allocation == allocation && one.movable));
            }
            for night in stay(0, 30).dates() {
                let counted = stock.night(night);
                let roomless = stock.taken.iter().filter(|one| one.room.is_none() && one.stay.start() <= night && night < one.stay.end());
                prop_assert!(i32::try_from(roomless.count()).unwrap() <= overbooking.max(0), "{:?}", counted);
            }
        }
    }
}

#[test]
fn a_stay_takes_the_room_that_leaves_the_fewest_idle_nights() {
    let mut stock = stock(3);
    stock.place("alc_1", stay(0, 3), Some(&RoomId::parse("rom_2").unwrap())).unwrap();
    assert_eq!(stock.place("alc_2", stay(3, 2), None).unwrap(), RoomId::parse("rom_2").ok());
    assert_eq!(stock.place("alc_3", stay(0, 3), None).unwrap(), RoomId::parse("rom_0").ok(), "then by number");
    let door = |number: &str| Door { number: number.to_owned(), id: RoomId::parse(&format!("rom_{number}")).unwrap() };
    let mut floor = Stock { doors: vec![door("10"), door("9")], whole: true, ..Stock::default() };
    assert_eq!(floor.place("alc_1", stay(0, 3), None).unwrap(), RoomId::parse("rom_9").ok(), "9 before 10");
    floor.unready.insert(RoomId::parse("rom_9").unwrap());
    assert_eq!(floor.place("alc_2", stay(3, 3), None).unwrap(), RoomId::parse("rom_10").ok(), "a ready one first");
}

#[test]
fn what_is_full_and_what_is_fragmented_are_told_apart() {
    let mut stock = stock(2);
    let named = |room: &str| RoomId::parse(room).ok();
    stock.place("alc_1", stay(0, 2), named("rom_0").as_ref()).unwrap();
    stock.place("alc_2", stay(2, 2), named("rom_1").as_ref()).unwrap();
    let apart = stock.place("alc_3", stay(0, 4), None).unwrap_err();
    assert!(matches!(apart, NoPlace::Full { fragmented: true, .. }), "{apart:?}");
    stock.place("alc_4", stay(0, 2), None).unwrap();
    let full = stock.place("alc_5", stay(1, 2), None).unwrap_err();
    assert_eq!(full, NoPlace::Full { nights: vec![stay(1, 1).start()], fragmented: false });
}

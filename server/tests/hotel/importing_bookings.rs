//! A hotel's bookings come in from another book: each once, none of them into a room that somebody has.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use contracts::ids::{PropertyId, RoomTypeId};
use serde_json::json;
use server::commands::import_bookings::{ImportedBookings, Reading, bring_bookings, is_of_bookings};

use crate::test_hotel::TestHotel;

const HEADER: &str = "reference,property_id,room_type_id,arrival,departure,guest_name,adults,nightly_rate,email\n";

struct Written(PathBuf);

impl Written {
    fn new(name: &str, text: &str) -> Self {
        let file = std::env::temp_dir().join(format!("{}-{name}", std::process::id()));
        std::fs::write(&file, text).unwrap();
        Self(file)
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

async fn import(hotel: &TestHotel, file: &Path, reading: &Reading, dry_run: bool) -> Result<ImportedBookings, String> {
    let brought = bring_bookings(&hotel.app.db, &hotel.tenant, file, reading, dry_run, &|_, _| {}).await;
    brought.map_err(|failure| failure.to_string())
}

async fn nights_given_twice(hotel: &TestHotel) -> i64 {
    hotel
        .count(
            "reservation.room_allocations a JOIN reservation.room_allocations b
             ON a.room_no = b.room_no AND a.id < b.id AND a.nights && b.nights
             WHERE a.released_at IS NULL AND b.released_at IS NULL",
        )
        .await
}

#[tokio::test]
async fn bookings_come_in_once_and_a_second_time_brings_nothing_new() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let house = &hotel.property;
    let row = |reference: &str, from: &str, to: &str, rate: &str| {
        format!("{reference},{house},{double},{from},{to},Zarmina Noori,2,{rate},zarmina@example.com\n")
    };
    let table = [
        HEADER.to_owned(),
        row("B-1", "2026-05-01", "2026-05-04", "75.50"),
        row("B-2", "2026-05-01", "2026-05-03", ""),
        row("B-3", "2026-05-02", "2026-05-03", ""),
        row("B-4", "2026-04-01", "2026-04-03", ""),
        row("B-5", "2026-04-20", "2026-04-25", ""),
    ]
    .concat();
    assert!(is_of_bookings(HEADER) && !is_of_bookings("property_id,room_id,number,floor,section,room_type"));
    let file = Written::new("bookings.csv", &table);
    let reading = Reading::default();
    let would = ImportedBookings { bookings: 5, new: 3, full: 1, over: 1, ..ImportedBookings::default() };
    assert_eq!(import(&hotel, &file.0, &reading, true).await.unwrap(), would);
    assert_eq!(hotel.count("reservation.reservations").await, 0, "a dry run changes nothing");
    assert_eq!(import(&hotel, &file.0, &reading, false).await.unwrap(), would);
    let again = ImportedBookings { bookings: 5, known: 3, full: 1, over: 1, ..ImportedBookings::default() };
    assert_eq!(import(&hotel, &file.0, &reading, false).await.unwrap(), again);
    assert_eq!(hotel.available(&double, "2026-05-01", "2026-05-05").await, [0, 0, 1, 2]);
    let path = "/reservation/v1/reservations?externalReference=B-1";
    let found = hotel.get(&hotel.desk(), path).await.done();
    let first = &found["items"][0];
    assert_eq!((&first["status"], &first["totals"]["grandTotalMicro"]), (&json!("confirmed"), &json!("226500000")));
    assert_eq!(first["primaryGuest"]["name"], "Zarmina Noori");
    assert_eq!(hotel.count("reservation.timers WHERE kind = 'no_show'").await, 3);
    assert_eq!(nights_given_twice(&hotel).await, 0);
}

#[tokio::test]
async fn who_is_in_the_house_when_the_book_comes_in_is_not_taken_for_somebody_who_did_not_come() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let house = &hotel.property;
    // It is the 22nd, eleven in the morning.
    let here = format!("B-1,{house},{double},2026-04-20,2026-04-25,Zarmina Noori,2,,\n");
    let comes = format!("B-2,{house},{double},2026-04-22,2026-04-25,Gulalai Noori,2,,\n");
    let file = Written::new("in-house.csv", &format!("{HEADER}{here}{comes}"));
    import(&hotel, &file.0, &Reading::default(), false).await.unwrap();
    let status = async |reference: &str| {
        let path = format!("/reservation/v1/reservations?externalReference={reference}");
        hotel.get(&hotel.desk(), &path).await.done()["items"][0].clone()
    };
    hotel.run_tick("reservation.no-show").await;
    assert_eq!(status("B-1").await["status"], "confirmed", "the desk has the whole grace to check them in");
    hotel.clock.advance_seconds(12 * 3_600);
    hotel.run_tick("reservation.no-show").await;
    assert_eq!(
        (&status("B-1").await["status"], &status("B-2").await["status"]),
        (&json!("no_show"), &json!("confirmed"))
    );
    hotel.clock.advance_seconds(3 * 3_600);
    hotel.run_tick("reservation.no-show").await;
    assert_eq!(status("B-2").await["status"], "no_show", "twelve hours after check-in time, as ever");
}

#[tokio::test]
async fn whatever_is_wrong_with_a_book_is_named_with_its_line_and_nothing_comes_in() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    let good = format!("B-1,{},{double},2026-05-01,2026-05-04,Zarmina,2,,\n", hotel.property);
    let house = &hotel.property;
    for bad in [
        format!("B-1,{house},{double},2026-06-01,2026-06-04,Zarmina,2,,\n"),
        format!("B-2,{house},{double},01.05.2026,2026-06-04,Zarmina,2,,\n"),
        format!("B-2,{house},{double},2026-06-04,2026-06-04,Zarmina,2,,\n"),
        format!("B-2,house,{double},2026-06-01,2026-06-04,Zarmina,2,,\n"),
        format!("B-2,{house},{double},2026-06-01,2026-06-04,,2,,\n"),
        format!("B-2,{house},{double},2026-06-01,2026-06-04,Zarmina,x,,\n"),
        format!("B-2,{house},{double},2026-06-01,2026-06-04,Zarmina,2,-5,\n"),
        format!("B-2,{house},{double}\n"),
    ] {
        let file = Written::new("wrong.csv", &format!("{HEADER}{good}{bad}"));
        let refused = import(&hotel, &file.0, &Reading::default(), false).await.unwrap_err();
        assert!(refused.contains("1 errors, nothing was imported"), "{bad}: {refused}");
    }
    let file = Written::new("columns.csv", "reference,arrival,departure,colour\n");
    let refused = import(&hotel, &file.0, &Reading::default(), false).await.unwrap_err();
    assert!(refused.contains("line 1") && refused.contains("room_type_id") && refused.contains("colour"), "{refused}");
    assert_eq!(hotel.count("reservation.reservations").await, 0);
}

#[tokio::test]
async fn a_published_book_comes_in_moved_to_another_day_with_the_rooms_it_needs() {
    let hotel = TestHotel::open().await;
    let head = "is_canceled,arrival_date_year,arrival_date_month,arrival_date_day_of_month,stays_in_weekend_nights,stays_in_week_nights,adults,children,babies,assigned_room_type,adr,distribution_channel";
    let mut table = format!("{head}\n");
    for day in 1..=28 {
        for (kind, nights) in [("A", 3), ("A", 1), ("B", 2)] {
            writeln!(table, "0,2015,July,{day},0,{nights},2,0.0,0,{kind},99.5,TA/TO").unwrap();
        }
    }
    table.push_str("1,2015,July,3,0,2,2,0,0,A,10,Direct\n0,2015,July,3,0,0,2,0,0,A,10,Direct\n");
    let file = Written::new("published.csv", &table);
    let property: PropertyId = hotel.property.clone();
    let reading = Reading { property: Some(property), begin: Some(jiff::civil::date(2026, 5, 1)), make_rooms: true };
    let came = import(&hotel, &file.0, &reading, false).await.unwrap();
    let expected = ImportedBookings { bookings: 84, new: 84, left_out: 2, rooms: 6, ..ImportedBookings::default() };
    assert_eq!(came, expected, "as many rooms as the fullest night needs are enough");
    assert_eq!(nights_given_twice(&hotel).await, 0);
    let kind = RoomTypeId::parse("rmt_A").unwrap();
    assert_eq!(hotel.available(&kind, "2026-05-03", "2026-05-05").await, [0, 0]);
}

/// `REPLAY_LINES=100000` replays all of it.
#[test]
#[expect(clippy::disallowed_methods, reason = "tests have no server::config to ask")]
fn a_real_book_replayed_fills_the_rooms_it_needs_and_gives_no_night_twice() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/resort_hotel_bookings.csv.gz");
    if !file.exists() {
        eprintln!("NOT RUN: a real book, since {} is not there", file.display());
        return;
    }
    let lines = std::env::var("REPLAY_LINES").ok().and_then(|lines| lines.parse().ok()).unwrap_or(4_000);
    let replayed = server::demo::book::replay(&file, lines).unwrap();
    println!("{replayed:?}");
    assert!(replayed.placed_per_mille() >= 995, "{replayed:?}");
    assert!(replayed.stayed > replayed.bookings / 2, "{replayed:?}");
}

#[tokio::test]
async fn a_month_of_a_real_book_comes_in_whole() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/resort_hotel_bookings.csv.gz");
    if !file.exists() {
        eprintln!("NOT RUN: a month of a real book, since {} is not there", file.display());
        return;
    }
    let hotel = TestHotel::open().await;
    // The first lines of the file: the book is long, and a test is short.
    let mut text = Vec::new();
    let mut raw = flate2::read::GzDecoder::new(std::fs::File::open(&file).unwrap());
    std::io::Read::read_to_end(&mut raw, &mut text).unwrap();
    let text: String = String::from_utf8(text).unwrap().split_inclusive('\n').take(401).collect();
    let cut = Written::new("real.csv", &text);
    let begin = Some(jiff::civil::date(2026, 5, 1));
    let reading = Reading { property: Some(hotel.property.clone()), begin, make_rooms: true };
    let came = import(&hotel, &cut.0, &reading, false).await.unwrap();
    println!("{came:?}");
    assert_eq!((came.new, came.full, came.bookings + came.left_out), (came.bookings, 0, 400));
    assert_eq!(nights_given_twice(&hotel).await, 0);
}

#[tokio::test]
async fn where_another_service_keeps_the_count_nothing_comes_in_and_nothing_is_left_behind() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(1).await;
    hotel.put(&hotel.manager(), "/reservation/v1/settings", json!({ "inventoryMode": "external" })).await.done();
    let row = format!("B-1,{},{double},2026-05-01,2026-05-04,Zarmina Noori,2,,\n", hotel.property);
    let file = Written::new("external.csv", &format!("{HEADER}{row}"));
    let brought = import(&hotel, &file.0, &Reading::default(), false).await.unwrap();
    assert_eq!((brought.bookings, brought.new, brought.refused), (1, 0, 1), "{brought:?}");
    for table in ["reservations", "room_allocations", "guests"] {
        assert_eq!(hotel.count(&format!("reservation.{table}")).await, 0, "{table}");
    }
}

#[tokio::test]
async fn a_kind_that_there_is_not_and_too_many_guests_are_named_before_anything_comes_in() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let row = |reference: &str, kind: &str, from: &str, to: &str, adults: u32| {
        format!("{reference},{},{kind},{from},{to},Zarmina,{adults},,\n", hotel.property)
    };
    let table = [
        HEADER.to_owned(),
        row("B-1", double.as_str(), "2026-05-01", "2026-05-04", 2),
        row("B-2", "rmt_NOWHERE", "2026-05-01", "2026-05-04", 2),
        row("B-3", double.as_str(), "2026-05-01", "2026-05-04", 9),
        // Whoever has left is not brought in: what they slept in does not matter.
        row("B-4", "rmt_NOWHERE", "2026-04-01", "2026-04-04", 2),
    ];
    let file = Written::new("kinds.csv", &table.concat());
    for dry_run in [true, false] {
        let refused = import(&hotel, &file.0, &Reading::default(), dry_run).await.unwrap_err();
        assert!(refused.contains("2 errors, nothing was imported"), "{refused}");
    }
    assert_eq!(hotel.count("reservation.reservations").await, 0);
}

#[tokio::test]
async fn a_dry_run_counts_as_the_run_does_over_all_batches() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let mut table = HEADER.to_owned();
    for number in 0..130 {
        let _ = writeln!(table, "B-{number},{},{double},2026-05-01,2026-05-04,Zarmina,2,,", hotel.property);
    }
    let file = Written::new("many.csv", &table);
    let would = import(&hotel, &file.0, &Reading::default(), true).await.unwrap();
    assert_eq!((would.new, would.full), (2, 128));
    assert_eq!(hotel.count("reservation.reservations").await, 0);
    assert_eq!(import(&hotel, &file.0, &Reading::default(), false).await.unwrap(), would);
}

#[tokio::test]
async fn a_reference_that_another_house_uses_is_refused_and_not_taken_for_the_same_booking() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(2).await;
    let (other, suite): (PropertyId, RoomTypeId) = (hotel.next(), hotel.next());
    let kind = json!({ "propertyId": other, "name": "Suite", "maxOccupancy": 2, "baseRateMicro": "100000000" });
    hotel.put(&hotel.manager(), &format!("/reservation/v1/room-types/{suite}"), kind).await.done();
    let door: contracts::ids::RoomId = hotel.next();
    let room = json!({ "propertyId": other, "roomTypeId": suite, "number": "1" });
    hotel.put(&hotel.manager(), &format!("/reservation/v1/rooms/{door}"), room).await.done();
    let row = |reference: &str, house: &PropertyId, kind: &RoomTypeId| {
        format!("{reference},{house},{kind},2026-05-01,2026-05-04,Zarmina Noori,2,,\n")
    };
    let first = Written::new("first-house.csv", &format!("{HEADER}{}", row("B-1", &hotel.property, &double)));
    import(&hotel, &first.0, &Reading::default(), false).await.unwrap();
    let second = Written::new("second-house.csv", &format!("{HEADER}{}", row("B-1", &other, &suite)));
    let refused = ImportedBookings { bookings: 1, refused: 1, ..ImportedBookings::default() };
    for dry_run in [true, false] {
        assert_eq!(import(&hotel, &second.0, &Reading::default(), dry_run).await.unwrap(), refused);
    }
    let known = ImportedBookings { bookings: 1, known: 1, ..ImportedBookings::default() };
    assert_eq!(import(&hotel, &first.0, &Reading::default(), false).await.unwrap(), known, "in its own house");
    let renamed = Written::new("renamed.csv", &format!("{HEADER}{}", row("B-2", &other, &suite)));
    assert_eq!(import(&hotel, &renamed.0, &Reading::default(), false).await.unwrap().new, 1);
}

#[tokio::test]
async fn a_published_book_comes_into_a_second_house_with_rooms_of_its_own() {
    let hotel = TestHotel::open().await;
    let head = "is_canceled,arrival_date_year,arrival_date_month,arrival_date_day_of_month,stays_in_weekend_nights,stays_in_week_nights,adults,children,babies,assigned_room_type,adr,distribution_channel";
    let table = format!("{head}\n0,2026,May,1,0,3,2,0,0,A,99.5,Direct\n0,2026,May,2,0,3,2,0,0,A,99.5,Direct\n");
    let other: PropertyId = hotel.next();
    let came = ImportedBookings { bookings: 2, new: 2, rooms: 2, ..ImportedBookings::default() };
    for (house, name) in [(&hotel.property, "one.csv"), (&other, "two.csv")] {
        let file = Written::new(name, &table);
        let reading = Reading { property: Some(house.clone()), make_rooms: true, ..Reading::default() };
        assert_eq!(import(&hotel, &file.0, &reading, true).await.unwrap(), came, "{name}");
        assert_eq!(import(&hotel, &file.0, &reading, false).await.unwrap(), came, "{name}");
        let again = ImportedBookings { bookings: 2, known: 2, ..ImportedBookings::default() };
        let without = Reading { make_rooms: false, ..reading };
        assert_eq!(import(&hotel, &file.0, &without, false).await.unwrap(), again, "{name}");
    }
    assert_eq!(nights_given_twice(&hotel).await, 0);
}

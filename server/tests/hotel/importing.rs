//! A hotel's rooms come in from a table: all of it or nothing, and the same again changes nothing.

use std::fmt::Write as _;

use contracts::ids::{PropertyId, TenantId};
use serde_json::json;
use server::commands::import::{Imported, bring_in, read, taken_doors};

use crate::test_hotel::TestHotel;

const HEADER: &str = "property_id,room_id,number,floor,section,room_type\n";

async fn import(hotel: &TestHotel, text: &str, dry_run: bool) -> Imported {
    let found = read(text.as_bytes()).expect("a good table");
    bring_in(&hotel.app.db, &hotel.tenant, &found, dry_run, &|_, _| {}).await.expect("an import")
}

async fn board(hotel: &TestHotel) -> Vec<(String, String)> {
    let board = hotel.board().await.0;
    let rooms = board["rooms"].as_array().unwrap();
    rooms.iter().map(|room| (room["number"].to_string(), room["status"].to_string())).collect()
}

#[tokio::test]
async fn rooms_come_in_once_and_a_second_time_changes_nothing() {
    let hotel = TestHotel::open().await;
    let seen = hotel.ready_room("101").await;
    let house = hotel.property.clone();
    let table =
        format!("{HEADER}{house},{},101a,1,east,double\n {house} , rom_NEW ,102, -1 ,\"west, garden\",\n", seen.id);
    let would = Imported { rooms: 2, new: 1, changed: 1, unchanged: 0 };
    assert_eq!(import(&hotel, &table, true).await, would);
    assert_eq!(board(&hotel).await, [("\"101\"".to_owned(), "\"ready\"".to_owned())], "a dry run changes nothing");
    assert_eq!(import(&hotel, &table, false).await, would);
    let expected = [("102", "clean"), ("101a", "ready")].map(|(a, b)| (format!("{a:?}"), format!("{b:?}")));
    assert_eq!(board(&hotel).await, expected, "a room that was there stays as clean as it was");
    assert_eq!(import(&hotel, &table, false).await, Imported { rooms: 2, new: 0, changed: 0, unchanged: 2 });
    let room = hotel.get(&hotel.supervisor(), "/housekeeping/v1/rooms/rom_NEW").await.done();
    assert_eq!((&room["section"], &room["floor"]), (&json!("west, garden"), &json!(-1)));
    let other: TenantId = hotel.next();
    let theirs = hotel.token_of_tenant(platform::auth::Role::Supervisor, &other);
    assert_eq!(hotel.get(&theirs, "/housekeeping/v1/rooms/rom_NEW").await.status, 404);
}

#[tokio::test]
async fn no_house_gets_two_rooms_with_one_number() {
    let hotel = TestHotel::open().await;
    let house = hotel.property.clone();
    import(&hotel, &format!("{HEADER}{house},rom_A,101,1,,\n{house},rom_B,102,1,,\n"), false).await;
    let taken = async |text: String| {
        let found = read(text.as_bytes()).unwrap();
        taken_doors(&hotel.app.db, &hotel.tenant, &found).await.unwrap()
    };
    let errors = taken(format!("{HEADER}{house},rom_C,103,1,,\n\n{house},rom_D,101,1,,\n")).await;
    assert_eq!(errors, ["line 4: number: the property has a room 101 already: rom_A"]);
    // Numbers change hands within the table, and another house has its own.
    assert!(taken(format!("{HEADER}{house},rom_A,102,1,,\n{house},rom_B,101,1,,\n")).await.is_empty());
    let other: PropertyId = hotel.next();
    assert!(taken(format!("{HEADER}{other},rom_D,101,1,,\n")).await.is_empty());
}

#[test]
fn errors_name_the_line_that_a_spreadsheet_shows() {
    let table = format!("{HEADER}prp_I,rom_1,101,1,\"a\nb\",\n\nprp_I,rom_2,102,low,,\nprp_I,rom_3\n");
    let errors = |text: &str| read(text.as_bytes()).unwrap_err();
    let named =
        |errors: Vec<String>| errors.iter().map(|one| one.split(':').next().unwrap().to_owned()).collect::<Vec<_>>();
    // A name over two lines is an error of its own, and counts as two.
    assert_eq!(named(errors(&table)), ["line 2", "line 5", "line 6"]);
    assert_eq!(named(errors(&table.replace('\n', "\r\n"))), ["line 2", "line 5", "line 6"], "as Windows writes it");
}

#[tokio::test]
async fn a_table_with_semicolons_or_tabs_between_its_columns_is_read_as_well() {
    let hotel = TestHotel::open().await;
    let table = format!("{HEADER}{},rom_NEW,102,1,\"east, garden; left\",suite\n", hotel.property);
    let whole = read(table.as_bytes()).unwrap()[0].room.clone();
    for between in [";", "\t"] {
        let other = format!(
            "{}{}{between}rom_NEW{between}102{between}1{between}\"east, garden; left\"{between}suite\n",
            HEADER.replace(',', between),
            hotel.property
        );
        assert_eq!(read(other.as_bytes()).unwrap()[0].room, whole, "{other}");
    }
}

#[tokio::test]
async fn thousands_of_rooms_come_in_with_progress() {
    let hotel = TestHotel::open().await;
    let houses: [PropertyId; 2] = [hotel.property.clone(), hotel.next()];
    let mut table = HEADER.to_owned();
    for number in 0..2_400 {
        let _ = writeln!(table, "{},rom_{number},{number},{},north,double", houses[number % 2], number / 100);
    }
    let found = read(table.as_bytes()).unwrap();
    let steps = std::sync::Mutex::new(Vec::new());
    let begun = std::time::Instant::now();
    let note = |done, all| steps.lock().unwrap().push((done, all));
    let imported = bring_in(&hotel.app.db, &hotel.tenant, &found, false, &note).await.unwrap();
    println!("2400 rooms in {} ms", begun.elapsed().as_millis());
    assert_eq!(imported.new, 2_400);
    let steps = steps.into_inner().unwrap();
    assert_eq!((steps.len(), steps.last()), (6, Some(&(2_400, 2_400))));
    assert_eq!(hotel.count("housekeeping.rooms").await, 2_400);
    assert_eq!(hotel.count("housekeeping.room_status").await, 2_400);
}

#[test]
fn whatever_is_wrong_is_named_with_its_line() {
    let row = |fields: &str| format!("{HEADER}prp_A,rom_1,101,1,east,double\n{fields}\n");
    let cases: Vec<(Vec<u8>, &str, &str)> = vec![
        (Vec::new(), "line 1", "property_id"),
        (HEADER.into(), "no rooms", ""),
        (b"property_id;room_id\n1;2\n".to_vec(), "line 1", "property_id"),
        (b"property_id,room_id,number,floor,section,room_type,colour\n".to_vec(), "line 1", "colour"),
        (b"property_id,property_id,room_id,number,floor,section,room_type\n".to_vec(), "line 1", "twice"),
        (row("Chinar,rom_2,102,1,east,double").into(), "line 3", "property_id"),
        (row("prp_A,102,102,1,east,double").into(), "line 3", "room_id"),
        (row("prp_A,rom_2,,1,east,double").into(), "line 3", "number"),
        (row("prp_A,rom_2,102,ground,east,double").into(), "line 3", "floor"),
        (row("prp_A,rom_2,102,99999999999,east,double").into(), "line 3", "floor"),
        (row("prp_A,rom_2,102,1").into(), "line 3", "4 fields"),
        (row("prp_A,rom_1,102,1,east,double").into(), "line 3", "line 2 already"),
        (row("prp_A,rom_2,101,1,east,double").into(), "line 3", "line 2 already"),
        (row(&format!("prp_A,rom_2,{},1,east,double", "9".repeat(101))).into(), "line 3", "number"),
        (row("prp_A,rom_2,1\u{0}2,1,east,double").into(), "line 3", "control"),
        ([row("prp_A,rom_2,").into_bytes(), b"\xff,1,east,double\n".to_vec()].concat(), "line", "fields"),
        ([HEADER.as_bytes(), b"prp_A,rom_2,\xff,1,east,double\n"].concat(), "line 2", "UTF-8"),
    ];
    for (table, line, names) in cases {
        let shown = String::from_utf8_lossy(&table).into_owned();
        let errors = read(&table).expect_err(&shown);
        assert!(errors[0].contains(line) && errors[0].contains(names), "{shown}: {errors:?}");
    }
    let two = row("prp_A,rom_2,102,x,east,double\nprp_A,rom_3,103,y,east,double");
    assert_eq!(read(two.as_bytes()).unwrap_err().len(), 2, "all of it at once");
    let marked = format!("\u{feff}{HEADER}prp_A,rom_1,101,1,east,double\r\n");
    assert_eq!(read(marked.as_bytes()).unwrap().len(), 1, "as a spreadsheet writes it");
}

#[tokio::test]
async fn a_room_that_existed_once_exists_again_when_it_is_listed() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let table = format!("{HEADER}{},{},101,1,east,double\n", hotel.property, room.id);
    import(&hotel, &table, false).await;
    hotel.deliver(&hotel.room_archived(&room)).await;
    assert!(board(&hotel).await.is_empty());
    hotel.clock.advance_seconds(60);
    let back = Imported { rooms: 1, new: 0, changed: 1, unchanged: 0 };
    assert_eq!(import(&hotel, &table, true).await, back);
    assert!(board(&hotel).await.is_empty(), "a dry run changes nothing");
    assert_eq!(import(&hotel, &table, false).await, back);
    assert_eq!(board(&hotel).await, [("\"101\"".to_owned(), "\"dirty\"".to_owned())], "and is to be cleaned");
    assert_eq!(import(&hotel, &table, false).await, Imported { rooms: 1, new: 0, changed: 0, unchanged: 1 });
}

//! A hotel's rooms and bookings go out as the tables that come in: read again where they came from, they change nothing.

use contracts::ids::{PropertyId, TenantId};
use serde_json::json;
use server::commands::export::{Table, bookings, rooms};
use server::commands::import::{Imported, bring_in, read};
use server::commands::import_bookings::{ImportedBookings, Reading, bring_bookings};

use crate::test_hotel::TestHotel;

#[tokio::test]
async fn exported_rooms_come_back_unchanged_and_what_has_no_number_is_counted() {
    let hotel = TestHotel::open().await;
    let (house, other): (PropertyId, PropertyId) = (hotel.property.clone(), hotel.next());
    let table = format!(
        "property_id,room_id,number,floor,section,room_type\n{house},rom_1,101,1,\"west, \"\"garden\"\"\",double\n\
         {house},rom_2,102,-1,,\n{other},rom_1,101,1,east,suite\n"
    );
    let found = read(table.as_bytes()).unwrap();
    bring_in(&hotel.app.db, &hotel.tenant, &found, false, &|_, _| {}).await.unwrap();
    // Seen by a guest's departure, and described by nobody.
    let nameless = crate::test_hotel::Door { id: hotel.next(), number: String::new() };
    hotel.deliver(&hotel.checked_out(&nameless)).await;

    let all = rooms(&hotel.app.db, &hotel.tenant, None).await.unwrap();
    assert_eq!((all.lines.len(), all.left_out), (3, 1));
    let again = read(&all.csv().unwrap()).unwrap();
    let unchanged = Imported { rooms: 3, new: 0, changed: 0, unchanged: 3 };
    assert_eq!(bring_in(&hotel.app.db, &hotel.tenant, &again, true, &|_, _| {}).await.unwrap(), unchanged);

    let one: Table = rooms(&hotel.app.db, &hotel.tenant, Some(&other)).await.unwrap();
    assert_eq!(one.lines, [[other.as_str(), "rom_1", "101", "1", "east", "suite"]]);
    let stranger: TenantId = hotel.next();
    assert_eq!(rooms(&hotel.app.db, &stranger, None).await.unwrap().lines.len(), 0);
}

#[tokio::test]
async fn exported_bookings_are_known_again_by_their_reference_or_their_code() {
    let hotel = TestHotel::open().await;
    let (double, _) = hotel.sold_rooms(6).await;
    let house = hotel.property.clone();
    let file = std::env::temp_dir().join(format!("{}-exported.csv", std::process::id()));
    let bring = async |dry_run| {
        let came = bring_bookings(&hotel.app.db, &hotel.tenant, &file, &Reading::default(), dry_run, &|_, _| {}).await;
        came.map_err(|failure| failure.to_string()).unwrap()
    };
    let head = "reference,property_id,room_type_id,arrival,departure,guest_name,adults,nightly_rate,group_code";
    std::fs::write(&file, format!("{head}\nB-1,{house},{double},2026-05-01,2026-05-04,Zarmina Noori,2,75.5,WED\n"))
        .unwrap();
    assert_eq!(bring(false).await.new, 1);
    // Two rooms at the desk, a hold that is not paid, and one that was called off.
    let mut both = hotel.booking(&double, "2026-05-02", "2026-05-05");
    both["items"] = json!([both["items"][0], both["items"][0]]);
    let both = hotel.confirmed_stay(both).await;
    hotel.book(hotel.booking(&double, "2026-05-02", "2026-05-05")).await.done();
    let gone = hotel.confirmed_stay(hotel.booking(&double, "2026-05-02", "2026-05-05")).await;
    hotel.stay(&gone, "cancel", json!({ "reason": "ill", "reasonCode": "guest_cancelled" })).await.done();

    let table = bookings(&hotel.app.db, &hotel.tenant, Some(&house)).await.unwrap();
    let code = crate::test_hotel::text(&both["reservationCode"]);
    let mut references: Vec<String> = table.lines.iter().map(|line| line[0].clone()).collect();
    references.sort();
    assert_eq!(references, ["B-1".to_owned(), code.clone(), format!("{code}/2")]);
    let first = table.lines.iter().find(|line| line[0] == "B-1").unwrap();
    let told = ["B-1", house.as_str(), double.as_str(), "2026-05-01", "2026-05-04", "Zarmina Noori", "2", "0", "0"];
    assert_eq!(first[..9], told);
    assert_eq!(first[9..], ["", "", "75.5", "AFN", "phone_by_staff", "WED"]);

    std::fs::write(&file, table.csv().unwrap()).unwrap();
    let known = ImportedBookings { bookings: 3, known: 3, ..ImportedBookings::default() };
    assert_eq!(bring(true).await, known);
    let _ = std::fs::remove_file(&file);
}

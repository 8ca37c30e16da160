//! Several at once: a room that is closed while somebody books it, a guest at the desk while others are moved, one reference twice.

use axum::http::Method;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::reservation_modifications::told;
use crate::reservation_waiting::waiting_for_locks;
use crate::test_hotel::{Answer, Ask, TestHotel, text};

/// Somebody has a room type for a moment: whoever books, closes or checks in waits for it.
async fn held_type(hotel: &TestHotel, of: &contracts::ids::RoomTypeId) -> tokio_postgres::Client {
    let held = hotel.database_connection().await;
    held.batch_execute("BEGIN").await.unwrap();
    let lock = format!("SELECT FROM reservation.room_types WHERE id = '{of}' FOR NO KEY UPDATE");
    held.batch_execute(&lock).await.unwrap();
    held
}

/// The room is closed while somebody books: the booking gets the type first.
async fn closed_while_booked(
    hotel: &TestHotel,
    of: &contracts::ids::RoomTypeId,
    wish: Value,
    room: &str,
) -> (Value, Answer) {
    let held = held_type(hotel, of).await;
    let books = hotel.book(wish);
    let supervisor = async {
        waiting_for_locks(hotel, 1).await;
        let path = format!("/reservation/v1/rooms/{room}/blocks");
        hotel.post(&hotel.supervisor(), &path, json!({ "from": "2026-05-01T06:00:00Z", "reason": "water" })).await
    };
    let release = async {
        waiting_for_locks(hotel, 2).await;
        held.batch_execute("COMMIT").await.unwrap();
    };
    let (booked, closed, ()) = tokio::join!(books, supervisor, release);
    (booked.done(), closed)
}

#[tokio::test]
async fn who_books_a_room_while_it_is_closed_and_was_not_told_it_gets_another() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    let (booked, closed) = closed_while_booked(&hotel, &double, wish, doors[0].id.as_str()).await;
    assert_eq!(booked["items"][0]["roomId"], json!(doors[0].id), "it was the best there was");
    assert_eq!(closed.done()["moved"], json!([booked["reservationId"]]));
    let now = hotel.reservation(&booked).await;
    assert_eq!((&now["items"][0]["roomId"], &now["version"]), (&json!(doors[1].id), &booked["version"]), "silently");
}

#[tokio::test]
async fn who_books_a_room_by_its_number_while_it_is_closed_is_told_when_it_is_closed_again() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let mut wish = hotel.booking(&double, "2026-05-01", "2026-05-03");
    wish["items"][0]["roomId"] = json!(doors[0].id);
    let (booked, closed) = closed_while_booked(&hotel, &double, wish, doors[0].id.as_str()).await;
    closed.refused(409, "MELMASTOON.PLATFORM.CONFLICT");
    assert_eq!(hotel.count("reservation.room_blocks").await, 0, "nothing was changed");
    let path = format!("/reservation/v1/rooms/{}/blocks", doors[0].id);
    hotel.post(&hotel.supervisor(), &path, json!({ "from": "2026-05-01T06:00:00Z", "reason": "water" })).await.done();
    assert_eq!(hotel.reservation(&booked).await["items"][0]["roomId"], json!(doors[1].id));
    assert_eq!(told(&hotel.news().await, "modified")[0]["type"], "room_change");
}

#[tokio::test]
async fn a_guest_at_the_desk_is_told_the_room_that_is_written() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-04-22", "2026-04-24")).await;
    assert_eq!(stay["items"][0]["roomId"], json!(doors[0].id));
    let held = held_type(&hotel, &double).await;
    let checks_in = hotel.stay(&stay, "check-in/start", json!({}));
    let moves = async {
        waiting_for_locks(&hotel, 1).await;
        // As another booking would have done before the desk had the lock.
        let aside = format!(
            "UPDATE reservation.room_allocations SET room_id = '{0}', room_no = (SELECT room_no FROM reservation.rooms WHERE id = '{0}')",
            doors[1].id
        );
        hotel.behind.batch_execute(&aside).await.unwrap();
        held.batch_execute("COMMIT").await.unwrap();
    };
    let (there, ()) = tokio::join!(checks_in, moves);
    assert_eq!(there.done()["items"][0]["roomId"], json!(doors[1].id));
    let started = told(&hotel.news().await, "check_in_started");
    assert_eq!(started[0]["assignedRooms"][0]["roomId"], json!(doors[1].id));
}

#[tokio::test]
async fn of_several_who_book_one_reference_at_once_one_does_and_the_others_are_told_which() {
    let hotel = TestHotel::open().await;
    let ((single, _), (suite, _)) = (hotel.sold_rooms(4).await, hotel.sold_rooms(4).await);
    let books = (0..6).map(|at| {
        let mut wish = hotel.booking(if at % 2 == 0 { &single } else { &suite }, "2026-05-01", "2026-05-03");
        wish["externalReference"] = json!("OTA-1");
        wish["partnerId"] = json!("booking");
        let ask = Ask::new(Method::POST, "/reservation/v1/reservations").by(&hotel.desk()).json(&wish);
        hotel.ask(ask)
    });
    let answers = join_all(books).await;
    let (booked, refused): (Vec<Answer>, Vec<Answer>) = answers.into_iter().partition(|answer| answer.status == 201);
    assert_eq!((booked.len(), refused.len()), (1, 5));
    let known = text(&booked[0].body["reservationId"]);
    for one in refused {
        one.refused(409, "MELMASTOON.RESERVATION.DUPLICATE_REFERENCE");
        assert_eq!(text(&one.body["reservationId"]), known);
    }
    assert_eq!(hotel.count("reservation.room_allocations").await, 1);
}

#[tokio::test]
async fn whoever_was_moved_while_their_days_were_changed_stays_where_they_were_moved_to() {
    let hotel = TestHotel::open().await;
    let (double, doors) = hotel.sold_rooms(2).await;
    let stay = hotel.confirmed_stay(hotel.booking(&double, "2026-05-01", "2026-05-04")).await;
    assert_eq!(stay["items"][0]["roomId"], json!(doors[0].id));
    let held = held_type(&hotel, &double).await;
    let shorter = json!({ "type": "date_change", "stayWindow": { "start": "2026-05-01", "end": "2026-05-03" } });
    let changes = hotel.stay(&stay, "modifications", shorter);
    let moves = async {
        waiting_for_locks(&hotel, 1).await;
        let aside = format!(
            "UPDATE reservation.room_allocations SET room_id = '{0}', room_no = (SELECT room_no FROM reservation.rooms WHERE id = '{0}')",
            doors[1].id
        );
        hotel.behind.batch_execute(&aside).await.unwrap();
        held.batch_execute("COMMIT").await.unwrap();
    };
    let (answer, ()) = tokio::join!(changes, moves);
    assert_eq!(answer.done()["items"][0]["roomId"], json!(doors[1].id));
    assert_eq!(hotel.reservation(&stay).await["items"][0]["roomId"], json!(doors[1].id));
}

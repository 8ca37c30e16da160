//! An open live board ends soon after the token it was opened with was made void; others go on.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::live_stream::Live;
use crate::test_hotel::{Known, TestHotel, text};

const PIN: &str = "836251";
/// Asked every 4 seconds; what was found is believed for 5.
const SOON: Duration = Duration::from_secs(12);

async fn opened(hotel: &TestHotel, person: &Known) -> Live {
    let token = text(&hotel.sign_in(&person.code, &person.pin).await.done()["token"]);
    let mut live = Live::open_on(&hotel.app, &token, &hotel.property, None).await;
    assert_eq!(live.next().await.expect("the board").event, "board");
    live
}

#[tokio::test]
async fn a_live_board_ends_soon_after_its_token_was_made_void_and_nobody_elses_does() {
    let hotel = TestHotel::open().await;
    let manager = hotel.manager();
    let (changed, suspended) = (hotel.with_pin("Zarmina", PIN).await, hotel.with_pin("Laila", PIN).await);
    let (terminated, untouched) = (hotel.with_pin("Nasrin", PIN).await, hotel.with_pin("Gulalai", PIN).await);
    let mut ending = Vec::new();
    for person in [&changed, &suspended, &terminated] {
        ending.push(opened(&hotel, person).await);
    }
    let (mut colleague, mut leader) = (opened(&hotel, &untouched).await, Live::open(&hotel, None).await);
    assert_eq!(leader.next().await.expect("the board").event, "board");
    let of = |person: &Known| format!("/staff/v1/staff/{}", person.staff);
    hotel.post(&manager, &format!("{}/pin", of(&changed)), json!({ "pin": "564738" })).await.done();
    hotel.patch(&manager, &of(&suspended), json!({ "employmentStatus": "suspended" })).await.done();
    hotel.post(&manager, &format!("{}/terminate", of(&terminated)), json!({ "reason": "gone" })).await.done();
    // What a process believes of a token is over by then.
    hotel.clock.advance_seconds(6);
    let begun = Instant::now();
    for live in &mut ending {
        while live.next().await.is_some() {
            assert!(begun.elapsed() < SOON, "it goes on");
        }
    }
    assert!(begun.elapsed() < SOON, "after {:?}", begun.elapsed());
    // The others hear what happens next.
    let door = hotel.ready_room("101").await;
    let status = json!({ "status": "dirty", "note": "seen" });
    hotel.post(&hotel.supervisor(), &format!("/housekeeping/v1/rooms/{}/status", door.id), status).await.done();
    hotel.drain().await;
    for live in [&mut colleague, &mut leader] {
        assert_eq!(live.next().await.expect("still open").event, "change");
    }
}

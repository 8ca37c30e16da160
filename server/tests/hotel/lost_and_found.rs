//! What guests leave behind: recorded, claimed, given back; or nobody comes for it.

use futures_util::future::join_all;
use serde_json::json;

use crate::test_hotel::{TestHotel, text};

const ILLEGAL: &str = "MELMASTOON.HOUSEKEEPING.LOST_ITEM_ILLEGAL_TRANSITION";

fn told(verb: &str) -> String {
    format!("melmastoon.housekeeping.lost_item.{verb}.v1")
}

#[tokio::test]
async fn a_found_thing_is_claimed_and_given_back() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let words = " ساعت مچی «Seiko»\n\t– 2× \u{1F550} <b>&amp;</b> ' \" \\ ";
    let body = json!({
        "propertyId": hotel.property, "roomId": room.id, "description": words, "photoMediaIds": ["med_1", "med_2"],
        "storageLocation": "desk, drawer 3", "reservationId": "rsv_1",
    });
    let made = hotel.post(&hotel.front_desk(), "/housekeeping/v1/lost-and-found", body).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let watch = text(&made.body["id"]);
    assert_eq!(made.header("location"), Some(format!("/housekeeping/v1/lost-and-found/{watch}").as_str()));
    let news = hotel.news().await;
    assert_eq!((&news[0]["subject"], &news[0]["payload"]["description"]), (&json!(told("recorded")), &json!(words)));
    assert_eq!(news[0]["payload"]["finderStaffId"], "stf_DESK");

    hotel.lost_item(&watch, "return", json!({})).await.refused(409, ILLEGAL).naming("recorded");
    let claim = json!({ "claimantName": "احمد ظاهر ", "claimantPhone": "+93 700 000 001" });
    let matched = hotel.lost_item(&watch, "match", claim).await.done();
    assert_eq!((&matched["status"], &matched["matchedByStaff"]), (&json!("matched"), &json!("stf_DESK")));
    let news = hotel.news().await;
    assert_eq!(
        (&news[0]["subject"], &news[0]["payload"]["claimantName"]),
        (&json!(told("matched")), &json!("احمد ظاهر "))
    );
    let returned = hotel.lost_item(&watch, "return", json!({})).await.done();
    assert_eq!((&returned["status"], &returned["claimantName"]), (&json!("returned"), &json!("احمد ظاهر ")));
    assert_eq!(hotel.published().await, Vec::<String>::new(), "no specification has an event for it");
    let on_record = "housekeeping.audit_events WHERE subject = 'housekeeping.lost_item.returned'";
    assert_eq!(hotel.count(on_record).await, 1);
    for verb in ["match", "return", "dispose"] {
        let body = json!({ "claimantName": "Z", "method": "trashed" });
        let refused = hotel.lost_item(&watch, verb, body).await;
        refused.refused(409, ILLEGAL).naming("returned");
        assert_eq!(refused.body["currentStatus"], "returned");
    }
    let shown = hotel.get(&hotel.front_desk(), &format!("/housekeeping/v1/lost-and-found/{watch}")).await.done();
    assert_eq!((shown["description"].as_str(), &shown["version"]), (Some(words), &json!(3)), "byte for byte");
}

#[tokio::test]
async fn what_is_recorded_or_claimed_can_be_disposed_of_and_once() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let (sock, hat) = (hotel.found(&room, "a sock").await, hotel.found(&room, "a hat").await);
    hotel.lost_item(&hat, "match", json!({ "claimantName": "Laila" })).await.done();
    hotel.published().await;
    hotel.lost_item(&sock, "dispose", json!({ "method": "trashed", "note": "torn" })).await.done();
    let news = hotel.news().await;
    let payload = &news[0]["payload"];
    assert_eq!(
        (&news[0]["subject"], &payload["method"], &payload["note"]),
        (&json!(told("disposed")), &json!("trashed"), &json!("torn"))
    );
    let disposed = hotel.lost_item(&hat, "dispose", json!({ "method": "kept_storage" })).await.done();
    assert_eq!((&disposed["disposeMethod"], &disposed["claimantName"]), (&json!("kept_storage"), &json!("Laila")));
    hotel.lost_item(&sock, "dispose", json!({ "method": "donated" })).await.refused(409, ILLEGAL);
    hotel.lost_item(&sock, "match", json!({ "claimantName": "Z" })).await.refused(409, ILLEGAL);
    let found = async |query: &str| {
        let path = format!("/housekeeping/v1/lost-and-found?propertyId={}{query}", hotel.property);
        hotel.get(&hotel.supervisor(), &path).await.done()["items"].as_array().unwrap().len()
    };
    hotel.found(&room, "a glove").await;
    assert_eq!((found("").await, found("&status=disposed").await, found("&status=recorded,matched").await), (3, 2, 1));
}

#[tokio::test]
async fn of_several_who_claim_a_thing_at_once_one_has_it() {
    let hotel = TestHotel::open().await;
    let ring = hotel.found(&hotel.ready_room("101").await, "a ring").await;
    let claims = (0..12).map(|n| hotel.lost_item(&ring, "match", json!({ "claimantName": format!("Claimant {n}") })));
    let answers = join_all(claims).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!(won.len(), 1);
    for answer in lost {
        answer.refused(409, ILLEGAL).naming("matched");
    }
    let shown = hotel.get(&hotel.front_desk(), &format!("/housekeeping/v1/lost-and-found/{ring}")).await.done();
    assert_eq!(shown["claimantName"], won[0].body["claimantName"]);
    let told: Vec<_> = hotel.published().await.into_iter().filter(|subject| subject.ends_with("matched.v1")).collect();
    assert_eq!(told.len(), 1);
}

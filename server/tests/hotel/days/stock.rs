//! Linen is counted, something is found and claimed.

use serde_json::json;

use crate::test_hotel::TestHotel;

pub(super) async fn tell(hotel: &TestHotel) {
    let (supervisor, desk) = (hotel.supervisor(), hotel.front_desk());
    let property = hotel.property.clone();
    let towels = hotel.linen("bath_towel", 120, 40).await;
    for (verb, count) in [("issue", 24), ("return", 20), ("adjust", -2)] {
        hotel.move_linen(&towels, verb, count).await.done();
    }
    hotel.get(&supervisor, &format!("/housekeeping/v1/linen?propertyId={property}")).await.done();
    let line = format!("/housekeeping/v1/linen/{towels}");
    hotel.get(&supervisor, &line).await.done();
    hotel.patch(&supervisor, &line, json!({ "lowWatermark": 60 })).await.done();
    hotel.get(&supervisor, &format!("{line}/movements")).await.done();

    let room = hotel.ready_room("201").await;
    let body = json!({
        "propertyId": property, "roomId": room.id, "description": "a silver watch, under the bed",
        "storageLocation": "desk, drawer 3", "photoMediaIds": ["med_01"],
    });
    let watch = crate::test_hotel::text(&hotel.post(&desk, "/housekeeping/v1/lost-and-found", body).await.done()["id"]);
    hotel.get(&desk, &format!("/housekeeping/v1/lost-and-found?propertyId={property}&status=recorded")).await.done();
    hotel.get(&desk, &format!("/housekeeping/v1/lost-and-found/{watch}")).await.done();
    let claim = json!({ "claimantName": "Laila Karimi", "claimantPhone": "+93 700 000 001" });
    hotel.lost_item(&watch, "match", claim).await.done();
    hotel.lost_item(&watch, "return", json!({})).await.done();
    let sock = hotel.found(&room, "a sock").await;
    hotel.lost_item(&sock, "dispose", json!({ "method": "trashed", "note": "torn" })).await.done();

    let lists = hotel.get(&supervisor, "/housekeeping/v1/checklists?kind=mid_stay_clean").await.done();
    let id = crate::test_hotel::text(&lists["items"][0]["id"]);
    hotel.get(&supervisor, &format!("/housekeeping/v1/checklists/{id}")).await.done();
    let next = json!({ "kind": "mid_stay_clean", "items": lists["items"][0]["items"] });
    hotel.post(&hotel.manager(), "/housekeeping/v1/checklists", next).await.done();
    let path = format!("/housekeeping/v1/stats/turnover?propertyId={property}&from=2026-04-22&to=2026-04-22");
    hotel.get(&supervisor, &path).await.done();
}

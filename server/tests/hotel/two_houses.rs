//! Two houses of one company may have rooms of the same id: each is reached by who works there, and who works in both says which.

use contracts::ids::{PropertyId, ReservationId};
use platform::auth::Role;
use serde_json::json;

use crate::test_hotel::{Door, TestHotel};

async fn the_same_room_in(hotel: &TestHotel, house: &PropertyId, door: &Door) {
    let stay: ReservationId = hotel.next();
    hotel.deliver(&hotel.checked_in(&stay, &[door]).with("/payload/propertyId", json!(house))).await;
}

#[tokio::test]
async fn a_room_is_the_one_of_the_house_that_the_caller_speaks_for_or_names() {
    let hotel = TestHotel::open().await;
    let (door, other): (_, PropertyId) = (hotel.ready_room("301").await, hotel.next());
    the_same_room_in(&hotel, &other, &door).await;
    let (here, there) = (
        hotel.token_for_property(Role::Supervisor, &hotel.property),
        hotel.token_for_property(Role::Supervisor, &other),
    );
    let path = format!("/housekeeping/v1/rooms/{}", door.id);
    let shown = hotel.get(&here, &path).await.done();
    assert_eq!((&shown["propertyId"], &shown["occupancy"]), (&json!(hotel.property), &json!("vacant")));
    let shown = hotel.get(&there, &path).await.done();
    assert_eq!((&shown["propertyId"], &shown["occupancy"]), (&json!(other), &json!("occupied")));
    hotel.get(&there, &format!("{path}/history")).await.done();
    hotel.post(&there, &format!("{path}/status"), json!({ "status": "dirty" })).await.done();
    hotel.post(&there, &format!("{path}/occupancy"), json!({ "observed": "occupied" })).await.done();
    let block = hotel.post(&there, &format!("{path}/block"), json!({ "reason": "oos" })).await.done();
    assert_eq!(hotel.get(&there, &path).await.done()["blocks"].as_array().unwrap().len(), 1);
    assert_eq!(hotel.get(&here, &path).await.done()["blocks"], json!([]), "the other house's");
    // Who speaks for both says which.
    let both = hotel.supervisor();
    let unclear = hotel.get(&both, &path).await;
    assert_eq!((unclear.status, unclear.body["field"].as_str()), (400, Some("propertyId")), "{unclear:?}");
    for house in [&hotel.property, &other] {
        let shown = hotel.get(&both, &format!("{path}?propertyId={house}")).await.done();
        assert_eq!(shown["propertyId"], json!(house));
    }
    let lift = format!("{path}/block/{}?propertyId={other}", block["id"].as_str().unwrap());
    assert_eq!(hotel.get(&both, &lift).await.done()["reason"], "oos");
    hotel
        .post(&both, &format!("{path}/status?propertyId={}", hotel.property), json!({ "status": "clean" }))
        .await
        .done();
    assert_eq!(hotel.get(&there, &path).await.done()["status"], "out_of_order");
    assert_eq!(hotel.get(&here, &path).await.done()["status"], "clean");
    assert_eq!(hotel.get(&here, &format!("{path}?propertyId={other}")).await.status, 403);
}

//! A room is blocked and comes back, something is broken, a guest lets nobody in, the desk and housekeeping disagree.

use contracts::housekeeping::TaskKind;
use serde_json::json;

use crate::test_hotel::{TestHotel, text};

pub(super) async fn tell(hotel: &TestHotel) {
    let (room, gulalai) = (hotel.ready_room("201").await, hotel.person_on_shift().await);
    let (supervisor, hers, desk) = (hotel.supervisor(), hotel.housekeeper(&gulalai), hotel.front_desk());
    let block = json!({ "reason": "oos", "blockedUntil": "2026-05-01T06:00:00Z", "note": "painted" });
    let block = hotel.block(&room, block).await;
    hotel.get(&supervisor, block.header("location").unwrap()).await.done();
    let block = block.done();
    hotel.unblock(&room, &text(&block["id"])).await.done();
    let seen = format!("/housekeeping/v1/rooms/{}/occupancy", room.id);
    let seen = hotel.post(&hers, &seen, json!({ "observed": "occupied", "note": "a suitcase" })).await.done();
    hotel.get(&desk, &format!("/housekeeping/v1/discrepancies?propertyId={}", hotel.property)).await.done();
    let resolve = format!("/housekeeping/v1/discrepancies/{}/resolve", text(&seen["discrepancy"]["id"]));
    hotel.post(&desk, &resolve, json!({ "resolution": "guest_moved", "note": "from 202" })).await.done();
    let task = hotel.task_for(&room, TaskKind::DeepClean).await;
    hotel.assign(&task, &gulalai).await;
    hotel.command(&hers, &task, "attempt", json!({ "reason": "do_not_disturb" })).await.done();
    hotel
        .command(&hers, &task, "escalate", json!({ "to": { "role": "supervisor" }, "reason": "nobody opens" }))
        .await
        .done();
    hotel.start(&task, &gulalai).await;
    let issue = json!({ "category": "plumbing", "severity": "blocking", "description": "the tap leaks" });
    let broken = json!({ "issue": issue, "outcome": "convert_terminal" });
    hotel.command(&hers, &task, "maintenance-required", broken).await.done();
    hotel.deliver(&hotel.work_order_completed("wo-1", &room)).await;
    hotel.get(&supervisor, &format!("/housekeeping/v1/rooms/{}", room.id)).await.done();
}

//! Guests leave, rooms are cleaned and inspected, a plan is made and decided on.

use contracts::housekeeping::TaskKind;
use serde_json::json;

use crate::test_hotel::{TestHotel, text, whole_report};

pub(super) async fn tell(hotel: &TestHotel) {
    let (supervisor, manager, service) = (hotel.supervisor(), hotel.manager(), hotel.service());
    let property = hotel.property.clone();
    let (one, two) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    let gulalai = hotel.person_on_shift().await;
    for door in [&one, &two] {
        hotel.deliver(&hotel.checked_out(door)).await;
    }
    hotel.get(&supervisor, &format!("/housekeeping/v1/board?propertyId={property}")).await.done();
    let work = hotel.open_task(&one).await;
    let plan = hotel.suggest().await.done();
    let what_if = json!({ "propertyId": property, "taskId": work, "staffId": gulalai });
    hotel.post(&supervisor, "/housekeeping/v1/routing/what-if", what_if).await.done();
    hotel.get(&supervisor, &format!("/housekeeping/v1/routing/suggestions?propertyId={property}")).await.done();
    hotel.get(&supervisor, &format!("/housekeeping/v1/routing/suggestions/{}", text(&plan["id"]))).await.done();
    hotel.decide(&plan, "approve", json!({ "rows": [work] })).await.done();
    hotel.decide(&plan, "reject", json!({})).await.done();
    let other = hotel.open_task(&two).await;
    hotel.assign(&other, &gulalai).await;
    hotel
        .patch(&supervisor, &format!("/housekeeping/v1/tasks/{other}/priority"), json!({ "priority": "high" }))
        .await
        .done();
    hotel.start(&work, &gulalai).await;
    let hers = hotel.housekeeper(&gulalai);
    hotel.command(&hers, &work, "pause", json!({ "reason": "awaiting_linen", "note": "two sheets" })).await.done();
    hotel.clock.advance_seconds(300);
    hotel.command(&hers, &work, "resume", json!({})).await.done();
    hotel.clock.advance_seconds(1_800);
    hotel.command(&hers, &work, "complete", whole_report(TaskKind::Turnover)).await.done();
    let passed = hotel.command(&supervisor, &work, "inspections", json!({ "outcome": "pass" })).await;
    hotel.get(&supervisor, passed.header("location").unwrap()).await.done();
    hotel.command(&hers, &other, "fail", json!({ "reason": "room_not_vacated" })).await.done();
    let by_hand = hotel.task_for(&one, TaskKind::DeepClean).await;
    hotel.command(&supervisor, &by_hand, "cancel", json!({ "reason": "the guest stays in" })).await.done();
    for path in [format!("tasks?roomId={}", one.id), format!("tasks/{work}"), format!("tasks/{work}/history")] {
        hotel.get(&supervisor, &format!("/housekeeping/v1/{path}")).await.done();
    }
    for path in
        [format!("rooms?propertyId={property}"), format!("rooms/{}", one.id), format!("rooms/{}/history", one.id)]
    {
        hotel.get(&supervisor, &format!("/housekeeping/v1/{path}")).await.done();
    }
    let broken = json!({ "status": "out_of_service", "note": "painted until Thursday" });
    hotel.post(&supervisor, &format!("/housekeeping/v1/rooms/{}/status", two.id), broken).await.done();
    hotel.get(&supervisor, "/housekeeping/v1/checklists?kind=inspection").await.done();
    let settings = hotel.get(&manager, "/housekeeping/v1/settings").await.done();
    hotel.put(&manager, "/housekeeping/v1/settings", settings).await.done();
    hotel.drain().await;
    hotel.get(&service, "/events/v1/feed?limit=2").await.done();
}

//! Two people clean one room.

use contracts::housekeeping::TaskKind;
use serde_json::json;

use crate::test_hotel::TestHotel;

pub(super) async fn tell(hotel: &TestHotel) {
    let (gulalai, nasrin) = (hotel.person_on_shift().await, hotel.person_on_shift().await);
    let room = hotel.room("305", "dirty").await;
    let task = hotel.task_for(&room, TaskKind::DeepClean).await;
    hotel.assign(&task, &gulalai).await;
    hotel.command(&hotel.supervisor(), &task, "helpers", json!({ "staffId": nasrin })).await.done();
    let path = format!("/housekeeping/v1/tasks/{task}/helpers/{nasrin}");
    hotel.delete(&hotel.supervisor(), &path).await.done();
}

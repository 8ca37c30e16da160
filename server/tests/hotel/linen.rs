//! Linen goes out and comes back; what is on hand is what the movements say, whoever comes at the same time.

use contracts::housekeeping::TaskKind;
use futures_util::future::join_all;
use serde_json::json;

use crate::test_hotel::{Ask, TestHotel, text};

const LOW: &str = "melmastoon.housekeeping.linen.low_stock_alert.v1";
const OUT_OF_STOCK: &str = "MELMASTOON.HOUSEKEEPING.LINEN_OUT_OF_STOCK";

/// Invariant nine: what is on hand is the sum of the movements, and never less than nothing.
pub(crate) async fn on_hand_is_the_sum_of_the_movements(hotel: &TestHotel) {
    let sql = "SELECT count(*) FROM housekeeping.linen_inventory l WHERE l.on_hand < 0 OR l.on_hand <>
                 l.carried_over + (SELECT coalesce(sum(CASE direction WHEN 'issue' THEN -count ELSE count END), 0)
                  FROM housekeeping.linen_movements m WHERE m.line_id = l.id AND m.tenant_id = l.tenant_id)";
    let wrong: i64 = hotel.behind.query_one(sql, &[]).await.unwrap().get(0);
    assert_eq!(wrong, 0, "lines whose stock is not the sum of their movements");
}

#[tokio::test]
async fn linen_goes_out_comes_back_and_is_counted_anew() {
    let hotel = TestHotel::open().await;
    let towels = hotel.linen("bath_towel", 40, 0).await;
    assert_eq!(hotel.move_linen(&towels, "issue", 12).await.done()["onHand"], 28);
    assert_eq!(hotel.move_linen(&towels, "return", 5).await.done()["onHand"], 33);
    assert_eq!(hotel.move_linen(&towels, "adjust", -3).await.done()["onHand"], 30);
    assert_eq!(hotel.move_linen(&towels, "adjust", 10).await.done()["onHand"], 40);
    let refused = hotel.move_linen(&towels, "issue", 41).await;
    refused.refused(409, OUT_OF_STOCK).naming("40");
    assert_eq!(refused.body["onHand"], 40);
    hotel.move_linen(&towels, "adjust", -41).await.refused(409, OUT_OF_STOCK);
    assert_eq!(hotel.move_linen(&towels, "issue", 40).await.done()["onHand"], 0);
    on_hand_is_the_sum_of_the_movements(&hotel).await;
    let path = format!("/housekeeping/v1/linen?propertyId={}", hotel.property);
    let listed = hotel.get(&hotel.supervisor(), &path).await.done();
    assert_eq!(listed["items"][0]["line"], "bath_towel");
    let audited = "housekeeping.audit_events WHERE aggregate_kind = 'linen' AND actor ->> 'id' = 'stf_SUPERVISOR'";
    assert_eq!(hotel.count(audited).await, 6, "who did what is on record");
    assert_eq!(hotel.published().await, Vec::<String>::new(), "and nobody else is told");
}

#[tokio::test]
async fn what_is_too_few_can_be_said_anew_and_every_movement_is_looked_up() {
    let hotel = TestHotel::open().await;
    let sheets = hotel.linen("sheets", 20, 5).await;
    let path = format!("/housekeeping/v1/linen/{sheets}");
    let (boss, mark) = (hotel.supervisor(), |mark: i32| json!({ "lowWatermark": mark }));
    assert_eq!(hotel.patch(&boss, &path, mark(20)).await.done()["lowWatermark"], 20);
    assert_eq!(hotel.published().await, Vec::<String>::new(), "twenty are not fewer than twenty");
    let set = hotel.patch(&boss, &path, mark(21)).await.done();
    assert_eq!((&set["lowWatermark"], &set["onHand"], &set["version"]), (&json!(21), &json!(20), &json!(4)));
    assert_eq!(hotel.published().await, [LOW]);
    assert_eq!(hotel.patch(&boss, &path, mark(21)).await.done()["version"], 4, "it is so already");
    let stale = Ask::new(axum::http::Method::PATCH, path.clone()).by(&boss).header("if-match", "\"2\"").json(&mark(1));
    hotel.ask(stale).await.refused(412, "MELMASTOON.HOUSEKEEPING.STALE_VERSION");
    let another = hotel.token_for_property(platform::auth::Role::Supervisor, &hotel.next());
    hotel.patch(&another, &path, mark(1)).await.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    for (verb, count) in [("issue", 3), ("return", 1), ("adjust", -2)] {
        hotel.move_linen(&sheets, verb, count).await.done();
    }
    let page = hotel.get(&boss, &format!("{path}/movements?limit=3")).await.done();
    let said = |page: &serde_json::Value| -> Vec<(String, i64)> {
        let items = page["items"].as_array().unwrap().iter();
        items.map(|one| (text(&one["direction"]), one["count"].as_i64().unwrap())).collect()
    };
    let moved = |direction: &str, count| (direction.to_owned(), count);
    assert_eq!(said(&page), [moved("adjust", -2), moved("return", 1), moved("issue", 3)]);
    assert_eq!(page["items"][0]["actor"]["id"], "stf_SUPERVISOR");
    let next = format!("{path}/movements?limit=3&cursor={}", text(&page["nextCursor"]));
    let first = hotel.get(&boss, &next).await.done();
    assert_eq!(said(&first), [moved("adjust", 20)], "the first count is a movement");
    assert_eq!(first["nextCursor"], serde_json::Value::Null);
    hotel.get(&another, &format!("{path}/movements")).await.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    on_hand_is_the_sum_of_the_movements(&hotel).await;
}

#[tokio::test]
async fn a_line_is_counted_once_a_house_even_when_two_begin_at_once() {
    let hotel = TestHotel::open().await;
    let body = json!({ "propertyId": hotel.property, "line": "sheets", "onHand": 1, "lowWatermark": 0 });
    let supervisor = hotel.supervisor();
    let answers = join_all((0..6).map(|_| hotel.post(&supervisor, "/housekeeping/v1/linen", body.clone()))).await;
    let (made, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
    assert_eq!(made.len(), 1);
    for answer in refused {
        answer.refused(409, "MELMASTOON.HOUSEKEEPING.LINEN_LINE_EXISTS").naming("sheets");
    }
    assert_eq!(hotel.count("housekeeping.linen_movements").await, 1, "the first count is a movement");
    on_hand_is_the_sum_of_the_movements(&hotel).await;
}

#[tokio::test]
async fn of_sixty_four_who_take_linen_at_once_as_many_get_some_as_there_is() {
    let hotel = TestHotel::open().await;
    let sheets = hotel.linen("sheets", 100, 0).await;
    let answers = join_all((0..64).map(|_| hotel.move_linen(&sheets, "issue", 3))).await;
    let mut left: Vec<i64> = Vec::new();
    for answer in &answers {
        match answer.status {
            200 => left.push(answer.body["onHand"].as_i64().unwrap()),
            _ => drop(answer.refused(409, OUT_OF_STOCK)),
        }
    }
    left.sort_unstable();
    let expected: Vec<i64> = (0..33).map(|n| 1 + 3 * n).collect();
    assert_eq!(left, expected, "each who got some was told of their own stock");
    assert_eq!(hotel.on_hand(&sheets).await, 1);
    on_hand_is_the_sum_of_the_movements(&hotel).await;
}

#[tokio::test]
async fn that_linen_runs_low_is_told_once_an_hour_for_each_line() {
    let hotel = TestHotel::open().await;
    let (towels, sheets) = (hotel.linen("towels", 50, 10).await, hotel.linen("sheets", 50, 10).await);
    hotel.move_linen(&towels, "issue", 40).await.done();
    assert_eq!(hotel.published().await, Vec::<String>::new(), "ten are not fewer than ten");
    join_all((0..5).map(|_| hotel.move_linen(&towels, "issue", 1))).await;
    let news = hotel.news().await;
    assert_eq!(news.len(), 1, "{news:?}");
    assert_eq!((&news[0]["subject"], &news[0]["payload"]["line"]), (&json!(LOW), &json!("towels")));
    assert_eq!((&news[0]["payload"]["onHand"], &news[0]["payload"]["lowWatermark"]), (&json!(9), &json!(10)));
    hotel.move_linen(&sheets, "issue", 45).await.done();
    assert_eq!(hotel.published().await, [LOW], "another line is another matter");
    hotel.clock.advance_seconds(59 * 60 + 59);
    hotel.move_linen(&towels, "issue", 1).await.done();
    assert_eq!(hotel.published().await, Vec::<String>::new());
    hotel.clock.advance_seconds(1);
    hotel.move_linen(&towels, "return", 1).await.done();
    assert_eq!(hotel.published().await, Vec::<String>::new(), "what comes back is no bad news");
    hotel.move_linen(&towels, "issue", 1).await.done();
    assert_eq!(hotel.published().await, [LOW]);
}

#[tokio::test]
async fn linen_is_taken_for_a_task_of_the_same_house_and_by_whoever_has_seen_its_present_version() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let task = hotel.task_for(&room, TaskKind::DeepClean).await;
    let sheets = hotel.linen("sheets", 10, 0).await;
    let path = format!("/housekeeping/v1/linen/{sheets}/issue");
    let gulalai = hotel.person_on_shift().await;
    let hers = hotel.housekeeper(&gulalai);
    hotel.post(&hers, &path, json!({ "count": 2, "taskId": task, "note": "king size" })).await.done();
    let kept = format!("housekeeping.linen_movements WHERE task_id = '{task}' AND actor ->> 'id' = '{gulalai}'");
    assert_eq!(hotel.count(&kept).await, 1);
    let nowhere = json!({ "count": 2, "taskId": hotel.next::<contracts::ids::TaskId>() });
    hotel.post(&hers, &path, nowhere).await.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    let elsewhere =
        json!({ "propertyId": hotel.next::<contracts::ids::PropertyId>(), "roomId": room.id, "kind": "deep_clean" });
    let other = text(&hotel.post(&hotel.supervisor(), "/housekeeping/v1/tasks", elsewhere).await.done()["id"]);
    hotel
        .post(&hers, &path, json!({ "count": 2, "taskId": other }))
        .await
        .refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    let stale = Ask::post(&path).by(&hers).header("if-match", "\"1\"").json(&json!({ "count": 1 }));
    hotel.ask(stale).await.refused(412, "MELMASTOON.HOUSEKEEPING.STALE_VERSION");
    let twice = || Ask::post(&path).by(&hers).key("once").json(&json!({ "count": 1 }));
    assert_eq!(hotel.ask(twice()).await.done()["onHand"], 7);
    assert_eq!(hotel.ask(twice()).await.done()["onHand"], 7, "the same request again takes nothing");
    on_hand_is_the_sum_of_the_movements(&hotel).await;
}

#[tokio::test]
async fn what_a_housekeeper_reports_is_counted_on_the_line_that_the_hotel_has_named() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let sheets = hotel.linen("sheets", 10, 0).await;
    let clean = async |number: &str, issued: i32, returned: i32| {
        let room = hotel.ready_room(number).await;
        let task = hotel.task_for(&room, TaskKind::DeepClean).await;
        hotel.begin(&task, &gulalai).await;
        let mut report = crate::test_hotel::whole_report(TaskKind::DeepClean);
        report["linen"] = json!({ "issued": issued, "returned": returned });
        hotel.command(&hotel.housekeeper(&gulalai), &task, "complete", report).await.done();
    };
    clean("101", 4, 1).await;
    assert_eq!(hotel.on_hand(&sheets).await, 10, "no line was named");
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "linenLine": "sheets" })).await.done();
    clean("102", 4, 1).await;
    assert_eq!(hotel.on_hand(&sheets).await, 7);
    clean("103", 20, 0).await;
    assert_eq!(hotel.on_hand(&sheets).await, 0, "the room is cleaned, whatever was counted");
    on_hand_is_the_sum_of_the_movements(&hotel).await;
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "linenLine": "curtains" })).await.done();
    clean("104", 4, 1).await;
    assert_eq!(hotel.on_hand(&sheets).await, 0, "a line that the house does not count is not counted");
}

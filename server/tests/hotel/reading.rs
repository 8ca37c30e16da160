//! What people look at: the board, lists, histories, settings.

use axum::http::Method;
use contracts::housekeeping::TaskKind;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, TestHotel};

#[tokio::test]
async fn a_board_that_has_not_changed_is_not_sent_again() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let board = |tag: Option<&str>| {
        let ask = Ask::get(format!("/housekeeping/v1/board?propertyId={}", hotel.property)).by(&hotel.supervisor());
        match tag {
            Some(tag) => ask.header("if-none-match", tag),
            None => ask,
        }
    };
    let first = hotel.ask(board(None)).await;
    let tag = first.header("etag").unwrap().to_owned();
    assert_eq!(first.body["etag"], tag.as_str());
    hotel.clock.advance_seconds(60);
    let same = hotel.ask(board(Some(&tag))).await;
    assert_eq!((same.status, same.text.as_str()), (304, ""));
    for same in [format!("W/{tag}"), format!("\"{}\", {tag}", "0".repeat(32)), format!(" , {tag} ,"), "*".to_owned()] {
        assert_eq!(hotel.ask(board(Some(&same))).await.status, 304, "{same}");
    }
    for other in ["", "\"", "\"bananas\"", "W/", "bananas", tag.trim_matches('"')] {
        assert_eq!(hotel.ask(board(Some(other))).await.status, 200, "{other}");
    }
    hotel.deliver(&hotel.checked_out(&room)).await;
    let changed = hotel.ask(board(Some(&tag))).await;
    assert_eq!(changed.status, 200);
    assert_ne!(changed.header("etag"), Some(tag.as_str()));
}

#[tokio::test]
async fn the_board_shows_who_is_at_what_until_when_and_what_is_neglected() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let (room, other) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    hotel.deliver(&hotel.checked_out(&room)).await;
    hotel.deliver(&hotel.checked_out(&other)).await;
    let (task, urgent) = (hotel.open_task(&room).await, hotel.open_task(&other).await);
    hotel.begin(&task, &gulalai).await;
    let path = format!("/housekeeping/v1/tasks/{urgent}/priority");
    hotel.patch(&hotel.supervisor(), &path, json!({ "priority": "urgent" })).await.done();

    let board = hotel.board().await.0;
    assert_eq!(board["rooms"][0]["openTask"]["assigneeStaffId"], gulalai.as_str());
    assert_eq!(
        board["rooms"][0]["readyEtaAt"], "2026-04-22T07:28:00.000Z",
        "fifty minutes for a turnover, eight for the inspection"
    );
    assert_eq!((&board["staff"][0]["activeTaskId"], &board["staff"][0]["loadMinutes"]), (&json!(task), &json!(50)));
    assert_eq!(board["alerts"], json!([]));
    hotel.clock.advance_seconds(5 * 60);
    assert_eq!(
        hotel.board().await.0["alerts"][0]["taskId"],
        urgent.as_str(),
        "urgent for five minutes and nobody has begun"
    );
}

#[tokio::test]
async fn a_dirty_room_that_nobody_is_to_clean_is_told_until_somebody_is_or_a_guest_lives_there() {
    let hotel = TestHotel::open().await;
    let (room, lived_in) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    hotel.deliver(&hotel.checked_in(&hotel.next(), &[&lived_in])).await;
    for door in [&room, &lived_in] {
        let path = format!("/housekeeping/v1/rooms/{}/status", door.id);
        hotel.post(&hotel.supervisor(), &path, json!({ "status": "dirty" })).await.done();
    }
    let told = async || -> Vec<Value> {
        let alerts = hotel.board().await.0["alerts"].clone();
        let of = |alert: &&Value| alert["code"] == "dirty_without_work";
        alerts.as_array().unwrap().iter().filter(of).map(|alert| alert["roomId"].clone()).collect()
    };
    assert_eq!(told().await, [json!(room.id)], "whoever lives there has it cleaned while they stay");
    let task = hotel.task_for(&room, TaskKind::DeepClean).await;
    assert_eq!(told().await, Vec::<Value>::new());
    hotel.command(&hotel.supervisor(), &task, "cancel", json!({ "reason": "no" })).await.done();
    assert_eq!(told().await, [json!(room.id)]);
}

#[tokio::test]
async fn a_persons_own_board_does_not_say_that_nobody_is_to_clean_what_others_clean() {
    let hotel = TestHotel::open().await;
    let (gulalai, zarmina) = (hotel.person_on_shift().await, hotel.person_on_shift().await);
    let (room, forgotten) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    for door in [&room, &forgotten] {
        hotel.deliver(&hotel.checked_out(door)).await;
        let task = hotel.open_task(door).await;
        hotel.begin(&task, &gulalai).await;
        let broken = json!({ "reason": "other", "note": "the water is off" });
        hotel.command(&hotel.housekeeper(&gulalai), &task, "fail", broken).await.done();
    }
    for again in hotel.open_tasks(&forgotten).await {
        let path = crate::test_hotel::text(&again["id"]);
        hotel.command(&hotel.supervisor(), &path, "cancel", json!({ "reason": "no" })).await.done();
    }
    if hotel.open_tasks(&room).await.is_empty() {
        hotel.task_for(&room, TaskKind::Turnover).await;
    }
    hotel.assign(&hotel.open_task(&room).await, &zarmina).await;
    let path = format!("/housekeeping/v1/board?propertyId={}&staffId={gulalai}", hotel.property);
    let board = hotel.get(&hotel.supervisor(), &path).await.done();
    let dirty: Vec<&Value> = board["alerts"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|alert| alert["code"] == "dirty_without_work")
        .map(|alert| &alert["roomId"])
        .collect();
    assert!(board["rooms"].as_array().unwrap().iter().any(|one| one["roomId"] == json!(room.id)), "{board}");
    assert_eq!(dirty, [&json!(forgotten.id)], "{board}");
}

#[tokio::test]
async fn tasks_are_found_by_what_is_asked_for() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let (room, other) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    let early = hotel.task_for(&room, TaskKind::DeepClean).await;
    hotel.clock.advance_seconds(60);
    let late = hotel.task_for(&other, TaskKind::MidStayClean).await;
    hotel.assign(&late, &gulalai).await;
    let found = async |query: &str| -> Vec<String> {
        let page = hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/tasks?{query}")).await.done();
        page["items"].as_array().unwrap().iter().map(|item| crate::test_hotel::text(&item["id"])).collect()
    };
    let (both, first, second) = (vec![early.clone(), late.clone()], vec![early], vec![late]);
    assert_eq!(found("").await, both);
    assert_eq!(found(&format!("propertyId={}", hotel.property)).await, both);
    assert_eq!(found(&format!("roomId={}", room.id)).await, first);
    assert_eq!(found("status=pending").await, first);
    assert_eq!(found("status=assigned,in_progress").await, second);
    assert_eq!(found("kind=mid_stay_clean").await, second);
    assert_eq!(found(&format!("assigneeStaffId={gulalai}")).await, second);
    assert_eq!(found("updatedSince=2026-04-22T06:30:01Z").await, second);
    assert_eq!(found("propertyId=prp_ELSEWHERE").await, Vec::<String>::new());
}

#[tokio::test]
async fn the_history_of_a_room_goes_back_to_any_moment() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let path = format!("/housekeeping/v1/rooms/{}", room.id);
    for status in ["dirty", "out_of_order", "clean"] {
        hotel.post(&hotel.supervisor(), &format!("{path}/status"), json!({ "status": status })).await.done();
        hotel.clock.advance_seconds(3_600);
    }
    let until = async |at: &str| -> Value {
        hotel.get(&hotel.supervisor(), &format!("{path}/history?at={at}")).await.done()["items"].clone()
    };
    let items = until("2026-04-22T07:45:00Z").await;
    assert_eq!(items.as_array().unwrap().len(), 2);
    assert_eq!((&items[0]["status"], &items[0]["at"]), (&json!("out_of_order"), &json!("2026-04-22T07:30:00.000Z")));
    assert_eq!(until("2026-04-22T06:00:00Z").await, json!([]));
    let shown = hotel.get(&hotel.supervisor(), &path).await;
    assert_eq!((shown.header("etag"), &shown.body["status"]), (Some("\"4\""), &json!("clean")));
}

#[tokio::test]
async fn rooms_come_in_pages() {
    let hotel = TestHotel::open().await;
    for number in 101..=105 {
        hotel.ready_room(&number.to_string()).await;
    }
    let page = async |cursor: &str| -> Value {
        let path = format!("/housekeeping/v1/rooms?propertyId={}&limit=3{cursor}", hotel.property);
        hotel.get(&hotel.supervisor(), &path).await.done()
    };
    let first = page("").await;
    let second = page(&format!("&cursor={}", first["nextCursor"].as_str().unwrap())).await;
    assert_eq!(first["items"].as_array().unwrap().len() + second["items"].as_array().unwrap().len(), 5);
    assert!(second["nextCursor"].is_null());
}

#[tokio::test]
async fn settings_have_defaults_a_version_and_an_effect_at_once() {
    let hotel = TestHotel::open().await;
    let path = "/housekeeping/v1/settings";
    let shown = hotel.get(&hotel.manager(), path).await;
    assert_eq!((shown.status, shown.header("etag")), (200, Some("\"0\"")));
    assert_eq!((&shown.body["inspectionRequired"], &shown.body["timezone"]), (&json!(true), &json!("Asia/Kabul")));

    let put = |tag: &str| {
        let ask = Ask::new(Method::PUT, path).by(&hotel.manager()).header("if-match", tag);
        ask.json(&json!({ "estimatedMinutes": { "turnover": 35 }, "locale": "fa-AF" }))
    };
    assert_eq!(hotel.ask(put("\"0\"")).await.header("etag"), Some("\"1\""));
    hotel.ask(put("\"0\"")).await.refused(412, "MELMASTOON.HOUSEKEEPING.STALE_VERSION");
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    let task = &hotel.open_tasks(&room).await[0];
    assert_eq!((&task["estimatedMinutes"], &task["localeHint"]), (&json!(35), &json!("fa-AF")));
}

#[tokio::test]
async fn a_tenant_never_seen_has_a_checklist_for_every_kind() {
    let hotel = TestHotel::open().await;
    let lists = hotel.get(&hotel.supervisor(), "/housekeeping/v1/checklists").await.done();
    let kinds: Vec<_> = lists["items"].as_array().unwrap().iter().map(|list| list["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds.len(), TaskKind::ALL.len());
    let again = hotel.get(&hotel.supervisor(), "/housekeeping/v1/checklists").await.done();
    assert_eq!(lists, again, "the same ones, kept");
    let one = hotel.get(&hotel.supervisor(), "/housekeeping/v1/checklists?kind=turnover").await.done();
    assert_eq!(one["items"].as_array().unwrap().len(), 1);
}

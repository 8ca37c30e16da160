//! Nonsense for blocks, what was seen, what is brought before others, who helps, figures and histories: a 4xx that names the field, and
//! nothing half done. And of two who do the same at once, one wins.

use contracts::ids::{PropertyId, RoomId, TenantId};
use futures_util::future::join_all;
use platform::auth::Role;
use serde_json::json;

use crate::stock_nonsense::{INVALID, MALFORMED, OUT_OF_BOUNDS, refuse};
use crate::test_hotel::{Ask, TestHotel, text};

#[tokio::test]
async fn nonsense_about_blocks_and_what_was_seen_is_refused() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let past = hotel.now().plus_seconds(-1);
    let cases = vec![
        (json!({}), INVALID, "reason"),
        (json!({ "reason": "painting" }), INVALID, "reason"),
        (json!({ "reason": 7 }), INVALID, "reason"),
        (json!({ "reason": null }), INVALID, "reason"),
        (json!({ "reason": "oos_echo" }), OUT_OF_BOUNDS, "reason"),
        (json!({ "reason": "oos", "blockedUntil": "tomorrow" }), INVALID, "blockedUntil"),
        (json!({ "reason": "oos", "blockedUntil": 7 }), INVALID, "blockedUntil"),
        (json!({ "reason": "oos", "blockedUntil": past }), OUT_OF_BOUNDS, "blockedUntil"),
        (json!({ "reason": "oos", "note": "x".repeat(2_001) }), OUT_OF_BOUNDS, "note"),
        (json!({ "reason": "oos", "note": ["a"] }), INVALID, "note"),
        (json!({ "reason": "oos", "note": "a\0b" }), MALFORMED, "NUL"),
    ];
    refuse(&hotel, &format!("/housekeeping/v1/rooms/{}/block", room.id), cases).await;
    let cases = vec![
        (json!({}), INVALID, "observed"),
        (json!({ "observed": "maybe" }), INVALID, "observed"),
        (json!({ "observed": true }), INVALID, "observed"),
        (json!({ "observed": null }), INVALID, "observed"),
        (json!({ "observed": ["vacant"] }), INVALID, "observed"),
        (json!({ "observed": "Vacant" }), INVALID, "observed"),
        (json!({ "observed": "vacant", "note": 7 }), INVALID, "note"),
        (json!({ "observed": "vacant", "note": "x".repeat(2_001) }), OUT_OF_BOUNDS, "note"),
        (json!({ "observed": "vacant", "note": {} }), INVALID, "note"),
        (json!({ "observed": "vacant", "note": "a\0b" }), MALFORMED, "NUL"),
    ];
    refuse(&hotel, &format!("/housekeeping/v1/rooms/{}/occupancy", room.id), cases).await;
    let seen = hotel.observe(&room, "occupied").await.done();
    let id = text(&seen["discrepancy"]["id"]);
    let cases = vec![
        (json!({}), INVALID, "resolution"),
        (json!({ "resolution": "nobody_right" }), INVALID, "resolution"),
        (json!({ "resolution": 7 }), INVALID, "resolution"),
        (json!({ "resolution": null }), INVALID, "resolution"),
        (json!({ "resolution": ["other"] }), INVALID, "resolution"),
        (json!({ "resolution": "" }), INVALID, "resolution"),
        (json!({ "resolution": "other", "note": 7 }), INVALID, "note"),
        (json!({ "resolution": "other", "note": "x".repeat(2_001) }), OUT_OF_BOUNDS, "note"),
        (json!({ "resolution": "other", "note": [] }), INVALID, "note"),
        (json!({ "resolution": "other", "note": "a\0b" }), MALFORMED, "NUL"),
    ];
    refuse(&hotel, &format!("/housekeeping/v1/discrepancies/{id}/resolve"), cases).await;
    assert_eq!(hotel.board().await.room("101").status, "ready");
    assert_eq!(hotel.alerts().await, ["occupancy_discrepancy"]);
}

#[tokio::test]
async fn nonsense_about_escalating_and_helping_is_refused() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let room = hotel.ready_room("101").await;
    let task = hotel.task_for(&room, contracts::housekeeping::TaskKind::DeepClean).await;
    hotel.assign(&task, &gulalai).await;
    let to = json!({ "role": "supervisor" });
    let cases = vec![
        (json!({}), INVALID, "to"),
        (json!({ "to": to }), INVALID, "reason"),
        (json!({ "to": {}, "reason": "late" }), OUT_OF_BOUNDS, "to"),
        (json!({ "to": "supervisor", "reason": "late" }), INVALID, "to"),
        (json!({ "to": { "role": "king" }, "reason": "late" }), INVALID, "role"),
        (json!({ "to": { "staffId": "Gulalai" }, "reason": "late" }), INVALID, "staffId"),
        (json!({ "to": { "staffId": 7 }, "reason": "late" }), INVALID, "staffId"),
        (json!({ "to": to, "reason": " " }), OUT_OF_BOUNDS, "reason"),
        (json!({ "to": to, "reason": 7 }), INVALID, "reason"),
        (json!({ "to": to, "reason": "x".repeat(2_001) }), OUT_OF_BOUNDS, "reason"),
        (json!({ "to": to, "reason": "a\0b" }), MALFORMED, "NUL"),
    ];
    refuse(&hotel, &format!("/housekeeping/v1/tasks/{task}/escalate"), cases).await;
    let cases = vec![
        (json!({}), INVALID, "staffId"),
        (json!({ "staffId": null }), INVALID, "staffId"),
        (json!({ "staffId": "" }), INVALID, "staffId"),
        (json!({ "staffId": "Gulalai" }), INVALID, "staffId"),
        (json!({ "staffId": 7 }), INVALID, "staffId"),
        (json!({ "staffId": [gulalai] }), INVALID, "staffId"),
        (json!({ "staffId": "stf_" }), INVALID, "staffId"),
        (json!({ "staffId": format!("stf_{}", "x".repeat(65)) }), INVALID, "staffId"),
        (json!({ "staffId": gulalai, "force": "yes" }), INVALID, "force"),
        (json!({ "staffId": gulalai, "force": 1 }), INVALID, "force"),
        (json!({ "staffId": "stf_\0" }), MALFORMED, "NUL"),
    ];
    refuse(&hotel, &format!("/housekeeping/v1/tasks/{task}/helpers"), cases).await;
    for id in ["Gulalai", "%00", "stf_%FF"] {
        let path = format!("/housekeeping/v1/tasks/{task}/helpers/{id}");
        hotel.delete(&hotel.supervisor(), &path).await.refused(404, "MELMASTOON.PLATFORM.NOT_FOUND");
    }
    assert_eq!(hotel.task(&task).await["version"], 2, "opened and assigned, and nothing else");
}

#[tokio::test]
async fn nonsense_in_questions_about_rooms_and_figures_is_refused() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let property = &hotel.property;
    let history = format!("rooms/{}/history", room.id);
    let stats = format!("stats/turnover?propertyId={property}");
    let cases = [
        (format!("{history}?at=yesterday"), "at"),
        (format!("{history}?at=2026-02-30T00:00:00Z"), "at"),
        (format!("{history}?at="), "at"),
        (format!("{history}?limit=many"), "limit"),
        (format!("{history}?limit=-1"), "limit"),
        (format!("{history}?limit=0"), "limit"),
        (format!("{history}?cursor=%FF"), "cursor"),
        (format!("{history}?cursor=bananas"), "cursor"),
        (format!("{stats}&from=yesterday"), "from"),
        (format!("{stats}&to=2026-13-01"), "to"),
        (format!("{stats}&from=2026-04-23&to=2026-04-22"), "to"),
        ("stats/turnover".to_owned(), "propertyId"),
        ("stats/turnover?propertyId=x".to_owned(), "propertyId"),
        ("discrepancies".to_owned(), "propertyId"),
        ("discrepancies?propertyId=".to_owned(), "propertyId"),
        (format!("discrepancies?propertyId={property}&cursor=%00"), ""),
        ("board".to_owned(), "propertyId"),
        ("board?propertyId=x".to_owned(), "propertyId"),
    ];
    for (path, field) in cases {
        let answer = hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/{path}")).await;
        assert_eq!(answer.status, 400, "{path}: {}", answer.text);
        answer.naming(field);
    }
    for id in ["bananas", "%00", "rom_%FF"] {
        let answer = hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/rooms/{id}/history")).await;
        answer.refused(404, "MELMASTOON.PLATFORM.NOT_FOUND");
    }
}

#[tokio::test]
async fn what_is_another_tenants_or_another_propertys_is_not_there_in_a_body_either() {
    let hotel = TestHotel::open().await;
    let (other, elsewhere): (TenantId, PropertyId) = (hotel.next(), hotel.next());
    let gulalai = hotel.person_on_shift().await;
    let room = hotel.ready_room("101").await;
    let task = hotel.task_for(&room, contracts::housekeeping::TaskKind::DeepClean).await;
    let stranger = hotel.token_of_tenant(Role::Supervisor, &other);
    // Somebody who works for another company is on no shift here, and a task of this company is not there for the other.
    let theirs = json!({ "propertyId": elsewhere, "roomId": hotel.next::<RoomId>(), "kind": "deep_clean" });
    let theirs = hotel.ask(Ask::post("/housekeeping/v1/tasks").by(&stranger).json(&theirs)).await.done();
    let their_task = text(&theirs["id"]);
    for verb in ["assign", "helpers"] {
        let path = format!("/housekeeping/v1/tasks/{their_task}/{verb}");
        let answer = hotel.ask(Ask::post(path).by(&stranger).json(&json!({ "staffId": gulalai }))).await;
        assert!([409, 404].contains(&answer.status), "{verb}: {}", answer.text);
        assert_ne!(answer.code(), "MELMASTOON.HOUSEKEEPING.TOO_MANY_PEOPLE");
        let path = format!("/housekeeping/v1/tasks/{task}/{verb}");
        let answer = hotel.ask(Ask::post(path).by(&stranger).json(&json!({ "staffId": gulalai }))).await;
        answer.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    }
    let line = hotel.linen("sheets", 5, 0).await;
    let taken = json!({ "count": 1, "taskId": their_task });
    let path = format!("/housekeeping/v1/linen/{line}/issue");
    let foreign = hotel.ask(Ask::post(path.clone()).by(&hotel.supervisor()).json(&taken)).await;
    let absent = json!({ "count": 1, "taskId": hotel.next::<contracts::ids::TaskId>() });
    let absent = hotel.ask(Ask::post(path).by(&hotel.supervisor()).json(&absent)).await;
    assert_eq!((foreign.status, foreign.detail()), (absent.status, absent.detail()), "no different from none at all");
    assert_eq!(hotel.on_hand(&line).await, 5);
    for body in [
        json!({ "propertyId": elsewhere, "line": "towels", "onHand": 3, "lowWatermark": 1 }),
        json!({ "propertyId": elsewhere, "roomId": room.id, "description": "a hat" }),
    ] {
        let path = if body.get("line").is_some() { "linen" } else { "lost-and-found" };
        let of_one_house = hotel.token_for_property(Role::Supervisor, &hotel.property);
        let answer = hotel.ask(Ask::post(format!("/housekeeping/v1/{path}")).by(&of_one_house).json(&body)).await;
        assert!([403, 404].contains(&answer.status), "{path}: {}", answer.text);
    }
}

#[tokio::test]
async fn of_several_who_do_the_same_at_once_one_wins() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let seen = hotel.observe(&room, "occupied").await.done();
    let path = format!("/housekeeping/v1/discrepancies/{}/resolve", text(&seen["discrepancy"]["id"]));
    let desk = hotel.front_desk();
    let answers = join_all((0..8).map(|_| hotel.post(&desk, &path, json!({ "resolution": "desk_right" })))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    let refused = "MELMASTOON.HOUSEKEEPING.DISCREPANCY_RESOLVED";
    assert!(answers.iter().filter(|answer| answer.status != 200).all(|answer| answer.code() == refused));
    // What several see at once is one difference.
    join_all((0..8).map(|_| hotel.observe(&room, "occupied"))).await;
    assert_eq!(hotel.count("housekeeping.discrepancies WHERE resolved_at IS NULL").await, 1);
    let line = hotel.linen("sheets", 5, 0).await;
    let seen = hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/linen/{line}")).await;
    let tag = seen.header("etag").unwrap().to_owned();
    let path = format!("/housekeeping/v1/linen/{line}/adjust");
    let ask = || Ask::post(path.clone()).by(&hotel.supervisor()).header("if-match", tag.clone());
    let answers = join_all((0..8).map(|_| hotel.ask(ask().json(&json!({ "count": -1 }))))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1, "who has seen the same count");
    assert_eq!(hotel.on_hand(&line).await, 4);
    let block = text(&hotel.block(&room, json!({ "reason": "oos" })).await.done()["id"]);
    let answers = join_all((0..8).map(|_| hotel.unblock(&room, &block))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 204).count(), 1);
    assert_eq!(hotel.count("housekeeping.audit_events WHERE subject = 'housekeeping.room_block.cleared'").await, 1);
}

//! Rooms that cannot be used: who says so, what becomes of them, and how they come back.

use contracts::Payload;
use contracts::housekeeping::{RoomStatusChangedV1, TaskKind};
use contracts::ids::{BlockId, PropertyId};
use futures_util::future::join_all;
use platform::auth::Role;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, Door, Happening, TestHotel, text};

#[tokio::test]
async fn a_block_for_a_repair_or_out_of_sale_puts_the_room_out_of_order_and_its_end_makes_it_dirty() {
    for (reason, cause) in [("maintenance", "maintenance_required"), ("oos", "manual_override")] {
        let hotel = TestHotel::open().await;
        let room = hotel.ready_room("101").await;
        let body = json!({ "reason": reason, "blockedUntil": "2026-04-25T06:00:00Z", "note": "paint" });
        let made = hotel.block(&room, body).await;
        assert_eq!(made.status, 201, "{}", made.text);
        let location = made.header("location").unwrap().to_owned();
        let block = made.done();
        assert_eq!(
            (&block["owner"], &block["reason"], &block["version"]),
            (&json!("housekeeping"), &json!(reason), &json!(1))
        );
        assert_eq!(hotel.board().await.room("101").status, "out_of_order");
        assert_eq!(hotel.published().await, [RoomStatusChangedV1::SUBJECT], "of the block itself nobody is told");
        let shown = json!([{ "id": block["id"], "reason": reason, "owner": "housekeeping",
                             "blockedUntil": "2026-04-25T06:00:00.000Z", "note": "paint" }]);
        assert_eq!(json!(hotel.blocks(&room).await), shown);
        let resource = hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/rooms/{}", room.id)).await.done();
        assert_eq!(resource["blocks"], shown);
        let listed =
            hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/rooms?propertyId={}", hotel.property)).await;
        assert_eq!(listed.done()["items"][0]["blocks"], shown);

        let gone = hotel.delete(&hotel.supervisor(), &location).await;
        assert_eq!((gone.status, gone.text.as_str()), (204, ""));
        assert_eq!(hotel.board().await.room("101").status, "dirty");
        assert!(hotel.blocks(&room).await.is_empty());
        let steps = hotel.steps(&room).await;
        let told: Vec<_> = steps.iter().map(|(from, to, why)| (from.as_str(), to.as_str(), why.as_str())).collect();
        assert_eq!(told, [("ready", "out_of_order", cause), ("out_of_order", "dirty", "room_unblocked")]);
        let audit = "housekeeping.audit_events WHERE aggregate_kind = 'room_block' AND subject LIKE 'housekeeping.room_block.%'";
        assert_eq!(hotel.count(audit).await, 2, "who set it and who lifted it is kept");
    }
}

#[tokio::test]
async fn a_block_that_only_says_why_a_room_waits_leaves_its_status_alone() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    for reason in ["cleaning", "inspection"] {
        let block = hotel.block(&room, json!({ "reason": reason })).await.done();
        assert_eq!(hotel.board().await.room("101").status, "ready");
        assert_eq!(hotel.unblock(&room, &text(&block["id"])).await.status, 204);
    }
    assert!(hotel.published().await.is_empty());
}

#[tokio::test]
async fn the_room_comes_back_with_the_last_block_and_not_before() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let first = text(&hotel.block(&room, json!({ "reason": "oos" })).await.done()["id"]);
    let second = text(&hotel.block(&room, json!({ "reason": "maintenance" })).await.done()["id"]);
    let why = text(&hotel.block(&room, json!({ "reason": "cleaning" })).await.done()["id"]);
    hotel.deliver(&hotel.work_order_opened("wo-1", &room, None)).await;
    assert_eq!(hotel.blocks(&room).await.len(), 4);
    assert_eq!(hotel.unblock(&room, &first).await.status, 204);
    assert_eq!(hotel.unblock(&room, &second).await.status, 204);
    assert_eq!(hotel.board().await.room("101").status, "out_of_order", "maintenance is still at it");
    hotel.deliver(&hotel.work_order_completed("wo-1", &room)).await;
    assert_eq!(hotel.board().await.room("101").status, "dirty");
    hotel.unblock(&room, &why).await.refused(409, "MELMASTOON.HOUSEKEEPING.BLOCK_CLEARED");
}

#[tokio::test]
async fn of_two_who_lift_one_block_one_wins() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let block = text(&hotel.block(&room, json!({ "reason": "oos" })).await.done()["id"]);
    hotel.published().await;
    let mut answers = join_all((0..6).map(|_| hotel.unblock(&room, &block))).await;
    answers.sort_by_key(|answer| answer.status);
    assert_eq!(answers[0].status, 204);
    for lost in &answers[1..] {
        lost.refused(409, "MELMASTOON.HOUSEKEEPING.BLOCK_CLEARED");
    }
    assert_eq!(hotel.published().await, [RoomStatusChangedV1::SUBJECT]);
}

#[tokio::test]
async fn a_block_is_lifted_from_its_own_room_by_whoever_has_seen_it_as_it_is() {
    let hotel = TestHotel::open().await;
    let (room, other) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    let block = text(&hotel.block(&room, json!({ "reason": "oos" })).await.done()["id"]);
    hotel.unblock(&other, &block).await.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    hotel.unblock(&room, hotel.next::<BlockId>().as_str()).await.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    hotel.unblock(&room, "bananas").await.refused(404, "MELMASTOON.PLATFORM.NOT_FOUND");
    let path = format!("/housekeeping/v1/rooms/{}/block", room.id);
    let stale = Ask::post(&path).by(&hotel.supervisor()).header("if-match", "\"1\"").json(&json!({ "reason": "oos" }));
    hotel.ask(stale).await.refused(412, "MELMASTOON.HOUSEKEEPING.STALE_VERSION");
    let old = Ask::new(axum::http::Method::DELETE, format!("{path}/{block}")).by(&hotel.supervisor());
    hotel.ask(old.header("if-match", "\"7\"")).await.refused(412, "MELMASTOON.HOUSEKEEPING.STALE_VERSION");
    let elsewhere: PropertyId = hotel.next();
    let token = hotel.token_for_property(Role::Supervisor, &elsewhere);
    hotel.delete(&token, &format!("{path}/{block}")).await.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    assert_eq!(hotel.board().await.room("101").status, "out_of_order");
}

#[tokio::test]
async fn maintenances_block_is_maintenances() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.work_order_opened("wor_1", &room, Some("blocking"))).await;
    hotel.unblock(&room, "wor_1").await.refused(409, "MELMASTOON.HOUSEKEEPING.BLOCK_OWNED_ELSEWHERE");
    assert_eq!(hotel.blocks(&room).await[0]["owner"], "maintenance");
}

#[tokio::test]
async fn what_property_takes_out_of_order_has_one_echo_that_a_supervisor_can_lift() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.taken_out_of_order(&room)).await;
    hotel.deliver(&hotel.taken_out_of_order(&room)).await;
    let blocks = hotel.blocks(&room).await;
    assert_eq!(blocks.len(), 1, "{blocks:?}");
    assert_eq!((&blocks[0]["reason"], &blocks[0]["owner"]), (&json!("oos_echo"), &json!("property")));
    assert_eq!(hotel.board().await.room("101").status, "out_of_order");
    assert_eq!(hotel.unblock(&room, &text(&blocks[0]["id"])).await.status, 204);
    assert_eq!(hotel.board().await.room("101").status, "dirty");
}

#[tokio::test]
async fn a_departure_from_a_blocked_room_leaves_it_blocked_and_the_work_waits() {
    let hotel = TestHotel::open().await;
    let (room, gulalai) = (hotel.ready_room("101").await, hotel.person_on_shift().await);
    let block = text(&hotel.block(&room, json!({ "reason": "maintenance" })).await.done()["id"]);
    hotel.deliver(&hotel.checked_out(&room)).await;
    let task = hotel.open_task(&room).await;
    hotel.assign(&task, &gulalai).await;
    let start = hotel.command(&hotel.housekeeper(&gulalai), &task, "start", json!({})).await;
    start.refused(409, "MELMASTOON.HOUSEKEEPING.ROOM_ILLEGAL_TRANSITION");
    hotel.unblock(&room, &block).await.done();
    hotel.start(&task, &gulalai).await;
    hotel.complete(&task, TaskKind::Turnover, &gulalai).await;
    assert_eq!(hotel.board().await.room("101").status, "cleaned");
}

#[tokio::test]
async fn a_block_that_makes_no_sense_is_refused_and_the_field_is_named() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let (invalid, malformed) = ("MELMASTOON.HOUSEKEEPING.INVALID_VALUE", "MELMASTOON.PLATFORM.MALFORMED_REQUEST");
    let nonsense: Vec<(Value, &str, &str)> = vec![
        (json!({}), invalid, "reason"),
        (json!([]), malformed, "object"),
        (json!({ "reason": "painting" }), invalid, "reason"),
        (json!({ "reason": null }), invalid, "reason"),
        (json!({ "reason": 7 }), invalid, "reason"),
        (json!({ "reason": "oos_echo" }), invalid, "reason"),
        (json!({ "reason": "oos", "blockedUntil": "tomorrow" }), invalid, "blockedUntil"),
        (json!({ "reason": "oos", "blockedUntil": "2026-04-22T06:30:00Z" }), invalid, "blockedUntil"),
        (json!({ "reason": "oos", "blockedUntil": 5 }), invalid, "blockedUntil"),
        (json!({ "reason": "oos", "note": "x".repeat(2_001) }), invalid, "note"),
        (json!({ "reason": "oos", "note": "a\u{0}b" }), malformed, "NUL"),
        (json!({ "reason": "oos", "note": ["a"] }), invalid, "note"),
    ];
    for (body, code, names) in nonsense {
        let answer = hotel.block(&room, body.clone()).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.text);
        answer.refused(400, code).naming(names);
    }
    assert_eq!(hotel.count("housekeeping.room_blocks").await, 0);
    assert_eq!(hotel.board().await.room("101").status, "ready");
}

#[tokio::test]
async fn what_property_says_last_of_a_room_out_of_order_counts() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let until = |hours: i64| json!(hotel.now().plus_seconds(hours * 3_600));
    let told = |reason: &str, until: Value| {
        hotel.taken_out_of_order(&room).adding("/payload", "until", until).with("/payload/reason", json!(reason))
    };
    let (first, first_end) = (told("burst pipe", until(1)), until(1));
    hotel.clock.advance_seconds(60);
    let between = told("wet walls", until(2));
    hotel.clock.advance_seconds(60);
    let (last, last_end) = (told("mould", until(48)), until(48));
    hotel.deliver(&first).await;
    assert_eq!(hotel.blocks(&room).await[0]["blockedUntil"], first_end);
    let tag = hotel.board().await.0["etag"].clone();
    hotel.deliver(&last).await;
    hotel.deliver(&between).await;
    let blocks = hotel.blocks(&room).await;
    assert_eq!(blocks.len(), 1, "{blocks:?}");
    assert_eq!((&blocks[0]["blockedUntil"], &blocks[0]["note"]), (&last_end, &json!("mould")));
    assert_ne!(hotel.board().await.0["etag"], tag, "boards look again");
    hotel.clock.advance_seconds(3 * 3_600);
    assert_eq!(hotel.tick("blocks_over").await, None, "it goes on");
    assert_eq!(hotel.board().await.room("101").status, "out_of_order");
    hotel.clock.advance_seconds(46 * 3_600);
    assert_eq!(hotel.tick("blocks_over").await.as_deref(), Some("1 blocks begun or lifted"));
    let changed = "housekeeping.audit_events WHERE subject = 'housekeeping.room_block.changed'";
    assert_eq!(hotel.count(changed).await, 1, "what was said late changed nothing");
}

/// What property tells of a room out of order from one moment to another, in hours from now.
fn out_of_order(hotel: &TestHotel, room: &Door, from: i64, until: Option<i64>) -> Happening {
    let at = |hours: i64| json!(hotel.now().plus_seconds(hours * 3_600));
    let told = hotel.taken_out_of_order(room).adding("/payload", "from", at(from));
    match until {
        Some(until) => told.adding("/payload", "until", at(until)),
        None => told,
    }
}

#[tokio::test]
async fn a_room_that_is_to_be_out_of_order_later_is_in_use_until_then() {
    let hotel = TestHotel::open().await;
    let (room, gulalai) = (hotel.ready_room("101").await, hotel.person_on_shift().await);
    let days = 24 * 3_600;
    hotel.deliver(&out_of_order(&hotel, &room, 9 * 24, Some(12 * 24))).await;
    assert_eq!(hotel.board().await.room("101").status, "ready");
    assert!(hotel.blocks(&room).await.is_empty(), "nothing keeps it from being used yet");
    hotel.deliver(&hotel.checked_out(&room)).await;
    let task = hotel.open_task(&room).await;
    hotel.clean(&task, TaskKind::Turnover, &gulalai).await;
    assert_eq!(hotel.board().await.room("101").status, "cleaned");
    // A repair before it has nothing to do with it, and neither has another block.
    hotel.deliver(&hotel.work_order_opened("wo-1", &room, None)).await;
    hotel.deliver(&hotel.work_order_completed("wo-1", &room)).await;
    let other = text(&hotel.block(&room, json!({ "reason": "oos" })).await.done()["id"]);
    assert_eq!(hotel.unblock(&room, &other).await.status, 204);
    assert_eq!(hotel.board().await.room("101").status, "dirty");

    hotel.clock.advance_seconds(9 * days - 1);
    assert_eq!(hotel.tick("blocks_over").await, None);
    hotel.clock.advance_seconds(1);
    assert_eq!(hotel.tick("blocks_over").await.as_deref(), Some("1 blocks begun or lifted"));
    assert_eq!(hotel.board().await.room("101").status, "out_of_order");
    let blocks = hotel.blocks(&room).await;
    assert_eq!((blocks.len(), &blocks[0]["reason"]), (1, &json!("oos_echo")));
    // A person's word counts from then on.
    let path = format!("/housekeeping/v1/rooms/{}/status", room.id);
    hotel.post(&hotel.supervisor(), &path, json!({ "status": "ready", "note": "as good as new" })).await.done();
    assert_eq!(hotel.tick("blocks_over").await, None, "it begins once");
    assert_eq!(hotel.board().await.room("101").status, "ready");
    hotel.clock.advance_seconds(3 * days);
    assert_eq!(hotel.tick("blocks_over").await.as_deref(), Some("1 blocks begun or lifted"));
    assert!(hotel.blocks(&room).await.is_empty());
}

#[tokio::test]
async fn a_room_that_is_out_of_order_is_put_off_begun_sooner_or_called_off_by_what_is_said_last() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.taken_out_of_order(&room)).await;
    assert_eq!(hotel.board().await.room("101").status, "out_of_order");
    hotel.clock.advance_seconds(60);
    hotel.deliver(&out_of_order(&hotel, &room, 24, Some(48))).await;
    assert_eq!(hotel.board().await.room("101").status, "dirty", "not before tomorrow");
    assert!(hotel.blocks(&room).await.is_empty());
    hotel.clock.advance_seconds(60);
    hotel.deliver(&out_of_order(&hotel, &room, -1, Some(48))).await;
    assert_eq!(hotel.board().await.room("101").status, "out_of_order", "now after all");
    assert_eq!(hotel.blocks(&room).await.len(), 1);
    hotel.clock.advance_seconds(60);
    hotel.deliver(&out_of_order(&hotel, &room, 24, Some(48))).await;
    hotel.clock.advance_seconds(60);
    // Over before it has begun.
    hotel.deliver(&out_of_order(&hotel, &room, -2, Some(-1))).await;
    hotel.clock.advance_seconds(60 * 3_600);
    hotel.tick("blocks_over").await;
    assert_eq!(hotel.board().await.room("101").status, "dirty");
    assert!(hotel.blocks(&room).await.is_empty());
    let out = hotel.steps(&room).await.iter().filter(|(_, to, _)| to == "out_of_order").count();
    assert_eq!(out, 2, "{:?}", hotel.steps(&room).await);
}

#[tokio::test]
async fn what_is_over_when_it_is_heard_blocks_nothing() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    hotel.deliver(&out_of_order(&hotel, &room, -5, Some(-1))).await;
    hotel.deliver(&out_of_order(&hotel, &room, 5, Some(4))).await;
    assert_eq!(hotel.board().await.room("101").status, "ready");
    hotel.clock.advance_seconds(6 * 3_600);
    assert_eq!(hotel.tick("blocks_over").await, None);
    assert_eq!(hotel.board().await.room("101").status, "ready");
    assert_eq!(hotel.count("housekeeping.room_blocks WHERE cleared_at IS NULL").await, 0);
}

#[tokio::test]
async fn what_was_told_before_a_word_that_was_over_when_it_was_heard_blocks_nothing_either() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let early = out_of_order(&hotel, &room, 0, None);
    hotel.clock.advance_seconds(60);
    let last = out_of_order(&hotel, &room, 0, Some(1));
    hotel.clock.advance_seconds(60);
    let later = out_of_order(&hotel, &room, 0, Some(48));
    hotel.clock.advance_seconds(2 * 3_600);
    hotel.published().await;
    for told in [&last, &early, &last] {
        hotel.deliver(told).await;
    }
    assert_eq!(hotel.board().await.room("101").status, "ready", "its last word is over");
    assert!(hotel.blocks(&room).await.is_empty());
    assert!(hotel.published().await.is_empty());
    assert_eq!(hotel.tick("blocks_over").await, None);
    // A word from after it counts, though it was said before that one was heard.
    hotel.deliver(&later).await;
    assert_eq!(hotel.board().await.room("101").status, "out_of_order");
    assert_eq!(hotel.blocks(&room).await.len(), 1);
}

#[tokio::test]
async fn a_finished_repair_ends_what_was_told_before_it_in_whichever_order_they_are_heard() {
    for late in [false, true] {
        let hotel = TestHotel::open().await;
        let room = hotel.ready_room("101").await;
        let taken = hotel.taken_out_of_order(&room);
        let ahead = out_of_order(&hotel, &room, 24, Some(48));
        hotel.clock.advance_seconds(3_600);
        let done = hotel.work_order_completed("wo-1", &room);
        for told in if late { [&done, &taken] } else { [&taken, &done] } {
            hotel.deliver(told).await;
        }
        assert_eq!(hotel.board().await.room("101").status, "dirty", "late: {late}");
        assert!(hotel.blocks(&room).await.is_empty(), "late: {late}");
        if late {
            // What is to begin another day is another matter, and so is a room that waits for another repair.
            hotel.deliver(&ahead).await;
            hotel.clock.advance_seconds(24 * 3_600);
            assert_eq!(hotel.tick("blocks_over").await.as_deref(), Some("1 blocks begun or lifted"));
            let other = hotel.ready_room("102").await;
            let taken = hotel.taken_out_of_order(&other);
            hotel.clock.advance_seconds(60);
            hotel.deliver(&hotel.work_order_opened("wo-3", &other, None)).await;
            hotel.deliver(&hotel.work_order_completed("wo-2", &other)).await;
            hotel.deliver(&taken).await;
            assert_eq!(hotel.blocks(&other).await.len(), 2, "as it would be in its order");
        }
    }
}

#[tokio::test]
async fn what_was_told_before_a_block_was_lifted_does_not_set_it_again() {
    let hotel = TestHotel::open().await;
    let (room, other) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    let early: Vec<Happening> = [&room, &other].map(|door| hotel.taken_out_of_order(door)).into();
    hotel.clock.advance_seconds(3_600);
    let last = [hotel.taken_out_of_order(&room), out_of_order(&hotel, &other, 0, Some(1))];
    for told in &last {
        hotel.deliver(told).await;
    }
    let between = out_of_order(&hotel, &other, 0, Some(48));
    hotel.clock.advance_seconds(3_600);
    let later = out_of_order(&hotel, &other, 0, Some(48));
    let block = text(&hotel.blocks(&room).await[0]["id"]);
    assert_eq!(hotel.unblock(&room, &block).await.status, 204);
    assert_eq!(hotel.tick("blocks_over").await.as_deref(), Some("1 blocks begun or lifted"));
    for told in early.iter().chain([&between]) {
        hotel.deliver(told).await;
    }
    for number in ["101", "102"] {
        assert_eq!(hotel.board().await.room(number).status, "dirty", "{number}");
    }
    // Of one that ended by itself nobody has said that there is no other.
    hotel.deliver(&later).await;
    assert_eq!(hotel.board().await.room("102").status, "out_of_order");
}

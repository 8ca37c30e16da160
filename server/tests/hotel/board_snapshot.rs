//! The board is composed once while nothing changes, and never shown when something has.

use contracts::housekeeping::TaskKind;
use contracts::ids::TenantId;
use futures_util::future::join;
use platform::auth::Role;
use serde_json::{Value, json};

use crate::test_hotel::{Answer, Ask, TestHotel, ask_router, text};

const HOUR: i64 = 3_600;

fn ask_for(hotel: &TestHotel, etag: Option<&str>) -> Ask {
    let ask = Ask::get(format!("/housekeeping/v1/board?propertyId={}", hotel.property)).by(&hotel.supervisor());
    match etag {
        Some(etag) => ask.header("if-none-match", etag),
        None => ask,
    }
}

async fn look(hotel: &TestHotel, etag: Option<&str>) -> Answer {
    hotel.ask(ask_for(hotel, etag)).await
}

async fn etag(hotel: &TestHotel) -> String {
    look(hotel, None).await.header("etag").unwrap().to_owned()
}

/// When the kept board was composed, and from what.
async fn kept_board(hotel: &TestHotel) -> (String, String) {
    let sql = "SELECT generated_at::TEXT, seen::TEXT FROM housekeeping.board_snapshot_mat";
    let row = hotel.behind.query_one(sql, &[]).await.unwrap();
    (row.get(0), row.get(1))
}

#[tokio::test]
async fn a_board_that_nobody_changed_is_not_composed_again_and_says_how_old_it_is() {
    let hotel = TestHotel::open().await;
    hotel.ready_room("101").await;
    let first = look(&hotel, None).await;
    assert_eq!((first.status, first.header("age")), (200, Some("0")));
    let etag = first.header("etag").unwrap().to_owned();
    let kept = kept_board(&hotel).await;
    hotel.clock.advance_seconds(90);
    let second = look(&hotel, None).await;
    assert_eq!((second.text.as_str(), second.header("age")), (first.text.as_str(), Some("90")), "the very same");
    let third = look(&hotel, Some(&etag)).await;
    assert_eq!((third.status, third.text.as_str(), third.header("etag")), (304, "", Some(etag.as_str())));
    assert_eq!(kept_board(&hotel).await, kept, "nothing was composed");
    assert_eq!(look(&hotel, Some("\"00000000000000000000000000000000\"")).await.status, 200);
}

/// Everything that a board shows, changed one by one: each time the board that somebody has is no longer so.
#[tokio::test]
async fn whatever_changes_the_board_changes_its_tag() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let room = hotel.ready_room("101").await;
    let line = hotel.linen("sheets", 10, 5).await;
    let mut before = etag(&hotel).await;
    let mut changed = async |what: &str| {
        let answer = look(&hotel, Some(&before)).await;
        assert_eq!(answer.status, 200, "{what} is not to be seen");
        let now = answer.header("etag").unwrap().to_owned();
        assert_eq!(look(&hotel, Some(&now)).await.status, 304, "after {what}");
        before = now;
    };
    hotel.deliver(&hotel.checked_out(&room)).await;
    changed("a departure").await;
    let task = hotel.open_task(&room).await;
    hotel.assign(&task, &gulalai).await;
    changed("an assignment").await;
    let path = format!("/housekeeping/v1/tasks/{task}/priority");
    hotel.patch(&hotel.supervisor(), &path, json!({ "priority": "high" })).await.done();
    changed("a priority").await;
    let help = json!({ "staffId": hotel.person_on_shift().await });
    changed("somebody who came").await;
    hotel.command(&hotel.supervisor(), &task, "helpers", help).await.done();
    changed("somebody who helps").await;
    let escalate = json!({ "to": { "role": "supervisor" }, "reason": "late" });
    hotel.command(&hotel.supervisor(), &task, "escalate", escalate).await.done();
    changed("an escalation").await;
    hotel.start(&task, &gulalai).await;
    changed("a beginning").await;
    hotel.complete(&task, TaskKind::Turnover, &gulalai).await;
    changed("an end").await;
    hotel.command(&hotel.supervisor(), &task, "inspections", json!({ "outcome": "pass" })).await.done();
    changed("an inspection").await;
    hotel.deliver(&hotel.check_in_started(&hotel.next(), &[&room])).await;
    changed("a guest at the desk").await;
    hotel.deliver(&hotel.checked_in(&hotel.next(), &[&room])).await;
    changed("a guest in the room").await;
    let seen = hotel.observe(&room, "vacant").await.done();
    changed("a discrepancy").await;
    let resolve = format!("/housekeeping/v1/discrepancies/{}/resolve", text(&seen["discrepancy"]["id"]));
    hotel.post(&hotel.front_desk(), &resolve, json!({ "resolution": "desk_right" })).await.done();
    changed("its resolution").await;
    hotel.move_linen(&line, "issue", 6).await.done();
    changed("linen that runs low").await;
    hotel.move_linen(&line, "issue", 1).await.done();
    changed("linen that runs lower").await;
    hotel.move_linen(&line, "return", 5).await.done();
    changed("linen that came back").await;
    let block = hotel.block(&room, json!({ "reason": "cleaning" })).await.done();
    changed("a block").await;
    hotel.unblock(&room, &text(&block["id"])).await;
    changed("a block that was lifted").await;
    hotel.deliver(&hotel.work_order_opened("wo-1", &room, Some("blocking"))).await;
    changed("a repair").await;
    hotel.deliver(&hotel.work_order_completed("wo-1", &room)).await;
    changed("the end of a repair").await;
    hotel.suggest().await.done();
    changed("a plan").await;
    hotel.deliver(&hotel.room_created(&room)).await;
    changed("another floor").await;
    hotel.deliver(&hotel.rested("break_started", None, &gulalai)).await;
    changed("a break").await;
}

#[tokio::test]
async fn a_board_says_something_else_when_its_time_comes_though_nobody_did_anything() {
    let hotel = TestHotel::open().await;
    let room = hotel.room("101", "dirty").await;
    let task = hotel.task_for(&room, TaskKind::DeepClean).await;
    let path = format!("/housekeeping/v1/tasks/{task}/priority");
    hotel.patch(&hotel.supervisor(), &path, json!({ "priority": "urgent" })).await.done();
    assert!(hotel.alerts().await.is_empty());
    let before = etag(&hotel).await;
    hotel.clock.advance_seconds(299);
    assert_eq!(look(&hotel, Some(&before)).await.status, 304);
    hotel.clock.advance_seconds(1);
    assert_eq!(look(&hotel, Some(&before)).await.status, 200);
    assert_eq!(hotel.alerts().await, ["urgent_not_started"]);

    // A room's time to be ready moves on while nobody begins.
    hotel.person_on_shift().await;
    let ready = async || text(&hotel.board().await.0["rooms"][0]["readyEtaAt"]);
    let first = ready().await;
    hotel.clock.advance_seconds(10 * 60);
    assert!(ready().await > first);
}

#[tokio::test]
async fn a_change_that_commits_late_is_seen_whatever_its_number_is() {
    let hotel = TestHotel::open().await;
    hotel.ready_room("101").await;
    let (early, tenant, property) = (hotel.database_connection().await, hotel.tenant.as_str(), hotel.property.as_str());
    // Somebody holds a lower number of the outbox, and commits after the board was composed with a higher one.
    early.batch_execute("BEGIN").await.unwrap();
    let touch = "INSERT INTO housekeeping.outbox (event_id, tenant_id, subject, payload, envelope_meta, ordering_key, property_id)
                 VALUES ('evt_EARLY', $1, 'internal.board.touched', '{}', '{}', 'k', $2)";
    early.execute(touch, &[&tenant, &property]).await.unwrap();
    hotel.linen("sheets", 1, 5).await;
    let before = etag(&hotel).await;
    assert_eq!(look(&hotel, Some(&before)).await.status, 304);
    let sql = "UPDATE housekeeping.linen_inventory SET on_hand = 0";
    early.batch_execute(sql).await.unwrap();
    early.batch_execute("COMMIT").await.unwrap();
    assert_eq!(look(&hotel, Some(&before)).await.status, 200, "what it says has changed");
}

#[tokio::test]
async fn whoever_commands_and_looks_at_once_sees_it_done() {
    let hotel = TestHotel::open().await;
    let other = hotel.second_process();
    let room = hotel.ready_room("101").await;
    for number in 0..20 {
        let before = etag(&hotel).await;
        let status = ["dirty", "clean"][number % 2];
        let path = format!("/housekeeping/v1/rooms/{}/status", room.id);
        let (done, _) =
            join(hotel.post(&hotel.supervisor(), &path, json!({ "status": status })), look(&hotel, None)).await;
        done.done();
        let seen = ask_router(&other, ask_for(&hotel, Some(&before))).await;
        assert_eq!(seen.body["rooms"][0]["status"], json!(status), "another process, and no relay has run");
    }
}

#[tokio::test]
async fn boards_that_people_look_at_are_composed_anew_within_a_minute_and_others_are_not() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    etag(&hotel).await;
    hotel.clock.advance_seconds(61);
    assert_eq!(hotel.tick("boards").await, None, "nothing has changed");
    hotel.deliver(&hotel.checked_out(&room)).await;
    assert_eq!(hotel.tick("boards").await.as_deref(), Some("1 boards composed"));
    let row = hotel.behind.query_one("SELECT document FROM housekeeping.board_snapshot_mat", &[]).await.unwrap();
    let document: Value = serde_json::from_str(row.get(0)).unwrap();
    assert_eq!(document["rooms"][0]["status"], "dirty");
    hotel.clock.advance_seconds(HOUR);
    hotel.task_for(&room, TaskKind::DeepClean).await;
    assert_eq!(hotel.tick("boards").await, None, "nobody has looked for an hour");
}

#[tokio::test]
async fn a_snapshot_is_the_tenants_own() {
    let hotel = TestHotel::open().await;
    hotel.ready_room("101").await;
    etag(&hotel).await;
    let other: TenantId = hotel.next();
    let ask = Ask::get(format!("/housekeeping/v1/board?propertyId={}", hotel.property));
    let theirs = hotel.ask(ask.by(&hotel.token_of_tenant(Role::Supervisor, &other))).await.done();
    assert_eq!(theirs["rooms"], json!([]), "the same name of another company's house");
    assert_eq!(look(&hotel, None).await.body["rooms"].as_array().unwrap().len(), 1);
}

//! What happens by itself with time: told once, caught up when it was missed, and cheap where nothing is due.

use contracts::housekeeping::TaskKind;
use contracts::ids::{ReservationId, TenantId};
use futures_util::future::join;
use housekeeping::SCHEMA;
use housekeeping::infrastructure::due::{self, Due};
use housekeeping::infrastructure::settings;
use platform::database::DbRole;
use platform::ticks::Ran;
use serde_json::{Value, json};

use crate::test_hotel::TestHotel;

const ESCALATED: &str = "melmastoon.housekeeping.task.escalated.v1";
const GAP: &str = "melmastoon.housekeeping.shift.staffing_gap_detected.v1";
const DISPOSED: &str = "melmastoon.housekeeping.lost_item.disposed.v1";
const DAY: i64 = 24 * 60 * 60;

/// Runs a timer whether or not it is due; what it did.
async fn tick(hotel: &TestHotel, name: &str) -> Option<String> {
    hotel.tick(name).await
}

/// What was published on one subject since anybody last looked.
async fn told(hotel: &TestHotel, subject: &str) -> Vec<Value> {
    hotel.news().await.into_iter().filter(|envelope| envelope["subject"] == subject).collect()
}

async fn make_urgent(hotel: &TestHotel, task: &str) {
    let path = format!("/housekeeping/v1/tasks/{task}/priority");
    hotel.patch(&hotel.supervisor(), &path, json!({ "priority": "urgent" })).await.done();
}

#[tokio::test]
async fn what_a_person_has_brought_up_keeps_its_words_and_its_target() {
    let hotel = TestHotel::open().await;
    let door = hotel.ready_room("101").await;
    let task = hotel.task_for(&door, TaskKind::DeepClean).await;
    make_urgent(&hotel, &task).await;
    hotel.clock.advance_seconds(60);
    let words = json!({ "to": { "role": "property_manager" }, "reason": "the minister comes" });
    hotel.command(&hotel.supervisor(), &task, "escalate", words).await.done();
    hotel.clock.advance_seconds(3_600);
    assert_eq!(tick(&hotel, "escalation").await, None);
    let shown = hotel.task(&task).await;
    assert_eq!(
        (&shown["escalatedTo"]["role"], &shown["escalationReason"]),
        (&json!("property_manager"), &json!("the minister comes"))
    );
    // Lowered and urgent once more: their words were about something else.
    let path = format!("/housekeeping/v1/tasks/{task}/priority");
    hotel.patch(&hotel.supervisor(), &path, json!({ "priority": "low" })).await.done();
    make_urgent(&hotel, &task).await;
    hotel.clock.advance_seconds(300);
    assert_eq!(tick(&hotel, "escalation").await.as_deref(), Some("1 escalated"));
}

#[tokio::test]
async fn urgent_work_that_nobody_begins_is_escalated_once_each_time_it_becomes_urgent() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let (waiting, begun) = (hotel.ready_room("101").await, hotel.ready_room("102").await);
    let (waiting, begun) =
        (hotel.task_for(&waiting, TaskKind::DeepClean).await, hotel.task_for(&begun, TaskKind::DeepClean).await);
    make_urgent(&hotel, &waiting).await;
    make_urgent(&hotel, &begun).await;
    hotel.begin(&begun, &gulalai).await;
    hotel.clock.advance_seconds(299);
    assert_eq!(tick(&hotel, "escalation").await, None);
    hotel.clock.advance_seconds(1);
    assert_eq!(tick(&hotel, "escalation").await.as_deref(), Some("1 escalated"));
    let news = told(&hotel, ESCALATED).await;
    assert_eq!(news.len(), 1);
    let payload = &news[0]["payload"];
    assert_eq!((&payload["taskId"], &payload["to"]["role"]), (&json!(waiting), &json!("supervisor")));
    assert_eq!(news[0]["actor"], json!({ "type": "system", "id": "sys_escalation" }));
    hotel.clock.advance_seconds(3_600);
    assert_eq!(tick(&hotel, "escalation").await, None, "once is enough");
    let shown = hotel.task(&waiting).await;
    assert_eq!((&shown["status"], &shown["priority"]), (&json!("pending"), &json!("urgent")), "it stays as it is");

    let path = format!("/housekeeping/v1/tasks/{waiting}/priority");
    hotel.patch(&hotel.supervisor(), &path, json!({ "priority": "low" })).await.done();
    make_urgent(&hotel, &waiting).await;
    hotel.clock.advance_seconds(300);
    assert_eq!(tick(&hotel, "escalation").await.as_deref(), Some("1 escalated"), "it became urgent anew");
}

#[tokio::test]
async fn two_processes_at_the_same_tick_escalate_once_and_a_missed_tick_is_caught_up_once() {
    let hotel = TestHotel::open().await;
    let task = hotel.task_for(&hotel.ready_room("101").await, TaskKind::DeepClean).await;
    make_urgent(&hotel, &task).await;
    let other = hotel.second_process();
    let (mine, theirs) = (
        hotel.app.ticker.find("housekeeping.escalation").unwrap(),
        other.ticker.find("housekeeping.escalation").unwrap(),
    );
    hotel.app.ticker.run_if_due(mine).await.unwrap();
    // Nobody runs for an hour: 120 ticks are missed.
    hotel.clock.advance_seconds(3_600);
    let (one, two) = join(hotel.app.ticker.run_if_due(mine), other.ticker.run_if_due(theirs)).await;
    let ran = [one.unwrap(), two.unwrap()].into_iter().filter(|ran| matches!(ran, Ran::Done(Some(_)))).count();
    assert_eq!(ran, 1);
    assert_eq!(hotel.app.ticker.run_if_due(mine).await.unwrap(), Ran::NotDue);
    assert_eq!(told(&hotel, ESCALATED).await.len(), 1);
}

#[tokio::test]
async fn more_work_than_people_have_time_for_is_told_at_most_once_in_a_quarter_of_an_hour() {
    let hotel = TestHotel::open().await;
    // A morning shift until 10:30; it is 06:30, so there are four hours.
    hotel.person_on_shift().await;
    for number in 0..5 {
        hotel.task_for(&hotel.ready_room(&format!("1{number:02}")).await, TaskKind::Turnover).await;
    }
    assert_eq!(tick(&hotel, "staffing_gap").await, None, "250 minutes of work for 240 minutes are borne");
    hotel.task_for(&hotel.ready_room("201").await, TaskKind::Turnover).await;
    assert_eq!(tick(&hotel, "staffing_gap").await.as_deref(), Some("1 staffing gaps told"));
    let news = told(&hotel, GAP).await;
    let payload = &news[0]["payload"];
    assert_eq!((&payload["pendingMinutes"], &payload["capacityMinutes"]), (&json!(300), &json!(240)));
    assert_eq!(payload["affectedTaskIds"].as_array().unwrap().len(), 2, "four can be done");
    assert_eq!((&payload["suggestedAction"], &payload["propertyId"]), (&json!("call_relief"), &json!(hotel.property)));
    hotel.clock.advance_seconds(14 * 60 + 59);
    assert_eq!(tick(&hotel, "staffing_gap").await, None);
    hotel.clock.advance_seconds(1);
    assert_eq!(tick(&hotel, "staffing_gap").await.as_deref(), Some("1 staffing gaps told"));
    hotel.clock.advance_seconds(DAY);
    assert_eq!(tick(&hotel, "staffing_gap").await, None, "the shift is over");
}

#[tokio::test]
async fn what_nobody_claims_is_given_away_at_three_in_the_morning_of_the_hotels_own_day() {
    let hotel = TestHotel::open().await;
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "lostFoundRetentionDays": 30 })).await.done();
    let room = hotel.ready_room("101").await;
    let (hat, ring) = (hotel.found(&room, "a hat").await, hotel.found(&room, "a ring").await);
    hotel.lost_item(&ring, "match", json!({ "claimantName": "Laila" })).await.done();
    hotel.published().await;
    // Found on 22 April at 11:00 in Kabul; thirty days are over on 22 May at 11:00, and the next three o'clock is on the 23rd.
    hotel.clock.advance_seconds(30 * DAY);
    assert_eq!(tick(&hotel, "lost_found_retention").await, None, "its time is over, the night has not come");
    hotel.clock.advance_seconds(16 * 3_600 - 1);
    assert_eq!(tick(&hotel, "lost_found_retention").await, None);
    hotel.clock.advance_seconds(1);
    assert_eq!(tick(&hotel, "lost_found_retention").await.as_deref(), Some("1 things disposed of"));
    let news = told(&hotel, DISPOSED).await;
    let payload = &news[0]["payload"];
    assert_eq!((&payload["lostItemId"], &payload["method"]), (&json!(hat), &json!("donated")));
    assert_eq!(tick(&hotel, "lost_found_retention").await, None, "once");
    let kept = hotel.get(&hotel.front_desk(), &format!("/housekeeping/v1/lost-and-found/{ring}")).await.done();
    assert_eq!(kept["status"], "matched", "whoever claimed it may still come");
}

#[tokio::test]
async fn guests_who_stay_have_their_room_cleaned_once_a_day_where_the_hotel_has_opted_in() {
    let hotel = TestHotel::open().await;
    let room = hotel.room("101", "clean").await;
    let stay: ReservationId = hotel.next();
    hotel.deliver(&hotel.checked_in(&stay, &[&room])).await;
    hotel.clock.advance_seconds(25 * 3_600);
    assert_eq!(hotel.get(&hotel.manager(), "/housekeeping/v1/settings").await.done()["autoMidStay"], false);
    assert_eq!(tick(&hotel, "mid_stay").await, None, "nobody has opted in");
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "autoMidStay": true })).await.done();
    assert_eq!(tick(&hotel, "mid_stay").await.as_deref(), Some("1 rooms to clean for guests who stay"));
    assert_eq!(tick(&hotel, "mid_stay").await, None, "it is open already");
    let open = hotel.open_tasks(&room).await;
    assert_eq!((open.len(), &open[0]["kind"], &open[0]["source"]), (1, &json!("mid_stay_clean"), &json!("scheduler")));
    assert_eq!(open[0]["reservationId"], json!(stay));
    let gulalai = hotel.person_on_shift().await;
    let task = hotel.open_task(&room).await;
    hotel.clean(&task, TaskKind::MidStayClean, &gulalai).await;
    hotel.clock.advance_seconds(23 * 3_600);
    assert_eq!(tick(&hotel, "mid_stay").await, None, "cleaned within the day");
    hotel.clock.advance_seconds(2 * 3_600);
    assert_eq!(tick(&hotel, "mid_stay").await.as_deref(), Some("1 rooms to clean for guests who stay"));
    hotel.deliver(&hotel.checked_out_of(&stay, &[&room])).await;
    hotel.clock.advance_seconds(3 * DAY);
    assert_eq!(tick(&hotel, "mid_stay").await, None, "the guest has left");
}

#[tokio::test]
async fn work_that_is_planned_for_a_later_day_keeps_nobody_from_cleaning_for_a_guest_who_stays() {
    let hotel = TestHotel::open().await;
    let (room, put_off) = (hotel.room("101", "clean").await, hotel.room("102", "clean").await);
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "autoMidStay": true })).await.done();
    hotel.deliver(&hotel.checked_in(&hotel.next(), &[&room, &put_off])).await;
    hotel.clock.advance_seconds(25 * 3_600);
    for (door, kind, hours) in [(&room, "deep_clean", 5 * 24), (&put_off, "mid_stay_clean", 30)] {
        let at = hotel.now().plus_seconds(hours * 3_600);
        let body = json!({ "propertyId": hotel.property, "roomId": door.id, "kind": kind, "scheduledFor": at });
        hotel.post(&hotel.supervisor(), "/housekeeping/v1/tasks", body).await.done();
    }
    hotel.clock.advance_seconds(60);
    assert_eq!(due::tenants(&hotel.app.db, Due::StaysToClean).await.unwrap(), std::slice::from_ref(&hotel.tenant));
    assert_eq!(tick(&hotel, "mid_stay").await.as_deref(), Some("1 rooms to clean for guests who stay"));
    let kinds: Vec<Value> = hotel.open_tasks(&room).await.iter().map(|task| task["kind"].clone()).collect();
    assert_eq!(kinds, [json!("deep_clean"), json!("mid_stay_clean")]);
    assert_eq!(hotel.open_tasks(&put_off).await.len(), 1, "a clean that was put off is open all the same");
    assert_eq!(due::tenants(&hotel.app.db, Due::StaysToClean).await.unwrap(), []);
    // Of the two that are open, the board leads with what is for now.
    let shown = hotel.board().await.0;
    let shown = shown["rooms"].as_array().unwrap().iter().find(|one| one["roomId"] == json!(room.id)).unwrap().clone();
    assert_eq!(shown["openTask"]["kind"], "mid_stay_clean");
    // The day before it, the deep clean is near enough.
    hotel
        .command(
            &hotel.supervisor(),
            &crate::test_hotel::text(&shown["openTask"]["taskId"]),
            "cancel",
            json!({ "reason": "no" }),
        )
        .await
        .done();
    hotel.clock.advance_seconds((4 * 24 + 1) * 3_600);
    assert_eq!(tick(&hotel, "mid_stay").await, None);
}

#[tokio::test]
async fn over_ten_thousand_tenants_with_nothing_due_a_tick_is_one_question() {
    let hotel = TestHotel::open().await;
    let crowd = "INSERT INTO housekeeping.tenant_settings (tenant_id, settings)
                 SELECT 'tnt_' || n, '{}' FROM generate_series(1, 10000) n;
                 INSERT INTO housekeeping.staff_shift_assignments
                   (id, tenant_id, property_id, staff_id, shift_id, shift_starts_at, shift_ends_at, capacity_minutes, clocked_in_at)
                 SELECT 'sft_' || n, 'tnt_' || n, 'prp_' || n, 'stf_1', 'shf_1', TIMESTAMPTZ '2026-04-22 02:30Z',
                        TIMESTAMPTZ '2026-04-22 10:30Z', 420, TIMESTAMPTZ '2026-04-22 02:30Z'
                 FROM generate_series(1, 10000) n;
                 INSERT INTO housekeeping.lost_and_found (id, tenant_id, property_id, room_id, description, finder_staff_id, recorded_at)
                 SELECT 'laf_' || n, 'tnt_' || n, 'prp_' || n, 'rom_1', 'a hat', 'stf_1', TIMESTAMPTZ '2026-04-21 02:30Z'
                 FROM generate_series(1, 10000) n;
                 INSERT INTO housekeeping.housekeeping_tasks
                   (id, tenant_id, property_id, room_id, kind, status, priority, estimated_minutes, created_at)
                 SELECT 'hkt_' || n, 'tnt_' || n, 'prp_' || n, 'rom_1', 'turnover', 'pending', 'normal', 50, TIMESTAMPTZ '2026-04-22 05:30Z'
                 FROM generate_series(1, 10000) n;
                 ANALYZE housekeeping.tenant_settings, housekeeping.staff_shift_assignments, housekeeping.lost_and_found,
                   housekeeping.housekeeping_tasks";
    hotel.behind.batch_execute(crowd).await.unwrap();
    // Every connection of the application is in use: whoever wants one is told to come again.
    let mut busy = Vec::new();
    for _ in 0..8 {
        let mut uow = hotel.app.db.begin_for(&SCHEMA, &hotel.tenant).await.unwrap();
        settings::load(&mut uow).await.unwrap();
        busy.push(uow);
    }
    for name in ["escalation", "arrivals_near", "staffing_gap", "lost_found_retention", "mid_stay"] {
        let begun = std::time::Instant::now();
        assert_eq!(tick(&hotel, name).await, None, "{name}");
        println!("{name}: {} ms", begun.elapsed().as_millis());
    }
}

#[tokio::test]
async fn who_has_something_due_is_told_to_the_operator_alone_and_by_tenant_alone() {
    let hotel = TestHotel::open().await;
    let task = hotel.task_for(&hotel.ready_room("101").await, TaskKind::DeepClean).await;
    make_urgent(&hotel, &task).await;
    hotel.clock.advance_seconds(600);
    assert_eq!(due::tenants(&hotel.app.db, Due::NeglectedWork).await.unwrap(), std::slice::from_ref(&hotel.tenant));
    let asks = format!("SELECT housekeeping.tenants_with_neglected_work('{}')", hotel.now());
    let other: TenantId = hotel.next();
    for (who, client) in [
        ("the application", hotel.as_application(Some(&other)).await),
        ("the application for its own tenant", hotel.as_application(Some(&hotel.tenant)).await),
        ("the relay", hotel.app.db.connect_as(DbRole::Relay).await.unwrap()),
    ] {
        let refused = client.query(&asks, &[]).await.unwrap_err();
        assert_eq!(refused.code().map(tokio_postgres::error::SqlState::code), Some("42501"), "{who}");
    }
    // The owner's policies let nobody see who connects as the owner, nor the operator the rows themselves.
    let owner = hotel.app.db.connect_as(DbRole::Owner).await.unwrap();
    let operator = hotel.app.db.connect_as(DbRole::Operator).await.unwrap();
    for table in
        ["housekeeping_tasks", "staff_shift_assignments", "lost_and_found", "tenant_settings", "alert_debounce"]
    {
        let rows = owner.query(&format!("SELECT FROM housekeeping.{table}"), &[]).await.unwrap();
        assert_eq!(rows.len(), 0, "the owner sees {table}");
        let rows = operator.query(&format!("SELECT FROM housekeeping.{table}"), &[]).await;
        assert!(rows.map_or(true, |rows| rows.is_empty()), "the operator sees {table}");
    }
    assert_eq!(owner.query(&asks, &[]).await.unwrap().len(), 0, "asked by the owner it answers nothing");
}

#[tokio::test]
async fn a_clerk_at_the_desk_does_not_make_up_for_those_who_clean() {
    let hotel = TestHotel::open().await;
    // Four hours each until the shift ends; six turnovers are five.
    hotel.on_shift_as("housekeeper").await;
    hotel.on_shift_as("front_desk").await;
    hotel.on_shift_as("supervisor").await;
    for number in 0..6 {
        hotel.task_for(&hotel.ready_room(&format!("1{number:02}")).await, TaskKind::Turnover).await;
    }
    assert_eq!(tick(&hotel, "staffing_gap").await.as_deref(), Some("1 staffing gaps told"));
    assert_eq!(told(&hotel, GAP).await[0]["payload"]["capacityMinutes"], 240);
}

#[tokio::test]
async fn where_nobody_cleans_whoever_oversees_has_to_be_enough() {
    let hotel = TestHotel::open().await;
    hotel.on_shift_as("front_desk").await;
    for number in 0..6 {
        hotel.task_for(&hotel.ready_room(&format!("1{number:02}")).await, TaskKind::Turnover).await;
    }
    assert_eq!(due::tenants(&hotel.app.db, Due::TooFewPeople).await.unwrap(), [], "it is nobody's gap");
    hotel.on_shift_as("supervisor").await;
    assert_eq!(tick(&hotel, "staffing_gap").await.as_deref(), Some("1 staffing gaps told"));
}

/// Opens a turnover for later.
async fn task_for_later(hotel: &TestHotel, number: &str, hours: i64) -> String {
    let room = hotel.ready_room(number).await;
    let at = hotel.now().plus_seconds(hours * 3_600);
    let body = json!({ "propertyId": hotel.property, "roomId": room.id, "kind": "turnover", "scheduledFor": at });
    crate::test_hotel::text(&hotel.post(&hotel.supervisor(), "/housekeeping/v1/tasks", body).await.done()["id"])
}

#[tokio::test]
async fn work_for_another_day_is_not_too_much_for_today_and_not_neglected() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    let mut tomorrow = Vec::new();
    for number in 0..6 {
        tomorrow.push(task_for_later(&hotel, &format!("1{number:02}"), 24).await);
    }
    assert_eq!(due::tenants(&hotel.app.db, Due::TooFewPeople).await.unwrap(), []);
    make_urgent(&hotel, &tomorrow[0]).await;
    hotel.clock.advance_seconds(3_600);
    assert_eq!(due::tenants(&hotel.app.db, Due::NeglectedWork).await.unwrap(), []);
    assert!(hotel.alerts().await.is_empty(), "its time has not come");
    hotel.clock.advance_seconds(23 * 3_600 + 299);
    assert_eq!(tick(&hotel, "escalation").await, None);
    assert!(hotel.alerts().await.is_empty());
    hotel.clock.advance_seconds(1);
    assert_eq!(hotel.alerts().await, ["urgent_not_started"]);
    assert_eq!(tick(&hotel, "escalation").await.as_deref(), Some("1 escalated"));
    // What is for this afternoon is today's.
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    for number in 0..6 {
        task_for_later(&hotel, &format!("1{number:02}"), 3).await;
    }
    assert_eq!(tick(&hotel, "staffing_gap").await.as_deref(), Some("1 staffing gaps told"));
}

#[tokio::test]
async fn a_clean_that_was_called_off_for_a_guest_who_stays_does_not_come_back_before_the_next_day() {
    let hotel = TestHotel::open().await;
    let room = hotel.room("101", "clean").await;
    let stay: ReservationId = hotel.next();
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "autoMidStay": true })).await.done();
    hotel.deliver(&hotel.checked_in(&stay, &[&room])).await;
    hotel.clock.advance_seconds(25 * 3_600);
    assert!(tick(&hotel, "mid_stay").await.is_some());
    let task = hotel.open_task(&room).await;
    hotel.command(&hotel.supervisor(), &task, "cancel", json!({ "reason": "the guest wants none" })).await.done();
    for _ in 0..23 {
        hotel.clock.advance_seconds(3_600);
        assert_eq!(due::tenants(&hotel.app.db, Due::StaysToClean).await.unwrap(), []);
        assert_eq!(tick(&hotel, "mid_stay").await, None);
    }
    hotel.clock.advance_seconds(3_600);
    assert!(tick(&hotel, "mid_stay").await.is_some(), "it is the next day");
}

#[tokio::test]
async fn a_clean_that_the_guest_before_did_not_want_is_not_kept_from_the_next() {
    let hotel = TestHotel::open().await;
    let room = hotel.room("101", "clean").await;
    let (before, next): (ReservationId, ReservationId) = (hotel.next(), hotel.next());
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "autoMidStay": true })).await.done();
    let arrival = hotel.checked_in(&next, &[&room]);
    hotel.deliver(&hotel.checked_in(&before, &[&room])).await;
    hotel.clock.advance_seconds(25 * 3_600);
    hotel.deliver(&hotel.clean_requested(&before)).await;
    let task = hotel.open_task(&room).await;
    hotel.command(&hotel.supervisor(), &task, "cancel", json!({ "reason": "no" })).await.done();
    hotel.deliver(&hotel.checked_out_of(&before, &[&room])).await;
    let turnover = hotel.open_task(&room).await;
    hotel.command(&hotel.supervisor(), &turnover, "cancel", json!({ "reason": "done" })).await.done();
    hotel.deliver(&arrival).await;
    assert!(tick(&hotel, "mid_stay").await.is_some());
}

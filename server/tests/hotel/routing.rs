//! The planner suggests: what is in a plan, who may make one, and in which time.

use std::sync::Arc;
use std::time::Instant;

use contracts::housekeeping::TaskKind;
use contracts::ids::StaffId;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use housekeeping::application::routing_port::{RoutingError, RoutingInput, RoutingPort};
use housekeeping::domain::suggestion::Proposal;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, Door, TestHotel, text};

pub(crate) const SUGGEST: &str = "/housekeeping/v1/routing/suggest";
pub(crate) const ASSIGNED: &str = "melmastoon.housekeeping.task.assigned.v1";

/// Rooms whose guests have left, each with its turnover.
pub(crate) async fn turnovers(hotel: &TestHotel, numbers: &[&str]) -> Vec<(Door, String)> {
    let mut made = Vec::new();
    for number in numbers {
        let door = hotel.ready_room(number).await;
        hotel.deliver(&hotel.checked_out(&door)).await;
        let task = hotel.open_task(&door).await;
        made.push((door, task));
    }
    made
}

fn rows(suggestion: &Value) -> Vec<&Value> {
    suggestion["rows"].as_array().expect("rows").iter().collect()
}

pub(crate) fn row_of<'s>(suggestion: &'s Value, task: &str) -> &'s Value {
    let found = rows(suggestion).into_iter().find(|row| row["taskId"] == task);
    found.unwrap_or_else(|| panic!("{task} is in no row of {suggestion}"))
}

async fn settings(hotel: &TestHotel, gate: &str) {
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "routingGate": gate })).await.done();
}

#[tokio::test]
async fn a_plan_gives_every_task_to_somebody_on_shift_and_says_why() {
    let hotel = TestHotel::open().await;
    let people = [hotel.person_on_shift().await, hotel.person_on_shift().await];
    let work = turnovers(&hotel, &["101", "102", "103", "104"]).await;
    hotel.published().await;
    let answer = hotel.suggest().await;
    assert_eq!((answer.status, answer.header("etag")), (201, Some("\"1\"")), "{}", answer.text);
    let suggestion = answer.body;
    assert_eq!(text(&suggestion["status"]), "pending");
    assert_eq!(text(&suggestion["source"]), "planner");
    assert_eq!(suggestion["generatedAt"], json!(hotel.now()));
    assert_eq!(rows(&suggestion).len(), work.len());
    for (_, task) in &work {
        let row = row_of(&suggestion, task);
        assert!(people.iter().any(|person| row["staffId"] == person.as_str()), "{row}");
        assert_eq!(row["outcome"], "proposed");
        assert!(
            row["sequence"].as_u64().is_some() && row["startAt"].is_string() && row["finishAt"].is_string(),
            "{row}"
        );
        assert!(!text(&row["reasoning"]).is_empty() && row["reasons"][0]["code"].is_string(), "{row}");
        assert_eq!(hotel.task(task).await["status"], "pending", "nothing is done before somebody decides");
    }
    assert!(hotel.published().await.is_empty(), "a suggestion is nobody's news");
}

#[tokio::test]
async fn work_that_has_begun_stays_with_whoever_began_it() {
    let hotel = TestHotel::open().await;
    let (busy, free) = (hotel.person_on_shift().await, hotel.person_on_shift().await);
    let work = turnovers(&hotel, &["101", "102", "103"]).await;
    hotel.begin(&work[0].1, &busy).await;
    hotel.begin(&work[1].1, &free).await;
    hotel.command(&hotel.housekeeper(&free), &work[1].1, "pause", json!({ "reason": "awaiting_linen" })).await.done();
    let suggestion = hotel.suggest().await.done();
    for (at, person) in [(0, &busy), (1, &free)] {
        let row = row_of(&suggestion, &work[at].1);
        assert_eq!((text(&row["staffId"]), text(&row["outcome"])), (person.to_string(), "unchanged".into()));
    }
    assert_eq!(row_of(&suggestion, &work[0].1)["sequence"], 1, "what is being done comes first");
    assert_eq!(row_of(&suggestion, &work[2].1)["outcome"], "proposed");
    hotel.decide(&suggestion, "approve", json!({})).await.done();
    assert_eq!(hotel.task(&work[0].1).await["status"], "in_progress");
    assert_eq!(hotel.task(&work[1].1).await["status"], "paused");
}

#[tokio::test]
async fn a_new_plan_takes_the_place_of_the_one_that_waits() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    turnovers(&hotel, &["101"]).await;
    let first = hotel.suggest().await.done();
    hotel.clock.advance_seconds(60);
    let second = hotel.suggest().await.done();
    let old = hotel.decide(&first, "approve", json!({})).await;
    old.refused(409, "MELMASTOON.HOUSEKEEPING.SUGGESTION_DECIDED").naming("superseded");
    let list = format!("/housekeeping/v1/routing/suggestions?propertyId={}", hotel.property);
    let all = hotel.get(&hotel.supervisor(), &list).await.done();
    let listed: Vec<_> = rows_of_list(&all).iter().map(|one| (text(&one["id"]), text(&one["status"]))).collect();
    let ids = |one: &Value, status: &str| (text(&one["id"]), status.to_owned());
    assert_eq!(listed, [ids(&second, "pending"), ids(&first, "superseded")], "newest first");
    let waiting = hotel.get(&hotel.supervisor(), &format!("{list}&status=pending")).await.done();
    assert_eq!(rows_of_list(&waiting).len(), 1);
    hotel
        .get(&hotel.supervisor(), &format!("{list}&status=lost"))
        .await
        .refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE");
}

fn rows_of_list(page: &Value) -> &Vec<Value> {
    page["items"].as_array().expect("items")
}

#[tokio::test]
async fn a_plan_of_one_shift_leaves_the_others_alone() {
    let hotel = TestHotel::open().await;
    let (here, elsewhere) = (hotel.person_on_shift().await, hotel.person_on_shift().await);
    let work = turnovers(&hotel, &["101", "102"]).await;
    hotel.assign(&work[0].1, &elsewhere).await;
    let board = hotel.board().await;
    let people = board.0["staff"].as_array().unwrap();
    let shift = people.iter().find(|person| person["staffId"] == here.as_str()).unwrap()["shiftId"].clone();
    let body = json!({ "propertyId": hotel.property, "shiftId": shift });
    let suggestion = hotel.post(&hotel.supervisor(), SUGGEST, body).await.done();
    assert_eq!(suggestion["shiftId"], shift);
    assert_eq!(rows(&suggestion).len(), 1, "{suggestion}");
    assert_eq!(row_of(&suggestion, &work[1].1)["staffId"], here.as_str());
    let whole = hotel.suggest().await.done();
    assert_eq!(rows(&whole).len(), 2);
    hotel.decide(&suggestion, "approve", json!({})).await.refused(409, "MELMASTOON.HOUSEKEEPING.SUGGESTION_DECIDED");
}

#[tokio::test]
async fn the_board_shows_the_plan_that_waits_and_the_guest_who_does() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    let work = turnovers(&hotel, &["101", "102"]).await;
    let before = hotel.board().await.0;
    assert_eq!(before["suggestion"], Value::Null);
    let suggestion = hotel.suggest().await.done();
    let board = hotel.board().await.0;
    assert_eq!(board["suggestion"]["suggestionId"], suggestion["id"]);
    assert_eq!(board["suggestion"]["rows"].as_array().unwrap().len(), 2);
    assert_ne!(board["etag"], before["etag"]);
    let guest = hotel.next();
    hotel.deliver(&hotel.check_in_started(&guest, &[&work[0].0])).await;
    let room = |board: &Value| board["rooms"].as_array().unwrap().iter().find(|room| room["number"] == "101").cloned();
    assert_eq!(room(&hotel.board().await.0).unwrap()["nextArrivalAt"], json!(hotel.now()));
    hotel.decide(&suggestion, "approve", json!({})).await.done();
    hotel.deliver(&hotel.no_show(&guest)).await;
    let after = hotel.board().await.0;
    assert_eq!((&after["suggestion"], &room(&after).unwrap()["nextArrivalAt"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn the_room_of_a_guest_at_the_desk_comes_first() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    let work = turnovers(&hotel, &["101", "102", "103", "104", "105"]).await;
    let last = &work[4];
    hotel.deliver(&hotel.check_in_started(&hotel.next(), &[&last.0])).await;
    let suggestion = hotel.suggest().await.done();
    assert_eq!(row_of(&suggestion, &last.1)["sequence"], 1, "{suggestion}");
}

#[tokio::test]
async fn work_in_a_room_that_is_out_of_order_waits() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    let broken = hotel.room("101", "out_of_order").await;
    let task = hotel.task_for(&broken, TaskKind::Turnover).await;
    let suggestion = hotel.suggest().await.done();
    assert_eq!(suggestion["unassigned"][0]["taskId"], task.as_str());
    assert_eq!(suggestion["unassigned"][0]["reason"]["code"], "room_out_of_order");
    assert_eq!(text(&suggestion["status"]), "nothing_to_do");
}

#[tokio::test]
async fn without_people_or_work_the_plan_is_empty_and_says_why() {
    let hotel = TestHotel::open().await;
    let nothing = hotel.suggest().await.done();
    assert_eq!((text(&nothing["status"]), text(&nothing["note"])), ("nothing_to_do".into(), "nothing_to_plan".into()));
    turnovers(&hotel, &["101"]).await;
    assert_eq!(text(&hotel.suggest().await.done()["note"]), "nobody_on_shift");
    hotel.person_on_shift().await;
    settings(&hotel, "manual_only").await;
    let manual = hotel.suggest().await.done();
    assert_eq!((text(&manual["note"]), rows(&manual).len()), ("manual_only".into(), 0));
}

/// A planner that has no time for anybody.
#[derive(Debug)]
struct NoTime;

impl RoutingPort for NoTime {
    fn suggest(&self, _: Arc<RoutingInput>, _: Instant) -> BoxFuture<'_, Result<Proposal, RoutingError>> {
        async { Err(RoutingError::Busy) }.boxed()
    }
}

#[tokio::test]
async fn without_a_planner_the_plan_is_empty_and_the_one_before_it_goes_on_waiting() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    turnovers(&hotel, &["101"]).await;
    let earlier = hotel.suggest().await.done();
    let other = hotel.process(|parts| parts.contexts = server::contexts::all(Arc::new(NoTime)));
    let ask = Ask::post(SUGGEST).by(&hotel.supervisor()).json(&json!({ "propertyId": hotel.property }));
    let empty = crate::test_hotel::ask_router(&other, ask).await.done();
    assert_eq!((text(&empty["status"]), text(&empty["source"])), ("nothing_to_do".into(), "none".into()));
    assert_eq!(text(&empty["note"]), "planner_unavailable");
    assert_eq!(hotel.board().await.0["suggestion"]["suggestionId"], earlier["id"]);
}

#[tokio::test]
async fn where_the_hotel_wants_it_the_plan_is_done_at_once() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let work = turnovers(&hotel, &["101", "102"]).await;
    settings(&hotel, "auto_apply").await;
    hotel.published().await;
    let suggestion = hotel.suggest().await.done();
    assert_eq!(text(&suggestion["status"]), "approved");
    assert_eq!(suggestion["decidedBy"], json!({ "type": "system", "id": "sys_auto_apply" }));
    assert_eq!(hotel.published().await, [ASSIGNED, ASSIGNED]);
    assert_eq!(hotel.task(&work[0].1).await["assigneeStaffId"], gulalai.as_str());
}

#[tokio::test]
async fn of_plans_that_are_made_at_once_one_waits() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    turnovers(&hotel, &["101", "102"]).await;
    let second = hotel.second_process();
    let ask = || Ask::post(SUGGEST).by(&hotel.supervisor()).json(&json!({ "propertyId": hotel.property }));
    let elsewhere = || crate::test_hotel::ask_router(&second, ask());
    let (a, b, c, d) = tokio::join!(hotel.ask(ask()), elsewhere(), hotel.ask(ask()), elsewhere());
    for answer in [a, b, c, d] {
        answer.done();
    }
    assert_eq!(hotel.count("housekeeping.routing_suggestions").await, 4);
    assert_eq!(hotel.count("housekeeping.routing_suggestions WHERE status = 'pending'").await, 1);
}

#[tokio::test]
async fn suggestions_and_arrivals_are_kept_for_ninety_days() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    let work = turnovers(&hotel, &["101"]).await;
    hotel.suggest().await.done();
    hotel.suggest().await.done();
    let (gone, waiting) = (hotel.next(), hotel.next());
    hotel.deliver(&hotel.check_in_started(&gone, &[&work[0].0])).await;
    hotel.deliver(&hotel.no_show(&gone)).await;
    hotel.deliver(&hotel.check_in_started(&waiting, &[&work[0].0])).await;
    let age = "UPDATE housekeeping.routing_suggestions SET generated_at = now() - interval '89 days';
               UPDATE housekeeping.routing_suggestions SET generated_at = now() - interval '91 days' WHERE status = 'superseded';
               UPDATE housekeeping.arrivals SET over_at = now() - interval '91 days' WHERE over_at IS NOT NULL";
    hotel.behind.batch_execute(&age.replace("now()", &format!("TIMESTAMPTZ '{}'", hotel.now()))).await.unwrap();
    let done = housekeeping::application::ticks::keep_up(hotel.app.db.clone()).await.unwrap();
    assert_eq!(done.as_deref(), Some("2 rows removed"));
    assert_eq!(hotel.count("housekeeping.routing_suggestions").await, 1);
    assert_eq!(hotel.count("housekeeping.arrivals WHERE over_at IS NULL").await, 1);
}

#[tokio::test]
async fn a_supervisor_can_ask_what_a_change_would_bring() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.person_on_shift().await, hotel.person_on_shift().await);
    let work = turnovers(&hotel, &["101", "102"]).await;
    hotel.assign(&work[0].1, &gulalai).await;
    let ask = |task: &str, staff: &StaffId| json!({ "propertyId": hotel.property, "taskId": task, "staffId": staff });
    let path = "/housekeeping/v1/routing/what-if";
    let more = hotel.post(&hotel.supervisor(), path, ask(&work[1].1, &gulalai)).await.done();
    assert_eq!((&more["sequence"], &more["addedMinutes"]), (&json!(2), &json!(50)), "{more}");
    let moved = hotel.post(&hotel.supervisor(), path, ask(&work[0].1, &nasrin)).await.done();
    assert!(text(&moved["text"]).starts_with("adds 50 minutes to the day of"), "{moved}");
    let stranger = hotel.post(&hotel.supervisor(), path, ask(&work[0].1, &hotel.next())).await;
    stranger.refused(409, "MELMASTOON.HOUSEKEEPING.STAFF_NOT_ON_SHIFT");
    let nothing = hotel.post(&hotel.supervisor(), path, ask("hkt_NOTHING", &nasrin)).await;
    nothing.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    assert_eq!(hotel.task(&work[0].1).await["assigneeStaffId"], gulalai.as_str(), "nothing is changed by asking");
}

/// So many turnovers on floors of fifty rooms, and so many people, put there behind the scenes.
async fn large_house(hotel: &TestHotel, tasks: i32, people: i32) {
    hotel.task_for(&hotel.ready_room("1").await, TaskKind::Inspection).await;
    let (tenant, property, now) = (hotel.tenant.as_str(), hotel.property.as_str(), hotel.now().jiff());
    let rooms = "WITH doors AS (
                   INSERT INTO housekeeping.rooms (tenant_id, property_id, room_id, number, floor, section)
                   SELECT $1, $2, 'rom_' || n, (n / 50 + 1) || lpad((n % 50)::TEXT, 2, '0'), n / 50 + 1, 'east'
                   FROM generate_series(1, $3) n RETURNING room_id)
                 INSERT INTO housekeeping.room_status (tenant_id, property_id, room_id, status, last_flipped_at, last_flipped_by, last_cause)
                 SELECT $1, $2, room_id, 'dirty', $4, '{\"type\":\"system\",\"id\":\"sys_test\"}', 'manual_override' FROM doors";
    hotel.behind.execute(rooms, &[&tenant, &property, &tasks, &now]).await.unwrap();
    let work = "INSERT INTO housekeeping.housekeeping_tasks (id, tenant_id, property_id, room_id, kind, status, priority, checklist_id,
                  checklist_version, locale_hint, source, created_at, updated_at, estimated_minutes)
                SELECT 'hkt_01KPSY36J0' || lpad(n::TEXT, 16, '0'), $1, $2, 'rom_' || n, 'turnover', 'pending', 'normal', t.checklist_id, 1,
                  'ps-AF', 'manual', t.created_at, t.created_at, 40
                FROM generate_series(1, $3) n, housekeeping.housekeeping_tasks t WHERE t.tenant_id = $1";
    hotel.behind.execute(work, &[&tenant, &property, &tasks]).await.unwrap();
    let shifts = "INSERT INTO housekeeping.staff_shift_assignments (id, tenant_id, property_id, staff_id, shift_id, shift_starts_at,
                    shift_ends_at, capacity_minutes, clocked_in_at)
                  SELECT 'sft_' || n, $1, $2, 'stf_' || n, 'shf_DAY', $4, $4::TIMESTAMPTZ + interval '9 hours', 480, $4 FROM generate_series(1, $3) n";
    hotel.behind.execute(shifts, &[&tenant, &property, &people, &now]).await.unwrap();
}

#[tokio::test]
async fn a_thousand_tasks_are_suggested_and_approved() {
    let hotel = TestHotel::open().await;
    large_house(&hotel, 1_000, 80).await;
    let suggestion = hotel.suggest().await.done();
    let proposed = rows(&suggestion).len();
    assert!(proposed > 800, "{proposed}");
    let decided = hotel.decide(&suggestion, "approve", json!({})).await.done();
    assert_eq!(text(&decided["status"]), "approved");
    let assigned = hotel.count("housekeeping.housekeeping_tasks WHERE status = 'assigned'").await;
    assert_eq!(usize::try_from(assigned).unwrap(), proposed);
}

/// Somebody at work, and a turnover that they could not do.
async fn failed_work(hotel: &TestHotel) -> (Door, StaffId, String) {
    let gulalai = hotel.person_on_shift().await;
    let work = turnovers(hotel, &["101"]).await;
    hotel.begin(&work[0].1, &gulalai).await;
    let body = json!({ "reason": "other", "note": "my back" });
    hotel.command(&hotel.housekeeper(&gulalai), &work[0].1, "fail", body).await.done();
    let again = hotel.open_task(&work[0].0).await;
    (work[0].0.clone(), gulalai, again)
}

#[tokio::test]
async fn what_somebody_failed_to_do_goes_to_somebody_else_where_anybody_else_is_there() {
    let hotel = TestHotel::open().await;
    let (_, gulalai, again) = failed_work(&hotel).await;
    let alone = hotel.suggest().await.done();
    assert_eq!(row_of(&alone, &again)["staffId"], gulalai.as_str(), "there is nobody else");
    let nasrin = hotel.person_on_shift().await;
    // She has plenty to do, and it still is hers: not the one who could not do it.
    for (_, task) in turnovers(&hotel, &["102", "103"]).await {
        hotel.assign(&task, &nasrin).await;
    }
    let plan = hotel.suggest().await.done();
    let row = row_of(&plan, &again);
    assert_eq!(row["staffId"], nasrin.as_str(), "{plan}");
    assert_eq!(
        (&row["reasons"][0]["code"], &row["reasons"][0]["params"]["staffId"]),
        (&json!("failed_before"), &json!(gulalai))
    );
    // A person may say otherwise, and the plan leaves it there.
    hotel.assign(&again, &gulalai).await;
    let plan = hotel.suggest().await.done();
    assert_eq!(row_of(&plan, &again)["outcome"], "unchanged", "{plan}");
}

//! The supervisor decides on a plan: whole or row by row, once, and on what is still so.

use contracts::housekeeping::TaskKind;
use contracts::ids::{StaffId, TenantId};
use platform::auth::Role;
use serde_json::json;

use crate::routing::{ASSIGNED, SUGGEST, row_of, turnovers};
use crate::test_hotel::{Ask, TestHotel, text};

const REASSIGNED: &str = "melmastoon.housekeeping.task.reassigned.v1";

#[tokio::test]
async fn an_approval_assigns_and_tells_it_as_assignments() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let work = turnovers(&hotel, &["101", "102"]).await;
    let suggestion = hotel.suggest().await.done();
    hotel.published().await;
    let decided = hotel.decide(&suggestion, "approve", json!({})).await.done();
    assert_eq!(text(&decided["status"]), "approved");
    assert_eq!(decided["decidedBy"], json!({ "type": "user", "id": "stf_SUPERVISOR" }));
    assert_eq!(decided["version"], 2);
    for (_, task) in &work {
        assert_eq!(row_of(&decided, task)["outcome"], "applied");
        let task = hotel.task(task).await;
        assert_eq!((text(&task["status"]), text(&task["assigneeStaffId"])), ("assigned".into(), gulalai.to_string()));
    }
    assert_eq!(hotel.published().await, [ASSIGNED, ASSIGNED]);
    let path = format!("/housekeeping/v1/routing/suggestions/{}", text(&decided["id"]));
    assert_eq!(hotel.get(&hotel.supervisor(), &path).await.done(), decided, "what was answered is what is kept");
}

#[tokio::test]
async fn a_task_that_changes_hands_says_that_the_router_suggested_it() {
    let hotel = TestHotel::open().await;
    let (gone, here) = (hotel.person_on_shift().await, hotel.person_on_shift().await);
    let work = turnovers(&hotel, &["101"]).await;
    hotel.assign(&work[0].1, &gone).await;
    hotel.deliver(&hotel.clocked_out(None, &gone)).await;
    let suggestion = hotel.suggest().await.done();
    let row = row_of(&suggestion, &work[0].1);
    assert_eq!((text(&row["staffId"]), text(&row["previousStaffId"])), (here.to_string(), gone.to_string()));
    assert_eq!(suggestion["moved"][0]["from"], gone.as_str());
    hotel.news().await;
    hotel.decide(&suggestion, "approve", json!({})).await.done();
    let news = hotel.news().await;
    assert_eq!(news.len(), 1);
    assert_eq!(text(&news[0]["subject"]), REASSIGNED);
    assert_eq!(news[0]["payload"]["reason"], "router_suggestion");
}

#[tokio::test]
async fn rows_can_be_decided_one_by_one() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    let work = turnovers(&hotel, &["101", "102", "103"]).await;
    let suggestion = hotel.suggest().await.done();
    let some = hotel.decide(&suggestion, "approve", json!({ "rows": [work[1].1] })).await.done();
    assert_eq!(text(&some["status"]), "pending");
    assert_eq!(hotel.task(&work[0].1).await["status"], "pending");
    assert_eq!(hotel.task(&work[1].1).await["status"], "assigned");
    let again = hotel.decide(&suggestion, "approve", json!({ "rows": [work[1].1] })).await;
    again.refused(409, "MELMASTOON.HOUSEKEEPING.SUGGESTION_ROW_DECIDED").naming(&work[1].1);
    let stranger = hotel.decide(&suggestion, "reject", json!({ "rows": ["hkt_NOBODY"] })).await;
    stranger.refused(422, "MELMASTOON.HOUSEKEEPING.SUGGESTION_ROW_UNKNOWN");
    hotel
        .decide(&suggestion, "reject", json!({ "rows": [] }))
        .await
        .refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE");
    let rest = hotel.decide(&suggestion, "reject", json!({})).await.done();
    assert_eq!(text(&rest["status"]), "partly_approved");
    assert_eq!(hotel.task(&work[0].1).await["status"], "pending");
    let over = hotel.decide(&suggestion, "approve", json!({})).await;
    over.refused(409, "MELMASTOON.HOUSEKEEPING.SUGGESTION_DECIDED");
}

#[tokio::test]
async fn a_rejected_suggestion_changes_nothing() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    let work = turnovers(&hotel, &["101"]).await;
    let suggestion = hotel.suggest().await.done();
    hotel.published().await;
    let decided = hotel.decide(&suggestion, "reject", json!({})).await.done();
    assert_eq!(text(&decided["status"]), "rejected");
    assert_eq!(hotel.task(&work[0].1).await["status"], "pending");
    assert!(hotel.published().await.is_empty());
}

#[tokio::test]
async fn what_became_stale_is_skipped_with_its_reason_and_the_rest_is_done() {
    let hotel = TestHotel::open().await;
    let (gulalai, nasrin) = (hotel.person_on_shift().await, hotel.person_on_shift().await);
    let work = turnovers(&hotel, &["101", "102", "103", "104", "105", "106"]).await;
    let suggestion = hotel.suggest().await.done();
    let suggested = |at: usize| StaffId::parse(&text(&row_of(&suggestion, &work[at].1)["staffId"])).unwrap();
    let other = |staff: &StaffId| if *staff == gulalai { nasrin.clone() } else { gulalai.clone() };
    hotel.command(&hotel.supervisor(), &work[0].1, "cancel", json!({ "reason": "guest stays" })).await.done();
    hotel.begin(&work[1].1, &suggested(1)).await;
    hotel.assign(&work[2].1, &other(&suggested(2))).await;
    hotel.clean(&work[3].1, TaskKind::Turnover, &other(&suggested(3))).await;
    hotel.assign(&work[4].1, &suggested(4)).await;
    hotel.published().await;
    let decided = hotel.decide(&suggestion, "approve", json!({})).await.done();
    assert_eq!(text(&decided["status"]), "partly_approved");
    let expected = ["task_over", "task_started", "assigned_meanwhile", "task_over"];
    for (at, because) in expected.into_iter().enumerate() {
        let row = row_of(&decided, &work[at].1);
        assert_eq!((text(&row["outcome"]), text(&row["because"])), ("skipped".into(), because.into()), "{row}");
    }
    assert_eq!(row_of(&decided, &work[4].1)["outcome"], "applied", "by hand, as suggested");
    assert_eq!(row_of(&decided, &work[5].1)["outcome"], "applied");
    assert_eq!(hotel.task(&work[2].1).await["assigneeStaffId"], other(&suggested(2)).as_str());
    assert_eq!(hotel.published().await, [ASSIGNED], "one task was given to somebody");
}

#[tokio::test]
async fn nobody_is_given_work_who_has_gone_home_since() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let work = turnovers(&hotel, &["101"]).await;
    let suggestion = hotel.suggest().await.done();
    hotel.deliver(&hotel.clocked_out(None, &gulalai)).await;
    let decided = hotel.decide(&suggestion, "approve", json!({})).await.done();
    assert_eq!(text(&decided["status"]), "expired");
    assert_eq!(text(&row_of(&decided, &work[0].1)["because"]), "staff_off_shift");
    assert_eq!(hotel.task(&work[0].1).await["status"], "pending");
}

#[tokio::test]
async fn of_two_approvals_one_wins() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    turnovers(&hotel, &["101", "102", "103"]).await;
    let suggestion = hotel.suggest().await.done();
    hotel.published().await;
    let second = hotel.second_process();
    let path = format!("/housekeeping/v1/routing/suggestions/{}/approve", text(&suggestion["id"]));
    let ask = || Ask::post(path.clone()).by(&hotel.supervisor()).json(&json!({}));
    let (one, other) = tokio::join!(hotel.ask(ask()), crate::test_hotel::ask_router(&second, ask()));
    let (won, lost) = if one.status == 200 { (one, other) } else { (other, one) };
    assert_eq!(text(&won.done()["status"]), "approved");
    lost.refused(409, "MELMASTOON.HOUSEKEEPING.SUGGESTION_DECIDED");
    assert_eq!(hotel.published().await.len(), 3, "every task was given once");
}

#[tokio::test]
async fn an_approval_of_another_version_than_the_one_seen_is_refused() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    let work = turnovers(&hotel, &["101", "102"]).await;
    let suggestion = hotel.suggest().await.done();
    hotel.decide(&suggestion, "approve", json!({ "rows": [work[0].1] })).await.done();
    let path = format!("/housekeeping/v1/routing/suggestions/{}/approve", text(&suggestion["id"]));
    let ask = |seen: &str| Ask::post(path.clone()).by(&hotel.supervisor()).header("if-match", seen).json(&json!({}));
    hotel.ask(ask("\"1\"")).await.refused(412, "MELMASTOON.HOUSEKEEPING.STALE_VERSION");
    hotel.ask(ask("\"2\"")).await.done();
}

#[tokio::test]
async fn the_same_key_asks_for_one_plan_and_approves_it_once() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    turnovers(&hotel, &["101"]).await;
    let ask = || Ask::post(SUGGEST).by(&hotel.supervisor()).key("plan").json(&json!({ "propertyId": hotel.property }));
    let first = hotel.ask(ask()).await;
    let again = hotel.ask(ask()).await;
    assert_eq!((first.status, &first.text), (again.status, &again.text));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(hotel.count("housekeeping.routing_suggestions").await, 1);
    let path = format!("/housekeeping/v1/routing/suggestions/{}/approve", text(&first.body["id"]));
    let approve = || Ask::post(path.clone()).by(&hotel.supervisor()).key("yes").json(&json!({}));
    let (one, two) = (hotel.ask(approve()).await, hotel.ask(approve()).await);
    assert_eq!((one.status, one.text), (200, two.text));
}

#[tokio::test]
async fn another_tenants_suggestion_is_not_there() {
    let hotel = TestHotel::open().await;
    hotel.person_on_shift().await;
    let work = turnovers(&hotel, &["101"]).await;
    let suggestion = hotel.suggest().await.done();
    let other: TenantId = hotel.next();
    let token = hotel.token_of_tenant(Role::Supervisor, &other);
    let path = format!("/housekeeping/v1/routing/suggestions/{}", text(&suggestion["id"]));
    hotel.get(&token, &path).await.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    for verb in ["approve", "reject"] {
        let answer = hotel.post(&token, &format!("{path}/{verb}"), json!({})).await;
        answer.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    }
    assert_eq!(hotel.task(&work[0].1).await["status"], "pending");
    let housekeeper = hotel.housekeeper(&hotel.next());
    let answer = hotel.post(&housekeeper, &format!("{path}/approve"), json!({})).await;
    answer.refused(403, "MELMASTOON.PLATFORM.FORBIDDEN");
}

//! What the pages say in the reader's language: who cannot be planned for, the order of one's day, why something is on the board.

use contracts::housekeeping::TaskKind;
use contracts::ids::StaffId;
use serde_json::{Value, json};

use crate::routing::turnovers;
use crate::test_hotel::{TestHotel, text};

const WHAT_IF: &str = "/housekeeping/v1/routing/what-if";

/// Somebody at work who leads the others.
async fn leader_on_shift(hotel: &TestHotel) -> StaffId {
    let leader = hotel.person_on_shift().await;
    let skill = "UPDATE housekeeping.staff_shift_assignments SET skills = '{supervision}' WHERE staff_id = $1";
    assert_eq!(hotel.behind.execute(skill, &[&leader.as_str()]).await.unwrap(), 1);
    leader
}

#[tokio::test]
async fn what_if_for_somebody_who_leads_is_an_answer_with_an_obstacle() {
    let hotel = TestHotel::open().await;
    let leader = leader_on_shift(&hotel).await;
    let work = turnovers(&hotel, &["101", "102"]).await;
    let ask = async |task: &str, staff: &StaffId| {
        let body = json!({ "propertyId": hotel.property, "taskId": task, "staffId": staff });
        hotel.post(&hotel.supervisor(), WHAT_IF, body).await.done()
    };
    let alone = ask(&work[0].1, &leader).await;
    assert_eq!(alone["obstacle"], "not_planned", "nobody else is at work: {alone}");
    let gulalai = hotel.person_on_shift().await;
    let told = ask(&work[0].1, &leader).await;
    assert_eq!((text(&told["obstacle"]), text(&told["staffId"])), ("not_planned".to_owned(), leader.to_string()));
    assert_eq!((&told["addedMinutes"], &told["lateness"]), (&json!(0), &json!([])));
    assert_eq!(ask(&work[0].1, &gulalai).await.get("obstacle"), None);
    // What a leader took on stays with them, whoever it is offered to.
    hotel.assign(&work[1].1, &leader).await;
    assert_eq!(ask(&work[1].1, &gulalai).await["obstacle"], "task_not_planned");
}

async fn share_of(hotel: &TestHotel, staff: &StaffId) -> Value {
    let path = format!("/housekeeping/v1/board?propertyId={}&staffId={staff}", hotel.property);
    hotel.get(&hotel.housekeeper(staff), &path).await.done()
}

#[tokio::test]
async fn ones_own_board_has_the_order_of_the_plan_that_was_approved() {
    let hotel = TestHotel::open().await;
    let staff = hotel.person_on_shift().await;
    let work = turnovers(&hotel, &["305", "101", "204"]).await;
    assert_eq!(share_of(&hotel, &staff).await.get("plannedOrder"), None, "no plan, no order");
    let plan = hotel.suggest().await.done();
    hotel.assign(&work[0].1, &staff).await;
    assert_eq!(
        share_of(&hotel, &staff).await.get("plannedOrder"),
        None,
        "a plan that nobody has approved is no advice"
    );
    hotel.decide(&plan, "approve", json!({})).await.done();
    let mut rows: Vec<&Value> = plan["rows"].as_array().unwrap().iter().collect();
    rows.sort_by_key(|row| row["sequence"].as_u64());
    let planned: Vec<String> = rows.iter().map(|row| text(&row["taskId"])).collect();
    let order =
        |share: &Value| -> Vec<String> { share["plannedOrder"].as_array().into_iter().flatten().map(text).collect() };
    let share = share_of(&hotel, &staff).await;
    assert_eq!(order(&share), planned);
    let before = text(&share["etag"]);
    // What goes to somebody else leaves the order; the rest of it stays.
    let other = hotel.person_on_shift().await;
    hotel.assign(&planned[1], &other).await;
    let share = share_of(&hotel, &staff).await;
    assert_eq!(order(&share), [planned[0].clone(), planned[2].clone()]);
    assert_ne!(text(&share["etag"]), before);
    assert_eq!(hotel.board().await.0.get("plannedOrder"), None, "the whole board has everybody's");
    hotel.clock.advance_seconds(24 * 3_600);
    let token = hotel.supervisor();
    let path = format!("/housekeeping/v1/board?propertyId={}&staffId={staff}", hotel.property);
    assert_eq!(hotel.get(&token, &path).await.done().get("plannedOrder"), None, "yesterday's plan is over");
}

#[tokio::test]
async fn an_alert_says_why_by_code_and_figures_so_that_any_language_can_say_it() {
    let hotel = TestHotel::open().await;
    let staff = hotel.person_on_shift().await;
    let room = hotel.ready_room("101").await;
    let task = hotel.task_for(&room, TaskKind::Turnover).await;
    hotel.assign(&task, &staff).await;
    let because = async |code: &str| -> Value {
        let board = hotel.board().await.0;
        let found = board["alerts"].as_array().unwrap().iter().find(|alert| alert["code"] == code).cloned();
        found.unwrap_or_else(|| panic!("no {code} in {}", board["alerts"]))["because"].clone()
    };
    let path = format!("/housekeeping/v1/tasks/{task}/escalate");
    for (reason, code) in
        [("help", json!("help")), ("start refused: NOT_THE_ASSIGNEE", json!("refused")), ("د اوبو نل", Value::Null)]
    {
        let body = json!({ "to": { "role": "supervisor" }, "reason": reason });
        hotel.post(&hotel.housekeeper(&staff), &path, body).await.done();
        assert_eq!(because("escalated").await["code"], code, "{reason}");
    }
    let line = json!({ "propertyId": hotel.property, "line": "bath_towel", "onHand": 3, "lowWatermark": 10 });
    hotel.post(&hotel.supervisor(), "/housekeeping/v1/linen", line).await.done();
    let low = json!({ "code": "linen_low", "params": { "line": "bath_towel", "onHand": 3, "lowWatermark": 10 } });
    assert_eq!(because("linen_low").await, low);
    let seen = format!("/housekeeping/v1/rooms/{}/occupancy", room.id);
    hotel.post(&hotel.housekeeper(&staff), &seen, json!({ "observed": "occupied" })).await.done();
    let told = because("occupancy_discrepancy").await;
    assert_eq!(told["params"], json!({ "observed": "occupied", "recorded": "vacant" }), "{told}");
}

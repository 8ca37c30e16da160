//! Plans from elsewhere: an orchestrator that is asked, and one that tells by itself over the bus.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use contracts::ids::{ShiftId, StaffId, SuggestionId};
use housekeeping::infrastructure::planning::Orchestrator;
use serde_json::{Value, json};
use server::app::App;

use crate::test_hotel::{Answer, Ask, Happening, TestHotel, ask_router, text};

const SUBJECT: &str = "ai_orchestrator.suggestion.housekeeping_routing.v1";
const ASSIGNED: &str = "melmastoon.housekeeping.task.assigned.v1";

/// How the planner elsewhere behaves.
#[derive(Clone)]
enum Manner {
    Answers(String),
    Fails,
    SendsElsewhere,
    NeverAnswers,
}

/// A planner on a port of this machine, until the test's runtime ends.
struct Elsewhere {
    url: String,
    heard: Arc<Mutex<Vec<Bytes>>>,
}

impl Elsewhere {
    async fn open(manner: Manner) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/plan", listener.local_addr().unwrap());
        let heard = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&heard);
        let plan = move |body: Bytes| async move {
            shared.lock().unwrap().push(body);
            answer(manner).await
        };
        let router = axum::Router::new().route("/plan", post(plan));
        tokio::spawn(axum::serve(listener, router).into_future());
        Self { url, heard }
    }

    fn heard(&self) -> Value {
        let heard = self.heard.lock().unwrap();
        assert_eq!(heard.len(), 1, "asked once");
        serde_json::from_slice(&heard[0]).unwrap()
    }
}

async fn answer(manner: Manner) -> Response {
    use axum::http::StatusCode;
    match manner {
        Manner::Answers(text) => text.into_response(),
        Manner::Fails => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Manner::SendsElsewhere => (StatusCode::TEMPORARY_REDIRECT, [("location", "/else")]).into_response(),
        Manner::NeverAnswers => std::future::pending().await,
    }
}

/// A hotel with one room to turn over, and two people.
async fn morning() -> (TestHotel, String, [StaffId; 2]) {
    let hotel = TestHotel::open().await;
    let people = [hotel.person_on_shift().await, hotel.person_on_shift().await];
    let door = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&door)).await;
    let task = hotel.open_task(&door).await;
    (hotel, task, people)
}

/// It is a second and a half where nothing else runs; tests run beside each other.
const EVEN_ON_A_BUSY_MACHINE: Duration = Duration::from_secs(6);

async fn suggest(app: &App, hotel: &TestHotel) -> (Answer, Duration) {
    let body = json!({ "propertyId": hotel.property });
    let ask = Ask::post("/housekeeping/v1/routing/suggest").by(&hotel.supervisor()).json(&body);
    let begun = Instant::now();
    let answer = ask_router(app, ask).await;
    (answer, begun.elapsed())
}

fn with_orchestrator(hotel: &TestHotel, url: &str) -> App {
    hotel.process(|parts| parts.contexts = server::contexts::all(Arc::new(Orchestrator::new(url.to_owned()))))
}

fn row(task: &str, staff: &StaffId) -> Value {
    json!({ "taskId": task, "staffId": staff, "score": 0.82, "reasoning": "same floor" })
}

#[tokio::test]
async fn the_orchestrators_plan_is_used_when_there_is_one() {
    let (hotel, task, people) = morning().await;
    let told =
        json!({ "rows": [row(&task, &people[1]), row("hkt_ELSEWHERE", &people[0])], "modelVersion": "router-7" });
    let elsewhere = Elsewhere::open(Manner::Answers(told.to_string())).await;
    let (answer, _) = suggest(&with_orchestrator(&hotel, &elsewhere.url), &hotel).await;
    let suggestion = answer.done();
    assert_eq!(
        (text(&suggestion["source"]), text(&suggestion["modelVersion"])),
        ("orchestrator".into(), "router-7".into())
    );
    let rows = suggestion["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "a task of somebody else is not believed: {suggestion}");
    assert_eq!((&rows[0]["staffId"], &rows[0]["reasoning"]), (&json!(people[1]), &json!("same floor")));
    let heard = elsewhere.heard();
    assert_eq!(heard["tasks"][0]["taskId"], task.as_str());
    assert_eq!(heard["people"].as_array().unwrap().len(), 2);
    assert_eq!((&heard["rooms"][0]["number"], &heard["rooms"][0]["floor"]), (&json!("101"), &json!(1)));
    hotel.decide(&suggestion, "approve", json!({})).await.done();
    assert_eq!(hotel.task(&task).await["assigneeStaffId"], people[1].as_str());
}

#[tokio::test]
async fn an_orchestrator_that_does_not_answer_is_not_waited_for() {
    let (hotel, task, _) = morning().await;
    let elsewhere = Elsewhere::open(Manner::NeverAnswers).await;
    let (answer, took) = suggest(&with_orchestrator(&hotel, &elsewhere.url), &hotel).await;
    let suggestion = answer.done();
    assert_eq!(text(&suggestion["source"]), "planner_fallback");
    assert_eq!(suggestion["rows"][0]["taskId"], task.as_str());
    assert!(took < EVEN_ON_A_BUSY_MACHINE, "{took:?}");
}

#[tokio::test]
async fn an_answer_that_is_no_plan_is_no_harm() {
    let (hotel, task, people) = morning().await;
    let nobody: StaffId = hotel.next();
    let endless = format!("{{\"rows\":[],\"padding\":\"{}\"}}", "x".repeat(5 * 1024 * 1024));
    let bad_id = json!({ "rows": [row("no id at all", &people[0])] }).to_string();
    let huge_score = json!({ "rows": [row(&task, &people[0])] }).to_string().replace("0.82", "1e999");
    let manners = [
        Manner::Answers("<html>come back later</html>".to_owned()),
        Manner::Answers("[".repeat(100_000)),
        Manner::Answers(json!({ "rows": [] }).to_string()),
        Manner::Answers(json!({ "rows": [row(&task, &nobody)] }).to_string()),
        Manner::Answers(bad_id),
        Manner::Answers(huge_score),
        Manner::Answers(endless),
        Manner::Fails,
        Manner::SendsElsewhere,
    ];
    for (at, manner) in manners.into_iter().enumerate() {
        let elsewhere = Elsewhere::open(manner).await;
        let (answer, took) = suggest(&with_orchestrator(&hotel, &elsewhere.url), &hotel).await;
        let suggestion = answer.done();
        assert_eq!(text(&suggestion["source"]), "planner_fallback", "{at}");
        assert_eq!(suggestion["rows"][0]["taskId"], task.as_str(), "{at}");
        assert!(took < EVEN_ON_A_BUSY_MACHINE, "{at}: {took:?}");
    }
    // A port that nobody listens on: taken and given back.
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let (answer, _) = suggest(&with_orchestrator(&hotel, &format!("http://{closed}/")), &hotel).await;
    assert_eq!(text(&answer.done()["source"]), "planner_fallback");
}

/// A plan that the orchestrator tells by itself.
fn told(hotel: &TestHotel, subject: &str, rows: &[Value]) -> Happening {
    let (id, shift): (SuggestionId, ShiftId) = (hotel.next(), hotel.next());
    let payload = json!({
        "suggestionId": id, "tenantId": hotel.tenant, "propertyId": hotel.property, "shiftId": shift, "rows": rows,
        "generatedAt": hotel.now(), "modelVersion": "router-7",
    });
    hotel.happening(subject, &payload)
}

async fn suggestions(hotel: &TestHotel) -> Vec<Value> {
    let path = format!("/housekeeping/v1/routing/suggestions?propertyId={}", hotel.property);
    hotel.get(&hotel.supervisor(), &path).await.done()["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_plan_that_comes_over_the_bus_waits_for_the_supervisor() {
    for subject in [SUBJECT, "ai.suggestion.housekeeping_routing.v1"] {
        let (hotel, task, people) = morning().await;
        let event = told(&hotel, subject, &[row(&task, &people[0]), row("hkt_ELSEWHERE", &people[0])]);
        hotel.deliver(&event).await;
        let kept = suggestions(&hotel).await;
        assert_eq!(kept.len(), 1, "{subject}: {:?}", hotel.dead_letters().await);
        assert_eq!((text(&kept[0]["status"]), text(&kept[0]["source"])), ("pending".into(), "event".into()));
        assert_eq!(kept[0]["id"], event.envelope["payload"]["suggestionId"]);
        assert_eq!(kept[0]["rows"].as_array().unwrap().len(), 1, "only what can be is believed");
        assert_eq!(hotel.task(&task).await["status"], "pending");
        hotel.decide(&kept[0], "approve", json!({})).await.done();
        assert_eq!(hotel.task(&task).await["assigneeStaffId"], people[0].as_str());
    }
}

#[tokio::test]
async fn the_same_plan_told_again_changes_nothing() {
    let (hotel, task, people) = morning().await;
    let event = told(&hotel, SUBJECT, &[row(&task, &people[0])]);
    hotel.deliver(&event).await;
    let decided = hotel.decide(&suggestions(&hotel).await[0], "reject", json!({})).await.done();
    hotel.deliver(&event).await;
    let renamed: contracts::ids::EventId = hotel.next();
    hotel.deliver(&event.with("/id", json!(renamed))).await;
    assert_eq!(suggestions(&hotel).await, [decided], "neither by the event nor by the plan");
    assert!(hotel.dead_letters().await.is_empty());
}

#[tokio::test]
async fn where_the_hotel_wants_it_a_plan_from_the_bus_is_done_at_once_and_once() {
    let (hotel, task, people) = morning().await;
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "routingGate": "auto_apply" })).await.done();
    hotel.published().await;
    let event = told(&hotel, SUBJECT, &[row(&task, &people[0])]);
    hotel.deliver(&event).await;
    hotel.deliver(&event).await;
    assert_eq!(hotel.published().await, [ASSIGNED]);
    assert_eq!(text(&suggestions(&hotel).await[0]["status"]), "approved");
}

#[tokio::test]
async fn where_the_hotel_wants_none_a_plan_from_the_bus_is_kept_empty() {
    let (hotel, task, people) = morning().await;
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "routingGate": "manual_only" })).await.done();
    hotel.deliver(&told(&hotel, SUBJECT, &[row(&task, &people[0])])).await;
    let kept = suggestions(&hotel).await;
    assert_eq!((text(&kept[0]["status"]), text(&kept[0]["note"])), ("nothing_to_do".into(), "manual_only".into()));
}

#[tokio::test]
async fn an_older_plan_that_comes_late_does_not_take_the_place_of_a_newer_one() {
    let (hotel, task, people) = morning().await;
    let late = told(&hotel, SUBJECT, &[row(&task, &people[0])]);
    hotel.clock.advance_seconds(60);
    let newer = hotel.suggest().await.done();
    hotel.deliver(&late).await;
    let waiting: Vec<_> = suggestions(&hotel).await.into_iter().filter(|one| one["status"] == "pending").collect();
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0]["id"], newer["id"]);
}

#[tokio::test]
async fn a_clock_that_runs_ahead_elsewhere_keeps_no_newer_plan_away() {
    let (hotel, task, people) = morning().await;
    let ahead =
        told(&hotel, SUBJECT, &[row(&task, &people[0])]).with("/payload/generatedAt", json!("2099-01-01T00:00:00Z"));
    hotel.deliver(&ahead).await;
    hotel.clock.advance_seconds(60);
    assert_eq!(text(&hotel.suggest().await.done()["status"]), "pending");
}

#[tokio::test]
async fn a_plan_from_elsewhere_gives_nothing_back_to_whoever_failed_to_do_it() {
    let (hotel, task, people) = morning().await;
    hotel.begin(&task, &people[0]).await;
    let body = json!({ "reason": "other", "note": "my back" });
    hotel.command(&hotel.housekeeper(&people[0]), &task, "fail", body).await.done();
    let open = hotel.get(&hotel.supervisor(), "/housekeeping/v1/tasks?status=pending").await.done();
    let again = text(&open["items"][0]["id"]);
    let answer = json!({ "rows": [row(&again, &people[0])] });
    let elsewhere = Elsewhere::open(Manner::Answers(answer.to_string())).await;
    let (planned, _) = suggest(&with_orchestrator(&hotel, &elsewhere.url), &hotel).await;
    let planned = planned.done();
    assert_eq!(text(&planned["source"]), "planner_fallback", "not one row could be believed: {planned}");
    assert_eq!(planned["rows"][0]["staffId"], people[1].as_str());
    assert_eq!(elsewhere.heard()["tasks"][0]["failedByStaffId"], people[0].as_str(), "they are told");
}

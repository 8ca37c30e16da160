//! Nonsense and crowds on every route of staff: an answer that helps, and one truth.

use axum::http::Method;
use futures_util::future::join_all;
use platform::auth::Role;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, TestHotel, text};

/// Ten things that hardly any field takes.
fn nonsense() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!(""),
        json!("x".repeat(20_000)),
        json!([]),
        json!([[{}]]),
        json!({ "a": 1 }),
        json!("\u{1F4A5} '; DROP TABLE staff.people; --"),
    ]
}

#[tokio::test]
async fn ten_kinds_of_nonsense_in_every_field_of_every_route_are_refused_or_borne() {
    let hotel = TestHotel::open().await;
    let examples: Value = serde_json::from_str(include_str!("../../openapi/examples.json")).unwrap();
    let admin = hotel.token(Role::Admin, contracts::ids::StaffId::parse(&hotel.employ("Zarmina").await).ok().as_ref());
    let mut asked = 0;
    for route in hotel.app.routes.iter().filter(|route| route.context == "staff") {
        let path = route.path.replace("{id}", "stf_01KPSY36J085MVSP242K03MADZ").replace("{assignmentId}", "sha_X");
        let path = path.split('{').next().unwrap().to_owned();
        if route.method == Method::GET {
            for name in ["from", "to", "status", "limit", "cursor", "propertyId", "staffId", "q", "needsReview"] {
                for value in ["", "-1", "x", "9999-99-99", "%00", "%F0%9F%92%A5", "2026-04-22,", "9".repeat(400).as_str()] {
                    let answer = hotel.get(&admin, &format!("{path}?{name}={value}")).await;
                    assert!(answer.status < 500, "{path}?{name}={value}: {}", answer.text);
                    asked += 1;
                }
            }
            continue;
        }
        let example = examples[format!("{} {}", route.method, route.path)]["request"].clone();
        let mut bodies = vec![b"".to_vec(), b"{".to_vec(), b"[]".to_vec(), b"\"x\"".to_vec(), vec![0xff, 0xfe]];
        for field in example.as_object().into_iter().flat_map(|fields| fields.keys()) {
            for value in nonsense() {
                let mut body = example.clone();
                body[field] = value;
                bodies.push(body.to_string().into_bytes());
            }
        }
        for body in bodies {
            let shown = String::from_utf8_lossy(&body).chars().take(200).collect::<String>();
            let answer = hotel.ask(Ask::new(route.method.clone(), &path).by(&admin).bytes(body)).await;
            assert!(answer.status < 500, "{} {path} {shown}: {}", route.method, answer.text);
            if answer.status >= 400 {
                assert!(answer.code().starts_with("MELMASTOON."), "{}", answer.text);
            }
            asked += 1;
        }
    }
    assert!(asked > 1_000, "{asked}");
    let deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
    assert_eq!(hotel.behind.query_one(deadlocks, &[]).await.unwrap().get::<_, i64>(0), 0);
}

#[tokio::test]
async fn sixty_four_at_once_for_one_person_are_one_truth_without_a_deadlock() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.with_pin("Zarmina", "748291").await;
    let supervisor = hotel.supervisor();
    let (mut shifts, mut same) = (Vec::new(), Vec::new());
    for hour in 7..15 {
        shifts.push(hotel.shift(&format!("{hour:02}:00"), "16:00").await);
    }
    same.resize(8, hotel.shift("07:00", "15:00").await);
    let (hotel, zarmina, supervisor) = (&hotel, &zarmina, &supervisor);
    let assigns = shifts.iter().chain(&same).cycle().take(64).map(|shift| async move {
        let path = format!("/staff/v1/shifts/{shift}/assignments");
        hotel.post(supervisor, &path, json!({ "staffId": zarmina.staff })).await
    });
    let answers = join_all(assigns).await;
    let given = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(given, 1, "{:?}", answers.iter().map(|answer| answer.status).collect::<Vec<_>>());
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        assert_eq!(answer.status, 409, "{}", answer.text);
    }
    assert_eq!(hotel.count("staff.shift_assignments WHERE status = 'active'").await, 1);
    hotel.told_by_staff().await;
    let own = &hotel.own(&zarmina.staff);
    let punches = (0..64).map(|n| async move {
        if n % 4 == 0 {
            let ask = Ask::post("/staff/v1/clock/punches").by(&hotel.service()).key(&hotel.ids.hex::<8>());
            let body = json!({ "kind": "in", "staffCode": zarmina.code, "pin": "748291" });
            hotel.ask(ask.json(&body)).await
        } else {
            hotel.post(own, "/staff/v1/clock/punches", json!({ "kind": "in" })).await
        }
    });
    let answers = join_all(punches).await;
    let first = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(first, 1, "{:?}", answers.iter().map(|answer| answer.status).collect::<Vec<_>>());
    for answer in &answers {
        // A terminal at which five are judged at once is told to wait.
        assert!(matches!(answer.status, 200 | 201 | 429), "{}", answer.text);
    }
    let entries: std::collections::BTreeSet<_> =
        answers.iter().filter(|answer| answer.status < 300).map(|answer| text(&answer.body["clockEntryId"])).collect();
    assert_eq!(entries.len(), 1);
    let told = hotel.subjects_told_by_staff().await;
    assert_eq!(told.iter().filter(|subject| *subject == "clock.in").count(), 1, "{told:?}");
    assert!(told.iter().filter(|subject| *subject == "shift.started").count() <= 1, "{told:?}");
    let deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
    assert_eq!(hotel.behind.query_one(deadlocks, &[]).await.unwrap().get::<_, i64>(0), 0);
}

//! Figures: how much was done, how long it took, how long rooms waited, how well it was done; and only what is asked for is read.

use contracts::housekeeping::TaskKind;
use contracts::ids::StaffId;
use serde_json::{Value, json};

use crate::test_hotel::TestHotel;

async fn done_in(hotel: &TestHotel, number: &str, staff: &StaffId, minutes: i64, verdict: Option<(i64, &str)>) {
    let room = hotel.ready_room(number).await;
    let task = hotel.task_for(&room, TaskKind::Turnover).await;
    hotel.begin(&task, staff).await;
    hotel.clock.advance_seconds(minutes * 60);
    hotel.complete(&task, TaskKind::Turnover, staff).await;
    if let Some((wait, outcome)) = verdict {
        hotel.clock.advance_seconds(wait * 60);
        let body = json!({ "outcome": outcome, "reason": "as it was" });
        hotel.command(&hotel.supervisor(), &task, "inspections", body).await.done();
    }
}

async fn figures(hotel: &TestHotel, query: &str) -> Value {
    let path = format!("/housekeeping/v1/stats/turnover?propertyId={}{query}", hotel.property);
    hotel.get(&hotel.supervisor(), &path).await.done()
}

#[tokio::test]
async fn figures_say_how_much_was_done_how_long_it_took_and_how_well() {
    let hotel = TestHotel::open().await;
    let (gulalai, parwin) = (hotel.person_on_shift().await, hotel.person_on_shift().await);
    done_in(&hotel, "101", &gulalai, 30, Some((4, "pass"))).await;
    done_in(&hotel, "102", &gulalai, 40, Some((8, "fail"))).await;
    done_in(&hotel, "103", &parwin, 50, Some((12, "pass"))).await;
    done_in(&hotel, "104", &parwin, 90, None).await;
    let mid_stay = hotel.room("105", "clean").await;
    let task = hotel.task_for(&mid_stay, TaskKind::MidStayClean).await;
    // Half past midnight of the next day in Kabul, and still the same day by the clock of the world.
    hotel.clock.advance_seconds(10 * 3_600);
    hotel.clean(&task, TaskKind::MidStayClean, &parwin).await;

    let all = figures(&hotel, "&from=2026-04-22&to=2026-04-23").await;
    assert_eq!((&all["total"]["count"], &all["timezone"]), (&json!(5), &json!("Asia/Kabul")));
    let turnover = all["byKind"].as_array().unwrap().iter().find(|row| row["kind"] == "turnover").unwrap();
    assert_eq!(
        (&turnover["count"], &turnover["medianMinutes"], &turnover["p90Minutes"]),
        (&json!(4), &json!(45.0), &json!(78.0))
    );
    assert_eq!((&turnover["medianMinutesToInspection"], &turnover["inspected"]), (&json!(8.0), &json!(3)));
    assert_eq!(turnover["passRate"], 0.667);
    let people: Vec<_> =
        all["byPerson"].as_array().unwrap().iter().map(|row| (&row["staffId"], &row["count"])).collect();
    let (one, two) = (json!(gulalai), json!(parwin));
    let mut expected =
        vec![(&one, &json!(2)), (&two, &json!(3))].into_iter().map(|(a, b)| (a.clone(), b.clone())).collect::<Vec<_>>();
    expected.sort_by_key(|(staff, _)| staff.to_string());
    assert_eq!(people.into_iter().map(|(a, b)| (a.clone(), b.clone())).collect::<Vec<_>>(), expected);
    let days: Vec<_> = all["byDay"].as_array().unwrap().iter().map(|row| row["day"].as_str().unwrap()).collect();
    assert_eq!(days, ["2026-04-22", "2026-04-23"], "days are the hotel's");
    assert_eq!((&all["byRoomType"][0]["roomType"], &all["byRoomType"][0]["count"]), (&json!("double"), &json!(5)));

    assert_eq!(
        figures(&hotel, "&from=2026-04-22&to=2026-04-22").await["total"]["count"],
        4,
        "a day that is named is part of it"
    );
    assert_eq!(
        figures(&hotel, "").await["total"]["count"],
        4,
        "the last week, until now: what is done this very moment is not yet in it"
    );
    let none = figures(&hotel, "&from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z").await;
    assert_eq!(
        (&none["total"]["count"], &none["total"]["medianMinutes"], &none["byKind"]),
        (&json!(0), &Value::Null, &json!([]))
    );
}

#[tokio::test]
async fn nonsense_about_a_time_is_refused() {
    let hotel = TestHotel::open().await;
    let ask = async |query: &str| {
        let path = format!("/housekeeping/v1/stats/turnover?propertyId={}{query}", hotel.property);
        hotel.get(&hotel.supervisor(), &path).await
    };
    for (query, field) in [
        ("&from=yesterday", "from"),
        ("&to=2026-02-30", "to"),
        ("&from=2026-13-01", "from"),
        ("&from=", "from"),
        ("&to=%F0%9F%98%80", "to"),
    ] {
        ask(query).await.refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE").naming(field);
    }
    for query in [
        "&from=2026-04-23&to=2026-04-22",
        "&from=2026-04-22T00:00:00Z&to=2026-04-22T00:00:00Z",
        "&from=2024-01-01&to=2026-04-22",
        "&from=2027-01-01",
    ] {
        ask(query).await.refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE").naming("from");
    }
    ask("&to=9999-12-31").await.refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE");
    let path = "/housekeeping/v1/stats/turnover";
    hotel
        .get(&hotel.supervisor(), path)
        .await
        .refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE")
        .naming("propertyId");
}

#[tokio::test]
async fn only_the_months_that_are_asked_for_are_read() {
    let hotel = TestHotel::open().await;
    let statement = housekeeping::infrastructure::statements()
        .into_iter()
        .find(|sql| sql.name == "sql/stats_turnover.sql")
        .expect("the statement");
    let client = hotel.as_application(Some(&hotel.tenant)).await;
    let months = async |from: &str, to: &str| -> Vec<String> {
        client
            .batch_execute(&format!(
                "DEALLOCATE ALL; SET plan_cache_mode = force_generic_plan; PREPARE figures AS {}",
                statement.text
            ))
            .await
            .unwrap();
        let explain = format!(
            "EXPLAIN EXECUTE figures ('{}', '{}', '{from}', '{to}', '{from}'::TIMESTAMPTZ - interval '31 days', 'Asia/Kabul')",
            hotel.tenant, hotel.property
        );
        let plan = client.query(&explain, &[]).await.unwrap();
        let plan: Vec<String> = plan.iter().map(|row| row.get(0)).collect();
        let named = |month: &&str| plan.iter().any(|line| line.contains(&format!("housekeeping_tasks_{month}")));
        ["2026_03", "2026_04", "2026_05", "2026_06", "2026_07"]
            .into_iter()
            .filter(|m| named(m))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(months("2026-06-10T00:00:00Z", "2026-06-20T00:00:00Z").await, ["2026_05", "2026_06"]);
    assert_eq!(months("2026-04-22T00:00:00Z", "2026-04-23T00:00:00Z").await, ["2026_03", "2026_04"]);
}

//! A page has only so many bytes, however many rows were asked for.

use serde_json::Value;

use crate::test_hotel::{TestHotel, text};

const MOST: usize = 4 * 1024 * 1024;

/// Large events in the log: so many of so many bytes.
async fn log(hotel: &TestHotel, name: &str, count: i32, bytes: i32) {
    let sql = "INSERT INTO bus.event_log (event_id, tenant_id, subject, ordering_key, envelope, published_at)
               SELECT 'evt_' || $1 || n, $2, 'melmastoon.test.large.v1', $2,
                      jsonb_build_object('id', 'evt_' || $1 || n, 'payload', repeat('x', $4)), now()
               FROM generate_series(1, $3) AS n";
    hotel.behind.execute(sql, &[&name, &hotel.tenant.as_str(), &count, &bytes]).await.unwrap();
}

#[tokio::test]
async fn a_page_of_the_feed_ends_at_its_bytes_and_the_next_goes_on_there() {
    let hotel = TestHotel::open().await;
    log(&hotel, "A", 50, 200_000).await;
    log(&hotel, "HUGE", 1, 5_000_000).await;
    log(&hotel, "B", 3, 10).await;
    let (mut after, mut ids, mut pages) = (0, Vec::new(), Vec::new());
    loop {
        let path = format!("/events/v1/feed?after={after}&limit=1000");
        let answer = hotel.get(&hotel.service(), &path).await;
        let items = answer.body["items"].as_array().unwrap();
        if items.is_empty() {
            break;
        }
        assert!(answer.text.len() <= MOST + 100 || items.len() == 1, "{} bytes", answer.text.len());
        pages.push(items.len());
        ids.extend(items.iter().map(|item| text(&item["envelope"]["id"])));
        assert_eq!(answer.body["nextAfter"], items.last().unwrap()["offset"]);
        after = answer.body["nextAfter"].as_i64().unwrap();
    }
    assert_eq!(pages, [20, 20, 10, 1, 3]);
    let wanted: Vec<_> = (1..=50)
        .map(|n| format!("evt_A{n}"))
        .chain(["evt_HUGE1".to_owned()])
        .chain((1..=3).map(|n| format!("evt_B{n}")))
        .collect();
    assert_eq!(ids, wanted, "every event once, in order");
}

#[tokio::test]
async fn a_page_of_tasks_ends_at_its_bytes_and_the_next_goes_on_there() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    let copies = "INSERT INTO housekeeping.housekeeping_tasks
                    (id, tenant_id, property_id, room_id, kind, status, priority, checklist_id, checklist_version, locale_hint,
                     source, version, created_at, updated_at, estimated_minutes, note)
                  SELECT left(id, -3) || n, tenant_id, property_id, room_id, 'deep_clean', status, priority, checklist_id, checklist_version,
                         locale_hint, 'manual', 1, created_at, updated_at, estimated_minutes, repeat('x', 100000)
                  FROM housekeeping.housekeeping_tasks, generate_series(100, 199) AS n";
    hotel.behind.execute(copies, &[]).await.unwrap();
    let (mut cursor, mut ids, mut pages) = (String::new(), Vec::new(), Vec::new());
    loop {
        let answer =
            hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/tasks?kind=deep_clean&limit=1000{cursor}")).await;
        assert!(answer.text.len() <= MOST + 200, "{} bytes", answer.text.len());
        let items = answer.body["items"].as_array().unwrap();
        pages.push(items.len());
        ids.extend(items.iter().map(|item| text(&item["id"])));
        match &answer.body["nextCursor"] {
            Value::Null => break,
            next => cursor = format!("&cursor={}", text(next)),
        }
    }
    assert_eq!(pages, [41, 41, 18]);
    assert!(ids.len() == 100 && ids.is_sorted_by(|one, next| one < next), "every task once, in order: {ids:?}");
}

#[tokio::test]
async fn a_list_longer_than_its_first_look_is_still_one_page() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    let copies = "INSERT INTO housekeeping.housekeeping_tasks
                    (id, tenant_id, property_id, room_id, kind, status, priority, checklist_id, checklist_version, locale_hint,
                     source, version, created_at, updated_at, estimated_minutes)
                  SELECT left(id, -3) || n, tenant_id, property_id, room_id, 'deep_clean', status, priority, checklist_id, checklist_version,
                         locale_hint, 'manual', 1, created_at, updated_at, estimated_minutes
                  FROM housekeeping.housekeeping_tasks, generate_series(100, 550) AS n";
    hotel.behind.execute(copies, &[]).await.unwrap();
    let all = hotel.get(&hotel.supervisor(), "/housekeeping/v1/tasks?kind=deep_clean&limit=451").await.done();
    assert_eq!((all["items"].as_array().unwrap().len(), &all["nextCursor"]), (451, &Value::Null));
    let some = hotel.get(&hotel.supervisor(), "/housekeeping/v1/tasks?kind=deep_clean&limit=450").await.done();
    assert_eq!((some["items"].as_array().unwrap().len(), some["nextCursor"].is_string()), (450, true));
}

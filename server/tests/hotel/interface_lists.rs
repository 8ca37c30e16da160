//! Every list keeps to the same rules: `limit`, `cursor` and `updatedSince` are heeded or refused, and the last page says that it is the last.

use contracts::ids::StaffId;
use platform::auth::{Claims, Role};
use serde_json::{Value, json};

use crate::lived_in::lived_in;
use crate::test_hotel::{Ask, TestHotel, text};

/// Somebody who may do everything, to ask every list.
fn everybody(hotel: &TestHotel) -> String {
    let claims = hotel.claims(Role::Admin, StaffId::parse("stf_ALL").ok().as_ref());
    let roles = Role::ALL.iter().map(|role| role.as_str().to_owned()).collect();
    hotel.key.mint(&Claims { roles, ..claims })
}

/// The lists that need no id in their path, with what they have to be asked with, and whether they know when things changed.
fn lists(hotel: &TestHotel) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    for route in &hotel.app.routes {
        let operation = &hotel.app.openapi["paths"][&route.path]["get"];
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        let name = schema["$ref"].as_str().unwrap_or_default().rsplit('/').next().unwrap_or_default().to_owned();
        let shape = &hotel.app.openapi["components"]["schemas"][&name]["properties"];
        let is_list = shape.get("items").is_some() && shape.get("nextCursor").is_some();
        if route.method != axum::http::Method::GET || !is_list {
            continue;
        }
        let takes = |name: &str| {
            operation["parameters"]
                .as_array()
                .into_iter()
                .flatten()
                .any(|one| one["in"] == "query" && one["name"] == name)
        };
        assert!(takes("limit") && takes("cursor"), "{} is a list that cannot be cut", route.path);
        if route.path.contains('{') {
            continue;
        }
        let mut query = format!("propertyId={}", hotel.property);
        if takes("from") && takes("to") {
            query.push_str("&from=2026-04-01&to=2026-04-30");
        }
        found.push((format!("{}?{query}", route.path), takes("updatedSince")));
    }
    found
}

#[tokio::test]
async fn every_list_refuses_nonsense_and_names_it() {
    let hotel = TestHotel::open().await;
    let token = everybody(&hotel);
    let lists = lists(&hotel);
    assert!(lists.len() > 25, "{lists:?}");
    for (path, knows) in &lists {
        for (query, field) in [
            ("limit=0", "limit"),
            ("limit=-1", "limit"),
            ("limit=many", "limit"),
            ("cursor=nonsense", "cursor"),
            ("updatedSince=yesterday", "updatedSince"),
        ] {
            let answer = hotel.get(&token, &format!("{path}&{query}")).await;
            assert_eq!(answer.status, 400, "{path}&{query}: {}", answer.text);
            answer.naming(field);
        }
        let enough = format!("{path}&limit=99999999999999999999999");
        let answer = hotel.get(&token, &enough).await;
        assert_eq!(answer.status, 200, "{enough}: {}", answer.text);
        assert!(answer.body.as_object().unwrap().contains_key("nextCursor"), "{path}: the last page has no nextCursor");
        let since = hotel.get(&token, &format!("{path}&updatedSince=2026-04-22T00:00:00Z")).await;
        if *knows {
            assert_eq!(since.status, 200, "{path}: {}", since.text);
        } else {
            assert_eq!(since.status, 400, "{path}: {}", since.text);
            since.naming("updatedSince");
        }
    }
}

#[tokio::test]
async fn every_list_is_read_page_by_page_as_it_is_read_at_once_and_nothing_has_changed_since_tomorrow() {
    let (hotel, _) = lived_in().await;
    let token = everybody(&hotel);
    let mut longer_than_one = 0;
    for (path, knows) in lists(&hotel) {
        let whole = hotel.get(&token, &format!("{path}&limit=1000")).await.done();
        assert_eq!(whole["nextCursor"], Value::Null, "{path}");
        let (mut pages, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = hotel.get(&token, &format!("{path}&limit=1{cursor}")).await.done();
            let items = page["items"].as_array().unwrap();
            assert!(items.len() <= 1, "{path}: {page}");
            pages.extend(items.iter().cloned());
            let Some(next) = page["nextCursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        longer_than_one += usize::from(pages.len() > 1);
        assert_eq!(json!(pages), whole["items"], "{path}");
        if knows {
            let later = format!("{path}&limit=1000&updatedSince=2027-01-01T00:00:00Z");
            assert_eq!(hotel.get(&token, &later).await.done(), json!({ "items": [], "nextCursor": null }), "{path}");
            let earlier = format!("{path}&limit=1000&updatedSince=2020-01-01T00:00:00Z");
            assert_eq!(hotel.get(&token, &earlier).await.done()["items"], whole["items"], "{path}");
        }
    }
    assert!(longer_than_one > 8, "{longer_than_one}");
}

#[tokio::test]
async fn histories_are_cut_and_go_back_to_a_moment() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let task = hotel.task_for(&room, contracts::housekeeping::TaskKind::DeepClean).await;
    hotel.clock.advance_seconds(60);
    hotel.command(&hotel.supervisor(), &task, "cancel", json!({ "reason": "the guest stays in" })).await.done();
    let path = format!("/housekeeping/v1/tasks/{task}/history");
    let all = hotel.get(&hotel.supervisor(), &path).await.done();
    assert_eq!((all["items"].as_array().unwrap().len(), &all["nextCursor"]), (2, &Value::Null));
    let first = hotel.get(&hotel.supervisor(), &format!("{path}?limit=1")).await.done();
    let next = format!("{path}?limit=1&cursor={}", text(&first["nextCursor"]));
    assert_eq!(hotel.get(&hotel.supervisor(), &next).await.done()["items"][0], all["items"][1]);
    let since = format!("{path}?updatedSince={}", hotel.now());
    assert_eq!(hotel.get(&hotel.supervisor(), &since).await.done()["items"], json!([all["items"][1]]));
    for bad in ["limit=x", "cursor=x", "updatedSince=x"] {
        assert_eq!(hotel.ask(Ask::get(format!("{path}?{bad}")).by(&hotel.supervisor())).await.status, 400, "{bad}");
    }
}

//! A roster is composed once while nothing changes, and never shown when something has.

use axum::http::Method;
use platform::auth::Role;
use serde_json::json;

use crate::test_hotel::{Ask, TestHotel, ask_router, text};

/// Everything that a roster is read from.
const READ_FROM: [&str; 8] = [
    "staff.certifications",
    "staff.clock_entries",
    "staff.leave_requests",
    "staff.people",
    "staff.positions",
    "staff.settings",
    "staff.shift_assignments",
    "staff.shifts",
];

fn path(hotel: &TestHotel, from: &str) -> String {
    format!("/staff/v1/roster?propertyId={}&from={from}", hotel.property)
}

fn ask_for(hotel: &TestHotel) -> Ask {
    Ask::get(path(hotel, "2026-04-22")).by(&hotel.supervisor())
}

async fn look(hotel: &TestHotel) -> String {
    let answer = hotel.ask(ask_for(hotel)).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    answer.text
}

/// Changes somebody's name so that no table tells it.
async fn rename_unseen(hotel: &TestHotel, name: &str) {
    let sql = format!(
        "SET session_replication_role = replica; UPDATE staff.people SET given_name = '{name}';
         RESET session_replication_role"
    );
    hotel.behind.batch_execute(&sql).await.unwrap();
}

#[tokio::test]
async fn a_roster_that_nobody_changed_is_not_composed_again() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let shift = hotel.shift_on("2026-04-26", "08:00", "16:00").await;
    hotel.place(&shift, &gulalai).await.done();
    let first = look(&hotel).await;
    rename_unseen(&hotel, "Zarmina").await;
    hotel.clock.advance_seconds(59 * 60);
    assert_eq!(look(&hotel).await, first, "the very same");
    let elsewhere = hotel.get(&hotel.supervisor(), &path(&hotel, "2026-04-23")).await;
    assert!(elsewhere.text.contains("Zarmina"), "other days are another roster");
    hotel.clock.advance_seconds(60);
    assert!(look(&hotel).await.contains("Zarmina"), "and none is kept for longer than an hour");
}

/// Everything that a roster shows, changed one by one: each time the one that was kept is no longer so.
#[tokio::test]
async fn whatever_changes_a_roster_is_seen_by_the_next_who_looks() {
    let hotel = TestHotel::open().await;
    let manager = hotel.manager();
    let (gulalai, nasrin) = (hotel.employ("Gulalai").await, hotel.employ("Nasrin").await);
    let (early, late) = (hotel.shift("10:00", "14:00").await, hotel.shift("18:00", "22:00").await);
    let mut before = look(&hotel).await;
    let mut changed = async |what: &str| {
        let now = look(&hotel).await;
        assert_ne!(now, before, "{what} is not to be seen");
        assert_eq!(look(&hotel).await, now, "after {what}");
        before = now;
    };
    hotel.place(&early, &gulalai).await.done();
    changed("a place").await;
    let other = text(&hotel.place(&late, &gulalai).await.done()["assignmentId"]);
    changed("another place, and little rest").await;
    hotel.put(&manager, "/staff/v1/settings", json!({ "minRestMinutes": 30 })).await.done();
    changed("settings of the company").await;
    let own = format!("/staff/v1/settings?propertyId={}", hotel.property);
    hotel.put(&manager, &own, json!({ "minRestMinutes": 660 })).await.done();
    changed("settings of the house").await;
    hotel.patch(&manager, &format!("/staff/v1/staff/{gulalai}"), json!({ "givenName": "Gul" })).await.done();
    changed("a name").await;
    let position = format!("/staff/v1/positions/{}", hotel.position("HOUSEKEEPER").await);
    hotel.patch(&manager, &position, json!({ "requiredCertifications": ["food_handling"] })).await.done();
    changed("papers that a position asks for").await;
    let paper = text(&hotel.certify(&gulalai, "food_handling", None).await["certificationId"]);
    changed("a paper").await;
    hotel.post(&manager, &format!("/staff/v1/certifications/{paper}/revoke"), json!({})).await.done();
    changed("a paper that was taken away").await;
    hotel.punch_clock(&gulalai, "in").await.done();
    changed("somebody who came").await;
    hotel.punch_clock(&gulalai, "break_started").await.done();
    hotel.clock.advance_seconds(90);
    changed("a break that goes on").await;
    let leave = text(&hotel.ask_for_leave(&nasrin, "2026-04-24", "2026-04-25").await.done()["leaveRequestId"]);
    changed("leave that was asked for").await;
    hotel.decide_leave(&leave, "approve").await.done();
    changed("leave that was granted").await;
    let place = Ask::new(Method::DELETE, format!("/staff/v1/shifts/{late}/assignments/{other}"));
    assert!((200..300).contains(&hotel.ask(place.by(&hotel.supervisor())).await.status));
    changed("a place that was taken back").await;
    hotel.post(&hotel.supervisor(), &format!("/staff/v1/shifts/{late}/cancel"), json!({})).await.done();
    changed("a shift that is off").await;
    hotel.clock.advance_seconds(60);
    changed("a minute more").await;
    hotel.behind.batch_execute("UPDATE staff.people SET family_name = 'Popal'").await.unwrap();
    changed("what somebody wrote behind everybody's back").await;
    let fresh = ask_router(&hotel.second_process(), ask_for(&hotel)).await.text;
    assert_eq!(look(&hotel).await, fresh, "and another process composes the same");
}

#[tokio::test]
async fn a_shift_begins_soon_when_its_time_comes_though_nobody_did_anything() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    // It is eleven on the 22nd: a day and ten minutes ahead.
    let shift = hotel.shift_on("2026-04-23", "11:10", "16:00").await;
    hotel.place(&shift, &gulalai).await.done();
    let first = look(&hotel).await;
    assert!(!first.contains("SHORT_NOTICE"), "{first}");
    hotel.clock.advance_seconds(24 * 60 * 60);
    let soon = look(&hotel).await;
    let minutes = |text: &str| -> i64 {
        let (_, rest) = text.split_once("it begins in ").unwrap_or_else(|| panic!("{text}"));
        rest.split_once(' ').unwrap().0.parse().unwrap()
    };
    let before = minutes(&soon);
    for passed in 1..4 {
        hotel.clock.advance_seconds(60);
        assert_eq!(minutes(&look(&hotel).await), before - passed);
    }
    hotel.clock.advance_seconds(7 * 60);
    assert!(look(&hotel).await.contains("it has begun"), "at ten past eleven");
    hotel.clock.advance_seconds((4 * 60 + 49) * 60);
    assert!(look(&hotel).await.contains("it has begun"), "a minute before its end");
    hotel.clock.advance_seconds(60);
    assert!(!look(&hotel).await.contains("SHORT_NOTICE"), "it is over");
}

#[tokio::test]
async fn a_change_that_commits_late_is_seen_by_who_looked_before() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let shift = hotel.shift_on("2026-04-26", "08:00", "16:00").await;
    hotel.place(&shift, &gulalai).await.done();
    let early = hotel.database_connection().await;
    early.batch_execute("BEGIN; UPDATE staff.people SET given_name = 'Zarmina'").await.unwrap();
    // Somebody else changes something meanwhile, and commits first.
    hotel.shift_on("2026-04-27", "08:00", "16:00").await;
    let before = look(&hotel).await;
    assert_eq!(look(&hotel).await, before);
    early.batch_execute("COMMIT").await.unwrap();
    assert!(look(&hotel).await.contains("Zarmina"));
}

#[tokio::test]
async fn a_kept_roster_is_the_tenants_own() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let shift = hotel.shift_on("2026-04-26", "08:00", "16:00").await;
    hotel.place(&shift, &gulalai).await.done();
    assert!(look(&hotel).await.contains("Gulalai"));
    let other = hotel.token_of_tenant(Role::Supervisor, &hotel.next());
    let theirs = hotel.get(&other, &path(&hotel, "2026-04-22")).await.done();
    assert_eq!(theirs["people"], json!([]), "the same name of another company's house");
}

#[tokio::test]
async fn every_table_that_a_roster_is_read_from_tells_of_its_changes() {
    let hotel = TestHotel::open().await;
    let sql = "SELECT tgrelid::REGCLASS::TEXT FROM pg_trigger
               WHERE tgname = 'roster_change' AND tgenabled = 'O' ORDER BY 1";
    let told: Vec<String> = hotel.behind.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect();
    assert_eq!(told, READ_FROM);
    // What composing one asks for, and nothing besides.
    let statements = [
        "certification_held",
        "leave_in_house",
        "leave_of_people",
        "person_by_ids",
        "place_engagements",
        "place_list",
        "position_list",
        "punch_on_shifts",
        "settings_find",
        "shift_roster",
    ];
    let mut read = std::collections::BTreeSet::new();
    for name in statements {
        let file = format!("{}/../staff/src/infrastructure/sql/{name}.sql", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(file).unwrap();
        let words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '.'));
        read.extend(words.filter(|word| word.starts_with("staff.")).map(str::to_owned));
    }
    assert_eq!(read.into_iter().collect::<Vec<_>>(), READ_FROM);
}

//! What callers build on: a resource is its whole row, what was made is found where it is said to be, a stale view is refused, a repetition
//! is answered as the first time.

use contracts::housekeeping::TaskKind;
use contracts::ids::PropertyId;
use platform::auth::Role;
use serde_json::{Value, json};

use crate::test_hotel::{Answer, Ask, TestHotel, text};

fn tenant_of(hotel: &TestHotel) -> Value {
    json!(hotel.tenant)
}

#[tokio::test]
async fn what_housekeeping_shows_says_whose_it_is_and_which_version_it_is() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let (room, task) = hotel.cleaned_room("101", &gulalai).await;
    let held = hotel.command(&hotel.supervisor(), &task, "inspections", json!({ "outcome": "pass" })).await;
    let inspection = held.body.clone();
    assert_eq!((&inspection["tenantId"], &inspection["version"]), (&tenant_of(&hotel), &json!(1)));
    let block = hotel.block(&room, json!({ "reason": "cleaning" })).await.done();
    let seen = hotel.observe(&room, "occupied").await.done();
    hotel.linen("sheets", 9, 10).await;
    hotel.found(&room, "a watch").await;
    hotel.suggest().await.done();
    let one = |path: &str| format!("/housekeeping/v1/{path}");
    let lists = hotel.get(&hotel.supervisor(), &one("checklists?kind=inspection")).await.done();
    let list = &lists["items"][0];
    assert!(list["publishedAt"].as_str().is_some_and(|at| at.ends_with('Z')), "{list}");
    assert_eq!(list["publishedBy"]["id"], "sys_defaults");
    let asked = |path: &str| format!("/housekeeping/v1/{path}propertyId={}", hotel.property);
    for shown in [block, seen["discrepancy"].clone(), list.clone()] {
        assert_eq!(shown["tenantId"], tenant_of(&hotel), "{shown}");
    }
    for path in ["tasks?", "rooms?", "discrepancies?", "linen?", "routing/suggestions?"] {
        let item = hotel.get(&hotel.supervisor(), &asked(path)).await.done()["items"][0].clone();
        assert_eq!(item["tenantId"], tenant_of(&hotel), "{path}: {item}");
        assert!(item["version"].is_i64(), "{path}: {item}");
    }
    for path in [format!("rooms/{}", room.id), format!("tasks/{task}")] {
        assert_eq!(hotel.get(&hotel.supervisor(), &one(&path)).await.done()["tenantId"], tenant_of(&hotel), "{path}");
    }
    let found = hotel.get(&hotel.desk(), &asked("lost-and-found?")).await.done();
    assert_eq!(found["items"][0]["tenantId"], tenant_of(&hotel));
}

#[tokio::test]
async fn what_was_made_is_where_its_location_says() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let (room, task) = hotel.cleaned_room("101", &gulalai).await;
    let (supervisor, manager, desk) = (hotel.supervisor(), hotel.manager(), hotel.desk());
    let fails = json!({ "outcome": "fail", "reason": "dust", "failedItemKeys": ["bed"] });
    let failed = hotel.command(&supervisor, &task, "inspections", fails).await;
    let block = hotel.block(&room, json!({ "reason": "cleaning", "note": "wet" })).await;
    let department = hotel.post(&manager, "/staff/v1/departments", json!({ "name": "Kitchen" })).await;
    let position = json!({ "name": "Cook", "departmentId": department.body["departmentId"] });
    let position = hotel.post(&manager, "/staff/v1/positions", position).await;
    let pattern = json!({
        "propertyId": hotel.property, "positionId": position.body["positionId"], "name": "A", "startLocal": "06:00",
        "endLocal": "14:00", "daysOfWeek": ["mon"], "validFrom": "2026-04-01", "primaryHeadcount": 1,
    });
    let pattern = hotel.post(&supervisor, "/staff/v1/shift-patterns", pattern).await;
    for (made, by) in [
        (&failed, &supervisor),
        (&block, &supervisor),
        (&department, &manager),
        (&position, &manager),
        (&pattern, &supervisor),
    ] {
        let place = made.header("location").unwrap();
        let shown = hotel.get(by, place).await;
        assert_eq!((shown.status, &shown.body), (200, &made.body), "{place}");
        assert_eq!(shown.header("etag"), made.header("etag"), "{place}");
    }
    hotel.unblock(&room, &text(&block.body["id"])).await.done();
    let over = hotel.get(&supervisor, block.header("location").unwrap()).await.done();
    assert!(over["clearedAt"].is_string(), "a block that is over is shown as over: {over}");

    let (_, doors) = hotel.sold_rooms(1).await;
    let path = format!("/reservation/v1/rooms/{}/blocks", doors[0].id);
    let body = json!({ "reason": "water", "from": "2026-05-01T12:00:00Z", "until": "2026-05-04T12:00:00Z" });
    let closed = hotel.post(&desk, &path, body).await;
    let shown = hotel.get(&desk, closed.header("location").unwrap()).await;
    assert_eq!((&shown.body["blockId"], &shown.body["reason"]), (&closed.body["blockId"], &json!("water")));
    assert_eq!((&shown.body["from"], &shown.body["to"]), (&json!("2026-05-01"), &json!("2026-05-05")));
    assert_eq!(shown.header("etag"), closed.header("etag"));

    // What was waived was not held: what there is to look at is the task.
    let (_, waived) = hotel.cleaned_room("102", &gulalai).await;
    let answer =
        hotel.command(&supervisor, &waived, "inspections", json!({ "outcome": "waived", "reason": "late" })).await;
    assert_eq!(answer.header("location"), Some(format!("/housekeeping/v1/tasks/{waived}").as_str()));
}

#[tokio::test]
async fn settings_that_were_read_can_be_put_back_and_a_change_names_only_what_changes() {
    let hotel = TestHotel::open().await;
    let manager = hotel.manager();
    let house = format!("?propertyId={}", hotel.property);
    for (context, query) in
        [("housekeeping", ""), ("staff", ""), ("staff", &house), ("reservation", ""), ("reservation", &house)]
    {
        let path = format!("/{context}/v1/settings{query}");
        let read = hotel.get(&manager, &path).await;
        let tag = format!("\"{}\"", read.body["version"]);
        assert_eq!(read.header("etag"), Some(tag.as_str()), "{path}");
        let ask = Ask::new(axum::http::Method::PUT, &path).by(&manager).header("if-match", &tag).json(&read.body);
        let put = hotel.ask(ask).await;
        assert_eq!(put.status, 200, "{path}: {}", put.text);
        assert_eq!(put.header("etag"), Some(format!("\"{}\"", put.body["version"]).as_str()), "{path}");
        let (mut before, mut after) = (read.body.clone(), put.body.clone());
        before["version"].take();
        after["version"].take();
        assert_eq!(before, after, "{path}");
    }
    let path = "/housekeeping/v1/settings";
    let minutes = json!({ "turnover": 45 });
    hotel
        .put(
            &manager,
            path,
            json!({ "lostFoundRetentionDays": 30, "linenLine": "sheets", "estimatedMinutes": minutes }),
        )
        .await
        .done();
    let after = hotel.put(&manager, path, json!({ "autoMidStay": true })).await.done();
    assert_eq!((&after["lostFoundRetentionDays"], &after["linenLine"]), (&json!(30), &json!("sheets")), "{after}");
    assert_eq!((&after["estimatedMinutes"], &after["autoMidStay"]), (&minutes, &json!(true)), "{after}");
    let after = hotel.put(&manager, path, json!({ "linenLine": null })).await.done();
    assert_eq!((after.get("linenLine"), &after["lostFoundRetentionDays"]), (None, &json!(30)), "{after}");
}

fn replayed(answer: &Answer) -> bool {
    answer.header("idempotency-replayed") == Some("true")
}

#[tokio::test]
async fn a_pin_that_was_changed_is_told_so_again_and_a_punch_at_a_terminal_too() {
    let hotel = TestHotel::open().await;
    let zarmina = hotel.with_pin("Zarmina", "748291").await;
    let path = format!("/staff/v1/staff/{}/pin", zarmina.staff);
    let body = json!({ "currentPin": "748291", "pin": "564738" });
    let change = || Ask::post(&path).by(&hotel.own(&zarmina.staff)).key("k-1").json(&body);
    let first = hotel.ask(change()).await;
    assert_eq!((first.status, replayed(&first)), (204, false), "{}", first.text);
    // As often as a PIN could be tried, and more.
    for _ in 0..7 {
        let again = hotel.ask(change()).await;
        assert_eq!((again.status, replayed(&again)), (204, true), "{}", again.text);
    }
    let other = json!({ "currentPin": "748291", "pin": "111222" });
    let other = hotel.ask(Ask::post(&path).by(&hotel.own(&zarmina.staff)).key("k-1").json(&other)).await;
    assert!((400..500).contains(&other.status) && !replayed(&other), "another request under the key: {}", other.text);
    hotel.sign_in(&zarmina.code, "564738").await.done();

    let punch = json!({ "kind": "in", "staffCode": zarmina.code, "pin": "564738" });
    let press = || Ask::post("/staff/v1/clock/punches").by(&hotel.service()).key("k-2").json(&punch);
    let came = hotel.ask(press()).await;
    assert_eq!(came.status, 201, "{}", came.text);
    let later = json!({
        "deviceId": "dev_01KPSY36J085MVSP242K03MADZ", "sentAt": hotel.now(),
        "punches": [{ "clientPunchId": "9", "kind": "in", "at": "2026-04-21T03:00:00Z", "staffCode": zarmina.code, "pin": "564738" }],
    });
    let send = || Ask::post("/staff/v1/clock/offline-replay").by(&hotel.service()).key("k-3").json(&later);
    let told = hotel.ask(send()).await;
    assert_eq!(told.status, 200, "{}", told.text);
    // Another PIN by now: what was judged then is not judged again.
    hotel.post(&hotel.manager(), &path, json!({ "pin": "918273" })).await.done();
    for (first, again) in [(&came, hotel.ask(press()).await), (&told, hotel.ask(send()).await)] {
        assert_eq!((again.status, &again.text, replayed(&again)), (first.status, &first.text, true));
    }
}

#[tokio::test]
async fn the_same_key_and_body_for_another_house_is_another_request() {
    let hotel = TestHotel::open().await;
    let (one, other): (PropertyId, PropertyId) = (hotel.property.clone(), hotel.next());
    let put = async |house: &PropertyId, key: &str| {
        let path = format!("/staff/v1/settings?propertyId={house}");
        let ask = Ask::new(axum::http::Method::PUT, path).by(&hotel.manager()).key(key);
        hotel.ask(ask.json(&json!({ "minRestMinutes": 601 }))).await
    };
    assert_eq!(put(&one, "k-1").await.status, 200);
    assert!(replayed(&put(&one, "k-1").await));
    let mixed_up = put(&other, "k-1").await;
    assert!((400..500).contains(&mixed_up.status) && !replayed(&mixed_up), "{}", mixed_up.text);
    assert_eq!(hotel.count(&format!("staff.settings WHERE property_id = '{other}'")).await, 0);
    assert_eq!(put(&other, "k-2").await.status, 200);
}

#[tokio::test]
async fn a_task_is_found_by_its_moment_its_day_or_from_when_on_it_is_due() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let mut made = Vec::new();
    // The second is still the 22nd in UTC, and the 23rd in Kabul.
    for at in ["2026-04-22T08:00:00Z", "2026-04-22T20:00:00Z", "2026-04-23T19:29:59Z", "2026-04-23T19:30:00Z"] {
        let body =
            json!({ "propertyId": hotel.property, "roomId": room.id, "kind": TaskKind::DeepClean, "scheduledFor": at });
        made.push(text(&hotel.post(&hotel.supervisor(), "/housekeeping/v1/tasks", body).await.done()["id"]));
        // Tasks are listed in the order they were opened.
        hotel.clock.advance_seconds(1);
    }
    let found = async |query: &str| -> Vec<String> {
        let page = hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/tasks?{query}")).await.done();
        page["items"].as_array().unwrap().iter().map(|item| text(&item["id"])).collect()
    };
    assert_eq!(found("scheduledFor=2026-04-22T08:00:00Z").await, made[..1]);
    assert_eq!(found("scheduledFor=2026-04-22T07:59:59.999Z").await, Vec::<String>::new());
    assert_eq!(found("scheduledFor=2026-04-22").await, made[..1]);
    assert_eq!(found("scheduledFor=2026-04-23").await, made[1..3]);
    assert_eq!(found("scheduledFrom=2026-04-22T20:00:00Z").await, made[1..]);
    assert_eq!(found("scheduledFor=2026-04-23&scheduledFrom=2026-04-23T00:00:00Z").await, made[2..3]);
    for bad in ["scheduledFor=tomorrow", "scheduledFrom=2026-04-22"] {
        assert_eq!(hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/tasks?{bad}")).await.status, 400, "{bad}");
    }
}

#[tokio::test]
async fn whoever_decided_on_an_old_view_is_told_so_everywhere() {
    let hotel = TestHotel::open().await;
    let (supervisor, manager, desk) = (hotel.supervisor(), hotel.manager(), hotel.desk());
    let zarmina = hotel.employ("Zarmina").await;
    let came = hotel.punch_clock(&zarmina, "in").await.done();
    let entry = text(&came["clockEntryId"]);
    let note = json!({ "propertyId": hotel.property, "body": "The lift is out" });
    let note = hotel.post(&hotel.own(&zarmina), "/staff/v1/handoff-notes", note).await.done();
    let room = hotel.ready_room("101").await;
    let (double, doors) = hotel.sold_rooms(1).await;
    let blocks = format!("/reservation/v1/rooms/{}/blocks", doors[0].id);
    let closed = hotel.post(&desk, &blocks, json!({ "reason": "water" })).await.done();
    let nights = |more: Value| {
        let mut body = json!({ "from": "2026-07-01", "to": "2026-08-01" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let corrected = json!({ "clockEntryId": entry, "at": "2026-04-22T06:20:00Z", "reason": "forgot" });
    let of = |path: &str| format!("/reservation/v1/room-types/{double}/{path}");
    let commands: [(&str, String, &String, Value); 7] = [
        ("POST", "/staff/v1/clock/override".to_owned(), &supervisor, corrected),
        ("POST", format!("/staff/v1/clock/entries/{entry}/review"), &supervisor, json!({})),
        (
            "POST",
            format!("/staff/v1/handoff-notes/{}/acknowledge", text(&note["handoffNoteId"])),
            &hotel.own(&zarmina),
            json!({}),
        ),
        ("POST", format!("/housekeeping/v1/rooms/{}/occupancy", room.id), &supervisor, json!({ "observed": "vacant" })),
        ("PUT", of("rates"), &manager, nights(json!({ "rateMicro": "150000000" }))),
        ("PUT", of("sell-limits"), &manager, nights(json!({ "overbooking": 1 }))),
        ("DELETE", format!("{blocks}/{}", text(&closed["blockId"])), &desk, json!({})),
    ];
    for (method, path, by, body) in commands {
        let ask = |version: &str| {
            let method = axum::http::Method::from_bytes(method.as_bytes()).unwrap();
            Ask::new(method, path.clone()).by(by).header("if-match", version).json(&body)
        };
        let stale = hotel.ask(ask("\"99\"")).await;
        assert_eq!(stale.status, 412, "{path}: {}", stale.text);
        assert!(stale.code().ends_with("STALE_VERSION"), "{path}: {}", stale.text);
        let fresh = hotel.ask(ask("*")).await;
        assert!((200..300).contains(&fresh.status), "{path}: {}", fresh.text);
    }
}

#[tokio::test]
async fn an_inspection_goes_by_the_checklist_it_names_and_its_keys_have_bounds() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let (_, task) = hotel.cleaned_room("101", &gulalai).await;
    let list = async |kind: &str| {
        let lists = hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/checklists?kind={kind}")).await.done();
        lists["items"][0].clone()
    };
    let (old, turnover) = (list("inspection").await, list("turnover").await);
    let newer =
        json!({ "kind": "inspection", "items": [{ "key": "bed", "labelI18n": { "en": "Bed" }, "required": true }] });
    hotel.post(&hotel.manager(), "/housekeeping/v1/checklists", newer).await.done();
    let inspect = async |body: Value| hotel.command(&hotel.supervisor(), &task, "inspections", body).await;
    let unknown: contracts::ids::ChecklistId = hotel.next();
    inspect(json!({ "outcome": "pass", "checklistId": unknown }))
        .await
        .refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    let wrong = inspect(json!({ "outcome": "pass", "checklistId": turnover["id"] })).await;
    wrong.refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE").naming("checklistId");
    for keys in [json!(vec!["k"; 201]), json!(["x".repeat(101)]), json!([""])] {
        let answer = inspect(json!({ "outcome": "fail", "reason": "dust", "failedItemKeys": keys })).await;
        answer.refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE").naming("failedItemKeys");
    }
    let held = inspect(json!({ "outcome": "pass", "checklistId": old["id"] })).await.done();
    assert_eq!((&held["checklistId"], &held["checklistVersion"]), (&old["id"], &json!(1)), "as it was gone by: {held}");
}

#[tokio::test]
async fn an_inspection_is_shown_with_its_own_task_and_to_its_own_house() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.person_on_shift().await;
    let ((_, one), (_, other)) = (hotel.cleaned_room("101", &gulalai).await, hotel.cleaned_room("102", &gulalai).await);
    let held = hotel.command(&hotel.supervisor(), &one, "inspections", json!({ "outcome": "pass" })).await.done();
    let id = text(&held["id"]);
    let elsewhere: PropertyId = hotel.next();
    let at = |task: &str| format!("/housekeeping/v1/tasks/{task}/inspections/{id}");
    hotel.get(&hotel.supervisor(), &at(&other)).await.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    let theirs = hotel.token_for_property(Role::Supervisor, &elsewhere);
    hotel.get(&theirs, &at(&one)).await.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
}

//! What the pages need of housekeeping: names, one person's board, taps that come late, photos, the day's curve.

use axum::http::Method;
use contracts::housekeeping::TaskKind;
use contracts::ids::{PropertyId, TenantId};
use platform::auth::Role;
use serde_json::{Value, json};

use crate::test_hotel::{Ask, TestHotel, text, whole_report};

const JPEG: &[u8] = &[0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, b'J', b'F', b'I', b'F', 0x00, 0xff, 0xd9];

#[tokio::test]
async fn a_housekeeper_reads_the_checklists() {
    let hotel = TestHotel::open().await;
    let token = hotel.housekeeper(&hotel.next());
    let lists = hotel.get(&token, "/housekeeping/v1/checklists?kind=turnover").await.done();
    let id = text(&lists["items"][0]["id"]);
    assert_eq!(hotel.get(&token, &format!("/housekeeping/v1/checklists/{id}")).await.done()["kind"], "turnover");
}

#[tokio::test]
async fn the_board_says_what_people_are_called_until_the_name_changes_untold() {
    let hotel = TestHotel::open().await;
    let staff = hotel.person_on_shift().await;
    let person = async || hotel.board().await.0["staff"][0].clone();
    assert_eq!(person().await["displayName"], Value::Null);
    assert_eq!(person().await["shiftStartsAt"].as_str().map(str::len), Some(24));
    let born = hotel.met(&staff, "Gulalai", "Wardak", &["ps-AF"]);
    hotel.deliver(&born).await;
    assert_eq!(person().await["displayName"], "Gulalai Wardak");
    hotel.deliver(&hotel.renamed(&staff, 3, &["familyName"])).await;
    assert_eq!(person().await["displayName"], Value::Null, "the old name is not shown as if it still held");
    hotel.deliver(&hotel.met(&staff, "Gulalai", "Wardak", &["ps-AF"])).await;
    assert_eq!(person().await["displayName"], Value::Null, "what is told late is older than what is known");
}

#[tokio::test]
async fn one_persons_board_has_their_rooms_and_what_they_finished_today() {
    let hotel = TestHotel::open().await;
    let (gulalai, parwin) = (hotel.person_on_shift().await, hotel.person_on_shift().await);
    let (_, done) = hotel.cleaned_room("101", &gulalai).await;
    let (mine, theirs) = (hotel.ready_room("102").await, hotel.ready_room("103").await);
    let (one, other) =
        (hotel.task_for(&mine, TaskKind::Turnover).await, hotel.task_for(&theirs, TaskKind::Turnover).await);
    hotel.assign(&one, &gulalai).await;
    hotel.assign(&other, &parwin).await;
    let path = format!("/housekeeping/v1/board?propertyId={}&staffId={gulalai}", hotel.property);
    let share = hotel.get(&hotel.housekeeper(&gulalai), &path).await;
    let etag = share.header("etag").unwrap().to_owned();
    let share = share.done();
    let ids =
        |field: &str, id: &str| share[field].as_array().unwrap().iter().map(|row| text(&row[id])).collect::<Vec<_>>();
    assert_eq!(ids("tasks", "id"), [one.as_str(), done.as_str()]);
    assert_eq!(ids("rooms", "number"), ["101", "102"]);
    assert_eq!(ids("staff", "staffId"), [gulalai.to_string()]);
    let again = Ask::get(&path).by(&hotel.housekeeper(&gulalai)).header("if-none-match", etag);
    assert_eq!(hotel.ask(again).await.status, 304);
    hotel.clock.advance_seconds(18 * 3_600);
    let tomorrow = hotel.get(&hotel.token(Role::Supervisor, None), &path).await.done();
    assert_eq!(tomorrow["tasks"].as_array().unwrap().len(), 1, "what was finished yesterday is history");
}

#[tokio::test]
async fn a_tap_that_comes_late_counts_when_it_was_made() {
    let hotel = TestHotel::open().await;
    let staff = hotel.person_on_shift().await;
    let room = hotel.ready_room("101").await;
    let task = hotel.task_for(&room, TaskKind::Turnover).await;
    hotel.assign(&task, &staff).await;
    hotel.published().await;
    let begun = hotel.now();
    // Without a net from here on: forty minutes of work with ten minutes of waiting in between.
    hotel.clock.advance_seconds(90 * 60);
    let token = hotel.housekeeper(&staff);
    let at = |minutes: i64| begun.plus_seconds(minutes * 60);
    let mut report = whole_report(TaskKind::Turnover);
    report["at"] = json!(at(45));
    let started = hotel.command(&token, &task, "start", json!({ "at": at(5) })).await.done();
    assert_eq!((&started["startedAt"], &started["updatedAt"]), (&json!(at(5)), &json!(hotel.now())));
    hotel.command(&token, &task, "pause", json!({ "reason": "awaiting_linen", "at": at(15) })).await.done();
    hotel.command(&token, &task, "resume", json!({ "at": at(25) })).await.done();
    let done = hotel.command(&token, &task, "complete", report).await.done();
    assert_eq!((&done["completedAt"], &done["durationMinutes"]), (&json!(at(45)), &json!(30)));
    let history = hotel.get(&hotel.supervisor(), &format!("/housekeeping/v1/rooms/{}/history", room.id)).await.done();
    let flips: Vec<_> = history["items"].as_array().unwrap().iter().map(|step| step["at"].clone()).collect();
    assert_eq!(flips[..2], [json!(at(45)), json!(at(5))]);
    for event in hotel.news().await {
        assert_eq!(event["metadata"]["fromOfflineReplay"], true, "{event}");
        assert_eq!(event["occurredAt"], json!(hotel.now()), "it is told now: {event}");
    }
    let since = format!("/housekeeping/v1/tasks?updatedSince={}", hotel.now());
    assert_eq!(hotel.get(&hotel.supervisor(), &since).await.done()["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_time_that_cannot_be_is_taken_as_near_as_can_be_and_never_refused() {
    let hotel = TestHotel::open().await;
    let staff = hotel.person_on_shift().await;
    let room = hotel.ready_room("101").await;
    let task = hotel.task_for(&room, TaskKind::Turnover).await;
    hotel.clock.advance_seconds(600);
    hotel.assign(&task, &staff).await;
    let (assigned, token) = (hotel.now(), hotel.housekeeper(&staff));
    hotel.clock.advance_seconds(600);
    let early = json!({ "at": "2020-01-01T00:00:00Z" });
    let started = hotel.command(&token, &task, "start", early).await.done();
    assert_eq!(started["startedAt"], json!(assigned), "not before it was theirs");
    let late = json!({ "reason": "break", "at": hotel.now().plus_seconds(3_600) });
    let paused = hotel.command(&token, &task, "pause", late).await.done();
    assert_eq!(paused["pausedAt"], json!(hotel.now()), "not before it happens");
    hotel.command(&token, &task, "resume", json!({})).await.done();
    let failed = json!({ "reason": "access_denied", "at": "1999-12-31T00:00:00Z" });
    hotel.command(&token, &task, "fail", failed).await.done();
}

#[tokio::test]
async fn the_desk_makes_work_more_urgent_and_never_less() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let task = hotel.task_for(&room, TaskKind::Turnover).await;
    let path = format!("/housekeeping/v1/tasks/{task}/priority");
    let desk = hotel.front_desk();
    let raised = hotel.patch(&desk, &path, json!({ "priority": "urgent" })).await.done();
    assert_eq!(raised["priority"], "urgent");
    let lower = hotel.patch(&desk, &path, json!({ "priority": "low" })).await;
    lower.refused(403, "MELMASTOON.HOUSEKEEPING.ONLY_UPWARDS");
    assert_eq!(hotel.patch(&desk, &path, json!({ "priority": "urgent" })).await.status, 200, "as it is already");
    assert_eq!(hotel.patch(&hotel.supervisor(), &path, json!({ "priority": "low" })).await.status, 200);
}

#[tokio::test]
async fn the_days_curve_counts_rooms_each_quarter_of_an_hour_of_the_hotels_day() {
    let hotel = TestHotel::open().await;
    let staff = hotel.person_on_shift().await;
    hotel.ready_room("102").await;
    let room = hotel.ready_room("101").await;
    hotel.deliver(&hotel.checked_out(&room)).await;
    let task = hotel.open_task(&room).await;
    hotel.clock.advance_seconds(20 * 60);
    hotel.begin(&task, &staff).await;
    hotel.clock.advance_seconds(40 * 60);
    let path = format!("/housekeeping/v1/stats/readiness?propertyId={}", hotel.property);
    let curve = hotel.get(&hotel.supervisor(), &path).await.done();
    assert_eq!((&curve["date"], &curve["timezone"]), (&json!("2026-04-22"), &json!("Asia/Kabul")));
    let points = curve["points"].as_array().unwrap();
    assert_eq!(points[0]["at"], "2026-04-21T19:30:00.000Z", "midnight in Kabul");
    assert_eq!(points[0]["counts"], json!({ "ready": 2 }));
    // It is 11:00 there at half past six of the world's clock: 44 quarters, and the hour since.
    assert_eq!(points[44]["counts"], json!({ "ready": 1, "dirty": 1 }));
    assert_eq!(points.last().unwrap()["counts"], json!({ "ready": 1, "cleaning": 1 }));
    assert_eq!(points.len(), 49);
    let before = hotel.get(&hotel.supervisor(), &format!("{path}&date=2026-04-21")).await.done();
    assert_eq!(before["points"].as_array().unwrap().len(), 97);
    let ahead = hotel.get(&hotel.supervisor(), &format!("{path}&date=2026-05-01")).await.done();
    assert_eq!(ahead["points"], json!([]));
    // A room that exists no more is part of the days on which it did.
    hotel.deliver(&hotel.room_archived(&room)).await;
    hotel.clock.advance_seconds(24 * 3_600);
    let counts = async |date: &str| {
        let curve = hotel.get(&hotel.supervisor(), &format!("{path}&date={date}")).await.done();
        curve["points"][0]["counts"].clone()
    };
    assert_eq!(counts("2026-04-22").await, json!({ "ready": 2 }));
    assert_eq!(counts("2026-04-23").await, json!({ "ready": 1 }), "it is on no list any more");
    hotel
        .get(&hotel.supervisor(), &format!("{path}&date=tomorrow"))
        .await
        .refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE");
}

#[tokio::test]
async fn a_photo_is_kept_for_those_of_the_house_and_is_what_its_bytes_say() {
    let hotel = TestHotel::open().await;
    let desk = hotel.front_desk();
    let path = format!("/housekeeping/v1/media?propertyId={}", hotel.property);
    let send = |kind: &str, bytes: &[u8]| Ask::post(&path).by(&desk).body(kind, bytes);
    let kept = hotel.ask(send("image/jpeg", JPEG)).await;
    let place = kept.header("location").unwrap().to_owned();
    let id = text(&kept.done()["mediaId"]);
    let again = hotel.ask(send("image/jpeg", JPEG)).await;
    assert_eq!((again.status, text(&again.body["mediaId"])), (201, id.clone()), "the same photo is the same one");
    assert_eq!(hotel.count("housekeeping.media").await, 1);

    let shown = hotel.get(&hotel.housekeeper(&hotel.next()), &place).await;
    assert_eq!((shown.status, shown.header("content-type")), (200, Some("image/jpeg")));
    assert!(shown.header("content-security-policy").is_some_and(|policy| policy.contains("sandbox")));

    for (kind, bytes) in
        [("image/jpeg", &b"<svg onload=alert(1)>"[..]), ("image/png", JPEG), ("image/jpeg", b"\x89PNG\r\n")]
    {
        hotel.ask(send(kind, bytes)).await.refused(415, "MELMASTOON.PLATFORM.UNSUPPORTED_MEDIA_TYPE");
    }
    let mut large = JPEG.to_vec();
    large.resize(600 * 1_024 + 1, 0);
    hotel.ask(send("image/jpeg", &large)).await.refused(413, "MELMASTOON.PLATFORM.BODY_TOO_LARGE");
    large.truncate(600 * 1_024);
    assert_eq!(hotel.ask(send("image/jpeg", &large)).await.status, 201);

    let tenant: TenantId = hotel.next();
    let stranger = hotel.token_of_tenant(Role::FrontDesk, &tenant);
    hotel.get(&stranger, &place).await.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    let elsewhere: PropertyId = hotel.next();
    let other_house = hotel.token_for_property(Role::FrontDesk, &elsewhere);
    hotel.get(&other_house, &place).await.refused(404, "MELMASTOON.HOUSEKEEPING.NOT_FOUND");
    let foreign = Ask::new(Method::POST, &path).by(&other_house).body("image/jpeg", JPEG);
    hotel.ask(foreign).await.refused(403, "MELMASTOON.HOUSEKEEPING.PROPERTY_FORBIDDEN");
}

#[tokio::test]
async fn a_photo_is_sent_once_under_its_key_and_two_who_send_it_at_once_have_both_sent_it() {
    let hotel = TestHotel::open().await;
    let desk = hotel.front_desk();
    let path = format!("/housekeeping/v1/media?propertyId={}", hotel.property);
    let send = |key: &str, bytes: &[u8]| Ask::post(&path).by(&desk).key(key).body("image/jpeg", bytes);
    let other = [JPEG, b"another"].concat();
    let first = hotel.ask(send("one", JPEG)).await;
    assert_eq!((first.status, first.header("idempotency-replayed")), (201, None));
    hotel.clock.advance_seconds(60);
    let again = hotel.ask(send("one", JPEG)).await;
    assert_eq!((again.status, again.header("idempotency-replayed")), (201, Some("true")));
    assert_eq!((again.header("location"), &again.text), (first.header("location"), &first.text));
    hotel.ask(send("one", &other)).await.refused(422, "MELMASTOON.PLATFORM.IDEMPOTENCY_KEY_REUSED");
    assert_eq!(hotel.count("housekeeping.media").await, 1, "what was refused is not kept");
    hotel.ask(send("", &other)).await.refused(400, "MELMASTOON.HOUSEKEEPING.INVALID_VALUE").naming("Idempotency-Key");

    let both = [JPEG, b"a third"].concat();
    let plain = || Ask::post(&path).by(&desk).body("image/jpeg", both.clone());
    let answers = futures_util::future::join_all((0..6).map(|_| hotel.ask(plain()))).await;
    for answer in &answers {
        assert_eq!(answer.status, 201, "{}", answer.text);
        assert_eq!(answer.body["mediaId"], answers[0].body["mediaId"]);
    }
    assert_eq!(hotel.count("housekeeping.media").await, 2);
}

//! Several people on one shift: what a terminal sends later of all of them says what it would have said at once.

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::reservation_waiting::waiting_for_locks;
use crate::test_hotel::{Ask, Known, TestHotel, text};

const REPLAY: &str = "/staff/v1/clock/offline-replay";
const PINS: [&str; 3] = ["748291", "192837", "564738"];
const DAY: i64 = 24 * 60 * 60;

/// Who punched what, how many minutes after seven.
type Punched = (usize, &'static str, i64);

async fn shift_for(hotel: &TestHotel, day: &str, people: &[&str]) -> String {
    let mut plan = hotel.plan("07:00", "15:00").await;
    plan["localWindow"]["date"] = json!(day);
    plan["primaryHeadcount"] = json!(people.len());
    let shift = text(&hotel.post(&hotel.supervisor(), "/staff/v1/shifts", plan).await.done()["shiftId"]);
    for staff in people {
        hotel.place(&shift, staff).await.done();
    }
    shift
}

async fn with_pins(hotel: &TestHotel) -> Vec<Known> {
    let mut people = Vec::new();
    for (name, pin) in ["Zarmina", "Laila", "Nasrin"].into_iter().zip(PINS) {
        people.push(hotel.with_pin(name, pin).await);
    }
    people
}

/// What a terminal sends; a punch's number is its place in the story.
async fn send(hotel: &TestHotel, device: &str, punches: &[(&Known, &str, String)]) -> Value {
    let one = |(number, (who, kind, at)): (usize, &(&Known, &str, String))| json!({ "clientPunchId": number.to_string(), "staffCode": who.code, "pin": who.pin, "kind": kind, "at": at });
    let punches: Vec<_> = punches.iter().enumerate().map(one).collect();
    let body = json!({ "deviceId": format!("dev_{device}"), "sentAt": hotel.now(), "punches": punches });
    hotel.ask(Ask::post(REPLAY).by(&hotel.service()).key(&hotel.ids.hex::<8>()).json(&body)).await.done()
}

/// A day of so many people: some rest, some go out for lunch and come back, and no two punch at the same minute.
fn a_day(chance: &mut StdRng, people: usize) -> Vec<Punched> {
    let mut punched = Vec::new();
    for who in 0..people {
        let at = |minutes: i64| minutes / 3 * 3 + i64::try_from(who).unwrap();
        let noon = chance.random_range(240..300);
        punched.push((who, "in", at(chance.random_range(-30..120))));
        match chance.random_range(0..3) {
            0 => punched.extend([(who, "break_started", at(noon)), (who, "break_ended", at(noon + 31))]),
            1 => punched.extend([(who, "out", at(noon)), (who, "in", at(noon + 40))]),
            _ => {}
        }
        punched.push((who, "out", at(chance.random_range(430..500))));
    }
    punched.sort_by_key(|one| one.2);
    punched
}

/// What everybody is told of clocks and shifts, with places instead of names, and without what tells how it came.
async fn told(hotel: &TestHotel, shift: &str, people: &[&str]) -> Vec<(String, String)> {
    let mut all = hotel.told_by_staff().await;
    all.retain(|(subject, _)| subject.starts_with("clock.") || subject.starts_with("shift."));
    let plain = |(subject, mut payload): (String, Value)| {
        let fields = payload.as_object_mut().unwrap();
        fields.retain(|name, _| {
            !["clockEntryId", "recordedAtUtc", "source", "deviceId", "fromOfflineReplay"].contains(&name.as_str())
        });
        let named = people.iter().enumerate();
        let text = named.fold(payload.to_string(), |text, (at, staff)| text.replace(staff, &format!("person {at}")));
        (subject, text.replace(shift, "the shift"))
    };
    all.into_iter().map(plain).collect()
}

#[tokio::test]
async fn what_a_terminal_sends_later_of_several_people_on_a_shift_is_what_would_have_been_said_at_once() {
    let hotel = TestHotel::open().await;
    let known = with_pins(&hotel).await;
    let mut live = Vec::new();
    for name in ["Gulalai", "Palwasha", "Spogmai"] {
        live.push(hotel.employ(name).await);
    }
    // It is eleven in the morning: the next day is the first whole one.
    let seven = |day: i64| hotel.now().plus_seconds(day * DAY - 4 * 60 * 60);
    let mut begins = seven(1);
    for (seed, date) in (1..=6).zip(["23", "24", "25", "26", "27", "28"]) {
        let mut chance = StdRng::seed_from_u64(seed);
        let people = chance.random_range(2..=3);
        let story = a_day(&mut chance, people);
        let day = format!("2026-04-{date}");
        let at_once: Vec<&str> = live.iter().take(people).map(String::as_str).collect();
        let later: Vec<&str> = known.iter().take(people).map(|one| one.staff.as_str()).collect();
        let shifts = (shift_for(&hotel, &day, &at_once).await, shift_for(&hotel, &day, &later).await);
        hotel.told_by_staff().await;
        let at = |minutes: i64| begins.plus_seconds(60 * minutes);
        for (who, kind, minutes) in &story {
            hotel.clock.advance_seconds((at(*minutes).as_millis() - hotel.now().as_millis()) / 1_000);
            hotel.punch_clock(at_once[*who], kind).await.done();
        }
        let wanted = told(&hotel, &shifts.0, &at_once).await;
        assert!(wanted.iter().any(|(subject, _)| subject == "shift.started"), "{wanted:?}");
        let mut mixed: Vec<_> =
            story.iter().map(|(who, kind, minutes)| (&known[*who], *kind, at(*minutes).to_string())).collect();
        mixed.shuffle(&mut chance);
        let answer = send(&hotel, date, &mixed).await;
        let taken = answer["results"].as_array().unwrap().iter().all(|one| one["outcome"] == "recorded");
        assert!(taken, "seed {seed}: {answer}");
        let mut found = told(&hotel, &shifts.1, &later).await;
        // Whoever shows a PIN the first time is told of apart.
        found.retain(|(subject, _)| subject != "updated");
        assert_eq!(found, wanted, "seed {seed}: {story:?}");
        let (one, other) = (hotel.shift_now(&shifts.0).await, hotel.shift_now(&shifts.1).await);
        for field in ["status", "endedAt", "totalActualMinutes", "totalBreakMinutes", "version"] {
            assert_eq!(one[field], other[field], "seed {seed}: {field}");
        }
        begins = begins.plus_seconds(DAY);
    }
}

#[tokio::test]
async fn the_first_who_came_begins_the_shift_whoever_is_named_first() {
    let hotel = TestHotel::open().await;
    let mut known = with_pins(&hotel).await;
    known.sort_by(|one, other| one.staff.cmp(&other.staff));
    let people: Vec<&str> = known.iter().map(|one| one.staff.as_str()).collect();
    let shift = shift_for(&hotel, "2026-04-22", &people).await;
    let at = |minutes: i64| hotel.now().plus_seconds(60 * minutes - 4 * 60 * 60).to_string();
    hotel.told_by_staff().await;
    let sent = [(&known[0], "in", at(30)), (&known[1], "in", at(20)), (&known[2], "in", at(10))];
    send(&hotel, "T", &sent).await;
    let started: Vec<_> =
        hotel.told_by_staff().await.into_iter().filter(|(subject, _)| subject == "shift.started").collect();
    assert_eq!(started.len(), 1, "{started:?}");
    assert_eq!((&started[0].1["firstClockInBy"], &started[0].1["firstClockInAt"]), (&json!(people[2]), &json!(at(10))));
    assert_eq!(hotel.shift_now(&shift).await["status"], "started");
}

/// Whether nobody has locked a shift.
async fn is_free(hotel: &TestHotel, shift: &str) -> bool {
    let looks = hotel.database_connection().await;
    let sql = "SELECT id FROM staff.shifts WHERE id = $1 FOR UPDATE NOWAIT";
    looks.query(sql, &[&shift]).await.is_ok()
}

#[tokio::test]
async fn a_terminal_locks_the_shifts_of_all_its_people_in_the_order_of_their_ids() {
    let hotel = TestHotel::open().await;
    let mut known = with_pins(&hotel).await;
    known.sort_by(|one, other| one.staff.cmp(&other.staff));
    let (low, high) = (
        shift_for(&hotel, "2026-04-22", &[&known[1].staff]).await,
        shift_for(&hotel, "2026-04-22", &[&known[0].staff]).await,
    );
    assert!(low < high, "ids are by time");
    let held = hotel.database_connection().await;
    held.batch_execute(&format!("BEGIN; SELECT FROM staff.shifts WHERE id = '{low}' FOR UPDATE")).await.unwrap();
    let at = hotel.now().plus_seconds(-60 * 60).to_string();
    let sent = [(&known[0], "in", at.clone()), (&known[1], "in", at)];
    let looking = async {
        waiting_for_locks(&hotel, 1).await;
        let free = is_free(&hotel, &high).await;
        held.batch_execute("COMMIT").await.unwrap();
        free
    };
    let (answer, free) = tokio::join!(send(&hotel, "T", &sent), looking);
    assert!(free, "two terminals would wait for each other");
    assert!(answer["results"].as_array().unwrap().iter().all(|one| one["outcome"] == "recorded"), "{answer}");
}

#[tokio::test]
async fn whoever_leaves_for_good_gives_up_their_shifts_in_the_order_of_their_ids() {
    let hotel = TestHotel::open().await;
    let gulalai = hotel.employ("Gulalai").await;
    let to_come = shift_for(&hotel, "2026-04-24", &[&gulalai]).await;
    let present = shift_for(&hotel, "2026-04-22", &[&gulalai]).await;
    assert!(to_come < present, "ids are by time");
    hotel.punch_clock(&gulalai, "in").await.done();
    let held = hotel.database_connection().await;
    held.batch_execute(&format!("BEGIN; SELECT FROM staff.shifts WHERE id = '{to_come}' FOR UPDATE")).await.unwrap();
    let looking = async {
        waiting_for_locks(&hotel, 1).await;
        let free = is_free(&hotel, &present).await;
        held.batch_execute("COMMIT").await.unwrap();
        free
    };
    let path = format!("/staff/v1/staff/{gulalai}/terminate");
    let manager = hotel.manager();
    let (gone, free) = tokio::join!(hotel.post(&manager, &path, json!({ "reason": "gone" })), looking);
    assert!(free, "two would wait for each other");
    let summary = gone.done()["cascadeSummary"].clone();
    assert_eq!(
        (&summary["openClockClosed"], &summary["futureShiftsCancelled"]),
        (&json!(true), &json!(1)),
        "{summary}"
    );
}

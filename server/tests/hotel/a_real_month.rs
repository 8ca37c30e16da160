//! A month as it really was: 1,400 stays of a resort hotel, told as events, cleaned by people on a seeded schedule.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use contracts::housekeeping::TaskKind;
use contracts::ids::{ReservationId, StaffId};
use jiff::civil::Date;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::json;
use server::demo::bookings::{Bookings, StayInRoom};

use crate::invariants::check_everything;
use crate::test_hotel::{Door, TestHotel, text, whole_report};

const SEED: u64 = 1_395;

/// The hotel's own calendar begins on the month's first day; who stays longer than this has not left when the story ends.
const DAYS: i64 = 50;

/// The people of a day clean what is open, in an order of their own. A few rooms fail their inspection and are done again.
async fn clean(hotel: &TestHotel, chance: &mut StdRng, people: &[StaffId]) {
    loop {
        let path = format!("/housekeeping/v1/tasks?propertyId={}&status=pending&limit=1000", hotel.property);
        let open = hotel.get(&hotel.supervisor(), &path).await.done();
        let open = open["items"].as_array().unwrap();
        if open.is_empty() {
            return;
        }
        for task in open {
            let (id, staff) = (text(&task["id"]), people.choose(chance).unwrap());
            hotel.begin(&id, staff).await;
            hotel.clock.advance_seconds(chance.random_range(20..50));
            let kind = TaskKind::from_word(task["kind"].as_str().unwrap()).unwrap();
            hotel.command(&hotel.housekeeper(staff), &id, "complete", whole_report(kind)).await.done();
            let verdict = if chance.random_bool(0.03) {
                json!({ "outcome": "fail", "reason": "hair in the bath", "failedItemKeys": ["bathroom"] })
            } else {
                json!({ "outcome": "pass" })
            };
            hotel.command(&hotel.supervisor(), &id, "inspections", verdict).await.done();
        }
    }
}

#[tokio::test]
async fn every_departure_of_a_real_month_leads_to_exactly_one_turnover() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/resort_hotel_bookings.csv.gz");
    if !file.exists() {
        eprintln!("NOT RUN: a real month, since {} is not there", file.display());
        return;
    }
    let stays = Bookings::read(&file).unwrap().stays_in(2016, 10);
    assert!(stays.len() > 1_000, "{}", stays.len());
    println!("seed {SEED}, {} stays", stays.len());
    let (mut chance, hotel) = (StdRng::seed_from_u64(SEED), TestHotel::open().await);
    let sheets = hotel.linen("sheets", 100_000, 50).await;
    hotel.put(&hotel.manager(), "/housekeeping/v1/settings", json!({ "linenLine": "sheets" })).await.done();
    let mut doors: HashMap<&str, Door> = HashMap::new();
    for stay in &stays {
        if !doors.contains_key(stay.room.as_str()) {
            doors.insert(&stay.room, hotel.ready_room(&stay.room).await);
        }
    }
    let mut days: BTreeMap<i64, (Vec<&StayInRoom>, Vec<&StayInRoom>)> = BTreeMap::new();
    let mut reservations: HashMap<u64, ReservationId> = HashMap::new();
    let first = stays[0].arrives;
    for stay in &stays {
        reservations.insert(stay.line, hotel.next());
        days.entry(days_between(first, stay.leaves)).or_default().0.push(stay);
        days.entry(days_between(first, stay.arrives)).or_default().1.push(stay);
    }
    let (begun, mut departures) = (hotel.now().as_millis(), 0);
    for (day, (leaving, arriving)) in days.range(..DAYS) {
        hotel.clock.advance_seconds(day * 24 * 60 * 60 - (hotel.now().as_millis() - begun) / 1_000);
        let mut people = Vec::new();
        for _ in 0..4 {
            people.push(hotel.person_on_shift().await);
        }
        for stay in leaving {
            let event = hotel.checked_out_of(&reservations[&stay.line], &[&doors[stay.room.as_str()]]);
            hotel.deliver(&event).await;
            departures += 1;
            // Brokers repeat themselves.
            if chance.random_bool(0.1) {
                hotel.deliver(&event).await;
            }
        }
        clean(&hotel, &mut chance, &people).await;
        for stay in arriving {
            hotel.deliver(&hotel.checked_in(&reservations[&stay.line], &[&doors[stay.room.as_str()]])).await;
        }
    }
    hotel.drain().await;
    let turnovers = "housekeeping.housekeeping_tasks WHERE kind = 'turnover' AND retry_of IS NULL";
    assert_eq!(hotel.count(turnovers).await, departures, "one departure, one turnover");
    let without = "housekeeping.reservation_occupancy o WHERE o.departed_at IS NOT NULL AND 1 <> (
                     SELECT count(*) FROM housekeeping.housekeeping_tasks t
                     WHERE t.kind = 'turnover' AND t.retry_of IS NULL AND t.reservation_id = o.reservation_id AND t.room_id = o.room_id)";
    assert_eq!(hotel.count(without).await, 0, "each departure has its own turnover");
    let left = "housekeeping.housekeeping_tasks WHERE status IN ('pending', 'assigned', 'in_progress', 'paused')";
    assert_eq!(hotel.count(left).await, 0, "everything was cleaned");
    let moved = "housekeeping.linen_movements WHERE task_id IS NOT NULL";
    let done = hotel.count("housekeeping.housekeeping_tasks WHERE status = 'completed'").await;
    assert_eq!(
        (hotel.count(moved).await, hotel.on_hand(&sheets).await),
        (2 * done, json!(100_000)),
        "what went out came back"
    );
    assert_eq!(hotel.count("bus.deliveries").await, 0, "nothing waits to be heard");
    for context in server::contexts::NAMES {
        assert_eq!(hotel.count(&format!("{context}.dead_letters")).await, 0, "{context}");
    }
    check_everything(&hotel).await;
    println!("{departures} departures, {} tasks", hotel.count("housekeeping.housekeeping_tasks").await);
}

fn days_between(first: Date, day: Date) -> i64 {
    i64::from(first.until(day).map_or(0, |span| span.get_days()))
}

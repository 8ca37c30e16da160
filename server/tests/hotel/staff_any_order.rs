//! What people punched in three days says the same whatever the order in which it comes, and whenever the clock is stopped meanwhile.

use platform::ticks::Ran;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::staff_time::{send, spans};
use crate::test_hotel::{TestHotel, text};

const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;

type Sent = (usize, &'static str, String);

async fn look_after_clocks(hotel: &TestHotel) {
    let tick = hotel.app.ticker.find("staff.auto-close-shifts").unwrap();
    assert!(matches!(hotel.app.ticker.run_now(tick).await.unwrap(), Ran::Done(_)));
}

/// Somebody with a place on shifts from six to two, so many hours after a beginning.
async fn employed(hotel: &TestHotel, begins: i64, days: &[i64]) -> String {
    let staff = hotel.employ("Zarmina").await;
    for day in days {
        let at = |hours: i64| hotel.now().plus_seconds(begins + day * DAY + hours * HOUR);
        let mut plan = hotel.plan("07:00", "15:00").await;
        plan.as_object_mut().unwrap().remove("localWindow");
        plan["windowUtc"] = json!({ "startUtc": at(6), "endUtc": at(14) });
        let shift = text(&hotel.post(&hotel.supervisor(), "/staff/v1/shifts", plan).await.done()["shiftId"]);
        hotel.place(&shift, &staff).await.done();
    }
    staff
}

/// Three days of somebody who rests on some of them, and forgets to punch now and then.
fn three_days(chance: &mut StdRng, hotel: &TestHotel, begins: i64) -> Vec<Sent> {
    let mut punched = Vec::new();
    for day in 0..3 {
        let mut at = begins + day * DAY + 5 * HOUR + 60 * chance.random_range(0..120);
        let resting = chance.random_bool(0.6);
        let kinds: &[&'static str] =
            if resting { &["in", "break_started", "break_ended", "out"] } else { &["in", "out"] };
        for kind in kinds {
            if chance.random_bool(0.8) {
                punched.push((punched.len(), *kind, hotel.now().plus_seconds(at).to_string()));
            }
            at += 60 * [30, 90, 200, 400].choose(chance).unwrap();
        }
    }
    punched
}

async fn said(hotel: &TestHotel, staff: &str) -> (Vec<[Value; 4]>, Vec<(Value, Value, Value)>) {
    look_after_clocks(hotel).await;
    let entries = hotel.get(&hotel.own(staff), "/staff/v1/clock/entries?limit=100").await.done();
    let entry = |one: &Value| (one["occurredAtUtc"].clone(), one["kind"].clone(), json!(one["shiftId"].is_null()));
    (spans(hotel, staff).await, entries["items"].as_array().unwrap().iter().map(entry).collect())
}

#[tokio::test]
async fn three_days_say_the_same_in_any_order_and_whenever_the_clock_is_stopped() {
    let hotel = TestHotel::open().await;
    for seed in 1..=24 {
        println!("seed {seed}");
        let mut chance = StdRng::seed_from_u64(seed);
        let begins = -5 * DAY;
        let days: &[i64] = if seed % 2 == 0 { &[] } else { &[0, 1] };
        let sorted = three_days(&mut chance, &hotel, begins);
        let (first, second) = (employed(&hotel, begins, days).await, employed(&hotel, begins, days).await);
        send(&hotel, &first, &first, &sorted).await;
        let mut mixed = sorted.clone();
        mixed.shuffle(&mut chance);
        let mut rest = &mixed[..];
        while !rest.is_empty() {
            // One by one, or several that a device had kept.
            let (now, later) = rest.split_at(chance.random_range(1..=rest.len().min(4)));
            send(&hotel, &second, &second, now).await;
            rest = later;
            if chance.random_bool(0.3) {
                look_after_clocks(&hotel).await;
            }
        }
        let (one, other) = (said(&hotel, &first).await, said(&hotel, &second).await);
        assert_eq!(one.0, other.0, "seed {seed}: {sorted:?} and {mixed:?}\n{:?}\n{:?}", one.1, other.1);
    }
}

#[tokio::test]
async fn a_break_ends_when_somebody_really_went_whether_the_clock_had_been_stopped_or_not() {
    let hotel = TestHotel::open().await;
    let at = |hours: i64| hotel.now().plus_seconds(-2 * DAY + hours * HOUR).to_string();
    let mut seen = Vec::new();
    for stopped in [true, false] {
        let staff = employed(&hotel, -2 * DAY, &[0]).await;
        send(&hotel, &staff, &staff, &[(1, "in", at(6)), (2, "break_started", at(9))]).await;
        if stopped {
            look_after_clocks(&hotel).await;
        }
        send(&hotel, &staff, &staff, &[(3, "out", at(15))]).await;
        let row = spans(&hotel, &staff).await.remove(0);
        seen.push([row[2].clone(), row[3].clone()]);
    }
    assert_eq!(seen, [[540, 360], [540, 360]]);
}

#[tokio::test]
async fn a_break_of_another_day_keeps_nobody_longer() {
    let hotel = TestHotel::open().await;
    let at = |minutes: i64| hotel.now().plus_seconds(-5 * DAY + 60 * minutes).to_string();
    let days = [(1, "in", at(357)), (2, "in", at(1740)), (3, "break_started", at(1941)), (4, "in", at(3252))];
    let (first, second) = (hotel.employ("Zarmina").await, hotel.employ("Laila").await);
    send(&hotel, &first, "A", &days).await;
    for place in [3, 2, 0, 1] {
        send(&hotel, &second, "B", std::slice::from_ref(&days[place])).await;
    }
    let (one, other) = (spans(&hotel, &first).await, spans(&hotel, &second).await);
    assert_eq!((&one[0][2], &one[1][2]), (&json!(480), &json!(480)), "{one:?}");
    assert_eq!(one, other);
}

#[tokio::test]
async fn the_end_of_a_break_that_came_with_going_is_nobodys_to_look_at_once_the_real_one_is_known() {
    let hotel = TestHotel::open().await;
    let staff = hotel.employ("Zarmina").await;
    let at = |hours: i64| hotel.now().plus_seconds(-DAY + hours * HOUR).to_string();
    send(&hotel, &staff, "A", &[(1, "in", at(6)), (2, "break_started", at(9)), (3, "out", at(15))]).await;
    assert_eq!(spans(&hotel, &staff).await[0][3], 360);
    send(&hotel, &staff, "A", &[(4, "break_ended", at(10))]).await;
    assert_eq!(spans(&hotel, &staff).await[0][3], 60);
    let open = hotel.get(&hotel.own(&staff), "/staff/v1/clock/entries?needsReview=true").await.done();
    let orphans = open["items"].as_array().unwrap().iter().filter(|one| one["kind"] == "break_ended").count();
    assert_eq!((orphans, hotel.count("staff.clock_entries").await), (0, 4), "{open}");
}

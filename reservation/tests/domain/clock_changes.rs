//! Days on which the clock of a house is changed: a hotel's day begins once, and no moment belongs to two.

use contracts::time::Timestamp;
use contracts::values::LocalTime;
use jiff::civil::{Date, date};
use reservation::domain::settings::Settings;
use reservation::domain::stay::HouseTime;

fn house(zone: &str, day_roll: &str) -> HouseTime {
    let day_roll_time = LocalTime::parse(day_roll).unwrap();
    HouseTime::of(&Settings { timezone: zone.to_owned(), day_roll_time, ..Settings::default() })
}

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

#[test]
fn a_day_that_rolls_in_the_doubled_hour_does_not_roll_back() {
    // Berlin, 25 October 2026: at 03:00 the clock goes back to 02:00.
    let house = house("Europe/Berlin", "02:30");
    assert_eq!(house.hotel_date(at("2026-10-25T00:29:59Z")), date(2026, 10, 24), "02:29 for the first time");
    assert_eq!(house.hotel_date(at("2026-10-25T00:30:00Z")), date(2026, 10, 25), "02:30 for the first time");
    assert_eq!(house.hotel_date(at("2026-10-25T01:10:00Z")), date(2026, 10, 25), "02:10 for the second time");
}

#[test]
fn a_day_that_rolls_in_the_hour_that_is_left_out_begins_when_that_is_over() {
    // Berlin, 28 March 2027: from 02:00 the clock goes to 03:00; 02:30 is taken as 03:30.
    let house = house("Europe/Berlin", "02:30");
    assert_eq!(house.day_begins(date(2027, 3, 28)), at("2027-03-28T01:30:00Z"));
    assert_eq!(house.hotel_date(at("2027-03-28T01:29:59Z")), date(2027, 3, 27));
    assert_eq!(house.hotel_date(at("2027-03-28T01:30:00Z")), date(2027, 3, 28));
}

#[test]
fn in_every_zone_each_hotel_day_begins_once_and_ends_where_the_next_begins() {
    let zones = [
        "Asia/Kabul",
        "Europe/Berlin",
        "America/Havana",
        "Asia/Beirut",
        "America/Santiago",
        "Australia/Lord_Howe",
        "Africa/Cairo",
    ];
    for zone in zones {
        for roll in ["00:00", "00:30", "02:00", "02:30", "03:00", "05:00"] {
            let house = house(zone, roll);
            let mut day: Date = date(2025, 12, 30);
            while day < date(2027, 1, 2) {
                let next = day.tomorrow().unwrap();
                let (begins, ends) = (house.day_begins(day), house.day_begins(next));
                assert!(begins < ends, "{zone} {roll} {day}");
                assert_eq!(house.hotel_date(begins), day, "{zone} {roll}");
                for seconds in (1..).map(|at| at * 900).take_while(|seconds| begins.plus_seconds(*seconds) < ends) {
                    assert_eq!(house.hotel_date(begins.plus_seconds(seconds)), day, "{zone} {roll} {seconds} s later");
                }
                day = next;
            }
        }
    }
}

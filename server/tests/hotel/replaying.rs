//! A month of bookings is played, and a table that cannot be read says where.

use std::path::PathBuf;

use contracts::ids::{PropertyId, TenantId};
use server::demo::bookings::Bookings;
use server::demo::replay::{self, Progress, Replay};

use crate::test_hotel::TestHotel;

const HEAD: &str = "is_canceled,arrival_date_year,arrival_date_month,arrival_date_day_of_month,stays_in_weekend_nights,stays_in_week_nights,assigned_room_type";

fn table(name: &str, lines: &str) -> PathBuf {
    let file = std::env::temp_dir().join(format!("replay-{name}-{}.csv", std::process::id()));
    std::fs::write(&file, format!("{HEAD}\n{lines}")).unwrap();
    file
}

#[tokio::test]
async fn a_tiny_month_is_played_to_its_end_and_every_room_is_cleaned() {
    let hotel = TestHotel::open().await;
    let lines = "0,2026,April,1,0,2,A\n0,2026,April,1,1,0,A\n0,2026,April,2,0,1,B\n1,2026,April,1,0,1,A\n0,2026,April,3,0,1,A\n0,2026,May,1,0,1,A\n";
    let file = table("tiny", lines);
    let bookings = Bookings::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(bookings.first_month(), Some((2026, 4)));
    let replay = Replay {
        tenant: hotel.tenant.clone(),
        property: hotel.property.clone(),
        stays: bookings.stays_in(2026, 4),
        speed: 1e9,
        people: 2,
        seed: 7,
    };
    let mut days = Vec::new();
    let done = replay::play(&hotel.app, &replay, |progress: Progress| days.push(progress.day)).await.unwrap();
    assert_eq!((done.arrivals, done.departures), (4, 4), "{done}");
    assert!(done.cleaned >= 4 && done.inspected == done.cleaned, "{done}");
    assert_eq!(days, [1, 2, 3, 4, 4], "a day at a time, and the end");
    hotel.drain().await;
    let turnovers = "housekeeping.housekeeping_tasks WHERE kind = 'turnover' AND retry_of IS NULL";
    assert_eq!(hotel.count(turnovers).await, 4);
    assert!(hotel.dead_letters().await.is_empty());
    let open = "housekeeping.housekeeping_tasks WHERE status IN ('pending', 'assigned', 'in_progress', 'paused')";
    assert_eq!(hotel.count(open).await, 0);
    // Rooms begin as clean here.
    let gap = "(SELECT previous_status, lag(status) OVER (PARTITION BY room_id ORDER BY id) AS before FROM housekeeping.room_status_audit)
               AS steps WHERE previous_status <> coalesce(before, 'clean')";
    assert_eq!(hotel.count(gap).await, 0);
}

#[tokio::test]
async fn two_houses_are_played_beside_each_other() {
    let hotel = TestHotel::open().await;
    let file = table("two", "0,2026,April,1,0,1,A\n");
    let stays = Bookings::read(&file).unwrap().stays_in(2026, 4);
    std::fs::remove_file(&file).unwrap();
    for tenant in ["tnt_ONE", "tnt_TWO"] {
        let replay = Replay {
            tenant: TenantId::parse(tenant).unwrap(),
            property: PropertyId::parse("prp_SAME").unwrap(),
            stays: stays.clone(),
            speed: 1e9,
            people: 1,
            seed: 7,
        };
        let done = replay::play(&hotel.app, &replay, |_| {}).await.unwrap();
        assert_eq!((done.arrivals, done.departures, done.days), (1, 1, 2));
    }
    assert_eq!(hotel.count("housekeeping.room_status").await, 2);
}

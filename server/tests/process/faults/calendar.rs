//! Months that end, and hours that leap or come twice, while seven processes are at work. They are started an hour before the
//! moment, and once more seconds before it: work that began before it ends after it.

use std::time::{Duration, Instant, SystemTime};

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde_json::json;

use super::clocks::{begin_work, end_work, with_tokens_under};
use super::named;
use crate::replicas::{Outfit, Replicas};
use crate::seed::seed;

const ROOMS: usize = 3;

fn now() -> Timestamp {
    Timestamp::try_from(SystemTime::now()).expect("a time")
}

/// How the clock is wrong for whom it is this long before the moment.
fn shifted(moment: Timestamp, before: Duration) -> String {
    let seconds = moment.as_second() - now().as_second() - i64::try_from(before.as_secs()).expect("a number");
    format!("clock+{seconds}")
}

fn next_month(zone: &TimeZone) -> Timestamp {
    let today = now().to_zoned(zone.clone());
    let first = today.first_of_month().and_then(|day| day.checked_add(1.month())).expect("a month");
    first.start_of_day().expect("a day").timestamp()
}

/// The next change of the hour, forwards or back.
fn next_change(zone: &TimeZone, forwards: bool) -> Timestamp {
    let is = |at: &Timestamp| {
        let offset = |at: Timestamp| zone.to_offset(at).seconds();
        (offset(*at) > offset(*at - 1.second())) == forwards
    };
    zone.following(now()).map(|change| change.timestamp()).find(is).expect("the hour changes there")
}

#[test]
#[ignore = "minutes: make faults"]
fn months_end_and_hours_leap_or_come_twice_while_seven_processes_work() {
    let seed = named("SEED").unwrap_or_else(seed);
    let zone = |name: &str| TimeZone::get(name).expect("a zone");
    let (kabul, berlin) = (zone("Asia/Kabul"), zone("Europe/Berlin"));
    let moments = [
        ("the month ends in Kabul, at 19:30 UTC", "Asia/Kabul", next_month(&kabul)),
        ("the month ends where the database counts", "Asia/Kabul", next_month(&TimeZone::UTC)),
        ("an hour is left out in Berlin", "Europe/Berlin", next_change(&berlin, true)),
        ("an hour comes twice in Berlin", "Europe/Berlin", next_change(&berlin, false)),
    ];
    for (scenario, zone, moment) in moments {
        let early = Outfit { fault: Some(shifted(moment, Duration::from_hours(1))), ..Outfit::default() };
        let Some(mut replicas) = Replicas::open_with(seed, vec![early; 7]) else { return };
        passes(&mut replicas, scenario, zone, moment);
    }
}

fn passes(replicas: &mut Replicas, scenario: &str, zone: &str, moment: Timestamp) {
    let manager = |fault: &str| {
        let mut command =
            replicas.house.command(&["token", "--tenant", &replicas.hotel.tenant, "--role", "property_manager"]);
        command.env("MELMASTOON_FAULT", fault);
        crate::house::ended(command).out.trim().to_owned()
    };
    let token = manager(&shifted(moment, Duration::from_hours(1)));
    replicas.client().put("/housekeeping/v1/settings", &token, &json!({ "timezone": zone })).good();
    replicas.tell(50);
    replicas.converge().report("an hour before", replicas.seed, 0);

    // So long before the moment that everybody has started and begun to work.
    let starting = Instant::now();
    replicas.change_outfits();
    let before = 2 * starting.elapsed() + Duration::from_secs(15);
    let fault = shifted(moment, before);
    let begun = Instant::now();
    for outfit in &mut replicas.outfits {
        outfit.fault = Some(fault.clone());
    }
    replicas.change_outfits();
    let (hotel, clients) = (with_tokens_under(replicas, &fault), replicas.clients());
    for number in 0..ROOMS {
        begin_work(&hotel, &clients, number);
    }
    assert!(begun.elapsed() < before, "seed {}: the machine was too slow to begin in time", replicas.seed);
    // Guests go on leaving until the moment is ten seconds ago.
    let over = before + Duration::from_secs(10);
    while begun.elapsed() < over {
        replicas.tell(10);
        std::thread::sleep(Duration::from_millis(500));
    }
    for number in 0..ROOMS {
        end_work(&hotel, &clients, number);
    }
    let found = replicas.converge();
    found.report(scenario, replicas.seed, 1);
    replicas.assert_all_run();
    let session = replicas.session();
    let backwards = "SELECT count(*) FROM housekeeping.housekeeping_tasks
                     WHERE completed_at < started_at OR started_at < created_at";
    assert_eq!(session.count(backwards), 0, "work that ended before it began");
    let at = moment.as_second();
    let across = format!(
        "SELECT count(*) FROM housekeeping.housekeeping_tasks WHERE started_at < to_timestamp({at}) AND completed_at >= to_timestamp({at})"
    );
    assert_eq!(session.count(&across), i64::try_from(ROOMS).expect("a number"), "work on both sides of the moment");
}

//! Months that end, in the hotel and where the database counts, while seven processes are at work. They are started an hour before the
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

#[expect(
    clippy::disallowed_methods,
    reason = "the processes' clocks are wrong by as much as the real one is off the moment"
)]
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

#[test]
#[ignore = "minutes: make faults"]
fn months_end_while_seven_processes_work() {
    let seed = named("SEED").unwrap_or_else(seed);
    let kabul = TimeZone::get("Asia/Kabul").expect("a zone");
    let moments = [
        ("the month ends in Kabul, at 19:30 UTC", "Asia/Kabul", next_month(&kabul)),
        ("the month ends where the database counts", "Asia/Kabul", next_month(&TimeZone::UTC)),
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

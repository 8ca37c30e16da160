//! How pressing a room is: by when the next guest comes.

use contracts::housekeeping::TaskPriority;
use contracts::time::Timestamp;
use contracts::values::LocalDate;

use super::task::rank;

/// A guest who comes within two hours, or stands at the desk, waits for the room.
const URGENT_MINUTES: i64 = 120;
/// When guests may come, on the day they come.
const CHECK_IN_HOUR: i8 = 14;

/// Urgent within two hours, high today, normal tomorrow or when nobody knows, low later. Days are those of the house.
pub fn priority_for(next_arrival: Option<Timestamp>, now: Timestamp, timezone: &str) -> TaskPriority {
    let Some(at) = next_arrival else { return TaskPriority::Normal };
    if at.minutes_since(now) <= URGENT_MINUTES {
        return TaskPriority::Urgent;
    }
    let zone = zone(timezone);
    let day = |moment: Timestamp| moment.jiff().to_zoned(zone.clone()).date();
    let (today, comes) = (day(now), day(at));
    if comes <= today {
        TaskPriority::High
    } else if today.tomorrow().is_ok_and(|tomorrow| comes == tomorrow) {
        TaskPriority::Normal
    } else {
        TaskPriority::Low
    }
}

/// Whether work presses more by now than it did when somebody last said how much: tomorrow has become today, or today the next two hours.
pub fn presses_more(
    arrives_at: Timestamp,
    (has, since): (TaskPriority, Timestamp),
    now: Timestamp,
    timezone: &str,
) -> bool {
    let then = |moment| rank(priority_for(Some(arrives_at), moment, timezone));
    then(now) > then(since).max(rank(has))
}

/// The moment from which a guest is expected on a day, by the clock of the house.
pub fn arrival_on(day: LocalDate, timezone: &str) -> Option<Timestamp> {
    let from = day.0.at(CHECK_IN_HOUR, 0, 0, 0).to_zoned(zone(timezone)).ok()?;
    Some(Timestamp::from_jiff(from.timestamp()))
}

fn zone(name: &str) -> jiff::tz::TimeZone {
    jiff::tz::TimeZone::get(name).unwrap_or(jiff::tz::TimeZone::UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn a_room_is_as_pressing_as_its_next_guest() {
        // Half past ten at night in Kabul, on the 22nd.
        let now = at("2026-04-22T18:00:00Z");
        let of = |text: &str| priority_for(Some(at(text)), now, "Asia/Kabul");
        assert_eq!(priority_for(None, now, "Asia/Kabul"), TaskPriority::Normal);
        assert_eq!(of("2026-04-22T17:00:00Z"), TaskPriority::Urgent, "at the desk for an hour");
        assert_eq!(of("2026-04-22T20:00:00Z"), TaskPriority::Urgent, "in two hours, tomorrow by the calendar");
        assert_eq!(of("2026-04-22T20:01:00Z"), TaskPriority::Normal, "half past midnight is tomorrow");
        assert_eq!(of("2026-04-23T19:29:00Z"), TaskPriority::Normal, "the last minute of tomorrow");
        assert_eq!(of("2026-04-23T19:30:00Z"), TaskPriority::Low);
        let noon = at("2026-04-22T07:30:00Z");
        assert_eq!(priority_for(Some(at("2026-04-22T19:29:00Z")), noon, "Asia/Kabul"), TaskPriority::High);
    }

    #[test]
    fn a_guest_of_a_day_is_expected_at_two_in_the_afternoon_of_the_house() {
        let day = LocalDate::parse("2026-04-22").unwrap();
        assert_eq!(arrival_on(day, "Asia/Kabul"), Some(at("2026-04-22T09:30:00Z")));
    }
}

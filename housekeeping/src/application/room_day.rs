//! How many rooms were in which status through a day: the curve that tells whether the house is ready when the guests come.

use std::collections::{BTreeMap, HashMap};

use contracts::housekeeping::RoomStatus;
use contracts::ids::{PropertyId, RoomId};
use contracts::time::Timestamp;
use jiff::civil::Date;
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Serialize;

use crate::HousekeepingError;
use crate::infrastructure::readiness::{self, DayOfRooms};
use crate::infrastructure::settings;

const STEP_SECONDS: i64 = 15 * 60;
/// How far back a day may lie.
const OLDEST_DAYS: i64 = 400;

/// How many rooms were in which status at a moment; a status that no room was in is left out.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReadinessPoint {
    pub at: Timestamp,
    pub counts: BTreeMap<String, u32>,
}

/// The rooms of a house through a day of the hotel's calendar, up to now.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadinessStats {
    pub property_id: PropertyId,
    pub date: String,
    pub timezone: String,
    /// One each quarter of an hour, from the day's beginning.
    pub points: Vec<ReadinessPoint>,
}

pub async fn show(
    uow: &mut UnitOfWork,
    property: &PropertyId,
    date: Option<Date>,
) -> Result<ReadinessStats, HousekeepingError> {
    let (tenant, _) = settings::load(uow).await?;
    let (zone, now) = (tenant.settings.timezone, uow.now());
    let unknown = || Refusal::invalid("date", "a day of the calendar");
    let today = now.jiff().in_tz(&zone).map_err(|_| unknown())?.date();
    let date = date.unwrap_or(today);
    let begins = |day: Date| day.in_tz(&zone).map(|at| Timestamp::from_jiff(at.timestamp())).map_err(|_| unknown());
    let (from, to) = (begins(date)?, begins(date.tomorrow().map_err(|_| unknown())?)?);
    if now.minutes_since(from) > OLDEST_DAYS * 24 * 60 {
        return Err(Refusal::invalid("date", format!("within the last {OLDEST_DAYS} days")).into());
    }
    let to = to.min(now);
    let day = if from > now {
        DayOfRooms { at_start: Vec::new(), steps: Vec::new() }
    } else {
        readiness::day(uow, property, from, to).await?
    };
    let points = if from > now { Vec::new() } else { curve(&day, from, to) };
    Ok(ReadinessStats { property_id: property.clone(), date: date.to_string(), timezone: zone, points })
}

fn curve(day: &DayOfRooms, from: Timestamp, to: Timestamp) -> Vec<ReadinessPoint> {
    let mut rooms: HashMap<&RoomId, RoomStatus> = day.at_start.iter().map(|(room, status)| (room, *status)).collect();
    let mut steps = day.steps.iter().peekable();
    let mut points = Vec::new();
    let mut at = from;
    while at <= to {
        while let Some((_, room, status)) = steps.next_if(|(when, ..)| *when <= at) {
            rooms.insert(room, *status);
        }
        let mut counts = BTreeMap::new();
        for status in rooms.values() {
            *counts.entry(status.as_str().to_owned()).or_insert(0) += 1;
        }
        points.push(ReadinessPoint { at, counts });
        at = at.plus_seconds(STEP_SECONDS);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_counts_in_its_status_from_its_step_on() {
        let start = Timestamp::from_millis(1_776_796_200_000);
        let at = |minutes: i64| start.plus_seconds(minutes * 60);
        let room = |name: &str| RoomId::parse(&format!("rom_{name}")).unwrap();
        let day = DayOfRooms {
            at_start: vec![(room("A"), RoomStatus::Dirty), (room("B"), RoomStatus::Ready)],
            steps: vec![(at(5), room("A"), RoomStatus::Cleaning), (at(30), room("A"), RoomStatus::Cleaned)],
        };
        let points = curve(&day, start, at(44));
        let told: Vec<_> =
            points.iter().map(|point| point.counts.keys().cloned().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(told, ["dirty ready", "cleaning ready", "cleaned ready"]);
        assert_eq!(points.last().map(|point| point.at), Some(at(30)));
    }
}

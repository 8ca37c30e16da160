//! Who works when, and who is there now.

use std::collections::{BTreeMap, BTreeSet};

use contracts::ids::{PositionId, PropertyId, ShiftId, StaffId, TenantId};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::UnitOfWork;
use schemars::JsonSchema;
use serde::Serialize;

use super::shift_views::ShiftResource;
use super::shifts::attended_all;
use crate::StaffError;
use crate::domain::planning::{Engagement, Warning, warnings};
use crate::domain::punch::{Presence, Punch, fold};
use crate::domain::shift::Shift;
use crate::domain::words::PlaceRole;
use crate::infrastructure::{people, punches, settings, shifts};

/// Nobody is there for longer without somebody noticing.
const STILL_THERE_SECONDS: i64 = 3 * 24 * 60 * 60;
/// More than a house has in a week.
const MOST_SHIFTS: i64 = 5_000;
const TWO_WEEKS: i64 = 14 * 24 * 60 * 60;

/// Somebody who is there.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PersonOnNow")]
pub struct OnNow {
    pub staff_id: StaffId,
    pub given_name: String,
    pub family_name: String,
    pub position_id: PositionId,
    pub shift_id: Option<ShiftId>,
    pub role: Option<PlaceRole>,
    pub since: Timestamp,
    pub on_break: bool,
    /// How late they came to the shift.
    pub late_minutes: Option<i64>,
}

/// Who is in a house now, in the order they came.
pub async fn on_now(uow: &mut UnitOfWork, house: &PropertyId) -> Result<Vec<OnNow>, StaffError> {
    let now = uow.now();
    let houses = std::slice::from_ref(house);
    let (from, to) = (now.plus_seconds(-STILL_THERE_SECONDS), now.plus_seconds(STILL_THERE_SECONDS));
    let mut each: BTreeMap<StaffId, Vec<Punch>> = BTreeMap::new();
    for punch in punches::of_people(uow, Some(houses), None, from, to).await? {
        each.entry(punch.staff_id.clone()).or_default().push(punch);
    }
    let there: Vec<_> = each
        .into_iter()
        .filter_map(|(staff, own)| {
            let folded = fold(&own);
            let span = folded.open().filter(|span| span.property_id == *house)?.clone();
            Some((staff, span, folded.presence()))
        })
        .collect();
    let ids: Vec<_> = there.iter().map(|(staff, ..)| staff.clone()).collect();
    let shift_ids: Vec<_> = there.iter().filter_map(|(_, span, _)| span.shift_id.clone()).collect();
    let (persons, planned) = (people::find_all(uow, &ids).await?, shifts::find_all(uow, &shift_ids).await?);
    let mut found: Vec<_> = there
        .into_iter()
        .filter_map(|(staff, span, presence)| {
            let person = persons.iter().find(|person| person.id == staff)?;
            let shift = planned.iter().find(|shift| Some(&shift.id) == span.shift_id.as_ref());
            Some(OnNow {
                given_name: person.particulars.given_name.clone(),
                family_name: person.particulars.family_name.clone(),
                position_id: person.position_id.clone(),
                role: shift.and_then(|shift| shift.place_of(&staff)).map(|place| place.role),
                late_minutes: shift.map(|shift| span.from.minutes_since(shift.plan.window.starts_at).max(0)),
                shift_id: span.shift_id,
                since: span.from,
                on_break: presence == Presence::OnBreak,
                staff_id: staff,
            })
        })
        .collect();
    found.sort_by_key(|one| (one.since, one.staff_id.clone()));
    Ok(found)
}

/// A day of a roster.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RosterDay {
    pub date: LocalDate,
    pub shifts: Vec<ShiftResource>,
}

/// Somebody on a roster, and what speaks against their week.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RosterPerson {
    pub staff_id: StaffId,
    pub given_name: String,
    pub family_name: String,
    /// On these days, in this house.
    pub scheduled_minutes: i64,
    pub warnings: Vec<Warning>,
}

/// Seven days of a house.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Roster {
    pub property_id: PropertyId,
    pub from: LocalDate,
    pub to: LocalDate,
    pub tz: String,
    pub days: Vec<RosterDay>,
    pub people: Vec<RosterPerson>,
}

/// Seven days of a house from a day on: the shifts, what is missing on them, and the people.
pub async fn roster(
    uow: &mut UnitOfWork,
    tenant: &TenantId,
    house: &PropertyId,
    from: LocalDate,
) -> Result<Roster, StaffError> {
    let days: Vec<LocalDate> = from.0.series(jiff::Span::new().days(1)).take(7).map(LocalDate).collect();
    let to = days.last().copied().unwrap_or(from);
    let (now, settings) = (uow.now(), settings::in_force(uow, house).await?);
    let found = shifts::roster(uow, house, (from, to), MOST_SHIFTS).await?;
    let ids: BTreeSet<StaffId> =
        found.iter().flat_map(|shift| shift.active().map(|place| place.staff_id.clone())).collect();
    let ids: Vec<_> = ids.into_iter().collect();
    let persons = people::find_all(uow, &ids).await?;
    let span = found.iter().map(|shift| (shift.plan.window.starts_at, shift.plan.window.ends_at));
    let (first, last) = span.fold((now, now), |(first, last), (starts, ends)| (first.min(starts), last.max(ends)));
    let engaged = shifts::engagements(uow, &ids, first.plus_seconds(-TWO_WEEKS), last.plus_seconds(TWO_WEEKS)).await?;
    let mut engagements: BTreeMap<StaffId, Vec<Engagement>> = BTreeMap::new();
    for (staff, one) in engaged {
        engagements.entry(staff).or_default().push(one);
    }
    let mut places: BTreeMap<&StaffId, Vec<&Shift>> = BTreeMap::new();
    for (shift, place) in found.iter().flat_map(|shift| shift.active().map(move |place| (shift, place))) {
        places.entry(&place.staff_id).or_default().push(shift);
    }
    let people = persons
        .iter()
        .map(|person| {
            let own = engagements.get(&person.id).map(Vec::as_slice).unwrap_or_default();
            let mut said: Vec<Warning> = Vec::new();
            let mut scheduled_minutes = 0;
            for shift in places.get(&person.id).into_iter().flatten() {
                scheduled_minutes += shift.plan.window.minutes();
                for warning in warnings(person, shift, own, &settings, now) {
                    if !said.iter().any(|known| known.code == warning.code) {
                        said.push(warning);
                    }
                }
            }
            RosterPerson {
                staff_id: person.id.clone(),
                given_name: person.particulars.given_name.clone(),
                family_name: person.particulars.family_name.clone(),
                scheduled_minutes,
                warnings: said,
            }
        })
        .collect();
    let shown = attended_all(uow, found).await?;
    let days = days
        .into_iter()
        .map(|date| {
            let of_day = shown.iter().filter(|(shift, _)| shift.plan.window.date == date);
            let shifts = of_day.map(|(shift, there)| ShiftResource::of(shift, there, tenant, now)).collect();
            RosterDay { date, shifts }
        })
        .collect();
    Ok(Roster { property_id: house.clone(), from, to, tz: settings.timezone, days, people })
}

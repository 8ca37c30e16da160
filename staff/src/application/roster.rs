//! Who works when, and who is there now.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use contracts::ids::{AssignmentId, LeaveRequestId, PositionId, PropertyId, ShiftId, StaffId, TenantId};
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use platform::UnitOfWork;
use schemars::JsonSchema;
use serde::Serialize;

use super::candidates::{find_position, gather};
use super::presence::Attendance;
use super::shift_views::ShiftResource;
use super::shifts::attended_all;
use crate::StaffError;
use crate::domain::leave::{Days, LeaveStatus};
use crate::domain::planning::Warning;
use crate::domain::punch::{Presence, Punch, fold, next_minute};
use crate::domain::shift::{Place, Shift};
use crate::domain::words::PlaceRole;
use crate::infrastructure::rosters::{self, KeptRoster, RosterKey, Rosters};
use crate::infrastructure::{leave, people, positions, punches, settings, shifts};

/// Nobody is there for longer without somebody noticing.
const STILL_THERE_SECONDS: i64 = 3 * 24 * 60 * 60;
/// More than a house has in a week.
const MOST_SHIFTS: i64 = 5_000;

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
    /// How late they came to the shift. Who comes back to it, from lunch say, is not late again.
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
            let again = folded.is_back(&span);
            Some((staff, span, (folded.presence(), again)))
        })
        .collect();
    let ids: Vec<_> = there.iter().map(|(staff, ..)| staff.clone()).collect();
    let shift_ids: Vec<_> = there.iter().filter_map(|(_, span, _)| span.shift_id.clone()).collect();
    let (persons, planned) = (people::find_all(uow, &ids).await?, shifts::find_all(uow, &shift_ids).await?);
    let mut found: Vec<_> = there
        .into_iter()
        .filter_map(|(staff, span, (presence, again))| {
            let person = persons.iter().find(|person| person.id == staff)?;
            let shift = planned.iter().find(|shift| Some(&shift.id) == span.shift_id.as_ref());
            let due = shift.filter(|_| !again).map(|shift| shift.plan.window.starts_at);
            Some(OnNow {
                given_name: person.particulars.given_name.clone(),
                family_name: person.particulars.family_name.clone(),
                position_id: person.position_id.clone(),
                role: shift.and_then(|shift| shift.place_of(&staff)).map(|place| place.role),
                late_minutes: due.map(|due| span.from.minutes_since(due).max(0)),
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

/// Who has a place on a shift, by name.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RosterName {
    pub assignment_id: AssignmentId,
    pub staff_id: StaffId,
    pub given_name: String,
    pub family_name: String,
    pub role: PlaceRole,
}

/// A shift of a roster.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RosterShift {
    #[serde(flatten)]
    pub shift: ShiftResource,
    pub names: Vec<RosterName>,
}

/// A day of a roster.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RosterDay {
    pub date: LocalDate,
    pub shifts: Vec<RosterShift>,
}

/// Days on which somebody is away, or wants to be. Why, is between them and those who lead them.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RosterLeave {
    pub leave_request_id: LeaveRequestId,
    pub from: LocalDate,
    pub to: LocalDate,
    /// `requested` or `approved`.
    pub status: LeaveStatus,
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
    pub leave: Vec<RosterLeave>,
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

/// A roster is looked at anew after this, whatever happens.
const LONGEST_KEPT_SECONDS: i64 = 60 * 60;
/// From so long before it begins, a shift is told to begin soon.
const DAY_SECONDS: i64 = 24 * 60 * 60;

/// Seven days of a house as they go out: as they were composed last, where that still holds.
pub async fn show(uow: &mut UnitOfWork, kept: &Rosters, key: RosterKey) -> Result<Arc<[u8]>, StaffError> {
    let now = uow.now();
    if let Some(roster) = kept.find(&key, now)
        && rosters::holds(uow, &roster.seen).await?
    {
        return Ok(roster.document);
    }
    let seen = rosters::seen(uow).await?;
    let (roster, steady_until) = compose(uow, &key.tenant, &key.house, key.from).await?;
    let document: Arc<[u8]> = serde_json::to_vec(&roster).unwrap_or_default().into();
    if let Some(seen) = seen {
        kept.keep(key, KeptRoster { document: Arc::clone(&document), seen, composed_at: now, steady_until });
    }
    Ok(document)
}

/// Until when a roster says the same if nobody does anything: minutes are shown of those who are there and of shifts that begin within
/// a day, and that a shift has begun is said until it is over.
fn steady_until(now: Timestamp, shown: &[(Shift, Attendance)]) -> Timestamp {
    let windows = shown.iter().map(|(shift, _)| &shift.plan.window).filter(|window| window.ends_at > now);
    let soon = windows.map(|window| {
        let warned_from = window.starts_at.plus_seconds(-DAY_SECONDS);
        match window.starts_at {
            begun if begun < now => window.ends_at,
            _ if warned_from > now => warned_from,
            starts => next_minute(now, starts),
        }
    });
    let there = shown.iter().filter_map(|(_, there)| there.steady_until(now));
    let longest = now.plus_seconds(LONGEST_KEPT_SECONDS);
    soon.chain(there).chain([longest]).min().unwrap_or(now)
}

/// Seven days of a house from a day on: the shifts, what is missing on them, and the people; and until when that is so by itself.
async fn compose(
    uow: &mut UnitOfWork,
    tenant: &TenantId,
    house: &PropertyId,
    from: LocalDate,
) -> Result<(Roster, Timestamp), StaffError> {
    let days: Vec<LocalDate> = from.0.series(jiff::Span::new().days(1)).take(7).map(LocalDate).collect();
    let to = days.last().copied().unwrap_or(from);
    let (now, settings) = (uow.now(), settings::in_force(uow, house).await?);
    let found = shifts::roster(uow, house, (from, to), MOST_SHIFTS).await?;
    let away = leave::in_house(uow, house, Days { from, to }).await?;
    let placed = found.iter().flat_map(|shift| shift.active().map(|place| place.staff_id.clone()));
    let ids: BTreeSet<StaffId> = placed.chain(away.iter().map(|leave| leave.staff_id.clone())).collect();
    let persons = people::find_all(uow, &ids.into_iter().collect::<Vec<_>>()).await?;
    let span = found.iter().map(|shift| (shift.plan.window.starts_at, shift.plan.window.ends_at));
    // All of the seven days, whether there is work on them or not: who is away is away then too.
    let midnight = |day: jiff::civil::Date| {
        day.to_zoned(settings.zone()).map_or(now, |zoned| Timestamp::from_jiff(zoned.timestamp()))
    };
    let week = (midnight(from.0), midnight(to.0.tomorrow().unwrap_or(to.0)));
    let (first, last) = span.fold(week, |(first, last), (starts, ends)| (first.min(starts), last.max(ends)));
    let positions = positions::positions(uow).await?;
    let candidates = gather(uow, persons, first, last).await?;
    let mut own: BTreeMap<StaffId, Vec<&Shift>> = BTreeMap::new();
    for shift in &found {
        for place in shift.active() {
            own.entry(place.staff_id.clone()).or_default().push(shift);
        }
    }
    let mut people = Vec::with_capacity(candidates.len());
    for candidate in &candidates {
        let person = &candidate.person;
        let mut said: Vec<Warning> = Vec::new();
        let mut scheduled_minutes = 0;
        for shift in own.get(&person.id).into_iter().flatten() {
            scheduled_minutes += shift.plan.window.minutes();
            let position = find_position(&positions, &shift.position_id)?;
            for warning in candidate.warnings(shift, &position, &settings, now) {
                if !said.iter().any(|known| known.code == warning.code) {
                    said.push(warning);
                }
            }
        }
        let absences = candidate.absences.iter().filter(|absence| absence.days.from <= to && from <= absence.days.to);
        let leave = absences.map(|absence| RosterLeave {
            leave_request_id: absence.leave_request_id.clone(),
            from: absence.days.from,
            to: absence.days.to,
            status: if absence.approved { LeaveStatus::Approved } else { LeaveStatus::Requested },
        });
        people.push(RosterPerson {
            staff_id: person.id.clone(),
            given_name: person.particulars.given_name.clone(),
            family_name: person.particulars.family_name.clone(),
            scheduled_minutes,
            leave: leave.collect(),
            warnings: said,
        });
    }
    let named: BTreeMap<&StaffId, &RosterPerson> = people.iter().map(|person| (&person.staff_id, person)).collect();
    let shown = attended_all(uow, found).await?;
    let steady_until = steady_until(now, &shown);
    let days = days
        .into_iter()
        .map(|date| {
            let of_day = shown.iter().filter(|(shift, _)| shift.plan.window.date == date);
            let shifts = of_day.map(|(shift, there)| RosterShift {
                shift: ShiftResource::of(shift, there, tenant, now),
                names: names(shift, &named),
            });
            let shifts = shifts.collect();
            RosterDay { date, shifts }
        })
        .collect();
    Ok((Roster { property_id: house.clone(), from, to, tz: settings.timezone, days, people }, steady_until))
}

fn names(shift: &Shift, known: &BTreeMap<&StaffId, &RosterPerson>) -> Vec<RosterName> {
    let name = |place: &Place| {
        let person = known.get(&place.staff_id)?;
        Some(RosterName {
            assignment_id: place.id.clone(),
            staff_id: place.staff_id.clone(),
            given_name: person.given_name.clone(),
            family_name: person.family_name.clone(),
            role: place.role,
        })
    };
    shift.active().filter_map(name).collect()
}

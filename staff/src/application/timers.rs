//! What happens by itself with time, tenant by tenant. Each asks once who has something due, and then works in ordinary units of
//! work: what goes wrong with one tenant keeps no other waiting, and what was missed is still due at the next look.

use std::collections::BTreeMap;

use contracts::ids::{PropertyId, ShiftId, StaffId};
use contracts::values::LocalDate;
use platform::ticks::Deed;
use platform::{Db, UnitOfWork};

use super::each_tenant::{Tally, in_one_unit};
use super::presence::{Attendance, LOOK_BACK_SECONDS, Stopped, close_all};
use super::{people as persons, shifts as plans, utc_day};
use crate::domain::gap::gap;
use crate::domain::leave::Days;
use crate::domain::person::Termination;
use crate::domain::punch::{Presence, PunchSource, fold};
use crate::domain::settings::Settings;
use crate::domain::shift::{End, Place, ShiftState};
use crate::domain::stay::{Stay, sign};
use crate::domain::words::EndReason;
use crate::infrastructure::due::{self, BATCH, Due};
use crate::infrastructure::{leave, maintenance, people, punches, settings, shifts};
use crate::{SCHEMA, StaffError};

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// Shifts that are over end, clocks that were forgotten stop, and gaps are told of. Every 60 seconds.
pub async fn auto_close_shifts(db: Db) -> Deed {
    let mut done = Tally::default();
    for tenant in due::tenants(&db, Due::TimeToWatch).await? {
        let mut after = None;
        loop {
            let look = async |uow: &mut UnitOfWork| due::shifts_past_their_end(uow, after.as_ref()).await;
            let found = db.read(&SCHEMA, &tenant, look).await;
            let Some(found) = done.of(&tenant, found)?.filter(|found| !found.is_empty()) else { break };
            for (_, shift) in &found {
                let story = async |uow: &mut UnitOfWork| close_shift(uow, shift).await;
                done.count(&tenant, in_one_unit(&db, &tenant, story).await)?;
            }
            after = found.into_iter().next_back();
        }
        let found = db.read(&SCHEMA, &tenant, due::people_still_in).await;
        for staff in done.of(&tenant, found)?.unwrap_or_default() {
            let story = async |uow: &mut UnitOfWork| stop_forgotten(uow, &staff).await;
            done.count(&tenant, in_one_unit(&db, &tenant, story).await)?;
        }
        done.count(&tenant, in_one_unit(&db, &tenant, notice_gaps).await)?;
    }
    for tenant in due::tenants(&db, Due::ClosedHouses).await? {
        loop {
            let off = in_one_unit(&db, &tenant, plans::call_off_in_closed_houses).await;
            if done.count(&tenant, off)? < usize::try_from(BATCH).unwrap_or(usize::MAX) {
                break;
            }
        }
    }
    Ok(done.said("shifts and clocks looked after"))
}

/// Ends a shift whose time is over: at once where all have gone, after a while for those who forgot.
async fn close_shift(uow: &mut UnitOfWork, id: &ShiftId) -> Result<usize, StaffError> {
    let Some(seen) = shifts::find(uow, id).await? else { return Ok(0) };
    let there = Attendance::of(uow, &seen).await?;
    let mut around: Vec<_> = seen.active().map(|place| &place.staff_id).chain(there.people()).cloned().collect();
    around.sort();
    around.dedup();
    people::lock_all(uow, &around).await?;
    let Some(shift) = shifts::lock(uow, id).await? else { return Ok(0) };
    let (now, window) = (uow.now(), shift.plan.window.clone());
    if shift.is_over() || now < window.ends_at {
        return Ok(0);
    }
    let settings = settings::in_force(uow, &shift.property_id).await?;
    let there = Attendance::of(uow, &shift).await?;
    let due = window.ends_at.plus_seconds(60 * i64::from(settings.auto_close_grace_minutes));
    let all_gone = matches!(shift.state, ShiftState::Started(_)) && there.primaries_in(&shift) == 0;
    let last = there.last_out(&shift);
    let end = match last {
        Some((by, at)) if all_gone => {
            let (actual_minutes, break_minutes) = there.minutes(now);
            End { at, reason: EndReason::AllPrimaryClockedOut, last_by: Some(by), actual_minutes, break_minutes }
        }
        _ if now >= due => {
            let there = close_all(uow, &shift, Some(due)).await?;
            let (actual_minutes, break_minutes) = there.minutes(now);
            let last_by = there.last_out(&shift).map(|(by, _)| by);
            End { at: now, reason: EndReason::AutoCloseGraceExceeded, last_by, actual_minutes, break_minutes }
        }
        _ => return Ok(0),
    };
    uow.save(shift.end(end, now)?);
    Ok(1)
}

/// Stops the clock of somebody who forgot: on a shift that is over after its grace, on none after the longest day there is.
async fn stop_forgotten(uow: &mut UnitOfWork, staff: &StaffId) -> Result<usize, StaffError> {
    let Some(person) = people::lock(uow, staff).await? else { return Ok(0) };
    let now = uow.now();
    let own = punches::of_person(uow, staff, now.plus_seconds(-LOOK_BACK_SECONDS), now).await?;
    let folded = fold(&own);
    let Some(open) = folded.open().cloned() else { return Ok(0) };
    let settings = settings::in_force(uow, &open.property_id).await?;
    let shift = match &open.shift_id {
        Some(id) => shifts::lock(uow, id).await?,
        None => None,
    };
    // Whoever ends it stops the clocks of all who are on it.
    if shift.as_ref().is_some_and(|shift| !shift.is_over()) {
        return Ok(0);
    }
    let mut stay = Stay::since(open.from, shift.map(|shift| shift.plan.window.ends_at), &settings);
    if now < stay.due() {
        return Ok(0);
    }
    for punch in own.iter().filter(|punch| open.punches.contains(&punch.id)) {
        stay.sees(sign(punch));
    }
    let stopped = Stopped {
        staff_id: person.id,
        property_id: open.property_id,
        shift_id: open.shift_id,
        at: stay.believed(),
        source: PunchSource::AutoClose,
        // A break that was begun later says nothing.
        resting: fold(own.iter().filter(|punch| punch.at <= stay.believed())).presence() == Presence::OnBreak,
    };
    for punch in stopped.punches(uow) {
        uow.save(punch.record());
    }
    Ok(1)
}

/// Tells of shifts that too few are on, once, and again when it gets worse or after a while.
async fn notice_gaps(uow: &mut UnitOfWork) -> Result<usize, StaffError> {
    let now = uow.now();
    let ids = due::shifts_around(uow, now.plus_seconds(DAY_SECONDS), now).await?;
    let found = shifts::find_all(uow, &ids).await?;
    let attended = plans::attended_all(uow, found).await?;
    let mut placed: Vec<_> =
        attended.iter().flat_map(|(shift, _)| shift.active().map(|place| place.staff_id.clone())).collect();
    placed.sort();
    placed.dedup();
    let persons = people::find_all(uow, &placed).await?;
    let dates = || attended.iter().map(|(shift, _)| shift.plan.window.date);
    let away = match (dates().min(), dates().max()) {
        (Some(from), Some(to)) => leave::of_people(uow, &placed, Days { from, to }).await?,
        _ => Vec::new(),
    };
    let told = due::gaps_told(uow, &ids).await?;
    let mut known: BTreeMap<PropertyId, Settings> = BTreeMap::new();
    let mut noticed = 0;
    for (shift, there) in &attended {
        if !known.contains_key(&shift.property_id) {
            let in_force = settings::in_force(uow, &shift.property_id).await?;
            known.insert(shift.property_id.clone(), in_force);
        }
        let Some(settings) = known.get(&shift.property_id) else { continue };
        let date = shift.plan.window.date;
        // Approval takes places away only on shifts that have not begun: who came early to one may still miss a colleague.
        let can_come = |place: &Place| {
            let person = persons.iter().find(|person| person.id == place.staff_id);
            person.is_some_and(|person| person.may_work_on(date))
                && !away.iter().any(|leave| leave.staff_id == place.staff_id && leave.is_granted_for(date))
        };
        let Some(gap) = gap(shift, can_come, there.primaries_in(shift), settings, now) else { continue };
        let last = told.iter().find(|(about, ..)| *about == shift.id.as_str()).map(|(_, missing, at)| (*missing, *at));
        if gap.is_news(last, settings, now) {
            uow.save(gap.noticed());
            noticed += 1;
        }
    }
    Ok(noticed)
}

/// People whose last day is over are gone, with all that follows from it. Hourly.
pub async fn end_employments(db: Db) -> Deed {
    let mut done = Tally::default();
    for tenant in due::tenants(&db, Due::EndedEmployments).await? {
        let look = async |uow: &mut UnitOfWork| {
            let tomorrow = uow.now().plus_seconds(14 * 60 * 60);
            due::employments_ended(uow, utc_day(tomorrow)).await
        };
        let found = db.read(&SCHEMA, &tenant, look).await;
        for staff in done.of(&tenant, found)?.unwrap_or_default() {
            let story = async |uow: &mut UnitOfWork| end_employment(uow, &staff).await;
            done.count(&tenant, in_one_unit(&db, &tenant, story).await)?;
        }
    }
    Ok(done.said("employments ended"))
}

async fn end_employment(uow: &mut UnitOfWork, staff: &StaffId) -> Result<usize, StaffError> {
    let Some(person) = people::lock(uow, staff).await? else { return Ok(0) };
    let today = persons::today_of(uow, &person).await?;
    let Some(on) = person.particulars.employment_ends_at.filter(|last| *last < today) else { return Ok(0) };
    if person.is_terminated() || is_at_work(uow, staff, on).await? {
        return Ok(0);
    }
    let termination = Termination { reason: "employment_ended".to_owned(), on, note: None };
    persons::let_go(uow, person, termination, None).await?;
    Ok(1)
}

/// Whether a shift goes on that is of somebody's last day: a night belongs to the day that it began on.
async fn is_at_work(uow: &mut UnitOfWork, staff: &StaffId, last: LocalDate) -> Result<bool, StaffError> {
    let now = uow.now();
    let engaged = shifts::engagements(uow, std::slice::from_ref(staff), now, now).await?;
    let of_then = engaged.into_iter().filter(|(_, engaged)| engaged.date <= last);
    let ids: Vec<_> = of_then.map(|(_, engaged)| engaged.shift_id).collect();
    Ok(shifts::find_all(uow, &ids).await?.iter().any(|shift| !shift.is_over()))
}

/// What has been kept long enough goes: what all contexts have alike, and punches by the number of days of their house, else of the tenant. Hourly.
pub async fn keep_short(db: Db) -> Deed {
    let removed = maintenance::purge(&db).await?;
    let mut done = Tally { done: usize::try_from(removed).unwrap_or(usize::MAX), failed: 0 };
    let usual_days = Settings::default().time_records_kept_days;
    for tenant in due::tenants(&db, Due::OldTimeRecords { usual_days }).await? {
        loop {
            let gone = in_one_unit(&db, &tenant, remove_old_records).await;
            if done.count(&tenant, gone)? < usize::try_from(BATCH).unwrap_or(usize::MAX) {
                break;
            }
        }
    }
    Ok(done.said("rows removed"))
}

async fn remove_old_records(uow: &mut UnitOfWork) -> Result<usize, StaffError> {
    due::remove_records(uow, Settings::default().time_records_kept_days).await
}

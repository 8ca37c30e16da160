//! The days before today of this week: who worked then, from when to when by the clock, so that the roster and the timesheets have
//! something to show.

use contracts::ids::ShiftId;
use contracts::time::Timestamp;
use contracts::values::LocalDate;
use jiff::ToSpan;
use platform::UnitOfWork;
use platform::auth::Role;
use staff::StaffError;
use staff::application::clock::{self, Pressed, Whose};
use staff::application::shifts::{self, NewShift, When};
use staff::domain::position::Position;
use staff::domain::punch::{PunchKind, PunchSource};
use staff::domain::window::Window;
use staff::domain::words::PlaceRole;

use super::people::{Planned, Team, called, days_of, time};
use super::script::Person;

/// How many days before today are told.
const DAYS: i64 = 6;
/// Plans are made so long before a shift begins.
const AHEAD_SECONDS: i64 = 60 * 60;

/// From the first to yesterday.
pub(super) async fn happen(team: &Team<'_>, positions: &[Position]) -> Result<(), StaffError> {
    let today = team.today().await?;
    for days_ago in (1..=DAYS).rev() {
        let date = LocalDate(today.0.saturating_sub(days_ago.days()));
        for plan in team.plans() {
            if days_of(plan.0).iter().any(|day| jiff::civil::Weekday::from(*day) == date.0.weekday()) {
                work(team, positions, date, &plan).await?;
            }
        }
    }
    Ok(())
}

/// One shift of a day that is over: planned before it began, and punched when it ended. One that is not over yet is left out.
async fn work(
    team: &Team<'_>,
    positions: &[Position],
    date: LocalDate,
    (_, position, (start, end), people, _): &Planned<'_>,
) -> Result<(), StaffError> {
    let (start, end) = (time(start)?, time(end)?);
    let zone = team.settings().await?.timezone;
    let Ok(window) = Window::local(date, start, end, &zone) else { return Ok(()) };
    if window.ends_at >= team.now() {
        return Ok(());
    }
    let before = team.at(window.starts_at.plus_seconds(-AHEAD_SECONDS));
    let new = NewShift {
        property_id: team.house(),
        position_id: called(positions, position)?,
        when: When::Local { date, start, end },
        primary_headcount: i32::try_from(people.len()).unwrap_or(1).max(1),
        standby_headcount: 0,
        break_minutes: Some(30),
        note: None,
    };
    let manager = before.manager();
    let planned =
        before.tell(&manager, async |uow: &mut UnitOfWork| shifts::schedule(uow, &manager, new).await).await?;
    let Some(shift) = planned.map(|shift| shift.id) else { return Ok(()) };
    for person in people {
        before.place(&shift, person, PlaceRole::Primary).await?;
    }
    let after = team.at(window.ends_at.plus_seconds(AHEAD_SECONDS).min(team.now()));
    for (at, person) in people.iter().enumerate() {
        punch(&after, person, &shift, (window.starts_at, window.ends_at), at).await?;
    }
    Ok(())
}

/// Nobody comes to the minute: a few minutes early, and a few minutes after the end.
async fn punch(
    after: &Team<'_>,
    person: &Person,
    shift: &ShiftId,
    (starts_at, ends_at): (Timestamp, Timestamp),
    at: usize,
) -> Result<(), StaffError> {
    let minutes = 60 * (i64::try_from(at).unwrap_or(0) * 3 % 8);
    let pressed = |kind, at| Pressed {
        kind,
        at,
        property_id: Some(after.house()),
        shift_id: Some(shift.clone()),
        source: PunchSource::ElectronPin,
        device_id: None,
        client_punch_id: Some(format!("{shift}-{}-{}", person.id, kind.as_str())),
        offline: true,
        reason: None,
        needs_review: Vec::new(),
    };
    let both = vec![
        (Whose::Own, pressed(PunchKind::In, starts_at.plus_seconds(-minutes))),
        (Whose::Own, pressed(PunchKind::Out, ends_at.plus_seconds(minutes))),
    ];
    let (own, now) = (after.caller(person, Role::Staff), after.now());
    after.tell(&own, async |uow: &mut UnitOfWork| clock::replay(uow, &own, now, both).await).await?;
    Ok(())
}

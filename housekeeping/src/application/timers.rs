//! What happens by itself with time, tenant by tenant. Each asks once who has something due, and then works in ordinary units of
//! work: what goes wrong with one tenant keeps no other waiting, and what was missed is still due at the next look.

use std::sync::Arc;

use contracts::housekeeping::{
    DisposalMethod, EscalationRole, EscalationTarget, RoomStatus, TaskKind, TaskPriority, TaskSource,
};
use contracts::ids::TaskId;
use contracts::time::Timestamp;
use platform::each_tenant::{Tally, in_one_unit};
use platform::ticks::Deed;
use platform::{Db, UnitOfWork};

use super::arrivals;
use super::board_alerts::NOT_BEGUN;
use super::profiles::Profiles;
use crate::domain::eta::presses_more;
use crate::domain::settings::Settings;
use crate::domain::staffing;
use crate::domain::task::{Task, TaskOrder};
use crate::infrastructure::alerts::{self, Alert};
use crate::infrastructure::due::{self, ArrivalNear, Due, StayToClean};
use crate::infrastructure::{lost_items, rooms, settings, tasks};
use crate::{HousekeepingError, SCHEMA};

/// Urgent work should be begun within so many seconds.
const BEGUN_WITHIN_SECONDS: i64 = 5 * 60;
/// How long a supervisor is left alone about the same shift.
const QUIET_SECONDS: i64 = 15 * 60;
/// So many things are disposed of at once.
const BATCH: i64 = 100;

/// Open work presses more as its next guest comes nearer, unless a person has spoken since. Every five minutes.
pub async fn press_with_the_hours(db: Db, profiles: Arc<Profiles>) -> Deed {
    let now = db.clock().now();
    let mut done = Tally::default();
    for tenant in due::tenants(&db, Due::ArrivalsNear).await? {
        let look = async |uow: &mut UnitOfWork| {
            let zone = profiles.of(uow).await?.settings.timezone.clone();
            Ok::<_, HousekeepingError>((due::arrivals_near(uow).await?, zone))
        };
        let Some((found, zone)) = done.of(&tenant, db.read(&SCHEMA, &tenant, look).await)? else { continue };
        let nearer = |one: &ArrivalNear| presses_more(one.expected_at, (one.priority, one.said_at), now, &zone);
        let mut rooms: Vec<ArrivalNear> = found.into_iter().filter(nearer).collect();
        rooms.dedup_by(|one, other| (&one.property_id, &one.room_id) == (&other.property_id, &other.room_id));
        for near in rooms {
            let story = async |uow: &mut UnitOfWork| {
                let profile = profiles.of(uow).await?;
                let (property, room) = (&near.property_id, near.room_id.clone());
                arrivals::press(uow, &profile, property, room, near.expected_at).await.map(|()| 1)
            };
            done.count(&tenant, in_one_unit(&db, &SCHEMA, &tenant, "sys_arrival_near", story).await)?;
        }
    }
    Ok(done.said("rooms press more"))
}

/// Urgent tasks that nobody has begun are brought before the supervisor, once each time they become urgent. Every 30 seconds.
pub async fn escalate_neglected_work(db: Db) -> Deed {
    let now = db.clock().now();
    let mut done = Tally::default();
    for tenant in due::tenants(&db, Due::NeglectedWork).await? {
        let since = now.plus_seconds(-BEGUN_WITHIN_SECONDS);
        let found = db.read(&SCHEMA, &tenant, async |uow| due::neglected(uow, since).await).await;
        for task in done.of(&tenant, found)?.unwrap_or_default() {
            let story = async |uow: &mut UnitOfWork| escalate(uow, &task, since).await;
            done.count(&tenant, in_one_unit(&db, &SCHEMA, &tenant, "sys_escalation", story).await)?;
        }
    }
    Ok(done.said("escalated"))
}

async fn escalate(uow: &mut UnitOfWork, task: &TaskId, since: Timestamp) -> Result<usize, HousekeepingError> {
    let Some((task, _)) = tasks::lock(uow, task).await? else { return Ok(0) };
    // Somebody may have begun it since it was looked for, or brought it up with words of their own.
    if !task.is_neglected(since) || task.was_brought_up() {
        return Ok(0);
    }
    let (now, by) = (uow.now(), uow.context().actor.clone());
    let to = EscalationTarget { staff_id: None, role: Some(EscalationRole::Supervisor) };
    let task = uow.save(task.escalate(to, NOT_BEGUN.to_owned(), &by, now)?);
    alerts::remember(uow, Alert::Escalation, task.id.as_str(), now);
    Ok(1)
}

/// Houses that have more to do than the people there have time for, told at most once in a quarter of an hour a shift. Every 60 seconds.
pub async fn look_for_staffing_gaps(db: Db) -> Deed {
    let mut done = Tally::default();
    for tenant in due::tenants(&db, Due::TooFewPeople).await? {
        done.count(&tenant, in_one_unit(&db, &SCHEMA, &tenant, "sys_staffing_gap", notice_gaps).await)?;
    }
    Ok(done.said("staffing gaps told"))
}

async fn notice_gaps(uow: &mut UnitOfWork) -> Result<usize, HousekeepingError> {
    let (people, work) = due::staffing(uow).await?;
    let gaps = staffing::gaps(&people, &work, uow.now());
    let shifts: Vec<String> = gaps.iter().map(|gap| gap.shift_id.as_str().to_owned()).collect();
    let told = alerts::last(uow, Alert::StaffingGap, &shifts).await?;
    let (mut noticed, now) = (0, uow.now());
    for gap in gaps {
        let lately =
            |(shift, at): &(String, Timestamp)| *shift == gap.shift_id.as_str() && now < at.plus_seconds(QUIET_SECONDS);
        if !told.iter().any(lately) {
            uow.save(gap.noticed());
            noticed += 1;
        }
    }
    Ok(noticed)
}

/// What nobody has claimed in time is given away, at three in the morning of the hotel's own day. Looked for every quarter of an hour:
/// that is how far apart the world's midnights are.
pub async fn dispose_of_unclaimed_things(db: Db) -> Deed {
    let mut done = Tally::default();
    let usual_days = Settings::default().lost_found_retention_days;
    for tenant in due::tenants(&db, Due::UnclaimedThings { usual_days }).await? {
        loop {
            let disposed = in_one_unit(&db, &SCHEMA, &tenant, "sys_lost_found_retention", give_away).await;
            let disposed = done.count(&tenant, disposed)?;
            if i64::try_from(disposed).unwrap_or(i64::MAX) < BATCH {
                break;
            }
        }
    }
    Ok(done.said("things disposed of"))
}

async fn give_away(uow: &mut UnitOfWork) -> Result<usize, HousekeepingError> {
    let (tenant, _) = settings::load(uow).await?;
    let (now, days) = (uow.now(), tenant.settings.lost_found_retention_days);
    let since = tenant.settings.last_three_o_clock(now).plus_seconds(-i64::from(days) * 24 * 60 * 60);
    let items = lost_items::lock_unclaimed(uow, since, BATCH).await?;
    let count = items.len();
    for item in items {
        uow.save(item.dispose(DisposalMethod::Donated, Some(format!("nobody claimed it in {days} days")), now)?);
    }
    Ok(count)
}

/// Rooms of guests who stay are cleaned once a day where the hotel has opted in. Hourly.
pub async fn clean_for_guests_who_stay(db: Db, profiles: Arc<Profiles>) -> Deed {
    let mut done = Tally::default();
    for tenant in due::tenants(&db, Due::StaysToClean).await? {
        let found = db.read(&SCHEMA, &tenant, async |uow| due::stays_to_clean(uow, None).await).await;
        for stay in done.of(&tenant, found)?.unwrap_or_default() {
            let story = async |uow: &mut UnitOfWork| open_mid_stay(uow, &profiles, &stay).await;
            done.count(&tenant, in_one_unit(&db, &SCHEMA, &tenant, "sys_mid_stay", story).await)?;
        }
    }
    Ok(done.said("rooms to clean for guests who stay"))
}

async fn open_mid_stay(
    uow: &mut UnitOfWork,
    profiles: &Profiles,
    stay: &StayToClean,
) -> Result<usize, HousekeepingError> {
    let profile = profiles.of(uow).await?;
    let room = std::slice::from_ref(&stay.room_id);
    let locked = rooms::lock_or_open(uow, &stay.property_id, room).await?;
    let closed = |status| matches!(status, RoomStatus::OutOfOrder | RoomStatus::OutOfService);
    // With the room in hand, once more: somebody may have opened work in it, or the guest may have left.
    let still = due::stays_to_clean(uow, Some(&stay.room_id)).await?;
    let still = still.iter().any(|one| one.property_id == stay.property_id);
    if !still || locked.iter().any(|room| closed(room.status)) {
        return Ok(0);
    }
    let order = TaskOrder {
        property_id: stay.property_id.clone(),
        room_id: stay.room_id.clone(),
        reservation_id: Some(stay.reservation_id.clone()),
        item_id: stay.item_id.clone(),
        kind: TaskKind::MidStayClean,
        priority: TaskPriority::Normal,
        scheduled_for: None,
        checklist: profile.checklist(TaskKind::MidStayClean)?.reference(),
        estimated_minutes: profile.settings.minutes_for(TaskKind::MidStayClean),
        locale_hint: profile.settings.locale.clone(),
        source: TaskSource::Scheduler,
        source_event_id: None,
        retry_of: None,
        note: None,
    };
    uow.save(Task::open(uow.next_id(), order, uow.now()));
    Ok(1)
}

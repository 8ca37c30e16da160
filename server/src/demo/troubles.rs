//! What a morning has besides work: a room that cannot be used, linen that runs low, something left behind, a guest whom nobody expected.

use contracts::housekeeping::{EscalationRole, EscalationTarget};
use contracts::ids::EventId;
use contracts::time::Timestamp;
use housekeeping::HousekeepingError;
use housekeeping::application::linen::{self, NewLine};
use housekeeping::application::{TaskCommand, assignment, discrepancies, lost_and_found};
use housekeeping::domain::discrepancy::Occupancy;
use housekeeping::domain::linen::{Direction, Movement};
use housekeeping::domain::lost_item::{Claim, Find};
use housekeeping::infrastructure::board;
use platform::auth::{Caller, Role};
use platform::http::PropertyScope;
use platform::{Clock, UnitOfWork};
use serde_json::json;

use super::house::House;
use super::script::Script;

/// The line on which what housekeepers report is counted.
pub(super) const LINEN: &str = "sheets";

pub(super) async fn happen(house: &House<'_>, script: &Script) -> Result<(), HousekeepingError> {
    let supervisor = house.caller(&script.supervisor.id, Role::Supervisor);
    count_linen(house, &supervisor).await?;
    leave_things_behind(house, script, &supervisor).await?;
    let story = async |uow: &mut UnitOfWork| {
        let Some(stay) = script.stay_overs.last() else { return Ok(()) };
        let note = Some("the bed was not slept in".to_owned());
        discrepancies::observe(
            uow,
            &PropertyScope(Some(vec![house.property.clone()])),
            None,
            &stay.room,
            Occupancy::Vacant,
            note,
        )
        .await
        .map(|_| ())
    };
    house.once(&supervisor, story).await?;
    escalate(house, &supervisor).await
}

/// A room that nobody has tonight is out of order until the day after tomorrow: the desk and housekeeping both hear of it.
pub(super) async fn break_a_room(
    house: &House<'_>,
    script: &Script,
    id: EventId,
    now: Timestamp,
) -> Result<(), HousekeepingError> {
    let taken = || script.departures.iter().chain(&script.stay_overs).chain(&script.arrivals);
    let Some(free) = script.rooms.iter().find(|room| taken().all(|stay| stay.room != room.room_id)) else {
        return Ok(());
    };
    let since = now.plus_seconds(-3 * 60 * 60);
    let payload = json!({
        "tenantId": script.tenant, "propertyId": script.property, "roomId": free.room_id, "reason": "the boiler leaks",
        "from": since, "until": now.plus_seconds(48 * 60 * 60),
    });
    house.tell(id, "property.room.taken_out_of_order.v1", since, payload).await
}

/// What guests left in the last days: how many hours ago, what, where it is kept, and who has asked for it.
const LEFT: [(i64, &str, &str, Option<&str>); 4] = [
    (0, "a silver watch, under the bed", "desk, drawer 3", None),
    (26, "a white phone charger", "desk, drawer 3", None),
    (49, "a child's picture book, with drawings in it", "linen room, shelf 2", Some("Leyla Aydin")),
    (74, "reading glasses in a brown case", "desk, drawer 1", None),
];

async fn leave_things_behind(house: &House<'_>, script: &Script, supervisor: &Caller) -> Result<(), HousekeepingError> {
    for ((hours, what, place, claimant), stay) in LEFT.into_iter().zip(&script.departures) {
        let then = house.at(&Clock::manual(house.db.clock().now().plus_seconds(-hours * 60 * 60)));
        let story = async |uow: &mut UnitOfWork| {
            let find = Find {
                property_id: house.property.clone(),
                room_id: stay.room.clone(),
                reservation_id: None,
                description: what.to_owned(),
                photo_media_ids: None,
                storage_location: Some(place.to_owned()),
                finder: script.supervisor.id.clone(),
            };
            let found = lost_and_found::record(uow, supervisor, find).await?;
            let Some(name) = claimant else { return Ok(()) };
            let claim = Claim { name: name.to_owned(), phone: None, at: uow.now(), by: supervisor.as_staff()? };
            uow.save(found.claim(claim)?);
            Ok(())
        };
        then.once(supervisor, story).await?;
    }
    Ok(())
}

/// What there is, what it must not fall below, and what the morning's round took: plenty of sheets, and too few bath towels.
const STOCK: [(&str, i32, i32, i32); 4] =
    [(LINEN, 480, 120, 0), ("bath_towel", 160, 80, 90), ("hand_towel", 220, 90, 70), ("pillow_case", 360, 120, 40)];

async fn count_linen(house: &House<'_>, supervisor: &Caller) -> Result<(), HousekeepingError> {
    for (line, on_hand, low_watermark, issued) in STOCK {
        let story = async |uow: &mut UnitOfWork| {
            let line = line.to_owned();
            let new = NewLine { property_id: house.property.clone(), line, on_hand, low_watermark };
            let line = linen::open_line(uow, supervisor, new).await?;
            if issued > 0 {
                let movement = Movement { direction: Direction::Issue, count: issued, task: None, note: None };
                uow.save(line.move_linen(movement, None, uow.now())?);
            }
            Ok(())
        };
        house.once(supervisor, story).await?;
    }
    Ok(())
}

/// One of the tasks that nobody has is brought before the manager.
async fn escalate(house: &House<'_>, supervisor: &Caller) -> Result<(), HousekeepingError> {
    let mut uow = house.begin().await?;
    let open = board::load(&mut uow, &house.property).await?.tasks;
    uow.rollback().await?;
    let Some(task) = open.iter().find(|task| task.state.assignee().is_none()) else { return Ok(()) };
    let story = async |uow: &mut UnitOfWork, command: TaskCommand<'_>| {
        let to = EscalationTarget { staff_id: None, role: Some(EscalationRole::PropertyManager) };
        assignment::escalate(uow, command, to, "too few people this morning".to_owned()).await.map(|_| ())
    };
    house.on_task(supervisor, &task.id, story).await.map(|_| ())
}

//! What a morning has besides work: a room that cannot be used, linen that runs low, something left behind, a guest whom nobody expected.

use contracts::housekeeping::{EscalationRole, EscalationTarget};
use contracts::ids::EventId;
use contracts::time::Timestamp;
use housekeeping::HousekeepingError;
use housekeeping::application::linen::{self, NewLine};
use housekeeping::application::{TaskCommand, assignment, discrepancies, lost_and_found};
use housekeeping::domain::discrepancy::Occupancy;
use housekeeping::domain::linen::{Direction, Movement};
use housekeeping::domain::lost_item::Find;
use housekeeping::infrastructure::board;
use platform::UnitOfWork;
use platform::auth::{Caller, Role};
use platform::http::PropertyScope;
use serde_json::json;

use super::house::House;
use super::script::Script;

/// The line on which what housekeepers report is counted.
pub(super) const LINEN: &str = "sheets";

pub(super) async fn happen(house: &House<'_>, script: &Script) -> Result<(), HousekeepingError> {
    let supervisor = house.caller(&script.supervisor.id, Role::Supervisor);
    count_linen(house, &supervisor).await?;
    let story = async |uow: &mut UnitOfWork| {
        let Some(stay) = script.departures.first() else { return Ok(()) };
        let find = Find {
            property_id: house.property.clone(),
            room_id: stay.room.clone(),
            reservation_id: None,
            description: "a silver watch, under the bed".to_owned(),
            photo_media_ids: None,
            storage_location: Some("desk, drawer 3".to_owned()),
            finder: script.supervisor.id.clone(),
        };
        lost_and_found::record(uow, &supervisor, find).await.map(|_| ())
    };
    house.once(&supervisor, story).await?;
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

/// Plenty of sheets, and too few towels after the morning's round.
async fn count_linen(house: &House<'_>, supervisor: &Caller) -> Result<(), HousekeepingError> {
    for (line, on_hand, low_watermark, issued) in [(LINEN, 480, 120, 0), ("bath_towel", 160, 80, 90)] {
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

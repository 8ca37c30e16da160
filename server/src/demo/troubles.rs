//! What does not go smoothly on the demo's morning: a broken room, towels running low, a thing left behind, a bed that nobody slept in,
//! and urgent work that nobody has begun.

use contracts::housekeeping::TaskPriority;
use contracts::ids::EventId;
use housekeeping::application::linen::{self, NewLine};
use housekeeping::application::{assignment, discrepancies, lost_and_found};
use housekeeping::domain::discrepancy::Occupancy;
use housekeeping::domain::linen::{Direction, Movement};
use housekeeping::domain::lost_item::Find;
use housekeeping::infrastructure::board;
use housekeeping::{HousekeepingError, SCHEMA};
use platform::auth::{Caller, Role};
use platform::{Clock, Refusal, UnitOfWork};
use serde_json::json;

use super::morning::Demo;

impl Demo<'_> {
    /// A room that nobody has tonight is out of order until the day after tomorrow.
    pub(super) async fn break_a_room(&self, id: EventId) -> Result<(), HousekeepingError> {
        let script = self.script;
        let taken = || script.departures.iter().chain(&script.stay_overs).chain(&script.arrivals);
        let Some(free) = script.rooms.iter().find(|room| taken().all(|stay| stay.room != room.room_id)) else {
            return Ok(());
        };
        let payload = json!({
            "tenantId": script.tenant, "propertyId": script.property, "roomId": free.room_id, "reason": "the boiler leaks",
            "from": self.ago(180), "until": self.ago(-48 * 60),
        });
        self.tell(id, "property.room.taken_out_of_order.v1", 180, payload).await
    }

    pub(super) async fn meet_troubles(&self) -> Result<(), HousekeepingError> {
        let script = self.script;
        let supervisor = self.caller(&script.supervisor.id, Role::Supervisor);
        self.run_low(&supervisor).await?;
        if let (Some(left), Some(finder)) = (script.departures.first(), script.housekeepers.first()) {
            let find = Find {
                property_id: script.property.clone(),
                room_id: left.room.clone(),
                reservation_id: None,
                description: "A silver ring with a blue stone".to_owned(),
                photo_media_ids: None,
                storage_location: Some("Safe at the desk".to_owned()),
                finder: finder.id.clone(),
            };
            self.tolerant(&supervisor, async |uow| lost_and_found::record(uow, &supervisor, find).map(|_| ())).await?;
        }
        if let Some(stay) = script.stay_overs.first() {
            let note = Some("The bed was not slept in".to_owned());
            self.tolerant(&supervisor, async |uow| {
                discrepancies::observe(uow, &supervisor, &stay.room, Occupancy::Vacant, note).await.map(|_| ())
            })
            .await?;
        }
        self.leave_urgent_work(&supervisor).await
    }

    /// Bath towels go out with the trolleys, and are fewer than they should be.
    async fn run_low(&self, supervisor: &Caller) -> Result<(), HousekeepingError> {
        let property_id = &self.script.property;
        for (line, on_hand, low_watermark, gone) in
            [("Bath towels", 90, 60, 38), ("Double sheets", 120, 50, 22), ("Bathrobes", 40, 12, 4)]
        {
            let line = NewLine { property_id: property_id.clone(), line: line.to_owned(), on_hand, low_watermark };
            let mut uow = self.begin_as(supervisor).await?;
            match linen::open_line(&mut uow, supervisor, line).await {
                Ok(opened) => {
                    uow.commit().await?;
                    let direction = Direction::Issue;
                    let movement = Movement { direction, count: gone, task: None, note: Some("trolleys".to_owned()) };
                    self.tolerant(supervisor, async |uow| {
                        linen::move_linen(uow, supervisor, None, &opened.id, movement).await.map(|_| ())
                    })
                    .await?;
                }
                Err(refusal) => {
                    tracing::debug!(%refusal, "the demo goes on");
                    uow.rollback().await?;
                }
            }
        }
        Ok(())
    }

    /// A room that became urgent ten minutes ago and that nobody has begun: the supervisor hears of it.
    async fn leave_urgent_work(&self, supervisor: &Caller) -> Result<(), HousekeepingError> {
        let mut uow = self.begin().await?;
        let open = board::load(&mut uow, &self.script.property).await?.tasks;
        uow.rollback().await?;
        let Some(waiting) = open.iter().find(|task| task.state.assignee().is_none()) else { return Ok(()) };
        let earlier = self.app.db.at(Clock::manual(self.ago(10)));
        let mut uow = earlier.begin(&SCHEMA, self.context_of(supervisor)).await?;
        let command = housekeeping::application::TaskCommand { task: &waiting.id, caller: supervisor, if_match: None, at: None };
        match assignment::change_priority(&mut uow, command, TaskPriority::Urgent).await {
            Ok(_) => uow.commit().await?,
            Err(refusal) => {
                tracing::debug!(%refusal, "the demo goes on");
                uow.rollback().await?;
            }
        }
        housekeeping::application::timers::escalate_neglected_work(self.app.db.clone()).await?;
        Ok(())
    }

    /// A story of the morning. What a start that was cut short has told already is refused, and that is well.
    async fn tolerant(
        &self,
        caller: &Caller,
        story: impl AsyncFnOnce(&mut UnitOfWork) -> Result<(), HousekeepingError>,
    ) -> Result<(), HousekeepingError> {
        let mut uow = self.begin_as(caller).await?;
        match story(&mut uow).await {
            Ok(()) => Ok(uow.commit().await?),
            Err(HousekeepingError::General(Refusal::Fault(fault))) => Err(fault.into()),
            Err(refusal) => {
                tracing::debug!(%refusal, "the demo goes on");
                Ok(uow.rollback().await?)
            }
        }
    }
}

//! What somebody in the house has to look at. It stays open until somebody says that it is seen to.

use contracts::actor::Actor;
use contracts::ids::{AlertId, PropertyId, ReservationId, RoomId};
use contracts::reservation::AlertKind;
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

/// What it is about: of two that are about the same thing only the first is raised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matter {
    pub property_id: PropertyId,
    pub kind: AlertKind,
    pub reservation_id: Option<ReservationId>,
    pub room_id: Option<RoomId>,
    /// A room that would do instead.
    pub suggested_room_id: Option<RoomId>,
}

/// Somebody has seen to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenTo {
    pub by: Actor,
    pub at: Timestamp,
    pub note: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alert {
    pub id: AlertId,
    pub matter: Matter,
    pub raised_at: Timestamp,
    pub seen_to: Option<SeenTo>,
    pub version: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlertEvent {
    Raised,
    /// Nobody else is told.
    Resolved,
}

/// It was seen to before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this alert is resolved")]
pub struct AlreadyResolved;

impl Aggregate for Alert {
    type Event = AlertEvent;
    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl Alert {
    pub fn raise(id: AlertId, matter: Matter, now: Timestamp) -> Decided<Self> {
        Decided::opened(Self { id, matter, raised_at: now, seen_to: None, version: 0 }, AlertEvent::Raised)
    }

    pub fn resolve(mut self, seen_to: SeenTo) -> Result<Decided<Self>, AlreadyResolved> {
        if self.seen_to.is_some() {
            return Err(AlreadyResolved);
        }
        self.seen_to = Some(seen_to);
        Ok(Decided::changed(self, AlertEvent::Resolved))
    }
}

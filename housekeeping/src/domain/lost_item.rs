//! Things guests leave behind: found, claimed, given back; or nobody comes for them.

use std::fmt;

use contracts::housekeeping::DisposalMethod;
use contracts::ids::{LostItemId, PropertyId, ReservationId, RoomId, StaffId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;

contracts::closed_words! {
    /// Where a found thing is on its way, in a word.
    LostItemStatus {
        Recorded = "recorded",
        Matched = "matched",
        Disposed = "disposed",
        Returned = "returned",
    }
}

/// Somebody says it is theirs.
#[derive(Clone, PartialEq, Eq)]
pub struct Claim {
    pub name: String,
    pub phone: Option<String>,
    pub at: Timestamp,
    /// Who took the claim.
    pub by: StaffId,
}

/// Who a guest is stays out of every log: whatever prints a claim prints no name and no number.
impl fmt::Debug for Claim {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Claim").field("at", &self.at).field("by", &self.by).finish_non_exhaustive()
    }
}

/// What became of it, with the facts that only make sense then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LostItemState {
    Recorded,
    Matched(Claim),
    Returned(Claim),
    Disposed { at: Timestamp, method: DisposalMethod, claim: Option<Claim> },
}

impl LostItemState {
    pub fn status(&self) -> LostItemStatus {
        match self {
            Self::Recorded => LostItemStatus::Recorded,
            Self::Matched(_) => LostItemStatus::Matched,
            Self::Returned(_) => LostItemStatus::Returned,
            Self::Disposed { .. } => LostItemStatus::Disposed,
        }
    }

    pub fn claim(&self) -> Option<&Claim> {
        match self {
            Self::Recorded => None,
            Self::Matched(claim) | Self::Returned(claim) => Some(claim),
            Self::Disposed { claim, .. } => claim.as_ref(),
        }
    }

    pub fn disposal(&self) -> Option<(Timestamp, DisposalMethod)> {
        match self {
            Self::Disposed { at, method, .. } => Some((*at, *method)),
            _ => None,
        }
    }
}

/// What is said of a thing when it is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Find {
    pub property_id: PropertyId,
    pub room_id: RoomId,
    pub reservation_id: Option<ReservationId>,
    pub description: String,
    pub photo_media_ids: Option<Vec<String>>,
    pub storage_location: Option<String>,
    pub finder: StaffId,
}

/// A thing somebody left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostItem {
    pub id: LostItemId,
    pub find: Find,
    pub state: LostItemState,
    pub recorded_at: Timestamp,
    pub version: i32,
}

/// What can happen to a found thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LostItemEvent {
    Recorded,
    Matched(Claim),
    Returned { at: Timestamp },
    Disposed { at: Timestamp, method: DisposalMethod, note: Option<String> },
}

impl Aggregate for LostItem {
    type Event = LostItemEvent;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

/// Why a found thing does not do what was asked of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a thing that is {from} cannot {action}")]
pub struct LostItemError {
    pub from: LostItemStatus,
    pub action: &'static str,
}

impl LostItem {
    pub fn record(id: LostItemId, find: Find, now: Timestamp) -> Decided<Self> {
        let item = Self { id, find, state: LostItemState::Recorded, recorded_at: now, version: 1 };
        Decided::opened(item, LostItemEvent::Recorded)
    }

    /// Somebody claims it. The first claim stands.
    pub fn claim(self, claim: Claim) -> Result<Decided<Self>, LostItemError> {
        match self.state {
            LostItemState::Recorded => {
                Ok(self.becomes(LostItemState::Matched(claim.clone()), LostItemEvent::Matched(claim)))
            }
            _ => Err(self.refuse("be matched")),
        }
    }

    /// Its owner has it again.
    pub fn give_back(self, now: Timestamp) -> Result<Decided<Self>, LostItemError> {
        match &self.state {
            LostItemState::Matched(claim) => {
                let state = LostItemState::Returned(claim.clone());
                Ok(self.becomes(state, LostItemEvent::Returned { at: now }))
            }
            _ => Err(self.refuse("be returned")),
        }
    }

    /// Nobody came for it.
    pub fn dispose(
        self,
        method: DisposalMethod,
        note: Option<String>,
        now: Timestamp,
    ) -> Result<Decided<Self>, LostItemError> {
        match &self.state {
            LostItemState::Recorded | LostItemState::Matched(_) => {
                let state = LostItemState::Disposed { at: now, method, claim: self.state.claim().cloned() };
                Ok(self.becomes(state, LostItemEvent::Disposed { at: now, method, note }))
            }
            _ => Err(self.refuse("be disposed of")),
        }
    }

    fn becomes(mut self, state: LostItemState, event: LostItemEvent) -> Decided<Self> {
        self.state = state;
        Decided::changed(self, event)
    }

    fn refuse(&self, action: &'static str) -> LostItemError {
        LostItemError { from: self.state.status(), action }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        Timestamp::from_millis(1_776_839_400_000)
    }

    fn claim() -> Claim {
        let by = StaffId::parse("stf_1").unwrap();
        Claim { name: "Ahmad Zahir".to_owned(), phone: Some("+93700000001".to_owned()), at: now(), by }
    }

    fn thing(state: LostItemState) -> LostItem {
        let find = Find {
            property_id: PropertyId::parse("prp_1").unwrap(),
            room_id: RoomId::parse("rom_1").unwrap(),
            reservation_id: None,
            description: "a watch".to_owned(),
            photo_media_ids: None,
            storage_location: None,
            finder: StaffId::parse("stf_1").unwrap(),
        };
        LostItem { id: LostItemId::parse("laf_1").unwrap(), find, state, recorded_at: now(), version: 1 }
    }

    #[test]
    fn every_step_is_allowed_from_where_the_table_says_and_from_nowhere_else() {
        let disposed = LostItemState::Disposed { at: now(), method: DisposalMethod::Donated, claim: None };
        // State, may be matched, returned, disposed of.
        let table = [
            (LostItemState::Recorded, true, false, true),
            (LostItemState::Matched(claim()), false, true, true),
            (LostItemState::Returned(claim()), false, false, false),
            (disposed, false, false, false),
        ];
        for (state, matched, returned, disposed) in table {
            let item = thing(state.clone());
            assert_eq!(item.clone().claim(claim()).is_ok(), matched, "{state:?}");
            assert_eq!(item.clone().give_back(now()).is_ok(), returned, "{state:?}");
            assert_eq!(item.dispose(DisposalMethod::Trashed, None, now()).is_ok(), disposed, "{state:?}");
        }
    }

    #[test]
    fn whatever_is_printed_of_a_claim_names_nobody() {
        let matched = thing(LostItemState::Matched(claim()));
        let event = LostItemEvent::Matched(claim());
        let printed = format!("{matched:?} {event:?}");
        assert!(!printed.contains("Zahir") && !printed.contains("+93"), "{printed}");
    }
}

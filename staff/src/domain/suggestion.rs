//! What a program proposes: who should be on which shift. Nothing of it happens until somebody agrees, row by row.

use contracts::AiProvenance;
use contracts::actor::Actor;
use contracts::ids::{AssignmentId, PropertyId, ShiftId, StaffId, SuggestionId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::planning::SkipCode;
use super::words::PlaceRole;

contracts::closed_words! {
    /// What became of a suggestion.
    SuggestionStatus {
        /// Some of its rows wait for a decision.
        Pending = "pending",
        /// All that it proposed was done.
        Approved = "approved",
        /// Some of it was done.
        PartlyApproved = "partly_approved",
        Rejected = "rejected",
        /// A newer one took its place.
        Superseded = "superseded",
        /// Nothing of it could be done any more.
        Expired = "expired",
        /// It proposes nothing.
        NothingToDo = "nothing_to_do",
    }
}

/// What became of one row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[schemars(rename = "ShiftProposalOutcome")]
pub enum RowOutcome {
    /// It waits for a decision.
    Proposed,
    Applied {
        assignment_id: AssignmentId,
        role: PlaceRole,
    },
    Rejected,
    Skipped {
        because: SkipCode,
    },
}

impl RowOutcome {
    pub fn word(&self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Applied { .. } => "applied",
            Self::Rejected => "rejected",
            Self::Skipped { .. } => "skipped",
        }
    }
}

/// One person for one shift.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ShiftProposalRow")]
pub struct ProposedRow {
    pub shift_id: ShiftId,
    pub staff_id: StaffId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    #[serde(flatten)]
    pub outcome: RowOutcome,
}

impl ProposedRow {
    pub fn is(&self, named: &(ShiftId, StaffId)) -> bool {
        self.shift_id == named.0 && self.staff_id == named.1
    }
}

/// A plan that waits for a decision, or what was decided on it. What is approved of it is told by the shifts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShiftSuggestion {
    pub id: SuggestionId,
    pub property_id: PropertyId,
    pub status: SuggestionStatus,
    pub generated_at: Timestamp,
    pub model_version: Option<String>,
    pub provenance: AiProvenance,
    pub rows: Vec<ProposedRow>,
    pub decided_by: Option<Actor>,
    pub decided_at: Option<Timestamp>,
    pub version: i32,
}

/// What can happen to a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuggestionEvent {
    Made,
    DecidedOn,
    Superseded,
    Expired,
}

impl Aggregate for ShiftSuggestion {
    type Event = SuggestionEvent;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

/// Why a suggestion is not decided on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuggestionError {
    #[error("the suggestion is {} already", status.as_str())]
    Decided { status: SuggestionStatus },
    #[error("rows: {staff_id} on {shift_id} is not among the suggestion's rows")]
    UnknownRow { shift_id: ShiftId, staff_id: StaffId },
    #[error("rows: {staff_id} on {shift_id} is {outcome} already")]
    RowDecided { shift_id: ShiftId, staff_id: StaffId, outcome: &'static str },
}

impl ShiftSuggestion {
    /// Kept until somebody decides; one that is older than another that waits comes too late.
    pub fn made(mut self, is_newest: bool) -> Decided<Self> {
        self.status = if is_newest { self.resulting_status() } else { SuggestionStatus::Superseded };
        Decided::opened(self, SuggestionEvent::Made)
    }

    /// The rows a decision is about: those named, or all that wait. Each is decided once.
    pub fn waiting(&self, named: Option<&[(ShiftId, StaffId)]>) -> Result<Vec<ProposedRow>, SuggestionError> {
        if self.status != SuggestionStatus::Pending {
            return Err(SuggestionError::Decided { status: self.status });
        }
        let Some(named) = named else {
            return Ok(self.rows.iter().filter(|row| row.outcome == RowOutcome::Proposed).cloned().collect());
        };
        let mut chosen: Vec<ProposedRow> = Vec::new();
        for one in named {
            let (shift_id, staff_id) = one.clone();
            let Some(row) = self.rows.iter().find(|row| row.is(one)) else {
                return Err(SuggestionError::UnknownRow { shift_id, staff_id });
            };
            if row.outcome != RowOutcome::Proposed {
                return Err(SuggestionError::RowDecided { shift_id, staff_id, outcome: row.outcome.word() });
            }
            if !chosen.iter().any(|known| known.is(one)) {
                chosen.push(row.clone());
            }
        }
        Ok(chosen)
    }

    /// What became of rows that waited.
    pub fn decide(mut self, decided: &[ProposedRow], by: Actor, now: Timestamp) -> Decided<Self> {
        for row in decided {
            let same = (row.shift_id.clone(), row.staff_id.clone());
            if let Some(own) = self.rows.iter_mut().find(|own| own.is(&same)) {
                own.outcome = row.outcome.clone();
            }
        }
        self.status = self.resulting_status();
        (self.decided_by, self.decided_at) = (Some(by), Some(now));
        Decided::changed(self, SuggestionEvent::DecidedOn)
    }

    /// A newer plan for the same house is there.
    pub fn supersede(mut self, now: Timestamp) -> Decided<Self> {
        (self.status, self.decided_at) = (SuggestionStatus::Superseded, Some(now));
        Decided::changed(self, SuggestionEvent::Superseded)
    }

    /// Nothing of it can be done any more, such as in a house that closed.
    pub fn expire(mut self, now: Timestamp) -> Decided<Self> {
        (self.status, self.decided_at) = (SuggestionStatus::Expired, Some(now));
        Decided::changed(self, SuggestionEvent::Expired)
    }

    /// What the rows together amount to.
    fn resulting_status(&self) -> SuggestionStatus {
        let is = |word: &str| self.rows.iter().any(|row| row.outcome.word() == word);
        match (is("proposed"), is("applied"), is("rejected"), is("skipped")) {
            (true, ..) => SuggestionStatus::Pending,
            (false, true, false, false) => SuggestionStatus::Approved,
            (false, true, ..) => SuggestionStatus::PartlyApproved,
            (false, false, true, _) => SuggestionStatus::Rejected,
            (false, false, false, true) => SuggestionStatus::Expired,
            (false, false, false, false) => SuggestionStatus::NothingToDo,
        }
    }
}

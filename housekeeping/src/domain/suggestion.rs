//! A plan of who does what, until somebody decides on it: whole, or row by row.

use std::collections::{BTreeMap, HashSet};

use contracts::actor::Actor;
use contracts::ids::{PropertyId, RoomId, ShiftId, StaffId, SuggestionId, TaskId};
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::task::{Task, TaskState};

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
        /// Nothing of it could be done any more when it was approved.
        Expired = "expired",
        /// It proposes no change.
        NothingToDo = "nothing_to_do",
    }

    /// Who made it.
    SuggestionSource {
        Planner = "planner",
        /// The built-in planner, because the orchestrator did not answer, or not well.
        PlannerFallback = "planner_fallback",
        Orchestrator = "orchestrator",
        /// It came by itself, over the bus.
        Event = "event",
        Nobody = "none",
    }

    /// Why there is nothing in it.
    SuggestionNote {
        /// The hotel wants none.
        ManualOnly = "manual_only",
        NobodyOnShift = "nobody_on_shift",
        NothingToPlan = "nothing_to_plan",
        PlannerUnavailable = "planner_unavailable",
    }

    /// Why a row that was approved was not done.
    Stale {
        /// It is done, cancelled or otherwise over.
        TaskOver = "task_over",
        /// Somebody has begun it.
        TaskStarted = "task_started",
        /// Somebody else was given it since.
        AssignedMeanwhile = "assigned_meanwhile",
        StaffOffShift = "staff_off_shift",
    }
}

/// What became of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum RowOutcome {
    /// It waits for a decision.
    Proposed,
    /// The person has the task already.
    Unchanged,
    Applied,
    Rejected,
    Skipped {
        because: Stale,
    },
}

impl RowOutcome {
    pub fn word(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Unchanged => "unchanged",
            Self::Applied => "applied",
            Self::Rejected => "rejected",
            Self::Skipped { .. } => "skipped",
        }
    }
}

/// A reason for machines, so that it can be said in any language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RowReason {
    pub code: String,
    #[serde(default)]
    pub params: BTreeMap<String, Value>,
}

/// One task for one person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuggestedRow {
    pub task_id: TaskId,
    pub room_id: RoomId,
    pub staff_id: StaffId,
    /// Who had it when the plan was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_staff_id: Option<StaffId>,
    /// Place in the person's order, from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u32>,
    pub score: f64,
    pub reasoning: String,
    #[serde(default)]
    pub reasons: Vec<RowReason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_at: Option<Timestamp>,
    #[serde(flatten)]
    pub outcome: RowOutcome,
}

impl SuggestedRow {
    /// Whether the row can still be done: the house goes on while a supervisor thinks. `None`: the task is open no more. What somebody has
    /// begun is theirs while they, or somebody who helps them, are at work.
    pub fn still_holds(&self, task: Option<&Task>, at_work: impl Fn(&StaffId) -> bool) -> Result<(), Stale> {
        let on_duty = at_work(&self.staff_id);
        let left_behind =
            |task: &Task| task.state.assignee() == self.previous_staff_id.as_ref() && !task.people().any(&at_work);
        match task.map(|task| &task.state) {
            Some(TaskState::InProgress { .. } | TaskState::Paused { .. }) if !task.is_some_and(left_behind) => {
                Err(Stale::TaskStarted)
            }
            Some(TaskState::Assigned { to }) if *to != self.staff_id && Some(to) != self.previous_staff_id.as_ref() => {
                Err(Stale::AssignedMeanwhile)
            }
            Some(
                TaskState::Pending
                | TaskState::Assigned { .. }
                | TaskState::InProgress { .. }
                | TaskState::Paused { .. },
            ) => {
                if on_duty {
                    Ok(())
                } else {
                    Err(Stale::StaffOffShift)
                }
            }
            Some(_) | None => Err(Stale::TaskOver),
        }
    }
}

/// A task that the plan gives to nobody, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeftOpen {
    pub task_id: TaskId,
    pub reasoning: String,
    pub reason: RowReason,
}

/// A task that had somebody and would have somebody else, or nobody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovedTask {
    pub task_id: TaskId,
    pub from: StaffId,
    pub to: Option<StaffId>,
}

/// Whom a suggestion is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    pub property_id: PropertyId,
    /// `None`: everybody on shift in the property.
    pub shift_id: Option<ShiftId>,
}

/// A plan as whoever made it hands it over.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    pub source: SuggestionSource,
    pub note: Option<SuggestionNote>,
    pub model_version: String,
    pub rows: Vec<SuggestedRow>,
    pub unassigned: Vec<LeftOpen>,
    pub moved: Vec<MovedTask>,
}

impl Proposal {
    /// Nothing is proposed, for this reason.
    pub fn empty(note: SuggestionNote) -> Self {
        Self {
            source: SuggestionSource::Nobody,
            note: Some(note),
            model_version: "none".to_owned(),
            rows: Vec::new(),
            unassigned: Vec::new(),
            moved: Vec::new(),
        }
    }
}

/// A plan that waits for a decision, or what was decided on it. Private to housekeeping: what is approved of it is told by the tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    pub id: SuggestionId,
    pub scope: Scope,
    pub status: SuggestionStatus,
    pub generated_at: Timestamp,
    pub proposal: Proposal,
    pub decided_by: Option<Actor>,
    pub decided_at: Option<Timestamp>,
    pub version: i32,
}

/// What can happen to a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuggestionEvent {
    Made,
    /// Somebody decided on rows of it.
    DecidedOn,
    /// A newer one took its place.
    Superseded,
}

impl Aggregate for Suggestion {
    type Event = SuggestionEvent;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

/// Why a suggestion is not decided on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuggestionError {
    #[error("the suggestion is {} already; ask for a new one", status.as_str())]
    Decided { status: SuggestionStatus },
    #[error("rows: {task_id} is not among the suggestion's rows")]
    UnknownRow { task_id: TaskId },
    #[error("rows: {task_id} is {outcome} already")]
    RowDecided { task_id: TaskId, outcome: &'static str },
}

impl Suggestion {
    pub fn made(id: SuggestionId, scope: Scope, proposal: Proposal, generated_at: Timestamp) -> Decided<Self> {
        let mut suggestion = Self {
            id,
            scope,
            status: SuggestionStatus::Pending,
            generated_at,
            proposal,
            decided_by: None,
            decided_at: None,
            version: 1,
        };
        suggestion.status = suggestion.resulting_status();
        Decided::opened(suggestion, SuggestionEvent::Made)
    }

    /// The rows a decision is about: those named, or all that wait. Each is decided once.
    pub fn waiting_rows(&self, named: Option<&[TaskId]>) -> Result<Vec<&SuggestedRow>, SuggestionError> {
        if self.status != SuggestionStatus::Pending {
            return Err(SuggestionError::Decided { status: self.status });
        }
        let rows = &self.proposal.rows;
        let Some(named) = named else {
            return Ok(rows.iter().filter(|row| row.outcome == RowOutcome::Proposed).collect());
        };
        let mut seen = HashSet::new();
        let mut chosen = Vec::new();
        for task_id in named.iter().filter(|id| seen.insert(*id)) {
            let row = rows.iter().find(|row| row.task_id == *task_id);
            let row = row.ok_or_else(|| SuggestionError::UnknownRow { task_id: task_id.clone() })?;
            if row.outcome != RowOutcome::Proposed {
                let outcome = row.outcome.word();
                return Err(SuggestionError::RowDecided { task_id: task_id.clone(), outcome });
            }
            chosen.push(row);
        }
        Ok(chosen)
    }

    /// Approves rows; each is done, or skipped because it came too late.
    pub fn approve(
        self,
        named: Option<&[TaskId]>,
        check: impl Fn(&SuggestedRow) -> Result<(), Stale>,
        by: Actor,
        now: Timestamp,
    ) -> Result<Decided<Self>, SuggestionError> {
        self.decide(
            named,
            |row| check(row).map_or_else(|because| RowOutcome::Skipped { because }, |()| RowOutcome::Applied),
            by,
            now,
        )
    }

    pub fn reject(self, named: Option<&[TaskId]>, by: Actor, now: Timestamp) -> Result<Decided<Self>, SuggestionError> {
        self.decide(named, |_| RowOutcome::Rejected, by, now)
    }

    /// A newer plan for the same people is there.
    pub fn supersede(mut self, now: Timestamp) -> Result<Decided<Self>, SuggestionError> {
        if self.status != SuggestionStatus::Pending {
            return Err(SuggestionError::Decided { status: self.status });
        }
        self.status = SuggestionStatus::Superseded;
        self.decided_at = Some(now);
        Ok(Decided::changed(self, SuggestionEvent::Superseded))
    }

    fn decide(
        mut self,
        named: Option<&[TaskId]>,
        outcome: impl Fn(&SuggestedRow) -> RowOutcome,
        by: Actor,
        now: Timestamp,
    ) -> Result<Decided<Self>, SuggestionError> {
        let chosen: HashSet<TaskId> = self.waiting_rows(named)?.into_iter().map(|row| row.task_id.clone()).collect();
        for row in self.proposal.rows.iter_mut().filter(|row| chosen.contains(&row.task_id)) {
            row.outcome = outcome(row);
        }
        self.status = self.resulting_status();
        self.decided_by = Some(by);
        self.decided_at = Some(now);
        Ok(Decided::changed(self, SuggestionEvent::DecidedOn))
    }

    /// What the rows together amount to.
    fn resulting_status(&self) -> SuggestionStatus {
        let is = |wanted: fn(RowOutcome) -> bool| self.proposal.rows.iter().any(|row| wanted(row.outcome));
        let waits = is(|outcome| outcome == RowOutcome::Proposed);
        let applied = is(|outcome| outcome == RowOutcome::Applied);
        let rejected = is(|outcome| outcome == RowOutcome::Rejected);
        let skipped = is(|outcome| matches!(outcome, RowOutcome::Skipped { .. }));
        match (waits, applied, rejected || skipped) {
            (true, ..) => SuggestionStatus::Pending,
            (false, true, false) => SuggestionStatus::Approved,
            (false, true, true) => SuggestionStatus::PartlyApproved,
            (false, false, _) if rejected => SuggestionStatus::Rejected,
            (false, false, _) if skipped => SuggestionStatus::Expired,
            (false, false, _) => SuggestionStatus::NothingToDo,
        }
    }
}

//! The answer: who does what, in which order, with the reasons and the terms of the whole.

use serde::{Deserialize, Serialize};

use crate::reason::Reason;
use crate::terms::Terms;

/// A plan for one property and one morning. The same instance, options and seed give the same bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    pub name: String,
    /// In units of a thousandth of a second; 60,000 are a minute.
    pub cost: i64,
    pub minutes: f64,
    pub terms: Terms,
    /// The emergency stop ended the search before its budget was used: another run may find another plan.
    pub truncated: bool,
    pub seed: u64,
    /// Moves that were priced.
    pub evaluated_moves: u64,
    /// Grouped by person, in order of work.
    pub rows: Vec<Row>,
    pub people: Vec<Day>,
    pub late: Vec<LateRoom>,
    pub unassigned: Vec<OpenTask>,
    /// Against the plan that was there before.
    pub moved: Vec<MovedTask>,
}

/// One task of one person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    pub task_id: String,
    pub staff_id: String,
    /// From one.
    pub sequence: usize,
    pub start_sec: i64,
    pub finish_sec: i64,
    /// 1: nobody else can; 0.5: somebody else would do as well.
    pub score: f64,
    /// The reasons in English.
    pub reasoning: String,
    /// The same for machines, so that the reasons can be said in any language.
    pub reasons: Vec<Reason>,
}

/// What the plan means for one person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Day {
    pub staff_id: String,
    pub tasks: usize,
    /// Work, with what the person had before.
    pub load_min: i64,
    pub fair_share_min: i64,
    pub walk_sec: i64,
    pub floors: Vec<i64>,
    pub sections: usize,
    pub late_rooms: usize,
    /// When the last task is done; absent when there is none.
    pub finish_sec: Option<i64>,
    pub terms: Terms,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LateRoom {
    pub task_id: String,
    pub staff_id: String,
    pub late_sec: i64,
}

/// A task that nobody has, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenTask {
    pub task_id: String,
    pub reasoning: String,
    pub reason: Reason,
}

/// A task that had a person before and has another now, or none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MovedTask {
    pub task_id: String,
    pub from: String,
    pub to: Option<String>,
}

//! The morning's question: who is there, what is to be done, and the way through the house.

use serde::{Deserialize, Serialize};

use crate::error::PlannerError;
use crate::weights::Weights;

/// Seconds it takes to get about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Walk {
    /// From one door to the next along the corridor.
    pub sec_per_unit: i64,
    /// Where the lift opens, on every floor.
    pub elevator_pos: i64,
    pub elevator_wait_sec: i64,
    pub sec_per_floor: i64,
}

/// How much a room presses. Unknown words are kept by the reader, so that validation can name them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Priority {
    Low,
    Normal,
    High,
    Urgent,
    Unknown(String),
}

impl Priority {
    /// Row of the weights that are given by priority.
    pub(crate) fn row(&self) -> usize {
        match self {
            Self::Low => 0,
            Self::Normal | Self::Unknown(_) => 1,
            Self::High => 2,
            Self::Urgent => 3,
        }
    }
}

impl From<String> for Priority {
    fn from(word: String) -> Self {
        match word.as_str() {
            "low" => Self::Low,
            "normal" => Self::Normal,
            "high" => Self::High,
            "urgent" => Self::Urgent,
            _ => Self::Unknown(word),
        }
    }
}

impl From<Priority> for String {
    fn from(priority: Priority) -> Self {
        match priority {
            Priority::Low => "low".to_owned(),
            Priority::Normal => "normal".to_owned(),
            Priority::High => "high".to_owned(),
            Priority::Urgent => "urgent".to_owned(),
            Priority::Unknown(word) => word,
        }
    }
}

/// A person on shift. Minutes count from the moment of planning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    pub id: String,
    /// Work the person should do in the whole shift.
    pub capacity_min: i64,
    /// Work already done or in hand today.
    pub load_min: i64,
    pub available_from_min: i64,
    /// Nothing may finish after this.
    pub shift_end_min: i64,
    pub floor: i64,
    pub position: i64,
    #[serde(default)]
    pub skills: Vec<String>,
    #[serde(default)]
    pub languages: Vec<String>,
    /// Floor area already cleaned today, where the law caps it.
    #[serde(default)]
    pub load_sqft: i64,
}

/// A room to be seen to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    pub id: String,
    #[serde(default)]
    pub kind: String,
    /// What people call the room; the id where it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<String>,
    pub minutes: i64,
    pub priority: Priority,
    /// Not before: the guest is still in.
    #[serde(default)]
    pub ready_min: i64,
    /// The next guest arrives.
    #[serde(default)]
    pub due_min: Option<i64>,
    pub floor: i64,
    pub section: String,
    pub position: i64,
    #[serde(default)]
    pub skill: Option<String>,
    #[serde(default)]
    pub language: Option<String>,
    /// Who has it now, when a plan is made again.
    #[serde(default)]
    pub current_staff_id: Option<String>,
    /// The supervisor has decided: it stays with that person.
    #[serde(default)]
    pub pinned: bool,
    /// Begun already: it stays with that person and comes first; `minutes` is what remains.
    #[serde(default, skip_serializing_if = "is_false")]
    pub in_progress: bool,
    #[serde(default)]
    pub sqft: i64,
    /// Who is not to have it: somebody who failed to do it before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_from: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

impl Task {
    /// The room's name for people.
    pub fn room_name(&self) -> &str {
        self.room.as_deref().unwrap_or(&self.id)
    }

    /// The skill that is asked for; an empty word asks for none.
    pub(crate) fn needed_skill(&self) -> Option<&str> {
        self.skill.as_deref().filter(|skill| !skill.is_empty())
    }

    pub(crate) fn wanted_language(&self) -> Option<&str> {
        self.language.as_deref().filter(|language| !language.is_empty())
    }

    pub(crate) fn present_person(&self) -> Option<&str> {
        self.current_staff_id.as_deref().filter(|id| !id.is_empty())
    }

    pub(crate) fn is_kept_from(&self, person: &Person) -> bool {
        self.kept_from.as_deref() == Some(person.id.as_str())
    }

    /// Whether nobody else may have it.
    pub(crate) fn is_held(&self) -> bool {
        self.pinned || self.in_progress
    }
}

/// Everything the planner knows about one property on one morning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Instance {
    #[serde(default)]
    pub name: String,
    pub walk: Walk,
    /// Floor area a person may clean in a day before double pay is due.
    #[serde(default)]
    pub sqft_cap: Option<i64>,
    #[serde(default)]
    pub weights: Weights,
    pub staff: Vec<Person>,
    pub tasks: Vec<Task>,
}

impl Instance {
    /// Reads and validates.
    pub fn from_json(text: &str) -> Result<Self, PlannerError> {
        let instance: Self =
            serde_json::from_str(text).map_err(|problem| PlannerError::Unreadable(problem.to_string()))?;
        instance.validate()?;
        Ok(instance)
    }

    /// The cap, where there is one; zero means none.
    pub(crate) fn area_cap(&self) -> Option<i64> {
        self.sqft_cap.filter(|cap| *cap != 0)
    }
}

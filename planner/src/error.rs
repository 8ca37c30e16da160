//! What can be wrong with a request to the planner, said so that a person can mend it.

use std::fmt;

/// One thing that is wrong in an instance: where it is and what the rule says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// Path into the instance, with the id where there is one: `tasks[3] (t0003).minutes`.
    pub path: String,
    /// The rule that is broken, and what would be right.
    pub rule: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.rule)
    }
}

/// Why the planner refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlannerError {
    #[error("the instance cannot be read: {0}")]
    Unreadable(String),
    #[error("the instance is not valid:{}", listed(.0))]
    Invalid(Vec<Flaw>),
    #[error("there is no task \"{0}\" in the instance")]
    UnknownTask(String),
    #[error("there is no person \"{0}\" in the instance")]
    UnknownPerson(String),
    #[error("the plan holds task \"{0}\" more than once")]
    TaskTwice(String),
}

fn listed(flaws: &[Flaw]) -> String {
    use fmt::Write as _;
    flaws.iter().fold(String::new(), |mut text, flaw| {
        // Writing into a String cannot fail.
        let _ = write!(text, "\n  {flaw}");
        text
    })
}

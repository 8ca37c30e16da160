//! Reasons: a stable code with parameters, and the English sentence made from them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What decided. The words are stable; the web translates them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The supervisor has decided.
    Pinned,
    /// It is begun already.
    InProgress,
    /// Nobody else is on shift.
    OnlyPerson,
    /// Nobody else has the skill.
    OnlySkilled,
    /// The others could, but for whoever failed to do it before.
    FailedBefore,
    /// Nobody else could finish it before the end of the shift.
    NobodyElseHasTime,
    /// Somebody else would do as well.
    AsGood,
    /// By itself it would be cheaper with somebody else.
    CheaperElsewhere,
    SavesWalking,
    SavesFloors,
    SavesSections,
    SavesLateness,
    StartsSooner,
    FairerLoad,
    SavesOvertime,
    SpeaksLanguage,
    HasItAlready,
    WithinAreaCap,
    /// Left open: nobody is on shift.
    NoStaff,
    /// Left open: nobody on shift has the skill.
    NoSkill,
    /// Left open: the person it is pinned to lacks the skill.
    HeldWithoutSkill,
    /// Left open: nobody who may do it has time before the end of the shift.
    NoTime,
    /// Left open: by the tenant's weights it costs more to do it than to leave it.
    DearerThanOpen,
}

/// A code with its parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    pub code: Code,
    pub params: BTreeMap<String, Value>,
}

impl Reason {
    pub(crate) fn new(code: Code) -> Self {
        Self { code, params: BTreeMap::new() }
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.params.insert(name.to_owned(), value.into());
        self
    }

    pub fn number(&self, name: &str) -> i64 {
        self.params.get(name).and_then(Value::as_i64).unwrap_or(0)
    }

    pub fn word(&self, name: &str) -> &str {
        self.params.get(name).and_then(Value::as_str).unwrap_or("")
    }

    /// The reason as a part of a sentence about a person.
    fn phrase(&self) -> String {
        let duration = || spoken_duration(self.number("seconds"));
        match self.code {
            Code::Pinned => format!("pinned to {} by the supervisor", self.word("staffId")),
            Code::InProgress => format!("{} has begun it", self.word("staffId")),
            Code::OnlyPerson => "nobody else is on shift".to_owned(),
            Code::OnlySkilled => format!("the only person on shift with the skill {}", self.word("skill")),
            Code::FailedBefore => format!("{} failed to do it before", self.word("staffId")),
            Code::NobodyElseHasTime => "nobody else could finish it before the end of their shift".to_owned(),
            Code::AsGood => format!("{} would do as well; nobody would do better", self.word("against")),
            Code::CheaperElsewhere => format!(
                "suits the plan as a whole; by itself it would save {} with {}",
                spoken_cost(-self.number("cost")),
                self.word("against")
            ),
            Code::SavesWalking => format!("saves {} of walking", duration()),
            Code::SavesFloors => counted("saves", self.number("floors"), "floor change", "floor changes"),
            Code::SavesSections => counted("saves", self.number("sections"), "change of section", "changes of section"),
            Code::SavesLateness => self.lateness_phrase(),
            Code::StartsSooner => {
                format!("lets pressing rooms start sooner (worth {})", spoken_cost(self.number("cost")))
            }
            Code::FairerLoad => format!(
                "shares the work more fairly ({} would have {} of a fair {} minutes)",
                self.word("against"),
                self.number("loadMin"),
                self.number("fairShareMin")
            ),
            Code::SavesOvertime => format!("saves {} of overtime", duration()),
            Code::SpeaksLanguage => format!("speaks {}", self.word("language")),
            Code::HasItAlready => "has it already".to_owned(),
            Code::WithinAreaCap => "keeps the floor area within the cap".to_owned(),
            Code::NoStaff => "nobody is on shift".to_owned(),
            Code::NoSkill => format!("nobody on shift has the skill {}", self.word("skill")),
            Code::HeldWithoutSkill => {
                format!("it must stay with {}, who lacks the skill {}", self.word("staffId"), self.word("skill"))
            }
            Code::NoTime => match self.number("people") {
                1 => "the one person who may do it has no time left before the shift ends".to_owned(),
                people => format!("none of the {people} people who may do it has time left before the shift ends"),
            },
            Code::DearerThanOpen => format!(
                "by the weights in force it costs {} more to give it to {} than to leave it open",
                spoken_cost(self.number("cost")),
                self.word("staffId")
            ),
        }
    }

    fn lateness_phrase(&self) -> String {
        let duration = spoken_duration(self.number("seconds"));
        match self.number("rooms") {
            rooms if rooms > 0 => counted("keeps", rooms, "more room", "more rooms") + " in time",
            _ => format!("saves {duration} of lateness"),
        }
    }

    /// Whether the reason is about the way through the house.
    fn is_about_the_way(&self) -> bool {
        matches!(self.code, Code::SavesWalking | Code::SavesFloors | Code::SavesSections)
    }
}

/// One sentence from one or two reasons.
pub(crate) fn sentence(reasons: &[Reason]) -> String {
    let phrases: Vec<String> = reasons.iter().map(Reason::phrase).collect();
    let Some(first) = reasons.first() else { return String::new() };
    let mut text = String::new();
    if first.params.contains_key("onFloor") && reasons.iter().any(Reason::is_about_the_way) {
        text = format!("already on floor {}: ", first.number("onFloor"));
    }
    match phrases.as_slice() {
        [one, two] => {
            // "saves a and saves b" reads better as "saves a and b".
            let verb = one.split(' ').next().unwrap_or("");
            let two = two.strip_prefix(verb).map_or(two.as_str(), str::trim_start);
            text.push_str(one);
            text.push_str(" and ");
            text.push_str(two);
        }
        all => text += &all.join(" and "),
    }
    if first.params.contains_key("position") && !matches!(first.code, Code::AsGood | Code::CheaperElsewhere) {
        text = format!("{text}, against the next best person ({})", first.word("against"));
    }
    text
}

pub(crate) fn counted(verb: &str, count: i64, one: &str, many: &str) -> String {
    if count == 1 { format!("{verb} a {one}") } else { format!("{verb} {count} {many}") }
}

/// Seconds as people say them.
pub(crate) fn spoken_duration(seconds: i64) -> String {
    match (seconds, (seconds + 30) / 60) {
        (1, _) => "1 second".to_owned(),
        (few, _) if few < 60 => format!("{few} seconds"),
        (_, 1) => "1 minute".to_owned(),
        (_, minutes) => format!("{minutes} minutes"),
    }
}

/// Cost units as minutes that people can weigh.
pub(crate) fn spoken_cost(cost: i64) -> String {
    spoken_duration(cost / 1000)
}

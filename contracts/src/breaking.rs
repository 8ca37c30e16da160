//! What breaks those who build on a schema, and how to do it right.
//!
//! Within a version only optional fields are added. Everything else is a new version that runs beside the old one for
//! 60 days.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

/// The rule that a change breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// A subject is gone.
    SubjectRemoved,
    /// A field is gone.
    FieldRemoved,
    /// A field goes by another name.
    FieldRenamed,
    /// A field, or a list's item, is of another type.
    TypeChanged,
    /// A field must now be there.
    RequiredFieldAdded,
    /// A field that was always there may now be missing.
    FieldMadeOptional,
    /// A writer may now say a word that readers have never heard.
    EnumValueAdded,
    /// A word is gone.
    EnumValueRemoved,
    /// A pattern or a format is another, or a writer keeps to a wider limit than it promised.
    ConstraintChanged,
}

impl Rule {
    /// The rule in words.
    pub fn stated(self) -> &'static str {
        match self {
            Self::SubjectRemoved => "a published subject is not removed while it may be read",
            Self::FieldRemoved => "a field is not removed within a version",
            Self::FieldRenamed => "a field is never renamed",
            Self::TypeChanged => "a field keeps its type within a version",
            Self::RequiredFieldAdded => "a field added within a version is optional",
            Self::FieldMadeOptional => "a field that readers rely on stays within a version",
            Self::EnumValueAdded => "a writer adds no word to an enumeration within a version",
            Self::EnumValueRemoved => "a word of an enumeration is not removed within a version",
            Self::ConstraintChanged => {
                "patterns and formats stay as they are, and limits are not widened, within a version"
            }
        }
    }

    /// How to do it right.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::SubjectRemoved => "keep it in the catalogue until 60 days after its next version was published",
            Self::FieldRenamed => {
                "add the new name as an optional field, write both, and drop the old one in the next version"
            }
            Self::RequiredFieldAdded => {
                "make it optional, or add the payload as the next version and publish both for 60 days"
            }
            _ => "add the payload as the next version and publish both for 60 days",
        }
    }
}

/// One change that breaks somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Break {
    /// The subject.
    pub subject: String,
    /// The rule it breaks.
    pub rule: Rule,
    /// Where, as a JSON pointer into the payload; a list's item is `/-`.
    pub pointer: String,
    /// What changed.
    pub detail: String,
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, rule, pointer, detail } = self;
        write!(f, "{subject} at `{pointer}`: {detail}\n  rule: {}\n  instead: {}", rule.stated(), rule.remedy())
    }
}

/// Everything that breaks between two sets of schemas, each by subject. Subjects that are new break nobody.
pub fn between(old: &BTreeMap<String, Value>, new: &BTreeMap<String, Value>) -> Vec<Break> {
    let mut breaks = Vec::new();
    for (subject, old) in old {
        let mut found = Comparison { subject, we_only_read: is_assumed(old), breaks: &mut breaks };
        match new.get(subject) {
            Some(new) => found.compare("", old, new),
            None => found.note(Rule::SubjectRemoved, "", "the schema is gone".to_owned()),
        }
    }
    breaks
}

fn is_assumed(schema: &Value) -> bool {
    schema["x-melmastoon-status"] == "assumed"
}

struct Comparison<'a> {
    subject: &'a str,
    /// Of what others write we may know more words and need fewer fields without breaking anybody.
    we_only_read: bool,
    breaks: &'a mut Vec<Break>,
}

const CONSTRAINTS: [&str; 7] = ["pattern", "format", "minimum", "maximum", "minLength", "maxLength", "const"];

/// Which way a limit went.
#[derive(PartialEq)]
enum Moved {
    /// Less is possible now: a writer promises more, and every reader still copes.
    Inwards,
    /// More is possible now.
    Outwards,
}

fn limit_moved(constraint: &str, old: &Value, new: &Value) -> Option<Moved> {
    let upper = match constraint {
        "maximum" | "maxLength" => true,
        "minimum" | "minLength" => false,
        _ => return None,
    };
    let inwards = match (old.as_f64(), new.as_f64()) {
        (None, Some(_)) => true,
        (Some(old), Some(new)) => (new < old) == upper,
        (_, None) => false,
    };
    Some(if inwards { Moved::Inwards } else { Moved::Outwards })
}

impl Comparison<'_> {
    fn note(&mut self, rule: Rule, pointer: &str, detail: String) {
        self.breaks.push(Break { subject: self.subject.to_owned(), rule, pointer: pointer.to_owned(), detail });
    }

    fn compare(&mut self, at: &str, old: &Value, new: &Value) {
        if old["type"] != new["type"] {
            self.note(Rule::TypeChanged, at, format!("the type was {}, and is {}", old["type"], new["type"]));
            return;
        }
        for constraint in CONSTRAINTS {
            let promises_more = limit_moved(constraint, &old[constraint], &new[constraint]) == Some(Moved::Inwards);
            if old[constraint] != new[constraint] && (self.we_only_read || !promises_more) {
                let detail = format!("`{constraint}` was {}, and is {}", old[constraint], new[constraint]);
                self.note(Rule::ConstraintChanged, at, detail);
            }
        }
        self.compare_words(at, old, new);
        self.compare_fields(at, old, new);
        if old["items"].is_object() && new["items"].is_object() {
            self.compare(&format!("{at}/-"), &old["items"], &new["items"]);
        }
        if old["anyOf"] != new["anyOf"] {
            self.note(Rule::TypeChanged, at, "the choice of types is another".to_owned());
        }
    }

    fn compare_words(&mut self, at: &str, old: &Value, new: &Value) {
        match (old["enum"].as_array(), new["enum"].as_array()) {
            (Some(old), Some(new)) => {
                for gone in old.iter().filter(|word| !new.contains(word)) {
                    self.note(Rule::EnumValueRemoved, at, format!("the word {gone} is gone"));
                }
                for added in new.iter().filter(|word| !old.contains(word)) {
                    if !self.we_only_read {
                        self.note(Rule::EnumValueAdded, at, format!("the word {added} is new"));
                    }
                }
            }
            (Some(_), None) | (None, Some(_)) => {
                self.note(Rule::TypeChanged, at, "an enumeration and free text are not the same".to_owned());
            }
            (None, None) => {}
        }
    }

    fn compare_fields(&mut self, at: &str, old: &Value, new: &Value) {
        let none = Map::new();
        let old_fields = old["properties"].as_object().unwrap_or(&none);
        let new_fields = new["properties"].as_object().unwrap_or(&none);
        for (name, old_field) in old_fields {
            let here = format!("{at}/{name}");
            let Some(new_field) = new_fields.get(name) else {
                self.note_loss(&here, name, old_field, old_fields, new_fields);
                continue;
            };
            match (requires(old, name), requires(new, name)) {
                (false, true) => self.note(Rule::RequiredFieldAdded, &here, format!("`{name}` was optional")),
                (true, false) if !self.we_only_read => {
                    self.note(Rule::FieldMadeOptional, &here, format!("`{name}` was always there"));
                }
                _ => {}
            }
            self.compare(&here, old_field, new_field);
        }
        for name in new_fields.keys().filter(|name| !old_fields.contains_key(*name) && requires(new, name)) {
            self.note(Rule::RequiredFieldAdded, &format!("{at}/{name}"), format!("`{name}` is new and required"));
        }
    }

    /// A field that vanishes while another of the same shape appears was renamed.
    fn note_loss(&mut self, here: &str, name: &str, field: &Value, old: &Map<String, Value>, new: &Map<String, Value>) {
        let same_shape =
            |other: &Value| CONSTRAINTS.iter().chain(&["type", "enum"]).all(|key| field[*key] == other[*key]);
        match new.iter().find(|(other, shape)| !old.contains_key(*other) && same_shape(shape)) {
            Some((other, _)) => {
                self.note(Rule::FieldRenamed, here, format!("`{name}` is gone, and `{other}` looks like it"));
            }
            None => self.note(Rule::FieldRemoved, here, format!("`{name}` is gone")),
        }
    }
}

fn requires(schema: &Value, name: &str) -> bool {
    schema["required"].as_array().is_some_and(|names| names.iter().any(|required| required == name))
}

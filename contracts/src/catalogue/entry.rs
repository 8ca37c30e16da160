//! One line of the catalogue, and what follows from it.

use std::fmt;

use serde::Serialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::envelope::RetentionClass;
use crate::fault::{SchemaFault, read_typed};
use crate::ids::TenantId;
use crate::payload::Payload;
use crate::schema;

/// Where the shape of a payload comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The specification shows it.
    Specified,
    /// The specification names it; the shape is ours.
    Designed,
    /// Another service publishes it and nobody says how: the least a reader needs.
    Assumed,
}

impl Status {
    /// The word in schemas and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Specified => "specified",
            Self::Designed => "designed",
            Self::Assumed => "assumed",
        }
    }
}

/// How long an event is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retention {
    /// How carefully.
    pub class: RetentionClass,
    /// Days in the archive.
    pub days: u32,
    /// Days at the broker.
    pub broker_days: u32,
}

impl Retention {
    pub(super) const fn operational(days: u32) -> Self {
        Self { class: RetentionClass::Operational, days, broker_days: 7 }
    }

    /// Needed by law: seven years.
    pub(super) const REGULATED: Self = Self { class: RetentionClass::Regulated, days: 7 * 365, broker_days: 7 };

    pub(super) const fn of_staff(class: RetentionClass, days: u32) -> Self {
        Self { class, days, broker_days: days }
    }
}

/// Which events must stay in order: those with the same tenant and the same value here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ordering {
    /// The first of these fields that the payload has.
    FirstOf(&'static [&'static str]),
    /// The lower of two.
    LowerOf(&'static str, &'static str),
}

/// How a consumer is served, and what happens to what it cannot digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Deliveries before an event is put aside.
    pub attempts: u32,
    /// Seconds before the second attempt.
    pub first_backoff_seconds: u32,
    /// Seconds between attempts at most.
    pub max_backoff_seconds: u32,
    /// Days for which what was put aside is kept.
    pub dead_letter_days: u32,
}

/// One of the three contexts of this software.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// Cleaning.
    Housekeeping,
    /// Bookings and stays.
    Reservation,
    /// People and shifts.
    Staff,
}

impl Context {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Housekeeping, Self::Reservation, Self::Staff];

    /// The word in subjects.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Housekeeping => "housekeeping",
            Self::Reservation => "reservation",
            Self::Staff => "staff",
        }
    }

    /// The name among producers and consumers.
    pub fn service(self) -> &'static str {
        match self {
            Self::Housekeeping => "housekeeping-service",
            Self::Reservation => "reservation-service",
            Self::Staff => "staff-service",
        }
    }

    /// How this context is served.
    pub fn delivery(self) -> Delivery {
        let (attempts, first_backoff_seconds) = match self {
            Self::Housekeeping | Self::Staff => (10, 10),
            Self::Reservation => (20, 1),
        };
        Delivery { attempts, first_backoff_seconds, max_backoff_seconds: 600, dead_letter_days: 30 }
    }

    /// Where goes what this context could not digest.
    pub fn dead_letter_topic(self, subject: &str) -> String {
        match self {
            Self::Housekeeping => "melmastoon.dlq.housekeeping".to_owned(),
            Self::Reservation => {
                format!("melmastoon-reservation-{}-dlq", subject.strip_prefix("melmastoon.").unwrap_or(subject))
            }
            Self::Staff => format!("{subject}.dlq.v1"),
        }
    }
}

/// One subject and everything that is known about it.
#[derive(Debug)]
pub struct Entry {
    /// The subject, which is also the topic.
    pub subject: &'static str,
    /// Where the shape of its payload comes from.
    pub status: Status,
    /// How long it is kept.
    pub retention: Retention,
    /// What keeps events in order.
    pub ordering: Ordering,
    /// Who reads it, as far as the documents tell.
    pub consumers: &'static [&'static str],
    /// Fields that hold personal data, so that a sink can tokenise them.
    pub pii: &'static [&'static str],
    raw_schema: fn(Status) -> Value,
    check: fn(&str) -> Result<Option<TenantId>, SchemaFault>,
    rewrite: fn(Value) -> Result<Value, serde_json::Error>,
}

impl Entry {
    pub(super) const fn of<P: Payload>(
        status: Status,
        retention: Retention,
        ordering: &'static [&'static str],
    ) -> Self {
        Self {
            subject: P::SUBJECT,
            status,
            retention,
            ordering: Ordering::FirstOf(ordering),
            consumers: &[],
            pii: &[],
            raw_schema: schema::raw::<P>,
            check: |json| {
                let payload: P = read_typed(json).map_err(|(pointer, detail)| SchemaFault { pointer, detail })?;
                Ok(payload.tenant_id().cloned())
            },
            rewrite: |value| serde_json::to_value(serde_json::from_value::<P>(value)?),
        }
    }

    pub(super) const fn read_by(mut self, consumers: &'static [&'static str]) -> Self {
        self.consumers = consumers;
        self
    }

    pub(super) const fn with_pii(mut self, fields: &'static [&'static str]) -> Self {
        self.pii = fields;
        self
    }

    pub(super) const fn ordered_by_lower_of(mut self, one: &'static str, other: &'static str) -> Self {
        self.ordering = Ordering::LowerOf(one, other);
        self
    }

    /// The parts between `melmastoon` and the version. The table is tested to hold only lawful subjects.
    fn parts(&self) -> (&'static str, Option<&'static str>, &'static str) {
        let mut words = self.name_without_version().split('.').skip(1);
        let (first, second, third) = (words.next(), words.next(), words.next());
        match third {
            Some(verb) => (first.unwrap_or_default(), second, verb),
            None => (first.unwrap_or_default(), None, second.unwrap_or_default()),
        }
    }

    /// Who publishes it: `reservation`.
    pub fn context(&self) -> &'static str {
        self.parts().0
    }

    /// What it is about: `task`; the context's own thing where the subject names none.
    pub fn aggregate(&self) -> &'static str {
        let (context, aggregate, _) = self.parts();
        aggregate.unwrap_or(context)
    }

    /// What happened.
    pub fn verb(&self) -> &'static str {
        self.parts().2
    }

    /// The subject without its version.
    pub fn name_without_version(&self) -> &'static str {
        self.subject.rsplit_once('.').map_or(self.subject, |(name, _)| name)
    }

    /// The version of the payload's shape.
    pub fn version(&self) -> u32 {
        self.subject.rsplit_once(".v").and_then(|(_, version)| version.parse().ok()).unwrap_or(1)
    }

    /// The service that publishes it.
    pub fn producer(&self) -> String {
        format!("{}-service", self.context().replace('_', "-"))
    }

    /// The context of ours that publishes it, if one does.
    pub fn publisher(&self) -> Option<Context> {
        Context::ALL.into_iter().find(|context| context.as_str() == self.context())
    }

    /// The contexts of ours that read it.
    pub fn own_consumers(&self) -> impl Iterator<Item = Context> {
        Context::ALL.into_iter().filter(|context| self.consumers.contains(&context.service()))
    }

    /// Where goes what could not be digested: by the custom of the publishing context, or, for what others publish, of
    /// the first that reads it.
    pub fn dead_letter_topic(&self) -> String {
        let context = self.publisher().or_else(|| self.own_consumers().next()).unwrap_or(Context::Housekeeping);
        context.dead_letter_topic(self.subject)
    }

    /// A short label for metrics: `reservation.checked_out.v1`.
    pub fn metric_label(&self) -> &'static str {
        self.subject.strip_prefix("melmastoon.").unwrap_or(self.subject)
    }

    /// The schema of the payload: what a writer keeps to.
    pub fn schema(&self) -> Value {
        schema::annotated(self, (self.raw_schema)(self.status))
    }

    /// A payload that fits, the same every time.
    pub fn example(&self) -> Value {
        let example = crate::example::fitting(&self.schema());
        // Through the type and back, so that it is spelled as we would write it. Tested to work for every subject.
        (self.rewrite)(example.clone()).unwrap_or(example)
    }

    /// Reads a payload as its subject's type: the open schema, with unknown fields and words let through.
    pub(crate) fn check(&self, payload: &RawValue) -> Result<Option<TenantId>, SchemaFault> {
        (self.check)(payload.get())
    }

    /// The key that keeps events in order: `tenant:aggregate id`. `None` when the payload lacks the field.
    pub fn ordering_key(&self, tenant: &TenantId, payload: &RawValue) -> Option<String> {
        let value = match self.ordering {
            Ordering::FirstOf(names) => Fields(names).texts(payload)?.into_iter().flatten().next()?,
            Ordering::LowerOf(one, other) => {
                let both: Option<Vec<_>> = Fields(&[one, other]).texts(payload)?.into_iter().collect();
                both?.into_iter().min()?
            }
        };
        Some(format!("{tenant}:{value}"))
    }
}

/// Fields of a payload, by their names. All others are passed over: every event that is told is asked for its key.
#[derive(Clone, Copy)]
struct Fields<'a>(&'a [&'static str]);

impl Fields<'_> {
    /// The text of each, in this order; `None`: it is not there, or no text.
    fn texts(self, payload: &RawValue) -> Option<Vec<Option<&str>>> {
        let found = self.deserialize(&mut serde_json::Deserializer::from_str(payload.get())).ok()?;
        Some(found.into_iter().map(|value| serde_json::from_str(value?.get()).ok()).collect())
    }
}

impl<'de> DeserializeSeed<'de> for Fields<'_> {
    type Value = Vec<Option<&'de RawValue>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = Vec<Option<&'de RawValue>>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = vec![None; self.0.len()];
        while let Some(name) = map.next_key::<&str>()? {
            match self.0.iter().position(|wanted| *wanted == name) {
                Some(at) => found[at] = Some(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(found)
    }
}

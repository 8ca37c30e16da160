//! An event arrives, by push, by the embedded bus or by a replay: read it, apply it once, or file it with its reason.

use std::panic::AssertUnwindSafe;

use contracts::actor::Actor;
use contracts::ids::TenantId;
use contracts::subject::Subject;
use contracts::{Envelope, ReadError, cloudevents};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::{Backoff, DeadLetter};
use crate::database::{Fault, Interruption, Schema, UnitOfWork};
use crate::{Db, RequestContext};

/// Why a context cannot apply an event.
#[derive(Debug)]
pub enum NotApplied {
    /// It can never succeed: straight to the dead letters.
    Never {
        code: String,
        detail: String,
        pointer: Option<String>,
    },
    /// It may succeed later.
    Later(String),
    Fault(Fault),
}

impl NotApplied {
    /// It can never succeed.
    pub fn never(code: &str, detail: impl Into<String>) -> Self {
        Self::Never { code: code.to_owned(), detail: detail.into(), pointer: None }
    }
}

impl From<Fault> for NotApplied {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// What became of an event.
#[derive(Debug, PartialEq, Eq)]
pub enum Handled {
    Applied,
    /// Seen before; nothing was changed.
    AlreadyProcessed,
    /// In the dead letters.
    Buried,
    /// The sender may not speak for the event's tenant; nothing was looked at.
    NotTheirs,
}

/// Subject to story: implemented once by each context.
pub trait Handler: Send + Sync {
    fn handle<'a>(&'a self, uow: &'a mut UnitOfWork, event: &'a Envelope) -> BoxFuture<'a, Result<(), NotApplied>>;
}

/// A context's ear: what it listens to, and where its inbox and dead letters are.
#[derive(Clone)]
pub struct Subscription {
    pub name: &'static str,
    pub schema: &'static Schema,
    pub subjects: Vec<&'static str>,
    pub handler: std::sync::Arc<dyn Handler>,
    /// Those of the subjects of which the context keeps a mirror and no more, each event of what its ordering key names: their stories are
    /// committed several at a time.
    pub noted: &'static [&'static str],
    /// How often an event is tried, and the pauses in between: the catalogue's for the context.
    pub backoff: Backoff,
}

impl std::fmt::Debug for Subscription {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Subscription")
            .field("name", &self.name)
            .field("subjects", &self.subjects)
            .finish_non_exhaustive()
    }
}

/// A message as it came in.
#[derive(Clone, Copy, Debug)]
pub struct Inbound<'a> {
    pub bytes: &'a [u8],
    /// The subject it was addressed to (the path of a push, the topic of a delivery).
    pub subject: &'a str,
    /// For whom the sender may speak; `None` for the bus itself, which speaks for all.
    pub sender: Option<&'a TenantId>,
    /// How often it was tried, this time included.
    pub attempt: i32,
    /// Whether a message that fails for now has used up its attempts.
    pub last_attempt: bool,
}

/// What became of an event, with its dead letter where it has one.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) handled: Handled,
    pub(super) letter: Option<DeadLetter>,
}

impl From<Handled> for Told {
    fn from(handled: Handled) -> Self {
        Self { handled, letter: None }
    }
}

/// Reads, applies and commits. `Err` means: nothing happened, deliver it again.
pub async fn receive(db: &Db, subscription: &Subscription, message: Inbound<'_>) -> Result<Handled, Fault> {
    Ok(receive_and_tell(db, subscription, message).await?.handled)
}

/// The same, for whoever has to say why.
pub(super) async fn receive_and_tell(
    db: &Db,
    subscription: &Subscription,
    message: Inbound<'_>,
) -> Result<Told, Fault> {
    let outcome = match read_any(message.bytes) {
        Ok(event) => {
            if message.sender.is_some_and(|sender| *sender != event.tenant_id) {
                Ok(Handled::NotTheirs.into())
            } else if event.subject.as_str() != message.subject {
                let detail =
                    format!("addressed to {} but the envelope says {}", message.subject, event.subject.as_str());
                let letter = letter_of(&event, message, "SUBJECT_MISMATCH", &detail, Some("/subject"), subscription);
                bury(db, subscription, &event.tenant_id, letter).await
            } else if !subscription.subjects.contains(&event.subject.as_str()) {
                let (code, detail) = not_heard(&event, subscription);
                let letter = letter_of(&event, message, code, &detail, Some("/subject"), subscription);
                bury(db, subscription, &event.tenant_id, letter).await
            } else {
                apply(db, subscription, &event, message).await
            }
        }
        Err(error) => bury_unreadable(db, subscription, &error, message).await,
    };
    count(subscription, outcome.as_ref().map(|told| &told.handled));
    outcome
}

/// Counts what became of an event.
pub(super) fn count(subscription: &Subscription, outcome: Result<&Handled, &Fault>) {
    let word = match outcome {
        Ok(Handled::Applied) => "applied",
        Ok(Handled::AlreadyProcessed) => "already_processed",
        Ok(Handled::Buried) => "dead_letter",
        Ok(Handled::NotTheirs) => "refused",
        Err(_) => "failed",
    };
    metrics::counter!("melmastoon_events_received_total", "context" => subscription.name, "outcome" => word)
        .increment(1);
    if word == "already_processed" {
        duplicates(subscription).increment(1);
    }
}

/// Events that the inbox knew already, whichever way they came: the embedded bus, a broker, a push. Each is one that had its effect once
/// although it came twice.
fn duplicates(subscription: &Subscription) -> metrics::Counter {
    metrics::counter!("melmastoon_events_duplicate_total", "subscription" => subscription.name)
}

fn dead_letters(subscription: &Subscription) -> metrics::Counter {
    metrics::counter!("melmastoon_dead_letters_total", "context" => subscription.name)
}

/// See [`crate::begin_counting`].
pub(super) fn begin_counting(subscription: &Subscription) {
    duplicates(subscription).increment(0);
    dead_letters(subscription).increment(0);
    metrics::counter!("melmastoon_events_received_total", "context" => subscription.name, "outcome" => "failed")
        .increment(0);
}

/// Any of our three forms, or a structured `CloudEvents` event: that one has a `specversion` and no `payload`.
pub(super) fn read_any(bytes: &[u8]) -> Result<Envelope, ReadError> {
    let has = |word: &[u8]| bytes.windows(word.len()).any(|at| at == word);
    if has(br#""specversion""#) && !has(br#""payload""#) { cloudevents::read(bytes) } else { Envelope::read(bytes) }
}

/// Why nobody here can make anything of the subject: the codes are those of `contracts`.
fn not_heard(event: &Envelope, subscription: &Subscription) -> (&'static str, String) {
    let subject = &event.subject;
    let same =
        |known: &&str| Subject::parse(known).is_ok_and(|known| known.without_version() == subject.without_version());
    if subscription.subjects.iter().any(same) {
        let detail = format!("version {} of {} is not known here", subject.version(), subject.without_version());
        return ("EVENT_VERSION_UNKNOWN", detail);
    }
    let detail = format!("{} is not among the subjects that {} listens to", subject.as_str(), subscription.name);
    ("EVENT_SUBJECT_UNKNOWN", detail)
}

async fn apply(db: &Db, subscription: &Subscription, event: &Envelope, message: Inbound<'_>) -> Result<Told, Fault> {
    let outcome = match attempt(db, subscription, event).await {
        // Two that raced for the same row meet like this, and the second finds it at its next look.
        Err(NotApplied::Fault(Fault::Duplicate { .. })) => attempt(db, subscription, event).await,
        first => first,
    };
    let never = async |code: &str, detail: &str, pointer: Option<&str>| {
        let letter = letter_of(event, message, code, detail, pointer, subscription);
        bury(db, subscription, &event.tenant_id, letter).await
    };
    match outcome {
        Ok(()) => Ok(Handled::Applied.into()),
        Err(NotApplied::Fault(Fault::Interrupted(Interruption::AlreadyProcessed))) => {
            Ok(Handled::AlreadyProcessed.into())
        }
        Err(NotApplied::Never { code, detail, pointer }) => never(&code, &detail, pointer.as_deref()).await,
        Err(NotApplied::Fault(fault)) if fault.is_transient() => Err(fault),
        Err(NotApplied::Fault(fault @ Fault::EventTooLarge { .. })) => {
            never("EVENT_TOO_LARGE", &fault.to_string(), None).await
        }
        Err(NotApplied::Fault(fault @ (Fault::Unstorable { .. } | Fault::Duplicate { .. }))) => {
            never("EVENT_UNSTORABLE", &fault.to_string(), None).await
        }
        Err(NotApplied::Fault(fault)) => later(db, subscription, event, message, fault).await,
        Err(NotApplied::Later(detail)) => {
            let fault = Fault::Unexpected { place: event.subject.as_str().to_owned(), detail };
            later(db, subscription, event, message, fault).await
        }
    }
}

/// One run of the story, committed if it went well. A story that panics is one that failed: it must not take the others'
/// work with it.
async fn attempt(db: &Db, subscription: &Subscription, event: &Envelope) -> Result<(), NotApplied> {
    let mut uow = db.begin(subscription.schema, context_of(db, event)).await?;
    uow.once_per_event(event.subject.as_str(), &event.id);
    let story = AssertUnwindSafe(subscription.handler.handle(&mut uow, event)).catch_unwind().await;
    match story.unwrap_or_else(|_| Err(NotApplied::Later("the story panicked; the log says where".to_owned()))) {
        Ok(()) => Ok(uow.commit().await?),
        Err(refusal) => {
            uow.rollback().await?;
            Err(refusal)
        }
    }
}

/// Not now: another attempt, or the dead letters after the last.
async fn later(
    db: &Db,
    subscription: &Subscription,
    event: &Envelope,
    message: Inbound<'_>,
    fault: Fault,
) -> Result<Told, Fault> {
    if !message.last_attempt {
        return Err(fault);
    }
    let letter = letter_of(event, message, "EVENT_ATTEMPTS_EXHAUSTED", &fault.to_string(), None, subscription);
    bury(db, subscription, &event.tenant_id, letter).await
}

pub(super) fn context_of(db: &Db, event: &Envelope) -> RequestContext {
    RequestContext {
        tenant: event.tenant_id.clone(),
        actor: event.actor.clone().unwrap_or_else(|| Actor::system("sys_melmastoon")),
        correlation_id: event.correlation_id.clone().unwrap_or_else(|| event.id.as_str().to_owned()),
        causation_id: Some(event.id.as_str().to_owned()),
        traceparent: event.traceparent.clone().unwrap_or_else(|| crate::telemetry::new_traceparent(db.ids())),
        locale: None,
    }
}

fn letter_of(
    event: &Envelope,
    message: Inbound<'_>,
    name: &str,
    error: &str,
    pointer: Option<&str>,
    subscription: &Subscription,
) -> DeadLetter {
    DeadLetter {
        event_id: Some(event.id.as_str().to_owned()),
        subject: message.subject.to_owned(),
        message: String::from_utf8_lossy(message.bytes).into_owned(),
        code: code_of(subscription, name),
        error: error.to_owned(),
        pointer: pointer.map(str::to_owned),
        attempts: message.attempt,
    }
}

fn code_of(subscription: &Subscription, name: &str) -> String {
    if name.starts_with("MELMASTOON.") {
        return name.to_owned();
    }
    format!("MELMASTOON.{}.{name}", subscription.name.to_uppercase())
}

async fn bury_unreadable(
    db: &Db,
    subscription: &Subscription,
    error: &ReadError,
    message: Inbound<'_>,
) -> Result<Told, Fault> {
    // Filed under the tenant it names, if the sender may speak for that one; else under the sender's own.
    let Some(tenant) = message.sender.or(error.tenant_id()).cloned().or_else(|| TenantId::parse("tnt_unknown").ok())
    else {
        return Err(Fault::Unexpected { place: "bury".to_owned(), detail: "no tenant".to_owned() });
    };
    let letter = DeadLetter {
        event_id: error.called().map(str::to_owned),
        subject: message.subject.to_owned(),
        message: String::from_utf8_lossy(message.bytes).replace('\0', "\u{fffd}"),
        code: code_of(subscription, error.code()),
        error: error.to_string(),
        pointer: error.pointer().map(str::to_owned),
        attempts: message.attempt,
    };
    bury(db, subscription, &tenant, letter).await
}

async fn bury(db: &Db, subscription: &Subscription, tenant: &TenantId, letter: DeadLetter) -> Result<Told, Fault> {
    let mut uow = db.begin_for(subscription.schema, tenant).await?;
    uow.bury(&letter);
    uow.commit().await?;
    tracing::warn!(event = letter.event_id, subject = letter.subject, code = letter.code, "filed in the dead letters");
    dead_letters(subscription).increment(1);
    Ok(Told { handled: Handled::Buried, letter: Some(letter) })
}

//! Stories that only note something down, several in one transaction.
//!
//! A context says of which subjects it keeps no more than a mirror: how clean a room is, for one. Of those, all that is claimed at once is committed
//! tenant by tenant. A story that turns out to do more, an event that cannot be read, and whatever fails are told by themselves, as if
//! nobody had tried: until a commit nothing has happened.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;

use contracts::Envelope;
use contracts::ids::TenantId;
use futures_util::FutureExt as _;
use futures_util::stream::{self, StreamExt as _};
use tokio_postgres::Row;

use super::inbound::{context_of, count, read_any};
use super::worker::{AT_ONCE, Ended, Worker};
use super::{Handled, Subscription};
use crate::RequestContext;
use crate::database::Note;

/// An event that is only noted down.
struct Noted {
    context: RequestContext,
    row: Row,
    note: Note,
}

impl Worker {
    /// What became of those that are only noted down, and the rows of all others.
    pub(super) async fn note_down(&self, subscription: &Subscription, claimed: Vec<Row>) -> (Vec<Ended>, Vec<Row>) {
        let (mut of_tenants, mut others) = (BTreeMap::<TenantId, Vec<Noted>>::new(), Vec::new());
        for row in claimed {
            match self.note_of(subscription, row).await {
                Ok(noted) => of_tenants.entry(noted.context.tenant.clone()).or_default().push(noted),
                Err(row) => others.push(row),
            }
        }
        let kept = of_tenants.into_values().map(|noted| self.keep(subscription, noted));
        let kept: Vec<_> = stream::iter(kept).buffer_unordered(AT_ONCE).collect().await;
        let mut ended = Vec::new();
        for outcome in kept {
            match outcome {
                Ok(kept) => ended.extend(kept),
                Err(rows) => others.extend(rows),
            }
        }
        (ended, others)
    }

    /// Err: it is told by itself.
    async fn note_of(&self, subscription: &Subscription, row: Row) -> Result<Noted, Row> {
        let subject: &str = row.get("subject");
        if !subscription.noted.contains(&subject) {
            return Err(row);
        }
        let Some(event) = read_any(row.get::<_, &str>("envelope").as_bytes()).ok() else { return Err(row) };
        if event.subject.as_str() != subject {
            return Err(row);
        }
        match self.told(subscription, &event).await {
            Some((context, note)) => Ok(Noted { context, row, note }),
            None => Err(row),
        }
    }

    async fn told(&self, subscription: &Subscription, event: &Envelope) -> Option<(RequestContext, Note)> {
        let mut uow = self.stories.begin(subscription.schema, context_of(&self.stories, event)).await.ok()?;
        uow.once_per_event(event.subject.as_str(), &event.id);
        let story = AssertUnwindSafe(subscription.handler.handle(&mut uow, event)).catch_unwind().await;
        match story {
            Ok(Ok(())) if uow.is_note() => Some((uow.context().clone(), uow.into_note()?)),
            // It has read: its connection goes back clean, and the story is told again from its beginning.
            _ => {
                uow.rollback().await.ok()?;
                None
            }
        }
    }

    /// Always by key, so that two who note down the same things wait for each other and not both. Err: nothing was kept.
    async fn keep(&self, subscription: &Subscription, mut all: Vec<Noted>) -> Result<Vec<Ended>, Vec<Row>> {
        all.sort_by(|one, other| one.row.get::<_, &str>("ordering_key").cmp(other.row.get("ordering_key")));
        // All that is written is theirs already: of whom the transaction is matters to its tenant alone.
        let Some(context) = all.first().map(|one| one.context.clone()) else { return Ok(Vec::new()) };
        let (rows, notes): (Vec<Row>, Vec<Note>) = all.into_iter().map(|one| (one.row, one.note)).unzip();
        let kept = async { self.stories.begin(subscription.schema, context).await?.keep_notes(notes).await }.await;
        let new = match kept {
            Ok(new) => new,
            Err(fault) => {
                tracing::debug!(%fault, context = subscription.name, "not noted down together; one by one instead");
                return Err(rows);
            }
        };
        let handled = new.into_iter().map(|new| if new { Handled::Applied } else { Handled::AlreadyProcessed });
        let ended = rows.iter().zip(handled).map(|(row, handled)| {
            count(subscription, Ok(&handled));
            Ended { offset: row.get("log_offset"), attempts: row.get("attempts"), outcome: Ok(handled) }
        });
        Ok(ended.collect())
    }
}

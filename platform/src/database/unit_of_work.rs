//! One transaction for one tenant: what is read, decided and owed inside it is committed together or not at all.
//!
//! Two round trips are the rule. The first carries BEGIN, the tenant, the inbox or idempotency claim and the first
//! reads; the second carries all writes and COMMIT. Nothing here may be skipped by a caller: the only way to change
//! an aggregate is [`UnitOfWork::save`], which owes the outbox and audit rows with it.

use std::borrow::Cow;

use contracts::ids::{EventId, PrefixedId};
use contracts::subject::Subject;
use contracts::time::Timestamp;
use contracts::{Envelope, Form, MAX_EVENT_BYTES, Metadata, WriteError};
use deadpool_postgres::Object;
use futures_util::future::{join, join_all};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::one_statement::{DecidedRow, Write, gathered};
use super::{Db, Fault, Interruption, RowChange, Schema, Scribe, Sql, Stored};
use crate::decided::Decided;
use crate::{RequestContext, params};

/// A parameter that outlives the call that made it.
pub type Param = Box<dyn ToSql + Sync + Send>;

/// A read to be sent together with others.
#[derive(Debug)]
pub struct Read<'a> {
    pub sql: &'static Sql,
    pub params: &'a [&'a (dyn ToSql + Sync)],
}

/// An idempotency key as the caller gave it.
#[derive(Clone, Debug)]
pub struct Claim {
    pub route: String,
    pub key: String,
    pub request_hash: String,
}

/// The answer to a request, as it is kept for its replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredResponse {
    pub status: u16,
    /// The body to the byte.
    pub body: String,
    pub content_type: String,
    pub location: Option<String>,
    pub etag: Option<String>,
}

/// Writes that are sent together: few enough that `join_all` polls, and so sends, in order.
const GROUP: usize = 24;

/// What must be true for the work to begin at all.
#[derive(Debug)]
enum Entry {
    Free,
    Inbox { topic: String, message_id: String },
    Key(Claim),
}

#[derive(Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing was sent.
    Idle,
    /// A transaction is, or may be, open.
    Open,
    /// Committed or rolled back: the connection is clean.
    Done,
}

struct Announcement {
    id: EventId,
    subject: &'static str,
    payload: String,
    meta: String,
    ordering_key: String,
    property: Option<String>,
    kind: &'static str,
    aggregate: String,
}

/// See the module.
#[must_use = "a unit of work that is dropped does nothing"]
pub struct UnitOfWork {
    connection: Option<Object>,
    db: Db,
    schema: &'static Schema,
    context: RequestContext,
    now: Timestamp,
    stage: Stage,
    entry: Entry,
    writes: Vec<Write>,
    saves: usize,
    announcements: Vec<Announcement>,
    /// A fault met while saving, told at commit.
    spoiled: Option<Fault>,
}

impl std::fmt::Debug for UnitOfWork {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("UnitOfWork")
            .field("tenant", &self.context.tenant)
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}

impl UnitOfWork {
    pub(crate) fn new(connection: Object, db: Db, schema: &'static Schema, context: RequestContext) -> Self {
        let now = db.clock().now();
        Self {
            connection: Some(connection),
            db,
            schema,
            context,
            now,
            stage: Stage::Idle,
            entry: Entry::Free,
            writes: Vec::new(),
            saves: 0,
            announcements: Vec::new(),
            spoiled: None,
        }
    }

    /// The moment of this unit of work: one for all it does.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    pub fn context(&self) -> &RequestContext {
        &self.context
    }

    /// A new id whose time is this unit's moment.
    pub fn next_id<I: PrefixedId>(&self) -> I {
        self.db.ids().next(self.now)
    }

    /// Handle this event once: if the inbox knows it, the first read ends with `AlreadyProcessed`.
    pub fn once_per_event(&mut self, topic: &str, message_id: &EventId) {
        self.entry = Entry::Inbox { topic: topic.to_owned(), message_id: message_id.as_str().to_owned() };
    }

    /// Answer this key once: if it has its answer, or is at work elsewhere, the first read says so.
    pub fn once_per_key(&mut self, claim: Claim) {
        self.entry = Entry::Key(claim);
    }

    pub async fn read(&mut self, sql: &'static Sql, params: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, Fault> {
        let [rows] = self.read_together([Read { sql, params }]).await?;
        Ok(rows)
    }

    pub async fn read_one(&mut self, sql: &'static Sql, params: &[&(dyn ToSql + Sync)]) -> Result<Option<Row>, Fault> {
        Ok(self.read(sql, params).await?.into_iter().next())
    }

    /// Several reads in one round trip, run in this order by the server, each seeing what is committed when it starts.
    pub async fn read_together<const N: usize>(&mut self, reads: [Read<'_>; N]) -> Result<[Vec<Row>; N], Fault> {
        let connection = self.connection.as_ref().ok_or_else(finished)?;
        let mut statements = Vec::with_capacity(N);
        for read in &reads {
            let prepared = connection.prepare_cached(read.sql.text).await;
            statements.push(prepared.map_err(|error| Fault::from_postgres(read.sql.name, &error))?);
        }
        let opening = if self.stage == Stage::Idle { Some(Opening::of(self).await?) } else { None };
        let connection = self.connection.as_ref().ok_or_else(finished)?;
        self.stage = Stage::Open;
        let queries =
            join_all(reads.iter().zip(&statements).map(|(read, statement)| connection.query(statement, read.params)));
        // Polled in this order, and so sent in this order, without waiting in between.
        let (opened, answers) = match &opening {
            Some(opening) => join(opening.send(connection), queries).await,
            None => (Ok(None), queries.await),
        };
        let mut failed = None;
        let mut results: [Vec<Row>; N] = std::array::from_fn(|_| Vec::new());
        for ((answer, read), slot) in answers.into_iter().zip(&reads).zip(&mut results) {
            match answer {
                Ok(rows) => *slot = rows,
                Err(error) => failed = failed.or(Some(Fault::from_postgres(read.sql.name, &error))),
            }
        }
        if let Some(interruption) = opened? {
            return Err(Fault::Interrupted(interruption));
        }
        failed.map_or(Ok(results), Err)
    }

    /// Queues a decision: the aggregate's rows, its outbox rows and its audit rows. Returns the new state.
    pub fn save<A: Stored>(&mut self, decided: Decided<A>) -> A {
        let Decided { state, events } = decided;
        let scribe = Scribe { tenant: &self.context.tenant, actor: &self.context.actor, now: self.now };
        self.saves += 1;
        for RowChange { sql, params } in state.rows(&events, &scribe) {
            let decided = DecidedRow { aggregate: (A::KIND, state.aggregate_id()), save: self.saves };
            let text = Cow::Borrowed(sql.text);
            self.writes.push(Write { place: sql.name, text, params, decided: Some(decided) });
        }
        let published: Vec<_> = events.iter().map(|event| state.publish(event, &scribe)).collect();
        for event in published {
            let announcement = match event.payload {
                Ok(payload) => self.announcement::<A>(&state, event.subject, &payload),
                Err(detail) => Err(Fault::Unexpected { place: event.subject.to_owned(), detail }),
            };
            match announcement {
                Ok(announcement) => self.announcements.push(announcement),
                Err(fault) => self.spoiled = self.spoiled.take().or(Some(fault)),
            }
        }
        state
    }

    /// Queues a row that mirrors what another context told, or that an edge keeps for itself. Never an aggregate's.
    pub fn project(&mut self, sql: &'static Sql, params: Vec<Param>) {
        self.queue(sql.name, sql.text, params);
    }

    fn queue(&mut self, place: &'static str, text: &'static str, params: Vec<Param>) {
        self.writes.push(Write { place, text: Cow::Borrowed(text), params, decided: None });
    }

    /// Keeps the answer under its idempotency key, in the same transaction.
    pub fn keep_reply(&mut self, reply: &StoredResponse) {
        let Entry::Key(claim) = &self.entry else { return };
        let params = params![
            self.context.tenant.as_str().to_owned(),
            claim.route.clone(),
            claim.key.clone(),
            claim.request_hash.clone(),
            crate::http::fingerprint(reply.body.as_bytes()),
            serde_json::to_string(reply).unwrap_or_default(),
            i32::from(reply.status),
            self.now.jiff(),
        ];
        self.queue("keep_reply", &self.schema.keep_reply, params);
    }

    /// Files a message that can never be applied, so that nothing is lost silently.
    pub fn bury(&mut self, letter: &crate::bus::DeadLetter) {
        let params = params![
            format!("dlq_{}", self.db.ids().ulid(self.now)),
            self.context.tenant.as_str().to_owned(),
            letter.event_id.clone(),
            letter.subject.clone(),
            letter.message.clone(),
            letter.code.clone(),
            letter.error.clone(),
            letter.pointer.clone(),
            letter.attempts,
            self.now.jiff(),
        ];
        self.queue("bury", &self.schema.bury, params);
    }

    /// Sends all that was queued and COMMIT in one round trip, and checks every answer.
    pub async fn commit(mut self) -> Result<(), Fault> {
        if let Some(fault) = self.spoiled.take() {
            self.rollback().await?;
            return Err(fault);
        }
        self.gather();
        if self.stage == Stage::Idle {
            if self.writes.is_empty() && matches!(self.entry, Entry::Free) {
                self.stage = Stage::Done;
                return Ok(());
            }
            if let Err(fault) = self.open().await {
                if !matches!(fault, Fault::Unavailable(_)) {
                    self.rollback().await?;
                }
                return Err(fault);
            }
        }
        let writes = std::mem::take(&mut self.writes);
        let mut answered = false;
        let outcome = self.send_writes(&writes, &mut answered).await;
        // Only a COMMIT that was answered has closed the transaction; a statement that failed before it has turned it
        // into a rollback. Where it was never sent, the connection is thrown away with the transaction.
        if answered {
            self.stage = Stage::Done;
        }
        if outcome.is_ok() && !self.announcements.is_empty() {
            self.db.committed().notify_one();
        }
        outcome
    }

    /// Gives everything up; the connection goes back clean.
    pub async fn rollback(mut self) -> Result<(), Fault> {
        if self.stage == Stage::Open {
            let connection = self.connection.as_ref().ok_or_else(finished)?;
            connection.batch_execute("ROLLBACK").await.map_err(|error| Fault::from_postgres("rollback", &error))?;
        }
        self.stage = Stage::Done;
        Ok(())
    }

    /// Opens the transaction now, for what has nothing to read.
    async fn open(&mut self) -> Result<(), Fault> {
        let opening = Opening::of(self).await?;
        self.stage = Stage::Open;
        let connection = self.connection.as_ref().ok_or_else(finished)?;
        match opening.send(connection).await? {
            Some(interruption) => Err(Fault::Interrupted(interruption)),
            None => Ok(()),
        }
    }

    async fn send_writes(&self, writes: &[Write], answered: &mut bool) -> Result<(), Fault> {
        let connection = self.connection.as_ref().ok_or_else(finished)?;
        let mut statements = Vec::with_capacity(writes.len());
        for write in writes {
            let prepared = connection.prepare_cached(&write.text).await;
            statements.push(prepared.map_err(|error| Fault::from_postgres(write.place, &error))?);
        }
        let groups = writes.len().div_ceil(GROUP).max(1);
        for group in 0..groups {
            let slice = group * GROUP..writes.len().min((group + 1) * GROUP);
            let sent =
                join_all(writes[slice.clone()].iter().zip(&statements[slice.clone()]).map(|(write, statement)| {
                    connection.execute_raw(statement, write.params.iter().map(|param| &**param as &(dyn ToSql + Sync)))
                }));
            let last = group + 1 == groups;
            let finish = async { if last { connection.batch_execute("COMMIT").await } else { Ok(()) } };
            let (answers, finished) = join(sent, finish).await;
            *answered = last && finished.is_ok();
            for (answer, write) in answers.into_iter().zip(&writes[slice]) {
                answer.map_err(|error| Fault::from_postgres(write.place, &error))?;
            }
            finished.map_err(|error| Fault::from_postgres("commit", &error))?;
        }
        Ok(())
    }

    fn announcement<A: Stored>(
        &self,
        state: &A,
        subject: &'static str,
        payload: &RawValue,
    ) -> Result<Announcement, Fault> {
        let unexpected = |detail: String| Fault::Unexpected { place: subject.to_owned(), detail };
        contracts::validate_written(subject, payload).map_err(|error| match error {
            WriteError::TooLarge { bytes } => Fault::EventTooLarge { size: bytes, limit: MAX_EVENT_BYTES },
            other => unexpected(other.to_string()),
        })?;
        let id: EventId = self.next_id();
        let aggregate = state.aggregate_id();
        let ordering_key = format!("{}:{aggregate}", self.context.tenant);
        // The payload has a column of its own; here it is only held open, and left out of what is stored.
        let envelope = Envelope {
            id: id.clone(),
            subject: Subject::parse(subject).map_err(|error| unexpected(error.to_string()))?,
            tenant_id: self.context.tenant.clone(),
            occurred_at: self.now,
            producer: self.schema.producer.clone(),
            actor: Some(self.context.actor.clone()),
            correlation_id: Some(self.context.correlation_id.clone()),
            causation_id: self.context.causation_id.clone(),
            traceparent: Some(self.context.traceparent.clone()),
            idempotency_key: None,
            metadata: match self.schema.form {
                Form::Housekeeping => Metadata::default(),
                Form::Staff | Form::Reservation => {
                    Metadata { ordering_key: Some(ordering_key.clone()), ..Metadata::default() }
                }
            },
            payload: RawValue::from_string("{}".to_owned()).map_err(|error| unexpected(error.to_string()))?,
        };
        let meta = envelope.write(self.schema.form).map_err(|error| unexpected(error.to_string()))?;
        let meta = String::from_utf8(meta).map_err(|error| unexpected(error.to_string()))?;
        let property = state.property_id().map(|property| property.as_str().to_owned());
        let payload = payload.get().to_owned();
        Ok(Announcement { id, subject, payload, meta, ordering_key, property, kind: A::KIND, aggregate })
    }

    /// The rows decided on and everything they owe become one statement, where they can.
    fn gather(&mut self) {
        if self.announcements.is_empty() {
            return;
        }
        let all = &self.announcements;
        let texts = |pick: fn(&Announcement) -> String| -> Vec<String> { all.iter().map(pick).collect() };
        let params = params![
            self.context.tenant.as_str().to_owned(),
            texts(|a| a.id.as_str().to_owned()),
            texts(|a| a.subject.to_owned()),
            texts(|a| a.payload.clone()),
            texts(|a| a.meta.clone()),
            texts(|a| a.ordering_key.clone()),
            all.iter().map(|a| a.property.clone()).collect::<Vec<Option<String>>>(),
            texts(|a| a.kind.to_owned()),
            texts(|a| a.aggregate.clone()),
            self.now.jiff(),
            serde_json::to_string(&self.context.actor).unwrap_or_else(|_| "{}".to_owned()),
        ];
        gathered(&mut self.writes, &self.schema.announce, params);
    }
}

impl Drop for UnitOfWork {
    fn drop(&mut self) {
        // Dropped in flight: the transaction, and its tenant, may still be open on the connection. Throw it away.
        if self.stage == Stage::Open
            && let Some(connection) = self.connection.take()
        {
            drop(Object::take(connection));
        }
    }
}

/// The messages that open a transaction, prepared before any is sent.
struct Opening {
    begin: String,
    entry: Option<(tokio_postgres::Statement, Vec<Param>)>,
    /// The request that the key, if there is one, must have been used for.
    request_hash: Option<String>,
}

impl Opening {
    async fn of(uow: &UnitOfWork) -> Result<Self, Fault> {
        let connection = uow.connection.as_ref().ok_or_else(finished)?;
        // A tenant id has no quote in it: its type sees to that.
        // SET LOCAL rather than set_config: it is not planned, and the message carries its own text every time.
        let begin = format!("BEGIN; SET LOCAL app.tenant_id = '{}'", uow.context.tenant);
        let tenant = uow.context.tenant.as_str().to_owned();
        let (text, params, request_hash): (&str, Vec<Param>, _) = match &uow.entry {
            Entry::Free => return Ok(Self { begin, entry: None, request_hash: None }),
            Entry::Inbox { topic, message_id } => (
                &uow.schema.enter_inbox,
                vec![Box::new(topic.clone()), Box::new(message_id.clone()), Box::new(tenant), Box::new(uow.now.jiff())],
                None,
            ),
            Entry::Key(claim) => {
                let lock = crate::http::lock_number(&[&tenant, &claim.route, &claim.key]);
                let oldest = uow.now.plus_seconds(-24 * 60 * 60);
                (
                    &uow.schema.claim_key,
                    vec![
                        Box::new(tenant),
                        Box::new(claim.route.clone()),
                        Box::new(claim.key.clone()),
                        Box::new(oldest.jiff()),
                        Box::new(lock),
                    ],
                    Some(claim.request_hash.clone()),
                )
            }
        };
        let statement = connection.prepare_cached(text).await.map_err(|error| Fault::from_postgres("entry", &error))?;
        Ok(Self { begin, entry: Some((statement, params)), request_hash })
    }

    async fn send(&self, connection: &Object) -> Result<Option<Interruption>, Fault> {
        let fault = |error: tokio_postgres::Error| Fault::from_postgres("begin", &error);
        let entry = async {
            match &self.entry {
                Some((statement, params)) => {
                    let params: Vec<_> = params.iter().map(|param| &**param as &(dyn ToSql + Sync)).collect();
                    connection.query_opt(statement, &params).await.map(Some)
                }
                None => Ok(None),
            }
        };
        let (began, entered) = join(connection.batch_execute(&self.begin), entry).await;
        began.map_err(fault)?;
        let Some(row) = entered.map_err(fault)? else { return Ok(None) };
        let Some(request_hash) = &self.request_hash else {
            return Ok(row.is_none().then_some(Interruption::AlreadyProcessed));
        };
        let Some(row) = row else { return Ok(None) };
        if let Some(earlier) = row.get::<_, Option<String>>("request_hash") {
            if earlier != *request_hash {
                return Ok(Some(Interruption::KeyReused));
            }
            let kept: String = row.get("response");
            return serde_json::from_str(&kept)
                .map(|reply| Some(Interruption::Replay(reply)))
                .map_err(|error| Fault::Unexpected { place: "claim_key".to_owned(), detail: error.to_string() });
        }
        Ok((!row.get::<_, bool>("mine")).then_some(Interruption::InFlight))
    }
}

fn finished() -> Fault {
    Fault::Unexpected { place: "unit of work".to_owned(), detail: "used after its end".to_owned() }
}

//! One transaction for one tenant: what is read, decided and owed inside it is committed together or not at all.
//!
//! Two round trips are the rule. The first carries BEGIN, the tenant, the inbox or idempotency claim and the first
//! reads; the second carries all writes and COMMIT. Nothing here may be skipped by a caller: the only way to change
//! an aggregate is [`UnitOfWork::save`], which owes the outbox and audit rows with it; and the tenant is `$1` of every
//! statement, bound here and by nobody else.

use std::borrow::Cow;
use std::pin::Pin;

use contracts::ids::{EventId, PrefixedId, PropertyId, TenantId};
use contracts::time::Timestamp;
use deadpool_postgres::Object;
use futures_util::future::{join, join_all, maybe_done};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::announcement::{self, Announcement};
use super::beginning::{Beginning, Claim, Condition, StoredResponse};
use super::together::{Write, joined};
use super::touched::Touched;
use super::{Change, Db, Fault, RowChange, Schema, Scribe, Sql, Stored};
use crate::decided::Decided;
use crate::{RequestContext, params};

/// A parameter that outlives the call that made it.
pub type Param = Box<dyn ToSql + Sync + Send>;

/// A read to be sent together with others. Its parameters are those from `$2` on.
#[derive(Debug)]
pub struct Read<'a> {
    pub sql: &'static Sql,
    pub params: &'a [&'a (dyn ToSql + Sync)],
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

/// One transaction for one tenant, at one moment. Dropped without [`commit`](Self::commit) or [`rollback`](Self::rollback) it
/// changes nothing, and costs the pool its connection.
#[must_use = "a unit of work that is dropped does nothing"]
pub struct UnitOfWork {
    connection: Option<Object>,
    db: Db,
    schema: &'static Schema,
    context: RequestContext,
    now: Timestamp,
    stage: Stage,
    condition: Condition,
    writes: Vec<Write>,
    announcements: Vec<Announcement>,
    touched: Touched,
    /// Where the tenant's data lies, as its events say.
    residency: Option<String>,
    /// A fault met while saving, told at commit.
    spoiled: Option<Fault>,
    /// What is told from here on was done earlier, away from the net.
    replayed: bool,
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
            condition: Condition::Free,
            writes: Vec::new(),
            announcements: Vec::new(),
            touched: Touched::default(),
            residency: None,
            spoiled: None,
            replayed: false,
        }
    }

    /// The moment of this unit of work: one for all it does.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    pub fn context(&self) -> &RequestContext {
        &self.context
    }

    /// What is saved from here on was done earlier, away from the net, and is told so.
    pub fn replay(&mut self) {
        self.replayed = true;
    }

    /// A new id whose time is this unit's moment.
    pub fn next_id<I: PrefixedId>(&self) -> I {
        self.db.ids().next(self.now)
    }

    /// Where the tenant's data lies: what is saved from here on says so in its events.
    pub fn resides_in(&mut self, region: &str) {
        self.residency = Some(region.to_owned());
    }

    /// Handle this event once: if the inbox knows it, the first read ends with `AlreadyProcessed`.
    pub fn once_per_event(&mut self, topic: &str, message_id: &EventId) {
        // Hotels count their events as they like: what two of them call by one name is still two.
        let message_id = format!("{}/{message_id}", self.context.tenant);
        self.condition = Condition::Inbox { topic: topic.to_owned(), message_id };
    }

    /// Answer this key once: if it has its answer, or is at work elsewhere, the first read says so.
    pub fn once_per_key(&mut self, claim: Claim) {
        self.condition = Condition::Key(claim);
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
        let beginning = if self.stage == Stage::Idle { Some(self.beginning().await?) } else { None };
        let connection = self.connection.as_ref().ok_or_else(finished)?;
        self.stage = Stage::Open;
        let bound: Vec<_> = reads.iter().map(|read| with_tenant(&self.context.tenant, read.params)).collect();
        let queries =
            join_all(bound.iter().zip(&statements).map(|(params, statement)| connection.query(statement, params)));
        // Polled in this order, and so sent in this order, without waiting in between.
        let (opened, answers) = match &beginning {
            Some(beginning) => join(beginning.send(connection), queries).await,
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
        let Decided { state, from, events } = decided;
        let scribe = Scribe { tenant: &self.context.tenant, actor: &self.context.actor, now: self.now };
        for RowChange { sql, params } in state.rows(&Change { from, events: &events }, &scribe) {
            self.writes.push(Write { place: sql.name, text: Cow::Borrowed(sql.text), params });
        }
        let told: Vec<_> = events
            .iter()
            .zip(from.unwrap_or(0) + 1..)
            .map(|(event, version)| state.tell(event, version, &scribe))
            .collect();
        for event in told {
            let (told, residency) = ((self.now, self.replayed), self.residency.as_deref());
            let id = self.next_id();
            match Announcement::new(id, self.schema, &self.context, told, &state, event, residency) {
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
        self.writes.push(Write { place, text: Cow::Borrowed(text), params });
    }

    /// Keeps the answer under its idempotency key, in the same transaction.
    pub fn keep_reply(&mut self, reply: &StoredResponse) {
        let Condition::Key(claim) = &self.condition else { return };
        let params = params![
            claim.route.clone(),
            claim.key.clone(),
            claim.request_hash.clone(),
            crate::http::fingerprint(reply.body.as_bytes()),
            serde_json::to_string(reply).unwrap_or_default(),
            i32::from(reply.status),
            self.now,
        ];
        self.queue("keep_reply", &self.schema.keep_reply, params);
    }

    /// Files a message that can never be applied, so that nothing is lost silently.
    pub fn bury(&mut self, letter: &crate::bus::DeadLetter) {
        let params = params![
            format!("dlq_{}", self.db.ids().ulid(self.now)),
            letter.event_id.clone(),
            letter.subject.clone(),
            letter.message.clone(),
            letter.code.clone(),
            letter.error.clone(),
            letter.pointer.clone(),
            letter.attempts,
            self.now,
        ];
        self.queue("bury", &self.schema.bury, params);
    }

    /// This property's board shows something else after the commit, though no event tells it: open boards look again.
    pub fn touch_board(&mut self, property: &PropertyId) {
        self.touched.one(property);
    }

    /// The same for all boards of the tenant.
    pub fn touch_all_boards(&mut self) {
        self.touched.all();
    }

    /// Sends all that was queued and COMMIT in one round trip, and checks every answer.
    pub async fn commit(mut self) -> Result<(), Fault> {
        if let Some(fault) = self.spoiled.take() {
            self.rollback().await?;
            return Err(fault);
        }
        self.announce();
        if self.touched.any() {
            let params = self.touched.params(self.now, || self.next_id());
            self.queue("touch_boards", &self.schema.touch_boards, params);
        }
        if self.stage == Stage::Idle {
            if self.writes.is_empty() && matches!(self.condition, Condition::Free) {
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
        let writes = joined(std::mem::take(&mut self.writes));
        let mut answered = false;
        let outcome = self.send_writes(&writes, &mut answered).await;
        // Only a COMMIT that was answered has closed the transaction; a statement that failed before it has turned it
        // into a rollback. Where it was never sent, the connection is thrown away with the transaction.
        if answered {
            self.stage = Stage::Done;
        }
        if outcome.is_ok() && (!self.announcements.is_empty() || self.touched.any()) {
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

    async fn beginning(&self) -> Result<Beginning, Fault> {
        let connection = self.connection.as_ref().ok_or_else(finished)?;
        Beginning::of(connection, self.schema, &self.context.tenant, &self.condition, self.now).await
    }

    /// Opens the transaction now, for what has nothing to read.
    async fn open(&mut self) -> Result<(), Fault> {
        let beginning = self.beginning().await?;
        self.stage = Stage::Open;
        let connection = self.connection.as_ref().ok_or_else(finished)?;
        match beginning.send(connection).await? {
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
        let mut sent: Vec<_> = writes
            .iter()
            .zip(&statements)
            .map(|(write, statement)| {
                let tenant = std::iter::once(&self.context.tenant as &(dyn ToSql + Sync));
                let params: Vec<_> = tenant.chain(write.params.iter().map(|param| &**param as _)).collect();
                Box::pin(maybe_done(connection.execute_raw(statement, params)))
            })
            .collect();
        // Polled in this order, and so sent in this order, without waiting in between. What cannot even be sent, since a value
        // does not fit its parameter, has ended by now: COMMIT is then kept back, or it would keep half of the work.
        for one in &mut sent {
            let _ = futures_util::poll!(one.as_mut());
        }
        let whole = sent.iter_mut().all(|one| one.as_mut().output_mut().is_none_or(|answer| answer.is_ok()));
        let finish = async { if whole { connection.batch_execute("COMMIT").await } else { Ok(()) } };
        let (finished, _) = join(finish, join_all(sent.iter_mut().map(Pin::as_mut))).await;
        *answered = whole && finished.is_ok();
        for (one, write) in sent.iter_mut().zip(writes) {
            if let Some(Err(error)) = one.as_mut().take_output() {
                return Err(Fault::from_postgres(write.place, &error));
            }
        }
        finished.map_err(|error| Fault::from_postgres("commit", &error))
    }

    /// Everything the decisions owe, in one statement behind their rows.
    fn announce(&mut self) {
        if self.announcements.is_empty() {
            return;
        }
        let params = announcement::params(&self.announcements, &self.context, self.now);
        self.queue("announce", &self.schema.announce, params);
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

/// Every statement's `$1` is the tenant.
fn with_tenant<'a>(tenant: &'a TenantId, params: &[&'a (dyn ToSql + Sync)]) -> Vec<&'a (dyn ToSql + Sync)> {
    let mut bound: Vec<&(dyn ToSql + Sync)> = Vec::with_capacity(params.len() + 1);
    bound.push(tenant);
    bound.extend_from_slice(params);
    bound
}

fn finished() -> Fault {
    Fault::Unexpected { place: "unit of work".to_owned(), detail: "used after its end".to_owned() }
}

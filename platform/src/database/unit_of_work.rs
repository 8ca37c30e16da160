//! One transaction for one tenant: what is read, decided and owed inside it is committed together or not at all.
//!
//! Two round trips are the rule. The first carries BEGIN, the tenant, the inbox or idempotency claim and the first
//! reads; the second carries all writes and COMMIT. Nothing here may be skipped by a caller: the only way to change
//! an aggregate is [`UnitOfWork::save`], which owes the outbox and audit rows with it; and the tenant is `$1` of every
//! statement, bound here and by nobody else.

mod notes;

use std::borrow::Cow;

use contracts::ids::{EventId, PrefixedId, PropertyId};
use contracts::time::Timestamp;
use tokio_postgres::types::ToSql;

use super::announcement::{self, Announcement};
use super::beginning::{Beginning, Claim, Condition, StoredResponse};
use super::line::{Line, Standing};
use super::pool::Connection;
use super::together::{Write, joined};
use super::touched::Touched;
use super::{Change, Db, Deed, Fault, Row, RowChange, Schema, Scribe, Sql, Stored};
use crate::decided::Decided;
use crate::{RequestContext, params};

pub(crate) use notes::Note;

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
    connection: Option<Connection>,
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
    /// It has locked something that others wait for, or pass by.
    locked: bool,
    /// The commit waits until all is on the disk.
    durable: bool,
    /// So long it waits for a lock, in milliseconds, where that is not what every connection does.
    longest_wait: Option<u32>,
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
    pub(crate) fn new(connection: Connection, db: Db, schema: &'static Schema, context: RequestContext) -> Self {
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
            locked: false,
            durable: true,
            longest_wait: None,
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

    /// The commit need not wait for the disk: others see all of it at once, and a crash of the database may take it away. For what is counted,
    /// and never for what somebody was told. Said before the first read.
    pub fn not_waiting_for_the_disk(&mut self) {
        self.durable = false;
    }

    /// For each lock that somebody else has it waits so many milliseconds and then ends with `Fault::Exhausted`, instead of as long as a
    /// person would wait. For what is tried again by itself while others stand behind it. Said before the first read.
    pub fn waits_at_most(&mut self, millis: u32) {
        self.longest_wait = Some(millis);
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
        let beginning = (self.stage == Stage::Idle).then(|| self.beginning());
        let texts: [Cow<'static, str>; N] = std::array::from_fn(|at| Cow::Borrowed(reads[at].sql.text));
        let line = line_of(&mut self.connection)?;
        let entry = beginning.as_ref().and_then(Beginning::text);
        let wanted: Vec<_> = entry.into_iter().chain(&texts).collect();
        let learned = line.learn(&wanted).await;
        learned.map_err(|(at, error)| {
            let read = at.checked_sub(wanted.len() - N).map(|at| reads[at].sql.name);
            Fault::from_line(read.unwrap_or("entry"), &error)
        })?;
        let mut batch = line.batch();
        if let Some(beginning) = &beginning {
            beginning.lead(line, &mut batch).map_err(|error| Fault::from_line("begin", &error))?;
        }
        let leading = batch.len();
        let tenant = &self.context.tenant;
        for (read, text) in reads.iter().zip(&texts) {
            let params = std::iter::once(tenant as &(dyn ToSql + Sync)).chain(read.params.iter().copied());
            line.ask_into(&mut batch, text, params).map_err(|error| Fault::from_line(read.sql.name, &error))?;
        }
        self.stage = Stage::Open;
        self.locked |= reads.iter().any(|read| read.sql.locks());
        let mut answers = line.send(batch).await.map_err(|error| Fault::from_line("read", &error))?;
        let place = |at: usize| at.checked_sub(leading).map_or("begin", |at| reads[at].sql.name);
        let failed = answers.refused.take().map(|(at, error)| (at, Fault::from_line(place(at), &error)));
        let failed = match failed {
            Some((at, fault)) if at < leading => return Err(fault),
            other => other.map(|(_, fault)| fault),
        };
        if let Some(interruption) = beginning.map(|one| one.judge(&answers.rows)).transpose()?.flatten() {
            return Err(Fault::Interrupted(interruption));
        }
        if let Some(fault) = failed {
            return Err(fault);
        }
        let mut rows = answers.rows.into_iter().skip(leading);
        Ok(std::array::from_fn(|_| rows.next().unwrap_or_default()))
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

    /// Queues a line of the audit alone: something was done that changes no aggregate, and nobody is told.
    pub fn keep_on_record(&mut self, deed: Deed) {
        let id = self.next_id();
        self.announcements.push(Announcement::of_deed(id, deed));
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
        let owes = !self.announcements.is_empty() || self.touched.any();
        let announcements = std::mem::take(&mut self.announcements);
        self.writes.extend(announcement::writes(announcements, self.schema, &self.context, self.now));
        if self.touched.any() {
            let params = self.touched.params(self.now, || self.next_id());
            self.queue("touch_boards", &self.schema.touch_boards, params);
        }
        if self.stage == Stage::Idle {
            match self.condition {
                Condition::Free if self.writes.is_empty() => {
                    self.stage = Stage::Done;
                    return Ok(());
                }
                // The transaction is opened by the message that ends it.
                Condition::Free => {}
                _ => {
                    if let Err(fault) = self.open().await {
                        if !matches!(fault, Fault::Unavailable(_)) {
                            self.rollback().await?;
                        }
                        return Err(fault);
                    }
                }
            }
        }
        let writes = joined(std::mem::take(&mut self.writes));
        let outcome = self.write_and_commit(&writes).await;
        if outcome.is_ok() && owes {
            self.db.committed().notify_one();
        }
        outcome
    }

    /// Gives everything up; the connection goes back clean.
    pub async fn rollback(mut self) -> Result<(), Fault> {
        if self.stage == Stage::Open {
            let line = line_of(&mut self.connection)?;
            // Whoever comes again with the same key or event must find it free, and whoever passes by what is locked must not pass
            // by what nobody holds any more.
            let held = self.locked || !matches!(self.condition, Condition::Free);
            let given_up = if held { line.give_up().await } else { line.turn_away().await };
            given_up.map_err(|error| Fault::from_line("rollback", &error))?;
        }
        self.stage = Stage::Done;
        Ok(())
    }

    fn beginning(&self) -> Beginning {
        Beginning::of(self.schema, &self.context.tenant, &self.condition, (self.now, self.durable, self.longest_wait))
    }

    /// Opens the transaction now, for what has nothing to read.
    async fn open(&mut self) -> Result<(), Fault> {
        self.read_together([]).await.map(|[]| ())
    }

    /// What is refused, or cannot even be sent since a value does not fit its parameter, keeps COMMIT from being done. Where nobody
    /// knows how it ended, the connection is thrown away.
    async fn write_and_commit(&mut self, writes: &[Write]) -> Result<(), Fault> {
        let beginning = (self.stage == Stage::Idle).then(|| self.beginning());
        let line = line_of(&mut self.connection)?;
        if line.standing() == Standing::Failed {
            let detail = "a statement before it had failed".to_owned();
            return Err(Fault::Unexpected { place: "commit".to_owned(), detail });
        }
        let texts: Vec<_> = writes.iter().map(|write| &write.text).collect();
        let learned = line.learn(&texts).await;
        learned.map_err(|(at, error)| Fault::from_line(writes[at].place, &error))?;
        let mut batch = line.batch();
        if let Some(beginning) = &beginning {
            beginning.lead(line, &mut batch).map_err(|error| Fault::from_line("begin", &error))?;
        }
        let leading = batch.len();
        for write in writes {
            let tenant = std::iter::once(&self.context.tenant as &(dyn ToSql + Sync));
            let params = tenant.chain(write.params.iter().map(|param| &**param as _));
            let asked = line.ask_into(&mut batch, &write.text, params);
            asked.map_err(|error| Fault::from_line(write.place, &error))?;
        }
        batch.say("COMMIT").map_err(|error| Fault::from_line("commit", &error))?;
        self.stage = Stage::Open;
        let answers = line.send(batch).await.map_err(|error| Fault::from_line("commit", &error))?;
        if answers.standing != Standing::Idle {
            line.give_up().await.map_err(|error| Fault::from_line("rollback", &error))?;
        }
        self.stage = Stage::Done;
        let Some((at, error)) = answers.refused else { return Ok(()) };
        let write = at.checked_sub(leading).and_then(|at| writes.get(at));
        Err(Fault::from_line(write.map_or("commit", |write| write.place), &error))
    }
}

impl Drop for UnitOfWork {
    fn drop(&mut self) {
        // Dropped in flight: the transaction, and its tenant, may still be open on the connection. Throw it away.
        if self.stage == Stage::Open
            && let Some(connection) = self.connection.take()
        {
            drop(Connection::take(connection));
        }
    }
}

fn line_of(connection: &mut Option<Connection>) -> Result<&mut Line, Fault> {
    connection.as_deref_mut().ok_or_else(finished)
}

fn finished() -> Fault {
    Fault::Unexpected { place: "unit of work".to_owned(), detail: "used after its end".to_owned() }
}

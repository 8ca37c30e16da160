//! A line to PostgreSQL that is spoken to in whole messages: many statements out, one Sync, all answers back.
//!
//! The client library ends every statement with a Sync of its own, PostgreSQL answers each Sync with a write of its own, and a task of
//! its own passes all of it on. Here the task that asks writes once and reads once, and a statement that fails keeps those behind
//! it, COMMIT among them, from being done at all. The library still dials and logs in: see `dial`. What it is worth is in
//! docs/decisions/performance.md.

mod batch;
mod dial;
mod error;
mod lent;

use std::borrow::Cow;
use std::collections::HashMap;
use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::BytesMut;
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::message::backend::Message;
use postgres_protocol::message::frontend;
use tokio::io::{AsyncReadExt as _, AsyncWrite as _};
use tokio_postgres::types::{ToSql, Type};

pub(super) use batch::Batch;
pub(super) use error::LineError;
use error::Refused;

use self::dial::Stream;
use super::row::{Column, Row};

/// What is read at once. PostgreSQL sends in pieces of half of this.
const PIECE: usize = 16 * 1024;
const LITTLE: usize = 1024;
/// Messages that were once very large do not keep their memory.
const KEPT: usize = 256 * 1024;

/// A statement that PostgreSQL knows by name on one line.
#[derive(Debug)]
pub(super) struct Statement {
    name: String,
    params: Vec<Type>,
    columns: Arc<[Column]>,
}

/// One connection. A question that is dropped before its answer is whole leaves it unusable, and it says so.
pub(crate) struct Line {
    stream: Stream,
    incoming: BytesMut,
    outgoing: BytesMut,
    /// So much of what is to go out has gone.
    said: usize,
    /// By where the text stands in the binary: no need to read it again each time.
    fixed: HashMap<(usize, usize), Arc<Statement>>,
    composed: HashMap<String, Arc<Statement>>,
    /// So many names were given.
    named: u64,
    /// Answers on their way that nobody waits for.
    unheard: usize,
    /// A question is out, and its answer is not whole yet.
    asking: bool,
    /// Where the transaction stood when the last answer was whole.
    standing: Standing,
    /// A table has got other columns since a statement was learned: what this line knows is of no use any more.
    outdated: bool,
}

/// What PostgreSQL says of the transaction at the end of every answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// No transaction.
    Idle,
    Open,
    /// Nothing but a rollback is taken any more.
    Failed,
}

/// What came back for a batch, in its order, up to the statement that was refused.
#[derive(Debug)]
pub(super) struct Answers {
    pub(super) rows: Vec<Vec<Row>>,
    /// Which statement was refused, and why. Nothing behind it was done.
    pub(super) refused: Option<(usize, LineError)>,
    pub(super) standing: Standing,
}

impl std::fmt::Debug for Line {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known = self.fixed.len() + self.composed.len();
        out.debug_struct("Line").field("known", &known).field("asking", &self.asking).finish_non_exhaustive()
    }
}

impl Line {
    fn over(stream: Stream) -> Self {
        Self {
            stream,
            incoming: BytesMut::with_capacity(PIECE),
            outgoing: BytesMut::with_capacity(PIECE),
            said: 0,
            fixed: HashMap::new(),
            composed: HashMap::new(),
            named: 0,
            unheard: 0,
            asking: false,
            standing: Standing::Idle,
            outdated: false,
        }
    }

    /// Makes these statements known, in one round trip for all that are not yet. Err: which one was refused.
    pub(super) async fn learn(&mut self, texts: &[&Cow<'static, str>]) -> Result<(), (usize, LineError)> {
        if texts.iter().all(|text| self.known(text).is_some()) {
            return Ok(());
        }
        let mut new: Vec<(usize, String)> = Vec::new();
        let mut out = std::mem::take(&mut self.outgoing);
        for (at, text) in texts.iter().enumerate() {
            if self.known(text).is_some() || new.iter().any(|(other, _)| texts[*other] == *text) {
                continue;
            }
            // A name is never given twice: PostgreSQL may know one of which we never heard the answer.
            self.named += 1;
            let name = format!("s{}", self.named);
            let written =
                frontend::parse(&name, text, [], &mut out).and_then(|()| frontend::describe(b'S', &name, &mut out));
            written.map_err(|error| (at, LineError::Unfit(error.to_string())))?;
            new.push((at, name));
        }
        frontend::sync(&mut out);
        self.outgoing = out;
        let mut descriptions: Vec<(Vec<Type>, Vec<Column>)> = Vec::with_capacity(new.len());
        let mut refused = None;
        let heard = self.exchange(|message| {
            match message {
                Message::ParameterDescription(body) => {
                    let kinds = body.parameters().map(|oid| Ok(kind_of(oid))).collect()?;
                    descriptions.push((kinds, Vec::new()));
                }
                Message::RowDescription(body) => {
                    let columns = body
                        .fields()
                        .map(|field| Ok(Column { name: field.name().to_owned(), kind: kind_of(field.type_oid()) }));
                    if let Some(last) = descriptions.last_mut() {
                        last.1 = columns.collect()?;
                    }
                }
                Message::ErrorResponse(body) => {
                    refused.get_or_insert((descriptions.len(), Refused::read(&body)?));
                }
                _ => {}
            }
            Ok(())
        });
        let heard = heard.await;
        if let Some((nth, why)) = refused {
            return Err((new.get(nth).map_or(0, |(at, _)| *at), LineError::Refused(why)));
        }
        heard.map_err(|error| (0, error))?;
        for ((at, name), (params, columns)) in new.into_iter().zip(descriptions) {
            let statement = Arc::new(Statement { name, params, columns: columns.into() });
            match texts[at] {
                Cow::Borrowed(text) => self.fixed.insert(place(text), statement),
                Cow::Owned(text) => self.composed.insert(text.clone(), statement),
            };
        }
        Ok(())
    }

    #[expect(clippy::ptr_arg, reason = "whether the text stands in the binary is what counts")]
    fn known(&self, text: &Cow<'static, str>) -> Option<&Arc<Statement>> {
        match text {
            Cow::Borrowed(text) => self.fixed.get(&place(text)),
            Cow::Owned(text) => self.composed.get(text),
        }
    }

    /// An empty batch for this line. What it asks must have been learned.
    pub(super) fn batch(&mut self) -> Batch {
        Batch::into(std::mem::take(&mut self.outgoing))
    }

    /// Puts a statement that was learned into a batch. Err: it was not, or a value does not fit; the batch is not to be sent.
    #[expect(clippy::ptr_arg, reason = "whether the text stands in the binary is what counts")]
    pub(super) fn ask_into<'a>(
        &self,
        batch: &mut Batch,
        text: &Cow<'static, str>,
        params: impl Iterator<Item = &'a (dyn ToSql + Sync)> + Clone,
    ) -> Result<(), LineError> {
        let statement = self.known(text).ok_or_else(|| LineError::Unfit("was never learned".to_owned()))?;
        batch.ask(statement, params)
    }

    /// Where the transaction stood at the end of the last answer.
    pub(super) fn standing(&self) -> Standing {
        self.standing
    }

    /// Sends all of it and waits for all answers. Err: the line is gone, and nobody knows what was done.
    pub(super) async fn send(&mut self, batch: Batch) -> Result<Answers, LineError> {
        let Batch { mut out, asked } = batch;
        frontend::sync(&mut out);
        self.outgoing = out;
        let mut rows: Vec<Vec<Row>> = Vec::with_capacity(asked.len());
        let mut coming = Vec::new();
        let mut refused = None;
        let heard = self.exchange(|message| {
            match message {
                Message::DataRow(body) => {
                    if let Some(Some(statement)) = asked.get(rows.len()) {
                        coming.push(Row::new(Arc::clone(&statement.columns), &body)?);
                    }
                }
                Message::CommandComplete(_) | Message::EmptyQueryResponse => rows.push(std::mem::take(&mut coming)),
                Message::ErrorResponse(body) => {
                    refused.get_or_insert((rows.len(), LineError::Refused(Refused::read(&body)?)));
                }
                _ => {}
            }
            Ok(())
        });
        let heard = heard.await;
        self.outdated |= matches!(&refused, Some((_, LineError::Refused(why))) if why.is_outdated());
        match (heard, refused) {
            (Ok(standing), refused) => Ok(Answers { rows, refused, standing }),
            // The server's last words, where it hung up with some.
            (Err(_), Some((_, why))) => Err(why),
            (Err(error), None) => Err(error),
        }
    }

    /// Ends a transaction that is to change nothing, and waits until all its locks are gone.
    pub(super) async fn give_up(&mut self) -> Result<(), LineError> {
        self.say_rollback()?;
        self.exchange(|_| Ok(())).await.map(|_| ())
    }

    /// The same for one that held nothing others wait for, without waiting for the answer: whoever has the line next reads past it.
    pub(super) async fn turn_away(&mut self) -> Result<(), LineError> {
        self.say_rollback()?;
        self.asking = true;
        if let Poll::Ready(written) = self.poll_say(&mut Context::from_waker(Waker::noop())) {
            written?;
            self.unheard += 1;
            self.asking = false;
            self.standing = Standing::Idle;
            return Ok(());
        }
        self.exchange(|_| Ok(())).await.map(|_| ())
    }

    fn say_rollback(&mut self) -> Result<(), LineError> {
        let mut batch = self.batch();
        batch.say("ROLLBACK")?;
        frontend::sync(&mut batch.out);
        self.outgoing = batch.out;
        Ok(())
    }

    /// Whether the line can be used again: nothing is half asked, and the other side has not hung up meanwhile.
    pub(super) fn is_usable(&mut self) -> bool {
        if self.asking || self.outdated || self.standing != Standing::Idle {
            return false;
        }
        let mut context = Context::from_waker(Waker::noop());
        loop {
            match self.poll_hear(&mut context) {
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(_)) => return false,
                Poll::Pending => break,
            }
        }
        loop {
            match Message::parse(&mut self.incoming) {
                Ok(Some(Message::ReadyForQuery(_))) => self.unheard = self.unheard.saturating_sub(1),
                // What comes unasked and is an error is a farewell.
                Ok(Some(Message::ErrorResponse(_))) | Err(_) => return false,
                Ok(Some(_)) => {}
                Ok(None) => return true,
            }
        }
    }

    /// Writes what is to go out and reads until the answer to it is whole. Reads while it writes: with much to say on both sides,
    /// each would else wait for the other.
    async fn exchange(&mut self, mut take: impl FnMut(Message) -> io::Result<()>) -> Result<Standing, LineError> {
        self.asking = true;
        loop {
            while let Some(message) = Message::parse(&mut self.incoming)? {
                match message {
                    Message::ReadyForQuery(_) if self.unheard > 0 => self.unheard -= 1,
                    Message::ReadyForQuery(body) => {
                        self.standing = match body.status() {
                            b'I' => Standing::Idle,
                            b'T' => Standing::Open,
                            _ => Standing::Failed,
                        };
                        self.asking = false;
                        if self.incoming.capacity() > KEPT {
                            self.incoming = BytesMut::with_capacity(PIECE);
                        }
                        return Ok(self.standing);
                    }
                    _ if self.unheard > 0 => {}
                    other => take(other)?,
                }
            }
            poll_fn(|context| {
                let written = self.poll_say(context);
                if let Poll::Ready(Err(error)) = written {
                    return Poll::Ready(Err(error));
                }
                self.poll_hear(context)
            })
            .await?;
        }
    }

    /// Writes on. Ready: all of it is on its way.
    fn poll_say(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut stream = Pin::new(&mut self.stream);
        while self.said < self.outgoing.len() {
            match stream.as_mut().poll_write(context, &self.outgoing[self.said..]) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(count)) => self.said += count,
                other => return other.map_ok(|_| ()),
            }
        }
        if !self.outgoing.is_empty() {
            self.said = 0;
            self.outgoing.clear();
            if self.outgoing.capacity() > KEPT {
                self.outgoing = BytesMut::with_capacity(PIECE);
            }
        }
        stream.poll_flush(context)
    }

    /// Reads what is there. Err: the other side hung up.
    fn poll_hear(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Rows keep the piece they came in. What is left of it takes the next answer, unless that is very little.
        if self.incoming.capacity() - self.incoming.len() < LITTLE {
            self.incoming.reserve(PIECE);
        }
        let reading = pin!(self.stream.read_buf(&mut self.incoming));
        match reading.poll(context) {
            Poll::Ready(Ok(0)) => Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into())),
            other => other.map_ok(|_| ()),
        }
    }
}

/// Where a text of the binary stands.
fn place(text: &'static str) -> (usize, usize) {
    (text.as_ptr().addr(), text.len())
}

/// What is none of PostgreSQL's own types is read and written as text.
fn kind_of(oid: u32) -> Type {
    Type::from_oid(oid).unwrap_or(Type::TEXT)
}

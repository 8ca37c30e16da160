//! One reader of the log for all live boards of a process.
//!
//! It reads what is new once, whoever published it, and gives it in memory to those who look at the property. A stream costs
//! the database nothing while it is open. It reads only while somebody looks. The log is written by one relay at a time, so
//! an offset that is seen has none before it that is still to come.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use contracts::ids::{PropertyId, TenantId};
use futures_util::future::join;
use tokio::sync::watch;
use tokio_postgres::Row;

use super::mailbox::{Batch, Mailbox, Writing};
use crate::Db;
use crate::database::Fault;

/// The subject under which a board is touched: our own business, in no feed, at no broker, in no subscription.
pub const BOARD_TOUCHED: &str = "internal.board.touched";
/// How our own business is named.
pub(super) const INTERNAL: &str = "internal.";

/// A read of the log is bounded in both.
const ROWS: i64 = 1_000;
const BYTES: i64 = 4 * 1024 * 1024;
/// Between two reads: as soon as people can see, and later the more streams have to be written to.
const SHORTEST_PAUSE: Duration = Duration::from_millis(20);
const PAUSE_A_STREAM: Duration = Duration::from_micros(200);
const LONGEST_PAUSE: Duration = Duration::from_millis(400);

/// How many may look at once, and how patient both sides are.
#[derive(Clone, Copy, Debug)]
pub struct TailOptions {
    /// Open streams of the process.
    pub streams: usize,
    pub streams_of_a_tenant: usize,
    /// How soon what another process published is seen.
    pub look_every: Duration,
    /// After so much silence a stream says that it is still there, and up to where it has seen.
    pub keep_alive: Duration,
}

impl Default for TailOptions {
    fn default() -> Self {
        let (look_every, keep_alive) = (Duration::from_millis(250), Duration::from_secs(15));
        Self { streams: 2_000, streams_of_a_tenant: 500, look_every, keep_alive }
    }
}

/// Why nobody can look right now.
#[derive(Debug, thiserror::Error)]
pub enum NoSeat {
    #[error("too many streams are open")]
    Full,
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// The one reader of the log in a process, for all its live boards. It reads only while somebody looks; a stream costs memory within its
/// bounds and no database connection.
#[derive(Clone, Debug)]
pub struct Tail {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    db: Db,
    news: watch::Receiver<i64>,
    options: TailOptions,
    seats: Mutex<Seats>,
    /// Held by whoever starts the reading.
    starting: tokio::sync::Mutex<()>,
}

/// Who looks at what.
#[derive(Debug, Default)]
struct Seats {
    taken: usize,
    tenants: HashMap<TenantId, Tenant>,
    /// Counts the boards that somebody began to look at.
    boards_opened: u64,
    reading: bool,
}

#[derive(Debug, Default)]
struct Tenant {
    taken: usize,
    /// The tenant's newest offset that was read.
    newest: Arc<AtomicI64>,
    boards: HashMap<PropertyId, Vec<Arc<Mailbox>>>,
}

/// What the next read is about.
struct Looked {
    boards_opened: u64,
    tenants: Vec<String>,
    properties: Vec<String>,
}

/// Boards that found no place.
pub(super) fn refused_boards() -> metrics::Counter {
    metrics::counter!("melmastoon_live_refused_total")
}

impl Tail {
    /// `news` changes whenever this process published something.
    pub fn new(db: Db, news: watch::Receiver<i64>, options: TailOptions) -> Self {
        Self {
            inner: Arc::new(Inner {
                db,
                news,
                options,
                seats: Mutex::default(),
                starting: tokio::sync::Mutex::default(),
            }),
        }
    }

    pub fn options(&self) -> TailOptions {
        self.inner.options
    }

    /// Whether the log is being read: while somebody looks, and no longer.
    pub fn is_reading(&self) -> bool {
        self.inner.seats().reading
    }

    /// A seat before one board. Everything that is committed to the log after this comes into it; what is in the log already is
    /// for the caller to read.
    pub async fn listen(&self, tenant: &TenantId, property: &PropertyId) -> Result<Listener, NoSeat> {
        let listener = self.seat(tenant, property)?;
        let _turn = self.inner.starting.lock().await;
        // The seat is taken: a reading that goes on now cannot end before it is given back.
        if !self.inner.seats().reading {
            let from = self.inner.head().await?;
            self.inner.seats().reading = true;
            tokio::spawn(read_on(Arc::clone(&self.inner), from));
        }
        Ok(listener)
    }

    fn seat(&self, tenant: &TenantId, property: &PropertyId) -> Result<Listener, NoSeat> {
        let mut guard = self.inner.seats();
        let seats = &mut *guard;
        let of_tenant = seats.tenants.get(tenant).map_or(0, |tenant| tenant.taken);
        if seats.taken >= self.inner.options.streams || of_tenant >= self.inner.options.streams_of_a_tenant {
            refused_boards().increment(1);
            return Err(NoSeat::Full);
        }
        let looked_at = seats.tenants.entry(tenant.clone()).or_default();
        let board = looked_at.boards.entry(property.clone()).or_default();
        if board.is_empty() {
            seats.boards_opened += 1;
        }
        let mailbox = Arc::new(Mailbox::default());
        board.push(Arc::clone(&mailbox));
        looked_at.taken += 1;
        seats.taken += 1;
        show_streams(seats.taken);
        let newest = Arc::clone(&looked_at.newest);
        let (tenant, property) = (tenant.clone(), property.clone());
        Ok(Listener { inner: Arc::clone(&self.inner), tenant, property, mailbox, newest })
    }
}

/// One open stream's seat; dropped, it is free again.
#[derive(Debug)]
pub struct Listener {
    inner: Arc<Inner>,
    tenant: TenantId,
    property: PropertyId,
    mailbox: Arc<Mailbox>,
    newest: Arc<AtomicI64>,
}

impl Listener {
    /// The next changes of the board; `None` when this stream was too slow. Nothing is lost if the caller stops waiting.
    pub async fn next(&self) -> Option<Arc<Batch>> {
        self.mailbox.next().await
    }

    /// Up to where the tenant's events were read and everything of them for this board was taken out, if that is so.
    pub fn seen_up_to(&self) -> Option<i64> {
        // In this order: what is read is put into the mailbox before it counts as read.
        let newest = self.newest.load(Ordering::Acquire);
        self.mailbox.is_empty().then_some(newest)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut guard = self.inner.seats();
        let seats = &mut *guard;
        seats.taken = seats.taken.saturating_sub(1);
        show_streams(seats.taken);
        let Some(tenant) = seats.tenants.get_mut(&self.tenant) else { return };
        tenant.taken = tenant.taken.saturating_sub(1);
        if let Some(board) = tenant.boards.get_mut(&self.property) {
            board.retain(|mailbox| !Arc::ptr_eq(mailbox, &self.mailbox));
            if board.is_empty() {
                tenant.boards.remove(&self.property);
            }
        }
        if tenant.taken == 0 {
            seats.tenants.remove(&self.tenant);
        }
    }
}

fn show_streams(taken: usize) {
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    metrics::gauge!("melmastoon_live_streams").set(taken as f64);
}

/// Reads on until nobody looks any more.
async fn read_on(inner: Arc<Inner>, mut after: i64) {
    let mut news = inner.news.clone();
    loop {
        news.mark_unchanged();
        let Some(looked) = inner.looked() else { return };
        let more = match inner.read(after, &looked).await {
            Ok(Some((read, more))) => {
                after = read;
                more
            }
            // Somebody began to look at another board meanwhile: the same again, for them as well.
            Ok(None) => continue,
            Err(fault) => {
                // The streams stay open and go on where they were.
                tracing::debug!(%fault, "live boards wait");
                false
            }
        };
        if more {
            continue;
        }
        let (pause, look_every) = (inner.pause(), inner.options.look_every);
        tokio::time::sleep(pause).await;
        // A relay that is gone tells nothing any more; others may still publish.
        let told = async {
            if news.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        let _ = tokio::time::timeout(look_every.saturating_sub(pause), told).await;
    }
}

impl Inner {
    fn seats(&self) -> MutexGuard<'_, Seats> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pause(&self) -> Duration {
        let streams = u32::try_from(self.seats().taken).unwrap_or(u32::MAX);
        (SHORTEST_PAUSE + PAUSE_A_STREAM.saturating_mul(streams)).min(LONGEST_PAUSE)
    }

    /// Who looks at what; nobody: the reading has ended.
    fn looked(&self) -> Option<Looked> {
        let mut seats = self.seats();
        if seats.taken == 0 {
            seats.reading = false;
            return None;
        }
        let tenants = seats.tenants.keys().map(|tenant| tenant.as_str().to_owned()).collect();
        let boards = seats.tenants.values().flat_map(|tenant| tenant.boards.keys());
        let properties = boards.map(|property| property.as_str().to_owned()).collect();
        Some(Looked { boards_opened: seats.boards_opened, tenants, properties })
    }

    async fn head(&self) -> Result<i64, Fault> {
        let fault = |error: tokio_postgres::Error| Fault::from_postgres("tail", &error);
        let connection = self.db.relay().await?;
        let head = connection.prepare_cached(include_str!("sql/head.sql")).await.map_err(fault)?;
        Ok(connection.query_one(&head, &[]).await.map_err(fault)?.get("head"))
    }

    /// Reads what is new and hands it out. Gives up to where the log was read, and whether there is more; nothing when
    /// somebody sat down before a board that this read was not about.
    async fn read(&self, after: i64, looked: &Looked) -> Result<Option<(i64, bool)>, Fault> {
        let fault = |error: tokio_postgres::Error| Fault::from_postgres("tail", &error);
        let (head, rows) = {
            let connection = self.db.relay().await?;
            let head = connection.prepare_cached(include_str!("sql/head.sql")).await.map_err(fault)?;
            let tail = connection.prepare_cached(include_str!("sql/tail.sql")).await.map_err(fault)?;
            // The head first, in the same round trip: what is up to it is in the rows.
            let (head, rows) = join(
                connection.query_one(&head, &[]),
                connection.query(&tail, &[&after, &looked.tenants, &looked.properties, &ROWS, &BYTES]),
            )
            .await;
            (head.map_err(fault)?.get::<_, i64>("head"), rows.map_err(fault)?)
        };
        metrics::counter!("melmastoon_live_reads_total").increment(1);
        let mut guard = self.seats();
        let seats = &mut *guard;
        if seats.boards_opened != looked.boards_opened {
            return Ok(None);
        }
        hand_out(&mut seats.tenants, &rows);
        // Behind the last row there are only other tenants' events, or more than one read can take.
        let read = rows.last().map_or(head.max(after), |row| row.get("log_offset"));
        Ok(Some((read, read < head)))
    }
}

/// Every change is written once for each board and shared by all who look at it.
fn hand_out(tenants: &mut HashMap<TenantId, Tenant>, rows: &[Row]) {
    let mut writing: HashMap<(&TenantId, &PropertyId), Writing> = HashMap::new();
    let mut newest: HashMap<&str, i64> = HashMap::new();
    for row in rows {
        let (id, offset): (&str, i64) = (row.get("tenant_id"), row.get("log_offset"));
        newest.insert(id, offset);
        let named = TenantId::parse(id).ok();
        let Some((tenant, looked_at)) = named.as_ref().and_then(|named| tenants.get_key_value(named)) else { continue };
        let touched = row.get::<_, &str>("subject") == BOARD_TOUCHED;
        let property: Option<&str> = row.get("property_id");
        for board in looked_at.boards.keys() {
            if property.map_or(touched, |property| property == board.as_str()) {
                let writing = writing.entry((tenant, board)).or_default();
                if touched {
                    writing.change(offset, &touch_of(board));
                } else if let Some(envelope) = row.get("envelope") {
                    writing.change(offset, envelope);
                }
            }
        }
    }
    let batches: Vec<_> =
        writing.into_iter().map(|((tenant, board), writing)| (tenant.clone(), board.clone(), writing.done())).collect();
    for (tenant, board, batch) in batches {
        let Some(mailboxes) = tenants.get_mut(&tenant).and_then(|tenant| tenant.boards.get_mut(&board)) else {
            continue;
        };
        for mailbox in mailboxes {
            if !mailbox.put(&batch) {
                metrics::counter!("melmastoon_live_too_slow_total").increment(1);
            }
        }
    }
    for tenant in tenants.iter_mut() {
        if let Some(offset) = newest.get(tenant.0.as_str()) {
            tenant.1.newest.fetch_max(*offset, Ordering::Release);
        }
    }
}

/// What a stream says of a board that shows something else, where no event tells what.
pub(super) fn touch_of(property: &PropertyId) -> String {
    format!(r#"{{"kind":"touched","propertyId":"{property}"}}"#)
}

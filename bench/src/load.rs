//! A load generator that costs little: HTTP/1.1 over kept connections, requests made beforehand, answers only skimmed.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::Outcome;

/// One kept connection.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Outcome<Self> {
        Self::of(TcpStream::connect(address).await?)
    }

    /// As somebody else: what an address may ask without a known token is bounded, and a hotel's phones have many addresses.
    async fn open_as(somebody: usize, address: SocketAddr) -> Outcome<Self> {
        let SocketAddr::V4(_) = address else { return Self::open(address).await };
        let socket = TcpSocket::new_v4()?;
        let own = Ipv4Addr::new(127, 0, 0, u8::try_from(2 + somebody % 250)?);
        socket.bind(SocketAddr::from((own, 0)))?;
        Self::of(socket.connect(address).await?)
    }

    fn of(stream: TcpStream) -> Outcome<Self> {
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(16 * 1024) })
    }

    /// Sends a request and reads its whole answer. Anything but a success is an error that shows the answer.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> Outcome<()> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        let head = loop {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err("the product closed the connection".into());
            }
            if let Some(end) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
        };
        let length = body_length(&self.buffer[..head]);
        while self.buffer.len() < head + length {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err("the product closed the connection in the middle of an answer".into());
            }
        }
        // That nothing has changed is an answer, too.
        if self.buffer.get(9) == Some(&b'2') || self.buffer.get(9..12) == Some(b"304") {
            return Ok(());
        }
        let request = String::from_utf8_lossy(request).lines().next().unwrap_or_default().to_owned();
        Err(format!("{request}\n{}", String::from_utf8_lossy(&self.buffer)).into())
    }
}

impl Connection {
    /// What stands behind a text in the last answer, up to the next quotation mark.
    pub(crate) fn text_after(&self, text: &str) -> Option<String> {
        let answer = String::from_utf8_lossy(&self.buffer);
        let rest = answer.split_once(text)?.1;
        rest.split_once('"').map(|(value, _)| value.to_owned())
    }
}

/// The server writes header names in lower case.
fn body_length(head: &[u8]) -> usize {
    let head = String::from_utf8_lossy(head);
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    length.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

/// What one connection sends.
pub(crate) trait Script {
    /// Sends what belongs together, in order; `Ok(false)` when there is nothing left. Reports the time of each exchange.
    async fn turn(&mut self, connection: &mut Connection, report: &mut Vec<Duration>) -> Outcome<bool>;
}

/// How long to load: first to warm up, then to count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) warm_up: Duration,
    pub(crate) counted: Duration,
}

/// What was reached.
#[derive(Debug)]
pub(crate) struct Reached {
    pub(crate) per_second: f64,
    /// All that were made, the warm-up included.
    pub(crate) operations: f64,
    /// Sorted.
    pub(crate) times: Vec<Duration>,
}

impl Reached {
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let last = self.times.len().saturating_sub(1);
        self.times.get(last * percent / 100).copied().unwrap_or_default()
    }
}

/// Runs every script on a connection of its own until the time is over. Exchanges that end in the counted span count.
pub(crate) async fn run<S: Script + 'static>(
    address: SocketAddr,
    scripts: Vec<S>,
    span: Span,
) -> Outcome<(Reached, Vec<S>)> {
    let mut lanes = Vec::new();
    for (number, script) in scripts.into_iter().enumerate() {
        lanes.push((script, Connection::open_as(number, address).await?));
    }
    let starts = Instant::now() + span.warm_up;
    let ends = starts + span.counted;
    let set = tokio::task::LocalSet::new();
    let running: Vec<_> = lanes
        .into_iter()
        .map(|(mut script, mut connection)| {
            set.spawn_local(async move {
                let (mut times, mut latest, mut all) = (Vec::new(), Vec::new(), 0);
                while Instant::now() < ends {
                    latest.clear();
                    if !script.turn(&mut connection, &mut latest).await? {
                        return Err("more was asked than had been prepared".into());
                    }
                    all += latest.len();
                    let now = Instant::now();
                    if now >= starts && now < ends {
                        times.extend_from_slice(&latest);
                    }
                }
                Ok::<_, Box<dyn std::error::Error + Send + Sync>>((times, all, script))
            })
        })
        .collect();
    set.run_until(async {
        let (mut times, mut scripts, mut operations) = (Vec::new(), Vec::new(), 0);
        for lane in running {
            let (counted, all, script) = lane.await??;
            times.extend(counted);
            operations += all;
            scripts.push(script);
        }
        times.sort_unstable();
        #[expect(clippy::cast_precision_loss, reason = "a count of requests is far below 2^52")]
        let (per_second, operations) = (times.len() as f64 / span.counted.as_secs_f64(), operations as f64);
        Ok((Reached { per_second, operations, times }, scripts))
    })
    .await
}

/// Sends one request and notes how long the answer took.
pub(crate) async fn timed(connection: &mut Connection, request: &[u8], report: &mut Vec<Duration>) -> Outcome<()> {
    let begun = Instant::now();
    connection.exchange(request).await?;
    report.push(begun.elapsed());
    Ok(())
}

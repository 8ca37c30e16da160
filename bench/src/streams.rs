//! Live boards that are open while others work: real connections, read to the end of the run by a thread of their own.

use std::net::SocketAddr;
use std::thread::JoinHandle;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};

use crate::Outcome;
use crate::hotel::{self, Hotel};
use crate::stage::{Product, Stage};

/// Fifty companies with two houses each; the first houses of the first five are those that are worked in.
pub(crate) const BOARDS: usize = 100;

/// Open streams.
pub(crate) struct Streams {
    stop: watch::Sender<bool>,
    thread: JoinHandle<Outcome<Seen>>,
}

/// What came out of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) bytes: u64,
    /// Closed by the product before the end.
    pub(crate) lost: usize,
}

impl Streams {
    /// Opens so many, and comes back when the last has its board.
    pub(crate) async fn open(stage: &Stage, hotel: &Hotel, product: &Product, count: usize) -> Outcome<Self> {
        let requests: Vec<String> = (0..count)
            .map(|number| {
                let (tenant, property) = hotel.watched(number % BOARDS);
                let token = hotel::token(stage, &tenant, "supervisor", &format!("usr_LIVE{number}"), None);
                format!(
                    "GET /housekeeping/v1/board/stream?propertyId={property} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\n\r\n"
                )
            })
            .collect();
        let (stop, stopped) = watch::channel(false);
        let (opened, mut all_opened) = mpsc::channel(1);
        let address = product.address;
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(read_all(address, requests, opened, stopped))
        });
        if all_opened.recv().await.is_none() {
            return Err(thread
                .join()
                .map_err(|_| "the streams' thread broke down")?
                .err()
                .unwrap_or("no stream".into()));
        }
        Ok(Self { stop, thread })
    }

    pub(crate) async fn close(self) -> Outcome<Seen> {
        let _ = self.stop.send(true);
        let joined = tokio::task::spawn_blocking(move || self.thread.join()).await?;
        joined.map_err(|_| "the streams' thread broke down")?
    }
}

async fn read_all(
    address: SocketAddr,
    requests: Vec<String>,
    opened: mpsc::Sender<()>,
    stopped: watch::Receiver<bool>,
) -> Outcome<Seen> {
    let mut reading = Vec::new();
    for request in requests {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut buffer = vec![0; 16 * 1024];
        let length = stream.read(&mut buffer).await?;
        if !buffer[..length].starts_with(b"HTTP/1.1 200") {
            return Err(String::from_utf8_lossy(&buffer[..length]).into_owned().into());
        }
        let mut stopped = stopped.clone();
        reading.push(tokio::spawn(async move {
            let mut seen = Seen::default();
            loop {
                let read = tokio::select! {
                    read = stream.read(&mut buffer) => read,
                    _ = stopped.changed() => return seen,
                };
                match read {
                    Ok(0) | Err(_) => return Seen { lost: 1, ..seen },
                    Ok(length) => seen.bytes += length as u64,
                }
            }
        }));
    }
    opened.send(()).await?;
    let mut all = Seen::default();
    for one in reading {
        let seen = one.await?;
        all = Seen { bytes: all.bytes + seen.bytes, lost: all.lost + seen.lost };
    }
    Ok(all)
}

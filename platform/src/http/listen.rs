//! Connections: taken in bounded number, heard out in bounded time, and let go in order.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::rt::{Sleep, Timer};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::Peer;
use super::unreadable::{Refusing, Understood, first_of};

/// What a connection may take.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// From the first byte of a request until its headers are complete.
    pub headers_within: Duration,
    /// Without a request. Longer than the minute that load balancers keep a connection: it is they who close it, and no
    /// request of theirs meets one that is being closed.
    pub idle_for: Duration,
    /// Open at a time; further ones wait until one of these is closed.
    pub connections: usize,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self { headers_within: Duration::from_secs(10), idle_for: Duration::from_secs(75), connections: 10_000 }
    }
}

/// Serves until `stop`, then lets open requests end; whoever drops this cuts them off.
pub async fn listen(
    listener: &TcpListener,
    router: Router,
    limits: ConnectionLimits,
    stop: impl Future<Output = ()> + Send,
) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let closing = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await.ok()?;
            let (stream, peer) = accept(listener).await;
            Some((place, stream, peer))
        };
        let (place, stream, peer) = tokio::select! {
            next = next => match next {
                Some(next) => next,
                None => break,
            },
            Some(_) = connections.join_next(), if !connections.is_empty() => continue,
            () = &mut stop => break,
        };
        let router = TowerToHyperService::new(router.clone());
        let understood = Understood::default();
        let refusing = Refusing::unless(understood.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            understood.something();
            request.extensions_mut().insert(peer);
            router.call(request.map(Body::new))
        });
        let waiting = Waiting::default();
        let stream = TokioIo::new(Heard { stream, waiting: waiting.clone(), refusing });
        let connection = http1::Builder::new()
            .timer(Patience { limits, waiting })
            .header_read_timeout(limits.headers_within)
            .serve_connection(stream, service);
        let connection = closing.watch(connection);
        connections.spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(place);
        });
    }
    closing.shutdown().await;
}

/// The next connection. Where the machine has none left to give, we wait for one to be closed.
async fn accept(listener: &TcpListener) -> (TcpStream, Peer) {
    loop {
        match listener.accept().await {
            Ok((stream, address)) => {
                // Answers are small: each is sent as soon as it is written.
                let _ = stream.set_nodelay(true);
                return (stream, Peer(address.ip()));
            }
            Err(error) if is_the_callers(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be taken; trying again in a second");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

/// Whoever came is gone again.
fn is_the_callers(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionRefused | ConnectionAborted | ConnectionReset)
}

/// When the first byte of the request came that a connection waits for, if it came.
#[derive(Clone, Debug, Default)]
struct Waiting(Arc<Mutex<Option<Instant>>>);

impl Waiting {
    fn begin(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn heard(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(Instant::now);
    }

    fn since(&self) -> Option<Instant> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stream that notes when something is heard, and says more than hyper does to whoever cannot be understood.
struct Heard {
    stream: TcpStream,
    waiting: Waiting,
    refusing: Refusing,
}

impl AsyncRead for Heard {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(cx, buf);
        if buf.filled().len() > before {
            self.waiting.heard();
        }
        polled
    }
}

impl AsyncWrite for Heard {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        match this.refusing.poll_instead(&mut this.stream, cx, buf) {
            Some(polled) => polled,
            None => Pin::new(&mut this.stream).poll_write(cx, buf),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        match this.refusing.poll_instead(&mut this.stream, cx, first_of(bufs)) {
            Some(polled) => polled,
            None => Pin::new(&mut this.stream).poll_write_vectored(cx, bufs),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// hyper starts one timer when it begins to wait for a request, idle or not. This one ends after the long limit while
/// nothing is heard, and after the short one from the first byte on.
#[derive(Debug)]
struct Patience {
    limits: ConnectionLimits,
    waiting: Waiting,
}

impl Timer for Patience {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(Instant::now() + duration)
    }

    fn sleep_until(&self, _: Instant) -> Pin<Box<dyn Sleep>> {
        self.waiting.begin();
        let sleep = Box::pin(tokio::time::sleep(self.limits.idle_for));
        let idle_until = sleep.deadline();
        Box::pin(Wait { headers_within: self.limits.headers_within, idle_until, waiting: self.waiting.clone(), sleep })
    }
}

struct Wait {
    headers_within: Duration,
    idle_until: tokio::time::Instant,
    waiting: Waiting,
    sleep: Pin<Box<tokio::time::Sleep>>,
}

impl Sleep for Wait {}

impl Future for Wait {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        // hyper looks here after everything it reads.
        let until = self.waiting.since().map_or(self.idle_until, |first| (first + self.headers_within).into());
        if self.sleep.deadline() != until {
            self.sleep.as_mut().reset(until);
        }
        self.sleep.as_mut().poll(cx)
    }
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::sync::oneshot;

    use super::*;

    const LONG: Duration = Duration::from_mins(1);
    const REQUEST: &[u8] = b"GET /hello HTTP/1.1\r\nhost: hotel\r\n\r\n";

    struct House {
        address: std::net::SocketAddr,
        stop: oneshot::Sender<()>,
        served: tokio::task::JoinHandle<()>,
    }

    impl House {
        async fn open(limits: ConnectionLimits) -> Self {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let (stop, stopped) = oneshot::channel();
            let router = Router::new().route("/hello", get(|| async { "salaam" }));
            let served = tokio::spawn(async move {
                let stop = async {
                    let _ = stopped.await;
                };
                listen(&listener, router, limits, stop).await;
            });
            Self { address, stop, served }
        }

        async fn connect(&self) -> TcpStream {
            TcpStream::connect(self.address).await.unwrap()
        }
    }

    async fn soon<T>(what: impl Future<Output = T>) -> T {
        tokio::time::timeout(Duration::from_secs(20), what).await.expect("it happens")
    }

    /// Reads until the answer is whole: its body is its end.
    async fn answered(stream: &mut TcpStream) {
        let mut heard = Vec::new();
        while !heard.ends_with(b"salaam") {
            assert_ne!(soon(stream.read_buf(&mut heard)).await.unwrap(), 0, "{}", String::from_utf8_lossy(&heard));
        }
    }

    /// Whether the other side closes.
    async fn closed(stream: &mut TcpStream) {
        let mut rest = Vec::new();
        // A reset is an end too.
        let _ = soon(stream.read_to_end(&mut rest)).await;
    }

    #[tokio::test]
    async fn whoever_never_finishes_the_headers_is_let_go() {
        let limits = ConnectionLimits { headers_within: Duration::from_millis(50), idle_for: LONG, connections: 10 };
        let house = House::open(limits).await;
        let mut slow = house.connect().await;
        slow.write_all(b"GET /hello HTTP/1.1\r\nhost: ho").await.unwrap();
        closed(&mut slow).await;
        // Also in a second request, after a good first one.
        let mut slow = house.connect().await;
        slow.write_all(REQUEST).await.unwrap();
        answered(&mut slow).await;
        slow.write_all(b"G").await.unwrap();
        closed(&mut slow).await;
    }

    #[tokio::test]
    async fn what_is_no_http_is_refused_in_words() {
        let house = House::open(ConnectionLimits::default()).await;
        let long = format!("GET /{} HTTP/1.1\r\nhost: hotel\r\n\r\n", "a".repeat(70_000));
        let wide = format!("GET /hello HTTP/1.1\r\nhost: hotel\r\n{}\r\n", "x: y\r\n".repeat(200));
        let cases = [
            ("no such thing\r\n\r\n".to_owned(), 400, "MALFORMED_REQUEST"),
            ("GET /hello HTTP/9.9\r\n\r\n".to_owned(), 400, "MALFORMED_REQUEST"),
            ("GET /hello HTTP/1.1\r\nbad header\r\n\r\n".to_owned(), 400, "MALFORMED_REQUEST"),
            (long, 414, "URI_TOO_LONG"),
            (wide, 431, "HEADERS_TOO_LARGE"),
        ];
        for (request, status, code) in cases {
            let mut stream = house.connect().await;
            stream.write_all(request.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            // Whoever still sends is cut off once the answer is there.
            let _ = soon(stream.read_to_end(&mut answer)).await;
            let answer = String::from_utf8(answer).unwrap();
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{head}");
            assert!(head.contains("content-type: application/problem+json"), "{head}");
            assert!(head.contains(&format!("content-length: {}", body.len())), "{head}");
            let problem: serde_json::Value = serde_json::from_str(body).unwrap();
            assert_eq!(
                (&problem["status"], &problem["code"]),
                (&status.into(), &format!("MELMASTOON.PLATFORM.{code}").into())
            );
        }
        // Once a route has answered, what is written is the route's, whatever it looks like.
        let mut stream = house.connect().await;
        stream.write_all(REQUEST).await.unwrap();
        answered(&mut stream).await;
        stream.write_all(b"no such thing\r\n\r\n").await.unwrap();
        let mut heard = Vec::new();
        let _ = soon(stream.read_to_end(&mut heard)).await;
        assert!(heard.starts_with(b"HTTP/1.1 400 "), "{}", String::from_utf8_lossy(&heard));
    }

    #[test]
    fn one_more_byte_now_and_then_gains_no_time() {
        let waiting = Waiting::default();
        waiting.begin();
        assert_eq!(waiting.since(), None);
        waiting.heard();
        let first = waiting.since();
        waiting.heard();
        assert_eq!(waiting.since(), first);
        waiting.begin();
        assert_eq!(waiting.since(), None, "the next request has its own time");
    }

    #[tokio::test]
    async fn an_idle_connection_is_kept_for_its_own_longer_time() {
        let limits = ConnectionLimits { headers_within: Duration::ZERO, idle_for: LONG, connections: 10 };
        let house = House::open(limits).await;
        let mut stream = house.connect().await;
        for _ in 0..3 {
            // A whole request in one piece is never waited for.
            stream.write_all(REQUEST).await.unwrap();
            answered(&mut stream).await;
        }
        let limits = ConnectionLimits { headers_within: LONG, idle_for: Duration::from_millis(50), connections: 10 };
        let house = House::open(limits).await;
        let mut silent = house.connect().await;
        closed(&mut silent).await;
        let mut idle = house.connect().await;
        idle.write_all(REQUEST).await.unwrap();
        answered(&mut idle).await;
        closed(&mut idle).await;
    }

    #[tokio::test]
    async fn whoever_comes_when_all_places_are_taken_waits_for_one() {
        let limits = ConnectionLimits { headers_within: LONG, idle_for: LONG, connections: 1 };
        let house = House::open(limits).await;
        let mut first = house.connect().await;
        first.write_all(REQUEST).await.unwrap();
        answered(&mut first).await;
        let mut second = house.connect().await;
        second.write_all(REQUEST).await.unwrap();
        let early = tokio::time::timeout(Duration::from_millis(100), second.read_u8()).await;
        assert!(early.is_err(), "answered while the only place was taken: {early:?}");
        drop(first);
        answered(&mut second).await;
    }

    #[tokio::test]
    async fn asked_to_stop_it_lets_idle_connections_go_and_ends() {
        let house = House::open(ConnectionLimits::default()).await;
        let mut idle = house.connect().await;
        idle.write_all(REQUEST).await.unwrap();
        answered(&mut idle).await;
        house.stop.send(()).unwrap();
        closed(&mut idle).await;
        soon(house.served).await.unwrap();
        assert!(TcpStream::connect(house.address).await.is_err(), "nobody listens any more");
    }
}

//! How a line comes about: a socket, and the client library's own way of encrypting it and logging in. Afterwards the socket is
//! taken back: between two questions PostgreSQL says nothing, so nothing is lost in between.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use rand::seq::SliceRandom as _;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpStream, UnixStream, lookup_host};
use tokio::time::Instant;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, LoadBalanceHosts, SslMode, TargetSessionAttrs};
use tokio_postgres::tls::TlsConnect;

use super::lent::Lent;
use super::{Line, LineError};
use crate::database::tls::{
    BETWEEN_KNOCKS, Encrypted, Handshake, WAITS_FOR_A_PLACE, is_about_encryption, is_full, unreachable,
};
use crate::database::{DatabaseAddress, Fault};

const PORT: u16 = 5432;

/// What a line goes through.
pub(super) enum Stream {
    Plain(Socket),
    Encrypted(Box<Encrypted<Lent<Socket>>>),
}

pub(in crate::database) enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Line {
    /// Dials the servers of an address in turn, as `psql` does, and logs in at the first one that will do.
    pub(in crate::database) async fn open(address: &DatabaseAddress) -> Result<Self, Fault> {
        let config = &address.config;
        let (hosts, addresses) = (config.get_hosts(), config.get_hostaddrs());
        let mut order: Vec<usize> = (0..hosts.len().max(addresses.len())).collect();
        if config.get_load_balance_hosts() == LoadBalanceHosts::Random {
            order.shuffle(&mut rand::rng());
        }
        let mut fault = Fault::Unavailable("the address names no host".to_owned());
        for at in order {
            let port = config.get_ports().get(at).or(config.get_ports().first()).copied().unwrap_or(PORT);
            let named = hosts.get(at).cloned();
            let name = if let Some(Host::Tcp(name)) = &named { name.clone() } else { String::new() };
            let place = addresses.get(at).map(|ip| Host::Tcp(ip.to_string())).or(named);
            let Some(place) = place else { continue };
            match Self::log_in(address, &place, port, &name).await {
                Ok(mut line) => match line.suits(config).await {
                    Ok(true) => return Ok(line),
                    Ok(false) => fault = Fault::Unavailable("the server takes no changes".to_owned()),
                    Err(error) => fault = Fault::from_line("connect", &error),
                },
                Err(why) => fault = why,
            }
        }
        Err(fault)
    }

    async fn log_in(address: &DatabaseAddress, place: &Host, port: u16, name: &str) -> Result<Self, Fault> {
        let mut config = address.config.clone();
        let begun = Instant::now();
        loop {
            let socket =
                Lent::new(Some(Socket::reach(&config, place, port).await.map_err(|error| nobody_there(&error))?));
            let keeping = Keeping { handshake: address.tls.handshake(name), kept: Lent::new(None) };
            let kept = keeping.kept.again();
            match config.connect_raw(socket.again(), keeping).await {
                Ok(_) => {
                    let stream = match kept.take_back() {
                        Some(encrypted) => Some(Stream::Encrypted(Box::new(encrypted))),
                        None => socket.take_back().map(Stream::Plain),
                    };
                    let stream = stream.ok_or_else(|| nobody_there(&io::ErrorKind::NotConnected.into()))?;
                    return Ok(Self::over(stream));
                }
                Err(error) if config.get_ssl_mode() == SslMode::Prefer && is_about_encryption(&error) => {
                    config.ssl_mode(SslMode::Disable);
                }
                Err(error) if is_full(&error) && begun.elapsed() < WAITS_FOR_A_PLACE => {
                    tokio::time::sleep(BETWEEN_KNOCKS).await;
                }
                Err(error) => return Err(unreachable(&error)),
            }
        }
    }

    /// Whether the server is one that the address asks for, where it may be a copy that takes no changes.
    async fn suits(&mut self, config: &Config) -> Result<bool, LineError> {
        const ASK: &str = "SELECT current_setting('transaction_read_only') = 'on' AS copy";
        let wanted = config.get_target_session_attrs();
        if wanted == TargetSessionAttrs::Any {
            return Ok(true);
        }
        self.learn(&[&ASK.into()]).await.map_err(|(_, error)| error)?;
        let mut batch = self.batch();
        self.ask_into(&mut batch, &ASK.into(), std::iter::empty())?;
        let answers = self.send(batch).await?;
        let copy = answers.rows.first().and_then(|rows| rows.first()).is_some_and(|row| row.get(0));
        Ok(copy == (wanted == TargetSessionAttrs::ReadOnly))
    }
}

/// In the client library's words.
fn nobody_there(error: &io::Error) -> Fault {
    Fault::Unavailable(format!("error connecting to server: {error}"))
}

impl Socket {
    async fn reach(config: &Config, host: &Host, port: u16) -> io::Result<Self> {
        match host {
            Host::Unix(folder) => {
                let dialling = UnixStream::connect(folder.join(format!(".s.PGSQL.{port}")));
                within(config, dialling).await.map(Self::Unix)
            }
            Host::Tcp(name) => {
                let mut places: Vec<_> = lookup_host((name.as_str(), port)).await?.collect();
                if config.get_load_balance_hosts() == LoadBalanceHosts::Random {
                    places.shuffle(&mut rand::rng());
                }
                let mut last = io::Error::new(io::ErrorKind::InvalidInput, "could not resolve any addresses");
                for place in places {
                    match within(config, TcpStream::connect(place)).await {
                        Ok(stream) => return Self::with_settings(config, stream),
                        Err(error) => last = error,
                    }
                }
                Err(last)
            }
        }
    }

    fn with_settings(config: &Config, stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        let socket = SockRef::from(&stream);
        if let Some(timeout) = config.get_tcp_user_timeout() {
            socket.set_tcp_user_timeout(Some(*timeout))?;
        }
        if config.get_keepalives() {
            let mut alive = TcpKeepalive::new().with_time(config.get_keepalives_idle());
            if let Some(interval) = config.get_keepalives_interval() {
                alive = alive.with_interval(interval);
            }
            if let Some(retries) = config.get_keepalives_retries() {
                alive = alive.with_retries(retries);
            }
            socket.set_tcp_keepalive(&alive)?;
        }
        Ok(Self::Tcp(stream))
    }
}

async fn within<T>(config: &Config, dialling: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    match config.get_connect_timeout() {
        Some(time) => tokio::time::timeout(*time, dialling)
            .await
            .unwrap_or_else(|_| Err(io::Error::new(io::ErrorKind::TimedOut, "connection timed out"))),
        None => dialling.await,
    }
}

/// A handshake whose outcome can be taken back from the library.
struct Keeping {
    handshake: Handshake,
    kept: Lent<Encrypted<Lent<Socket>>>,
}

impl TlsConnect<Lent<Socket>> for Keeping {
    type Stream = Lent<Encrypted<Lent<Socket>>>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Stream>> + Send>>;

    fn connect(self, socket: Lent<Socket>) -> Self::Future {
        Box::pin(async move {
            self.kept.put(self.handshake.shake(socket).await?);
            Ok(self.kept)
        })
    }
}

macro_rules! through {
    ($kind:ty: $($variant:ident),*) => {
        impl AsyncRead for $kind {
            fn poll_read(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                buffer: &mut ReadBuf<'_>,
            ) -> Poll<io::Result<()>> {
                match self.get_mut() { $(Self::$variant(stream) => Pin::new(stream).poll_read(context, buffer),)* }
            }
        }

        impl AsyncWrite for $kind {
            fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
                match self.get_mut() { $(Self::$variant(stream) => Pin::new(stream).poll_write(context, bytes),)* }
            }

            fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
                match self.get_mut() { $(Self::$variant(stream) => Pin::new(stream).poll_flush(context),)* }
            }

            fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
                match self.get_mut() { $(Self::$variant(stream) => Pin::new(stream).poll_shutdown(context),)* }
            }
        }
    };
}

through!(Socket: Tcp, Unix);
through!(Stream: Plain, Encrypted);

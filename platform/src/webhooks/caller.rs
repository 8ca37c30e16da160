//! One call: connect to the address that was checked, prove who is there, say it, hear the status. Nobody is followed elsewhere.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::target::Target;

/// For a whole call.
const WITHIN: Duration = Duration::from_secs(10);
/// So many addresses of a name are tried.
const TRIED: usize = 4;
/// What of an answer is read at most: it is only drained.
const ANSWER_BYTES: usize = 64 * 1024;

/// What an operator allows.
#[derive(Clone, Debug, Default)]
pub struct WebhookOptions {
    /// Calls into private networks, and without encryption: for a hotel's own machines, and for tests.
    pub private_allowed: bool,
    /// Certificates that vouch for receivers, besides the system's.
    pub root_certificates: Option<PathBuf>,
}

/// Calls receivers.
#[derive(Clone)]
pub(super) struct Caller {
    private_allowed: bool,
    connector: TlsConnector,
}

/// What is said in a call.
pub(super) struct Call<'a> {
    pub(super) url: &'a str,
    pub(super) id: &'a str,
    pub(super) timestamp: i64,
    pub(super) signature: String,
    pub(super) body: String,
}

impl std::fmt::Debug for Caller {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Caller").field("private_allowed", &self.private_allowed).finish_non_exhaustive()
    }
}

impl Caller {
    /// Err: what is configured cannot be read.
    pub(super) fn new(options: &WebhookOptions) -> Result<Self, String> {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if let Some(file) = &options.root_certificates {
            let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
            let certificates = read.map_err(|error| format!("{}: {error}", file.display()))?;
            roots.add_parsable_certificates(certificates);
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self { private_allowed: options.private_allowed, connector: TlsConnector::from(Arc::new(config)) })
    }

    /// The status of the answer. Err: there was none, and why.
    pub(super) async fn call(&self, call: Call<'_>) -> Result<u16, String> {
        tokio::time::timeout(WITHIN, self.reach(call))
            .await
            .unwrap_or_else(|_| Err("no answer within ten seconds".to_owned()))
    }

    async fn reach(&self, call: Call<'_>) -> Result<u16, String> {
        let target = Target::find(call.url, self.private_allowed).await.map_err(|error| error.to_string())?;
        let stream = connect(&target.addresses, WITHIN).await.map_err(|why| format!("cannot connect: {why}"))?;
        let _ = stream.set_nodelay(true);
        if !target.encrypted {
            return say(stream, &target, call).await;
        }
        let name = ServerName::try_from(target.host.clone()).map_err(|_| "the host has no name".to_owned())?;
        let stream = self.connector.connect(name, stream).await.map_err(|error| format!("not encrypted: {error}"))?;
        say(stream, &target, call).await
    }
}

/// The addresses of a name in turn, each with its share of the time: one that neither takes nor refuses a connection (a machine of several that is off,
/// IPv6 that leads nowhere) keeps nobody from the next.
async fn connect(addresses: &[SocketAddr], within: Duration) -> Result<TcpStream, String> {
    let tried = &addresses[..addresses.len().min(TRIED)];
    let share = within / u32::try_from(tried.len() + 1).unwrap_or(u32::MAX);
    let mut why = "it has no address".to_owned();
    for address in tried {
        match tokio::time::timeout(share, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => why = error.to_string(),
            Err(_) => "nobody answers there".clone_into(&mut why),
        }
    }
    Err(why)
}

async fn say(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    target: &Target,
    call: Call<'_>,
) -> Result<u16, String> {
    let text = |error: hyper::Error| format!("the connection broke: {error}");
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(text)?;
    let talking = tokio::spawn(async move { drop(connection.await) });
    let request = Request::post(&target.path)
        .header("host", &target.authority)
        .header("content-type", "application/json")
        .header("user-agent", concat!("melmastoon/", env!("CARGO_PKG_VERSION")))
        .header("webhook-id", call.id)
        .header("webhook-timestamp", call.timestamp)
        .header("webhook-signature", call.signature)
        .body(Full::new(Bytes::from(call.body)))
        .map_err(|error| error.to_string())?;
    let answer = sender.send_request(request).await.map_err(text)?;
    let status = answer.status().as_u16();
    let _ = Limited::new(answer.into_body(), ANSWER_BYTES).collect().await;
    talking.abort();
    Ok(status)
}

#[cfg(test)]
mod tests {
    use tokio::net::{TcpListener, TcpSocket};
    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn an_address_that_says_nothing_keeps_nobody_from_the_next_one_of_the_name() {
        // Whoever takes no connection out of a queue that is full drops what comes.
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a port");
        let silent = socket.listen(0).expect("a queue");
        let nowhere = silent.local_addr().expect("an address");
        let (mut waiting, moment) = (Vec::new(), Duration::from_millis(200));
        while let Ok(Ok(stream)) = timeout(moment, TcpStream::connect(nowhere)).await {
            waiting.push(stream);
        }
        let there = TcpListener::bind("127.0.0.1:0").await.expect("a listener");
        let there = (there.local_addr().expect("an address"), there);
        let within = Duration::from_secs(3);
        let reached =
            timeout(within, connect(&[nowhere, there.0], within)).await.expect("in time").expect("the second");
        assert_eq!(reached.peer_addr().expect("an address"), there.0);
        assert_eq!(connect(&[nowhere], moment).await.expect_err("nobody"), "nobody answers there");
        assert_eq!(connect(&[], moment).await.expect_err("nobody"), "it has no address");
    }
}

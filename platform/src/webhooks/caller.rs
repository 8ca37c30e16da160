//! One call: connect to the address that was checked, prove who is there, say it, hear the status. Nobody is followed elsewhere.

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
        let stream =
            TcpStream::connect(&target.addresses[..]).await.map_err(|error| format!("cannot connect: {error}"))?;
        let _ = stream.set_nodelay(true);
        if !target.encrypted {
            return say(stream, &target, call).await;
        }
        let name = ServerName::try_from(target.host.clone()).map_err(|_| "the host has no name".to_owned())?;
        let stream = self.connector.connect(name, stream).await.map_err(|error| format!("not encrypted: {error}"))?;
        say(stream, &target, call).await
    }
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

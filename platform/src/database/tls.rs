//! Encryption between us and PostgreSQL: rustls with ring, and what a server's certificate must prove.

use std::error::Error as _;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use std::{fmt, io};

use deadpool_postgres::Connect;
use futures_util::future::BoxFuture;
use futures_util::{StreamExt as _, stream};
use ring::digest::{SHA256, SHA384, SHA512, digest};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, ring as provider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_postgres::config::SslMode;
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_postgres::{AsyncMessage, Client, Config, Connection, Socket};
use tokio_rustls::TlsConnector;

use super::Fault;
use super::address::AddressError;

/// `invalid_authorization_specification`: the server's rules have no line for such a connection.
const NOT_LET_IN: &str = "28000";

/// Certificates that vouch for others.
pub(super) struct Roots {
    store: RootCertStore,
    /// A server whose own certificate is in the file that was named vouches for itself, as PostgreSQL's manual has it.
    themselves: Vec<CertificateDer<'static>>,
}

impl Roots {
    pub(super) fn in_file(file: &str) -> Result<Self, AddressError> {
        let unusable = |detail: String| AddressError::RootFile { file: file.to_owned(), detail };
        let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let themselves = read.map_err(|error| unusable(error.to_string()))?;
        if themselves.is_empty() {
            return Err(unusable("it has no certificate in it".to_owned()));
        }
        let mut store = RootCertStore::empty();
        for certificate in &themselves {
            store.add(certificate.clone()).map_err(|error| unusable(error.to_string()))?;
        }
        Ok(Self { store, themselves })
    }

    pub(super) fn of_this_machine() -> Result<Self, AddressError> {
        let mut store = RootCertStore::empty();
        let (added, _) = store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if added == 0 {
            return Err(AddressError::NoSystemRoots);
        }
        Ok(Self { store, themselves: Vec::new() })
    }
}

impl fmt::Debug for Roots {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Roots({} certificates)", self.store.len())
    }
}

/// What a server must prove before it is told a password.
#[derive(Clone, Debug)]
enum Proof {
    /// That it has some key: nobody listens in, but nobody knows who it is.
    Nothing,
    /// That somebody trusted vouches for it.
    Vouched(Arc<Roots>),
    /// And that it is the one that was asked for.
    VouchedByName(Arc<Roots>),
}

/// Makes connections that are encrypted, where the address asks for it.
#[derive(Clone, Debug)]
pub(super) struct Tls(Proof);

impl Tls {
    pub(super) fn unproven() -> Self {
        Self(Proof::Nothing)
    }

    pub(super) fn proven(roots: Roots) -> Self {
        Self(Proof::Vouched(Arc::new(roots)))
    }

    pub(super) fn proven_in_full(roots: Roots) -> Self {
        Self(Proof::VouchedByName(Arc::new(roots)))
    }

    /// Every connection of the process is made here. The connection's own work runs in a task that ends with the client.
    ///
    /// `prefer` is content with less: where encryption fails, or the server lets nobody in that way, it does without.
    pub(super) async fn dial(&self, config: Config) -> Result<(Client, JoinHandle<()>), tokio_postgres::Error> {
        let (client, connection) = self.reach(config).await?;
        let work = tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a database connection ended");
            }
        });
        Ok((client, work))
    }

    /// The same for a connection that listens: what the server tells it goes to `heard`, which ends with the connection.
    pub(super) async fn dial_to_listen(
        &self,
        config: Config,
        heard: UnboundedSender<String>,
    ) -> Result<Client, tokio_postgres::Error> {
        let (client, mut connection) = self.reach(config).await?;
        tokio::spawn(async move {
            let mut messages = stream::poll_fn(move |context| connection.poll_message(context));
            while let Some(Ok(message)) = messages.next().await {
                if let AsyncMessage::Notification(told) = message
                    && heard.send(told.payload().to_owned()).is_err()
                {
                    return;
                }
            }
        });
        Ok(client)
    }

    async fn reach(
        &self,
        mut config: Config,
    ) -> Result<(Client, Connection<Socket, <Self as MakeTlsConnect<Socket>>::Stream>), tokio_postgres::Error> {
        let begun = Instant::now();
        loop {
            let first = config.connect(self.clone()).await;
            let dialled = match first {
                Err(error) if config.get_ssl_mode() == SslMode::Prefer && is_about_encryption(&error) => {
                    config.ssl_mode(SslMode::Disable);
                    config.connect(self.clone()).await.map_err(|_| error)
                }
                dialled => dialled,
            };
            match dialled {
                Err(error) if is_full(&error) && begun.elapsed() < WAITS_FOR_A_PLACE => {
                    tokio::time::sleep(BETWEEN_KNOCKS).await;
                }
                dialled => return dialled,
            }
        }
    }
}

/// A server whose every place is taken is asked again for so long: places are given back all the time, and whoever came for one short
/// question, an operator's command say, need not fail for it.
pub(super) const WAITS_FOR_A_PLACE: Duration = Duration::from_secs(2);
pub(super) const BETWEEN_KNOCKS: Duration = Duration::from_millis(50);

/// The server, or what a role may have of it, has no place left.
pub(super) fn is_full(error: &tokio_postgres::Error) -> bool {
    error.code() == Some(&SqlState::TOO_MANY_CONNECTIONS)
}

impl Connect for Tls {
    fn connect(&self, config: &Config) -> BoxFuture<'_, Result<(Client, JoinHandle<()>), tokio_postgres::Error>> {
        Box::pin(self.dial(config.clone()))
    }
}

pub(super) fn is_about_encryption(error: &tokio_postgres::Error) -> bool {
    match error.as_db_error() {
        Some(answer) => answer.code().code() == NOT_LET_IN,
        // The client library does not tell what kind of error it is in any other way.
        None => error.to_string() == "error performing TLS handshake",
    }
}

#[derive(Debug)]
struct Examiner {
    proof: Proof,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Examiner {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let (roots, by_name) = match &self.proof {
            Proof::Nothing => return Ok(ServerCertVerified::assertion()),
            Proof::Vouched(roots) => (roots, false),
            Proof::VouchedByName(roots) => (roots, true),
        };
        let parsed = ParsedCertificate::try_from(certificate)?;
        if !roots.themselves.iter().any(|one| one.as_ref() == certificate.as_ref()) {
            let algorithms = self.provider.signature_verification_algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&parsed, &roots.store, intermediates, now, algorithms)?;
        }
        if by_name {
            verify_server_name(&parsed, name)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = Encrypted<Socket>;
    type TlsConnect = Handshake;
    type Error = rustls::Error;

    fn make_tls_connect(&mut self, host: &str) -> Result<Handshake, rustls::Error> {
        Ok(self.handshake(host))
    }
}

impl Tls {
    /// A handshake with the server of this name.
    pub(super) fn handshake(&self, host: &str) -> Handshake {
        Handshake { host: host.to_owned(), proof: self.0.clone() }
    }
}

/// One handshake, with one server.
pub(super) struct Handshake {
    host: String,
    proof: Proof,
}

impl Handshake {
    fn settings(proof: Proof) -> Result<ClientConfig, rustls::Error> {
        let provider = Arc::new(provider::default_provider());
        let examiner = Examiner { proof, provider: Arc::clone(&provider) };
        let settings = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let settings = settings.dangerous().with_custom_certificate_verifier(Arc::new(examiner));
        let mut settings = settings.with_no_client_auth();
        settings.alpn_protocols = vec![b"postgresql".to_vec()];
        Ok(settings)
    }

    pub(super) async fn shake<S: AsyncRead + AsyncWrite + Unpin>(self, socket: S) -> io::Result<Encrypted<S>> {
        let name = ServerName::try_from(self.host).map_err(io::Error::other)?;
        let settings = Self::settings(self.proof).map_err(io::Error::other)?;
        TlsConnector::from(Arc::new(settings)).connect(name, socket).await.map(Encrypted)
    }
}

impl TlsConnect<Socket> for Handshake {
    type Stream = Encrypted<Socket>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted<Socket>>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(self.shake(socket))
    }
}

/// An encrypted connection.
pub(super) struct Encrypted<S>(tokio_rustls::client::TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Encrypted<S> {
    /// Ties the proof of the password to this very certificate: whoever passes it on from another connection fails.
    fn channel_binding(&self) -> ChannelBinding {
        let certificate = self.0.get_ref().1.peer_certificates().and_then(<[_]>::first);
        certificate
            .and_then(|certificate| end_point(certificate))
            .map_or_else(ChannelBinding::none, ChannelBinding::tls_server_end_point)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

/// `tls-server-end-point` (RFC 5929): the certificate's hash by the hash of its signature, MD5 and SHA-1 being too weak for
/// it. A signature without a hash of its own, such as Ed25519's, has none.
fn end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    const SEQUENCE: u8 = 0x30;
    const OBJECT_IDENTIFIER: u8 = 0x06;
    let (whole, _) = element(SEQUENCE, certificate)?;
    let (_, after_what_is_signed) = element(SEQUENCE, whole)?;
    let (algorithm, _) = element(SEQUENCE, after_what_is_signed)?;
    let (identifier, _) = element(OBJECT_IDENTIFIER, algorithm)?;
    let hash = match identifier {
        // 1.2.840.113549.1.1.x: RSA with MD5, SHA-1, SHA-256, SHA-384, SHA-512
        [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, with] => match with {
            0x04 | 0x05 | 0x0b => &SHA256,
            0x0c => &SHA384,
            0x0d => &SHA512,
            _ => return None,
        },
        // 1.2.840.10045.4.1 and 4.3.x: ECDSA with SHA-1, SHA-256, SHA-384, SHA-512
        [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01] | [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02] => &SHA256,
        [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03] => &SHA384,
        [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x04] => &SHA512,
        _ => return None,
    };
    Some(digest(hash, certificate).as_ref().to_vec())
}

/// One DER element of this kind: what is in it, and what follows it.
fn element(kind: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (found, rest) = bytes.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(*first), rest),
        0x81..=0x84 => {
            let (length, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (length.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)), rest)
        }
        _ => return None,
    };
    if *found == kind { rest.split_at_checked(length) } else { None }
}

/// Why a connection could not be made, and what to do about it.
pub(super) fn unreachable(error: &tokio_postgres::Error) -> Fault {
    if let Some(answer) = error.as_db_error() {
        // The server's word for a connection that is not encrypted, in its refusal to let it in.
        if answer.code().code() == NOT_LET_IN && answer.message().contains("no encryption") {
            return Fault::Unavailable(format!(
                "{} (28000); the server wants encryption: put sslmode=require or sslmode=verify-full into DATABASE_URL",
                answer.message()
            ));
        }
        return Fault::from_postgres("connect", error);
    }
    let Some(cause) = error.source() else { return Fault::from_postgres("connect", error) };
    let broken = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref).and_then(|inner| inner.downcast_ref());
    let advice = match broken {
        Some(rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer)) => {
            "; nobody who is trusted here vouches for the server: name the certificate that does with sslrootcert=FILE in DATABASE_URL"
        }
        Some(rustls::Error::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        )) => {
            "; use a host name in DATABASE_URL that the certificate has (as a subject alternative name), or sslmode=verify-ca if \
             any server of the same authority will do"
        }
        Some(rustls::Error::InvalidCertificate(_)) => {
            "; the server needs a good certificate (version 3, in date), or sslmode=require does without the proof"
        }
        Some(_) => "; the two sides found no way to encrypt: TLS 1.2 or newer is needed",
        None if cause.to_string() == "server does not support TLS" => {
            "; turn encryption on there (ssl = on), or do without it: sslmode=prefer or sslmode=disable in DATABASE_URL"
        }
        None => "",
    };
    Fault::Unavailable(format!("{error}: {cause}{advice}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn certificate(algorithm: &[u8]) -> Vec<u8> {
        let sequence = |content: &[u8]| [&[0x30, u8::try_from(content.len()).unwrap()], content].concat();
        let oid = [&[0x06, u8::try_from(algorithm.len()).unwrap()], algorithm].concat();
        sequence(&[sequence(b"signed"), sequence(&oid), vec![0x03, 0x01, 0x00]].concat())
    }

    #[test]
    fn a_certificate_is_bound_by_the_hash_of_its_own_signature() {
        let rsa = |last: u8| certificate(&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, last]);
        for (last, length) in [(0x05, 32), (0x0b, 32), (0x0c, 48), (0x0d, 64)] {
            assert_eq!(end_point(&rsa(last)).map(|hash| hash.len()), Some(length), "{last}");
        }
        assert_eq!(end_point(&rsa(0x0a)), None, "PSS says its hash elsewhere");
        for (last, length) in [(0x02, 32), (0x03, 48), (0x04, 64)] {
            let ecdsa = certificate(&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, last]);
            assert_eq!(end_point(&ecdsa).map(|hash| hash.len()), Some(length), "{last}");
        }
        assert_eq!(end_point(&certificate(&[0x2b, 0x65, 0x70])), None, "Ed25519");
    }

    #[test]
    fn what_is_no_certificate_binds_nothing() {
        let whole = certificate(&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]);
        for end in 0..whole.len() {
            assert_eq!(end_point(&whole[..end]), None, "{end}");
        }
        assert_eq!(end_point(&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0x00]), None);
    }
}

//! Something that is lent to the client library for as long as it logs in.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, TlsStream};

/// Read and written through by whoever has it, until its owner takes it back.
pub(in crate::database) struct Lent<S>(Arc<Mutex<Option<S>>>);

impl<S> Lent<S> {
    pub(super) fn new(thing: Option<S>) -> Self {
        Self(Arc::new(Mutex::new(thing)))
    }

    pub(super) fn again(&self) -> Self {
        Self(Arc::clone(&self.0))
    }

    pub(super) fn put(&self, thing: S) {
        *self.lock() = Some(thing);
    }

    /// Nobody reads or writes through it from here on.
    pub(super) fn take_back(&self) -> Option<S> {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, Option<S>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Lent<S> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match &mut *self.lock() {
            Some(stream) => Pin::new(stream).poll_read(context, buffer),
            None => Poll::Ready(Err(io::ErrorKind::NotConnected.into())),
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Lent<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match &mut *self.lock() {
            Some(stream) => Pin::new(stream).poll_write(context, bytes),
            None => Poll::Ready(Err(io::ErrorKind::NotConnected.into())),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut *self.lock() {
            Some(stream) => Pin::new(stream).poll_flush(context),
            None => Poll::Ready(Ok(())),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut *self.lock() {
            Some(stream) => Pin::new(stream).poll_shutdown(context),
            None => Poll::Ready(Ok(())),
        }
    }
}

impl<S: TlsStream + Unpin> TlsStream for Lent<S> {
    fn channel_binding(&self) -> ChannelBinding {
        self.lock().as_ref().map_or_else(ChannelBinding::none, TlsStream::channel_binding)
    }
}

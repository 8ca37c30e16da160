//! What is no HTTP at all never reaches a route: hyper refuses it by itself, with a head and nothing behind it. Where that is the first thing that
//! is written to a connection, it leaves as problem+json like every other refusal. Only then: once a route has answered, what is written may be
//! anybody's bytes, a photo say, and nothing of it is looked at.

use std::fmt::Write as _;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use tokio::io::AsyncWrite;

use super::Problem;
use super::edge::guard;

/// No trace was begun: W3C's word for none.
const NO_TRACE: &str = "00000000000000000000000000000000";

/// Whether anything on a connection could be read, and was given to a route.
#[derive(Clone, Debug, Default)]
pub(super) struct Understood(Arc<AtomicBool>);

impl Understood {
    pub(super) fn something(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// What is written in place of hyper's own refusal, and how much of it has been.
#[derive(Debug)]
pub(super) struct Refusing {
    understood: Understood,
    said: Vec<u8>,
    written: usize,
}

impl Refusing {
    pub(super) fn unless(understood: Understood) -> Self {
        Self { understood, said: Vec::new(), written: 0 }
    }

    /// Whether this is written instead of what hyper wanted to write. `None`: it is an ordinary answer.
    pub(super) fn poll_instead<W: AsyncWrite + Unpin>(
        &mut self,
        mut stream: &mut W,
        cx: &mut Context<'_>,
        head: &[u8],
    ) -> Option<Poll<io::Result<usize>>> {
        if self.understood.0.load(Ordering::Acquire) {
            return None;
        }
        if self.said.is_empty() {
            self.said = in_words(head)?;
        }
        while self.written < self.said.len() {
            let polled = Pin::new(&mut stream).poll_write(cx, &self.said[self.written..]);
            match polled {
                Poll::Ready(Ok(0)) => return Some(Poll::Ready(Err(io::ErrorKind::WriteZero.into()))),
                Poll::Ready(Ok(written)) => self.written += written,
                Poll::Ready(Err(error)) => return Some(Poll::Ready(Err(error))),
                Poll::Pending => return Some(Poll::Pending),
            }
        }
        // Nothing follows: hyper closes after it.
        Some(Poll::Ready(Ok(head.len())))
    }
}

/// The whole answer to a request that could not be read. No route answers with such a head: whatever is refused has a body.
fn in_words(head: &[u8]) -> Option<Vec<u8>> {
    let head = head.strip_prefix(b"HTTP/1.")?;
    let status = head.get(2..5).filter(|digits| matches!(*digits, b"400" | b"414" | b"431"))?;
    let text = std::str::from_utf8(head).ok()?.strip_suffix("\r\n\r\n")?;
    let is_empty = text.split("\r\n").any(|line| line == "content-length: 0");
    let closes = text.split("\r\n").any(|line| line == "connection: close");
    let status = StatusCode::from_bytes(status).ok().filter(|_| is_empty && closes)?;
    Some(answer(&problem(status)))
}

fn problem(status: StatusCode) -> Problem {
    match status {
        StatusCode::URI_TOO_LONG => Problem::uri_too_long(),
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => Problem::headers_too_large(),
        _ => Problem::malformed("this is not HTTP/1.1: its first line or one of its headers cannot be read"),
    }
}

fn answer(problem: &Problem) -> Vec<u8> {
    let body = problem.render("", NO_TRACE);
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    guard(&mut headers);
    let mut text =
        format!("HTTP/1.1 {} {}\r\n", problem.status.as_u16(), problem.status.canonical_reason().unwrap_or_default());
    for (name, value) in &headers {
        let _ = write!(text, "{name}: {}\r\n", value.to_str().unwrap_or_default());
    }
    text.push_str("\r\n");
    text.push_str(&body);
    text.into_bytes()
}

/// The first bytes of what is to be written.
pub(super) fn first_of<'a>(bufs: &'a [io::IoSlice<'_>]) -> &'a [u8] {
    bufs.iter().map(|buf| &**buf).find(|buf| !buf.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinary_answer_is_left_alone() {
        let ordinary: [&[u8]; 4] = [
            b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
            b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\nconnection: close\r\ncontent-length: 12\r\n\r\n",
            b"HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
            b"{\"text\":\"HTTP/1.1 400 Bad Request\"}",
        ];
        for head in ordinary {
            assert_eq!(in_words(head), None, "{}", String::from_utf8_lossy(head));
        }
    }
}

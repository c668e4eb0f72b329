//! The inbound half of a guarded connection: which bytes pass, which are held back, and which are replaced.

use super::{
    chunks::{Chunks, Step},
    connection_state::STAND_IN_VERB,
    head::{self, Flaw, Follows},
};
use actix_web::web::{Buf, BytesMut};
use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};
use tokio::io::{AsyncRead, ReadBuf};

const PIECE: usize = 4096;

/// What comes next in the stream.
#[derive(Clone, Copy, Debug)]
enum Next {
    Head,
    Body(u64),
    Chunks(Chunks),
    /// Passed on unchecked.
    Everything,
}

#[derive(Debug)]
pub(super) struct Reading {
    next: Next,
    /// No head has been read on this connection.
    is_fresh: bool,
    /// The beginning of an incomplete head.
    held: BytesMut,
    /// Checked and not yet passed on.
    passed: BytesMut,
    ended: bool,
}

/// The result of checking new bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inspected {
    Bytes,
    /// A part of a head: more is needed.
    NothingYet,
    End,
    /// A stand-in has replaced the request.
    Refusal(Flaw),
}

impl Default for Reading {
    fn default() -> Self {
        Self { next: Next::Head, is_fresh: true, held: BytesMut::new(), passed: BytesMut::new(), ended: false }
    }
}

impl Reading {
    pub(super) fn holds_part_of_a_head(&self) -> bool {
        !self.held.is_empty()
    }

    /// Whether the timeout for heads applies: a connection may be idle between requests, but not within one or before
    /// the first.
    pub(super) fn awaits_head(&self) -> bool {
        matches!(self.next, Next::Head) && (self.is_fresh || !self.held.is_empty())
    }

    /// Passes on bytes that were checked before, and returns whether there were any.
    pub(super) fn hand_over(&mut self, buf: &mut ReadBuf<'_>) -> bool {
        if self.passed.is_empty() {
            return false;
        }
        let size = self.passed.len().min(buf.remaining());
        buf.put_slice(&self.passed[..size]);
        self.passed.advance(size);
        true
    }

    /// Reads more bytes after the part of a head that is held back.
    pub(super) fn poll_more<S: AsyncRead>(
        &mut self,
        stream: Pin<&mut S>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        let mut piece = [0; PIECE];
        let mut buf = ReadBuf::new(&mut piece);
        ready!(stream.poll_read(cx, &mut buf))?;
        self.ended = buf.filled().is_empty();
        self.held.extend_from_slice(buf.filled());
        Poll::Ready(Ok(()))
    }

    /// Reads straight into the buffer of the HTTP implementation, so that a head that arrives in one piece is never
    /// copied.
    pub(super) fn poll_through<S: AsyncRead>(
        &mut self,
        stream: Pin<&mut S>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(stream.poll_read(cx, buf))?;
        self.ended = buf.filled().len() == before;
        Poll::Ready(Ok(()))
    }

    /// Checks the bytes of the last read, either after `before` in the buffer or after the part that is held back.
    pub(super) fn inspect(&mut self, buf: &mut ReadBuf<'_>, before: usize) -> Inspected {
        if self.ended {
            return Inspected::End;
        }
        if self.held.is_empty() {
            let (pass, flaw) = self.follow(&buf.filled()[before..]);
            let rest = &buf.filled()[before + pass..];
            if flaw.is_none() {
                self.held.extend_from_slice(rest);
            }
            buf.set_filled(before + pass);
            return self.conclude(pass > 0, flaw);
        }
        let mut bytes = std::mem::take(&mut self.held);
        let (pass, flaw) = self.follow(&bytes);
        self.passed.extend_from_slice(&bytes.split_to(pass));
        if flaw.is_none() {
            self.held = bytes;
        }
        self.conclude(pass > 0, flaw)
    }

    fn conclude(&mut self, passed: bool, flaw: Option<Flaw>) -> Inspected {
        match flaw {
            Some(flaw) => {
                self.replace_by_refusal();
                Inspected::Refusal(flaw)
            }
            None if passed => Inspected::Bytes,
            None => Inspected::NothingYet,
        }
    }

    /// Replaces a refused request by a stand-in, after the bytes that have passed.
    pub(super) fn replace_by_refusal(&mut self) {
        self.held.clear();
        self.is_fresh = false;
        let stand_in = format!("{STAND_IN_VERB} / HTTP/1.1\r\nhost: refused\r\nconnection: close\r\n\r\n");
        self.passed.extend_from_slice(stand_in.as_bytes());
    }

    /// Scans the requests in these bytes. Returns how many bytes may pass, and what is wrong after them.
    fn follow(&mut self, bytes: &[u8]) -> (usize, Option<Flaw>) {
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            match &mut self.next {
                Next::Head => match head::read(rest) {
                    Ok(None) => return (at, None),
                    Err(flaw) => return (at, Some(flaw)),
                    Ok(Some(head)) => {
                        at += head.length;
                        self.is_fresh = false;
                        self.next = match head.follows {
                            Follows::Bytes(0) => Next::Head,
                            Follows::Bytes(length) => Next::Body(length),
                            Follows::Chunks => Next::Chunks(Chunks::START),
                            Follows::Everything => Next::Everything,
                        };
                    }
                },
                Next::Body(left) => {
                    let taken = usize::try_from(*left).unwrap_or(usize::MAX).min(rest.len());
                    at += taken;
                    *left -= taken as u64;
                    if *left == 0 {
                        self.next = Next::Head;
                    }
                }
                Next::Chunks(chunks) => match chunks.advance(rest) {
                    Step::More => at = bytes.len(),
                    Step::Done(length) => {
                        at += length;
                        self.next = Next::Head;
                    }
                    Step::Lost => self.next = Next::Everything,
                },
                Next::Everything => at = bytes.len(),
            }
        }
        (at, None)
    }
}

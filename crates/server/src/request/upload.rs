//! A body that a handler reads as it arrives.

use crate::refusal::Refusal;
use actix_web::{
    error::PayloadError,
    web::{Bytes, Payload},
};
use futures_util::StreamExt;
use std::{cell::Cell, fmt, rc::Rc, time::Duration};
use tokio::time::timeout;

/// The body of a call to a route with [`Bodies::Bytes`](crate::wire::Bodies::Bytes), which is never completely in
/// memory. While the handler reads nothing, only a few buffers of the connection fill up, and the client has to wait.
pub struct Upload {
    /// `None` if there is no body.
    payload: Option<Payload>,
    unread: Unread,
    max: usize,
    taken: usize,
    declared: Option<u64>,
    idle: Duration,
    failed: Option<Refusal>,
}

/// Whether a part of a body was not read, which the client may still be sending. Shared by the gate and the upload.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unread(Rc<Cell<bool>>);

impl Unread {
    pub(crate) fn new(is_unread: bool) -> Self {
        Self(Rc::new(Cell::new(is_unread)))
    }

    pub(crate) fn get(&self) -> bool {
        self.0.get()
    }

    pub(crate) fn set(&self, is_unread: bool) {
        self.0.set(is_unread);
    }
}

/// The limits of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) max: usize,
    /// The length that the client declares.
    pub(crate) declared: Option<u64>,
    /// How long the client may pause.
    pub(crate) idle: Duration,
}

impl Upload {
    pub(crate) fn new(payload: Payload, unread: Unread, bounds: Bounds) -> Self {
        let Bounds { max, declared, idle } = bounds;
        Self { payload: Some(payload), unread, max, taken: 0, declared, idle, failed: None }
    }

    pub(super) fn empty() -> Self {
        let unread = Unread::default();
        Self { payload: None, unread, max: 0, taken: 0, declared: None, idle: Duration::ZERO, failed: None }
    }

    /// The length that the client declares, if any. It never exceeds the limit of the route.
    pub const fn declared_length(&self) -> Option<u64> {
        self.declared
    }

    /// The next bytes; `None` at the end of the body. Refuses the call if there are more bytes than the route allows,
    /// if the client pauses for too long, or if it disconnects before the end. The total time is not limited.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Refusal> {
        if let Some(refusal) = &self.failed {
            return Err(refusal.clone());
        }
        let next = self.next_chunk().await;
        match &next {
            Ok(None) => self.unread.set(false),
            Ok(Some(_)) => {}
            Err(refusal) => self.failed = Some(refusal.clone()),
        }
        next
    }

    async fn next_chunk(&mut self) -> Result<Option<Bytes>, Refusal> {
        let Some(payload) = &mut self.payload else { return Ok(None) };
        let next = timeout(self.idle, payload.next()).await.map_err(|_| Refusal::TooSlow)?;
        let bytes = match next {
            None => return Ok(None),
            Some(Ok(bytes)) => bytes,
            Some(Err(PayloadError::Overflow)) => return Err(Refusal::BodyTooLarge { max: self.max }),
            Some(Err(_)) => return Err(Refusal::MalformedRequest("body")),
        };
        self.taken += bytes.len();
        if self.taken > self.max { Err(Refusal::BodyTooLarge { max: self.max }) } else { Ok(Some(bytes)) }
    }
}

impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upload").field("taken", &self.taken).field("declared", &self.declared).finish_non_exhaustive()
    }
}

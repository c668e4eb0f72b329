//! Answers that are sent as they come about: files, exports, events.

use crate::metrics::InFlight;
use actix_web::{
    body::{BodySize, BoxBody, MessageBody},
    web::Bytes,
};
use futures_util::{Stream, StreamExt, stream};
use std::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};
use tokio::sync::watch;

type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, Broken>>>>;

/// A stream cannot go on. The connection ends early, by which the client knows that something is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Broken(pub &'static str);

/// The body of an answer, piece by piece. The next piece is asked for once the client took most of what was sent before.
pub struct ByteStream {
    pieces: Pieces,
    length: Option<u64>,
    is_endless: bool,
}

impl ByteStream {
    /// A body whose length is known.
    pub fn sized(length: u64, pieces: impl Stream<Item = Result<Bytes, Broken>> + 'static) -> Self {
        Self { pieces: Box::pin(pieces), length: Some(length), is_endless: false }
    }

    /// A body that ends where its pieces do. A service that shuts down waits for it as long as it waits for any call.
    pub fn unsized_until_end(pieces: impl Stream<Item = Result<Bytes, Broken>> + 'static) -> Self {
        Self { pieces: Box::pin(pieces), length: None, is_endless: false }
    }

    /// A body that would go on for as long as the client listens. It is ended, in good order, when the service shuts down.
    pub fn endless(pieces: impl Stream<Item = Result<Bytes, Broken>> + 'static) -> Self {
        Self { pieces: Box::pin(pieces), length: None, is_endless: true }
    }

    /// The body as it goes out; the call counts as under way until it is sent or given up.
    pub(crate) fn into_body(self, closing: &Closing, counted: InFlight) -> BoxBody {
        let pieces: Pieces =
            if self.is_endless { Box::pin(self.pieces.take_until(closing.begun())) } else { self.pieces };
        BoxBody::new(Outgoing { pieces, length: self.length, _counted: counted })
    }

    /// The same for HEAD: no bytes are read only to be discarded.
    pub(crate) fn without_pieces(self) -> Self {
        Self { pieces: Box::pin(stream::empty()), ..self }
    }
}

impl fmt::Debug for ByteStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByteStream").field("length", &self.length).finish_non_exhaustive()
    }
}

struct Outgoing {
    pieces: Pieces,
    length: Option<u64>,
    _counted: InFlight,
}

impl MessageBody for Outgoing {
    type Error = Broken;

    fn size(&self) -> BodySize {
        self.length.map_or(BodySize::Stream, BodySize::Sized)
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Broken>>> {
        self.pieces.poll_next_unpin(cx)
    }
}

/// Says to what would go on for ever that the service closes.
#[derive(Debug)]
pub struct Closing(watch::Sender<bool>);

impl Default for Closing {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Closing {
    pub(crate) fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Is done once the service closes.
    pub fn begun(&self) -> impl Future<Output = ()> + use<> {
        let mut closes = self.0.subscribe();
        async move {
            // Where nobody can say so any more, the service is gone.
            let _ = closes.wait_for(|closes| *closes).await;
        }
    }
}

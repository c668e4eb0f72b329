//! Answers that are sent piece by piece: files, exports, events.

use crate::metrics::InFlight;
use actix_web::{
    body::{BodySize, BoxBody, MessageBody},
    web::Bytes,
};
use futures_util::{FutureExt, Stream, StreamExt, stream};
use std::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};
use tokio::sync::watch;

type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, Broken>>>>;

/// A stream cannot continue. The connection is closed early, so that the client notices that something is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Broken(pub &'static str);

/// The body of an answer in pieces. The next piece is produced when the client has read most of the previous ones.
pub struct ByteStream {
    pieces: Pieces,
    length: Option<u64>,
    /// What an endless body ends with when the service closes.
    farewell: Option<Bytes>,
}

impl ByteStream {
    /// A body with a known length.
    pub fn sized(length: u64, pieces: impl Stream<Item = Result<Bytes, Broken>> + 'static) -> Self {
        Self { pieces: Box::pin(pieces), length: Some(length), farewell: None }
    }

    /// A body that ends with its last piece. A service that shuts down waits for it like for any call.
    pub fn unsized_until_end(pieces: impl Stream<Item = Result<Bytes, Broken>> + 'static) -> Self {
        Self { pieces: Box::pin(pieces), length: None, farewell: None }
    }

    /// A body that continues for as long as the client reads it. A service that shuts down ends it with these bytes.
    pub fn endless(pieces: impl Stream<Item = Result<Bytes, Broken>> + 'static, farewell: Bytes) -> Self {
        Self { pieces: Box::pin(pieces), length: None, farewell: Some(farewell) }
    }

    /// The body to send; the call counts as running until the body is sent or abandoned.
    pub(crate) fn into_body(self, closing: &Closing, counted: InFlight) -> BoxBody {
        let pieces: Pieces = match self.farewell {
            Some(farewell) => Box::pin(until_closing(self.pieces, closing, farewell)),
            None => self.pieces,
        };
        BoxBody::new(Outgoing { pieces, length: self.length, _counted: counted })
    }

    /// Like [`Self::into_body`], for HEAD: reads no bytes.
    pub(crate) fn without_pieces(self) -> Self {
        Self { pieces: Box::pin(stream::empty()), ..self }
    }
}

impl fmt::Debug for ByteStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByteStream").field("length", &self.length).finish_non_exhaustive()
    }
}

/// The pieces until they end or the service closes.
fn until_closing(
    mut pieces: Pieces,
    closing: &Closing,
    farewell: Bytes,
) -> impl Stream<Item = Result<Bytes, Broken>> + 'static {
    let mut closing = Box::pin(closing.begun());
    let mut farewell = Some(farewell);
    stream::poll_fn(move |cx| {
        if farewell.is_none() {
            return Poll::Ready(None);
        }
        if closing.poll_unpin(cx).is_ready() {
            return Poll::Ready(farewell.take().map(Ok));
        }
        let piece = pieces.poll_next_unpin(cx);
        if let Poll::Ready(None) = piece {
            farewell = None;
        }
        piece
    })
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

/// Signals to endless streams that the service is closing.
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

    /// Completes once the service is closing.
    pub fn begun(&self) -> impl Future<Output = ()> + use<> {
        let mut closes = self.0.subscribe();
        async move {
            // If the sender is gone, the service is gone too.
            let _ = closes.wait_for(|closes| *closes).await;
        }
    }
}

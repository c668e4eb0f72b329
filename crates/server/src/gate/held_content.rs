//! Page content counts as held until the answer made from it is sent.

use actix_web::{
    HttpResponse,
    body::{BodySize, BoxBody, MessageBody},
    http::header::CONTENT_ENCODING,
    web::Bytes,
};
use octavo_app::HeldContent;
use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

/// How much of a body is passed on at a time. The web framework copies each piece into the buffer of its connection, and
/// asks for the next one when the client has read most of it.
const PIECE: usize = 32 << 10;

/// Compressed bodies up to this size are too small to hold the content for.
const SMALL: usize = 256 << 10;

/// Keeps the content held until the body is sent or abandoned.
pub(super) fn keep_until_sent(content: HeldContent, response: HttpResponse) -> HttpResponse {
    if !content.is_counted() {
        return response;
    }
    let (response, body) = response.into_parts();
    let body = match body.try_into_bytes() {
        Ok(bytes) if bytes.len() <= SMALL && response.headers().contains_key(CONTENT_ENCODING) => BoxBody::new(bytes),
        Ok(rest) => BoxBody::new(Pieces { rest, _content: content }),
        // Streamed bodies produce their pieces on demand.
        Err(body) => body,
    };
    response.set_body(body)
}

/// A body that is sent piece by piece.
struct Pieces {
    rest: Bytes,
    _content: HeldContent,
}

impl MessageBody for Pieces {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.rest.len() as u64)
    }

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        let length = self.rest.len().min(PIECE);
        Poll::Ready(Some(Ok(self.rest.split_to(length))))
    }
}

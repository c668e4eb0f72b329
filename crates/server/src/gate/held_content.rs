//! Page content counts as held until the answer made from it is sent.

use actix_web::{
    HttpResponse,
    body::{BoxBody, MessageBody},
    http::header::CONTENT_ENCODING,
    web::Bytes,
};
use octavo_app::HeldContent;

/// Keeps the content as held until the body is sent or abandoned. A compressed body is small, so then the content is
/// released now.
pub(super) fn keep_until_sent(content: HeldContent, response: HttpResponse) -> HttpResponse {
    if !content.is_counted() || response.headers().contains_key(CONTENT_ENCODING) {
        return response;
    }
    let (response, body) = response.into_parts();
    let body = match body.try_into_bytes() {
        Ok(bytes) => BoxBody::new(Bytes::from_owner(Sent { bytes, _content: content })),
        // Streamed bodies produce their pieces on demand.
        Err(body) => body,
    };
    response.set_body(body)
}

struct Sent {
    bytes: Bytes,
    _content: HeldContent,
}

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

//! Page content counts as held until the answer made from it is sent.

use crate::{
    answer::Answer,
    head_guard::{ConnectionState, SendLimit},
};
use actix_web::{
    HttpResponse,
    body::{BodySize, BoxBody, MessageBody},
    http::Method,
    web::Bytes,
};
use octavo_app::{AppResult, HeldContent, Reply};
use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

/// How much of a body is passed on at a time. The web framework copies each piece into the buffer of its connection, and
/// asks for the next one when the client has read most of it.
const PIECE: usize = 32 << 10;

/// How long a client may take to read any answer of more than one piece. It is enough for a connection that fails for a
/// minute, and for the end of an answer that is sent before this one.
const BASE_TIME: Duration = Duration::from_mins(2);

/// How much of a longer answer a client must read for each second beyond that. Half a megabit is less than what mobile
/// networks provide. Without such a bound, few clients that read slowly would leave no memory for large pages.
const MIN_BYTES_PER_SECOND: usize = 64 << 10;

/// Counts the answer of a call that reads. The answer of a call that has written is not refused: its client would think
/// that nothing was written.
pub(super) fn count_answer(content: &HeldContent, method: &Method, answer: Answer) -> Answer {
    if !method.is_safe() || *method == Method::HEAD {
        return answer;
    }
    match content.hold_answer(answer.body_bytes()) {
        Ok(()) => answer,
        Err(interrupt) => AppResult::<Reply>::Err(interrupt).into(),
    }
}

/// Keeps the body counted until it is sent or abandoned. The connection ends if its client takes too long to read the
/// body.
pub(super) fn keep_until_sent(
    content: HeldContent,
    response: HttpResponse,
    connection: Option<&ConnectionState>,
) -> HttpResponse {
    let (response, body) = response.into_parts();
    let body = match body.try_into_bytes() {
        Ok(bytes) if bytes.len() <= PIECE => BoxBody::new(bytes),
        Ok(bytes) => {
            content.release_all_but(bytes.len() as u64);
            BoxBody::new(HeldBody::new(bytes, content, connection))
        }
        // Streamed bodies produce their pieces on demand.
        Err(body) => body,
    };
    response.set_body(body)
}

/// How long a client may take to read a body of this many bytes.
const fn time_to_send(length: usize) -> Duration {
    BASE_TIME.saturating_add(Duration::from_secs((length / MIN_BYTES_PER_SECOND) as u64))
}

/// A body that is sent piece by piece.
struct HeldBody {
    rest: Bytes,
    _content: HeldContent,
    /// The body is not asked for pieces while its client reads nothing, so the connection measures the time.
    _limit: Option<SendLimit>,
}

impl HeldBody {
    fn new(body: Bytes, content: HeldContent, connection: Option<&ConnectionState>) -> Self {
        let limit = connection.map(|connection| connection.limit_sending(time_to_send(body.len())));
        Self { rest: body, _content: content, _limit: limit }
    }
}

impl MessageBody for HeldBody {
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

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn the_time_to_read_an_answer_grows_with_it_and_ends_with_it() {
        for (length, seconds) in [(0, 120), (100, 120), (64 << 10, 121), (48 << 20, 120 + 768)] {
            let connection = ConnectionState::default();
            let body = HeldBody::new(vec![0_u8; length].into(), HeldContent::uncounted(), Some(&connection));
            let deadline = Instant::now() + Duration::from_secs(seconds);
            assert_eq!(connection.send_by(), Some(deadline), "{length}");
            drop(body);
            assert_eq!(connection.send_by(), None, "{length}");
        }
    }
}

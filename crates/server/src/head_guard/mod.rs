//! The head guard: sits between the socket and the HTTP implementation and reads the head of every request first.
//!
//! The implementation answers a head that it cannot parse with a bare status, and accepts more than this service
//! wants to. So the head guard passes on valid heads only. In place of a refused one it passes on a request of its
//! own, so that the refusal is produced like every other answer: with envelope, request id, log line and metrics.
//! Nothing after that request is read.

mod chunks;
mod connection_state;
#[cfg(test)]
mod fuzz;
mod head;
mod reading;
#[cfg(test)]
mod tests;

pub(crate) use connection_state::{ConnectionState, SendLimit};

use crate::settings::Timeouts;
use actix_web::rt::net::{ActixStream, Ready};
use reading::{Inspected, Reading};
use std::{
    future::Future,
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep, sleep_until},
};

/// After a connection is given up, how long bytes from the client are read and discarded, so that it gets to read the
/// answer.
const FAREWELL: Duration = Duration::from_secs(2);

type Timer = Option<Pin<Box<Sleep>>>;

/// A connection behind the head guard.
#[derive(Debug)]
pub(crate) struct HeadGuard<S> {
    stream: S,
    connection_state: ConnectionState,
    reading: Reading,
    timeouts: Timeouts,
    /// Runs while a head is incomplete, or before the first head of the connection.
    head_timer: Timer,
    /// Runs while the client does not read the response.
    write_timer: Timer,
    /// Runs while the client reads an answer for which its time is limited.
    send_timer: Timer,
    farewell: Timer,
}

impl<S> HeadGuard<S> {
    pub(crate) fn new(stream: S, timeouts: Timeouts) -> Self {
        Self {
            stream,
            connection_state: ConnectionState::default(),
            reading: Reading::default(),
            timeouts,
            head_timer: None,
            write_timer: None,
            send_timer: None,
            farewell: None,
        }
    }

    /// The state that the head guard of this connection shares with the gate.
    pub(crate) fn connection_state(&self) -> ConnectionState {
        self.connection_state.clone()
    }

    /// Whether the client still reads an answer although the time for that is over.
    fn is_overdue(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(deadline) = self.connection_state.send_by() else {
            self.send_timer = None;
            return false;
        };
        let timer = self.send_timer.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if timer.deadline() != deadline {
            timer.as_mut().reset(deadline);
        }
        timer.as_mut().poll(cx).is_ready()
    }
}

/// Whether a timer has elapsed; starts it if it is not running.
fn has_elapsed(timer: &mut Timer, span: Duration, cx: &mut Context<'_>) -> bool {
    timer.get_or_insert_with(|| Box::pin(sleep(span))).as_mut().poll(cx).is_ready()
}

impl<S: AsyncRead + Unpin> HeadGuard<S> {
    /// Waits for bytes: `Ready(true)` if some arrived or the client has finished sending, `Ready(false)` if the time
    /// for a head is over.
    fn poll_fill(&mut self, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<bool>> {
        let polled = if self.reading.holds_part_of_a_head() {
            self.reading.poll_more(Pin::new(&mut self.stream), cx)
        } else {
            self.reading.poll_through(Pin::new(&mut self.stream), cx, buf)
        };
        match polled {
            Poll::Ready(result) => Poll::Ready(result.map(|()| true)),
            Poll::Pending
                if self.reading.awaits_head() && has_elapsed(&mut self.head_timer, self.timeouts.head, cx) =>
            {
                Poll::Ready(Ok(false))
            }
            Poll::Pending => {
                self.connection_state.wait(cx);
                Poll::Pending
            }
        }
    }

    /// Reads and discards incoming bytes for a while.
    fn poll_forget(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut scratch = [0; 4096];
        loop {
            if has_elapsed(&mut self.farewell, FAREWELL, cx) {
                return Poll::Ready(Ok(()));
            }
            let mut buf = ReadBuf::new(&mut scratch);
            ready!(Pin::new(&mut self.stream).poll_read(cx, &mut buf))?;
            if buf.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for HeadGuard<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = self.poll_inspected(cx, buf);
        if matches!(&read, Poll::Ready(result) if result.is_err() || buf.filled().len() == before) {
            self.connection_state.hang_up();
        }
        read
    }
}

impl<S: AsyncRead + Unpin> HeadGuard<S> {
    fn poll_inspected(&mut self, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self;
        loop {
            if this.reading.hand_over(buf) {
                return Poll::Ready(Ok(()));
            }
            if this.connection_state.is_given_up() {
                return this.poll_forget(cx);
            }
            let before = buf.filled().len();
            if !ready!(this.poll_fill(cx, buf))? {
                if !this.reading.holds_part_of_a_head() {
                    return Poll::Ready(Ok(()));
                }
                this.connection_state.refuse(head::Flaw::TooSlow);
                this.reading.replace_by_refusal();
                continue;
            }
            match this.reading.inspect(buf, before) {
                Inspected::Bytes => {}
                Inspected::NothingYet => continue,
                Inspected::End => return Poll::Ready(Ok(())),
                Inspected::Refusal(flaw) => this.connection_state.refuse(flaw),
            }
            if !this.reading.awaits_head() {
                this.head_timer = None;
            }
            if buf.filled().len() > before {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for HeadGuard<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        match Pin::new(&mut this.stream).poll_write(cx, bytes) {
            Poll::Ready(written) => {
                this.write_timer = None;
                Poll::Ready(written)
            }
            Poll::Pending => {
                let reads_nothing = has_elapsed(&mut this.write_timer, this.timeouts.idle, cx);
                if reads_nothing || this.is_overdue(cx) {
                    return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
                }
                Poll::Pending
            }
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
        // Closing a socket with unread bytes resets the connection, and the client might never see the answer.
        if this.connection_state.is_given_up() { this.poll_forget(cx) } else { Poll::Ready(Ok(())) }
    }
}

impl<S: ActixStream> ActixStream for HeadGuard<S> {
    fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        self.stream.poll_read_ready(cx)
    }

    fn poll_write_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        self.stream.poll_write_ready(cx)
    }
}

//! State that is shared by the gate and the head guard of a connection.

use super::head::Flaw;
use crate::refusal::Refusal;
use actix_web::http::Method;
use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    rc::Rc,
    task::{Context, Poll, Waker},
    time::Duration,
};
use tokio::time::Instant;

/// The verb of the request that stands in for one that the head guard refused.
pub(super) const STAND_IN_VERB: &str = "REFUSED";

/// Shared by the head guard of a connection and the requests on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConnectionState(Rc<State>);

#[derive(Debug, Default)]
struct State {
    flaw: Cell<Option<Flaw>>,
    given_up: Cell<bool>,
    /// Wakes the connection while the head guard waits for the client.
    waiting: RefCell<Option<Waker>>,
    /// When the client must have read the present answer, if its time is limited.
    send_by: Cell<Option<Instant>>,
    /// The client sends nothing more, or the connection is broken.
    hung_up: Cell<bool>,
    /// Wakes the answer that waits for that.
    until_hung_up: RefCell<Option<Waker>>,
}

impl ConnectionState {
    /// Why the request was refused, if this is a stand-in. A client that sends that verb itself is refused like for
    /// any unknown verb.
    pub(crate) fn refusal_of(&self, method: &Method) -> Option<Refusal> {
        let flaw = self.0.flaw.get().filter(|_| method.as_str() == STAND_IN_VERB)?;
        Some(match flaw {
            Flaw::Malformed(issue) => Refusal::MalformedRequest(issue),
            Flaw::UriTooLong => Refusal::UriTooLong,
            Flaw::HeadersTooLarge => Refusal::HeadersTooLarge,
            Flaw::TooSlow => Refusal::TooSlow,
        })
    }

    /// Makes the present answer the last one: whatever the client still sends is discarded.
    pub(crate) fn give_up(&self) {
        self.0.given_up.set(true);
        // A client that sends nothing more would not wake the connection.
        if let Some(waiting) = self.0.waiting.take() {
            waiting.wake();
        }
    }

    pub(super) fn wait(&self, cx: &Context<'_>) {
        self.0.waiting.replace(Some(cx.waker().clone()));
    }

    pub(super) fn refuse(&self, flaw: Flaw) {
        self.0.flaw.set(Some(flaw));
        self.give_up();
    }

    /// Notes that the client sends nothing more.
    pub(super) fn hang_up(&self) {
        self.0.hung_up.set(true);
        if let Some(waiting) = self.0.until_hung_up.take() {
            waiting.wake();
        }
    }

    /// Waits until the client sends nothing more, for answers that do not end: without that, they would notice only
    /// when they send something that the client is gone.
    pub(crate) async fn hung_up(&self) {
        poll_fn(|cx| {
            if self.0.hung_up.get() {
                return Poll::Ready(());
            }
            self.0.until_hung_up.replace(Some(cx.waker().clone()));
            Poll::Pending
        })
        .await;
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.0.given_up.get()
    }

    /// Limits the time in which the client reads the present answer; after that the connection ends. The limit applies
    /// until the returned value is dropped.
    pub(crate) fn limit_sending(&self, time: Duration) -> SendLimit {
        self.0.send_by.set(Some(Instant::now() + time));
        SendLimit(self.clone())
    }

    pub(crate) fn send_by(&self) -> Option<Instant> {
        self.0.send_by.get()
    }
}

/// The time for the present answer is limited for as long as this exists. A connection sends one answer at a time.
#[derive(Debug)]
pub(crate) struct SendLimit(ConnectionState);

impl Drop for SendLimit {
    fn drop(&mut self) {
        self.0.0.send_by.set(None);
    }
}

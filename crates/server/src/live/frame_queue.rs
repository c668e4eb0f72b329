//! The frames that wait for the client of one stream.

use super::close_reason::CloseReason;
use actix_web::web::Bytes;
use octavo_app::events::ReadEvent;
use octavo_core_model::id::{NotificationId, PageId};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::{sync::Notify, time::Instant};

/// How many frames may wait. A client that is further behind resumes from the log.
const MOST_WAITING: usize = 1000;

/// What a frame is about.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    Event(Arc<ReadEvent>),
    Page(PageId),
    Notification(NotificationId),
}

#[derive(Clone, Debug)]
pub(super) struct WaitingFrame {
    pub(super) bytes: Bytes,
    pub(super) subject: Subject,
    /// When it was checked that the caller may see it.
    pub(super) checked: Instant,
}

/// How a queue ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Closed(CloseReason),
    /// The service cannot continue the stream. The client connects again and resumes.
    Broken,
    /// The client has hung up.
    Gone,
}

#[derive(Debug, Default)]
pub(super) struct FrameQueue {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    frames: VecDeque<WaitingFrame>,
    end: Option<End>,
}

impl FrameQueue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn push(&self, frame: WaitingFrame) {
        let mut state = self.state();
        if state.end.is_some() {
            return;
        }
        if state.frames.len() >= MOST_WAITING {
            state.frames = VecDeque::new();
            state.end = Some(End::Closed(CloseReason::SlowConsumer));
        } else {
            state.frames.push_back(frame);
        }
        drop(state);
        self.changed.notify_one();
    }

    /// Ends the stream. What waits is not sent any more.
    pub(super) fn end(&self, end: End) {
        let mut state = self.state();
        state.frames = VecDeque::new();
        state.end.get_or_insert(end);
        drop(state);
        self.changed.notify_one();
    }

    pub(super) fn has_ended(&self) -> bool {
        self.state().end.is_some()
    }

    /// Waits for frames, and takes at most so many of them.
    pub(super) async fn take(&self, most: usize) -> Result<VecDeque<WaitingFrame>, End> {
        loop {
            {
                let mut state = self.state();
                if let Some(end) = state.end {
                    return Err(end);
                }
                let count = state.frames.len().min(most);
                if count > 0 {
                    return Ok(state.frames.drain(..count).collect());
                }
            }
            self.changed.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn frame(number: usize) -> WaitingFrame {
        let (bytes, subject) = (number.to_string().into(), Subject::Page(PageId::EXAMPLE));
        WaitingFrame { bytes, subject, checked: Instant::now() }
    }

    fn numbers(taken: Option<Result<VecDeque<WaitingFrame>, End>>) -> Vec<String> {
        let frames = taken.and_then(Result::ok).into_iter().flatten();
        frames.map(|frame| String::from_utf8_lossy(&frame.bytes).into_owned()).collect()
    }

    #[tokio::test]
    async fn frames_come_out_in_order_and_one_waits_for_them() {
        let queue = FrameQueue::default();
        assert!(queue.take(9).now_or_never().is_none());
        (0..3).for_each(|number| queue.push(frame(number)));
        assert_eq!(numbers(queue.take(2).now_or_never()), ["0", "1"]);
        assert_eq!(numbers(queue.take(2).now_or_never()), ["2"]);
        assert!(queue.take(2).now_or_never().is_none());
    }

    #[tokio::test]
    async fn a_thousand_frames_may_wait_and_one_more_ends_the_stream() {
        let queue = FrameQueue::default();
        (0..MOST_WAITING).for_each(|number| queue.push(frame(number)));
        assert!(!queue.has_ended());
        queue.push(frame(0));
        let end = queue.take(1).now_or_never().and_then(Result::err);
        assert_eq!(end, Some(End::Closed(CloseReason::SlowConsumer)));
    }

    #[tokio::test]
    async fn the_first_end_counts_and_discards_what_waits() {
        let queue = FrameQueue::default();
        queue.push(frame(1));
        queue.end(End::Closed(CloseReason::Revoked));
        queue.end(End::Broken);
        queue.push(frame(2));
        assert_eq!(queue.take(9).now_or_never().and_then(Result::err), Some(End::Closed(CloseReason::Revoked)));
    }
}

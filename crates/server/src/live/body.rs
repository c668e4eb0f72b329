//! The body of a stream: first what the client missed, then what happens.

use super::{
    LiveStreams,
    callers::{self, Failed, Share},
    close_reason::CloseReason,
    feed::Feed,
    frame,
    frame_queue::{End, Subject, WaitingFrame},
    places::Place,
    subscription::Subscription,
};
use crate::{
    head_guard::ConnectionState,
    streaming::{Broken, ByteStream},
};
use actix_web::web::Bytes;
use futures_util::stream;
use octavo_app::{
    Interrupt,
    events::{self, Distance, EventFilter, Missed, OpenedStream, ReadEvent, Sight, StreamStart},
};
use octavo_core_model::{Fault, Timestamp, notification::Notification};
use std::{collections::VecDeque, sync::Arc, time::Duration};
use tokio::time::{Instant, sleep_until};

/// A frame that has waited for longer is checked again before it is sent.
const FRESH: Duration = Duration::from_secs(1);

/// How many frames are taken from the queue and checked at once.
const AT_ONCE: usize = 100;

/// What a stream does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Begin(StreamStart),
    /// Counts what the client has missed.
    Count(Missed),
    /// Tells the client that it has missed events.
    Reset,
    /// Reads the log until there is nothing more.
    CatchUp,
    Live,
    Closing(CloseReason),
    Broken,
    Over,
}

/// A stream to one client.
pub(crate) struct StreamBody {
    live: Arc<LiveStreams>,
    subscription: Arc<Subscription>,
    /// Present from when the stream gets what happens.
    feed: Option<Arc<Feed>>,
    phase: Phase,
    /// The number up to which the client has got everything.
    sent: i64,
    /// The number of the newest event when the stream was opened.
    newest: i64,
    ready: VecDeque<WaitingFrame>,
    /// When the credential is past its time.
    expires: Option<Instant>,
    heartbeat_at: Instant,
    connection: Option<ConnectionState>,
    _place: Place,
}

impl StreamBody {
    pub(crate) fn new(
        live: Arc<LiveStreams>,
        opened: OpenedStream,
        filter: EventFilter,
        known: Option<Vec<Notification>>,
        expires_at: Option<Timestamp>,
        connection: Option<ConnectionState>,
        held: Place,
    ) -> Self {
        let OpenedStream { call, workspace, newest, start } = opened;
        let now = live.now();
        let expires = expires_at.map(|at| Instant::now() + at.since(now));
        let place = match start {
            StreamStart::After(place) | StreamStart::FarBehind(place) => Some(place),
            StreamStart::Now | StreamStart::HistoryLost => None,
        };
        let sent = place.unwrap_or(newest);
        let heartbeat_at = Instant::now() + live.times.heartbeat;
        let subscription = Arc::new(Subscription::new(workspace, call, filter, known));
        let phase = Phase::Begin(start);
        let mut body = Self {
            live,
            subscription,
            feed: None,
            phase,
            sent,
            newest,
            ready: VecDeque::new(),
            expires,
            heartbeat_at,
            connection,
            _place: held,
        };
        if place.is_none() {
            // What happens from here on belongs to the stream, although nothing is sent yet.
            body.join();
        }
        body
    }

    pub(crate) fn into_stream(self) -> ByteStream {
        ByteStream::endless(
            stream::unfold(self, |mut body| async move { body.next().await.map(|piece| (piece, body)) }),
            frame::close(CloseReason::Shutdown),
        )
    }

    fn join(&mut self) {
        let feed = self.live.join(&self.subscription, self.sent);
        self.feed = Some(feed);
    }

    async fn next(&mut self) -> Option<Result<Bytes, Broken>> {
        loop {
            if let Some(frame) = self.ready_frame().await {
                return Some(Ok(self.send(frame)));
            }
            match self.phase {
                Phase::Begin(start) => {
                    self.phase = match start {
                        StreamStart::Now => Phase::Live,
                        StreamStart::After(_) => Phase::CatchUp,
                        StreamStart::FarBehind(place) => Phase::Count(Missed::after(place)),
                        StreamStart::HistoryLost => Phase::Reset,
                    };
                    return Some(Ok(self.send(frame::RETRY)));
                }
                Phase::Count(missed) => match self.count(missed).await {
                    Ok(next) => self.phase = next,
                    Err(end) => self.end(end)?,
                },
                Phase::Reset => {
                    self.phase = Phase::Live;
                    return Some(Ok(self.send(frame::RESET)));
                }
                Phase::CatchUp => match self.catch_up().await {
                    Ok(()) => {}
                    Err(end) => self.end(end)?,
                },
                Phase::Live => match self.wait().await {
                    Ok(Some(frame)) => return Some(Ok(self.send(frame))),
                    Ok(None) => {}
                    Err(end) => self.end(end)?,
                },
                Phase::Closing(reason) => {
                    self.phase = Phase::Over;
                    return Some(Ok(frame::close(reason)));
                }
                Phase::Broken => {
                    self.phase = Phase::Over;
                    return Some(Err(Broken("the log cannot be read")));
                }
                Phase::Over => return None,
            }
        }
    }

    fn send(&mut self, frame: Bytes) -> Bytes {
        self.heartbeat_at = Instant::now() + self.live.times.heartbeat;
        frame
    }

    /// Decides how the stream ends. `None` if nothing more is sent.
    const fn end(&mut self, end: End) -> Option<()> {
        self.phase = match end {
            End::Closed(reason) => Phase::Closing(reason),
            End::Broken => Phase::Broken,
            End::Gone => return None,
        };
        Some(())
    }

    /// The next frame that may be sent.
    async fn ready_frame(&mut self) -> Option<Bytes> {
        let end = self.overdue_end();
        if let Some(reason) = end {
            self.ready.clear();
            self.phase = Phase::Closing(reason);
            return None;
        }
        if self.ready.front()?.checked.elapsed() > FRESH
            && let Err(end) = self.check_ready().await
        {
            self.ready.clear();
            self.subscription.queue.end(end);
            self.phase = Phase::Live;
        }
        Some(self.ready.pop_front()?.bytes)
    }

    /// Why the stream ends, whatever is ready to be sent.
    fn overdue_end(&self) -> Option<CloseReason> {
        let is_open = !matches!(self.phase, Phase::Closing(_) | Phase::Broken | Phase::Over);
        let has_expired = self.expires.is_some_and(|at| Instant::now() >= at);
        (is_open && has_expired).then_some(CloseReason::TokenExpired)
    }

    /// Waits for what happens. `None` if there are frames now.
    async fn wait(&mut self) -> Result<Option<Bytes>, End> {
        let expiry = async {
            match self.expires {
                Some(at) => sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        let hung_up = async {
            match &self.connection {
                Some(connection) => connection.hung_up().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = hung_up => Err(End::Gone),
            () = expiry => Err(End::Closed(CloseReason::TokenExpired)),
            taken = self.subscription.queue.take(AT_ONCE) => {
                let sent = self.sent;
                // The stream may have read some of these from the log.
                let is_new = |frame: &WaitingFrame| match &frame.subject {
                    Subject::Event(event) => event.logged.sequence > sent,
                    Subject::Page(_) | Subject::Notification(_) => true,
                };
                self.ready.extend(taken?.into_iter().filter(is_new));
                Ok(None)
            }
            () = sleep_until(self.heartbeat_at) => Ok(Some(frame::HEARTBEAT)),
        }
    }

    /// Goes on counting what the client has missed, and returns what the stream does next.
    async fn count(&mut self, missed: Missed) -> Result<Phase, End> {
        let filter = self.subscription.filter.clone();
        let counted = callers::ask(&self.live, Share::Caller, &self.subscription.call, move |view| {
            let filter = filter.clone();
            Box::pin(async move {
                match events::count_missed(view, filter, missed).await {
                    // The page of the filter cannot be seen any more.
                    Err(Interrupt::Fault(Fault::NotFound)) => Ok(Distance::TooFar),
                    counted => counted,
                }
            })
        });
        match counted.await.map_err(end_of)? {
            Distance::Unknown(missed) => Ok(Phase::Count(missed)),
            Distance::Near => Ok(Phase::CatchUp),
            Distance::TooFar => {
                self.sent = self.newest;
                self.join();
                Ok(Phase::Reset)
            }
        }
    }

    /// Reads the next part of what the client has missed. At the end of the log it joins the feed, and reads once more:
    /// what happened in between is in the log, and what happens from then on is in the queue.
    async fn catch_up(&mut self) -> Result<(), End> {
        let (filter, after) = (self.subscription.filter.clone(), self.sent);
        let read = callers::ask(&self.live, Share::Caller, &self.subscription.call, move |view| {
            let filter = filter.clone();
            Box::pin(async move {
                match events::read_behind(view, filter, after).await {
                    Ok(slice) => Ok(Some(slice)),
                    // The log was shortened meanwhile, or the page of the filter cannot be seen any more.
                    Err(Interrupt::Fault(Fault::HistoryLost { .. } | Fault::NotFound)) => Ok(None),
                    Err(interrupt) => Err(interrupt),
                }
            })
        });
        let slice = match read.await {
            Ok(slice) => slice,
            Err(Failed::Closed(reason)) => return Err(End::Closed(reason)),
            Err(Failed::Down) => return Err(End::Broken),
        };
        let was_live = self.feed.is_some();
        if !was_live && slice.as_ref().is_none_or(|slice| !slice.goes_on) {
            self.join();
        }
        let Some(slice) = slice else {
            self.phase = Phase::Reset;
            return Ok(());
        };
        if let Some(head) = slice.head {
            self.sent = self.sent.max(head.sequence);
        }
        let checked = Instant::now();
        let ready = |event: ReadEvent| {
            let bytes = frame::of_event(&event);
            WaitingFrame { bytes, subject: Subject::Event(Arc::new(event)), checked }
        };
        self.ready.extend(slice.events.into_iter().map(ready));
        if was_live && !slice.goes_on {
            self.phase = Phase::Live;
        }
        Ok(())
    }

    /// Checks again what the caller may see, because the client has not read for a while.
    async fn check_ready(&mut self) -> Result<(), End> {
        let events = self.ready.iter().filter_map(|frame| match &frame.subject {
            Subject::Event(event) => Some(Arc::clone(event)),
            Subject::Page(_) | Subject::Notification(_) => None,
        });
        let events = events.collect();
        let call = &self.subscription.call;
        let sights = callers::see(&self.live, call, events).await.map_err(end_of)?;
        let checked = Instant::now();
        let mut sights = sights.into_iter();
        for mut frame in std::mem::take(&mut self.ready) {
            let is_shown = match &frame.subject {
                Subject::Page(page) => callers::sees_page(&self.live, call, *page).await.map_err(end_of)?,
                Subject::Notification(id) => {
                    let shown = callers::notifications(&self.live, call, vec![*id]).await.map_err(end_of)?.pop();
                    let is_there = shown.is_some();
                    frame.bytes = shown.map_or(frame.bytes, frame::of_notification);
                    is_there
                }
                Subject::Event(event) => match sights.next() {
                    Some(Sight::Whole) => true,
                    Some(Sight::Reduced(data)) => {
                        frame.bytes = frame::of_event(&ReadEvent { data, ..(**event).clone() });
                        true
                    }
                    Some(Sight::Hidden) | None => false,
                },
            };
            if is_shown {
                self.ready.push_back(WaitingFrame { checked, ..frame });
            }
        }
        Ok(())
    }
}

const fn end_of(failed: Failed) -> End {
    match failed {
        Failed::Closed(reason) => End::Closed(reason),
        Failed::Down => End::Broken,
    }
}

impl Drop for StreamBody {
    fn drop(&mut self) {
        if let Some(feed) = &self.feed {
            feed.remove(&self.subscription);
        }
    }
}

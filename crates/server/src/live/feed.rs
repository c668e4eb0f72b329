//! Reads the log of one workspace for all streams of it.

use super::{
    LiveStreams,
    callers::{self, Failed, Identity, Share},
    close_reason::CloseReason,
    frame,
    frame_queue::{End, Subject, WaitingFrame},
    present::{Present, UnsentPresences},
    subscription::{Paths, Subscription},
};
use crate::log_changes::Heard;
use actix_web::web::Bytes;
use futures_util::{StreamExt, stream};
use octavo_app::{
    Call,
    events::{self, LogSlice, ReadEvent, Sight},
    notifications,
};
use octavo_core_model::{
    id::{PageId, WorkspaceId},
    notification::Notification,
    presence::Presence,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};
use tokio::time::{Instant, sleep_until};

/// How long after an event notifications are looked for at each poll. Otherwise that happens at each check of the callers.
const LOOKS_OFTEN_FOR: Duration = Duration::from_secs(10);

/// For how many callers it is checked at the same time what they may see.
const CHECKS_AT_ONCE: usize = 8;

/// The streams of a workspace.
#[derive(Debug)]
pub(super) struct Feed {
    pub(super) workspace: WorkspaceId,
    streams: Mutex<Streams>,
}

#[derive(Debug)]
struct Streams {
    all: Vec<Arc<Subscription>>,
    /// The number of the last event that was handed to the streams.
    reached: i64,
}

/// An event, encoded when the first stream needs it.
struct EncodedEvent {
    event: Arc<ReadEvent>,
    bytes: OnceLock<Bytes>,
}

impl EncodedEvent {
    fn bytes(&self) -> Bytes {
        self.bytes.get_or_init(|| frame::of_event(&self.event)).clone()
    }
}

/// The streams of one caller.
type Group = Vec<Arc<Subscription>>;

impl Feed {
    pub(super) fn new(workspace: WorkspaceId, reached: i64) -> Self {
        Self { workspace, streams: Mutex::new(Streams { all: Vec::new(), reached }) }
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add(&self, subscription: Arc<Subscription>) {
        self.streams().all.push(subscription);
    }

    pub(super) fn remove(&self, subscription: &Arc<Subscription>) {
        self.streams().all.retain(|known| !Arc::ptr_eq(known, subscription));
    }

    pub(super) fn has_streams(&self) -> bool {
        !self.streams().all.is_empty()
    }

    /// The streams by caller.
    fn groups(&self) -> Vec<Group> {
        let mut groups: BTreeMap<Identity, Group> = BTreeMap::new();
        for stream in self.streams().all.iter().filter(|stream| !stream.queue.has_ended()) {
            groups.entry(stream.identity.clone()).or_default().push(Arc::clone(stream));
        }
        groups.into_values().collect()
    }

    /// Runs as long as there are streams.
    pub(super) async fn run(self: Arc<Self>, live: Arc<LiveStreams>) {
        let times = live.times;
        // Listen before the first read, so that no event is missed in between.
        let mut signals = live.log_changes.listen();
        let (mut present, mut unsent) = (Present::default(), UnsentPresences::new());
        let (mut read_at, mut check_at) = (Instant::now(), Instant::now() + times.check);
        let (mut reached, mut grown, mut notified) = (self.streams().reached, Instant::now(), Instant::now());
        loop {
            if Instant::now() >= read_at {
                read_at = Instant::now() + times.poll;
                while self.read(&live).await {
                    // Also during a backlog: a caller that was revoked must not wait for its end.
                    self.check_if_due(&live, &mut check_at).await;
                }
                if self.streams().reached != reached {
                    (reached, grown) = (self.streams().reached, Instant::now());
                }
                if grown.elapsed() < LOOKS_OFTEN_FOR || notified.elapsed() >= times.check {
                    self.notify(&live).await;
                    notified = Instant::now();
                }
            }
            self.check_if_due(&live, &mut check_at).await;
            if !self.has_streams() && live.leave(&self) {
                return;
            }
            for (page, presences) in unsent.take_due() {
                self.tell(&live, page, &presences).await;
            }
            for left in present.take_left() {
                unsent.add(left);
            }
            let wakes_at = [present.next_leaves(), unsent.due_at(), Some(read_at), Some(check_at)];
            let wakes_at = wakes_at.into_iter().flatten().min().unwrap_or(read_at);
            tokio::select! {
                heard = signals.next(self.workspace) => match heard {
                    Heard::Grown => read_at = Instant::now(),
                    Heard::Present(presence) => {
                        present.note(&presence, times.presence);
                        unsent.add(presence);
                    }
                },
                () = sleep_until(wakes_at) => {}
            }
        }
    }

    async fn check_if_due(&self, live: &Arc<LiveStreams>, due: &mut Instant) {
        if Instant::now() >= *due {
            self.check(live).await;
            *due = Instant::now() + live.times.check;
        }
    }

    /// Reads new events and hands them out. Returns whether there are more.
    async fn read(&self, live: &Arc<LiveStreams>) -> bool {
        let (workspace, after) = (self.workspace, self.streams().reached);
        let read =
            live.engine.read(Call::system(live.now()), move |view| Box::pin(events::read_new(view, workspace, after)));
        // The store reports its outages itself; the next round tries again.
        let Ok(LogSlice { events, head: Some(head), goes_on }) = read.await else { return false };
        let groups = {
            // Streams that join from here on get what follows.
            self.streams().reached = head.sequence;
            self.groups()
        };
        let events = events.into_iter();
        let events: Vec<_> =
            events.map(|event| EncodedEvent { event: Arc::new(event), bytes: OnceLock::new() }).collect();
        self.hand_out(live, &events, groups).await;
        goes_on
    }

    async fn hand_out(&self, live: &Arc<LiveStreams>, events: &[EncodedEvent], groups: Vec<Group>) {
        let paths = match self.paths(live, events, &groups).await {
            Ok(paths) => paths,
            Err(Failed::Down | Failed::Closed(_)) => {
                let concerned = groups.into_iter().flatten().filter(|stream| stream.needs_paths());
                return concerned.for_each(|stream| stream.queue.end(End::Broken));
            }
        };
        let paths = &paths;
        let checks = groups.into_iter().map(|group| async move { show(live, events, &group, paths).await });
        stream::iter(checks).buffer_unordered(CHECKS_AT_ONCE).collect::<()>().await;
    }

    /// The paths of what these events are about, if a stream needs them.
    async fn paths(&self, live: &Arc<LiveStreams>, events: &[EncodedEvent], groups: &[Group]) -> Result<Paths, Failed> {
        if !groups.iter().flatten().any(|stream| stream.needs_paths()) {
            return Ok(Paths::new());
        }
        let nodes: BTreeSet<_> = events.iter().flat_map(|encoded| encoded.event.logged.location.nodes()).collect();
        let workspace = self.workspace;
        callers::ask(live, Share::Server, &Call::system(live.now()), move |view| {
            Box::pin(events::list_paths(view, workspace, nodes.clone()))
        })
        .await
    }

    /// Tells the streams that are about a page who is on it, as far as their callers may see the page now.
    async fn tell(&self, live: &Arc<LiveStreams>, page: PageId, presences: &[Arc<Presence>]) {
        let frames: Vec<_> = presences.iter().map(|presence| frame::of_presence(presence)).collect();
        let of_page = |group: Group| group.into_iter().filter(|stream| stream.filter.page == Some(page)).collect();
        let checks = self.groups().into_iter().map(of_page).filter_map(|group: Group| {
            let (call, frames) = (group.first()?.call.clone(), &frames);
            Some(async move {
                // If the store is down, this is forgotten: the next call follows soon.
                if callers::sees_page(live, &call, page).await != Ok(true) {
                    return;
                }
                let checked = Instant::now();
                for stream in &group {
                    for bytes in frames.iter().cloned() {
                        stream.queue.push(WaitingFrame { bytes, subject: Subject::Page(page), checked });
                    }
                }
            })
        });
        stream::iter(checks).buffer_unordered(CHECKS_AT_ONCE).collect::<()>().await;
    }

    /// Passes on new and changed notifications to the streams that have them.
    async fn notify(&self, live: &Arc<LiveStreams>) {
        let mut groups = self.groups();
        groups.retain(|group| group.iter().any(|stream| stream.notified_user().is_some()));
        let users: BTreeSet<_> = groups.iter().flatten().filter_map(|stream| stream.notified_user()).collect();
        if users.is_empty() {
            return;
        }
        let (workspace, users) = (self.workspace, Vec::from_iter(users));
        let recent = live.engine.read(Call::system(live.now()), move |view| {
            Box::pin(async move { notifications::list_recent(view, workspace, &users).await })
        });
        // If the store is down, the next look finds them.
        let Ok(recent) = recent.await else { return };
        let recent = &recent;
        let shows = groups.into_iter().map(|group| async move { show_notifications(live, recent, &group).await });
        stream::iter(shows).buffer_unordered(CHECKS_AT_ONCE).collect::<()>().await;
    }

    /// Ends the streams of callers that may not follow the workspace any more.
    async fn check(&self, live: &Arc<LiveStreams>) {
        let checks = self.groups().into_iter().filter_map(|group| {
            let call = group.first()?.call.clone();
            Some(async move {
                if let Err(Failed::Closed(reason)) = callers::check(live, &call).await {
                    close_all(&group, reason);
                }
            })
        });
        stream::iter(checks).buffer_unordered(CHECKS_AT_ONCE).collect::<()>().await;
    }
}

/// Puts the notifications of a caller that are new to their streams into the queues of these.
async fn show_notifications(live: &Arc<LiveStreams>, recent: &[Notification], group: &[Arc<Subscription>]) {
    let Some(first) = group.first() else { return };
    let is_news = |told: &&Notification| group.iter().any(|stream| stream.is_news(told));
    let ids: Vec<_> = recent.iter().filter(is_news).map(|told| told.id).collect();
    if !ids.is_empty() {
        let shown = match callers::notifications(live, &first.call, ids).await {
            Ok(shown) => shown,
            Err(Failed::Closed(reason)) => return close_all(group, reason),
            Err(Failed::Down) => return,
        };
        let checked = Instant::now();
        for shown in shown {
            let (told, bytes) = (shown.notification.clone(), frame::of_notification(shown));
            for stream in group.iter().filter(|stream| stream.is_news(&told)) {
                let subject = Subject::Notification(told.id);
                stream.queue.push(WaitingFrame { bytes: bytes.clone(), subject, checked });
                stream.note(&told);
            }
        }
    }
    let found = recent.iter().map(|told| told.id).collect();
    for stream in group {
        stream.forget_all_but(&found);
    }
}

fn close_all(group: &[Arc<Subscription>], reason: CloseReason) {
    for stream in group {
        stream.queue.end(End::Closed(reason));
    }
}

/// Puts the events that a caller may see into the queues of those of their streams that want them.
async fn show(live: &Arc<LiveStreams>, events: &[EncodedEvent], group: &[Arc<Subscription>], paths: &Paths) {
    let Some(first) = group.first() else { return };
    let is_wanted = |encoded: &&EncodedEvent| group.iter().any(|stream| stream.wants(&encoded.event, paths));
    let wanted: Vec<_> = events.iter().filter(is_wanted).collect();
    if wanted.is_empty() {
        return;
    }
    let asked = wanted.iter().map(|encoded| Arc::clone(&encoded.event)).collect();
    let sights = match callers::see(live, &first.call, asked).await {
        Ok(sights) => sights,
        Err(Failed::Closed(reason)) => return close_all(group, reason),
        // Leaving these events out would be a gap. The clients connect again and resume.
        Err(Failed::Down) => return group.iter().for_each(|stream| stream.queue.end(End::Broken)),
    };
    let checked = Instant::now();
    for (encoded, sight) in wanted.into_iter().zip(sights) {
        let bytes = match sight {
            Sight::Hidden => continue,
            Sight::Whole => encoded.bytes(),
            Sight::Reduced(data) => frame::of_event(&ReadEvent { data, ..(*encoded.event).clone() }),
        };
        for stream in group.iter().filter(|stream| stream.wants(&encoded.event, paths)) {
            let subject = Subject::Event(Arc::clone(&encoded.event));
            stream.queue.push(WaitingFrame { bytes: bytes.clone(), subject, checked });
        }
    }
}

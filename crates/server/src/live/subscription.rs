//! What one stream wants, for whom, and the frames that wait for it.

use super::{callers::Identity, frame_queue::FrameQueue};
use octavo_app::{
    Call, Caller,
    events::{EventFilter, ReadEvent},
};
use octavo_core_model::{
    Timestamp,
    id::{NotificationId, PageId, UserId, WorkspaceId},
    notification::Notification,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
};

/// The pages and databases above each page and database, with itself.
pub(super) type Paths = BTreeMap<PageId, BTreeSet<PageId>>;

/// One stream, as its feed knows it.
#[derive(Debug)]
pub(super) struct Subscription {
    pub(super) workspace: WorkspaceId,
    pub(super) identity: Identity,
    pub(super) call: Call,
    pub(super) filter: EventFilter,
    pub(super) queue: FrameQueue,
    /// If the stream has notifications of a user: those that are known to it, and when they last changed.
    notifications: Option<(UserId, Mutex<BTreeMap<NotificationId, Timestamp>>)>,
}

impl Subscription {
    /// With notifications, later ones than those that are known belong to the stream.
    pub(super) fn new(
        workspace: WorkspaceId,
        call: Call,
        filter: EventFilter,
        known: Option<Vec<Notification>>,
    ) -> Self {
        let user = if let Caller::User(claims) = &call.caller { Some(claims.user) } else { None };
        let known = known.map(|known| known.into_iter().map(|told| (told.id, told.updated_at)).collect());
        let notifications = user.zip(known.map(Mutex::new));
        let (identity, queue) = (Identity::of(&call), FrameQueue::default());
        Self { workspace, identity, call, filter, queue, notifications }
    }

    /// Whose notifications the stream has, if any.
    pub(super) fn notified_user(&self) -> Option<UserId> {
        self.notifications.as_ref().map(|(user, _)| *user)
    }

    /// Whether the stream has not passed on this state of a notification.
    pub(super) fn is_news(&self, told: &Notification) -> bool {
        self.notifications.as_ref().is_some_and(|(user, known)| {
            let known = known.lock().unwrap_or_else(PoisonError::into_inner);
            *user == told.user && known.get(&told.id) != Some(&told.updated_at)
        })
    }

    /// Notes what the stream passes on.
    pub(super) fn note(&self, told: &Notification) {
        if let Some((_, known)) = &self.notifications {
            known.lock().unwrap_or_else(PoisonError::into_inner).insert(told.id, told.updated_at);
        }
    }

    /// Forgets what will not be found any more.
    pub(super) fn forget_all_but(&self, found: &BTreeSet<NotificationId>) {
        if let Some((_, known)) = &self.notifications {
            known.lock().unwrap_or_else(PoisonError::into_inner).retain(|id, _| found.contains(id));
        }
    }

    /// Whether the stream is about a page and all pages below it.
    pub(super) const fn needs_paths(&self) -> bool {
        self.filter.page.is_some() && self.filter.subtree
    }

    /// Whether the event is among those that the stream is about.
    pub(super) fn wants(&self, event: &ReadEvent, paths: &Paths) -> bool {
        let location = &event.logged.location;
        let is_inside = match self.filter.page {
            None => true,
            Some(wanted) if location.page == Some(wanted) => true,
            Some(wanted) if self.filter.subtree => {
                location.nodes().filter_map(|node| paths.get(&node)).any(|above| above.contains(&wanted))
            }
            Some(_) => false,
        };
        is_inside && self.filter.covers(&event.logged)
    }
}

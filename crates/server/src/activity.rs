//! Records which credentials are used, until a background task stores that.

use octavo_app::{Caller, chores::Used};
use octavo_core_model::{
    Timestamp,
    id::{ApiKeyId, SessionId, ShareLinkId, UserId, WorkspaceId},
    page::Visit,
    share_link::{ShareLink, Viewed},
};
use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Collects activity in memory, so that calls that only read need not write.
#[derive(Debug, Default)]
pub struct Activity(Mutex<NotedActivity>);

#[derive(Debug, Default)]
struct NotedActivity {
    sessions: HashMap<SessionId, UserId>,
    keys: HashMap<ApiKeyId, (WorkspaceId, Timestamp)>,
    visits: Vec<Visit>,
    views: HashMap<ShareLinkId, Viewed>,
    /// The keys that were handed over last. They are being stored, or were stored since.
    handed_over_keys: HashMap<ApiKeyId, (WorkspaceId, Timestamp)>,
}

impl Activity {
    pub(crate) fn note(&self, caller: &Caller, now: Timestamp) {
        match caller {
            Caller::User(claims) => {
                self.noted().sessions.insert(claims.session, claims.user);
            }
            Caller::Key(presented) => {
                self.noted().keys.insert(presented.key.id, (presented.key.workspace, now));
            }
            Caller::App(_) | Caller::Nobody | Caller::Job(_) | Caller::System => {}
        }
    }

    /// When a key was used last, if the store does not know yet.
    pub(crate) fn last_use(&self, key: ApiKeyId) -> Option<Timestamp> {
        let noted = self.noted();
        noted.keys.get(&key).or_else(|| noted.handed_over_keys.get(&key)).map(|(_, at)| *at)
    }

    /// Records that a user looked at a page.
    pub(crate) fn note_visit(&self, visit: Visit) {
        self.noted().visits.push(visit);
    }

    /// Returns the collected visits and clears them, for a list that is about to show them.
    pub(crate) fn take_visits(&self) -> Vec<Visit> {
        latest(std::mem::take(&mut self.noted().visits))
    }

    /// Records that somebody opened a share link.
    pub(crate) fn note_view(&self, link: &ShareLink, now: Timestamp) {
        let none = Viewed { workspace: link.workspace, link: link.id, count: 0, last_at: now };
        let mut noted = self.noted();
        let viewed = noted.views.entry(link.id).or_insert(none);
        viewed.count += 1;
        viewed.last_at = viewed.last_at.max(now);
    }

    /// Returns the collected openings of links and clears them, for a list that is about to show them.
    pub(crate) fn take_views(&self) -> Vec<Viewed> {
        in_order(std::mem::take(&mut self.noted().views))
    }

    /// Returns everything that was collected and clears it.
    pub fn take_all(&self) -> Used {
        let mut noted = self.noted();
        let NotedActivity { sessions, keys, visits, views, .. } = std::mem::take(&mut *noted);
        noted.handed_over_keys.clone_from(&keys);
        drop(noted);
        Used {
            sessions: sessions.into_iter().map(|(session, user)| (user, session)).collect(),
            keys: keys.into_iter().map(|(key, (workspace, at))| (workspace, key, at)).collect(),
            visits: latest(visits),
            views: in_order(views),
        }
    }

    fn noted(&self) -> MutexGuard<'_, NotedActivity> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Always the same order, so that nodes that write at the same time can never deadlock.
fn in_order(views: HashMap<ShareLinkId, Viewed>) -> Vec<Viewed> {
    let mut views: Vec<_> = views.into_values().collect();
    views.sort_unstable_by_key(|viewed| (viewed.workspace, viewed.link));
    views
}

/// The last visit of each user to each page, sorted for the same reason.
fn latest(visits: Vec<Visit>) -> Vec<Visit> {
    let by_place = visits.into_iter().map(|visit| ((visit.workspace, visit.user, visit.page), visit));
    by_place.collect::<BTreeMap<_, _>>().into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::id::PageId;

    #[test]
    fn the_use_of_a_key_is_known_while_it_is_being_stored() {
        let (activity, now) = (Activity::default(), Timestamp::from_millis(7));
        let (key, workspace) = (ApiKeyId::new(0, [1; 10]), WorkspaceId::new(0, [2; 10]));
        activity.noted().keys.insert(key, (workspace, now));
        assert_eq!(activity.take_all().keys, [(workspace, key, now)]);
        assert_eq!(activity.last_use(key), Some(now));
        assert!(activity.take_all().keys.is_empty(), "it is stored once");
        assert_eq!(activity.last_use(key), None);
    }

    #[test]
    fn visits_are_handed_over_in_one_order() {
        let now = Timestamp::from_millis(0);
        let id = |number: u8| [number; 10];
        let visit = |workspace, user, page, at| Visit {
            workspace: WorkspaceId::new(0, id(workspace)),
            user: UserId::new(0, id(user)),
            page: PageId::new(0, id(page)),
            at: now.plus(std::time::Duration::from_secs(at)),
        };
        let visits = [visit(2, 1, 1, 1), visit(1, 2, 3, 2), visit(1, 2, 1, 3), visit(1, 1, 9, 4), visit(2, 1, 1, 5)];
        let expected = [visit(1, 1, 9, 4), visit(1, 2, 1, 3), visit(1, 2, 3, 2), visit(2, 1, 1, 5)];
        let activity = Activity::default();
        for visit in visits {
            activity.note_visit(visit);
        }
        assert_eq!(activity.take_visits(), expected, "each place once, with the last visit");
    }
}

//! Which credentials made calls since somebody last asked.

use octavo_app::{Caller, chores::Used};
use octavo_core_model::{
    Timestamp,
    id::{ApiKeyId, SessionId, UserId, WorkspaceId},
    page::Visit,
};
use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Collects activity, so that a call that reads need not write.
#[derive(Debug, Default)]
pub struct Activity(Mutex<Noted>);

#[derive(Debug, Default)]
struct Noted {
    sessions: HashMap<SessionId, UserId>,
    keys: HashMap<ApiKeyId, (WorkspaceId, Timestamp)>,
    visits: Vec<Visit>,
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
            Caller::App(_) | Caller::Nobody | Caller::System => {}
        }
    }

    /// When a key was used last, where the store does not know that yet.
    pub(crate) fn last_use(&self, key: ApiKeyId) -> Option<Timestamp> {
        self.noted().keys.get(&key).map(|(_, at)| *at)
    }

    /// Notes that somebody looked at a page.
    pub(crate) fn note_visit(&self, visit: Visit) {
        self.noted().visits.push(visit);
    }

    /// Hands over who looked at what, for a list that is to show it.
    pub(crate) fn take_visits(&self) -> Vec<Visit> {
        latest(std::mem::take(&mut self.noted().visits))
    }

    /// Hands over what was collected and starts anew.
    pub fn take(&self) -> Used {
        let Noted { sessions, keys, visits } = std::mem::take(&mut *self.noted());
        Used {
            sessions: sessions.into_iter().map(|(session, user)| (user, session)).collect(),
            keys: keys.into_iter().map(|(key, (workspace, at))| (workspace, key, at)).collect(),
            visits: latest(visits),
        }
    }

    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The last visit of each person to each page.
fn latest(visits: Vec<Visit>) -> Vec<Visit> {
    let by_place = visits.into_iter().map(|visit| ((visit.user, visit.page), visit));
    by_place.collect::<HashMap<_, _>>().into_values().collect()
}

//! Who is on the pages of a workspace, and until when without another call.

use octavo_core_model::{
    id::{PageId, UserId},
    presence::{Presence, PresenceState},
};
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use tokio::time::Instant;

/// Those who are on pages at the moment.
#[derive(Debug, Default)]
pub(super) struct Present(BTreeMap<(PageId, UserId), (Arc<Presence>, Instant)>);

impl Present {
    /// Notes where somebody is. They count as gone after `time` without another note.
    pub(super) fn note(&mut self, presence: &Arc<Presence>, time: Duration) {
        let key = (presence.page, presence.user);
        if presence.state == PresenceState::Left {
            self.0.remove(&key);
        } else {
            self.0.insert(key, (Arc::clone(presence), Instant::now() + time));
        }
    }

    /// When the next of them counts as gone.
    pub(super) fn next_leaves(&self) -> Option<Instant> {
        self.0.values().map(|(_, until)| *until).min()
    }

    /// Removes those who count as gone, and returns them as such.
    pub(super) fn take_left(&mut self) -> Vec<Arc<Presence>> {
        let now = Instant::now();
        let left = self.0.extract_if(.., |_, (_, until)| *until <= now);
        left.map(|(_, (presence, _))| {
            Arc::new(Presence { block: None, offset: None, state: PresenceState::Left, ..(*presence).clone() })
        })
        .collect()
    }
}

/// How long those that arrive are collected. Each page is then checked once for each caller, however many people move on
/// it.
const COLLECTED_FOR: Duration = Duration::from_millis(100);

/// Where people are, as far as the streams have not been told. Only the last place of somebody on a page counts.
#[derive(Debug)]
pub(super) struct UnsentPresences {
    waiting: BTreeMap<PageId, BTreeMap<UserId, Arc<Presence>>>,
    /// Those that arrive before are not sent yet.
    next_at: Instant,
}

impl UnsentPresences {
    pub(super) fn new() -> Self {
        Self { waiting: BTreeMap::new(), next_at: Instant::now() }
    }

    pub(super) fn add(&mut self, presence: Arc<Presence>) {
        self.waiting.entry(presence.page).or_default().insert(presence.user, presence);
    }

    /// When they are due: the first ones after a while at once.
    pub(super) fn due_at(&self) -> Option<Instant> {
        (!self.waiting.is_empty()).then_some(self.next_at)
    }

    /// Takes all that are due, by page.
    pub(super) fn take_due(&mut self) -> Vec<(PageId, Vec<Arc<Presence>>)> {
        let now = Instant::now();
        if self.waiting.is_empty() || self.next_at > now {
            return Vec::new();
        }
        self.next_at = now + COLLECTED_FOR;
        let taken = std::mem::take(&mut self.waiting).into_iter();
        taken.map(|(page, presences)| (page, presences.into_values().collect())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::id::WorkspaceId;
    use tokio::time::advance;

    const TIME: Duration = Duration::from_secs(30);

    fn presence(number: u8, state: PresenceState) -> Arc<Presence> {
        Arc::new(Presence {
            workspace: WorkspaceId::new(1, [1; 10]),
            page: PageId::EXAMPLE,
            user: UserId::new(1, [number; 10]),
            name: "Ada".to_owned(),
            avatar_url: None,
            block: None,
            offset: Some(3),
            state,
        })
    }

    #[tokio::test(start_paused = true)]
    async fn somebody_leaves_when_nothing_is_heard_of_them_for_a_while() {
        let mut present = Present::default();
        present.note(&presence(1, PresenceState::Editing), TIME);
        present.note(&presence(2, PresenceState::Viewing), TIME);
        present.note(&presence(3, PresenceState::Viewing), TIME);
        advance(Duration::from_secs(20)).await;
        present.note(&presence(2, PresenceState::Viewing), TIME);
        present.note(&presence(3, PresenceState::Left), TIME);
        assert_eq!(present.take_left(), []);
        advance(Duration::from_secs(10)).await;
        let left = present.take_left();
        assert_eq!(
            left.iter().map(|presence| (presence.user, presence.state, presence.offset)).collect::<Vec<_>>(),
            [(UserId::new(1, [1; 10]), PresenceState::Left, None)]
        );
        assert_eq!(present.next_leaves(), Some(Instant::now() + Duration::from_secs(20)));
    }

    #[tokio::test(start_paused = true)]
    async fn what_arrives_in_a_short_time_is_sent_together() {
        let mut unsent = UnsentPresences::new();
        assert_eq!(unsent.due_at(), None);
        unsent.add(presence(1, PresenceState::Viewing));
        assert_eq!(
            unsent.take_due(),
            [(PageId::EXAMPLE, vec![presence(1, PresenceState::Viewing)])],
            "the first at once"
        );
        unsent.add(presence(1, PresenceState::Viewing));
        unsent.add(presence(2, PresenceState::Viewing));
        unsent.add(presence(1, PresenceState::Editing));
        assert_eq!(unsent.take_due(), []);
        assert_eq!(unsent.due_at(), Some(Instant::now() + COLLECTED_FOR));
        advance(COLLECTED_FOR).await;
        let both = vec![presence(1, PresenceState::Editing), presence(2, PresenceState::Viewing)];
        assert_eq!(unsent.take_due(), [(PageId::EXAMPLE, both)], "the last of each");
    }
}

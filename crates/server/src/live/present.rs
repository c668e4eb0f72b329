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
}

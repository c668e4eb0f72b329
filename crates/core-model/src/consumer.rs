//! Consumers of the event log: what follows a change reads the log of each workspace and remembers how far it has come.

use crate::{id::WorkspaceId, name::named, time::Timestamp};
use std::time::Duration;

named! {
    /// What reads the event log by itself.
    ConsumerName {
        /// Tells users what concerns them.
        Notifications = "notifications",
    }
}

/// How long to wait before each further attempt at an event that failed. After the last one it is set aside.
const WAITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(4)];

/// The same for an event that takes too long: the database may be slow for a few minutes.
const WAITS_FOR_TIME: [Duration; 9] = [
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(5),
    Duration::from_secs(10),
    Duration::from_secs(30),
    Duration::from_mins(1),
    Duration::from_mins(1),
    Duration::from_mins(1),
    Duration::from_mins(1),
];

/// Why a batch failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It cannot be handled.
    Error,
    /// It took too long.
    Timeout,
}

/// How far a consumer has come in the log of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The consumer.
    pub consumer: ConsumerName,
    /// The last event that was handled as a whole.
    pub sequence: i64,
    /// The place inside the next event, if a part of it was handled. Its form is up to the consumer.
    pub place: Option<String>,
    /// The last event that was ever handled. Events up to it are repeated after a replay began.
    pub handled_up_to: i64,
    /// Events up to this one are handled one by one, because a batch of them failed.
    pub careful_until: i64,
    /// How often the next event has failed alone.
    pub attempts: u32,
    /// When to try the next event again.
    pub retry_at: Option<Timestamp>,
}

/// What follows from a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterFailure {
    /// The events are handled again: one by one, or after a pause.
    TryAgain,
    /// The event is left behind, after this many attempts.
    SetAside {
        /// The attempts.
        attempts: u32,
    },
}

/// An event that a consumer could not handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The consumer.
    pub consumer: ConsumerName,
    /// The number of the event.
    pub sequence: i64,
    /// Why it failed, for operators.
    pub error: String,
    /// How often it was tried.
    pub attempts: u32,
    /// When it was set aside.
    pub at: Timestamp,
}

impl Cursor {
    /// Before the first event.
    pub const fn start(workspace: WorkspaceId, consumer: ConsumerName) -> Self {
        Self {
            workspace,
            consumer,
            sequence: 0,
            place: None,
            handled_up_to: 0,
            careful_until: 0,
            attempts: 0,
            retry_at: None,
        }
    }

    /// Whether the next event is handled alone.
    pub const fn is_careful(&self) -> bool {
        self.sequence < self.careful_until
    }

    /// Whether the next event has to wait.
    pub fn waits(&self, now: Timestamp) -> bool {
        self.retry_at.is_some_and(|at| at > now)
    }

    /// Everything up to this event is handled, and of the next one what is before the place, if there is one.
    pub fn advance(&mut self, sequence: i64, place: Option<String>) {
        self.sequence = sequence;
        self.place = place;
        self.handled_up_to = self.handled_up_to.max(sequence);
        self.attempts = 0;
        self.retry_at = None;
    }

    /// Notes that a batch failed, which began with one event and ended with another.
    pub fn fail(&mut self, first: i64, last: i64, failure: Failure, now: Timestamp) -> AfterFailure {
        if first < last {
            self.careful_until = last;
            return AfterFailure::TryAgain;
        }
        self.attempts += 1;
        let waits: &[Duration] = match failure {
            Failure::Error => &WAITS,
            Failure::Timeout => &WAITS_FOR_TIME,
        };
        if let Some(wait) = waits.get(self.attempts as usize - 1) {
            self.retry_at = Some(now.plus(*wait));
            return AfterFailure::TryAgain;
        }
        let attempts = self.attempts;
        self.advance(first, None);
        AfterFailure::SetAside { attempts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    fn cursor() -> Cursor {
        Cursor::start(WorkspaceId::LOWEST, ConsumerName::Notifications)
    }

    #[test]
    fn a_batch_that_fails_is_handled_one_by_one() {
        let mut cursor = cursor();
        assert_eq!(cursor.fail(3, 9, Failure::Error, NOW), AfterFailure::TryAgain);
        assert!(cursor.is_careful() && !cursor.waits(NOW));
        cursor.advance(8, None);
        assert!(cursor.is_careful());
        cursor.advance(9, None);
        assert!(!cursor.is_careful());
    }

    #[test]
    fn an_event_that_fails_three_times_is_left_behind() {
        let mut cursor = cursor();
        cursor.place = Some("there".to_owned());
        for wait in WAITS {
            assert_eq!(cursor.fail(3, 3, Failure::Error, NOW), AfterFailure::TryAgain);
            assert!(cursor.waits(NOW) && !cursor.waits(NOW.plus(wait)));
        }
        assert_eq!(cursor.fail(3, 3, Failure::Error, NOW), AfterFailure::SetAside { attempts: 3 });
        assert_eq!((cursor.sequence, cursor.place.as_deref(), cursor.attempts), (3, None, 0));
        assert!(!cursor.waits(NOW));
    }

    #[test]
    fn an_event_that_takes_too_long_is_tried_for_minutes() {
        let (mut cursor, mut now) = (cursor(), NOW);
        assert_eq!(cursor.fail(3, 9, Failure::Timeout, now), AfterFailure::TryAgain);
        assert!(cursor.is_careful());
        while cursor.fail(3, 3, Failure::Timeout, now) == AfterFailure::TryAgain {
            now = cursor.retry_at.unwrap_or(now);
        }
        assert!(now.since(NOW) > Duration::from_mins(4) && now.since(NOW) < Duration::from_mins(6));
        assert_eq!(cursor.sequence, 3, "it does not hold up later ones for ever");
    }

    #[test]
    fn what_was_handled_once_is_known_after_a_replay_began() {
        let mut cursor = cursor();
        cursor.advance(7, None);
        cursor.sequence = 0;
        cursor.advance(2, None);
        assert_eq!(cursor.handled_up_to, 7);
    }
}

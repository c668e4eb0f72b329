//! How much content a person may write.
//!
//! What users replace or delete stays for the history of their page, so everything that is written takes up disk, also
//! the tenth replacement of the same document. A limit of calls does not bound that: one call may write megabytes. So
//! what a person has written is counted and forgotten again at a constant rate, all of it within an hour. As long as
//! there is more than the limit, this person cannot write content.

use crate::call::{Call, Caller};
use octavo_core_model::{
    Bucket, Fault, Timestamp,
    id::{UserId, WorkspaceId},
    workspace::Limit,
};
use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// What a block takes up besides its body: its other columns, its entries in indexes and in events.
const BYTES_OF_BLOCK: u64 = 300;

/// The same for a page.
const BYTES_OF_PAGE: u64 = 2_000;

/// The same for a record.
const BYTES_OF_RECORD: u64 = 1_000;

/// What is written within the limit is forgotten after this time.
const WINDOW: Duration = Duration::from_hours(1);

/// With more writers than this, those whose writing is forgotten are removed when another one writes.
const REMEMBERED: usize = 10_000;

/// The amount that everybody may write, and what each writer has written on this node.
#[derive(Debug)]
pub(crate) struct WriteBudget {
    limit: Limit,
    written: Mutex<BTreeMap<Writer, Written>>,
}

/// Whose writing is counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Writer {
    /// A person, with the apps that act for them and the keys that they made.
    Person(UserId),
    /// The keys of a workspace whose creators have left it: who has left must not have to wait for what others do there.
    /// Together, because otherwise somebody could leave behind any number of them.
    KeysLeftBehind(WorkspaceId),
}

impl Writer {
    /// `None` for those that have no limit: the deployment itself, and callers without an account, who write no content.
    pub(crate) fn of(call: &Call) -> Option<Self> {
        match &call.caller {
            Caller::User(claims) => Some(Self::Person(claims.user)),
            Caller::App(app) => Some(Self::Person(app.claims.user)),
            Caller::Job(starter) => Some(Self::Person(starter.user)),
            Caller::Key(presented) if presented.has_creator_left => Some(Self::KeysLeftBehind(presented.key.workspace)),
            Caller::Key(presented) => Some(Self::Person(presented.key.created_by)),
            Caller::Nobody | Caller::System => None,
        }
    }
}

/// Bytes that are not forgotten yet, at this time.
#[derive(Clone, Copy, Debug)]
struct Written {
    bytes: u64,
    at: Timestamp,
}

/// The size of what a unit writes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WrittenSize {
    pub(crate) pages: u64,
    pub(crate) blocks: u64,
    pub(crate) records: u64,
    pub(crate) bytes: u64,
}

impl WrittenSize {
    pub(crate) const fn of_pages(pages: u64) -> Self {
        Self { pages, blocks: 0, records: 0, bytes: 0 }
    }

    pub(crate) const fn of_blocks(blocks: u64, bytes: u64) -> Self {
        Self { pages: 0, blocks, records: 0, bytes }
    }

    pub(crate) const fn of_records(records: u64, bytes: u64) -> Self {
        Self { pages: 0, blocks: 0, records, bytes }
    }

    pub(crate) const fn of_bytes(bytes: u64) -> Self {
        Self { pages: 0, blocks: 0, records: 0, bytes }
    }

    const fn on_disk(self) -> u64 {
        let pages = self.pages.saturating_mul(BYTES_OF_PAGE);
        let blocks = self.blocks.saturating_mul(BYTES_OF_BLOCK);
        let records = self.records.saturating_mul(BYTES_OF_RECORD);
        self.bytes.saturating_add(pages).saturating_add(blocks).saturating_add(records)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self {
            pages: self.pages.saturating_add(other.pages),
            blocks: self.blocks.saturating_add(other.blocks),
            records: self.records.saturating_add(other.records),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }
}

impl WriteBudget {
    pub(crate) fn new(limit: Limit) -> Self {
        Self { limit, written: Mutex::default() }
    }

    /// Refuses a call of somebody who has written too much. How much the call itself is about to write does not matter:
    /// otherwise something large could never be written.
    pub(crate) fn check(&self, call: &Call) -> Result<(), Fault> {
        let (Limit::AtMost(limit), Some(writer)) = (self.limit, Writer::of(call)) else { return Ok(()) };
        let Some(earlier) = self.written().get(&writer).copied() else { return Ok(()) };
        let now = earlier.forgetting(limit, call.now);
        if now.bytes < limit {
            return Ok(());
        }
        let retry_after = time_for(now.bytes - limit + 1, limit).as_secs() + 1;
        let bucket = if matches!(call.caller, Caller::Key(_)) { Bucket::ApiKey } else { Bucket::Generic };
        Err(Fault::TooMuchWritten { bucket, retry_after })
    }

    /// Adds what a committed unit has written.
    pub(crate) fn add(&self, writer: Option<Writer>, size: WrittenSize, now: Timestamp) {
        let (Limit::AtMost(limit), Some(writer)) = (self.limit, writer) else { return };
        let bytes = size.on_disk();
        if bytes == 0 {
            return;
        }
        let mut all = self.written();
        if all.len() >= REMEMBERED && !all.contains_key(&writer) {
            all.retain(|_, written| written.forgetting(limit, now).bytes > 0);
        }
        let written = all.entry(writer).or_insert(Written { bytes: 0, at: now });
        *written = written.forgetting(limit, now);
        written.bytes = written.bytes.saturating_add(bytes);
    }

    fn written(&self) -> MutexGuard<'_, BTreeMap<Writer, Written>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Written {
    /// The bytes that are not forgotten later. A time before the last one shows that the clock was set back: nothing is
    /// forgotten then.
    fn forgetting(self, limit: u64, now: Timestamp) -> Self {
        let forgotten = u128::from(limit) * now.since(self.at).as_millis() / WINDOW.as_millis();
        let forgotten = u64::try_from(forgotten).unwrap_or(u64::MAX);
        Self { bytes: self.bytes.saturating_sub(forgotten), at: now }
    }
}

/// How long it takes until this many bytes are forgotten.
fn time_for(bytes: u64, limit: u64) -> Duration {
    let millis = u128::from(bytes) * WINDOW.as_millis() / u128::from(limit.max(1));
    Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WRITER: Option<Writer> = Some(Writer::Person(UserId::LOWEST));

    proptest! {
        #[test]
        fn what_is_written_in_an_hour_is_limited(steps in prop::collection::vec((0..900_000u64, 1..5_000u64), 1..200)) {
            let (limit, largest) = (50_000, 5_000);
            let mut written = Written { bytes: 0, at: Timestamp::from_millis(0) };
            let (mut now, mut in_this_hour) = (0, 0);
            for (pause, bytes) in steps {
                now += i64::try_from(pause).unwrap_or(i64::MAX);
                if now >= 3_600_000 {
                    (now, in_this_hour, written) = (0, 0, Written { bytes: 0, at: Timestamp::from_millis(0) });
                }
                written = written.forgetting(limit, Timestamp::from_millis(now));
                if written.bytes < limit {
                    written.bytes += bytes;
                    in_this_hour += bytes;
                }
                prop_assert!(written.bytes < limit + largest);
                prop_assert!(in_this_hour < 2 * limit + largest, "the limit at once, and as much again within the hour");
            }
        }
    }

    #[test]
    fn a_clock_that_is_set_back_forgets_nothing() {
        let written = Written { bytes: 500, at: Timestamp::from_millis(3_600_000) };
        let back = written.forgetting(1_000, Timestamp::from_millis(1_000));
        assert_eq!(back.bytes, 500);
        assert_eq!(back.forgetting(1_000, Timestamp::from_millis(1_801_000)).bytes, 0);
    }

    #[test]
    fn those_whose_writing_is_forgotten_are_removed() {
        let budget = WriteBudget::new(Limit::AtMost(1_000));
        let person = |number: u32| {
            let [a, b, c, d] = number.to_be_bytes();
            Some(Writer::Person(UserId::new(0, [a, b, c, d, 0, 0, 0, 0, 0, 0])))
        };
        for number in 1..=10_000 {
            budget.add(person(number), WrittenSize::of_blocks(0, 1_000), Timestamp::from_millis(0));
        }
        budget.add(WRITER, WrittenSize::of_blocks(0, 1), Timestamp::from_millis(1_800_000));
        assert_eq!(budget.written().len(), 10_001, "half of it is remembered");
        budget.add(person(10_001), WrittenSize::of_blocks(0, 1), Timestamp::from_millis(3_600_000));
        assert_eq!(budget.written().len(), 1, "the last person");
    }
}

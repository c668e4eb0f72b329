//! The records that operations are about, as they are after the operations so far.

use super::{
    RecordRef,
    matching::{MatchIndex, Wanted},
};
use octavo_core_model::{
    Fault, Level,
    fault::Denial,
    id::{PropertyId, RecordId},
    record::Record,
    text::PageTitle,
};
use octavo_databases::{Schema, value::Values};
use std::collections::BTreeMap;

/// A record in memory.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) record: Record,
    pub(super) values: Values,
    pub(super) state: State,
    /// What the caller may do with it.
    pub(super) level: Level,
    /// The title of a stored record before the first operation.
    pub(super) title_before: PageTitle,
}

/// How a record differs from the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Stored,
    Changed,
    New,
    /// The store has it.
    Deleted,
    /// The store never had it.
    Dropped,
}

impl State {
    const fn exists(self) -> bool {
        matches!(self, Self::Stored | Self::Changed | Self::New)
    }
}

/// Records by id, and the labels of new ones.
#[derive(Debug, Default)]
pub(super) struct WorkingSet {
    pub(super) entries: BTreeMap<RecordId, Entry>,
    labels: BTreeMap<String, RecordId>,
    index: MatchIndex,
}

impl WorkingSet {
    pub(super) fn new(entries: Vec<Entry>, wanted: Wanted, schema: &Schema, match_on: &[PropertyId]) -> Self {
        let mut set = Self { index: MatchIndex::new(wanted, schema, match_on), ..Self::default() };
        for entry in entries {
            set.index.add(entry.record.id, &entry.values);
            set.entries.insert(entry.record.id, entry);
        }
        set
    }

    /// The id of a record that an operation names in a field.
    pub(super) fn find(&self, named: &RecordRef, field: &'static str) -> Result<RecordId, Fault> {
        let id = match named {
            RecordRef::Id(id) => Some(*id),
            RecordRef::Label(label) => self.labels.get(label).copied(),
        };
        let exists = |id: &RecordId| self.entries.get(id).is_some_and(|entry| entry.state.exists());
        id.filter(exists).ok_or(Fault::UnknownId(field))
    }

    /// The same, if the caller may change it.
    pub(super) fn find_to_change(&self, named: &RecordRef) -> Result<RecordId, Fault> {
        let id = self.find(named, "recordId")?;
        match self.entries.get(&id) {
            Some(entry) if entry.level < Level::Edit => Err(Fault::Forbidden(Denial::RequiresLevel(Level::Edit))),
            _ => Ok(id),
        }
    }

    /// The records whose values match.
    pub(super) fn matching(&self, values: &Values) -> Vec<RecordId> {
        let exists = |id: &RecordId| self.entries.get(id).is_some_and(|entry| entry.state.exists());
        self.index.matching(values).filter(exists).collect()
    }

    /// Adds a new record.
    pub(super) fn insert(&mut self, entry: Entry, label: Option<String>) {
        self.index.add(entry.record.id, &entry.values);
        if let Some(label) = label {
            self.labels.insert(label, entry.record.id);
        }
        self.entries.insert(entry.record.id, entry);
    }

    /// Puts a changed record in place of itself.
    pub(super) fn replace(&mut self, mut entry: Entry) {
        let id = entry.record.id;
        if let Some(before) = self.entries.get(&id) {
            self.index.remove(id, &before.values);
        }
        self.index.add(id, &entry.values);
        if entry.state == State::Stored {
            entry.state = State::Changed;
        }
        self.entries.insert(id, entry);
    }

    /// Removes a record. New records that are parts of it lose their parent, as the store does it for stored ones.
    pub(super) fn remove(&mut self, id: RecordId) {
        if let Some(entry) = self.entries.get_mut(&id) {
            self.index.remove(id, &entry.values);
            entry.state = if entry.state == State::New { State::Dropped } else { State::Deleted };
        }
        for entry in self.entries.values_mut().filter(|entry| entry.record.parent == Some(id)) {
            entry.record.parent = None;
        }
    }
}

//! What every record has besides its values.

use super::row::Row;
use crate::{
    bits::Bits,
    column::{Single, SingleBuilder},
    number::{narrow, wide},
};
use octavo_core_model::id::{RecordId, UserId};
use std::cmp::Ordering;

/// Ids, positions, times and authors of the records of a chunk.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) ids: Vec<RecordId>,
    /// The rows in the order of their ids.
    by_id: Vec<u16>,
    positions: Vec<u8>,
    /// Where each position ends.
    position_ends: Vec<u32>,
    pub(crate) archived: Bits,
    pub(crate) parents: Single<RecordId>,
    pub(crate) created_at: Vec<i64>,
    pub(crate) edited_at: Vec<i64>,
    pub(crate) created_by: Single<UserId>,
    pub(crate) edited_by: Single<UserId>,
    /// The numbers of the records, plus one; zero for none.
    pub(crate) numbers: Vec<u64>,
}

impl Facts {
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    pub(crate) fn position(&self, row: usize) -> &[u8] {
        let start = row.checked_sub(1).map_or(0, |before| self.position_ends[before]);
        &self.positions[wide(start)..wide(self.position_ends[row])]
    }

    /// The place of a record in the order of its database.
    pub(crate) fn place(&self, row: usize) -> (&[u8], RecordId) {
        (self.position(row), self.ids[row])
    }

    pub(crate) fn find(&self, id: RecordId) -> Option<usize> {
        let (first, last) = (self.by_id.first()?, self.by_id.last()?);
        if id < self.ids[usize::from(*first)] || id > self.ids[usize::from(*last)] {
            return None;
        }
        let at = self.by_id.binary_search_by_key(&id, |row| self.ids[usize::from(*row)]).ok()?;
        Some(usize::from(self.by_id[at]))
    }

    /// The smallest and the largest id.
    pub(crate) fn id_range(&self) -> Option<(RecordId, RecordId)> {
        let (first, last) = (self.by_id.first()?, self.by_id.last()?);
        Some((self.ids[usize::from(*first)], self.ids[usize::from(*last)]))
    }

    pub(crate) fn number(&self, row: usize) -> Option<u64> {
        self.numbers[row].checked_sub(1)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.ids.capacity() * size_of::<RecordId>()
            + self.by_id.capacity() * 2
            + self.positions.capacity()
            + self.position_ends.capacity() * 4
            + self.archived.bytes()
            + self.parents.bytes(|_| 0)
            + (self.created_at.capacity() + self.edited_at.capacity() + self.numbers.capacity()) * 8
            + self.created_by.bytes(|_| 0)
            + self.edited_by.bytes(|_| 0)
    }
}

/// Builds [`Facts`] row by row.
#[derive(Debug)]
pub(crate) struct FactsBuilder {
    ids: Vec<RecordId>,
    positions: Vec<u8>,
    position_ends: Vec<u32>,
    archived: Bits,
    parents: SingleBuilder<RecordId>,
    created_at: Vec<i64>,
    edited_at: Vec<i64>,
    created_by: SingleBuilder<UserId>,
    edited_by: SingleBuilder<UserId>,
    numbers: Vec<u64>,
    is_sorted: bool,
}

impl FactsBuilder {
    pub(crate) fn new() -> Self {
        Self {
            ids: Vec::new(),
            positions: Vec::new(),
            position_ends: Vec::new(),
            archived: Bits::default(),
            parents: SingleBuilder::new(),
            created_at: Vec::new(),
            edited_at: Vec::new(),
            created_by: SingleBuilder::new(),
            edited_by: SingleBuilder::new(),
            numbers: Vec::new(),
            is_sorted: true,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether the rows are in the order of their places.
    pub(crate) const fn is_sorted(&self) -> bool {
        self.is_sorted
    }

    pub(crate) fn push(&mut self, row: &Row<'_>) {
        self.place(row.position.as_bytes(), row.id);
        self.archived.push(row.is_archived);
        self.parents.push_owned(row.parent);
        self.created_at.push(row.created_at.millis());
        self.edited_at.push(row.edited_at.millis());
        self.created_by.push_owned(row.created_by);
        self.edited_by.push_owned(row.edited_by);
        self.numbers.push(row.number.map_or(0, |number| number.saturating_add(1)));
    }

    pub(crate) fn push_from(&mut self, from: &Facts, row: usize) {
        self.place(from.position(row), from.ids[row]);
        self.archived.push(from.archived.get(row));
        self.parents.push_owned(from.parents.get(row).copied());
        self.created_at.push(from.created_at[row]);
        self.edited_at.push(from.edited_at[row]);
        self.created_by.push_owned(from.created_by.get(row).copied());
        self.edited_by.push_owned(from.edited_by.get(row).copied());
        self.numbers.push(from.numbers[row]);
    }

    fn place(&mut self, position: &[u8], id: RecordId) {
        if let Some(last) = self.ids.last() {
            let order = self.last_position().cmp(position).then(last.cmp(&id));
            self.is_sorted &= order == Ordering::Less;
        }
        self.ids.push(id);
        self.positions.extend_from_slice(position);
        self.position_ends.push(narrow(self.positions.len()));
    }

    fn last_position(&self) -> &[u8] {
        let before = self.position_ends.len().checked_sub(2).map_or(0, |before| self.position_ends[before]);
        &self.positions[wide(before)..]
    }

    pub(crate) fn finish(mut self) -> Facts {
        let mut by_id: Vec<_> = (0..self.ids.len()).map(|row| u16::try_from(row).unwrap_or(u16::MAX)).collect();
        by_id.sort_unstable_by_key(|row| self.ids[usize::from(*row)]);
        self.ids.shrink_to_fit();
        self.positions.shrink_to_fit();
        self.position_ends.shrink_to_fit();
        self.archived.shrink();
        self.created_at.shrink_to_fit();
        self.edited_at.shrink_to_fit();
        self.numbers.shrink_to_fit();
        Facts {
            ids: self.ids,
            by_id,
            positions: self.positions,
            position_ends: self.position_ends,
            archived: self.archived,
            parents: self.parents.finish(),
            created_at: self.created_at,
            edited_at: self.edited_at,
            created_by: self.created_by.finish(),
            edited_by: self.edited_by.finish(),
            numbers: self.numbers,
        }
    }
}

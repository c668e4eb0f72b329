//! What changed recently.

use crate::{bits::Bits, chunk::Chunk};
use std::sync::Arc;

/// Records that were added or changed, and rows of chunks that are no longer valid.
#[derive(Clone, Debug)]
pub(super) struct Overlay {
    /// The records in the order of their places.
    pub(super) rows: Option<Chunk>,
    /// For each of them the index of the row of a chunk that comes next.
    pub(super) next: Arc<[u32]>,
    /// For each chunk the rows that were removed or replaced.
    pub(super) removed: Vec<Option<Arc<Bits>>>,
}

impl Overlay {
    pub(super) fn new(chunks: usize) -> Self {
        Self { rows: None, next: Arc::default(), removed: vec![None; chunks] }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.as_ref().map_or(0, Chunk::len)
    }

    /// How many rows of a chunk are no longer valid.
    pub(super) fn removed_of(&self, chunk: usize) -> usize {
        self.removed[chunk].as_ref().map_or(0, |removed| removed.count())
    }

    /// Marks a row of a chunk as no longer valid.
    pub(super) fn remove(&mut self, chunk: usize, row: usize, rows: usize) {
        let removed = self.removed[chunk].get_or_insert_with(|| Arc::new(Bits::none(rows)));
        Arc::make_mut(removed).set(row);
    }

    pub(super) fn bytes(&self) -> usize {
        self.next.len() * 4
            + self.removed.capacity() * size_of::<Option<Arc<Bits>>>()
            + self.removed.iter().flatten().map(|removed| removed.bytes()).sum::<usize>()
    }
}

//! Changes of records.

use super::Table;
use crate::{
    chunk::{Chunk, ChunkBuilder, ROWS, Row, gather},
    column::Pick,
    number::narrow,
};
use octavo_core_model::id::RecordId;
use std::{collections::BTreeMap, sync::Arc};

/// What happened to a record.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// It was added or changed, and this is how it is now.
    Put(Row<'a>),
    /// It was removed.
    Remove(RecordId),
}

impl Change<'_> {
    const fn id(&self) -> RecordId {
        match self {
            Self::Put(row) => row.id,
            Self::Remove(id) => *id,
        }
    }
}

impl Table {
    /// How many recent changes are kept apart from the chunks.
    const MAX_RECENT: usize = 1000;

    /// The table after these changes. Of several changes of one record the last one counts. A bag that is not valid
    /// leaves its record without the values that could not be read.
    ///
    /// The cost is that of copying the overlay. When there are more than a thousand recent changes, the chunks that
    /// most of them belong to are copied with them until there are fewer: as few chunks as possible, so that no single
    /// call is slow however large the table is.
    #[must_use]
    pub fn apply(&self, changes: &[Change<'_>]) -> Self {
        let last: BTreeMap<_, _> = changes.iter().map(|change| (change.id(), change)).collect();
        let mut table = self.clone();
        let changes: Vec<_> = last.into_values().collect();
        for changes in changes.chunks(ROWS) {
            table.apply_some(changes);
            table.fold_while(|overlay, removed| overlay > Self::MAX_RECENT || removed > Self::MAX_RECENT);
        }
        table
    }

    /// The same records without an overlay.
    #[must_use]
    pub fn folded(&self) -> Self {
        let mut folded = self.clone();
        folded.fold_while(|overlay, removed| overlay > 0 || removed > 0);
        folded
    }

    fn apply_some(&mut self, changes: &[&Change<'_>]) {
        let mut added = ChunkBuilder::new(&self.layout);
        for change in changes {
            if let Change::Put(row) = change {
                // The caller of `apply` accepts records with values that cannot be read.
                let _ = added.push(row);
            }
            if let Some((at, row)) = self.find_in_chunks(change.id()) {
                self.overlay.remove(at, row, self.chunks[at].len());
            }
        }
        let ids: Vec<_> = changes.iter().map(|change| change.id()).collect();
        self.add_to_overlay(&added.finish(), &ids);
    }

    /// Merges rows into the overlay. `ids` are the changed records by rising ids.
    fn add_to_overlay(&mut self, added: &Chunk, ids: &[RecordId]) {
        let before = self.overlay.rows.take();
        let next = std::mem::take(&mut self.overlay.next);
        let mut merged: Vec<(Pick, u32)> = Vec::with_capacity(added.len() + next.len());
        if let Some(before) = &before {
            let kept = (0..before.len()).filter(|row| ids.binary_search(&before.id(*row)).is_err());
            merged.extend(kept.map(|row| (Pick { chunk: 0, row: narrow(row) }, next[row])));
        }
        let rows = (0..added.len()).map(|row| (Pick { chunk: 1, row: narrow(row) }, self.index_after(added, row)));
        merged.extend(rows);
        if merged.is_empty() {
            return;
        }
        let chunks = [before.as_ref().unwrap_or(added), added];
        let place = |pick: Pick| chunks[pick.chunk as usize].facts().place(pick.row as usize);
        merged.sort_by(|(a, _), (b, _)| place(*a).cmp(&place(*b)));
        let (picks, next): (Vec<_>, Vec<_>) = merged.into_iter().unzip();
        self.overlay.rows = Some(gather(&self.layout, &chunks, &picks));
        self.overlay.next = Arc::from(next);
    }

    /// The index of the first row of the chunks that comes after a row of another chunk.
    fn index_after(&self, chunk: &Chunk, row: usize) -> u32 {
        let place = chunk.facts().place(row);
        let behind = self.chunks.partition_point(|chunk| chunk.facts().place(0) < place);
        let Some(at) = behind.checked_sub(1) else { return 0 };
        let facts = self.chunks[at].facts();
        let (mut low, mut high) = (0, facts.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if facts.place(middle) < place {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        self.starts[at] + narrow(low)
    }
}

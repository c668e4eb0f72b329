//! Merging recent changes into the chunks that they belong to.

use super::{Table, overlay::Overlay, starts_of};
use crate::{
    chunk::{Chunk, ROWS, gather, gathered},
    column::Pick,
    number::narrow,
};
use std::{ops::Range, sync::Arc};

/// A chunk that is smaller after a fold joins the one before it.
const SMALL: usize = ROWS / 4;

impl Table {
    /// Folds the chunk with the most changes again and again, while a condition on the number of recent records and of
    /// rows that are no longer valid holds.
    pub(super) fn fold_while(&mut self, is_too_much: impl Fn(usize, usize) -> bool) {
        if self.chunks.is_empty() && is_too_much(self.overlay.len(), 0) {
            self.start_with_overlay();
        }
        loop {
            let removed = (0..self.chunks.len()).map(|at| self.overlay.removed_of(at)).sum();
            if !is_too_much(self.overlay.len(), removed) {
                return;
            }
            let most = (0..self.chunks.len()).max_by_key(|at| self.recent_of(*at).len() + self.overlay.removed_of(*at));
            let Some(at) = most else { return };
            self.fold(at);
        }
    }

    /// The first chunks of an empty table.
    fn start_with_overlay(&mut self) {
        if let Some(rows) = self.overlay.rows.take() {
            let picks: Vec<_> = (0..rows.len()).map(|row| Pick { chunk: 0, row: narrow(row) }).collect();
            let chunks = gathered(&self.layout, &[&rows], &picks, ROWS);
            *self = Self::of_sorted(Arc::clone(&self.layout), self.title_slot, chunks);
        }
    }

    /// The rows of the overlay that belong to a chunk: those that come before one of its rows, before the first one
    /// only for the first chunk; so a record behind all rows of a chunk belongs to that one.
    fn recent_of(&self, at: usize) -> Range<usize> {
        let next = &self.overlay.next;
        let start = if at == 0 { 0 } else { next.partition_point(|index| *index <= self.starts[at]) };
        let end = next.partition_point(|index| *index <= self.starts[at + 1]);
        start..end
    }

    /// Merges the recent changes of a chunk into a copy of it.
    fn fold(&mut self, at: usize) {
        let recent = self.recent_of(at);
        let mut from = at;
        let left = self.chunks[at].len() - self.overlay.removed_of(at) + recent.len();
        // A small rest joins the chunk before it, without the recent changes of that one.
        let joins = at > 0 && left < SMALL && self.overlay.removed_of(at - 1) == 0 && self.recent_of(at - 1).is_empty();
        if joins {
            from = at - 1;
        }
        let overlay = self.overlay.rows.as_ref();
        let mut picks = Vec::with_capacity(left);
        let mut chunks: Vec<&Chunk> = self.chunks[from..=at].iter().collect();
        let mut pending = recent.clone().peekable();
        for (source, chunk) in (from..=at).zip(&self.chunks[from..=at]) {
            let removed = self.overlay.removed[source].as_deref();
            for row in 0..chunk.len() {
                let index = self.starts[source] + narrow(row);
                while let Some(row) = pending.next_if(|row| self.overlay.next[*row] <= index) {
                    picks.push(Pick { chunk: narrow(at - from + 1), row: narrow(row) });
                }
                if removed.is_none_or(|removed| !removed.get(row)) {
                    picks.push(Pick { chunk: narrow(source - from), row: narrow(row) });
                }
            }
        }
        picks.extend(pending.map(|row| Pick { chunk: narrow(at - from + 1), row: narrow(row) }));
        chunks.extend(overlay);
        let most = if picks.len() > 2 * ROWS { ROWS } else { 2 * ROWS };
        let merged = gathered(&self.layout, &chunks, &picks, most);
        self.replace(from..at + 1, merged, &recent);
    }

    /// Puts merged chunks in the place of others and takes these rows out of the overlay.
    fn replace(&mut self, folded: Range<usize>, merged: Vec<Chunk>, recent: &Range<usize>) {
        let before = self.starts[folded.end] - self.starts[folded.start];
        let after = merged.iter().map(|chunk| narrow(chunk.len())).sum::<u32>();
        let removed = vec![None; merged.len()];
        self.chunks.splice(folded.clone(), merged);
        self.overlay.removed.splice(folded, removed);
        self.starts = starts_of(&self.chunks);
        let kept = (0..self.overlay.len()).filter(|row| !recent.contains(row));
        let next = kept.clone().map(|row| {
            let next = self.overlay.next[row];
            // Rows of the overlay that come later in the table move with the rows that they stand before.
            if row < recent.end { next } else { next + after - before }
        });
        let next: Arc<[u32]> = next.collect();
        let picks: Vec<_> = kept.map(|row| Pick { chunk: 0, row: narrow(row) }).collect();
        let rows = self.overlay.rows.take().filter(|_| !picks.is_empty());
        let rows = rows.map(|rows| gather(&self.layout, &[&rows], &picks));
        self.overlay = Overlay { rows, next, removed: std::mem::take(&mut self.overlay.removed) };
    }
}

//! New chunks from rows of others.

use super::{Chunk, Layout, Stored, facts::FactsBuilder};
use crate::{
    column::{ColumnBuilder, Pick},
    number::{narrow, wide},
};

/// A chunk of these rows, which must be in the order of their places.
pub(crate) fn gather(layout: &Layout, chunks: &[&Chunk], picks: &[Pick]) -> Chunk {
    let mut facts = FactsBuilder::new();
    for pick in picks {
        facts.push_from(chunks[wide(pick.chunk)].facts(), wide(pick.row));
    }
    let columns = layout.columns().iter().map(|column| {
        let from: Vec<_> = chunks.iter().map(|chunk| chunk.stored().column(column.slot)).collect();
        let mut builder = ColumnBuilder::new(column.kind);
        builder.extend(&from, picks);
        (column.slot, builder.finish())
    });
    let columns = columns.collect();
    Chunk::new(Stored { facts: facts.finish(), columns })
}

/// Chunks of these rows, which must be in the order of their places, none with more rows than `most`.
pub(crate) fn gathered(layout: &Layout, chunks: &[&Chunk], picks: &[Pick], most: usize) -> Vec<Chunk> {
    if picks.is_empty() {
        return Vec::new();
    }
    let each = picks.len().div_ceil(picks.len().div_ceil(most));
    picks.chunks(each).map(|picks| gather(layout, chunks, picks)).collect()
}

/// The same rows in the order of their places. Of rows with the same id and position, the last one stays.
pub(super) fn sorted(layout: &Layout, chunk: &Chunk) -> Chunk {
    let facts = chunk.facts();
    let mut rows: Vec<_> = (0..chunk.len()).rev().collect();
    rows.sort_by_key(|row| facts.place(*row));
    rows.dedup_by_key(|row| facts.ids[*row]);
    let picks: Vec<_> = rows.into_iter().map(|row| Pick { chunk: 0, row: narrow(row) }).collect();
    gather(layout, &[chunk], &picks)
}

//! All records of a database.

mod apply;
mod fold;
mod overlay;
mod persons;

pub use apply::Change;

use crate::{
    bits::Bits,
    chunk::{Chunk, Layout, ROWS, gathered},
    column::Pick,
    computed::{ComputedColumn, ComputedValue},
    context::Titles,
    number::{narrow, wide},
};
use octavo_core_model::id::{PropertyId, RecordId};
use octavo_databases::Schema;
use overlay::Overlay;
use std::{borrow::Cow, sync::Arc};

/// All records of a database at one moment. A table never changes: [`Table::apply`] returns another one that shares
/// what is the same, so readers keep theirs for as long as they need it and never wait.
///
/// Most records are in chunks in the order of their places. Records that changed recently are in an overlay of their
/// own: a write copies that, which is small, and not a chunk of each record that it touches.
#[derive(Clone, Debug)]
pub struct Table {
    layout: Arc<Layout>,
    title_slot: Option<u32>,
    chunks: Vec<Chunk>,
    /// The number of rows before each chunk, and of all.
    starts: Vec<u32>,
    overlay: Overlay,
}

/// Records of a table that are evaluated together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment<'a> {
    pub(crate) chunk: &'a Chunk,
    /// Rows that are no longer part of the table.
    pub(crate) removed: Option<&'a Bits>,
    pub(crate) order: Order<'a>,
}

/// The places of the rows of a segment in the order of all rows. Rows of chunks have the keys `(index, MAX)`; those
/// of the overlay stand before one of them, by their place in the overlay.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order<'a> {
    /// The index of the first row.
    From(u32),
    /// The indexes of the rows of chunks that come next.
    Before(&'a [u32]),
}

impl Order<'_> {
    #[inline]
    pub(crate) fn of(self, row: usize) -> u64 {
        match self {
            Self::From(start) => ((u64::from(start) + u64::from(narrow(row))) << 32) | u64::from(u32::MAX),
            Self::Before(next) => (u64::from(next[row]) << 32) | u64::from(narrow(row)),
        }
    }
}

impl Order<'_> {
    /// A place that is not behind any of the rows.
    pub(crate) fn first(self) -> u64 {
        match self {
            Self::From(start) => u64::from(start) << 32,
            Self::Before(_) => 0,
        }
    }
}

impl Table {
    /// A table of chunks with the columns that this schema has. The chunks may come in any order; no record may be in
    /// two of them.
    pub fn new(schema: &Schema, chunks: Vec<Chunk>) -> Self {
        let layout = Arc::new(Layout::of(schema));
        let mut chunks: Vec<_> = chunks.into_iter().filter(|chunk| !chunk.is_empty()).collect();
        chunks.sort_by(|a, b| a.facts().place(0).cmp(&b.facts().place(0)));
        let is_sorted =
            chunks.windows(2).all(|pair| pair[0].facts().place(pair[0].len() - 1) < pair[1].facts().place(0));
        let chunks = if is_sorted { chunks } else { in_order(&layout, &chunks) };
        let title_slot = schema.title().map(|title| title.slot);
        Self::of_sorted(layout, title_slot, chunks)
    }

    fn of_sorted(layout: Arc<Layout>, title_slot: Option<u32>, chunks: Vec<Chunk>) -> Self {
        let starts = starts_of(&chunks);
        let overlay = Overlay::new(chunks.len());
        Self { layout, title_slot, chunks, starts, overlay }
    }

    /// The records that are archived.
    pub fn archived(&self) -> impl Iterator<Item = RecordId> {
        let archived = |chunk: &Chunk| {
            (0..chunk.len()).filter(|row| chunk.is_archived(*row)).map(|row| chunk.id(row)).collect::<Vec<_>>()
        };
        self.chunks().flat_map(archived)
    }

    /// The same records under a changed schema. Columns of new properties are empty until records are changed.
    #[must_use]
    pub fn with_schema(&self, schema: &Schema) -> Self {
        let layout = Layout::of(schema);
        let layout = if layout == *self.layout { Arc::clone(&self.layout) } else { Arc::new(layout) };
        Self { layout, title_slot: schema.title().map(|title| title.slot), ..self.clone() }
    }

    /// The columns that chunks of this table have.
    pub const fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// How many records there are, archived ones included.
    pub fn len(&self) -> usize {
        self.segments().map(|segment| segment.chunk.len() - segment.removed.map_or(0, Bits::count)).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ids of all records in the order of their places.
    pub fn ids(&self) -> Vec<RecordId> {
        let rows = self.segments().flat_map(|segment| {
            let is_there = move |row: &usize| segment.removed.is_none_or(|removed| !removed.get(*row));
            let rows = (0..segment.chunk.len()).filter(is_there);
            rows.map(move |row| (segment.order.of(row), segment.chunk.id(row)))
        });
        let mut rows: Vec<_> = rows.collect();
        rows.sort_unstable_by_key(|(order, _)| *order);
        rows.into_iter().map(|(_, id)| id).collect()
    }

    /// The chunks, including the one of recent changes. Some of their records may have been replaced by later ones, so
    /// this is for computing columns and not for reading records.
    pub fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        self.chunks.iter().chain(self.overlay.rows.as_ref())
    }

    /// Where a record is: the chunk that has its present values, and the row there.
    pub fn find(&self, id: RecordId) -> Option<(&Chunk, usize)> {
        if let Some(rows) = &self.overlay.rows
            && let Some(row) = rows.find(id)
        {
            return Some((rows, row));
        }
        let (at, row) = self.find_in_chunks(id)?;
        Some((&self.chunks[at], row))
    }

    /// The chunk and row of a record that is not in the overlay and was not removed.
    fn find_in_chunks(&self, id: RecordId) -> Option<(usize, usize)> {
        self.chunks.iter().enumerate().find_map(|(at, chunk)| {
            let row = chunk.find(id)?;
            let is_removed = self.overlay.removed[at].as_ref().is_some_and(|removed| removed.get(row));
            (!is_removed).then_some((at, row))
        })
    }

    /// What was computed for a record; `None` if the record or the column does not exist.
    pub fn computed_value(&self, property: PropertyId, id: RecordId) -> Option<ComputedValue<'_>> {
        let (chunk, row) = self.find(id)?;
        chunk.computed(property).map(|column| column.get(row))
    }

    /// All records, those of the overlay first, then the others in their order.
    pub(crate) fn segments(&self) -> impl Iterator<Item = Segment<'_>> {
        let recent = self.overlay.rows.iter().map(|rows| Segment {
            chunk: rows,
            removed: None,
            order: Order::Before(&self.overlay.next),
        });
        let others = self.chunks.iter().enumerate().map(|(at, chunk)| Segment {
            chunk,
            removed: self.overlay.removed[at].as_deref(),
            order: Order::From(self.starts[at]),
        });
        recent.chain(others)
    }

    /// The table with a computed column. What is there already for chunks that have not changed stays; `compute` is
    /// asked for the others.
    pub fn complete<E>(
        &self,
        property: PropertyId,
        mut compute: impl FnMut(&Chunk) -> Result<ComputedColumn, E>,
    ) -> Result<Self, E> {
        let mut completed = self.clone();
        for chunk in completed.chunks.iter_mut().chain(completed.overlay.rows.as_mut()) {
            if chunk.computed(property).is_none() {
                *chunk = chunk.with_computed(property, Arc::new(compute(chunk)?));
            }
        }
        Ok(completed)
    }

    /// The table with a computed column: one part for each of [`Self::chunks`], in their order.
    ///
    /// # Panics
    /// If there are more or fewer parts.
    #[must_use]
    pub fn with_computed(&self, property: PropertyId, parts: &[Arc<ComputedColumn>]) -> Self {
        assert_eq!(parts.len(), self.chunks().count(), "each chunk has one part");
        let mut table = self.clone();
        for (chunk, part) in table.chunks.iter_mut().chain(table.overlay.rows.as_mut()).zip(parts) {
            *chunk = chunk.with_computed(property, Arc::clone(part));
        }
        table
    }

    /// The table without a computed column.
    #[must_use]
    pub fn without_computed(&self, property: PropertyId) -> Self {
        let mut table = self.clone();
        for chunk in table.chunks.iter_mut().chain(table.overlay.rows.as_mut()) {
            *chunk = chunk.without_computed(property);
        }
        table
    }

    /// How many bytes of memory the table takes, without computed columns. Memory that it shares with other tables is
    /// counted in each of them.
    pub fn memory(&self) -> usize {
        let chunks = self.chunks().map(Chunk::memory).sum::<usize>();
        size_of::<Self>()
            + chunks
            + self.chunks.capacity() * size_of::<Chunk>()
            + self.overlay.bytes()
            + self.starts.capacity() * 4
    }

    /// How many bytes of memory the computed columns take.
    pub fn computed_memory(&self) -> usize {
        self.chunks().map(Chunk::computed_memory).sum()
    }
}

/// The titles of the records, for tables that link to this one.
impl Titles for Table {
    fn title(&self, id: RecordId) -> Option<Cow<'_, str>> {
        let (chunk, row) = self.find(id)?;
        match chunk.stored().column(self.title_slot?) {
            Some(crate::column::Column::Text(texts)) => Some(Cow::Borrowed(texts.text(row))),
            _ => None,
        }
    }
}

fn starts_of(chunks: &[Chunk]) -> Vec<u32> {
    let mut starts = vec![0];
    let mut rows = 0;
    for chunk in chunks {
        rows += narrow(chunk.len());
        starts.push(rows);
    }
    starts
}

/// The rows of chunks that overlap, in the order of their places.
fn in_order(layout: &Layout, chunks: &[Chunk]) -> Vec<Chunk> {
    let mut picks = Vec::with_capacity(chunks.iter().map(Chunk::len).sum());
    for (at, chunk) in chunks.iter().enumerate() {
        picks.extend((0..chunk.len()).map(|row| Pick { chunk: narrow(at), row: narrow(row) }));
    }
    picks.sort_by(|a, b| place(chunks, *a).cmp(&place(chunks, *b)));
    gathered(layout, &chunks.iter().collect::<Vec<_>>(), &picks, ROWS)
}

fn place(chunks: &[Chunk], pick: Pick) -> (&[u8], RecordId) {
    chunks[wide(pick.chunk)].facts().place(wide(pick.row))
}

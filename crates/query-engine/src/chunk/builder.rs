//! Building a chunk from records as they are stored.

use super::{Chunk, InvalidBag, Layout, Row, Stored, bag, facts::FactsBuilder, gather::sorted};
use crate::column::ColumnBuilder;
use octavo_core_model::id::{PropertyId, RecordId};
use std::sync::Arc;

/// Builds a chunk. Rows may come in any order.
#[derive(Debug)]
pub struct ChunkBuilder {
    layout: Arc<Layout>,
    facts: FactsBuilder,
    columns: Vec<ColumnBuilder>,
}

impl ChunkBuilder {
    /// The largest number of rows.
    pub const MAX: usize = 16_384;

    /// A builder for a chunk with these columns.
    pub fn new(layout: &Arc<Layout>) -> Self {
        let columns = layout.columns().iter().map(|column| ColumnBuilder::new(column.kind)).collect();
        Self { layout: Arc::clone(layout), facts: FactsBuilder::new(), columns }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the chunk should be finished and another one begun.
    pub fn is_full(&self) -> bool {
        self.len() >= super::ROWS
    }

    /// Adds a record. A bag that is not valid leaves the record without the values that could not be read.
    ///
    /// # Panics
    /// If there are [`Self::MAX`] rows already.
    pub fn push(&mut self, row: &Row<'_>) -> Result<(), InvalidBag> {
        assert!(self.len() < Self::MAX, "a chunk has at most {} rows", Self::MAX);
        self.facts.push(row);
        let rows = self.facts.len();
        let read = bag::read(row.bag, &self.layout, &mut self.columns, rows);
        for (property, links) in row.links {
            self.push_links(*property, links, rows);
        }
        for column in &mut self.columns {
            if column.len() < rows {
                column.push_empty();
            }
        }
        read
    }

    fn push_links(&mut self, property: PropertyId, links: &[RecordId], rows: usize) {
        let place = self.layout.columns().iter().position(|column| column.property == property);
        if let Some(ColumnBuilder::Records(column)) = place.map(|place| &mut self.columns[place])
            && column.len() < rows
        {
            for link in links {
                column.add(*link);
            }
            column.end();
        }
    }

    /// The chunk.
    pub fn finish(self) -> Chunk {
        let is_sorted = self.facts.is_sorted();
        let slots = self.layout.columns().iter().map(|column| column.slot);
        let columns = slots.zip(self.columns).map(|(slot, column)| (slot, column.finish())).collect();
        let chunk = Chunk::new(Stored { facts: self.facts.finish(), columns });
        if is_sorted { chunk } else { sorted(&self.layout, &chunk) }
    }
}

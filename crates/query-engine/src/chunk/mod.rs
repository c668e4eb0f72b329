//! Some thousand records of a database as columns.

mod bag;
mod builder;
mod facts;
mod gather;
mod layout;
mod row;
mod value;

pub use bag::InvalidBag;
pub use builder::ChunkBuilder;
pub(crate) use facts::Facts;
pub(crate) use gather::{gather, gathered};
pub use layout::Layout;
pub use row::Row;
pub use value::Value;

use crate::{bits::Bits, column::Column, computed::ComputedColumn};
use octavo_core_model::id::{PropertyId, RecordId};
use std::sync::Arc;

/// How many records a chunk has that is loaded. A changed one can have up to twice as many.
pub const ROWS: usize = 4096;

/// Records of a database as columns, in the order of their positions and ids. Copies share their memory.
#[derive(Clone, Debug)]
pub struct Chunk {
    stored: Arc<Stored>,
    /// What was computed for these records, by property.
    computed: Vec<(PropertyId, Arc<ComputedColumn>)>,
}

/// What is kept of the records themselves.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) facts: Facts,
    /// The columns by the slots of their properties.
    pub(crate) columns: Vec<(u32, Column)>,
}

impl Stored {
    pub(crate) fn column(&self, slot: u32) -> Option<&Column> {
        let at = self.columns.binary_search_by_key(&slot, |(slot, _)| *slot).ok()?;
        Some(&self.columns[at].1)
    }
}

impl Chunk {
    pub(crate) fn new(stored: Stored) -> Self {
        Self { stored: Arc::new(stored), computed: Vec::new() }
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.stored.facts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The id of a record.
    pub fn id(&self, row: usize) -> RecordId {
        self.stored.facts.ids[row]
    }

    /// Where a record is in the chunk.
    pub fn find(&self, id: RecordId) -> Option<usize> {
        self.stored.facts.find(id)
    }

    /// Whether a record is archived.
    pub fn is_archived(&self, row: usize) -> bool {
        self.stored.facts.archived.get(row)
    }

    pub(crate) fn facts(&self) -> &Facts {
        &self.stored.facts
    }

    pub(crate) fn stored(&self) -> &Stored {
        &self.stored
    }

    /// The same records with a computed column, which takes the place of an earlier one of the property. The column
    /// must have a value for each record.
    #[must_use]
    pub fn with_computed(&self, property: PropertyId, column: Arc<ComputedColumn>) -> Self {
        debug_assert_eq!(column.len(), self.len());
        let mut computed = self.without_computed(property).computed;
        computed.push((property, column));
        Self { stored: Arc::clone(&self.stored), computed }
    }

    /// The same records without a computed column.
    #[must_use]
    pub fn without_computed(&self, property: PropertyId) -> Self {
        let computed = self.computed.iter().filter(|(known, _)| *known != property).cloned().collect();
        Self { stored: Arc::clone(&self.stored), computed }
    }

    /// The computed column of a property, if there is one.
    pub fn computed(&self, property: PropertyId) -> Option<&Arc<ComputedColumn>> {
        self.computed.iter().find(|(known, _)| *known == property).map(|(_, column)| column)
    }

    /// Whether two chunks share their records, so that what was computed for one is right for the other.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.stored, &other.stored)
    }

    /// How many bytes of memory it takes, without what was computed.
    pub fn memory(&self) -> usize {
        let columns = self.stored.columns.iter().map(|(_, column)| size_of::<(u32, Column)>() + column.bytes());
        size_of::<Stored>() + self.stored.facts.bytes() + columns.sum::<usize>()
    }

    /// How many bytes of memory the computed columns take.
    pub fn computed_memory(&self) -> usize {
        self.computed.iter().map(|(_, column)| size_of::<ComputedColumn>() + column.memory()).sum()
    }

    /// The records that are not archived.
    pub(crate) fn active(&self) -> Bits {
        self.stored.facts.archived.clone().inverted()
    }
}

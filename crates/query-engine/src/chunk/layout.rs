//! Which columns a chunk has.

use crate::column::ColumnKind;
use octavo_core_model::id::PropertyId;
use octavo_databases::Schema;

/// Which columns the records of a database have: one for each property whose values records keep themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// By rising slots.
    columns: Vec<LayoutColumn>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LayoutColumn {
    pub(crate) slot: u32,
    pub(crate) property: PropertyId,
    pub(crate) kind: ColumnKind,
}

impl Layout {
    /// The layout for a schema.
    pub fn of(schema: &Schema) -> Self {
        let columns = schema.properties().iter().filter_map(|property| {
            let kind = ColumnKind::of(property)?;
            Some(LayoutColumn { slot: property.slot, property: property.id, kind })
        });
        let mut columns: Vec<_> = columns.collect();
        columns.sort_by_key(|column| column.slot);
        Self { columns }
    }

    pub(crate) fn columns(&self) -> &[LayoutColumn] {
        &self.columns
    }
}

//! Which columns a chunk has.

use crate::column::ColumnKind;
use octavo_core_model::id::PropertyId;
use octavo_databases::Schema;
use std::collections::BTreeSet;

/// Which columns the records of a database have: one for each property whose values records keep themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
        Self::with(schema, |_| true)
    }

    /// The layout for what is read from these properties alone. Records have no values of the others.
    pub fn only(schema: &Schema, properties: &BTreeSet<PropertyId>) -> Self {
        Self::with(schema, |property| properties.contains(&property))
    }

    fn with(schema: &Schema, wanted: impl Fn(PropertyId) -> bool) -> Self {
        let properties = schema.properties().iter().filter(|property| wanted(property.id));
        let columns = properties.filter_map(|property| {
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

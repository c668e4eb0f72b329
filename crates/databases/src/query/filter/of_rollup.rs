//! Filters of rollups.

use super::tree::Filter;
use crate::{
    query::{Columns, QueryFault},
    schema::Schema,
    types::RollupConfig,
};
use octavo_core_model::id::PropertyId;

impl RollupConfig {
    /// Checks that the filter fits the records of the relation's target, which has this schema.
    pub fn check_filter(&self, target: &Schema) -> Result<(), QueryFault> {
        let Some(filter) = &self.filter else { return Ok(()) };
        Filter::read(filter, Columns::by_id(target)).map(drop)
    }

    /// Whether the filter looks at a property of the target.
    pub fn filter_uses(&self, property: PropertyId, target: &Schema) -> bool {
        let filter = self.filter.as_ref().and_then(|saved| Filter::read(saved, Columns::stored(target)).ok().flatten());
        filter.is_some_and(|filter| filter.leaves().any(|(_, leaf)| leaf.property == property))
    }
}

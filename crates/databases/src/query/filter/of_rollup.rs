//! Filters of rollups.

use super::tree::Filter;
use crate::{
    query::{Columns, QueryFault},
    schema::Schema,
    types::RollupConfig,
};

impl RollupConfig {
    /// Checks that the filter fits the records of the relation's target, which has this schema.
    pub fn check_filter(&self, target: &Schema) -> Result<(), QueryFault> {
        let Some(filter) = &self.filter else { return Ok(()) };
        Filter::read(filter, Columns::by_id(target)).map(drop)
    }
}

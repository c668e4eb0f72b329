//! Totals that can be merged before they are read.

use super::total::{AggregateValue, Total};
use octavo_databases::query::AggregateFunction;

/// What is known of an aggregate over some records: enough to compute it over these and others together.
#[derive(Clone, Debug)]
pub struct Partial(Total);

impl Partial {
    pub(crate) const fn new(total: Total) -> Self {
        Self(total)
    }

    /// The aggregate over no records.
    pub const fn nothing(function: AggregateFunction) -> Self {
        Self(Total::start(function))
    }

    /// Adds the records of another one, which has the same function.
    pub fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
    }

    /// The aggregate.
    pub fn value(&self) -> AggregateValue {
        self.0.clone().finish()
    }
}

//! Values that are computed when they are read: those of formulas and rollups.
//!
//! A plan says which properties are computed, in which order, and which databases they read. It runs over tables of
//! records: over all records of these databases for a query that filters or sorts by a computed property, and over
//! small tables with just the records that matter for answers that show some records. So there is one meaning of each
//! formula and rollup.

mod compute;
mod few;
mod kinds;
mod plan;
mod shown;
mod types;

pub(crate) use compute::{ComputeInputs, compute};
pub(crate) use few::{names, values_of_few};
pub(crate) use kinds::kinds_of;
pub(crate) use plan::{Computation, ComputedPlan, plan};

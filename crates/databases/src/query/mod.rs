//! Queries: which records of a database, in which order, in which groups, and what is computed over them. What was
//! read fits the schema; running a query needs no further checks.

mod aggregate;
mod bucket;
mod columns;
pub mod comparison;
pub mod describe;
mod fault;
mod filter;
mod order;
mod page_size;
mod request;
#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

pub use aggregate::{Aggregate, AggregateFunction, MAX_AGGREGATES};
pub use bucket::{BinWidth, Bucket, TimeBucket};
pub use columns::Columns;
pub use comparison::{Comparison, Operands, operators_of};
pub(crate) use fault::Findings;
pub use fault::{QueryFault, QueryIssue, QueryRefusal};
pub use filter::{Conditions, Filter, Leaf, Leaves};
pub use order::{Direction, Group, Sort, SortKey};
pub use page_size::PageSize;
pub use request::Query;

pub(crate) const UNKNOWN_PROPERTY: &str = "the id of a property of this database";

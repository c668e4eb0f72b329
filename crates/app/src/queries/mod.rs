//! Queries over the records of a database.
//!
//! A query is a flow: a view checks the caller's rights, reads the query with the schema at hand and looks for the
//! tables that it needs; the compute pool runs it; a second view reads the records that were found. So the answer shows
//! the records as they are when it is made. An export reads everything in one snapshot instead.

mod export;
mod found;
mod lanes;
mod linked;
mod operators;
mod persons;
mod place;
mod prepare;
mod run;
mod view_counts;
mod viewer;

pub use export::{ExportRequest, ExportedNames, ExportedRecord, ExportedTable, Receiver, export};
pub use found::QueryResult;
pub use octavo_query_engine::{AggregateValue, Found, Group, GroupKey, GroupValue};
pub use place::QueryPlace;
pub use prepare::{QueryRequest, ShownProperties};
pub use run::query;
pub use view_counts::count_views;

pub(crate) use lanes::{QueryBounds, run_query, too_large, weight};
pub(crate) use persons::names_in_tables;
pub(crate) use prepare::{Prepared, Sources, Tables, prepare};
pub(crate) use run::{current_tables, find, over_tables};
pub(crate) use viewer::{OpenDatabase, Viewer};

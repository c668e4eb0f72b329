//! The records of databases as tables in memory, which queries read.
//!
//! A table is loaded when it is first needed and then follows the event log: each call reads which records have changed
//! since, and puts them into the table before it is used. So a query sees every change that was committed before it
//! began, on every node, and nobody has to be told about changes. What changes without events raises the epoch of the
//! database, and the table is loaded again.
//!
//! The order of reads matters. A call first reads which records changed, then the schema, then the records. A record
//! with a value of a new property was written after that property was added, so whoever reads the change first and the
//! schema afterwards knows the property.

mod load;
mod look;
mod rows;

pub(crate) use load::ready;
pub(crate) use look::{Look, follow, look};

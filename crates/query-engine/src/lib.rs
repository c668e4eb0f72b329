#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod aggregate;
mod bits;
mod bounds;
mod chunk;
mod column;
mod computed;
mod context;
mod field;
mod filter;
mod formula;
mod group;
mod number;
mod order;
mod rollup;
mod run;
mod scan;
mod stopped;
mod table;

pub use aggregate::{AggregateValue, Partial};
pub use bounds::Bounds;
pub use chunk::{Chunk, ChunkBuilder, InvalidBag, Layout, ROWS, Row, Value};
pub use computed::{ComputedBuilder, ComputedColumn, ComputedValue, Item};
pub use context::{Context, Relation, Titles, Visible, beginning};
pub use formula::{FormulaRequest, formula_column};
pub use group::{GroupKey, GroupValue};
pub use rollup::{Rollup, RollupRequest};
pub use run::{cells, count, find_all, run};
pub use scan::{Answer, Cell, Cells, Found, Group, InnerCell, Place, Request, Scan, digest};
pub use stopped::Stopped;
pub use table::{Change, Table};

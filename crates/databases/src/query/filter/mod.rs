//! Which records a query finds.

mod of_rollup;
mod read;
mod tree;

pub use tree::{Conditions, Filter, Leaf, Leaves};

//! Which records a query finds.

mod read;
mod tree;

pub use tree::{Conditions, Filter, Leaf, Leaves};

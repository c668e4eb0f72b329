//! Values that are computed from others: the columns of formulas and rollups.

mod column;
mod value;

pub(crate) use column::Part;
pub use column::{ComputedBuilder, ComputedColumn};
pub use value::{ComputedValue, Item};

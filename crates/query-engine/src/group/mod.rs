//! Groups of records: what makes two records belong together, and the tree of groups.

mod codes;
mod key;
mod level;
mod table;
mod tree;
mod value;

pub(crate) use codes::GroupCodes;
pub(crate) use level::Level;
pub(crate) use tree::{NO_GROUP, Tree};
pub(crate) use value::Common;
pub use value::{GroupKey, GroupValue};

//! Many changes of one page's blocks at once: the operations, what must be loaded for them, and the result.
//!
//! A page can have so many blocks that they are not all loaded to change a few. [`BatchInputs`] lists what a batch
//! names; the caller loads that into [`Known`]; [`apply`] decides. If it turns out that all children of a parent are
//! needed, [`ApplyError::Siblings`] says so, and the caller tries again with them.

mod apply;
mod inputs;
mod known;
mod nodes;
mod operation;
mod order;
mod plan;
#[cfg(test)]
pub(crate) mod tests;
mod tree;

pub use apply::{ApplyError, PartialPlan, SiblingsNeeded, apply, apply_partly};
pub use inputs::BatchInputs;
pub use known::{ExistingBlock, Known, Neighbours};
pub use nodes::BlockNodes;
pub use operation::{Anchor, Insertion, Operation, Patch, Target};
pub use plan::{Change, NewReference, Plan, Removal, Stamp};

/// The largest number of operations in a batch. Cost grows with it, so services that accept batches from outside should
/// enforce it.
pub const MAX_OPERATIONS: usize = 200;

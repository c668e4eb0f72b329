//! Many changes of one page's blocks at once: what is asked, what has to be known for it, what becomes of it.
//!
//! A page may hold any number of blocks, so they are not all loaded to change a few. [`Asked`] says what a batch names; the caller loads that
//! into [`Known`]; [`apply`] decides. Where it turns out that all blocks in one place have to be known, [`Stop::Siblings`] says so, and the
//! caller tries again with them.

mod apply;
mod asked;
mod known;
mod operation;
mod order;
mod plan;
mod stems;
#[cfg(test)]
pub(crate) mod tests;
mod tree;

pub use apply::{Crowded, Judgement, Stop, apply, judge};
pub use asked::Asked;
pub use known::{Edges, Known};
pub use operation::{Anchor, Insertion, Operation, Patch, Target};
pub use plan::{Change, Plan, Removal, Stamp};
pub use stems::Stems;

/// The largest number of operations in a batch. Cost grows with it, so services that accept batches from outside should enforce it.
pub const MAX_OPERATIONS: usize = 200;

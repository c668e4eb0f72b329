//! What is computed over many values.

mod identity;
mod input;
mod sum;
mod total;

pub(crate) use identity::{Identities, identity_of};
pub(crate) use input::Input;
pub(crate) use sum::Sum;
pub use total::AggregateValue;
pub(crate) use total::{Measure, Total};

//! What is computed over many values.

mod identity;
mod input;
mod measure;
mod partial;
mod sum;
mod total;

pub(crate) use identity::identity_of;
pub(crate) use input::Input;
pub(crate) use measure::Measure;
pub use partial::Partial;
pub use total::AggregateValue;
pub(crate) use total::Total;

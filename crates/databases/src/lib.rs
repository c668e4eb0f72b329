#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

pub mod cell;
pub mod copy;
pub mod csv;
pub mod fault;
mod forms;
pub mod import;
mod input;
pub mod options;
mod property;
pub mod query;
pub mod read;
pub mod record;
pub mod schema;
pub mod stored;
#[cfg(test)]
mod tests;
pub mod text;
pub mod types;
pub mod value;
pub mod views;

pub use cell::{Cell, RecordFacts};
pub use fault::{Refusal, SchemaFault, ValuesFault};
pub use input::{LinkInput, PersonInput};
pub use property::Property;
pub use schema::{Schema, Schemas};
pub use types::{Facts, MAX_LINKS, PropertyConfig, PropertyType};
pub use value::{PropertyValue, Values};

#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod forms;
mod input;
pub mod options;
mod property;
mod read;
pub mod schema;
pub mod text;
pub mod types;
pub mod value;

pub use input::{LinkInput, PersonInput};
pub use property::Property;
pub use schema::Schema;
pub use types::{Facts, PropertyConfig, PropertyType};
pub use value::{PropertyValue, Values};

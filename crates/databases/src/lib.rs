#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

pub mod options;
mod property;
pub mod schema;
pub mod text;
pub mod types;
pub mod value;

pub use property::Property;
pub use schema::Schema;
pub use types::{Facts, PropertyConfig, PropertyType};
pub use value::{PropertyValue, Values};

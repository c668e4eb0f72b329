//! Databases and their properties.

pub(crate) mod collection;
mod database;
pub(crate) mod properties;
mod property;
mod property_schema;
pub(crate) mod relations;
mod sent;
pub(crate) mod single;

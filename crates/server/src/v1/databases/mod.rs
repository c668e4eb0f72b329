//! Databases, their properties and their views.

pub(crate) mod collection;
mod database;
pub(crate) mod imports;
pub(crate) mod properties;
mod property;
mod property_schema;
pub(crate) mod relations;
pub(crate) mod sent;
pub(crate) mod single;
pub(crate) mod view;
mod view_schema;
pub(crate) mod view_sent;
pub(crate) mod views;

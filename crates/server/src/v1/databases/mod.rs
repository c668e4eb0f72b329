//! Databases, their properties and their views.

pub(crate) mod collection;
mod database;
pub(crate) mod properties;
mod property;
mod property_schema;
pub(crate) mod relations;
mod sent;
pub(crate) mod single;
mod view;
mod view_schema;
mod view_sent;
pub(crate) mod views;

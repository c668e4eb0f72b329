//! Charts of databases.

mod chart;
pub(crate) mod collection;
pub(crate) mod data;
pub(crate) mod image;
pub(crate) mod points;
mod scope;
mod sent;
pub(crate) mod single;

pub(crate) use scope::zone;

//! Dashboards on pages and in databases.

pub(crate) mod collection;
mod dashboard;
pub(crate) mod data;
mod sent;
pub(crate) mod single;
mod widgets;

//! Records of databases.

pub(crate) mod archiving;
pub(crate) mod bulk;
pub(crate) mod collection;
mod operations;
mod record;
pub(crate) mod relations;
pub(crate) mod single;
pub(crate) mod values;

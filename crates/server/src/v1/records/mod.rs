//! Records of databases.

pub(crate) mod archiving;
pub(crate) mod collection;
mod record;
pub(crate) mod single;
mod values;

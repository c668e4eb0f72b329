//! Records of databases.

pub(crate) mod archiving;
pub(crate) mod bulk;
pub(crate) mod collection;
pub(crate) mod export;
mod export_writer;
pub(crate) mod group_key;
mod list_place;
mod operation_fields;
mod operations;
pub(crate) mod query;
pub(crate) mod query_reply;
pub(crate) mod record;
pub(crate) mod relations;
pub(crate) mod single;
pub(crate) mod values;

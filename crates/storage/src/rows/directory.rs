//! Rows of the directory.

use crate::schema::directory;
use diesel::prelude::Insertable;

/// Points from a unique key to its owner and to the authoritative row.
#[derive(Debug, Insertable)]
#[diesel(table_name = directory, treat_none_as_default_value = false)]
pub(crate) struct DirectoryRow {
    pub(crate) kind: &'static str,
    pub(crate) key: String,
    pub(crate) owner_id: String,
    pub(crate) target_id: String,
}

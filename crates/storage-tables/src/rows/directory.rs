//! Rows of the directory.

use crate::schema::directory;
use diesel::prelude::Insertable;

/// Points from a unique key to its owner and to the authoritative row.
#[derive(Debug, Insertable)]
#[diesel(table_name = directory, treat_none_as_default_value = false)]
pub struct DirectoryRow {
    pub kind: &'static str,
    pub key: String,
    pub owner_id: String,
    pub target_id: String,
}

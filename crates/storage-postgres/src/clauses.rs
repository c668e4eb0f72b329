//! Parts of statements that differ between the engines: row locks and lists as parameters.

use diesel::sql_types::{Array, Text};
use octavo_storage_tables::stored::StoredText;

/// Locks the rows of a query until the unit ends. Others may still insert rows that refer to these.
#[macro_export]
macro_rules! locked {
    ($query:expr) => {
        $query.for_no_key_update()
    };
}

/// Locks the rows of a query against changes until the unit ends. Several units may hold this lock at once.
#[macro_export]
macro_rules! locked_shared {
    ($query:expr) => {
        $query.for_share()
    };
}

/// Locks the rows of a query, skipping those that others have locked.
#[macro_export]
macro_rules! skipping_locked {
    ($query:expr) => {
        $query.for_update().skip_locked()
    };
}

/// Whether a column has one of these values.
#[macro_export]
macro_rules! one_of {
    ($column:expr, $values:expr) => {
        $column.eq_any($values)
    };
}

/// The SQL type that lists have as parameters of hand-written statements.
pub type ListType = Array<Text>;

/// Turns the values into one parameter.
pub fn list<T: StoredText>(values: impl IntoIterator<Item = T>) -> Vec<String> {
    values.into_iter().map(|value| value.text().into_owned()).collect()
}

/// The condition in a hand-written statement that the expression before it is in the list with this number.
pub fn among(parameter: usize) -> String {
    format!("= ANY(${parameter})")
}

/// Ends a statement: for each row before it, reads the rows of another table that meet the condition. The planner
/// would otherwise choose between this and reading many more rows of that table, by statistics that can be old.
/// `OFFSET` keeps it from doing so.
pub fn for_each_row(table: &str, condition: &str) -> String {
    format!("CROSS JOIN LATERAL (SELECT * FROM {table} WHERE {condition} OFFSET 0) AS {table}")
}

/// Ends a subquery that picks rows to delete: rows in use are left for the next sweep.
pub const SKIPPING_LOCKED: &str = "FOR UPDATE SKIP LOCKED";

/// What to write before and after a subquery that lists ids. With a plain `IN`, the planner decides by its statistics,
/// and may go through the whole list for each row. It takes an unnested array to be short, so it makes a hash table;
/// `IS TRUE` keeps it from making a join.
pub const IN_SUBQUERY: (&str, &str) = ("IN (SELECT unnest(ARRAY(", "))) IS TRUE");

/// Ends a statement about the records that the numbered events of a database name: adds those of the events that have
/// no number yet.
pub const UNNUMBERED_CHANGES: &str = "UNION ALL SELECT 0::BIGINT, record_id FROM event_inbox \
     WHERE workspace_id = $1 AND database_id = $2 AND record_id IS NOT NULL";

/// The same for a statement about the nodes that changed. Its condition on the types of events is the argument.
pub fn unnumbered_nodes(types: &str) -> String {
    format!(
        "UNION ALL SELECT 0::BIGINT, type, page_id, database_id, record_id FROM event_inbox \
         WHERE workspace_id = $1 AND {types}"
    )
}

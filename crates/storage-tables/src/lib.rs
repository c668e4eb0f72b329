//! The tables of the store, their rows, and how values are stored in columns: the same on SQLite and on PostgreSQL.

pub mod prepared;
pub mod rows;
pub mod schema;
pub mod stored;

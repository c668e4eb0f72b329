//! The store of Octavo on SQLite and on PostgreSQL, from one source.

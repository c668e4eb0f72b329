//! What the store on SQLite and the store on PostgreSQL have in common: the tables, the rows, the meaning of errors, and
//! how scopes wait for each other.
//!
//! It is a crate of its own so that the rest of the store compiles in parallel, once for each engine.

mod error;
#[cfg(feature = "postgres")]
pub mod error_codes;
pub mod faults;
pub mod migrations;
mod observers;
mod options;
pub mod owner_shares;
pub mod parts;
pub mod prepared;
pub mod rows;
pub mod schema;
pub mod stored;
mod timing;
pub mod write_turns;

pub use error::OpenError;
pub use observers::{OnQuery, OnStatement};
pub use options::{Durability, Options};
pub use timing::Timing;

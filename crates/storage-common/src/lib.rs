//! What the store on SQLite and the store on PostgreSQL have in common beside their tables: the meaning of errors, and how
//! scopes wait for each other.

mod error;
#[cfg(feature = "postgres")]
pub mod error_codes;
pub mod faults;
pub mod migrations;
mod observers;
mod options;
pub mod owner_shares;
pub mod parts;
mod timing;
pub mod write_turns;

pub use error::OpenError;
pub use observers::{OnQuery, OnStatement};
pub use options::{Durability, Options};
pub use timing::Timing;

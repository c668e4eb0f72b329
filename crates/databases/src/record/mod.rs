//! The values of a record as callers send them, and what a write makes of them.
//!
//! Reading has two steps. [`read`] checks everything that the schema alone decides, and returns [`ReadValues`].
//! Its [`Lookups`] name the users, files and records that somebody has to look up; with the answers in [`Found`],
//! [`ReadValues::resolve`] returns the values that can be written.

mod found;
mod key;
mod read;
mod resolve;

pub use crate::options::NewOptions;
pub use found::{Found, Lookups};
pub use key::MatchKey;
pub use read::{How, ReadValues, Write, read, read_texts};
pub use resolve::{ResolvedValues, ValueChange};

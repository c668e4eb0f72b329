//! API keys: the list, single keys, and their representation.

pub mod api_key;
pub mod collection;
pub mod single;

//! API keys: the list, one of them, how they are shown.

pub mod api_key;
pub mod collection;
pub mod single;

//! `/files`: downloads.

pub(crate) mod blob;
mod portion;

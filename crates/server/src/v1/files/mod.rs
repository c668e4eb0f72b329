//! `/files`: bytes that people fetch.

pub(crate) mod blob;
mod portion;

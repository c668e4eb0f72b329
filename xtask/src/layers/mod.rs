//! The rules of the project, each a pure function over text that returns the violations.

pub(crate) mod arrows;
pub(crate) mod clippy_lists;
pub(crate) mod collation;
pub(crate) mod crate_table;
pub(crate) mod dependencies;
pub(crate) mod manifests;
pub(crate) mod migrations;
pub(crate) mod purity;
pub(crate) mod sources;

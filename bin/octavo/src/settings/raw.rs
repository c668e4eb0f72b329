//! Values before they are parsed.

use super::kinds::Shape;
use std::path::PathBuf;

/// A value as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Raw {
    pub(super) bytes: Vec<u8>,
    pub(super) shape: Shape,
}

impl Raw {
    pub(super) fn text(bytes: Vec<u8>) -> Self {
        Self { bytes, shape: Shape::Text }
    }

    pub(super) fn path(&self) -> PathBuf {
        PathBuf::from(String::from_utf8_lossy(&self.bytes).into_owned())
    }
}

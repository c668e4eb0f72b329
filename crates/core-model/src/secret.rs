//! Values that must not be logged.

use std::fmt;

/// Wraps a secret so that printing it reveals nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Wraps a secret.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The value itself: call this only where the secret is used.
    pub const fn expose(&self) -> &T {
        &self.0
    }

    /// The secret itself, for its owner.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

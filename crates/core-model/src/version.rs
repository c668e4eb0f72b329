//! The version that a change is based on.

/// The version that a caller expects to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Any version.
    Any,
    /// This one.
    Exactly(i64),
}

/// A change is based on an outdated version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stale {
    /// The version that is there.
    pub actual: i64,
    /// The version that the caller has seen.
    pub received: i64,
}

impl Expected {
    /// Fails if the caller expects another version than the one that is there.
    pub const fn check(self, actual: i64) -> Result<(), Stale> {
        match self {
            Self::Exactly(received) if received != actual => Err(Stale { actual, received }),
            Self::Any | Self::Exactly(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_version_is_stale() {
        assert_eq!(Expected::Any.check(7), Ok(()));
        assert_eq!(Expected::Exactly(7).check(7), Ok(()));
        assert_eq!(Expected::Exactly(6).check(7), Err(Stale { actual: 7, received: 6 }));
    }
}

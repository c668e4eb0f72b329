//! How failures of background work are logged.

use octavo_app::Interrupt;
use octavo_core_model::{Fault, StoreError};

/// Whether the work failed because the database cannot be reached.
pub(super) const fn is_outage(interrupt: &Interrupt) -> bool {
    matches!(interrupt, Interrupt::Fault(Fault::Store(StoreError::Unavailable)))
}

/// Logs a warning that background work failed, with the fields and the text of a line of `tracing`.
///
/// The store reports once that the database cannot be reached, and once that it is back. Background work is tried again
/// every second: its failures for that reason are only of interest to somebody that reads the level `debug`.
macro_rules! warn_unless_outage {
    ($interrupt:expr, $($line:tt)+) => {
        if $crate::background::failure::is_outage(&$interrupt) {
            tracing::debug!($($line)+);
        } else {
            tracing::warn!($($line)+);
        }
    };
}

pub(super) use warn_unless_outage;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_database_that_is_away_is_an_outage() {
        assert!(is_outage(&StoreError::Unavailable.into()));
        for other in [StoreError::Busy, StoreError::Collision, StoreError::Timeout] {
            assert!(!is_outage(&other.into()), "{other:?}");
        }
        assert!(!is_outage(&Fault::Internal("a broken invariant").into()));
    }
}

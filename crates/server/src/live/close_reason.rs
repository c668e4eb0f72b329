//! Why a stream ends.

use octavo_app::Interrupt;
use octavo_core_model::{Fault, fault::Unknown};

/// Why a stream ends, as its client learns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CloseReason {
    /// The credential is past its time.
    TokenExpired,
    /// The credential or the membership is gone.
    Revoked,
    /// The client does not read fast enough.
    SlowConsumer,
    /// The service stops.
    Shutdown,
}

impl CloseReason {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::TokenExpired => "token_expired",
            Self::Revoked => "revoked",
            Self::SlowConsumer => "slow_consumer",
            Self::Shutdown => "shutdown",
        }
    }

    /// Why a credential is not valid any more.
    pub(super) const fn of_credential(unknown: Unknown) -> Self {
        match unknown {
            Unknown::KeyExpired | Unknown::TokenExpired => Self::TokenExpired,
            _ => Self::Revoked,
        }
    }

    /// Why a caller is refused who was admitted before; `None` if the reason lies with the service.
    pub(super) fn of_refusal(interrupt: &Interrupt) -> Option<Self> {
        match interrupt {
            Interrupt::Fault(Fault::Unauthenticated(unknown)) => Some(Self::of_credential(*unknown)),
            Interrupt::Fault(Fault::Forbidden(_) | Fault::NotFound | Fault::WorkspaceDeleting) => Some(Self::Revoked),
            Interrupt::Fault(_) | Interrupt::Replay(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_core_model::{StoreError, fault::Denial};

    #[test]
    fn only_what_concerns_the_caller_ends_a_stream() {
        for (fault, reason) in [
            (Fault::Unauthenticated(Unknown::KeyRevoked), Some(CloseReason::Revoked)),
            (Fault::Unauthenticated(Unknown::KeyExpired), Some(CloseReason::TokenExpired)),
            (Fault::Forbidden(Denial::WorkspaceMismatch), Some(CloseReason::Revoked)),
            (Fault::Forbidden(Denial::AccountSuspended), Some(CloseReason::Revoked)),
            (Fault::WorkspaceDeleting, Some(CloseReason::Revoked)),
            (Fault::Store(StoreError::Unavailable), None),
            (Fault::Store(StoreError::Busy), None),
        ] {
            assert_eq!(CloseReason::of_refusal(&Interrupt::Fault(fault.clone())), reason, "{fault:?}");
        }
    }
}

//! Who may call a route.

use octavo_core_model::{
    Fault,
    fault::{Denial, Unknown},
};

/// Who may call a route. Being admitted is not being allowed: the use case decides about that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Everybody; a credential is not looked at.
    Anyone,
    /// Who sends a valid access token.
    SignedIn,
}

impl Caller {
    /// Whether the route has a use for a credential, and so works inside somebody's workspace.
    pub const fn brings_credential(self) -> bool {
        !self.credentials().is_empty()
    }

    /// The credentials that are taken, by their names in the description.
    pub const fn credentials(self) -> &'static [&'static str] {
        match self {
            Self::Anyone => &[],
            Self::SignedIn => &["accessToken"],
        }
    }

    /// How those are refused who may not call.
    pub const fn refusals(self) -> &'static [Fault] {
        match self {
            Self::Anyone => &[],
            Self::SignedIn => &[
                Fault::Unauthenticated(Unknown::TokenMissing),
                Fault::Unauthenticated(Unknown::TokenMalformed),
                Fault::Unauthenticated(Unknown::TokenExpired),
                Fault::Forbidden(Denial::AccountSuspended),
                Fault::Forbidden(Denial::AccountDeleting),
                Fault::Forbidden(Denial::WorkspaceMismatch),
            ],
        }
    }
}

//! Why a mailed link does not work, as its page says it.

use crate::refusal::Refusal;
use actix_web::http::StatusCode;
use octavo_core_model::{
    Fault,
    fault::{Conflict, Denial},
};

/// The field of queries and forms that contains the token.
pub(super) const TOKEN: &str = "token";

/// Why a mailed link does not work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkProblem {
    /// The token is missing or malformed, or it was never issued.
    Unknown,
    Used,
    Revoked,
    Expired,
    /// The operator suspended the account.
    Suspended,
    /// The account waits to be deleted.
    Deleting,
    /// Another account has the address that this account is to have.
    AddressTaken,
}

impl LinkProblem {
    /// The problem behind a refusal, if the refusal is about the link.
    pub(super) fn of(refusal: &Refusal) -> Option<Self> {
        let Refusal::Fault(fault) = refusal else { return None };
        match fault {
            Fault::Invalid(violations) if violations.iter().any(|violation| violation.field == TOKEN) => {
                Some(Self::Unknown)
            }
            Fault::Conflict(Conflict::TokenUsed) => Some(Self::Used),
            Fault::Conflict(Conflict::TokenRevoked) => Some(Self::Revoked),
            Fault::TokenExpired => Some(Self::Expired),
            Fault::Forbidden(Denial::AccountSuspended) => Some(Self::Suspended),
            Fault::Forbidden(Denial::AccountDeleting) => Some(Self::Deleting),
            Fault::Conflict(Conflict::Taken("email")) => Some(Self::AddressTaken),
            _ => None,
        }
    }

    pub(super) const fn status(self) -> StatusCode {
        match self {
            Self::Unknown | Self::Used | Self::Revoked | Self::Expired => StatusCode::BAD_REQUEST,
            Self::Suspended | Self::Deleting => StatusCode::FORBIDDEN,
            Self::AddressTaken => StatusCode::CONFLICT,
        }
    }

    /// Whether another link might work.
    pub(super) const fn is_about_token(self) -> bool {
        matches!(self, Self::Unknown | Self::Used | Self::Revoked | Self::Expired)
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Unknown => "This link is not valid",
            Self::Used => "This link was used before",
            Self::Revoked => "This link is no longer valid",
            Self::Expired => "This link has expired",
            Self::Suspended => "This account is suspended",
            Self::Deleting => "This account is being deleted",
            Self::AddressTaken => "This address has an account already",
        }
    }

    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::Unknown => "A part of it may be missing. Open it in the mail again, or copy the whole link.",
            Self::Used => "Each link works once.",
            Self::Revoked => "A newer link was used, or the account has changed since this one was sent.",
            Self::Expired => "Too much time has passed since it was sent.",
            Self::Suspended => "Please ask the operator of this service what to do.",
            Self::Deleting => "The mail about it has a link that restores the account.",
            Self::AddressTaken => "Nothing was changed. Sign in to that account, or choose another address.",
        }
    }
}

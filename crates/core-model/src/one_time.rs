//! Tokens that are mailed and work once.

use crate::{
    id::{SessionId, UserId},
    name::named,
    text::Email,
    time::{Timestamp, days},
    token::{TokenHash, TokenKind},
};
use std::time::Duration;

/// How long an expired or used token is remembered, so that its holder learns why it no longer works.
pub const REMEMBERED: Duration = days(30);

/// A token that was mailed and works once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneTimeToken {
    /// The hash of the token.
    pub hash: TokenHash,
    /// The account that it is for.
    pub user: UserId,
    /// Its purpose.
    pub kind: TokenKind,
    /// The address that the token belongs to: the one it verifies, moves the account to, or moves it back to.
    pub email: Email,
    /// The session that requested the token, if using the token must not end that session.
    pub session: Option<SessionId>,
    /// When it was issued.
    pub created_at: Timestamp,
    /// When it stops working.
    pub expires_at: Timestamp,
    /// Whether it was used or revoked.
    pub state: TokenState,
}

named! {
    /// Whether a token was used.
    TokenState {
        Open = "OPEN",
        Used = "USED",
        /// Replaced by something else, for example by a reset with another token.
        Revoked = "REVOKED",
    }
}

/// Why a token does not work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spent {
    /// It was used before.
    Used,
    /// It was revoked.
    Revoked,
    /// Its time is over.
    Expired,
}

/// How long a mailed token is valid. The inviter decides how long that of an invitation is; this is the default.
pub const fn lifetime(kind: TokenKind) -> Duration {
    match kind {
        TokenKind::EmailVerification | TokenKind::PasswordReset | TokenKind::EmailChange => days(1),
        TokenKind::EmailRevert | TokenKind::Invitation => days(7),
        TokenKind::AccountRestore | TokenKind::Refresh => days(30),
        TokenKind::Browser => crate::browser_session::LIFE,
        // These are not mailed; their owner decides how long they are valid.
        TokenKind::AuthorizationCode | TokenKind::ClientSecret | TokenKind::ShareLink | TokenKind::StreamTicket => {
            Duration::ZERO
        }
    }
}

impl OneTimeToken {
    /// A fresh token.
    pub fn issue(kind: TokenKind, hash: TokenHash, user: UserId, email: Email, now: Timestamp) -> Self {
        let expires_at = now.plus(lifetime(kind));
        Self { hash, user, kind, email, session: None, created_at: now, expires_at, state: TokenState::Open }
    }

    /// Marks the token as used, or returns why that is not possible. A used token counts as used even after it has
    /// expired.
    pub fn spend(&mut self, now: Timestamp) -> Result<(), Spent> {
        match self.state {
            TokenState::Used => Err(Spent::Used),
            TokenState::Revoked => Err(Spent::Revoked),
            TokenState::Open if now >= self.expires_at => Err(Spent::Expired),
            TokenState::Open => {
                self.state = TokenState::Used;
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_works_once_and_in_time() {
        let now = Timestamp::from_millis(1);
        let email = Email::from_stored("ada@example.com".to_owned());
        let hash = TokenHash::from_bytes([0; 32]);
        let fresh = OneTimeToken::issue(TokenKind::PasswordReset, hash, UserId::new(1, [0; 10]), email, now);
        let mut used = fresh.clone();
        assert_eq!(used.spend(now), Ok(()));
        assert_eq!(used.spend(now), Err(Spent::Used));
        assert_eq!(used.spend(used.expires_at), Err(Spent::Used));
        let mut late = fresh.clone();
        assert_eq!(late.spend(fresh.expires_at), Err(Spent::Expired));
        assert_eq!(late.state, TokenState::Open);
        let mut revoked = OneTimeToken { state: TokenState::Revoked, ..fresh };
        assert_eq!(revoked.spend(now), Err(Spent::Revoked));
    }
}

//! Sessions and the refresh tokens that keep them alive.

use crate::{
    id::{SessionId, UserId, WorkspaceId},
    name::named,
    time::{Timestamp, days},
    token::TokenHash,
};
use std::time::Duration;

/// How long a session may be inactive, unless a workspace of its user requires less.
pub const INACTIVITY: Duration = days(30);

/// How many live sessions a user may have; one more revokes the one that has been inactive for longest.
pub const MAX_LIVE: u32 = 100;

/// How often the last activity of a session is updated at most.
pub const ACTIVITY_STEP: Duration = Duration::from_mins(1);

/// How long an interactive proof of identity counts as recent.
pub const FRESHNESS: Duration = Duration::from_mins(15);

/// How many characters of a `User-Agent` are stored.
pub const USER_AGENT_MAX: usize = 256;

/// A sign-in of an account, with all tokens that follow from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The id of the session.
    pub id: SessionId,
    /// The account.
    pub user: UserId,
    /// How it came to be.
    pub kind: SessionKind,
    /// The workspace that its access tokens are issued for.
    pub workspace: WorkspaceId,
    /// The program that signed in, in its own words.
    pub user_agent: String,
    /// The address that the sign-in came from.
    pub address: String,
    /// How the person proved who they are.
    pub proofs: Vec<Proof>,
    /// When the person last did.
    pub authenticated_at: Timestamp,
    /// When the person signed in.
    pub created_at: Timestamp,
    /// When it was last used, give or take the interval at which this is written.
    pub last_active_at: Timestamp,
    /// When it ends unless it is refreshed.
    pub expires_at: Timestamp,
    /// When it ends even if it is active.
    pub absolute_end: Timestamp,
    /// How it was ended; `None` if it was not.
    pub end: Option<End>,
}

/// When and how a session was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// When it was ended.
    pub at: Timestamp,
    /// How.
    pub how: Ending,
}

named! {
    /// How a session was ended, which decides how a later refresh is refused.
    Ending {
        /// Its refresh tokens were revoked as tokens (logout, reset, password change, reuse): using one counts as
        /// reuse.
        TokensRevoked = "TOKENS_REVOKED",
        /// The session itself was revoked (session routes, suspension, deletion, another verification of the
        /// address).
        SessionRevoked = "SESSION_REVOKED",
    }
}

named! {
    /// How a session was opened.
    SessionKind {
        Login = "LOGIN",
        SingleSignOn = "SSO",
        /// By accepting an invitation: it reaches that workspace only.
        Invitation = "INVITATION",
    }
}

named! {
    /// The state of a session at a given time.
    SessionStatus {
        Active = "ACTIVE",
        Revoked = "REVOKED",
        Expired = "EXPIRED",
    }
}

impl Session {
    /// The state of the session at this time.
    pub fn status(&self, now: Timestamp) -> SessionStatus {
        if self.end.is_some() {
            SessionStatus::Revoked
        } else if now >= self.expires_at {
            SessionStatus::Expired
        } else {
            SessionStatus::Active
        }
    }

    /// Ends the session and returns whether anything changed. A session that has ended can only change from a revoked
    /// session to revoked tokens, which is stricter.
    pub fn finish(&mut self, how: Ending, now: Timestamp) -> bool {
        match self.end {
            Some(End { how: before, .. }) if before == how || before == Ending::TokensRevoked => false,
            Some(End { at, .. }) => {
                self.end = Some(End { at, how });
                true
            }
            None => {
                self.end = Some(End { at: now, how });
                true
            }
        }
    }

    /// Restarts the time of inactivity, up to the absolute end.
    pub fn extend(&mut self, now: Timestamp, inactivity: Duration) {
        if now.since(self.last_active_at) > ACTIVITY_STEP {
            self.last_active_at = now;
        }
        self.expires_at = now.plus(inactivity).min(self.absolute_end);
    }
}

/// One token in a session's chain of refresh tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefreshToken {
    /// The hash of the token.
    pub hash: TokenHash,
    /// The account.
    pub user: UserId,
    /// The session that it belongs to.
    pub session: SessionId,
    /// The token that was replaced by this one.
    pub predecessor: Option<TokenHash>,
    /// When it runs out.
    pub expires_at: Timestamp,
    /// Whether it was exchanged for the next one.
    pub rotated: bool,
}

/// The result of checking a refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presented {
    /// It has expired.
    Expired,
    /// It was used or revoked before: the whole chain ends.
    Reused,
    /// Its session was revoked.
    SessionRevoked,
    /// It is the present token of the chain.
    Current,
}

impl RefreshToken {
    /// Checks the token. The caller checks the status of its user, after reuse and before revocation.
    pub fn presented(&self, session: &Session, now: Timestamp) -> Presented {
        if now >= self.expires_at {
            return Presented::Expired;
        }
        match (self.rotated, session.end.map(|end| end.how)) {
            (true, _) | (false, Some(Ending::TokensRevoked)) => Presented::Reused,
            (false, Some(Ending::SessionRevoked)) => Presented::SessionRevoked,
            (false, None) => Presented::Current,
        }
    }
}

named! {
    /// A way in which a user authenticated (`amr`).
    Proof {
        Password = "pwd",
        OneTimeCode = "otp",
        RecoveryCode = "rec",
        SecurityKey = "hwk",
        SingleSignOn = "sso",
        Invitation = "inv",
        /// Two factors.
        MultiFactor = "mfa",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000_000_000_000);

    fn session() -> Session {
        Session {
            id: SessionId::new(1, [0; 10]),
            user: UserId::new(1, [1; 10]),
            kind: SessionKind::Login,
            workspace: WorkspaceId::new(1, [2; 10]),
            user_agent: String::new(),
            address: "192.0.2.1".to_owned(),
            proofs: vec![Proof::Password],
            authenticated_at: NOW,
            created_at: NOW,
            last_active_at: NOW,
            expires_at: NOW.plus(INACTIVITY),
            absolute_end: NOW.plus(days(365)),
            end: None,
        }
    }

    fn token() -> RefreshToken {
        let session = session();
        RefreshToken {
            hash: TokenHash::from_bytes([0; 32]),
            user: session.user,
            session: session.id,
            predecessor: None,
            expires_at: session.expires_at,
            rotated: false,
        }
    }

    #[test]
    fn activity_never_outlives_the_absolute_end() {
        let mut session = session();
        session.extend(NOW.plus(days(20)), INACTIVITY);
        assert_eq!(session.expires_at, NOW.plus(days(50)));
        session.extend(NOW.plus(days(360)), INACTIVITY);
        assert_eq!(session.expires_at, session.absolute_end);
    }

    #[test]
    fn the_last_activity_moves_once_a_minute_and_the_window_each_time() {
        let mut session = session();
        session.extend(NOW.plus(ACTIVITY_STEP), INACTIVITY);
        assert_eq!((session.last_active_at, session.expires_at), (NOW, NOW.plus(INACTIVITY + ACTIVITY_STEP)));
        let later = NOW.plus(ACTIVITY_STEP + Duration::from_millis(1));
        session.extend(later, INACTIVITY);
        assert_eq!((session.last_active_at, session.expires_at), (later, later.plus(INACTIVITY)));
    }

    #[test]
    fn ending_twice_keeps_the_time_and_the_stricter_way() {
        let mut session = session();
        assert!(session.finish(Ending::SessionRevoked, NOW));
        assert!(!session.finish(Ending::SessionRevoked, NOW.plus(days(1))));
        assert!(session.finish(Ending::TokensRevoked, NOW.plus(days(1))));
        assert!(!session.finish(Ending::SessionRevoked, NOW.plus(days(2))));
        assert_eq!(session.end, Some(End { at: NOW, how: Ending::TokensRevoked }));
    }

    #[test]
    fn a_presented_token_is_checked_in_order() {
        let (mut session, mut token) = (session(), token());
        assert_eq!(token.presented(&session, NOW), Presented::Current);
        session.finish(Ending::SessionRevoked, NOW);
        assert_eq!(token.presented(&session, NOW), Presented::SessionRevoked);
        token.rotated = true;
        assert_eq!(token.presented(&session, NOW), Presented::Reused);
        assert_eq!(token.presented(&session, token.expires_at), Presented::Expired);
        token.rotated = false;
        session.finish(Ending::TokensRevoked, NOW);
        assert_eq!(token.presented(&session, NOW), Presented::Reused);
    }

    #[test]
    fn a_session_expires_at_its_time() {
        let session = session();
        assert_eq!(session.status(NOW), SessionStatus::Active);
        assert_eq!(session.status(session.expires_at), SessionStatus::Expired);
    }
}

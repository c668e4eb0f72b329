//! How sessions and fresh credentials are shown.

use crate::wire::reply;
use octavo_core_model::{
    Timestamp,
    account::User,
    id::{SessionId, UserId},
    session::{Proof, Session, SessionKind, SessionStatus},
    text::Email,
};

reply! {
    /// A session of the caller.
    pub(crate) SessionReply {
        /// Identifies the session.
        id "id": required SessionId,
        /// The program that signed in, at most 256 characters of it.
        user_agent "userAgent": required String = "Mozilla/5.0",
        /// The address it signed in from.
        ip_address "ipAddress": required String = "203.0.113.7",
        /// Where the session stands.
        status "status": required SessionStatus,
        /// Whether it is the session of the calling token.
        is_current "isCurrent": required bool = true,
        /// The last time it made a call, to the minute.
        last_active_at "lastActiveAt": required Timestamp,
        /// When somebody signed in.
        created_at "createdAt": required Timestamp,
        /// When it ends unless it is refreshed before.
        expires_at "expiresAt": required Timestamp,
        /// How its owner proved who they are.
        amr "amr": required Vec<Proof>,
        /// The last interactive proof.
        auth_time "authTime": required Timestamp,
        /// How it came to be.
        kind "kind": required SessionKind,
    }
}

reply! {
    /// The session that was just opened.
    pub(crate) OpenedSessionReply {
        /// Identifies the session.
        id "id": required SessionId,
        /// The program that signed in.
        user_agent "userAgent": required String = "Mozilla/5.0",
        /// The address it signed in from.
        ip_address "ipAddress": required String = "203.0.113.7",
        /// When it ends unless it is refreshed before.
        expires_at "expiresAt": required Timestamp,
    }
}

reply! {
    /// A session and when it ends.
    pub(crate) SessionExpiryReply {
        /// Identifies the session.
        id "id": required SessionId,
        /// When it ends unless it is refreshed before.
        expires_at "expiresAt": required Timestamp,
    }
}

reply! {
    /// A session by its id alone.
    pub(crate) SessionIdReply {
        /// Identifies the session.
        id "id": required SessionId,
    }
}

reply! {
    /// The account in short.
    pub(crate) SignedInUserReply {
        /// Identifies the account.
        id "id": required UserId,
        /// The address it signs in with.
        email "email": required Email,
        /// Whether the mailbox is proven.
        email_verified "emailVerified": required bool = true,
        /// `ACTIVE`, for nobody else can sign in.
        status "status": required String = "ACTIVE",
    }
}

impl SessionReply {
    pub(crate) fn of(session: Session, current: Option<SessionId>, now: Timestamp) -> Self {
        Self {
            status: session.status(now),
            is_current: Some(session.id) == current,
            id: session.id,
            user_agent: session.user_agent,
            ip_address: session.address,
            last_active_at: session.last_active_at,
            created_at: session.created_at,
            expires_at: session.expires_at,
            amr: session.proofs,
            auth_time: session.authenticated_at,
            kind: session.kind,
        }
    }
}

impl From<Session> for OpenedSessionReply {
    fn from(session: Session) -> Self {
        Self {
            id: session.id,
            user_agent: session.user_agent,
            ip_address: session.address,
            expires_at: session.expires_at,
        }
    }
}

impl From<User> for SignedInUserReply {
    fn from(user: User) -> Self {
        let email_verified = user.is_verified();
        Self { id: user.id, email: user.email, email_verified, status: user.status.name().to_owned() }
    }
}

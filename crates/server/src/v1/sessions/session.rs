//! The representation of sessions and new credentials.

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
        /// The id of the session.
        id "id": required SessionId,
        /// The user agent of the sign-in, cut to 256 characters.
        user_agent "userAgent": required String = "Mozilla/5.0",
        /// The network address of the sign-in.
        ip_address "ipAddress": required String = "203.0.113.7",
        /// The state of the session.
        status "status": required SessionStatus,
        /// Whether it is the session of this call.
        is_current "isCurrent": required bool = true,
        /// The last time it made a call, to the minute.
        last_active_at "lastActiveAt": required Timestamp,
        /// When the user signed in.
        created_at "createdAt": required Timestamp,
        /// When it ends unless it is refreshed.
        expires_at "expiresAt": required Timestamp,
        /// How the user authenticated.
        amr "amr": required Vec<Proof>,
        /// The time of the last interactive proof of identity.
        auth_time "authTime": required Timestamp,
        /// How the session was opened.
        kind "kind": required SessionKind,
    }
}

reply! {
    /// A new session.
    pub(crate) OpenedSessionReply {
        /// The id of the session.
        id "id": required SessionId,
        /// The user agent of the sign-in.
        user_agent "userAgent": required String = "Mozilla/5.0",
        /// The network address of the sign-in.
        ip_address "ipAddress": required String = "203.0.113.7",
        /// When it ends unless it is refreshed.
        expires_at "expiresAt": required Timestamp,
    }
}

reply! {
    /// A session and its end.
    pub(crate) SessionExpiryReply {
        /// The id of the session.
        id "id": required SessionId,
        /// When it ends unless it is refreshed.
        expires_at "expiresAt": required Timestamp,
    }
}

reply! {
    /// The id of a session.
    pub(crate) SessionIdReply {
        /// The id of the session.
        id "id": required SessionId,
    }
}

reply! {
    /// A short form of the account.
    pub(crate) SignedInUserReply {
        /// The id of the account.
        id "id": required UserId,
        /// The address of the account.
        email "email": required Email,
        /// Whether the address is verified.
        email_verified "emailVerified": required bool = true,
        /// `ACTIVE`, because no other account can sign in.
        status "status": required String | ["ACTIVE", "SUSPENDED", "DELETING", "DELETED"] = "ACTIVE",
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

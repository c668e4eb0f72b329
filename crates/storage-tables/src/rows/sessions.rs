//! Rows of sessions and refresh tokens.

use crate::{
    schema::{refresh_tokens, sessions},
    stored::Stored,
};
use diesel::prelude::{AsChangeset, Insertable, Queryable, Selectable};
use octavo_core_model::{
    Timestamp, TokenHash,
    id::{SessionId, UserId, WorkspaceId},
    session::{End, Ending, Proof, RefreshToken, Session, SessionKind},
};

#[derive(Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = sessions, primary_key(user_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
pub struct SessionRow {
    user_id: Stored<UserId>,
    id: Stored<SessionId>,
    kind: Stored<SessionKind>,
    workspace_id: Stored<WorkspaceId>,
    user_agent: String,
    address: String,
    proofs: Stored<Vec<Proof>>,
    authenticated_at: i64,
    created_at: i64,
    last_active_at: i64,
    expires_at: i64,
    absolute_end: i64,
    ended_at: Option<i64>,
    ended_how: Option<Stored<Ending>>,
    over_at: i64,
}

impl From<&Session> for SessionRow {
    fn from(session: &Session) -> Self {
        Self {
            user_id: Stored(session.user),
            id: Stored(session.id),
            kind: Stored(session.kind),
            workspace_id: Stored(session.workspace),
            user_agent: session.user_agent.clone(),
            address: session.address.clone(),
            proofs: Stored(session.proofs.clone()),
            authenticated_at: session.authenticated_at.millis(),
            created_at: session.created_at.millis(),
            last_active_at: session.last_active_at.millis(),
            expires_at: session.expires_at.millis(),
            absolute_end: session.absolute_end.millis(),
            ended_at: session.end.map(|end| end.at.millis()),
            ended_how: session.end.map(|end| Stored(end.how)),
            over_at: session.end.map_or(session.expires_at, |end| end.at).millis(),
        }
    }
}

impl From<SessionRow> for Session {
    fn from(row: SessionRow) -> Self {
        let ended = row.ended_at.zip(row.ended_how);
        Self {
            id: row.id.0,
            user: row.user_id.0,
            kind: row.kind.0,
            workspace: row.workspace_id.0,
            user_agent: row.user_agent,
            address: row.address,
            proofs: row.proofs.0,
            authenticated_at: Timestamp::from_millis(row.authenticated_at),
            created_at: Timestamp::from_millis(row.created_at),
            last_active_at: Timestamp::from_millis(row.last_active_at),
            expires_at: Timestamp::from_millis(row.expires_at),
            absolute_end: Timestamp::from_millis(row.absolute_end),
            end: ended.map(|(at, how)| End { at: Timestamp::from_millis(at), how: how.0 }),
        }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = refresh_tokens, treat_none_as_default_value = false)]
pub struct RefreshTokenRow {
    user_id: Stored<UserId>,
    hash: Stored<TokenHash>,
    session_id: Stored<SessionId>,
    predecessor: Option<Stored<TokenHash>>,
    expires_at: i64,
    rotated: bool,
}

impl From<&RefreshToken> for RefreshTokenRow {
    fn from(token: &RefreshToken) -> Self {
        Self {
            user_id: Stored(token.user),
            hash: Stored(token.hash),
            session_id: Stored(token.session),
            predecessor: token.predecessor.map(Stored),
            expires_at: token.expires_at.millis(),
            rotated: token.rotated,
        }
    }
}

impl From<RefreshTokenRow> for RefreshToken {
    fn from(row: RefreshTokenRow) -> Self {
        Self {
            hash: row.hash.0,
            user: row.user_id.0,
            session: row.session_id.0,
            predecessor: row.predecessor.map(|hash| hash.0),
            expires_at: Timestamp::from_millis(row.expires_at),
            rotated: row.rotated,
        }
    }
}

//! Sessions: opening, listing, ending.

pub mod login;
pub mod logout;
pub mod reauthenticate;
pub mod refresh;

use crate::{
    access,
    audit_entry::NewAuditEntry,
    origin,
    outcome::{AppResult, Draft},
    scope::{Unit, View},
};
use octavo_core_model::{
    Claims, Role, Timestamp, Token, TokenKind,
    account::User,
    event::EventType,
    id::{SessionId, TokenId, UserId, WorkspaceId},
    session::{Ending, INACTIVITY, MAX_LIVE, Proof, RefreshToken, Session, SessionKind, SessionStatus, USER_AGENT_MAX},
    time::days,
};
use std::time::Duration;

/// The session and tokens of a user who has just signed in.
#[derive(Clone, Debug)]
pub struct SignedIn {
    pub user: User,
    pub session: Session,
    pub refresh_token: Token,
    pub claims: Claims,
}

/// The properties of a new session.
pub(crate) struct SessionStart {
    pub(crate) kind: SessionKind,
    /// The workspace that its access tokens are issued for.
    pub(crate) workspace: WorkspaceId,
    pub(crate) proofs: Vec<Proof>,
    pub(crate) authenticated_at: Timestamp,
    pub(crate) absolute_end: Timestamp,
}

impl SessionStart {
    /// For a user who is authenticating right now.
    pub(crate) fn now(unit: &Unit, workspace: WorkspaceId, proofs: Vec<Proof>, life: Duration) -> Self {
        let now = unit.call.now;
        Self { kind: SessionKind::Login, workspace, proofs, authenticated_at: now, absolute_end: now.plus(life) }
    }
}

/// Opens a session for a user who has just authenticated and whom the unit has locked.
pub(crate) async fn open(unit: &mut Unit, user: User, proofs: Vec<Proof>, life: Duration) -> AppResult<SignedIn> {
    let home = user.personal_workspace;
    open_into(unit, user, home, proofs, life).await
}

/// Like [`open`], with tokens for another workspace than the personal one.
pub(crate) async fn open_into(
    unit: &mut Unit,
    mut user: User,
    workspace: WorkspaceId,
    proofs: Vec<Proof>,
    life: Duration,
) -> AppResult<SignedIn> {
    note_sign_in(unit, &mut user).await?;
    let opening = SessionStart::now(unit, workspace, proofs, life);
    begin(unit, user, opening).await
}

/// Records when and from where a user signed in.
pub(crate) async fn note_sign_in(unit: &mut Unit, user: &mut User) -> AppResult<()> {
    user.last_login_at = Some(unit.call.now);
    unit.tx.accounts().save(user).await?;
    remember_origin(unit, user.id).await
}

/// Starts a session, whatever its proof is.
pub(crate) async fn begin(unit: &mut Unit, user: User, opening: SessionStart) -> AppResult<SignedIn> {
    let session = insert(unit, user.id, opening).await?;
    let refresh_token = link(unit, &session, None).await?;
    let claims = mint(unit, &user, &session).await?;
    Ok(SignedIn { user, session, refresh_token, claims })
}

/// Inserts a session without a refresh token.
pub(crate) async fn insert(unit: &mut Unit, user: UserId, opening: SessionStart) -> AppResult<Session> {
    let now = unit.call.now;
    // End surplus sessions first, so that the new one is never among them.
    let surplus = unit.tx.sessions().end_surplus(user, MAX_LIVE - 1, now).await?;
    record_revoked(unit, user, &surplus);
    let mut session = Session {
        id: unit.id(SessionId::new),
        user,
        kind: opening.kind,
        workspace: opening.workspace,
        user_agent: unit.call.client.as_ref().map(|c| cut(&c.user_agent)).unwrap_or_default(),
        address: unit.call.client.as_ref().map(|c| c.address.to_string()).unwrap_or_default(),
        proofs: opening.proofs,
        authenticated_at: opening.authenticated_at,
        created_at: now,
        last_active_at: now,
        expires_at: now,
        absolute_end: opening.absolute_end,
        end: None,
    };
    session.extend(now, inactivity(unit, session.user).await?);
    unit.tx.sessions().insert(&session).await?;
    Ok(session)
}

/// How long a user's sessions, and the tokens of their apps, may be inactive: the shortest time that one of their
/// workspaces requires.
pub(crate) async fn inactivity(unit: &mut Unit, user: UserId) -> AppResult<Duration> {
    let asked = unit.tx.members().shortest_session_timeout(user).await?;
    Ok(asked.map_or(INACTIVITY, |count| days(count.into())))
}

/// Records the origin of the call as one that the user signs in from.
pub(crate) async fn remember_origin(unit: &mut Unit, user: UserId) -> AppResult<()> {
    let Some(origin) = unit.call.client.as_ref().map(origin::of) else { return Ok(()) };
    Ok(unit.tx.origins().remember(user, &origin, unit.call.now).await?)
}

/// Adds a refresh token to a session's chain.
async fn link(unit: &mut Unit, session: &Session, after: Option<&RefreshToken>) -> AppResult<Token> {
    let token = unit.token(TokenKind::Refresh);
    let record = RefreshToken {
        hash: token.hash(),
        user: session.user,
        session: session.id,
        predecessor: after.map(|before| before.hash),
        expires_at: session.expires_at,
        rotated: false,
    };
    unit.tx.sessions().insert_refresh_token(&record).await?;
    Ok(token)
}

/// The claims of a new access token. If the user is no longer a member of the session's workspace, the token is for
/// the personal workspace, except in a session from an invitation, which must never reach another workspace.
async fn mint(unit: &mut Unit, user: &User, session: &Session) -> AppResult<Claims> {
    let (workspace, role) = match unit.tx.members().find_role(user.id, session.workspace).await? {
        Some(role) => (session.workspace, role),
        None if session.kind == SessionKind::Invitation => (session.workspace, Role::Guest),
        None => (user.personal_workspace, Role::Owner),
    };
    Ok(Claims {
        user: user.id,
        workspace,
        role,
        session: session.id,
        id: unit.id(TokenId::new),
        proofs: session.proofs.clone(),
        authenticated_at: session.authenticated_at,
        issued_at: unit.call.now,
    })
}

fn cut(user_agent: &str) -> String {
    user_agent.chars().take(USER_AGENT_MAX).collect()
}

/// Which sessions to list.
#[derive(Clone, Copy, Debug)]
pub struct SessionPage {
    pub status: SessionStatus,
    pub before: Option<SessionId>,
    pub limit: u32,
}

/// Lists the caller's sessions, newest first.
pub async fn list(view: &mut View, page: Draft<SessionPage>) -> AppResult<Vec<Session>> {
    let user = access::user(view).await?;
    let page = page?;
    Ok(view.tx.sessions().list(user.id, page.status, view.call.now, page.before, page.limit).await?)
}

/// Revokes one of the caller's sessions, and the changes of address that it requested. One that has ended stays as it
/// is, but it may have left such a request behind when it signed out.
pub async fn revoke(unit: &mut Unit, id: Draft<SessionId>) -> AppResult<()> {
    let user = access::locked_user(unit).await?;
    let session = match id {
        Ok(id) => unit.tx.sessions().find(user.id, id).await?,
        Err(_) => None,
    };
    let Some(mut session) = session else { return Err(unit.absent().await) };
    unit.claim().await?;
    unit.tx.accounts().revoke_tokens_of_session(user.id, TokenKind::EmailChange, session.id).await?;
    let now = unit.call.now;
    if session.status(now) == SessionStatus::Active && session.finish(Ending::SessionRevoked, now) {
        unit.tx.sessions().save(&session).await?;
        record_revoked(unit, user.id, &[session.id]);
    }
    Ok(())
}

/// Revokes all of the caller's sessions except the present one, and returns their number. Changes of address that the
/// present one did not request are void.
pub async fn revoke_others(unit: &mut Unit) -> AppResult<usize> {
    let user = access::locked_user(unit).await?;
    unit.claim().await?;
    let (current, now) = (access::claims(unit)?.session, unit.call.now);
    let ended = unit.tx.sessions().end(user.id, Some(current), Ending::SessionRevoked, now).await?;
    record_revoked(unit, user.id, &ended);
    unit.tx.accounts().revoke_tokens_of_other_sessions(user.id, TokenKind::EmailChange, current).await?;
    Ok(ended.len())
}

pub(crate) fn record_revoked(unit: &mut Unit, user: UserId, sessions: &[SessionId]) {
    for id in sessions {
        unit.audit(NewAuditEntry::on_session(*id, user, EventType::SessionRevoked));
    }
}

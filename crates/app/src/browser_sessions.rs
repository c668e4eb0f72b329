//! Browser sessions: signing a browser in to the pages that the service itself serves.

use crate::{
    audit_entry::NewAuditEntry,
    call::{Call, Caller},
    engine::Engine,
    outcome::{AppResult, Draft},
    scope::{Scope, Unit},
    sessions::{
        self, SessionStart,
        login::{self, CheckedLogin, Login},
    },
};
use octavo_core_model::{
    Claims, Fault, Role, Timestamp, Token, TokenKind,
    account::{AccountStatus, User},
    browser_session::{BrowserSession, LIFE},
    event::EventType,
    fault::Unknown,
    id::{TokenId, UserId},
    session::{Ending, Proof, Session, SessionStatus},
};
use octavo_ports::store::Reads;
use std::time::Duration;

const NOT_SIGNED_IN: Fault = Fault::Unauthenticated(Unknown::TokenMissing);

/// The user and the live session behind a browser's cookie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserUser {
    pub user: User,
    pub session: Session,
}

/// Finds the user behind a browser's cookie. Returns `None` once the session has ended or if its user may not act.
pub async fn find<T: Reads + ?Sized>(scope: &mut Scope<T>, cookie: &Token) -> AppResult<Option<BrowserUser>> {
    let hash = cookie.hash();
    let Some(owner) = scope.tx.browser_sessions().find_owner(&hash).await? else { return Ok(None) };
    let found = scope.tx.browser_sessions().find(owner, &hash).await?;
    let now = scope.call.now;
    Ok(found.and_then(|(user, session)| admit(user, session, now)))
}

fn admit(user: User, session: Session, now: Timestamp) -> Option<BrowserUser> {
    let counts = user.status == AccountStatus::Active && session.status(now) == SessionStatus::Active;
    counts.then_some(BrowserUser { user, session })
}

/// Like [`find`], but locks the user until the unit ends and makes them the actor of what the unit reports.
pub(crate) async fn lock(unit: &mut Unit, cookie: &Token) -> AppResult<Option<BrowserUser>> {
    let hash = cookie.hash();
    let Some(owner) = unit.tx.browser_sessions().find_owner(&hash).await? else { return Ok(None) };
    // Lock first, then read the session: it may have changed while this unit waited for the lock.
    unit.tx.accounts().lock(owner).await?;
    let found = unit.tx.browser_sessions().find(owner, &hash).await?;
    let browser_user = found.and_then(|(user, session)| admit(user, session, unit.call.now));
    if let Some(browser_user) = &browser_user {
        unit.act_as(&browser_user.user);
    }
    Ok(browser_user)
}

/// Makes the user of a browser the caller of the rest of the scope, for use cases that are not about browsers. Refuses
/// a browser with which nobody is signed in.
pub(crate) async fn enter<T: Reads + ?Sized>(scope: &mut Scope<T>, cookie: &Token) -> AppResult<BrowserUser> {
    let browser_user = find(scope, cookie).await?.ok_or(NOT_SIGNED_IN)?;
    call_as(scope, &browser_user);
    Ok(browser_user)
}

/// Like [`enter`], but locks the user until the unit ends.
pub(crate) async fn enter_locked(unit: &mut Unit, cookie: &Token) -> AppResult<BrowserUser> {
    let browser_user = lock(unit, cookie).await?.ok_or(NOT_SIGNED_IN)?;
    call_as(unit, &browser_user);
    Ok(browser_user)
}

fn call_as<T: ?Sized>(scope: &mut Scope<T>, BrowserUser { user, session }: &BrowserUser) {
    let claims = Claims {
        user: user.id,
        workspace: user.personal_workspace,
        role: Role::Owner,
        session: session.id,
        id: scope.id(TokenId::new),
        proofs: session.proofs.clone(),
        authenticated_at: session.authenticated_at,
        issued_at: scope.call.now,
    };
    scope.call.caller = Caller::User(claims);
}

/// Signs a browser in and returns the value of its new cookie. The browser's previous session ends.
pub async fn sign_in(engine: &Engine, call: Call, draft: Draft<Login>, before: Option<Token>) -> AppResult<Token> {
    let checked = login::check_password(engine, &call, draft?).await?;
    let life = engine.rules.session_life;
    engine.change(call, move |unit| Box::pin(open_checked(unit, checked, before, life))).await
}

async fn open_checked(
    unit: &mut Unit,
    checked: CheckedLogin,
    before: Option<Token>,
    life: Duration,
) -> AppResult<Token> {
    let mut user = login::begin_session(unit, checked).await?;
    if let Some(before) = before {
        replace(unit, &user, &before).await?;
    }
    open(unit, &mut user, life).await
}

/// Opens a session for a browser in which the user has just entered a password. Returns the value of the cookie.
pub(crate) async fn open(unit: &mut Unit, user: &mut User, life: Duration) -> AppResult<Token> {
    sessions::note_sign_in(unit, user).await?;
    let opening = SessionStart::now(unit, user.personal_workspace, vec![Proof::Password], life.min(LIFE));
    begin(unit, user.id, opening).await
}

/// Opens a session for a browser, with any proof. Returns the value of the cookie.
pub(crate) async fn begin(unit: &mut Unit, user: UserId, opening: SessionStart) -> AppResult<Token> {
    let session = sessions::insert(unit, user, opening).await?;
    let cookie = unit.token(TokenKind::Browser);
    let browser = BrowserSession { hash: cookie.hash(), user, session: session.id, expires_at: session.absolute_end };
    unit.tx.browser_sessions().insert(&browser).await?;
    Ok(cookie)
}

/// Ends this browser's previous session if it belongs to the same user. Another user's session would need a second
/// lock, so it is left to expire: the cookie, its only key, is gone.
async fn replace(unit: &mut Unit, user: &User, before: &Token) -> AppResult<()> {
    let found = unit.tx.browser_sessions().find(user.id, &before.hash()).await?;
    if let Some((_, mut session)) = found
        && session.finish(Ending::TokensRevoked, unit.call.now)
    {
        unit.tx.sessions().save(&session).await?;
    }
    Ok(())
}

/// Signs a browser out. A cookie without a live session is not an error.
pub async fn sign_out(unit: &mut Unit, cookie: Token) -> AppResult<()> {
    let Some(BrowserUser { user, mut session }) = lock(unit, &cookie).await? else { return Ok(()) };
    if session.finish(Ending::TokensRevoked, unit.call.now) {
        unit.tx.sessions().save(&session).await?;
        unit.audit(NewAuditEntry::on_session(session.id, user.id, EventType::UserLogout));
    }
    Ok(())
}

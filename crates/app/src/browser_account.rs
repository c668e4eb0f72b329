//! What users see and end on the pages about their account: the apps with access to it, and their sessions.
//!
//! Each use case finds the user by the browser's cookie, and refuses a browser with which nobody is signed in.

use crate::{
    browser_sessions::{self, BrowserUser},
    oauth::grants::{self, GrantPage},
    outcome::{AppResult, Draft},
    scope::{Unit, View},
    sessions::{self, SessionPage},
};
use octavo_core_model::{
    Token,
    account::User,
    id::{GrantId, SessionId},
    oauth::Grant,
    session::{MAX_LIVE, Session, SessionStatus},
    workspace::OwnWorkspace,
};

/// The apps with access to an account.
#[derive(Clone, Debug)]
pub struct OwnApps {
    pub user: User,
    /// Newest first.
    pub grants: Vec<Grant>,
    /// The workspaces of the user, to name those that the apps reach.
    pub workspaces: Vec<OwnWorkspace>,
}

/// Lists the apps with access to the account of a browser's user.
pub async fn list_apps(view: &mut View, cookie: Token, page: GrantPage) -> AppResult<OwnApps> {
    let BrowserUser { user, .. } = browser_sessions::enter(view, &cookie).await?;
    let grants = grants::list(view, Ok(page)).await?;
    let own = view.tx.accounts().find_with_workspaces(user.id).await?;
    let workspaces = own.map(|(_, workspaces)| workspaces).unwrap_or_default();
    Ok(OwnApps { user, grants, workspaces })
}

/// Revokes a grant of a browser's user. Repeating this changes nothing.
pub async fn withdraw_app(unit: &mut Unit, cookie: Token, id: Draft<GrantId>) -> AppResult<()> {
    browser_sessions::enter_locked(unit, &cookie).await?;
    grants::revoke(unit, id).await
}

/// The live sessions of a user.
#[derive(Clone, Debug)]
pub struct OwnSessions {
    pub user: User,
    /// The session of the browser.
    pub current: SessionId,
    /// Newest first.
    pub sessions: Vec<Session>,
}

/// Lists the live sessions of a browser's user. There are never more than one page of them.
pub async fn list_sessions(view: &mut View, cookie: Token) -> AppResult<OwnSessions> {
    let BrowserUser { user, session } = browser_sessions::enter(view, &cookie).await?;
    let page = SessionPage { status: SessionStatus::Active, before: None, limit: MAX_LIVE };
    let sessions = sessions::list(view, Ok(page)).await?;
    Ok(OwnSessions { user, current: session.id, sessions })
}

/// Ends a session of a browser's user. One that has ended stays as it is.
pub async fn end_session(unit: &mut Unit, cookie: Token, id: Draft<SessionId>) -> AppResult<()> {
    browser_sessions::enter_locked(unit, &cookie).await?;
    sessions::revoke(unit, id).await
}

/// Ends all sessions of a browser's user except that of the browser, and returns their number.
pub async fn end_other_sessions(unit: &mut Unit, cookie: Token) -> AppResult<usize> {
    browser_sessions::enter_locked(unit, &cookie).await?;
    sessions::revoke_others(unit).await
}

//! Accepting an invitation on its page. It differs from accepting through the API in its last step only: a browser gets
//! a cookie and no tokens. The link alone opens no session here.

use super::accept::{self, Acceptance, Acceptor, Joined, JoinedGuest};
use crate::{browser_sessions, call::Call, engine::Engine, outcome::AppResult, scope::Unit};
use octavo_core_model::{
    Role, Secret, Token,
    account::User,
    text::{Name, NewPassword},
    workspace::{Limits, Workspace},
};
use octavo_ports::passwords::PasswordHash;
use std::time::Duration;

/// The data of a new account; the invitation contains its address.
#[derive(Clone, Debug)]
pub struct Newcomer {
    pub name: Name,
    pub password: NewPassword,
}

/// A new member.
#[derive(Clone, Debug)]
pub struct AcceptedInBrowser {
    pub user: User,
    pub workspace: Workspace,
    pub role: Role,
    /// The new value of the browser's cookie; `None` if it keeps the one it has.
    pub cookie: Option<Token>,
    /// The token was the first proof of the address, so the account has lost the password it had.
    pub has_lost_password: bool,
}

/// Accepts with a new account, and signs its user in.
pub async fn accept_as_newcomer(
    engine: &Engine,
    call: Call,
    token: Secret<String>,
    newcomer: Newcomer,
) -> AppResult<AcceptedInBrowser> {
    let Newcomer { name, password } = newcomer;
    let password = accept::hash_for_newcomer(engine, &call, &token, password).await?;
    let (limits, life) = (engine.rules.limits, engine.rules.session_life);
    engine.change(call, move |unit| Box::pin(join_newcomer(unit, token, name, password, limits, life))).await
}

async fn join_newcomer(
    unit: &mut Unit,
    token: Secret<String>,
    name: Name,
    password: PasswordHash,
    limits: Limits,
    life: Duration,
) -> AppResult<AcceptedInBrowser> {
    let joined = accept::join_newcomer(unit, &token, name, &password, limits).await?;
    let Joined { mut user, workspace, membership } = joined;
    let cookie = Some(browser_sessions::open(unit, &mut user, life).await?);
    Ok(AcceptedInBrowser { user, workspace, role: membership.role, cookie, has_lost_password: false })
}

/// Accepts with the account that is signed in with the browser.
pub async fn accept_signed_in(
    engine: &Engine,
    call: Call,
    token: Secret<String>,
    cookie: Token,
) -> AppResult<AcceptedInBrowser> {
    let limits = engine.rules.limits;
    engine.change(call, move |unit| Box::pin(join_signed_in(unit, token, cookie, limits))).await
}

async fn join_signed_in(
    unit: &mut Unit,
    token: Secret<String>,
    cookie: Token,
    limits: Limits,
) -> AppResult<AcceptedInBrowser> {
    // The user is locked after the workspace, as everywhere; the session is then checked again.
    browser_sessions::enter(unit, &cookie).await?;
    let acceptance = Acceptance { token, by: Acceptor::Caller };
    let guest = accept::join_with_token(unit, Ok(acceptance), limits).await?;
    let JoinedGuest { joined: Joined { user, workspace, membership }, session, is_first_proof } = guest;
    let cookie = match session.filter(|_| is_first_proof) {
        Some(ended) => {
            let opening = accept::with_same_proofs(&ended, workspace.id);
            Some(browser_sessions::begin(unit, user.id, opening).await?)
        }
        None => None,
    };
    Ok(AcceptedInBrowser { user, workspace, role: membership.role, cookie, has_lost_password: is_first_proof })
}

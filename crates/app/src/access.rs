//! Who is calling, and whether they may act.

use crate::{
    call::{Caller, NamedWorkspace},
    engine::AppResult,
    scope::{Scope, Unit, View},
};
use octavo_core_model::{
    Claims, Fault,
    account::{Standing, User},
    fault::{Denial, Unknown},
    session::{FRESHNESS, Session, SessionStatus},
    workspace::OwnWorkspace,
};
use octavo_ports::store::Reads;

/// The signed-in user, read anew: a suspension counts from the next call on.
pub async fn user<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<User> {
    let id = claims(scope)?.user;
    let user = admit(scope.tx.find_user(id).await?)?;
    named_workspace(scope, &user).await?;
    Ok(user)
}

/// The signed-in user and the workspaces they belong to.
pub(crate) async fn user_with_workspaces(view: &mut View) -> AppResult<(User, Vec<OwnWorkspace>)> {
    let id = claims(view)?.user;
    let (user, own) = view.tx.find_user_with_workspaces(id).await?.unzip();
    let (user, own) = (admit(user)?, own.unwrap_or_default());
    refuse_stranger(match view.call.named_workspace {
        None => true,
        Some(NamedWorkspace::Malformed) => false,
        Some(NamedWorkspace::Id(id)) => own.iter().any(|own| own.id == id),
    })?;
    Ok((user, own))
}

/// The signed-in user, locked until the unit ends; what the unit reports is their doing.
pub(crate) async fn locked_user(unit: &mut Unit) -> AppResult<User> {
    let id = claims(unit)?.user;
    let user = admit(unit.tx.lock_user(id).await?)?;
    named_workspace(unit, &user).await?;
    unit.act_as(&user);
    Ok(user)
}

/// What the caller's access token says.
pub(crate) fn claims<T: ?Sized>(scope: &Scope<T>) -> AppResult<Claims> {
    match &scope.call.caller {
        Caller::User(claims) => Ok(claims.clone()),
        Caller::Nobody | Caller::System => Err(Fault::Unauthenticated(Unknown::TokenMissing).into()),
    }
}

/// The caller's session, while it goes on.
///
/// Elsewhere an access token counts until it expires, whatever became of its session. What gives out new tokens or could take the account
/// from its owner asks for the session: they may have ended it for that very reason.
pub(crate) async fn live_session<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<Session> {
    let claims = claims(scope)?;
    let session = scope.tx.find_session(claims.user, claims.session).await?;
    let session = session.ok_or(Fault::Forbidden(Denial::SessionRevoked))?;
    match session.status(scope.call.now) {
        SessionStatus::Active => Ok(session),
        SessionStatus::Revoked => Err(Fault::Forbidden(Denial::SessionRevoked).into()),
        SessionStatus::Expired => Err(Fault::Unauthenticated(Unknown::TokenExpired).into()),
    }
}

/// Asks for an interactive proof that is not long ago, in a session that goes on.
pub(crate) async fn fresh<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<()> {
    live_session(scope).await?;
    if scope.call.now.since(claims(scope)?.authenticated_at) > FRESHNESS {
        return Err(Fault::Forbidden(Denial::ReauthRequired).into());
    }
    Ok(())
}

/// Refuses accounts that may not act. An account that is gone leaves its tokens worthless.
pub(crate) fn admit(user: Option<User>) -> AppResult<User> {
    let Some(user) = user else {
        return Err(Fault::Unauthenticated(Unknown::TokenMalformed).into());
    };
    match user.standing {
        Standing::Active => Ok(user),
        Standing::Suspended => Err(Fault::Forbidden(Denial::AccountSuspended).into()),
        Standing::Deleting { .. } => Err(Fault::Forbidden(Denial::AccountDeleting).into()),
        Standing::Deleted => Err(Fault::Unauthenticated(Unknown::TokenMalformed).into()),
    }
}

/// A workspace named in the header must be one of the caller's, known or not.
async fn named_workspace<T: Reads + ?Sized>(scope: &mut Scope<T>, user: &User) -> AppResult<()> {
    refuse_stranger(match scope.call.named_workspace {
        None => true,
        Some(NamedWorkspace::Malformed) => false,
        Some(NamedWorkspace::Id(id)) => scope.tx.find_role(user.id, id).await?.is_some(),
    })
}

fn refuse_stranger(belongs: bool) -> AppResult<()> {
    if belongs { Ok(()) } else { Err(Fault::Forbidden(Denial::WorkspaceMismatch).into()) }
}

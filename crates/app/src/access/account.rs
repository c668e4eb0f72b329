//! The account behind a call.

use super::Door;
use crate::{
    call::{Caller, NamedWorkspace},
    engine::AppResult,
    scope::{Scope, Unit, View},
};
use octavo_core_model::{
    Claims, Fault,
    account::{Standing, User},
    claims::PresentedApp,
    fault::{Denial, Unknown},
    id::WorkspaceId,
    session::{FRESHNESS, Session, SessionStatus},
    workspace::OwnWorkspace,
};
use octavo_ports::store::Reads;

/// The signed-in user in person, read anew: a suspension counts from the next call on.
pub async fn user<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<User> {
    refuse_bound(&claims(scope)?)?;
    any_user(scope).await
}

/// Asks for any credential that counts: of a signed-in user in person, an API key, an app.
pub async fn anybody<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<()> {
    match scope.call.caller {
        Caller::Key(_) => super::enter(scope, Door::ANYBODY).await.map(drop),
        Caller::App(_) => app_with_user(scope).await.map(drop),
        Caller::User(_) | Caller::Nobody | Caller::System => user(scope).await.map(drop),
    }
}

/// The signed-in user, also in a session that reaches one workspace only.
pub(crate) async fn any_user<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<User> {
    let claims = claims(scope)?;
    let user = admit(scope.tx.find_user(claims.user).await?)?;
    named_workspace(scope, &claims, &user).await?;
    Ok(user)
}

/// The signed-in user and the workspaces they belong to, also in a session that reaches one workspace only.
pub(crate) async fn user_with_workspaces(view: &mut View) -> AppResult<(User, Vec<OwnWorkspace>)> {
    let claims = claims(view)?;
    let (user, own) = view.tx.find_user_with_workspaces(claims.user).await?.unzip();
    let (user, mut own) = (admit(user)?, own.unwrap_or_default());
    if claims.is_bound() {
        own.retain(|own| own.id == claims.workspace);
    }
    refuse_stranger(match view.call.named_workspace {
        None => true,
        Some(NamedWorkspace::Malformed) => false,
        Some(NamedWorkspace::Id(id)) => own.iter().any(|own| own.id == id),
    })?;
    Ok((user, own))
}

/// The signed-in user in person, locked until the unit ends; what the unit reports is their doing.
pub(crate) async fn locked_user(unit: &mut Unit) -> AppResult<User> {
    refuse_bound(&claims(unit)?)?;
    any_locked_user(unit).await
}

/// The signed-in user, also in a session that reaches one workspace only, locked until the unit ends.
pub(crate) async fn any_locked_user(unit: &mut Unit) -> AppResult<User> {
    let claims = claims(unit)?;
    let user = admit(unit.tx.lock_user(claims.user).await?)?;
    named_workspace(unit, &claims, &user).await?;
    unit.act_as(&user);
    Ok(user)
}

fn refuse_bound(claims: &Claims) -> AppResult<()> {
    if claims.is_bound() { Err(Fault::Forbidden(Denial::RequiresLogin).into()) } else { Ok(()) }
}

/// What the caller's access token says.
pub(crate) fn claims<T: ?Sized>(scope: &Scope<T>) -> AppResult<Claims> {
    match &scope.call.caller {
        Caller::User(claims) => Ok(claims.clone()),
        Caller::Key(_) | Caller::App(_) => Err(Fault::Forbidden(Denial::RequiresUser).into()),
        Caller::Nobody | Caller::System => Err(Fault::Unauthenticated(Unknown::TokenMissing).into()),
    }
}

/// The app that calls and the user it acts for, on routes that ask for no workspace. One that is named all the same has to be within reach.
pub(crate) async fn app_with_user<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<(PresentedApp, User)> {
    let Caller::App(app) = scope.call.caller.clone() else {
        return Err(Fault::Internal("an app was expected").into());
    };
    let user = admit(scope.tx.find_user(app.claims.user).await?)?;
    if let Some(named) = scope.call.named_workspace {
        refuse_stranger(match granted(&app, named) {
            Some(id) => scope.tx.find_role(user.id, id).await?.is_some(),
            None => false,
        })?;
    }
    scope.act_for(app.actor(), app.name.to_string());
    Ok((*app, user))
}

/// The workspace of this name, if the app was let into it.
pub(super) fn granted(app: &PresentedApp, named: NamedWorkspace) -> Option<WorkspaceId> {
    named.id().filter(|id| app.workspaces.contains(id))
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
async fn named_workspace<T: Reads + ?Sized>(scope: &mut Scope<T>, claims: &Claims, user: &User) -> AppResult<()> {
    match scope.call.named_workspace {
        None => Ok(()),
        Some(named) => check_header(scope, claims, user, named).await,
    }
}

/// Refuses a header that names no workspace of the user, or none that the session reaches.
pub(super) async fn check_header<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    claims: &Claims,
    user: &User,
    named: NamedWorkspace,
) -> AppResult<()> {
    refuse_stranger(match named {
        NamedWorkspace::Malformed => false,
        NamedWorkspace::Id(id) if claims.is_bound() => id == claims.workspace,
        NamedWorkspace::Id(id) => scope.tx.find_role(user.id, id).await?.is_some(),
    })
}

fn refuse_stranger(belongs: bool) -> AppResult<()> {
    if belongs { Ok(()) } else { Err(Fault::Forbidden(Denial::WorkspaceMismatch).into()) }
}

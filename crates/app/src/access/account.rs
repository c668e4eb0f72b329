//! The account behind a call.

use crate::{
    call::{Caller, NamedWorkspace},
    outcome::AppResult,
    scope::{Scope, Unit, View},
};
use octavo_core_model::{
    Claims, Fault,
    account::{AccountStatus, User},
    claims::PresentedApp,
    fault::{Denial, Unknown},
    id::WorkspaceId,
    member::Place,
    session::{FRESHNESS, Session, SessionStatus},
    workspace::OwnWorkspace,
};
use octavo_ports::store::Reads;

/// The signed-in user in person. The account is read anew, so a suspension counts from the next call on.
pub async fn user<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<User> {
    refuse_bound(&claims(scope)?)?;
    any_user(scope).await
}

/// The signed-in user, even if the session reaches one workspace only.
pub(crate) async fn any_user<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<User> {
    let claims = claims(scope)?;
    let Some(named) = scope.call.named_workspace else { return admit(scope.tx.accounts().find(claims.user).await?) };
    let (user, place) = scope.tx.members().find_user_in(claims.user, named.id_or_unknown()).await?.unzip();
    let user = admit(user)?;
    admit_named(scope, reachable_place(&claims, named, place.flatten()), Denial::WorkspaceMismatch)?;
    Ok(user)
}

/// The signed-in user and their workspaces, even if the session reaches one workspace only.
pub(crate) async fn user_with_workspaces(view: &mut View) -> AppResult<(User, Vec<OwnWorkspace>)> {
    let claims = claims(view)?;
    let (user, own) = view.tx.accounts().find_with_workspaces(claims.user).await?.unzip();
    let (user, mut own) = (admit(user)?, own.unwrap_or_default());
    if claims.is_bound() {
        own.retain(|own| own.id == claims.workspace);
    }
    if let Some(named) = view.call.named_workspace.filter(|named| own.iter().all(|own| Some(own.id) != named.id())) {
        // The list does not contain deleted workspaces.
        let place = view.tx.members().find_user_in(user.id, named.id_or_unknown()).await?.and_then(|(_, place)| place);
        admit_named(view, reachable_place(&claims, named, place), Denial::WorkspaceMismatch)?;
    }
    Ok((user, own))
}

/// The signed-in user in person, locked until the unit ends, as the actor of what the unit reports.
pub(crate) async fn locked_user(unit: &mut Unit) -> AppResult<User> {
    refuse_bound(&claims(unit)?)?;
    any_locked_user(unit).await
}

/// The signed-in user, even if the session reaches one workspace only, locked until the unit ends.
pub(crate) async fn any_locked_user(unit: &mut Unit) -> AppResult<User> {
    let claims = claims(unit)?;
    let user = admit(unit.tx.accounts().lock(claims.user).await?)?;
    if let Some(named) = unit.call.named_workspace {
        let place = unit.tx.members().find_user_in(user.id, named.id_or_unknown()).await?.and_then(|(_, place)| place);
        admit_named(unit, reachable_place(&claims, named, place), Denial::WorkspaceMismatch)?;
    }
    unit.act_as(&user);
    Ok(user)
}

fn refuse_bound(claims: &Claims) -> AppResult<()> {
    if claims.is_bound() { Err(Fault::Forbidden(Denial::RequiresLogin).into()) } else { Ok(()) }
}

/// The claims of the caller's access token.
pub(crate) fn claims<T: ?Sized>(scope: &Scope<T>) -> AppResult<Claims> {
    match &scope.call.caller {
        Caller::User(claims) => Ok(claims.clone()),
        Caller::Key(_) | Caller::App(_) => Err(Fault::Forbidden(Denial::RequiresUser).into()),
        Caller::Nobody | Caller::Job(_) | Caller::System => Err(Fault::Unauthenticated(Unknown::TokenMissing).into()),
    }
}

/// The calling app and the user it acts for, on routes that need no workspace. A workspace that is named anyway must
/// be within the app's reach.
pub(crate) async fn app_with_user<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<(PresentedApp, User)> {
    let Caller::App(app) = scope.call.caller.clone() else {
        return Err(Fault::Internal("an app was expected").into());
    };
    let user = match scope.call.named_workspace {
        None => admit(scope.tx.accounts().find(app.claims.user).await?)?,
        Some(named) => {
            let (user, place) = scope.tx.members().find_user_in(app.claims.user, named.id_or_unknown()).await?.unzip();
            let user = admit(user)?;
            let place = place.flatten().filter(|_| granted(&app, named).is_some());
            admit_named(scope, place, Denial::AppOutsideWorkspace)?;
            user
        }
    };
    scope.act_for(app.actor(), app.name.to_string());
    Ok((*app, user))
}

/// The named workspace, if the app was granted access to it.
pub(super) fn granted(app: &PresentedApp, named: NamedWorkspace) -> Option<WorkspaceId> {
    named.id().filter(|id| app.workspaces.contains(id))
}

/// The caller's session, if it is still live.
///
/// Elsewhere an access token is valid until it expires, even if its session has ended. Operations that issue new
/// tokens, let somebody in or could take the account away from its owner check the session as well: the owner may
/// have ended it to prevent exactly that.
pub(crate) async fn live_session<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<Session> {
    let claims = claims(scope)?;
    let session = scope.tx.sessions().find(claims.user, claims.session).await?;
    let session = session.ok_or(Fault::Forbidden(Denial::SessionRevoked))?;
    match session.status(scope.call.now) {
        SessionStatus::Active => Ok(session),
        SessionStatus::Revoked => Err(Fault::Forbidden(Denial::SessionRevoked).into()),
        SessionStatus::Expired => Err(Fault::Unauthenticated(Unknown::TokenExpired).into()),
    }
}

/// Requires that the session of a user in person is live. Keys and apps have no session, so they pass. For operations
/// inside a workspace that make something which outlives the access token of the call.
pub(crate) async fn require_live_session<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<()> {
    match scope.call.caller {
        Caller::User(_) => live_session(scope).await.map(drop),
        Caller::Key(_) | Caller::App(_) | Caller::Nobody | Caller::Job(_) | Caller::System => Ok(()),
    }
}

/// Requires a recent interactive proof in a live session.
pub(crate) async fn fresh<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<()> {
    live_session(scope).await?;
    let claims = claims(scope)?;
    if scope.call.now.since(claims.authenticated_at) > FRESHNESS {
        let by_password = scope.tx.accounts().find_password(claims.user).await?.is_some();
        return Err(Fault::Forbidden(Denial::ReauthRequired { by_password }).into());
    }
    Ok(())
}

/// Refuses accounts that may not act. Tokens of an account that no longer exists are worthless.
pub(crate) fn admit(user: Option<User>) -> AppResult<User> {
    let Some(user) = user else {
        return Err(Fault::Unauthenticated(Unknown::TokenMalformed).into());
    };
    match user.status {
        AccountStatus::Active => Ok(user),
        AccountStatus::Suspended => Err(Fault::Forbidden(Denial::AccountSuspended).into()),
        AccountStatus::Deleting { .. } => Err(Fault::Forbidden(Denial::AccountDeleting).into()),
        AccountStatus::Deleted => Err(Fault::Unauthenticated(Unknown::TokenMalformed).into()),
    }
}

/// The caller's place in the workspace that the header names, if their session reaches it.
fn reachable_place(claims: &Claims, named: NamedWorkspace, place: Option<Place>) -> Option<Place> {
    place.filter(|_| !claims.is_bound() || named == NamedWorkspace::Id(claims.workspace))
}

/// Checks the workspace in the header where the operation does not use it: it must be one of the caller's and must
/// not be deleted.
fn admit_named<T: ?Sized>(scope: &mut Scope<T>, place: Option<Place>, otherwise: Denial) -> AppResult<()> {
    match place {
        None => Err(Fault::Forbidden(otherwise).into()),
        Some(place) if place.is_deleting => scope.note_deletion(),
        Some(_) => Ok(()),
    }
}

//! The caller's own profile.

use crate::{
    access::{self, CallerKind, RouteAccess},
    call::{Caller, NamedWorkspace},
    notifications,
    outcome::{AppResult, Draft},
    scope::{Unit, View},
};
use octavo_core_model::{
    Claims, Fault, Role,
    account::{ProfileChange, User},
    api_key::ApiKey,
    claims::PresentedApp,
    event::{EventPayload, FieldChanges, users::ProfileUpdated},
    fault::Conflict,
    id::WorkspaceId,
    member::Person,
    session::Session,
    workspace::{OwnWorkspace, Workspace},
};
use serde_json::{Map, Value, json};

/// A user and the workspaces they belong to.
#[derive(Clone, Debug)]
pub struct Profile {
    pub user: User,
    pub workspaces: Vec<OwnWorkspace>,
}

pub async fn get(view: &mut View) -> AppResult<Profile> {
    let (user, workspaces) = access::user_with_workspaces(view).await?;
    Ok(Profile { user, workspaces })
}

/// The identity behind the credential of a call.
#[derive(Clone, Debug)]
pub enum Identity {
    Person(Box<Bearer>),
    /// A key and its own workspace.
    Key(Box<(ApiKey, Workspace)>),
    App(Box<ActingApp>),
}

/// A user with an access token.
#[derive(Clone, Debug)]
pub struct Bearer {
    pub profile: Profile,
    pub claims: Claims,
    /// The workspace that calls with this credential use.
    pub workspace: WorkspaceId,
    pub role: Option<Role>,
    pub session: Option<Session>,
}

/// An app with an access token that a user granted.
#[derive(Clone, Debug)]
pub struct ActingApp {
    /// The user it acts for, and the workspaces of that user it may enter.
    pub profile: Profile,
    pub app: PresentedApp,
    /// The workspace that the call names; an app has none by default.
    pub workspace: Option<WorkspaceId>,
    pub role: Option<Role>,
}

pub async fn identify(view: &mut View) -> AppResult<Identity> {
    if let Caller::App(_) = view.call.caller {
        return Ok(Identity::App(Box::new(acting_app(view).await?)));
    }
    if let Caller::Key(_) = view.call.caller {
        let caller = access::enter(view, RouteAccess::ANYBODY).await?;
        // The workspace may have been removed since the key was read.
        let workspace = view.tx.workspaces().find(caller.workspace).await?.ok_or(Fault::NotFound)?;
        let CallerKind::Key(key) = caller.kind else {
            return Err(Fault::Internal("a key came in as somebody else").into());
        };
        return Ok(Identity::Key(Box::new((key, workspace))));
    }
    Ok(Identity::Person(Box::new(bearer(view).await?)))
}

async fn acting_app(view: &mut View) -> AppResult<ActingApp> {
    let (app, user) = access::app_with_user(view).await?;
    let mut workspaces = view.tx.workspaces().list_own(user.id).await?;
    workspaces.retain(|own| app.workspaces.contains(&own.id));
    let named = view.call.named_workspace.and_then(NamedWorkspace::id);
    let role = named.and_then(|id| workspaces.iter().find(|own| own.id == id)).map(|own| own.role);
    Ok(ActingApp { profile: Profile { user, workspaces }, app, workspace: named, role })
}

async fn bearer(view: &mut View) -> AppResult<Bearer> {
    let profile = get(view).await?;
    let claims = access::claims(view)?;
    let session = view.tx.sessions().find(claims.user, claims.session).await?;
    let named = match view.call.named_workspace {
        Some(NamedWorkspace::Id(id)) => id,
        _ => claims.workspace,
    };
    let role_in = |id| profile.workspaces.iter().find(|own| own.id == id).map(|own| own.role);
    // If the user has left the workspace that a token was issued for, the token counts for the personal workspace,
    // unless it is bound to one workspace.
    let stays = role_in(named).is_some() || claims.is_bound();
    let workspace = if stays { named } else { profile.user.personal_workspace };
    let role = role_in(workspace);
    Ok(Bearer { profile, claims, workspace, role, session })
}

/// Changes the caller's profile.
pub async fn update(unit: &mut Unit, draft: Draft<ProfileChange>) -> AppResult<User> {
    if draft.as_ref().is_ok_and(|change| change.display_name.is_some()) {
        // If several users want the same name at once, each must see who got it.
        let caller = access::user(unit).await?;
        access::lock_own(unit, caller.id).await?;
    }
    let mut user = access::locked_user(unit).await?;
    unit.claim().await?;
    let before = user.clone();
    let changed = user.apply(draft?);
    if changed.is_empty() {
        return Ok(user);
    }
    if changed.contains(&"displayName") || changed.contains(&"name") {
        let own: Vec<_> = unit.tx.workspaces().list_own(user.id).await?.iter().map(|own| own.id).collect();
        if changed.contains(&"displayName")
            && unit.tx.members().is_display_name_taken(&own, &user.display_name, user.id).await?
        {
            return Err(Fault::Conflict(Conflict::Taken("displayName")).into());
        }
        unit.tx.members().save_person(&own, &Person::from(&user)).await?;
    }
    unit.tx.accounts().save(&user).await?;
    if changed.contains(&"timezone") {
        notifications::move_digest(unit, &user, None).await?;
    }
    let (before, after) = (fields(&before, &changed), fields(&user, &changed));
    let updated = ProfileUpdated { user: user.id, changes: FieldChanges { changed_fields: changed, before, after } };
    unit.emit(user.personal_workspace, EventPayload::UserProfileUpdated(updated));
    Ok(user)
}

fn fields(user: &User, names: &[&'static str]) -> Map<String, Value> {
    let value = |name: &str| match name {
        "name" => json!(user.name),
        "displayName" => json!(user.display_name),
        "avatarUrl" => json!(user.avatar_url),
        "locale" => json!(user.locale),
        "timezone" => json!(user.timezone),
        _ => json!(user.theme),
    };
    names.iter().map(|name| ((*name).to_owned(), value(name))).collect()
}

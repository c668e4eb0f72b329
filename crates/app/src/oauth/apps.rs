//! Registering apps in a workspace.

use super::{app_resource, on_family, record_revoked};
use crate::{
    access::{self, RouteAccess, enter_locked},
    audit_entry::NewAuditEntry,
    outcome::{AppResult, Draft},
    scope::{Scope, Unit, View},
};
use octavo_core_model::{
    Fault, Role, Secret, Timestamp, TokenKind,
    event::{Chain, EventType},
    fault::{Conflict, Denial},
    id::{ClientId, WorkspaceId},
    oauth::{App, AppChange, RedirectUri, Scopes},
    text::{Name, WebAddress},
};
use octavo_ports::store::Reads;
use serde_json::{Value, json};
use std::time::Duration;

/// Which apps to list.
#[derive(Clone, Copy, Debug)]
pub struct AppPage {
    pub before: Option<ClientId>,
    pub limit: u32,
}

/// Lists the apps of the workspace, newest first.
pub async fn list(view: &mut View, page: Draft<AppPage>) -> AppResult<Vec<App>> {
    let workspace = enter(view).await?;
    let page = page?;
    Ok(view.tx.oauth().list_apps(workspace, page.before, page.limit).await?)
}

/// The part of an app that is public.
pub async fn show(view: &mut View, id: Draft<ClientId>) -> AppResult<App> {
    Ok(view.tx.oauth().find_app(id?).await?.ok_or(Fault::NotFound)?)
}

/// The properties of a new app.
#[derive(Clone, Debug)]
pub struct NewApp {
    pub name: Name,
    pub public: bool,
    pub redirect_uris: Vec<RedirectUri>,
    pub scopes: Scopes,
    pub logo_url: Option<WebAddress>,
}

/// An app and its secret, if it has one. Only the hash of the secret is stored.
#[derive(Clone, Debug)]
pub struct Registered {
    pub app: App,
    pub secret: Option<Secret<String>>,
}

/// Registers an app.
pub async fn register(unit: &mut Unit, draft: Draft<NewApp>) -> AppResult<Registered> {
    let caller = access::enter(unit, RouteAccess::MEMBERS_IN_PERSON).await?;
    refuse_role(caller.role())?;
    access::require_live_session(unit).await?;
    unit.claim().await?;
    let wanted = draft?;
    let app = App {
        id: unit.id(ClientId::new),
        workspace: caller.workspace,
        name: wanted.name,
        public: wanted.public,
        redirect_uris: wanted.redirect_uris,
        scopes: wanted.scopes,
        logo_url: wanted.logo_url,
        created_by: caller.author(),
        created_at: unit.call.now,
    };
    let secret = (!app.public).then(|| unit.token(TokenKind::ClientSecret));
    let hash = secret.as_ref().map(octavo_core_model::Token::hash);
    unit.tx.oauth().insert_app(&app, hash.as_ref()).await?;
    let entries = [("redirectUris", json!(app.redirect_uris)), ("scopes", json!(app.scopes))];
    let changes = entries.into_iter().map(|(field, to)| json!({ "field": field, "from": null, "to": to }));
    record(unit, &app, EventType::OauthAppCreated, changes.collect());
    Ok(Registered { app, secret: secret.map(|token| Secret::new(token.reveal().to_owned())) })
}

/// Changes name, logo, redirect URIs or scopes of an app. Removed scopes and redirect URIs take effect at once, also
/// on open codes and on existing grants.
pub async fn update(unit: &mut Unit, id: Draft<ClientId>, draft: Draft<AppChange>) -> AppResult<App> {
    let mut app = find(unit, id).await?;
    unit.claim().await?;
    let (changes, lost) = app.apply(draft?);
    if changes.is_empty() {
        return Ok(app);
    }
    unit.tx.oauth().save_app(&app).await?;
    if !lost.is_empty() {
        unit.tx.oauth().narrow_app(app.id, &lost).await?;
    }
    record(unit, &app, EventType::OauthAppUpdated, changes);
    Ok(app)
}

/// Removes an app and all grants to it.
pub async fn remove(unit: &mut Unit, id: Draft<ClientId>) -> AppResult<ClientId> {
    const REASON: &str = "app_deleted";
    let app = find(unit, id).await?;
    unit.claim().await?;
    let drained = unit.tx.oauth().remove_app(&app, unit.call.now).await?;
    for (user, family) in drained.families {
        let audit_entry = || on_family(user, family, EventType::OauthTokenRevoked).because(REASON);
        unit.audit(audit_entry().labelled(app.name.as_str()));
        unit.audit(audit_entry().labelled(app.name.as_str()).in_chain(Chain::Workspace(app.workspace)));
    }
    for (user, grant) in drained.grants {
        record_revoked(unit, user, &[grant], Some(REASON));
    }
    record(unit, &app, EventType::OauthAppDeleted, Vec::new());
    Ok(app.id)
}

/// A new secret of an app.
#[derive(Clone, Debug)]
pub struct NewSecret {
    pub client: ClientId,
    pub secret: Secret<String>,
    /// How long the previous secret still works.
    pub previous_until: Timestamp,
}

/// Gives an app a new secret. The present one keeps working until the grace period ends; older ones end now.
pub async fn rotate_secret(unit: &mut Unit, id: Draft<ClientId>, grace: Draft<Duration>) -> AppResult<NewSecret> {
    let app = find(unit, id).await?;
    access::require_live_session(unit).await?;
    unit.claim().await?;
    let (grace, now) = (grace?, unit.call.now);
    if app.public {
        return Err(Fault::Conflict(Conflict::PublicApp).into());
    }
    let (token, previous_until) = (unit.token(TokenKind::ClientSecret), now.plus(grace));
    unit.tx.oauth().rotate_app_secret(&app, &token.hash(), previous_until, now).await?;
    let end = json!({ "field": "previousValidUntil", "from": null, "to": previous_until });
    record(unit, &app, EventType::OauthSecretRotated, vec![end]);
    Ok(NewSecret { client: app.id, secret: Secret::new(token.reveal().to_owned()), previous_until })
}

async fn enter<T: Reads + ?Sized>(scope: &mut Scope<T>) -> AppResult<WorkspaceId> {
    let caller = access::enter(scope, RouteAccess::MEMBERS_IN_PERSON).await?;
    refuse_role(caller.role())?;
    Ok(caller.workspace)
}

fn refuse_role(role: Option<Role>) -> AppResult<()> {
    if role < Some(Role::Admin) { Err(Fault::Forbidden(Denial::OauthRole).into()) } else { Ok(()) }
}

/// Finds the app that the path names, in the workspace of the call. Workspace and app stay locked until the unit
/// ends.
async fn find(unit: &mut Unit, id: Draft<ClientId>) -> AppResult<App> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::MEMBERS_IN_PERSON).await?;
    refuse_role(caller.role())?;
    let app = match id {
        Ok(id) => unit.tx.oauth().lock_app(id).await?,
        Err(_) => None,
    };
    match app.filter(|app| app.workspace == workspace.id) {
        Some(app) => Ok(app),
        None => Err(unit.absent().await),
    }
}

fn record(unit: &mut Unit, app: &App, action: EventType, changes: Vec<Value>) {
    let audit_entry = NewAuditEntry::new(Chain::Workspace(app.workspace), action, app_resource(app.id));
    unit.audit(audit_entry.labelled(app.name.as_str()).with_changes(changes));
}

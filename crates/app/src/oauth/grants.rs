//! Grants to apps, as users and their workspaces see them.

use super::{on_grant, record_revoked};
use crate::{
    access::{self, RouteAccess, enter_locked},
    outcome::{AppResult, Draft},
    scope::{Unit, View},
};
use octavo_core_model::{
    Fault,
    account::User,
    event::EventType,
    id::{GrantId, WorkspaceId},
    oauth::{Grant, Scopes},
};
use serde_json::{Value, json};

/// Which grants to list.
#[derive(Clone, Copy, Debug)]
pub struct GrantPage {
    pub before: Option<GrantId>,
    pub limit: u32,
}

/// Lists the caller's grants, newest first.
pub async fn list(view: &mut View, page: Draft<GrantPage>) -> AppResult<Vec<Grant>> {
    let user = access::user(view).await?;
    let page = page?;
    Ok(view.tx.oauth().list_grants(user.id, view.call.now, page.before, page.limit).await?)
}

/// One of the caller's live grants.
pub async fn get(view: &mut View, id: Draft<GrantId>) -> AppResult<Grant> {
    let user = access::user(view).await?;
    let (id, now) = (id?, view.call.now);
    let grant = view.tx.oauth().find_grant(user.id, id).await?;
    Ok(grant.filter(|grant| grant.is_live(now)).ok_or(Fault::NotFound)?)
}

/// What remains of a grant; fields that are `None` stay as they are.
#[derive(Clone, Debug, Default)]
pub struct RemainingAccess {
    pub scopes: Option<Scopes>,
    pub workspaces: Option<Vec<WorkspaceId>>,
}

/// Reduces what an app may do.
pub async fn narrow(unit: &mut Unit, id: Draft<GrantId>, draft: Draft<RemainingAccess>) -> AppResult<Grant> {
    let user = access::locked_user(unit).await?;
    let now = unit.call.now;
    let Some(grant) = find(unit, &user, id).await?.filter(|grant| grant.is_live(now)) else {
        return Err(unit.absent().await);
    };
    unit.claim().await?;
    let less = draft?;
    let scopes = less.scopes.unwrap_or_else(|| grant.scopes.clone());
    if !scopes.is_subset(&grant.scopes) {
        return Err(Fault::GrantWidened("scopes").into());
    }
    let wanted = less.workspaces.unwrap_or_else(|| grant.workspaces.clone());
    if wanted.iter().any(|workspace| !grant.reaches(*workspace)) {
        return Err(Fault::GrantWidened("workspaceIds").into());
    }
    let narrowed = grant.clone().within(&scopes, &wanted);
    if narrowed != grant {
        save_less(unit, &grant, &narrowed, None).await?;
    }
    Ok(narrowed)
}

/// Revokes one of the caller's grants. Repeating it changes nothing.
pub async fn revoke(unit: &mut Unit, id: Draft<GrantId>) -> AppResult<()> {
    let user = access::locked_user(unit).await?;
    let Some(grant) = find(unit, &user, id).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let revoked = unit.tx.oauth().revoke_grants(user.id, Some(grant.id), unit.call.now).await?;
    record_revoked(unit, user.id, &revoked, None);
    Ok(())
}

async fn find(unit: &mut Unit, user: &User, id: Draft<GrantId>) -> AppResult<Option<Grant>> {
    match id {
        Ok(id) => Ok(unit.tx.oauth().find_grant(user.id, id).await?),
        Err(_) => Ok(None),
    }
}

/// The reason for revoking grants when an address is verified for the first time: whoever made them never proved that
/// it was theirs.
pub(crate) const FIRST_PROOF: &str = "mailbox_proven";

/// Revokes all grants of a user because of a change of the account. The user must be locked.
pub(crate) async fn revoke_all(unit: &mut Unit, user: &User, reason: &'static str) -> AppResult<()> {
    let revoked = unit.tx.oauth().revoke_grants(user.id, None, unit.call.now).await?;
    record_revoked(unit, user.id, &revoked, Some(reason));
    Ok(())
}

/// A grant as the workspaces in its reach see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantInWorkspace {
    pub workspace: WorkspaceId,
    pub grant: Grant,
}

/// Lists the members' grants that reach the workspace, newest first.
pub async fn list_into(view: &mut View, page: Draft<GrantPage>) -> AppResult<Vec<GrantInWorkspace>> {
    let caller = access::enter(view, RouteAccess::ADMINS_IN_PERSON).await?;
    let page = page?;
    let grants = view.tx.oauth().list_grants_into(caller.workspace, view.call.now, page.before, page.limit).await?;
    Ok(grants.into_iter().map(|grant| GrantInWorkspace { workspace: caller.workspace, grant }).collect())
}

/// Shows a member's grant that reaches the workspace.
pub async fn get_into(view: &mut View, id: Draft<GrantId>) -> AppResult<GrantInWorkspace> {
    let caller = access::enter(view, RouteAccess::ADMINS_IN_PERSON).await?;
    let (id, now) = (id.map_err(|_| Fault::NotFound)?, view.call.now);
    let user = view.tx.oauth().find_granter(caller.workspace, id).await?.ok_or(Fault::NotFound)?;
    let grant = view.tx.oauth().find_grant(user, id).await?;
    let grant = grant.filter(|grant| grant.is_live(now) && grant.reaches(caller.workspace)).ok_or(Fault::NotFound)?;
    Ok(GrantInWorkspace { workspace: caller.workspace, grant })
}

/// Removes the workspace from a grant. A grant without any workspace is revoked.
pub async fn withdraw(unit: &mut Unit, id: Draft<GrantId>) -> AppResult<()> {
    const REASON: &str = "workspace_withdrawn";
    let (_, workspace) = enter_locked(unit, RouteAccess::ADMINS_IN_PERSON).await?;
    let Some(grant) = find_into(unit, workspace.id, id).await? else { return Err(unit.absent().await) };
    unit.claim().await?;
    let mut narrowed = grant.clone();
    narrowed.workspaces.retain(|id| *id != workspace.id);
    if narrowed.workspaces.is_empty() {
        let revoked = unit.tx.oauth().revoke_grants(grant.user, Some(grant.id), unit.call.now).await?;
        record_revoked(unit, grant.user, &revoked, Some(REASON));
        return Ok(());
    }
    save_less(unit, &grant, &narrowed, Some(REASON)).await
}

/// The live grant that reaches a workspace. Locks its user.
async fn find_into(unit: &mut Unit, workspace: WorkspaceId, id: Draft<GrantId>) -> AppResult<Option<Grant>> {
    let Ok(id) = id else { return Ok(None) };
    let Some(user) = unit.tx.oauth().find_granter(workspace, id).await? else { return Ok(None) };
    unit.tx.accounts().lock(user).await?;
    let (grant, now) = (unit.tx.oauth().find_grant(user, id).await?, unit.call.now);
    Ok(grant.filter(|grant| grant.is_live(now) && grant.reaches(workspace)))
}

async fn save_less(unit: &mut Unit, grant: &Grant, narrowed: &Grant, reason: Option<&'static str>) -> AppResult<()> {
    unit.tx.oauth().narrow_grant(grant, &narrowed.scopes, &narrowed.workspaces).await?;
    let mut changes: Vec<Value> = Vec::new();
    if grant.scopes != narrowed.scopes {
        changes.push(json!({ "field": "scopes", "from": grant.scopes, "to": narrowed.scopes }));
    }
    if grant.workspaces != narrowed.workspaces {
        changes.push(json!({ "field": "workspaceIds", "from": grant.workspaces, "to": narrowed.workspaces }));
    }
    let audit_entry = on_grant(grant.user, grant.id, EventType::OauthGrantRevoked).labelled(grant.app.name.as_str());
    let audit_entry = audit_entry.with_changes(changes);
    unit.audit(match reason {
        Some(reason) => audit_entry.because(reason),
        None => audit_entry,
    });
    Ok(())
}

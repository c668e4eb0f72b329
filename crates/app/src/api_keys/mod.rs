//! API keys: creating, listing, changing, rotating, revoking.

pub mod present;

pub use present::KnownKeys;

use crate::{
    access::{self, RouteAccess, enter_locked},
    audit_entry::NewAuditEntry,
    outcome::{AppResult, Draft},
    scope::{Unit, View},
};
use octavo_core_model::{
    Fault, KeyScope, Secret, Timestamp,
    api_key::{ApiKey, ApiKeyChange, KeyText, ListedKey, MAX_LIVE},
    event::{Chain, EventType, Resource},
    fault::{Conflict, Hint, Issue, Violation},
    id::{ApiKeyId, UserId, WorkspaceId},
    network::Network,
    one_time::REMEMBERED,
    text::Name,
};
use serde_json::{Value, json};
use std::{collections::BTreeSet, time::Duration};

/// Which keys to list.
#[derive(Clone, Copy, Debug)]
pub struct ApiKeyPage {
    pub before: Option<ApiKeyId>,
    pub limit: u32,
}

/// Lists the keys of the workspace, including revoked ones, newest first.
pub async fn list(view: &mut View, page: Draft<ApiKeyPage>) -> AppResult<Vec<ListedKey>> {
    let caller = access::enter(view, RouteAccess::ADMINS_IN_PERSON).await?;
    let page = page?;
    Ok(view.tx.api_keys().list(caller.workspace, page.before, page.limit).await?)
}

/// The properties of a new key.
#[derive(Clone, Debug)]
pub struct NewApiKey {
    pub name: Name,
    pub scopes: BTreeSet<KeyScope>,
    pub rate_limit: Option<u32>,
    pub expires_at: Option<Timestamp>,
    pub allowed_networks: Vec<Network>,
}

/// A key and its text. Only the hash of the text is stored.
#[derive(Clone, Debug)]
pub struct Issued {
    pub key: ApiKey,
    pub text: Secret<String>,
    /// How long the previous secret still works.
    pub previous_until: Option<Timestamp>,
}

/// Creates a key.
pub async fn create(unit: &mut Unit, draft: Draft<NewApiKey>) -> AppResult<Issued> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::ADMINS_IN_PERSON).await?;
    access::require_live_session(unit).await?;
    unit.claim().await?;
    let wanted = draft?;
    let (now, text) = (unit.call.now, unit.api_key());
    refuse_past(wanted.expires_at, now)?;
    let key = ApiKey {
        id: unit.id(ApiKeyId::new),
        workspace: workspace.id,
        name: wanted.name,
        prefix: text.prefix(),
        scopes: wanted.scopes,
        rate_limit: wanted.rate_limit,
        allowed_networks: wanted.allowed_networks,
        last_used_at: None,
        expires_at: wanted.expires_at,
        revoked_at: None,
        created_by: caller.author(),
        created_at: now,
    };
    refuse_taken_name(unit, &key).await?;
    refuse_one_more(unit, workspace.id).await?;
    unit.tx.api_keys().insert(&key, &text.hash()).await?;
    let scopes = json!({ "field": "scopes", "from": null, "to": key.scopes });
    record(unit, &key, EventType::ApiKeyCreated, vec![scopes]);
    Ok(issued(key, text, None))
}

fn issued(key: ApiKey, text: KeyText, previous_until: Option<Timestamp>) -> Issued {
    Issued { key, text: text.into_secret(), previous_until }
}

/// Changes name, limit, expiry or addresses of a key.
pub async fn update(unit: &mut Unit, id: Draft<ApiKeyId>, draft: Draft<ApiKeyChange>) -> AppResult<ApiKey> {
    let mut key = find(unit, id).await?;
    unit.claim().await?;
    let (change, now) = (draft?, unit.call.now);
    refuse_past(change.expires_at.flatten(), now)?;
    refuse_revoked(&key)?;
    let (was_live, named) = (key.is_live(now), change.name.is_some());
    let changes = key.apply(change);
    if changes.is_empty() {
        return Ok(key);
    }
    if named {
        refuse_taken_name(unit, &key).await?;
    }
    if !was_live && key.is_live(now) {
        refuse_one_more(unit, key.workspace).await?;
    }
    unit.tx.api_keys().save(&key).await?;
    record(unit, &key, EventType::ApiKeyUpdated, changes);
    Ok(key)
}

/// Gives a key a new secret. The old one keeps working until the grace period ends.
pub async fn rotate(unit: &mut Unit, id: Draft<ApiKeyId>, grace: Draft<Duration>) -> AppResult<Issued> {
    let mut key = find(unit, id).await?;
    access::require_live_session(unit).await?;
    unit.claim().await?;
    let (grace, now) = (grace?, unit.call.now);
    refuse_revoked(&key)?;
    let (text, ends_at) = (unit.api_key(), now.plus(grace));
    let change = json!({ "field": "prefix", "from": key.prefix, "to": text.prefix() });
    let end = json!({ "field": "previousValidUntil", "from": null, "to": ends_at });
    key.prefix = text.prefix();
    unit.tx.api_keys().save(&key).await?;
    unit.tx.api_keys().rotate(&key, &text.hash(), ends_at, now.minus(REMEMBERED)).await?;
    record(unit, &key, EventType::ApiKeyRotated, vec![change, end]);
    Ok(issued(key, text, Some(ends_at)))
}

/// Revokes a key. A key that is already revoked stays as it is.
pub async fn revoke(unit: &mut Unit, id: Draft<ApiKeyId>) -> AppResult<()> {
    let mut key = find(unit, id).await?;
    unit.claim().await?;
    if key.revoke(unit.call.now) {
        unit.tx.api_keys().save(&key).await?;
        record(unit, &key, EventType::ApiKeyRevoked, Vec::new());
    }
    Ok(())
}

/// Revokes every key of a workspace, which must be locked.
pub(crate) async fn revoke_all(unit: &mut Unit, workspace: WorkspaceId, reason: &'static str) -> AppResult<()> {
    revoke_if(unit, workspace, reason, |_| true).await
}

/// Revokes the keys of a workspace, which must be locked, that a user created at the given time or later.
pub(crate) async fn revoke_created(
    unit: &mut Unit,
    workspace: WorkspaceId,
    by: UserId,
    since: Timestamp,
    reason: &'static str,
) -> AppResult<()> {
    revoke_if(unit, workspace, reason, |key| key.created_by == by && key.created_at >= since).await
}

async fn revoke_if(
    unit: &mut Unit,
    workspace: WorkspaceId,
    reason: &'static str,
    is_meant: impl Fn(&ApiKey) -> bool + Send,
) -> AppResult<()> {
    for ListedKey { mut key, .. } in unit.tx.api_keys().list(workspace, None, u32::MAX).await? {
        if is_meant(&key) && key.revoke(unit.call.now) {
            unit.tx.api_keys().save(&key).await?;
            unit.audit(audit_entry(&key, EventType::ApiKeyRevoked).because(reason));
        }
    }
    Ok(())
}

/// Finds the key that the path names, in the workspace of the call and under its lock.
async fn find(unit: &mut Unit, id: Draft<ApiKeyId>) -> AppResult<ApiKey> {
    let (_, workspace) = enter_locked(unit, RouteAccess::ADMINS_IN_PERSON).await?;
    let key = match id {
        Ok(id) => unit.tx.api_keys().find(workspace.id, id).await?,
        Err(_) => None,
    };
    match key {
        Some(key) => Ok(key),
        None => Err(unit.absent().await),
    }
}

fn refuse_past(end: Option<Timestamp>, now: Timestamp) -> AppResult<()> {
    match end {
        Some(end) if end <= now => {
            let flaw = Violation::new("expiresAt", Issue::InvalidValue).with(json!(end));
            Err(flaw.hinting(Hint::in_future()).into())
        }
        _ => Ok(()),
    }
}

fn refuse_revoked(key: &ApiKey) -> AppResult<()> {
    match key.revoked_at {
        Some(_) => Err(Fault::Conflict(Conflict::KeyRevoked).into()),
        None => Ok(()),
    }
}

async fn refuse_taken_name(unit: &mut Unit, key: &ApiKey) -> AppResult<()> {
    if unit.tx.api_keys().is_name_taken(key.workspace, &key.name, key.id).await? {
        return Err(Fault::Conflict(Conflict::Taken("name")).into());
    }
    Ok(())
}

async fn refuse_one_more(unit: &mut Unit, workspace: WorkspaceId) -> AppResult<()> {
    if unit.tx.api_keys().count_live(workspace, unit.call.now).await? >= MAX_LIVE {
        return Err(Fault::Conflict(Conflict::KeyLimit).into());
    }
    Ok(())
}

fn record(unit: &mut Unit, key: &ApiKey, action: EventType, changes: Vec<Value>) {
    unit.audit(audit_entry(key, action).with_changes(changes));
}

fn audit_entry(key: &ApiKey, action: EventType) -> NewAuditEntry {
    let audit_entry = NewAuditEntry::new(Chain::Workspace(key.workspace), action, Resource::ApiKey(key.id));
    audit_entry.labelled(key.name.as_str())
}

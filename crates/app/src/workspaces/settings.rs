//! The settings of a workspace.

use crate::{
    access::{RouteAccess, enter_locked},
    audit_entry::NewAuditEntry,
    outcome::{AppResult, Draft},
    scope::Unit,
};
use octavo_core_model::{
    event::{
        Chain, EventPayload, EventType, FieldChanges, Resource, permissions::PermissionChanged,
        workspaces::SettingsUpdated,
    },
    settings::{Settings, SettingsChange},
    time::days,
    workspace::Workspace,
};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Merges a change into the settings of the workspace of the call.
pub async fn update(unit: &mut Unit, draft: Draft<SettingsChange>) -> AppResult<Workspace> {
    let (_, mut workspace) = enter_locked(unit, RouteAccess::ADMINS).await?;
    unit.claim().await?;
    let before = workspace.settings.clone();
    let changed = workspace.settings.apply(draft?);
    if changed.is_empty() {
        return Ok(workspace);
    }
    workspace.updated_at = unit.call.now;
    unit.tx.workspaces().save(&workspace).await?;
    let (was, is) = (fields(&before, &changed), fields(&workspace.settings, &changed));
    if changed.contains(&SHARE_LINKS) {
        // This setting also decides who may create public links.
        let only =
            |fields: &Map<String, Value>| Map::from_iter([(SHARE_LINKS.to_owned(), fields[SHARE_LINKS].clone())]);
        let permission = PermissionChanged::Settings { workspace: workspace.id, before: only(&was), after: only(&is) };
        unit.emit(workspace.id, EventPayload::PermissionChanged(permission));
        let change = json!({ "field": SHARE_LINKS, "from": was[SHARE_LINKS], "to": is[SHARE_LINKS] });
        let chain = Chain::Workspace(workspace.id);
        let audit_entry = NewAuditEntry::new(chain, EventType::PermissionChanged, Resource::Workspace(workspace.id));
        unit.audit(audit_entry.labelled(workspace.name.as_str()).with_changes(vec![change]));
    }
    if changed.contains(&AUDIT_RETENTION) {
        let until = unit.call.now.plus(RETENTION_NOTICE);
        unit.tx.audits().put_off_pruning(Chain::Workspace(workspace.id), until).await?;
    }
    if changed.contains(&TRASH_RETENTION) {
        unit.tx.pages().reschedule_purges(workspace.id, workspace.settings.trash_retention_days()).await?;
    }
    let fields = FieldChanges { changed_fields: changed, before: was, after: is };
    let updated = SettingsUpdated { workspace: workspace.id, changes: fields };
    unit.emit(workspace.id, EventPayload::WorkspaceSettingsUpdated(updated));
    Ok(workspace)
}

const SHARE_LINKS: &str = "shareLinks.allowed";
const AUDIT_RETENTION: &str = "auditLogRetentionDays";
const TRASH_RETENTION: &str = "trashRetentionDays";

/// How long a shorter retention of the audit trail takes to come into force, so that nobody can hide something by
/// shortening it.
const RETENTION_NOTICE: Duration = days(7);

fn fields(settings: &Settings, names: &[&'static str]) -> Map<String, Value> {
    let value = |name: &str| match name {
        "language" => json!(settings.language()),
        "theme" => json!(settings.theme().name()),
        SHARE_LINKS => json!(settings.are_share_links_allowed()),
        TRASH_RETENTION => json!(settings.trash_retention_days()),
        AUDIT_RETENTION => json!(settings.audit_log_retention_days()),
        _ => json!(settings.session_timeout_days()),
    };
    names.iter().map(|name| ((*name).to_owned(), value(name))).collect()
}

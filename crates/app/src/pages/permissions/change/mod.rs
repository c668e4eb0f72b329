//! Changing the grants of a page and whether it inherits.

mod give;
mod requested;

pub(crate) use give::{TemporaryLevel, raise};
pub use requested::{GranteeRef, NewGrant};

use super::{
    super::{
        create::{full_access, user_needing_grant},
        lineage::{Entries, Visible, content_of, enter, need, principal},
        lock, require_writable, resource,
        shown::outer_of,
        subtree,
    },
    Permissions, map, of,
};
use crate::{
    access::{self, RouteAccess, WorkspaceCaller, enter_locked},
    audit_entry::NewAuditEntry,
    outcome::{AppResult, Draft},
    page_access::NodeId,
    scope::Unit,
    write_budget::WrittenSize,
};
use octavo_core_model::{
    Level, Timestamp,
    event::{
        Chain, EventPayload, EventType,
        permissions::{NodeAccess, PermissionChanged},
    },
    fault::{Conflict, PrincipalField, Unprocessable},
    grant::{Grant, Grantee, MAX_GRANTS},
    id::AccessGrantId,
    page::{Node, Page, PageKind, ResourceId},
    record::RecordPage,
    version::Expected,
    workspace::Workspace,
};
use octavo_permissions::{Authority, NodeEntry as Granted};
use requested::{refuse_doubles, refuse_past, resolve};
use serde_json::json;

/// About what a grant takes up, with its entries in indexes.
const BYTES_OF_GRANT: u64 = 500;

/// A change of permissions; fields that are `None` stay as they are.
#[derive(Clone, Debug, Default)]
pub struct PermissionChange {
    pub inherit: Option<bool>,
    /// The complete new list of grants.
    pub grants: Option<Vec<NewGrant>>,
    /// Whether to turn inherited entries into grants of the page.
    pub copy_inherited: bool,
    /// Whether to proceed even if the caller loses full access.
    pub force: bool,
    pub expected: Option<Expected>,
}

/// A grant that was saved.
#[derive(Clone, Debug)]
pub struct SavedGrant {
    pub grant: Grant,
    /// The page or database that it is given on.
    pub resource: ResourceId,
    /// Whether it replaced an earlier grant to the same grantee.
    pub replaced: bool,
}

/// A caller that may change the grants and the inheritance of a page.
struct GrantManager<'a> {
    caller: WorkspaceCaller,
    workspace: Workspace,
    seen: Visible<'a>,
    /// The present grants, including expired ones.
    grants: Vec<Grant>,
}

/// Replaces the permissions of a page or database.
pub async fn replace(
    unit: &mut Unit,
    id: Draft<impl NodeId>,
    draft: Draft<PermissionChange>,
) -> AppResult<Permissions> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::MEMBERS).await?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    let Some(mut manager) = find_managed(unit, caller, workspace, &authority, &id).await? else {
        return Err(unit.absent().await);
    };
    unit.claim().await?;
    let change = draft?;
    if let Some(requested) = &change.grants {
        for (number, grant) in requested.iter().enumerate() {
            refuse_past(grant, &format!("grants.{number}."), unit.call.now)?;
        }
        refuse_doubles(requested, manager.workspace.id)?;
    }
    change.expected.unwrap_or(Expected::Any).check(manager.seen.page.grants_version)?;
    require_writable(&manager.seen.page)?;
    let inherit = change.inherit.unwrap_or(manager.seen.page.inherit);
    let mut grants = match change.grants {
        Some(requested) => resolve(unit, &mut manager, requested, PrincipalField::InGrants).await?,
        None => live(&manager.grants, unit.call.now),
    };
    if !inherit && change.copy_inherited && manager.seen.page.inherit {
        copy_inherited(unit, &manager, &mut grants).await?;
    }
    if change.inherit == Some(false) && manager.seen.page.inherit {
        keep_access(unit, &manager, &mut grants);
    }
    write_grants(unit, &authority, &mut manager, inherit, grants, change.force).await?;
    of(unit, &manager.seen).await
}

/// Saves one grant.
pub async fn grant(unit: &mut Unit, id: Draft<impl NodeId>, draft: Draft<(NewGrant, bool)>) -> AppResult<SavedGrant> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::MEMBERS).await?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    let Some(mut manager) = find_managed(unit, caller, workspace, &authority, &id).await? else {
        return Err(unit.absent().await);
    };
    unit.claim().await?;
    let (requested, force) = draft?;
    refuse_past(&requested, "", unit.call.now)?;
    require_writable(&manager.seen.page)?;
    let field = PrincipalField::OfGrant;
    let mut resolved = resolve(unit, &mut manager, vec![requested], move |_| field).await?;
    let Some(grant) = resolved.pop() else { return Err(Unprocessable::UnknownPrincipal(field).into()) };
    let mut grants = live(&manager.grants, unit.call.now);
    let before = grants.len();
    grants.retain(|other| other.grantee != grant.grantee);
    let replaced = grants.len() < before;
    grants.push(grant.clone());
    let inherit = manager.seen.page.inherit;
    write_grants(unit, &authority, &mut manager, inherit, grants, force).await?;
    Ok(SavedGrant { grant, resource: manager.seen.page.resource(), replaced })
}

/// Removes one grant. Not an error if it does not exist.
pub async fn revoke(
    unit: &mut Unit,
    id: Draft<impl NodeId>,
    grant: Draft<AccessGrantId>,
    force: Draft<bool>,
) -> AppResult<()> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::MEMBERS).await?;
    let authority = access::authority_in_teams(unit, &caller).await?;
    let Some(mut manager) = find_managed(unit, caller, workspace, &authority, &id).await? else {
        return Err(unit.absent().await);
    };
    let Ok(grant) = grant else { return Err(unit.absent().await) };
    unit.claim().await?;
    let force = force?;
    require_writable(&manager.seen.page)?;
    let mut grants = live(&manager.grants, unit.call.now);
    let before = grants.len();
    grants.retain(|other| other.id != grant);
    if grants.len() < before {
        let inherit = manager.seen.page.inherit;
        write_grants(unit, &authority, &mut manager, inherit, grants, force).await?;
    }
    Ok(())
}

/// The page of a call, locked, if the caller may see it. Refuses callers without full access.
async fn find_managed<'a>(
    unit: &mut Unit,
    caller: WorkspaceCaller,
    workspace: Workspace,
    authority: &'a Authority,
    id: &Draft<impl NodeId>,
) -> AppResult<Option<GrantManager<'a>>> {
    let Some(seen) = lock(unit, workspace.id, authority, id).await? else { return Ok(None) };
    need(authority, seen.lineage.level(), Level::FullAccess)?;
    let grants = present(unit, &seen.page).await?;
    Ok(Some(GrantManager { caller, workspace, seen, grants }))
}

/// The present grants of a page. Expired ones exist until they are overwritten.
async fn present(unit: &mut Unit, page: &Page) -> AppResult<Vec<Grant>> {
    let always = Timestamp::from_millis(i64::MIN);
    Ok(unit.tx.grants().list(page.workspace, &[page.id], always).await?)
}

fn live(grants: &[Grant], now: Timestamp) -> Vec<Grant> {
    grants.iter().filter(|grant| grant.is_live(now)).cloned().collect()
}

/// A grant that takes the place of the grantee's present one, if there is one.
fn rewritten(
    unit: &mut Unit,
    manager: &GrantManager<'_>,
    grantee: Grantee,
    level: Level,
    expires_at: Option<Timestamp>,
) -> Grant {
    let now = unit.call.now;
    match manager.grants.iter().find(|grant| grant.grantee == grantee) {
        Some(same) if same.level == level && same.expires_at == expires_at => same.clone(),
        Some(other) => {
            let given_by = Some(manager.caller.author());
            Grant { level, expires_at, given_by, updated_at: now, ..other.clone() }
        }
        None => Grant {
            id: unit.id(AccessGrantId::new),
            workspace: manager.workspace.id,
            page: manager.seen.page.id,
            grantee,
            level,
            expires_at,
            created_by: Some(manager.caller.author()),
            given_by: Some(manager.caller.author()),
            created_at: now,
            updated_at: now,
        },
    }
}

/// Turns inherited entries into grants, except for grantees who already have one.
async fn copy_inherited(unit: &mut Unit, manager: &GrantManager<'_>, grants: &mut Vec<Grant>) -> AppResult<()> {
    let steps = &manager.seen.lineage.steps;
    let own: Vec<_> = steps.iter().filter(|step| step.access == Node::Page(step.id)).map(|step| step.id).collect();
    let now = unit.call.now;
    let all = unit.tx.grants().list(manager.workspace.id, &own, now).await?;
    for entry in map::above(unit, &manager.seen, &all).await? {
        if !grants.iter().any(|grant| grant.grantee == entry.grantee) {
            let expires_at =
                all.iter().find(|grant| Some(grant.id) == entry.source.grant).and_then(|grant| grant.expires_at);
            let copy = rewritten(unit, manager, entry.grantee, entry.level, expires_at);
            grants.push(copy);
        }
    }
    Ok(())
}

/// Callers that make a page stop inheriting keep their own access to it.
fn keep_access(unit: &mut Unit, manager: &GrantManager<'_>, grants: &mut Vec<Grant>) {
    if let Some(user) = user_needing_grant(&manager.caller)
        && !grants.iter().any(|grant| grant.grantee == Grantee::User(user))
    {
        let page = manager.seen.page.clone();
        grants.push(full_access(unit, &page, user, manager.caller.author()));
    }
}

/// Saves the new permissions, and updates the access nodes of the pages below.
async fn write_grants(
    unit: &mut Unit,
    authority: &Authority,
    manager: &mut GrantManager<'_>,
    inherit: bool,
    grants: Vec<Grant>,
    force: bool,
) -> AppResult<()> {
    if grants.len() > MAX_GRANTS {
        return Err(Conflict::LimitReached(u32::try_from(MAX_GRANTS).unwrap_or(u32::MAX)).into());
    }
    let before = live(&manager.grants, unit.call.now);
    if inherit == manager.seen.page.inherit && same(&before, &grants) {
        return Ok(());
    }
    let is_new = |grant: &&Grant| !manager.grants.contains(grant);
    let new = grants.iter().filter(is_new).count() as u64;
    if new == 0 && inherit == manager.seen.page.inherit {
        unit.only_removes();
    } else {
        unit.count_written(WrittenSize::of_bytes(new.saturating_mul(BYTES_OF_GRANT)))?;
    }
    if !force && is_locked_out(manager, authority, inherit, &grants) {
        return Err(Unprocessable::SelfLockout.into());
    }
    let access = if inherit && grants.is_empty() { outer_of(&manager.seen) } else { Node::Page(manager.seen.page.id) };
    if access != manager.seen.page.access {
        subtree::measure(unit, &manager.seen.page).await?;
    }
    for gone in manager.grants.iter().filter(|grant| !grants.iter().any(|kept| kept.grantee == grant.grantee)) {
        unit.tx.grants().remove(manager.workspace.id, gone.page, &gone.grantee).await?;
    }
    for grant in grants.iter().filter(is_new) {
        unit.tx.grants().put(grant).await?;
    }
    let page = &mut manager.seen.page;
    let was = NodeAccess::new(page, &before);
    if access != page.access {
        unit.tx.pages().move_access(page, access).await?;
        page.access = access;
        if page.kind == PageKind::Record {
            let state = if page.has_entries() { RecordPage::WithEntries } else { RecordPage::Stored };
            unit.tx.records().note_page(page.workspace, page.id, state).await?;
        }
    }
    page.inherit = inherit;
    page.grants_version += 1;
    unit.tx.pages().save(page).await?;
    if let Some(step) = manager.seen.lineage.steps.last_mut() {
        (step.inherit, step.access) = (inherit, access);
    }
    report(unit, &manager.seen.page, was, &grants);
    Ok(())
}

fn same(before: &[Grant], after: &[Grant]) -> bool {
    before.len() == after.len() && before.iter().all(|grant| after.contains(grant))
}

/// Whether the change would cost the caller their full access, or leave it only for a while although they now have it
/// permanently.
fn is_locked_out(manager: &GrantManager<'_>, authority: &Authority, inherit: bool, grants: &[Grant]) -> bool {
    let granted = grants.iter().filter_map(|grant| {
        let principal = principal(&grant.grantee)?;
        Some(Granted { principal, level: grant.level, expires: grant.expires_at.is_some() })
    });
    let page = manager.seen.page.id;
    let entries = Entries::from([(page, granted.collect())]);
    let lineage = &manager.seen.lineage;
    let end = enter(lineage.above.clone(), page, inherit, &entries);
    let lasting = lineage.lasting_above(authority).enter(content_of(page, inherit, &entries));
    let (before, after) = (lineage.lasting_end(authority).level(), lasting.level());
    let loses_it = end.level() < Level::FullAccess;
    let loses_it_some_day = before.reaches(Level::FullAccess) && !after.reaches(Level::FullAccess);
    authority.cap() >= Level::FullAccess && (loses_it || loses_it_some_day)
}

fn report(unit: &mut Unit, page: &Page, before: NodeAccess, grants: &[Grant]) {
    let after = NodeAccess::new(page, grants);
    let change = json!({ "field": "permissions", "from": before, "to": after });
    // Once in the audit trail and once in the event log.
    let bytes = change.to_string().len() as u64;
    unit.add_written(WrittenSize::of_bytes(bytes.saturating_mul(2)));
    let audit_entry =
        NewAuditEntry::new(Chain::Workspace(page.workspace), EventType::PermissionChanged, resource(page));
    unit.audit(audit_entry.labelled(page.title.as_str()).with_changes(vec![change]));
    let permission = PermissionChanged::on_node(page, before, after);
    unit.emit(page.workspace, EventPayload::PermissionChanged(permission));
}

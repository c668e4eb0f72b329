//! Changing a member's role, and ending a membership. A workspace always keeps an owner.

use super::refused::on_record;
use crate::{
    access::{self, RouteAccess, enter_locked},
    audit_entry::NewAuditEntry,
    outcome::{AppResult, Draft, LOST},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Role, Timestamp,
    event::{
        Chain, EventPayload, EventType, FieldChanges, Resource,
        members::{MemberRemoved, MemberUpdated},
        permissions::{MemberRole, PermissionChanged},
    },
    fault::Conflict,
    id::UserId,
    member::{Member, Membership},
    workspace::Workspace,
};
use octavo_permissions::members::{may_change_role, may_remove_member};
use serde_json::json;

/// Changes the role of a member.
pub async fn update(unit: &mut Unit, user: Draft<UserId>, draft: Draft<Role>) -> AppResult<Member> {
    let about = user.as_ref().ok().copied();
    let done = try_update(unit, user, draft).await;
    on_record(unit, about, done)
}

async fn try_update(unit: &mut Unit, user: Draft<UserId>, draft: Draft<Role>) -> AppResult<Member> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::ADMINS).await?;
    let user = user.map_err(|_| Fault::NotFound)?;
    let found = unit.tx.members().find(workspace.id, user).await?;
    let before = found.as_ref().map_or(Role::Guest, |membership| membership.role);
    let right = may_change_role(&caller.authority(), before, draft.as_ref().copied().unwrap_or(before));
    let Some(mut membership) = found else { return Err(unit.absent_to(right).await) };
    right?;
    if draft.as_ref().is_ok_and(|role| *role > before) {
        access::require_live_session(unit).await?;
    }
    unit.claim().await?;
    membership.role = draft?;
    let person = unit.tx.members().list_people(&[membership.user]).await?.pop().ok_or(LOST)?;
    if membership.role != before {
        let heir = release_owner(unit, &workspace, &membership, before).await?;
        unit.tx.members().save_role(&membership, unit.call.now).await?;
        let updated = MemberUpdated {
            membership: membership.id,
            user_id: membership.user,
            changes: FieldChanges::of_one("role", json!(before), json!(membership.role)),
            owner_id: heir,
        };
        unit.emit(workspace.id, EventPayload::WorkspaceMemberUpdated(updated));
        report_permission(unit, &membership, before, Some(membership.role));
    }
    Ok(Member { membership, person })
}

/// Ends a membership and removes the access granted to the member by name. What the member created stays.
pub async fn remove(unit: &mut Unit, user: Draft<UserId>) -> AppResult<()> {
    let about = user.as_ref().ok().copied();
    let done = try_remove(unit, user).await;
    on_record(unit, about, done)
}

async fn try_remove(unit: &mut Unit, user: Draft<UserId>) -> AppResult<()> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::MEMBERS).await?;
    let user = user.map_err(|_| Fault::NotFound)?;
    let found = unit.tx.members().find(workspace.id, user).await?;
    let role = found.as_ref().map_or(Role::Guest, |membership| membership.role);
    let right = may_remove_member(&caller.authority(), user, role);
    let Some(membership) = found else { return Err(unit.absent_to(right).await) };
    right?;
    unit.claim().await?;
    let heir = release_owner(unit, &workspace, &membership, membership.role).await?;
    remove_membership(unit, &membership, heir).await
}

/// Ends the membership of an account that is purged. If the account was the last owner, there is no heir.
pub(crate) async fn end_purged_membership(unit: &mut Unit, workspace: &Workspace, user: UserId) -> AppResult<()> {
    let Some(membership) = unit.tx.members().find(workspace.id, user).await? else { return Ok(()) };
    let is_primary = workspace.owner == user;
    let heir = if is_primary { unit.tx.members().find_longest_owner(workspace.id, user).await? } else { None };
    if let Some(heir) = heir {
        unit.tx.workspaces().move_ownership(workspace.id, heir, unit.call.now).await?;
    }
    remove_membership(unit, &membership, heir).await
}

/// Ends all memberships of a workspace except that of its primary owner.
pub(crate) async fn expel_others(unit: &mut Unit, workspace: &Workspace) -> AppResult<()> {
    expel_if(unit, workspace, |_| true).await
}

/// Ends the memberships of a workspace that began at the given time or later, except that of its primary owner.
pub(crate) async fn expel_newer(unit: &mut Unit, workspace: &Workspace, since: Timestamp) -> AppResult<()> {
    expel_if(unit, workspace, |membership| membership.joined_at >= since).await
}

async fn expel_if(
    unit: &mut Unit,
    workspace: &Workspace,
    is_meant: impl Fn(&Membership) -> bool + Send,
) -> AppResult<()> {
    for user in unit.tx.members().list_ids(workspace.id).await? {
        if user == workspace.owner {
            continue;
        }
        if let Some(membership) = unit.tx.members().find(workspace.id, user).await?
            && is_meant(&membership)
        {
            remove_membership(unit, &membership, None).await?;
        }
    }
    Ok(())
}

/// Removes a membership and the access that was granted to the member by name.
///
/// Exclusions stay, also after a purge, and name the former member by the id. Without them share links would lead to
/// these pages, and the person could return through one. The id never changes; an address does.
async fn remove_membership(unit: &mut Unit, membership: &Membership, heir: Option<UserId>) -> AppResult<()> {
    unit.tx.members().remove(membership.workspace, membership.user).await?;
    let Membership { id, workspace, user, role, .. } = *membership;
    let removed = MemberRemoved { membership: id, user_id: user, role, owner_id: heir };
    unit.emit(workspace, EventPayload::WorkspaceMemberRemoved(removed));
    report_permission(unit, membership, membership.role, None);
    Ok(())
}

/// If the member was an owner, requires another one; if they were the primary owner, makes that one the primary
/// owner. Returns the new primary owner.
async fn release_owner(
    unit: &mut Unit,
    workspace: &Workspace,
    member: &Membership,
    role: Role,
) -> AppResult<Option<UserId>> {
    if role != Role::Owner {
        return Ok(None);
    }
    let Some(heir) = unit.tx.members().find_longest_owner(workspace.id, member.user).await? else {
        return Err(Fault::Conflict(Conflict::LastOwner).into());
    };
    if workspace.owner != member.user {
        return Ok(None);
    }
    if workspace.is_personal {
        // Calls of its owner that name no workspace use this one.
        return Err(Fault::Conflict(Conflict::PersonalWorkspace).into());
    }
    unit.tx.workspaces().move_ownership(workspace.id, heir, unit.call.now).await?;
    Ok(Some(heir))
}

/// Reports the change of role to the event log and to the audit trail.
fn report_permission(unit: &mut Unit, membership: &Membership, from: Role, to: Option<Role>) {
    let workspace = membership.workspace;
    let permission = PermissionChanged::Role {
        membership: membership.id,
        user_id: membership.user,
        before: MemberRole { role: from },
        after: to.map(|role| MemberRole { role }),
    };
    unit.emit(workspace, EventPayload::PermissionChanged(permission));
    let change = json!({ "field": "role", "from": from, "to": to });
    let resource = Resource::Member(membership.id);
    let audit_entry = NewAuditEntry::new(Chain::Workspace(workspace), EventType::PermissionChanged, resource);
    let audit_entry = audit_entry.labelled(&membership.user.to_string()).about(membership.user);
    unit.audit(audit_entry.with_changes(vec![change]));
}

//! Members of a workspace: listing, adding, changing roles, removing.

mod leave;
mod list;
mod refused;

pub(crate) use leave::{end_purged_membership, expel_newer, expel_others};
pub use leave::{remove, update};
pub use list::{MemberDetails, MemberPage, list};

use crate::{
    access::{self, RouteAccess, enter_locked},
    open_invitations::release_grants,
    outcome::{AppResult, Draft},
    scope::Unit,
};
use octavo_core_model::{
    Fault, Role,
    account::{AccountStatus, User},
    event::EventPayload,
    fault::{Conflict, Denial},
    grant::{Grant, Grantee},
    id::{AccessGrantId, MembershipId, UserId, WorkspaceId},
    member::{Member, Membership},
    workspace::{Limits, Workspace},
};
use octavo_permissions::members::may_grant_role;

/// The user who is to become a member, and their role.
#[derive(Clone, Copy, Debug)]
pub struct NewMember {
    pub user: UserId,
    pub role: Role,
}

/// Makes an account a member of the workspace. `limits` apply to workspaces that have none of their own.
pub async fn add(unit: &mut Unit, draft: Draft<NewMember>, limits: Limits) -> AppResult<Member> {
    let about = draft.as_ref().ok().map(|wanted| wanted.user);
    let done = try_add(unit, draft, limits).await;
    refused::on_record(unit, about, done)
}

async fn try_add(unit: &mut Unit, draft: Draft<NewMember>, limits: Limits) -> AppResult<Member> {
    let (caller, workspace) = enter_locked(unit, RouteAccess::ADMINS).await?;
    if let Ok(wanted) = &draft {
        may_grant_role(&caller.authority(), wanted.role)?;
    }
    access::require_live_session(unit).await?;
    unit.claim().await?;
    let NewMember { user, role } = draft?;
    let user = unit.tx.accounts().lock(user).await?.filter(can_join).ok_or(Fault::UnknownId("userId"))?;
    release_grants(unit, workspace.id, &user.email).await?;
    let joining = Joining { role, invited_by: Some(caller.author()) };
    let membership = join(unit, &workspace, &user, joining, limits).await?;
    Ok(Member { membership, person: (&user).into() })
}

/// An account that is being deleted cannot be added.
fn can_join(user: &User) -> bool {
    matches!(user.status, AccountStatus::Active | AccountStatus::Suspended)
}

/// The role that a user joins with, and who added them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joining {
    pub(crate) role: Role,
    pub(crate) invited_by: Option<UserId>,
}

/// Makes a user a member. Workspace and user must be locked, in this order.
pub(crate) async fn join(
    unit: &mut Unit,
    workspace: &Workspace,
    user: &User,
    joining: Joining,
    limits: Limits,
) -> AppResult<Membership> {
    if unit.tx.members().find(workspace.id, user.id).await?.is_some() {
        return Err(Fault::Conflict(Conflict::Taken("userId")).into());
    }
    let held = unit.tx.members().count(workspace.id).await?;
    if !limits.overridden_by(workspace.limits).members.admits_another(held) {
        return Err(Fault::Forbidden(Denial::MemberQuota).into());
    }
    let membership = Membership {
        id: unit.id(MembershipId::new),
        workspace: workspace.id,
        user: user.id,
        role: joining.role,
        invited_by: joining.invited_by,
        joined_at: unit.call.now,
    };
    unit.tx.members().insert(&membership, workspace, &user.into()).await?;
    // Grants to their address now become grants to the user. A user who was not invited must have verified the address
    // first.
    let now = unit.call.now;
    if user.is_verified() {
        unit.tx.grants().transfer(workspace.id, &user.email, user.id, now).await?;
    } else {
        if joining.invited_by.is_some() {
            unit.tx.grants().transfer_access(workspace.id, &user.email, user.id, now).await?;
        }
        copy_exclusions(unit, workspace.id, user).await?;
    }
    emit_added(unit, &membership);
    Ok(membership)
}

/// Exclusions of an address that is not verified apply to the user who joins with it: otherwise the user could avoid
/// them by joining in another way. They also stay with the address, which may be somebody else's: otherwise this user
/// could take them along by leaving with another address.
async fn copy_exclusions(unit: &mut Unit, workspace: WorkspaceId, user: &User) -> AppResult<()> {
    let now = unit.call.now;
    let found = unit.tx.grants().list_exclusions_of(workspace, &user.email, now).await?;
    if found.is_empty() {
        return Ok(());
    }
    let copies: Vec<_> = found
        .into_iter()
        .map(|grant| Grant { id: unit.id(AccessGrantId::new), grantee: Grantee::User(user.id), ..grant })
        .collect();
    Ok(unit.tx.grants().copy_exclusions(workspace, &user.email, user.id, &copies, now).await?)
}

pub(crate) fn emit_added(unit: &mut Unit, membership: &Membership) {
    unit.emit(membership.workspace, EventPayload::WorkspaceMemberAdded(membership.into()));
}

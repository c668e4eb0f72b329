//! Open invitations and what their addresses may see. Areas that neither send nor answer invitations use this too.

use crate::{
    outcome::AppResult,
    scope::{Scope, Unit},
};
use octavo_core_model::{
    account::AccountStatus,
    event::EventPayload,
    id::{UserId, WorkspaceId},
    invitation::{Invitation, InvitationState, InvitationStatus},
    text::Email,
};
use octavo_permissions::{Authority, Member, members};
use octavo_ports::store::Reads;

/// The open invitations of an address, with any role.
#[derive(Debug)]
pub(crate) struct OpenInvitations {
    /// Those that count.
    pub(crate) valid: Vec<Invitation>,
    /// Those that do not count, because their inviters could not send them any more.
    pub(crate) void: Vec<Invitation>,
}

/// Lists the open invitations of an address.
pub(crate) async fn of_address(unit: &mut Unit, workspace: WorkspaceId, email: &Email) -> AppResult<OpenInvitations> {
    let mut open = OpenInvitations { valid: Vec::new(), void: Vec::new() };
    for invitation in unit.tx.invitations().list_open(workspace, email, unit.call.now).await? {
        let kind = if counts(unit, &invitation).await? { &mut open.valid } else { &mut open.void };
        kind.push(invitation);
    }
    Ok(open)
}

/// Whether an open invitation counts: only while its inviter could still send it. Otherwise former admins could return
/// as admins with an invitation that they had sent to another address of their own.
pub(crate) async fn counts<T: Reads + ?Sized>(scope: &mut Scope<T>, invitation: &Invitation) -> AppResult<bool> {
    let authority = authority_of_inviter(scope, invitation).await?;
    Ok(authority.is_some_and(|authority| members::may_grant_role(&authority, invitation.role).is_ok()))
}

/// The present authority of the member or key that sent an invitation; `None` if there is none any more. A key counts
/// by itself, because it outlives the membership of its creator.
async fn authority_of_inviter<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    invitation: &Invitation,
) -> AppResult<Option<Authority>> {
    let (workspace, now) = (invitation.workspace, scope.call.now);
    if let Some(key) = invitation.invited_by_key {
        let key = scope.tx.api_keys().find(workspace, key).await?.filter(|key| key.is_live(now));
        return Ok(key.map(|key| Authority::Key(key.scope())));
    }
    authority_of_member(scope, workspace, invitation.invited_by).await
}

/// The present authority of a member; `None` if the user has left or their account is not active.
async fn authority_of_member<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    user: UserId,
) -> AppResult<Option<Authority>> {
    let found = scope.tx.members().find_user_in(user, workspace).await?;
    let Some((user, Some(place))) = found.filter(|(user, _)| user.status == AccountStatus::Active) else {
        return Ok(None);
    };
    Ok(Some(Authority::Member(Member::new(user.id, place.role, []))))
}

/// Removes what an address may see that none of its open invitations keeps; see [`release_unless_kept`].
pub(crate) async fn release_grants(unit: &mut Unit, workspace: WorkspaceId, email: &Email) -> AppResult<()> {
    let open = of_address(unit, workspace, email).await?;
    release_unless_kept(unit, workspace, email, &open).await
}

/// Removes what an address may see that none of these invitations keeps, which are all its open ones. One that counts
/// keeps everything. One that does not count keeps only what persons granted who are still owners or admins: otherwise
/// the next invitation would let somebody in to what a former admin had granted. A grant is by the person who gave its
/// present level, also if somebody else had given another level before. Exclusions of the address
/// stay: they also keep share links away from these pages.
pub(crate) async fn release_unless_kept(
    unit: &mut Unit,
    workspace: WorkspaceId,
    email: &Email,
    open: &OpenInvitations,
) -> AppResult<()> {
    if !open.valid.is_empty() {
        return Ok(());
    }
    if open.void.is_empty() {
        return Ok(unit.tx.grants().remove_access_of_email(workspace, email).await?);
    }
    // A grant does not say which API key made it, so it counts as one by the creator of the key.
    let mut entitled = Vec::new();
    for giver in unit.tx.grants().list_givers_of_access(workspace, email).await? {
        let authority = authority_of_member(unit, workspace, giver).await?;
        if authority.is_some_and(|authority| members::require_admin(&authority).is_ok()) {
            entitled.push(giver);
        }
    }
    Ok(unit.tx.grants().remove_access_not_given_by(workspace, email, &entitled).await?)
}

/// Revokes an invitation that is open.
pub(crate) async fn revoke(unit: &mut Unit, invitation: &mut Invitation) -> AppResult<()> {
    close(unit, invitation).await?;
    release_grants(unit, invitation.workspace, &invitation.email).await
}

/// Revokes an invitation that is open. Its address keeps what it may see.
pub(crate) async fn close(unit: &mut Unit, invitation: &mut Invitation) -> AppResult<()> {
    invitation.state = InvitationState::Revoked;
    unit.tx.invitations().save(invitation).await?;
    unit.emit(invitation.workspace, EventPayload::WorkspaceInvitationRevoked((&*invitation).into()));
    Ok(())
}

/// Revokes every open invitation to a workspace, which must be locked.
pub(crate) async fn revoke_all(unit: &mut Unit, workspace: WorkspaceId) -> AppResult<()> {
    let now = unit.call.now;
    for mut invitation in unit.tx.invitations().list(workspace, InvitationStatus::Pending, now, None, u32::MAX).await? {
        revoke(unit, &mut invitation).await?;
    }
    Ok(())
}

//! Open invitations and what their addresses may see. Areas that neither send nor answer invitations use this too.

use crate::{
    outcome::AppResult,
    scope::{Scope, Unit},
};
use octavo_core_model::{
    account::AccountStatus,
    event::EventPayload,
    id::WorkspaceId,
    invitation::{Invitation, InvitationState, InvitationStatus},
    text::Email,
};
use octavo_permissions::{Authority, Member, members};
use octavo_ports::store::Reads;

/// Whether an address has an open invitation, with any role.
pub(crate) async fn is_invited(unit: &mut Unit, workspace: WorkspaceId, email: &Email) -> AppResult<bool> {
    Ok(!unit.tx.invitations().list_open(workspace, email, unit.call.now).await?.is_empty())
}

/// Whether an address has an open invitation that counts, with any role.
pub(crate) async fn has_counting_invitation(unit: &mut Unit, workspace: WorkspaceId, email: &Email) -> AppResult<bool> {
    for invitation in unit.tx.invitations().list_open(workspace, email, unit.call.now).await? {
        if counts(unit, &invitation).await? {
            return Ok(true);
        }
    }
    Ok(false)
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
    let inviter = scope.tx.members().find_user_in(invitation.invited_by, workspace).await?;
    let Some((user, Some(place))) = inviter.filter(|(user, _)| user.status == AccountStatus::Active) else {
        return Ok(None);
    };
    Ok(Some(Authority::Member(Member::new(user.id, place.role, []))))
}

/// Removes what an address that has no open invitation any more may see. Exclusions of the address stay: they also keep
/// share links away from these pages.
pub(crate) async fn release_grants(unit: &mut Unit, workspace: WorkspaceId, email: &Email) -> AppResult<()> {
    if !is_invited(unit, workspace, email).await? {
        unit.tx.grants().remove_access_of_email(workspace, email).await?;
    }
    Ok(())
}

/// Revokes an invitation that is open.
pub(crate) async fn revoke(unit: &mut Unit, invitation: &mut Invitation) -> AppResult<()> {
    invitation.state = InvitationState::Revoked;
    unit.tx.invitations().save(invitation).await?;
    release_grants(unit, invitation.workspace, &invitation.email).await?;
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

//! Open invitations and what their addresses may see. Areas that neither send nor answer invitations use this too.

use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::{
    Role,
    event::EventPayload,
    id::WorkspaceId,
    invitation::{Invitation, InvitationState, InvitationStatus},
    text::Email,
};

/// Whether an address has an open invitation, with any role.
pub(crate) async fn is_invited(unit: &mut Unit, workspace: WorkspaceId, email: &Email) -> AppResult<bool> {
    for role in Role::ALL {
        if unit.tx.invitations().has_open(workspace, email, *role, unit.call.now).await? {
            return Ok(true);
        }
    }
    Ok(false)
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

//! What those do with an invitation who sent it: taking it back, sending it again.

use super::{Sent, emit, send};
use crate::{
    access::{Door, Entry},
    engine::{AppResult, Draft},
    scope::Unit,
    workspaces::enter_locked,
};
use octavo_core_model::{
    event::EventType,
    id::InvitationId,
    invitation::{Invitation, InvitationState, InvitationStatus},
    workspace::Workspace,
};
use octavo_permissions::members;
use serde_json::json;

/// Takes an invitation back. One that waits for no answer any more stays as it is.
pub async fn revoke(unit: &mut Unit, id: Draft<InvitationId>) -> AppResult<()> {
    let (_, _, mut invitation) = find(unit, id, Asked::Revoke).await?;
    unit.claim().await?;
    if invitation.status(unit.call.now) == InvitationStatus::Pending {
        invitation.state = InvitationState::Revoked;
        unit.tx.save_invitation(&invitation).await?;
        emit(unit, EventType::WorkspaceInvitationRevoked, &invitation, json!({ "email": invitation.email }));
    }
    Ok(())
}

/// Sends an invitation again, with new links; the earlier ones die. Its time goes on.
pub async fn resend(unit: &mut Unit, id: Draft<InvitationId>) -> AppResult<Sent> {
    let (entry, workspace, invitation) = find(unit, id, Asked::Resend).await?;
    unit.claim().await?;
    invitation.require_open(unit.call.now)?;
    unit.tx.replace_invitation_tokens(&invitation).await?;
    let link_token = send(unit, &entry, &workspace, &invitation).await?;
    Ok(Sent { invitation, link_token })
}

#[derive(Clone, Copy)]
enum Asked {
    Revoke,
    Resend,
}

/// An invitation of the workspace of the call, for who runs the workspace or sent it.
async fn find(unit: &mut Unit, id: Draft<InvitationId>, asked: Asked) -> AppResult<(Entry, Workspace, Invitation)> {
    let (entry, workspace) = enter_locked(unit, Door::MEMBERS).await?;
    let found = match id {
        Ok(id) => unit.tx.find_invitation(workspace.id, id).await?,
        Err(_) => None,
    };
    let Some(invitation) = found else { return Err(unit.absent().await) };
    let is_inviter = entry.user().is_some_and(|user| user.id == invitation.invited_by);
    if !is_inviter {
        match asked {
            Asked::Revoke => members::require_admin(&entry.authority())?,
            // Who sends an invitation again holds its new link: with that of an owner an admin would make owners.
            Asked::Resend => members::may_grant_role(&entry.authority(), invitation.role)?,
        }
    }
    Ok((entry, workspace, invitation))
}

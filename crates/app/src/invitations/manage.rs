//! Managing invitations: revoking and sending again.

use super::{Sent, send};
use crate::{
    access::{self, RouteAccess, WorkspaceCaller, enter_locked},
    open_invitations::{self, release_grants},
    outcome::{AppResult, Draft},
    scope::Unit,
};
use octavo_core_model::{
    Fault,
    id::InvitationId,
    invitation::{Invitation, InvitationStatus},
    workspace::Workspace,
};
use octavo_permissions::members;

/// Revokes an invitation. One that is no longer open stays as it is.
pub async fn revoke(unit: &mut Unit, id: Draft<InvitationId>) -> AppResult<()> {
    let (caller, _, mut invitation) = find(unit, RouteAccess::MEMBERS, id).await?;
    if !is_inviter(&caller, &invitation) {
        members::require_admin(&caller.authority())?;
    }
    unit.claim().await?;
    match invitation.status(unit.call.now) {
        InvitationStatus::Pending => open_invitations::revoke(unit, &mut invitation).await,
        InvitationStatus::Expired => release_grants(unit, invitation.workspace, &invitation.email).await,
        _ => Ok(()),
    }
}

/// Sends an invitation again with new links, and revokes the old links. The caller becomes its inviter, so that one
/// whose inviter has left counts again. Its expiry does not change.
pub async fn resend(unit: &mut Unit, id: Draft<InvitationId>) -> AppResult<Sent> {
    let (caller, workspace, mut invitation) = find(unit, RouteAccess::MEMBERS_IN_PERSON, id).await?;
    // Whoever sends an invitation again gets its new link, so they must be allowed to send it themselves.
    members::may_grant_role(&caller.authority(), invitation.role)?;
    access::require_live_session(unit).await?;
    unit.claim().await?;
    invitation.require_open(unit.call.now).map_err(Fault::from)?;
    (invitation.invited_by, invitation.invited_by_key) = (caller.author(), None);
    unit.tx.invitations().save(&invitation).await?;
    unit.tx.invitations().replace_tokens(&invitation).await?;
    let link_token = send(unit, &caller, &workspace, &invitation).await?;
    Ok(Sent { invitation, link_token })
}

/// An invitation in the workspace of the call.
async fn find(
    unit: &mut Unit,
    access: RouteAccess,
    id: Draft<InvitationId>,
) -> AppResult<(WorkspaceCaller, Workspace, Invitation)> {
    let (caller, workspace) = enter_locked(unit, access).await?;
    let found = match id {
        Ok(id) => unit.tx.invitations().find(workspace.id, id).await?,
        Err(_) => None,
    };
    match found {
        Some(invitation) => Ok((caller, workspace, invitation)),
        None => Err(unit.absent_to(members::require_admin(&caller.authority())).await),
    }
}

fn is_inviter(caller: &WorkspaceCaller, invitation: &Invitation) -> bool {
    caller.user().is_some_and(|user| user.id == invitation.invited_by)
}

//! Becoming a member through an invitation.

use crate::{
    members::{self, Joining},
    outcome::AppResult,
    scope::Unit,
};
use octavo_core_model::{
    account::User,
    event::{EventPayload, members::InvitationAccepted},
    invitation::{Invitation, InvitationState},
    member::Membership,
    workspace::{Limits, Workspace},
};

/// Makes a user a member of a workspace and marks the invitation as accepted. Workspace and user must be locked.
pub(super) async fn join(
    unit: &mut Unit,
    workspace: &Workspace,
    mut invitation: Invitation,
    user: &User,
    limits: Limits,
) -> AppResult<Membership> {
    invitation.state = InvitationState::Accepted;
    unit.tx.invitations().save(&invitation).await?;
    let accepted = InvitationAccepted::new(&invitation, user.id);
    unit.emit(workspace.id, EventPayload::WorkspaceInvitationAccepted(accepted));
    let joining = Joining { role: invitation.role, invited_by: Some(invitation.invited_by) };
    members::join(unit, workspace, user, joining, limits).await
}

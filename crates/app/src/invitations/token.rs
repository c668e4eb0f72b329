//! Finding the invitation of a token.

use crate::{
    outcome::AppResult,
    scope::{Scope, Unit},
};
use octavo_core_model::{
    Fault, Secret, Token, TokenHash, TokenKind,
    fault::Conflict,
    id::{InvitationId, WorkspaceId},
    invitation::{Invitation, TokenDelivery},
    workspace::{Workspace, WorkspaceStatus},
};
use octavo_ports::store::Reads;

/// The invitation of a token.
pub(super) struct TokenTarget {
    pub(super) hash: TokenHash,
    pub(super) invitation: Invitation,
    pub(super) delivery: TokenDelivery,
}

/// Finds the invitation of a token, even if it is no longer open.
pub(super) async fn find<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    token: &Secret<String>,
    missing: impl Fn() -> Fault,
) -> AppResult<TokenTarget> {
    let hash = Token::parse(TokenKind::Invitation, token.expose()).map_err(|_| missing())?.hash();
    let workspace = scope.tx.invitations().find_inviting_workspace(&hash).await?.ok_or_else(&missing)?;
    let (invitation, delivery) = scope.tx.invitations().find_by_token(workspace, &hash).await?.ok_or_else(&missing)?;
    Ok(TokenTarget { hash, invitation, delivery })
}

/// Refuses a token that was replaced by a newer one.
pub(super) fn require_current(delivery: TokenDelivery) -> AppResult<()> {
    if delivery == TokenDelivery::Replaced { Err(Fault::Conflict(Conflict::TokenRevoked).into()) } else { Ok(()) }
}

/// Locks the workspace and reads the invitation of this token again.
pub(super) async fn lock(unit: &mut Unit, found: &TokenTarget) -> AppResult<(Workspace, Invitation, TokenDelivery)> {
    let workspace = lock_workspace(unit, found.invitation.workspace).await?;
    let again = unit.tx.invitations().find_by_token(workspace.id, &found.hash).await?;
    let (invitation, delivery) = again.ok_or(Fault::NotFound)?;
    require_current(delivery)?;
    Ok((workspace, invitation, delivery))
}

/// Locks the workspace and reads the invitation with this id again.
pub(super) async fn lock_by_id(
    unit: &mut Unit,
    workspace: WorkspaceId,
    id: InvitationId,
) -> AppResult<(Workspace, Invitation)> {
    let workspace = lock_workspace(unit, workspace).await?;
    let invitation = unit.tx.invitations().find(workspace.id, id).await?.ok_or(Fault::NotFound)?;
    Ok((workspace, invitation))
}

async fn lock_workspace(unit: &mut Unit, id: WorkspaceId) -> AppResult<Workspace> {
    in_use(unit.tx.workspaces().lock(id).await?)
}

/// Refuses a workspace that is deleted or about to be.
pub(super) fn in_use(workspace: Option<Workspace>) -> AppResult<Workspace> {
    match workspace {
        None => Err(Fault::NotFound.into()),
        Some(workspace) if workspace.status == WorkspaceStatus::Active => Ok(workspace),
        Some(_) => Err(Fault::WorkspaceDeleting.into()),
    }
}

//! From a token to its invitation.

use crate::{
    engine::AppResult,
    scope::{Scope, Unit},
};
use octavo_core_model::{
    Fault, Secret, Token, TokenHash, TokenKind,
    fault::{Conflict, Issue, Violation},
    id::{InvitationId, WorkspaceId},
    invitation::{Invitation, TokenDelivery},
    workspace::{Workspace, WorkspaceStatus},
};
use octavo_ports::store::Reads;

/// What a token leads to.
pub(super) struct TokenTarget {
    pub(super) hash: TokenHash,
    pub(super) invitation: Invitation,
    pub(super) delivery: TokenDelivery,
}

/// What somebody is told whose token is none of an invitation, where the token stands for a credential.
pub(super) fn unknown() -> Fault {
    Violation::new("token", Issue::InvalidValue).into()
}

/// Finds the invitation of a token, also one that waits for no answer any more.
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

/// Refuses a token that was replaced.
pub(super) fn require_current(delivery: TokenDelivery) -> AppResult<()> {
    if delivery == TokenDelivery::Replaced { Err(Fault::Conflict(Conflict::TokenRevoked).into()) } else { Ok(()) }
}

/// The invitation as it stands once its workspace is locked, by the token that was found before.
pub(super) async fn lock(unit: &mut Unit, found: &TokenTarget) -> AppResult<(Workspace, Invitation, TokenDelivery)> {
    let workspace = lock_workspace(unit, found.invitation.workspace).await?;
    let again = unit.tx.invitations().find_by_token(workspace.id, &found.hash).await?;
    let (invitation, delivery) = again.ok_or(Fault::NotFound)?;
    require_current(delivery)?;
    Ok((workspace, invitation, delivery))
}

/// The invitation as it stands once its workspace is locked, by its id.
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

/// Refuses a workspace that is gone or on its way out.
pub(super) fn in_use(workspace: Option<Workspace>) -> AppResult<Workspace> {
    match workspace {
        None => Err(Fault::NotFound.into()),
        Some(workspace) if workspace.status == WorkspaceStatus::Active => Ok(workspace),
        Some(_) => Err(Fault::WorkspaceDeleting.into()),
    }
}

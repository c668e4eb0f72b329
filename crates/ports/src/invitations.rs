//! Invitations to workspaces.

use crate::store_result::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Timestamp, TokenHash,
    id::{InvitationId, UserId, WorkspaceId},
    invitation::{Invitation, InvitationStatus, Inviter, TokenDelivery},
    text::Email,
    workspace::Workspace,
};

#[async_trait]
pub trait InvitationReads: Send {
    async fn find(&mut self, workspace: WorkspaceId, id: InvitationId) -> StoreResult<Option<Invitation>>;

    /// Invitations with this status at `now`, newest first, before the given id.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        status: InvitationStatus,
        now: Timestamp,
        before: Option<InvitationId>,
        limit: u32,
    ) -> StoreResult<Vec<Invitation>>;

    /// The workspace that a token invites to, even if the token was replaced.
    async fn find_inviting_workspace(&mut self, hash: &TokenHash) -> StoreResult<Option<WorkspaceId>>;

    /// The invitation of a token, and how the token reached its holder.
    async fn find_by_token(
        &mut self,
        workspace: WorkspaceId,
        hash: &TokenHash,
    ) -> StoreResult<Option<(Invitation, TokenDelivery)>>;

    /// The workspace of an invitation that was sent to an address, whatever its status.
    async fn find_invited_workspace(&mut self, email: &Email, id: InvitationId) -> StoreResult<Option<WorkspaceId>>;

    /// The open invitations to an address, newest first, before the given id.
    async fn list_to(
        &mut self,
        email: &Email,
        now: Timestamp,
        before: Option<InvitationId>,
        limit: u32,
    ) -> StoreResult<Vec<Invitation>>;

    /// The workspaces of invitations, in no particular order; those that do not exist are skipped.
    async fn list_inviting_workspaces(&mut self, ids: &[WorkspaceId]) -> StoreResult<Vec<Workspace>>;

    /// The users with these ids, in no particular order; unknown ids are skipped.
    async fn list_inviters(&mut self, users: &[UserId]) -> StoreResult<Vec<Inviter>>;
}

/// Changes are made under the lock of the workspace.
#[async_trait]
pub trait Invitations: InvitationReads {
    /// The open invitations of an address, at most one for each role, oldest first.
    async fn list_open(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
        now: Timestamp,
    ) -> StoreResult<Vec<Invitation>>;

    /// Expired invitations whose addresses still have grants but no other open invitation, oldest first.
    async fn list_lapsed(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<(WorkspaceId, InvitationId)>>;

    async fn insert(&mut self, invitation: &Invitation) -> StoreResult<()>;

    /// Saves the state and the inviter of an invitation.
    async fn save(&mut self, invitation: &Invitation) -> StoreResult<()>;

    /// Inserts a token for an invitation.
    async fn insert_token(
        &mut self,
        invitation: &Invitation,
        delivery: TokenDelivery,
        hash: &TokenHash,
    ) -> StoreResult<()>;

    /// Removes a workspace's invitations from the lists of the invited.
    async fn hide(&mut self, workspace: WorkspaceId) -> StoreResult<()>;

    /// Marks the present tokens of an invitation as replaced.
    async fn replace_tokens(&mut self, invitation: &Invitation) -> StoreResult<()>;
}

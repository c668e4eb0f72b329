//! Invitations into workspaces.

use crate::store::StoreResult;
use async_trait::async_trait;
use octavo_core_model::{
    Role, Timestamp, TokenHash,
    id::{InvitationId, UserId, WorkspaceId},
    invitation::{Invitation, InvitationStatus, Inviter, TokenDelivery},
    text::Email,
    workspace::Workspace,
};

#[async_trait]
pub trait InvitationReads: Send {
    async fn find(&mut self, workspace: WorkspaceId, id: InvitationId) -> StoreResult<Option<Invitation>>;

    /// Invitations of one status at `now`, newest first, those before the given id.
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        status: InvitationStatus,
        now: Timestamp,
        before: Option<InvitationId>,
        limit: u32,
    ) -> StoreResult<Vec<Invitation>>;

    /// Into which workspace a token leads, also one that was replaced.
    async fn find_inviting_workspace(&mut self, hash: &TokenHash) -> StoreResult<Option<WorkspaceId>>;

    /// The invitation a token belongs to, and how the token came to its holder.
    async fn find_by_token(
        &mut self,
        workspace: WorkspaceId,
        hash: &TokenHash,
    ) -> StoreResult<Option<(Invitation, TokenDelivery)>>;

    /// Into which workspace an invitation leads that was sent to an address, whatever became of it.
    async fn find_invited_workspace(&mut self, email: &Email, id: InvitationId) -> StoreResult<Option<WorkspaceId>>;

    /// The invitations that wait for an answer from the holder of an address, newest first, those before the given id.
    async fn list_to(
        &mut self,
        email: &Email,
        now: Timestamp,
        before: Option<InvitationId>,
        limit: u32,
    ) -> StoreResult<Vec<Invitation>>;

    /// The workspaces of invitations, in no order; what is not there is left out.
    async fn list_inviting_workspaces(&mut self, ids: &[WorkspaceId]) -> StoreResult<Vec<Workspace>>;

    /// The people with these ids, in no particular order; unknown ids are skipped.
    async fn list_inviters(&mut self, users: &[UserId]) -> StoreResult<Vec<Inviter>>;
}

/// Changes are made under the lock of the workspace.
#[async_trait]
pub trait Invitations: InvitationReads {
    /// Whether an invitation of this address into this role waits for its answer.
    async fn has_open(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
        role: Role,
        now: Timestamp,
    ) -> StoreResult<bool>;

    /// Invitations that expired and whose addresses still hold grants, though no other invitation of theirs waits for its answer; oldest first.
    async fn list_lapsed(&mut self, now: Timestamp, limit: u32) -> StoreResult<Vec<(WorkspaceId, InvitationId)>>;

    async fn insert(&mut self, invitation: &Invitation) -> StoreResult<()>;

    /// Saves what became of an invitation.
    async fn save(&mut self, invitation: &Invitation) -> StoreResult<()>;

    /// Adds a token by which the invitation is found.
    async fn insert_token(
        &mut self,
        invitation: &Invitation,
        delivery: TokenDelivery,
        hash: &TokenHash,
    ) -> StoreResult<()>;

    /// Takes what a workspace has sent from the lists of those who are invited.
    async fn hide(&mut self, workspace: WorkspaceId) -> StoreResult<()>;

    /// Has the tokens that the invitation has so far count as replaced.
    async fn replace_tokens(&mut self, invitation: &Invitation) -> StoreResult<()>;
}
